//! Observers of the values that an expansion computes.

use crate::evaluate::shape_of_program::TakeCall;
use crate::expression::Expression;
use crate::value::Value;

/// Observes each value that an expansion computes.
pub(crate) trait Observer<'a> {
    /// Is called before an expression is evaluated.
    fn starts(&self);

    /// Is called with the final value of an expression. If the evaluation has failed, parts of the expression may
    /// not have been evaluated.
    fn sees(
        &self,
        at: &dyn Observed<'a>,
        expression: Expression<'a>,
        value: Value<'_>,
        has_failed: bool,
    );

    /// Returns whether this expression of an instance of a module was observed before.
    fn has_seen(&self, module: u32, expression: Expression<'a>) -> bool;

    /// Is called for a call that leads to a module of the tree without an instance: the module calls itself, calls
    /// nest too deeply, or the budget is exhausted; and for a call whose source is not known.
    fn misses(&self, module: u32, call: u32, is_unknown: bool);
}

/// The evaluation of an expression.
pub(crate) trait Observed<'a> {
    /// Returns the number of the instance of the module.
    fn instance(&self) -> u32;

    /// Returns whether the value is used only by the expressions that refer to it.
    fn passes_on(&self) -> bool;

    /// Returns whether the instance is assumed because these inputs create none. An unknown value then says
    /// nothing about the real instances.
    fn is_supposed(&self) -> bool;

    /// Returns the text of `path.module`.
    fn module_path(&self) -> Option<&'a str>;

    /// Returns the possible texts of an expression and of its parts. A [`HOLE`](crate::evaluate::shape::HOLE) stands for each part
    /// that is unknown.
    fn texts(&self, expression: Expression<'a>) -> Vec<String>;

    /// Passes each call to `take`, if `is_meant` accepts the name of the function.
    fn calls(
        &self,
        expression: Expression<'a>,
        is_meant: &dyn Fn(&str) -> bool,
        take: &mut TakeCall<'_>,
    );
}

//! An observer of the values that an expansion computes.

use crate::expression::Expression;
use crate::value::Value;

/// Learns of each value that is computed.
pub(crate) trait Observer<'a> {
    /// An expression is about to be evaluated.
    fn starts(&self);

    /// An expression has this value, which is final. Parts that it needs may not be evaluated if it has
    /// failed.
    fn sees(
        &self,
        at: &dyn Observed<'a>,
        expression: Expression<'a>,
        value: Value<'_>,
        has_failed: bool,
    );

    /// Whether it has seen an expression of an instance of a module.
    fn has_seen(&self, module: u32, expression: Expression<'a>) -> bool;

    /// A call leads to a module of the tree that has no instance here: the module calls itself, calls
    /// nest too deep, or the budget is exhausted.
    fn misses(&self, module: u32, call: u32);
}

/// Passes on the name of a function, and the texts that its first and second argument may be.
pub(crate) type TakeArguments<'t> = dyn FnMut(&str, Vec<String>, Vec<String>) + 't;

/// The evaluation of an expression.
pub(crate) trait Observed<'a> {
    /// The number of the instance of the module.
    fn instance(&self) -> u32;

    /// Whether the value is only passed on, to be used by those that refer to it.
    fn passes_on(&self) -> bool;

    /// Whether its instance is only assumed, since there is none with these inputs. A value that is
    /// unknown then says nothing.
    fn is_supposed(&self) -> bool;

    /// The text of `path.module`.
    fn module_path(&self) -> Option<&'a str>;

    /// The texts that the value of an expression, or parts of it, may be, with a
    /// [`HOLE`](super::HOLE) for each part that is not known.
    fn texts(&self, expression: Expression<'a>) -> Vec<String>;

    /// Passes on the texts that the first arguments of calls may be, and those of the second argument;
    /// the name of the function decides which calls are meant.
    fn arguments(
        &self,
        expression: Expression<'a>,
        is_meant: &dyn Fn(&str) -> bool,
        take: &mut TakeArguments<'_>,
    );
}

//! The evaluation of the expressions of one object: its place, and its findings.

use std::cell::{Cell, RefCell};

use super::budget::{EXPRESSION, Price};
use super::engine::Expansion;
use super::keys::Key;
use super::node::Node;
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Label};
use crate::evaluate::{Budget, InScope, Meter, Scope};
use crate::expression::Expression;
use crate::module::Functions;
use crate::value::Value;

/// An evaluation in an instance of a module.
pub(crate) struct Evaluation<'e, 't, 'v, 'a> {
    pub(super) engine: &'e Expansion<'t, 'a>,
    /// The number of the instance of the module.
    pub(super) module: u32,
    /// Where values are allocated.
    pub(super) arena: &'v Arena,
    /// Whether `arena` is freed soon, and the expressions are evaluated only once.
    pub(super) is_transient: bool,
    /// Names in scope that only this object has, innermost last: `each`, `count`, `self`, iterators.
    pub(super) own: RefCell<Vec<(&'v str, Value<'v>)>>,
    /// The `for_each` whose element `each` is, for the known parts of an unknown one.
    pub(super) for_each: Cell<Option<Expression<'a>>>,
    /// Nodes that have no value yet.
    pub(super) missing: RefCell<Vec<Node<'a>>>,
    /// Problems of the expressions.
    pub(super) found: RefCell<Vec<Diagnostic<'a>>>,
    /// Whether one of the own names was used.
    pub(super) uses_own: Cell<bool>,
    /// The part of the budget that blocks must leave: half of what was left at first.
    least: Budget,
    /// Whether there are more blocks.
    is_cut: Cell<bool>,
    /// Whether the value of an expression is not known. Only set with a state.
    pub(super) has_unknown: Cell<bool>,
    /// Whether values are only passed on: others that refer to them use them.
    pub(super) passes_on: Cell<bool>,
    /// Whether its instance is only assumed.
    pub(super) is_supposed: Cell<bool>,
}

impl<'e, 't, 'v, 'a: 'v> Evaluation<'e, 't, 'v, 'a> {
    pub(super) fn new(
        engine: &'e Expansion<'t, 'a>,
        module: u32,
        (arena, is_transient): (&'v Arena, bool),
    ) -> Self {
        Self {
            engine,
            module,
            arena,
            is_transient,
            own: RefCell::default(),
            for_each: Cell::new(None),
            missing: RefCell::default(),
            found: RefCell::default(),
            uses_own: Cell::new(false),
            least: engine.half(),
            is_cut: Cell::new(false),
            has_unknown: Cell::new(false),
            passes_on: Cell::new(false),
            is_supposed: Cell::new(false),
        }
    }

    /// Spends the cost of a block. Once there is not enough left for a block of an object, its
    /// other blocks are not known either.
    pub(super) fn affords_block(&self, price: Price, label: impl FnOnce() -> Label<'a>) -> bool {
        if !self.is_cut.get() && !self.engine.affords_above(self.least, price, label) {
            self.is_cut.set(true);
        }
        !self.is_cut.get()
    }

    /// Adds the names `each` or `count` of an instance.
    pub(super) fn with_key(self, key: Key<'v>) -> Self {
        self.own.borrow_mut().extend(key.variables(self.arena));
        self
    }

    /// Spends a step on an expression that needs no evaluation. Returns `false` if none is left.
    pub(super) fn spend(&self, expression: Expression<'a>) -> bool {
        let is_left = self.engine.meter.spend(1).is_ok();
        if !is_left {
            self.engine.exhausted(expression.start_label());
        }
        is_left
    }

    /// The value of an expression.
    pub(super) fn value(&self, expression: Expression<'a>) -> Value<'v> {
        let total = &self.engine.meter;
        if total.exhausted().is_some() {
            self.has_unknown.set(true);
            return Value::dynamic();
        }
        let half = self.engine.half();
        let budget = Budget::new(
            half.steps().min(Budget::DEFAULT.steps()),
            half.bytes().min(Budget::DEFAULT.bytes()),
        );
        let meter = Meter::new(budget);
        let known =
            Functions { dialect: self.engine.dialect(), has_provider: &|_| true, described: None };
        let functions = self.engine.inputs.functions.unwrap_or(&known);
        let scope = Scope::new().with_functions(functions).with_short_circuits();
        let observer = self.engine.inputs.observer;
        if let Some(observer) = observer {
            observer.starts();
        }
        let mut found = self.found.borrow_mut();
        let before = found.len();
        let value = expression.value_in(
            self.arena,
            self.is_transient,
            InScope { scope: &scope, objects: Some(self) },
            &meter,
            &mut *found,
        );
        let spent = budget.steps() - meter.rest().steps();
        let kept = if self.is_transient { 0 } else { meter.allocated() };
        if total.spend(spent + EXPRESSION).and_then(|()| total.allocate(kept)).is_err() {
            self.engine.exhausted(expression.start_label());
        }
        let value = value.with_marks(self.engine.inputs.marks_of(expression));
        let has_failed = found.len() > before;
        drop(found);
        self.note(value);
        // Until all that it refers to is there, the value is not final.
        if let Some(observer) = observer
            && self.missing.borrow().is_empty()
        {
            observer.sees(self, expression, value, has_failed);
        }
        value
    }

    /// Notes whether a value of the configuration is not known.
    pub(super) fn note(&self, value: Value<'v>) {
        if self.engine.inputs.state.is_some() && !value.is_wholly_known() {
            self.has_unknown.set(true);
        }
    }
}

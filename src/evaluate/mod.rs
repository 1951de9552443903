//! Evaluation: the value of a parsed expression in a scope.
//!
//! A program (`native::node`) and a [`Scope`] go in; a value comes out, and diagnostics, in the order of the text.
//! Where something is wrong the value is unknown, as far as it depends on that, and everything else is still
//! evaluated: one run tells all that is wrong.
//!
//! # How
//!
//! [`machine`] goes forwards over the nodes, which stand in post-order, with a stack of values: a leaf pushes one,
//! an operator takes its operands and pushes its result. Nothing recurses. `for` and splats evaluate a part once per
//! element, so they go back: a frame says where the part begins and ends ([`repeat`]).
//!
//! Both arms of a conditional and both operands of `&&` and `||` are evaluated, as the reference does, and
//! the diagnostics of the one that does not count are dropped: [`stack`] knows which belong to which value.
//!
//! # Work
//!
//! Linear in the program, except for `for` and splats, which cost what they are written to cost. As
//! ten of them inside of each other, over one short list, would never end, and a text that doubles itself
//! would fill the memory, an evaluation has a budget ([`Scope::with_budget`]). Scopes cannot be endless: a scope borrows the one
//! around it, and variables are values, which refer to nothing.
//!
//! # Marks
//!
//! A mark goes wherever the value goes: to the parts that are taken of it and to what is computed from it. A marked
//! key marks the whole object.

mod access;
mod call;
mod conditional;
mod construct;
mod fault;
mod function;
mod machine;
mod operators;
mod repeat;
mod scope;
mod splat;
mod stack;

pub use function::{Function, FunctionError, Parameter, Signature};
pub use scope::{Functions, Scope};

use crate::arena::Arena;
use crate::diagnostic::Sink;
use crate::native::{Kind, Node, Program, StepKind};
use crate::value::Value;

/// The value of `program` in `scope`. Where it cannot be had it is unknown, and `sink` has the reason.
pub(crate) fn evaluate<'a>(
    arena: &'a Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    if let Some(value) = reference(arena, program, scope) {
        return value;
    }
    machine::Machine::new(arena, program, scope).run(|diagnostic| sink.report(diagnostic))
}

/// The value of a program that is a reference and nothing else, if nothing is wrong with it: what most templates
/// are.
fn reference<'a>(
    arena: &'a Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'a>,
) -> Option<Value<'a>> {
    let ([leaf] | [leaf, Node { kind: Kind::Wrap, .. }]) = program.nodes else { return None };
    let Kind::Traversal = leaf.kind else { return None };
    let (root, steps) = program.traversal(leaf.payload).split_first()?;
    let StepKind::Root(name) = root.kind else { return None };
    steps
        .iter()
        .try_fold(scope.variable(name)?, |value, step| access::step(arena, value, step).ok())
}

//! Evaluation: the value of a parsed expression in a scope.
//!
//! The input is a program (`program::node`) and a [`Scope`]; the result is a value, and diagnostics
//! in the order of the text. A value that depends on an error is unknown, and everything else is
//! still evaluated, so one run reports all errors.
//!
//! # How
//!
//! [`machine`] goes forwards over the nodes, which are in post-order, with a stack of values: a
//! leaf pushes a value, an operator pops its operands and pushes its result. Nothing recurses.
//! `for` and splats evaluate a part once per element, so they jump back: a frame says where the
//! part begins and ends ([`repeat`]).
//!
//! As in the reference, both arms of a conditional and both operands of `&&` and `||` are
//! evaluated, and the diagnostics of the one that does not count are dropped: [`stack`] knows which
//! belong to which value.
//!
//! # Work
//!
//! Evaluation is linear in the program, except for `for` and splats, which cost what they are
//! written to cost. Ten of them, nested over one short list, would never end; a text that doubles
//! itself would fill the memory, and so would the results of functions. So every evaluation has a
//! [`Budget`] of steps and one of bytes, and every value is paid for before it is made or read
//! ([`Meter`]).
//!
//! Values are allocated in the arena of the document. An evaluation that allocates much more than
//! its result needs runs in a separate arena, from which only the result is copied, so its
//! temporaries are freed when it ends.
//!
//! Scopes cannot be circular: a scope borrows the one around it, and variables are values, which
//! refer to nothing.
//!
//! # Marks
//!
//! Marks follow a value: to its parts and to everything computed from it. A marked key marks the
//! whole object.

mod access;
mod budget;
mod call;
mod conditional;
mod construct;
mod fault;
mod frame;
mod function;
mod locals;
mod machine;
mod operators;
mod repeat;
mod scope;
mod splat;
mod stack;

pub use budget::{Budget, Exhausted, Meter};
pub use function::{Function, FunctionError, Parameter, Signature};
pub use scope::{Functions, Scope};

use machine::Machine;

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::native::{Kind, Node, Program, Step, StepKind};
use crate::program::node::Instructions;
use crate::source::Source;
use crate::value::Value;

/// The value of `program` in `scope`, made in `arena`, which may live shorter than the program.
/// Where it cannot be had it is unknown, and `sink` has the reason.
pub(crate) fn evaluate<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'v>,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    evaluate_within(arena, program, scope, &Meter::new(scope.budget()), sink)
}

/// The same, within what is left of a budget that several evaluations share. The first for which it
/// is too little says so; the values of those after it are unknown, and they say nothing.
pub(crate) fn evaluate_within<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'v>,
    meter: &Meter,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    if let Some(value) = reference(arena, program, scope) {
        return value;
    }
    if meter.exhausted().is_some() {
        return Value::dynamic();
    }
    let budget = meter.rest();
    // Enough for all but a few expressions, and in proportion to the file.
    let kept = KEPT + KEPT_PER_NODE * program.nodes.len() as u64;
    let mut outcome = Machine::new(
        arena,
        Instructions::of(program),
        scope,
        budget.with_bytes(budget.bytes().min(kept)),
    )
    .run();
    if outcome.exhausted == Some(Exhausted::Bytes) && kept < budget.bytes() {
        let temporary = Arena::new();
        let within = Machine::new(&temporary, Instructions::of(program), scope, budget).run();
        let half = within.allocated / 2;
        if within.exhausted.is_some() || within.value.bytes(half) < half {
            for report in &within.reports {
                sink.report(report.diagnostic(program.source));
            }
            let kept = within.value.bytes(within.allocated);
            meter.settle(within.steps, kept, within.exhausted);
            return within.value.copy_to(arena);
        }
        // Most of what was made is the result, and what it shares with variables must stay shared.
        outcome = Machine::new(arena, Instructions::of(program), scope, budget).run();
    }
    for report in &outcome.reports {
        sink.report(report.diagnostic(program.source));
    }
    meter.settle(outcome.steps, outcome.allocated, outcome.exhausted);
    outcome.value
}

/// `sink` without the reports that a budget is used up: what checks would find out after long is
/// unknown to them.
pub(crate) fn without_limits<'s, 'a>(sink: &'s mut dyn Sink<'a>) -> impl Sink<'a> + use<'s, 'a> {
    move |diagnostic: Diagnostic<'a>| {
        if !matches!(diagnostic.code(), Code::EvaluationTooLong | Code::EvaluationTooLarge) {
            sink.report(diagnostic);
        }
    }
}

/// Bytes of values that an evaluation may make in the arena of the document, whatever becomes of
/// them.
const KEPT: u64 = 4096;
/// The same for each node of the program.
const KEPT_PER_NODE: u64 = 1024;

/// The value of a program that is a reference and nothing else, if nothing is wrong with it: what
/// most templates are.
fn reference<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'v>,
) -> Option<Value<'v>> {
    let ([leaf] | [leaf, Node { kind: Kind::Wrap, .. }]) = program.nodes else { return None };
    let Kind::Traversal = leaf.kind else { return None };
    match program.traversal(leaf.payload) {
        [Step { kind: StepKind::Root(name), .. }, steps @ ..] => steps
            .iter()
            .try_fold(scope.variable(name)?, |value, step| access::step(arena, value, step).ok()),
        _ => None,
    }
}

/// Follows steps from a value. Returns why one of them cannot be followed, if so.
pub(crate) fn follow<'a>(
    source: Source<'a>,
    mut value: Value<'a>,
    steps: &[Step<'a>],
) -> Result<Value<'a>, Diagnostic<'a>> {
    for step in steps {
        value = access::step(source.arena(), value, step)
            .map_err(|fault| fault.at(step.span).diagnostic(source))?;
    }
    Ok(value)
}

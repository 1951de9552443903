//! Evaluation of a parsed expression in a scope.
//!
//! The input is a program (`program::node`) and a [`Scope`]; the result is a value, and diagnostics
//! in source order. A value that depends on an error is unknown. Everything else is still
//! evaluated, so one run reports all errors.
//!
//! # Method
//!
//! [`machine`] processes the nodes, which are in post-order, from first to last, with a stack of
//! values: a leaf pushes a value, an operator pops its operands and pushes its result. Nothing
//! recurses. `for` and splats evaluate a part once per element, so they jump back: a frame holds
//! where the part starts and ends ([`repeat`]).
//!
//! As in the reference, both arms of a conditional and both operands of `&&` and `||` are
//! evaluated. The diagnostics of the arm or operand that is not used are dropped: [`stack`] links
//! diagnostics to values.
//!
//! # Cost
//!
//! Evaluation is linear in the program, except for `for` and splats, which repeat their parts. Ten
//! of them, nested over one short list, would practically never end; a text that doubles itself
//! would fill the memory, and so would the results of functions. So every evaluation has a
//! [`Budget`] of steps and bytes, and the cost of every value is spent before it is created or read
//! ([`Meter`]).
//!
//! Values are allocated in the arena of the document. An evaluation that allocates much more than
//! its result needs runs in a separate arena, from which only the result is copied, so its
//! temporaries are freed when it ends.
//!
//! Scopes cannot be circular: a scope borrows its parent, and variables are values, which do not
//! refer to scopes.
//!
//! # Marks
//!
//! A value passes its marks on to its parts and to everything computed from it. A marked key marks
//! the whole object.

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
mod objects;
mod operators;
pub(crate) mod release;
mod repeat;
mod scope;
#[cfg(any(feature = "model", feature = "functions"))]
pub(crate) mod shape;
#[cfg(any(feature = "model", feature = "functions"))]
mod shape_of_call;
#[cfg(any(feature = "model", feature = "functions"))]
pub(crate) mod shape_of_program;
#[cfg(any(feature = "model", feature = "functions"))]
mod shape_of_text;
pub(crate) mod signatures;
mod splat;
mod stack;

pub use self::release::Release;
pub(crate) use self::signatures::ResultEnds;
pub use self::signatures::{InPacker, KnownFunction, known_function, known_functions};
pub use budget::{Budget, Exhausted, Meter};
pub use function::{Function, FunctionError, Parameter, Signature};
pub(crate) use objects::Objects;
pub use scope::{Functions, Scope};

use machine::Machine;

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::native::{Kind, Node, Program, Step, StepKind};
use crate::program::node::{Instructions, LentProgram};
use crate::source::Source;
use crate::value::Value;

/// Returns the value of `program` in `scope`, allocated in `arena`, which may have a shorter
/// lifetime than the program. If it has an error, the value is unknown, and the error is reported
/// to `sink`.
pub(crate) fn evaluate<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'v>,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    evaluate_within(arena, program, scope, &Meter::new(scope.budget()), sink)
}

/// Like [`evaluate`], within the rest of a budget that several evaluations share. The first
/// evaluation that exceeds it reports so; the values of later ones are unknown, without a report.
pub(crate) fn evaluate_within<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'v>,
    meter: &Meter,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    evaluate_for(arena, program, InScope { scope, objects: None }, meter, sink)
}

/// The names that an expression may use: those of a scope, and objects that are asked for other names.
#[derive(Clone, Copy)]
pub(crate) struct InScope<'s, 'v> {
    pub(crate) scope: &'s Scope<'s, 'v>,
    pub(crate) objects: Option<&'s dyn Objects<'v>>,
}

/// Like [`evaluate_within`], for a program in the memory of the parser, and with objects that are
/// asked for names that the scope does not have.
pub(crate) fn evaluate_for<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &LentProgram<'_, 'a>,
    InScope { scope, objects }: InScope<'_, 'v>,
    meter: &Meter,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    if let Some(value) = reference(arena, program, scope, objects) {
        return value;
    }
    if meter.exhausted().is_some() {
        return Value::dynamic();
    }
    let budget = meter.rest();
    // Sufficient for almost all expressions, and proportional to the size of the file.
    let kept = KEPT + KEPT_PER_NODE * program.nodes.len() as u64;
    let mut outcome = Machine::new(
        arena,
        Instructions::of(program),
        (scope, objects),
        budget.with_bytes(budget.bytes().min(kept)),
    )
    .run();
    if outcome.exhausted == Some(Exhausted::Bytes) && kept < budget.bytes() {
        let temporary = Arena::new();
        let within =
            Machine::new(&temporary, Instructions::of(program), (scope, objects), budget).run();
        let half = within.allocated / 2;
        if within.exhausted.is_some() || within.value.bytes(half) < half {
            for report in &within.reports {
                sink.report(report.diagnostic(program.source));
            }
            let kept = within.value.bytes(within.allocated);
            meter.settle(within.steps, kept, within.exhausted);
            return within.value.copy_to(arena);
        }
        // Most of the allocated memory is the result; parts that it shares with variables must stay
        // shared.
        outcome = Machine::new(arena, Instructions::of(program), (scope, objects), budget).run();
    }
    for report in &outcome.reports {
        sink.report(report.diagnostic(program.source));
    }
    meter.settle(outcome.steps, outcome.allocated, outcome.exhausted);
    outcome.value
}

/// Like [`evaluate_within`], for an evaluation inside another one, whose meter it spends from. All
/// that it allocates stays in the arena: the outer evaluation decides what is kept.
#[cfg(feature = "functions")]
pub(crate) fn evaluate_nested<'a>(
    arena: &'a Arena,
    program: &Program<'a>,
    scope: &Scope<'_, 'a>,
    meter: &Meter,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let outcome = Machine::new(arena, Instructions::of(program), (scope, None), meter.rest()).run();
    for report in &outcome.reports {
        sink.report(report.diagnostic(program.source));
    }
    meter.settle(outcome.steps, outcome.allocated, outcome.exhausted);
    outcome.value
}

/// Returns a sink that drops reports of exceeded budgets: checks treat values that take too long to
/// compute as unknown.
pub(crate) fn without_limits<'s, 'a>(sink: &'s mut dyn Sink<'a>) -> impl Sink<'a> + use<'s, 'a> {
    move |diagnostic: Diagnostic<'a>| {
        if !matches!(diagnostic.code(), Code::EvaluationTooLong | Code::EvaluationTooLarge) {
            sink.report(diagnostic);
        }
    }
}

/// The number of bytes that an evaluation may always allocate in the arena of the document.
const KEPT: u64 = 4096;
/// The additional number of bytes for each node of the program.
const KEPT_PER_NODE: u64 = 1024;

/// Returns the value that the first steps of a traversal lead to, and the number of these steps.
fn find<'v>(
    steps: &[Step<'_>],
    scope: &Scope<'_, 'v>,
    objects: Option<&dyn Objects<'v>>,
) -> Option<(Value<'v>, usize)> {
    let Some(Step { kind: StepKind::Root(name), .. }) = steps.first() else { return None };
    match scope.variable(name) {
        Some(value) => Some((value, 1)),
        None => objects?.find(steps),
    }
}

/// Returns the value of a program that is only a reference, as most templates are, if it has no
/// errors.
fn reference<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &LentProgram<'_, 'a>,
    scope: &Scope<'_, 'v>,
    objects: Option<&dyn Objects<'v>>,
) -> Option<Value<'v>> {
    let ([leaf] | [leaf, Node { kind: Kind::Wrap, .. }]) = program.nodes else { return None };
    let Kind::Traversal = leaf.kind else { return None };
    let steps = program.traversal(leaf.payload);
    let (value, taken) = find(steps, scope, objects)?;
    let mut rest = steps.get(taken..)?.iter();
    rest.try_fold(value, |value, step| access::step(arena, value, step).ok())
}

/// Follows steps from a value, as far as they lead: a part that is missing is unknown.
pub(crate) fn follow_known<'a>(
    arena: &'a Arena,
    mut value: Value<'a>,
    steps: &[Step<'a>],
) -> Value<'a> {
    for step in steps {
        match access::step(arena, value, step) {
            Ok(next) => value = next,
            Err(_) => return Value::dynamic(),
        }
    }
    value
}

/// Follows steps from a value. Returns an error if one of them cannot be followed.
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

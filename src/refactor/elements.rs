//! Outputs of modules with several instances: `[for k, v in module.m : v.old]`,
//! `values(module.m)[*].old`, `module.m[each.key].old`.

use crate::facts::name_of;
use crate::native::{
    Construct, ForExpression, FunctionCall, Key, Native, Step, StepKind, Traversal,
};
use crate::span::Span;

/// The parts of the instances of a module that an expression uses.
pub(super) enum Used {
    /// Only outputs by their names: the bytes of those with the old name.
    Names(Vec<Span>),
    /// Perhaps any output.
    Whole,
}

/// The most nodes of an expression that is searched: it may have many references.
const MOST_NODES: usize = 10_000;

/// The value of a part of an expression.
enum Value {
    /// All instances.
    Instances,
    /// One of them.
    Instance,
    /// Something else, that is made of these parts of the instances.
    Other(Used),
}

/// Finds the uses of an output where `module` is a whole module with instances, or one of them: a
/// reference in `root` with these bytes.
///
/// Cost: linear in the expression.
pub(super) fn uses(root: Native<'_>, module: Span, old: &str) -> Used {
    if root.size() > MOST_NODES {
        return Used::Whole;
    }
    let contains =
        |part: &Native<'_>| part.span().start <= module.start && module.end <= part.span().end;
    // The expressions around the reference, the innermost last.
    let mut around = Vec::new();
    let mut open = Some(root.inner());
    while let Some(part) = open {
        around.push(part);
        open = part.operands().into_iter().map(Native::inner).find(contains);
    }
    let Some(mut part) = around.pop() else { return Used::Whole };
    let mut value = match part.construct() {
        Construct::Traversal(traversal) if part.span() == module => match traversal.steps().len() {
            2 => Value::Instances,
            _ => Value::Instance,
        },
        _ => return Used::Whole,
    };
    while let Some(outer) = around.pop() {
        value = match value {
            Value::Instances => of_instances(outer, part, old),
            Value::Instance => of_instance(outer, part, old),
            Value::Other(used) => return used,
        };
        part = outer;
    }
    match value {
        Value::Other(used) => used,
        Value::Instances | Value::Instance => Used::Whole,
    }
}

/// Whether an operand is a part of an expression.
fn is(operand: Native<'_>, part: Native<'_>) -> bool {
    operand.inner().span() == part.span()
}

/// The value of an expression of which `part` is all instances.
fn of_instances(outer: Native<'_>, part: Native<'_>, old: &str) -> Value {
    match outer.construct() {
        Construct::Call(call) => of_call(&call, part),
        Construct::Index { collection, .. } if is(collection, part) => Value::Instance,
        Construct::Relative(from, traversal) if is(from, part) => match traversal.steps() {
            [key] if matches!(key.kind, StepKind::Index(_)) => Value::Instance,
            [key, step, ..] if matches!(key.kind, StepKind::Index(_)) => {
                Value::Other(used(output(traversal, Some(step), old)))
            }
            _ => Value::Other(Used::Whole),
        },
        Construct::Splat { source, each: None } if is(source, part) => Value::Instances,
        Construct::Splat { source, each: Some(each) } if is(source, part) => {
            Value::Other(used(of_element(each, old)))
        }
        Construct::For(each) if is(each.collection, part) => Value::Other(of_for(&each, old)),
        _ => Value::Other(Used::Whole),
    }
}

/// The value of an expression of which `part` is one instance.
fn of_instance(outer: Native<'_>, part: Native<'_>, old: &str) -> Value {
    Value::Other(match outer.construct() {
        Construct::Relative(from, traversal) if is(from, part) => {
            used(output(traversal, traversal.steps().first(), old))
        }
        _ => Used::Whole,
    })
}

/// The result of a function whose first argument is all instances.
fn of_call(call: &FunctionCall<'_>, part: Native<'_>) -> Value {
    let is_first = call.arguments.first().is_some_and(|first| is(*first, part));
    let name = call.name.strip_prefix("core::").unwrap_or(call.name);
    match (name, call.arguments.len()) {
        _ if call.expands || !is_first => Value::Other(Used::Whole),
        ("values" | "tolist" | "reverse", 1) | ("slice", 3) => Value::Instances,
        // The default of a lookup may have the name, too.
        ("one", 1) | ("element" | "lookup", 2) => Value::Instance,
        ("length" | "keys", 1) => Value::Other(Used::Names(Vec::new())),
        _ => Value::Other(Used::Whole),
    }
}

/// The output that a splat takes of each instance. See [`output`].
fn of_element(each: Native<'_>, old: &str) -> Option<Option<Span>> {
    let mut part = each;
    loop {
        part = match part.construct() {
            Construct::Relative(from, traversal) => match from.construct() {
                Construct::Element => return output(traversal, traversal.steps().first(), old),
                _ => from,
            },
            Construct::Index { collection, .. } => collection,
            Construct::Splat { source, .. } => source,
            _ => return None,
        };
    }
}

/// The outputs that a `for` expression over the instances uses.
fn of_for(each: &ForExpression<'_>, old: &str) -> Used {
    let mut names = Vec::new();
    for part in each.key.into_iter().chain([each.value]).chain(each.condition) {
        // Another `for` may hide the name.
        if hides(part, each.value_name) {
            return Used::Whole;
        }
        for traversal in part.variables().filter(|it| it.root_name() == each.value_name) {
            match output(traversal, traversal.steps().get(1), old) {
                Some(name) => names.extend(name),
                None => return Used::Whole,
            }
        }
    }
    Used::Names(names)
}

/// The bytes of the old name if a step from an instance has it, `Some(None)` if it is another output,
/// and `None` if it may be any.
fn output(traversal: Traversal<'_>, step: Option<&Step<'_>>, old: &str) -> Option<Option<Span>> {
    let step = step?;
    match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => match name == old {
            true => name_of(traversal, step).map(Some),
            false => Some(None),
        },
        _ => None,
    }
}

fn used(output: Option<Option<Span>>) -> Used {
    output.map_or(Used::Whole, |name| Used::Names(name.into_iter().collect()))
}

/// Whether a `for` expression in an expression binds a name.
fn hides(root: Native<'_>, name: &str) -> bool {
    let mut open = vec![root];
    while let Some(part) = open.pop() {
        if let Construct::For(each) = part.inner().construct()
            && (each.key_name == Some(name) || each.value_name == name)
        {
            return true;
        }
        open.extend(part.inner().operands());
    }
    false
}

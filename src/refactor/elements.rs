//! Outputs of modules with several instances: `[for k, v in module.m : v.old]`,
//! `values(module.m)[*].old`.

use crate::facts::name_of;
use crate::native::{Construct, Native, StepKind};
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

/// Finds the uses of an output where `module` is the whole module, with instances: a reference in
/// `root` with these bytes.
///
/// Cost: linear in the expression.
pub(super) fn uses(root: Native<'_>, module: Span, old: &str) -> Used {
    if root.size() > MOST_NODES {
        return Used::Whole;
    }
    // The innermost construct that goes over the instances.
    let mut found = None;
    let mut open = Some(root);
    while let Some(part) = open {
        let construct = part.inner().construct();
        let is_over = match &construct {
            Construct::For(each) => is_instances(each.collection, module),
            Construct::Splat { source, .. } => is_instances(*source, module),
            _ => false,
        };
        if is_over {
            found = Some(construct);
            break;
        }
        let contains =
            |part: &Native<'_>| part.span().start <= module.start && module.end <= part.span().end;
        open = part.inner().operands().into_iter().find(contains);
    }
    let mut names = Vec::new();
    match found {
        Some(Construct::For(each)) => {
            let parts = each.key.into_iter().chain([each.value]).chain(each.condition);
            for part in parts {
                // Another `for` may hide the name.
                if hides(part, each.value_name) {
                    return Used::Whole;
                }
                for traversal in part.variables().filter(|it| it.root_name() == each.value_name) {
                    let Some(step) = traversal.steps().get(1) else { return Used::Whole };
                    match step.kind {
                        StepKind::Attribute(name) if name == old => {
                            match name_of(traversal, step) {
                                Some(name) => names.push(name),
                                None => return Used::Whole,
                            }
                        }
                        StepKind::Attribute(_) => {}
                        _ => return Used::Whole,
                    }
                }
            }
        }
        Some(Construct::Splat { each: Some(each), .. }) => {
            let Construct::Relative(from, traversal) = each.construct() else { return Used::Whole };
            let Construct::Element = from.construct() else { return Used::Whole };
            let Some(step) = traversal.steps().first() else { return Used::Whole };
            match step.kind {
                StepKind::Attribute(name) if name == old => match name_of(traversal, step) {
                    Some(name) => names.push(name),
                    None => return Used::Whole,
                },
                StepKind::Attribute(_) => {}
                _ => return Used::Whole,
            }
        }
        _ => return Used::Whole,
    }
    Used::Names(names)
}

/// Whether an expression is the module with these bytes, or the list of its instances.
fn is_instances(value: Native<'_>, module: Span) -> bool {
    match value.construct() {
        Construct::Traversal(_) => value.inner().span() == module,
        Construct::Call(call) if call.name == "values" => match &*call.arguments {
            [only] => is_instances(*only, module),
            _ => false,
        },
        _ => false,
    }
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

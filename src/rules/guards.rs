//! Operands of `&&` and `||` that the other one keeps from being evaluated, in releases that evaluate only one.

use crate::evaluate::known_function;
use crate::native::{Construct, Kind, Native, Operator, Traversal};

/// An operand on the right that fails if it is evaluated though the one on the left says that a value is null:
/// `a != null && a.b`, `a == null || length(a) > 0`. `None` without one.
///
/// Cost: linear in the operands, times the conditions on the left.
pub(super) fn guarded<'a>(operation: Native<'a>) -> Option<Native<'a>> {
    if !matches!(operation.kind(), Kind::Binary(Operator::And | Operator::Or)) {
        return None;
    }
    let Construct::Binary(operator, left, right) = operation.construct() else { return None };
    let comparison = match operator {
        Operator::And => Operator::NotEqual,
        Operator::Or => Operator::Equal,
        _ => return None,
    };
    let mut open = vec![left];
    while let Some(left) = open.pop() {
        match left.construct() {
            Construct::Binary(inner, one, two) if inner == operator => open.extend([one, two]),
            Construct::Binary(inner, one, two) if inner == comparison => {
                let value = match (one.construct(), two.construct()) {
                    (Construct::Traversal(value), Construct::Null)
                    | (Construct::Null, Construct::Traversal(value)) => value,
                    _ => continue,
                };
                if let Some(use_of) = failing(right, value) {
                    return Some(use_of);
                }
            }
            _ => {}
        }
    }
    None
}

/// A part of an expression that fails if a value is null.
fn failing<'a>(expression: Native<'a>, value: Traversal<'a>) -> Option<Native<'a>> {
    let is_value = |part: &Native<'a>| match part.construct() {
        Construct::Traversal(it) => starts_with(it, value) && !is_longer(it, value),
        _ => false,
    };
    if is_value(&expression) {
        return Some(expression);
    }
    let mut open = vec![expression];
    while let Some(part) = open.pop() {
        let fails = match part.construct() {
            Construct::Traversal(it) => starts_with(it, value) && is_longer(it, value),
            // It has what the other arguments say.
            Construct::Call(call) if matches!(call.name, "try" | "can") => continue,
            Construct::Call(call) => {
                let signature = known_function(call.name).map(|it| it.parameters());
                call.arguments.iter().enumerate().any(|(place, argument)| {
                    let parameter = signature.as_ref().and_then(|it| it.parameter(place));
                    is_value(argument) && parameter.is_some_and(|it| !it.allows_null)
                })
            }
            Construct::Unary(_, operand) => is_value(&operand),
            Construct::Conditional { condition, .. } => is_value(&condition),
            Construct::Index { collection, .. } => is_value(&collection),
            Construct::For(each) => is_value(&each.collection),
            Construct::Template(parts) => parts.iter().any(is_value),
            Construct::Binary(Operator::Equal | Operator::NotEqual, ..) => false,
            Construct::Binary(_, one, two) => is_value(&one) || is_value(&two),
            _ => false,
        };
        if fails {
            return Some(part);
        }
        open.extend(part.operands());
    }
    None
}

fn starts_with(traversal: Traversal<'_>, value: Traversal<'_>) -> bool {
    let (all, start) = (traversal.steps(), value.steps());
    all.len() >= start.len() && all.iter().zip(start).all(|(one, two)| one.kind == two.kind)
}

fn is_longer(traversal: Traversal<'_>, value: Traversal<'_>) -> bool {
    traversal.steps().len() > value.steps().len()
}

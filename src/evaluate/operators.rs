//! Operators: converts operands, handles null and unknown operands, and computes results.
//!
//! Operands have no marks and no errors. In scopes with short circuits, one operand of `&&` and
//! `||` can decide the result; [`decide`] also returns whose diagnostics are then reported.

use super::fault::{Fault, Shown};
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::native::Operator;
use crate::value::{Marks, Number, Type, Value, convert, equals};

/// Returns the type that operands are converted to; `None` for `==` and `!=`, which take any type.
pub(super) fn operand_type(operator: Operator) -> Option<Type<'static>> {
    match operator {
        Operator::Or | Operator::And => Some(Type::Bool),
        Operator::Equal | Operator::NotEqual => None,
        _ => Some(Type::Number),
    }
}

/// The type of the result.
pub(super) fn result_type(operator: Operator) -> Type<'static> {
    match operator {
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::Remainder => Type::Number,
        _ => Type::Bool,
    }
}

/// The operand that decides a result. Only its diagnostics are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Returns the result of `&&` or `||` if one operand decides it, and that operand's side. In a
/// language with short circuits the other operand would not have been evaluated, so its diagnostics
/// are dropped.
///
/// A null operand counts as `false`, as in the reference: `null && x` is false.
pub(super) fn decide<'a>(
    operator: Operator,
    left: Value<'a>,
    right: Value<'a>,
    left_failed: bool,
) -> Option<(Value<'a>, Side)> {
    let deciding = match operator {
        Operator::Or => true,
        Operator::And => false,
        _ => return None,
    };
    let truth = |value: Value<'a>| value.is_known().then(|| value.as_bool().unwrap_or(false));
    let unknown = Value::unknown(Type::Bool).not_null();
    match (truth(left), truth(right)) {
        (None, None) => (!left_failed).then_some((unknown, Side::Left)),
        (Some(truth), _) if truth == deciding => Some((Value::bool(deciding), Side::Left)),
        (_, Some(truth)) if truth == deciding => Some((Value::bool(deciding), Side::Right)),
        (None, Some(_)) => Some((unknown, Side::Left)),
        (Some(_), None) => Some((unknown, Side::Right)),
        (Some(_), Some(_)) => None,
    }
}

/// Returns the result for operands of the operator's type.
pub(super) fn binary<'a>(
    arena: &'a Arena,
    operator: Operator,
    left: Value<'a>,
    right: Value<'a>,
) -> Result<Value<'a>, Fault<'a>> {
    match operator {
        Operator::Equal => return Ok(equals(left, right).not_null()),
        Operator::NotEqual => return Ok(complement(equals(left, right))),
        _ => {}
    }
    if left.is_null() || right.is_null() {
        return Err(failed("an operand is null"));
    }
    if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
        return numeric(arena, operator, left, right);
    }
    if let (Some(left), Some(right)) = (left.as_bool(), right.as_bool()) {
        return Ok(Value::bool(match operator {
            Operator::Or => left | right,
            _ => left & right,
        }));
    }
    Ok(Value::unknown(result_type(operator)).not_null())
}

fn numeric<'a>(
    arena: &'a Arena,
    operator: Operator,
    left: Number<'a>,
    right: Number<'a>,
) -> Result<Value<'a>, Fault<'a>> {
    let result = match operator {
        Operator::Add => left.add(arena, right),
        Operator::Subtract => left.subtract(arena, right),
        Operator::Multiply => left.multiply(arena, right),
        Operator::Divide => left.divide(arena, right),
        Operator::Remainder => left.remainder(arena, right),
        _ => {
            let order = left.compare(right);
            return Ok(Value::bool(match operator {
                Operator::Greater => order.is_gt(),
                Operator::GreaterOrEqual => order.is_ge(),
                Operator::Less => order.is_lt(),
                _ => order.is_le(),
            }));
        }
    };
    match result {
        Ok(number) => Ok(Value::number(number)),
        Err(error) => Err(failed(error.as_str())),
    }
}

/// Evaluates `!value` for a boolean or unknown value.
pub(super) fn not<'a>(value: Value<'a>) -> Result<Value<'a>, Fault<'a>> {
    if value.is_null() { Err(failed("the operand is null")) } else { Ok(complement(value)) }
}

/// Evaluates `-value` for a number or unknown value.
pub(super) fn negate<'a>(arena: &'a Arena, value: Value<'a>) -> Result<Value<'a>, Fault<'a>> {
    if value.is_null() {
        return Err(failed("the operand is null"));
    }
    let result = match value.as_number() {
        Some(number) => Value::number(number.negate(arena)),
        None => Value::unknown(Type::Number).not_null(),
    };
    Ok(result.with_marks(value.marks()))
}

fn complement(value: Value<'_>) -> Value<'_> {
    let result = match value.as_bool() {
        Some(truth) => Value::bool(!truth),
        None => Value::unknown(Type::Bool).not_null(),
    };
    result.with_marks(value.marks())
}

/// Converts an operand to the type that its operator takes, which has no names that an error could
/// have.
pub(super) fn operand<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    ty: Type<'a>,
    which: &'static str,
) -> Result<Value<'a>, Fault<'a>> {
    if let (Type::Number, Type::Number) | (Type::Bool, Type::Bool) = (value.ty(), ty) {
        return Ok(value);
    }
    convert(arena, value, ty).map_err(|error| {
        Fault::new(
            Code::InvalidOperand,
            &[which.into(), Shown::unconverted(arena, error, Marks::NONE)],
        )
    })
}

fn failed<'a>(reason: &'static str) -> Fault<'a> {
    Fault::new(Code::OperationFailed, &[reason.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both operands, whether the left one failed, and the deciding side for `||` and for `&&`.
    #[test]
    fn one_operand_decides() {
        let truth = Value::bool(true);
        let falsehood = Value::bool(false);
        let null = Value::null(Type::Bool);
        let unknown = Value::unknown(Type::Bool);
        let show = |decided: Option<(Value<'_>, Side)>| match decided {
            None => "both",
            Some((value, side)) => match (value.as_bool(), side) {
                (Some(true), Side::Left) => "true by left",
                (Some(true), Side::Right) => "true by right",
                (Some(false), Side::Left) => "false by left",
                (Some(false), Side::Right) => "false by right",
                (None, Side::Left) => "unknown by left",
                (None, Side::Right) => "unknown by right",
            },
        };
        for (left, right, or, and) in [
            (truth, truth, "true by left", "both"),
            (truth, falsehood, "true by left", "false by right"),
            (truth, null, "true by left", "false by right"),
            (truth, unknown, "true by left", "unknown by right"),
            (falsehood, truth, "true by right", "false by left"),
            (falsehood, falsehood, "both", "false by left"),
            (falsehood, null, "both", "false by left"),
            (falsehood, unknown, "unknown by right", "false by left"),
            (null, truth, "true by right", "false by left"),
            (null, falsehood, "both", "false by left"),
            (null, null, "both", "false by left"),
            (null, unknown, "unknown by right", "false by left"),
            (unknown, truth, "true by right", "unknown by left"),
            (unknown, falsehood, "unknown by left", "false by right"),
            (unknown, null, "unknown by left", "false by right"),
            (unknown, unknown, "unknown by left", "unknown by left"),
        ] {
            assert_eq!(show(decide(Operator::Or, left, right, false)), or);
            assert_eq!(show(decide(Operator::And, left, right, false)), and);
        }
        assert_eq!(show(decide(Operator::Or, unknown, unknown, true)), "both");
        assert_eq!(show(decide(Operator::And, unknown, unknown, true)), "both");
        assert_eq!(show(decide(Operator::Add, truth, truth, false)), "both");
    }
}

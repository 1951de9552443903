//! Whether two scalars say the same.

use super::Expression;
use super::program::template;
use crate::json::{JsonString, JsonValue};
use crate::value::Number;

impl<'a> Expression<'a> {
    /// Whether two scalars say the same, however they are written: `1` and `1.0`, `"${ a }"` and
    /// `"${a}"`. Containers are never the same here.
    ///
    /// Cost: both are parsed as templates if their texts differ.
    #[must_use]
    pub fn is_same_scalar(self, other: Expression<'_>) -> bool {
        match (self.literal(), other.literal()) {
            (JsonValue::Null, JsonValue::Null) => true,
            (JsonValue::Bool(one), JsonValue::Bool(two)) => one == two,
            (JsonValue::Number(one), JsonValue::Number(two)) => {
                let number = |text| Number::from_literal(text).ok();
                one.text() == two.text()
                    || match (number(one.text()), number(two.text())) {
                        (Some(one), Some(two)) => one.equals(two),
                        _ => false,
                    }
            }
            (JsonValue::String(one), JsonValue::String(two)) => {
                one.to_str() == two.to_str() || is_same_template(one, two)
            }
            _ => false,
        }
    }
}

fn is_same_template(one: JsonString<'_>, two: JsonString<'_>) -> bool {
    match (template(one), template(two)) {
        (Some(Ok(one)), Some(Ok(two))) => one.is_same(two),
        _ => false,
    }
}

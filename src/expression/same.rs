//! Compares scalars by meaning.

use std::hash::{Hash, Hasher};

use super::program::template;
use super::{Expression, Literal, Syntax};
use crate::arena::Arena;
use crate::json::{JsonString, JsonValue};
use crate::native::Program;
use crate::value::{Number, Value, raw_equals};

impl<'a> Expression<'a> {
    /// Whether two scalars have the same meaning, even if they are written differently: `1` and
    /// `1.0`, `"${ a }"`, `"${a}"` and `a`. Containers are never the same here.
    ///
    /// Cost: both are parsed as templates if their texts differ.
    #[must_use]
    pub fn is_same_scalar(self, other: Expression<'_>) -> bool {
        let (one, two) = match (self.syntax(), other.syntax()) {
            (Syntax::Json(one), Syntax::Json(two)) => (one, two),
            (Syntax::Native(_), Syntax::Native(_)) => {
                return !self.is_container() && !other.is_container() && self.is_same(other);
            }
            _ => {
                return !self.is_container()
                    && !other.is_container()
                    && (self.is_same_literal(other) || self.has_constant_of(other));
            }
        };
        match (one.value(), two.value()) {
            (JsonValue::Null, JsonValue::Null) => true,
            (JsonValue::Bool(one), JsonValue::Bool(two)) => one == two,
            (JsonValue::Number(one), JsonValue::Number(two)) => {
                is_same_number(one.text(), two.text())
            }
            (JsonValue::String(one), JsonValue::String(two)) => {
                one.to_str() == two.to_str() || is_same_template(one, two)
            }
            _ => false,
        }
    }

    /// The meaning of a native expression or of a template in JSON, to look it up. `None` for other values.
    pub(crate) fn meaning(self) -> Option<Meaning<'a>> {
        self.program().map(Meaning)
    }

    /// Whether both are native expressions with the same meaning, ignoring formatting and brackets
    /// around them. JSON is never the same here.
    pub(crate) fn is_same_native(self, other: Self) -> bool {
        match (self.is_json(), self.program(), other.is_json(), other.program()) {
            (false, Some(one), false, Some(two)) => one.is_same_value(&two),
            _ => false,
        }
    }

    /// Whether two native expressions have the same meaning, ignoring formatting, and brackets and
    /// templates around the whole.
    fn is_same(self, other: Expression<'_>) -> bool {
        match (self.syntax(), other.syntax()) {
            (Syntax::Native(one), Syntax::Native(two)) => {
                one.text() == two.text()
                    || one.program().is_same_value(&two.program())
                    || self.is_same_literal(other)
            }
            _ => false,
        }
    }

    /// Whether both have the same constant value.
    fn has_constant_of(self, other: Expression<'_>) -> bool {
        let (arena, mut error) = (Arena::new(), None);
        let one = self.constant_value(&mut error);
        let mut other_error = None;
        let two = other.constant_value(&mut other_error);
        if error.is_some() || other_error.is_some() {
            return false;
        }
        let known = |value: &Value<'_>| value.is_wholly_known();
        if one.is_null() || two.is_null() {
            return one.is_null() && two.is_null();
        }
        known(&one) && known(&two) && raw_equals(one.copy_to(&arena), two.copy_to(&arena))
    }

    /// Whether a JSON string has the same meaning as a bare native expression, such as the type of
    /// a variable. Returns false for two expressions in the same syntax.
    pub(crate) fn is_same_bare(self, other: Self) -> bool {
        let (json, native) = match (self.is_json(), other.is_json()) {
            (true, false) => (self, other),
            (false, true) => (other, self),
            _ => return false,
        };
        match (json.as_native(), native.as_native()) {
            (Some(json), Some(native)) => json.program().is_same(&native.program()),
            _ => false,
        }
    }

    /// Whether two literals have the same value; in different syntaxes, templates are compared,
    /// too.
    fn is_same_literal(self, other: Expression<'_>) -> bool {
        match (self.literal(), other.literal()) {
            (Literal::Null, Literal::Null) => true,
            (Literal::Bool(one), Literal::Bool(two)) => one == two,
            (Literal::Text(one), Literal::Text(two)) => one == two,
            (Literal::Number(one), Literal::Number(two)) => is_same_number(one, two),
            (Literal::Template(_), Literal::Expression)
            | (Literal::Expression, Literal::Template(_)) => {
                match (self.program(), other.program()) {
                    (Some(one), Some(two)) => one.is_same_value(&two),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// The meaning of an expression: two are equal if they differ only in their layout, their syntax, or
/// brackets and templates around the whole.
#[derive(Clone, Copy)]
pub(crate) struct Meaning<'a>(Program<'a>);

impl Meaning<'_> {
    /// Whether its value depends on no variable and no function.
    pub(crate) fn is_constant(self) -> bool {
        self.0.is_constant()
    }
}

impl PartialEq for Meaning<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same_value(&other.0)
    }
}

impl Eq for Meaning<'_> {}

impl Hash for Meaning<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_value(state);
    }
}

fn is_same_number(one: &str, two: &str) -> bool {
    let number = |text| Number::from_literal(text).ok();
    one == two
        || match (number(one), number(two)) {
            (Some(one), Some(two)) => one.equals(two),
            _ => false,
        }
}

fn is_same_template(one: JsonString<'_>, two: JsonString<'_>) -> bool {
    match (template(one), template(two)) {
        (Some(Ok(one)), Some(Ok(two))) => one.is_same(two),
        _ => false,
    }
}

//! Reads one expression.

use std::borrow::Cow;

use serde_core::de::{Deserializer, Visitor};

use super::forward::{as_expression, ignored_any, located, scalars_as_expression, tuples_as_seq};
use super::reader::Reader;
use super::value::ValueDeserializer;
use super::{Error, spanned, text};
use crate::expression::{Expression, Syntax, json_scalar, json_template, literal_text};
use crate::native::{Kind, Native};

/// Reads an expression.
#[derive(Clone, Copy)]
pub(super) struct ExpressionDeserializer<'r, 'de> {
    pub(super) reader: Reader<'r, 'de>,
    pub(super) value: Expression<'de>,
}

impl<'de> ExpressionDeserializer<'_, 'de> {
    pub(super) fn expression(self) -> Result<ValueDeserializer<'de>, Error> {
        self.reader.evaluate(self.value)
    }

    /// Returns its text for the type named `name`; `None` if no type with that name keeps a text.
    fn text(self, name: &'static str) -> Option<Cow<'de, str>> {
        match (self.value.syntax(), name) {
            (Syntax::Json(node), text::NUMBER) => node.as_number().map(|it| it.text().into()),
            (Syntax::Native(native), text::NUMBER) => {
                let is_number = native.is(Kind::Number) || native.is(Kind::Negate);
                json_scalar(native).filter(|_| is_number).map(Cow::Borrowed)
            }
            (Syntax::Json(node), text::UNEVALUATED | text::NATIVE) => {
                let text = node.to_str().map(Cow::Borrowed);
                Some(text.unwrap_or_else(|| String::from_utf8_lossy(node.text())))
            }
            (Syntax::Native(native), text::UNEVALUATED) => Some(unevaluated(native)),
            (Syntax::Native(native), text::NATIVE) => {
                Some(literal_text(native).unwrap_or_else(|| native.text()).into())
            }
            (Syntax::Block(_), text::UNEVALUATED | text::NATIVE) => {
                Some(String::from_utf8_lossy(self.value.text()))
            }
            _ => None,
        }
    }
}

/// Returns the text of an expression that JSON has a literal for; a template for anything else.
fn unevaluated(native: Native<'_>) -> Cow<'_, str> {
    if native.is(Kind::Tuple) || native.is(Kind::Object) {
        return native.text().into();
    }
    json_scalar(native).map_or_else(|| json_template(native), Cow::Borrowed)
}

impl<'de> Deserializer<'de> for ExpressionDeserializer<'_, 'de> {
    type Error = Error;

    scalars_as_expression!();
    tuples_as_seq!();
    as_expression! { deserialize_seq deserialize_map deserialize_option }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match (self.text(name), name) {
            (Some(Cow::Borrowed(text)), _) => visitor.visit_borrowed_str(text),
            (Some(Cow::Owned(text)), _) => visitor.visit_string(text),
            (None, text::NUMBER) => self.expression()?.deserialize_newtype_struct(name, visitor),
            (None, _) => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return spanned::visit(self, visitor);
        }
        self.expression()?.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.expression()?.deserialize_enum(name, variants, visitor)
    }

    ignored_any!();
}

located!(ExpressionDeserializer<'_, 'de>: |it| Some(it.value.label()));

//! `Serialize` for views and values.
//!
//! Serde recurses with the data, so more than [`MAX_DEPTH`] levels are an error.

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::depth::MAX_DEPTH;
use super::reader::Reader;
use crate::arena::Arena;
use crate::body::Body;
use crate::document::Document;
use crate::expression::{Expression, Syntax, json_scalar, json_template};
use crate::json::{Array, JsonNumber, JsonString, JsonValue, Node, Object};
use crate::lexical::decimal;
use crate::native::Kind;
use crate::value::{Content, Number, Value};

/// A value at this depth.
#[derive(Clone, Copy)]
struct Inside<T>(T, usize);

fn check_depth<E: serde_core::ser::Error>(depth: usize) -> Result<(), E> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    Err(E::custom(format_args!("nested more than {MAX_DEPTH} levels deep")))
}

/// Serializes a JSON number exactly: as an integer if it is written as one that fits in 64 bits, as
/// a float if that prints as the same decimal, and otherwise as a string of its digits.
fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && text != "-0";
    if is_integer && let Ok(value) = text.parse::<u64>() {
        return serializer.serialize_u64(value);
    }
    if is_integer && let Ok(value) = text.parse::<i64>() {
        return serializer.serialize_i64(value);
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && decimal::equal(text, &format!("{value:e}")) => {
            serializer.serialize_f64(value)
        }
        _ => serializer.serialize_str(text),
    }
}

impl Serialize for Inside<Node<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(node, depth) = *self;
        match node.value() {
            JsonValue::Null => serializer.serialize_unit(),
            JsonValue::Bool(value) => serializer.serialize_bool(value),
            JsonValue::Number(number) => serialize_number(number.text(), serializer),
            JsonValue::String(string) => serializer.serialize_str(string.to_str()),
            JsonValue::Array(array) => {
                check_depth(depth)?;
                let mut seq = serializer.serialize_seq(Some(array.len()))?;
                for element in array.elements() {
                    seq.serialize_element(&Inside(element, depth + 1))?;
                }
                seq.end()
            }
            JsonValue::Object(object) => {
                check_depth(depth)?;
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for member in object.members() {
                    map.serialize_entry(
                        member.name().to_str(),
                        &Inside(member.value(), depth + 1),
                    )?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for Inside<Value<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, depth) = *self;
        match value.content() {
            Content::Unknown { .. } => Err(S::Error::custom("the value is not known yet")),
            Content::Null => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(value),
            Content::Number(number) => number.serialize(serializer),
            Content::String(text) => serializer.serialize_str(text),
            Content::Elements(elements) => {
                check_depth(depth)?;
                let mut seq = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    seq.serialize_element(&Inside(*element, depth + 1))?;
                }
                seq.end()
            }
            Content::Entries(entries) => {
                check_depth(depth)?;
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (name, value) in entries {
                    map.serialize_entry(name, &Inside(*value, depth + 1))?;
                }
                map.end()
            }
        }
    }
}

/// Implements `Serialize` by serializing another value.
macro_rules! serialize_as {
    ($($(#[$doc:meta])* $type:ident: |$this:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        impl Serialize for $type<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = *self;
                ($value).serialize(serializer)
            }
        }
    )*};
}

serialize_as! {
    /// Serializes its JSON. A number is an integer if it is written as one that fits in 64 bits, a
    /// float if that prints as the same decimal, and otherwise a string of its digits.
    ///
    /// # Errors
    /// It is nested more than [`MAX_DEPTH`] levels deep.
    Node: |it| Inside(it, 0);
    /// Serializes its [`Node`].
    Object: |it| it.node();
    /// Serializes its [`Node`].
    Array: |it| it.node();
    /// Serializes its text.
    JsonString: |it| it.to_str();
    /// Serializes its root.
    Document: |it| it.root();
    /// Serializes the value as JSON, with numbers as those of a [`Node`]. Marks are ignored: a
    /// sensitive value is written like any other.
    ///
    /// # Errors
    /// A part of it is unknown or infinite, or it is nested more than [`MAX_DEPTH`] levels deep.
    Value: |it| Inside(it, 0);
}

/// Serializes its [`Node`]: templates are not evaluated. A body of a native file is written as the
/// equivalent JSON: blocks are objects by their labels, several blocks without labels an array. An
/// expression that JSON has no literal for is a string with a template.
///
/// # Errors
/// It is nested more than [`MAX_DEPTH`] levels deep, or its file has an error.
impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_json() {
            Some(node) => node.serialize(serializer),
            None => Reader::literal_body(*self).map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

/// Serializes its [`Node`]: templates are not evaluated. An expression in native syntax is written as
/// the equivalent JSON: see [`Expression::to_json`].
impl Serialize for Expression<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let native = match self.syntax() {
            Syntax::Json(node) => return node.serialize(serializer),
            Syntax::Native(native) => Some(native),
            Syntax::Block(_) => None,
        };
        if let Some(native) = native.filter(|it| !it.is(Kind::Tuple) && !it.is(Kind::Object))
            && json_scalar(native).is_none()
        {
            return serializer.serialize_str(&json_template(native));
        }
        let arena = Arena::new();
        let text = self.to_json();
        let document = Document::parse_bytes(&arena, "value", text.as_bytes());
        document.map_err(S::Error::custom)?.root().serialize(serializer)
    }
}

/// Like the number of a [`Node`].
impl Serialize for JsonNumber<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(self.text(), serializer)
    }
}

/// Like the number of a [`Node`].
///
/// # Errors
/// It is infinite, or has too many digits to be written.
impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_infinite() {
            return Err(S::Error::custom("an infinite number has no JSON"));
        }
        if let Some(value) = self.as_u64() {
            return serializer.serialize_u64(value);
        }
        if let Some(value) = self.as_i64() {
            return serializer.serialize_i64(value);
        }
        let arena = Arena::new();
        let text = self.to_literal(&arena).map_err(S::Error::custom)?;
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && decimal::equal(text, &format!("{value:e}")) => {
                serializer.serialize_f64(value)
            }
            _ => serializer.serialize_str(text),
        }
    }
}

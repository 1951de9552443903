//! Reads JSON as it is, without evaluating anything.

use std::cell::Cell;

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use super::depth::check_depth;
use super::forward::{as_any, ignored_any, located, variant_of_any};
use super::spanned::{self, Located};
use super::{Error, text};
use crate::diagnostic::Label;
use crate::expression::MapKey;
use crate::json::{Elements, JsonNumber, JsonString, JsonValue, Members, Node};

/// Reads a value of a document.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'de> {
    node: Node<'de>,
    depth: usize,
}

impl<'de> NodeDeserializer<'de> {
    pub(super) fn new(node: Node<'de>) -> Self {
        Self { node, depth: 0 }
    }

    /// Runs `visit`, and adds the place of the value to its error.
    fn visit<T>(self, visit: impl FnOnce(Self) -> Result<T, Error>) -> Result<T, Error> {
        visit(self).map_err(|error| error.at(self.node.start_label()))
    }

    /// Returns a deserializer of a nested value.
    fn inside(self, node: Node<'de>) -> Self {
        Self { node, depth: self.depth + 1 }
    }

    fn seq<V: Visitor<'de>>(self, elements: Elements<'de>, visitor: V) -> Result<V::Value, Error> {
        check_depth(self.depth)?;
        let mut elements = NodeElements { of: self, rest: elements, left: Left::default() };
        let value = visitor.visit_seq(&mut elements)?;
        match elements.rest.count() {
            0 => Ok(value),
            left => Err(Error::custom(format_args!("{left} elements too many"))),
        }
    }

    fn map<V: Visitor<'de>>(self, members: Members<'de>, visitor: V) -> Result<V::Value, Error> {
        check_depth(self.depth)?;
        let left = Left::default();
        visitor.visit_map(NodeMembers { of: self, rest: members, value: None, left })
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.value() {
            JsonValue::Null => visitor.visit_unit(),
            JsonValue::Bool(value) => visitor.visit_bool(value),
            JsonValue::Number(number) => visit_number(number, visitor),
            JsonValue::String(string) => visitor.visit_borrowed_str(string.to_str()),
            JsonValue::Array(array) => self.seq(array.elements(), visitor),
            JsonValue::Object(object) => self.map(object.members(), visitor),
        }
    }
}

/// A number without a fraction and an exponent is an integer, if it fits; others are floats.
fn visit_number<'de, V: Visitor<'de>>(
    number: JsonNumber<'de>,
    visitor: V,
) -> Result<V::Value, Error> {
    let text = number.text();
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && text != "-0";
    if is_integer && let Ok(value) = text.parse::<u64>() {
        return visitor.visit_u64(value);
    }
    if is_integer && let Ok(value) = text.parse::<i64>() {
        return visitor.visit_i64(value);
    }
    match number.to_f64_lossy() {
        value if value.is_finite() => visitor.visit_f64(value),
        _ => Err(Error::custom("number out of range")),
    }
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        /// `1.0` and `1e2` are integers, too.
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.visit(|this| match this.node.as_number() {
                Some(number) => match (number.as_u64(), number.as_i64()) {
                    (Some(value), _) => visitor.visit_u64(value),
                    (None, Some(value)) => visitor.visit_i64(value),
                    (None, None) => visit_number(number, visitor),
                },
                None => this.any(visitor),
            })
        }
    )*};
}

macro_rules! wide_integers {
    ($($method:ident, $visit:ident, $type:ty;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.visit(|this| match this.node.as_number().and_then(|number| number.text().parse::<$type>().ok()) {
                Some(value) => visitor.$visit(value),
                None => this.any(visitor),
            })
        }
    )*};
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(|this| this.any(visitor))
    }

    as_any! {
        deserialize_bool deserialize_char deserialize_str deserialize_string deserialize_unit deserialize_seq
        deserialize_map deserialize_f32 deserialize_f64 deserialize_identifier
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    wide_integers! {
        deserialize_i128, visit_i128, i128;
        deserialize_u128, visit_u128, u128;
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(|this| match this.node.to_str() {
            Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            None => this.any(visitor),
        })
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(|this| match (name, this.node.value()) {
            (text::UNEVALUATED, JsonValue::String(string)) => {
                visitor.visit_borrowed_str(string.to_str())
            }
            (text::UNEVALUATED, _) => visitor.visit_str(&String::from_utf8_lossy(this.node.text())),
            (text::NUMBER, JsonValue::Number(number)) => visitor.visit_borrowed_str(number.text()),
            (text::NUMBER, _) => Err(invalid_type(this.node, "a number")),
            _ => visitor.visit_newtype_struct(this),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return spanned::visit(self, visitor);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(|this| match this.node.value() {
            JsonValue::String(string) => {
                visitor.visit_enum(BorrowedStrDeserializer::new(string.to_str()))
            }
            JsonValue::Object(object) => {
                check_depth(this.depth)?;
                let mut members = object.members();
                match (members.next(), members.next()) {
                    (Some(member), None) => visitor.visit_enum(Variant {
                        name: member.name(),
                        value: this.inside(member.value()),
                    }),
                    _ => Err(Error::custom("expected an object with one member, the variant")),
                }
            }
            _ => Err(invalid_type(this.node, "a variant: a string, or an object with one member")),
        })
    }

    ignored_any!();
}

located!(NodeDeserializer<'de>: |it| Some(it.node.label()));

fn invalid_type(node: Node<'_>, expected: &str) -> Error {
    let found = match node.value() {
        JsonValue::Null => Unexpected::Unit,
        JsonValue::Bool(value) => Unexpected::Bool(value),
        JsonValue::Number(_) => Unexpected::Other("number"),
        JsonValue::String(string) => Unexpected::Str(string.to_str()),
        JsonValue::Array(_) => Unexpected::Seq,
        JsonValue::Object(_) => Unexpected::Map,
    };
    Error::invalid_type(found, &expected)
}

/// The number of elements or members left. It is counted once, on the first request: collections
/// request it to reserve memory, structs do not.
#[derive(Default)]
struct Left(Cell<Option<usize>>);

impl Left {
    fn get(&self, count: impl FnOnce() -> usize) -> usize {
        let left = self.0.get().unwrap_or_else(count);
        self.0.set(Some(left));
        left
    }

    /// Counts one element as read.
    #[inline]
    fn take(&self) {
        self.0.set(self.0.get().map(|left| left.saturating_sub(1)));
    }
}

struct NodeElements<'de> {
    of: NodeDeserializer<'de>,
    rest: Elements<'de>,
    left: Left,
}

impl<'de> SeqAccess<'de> for &mut NodeElements<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(node) = self.rest.next() else { return Ok(None) };
        self.rest.prefetch();
        self.left.take();
        seed.deserialize(self.of.inside(node)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.get(|| self.rest.clone().count()))
    }
}

struct NodeMembers<'de> {
    of: NodeDeserializer<'de>,
    rest: Members<'de>,
    value: Option<Node<'de>>,
    left: Left,
}

impl<'de> MapAccess<'de> for NodeMembers<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(member) = self.rest.next() else { return Ok(None) };
        self.rest.prefetch();
        self.left.take();
        self.value = Some(member.value());
        seed.deserialize(KeyDeserializer(member.name())).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.value.take() {
            Some(node) => seed.deserialize(self.of.inside(node)),
            None => Err(Error::custom("no value before a key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.get(|| self.rest.clone().count()))
    }
}

/// A name with its place.
pub(super) trait Name<'de>: Copy {
    /// The decoded text.
    fn text(self) -> &'de str;

    /// Its place, quotes included.
    fn label(self) -> Label<'de>;
}

impl<'de> Name<'de> for JsonString<'de> {
    fn text(self) -> &'de str {
        self.to_str()
    }

    fn label(self) -> Label<'de> {
        self.label()
    }
}

impl<'de> Name<'de> for MapKey<'de> {
    fn text(self) -> &'de str {
        self.to_str()
    }

    fn label(self) -> Label<'de> {
        self.label()
    }
}

/// Reads the name of a member or a label: as text, or as a number or boolean if the type asks for
/// one.
#[derive(Clone, Copy)]
pub(super) struct KeyDeserializer<N>(pub(super) N);

impl<N> KeyDeserializer<N> {
    fn visit<'de, T>(self, result: Result<T, Error>) -> Result<T, Error>
    where
        N: Name<'de>,
    {
        result.map_err(|error| error.at(self.0.label()))
    }
}

macro_rules! keys {
    ($($method:ident, $visit:ident, $type:ty;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let text = self.0.text();
            self.visit(match text.parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(text),
            })
        }
    )*};
}

impl<'de, N: Name<'de>> Deserializer<'de> for KeyDeserializer<N> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(visitor.visit_borrowed_str(self.0.text()))
    }

    keys! {
        deserialize_bool, visit_bool, bool;
        deserialize_i8, visit_i8, i8;
        deserialize_i16, visit_i16, i16;
        deserialize_i32, visit_i32, i32;
        deserialize_i64, visit_i64, i64;
        deserialize_i128, visit_i128, i128;
        deserialize_u8, visit_u8, u8;
        deserialize_u16, visit_u16, u16;
        deserialize_u32, visit_u32, u32;
        deserialize_u64, visit_u64, u64;
        deserialize_u128, visit_u128, u128;
        deserialize_f32, visit_f32, f32;
        deserialize_f64, visit_f64, f64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            spanned::visit(self, visitor)
        } else {
            self.deserialize_any(visitor)
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(visitor.visit_enum(BorrowedStrDeserializer::new(self.0.text())))
    }

    ignored_any!();

    serde_core::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl<'de, N: Name<'de>> Located<'de> for KeyDeserializer<N> {
    fn locate<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Option<Label<'de>>), Error> {
        Ok((seed.deserialize(self)?, Some(self.0.label())))
    }
}

/// A variant of an enum: the name of a member, and its value.
struct Variant<'de> {
    name: JsonString<'de>,
    value: NodeDeserializer<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = NodeDeserializer<'de>;

    fn variant_seed<K: DeserializeSeed<'de>>(
        self,
        seed: K,
    ) -> Result<(K::Value, Self::Variant), Error> {
        Ok((seed.deserialize(KeyDeserializer(self.name))?, self.value))
    }
}

variant_of_any!(NodeDeserializer<'de>);

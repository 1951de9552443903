//! Reads evaluated values, with the conversions of HCL between strings, numbers and booleans.

use serde_core::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

use super::depth::check_depth;
use super::forward::{ignored_any, located, variant_of_any};
use super::spanned;
use super::{Error, text};
use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::value::{Content, Number, Type, Value, convert};

/// Reads a value.
#[derive(Clone, Copy)]
pub(super) struct ValueDeserializer<'de> {
    arena: &'de Arena,
    value: Value<'de>,
    /// The place of the expression that the value was computed from.
    at: Option<Label<'de>>,
    depth: usize,
}

impl<'de> ValueDeserializer<'de> {
    pub(super) fn new(arena: &'de Arena, value: Value<'de>) -> Self {
        Self { arena, value, at: None, depth: 0 }
    }

    /// Adds the place of the expression and its depth.
    pub(super) fn at(self, label: Label<'de>, depth: usize) -> Self {
        Self { at: Some(label), depth, ..self }
    }

    fn inside(self, value: Value<'de>) -> Self {
        Self { value, depth: self.depth + 1, ..self }
    }

    fn visit<T>(self, visit: impl FnOnce(Self) -> Result<T, Error>) -> Result<T, Error> {
        visit(self).map_err(|error| match self.at {
            Some(label) => error.at(label),
            None => error,
        })
    }

    /// Converts the value to that type, if possible. A number is no string if its digits would be much longer
    /// than the number in a file.
    fn converted(self, ty: Type<'de>) -> Self {
        if ty == Type::String && self.value.as_number().is_some_and(|number| !number.is_short()) {
            return self;
        }
        let value = convert(self.arena, self.value, ty).unwrap_or(self.value);
        Self { value, ..self }
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.content() {
            Content::Unknown { .. } => Err(Error::custom("the value is not known")),
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Number(number) => visit_number(number, visitor),
            Content::String(text) => visitor.visit_borrowed_str(text),
            Content::Elements(elements) => {
                check_depth(self.depth)?;
                let mut access = Elements { of: self, rest: elements };
                let value = visitor.visit_seq(&mut access)?;
                match access.rest.len() {
                    0 => Ok(value),
                    left => Err(Error::custom(format_args!("{left} elements too many"))),
                }
            }
            Content::Entries(entries) => {
                check_depth(self.depth)?;
                visitor.visit_map(Entries { of: self, rest: entries, value: None })
            }
        }
    }

    fn unexpected(self) -> Unexpected<'de> {
        match self.value.content() {
            Content::Unknown { .. } => Unexpected::Other("a value that is not known"),
            Content::Null => Unexpected::Unit,
            Content::Bool(value) => Unexpected::Bool(value),
            Content::Number(_) => Unexpected::Other("number"),
            Content::String(text) => Unexpected::Str(text),
            Content::Elements(_) => Unexpected::Seq,
            Content::Entries(_) => Unexpected::Map,
        }
    }
}

/// Integers that fit are integers; others are floats.
fn visit_number<'de, V: Visitor<'de>>(number: Number<'de>, visitor: V) -> Result<V::Value, Error> {
    if let Some(value) = number.as_u64() {
        return visitor.visit_u64(value);
    }
    if let Some(value) = number.as_i64() {
        return visitor.visit_i64(value);
    }
    match number.to_f64_lossy() {
        value if value.is_finite() => visitor.visit_f64(value),
        _ => Err(Error::custom("number out of range")),
    }
}

macro_rules! converted {
    ($($ty:ident: $($method:ident)*;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.converted(Type::$ty).deserialize_any(visitor)
        }
    )*)*};
}

macro_rules! wide_integers {
    ($($method:ident, $visit:ident, $type:ty;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = self.converted(Type::Number).value.as_number();
            let text = number.and_then(|number| number.to_literal(self.arena).ok());
            match text.and_then(|text| text.parse::<$type>().ok()) {
                Some(value) => self.visit(|_| visitor.$visit(value)),
                None => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(|this| this.any(visitor))
    }

    converted! {
        Bool: deserialize_bool;
        String: deserialize_char deserialize_str deserialize_string deserialize_identifier;
        Number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
            deserialize_f32 deserialize_f64;
    }

    wide_integers! {
        deserialize_i128, visit_i128, i128;
        deserialize_u128, visit_u128, u128;
    }

    serde_core::forward_to_deserialize_any! { unit unit_struct seq tuple tuple_struct map }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(|this| match this.value.as_str() {
            Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            None => this.any(visitor),
        })
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(|this| match name {
            text::UNEVALUATED => Err(Error::custom("a value has no text of an expression")),
            text::NUMBER => match this.converted(Type::Number).value.as_number() {
                Some(number) => {
                    let text = number.to_literal(this.arena);
                    visitor.visit_borrowed_str(text.map_err(Error::custom)?)
                }
                None => Err(Error::invalid_type(this.unexpected(), &"a number")),
            },
            _ => visitor.visit_newtype_struct(this),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return self.visit(|this| spanned::visit(this, visitor));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(|this| match this.value.content() {
            Content::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Content::Entries(&[(name, value)]) => {
                check_depth(this.depth)?;
                visitor.visit_enum(Variant { name, value: this.inside(value) })
            }
            _ => {
                let expected = "a variant: a string, or an object with one attribute";
                Err(Error::invalid_type(this.unexpected(), &expected))
            }
        })
    }

    ignored_any!();
}

located!(ValueDeserializer<'de>: |it| it.at);

struct Elements<'de> {
    of: ValueDeserializer<'de>,
    rest: &'de [Value<'de>],
}

impl<'de> SeqAccess<'de> for &mut Elements<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((&value, rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        seed.deserialize(self.of.inside(value)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Entries<'de> {
    of: ValueDeserializer<'de>,
    rest: &'de [(&'de str, Value<'de>)],
    value: Option<Value<'de>>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((&(name, value), rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        self.value = Some(value);
        // A key converts like a string.
        seed.deserialize(self.of.inside(Value::string(self.of.arena, name))).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.of.inside(value)),
            None => Err(Error::custom("no value before a key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A variant of an enum: the name of an attribute, and its value.
struct Variant<'de> {
    name: &'de str,
    value: ValueDeserializer<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = ValueDeserializer<'de>;

    fn variant_seed<K: DeserializeSeed<'de>>(
        self,
        seed: K,
    ) -> Result<(K::Value, Self::Variant), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self.value))
    }
}

variant_of_any!(ValueDeserializer<'de>);

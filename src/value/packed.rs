//! Types and values as bytes: owned, comparable, and independent of an arena.
//!
//! The bytes are those of the parts in order, outer parts first, each with a tag. Equal types have
//! equal bytes. Reading checks everything, so bytes from elsewhere are safe, too.

use super::number::Number;
use super::{AttributeType, Content, Marks, Type, Value};
use crate::arena::Arena;

/// The limit of the bytes of a type or value. Shared parts are written each time.
const MAX_BYTES: usize = 1 << 20;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackedType(Box<[u8]>);

/// A value, with its marks, without the refinements of unknown values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackedValue(Box<[u8]>);

impl Type<'_> {
    /// The type as bytes; `None` if it is too large.
    ///
    /// Cost: linear in the type, written out.
    pub(crate) fn pack(self) -> Option<PackedType> {
        let mut writer = Writer(Vec::new());
        writer.ty(self)?;
        Some(PackedType(writer.0.into()))
    }
}

impl PackedType {
    /// The type in an arena; `None` if the bytes are damaged.
    pub(crate) fn open<'a>(&self, arena: &'a Arena) -> Option<Type<'a>> {
        let mut reader = Reader { arena, rest: &self.0 };
        let ty = reader.ty()?;
        reader.rest.is_empty().then_some(ty)
    }
}

impl Value<'_> {
    /// The value as bytes; `None` if it is too large.
    ///
    /// Cost: linear in the value, written out.
    pub(crate) fn pack(self) -> Option<PackedValue> {
        let mut writer = Writer(Vec::new());
        writer.value(self)?;
        Some(PackedValue(writer.0.into()))
    }
}

impl PackedValue {
    /// The value in an arena; `None` if the bytes are damaged.
    pub(crate) fn open<'a>(&self, arena: &'a Arena) -> Option<Value<'a>> {
        let mut reader = Reader { arena, rest: &self.0 };
        let value = reader.value()?;
        reader.rest.is_empty().then_some(value)
    }
}

/// The tags of types.
mod ty {
    pub(super) const DYNAMIC: u8 = 0;
    pub(super) const BOOL: u8 = 1;
    pub(super) const NUMBER: u8 = 2;
    pub(super) const STRING: u8 = 3;
    pub(super) const LIST: u8 = 4;
    pub(super) const SET: u8 = 5;
    pub(super) const MAP: u8 = 6;
    pub(super) const OBJECT: u8 = 7;
    pub(super) const TUPLE: u8 = 8;
}

/// The tags of contents.
mod of {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const NOT_NULL: u8 = 1;
    pub(super) const NULL: u8 = 2;
    pub(super) const FALSE: u8 = 3;
    pub(super) const TRUE: u8 = 4;
    pub(super) const NUMBER: u8 = 5;
    pub(super) const STRING: u8 = 6;
    pub(super) const LIST: u8 = 7;
    pub(super) const SET: u8 = 8;
    pub(super) const TUPLE: u8 = 9;
    pub(super) const MAP: u8 = 10;
    pub(super) const OBJECT: u8 = 11;
}

struct Writer(Vec<u8>);

/// A part that is still to be written.
enum Part<'a, T> {
    Name(&'a str, Option<bool>),
    Of(T),
}

impl Writer {
    fn number(&mut self, number: usize) {
        self.0.extend((number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend(text.as_bytes());
    }

    fn fits(&self) -> Option<()> {
        (self.0.len() <= MAX_BYTES).then_some(())
    }

    fn ty(&mut self, ty: Type<'_>) -> Option<()> {
        let mut rest = vec![Part::Of(ty)];
        while let Some(part) = rest.pop() {
            self.fits()?;
            let ty = match part {
                Part::Name(name, optional) => {
                    self.text(name);
                    self.0.push(u8::from(optional == Some(true)));
                    continue;
                }
                Part::Of(ty) => ty,
            };
            let tag = match ty {
                Type::Dynamic => ty::DYNAMIC,
                Type::Bool => ty::BOOL,
                Type::Number => ty::NUMBER,
                Type::String => ty::STRING,
                Type::List(_) => ty::LIST,
                Type::Set(_) => ty::SET,
                Type::Map(_) => ty::MAP,
                Type::Object(_) => ty::OBJECT,
                Type::Tuple(_) => ty::TUPLE,
            };
            self.0.push(tag);
            match ty {
                Type::Object(attributes) => {
                    self.number(attributes.len());
                    for each in attributes.iter().rev() {
                        rest.push(Part::Of(each.ty));
                        rest.push(Part::Name(each.name, Some(each.optional)));
                    }
                }
                Type::Tuple(elements) => {
                    self.number(elements.len());
                    rest.extend(elements.iter().rev().map(|ty| Part::Of(*ty)));
                }
                collection => rest.extend(collection.element().map(Part::Of)),
            }
        }
        self.fits()
    }

    fn value(&mut self, value: Value<'_>) -> Option<()> {
        let mut rest = vec![Part::Of(value)];
        while let Some(part) = rest.pop() {
            self.fits()?;
            let value = match part {
                Part::Name(name, _) => {
                    self.text(name);
                    continue;
                }
                Part::Of(value) => value,
            };
            self.0.extend(value.marks.bits().to_le_bytes());
            let tag = |tag| move |writer: &mut Self| writer.0.push(tag);
            match (value.content, value.ty) {
                (Content::Unknown { not_null, .. }, ty) => {
                    tag(if not_null { of::NOT_NULL } else { of::UNKNOWN })(self);
                    self.ty(ty)?;
                }
                (Content::Null, ty) => {
                    tag(of::NULL)(self);
                    self.ty(ty)?;
                }
                (Content::Bool(value), _) => tag(if value { of::TRUE } else { of::FALSE })(self),
                (Content::Number(number), _) => {
                    tag(of::NUMBER)(self);
                    number.pack(&mut self.0);
                }
                (Content::String(text), _) => {
                    tag(of::STRING)(self);
                    self.text(text);
                }
                (Content::Elements(elements), ty) => {
                    match ty {
                        Type::List(element) => {
                            tag(of::LIST)(self);
                            self.ty(element.ty())?;
                        }
                        Type::Set(element) => {
                            tag(of::SET)(self);
                            self.ty(element.ty())?;
                        }
                        _ => tag(of::TUPLE)(self),
                    }
                    self.number(elements.len());
                    rest.extend(elements.iter().rev().map(|value| Part::Of(*value)));
                }
                (Content::Entries(entries), ty) => {
                    match ty {
                        Type::Map(element) => {
                            tag(of::MAP)(self);
                            self.ty(element.ty())?;
                        }
                        _ => tag(of::OBJECT)(self),
                    }
                    self.number(entries.len());
                    for (name, value) in entries.iter().rev() {
                        rest.push(Part::Of(*value));
                        rest.push(Part::Name(name, None));
                    }
                }
            }
        }
        self.fits()
    }
}

/// Reads packed bytes.
pub(super) struct Reader<'r, 'a> {
    arena: &'a Arena,
    rest: &'r [u8],
}

/// A container whose parts are being read.
struct Open<'a, T> {
    tag: u8,
    element: Type<'a>,
    left: usize,
    names: Vec<(&'a str, bool)>,
    parts: Vec<T>,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    pub(super) fn take(&mut self, count: usize) -> Option<&'r [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let number = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        // No part takes less than a byte, so more parts than bytes are damage.
        usize::try_from(number).ok().filter(|number| *number <= self.rest.len())
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let len = self.number()?;
        Some(self.arena.str(str::from_utf8(self.take(len)?).ok()?))
    }

    fn ty(&mut self) -> Option<Type<'a>> {
        let mut open: Vec<Open<'a, Type<'a>>> = Vec::new();
        loop {
            if let Some(around) = open.last_mut()
                && around.tag == ty::OBJECT
                && around.left > 0
            {
                let name = self.text()?;
                let optional = self.byte()? != 0;
                if around.names.last().is_some_and(|(last, _)| *last >= name) {
                    return None;
                }
                around.names.push((name, optional));
            }
            let tag = self.byte()?;
            let simple = match tag {
                ty::DYNAMIC => Some(Type::Dynamic),
                ty::BOOL => Some(Type::Bool),
                ty::NUMBER => Some(Type::Number),
                ty::STRING => Some(Type::String),
                ty::LIST | ty::SET | ty::MAP | ty::OBJECT | ty::TUPLE => None,
                _ => return None,
            };
            let mut done = simple;
            if simple.is_none() {
                let left = if tag >= ty::OBJECT { self.number()? } else { 1 };
                let (names, parts) = (Vec::new(), Vec::new());
                open.push(Open { tag, element: Type::Dynamic, left, names, parts });
            }
            // A finished type may complete the one around it, and so on.
            while let Some(around) = open.last_mut() {
                if let Some(ty) = done.take() {
                    around.parts.push(ty);
                    around.left -= 1;
                }
                if around.left > 0 {
                    break;
                }
                done = Some(around.as_type(self.arena));
                open.pop();
            }
            if let Some(ty) = done.filter(|_| open.is_empty()) {
                return Some(ty);
            }
        }
    }

    fn value(&mut self) -> Option<Value<'a>> {
        let mut open: Vec<(Open<'a, Value<'a>>, Marks)> = Vec::new();
        loop {
            if let Some((around, _)) = open.last_mut()
                && around.tag >= of::MAP
                && around.left > 0
            {
                let name = self.text()?;
                if around.names.last().is_some_and(|(last, _)| *last >= name) {
                    return None;
                }
                around.names.push((name, false));
            }
            let marks = Marks::of_bits(u32::from_le_bytes(self.take(4)?.try_into().ok()?));
            let tag = self.byte()?;
            let mut done = match tag {
                of::UNKNOWN => Some(Value::unknown(self.ty()?)),
                of::NOT_NULL => Some(Value::unknown(self.ty()?).not_null()),
                of::NULL => Some(Value::null(self.ty()?)),
                of::FALSE => Some(Value::bool(false)),
                of::TRUE => Some(Value::bool(true)),
                of::NUMBER => Some(Value::number(Number::unpack(self)?)),
                of::STRING => Some(Value::string(self.arena, self.text()?)),
                of::LIST | of::SET | of::TUPLE | of::MAP | of::OBJECT => None,
                _ => return None,
            };
            done = done.map(|value| value.with_marks(marks));
            if done.is_none() {
                let has_type = matches!(tag, of::LIST | of::SET | of::MAP);
                let element = if has_type { self.ty()? } else { Type::Dynamic };
                let left = self.number()?;
                let (names, parts) = (Vec::new(), Vec::new());
                open.push((Open { tag, element, left, names, parts }, marks));
            }
            while let Some((around, marks)) = open.last_mut() {
                if let Some(value) = done.take() {
                    around.parts.push(value);
                    around.left -= 1;
                }
                if around.left > 0 {
                    break;
                }
                done = Some(around.as_value(self.arena).with_marks(*marks));
                open.pop();
            }
            if let Some(value) = done.filter(|_| open.is_empty()) {
                return Some(value);
            }
        }
    }
}

impl<'a> Open<'a, Type<'a>> {
    fn as_type(&self, arena: &'a Arena) -> Type<'a> {
        let first = self.parts.first().copied().unwrap_or(Type::Dynamic);
        match self.tag {
            ty::LIST => Type::list_of(arena, first),
            ty::SET => Type::set_of(arena, first),
            ty::MAP => Type::map_of(arena, first),
            ty::TUPLE => Type::tuple_of(arena, &self.parts),
            _ => {
                let named = self.names.iter().zip(&self.parts);
                let named = named
                    .map(|(&(name, optional), &ty)| AttributeType { name, ty, optional })
                    .collect::<Vec<_>>();
                Type::object_of(arena, &named)
            }
        }
    }
}

impl<'a> Open<'a, Value<'a>> {
    fn as_value(&self, arena: &'a Arena) -> Value<'a> {
        let entries = || -> Vec<(&'a str, Value<'a>)> {
            self.names.iter().zip(&self.parts).map(|((name, _), value)| (*name, *value)).collect()
        };
        match self.tag {
            of::LIST => Value::list(arena, self.element, &self.parts),
            of::SET => Value::set(arena, self.element, &self.parts),
            of::MAP => Value::map(arena, self.element, &entries()),
            of::OBJECT => Value::object(arena, &entries()),
            _ => Value::tuple(arena, &self.parts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::raw_equals;

    #[test]
    fn types_and_values_are_read_again() {
        let arena = Arena::new();
        let text = |text| Value::string(&arena, text);
        let number = |text| Value::number(Number::parse(&arena, text).unwrap());
        let attributes = [
            AttributeType { name: "a", ty: Type::list_of(&arena, Type::Number), optional: true },
            AttributeType { name: "b", ty: Type::Dynamic, optional: false },
        ];
        let object = Type::object_of(&arena, &attributes);
        let tuple = Type::tuple_of(&arena, &[object, Type::Bool]);
        let empty = Type::tuple_of(&arena, &[]);
        let types =
            [Type::String, object, Type::map_of(&arena, tuple), Type::set_of(&arena, empty)];
        for ty in types {
            assert_eq!(ty.pack().unwrap().open(&arena), Some(ty), "{ty}");
        }
        let third = number("1").as_number().unwrap();
        let third = third.divide(&arena, number("3").as_number().unwrap()).unwrap();
        let values = [
            Value::null(object),
            Value::unknown(tuple).not_null(),
            Value::bool(true).with_marks(Marks::SENSITIVE),
            number("-0.50"),
            number("123456789012345678901234567890"),
            Value::number(third),
            Value::number(Number::from_f64(&arena, f64::INFINITY)),
            Value::number(Number::from_i64(&arena, -7)),
            Value::tuple(&arena, &[]),
            Value::list(&arena, Type::String, &[text("x"), text("ä").with_marks(Marks::EPHEMERAL)]),
            Value::set(&arena, Type::Number, &[number("2"), number("1")]),
            Value::map(&arena, Type::Bool, &[("k", Value::bool(false))]),
            Value::object(&arena, &[("o", Value::object(&arena, &[])), ("p", text(""))]),
        ];
        for value in values.into_iter().chain([Value::tuple(&arena, &values)]) {
            let packed = value.pack().unwrap();
            let read = packed.open(&arena).unwrap();
            assert!(raw_equals(read, value), "{value:?} {read:?}");
            assert_eq!(
                (read.ty(), read.marks(), read.deep_marks()),
                (value.ty(), value.marks(), value.deep_marks())
            );
            assert_eq!(read.pack().unwrap(), packed);
            for len in 0..packed.0.len() {
                assert!(PackedValue(packed.0[..len].into()).open(&arena).is_none());
            }
        }
    }

    #[test]
    fn deep_and_large_ones() {
        let arena = Arena::new();
        let (mut deep, mut wide) = (Value::bool(true), Value::bool(true));
        for _ in 0..20_000 {
            deep = Value::tuple(&arena, &[deep]);
            wide = Value::tuple(&arena, &[wide, wide]);
        }
        let read = deep.pack().unwrap().open(&arena).unwrap();
        assert_eq!(read.size(), deep.size());
        assert!(wide.pack().is_none() && wide.ty().pack().is_none());
        for bytes in [&[9][..], &[7, 255, 255, 255, 255, 0, 0, 0, 0], &[4], &[0, 0]] {
            assert!(PackedType(bytes.into()).open(&arena).is_none());
        }
    }
}

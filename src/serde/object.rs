//! Objects that are written member by member, with absent or empty members omitted.

use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::report::Range;
use crate::value::HIDDEN;

/// Writes the values of expressions.
pub(crate) trait Values<'a> {
    fn json(&self, value: Expression<'a>) -> impl Serialize;

    /// Whether values that must not be shown are written.
    fn shows_sensitive(&self) -> bool {
        false
    }
}

/// Writes values that must not be shown, too.
pub(crate) struct WithSensitive<'v, V>(pub(crate) &'v V);

impl<'a, V: Values<'a>> Values<'a> for WithSensitive<'_, V> {
    fn json(&self, value: Expression<'a>) -> impl Serialize {
        self.0.json(value)
    }

    fn shows_sensitive(&self) -> bool {
        true
    }
}

impl<'a, F, R> Values<'a> for F
where
    F: Fn(Expression<'a>) -> R,
    R: Serialize,
{
    fn json(&self, value: Expression<'a>) -> impl Serialize {
        self(value)
    }
}

/// A view that is written as an object with a place.
pub(crate) trait Entry<'a> {
    /// Its place, written as the last member, `range`.
    fn label(&self) -> Label<'a>;

    /// Writes the other members.
    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error>;
}

impl<'a, T: Entry<'a>> Entry<'a> for &T {
    fn label(&self) -> Label<'a> {
        (**self).label()
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        (**self).write(to)
    }
}

/// An object that is being written.
pub(crate) struct Object<'v, M, V> {
    map: M,
    values: &'v V,
}

impl<'v, M: SerializeMap, V> Object<'v, M, V> {
    pub(crate) fn start<S>(serializer: S, values: &'v V) -> Result<Self, S::Error>
    where
        S: Serializer<SerializeMap = M>,
    {
        Ok(Self { map: serializer.serialize_map(None)?, values })
    }

    pub(crate) fn end(self) -> Result<M::Ok, M::Error> {
        self.map.end()
    }

    pub(crate) fn member(
        &mut self,
        name: &'static str,
        value: impl Serialize,
    ) -> Result<(), M::Error> {
        self.map.serialize_entry(name, &value)
    }

    /// Writes a member unless it has no value.
    pub(crate) fn optional(
        &mut self,
        name: &'static str,
        value: Option<impl Serialize>,
    ) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.member(name, value))
    }

    /// Writes an array.
    pub(crate) fn list<I>(&mut self, name: &'static str, items: I) -> Result<(), M::Error>
    where
        I: Iterator<Item: Serialize> + Clone,
    {
        self.member(name, Array(items))
    }

    /// Writes an array unless it is empty.
    pub(crate) fn list_unless_empty<I>(
        &mut self,
        name: &'static str,
        items: I,
    ) -> Result<(), M::Error>
    where
        I: Iterator<Item: Serialize> + Clone,
    {
        if items.clone().next().is_none() { Ok(()) } else { self.list(name, items) }
    }

    /// Writes the value of an expression, if there is one. One that marks itself as sensitive is not
    /// shown.
    pub(crate) fn value<'a>(
        &mut self,
        name: &'static str,
        value: Option<Expression<'a>>,
    ) -> Result<(), M::Error>
    where
        V: Values<'a>,
    {
        self.value_unless(false, name, value)
    }

    /// Whether a value is written, not that it is hidden.
    pub(crate) fn shows<'a>(&self, is_hidden: bool, value: Option<Expression<'a>>) -> bool
    where
        V: Values<'a>,
    {
        self.values.shows_sensitive()
            || !is_hidden && !value.is_some_and(|value| value.marks_itself())
    }

    /// Like [`value`](Self::value), for a value that is not shown if `is_hidden`.
    pub(crate) fn value_unless<'a>(
        &mut self,
        is_hidden: bool,
        name: &'static str,
        value: Option<Expression<'a>>,
    ) -> Result<(), M::Error>
    where
        V: Values<'a>,
    {
        let values = self.values;
        match value {
            None => Ok(()),
            Some(value) if !values.shows_sensitive() && (is_hidden || value.marks_itself()) => {
                self.member(name, HIDDEN)
            }
            Some(value) => self.member(name, values.json(value)),
        }
    }

    /// Writes a type, an address, or a list of addresses as JSON strings, if there is one.
    pub(crate) fn address<'a>(
        &mut self,
        name: &'static str,
        value: Option<Expression<'a>>,
    ) -> Result<(), M::Error>
    where
        V: Values<'a>,
    {
        let values = self.values;
        self.optional(name, value.map(|value| AsWritten { value, values }))
    }

    /// Writes several addresses, if there are any.
    pub(crate) fn addresses<'a>(
        &mut self,
        name: &'static str,
        values: &[Expression<'a>],
    ) -> Result<(), M::Error>
    where
        V: Values<'a>,
    {
        let how = self.values;
        let items = values.iter().map(|&value| AsWritten { value, values: how });
        self.list_unless_empty(name, items)
    }

    /// Writes an array of objects.
    pub(crate) fn entries<'a, I>(&mut self, name: &'static str, items: I) -> Result<(), M::Error>
    where
        I: Iterator<Item: Entry<'a>> + Clone,
        V: Values<'a>,
    {
        let values = self.values;
        self.list(name, items.map(|item| Of::new(item, values)))
    }

    /// Writes a nested object, if there is one.
    pub(crate) fn entry<'a>(
        &mut self,
        name: &'static str,
        item: Option<impl Entry<'a>>,
    ) -> Result<(), M::Error>
    where
        V: Values<'a>,
    {
        let values = self.values;
        self.optional(name, item.map(|item| Of::new(item, values)))
    }
}

impl<'v, M, V> Object<'v, M, V> {
    /// The writer of expressions' values.
    pub(crate) fn values(&self) -> &'v V {
        self.values
    }
}

/// An entry with the writer of its values.
pub(crate) struct Of<'v, 'a, T, V> {
    item: T,
    values: &'v V,
    arena: PhantomData<&'a ()>,
}

impl<'v, T, V> Of<'v, '_, T, V> {
    pub(crate) fn new(item: T, values: &'v V) -> Self {
        Self { item, values, arena: PhantomData }
    }
}

impl<'a, T: Entry<'a>, V: Values<'a>> Serialize for Of<'_, 'a, T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::start(serializer, self.values)?;
        self.item.write(&mut object)?;
        let label = self.item.label();
        object.member("range", Range::of(label.source, label.span))?;
        object.end()
    }
}

/// An expression that is not evaluated. In native syntax it is its text, or a list of texts.
struct AsWritten<'v, 'a, V> {
    value: Expression<'a>,
    values: &'v V,
}

impl<'a, V: Values<'a>> Serialize for AsWritten<'_, 'a, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        if value.is_json() {
            return self.values.json(value).serialize(serializer);
        }
        match value.as_list() {
            Some(elements) => serializer.collect_seq(elements.map(text)),
            None => serializer.serialize_str(&text(value)),
        }
    }
}

/// Returns the text of a string, or the source of any other expression.
fn text(value: Expression<'_>) -> Cow<'_, str> {
    match value.to_str() {
        Some(text) => Cow::Borrowed(text),
        None => String::from_utf8_lossy(value.text()),
    }
}

/// Items as an array.
pub(crate) struct Array<I>(pub(crate) I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Array<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// A value that is serialized as the text it displays.
#[derive(Clone, Copy)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

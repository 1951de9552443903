//! The sensitive parts of a document, and their replacements.

use std::borrow::Cow;

use super::matcher::Matchers;
use super::stands::Stands;
use crate::span::Span;

/// The sensitive parts of a document, in order and without overlaps.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub(super) places: Vec<Place>,
    /// Whether a part of the document differs from the format, so that places may be missing.
    pub(super) is_malformed: bool,
    /// Finds the texts of hidden values that the document repeats, if it does.
    pub(super) matchers: Option<Matchers>,
}

/// One sensitive part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) span: Span,
    pub(super) replacement: Replacement,
}

/// The kind of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// A string: the part is a value.
    Value,
    /// The text between the quotes: the part is inside a string.
    Text,
    /// The text with a number, so that the name differs from other members.
    NumberedText(u32),
}

impl Places {
    /// Hides the values with these spans.
    pub(super) fn of_values(values: &[Span]) -> Self {
        let place = |&span| Place { span, replacement: Replacement::Value };
        Self { places: values.iter().map(place).collect(), ..Self::default() }
    }

    /// The bytes of the parts, in order.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.places.iter().map(|place| place.span)
    }

    /// Whether one of the parts is all of `span`, or more.
    pub(in crate::show) fn has(&self, span: Span) -> bool {
        let behind = self.places.partition_point(|place| place.span.end <= span.start);
        let place = self.places.get(behind).map(|place| place.span);
        place.is_some_and(|place| place.start <= span.start && span.end <= place.end)
    }

    /// A name or an address of the document without the texts of hidden values. Plain words stay,
    /// except in the keys of instances.
    pub(in crate::show) fn without_names<'t>(&self, name: &'t str) -> Cow<'t, str> {
        self.without(name, Stands::Names)
    }

    /// A text of the document without those of hidden values.
    pub(in crate::show) fn without_texts<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.without(text, Stands::Text)
    }

    /// Whether the document repeats the texts of hidden values.
    pub(in crate::show) fn has_texts(&self) -> bool {
        self.matchers.is_some()
    }

    fn without<'t>(&self, text: &'t str, stands: Stands) -> Cow<'t, str> {
        match &self.matchers {
            Some(matchers) => matchers.without(text, stands),
            None => Cow::Borrowed(text),
        }
    }

    /// Whether one of the parts overlaps `span`.
    #[must_use]
    pub fn touch(&self, span: Span) -> bool {
        let behind = self.places.partition_point(|place| place.span.end <= span.start);
        self.places.get(behind).is_some_and(|place| place.span.start < span.end)
    }
}

//! The sensitive parts of a document, and their replacements.

use crate::span::Span;

/// The replacement of a sensitive value.
pub const REDACTED: &str = "\"REDACTED_SENSITIVE\"";

/// The replacement of a part of a string: [`REDACTED`] without its quotes.
pub(crate) const REDACTED_TEXT: &str = "REDACTED_SENSITIVE";

/// The sensitive parts of a document, in order and without overlaps.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub(super) places: Vec<Place>,
    /// Whether a part of the document differs from the format, so that places may be missing.
    pub(super) is_odd: bool,
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
        Self { places: values.iter().map(place).collect(), is_odd: false }
    }

    /// The bytes of the parts, in order.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.places.iter().map(|place| place.span)
    }

    /// Whether one of the parts overlaps `span`.
    #[must_use]
    pub fn touch(&self, span: Span) -> bool {
        let behind = self.places.partition_point(|place| place.span.end <= span.start);
        self.places.get(behind).is_some_and(|place| place.span.start < span.end)
    }
}

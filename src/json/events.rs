//! The event stream as an iterator: every event in source order, without views.

use super::{JsonNumber, JsonString, JsonValue, Node};
use crate::event::stream::Segment;
use crate::event::{Event, Flags, Kind};
use crate::span::Span;

/// An event of a document.
///
/// ```
/// use simd_hcl::json::JsonEvent;
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [1]}"#)?;
/// let numbers = document.events().filter(|event| matches!(event, JsonEvent::Number(_)));
/// assert_eq!(numbers.count(), 1);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum JsonEvent<'a> {
    /// `{`
    StartObject {
        /// The bracket.
        span: Span,
        /// Whether the members are skipped because the object is sealed. The end follows
        /// immediately.
        sealed: bool,
    },
    /// `}`
    EndObject {
        /// The bracket.
        span: Span,
    },
    /// `[`
    StartArray {
        /// The bracket.
        span: Span,
        /// Whether the elements are skipped because the array is sealed. The end follows
        /// immediately.
        sealed: bool,
    },
    /// `]`
    EndArray {
        /// The bracket.
        span: Span,
    },
    /// The name of the property whose value is next.
    Key(JsonString<'a>),
    /// A string.
    String(JsonString<'a>),
    /// A number.
    Number(JsonNumber<'a>),
    /// `true` or `false`.
    Bool(bool, Span),
    /// `null`
    Null(Span),
}

impl JsonEvent<'_> {
    /// The bytes of the event: the bracket, or the whole string, number or literal.
    #[must_use]
    pub fn span(&self) -> Span {
        match *self {
            Self::StartObject { span, .. }
            | Self::EndObject { span }
            | Self::StartArray { span, .. }
            | Self::EndArray { span }
            | Self::Bool(_, span)
            | Self::Null(span) => span,
            Self::Key(string) | Self::String(string) => string.span(),
            Self::Number(number) => number.span(),
        }
    }

    /// The kind of the event in the stream's format.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::StartObject { .. } => Kind::StartObject,
            Self::EndObject { .. } => Kind::EndObject,
            Self::StartArray { .. } => Kind::StartArray,
            Self::EndArray { .. } => Kind::EndArray,
            Self::Key(_) => Kind::Key,
            Self::String(_) => Kind::String,
            Self::Number(_) => Kind::Number,
            Self::Bool(false, _) => Kind::False,
            Self::Bool(true, _) => Kind::True,
            Self::Null(_) => Kind::Null,
        }
    }
}

/// Walks a document's events. See [`crate::Document::events`] and [`crate::Document::skeleton`].
#[derive(Clone)]
pub struct Events<'a> {
    /// Where to continue: in a segment, and after the sealed container that it was opened for.
    at: (&'a Segment<'a>, u32),
    after: Option<(&'a Segment<'a>, u32)>,
    open_sealed: bool,
}

impl<'a> Events<'a> {
    pub(crate) fn new(segment: &'a Segment<'a>, open_sealed: bool) -> Self {
        Self { at: (segment, 0), after: None, open_sealed }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = JsonEvent<'a>;

    fn next(&mut self) -> Option<JsonEvent<'a>> {
        let (segment, index) = self.at;
        if index >= segment.len() {
            self.at = self.after.take()?;
            return self.next_in_outer();
        }
        Some(self.step(segment, index))
    }
}

impl<'a> Events<'a> {
    /// Returns the first event after an opened container. An opened segment contains no sealed
    /// containers, so this leaves at most one level.
    fn next_in_outer(&mut self) -> Option<JsonEvent<'a>> {
        let (segment, index) = self.at;
        (index < segment.len()).then(|| self.step(segment, index))
    }

    fn step(&mut self, segment: &'a Segment<'a>, index: u32) -> JsonEvent<'a> {
        let event = segment.event(index);
        self.at = (segment, index + 1);
        let bracket = |event: Event| Span::new(event.offset(), event.offset() + 1);
        match event.kind() {
            kind @ (Kind::StartObject | Kind::StartArray) => {
                let mut sealed = event.flags().contains(Flags::SEALED);
                if sealed && self.open_sealed {
                    self.after = Some((segment, index + 2));
                    self.at = (segment.open(index).0, 1);
                    sealed = false;
                }
                let span = bracket(event);
                if kind == Kind::StartObject {
                    JsonEvent::StartObject { span, sealed }
                } else {
                    JsonEvent::StartArray { span, sealed }
                }
            }
            Kind::EndObject => JsonEvent::EndObject { span: bracket(event) },
            Kind::EndArray => JsonEvent::EndArray { span: bracket(event) },
            kind => {
                let node = Node::new(segment, index);
                match node.value() {
                    JsonValue::String(name) if kind == Kind::Key => JsonEvent::Key(name),
                    JsonValue::String(string) => JsonEvent::String(string),
                    JsonValue::Number(number) => JsonEvent::Number(number),
                    JsonValue::Bool(value) => JsonEvent::Bool(value, node.span()),
                    _ => JsonEvent::Null(node.span()),
                }
            }
        }
    }
}

//! Decoded text, and the place of each byte in the file.
//!
//! Expressions are parsed from a JSON string's decoded text. Escapes are longer in the file than
//! the characters that they stand for, so offsets differ. Without escapes they differ by a
//! constant; with escapes, offsets are looked up in a list that is made once.

use crate::diagnostic::Label;
use crate::json::{JsonString, Pieces};
use crate::source::Source;
use crate::span::Span;

/// A text to be parsed, with its place in a file.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    source: Source<'a>,
    /// The text to parse, from `from` on.
    decoded: &'a str,
    from: u32,
    /// Where `decoded` starts in the file.
    start: u32,
    /// For each escape, the offsets after it in the decoded text and in the file. Not in the arena:
    /// programs have offsets in the file.
    escapes: Vec<(u32, u32)>,
    /// How the file writes a double quote in the text.
    quote: &'static str,
}

impl<'a> Text<'a> {
    /// The text of a JSON string. Cost: linear if it has escapes.
    pub(crate) fn of_string(source: Source<'a>, string: JsonString<'a>) -> Self {
        match string.is_escaped() {
            true => Self::of_escaped(source, string.raw(), string.raw_span().start),
            false => Self::as_is_in_json(source, string.raw(), string.raw_span().start),
        }
    }

    /// The text between the quotes of a string that starts at `start` in the file.
    pub(crate) fn of_raw(source: Source<'a>, raw: &'a str, start: u32) -> Self {
        match memchr::memchr(b'\\', raw.as_bytes()) {
            Some(_) => Self::of_escaped(source, raw, start),
            None => Self::as_is_in_json(source, raw, start),
        }
    }

    /// The text between the quotes of a JSON string without escapes.
    fn as_is_in_json(source: Source<'a>, raw: &'a str, start: u32) -> Self {
        Self { quote: "\\\"", ..Self::as_written(source, raw, start) }
    }

    fn of_escaped(source: Source<'a>, raw: &str, start: u32) -> Self {
        let bump = source.arena().bump();
        let mut decoded = bumpalo::collections::String::with_capacity_in(raw.len(), bump);
        let mut escapes = Vec::new();
        for piece in Pieces::of(raw) {
            decoded.push_str(piece.plain);
            if let Some(character) = piece.escaped {
                decoded.push(character);
                escapes.push((decoded.len() as u32, start + piece.end as u32));
            }
        }
        let decoded = decoded.into_bump_str();
        Self { source, decoded, from: 0, start, escapes, quote: "\\\"" }
    }

    /// The text between the quotes without decoding: it must have no escapes.
    pub(crate) fn as_written(source: Source<'a>, text: &'a str, start: u32) -> Self {
        Self { source, decoded: text, from: 0, start, escapes: Vec::new(), quote: "\"" }
    }

    /// The whole text of a source, without decoding.
    pub(crate) fn of_source(source: Source<'a>, text: &'a str) -> Self {
        Self::as_written(source, text, 0)
    }

    /// The rest of a file's text from a place on: its offsets are those of the file. `text` is that of
    /// the file up to the end of the part.
    pub(crate) fn of_file(source: Source<'a>, text: &'a str, from: u32) -> Self {
        Self { from, ..Self::of_source(source, text) }
    }

    /// Where the text to parse starts in `decoded`.
    pub(super) fn from(&self) -> usize {
        self.from as usize
    }

    /// The text to parse, from [`Text::from`] on.
    pub(crate) fn decoded(&self) -> &'a str {
        self.decoded
    }

    /// The source it is in.
    pub(crate) fn source(&self) -> Source<'a> {
        self.source
    }

    /// Where `decoded` starts in the file, if its bytes there are the same.
    pub(super) fn as_is(&self) -> Option<u32> {
        self.escapes.is_empty().then_some(self.start)
    }

    /// How the file writes a double quote in the text.
    pub(super) fn quote(&self) -> &'static str {
        self.quote
    }

    /// Returns the offset in the file of an offset in the decoded text. Cost: logarithmic in the
    /// number of escapes.
    #[inline]
    pub(crate) fn raw(&self, decoded: u32) -> u32 {
        if self.escapes.is_empty() {
            return self.start + decoded;
        }
        let after = self.escapes.partition_point(|&(at, _)| at <= decoded);
        match after.checked_sub(1).and_then(|place| self.escapes.get(place)) {
            Some(&(at, raw)) => raw + (decoded - at),
            None => self.start + decoded,
        }
    }

    /// Returns the bytes in the file of a span of the decoded text.
    pub(crate) fn span(&self, decoded: Span) -> Span {
        Span::new(self.raw(decoded.start), self.raw(decoded.end))
    }

    /// The place in the file of a span of the decoded text.
    pub(crate) fn label(&self, decoded: Span) -> Label<'a> {
        Label::new(self.source, self.span(decoded))
    }
}

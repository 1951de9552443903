//! Decoded text, and where each byte of it stands in the file.
//!
//! Expressions are parsed from a JSON string's decoded text. Escapes are longer in the file than the character they stand
//! for, so offsets differ; a string without escapes differs by a constant only. With escapes, a list of them is made
//! once, and offsets are looked up in it.

use crate::json::JsonString;
use crate::source::Source;
use crate::span::Span;

/// A text to be parsed, with its place in a file.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    source: Source<'a>,
    /// What is parsed.
    decoded: &'a str,
    /// Where it starts in the file.
    start: u32,
    /// For each escape the offsets behind it: in the decoded text, in the file.
    escapes: Vec<(u32, u32)>,
}

impl<'a> Text<'a> {
    /// The text of a JSON string. Cost: linear if it has escapes.
    pub(crate) fn of_string(source: Source<'a>, string: JsonString<'a>) -> Self {
        let start = string.raw_span().start;
        let mut escapes = Vec::new();
        if string.is_escaped() {
            string.escapes(|decoded, raw| escapes.push((decoded, start + raw)));
        }
        Self { source, decoded: string.to_str(), start, escapes }
    }

    /// All of a source, as it is.
    pub(crate) fn of_source(source: Source<'a>, text: &'a str) -> Self {
        Self { source, decoded: text, start: 0, escapes: Vec::new() }
    }

    /// What is parsed.
    pub(crate) fn decoded(&self) -> &'a str {
        self.decoded
    }

    /// The source it is in.
    pub(crate) fn source(&self) -> Source<'a> {
        self.source
    }

    /// The offset in the file of an offset in the decoded text. Cost: logarithmic in the number of escapes.
    pub(crate) fn raw(&self, decoded: u32) -> u32 {
        let behind = self.escapes.partition_point(|&(at, _)| at <= decoded);
        match behind.checked_sub(1).and_then(|place| self.escapes.get(place)) {
            Some(&(at, raw)) => raw + (decoded - at),
            None => self.start + decoded,
        }
    }

    /// The bytes in the file of a span of the decoded text.
    pub(crate) fn span(&self, decoded: Span) -> Span {
        Span::new(self.raw(decoded.start), self.raw(decoded.end))
    }
}

//! Decoded text, and the place of each byte in the file.
//!
//! Expressions are parsed from a JSON string's decoded text. Escapes are longer in the file than
//! the characters that they mean, so offsets differ; without escapes they differ by a constant.
//! With escapes, a list of them is made once, and offsets are looked up in it.

use smallvec::SmallVec;

use crate::diagnostic::Label;
use crate::json::{JsonString, Pieces};
use crate::source::Source;
use crate::span::Span;

/// A text to be parsed, with its place in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    source: Source<'a>,
    /// What is parsed.
    decoded: &'a str,
    /// Where it starts in the file.
    start: u32,
    /// For each escape the offsets after it: in the decoded text, in the file.
    escapes: &'a [(u32, u32)],
}

impl<'a> Text<'a> {
    /// The text of a JSON string. Cost: linear if it has escapes.
    pub(crate) fn of_string(source: Source<'a>, string: JsonString<'a>) -> Self {
        match string.is_escaped() {
            true => Self::of_escaped(source, string.raw(), string.raw_span().start),
            false => Self::as_written(source, string.raw(), string.raw_span().start),
        }
    }

    /// The text between the quotes of a string that starts at `start` in the file.
    pub(crate) fn of_raw(source: Source<'a>, raw: &'a str, start: u32) -> Self {
        match memchr::memchr(b'\\', raw.as_bytes()) {
            Some(_) => Self::of_escaped(source, raw, start),
            None => Self::as_written(source, raw, start),
        }
    }

    fn of_escaped(source: Source<'a>, raw: &str, start: u32) -> Self {
        let bump = source.arena().bump();
        let mut decoded = bumpalo::collections::String::with_capacity_in(raw.len(), bump);
        let mut escapes: SmallVec<[(u32, u32); 32]> = SmallVec::new();
        for piece in Pieces::of(raw) {
            decoded.push_str(piece.plain);
            if let Some(character) = piece.escaped {
                decoded.push(character);
                escapes.push((decoded.len() as u32, start + piece.end as u32));
            }
        }
        let escapes = bump.alloc_slice_copy(&escapes);
        Self { source, decoded: decoded.into_bump_str(), start, escapes }
    }

    /// The text between the quotes as it is written: decoded, if it has no escapes.
    pub(crate) fn as_written(source: Source<'a>, text: &'a str, start: u32) -> Self {
        Self { source, decoded: text, start, escapes: &[] }
    }

    /// All of a source, as it is.
    pub(crate) fn of_source(source: Source<'a>, text: &'a str) -> Self {
        Self::as_written(source, text, 0)
    }

    /// What is parsed.
    pub(crate) fn decoded(&self) -> &'a str {
        self.decoded
    }

    /// The source it is in.
    pub(crate) fn source(&self) -> Source<'a> {
        self.source
    }

    /// Where it starts in the file, if the file has the same bytes.
    pub(super) fn as_is(&self) -> Option<u32> {
        self.escapes.is_empty().then_some(self.start)
    }

    /// The offset in the file of an offset in the decoded text. Cost: logarithmic in the number of
    /// escapes.
    #[inline]
    pub(crate) fn raw(&self, decoded: u32) -> u32 {
        if self.escapes.is_empty() {
            return self.start + decoded;
        }
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

    /// The place in the file of a span of the decoded text.
    pub(crate) fn label(&self, decoded: Span) -> Label<'a> {
        Label::new(self.source, self.span(decoded))
    }
}

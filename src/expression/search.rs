//! Finds strings that may be templates by their bytes.
//!
//! A valid document has no `$` and no `%` outside of strings, so a search for `${` and `%{` finds
//! every string that may be a template, without reading or opening the text between them. Strings
//! in which one of these characters is written as an escape are found, too.

use memchr::memmem;

use crate::json::is_escaped_introducer;
use crate::lexical::{closing_quote, opening_quote};
use crate::span::Span;

/// Finds the strings of a valid document whose text may contain `${` or `%{`, in source order.
#[derive(Clone)]
pub(super) struct Search<'t> {
    text: &'t [u8],
    /// The offset after the last string found.
    at: usize,
    /// The offsets of the next introducer and of the next escaped one; the end of the text if there
    /// is none.
    plain: usize,
    escaped: usize,
}

impl<'t> Search<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self::from(text, 0)
    }

    /// Returns a search between two bytes of a valid document that are not inside strings.
    pub(super) fn within(text: &'t [u8], span: Span) -> Self {
        Self::from(text.get(..span.end as usize).unwrap_or(text), span.start as usize)
    }

    fn from(text: &'t [u8], at: usize) -> Self {
        let search = Self { text, at: at.min(text.len()), plain: 0, escaped: 0 };
        Self { plain: search.next_plain(), escaped: search.next_escaped(), ..search }
    }

    /// Returns the offset of an introducer in the next string.
    pub(super) fn next_introducer(&self) -> Option<usize> {
        let next = self.plain.min(self.escaped);
        (next < self.text.len()).then_some(next)
    }

    /// Continues after `at`.
    pub(super) fn pass(&mut self, at: usize) {
        self.at = self.at.max(at).min(self.text.len());
        self.advance();
    }

    fn advance(&mut self) {
        if self.plain < self.at {
            self.plain = self.next_plain();
        }
        if self.escaped < self.at {
            self.escaped = self.next_escaped();
        }
    }

    fn next_plain(&self) -> usize {
        let rest = &self.text[self.at..];
        let mut signs = memchr::memchr2_iter(b'$', b'%', rest);
        signs.find(|at| rest.get(at + 1) == Some(&b'{')).map_or(self.text.len(), |at| self.at + at)
    }

    fn next_escaped(&self) -> usize {
        // A search for one byte has no setup cost, and most containers have no escapes.
        let Some(first) = memchr::memchr(b'\\', &self.text[self.at..]) else {
            return self.text.len();
        };
        let first = self.at + first;
        let rest = &self.text[first..];
        let mut escapes = memmem::find_iter(rest, b"\\u00");
        escapes
            .find(|at| is_escaped_introducer(&rest[*at..]))
            .map_or(self.text.len(), |at| first + at)
    }

    /// Returns the offset of the opening quote of the string around `inside`. Strings that were
    /// found before are not read again.
    fn start(&self, inside: usize) -> usize {
        let before = &self.text[self.at..];
        self.at + opening_quote(before, inside - self.at).unwrap_or(0)
    }

    /// Returns the offset of the closing quote of the string around `inside`.
    fn end(&self, inside: usize) -> usize {
        closing_quote(self.text, inside).unwrap_or(self.text.len())
    }
}

/// A string that was found.
pub(super) struct Found {
    /// The bytes between its quotes.
    pub(super) span: Span,
    /// Whether it has an introducer that is written as an escape.
    pub(super) has_escaped_introducer: bool,
}

/// Whether the text of a string, as it is written, may contain `${` or `%{`.
pub(crate) fn has_introducer(string: &[u8]) -> bool {
    Search::new(string).next_introducer().is_some()
}

impl Iterator for Search<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let inside = self.next_introducer()?;
        let start = self.start(inside) + 1;
        let end = self.end(inside);
        let has_escaped_introducer = self.escaped < end;
        self.pass(end + 1);
        Some(Found { span: Span::new(start as u32, end as u32), has_escaped_introducer })
    }
}

//! Strings that may be templates, found by their bytes.
//!
//! Outside of strings a valid document has no `$` and no `%`, so a search for `${` and `%{` finds
//! every string that may be a template, and nothing between them is read or
//! opened. A string in which one of these characters is written as an escape is found too.

use memchr::memmem;

use crate::json::is_escaped_introducer;
use crate::lexical::{closing_quote, opening_quote};
use crate::span::Span;

/// Goes over the strings of a valid document whose text may have `${` or `%{`, in its order.
#[derive(Clone)]
pub(super) struct Search<'t> {
    text: &'t [u8],
    /// The offset after the last string that was found.
    at: usize,
    /// The offsets of the next introducer and the next escaped one; the end of the text if there is
    /// none.
    plain: usize,
    escaped: usize,
}

impl<'t> Search<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self::from(text, 0)
    }

    /// Between two bytes of a valid document, neither of which is in a string.
    pub(super) fn within(text: &'t [u8], span: Span) -> Self {
        Self::from(text.get(..span.end as usize).unwrap_or(text), span.start as usize)
    }

    fn from(text: &'t [u8], at: usize) -> Self {
        let search = Self { text, at: at.min(text.len()), plain: 0, escaped: 0 };
        Self { plain: search.next_plain(), escaped: search.next_escaped(), ..search }
    }

    /// Where a string that comes next has an introducer.
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
        // A search for one byte needs no preparation, and most containers have no escape.
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

    /// Where the string around `inside` has its opening quote. No string that was found before is
    /// read again.
    fn start(&self, inside: usize) -> usize {
        let before = &self.text[self.at..];
        self.at + opening_quote(before, inside - self.at).unwrap_or(0)
    }

    /// Where the string around `inside` has its closing quote.
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

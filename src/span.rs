//! Byte ranges of a source.
//!
//! ```
//! use simd_hcl::Span;
//!
//! let span = Span::new(1, 3);
//! assert_eq!(span.slice(b"abcd"), b"bc");
//! assert_eq!(span.len(), 2);
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

/// A range of bytes in one source: 0-based offsets, with an exclusive end.
///
/// Offsets have 32 bits, so a source is at most [`crate::source::MAX_LEN`] bytes long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span from `start` to `end`, exclusive.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the empty span at `offset`.
    ///
    /// ```
    /// let place = simd_hcl::Span::at(3);
    /// assert!(place.is_empty());
    /// assert_eq!((place.start, place.end), (3, 3));
    /// ```
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span has no bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the smallest span that covers both.
    ///
    /// ```
    /// use simd_hcl::Span;
    ///
    /// assert_eq!(Span::new(1, 2).to(Span::new(5, 8)), Span::new(1, 8));
    /// ```
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        let start = if self.start < other.start { self.start } else { other.start };
        let end = if self.end > other.end { self.end } else { other.end };
        Self { start, end }
    }

    /// Returns the bytes of `source` in the span; empty if the span is out of bounds.
    ///
    /// ```
    /// assert_eq!(simd_hcl::Span::new(1, 3).slice(b"abcd"), b"bc");
    /// ```
    #[must_use]
    pub fn slice(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A part of a text with one JSON value: the whole text, or a range between two commas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'o> {
    /// Its bytes.
    pub(crate) span: Span,
    /// The containers that are open at its start, outermost first: true for each object. If there
    /// are any, the part starts after a comma, with a member of the innermost one.
    pub(crate) open: &'o [bool],
    /// Whether it is the last part of the text. Otherwise it ends before a comma that follows a
    /// closing bracket.
    pub(crate) is_last: bool,
    /// Set when the result is no longer needed.
    pub(crate) stop: Option<&'o AtomicBool>,
}

impl Part<'_> {
    /// Returns a part that is the whole text.
    pub(crate) const fn whole(span: Span) -> Self {
        Self { span, open: &[], is_last: true, stop: None }
    }

    /// Whether the result is no longer needed. Read once per window.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

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

/// A range of bytes in one source: 0-based offsets, the end exclusive.
///
/// Offsets have 32 bits, so a source is at most [`crate::source::MAX_LEN`] bytes long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The smallest span that covers both.
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        let start = if self.start < other.start { self.start } else { other.start };
        let end = if self.end > other.end { self.end } else { other.end };
        Self { start, end }
    }

    /// The bytes of `source` that the span covers; empty where it lies outside.
    #[must_use]
    pub fn slice(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A part of a text that holds one JSON value: all of it, or a run between two commas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'o> {
    /// Its bytes.
    pub(crate) span: Span,
    /// The containers that are open where it starts, outermost first: whether each is an object. If
    /// there are any, the part starts after a comma, with a member of the innermost one.
    pub(crate) open: &'o [bool],
    /// Whether it continues to the end of the text. Otherwise it ends before a comma that follows a
    /// closing bracket.
    pub(crate) is_last: bool,
    /// Set when the result is no longer needed.
    pub(crate) stop: Option<&'o AtomicBool>,
}

impl Part<'_> {
    /// All of the text.
    pub(crate) const fn whole(span: Span) -> Self {
        Self { span, open: &[], is_last: true, stop: None }
    }

    /// Whether the result is no longer needed. Read once per window.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

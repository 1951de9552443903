//! The state of a scan between two windows.

use std::ops::Range;

use super::rejected::Rejected;
use super::tokens::WINDOW;
use super::utf8;
use crate::span::Span;

/// A scan of one range of a text: its progress, and the state that crosses the border of a window.
#[derive(Clone, Debug)]
pub(crate) struct State {
    at: usize,
    end: usize,
    /// The text before this offset is valid UTF-8. It is less than `at` if a window ended inside a
    /// character.
    valid_to: usize,
    pub(crate) carry: Carry,
    pub(crate) surrogates: bool,
}

/// The state that the bytes before a block pass to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    /// All ones inside a string, otherwise 0.
    pub(super) in_string: u64,
    /// 1 if a backslash escapes the first byte of the block, otherwise 0.
    pub(super) escaped: u64,
    /// 1 if the byte before the block belongs to a scalar, otherwise 0.
    pub(super) scalar: u64,
}

impl State {
    /// Returns a scan of the bytes of `span`, outside of any string. An end before the start makes
    /// the range empty.
    #[must_use]
    #[inline(always)]
    pub(crate) fn new(span: Span) -> Self {
        let start = span.start as usize;
        let end = span.end.max(span.start) as usize;
        Self { at: start, end, valid_to: start, carry: Carry::default(), surrogates: false }
    }

    /// Whether the whole range is scanned.
    #[must_use]
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// Whether an escaped surrogate, `\uD800` to `\uDFFF`, has been found.
    #[must_use]
    #[inline(always)]
    pub(crate) fn surrogates(&self) -> bool {
        self.surrogates
    }

    /// The end of the range.
    #[inline(always)]
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Returns the next window, not empty unless the range is. Its end is inside `text` and fits
    /// into 32 bits.
    #[inline(always)]
    pub(crate) fn window(&self, text: &[u8]) -> Result<Range<usize>, Rejected> {
        if self.end > text.len() {
            return Err(Rejected);
        }
        Ok(self.at..self.end.min(self.at + WINDOW))
    }

    /// Ends the window before `to`, whose blocks left `carry`; `high_bits` is set if they may
    /// contain bytes of 0x80 or more.
    #[inline(always)]
    pub(crate) fn finish_window(
        &mut self,
        text: &[u8],
        to: usize,
        carry: Carry,
        high_bits: bool,
    ) -> Result<(), Rejected> {
        let last = to == self.end;
        if high_bits || self.valid_to < self.at {
            self.valid_to = utf8::check(text, self.valid_to..to, last)?;
        } else {
            self.valid_to = to;
        }
        self.finish_valid_window(to, carry)
    }

    /// Like `finish_window`, for a window that the caller has validated as UTF-8.
    #[inline(always)]
    pub(crate) fn finish_valid_window(&mut self, to: usize, carry: Carry) -> Result<(), Rejected> {
        if to == self.end && carry.in_string != 0 {
            return Err(Rejected);
        }
        self.carry = carry;
        self.at = to;
        Ok(())
    }
}

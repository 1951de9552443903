//! The state of a scan between two windows.

use std::ops::Range;

use super::rejected::Rejected;
use super::tokens::WINDOW;
use super::utf8;
use crate::span::Span;

/// The number of bytes that are validated as UTF-8 if one of them is 0x80 or more.
pub(crate) const PIECE: usize = 1 << 10;

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
        self.finish_pieces(text, to, carry, if high_bits { !0 } else { 0 })
    }

    /// Like `finish_window`; `high_bits` has a bit for each [`PIECE`] bytes of the window.
    #[inline(always)]
    pub(crate) fn finish_pieces(
        &mut self,
        text: &[u8],
        to: usize,
        carry: Carry,
        high_bits: u64,
    ) -> Result<(), Rejected> {
        if high_bits != 0 || self.valid_to < self.at {
            self.valid_to = self.check_pieces(text, to, high_bits)?;
        } else {
            self.valid_to = to;
        }
        self.finish_valid_window(to, carry)
    }

    /// Validates runs of pieces with bytes of 0x80 or more, the first one with the character that
    /// the last window has cut off. Returns the offset up to which the text is valid.
    #[cold]
    #[inline(never)]
    fn check_pieces(&self, text: &[u8], to: usize, high_bits: u64) -> Result<usize, Rejected> {
        let mut left = high_bits | u64::from(self.valid_to < self.at);
        let mut valid_to = to;
        while left != 0 {
            let first = left.trailing_zeros();
            let after = first + (left >> first).trailing_ones();
            left &= u64::MAX.checked_shl(after).unwrap_or(0);
            let start = if first == 0 { self.valid_to } else { self.at + PIECE * first as usize };
            let end = to.min(self.at + PIECE * after as usize);
            // The rest of the window is ASCII.
            let checked = utf8::check(text, start..end, end < to || to == self.end)?;
            if end == to {
                valid_to = checked;
            }
        }
        Ok(valid_to)
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

//! The buffer between the scanner and the reader of tokens.

use std::fmt;

/// The number of bytes that are scanned before their tokens are read: small enough that text, masks
/// and offsets stay in the first-level cache, large enough that the work per window does not
/// matter.
pub(crate) const WINDOW: usize = 8192;

/// The number of bytes that become one mask.
pub(crate) const BLOCK: usize = 64;

/// The maximum number of offsets that a reader may leave for the next window.
pub(crate) const CARRY: usize = 8;

/// Room after the last token: kernels store whole blocks of offsets.
pub(super) const SLACK: usize = BLOCK;

const CAPACITY: usize = CARRY + WINDOW + SLACK;

/// Offsets of the tokens of one window, after those that the reader has carried over.
///
/// The buffer has a fixed size, costs nothing to clear, and is meant to be reused.
pub(crate) struct Tokens {
    offsets: Box<[u32]>,
    /// The byte at each offset, of the first `known` ones.
    bytes: Box<[u8]>,
    len: usize,
    known: usize,
}

impl Tokens {
    /// Returns an empty buffer of about 42 KB.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self {
            offsets: vec![0; CAPACITY].into_boxed_slice(),
            bytes: vec![0; CAPACITY].into_boxed_slice(),
            len: 0,
            known: 0,
        }
    }

    /// The offsets, ascending, in bytes from the start of the text.
    #[must_use]
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.offsets[..self.len]
    }

    /// The offsets, and the byte of `text` at each of them; 0 at the end of the text.
    #[must_use]
    #[inline(always)]
    pub(crate) fn with_bytes(&mut self, text: &[u8]) -> (&[u32], &[u8]) {
        let (offsets, bytes) = (&self.offsets[..self.len], &mut self.bytes[..self.len]);
        let from = self.known.min(self.len);
        for (&at, byte) in offsets[from..].iter().zip(&mut bytes[from..]) {
            *byte = text.get(at as usize).copied().unwrap_or(0);
        }
        self.known = self.len;
        (offsets, bytes)
    }

    /// Drops the first `used` offsets and moves the others to the front.
    ///
    /// # Panics
    ///
    /// If `used` is greater than the number of offsets.
    #[inline]
    pub(crate) fn carry(&mut self, used: usize) {
        self.offsets.copy_within(used..self.len, 0);
        self.bytes.copy_within(used..self.len, 0);
        self.len -= used;
        self.known = self.known.saturating_sub(used);
    }

    /// Appends one offset, such as a sentinel after the last token.
    ///
    /// # Panics
    ///
    /// If more than [`CARRY`] offsets were carried over, or more sentinels were pushed than kernels
    /// may write after the last token (64).
    #[inline]
    pub(crate) fn push(&mut self, offset: u32) {
        self.offsets[self.len] = offset;
        self.len += 1;
    }

    /// Drops all offsets.
    #[inline]
    pub(crate) fn clear(&mut self) {
        (self.len, self.known) = (0, 0);
    }

    /// Returns room for a window: space after the current offsets, and after their bytes, for those
    /// of all tokens and [`SLACK`] more.
    ///
    /// # Panics
    ///
    /// If there are more than [`CARRY`] offsets.
    #[inline(always)]
    pub(super) fn room(&mut self) -> (&mut [u32], &mut [u8]) {
        let room = self.len..self.len + WINDOW + SLACK;
        (&mut self.offsets[room.clone()], &mut self.bytes[room])
    }

    /// Adds the first `count` offsets and bytes in that space to the tokens.
    #[inline(always)]
    pub(super) fn add_with_bytes(&mut self, count: usize) {
        self.add(count);
        self.known = self.len;
    }

    /// Adds the first `count` offsets in that space to the tokens.
    #[inline(always)]
    pub(super) fn add(&mut self, count: usize) {
        debug_assert!(count <= WINDOW);
        self.len += count.min(WINDOW);
    }
}

impl Default for Tokens {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

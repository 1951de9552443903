//! The mask algebra of a scan: finds tokens from classes of bytes, 64 bytes at a time.
//!
//! A block of 64 bytes becomes a few 64-bit masks, in which bit *i* describes byte *i*. Kernels
//! classify bytes in different ways, which [`Blocks`] hides; the rest is the same arithmetic for
//! all of them, and has no branch on the kind of a byte.

use super::escape;
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens, WINDOW};

/// One mask per class of bytes.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    /// `"`
    pub(super) quote: u64,
    /// `\`
    pub(super) backslash: u64,
    /// `{ } [ ] : ,`
    pub(super) operator: u64,
    /// Space, tab, line feed, carriage return.
    pub(super) white: u64,
    /// Bytes below 0x20.
    pub(super) control: u64,
    /// Not 0 if there is a byte of 0x80 or more.
    pub(super) high: u64,
}

/// Room for the offsets of a block's tokens, and for their bytes.
pub(super) type Room<'r> = (&'r mut [u32; BLOCK], &'r mut [u8; BLOCK]);

/// The operations on blocks that differ between kernels.
pub(super) trait Blocks: Copy {
    /// Prefetches the block at `at`, if the text has it.
    ///
    /// A scan does so much work per byte that the processor does not look far enough ahead to keep
    /// the memory busy by itself, and its own prefetching stops at each page.
    fn prefetch(self, text: &[u8], at: usize);

    /// Returns the classes of all bytes.
    fn classify(self, block: &[u8; BLOCK]) -> Classes;

    /// Returns which of the `escaped` bytes complete an escape directly after the backslash: `" \ / b
    /// f n r t`. The bits of other bytes are unspecified.
    fn escapable(self, block: &[u8; BLOCK], escaped: u64) -> u64;

    /// Bit *i* of the result is the parity of bits 0 to *i* of `mask`.
    fn prefix_xor(self, mask: u64) -> u64;

    /// Writes `base` plus the position of each set bit, ascending, and the byte at each of these
    /// positions. The contents after them are unspecified. Returns their number.
    fn flatten(self, base: u32, mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize;
}

/// [`Isa::scan_window`](super::Isa::scan_window) on top of 64-byte blocks.
#[inline(always)]
pub(super) fn scan_window<B: Blocks>(
    blocks: B,
    text: &[u8],
    state: &mut State,
    tokens: &mut Tokens,
) -> Result<(), Rejected> {
    let window = state.window(text)?;
    let mut carry = state.carry;
    let (offsets, bytes) = tokens.room();
    let mut count = 0;
    let (mut bad, mut high) = (0, 0);
    let mut at = window.start;
    while at < window.end {
        let padded;
        let block = match text[at..].first_chunk::<BLOCK>() {
            Some(block) => block,
            None => {
                padded = pad(&text[at..]);
                &padded
            }
        };
        blocks.prefetch(text, at + WINDOW);
        let mut classes = blocks.classify(block);
        let left = window.end - at;
        if left < BLOCK {
            classes = classes.truncate(left);
        }
        high |= classes.high;
        let mut escaped = 0;
        if classes.backslash | carry.escaped != 0 {
            escaped = find_escaped(classes.backslash, &mut carry.escaped);
            let long = escaped & !blocks.escapable(block, escaped);
            if long != 0 {
                state.surrogates |= escape::check_unicode(&text[..state.end()], at, long)?;
            }
        }
        // From each opening quote up to, not including, the closing one.
        let quote = classes.quote & !escaped;
        let string = blocks.prefix_xor(quote) ^ carry.in_string;
        carry.in_string = 0u64.wrapping_sub(string >> 63);
        bad |= classes.control & string | classes.backslash & !string;

        let scalar = !(classes.operator | classes.white | string | quote);
        let first_of_scalar = scalar & !(scalar << 1 | carry.scalar);
        carry.scalar = scalar >> 63;
        let found = string & quote | classes.operator & !string | first_of_scalar;

        let offsets = offsets.get_mut(count..).and_then(<[u32]>::first_chunk_mut);
        let bytes = bytes.get_mut(count..).and_then(<[u8]>::first_chunk_mut);
        let (Some(offsets), Some(bytes)) = (offsets, bytes) else {
            return Err(Rejected); // Never: a window has at most as many tokens as bytes.
        };
        count += blocks.flatten(at as u32, found, block, (offsets, bytes));
        at += BLOCK;
    }
    if bad != 0 {
        return Err(Rejected);
    }
    tokens.add_with_bytes(count);
    state.finish_window(text, window.end, carry, high != 0)
}

impl Classes {
    /// Turns the bytes from `len` on, which is less than 64, into spaces.
    #[inline(always)]
    fn truncate(self, len: usize) -> Self {
        let keep = (1 << len) - 1;
        Self {
            quote: self.quote & keep,
            backslash: self.backslash & keep,
            operator: self.operator & keep,
            white: self.white | !keep,
            control: self.control & keep,
            high: self.high,
        }
    }
}

/// Returns the bytes that an odd run of backslashes escapes. `carry` is 1 if the byte before the
/// block escapes the first one, and is set for the next block.
///
/// Backslashes come in runs, and within a run every second byte is escaped. Subtracting the
/// escaping candidates from the odd positions ripples a borrow through each run, which leaves the
/// parity of the position where the run started in all of its bits. So runs that start on odd and
/// on even positions are distinguished without a loop.
#[inline(always)]
pub(super) fn find_escaped(backslash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let escaping = backslash & !*carry;
    let parity = (escaping << 1 | ODD).wrapping_sub(escaping) ^ ODD;
    let escaped = parity ^ (backslash | *carry);
    *carry = (parity & backslash) >> 63;
    escaped
}

/// [`Blocks::flatten`], eight tokens at a time without a branch: their number is hard to predict.
#[inline(always)]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "for kernels with few instructions for each bit")
)]
pub(super) fn flatten_eights(
    base: u32,
    mut mask: u64,
    block: &[u8; BLOCK],
    room: Room<'_>,
) -> usize {
    let count = mask.count_ones() as usize;
    let mut left = count;
    let ((offsets, _), (bytes, _)) = (room.0.as_chunks_mut::<8>(), room.1.as_chunks_mut::<8>());
    for (offsets, bytes) in offsets.iter_mut().zip(bytes) {
        for (offset, byte) in offsets.iter_mut().zip(bytes) {
            let at = mask.trailing_zeros();
            *offset = base.wrapping_add(at);
            *byte = block[at as usize % BLOCK];
            mask &= mask.wrapping_sub(1);
        }
        if left <= 8 {
            break;
        }
        left -= 8;
    }
    count
}

/// Returns the last bytes of a text, fewer than a block, padded with spaces.
#[cold]
#[inline(never)]
fn pad(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

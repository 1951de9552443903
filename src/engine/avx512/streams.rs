//! The buffers between the phases: of fixed size, reused for every window.
//!
//! Streams are dense: token *i* of a window is byte *i* of one buffer and its position is number
//! *i* of another, regardless of the bytes between tokens in the text. Rules about neighbours
//! become shifts by one.
//!
//! # Layout of tokens
//!
//! ```text
//!   index  0    2              6 = FIRST                          end
//!         ┌────┬──────────────┬──────────────────────────────────┐
//!         │ -  │ last four of │ tokens of this window            │ unspecified, at least GROUP
//!         │    │ the one      │ (and two sentinels, if it is the │
//!         │    │ before       │ last)                            │
//!         └────┴──────────────┴──────────────────────────────────┘
//! ```
//!
//! The grammar needs four tokens of look-back, and two tokens of look-ahead to classify a token:
//! its results are about the tokens from `end before - 2` to `end - 2`. So the last two tokens of a
//! window wait for the next one, where they are at 4 and 5. The grammar reads from index 2 on; thus
//! bit *i* of its masks, which are about the token two before, is about the token at index *i*.

use std::arch::x86_64::*;

use crate::scan::WINDOW;
use crate::scan::avx512::{STEP, with_avx512};

/// The number of steps in a window.
pub(super) const STEPS: usize = WINDOW / STEP;
/// The index of the first token of the look-back.
pub(super) const FRONT: usize = 2;
/// The number of tokens kept from the previous window.
pub(super) const LOOK_BACK: usize = 4;
/// The index of the first token of a window.
pub(super) const FIRST: usize = FRONT + LOOK_BACK;
/// The index of the first pending token.
pub(super) const PENDING: usize = FIRST - 2;
/// The number of tokens that the grammar checks together: eight blocks of 64.
pub(super) const GROUP: usize = 512;
/// The number of groups of tokens in a window.
pub(super) const GROUPS: usize = WINDOW / GROUP + 1;
/// Room for the tokens of a window, and for vectors and groups that extend past them.
pub(super) const ROOM: usize = GROUPS * GROUP + GROUP;

/// The tokens of a window.
pub(super) struct Tokens {
    /// The first byte of each token.
    pub(super) bytes: Box<[u8; ROOM]>,
    /// The offset of each token, from the start of the window. Not valid before [`FIRST`].
    pub(super) positions: Box<[u16; ROOM]>,
    /// The offsets of the two tokens at [`PENDING`].
    pending: [u32; 2],
    /// Offset of the window.
    pub(super) base: u32,
    /// The index after the last token.
    pub(super) end: usize,
}

impl Tokens {
    pub(super) fn new() -> Self {
        Self {
            bytes: Box::new([0; ROOM]),
            positions: Box::new([0; ROOM]),
            pending: [0; 2],
            base: 0,
            end: FIRST,
        }
    }

    /// Starts a text: the tokens before it require that a value follows.
    #[inline]
    pub(super) fn start(&mut self) {
        self.bytes[FRONT..FIRST].copy_from_slice(b"::::");
        self.pending = [0; 2];
        self.end = FIRST;
    }

    /// Appends a virtual token. There is room for two after those of a window.
    #[inline]
    pub(super) fn push(&mut self, byte: u8, position: u16) {
        self.bytes[self.end] = byte;
        self.positions[self.end] = position;
        self.end += 1;
    }

    /// The offset of a token.
    #[inline(always)]
    pub(super) fn offset(&self, index: usize) -> u32 {
        if index < FIRST {
            self.pending[index.saturating_sub(PENDING) & 1]
        } else {
            self.base + u32::from(self.positions[index.min(ROOM - 1)])
        }
    }

    /// Keeps the tokens that the next window needs.
    #[inline]
    pub(super) fn carry(&mut self) {
        self.pending = [self.offset(self.end - 2), self.offset(self.end - 1)];
        self.bytes.copy_within(self.end - LOOK_BACK..self.end, FRONT);
        self.end = FIRST;
    }
}

with_avx512! {
    /// Loads the 64 bytes at `at`; zeros if some are out of bounds.
    #[inline]
    pub(super) fn load_at<const N: usize>(buffer: &[u8; N], at: usize) -> __m512i {
        if at > N - 64 {
            return _mm512_setzero_si512();
        }
        // SAFETY: `at + 64 <= N`, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(buffer.as_ptr().add(at).cast()) }
    }

    /// Stores 64 bytes at `at`, if there is room.
    #[inline]
    pub(super) fn store_at<const N: usize>(buffer: &mut [u8; N], at: usize, bytes: __m512i) {
        if at <= N - 64 {
            // SAFETY: `at + 64 <= N`, and the store needs no alignment.
            unsafe { _mm512_storeu_si512(buffer.as_mut_ptr().add(at).cast(), bytes) }
        }
    }

    /// Stores 32 numbers at `at`, if there is room.
    #[inline]
    pub(super) fn store_wide_at<const N: usize>(buffer: &mut [u16; N], at: usize, numbers: __m512i) {
        if at <= N - 32 {
            // SAFETY: `at + 32 <= N`, and the store needs no alignment.
            unsafe { _mm512_storeu_si512(buffer.as_mut_ptr().add(at).cast(), numbers) }
        }
    }

    /// Stores the first 32 bytes at `at`, if there is room. A store that crosses a cache line costs
    /// two: half a vector does so half as often.
    #[inline]
    pub(super) fn store_half_at<const N: usize>(buffer: &mut [u8; N], at: usize, bytes: __m512i) {
        if at <= N - 32 {
            let half = _mm512_castsi512_si256(bytes);
            // SAFETY: `at + 32 <= N`, and the store needs no alignment.
            unsafe { _mm256_storeu_si256(buffer.as_mut_ptr().add(at).cast(), half) }
        }
    }

    /// Stores the first 16 bytes at `at`, if there is room.
    #[inline]
    pub(super) fn store_quarter_at<const N: usize>(buffer: &mut [u8; N], at: usize, bytes: __m512i) {
        if at <= N - 16 {
            let quarter = _mm512_castsi512_si128(bytes);
            // SAFETY: `at + 16 <= N`, and the store needs no alignment.
            unsafe { _mm_storeu_si128(buffer.as_mut_ptr().add(at).cast(), quarter) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Kernel;

    const N: usize = 100;

    with_avx512! {
        /// Accesses the last place that fits, and one place further.
        fn access_at_the_end() {
            let ones = _mm512_set1_epi8(-1);
            assert_eq!(_mm512_movepi8_mask(load_at(&[0xFF; N], N - 64)), u64::MAX);
            assert_eq!(_mm512_movepi8_mask(load_at(&[0xFF; N], N - 63)), 0);

            let (mut whole, mut half, mut quarter) = ([0; N], [0; N], [0; N]);
            store_at(&mut whole, N - 63, ones);
            store_half_at(&mut half, N - 31, ones);
            store_quarter_at(&mut quarter, N - 15, ones);
            assert_eq!([whole, half, quarter], [[0; N]; 3]);
            store_at(&mut whole, N - 64, ones);
            store_half_at(&mut half, N - 32, ones);
            store_quarter_at(&mut quarter, N - 16, ones);
            for (bytes, len) in [(whole, 64), (half, 32), (quarter, 16)] {
                let expected: [u8; N] = std::array::from_fn(|i| if i < N - len { 0 } else { 0xFF });
                assert_eq!(bytes, expected);
            }

            let mut numbers = [0; N];
            store_wide_at(&mut numbers, N - 31, ones);
            assert_eq!(numbers, [0; N]);
            store_wide_at(&mut numbers, N - 32, ones);
            assert_eq!(numbers, std::array::from_fn(|i| if i < N - 32 { 0 } else { u16::MAX }));
        }
    }

    #[test]
    fn nothing_is_read_or_written_after_a_buffer() {
        let Some(_isa) = Kernel::available().find_map(Kernel::avx512) else {
            println!("skipped: nothing_is_read_or_written_after_a_buffer (no AVX-512)");
            return;
        };
        // SAFETY: the CPU has the features, as `_isa` proves.
        unsafe {
            access_at_the_end();
        }
    }
}

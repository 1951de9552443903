//! Converts masks to offsets.
//!
//! Compressing the numbers 0 to 63 by a mask leaves the positions of its bits, in ascending order.
//! These bytes are widened, and added to the offset of the block. One store always writes sixteen
//! offsets, so that only blocks with more tokens take a branch.

use std::arch::x86_64::*;

use super::lanes::{load_block, with_avx512};

/// 0 to 63: the input of the compression.
pub(crate) static POSITIONS: [u8; 64] = {
    let mut positions = [0; 64];
    let mut i = 0;
    while i < 64 {
        positions[i] = i as u8;
        i += 1;
    }
    positions
};

with_avx512! {
    /// Writes `base` plus the position of each set bit, ascending. The contents after these offsets
    /// are unspecified.
    #[inline]
    pub(super) fn offsets(base: u32, mask: u64, offsets: &mut [u32; 64]) {
        let positions = _mm512_maskz_compress_epi8(mask, load_block(&POSITIONS));
        let base = _mm512_set1_epi32(base as i32);
        let (quarters, _) = offsets.as_chunks_mut::<16>();
        widen(_mm512_castsi512_si128(positions), base, &mut quarters[0]);
        if mask.count_ones() > 16 {
            widen(_mm512_extracti32x4_epi32::<1>(positions), base, &mut quarters[1]);
            if mask.count_ones() > 32 {
                widen(_mm512_extracti32x4_epi32::<2>(positions), base, &mut quarters[2]);
                widen(_mm512_extracti32x4_epi32::<3>(positions), base, &mut quarters[3]);
            }
        }
    }

    #[inline]
    fn widen(positions: __m128i, base: __m512i, offsets: &mut [u32; 16]) {
        let widened = _mm512_add_epi32(_mm512_cvtepu8_epi32(positions), base);
        // SAFETY: the pointer is valid for 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(offsets.as_mut_ptr().cast(), widened) }
    }
}

//! Computes the depths of 64 tokens at once: prefix sums of 1 for an opening and -1 for a closing
//! bracket.
//!
//! Three shifted additions make the sums within each lane of eight bytes, and a sum of absolute
//! differences adds up the lanes before.

use std::arch::x86_64::*;

use crate::scan::avx512::{load_block, with_avx512};

with_avx512! {
    /// For each byte, the number of opening minus closing brackets, up to and including this byte.
    #[inline]
    pub(super) fn depths(open: u64, close: u64) -> __m512i {
        let opens = _mm512_movm_epi8(open);
        let steps = _mm512_sub_epi8(_mm512_movm_epi8(close), opens);
        // Sums within lanes of eight tokens.
        let sums = _mm512_add_epi8(steps, _mm512_slli_epi64::<8>(steps));
        let sums = _mm512_add_epi8(sums, _mm512_slli_epi64::<16>(sums));
        let sums = _mm512_add_epi8(sums, _mm512_slli_epi64::<32>(sums));
        // For each lane the last sums of the lanes before it.
        let lasts = _mm512_permutexvar_epi8(load_block(&LASTS), sums);
        let lasts = _mm512_and_si512(lasts, load_block(&LANES_BEFORE));
        let lanes = _mm512_sad_epu8(lasts, _mm512_setzero_si512());
        let lanes = _mm512_shuffle_epi8(lanes, load_block(&FIRST_OF_LANE));
        _mm512_add_epi8(sums, lanes)
    }
}

/// Byte 7 of each of the eight lanes, in every lane.
static LASTS: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (i % 8 * 8 + 7) as u8;
        i += 1;
    }
    table
};

/// The mask of those that belong to earlier lanes.
static LANES_BEFORE: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = if i % 8 < i / 8 { 0xFF } else { 0 };
        i += 1;
    }
    table
};

/// The first byte of the lane, for all of its bytes; a shuffle sees two lanes.
static FIRST_OF_LANE: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (i % 16 / 8 * 8) as u8;
        i += 1;
    }
    table
};

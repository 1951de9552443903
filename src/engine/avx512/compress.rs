//! Compresses blocks by masks into dense streams.
//!
//! The input is the bytes of a step and two masks per block: of tokens, and of the bytes of scalars
//! with the byte that ends each. The token bytes, the positions of tokens in the window, and the
//! scalar bytes are appended to the streams. One instruction compresses the 64 bytes of a block by
//! a mask; the bytes of the next block overwrite the unused rest of the vector.
//!
//! A block often has more than 16 tokens and rarely more than 32, and rarely more than 16 bytes of
//! scalars. So 32 tokens and 16 bytes are always stored, and the rest in a branch that is rarely
//! taken; no other branch depends on the counts.

use std::arch::x86_64::*;

use super::scalars::Scalars;
use super::streams::{Tokens, store_at, store_half_at, store_quarter_at, store_wide_at};
use crate::scan::avx512::flatten::POSITIONS;
use crate::scan::avx512::{STEP, load_block, with_avx512};

with_avx512! {
    /// Appends the tokens and scalars of the step that starts at `position` in the window.
    #[inline]
    pub(super) fn append(
        step: &[u8; STEP],
        position: usize,
        (token_masks, scalar_masks): (&[u64; 8], &[u64; 8]),
        tokens: &mut Tokens,
        scalars: &mut Scalars,
    ) {
        let (blocks, _) = step.as_chunks::<64>();
        let lanes = load_block(&POSITIONS);
        let (mut end, mut scalars_end) = (tokens.end, scalars.end);
        let mut base = _mm512_set1_epi16(position as i16);
        for (i, block) in blocks.iter().enumerate() {
            let bytes = load_block(block);
            let (mask, count) = (token_masks[i], token_masks[i].count_ones());
            let found = _mm512_maskz_compress_epi8(mask, bytes);
            let positions = _mm512_maskz_compress_epi8(mask, lanes);
            let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(positions));
            store_half_at(&mut tokens.bytes, end, found);
            store_wide_at(&mut tokens.positions, end, _mm512_add_epi16(low, base));
            if count > 32 {
                let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(positions));
                store_at(&mut tokens.bytes, end, found);
                store_wide_at(&mut tokens.positions, end + 32, _mm512_add_epi16(high, base));
            }
            end += count as usize;
            base = _mm512_add_epi16(base, _mm512_set1_epi16(64));

            let (mask, count) = (scalar_masks[i], scalar_masks[i].count_ones());
            let found = _mm512_maskz_compress_epi8(mask, bytes);
            store_quarter_at(&mut scalars.bytes, scalars_end, found);
            if count > 16 {
                store_at(&mut scalars.bytes, scalars_end, found);
            }
            scalars_end += count as usize;
        }
        (tokens.end, scalars.end) = (end, scalars_end);
    }
}

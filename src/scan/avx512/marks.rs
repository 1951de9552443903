//! Marks of native syntax: one permute looks up the categories of 64 bytes.

use std::arch::x86_64::*;

use super::lanes::{load_block, with_avx512};
use crate::scan::marks::{CATEGORIES, CODE, HEREDOC, Marks, NAME, QUOTED, SPACE};
use crate::scan::tokens::BLOCK;

with_avx512! {
    #[inline]
    pub(super) fn marks(block: &[u8; BLOCK]) -> Marks {
        let (halves, _) = CATEGORIES.as_chunks::<BLOCK>();
        let bytes = load_block(block);
        // Of a byte of 0x80 or more the permute would look up the low seven bits.
        let ascii = !_mm512_movepi8_mask(bytes);
        let (low, high) = (load_block(&halves[0]), load_block(&halves[1]));
        let categories = _mm512_maskz_permutex2var_epi8(ascii, low, bytes, high);
        Marks {
            code: having::<CODE>(categories),
            quoted: having::<QUOTED>(categories),
            heredoc: having::<HEREDOC>(categories),
            dark: !having::<SPACE>(categories),
            unnamed: !having::<NAME>(categories),
        }
    }

    #[inline]
    fn having<const BIT: u8>(categories: __m512i) -> u64 {
        _mm512_test_epi8_mask(categories, _mm512_set1_epi8(BIT as i8))
    }
}

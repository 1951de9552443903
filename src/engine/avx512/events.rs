//! Selects the tokens of the skeleton by their depth, and checks the nesting limit.
//!
//! The input is the tokens of a window and the masks of the [grammar](super::grammar). The results
//! are the [selected](super::picks) tokens, the [symbols](super::brackets), and whether the nesting
//! is within the limit. The [depths](super::depths) of 64 tokens are relative to the first token.
//! All 64 are compared at once with the difference between the skeleton depth and the depth of the
//! first.

use std::arch::x86_64::*;

use super::brackets::{ARRAY_COMMA, Symbols};
use super::depths::depths;
use super::grammar::Masks;
use super::picks::{self, Picks};
use super::streams::{FRONT, LOOK_BACK, ROOM, Tokens, load_at, store_at, store_wide_at};
use crate::scan::Rejected;
use crate::scan::avx512::flatten::POSITIONS;
use crate::scan::avx512::{load_block, with_avx512};

/// The current nesting depth and its limits.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    /// The number of open containers at the first pending token.
    pub(super) now: i64,
    /// The maximum depth.
    pub(super) limit: i64,
    /// The maximum number of containers around a selected token.
    pub(super) skeleton: i64,
}

with_avx512! {
    /// Selects tokens and appends symbols.
    #[inline]
    pub(super) fn pick(
        tokens: &Tokens,
        masks: &Masks,
        depth: &mut Depth,
        picks: &mut Picks,
        symbols: &mut Symbols,
    ) -> Result<(), Rejected> {
        let count = tokens.end - FRONT;
        let comma = _mm512_set1_epi8(ARRAY_COMMA as i8);
        let (mut picked, mut symbols_end) = (0, symbols.end);
        let mut now = depth.now;
        'groups: for (i, found) in masks.iter().enumerate() {
            for j in 0..8 {
                let at = 512 * i + 64 * j;
                if at >= count {
                    break 'groups;
                }
                let bytes = load_at(&tokens.bytes, at);
                let (open, close) = (found.open[j], found.close[j]);

                let symbol = found.symbol[j];
                let types = _mm512_mask_mov_epi8(bytes, found.array_comma[j], comma);
                store_at(&mut symbols.bytes, symbols_end, _mm512_maskz_compress_epi8(symbol, types));
                symbols_end += symbol.count_ones() as usize;

                // The number of levels that may still open before tokens are too deep to be
                // selected.
                let levels = depth.skeleton - now;
                if levels >= -64 {
                    let (mut pick, mut sealed) = (found.value[j], 0);
                    if levels < 64 {
                        let enclosing = enclosing(open, close);
                        let levels = _mm512_set1_epi8(levels as i8);
                        pick &= _mm512_cmple_epi8_mask(enclosing, levels);
                        sealed = open & _mm512_cmpeq_epi8_mask(enclosing, levels);
                    }
                    let next = load_at(&tokens.bytes, at + 1);
                    let keys = _mm512_cmpeq_epi8_mask(next, _mm512_set1_epi8(b':' as i8));
                    let kinds = picks::kinds(bytes, keys, sealed);
                    store_at(&mut picks.kinds, picked, _mm512_maskz_compress_epi8(pick, kinds));
                    store_indices(&mut picks.indices, picked, pick, at as u16);
                    picked += pick.count_ones() as usize;
                }

                let opened = i64::from(open.count_ones());
                if now + opened > depth.limit && is_too_deep(now, depth.limit, open, close) {
                    return Err(Rejected);
                }
                now += opened - i64::from(close.count_ones());
            }
        }
        depth.now = now;
        picks.count = picked.min(ROOM - 1);
        // No bracket seems to follow the last token.
        picks.kinds[picks.count] = 0;
        symbols.end = symbols_end;
        Ok(())
    }

    /// For each token, the number of containers around it, minus those around the first one. A
    /// bracket is not inside itself.
    #[inline]
    fn enclosing(open: u64, close: u64) -> __m512i {
        _mm512_add_epi8(depths(open, close), _mm512_movm_epi8(open)) // -1
    }

    /// Appends `at` plus the position of each set bit.
    #[inline]
    fn store_indices(indices: &mut [u16; ROOM], end: usize, mask: u64, at: u16) {
        let lanes = _mm512_maskz_compress_epi8(mask, load_block(&POSITIONS));
        let base = _mm512_set1_epi16(at as i16);
        let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(lanes));
        store_wide_at(indices, end, _mm512_add_epi16(low, base));
        if mask.count_ones() > 32 {
            let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(lanes));
            store_wide_at(indices, end + 32, _mm512_add_epi16(high, base));
        }
    }
}

/// Whether the depth exceeds the limit, checked bracket by bracket.
#[cold]
#[inline(never)]
fn is_too_deep(mut depth: i64, limit: i64, open: u64, close: u64) -> bool {
    let mut left = open | close;
    while left != 0 {
        let bracket = left & left.wrapping_neg();
        left ^= bracket;
        if open & bracket == 0 {
            depth -= 1;
        } else {
            depth += 1;
            if depth > limit {
                return true;
            }
        }
    }
    false
}

const _: () = assert!(LOOK_BACK == 4);

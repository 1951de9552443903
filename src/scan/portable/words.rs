//! The operations of the engine of [words](Words) on every CPU.

use super::Portable;
use crate::scan::block::Blocks;
use crate::scan::tokens::BLOCK;
use crate::scan::words::{Letters, Masks, OfBlocks, STEP, Words, halves};

impl Words for Portable {
    const COMPRESSES_MANY: bool = true;

    #[inline(always)]
    fn prefetch(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn masks(self, step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool {
        let mut not_ascii = 0;
        for (i, block) in step.iter().enumerate() {
            let found = super::masks(block);
            for (plane, mask) in masks.planes.iter_mut().zip(found.kind) {
                plane[i] = halves(mask);
            }
            masks.white[i] = halves(found.white);
            masks.control[i] = halves(found.control);
            masks.backslash[i] = halves(found.backslash);
            not_ascii |= found.not_ascii;
        }
        not_ascii != 0
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], escaped: u64) -> u64 {
        Blocks::escapable(self, block, escaped)
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        let mut letters = Letters::default();
        for (at, &byte) in block.iter().enumerate() {
            let bit = 1 << at;
            match byte {
                b'0' => {
                    letters.digit |= bit;
                    letters.zero |= bit;
                }
                b'1'..=b'9' => letters.digit |= bit,
                b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' => {
                    letters.end |= bit;
                }
                b'.' => letters.point |= bit,
                b'e' => {
                    letters.exponent |= bit;
                    letters.small_e |= bit;
                }
                b'E' => letters.exponent |= bit,
                b'-' => {
                    letters.sign |= bit;
                    letters.minus |= bit;
                }
                b'+' => letters.sign |= bit,
                b'a' => letters.a |= bit,
                b'f' => letters.f |= bit,
                b'l' => letters.l |= bit,
                b'n' => letters.n |= bit,
                b'r' => letters.r |= bit,
                b's' => letters.s |= bit,
                b't' => letters.t |= bit,
                b'u' => letters.u |= bit,
                _ => {}
            }
        }
        letters
    }

    #[inline(always)]
    fn strings(self, quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64> {
        let mut strings = *quotes;
        for string in &mut strings {
            *string = Blocks::prefix_xor(self, *string) ^ *inside;
            *inside = (*string as i64 >> 63) as u64;
        }
        strings
    }

    /// Moves all bits at once, by 1, 2, 4 and so on places: a bit moves by the number of zeros of
    /// the mask below it (Hacker's Delight, section 7-4).
    #[inline(always)]
    fn compress<const N: usize>(self, mut words: [u64; N], mut mask: u64) -> [u64; N] {
        for word in &mut words {
            *word &= mask;
        }
        let mut zeros = !mask << 1;
        for power in 0..6 {
            let odd = Blocks::prefix_xor(self, zeros);
            let moved = odd & mask;
            mask = mask ^ moved | moved >> (1 << power);
            for word in &mut words {
                let bits = *word & moved;
                *word = *word ^ bits | bits >> (1 << power);
            }
            zeros &= !odd;
        }
        words
    }

    #[inline(always)]
    fn nth(self, mut mask: u64, mut n: u32) -> u32 {
        let mut place = 0;
        for half in [32, 16, 8, 4, 2, 1] {
            let low = (mask & !(!0 << half)).count_ones();
            if n >= low {
                n -= low;
                mask >>= half;
                place += half;
            }
        }
        match (mask & 1, n) {
            (1, 0) => place,
            _ => 64,
        }
    }

    #[inline(always)]
    fn at_most(self, levels: i8, open: u64, close: u64) -> u64 {
        let (mut at_most, mut depth) = (0, 0);
        let mut from = 0;
        let mut brackets = open | close;
        // Between two brackets the depth is the same.
        loop {
            let next = brackets.trailing_zeros();
            let is_open = open.checked_shr(next).unwrap_or(0) & 1;
            if depth <= i32::from(levels) {
                // Up to the bracket; an opening one is not inside itself.
                let to = next + is_open as u32;
                at_most |= up_to(to) & !up_to(from);
            }
            if brackets == 0 {
                return at_most;
            }
            from = next + is_open as u32;
            depth += if is_open == 1 { 1 } else { -1 };
            brackets &= brackets - 1;
        }
    }
}

/// The lowest `count` bits.
#[inline(always)]
fn up_to(count: u32) -> u64 {
    if count >= 64 { !0 } else { !(!0 << count) }
}

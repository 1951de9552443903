//! The portable kernel: masks from a table, flags of strings eight bytes at a time in a 64-bit
//! word, for every platform, without `unsafe`.
//!
//! A set of bytes within a word is a word with the high bit of each byte set if the byte belongs.
//! All operations are exact per byte: no carry runs from one byte into the next.

mod words;

use super::block::{self, Blocks, Classes};
use super::flags::StringFlags;
use super::isa::Isa;
use super::marks::{self, Marks};
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens};
use super::words::kind;

/// The instruction set of every CPU.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected> {
        block::scan_window(self, text, state, tokens)
    }

    #[inline(always)]
    fn string_flags(self, string: &[u8]) -> StringFlags {
        string_flags(string)
    }

    #[inline(always)]
    fn marks(self, block: &[u8; BLOCK]) -> Marks {
        marks::marks(block)
    }
}

impl Blocks for Portable {
    #[inline(always)]
    fn prefetch(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Classes {
        let masks = masks(block);
        let operator = masks[MIDDLE] | masks[HIGH];
        Classes {
            quote: masks[LOW] & !operator,
            backslash: masks[BACKSLASH],
            operator,
            white: masks[WHITE],
            control: masks[CONTROL],
            high: masks[NOT_ASCII],
        }
    }

    /// Byte by byte: escapes are rare.
    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], mut escaped: u64) -> u64 {
        let mut mask = 0;
        while escaped != 0 {
            let lowest = escaped & escaped.wrapping_neg();
            let byte = block[(lowest.trailing_zeros() & 63) as usize];
            if matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') {
                mask |= lowest;
            }
            escaped ^= lowest;
        }
        mask
    }

    #[inline(always)]
    fn prefix_xor(self, mut mask: u64) -> u64 {
        for shift in [1, 2, 4, 8, 16, 32] {
            mask ^= mask << shift;
        }
        mask
    }

    #[inline(always)]
    fn flatten(self, base: u32, mut mask: u64, offsets: &mut [u32; BLOCK]) {
        for offset in offsets {
            if mask == 0 {
                break;
            }
            *offset = base.wrapping_add(mask.trailing_zeros());
            mask &= mask - 1;
        }
    }
}

/// [`Isa::string_flags`], exact, without reading outside of the string.
#[inline(always)]
pub(super) fn string_flags(string: &[u8]) -> StringFlags {
    let Some(last) = string.last_chunk::<8>() else {
        return flags_of_word(Word(short_word(string)));
    };
    let mut flags = flags_of_word(Word::new(*last));
    // Steps of seven bytes: two neighbours are always together in one of the words.
    let mut rest = string;
    while let Some(word) = rest.first_chunk::<8>() {
        flags = flags.union(flags_of_word(Word::new(*word)));
        rest = &rest[7..];
    }
    flags
}

#[inline(always)]
fn flags_of_word(word: Word) -> StringFlags {
    let escape = word.equal(b'\\');
    let marker = Word(word.0 & !splat(1)).equal(b'$'); // `$` and `%` differ in the lowest bit
    let template = (marker.0 << 8) & word.equal(b'{').0;
    StringFlags::new(escape.0 != 0, template != 0)
}

/// Returns fewer than eight bytes as a word, the first one lowest, padded with zeros, and assembled
/// from overlapping loads.
#[inline(always)]
pub(super) fn short_word(bytes: &[u8]) -> u64 {
    let at = |index: usize| u64::from(bytes[index]) << (8 * index);
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let shift = 8 * (bytes.len() - 4);
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            u64::from(first) | u64::from(last) << shift
        }
        _ if bytes.is_empty() => 0,
        _ => at(0) | at(bytes.len() / 2) | at(bytes.len() - 1),
    }
}

const TOP: u64 = splat(0x80);

/// Eight bytes, the first one lowest.
#[derive(Clone, Copy)]
struct Word(u64);

/// A set of bytes of a word: the high bit of each byte that belongs, no other bit.
#[derive(Clone, Copy)]
struct Set(u64);

impl Word {
    #[inline(always)]
    fn new(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> Set {
        let difference = self.0 ^ splat(byte);
        // Adding 0x7F sets the high bit of every byte whose low seven bits are not all 0.
        let low = (difference & !TOP) + !TOP;
        Set(!(low | difference) & TOP)
    }
}

const fn splat(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// The masks of a block: those of the class of a token, and four more.
const LOW: usize = 0;
const MIDDLE: usize = 1;
const HIGH: usize = 2;
const WHITE: usize = 3;
const CONTROL: usize = 4;
const BACKSLASH: usize = 5;
const NOT_ASCII: usize = 6;

/// For each byte, the lowest bit of the byte *i* of a word if the byte belongs to the mask *i*.
static BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let class = kind::of(byte as u8);
        let is_in = [
            class & 1 != 0,
            class & 2 != 0,
            class & 4 != 0,
            matches!(byte as u8, b' ' | b'\t' | b'\n' | b'\r'),
            byte < 0x20,
            byte as u8 == b'\\',
            byte >= 0x80,
        ];
        let mut mask = 0;
        while mask < is_in.len() {
            table[byte] |= (is_in[mask] as u64) << (8 * mask);
            mask += 1;
        }
        byte += 1;
    }
    table
};

/// All masks of a block. A sum over eight bytes has, in each of its bytes, eight bits of one mask;
/// an exchange of bytes then joins those of each mask.
#[inline(always)]
fn masks(block: &[u8; BLOCK]) -> [u64; 8] {
    let mut sums = [0; 8];
    let (eights, _) = block.as_chunks::<8>();
    for (sum, eight) in sums.iter_mut().zip(eights) {
        for &byte in eight.iter().rev() {
            *sum = *sum << 1 | BITS[usize::from(byte)];
        }
    }
    for (distance, low) in
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)]
    {
        for i in 0..8 {
            if i & distance != 0 {
                continue;
            }
            let (first, second) = (sums[i], sums[i + distance]);
            let changed = (first >> (8 * distance) ^ second) & low;
            sums[i + distance] = second ^ changed;
            sums[i] = first ^ changed << (8 * distance);
        }
    }
    sums
}

//! The portable kernel: eight bytes at a time in a 64-bit word, for every platform, without
//! `unsafe`.
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
        let mut classes =
            Classes { quote: 0, backslash: 0, operator: 0, white: 0, control: 0, high: 0 };
        for (index, word) in words(block) {
            let shift = 8 * index;
            classes.quote |= word.equal(b'"').mask() << shift;
            classes.backslash |= word.equal(b'\\').mask() << shift;
            // Brackets and braces differ in one bit; no other byte equals one of them once that bit
            // is set.
            let folded = Word(word.0 | splat(0x20));
            let brackets = folded.equal(b'{').or(folded.equal(b'}'));
            let operator = brackets.or(word.equal(b':')).or(word.equal(b','));
            classes.operator |= operator.mask() << shift;
            let breaks = word.equal(b'\n').or(word.equal(b'\r'));
            let white = breaks.or(word.equal(b' ')).or(word.equal(b'\t'));
            classes.white |= white.mask() << shift;
            classes.control |= word.below_space().mask() << shift;
            classes.high |= word.0 & HIGH;
        }
        classes
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK]) -> u64 {
        let mut mask = 0;
        for (index, word) in words(block) {
            let mut set = Set(0);
            for byte in *b"\"\\/bfnrt" {
                set = set.or(word.equal(byte));
            }
            mask |= set.mask() << (8 * index);
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

const HIGH: u64 = splat(0x80);

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
        let low = (difference & !HIGH) + !HIGH;
        Set(!(low | difference) & HIGH)
    }

    #[inline(always)]
    fn below_space(self) -> Set {
        let low = (self.0 & !HIGH) + splat(0x80 - 0x20);
        Set(!(low | self.0) & HIGH)
    }
}

impl Set {
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// One bit per byte. The factor moves the bit of byte *i* to bit 56 + *i*; no two partial
    /// products overlap, so that no carry disturbs the sum.
    #[inline(always)]
    fn mask(self) -> u64 {
        (self.0 >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

const fn splat(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

#[inline(always)]
fn words(block: &[u8; BLOCK]) -> impl Iterator<Item = (usize, Word)> {
    let (chunks, _) = block.as_chunks::<8>();
    chunks.iter().map(|&bytes| Word::new(bytes)).enumerate()
}

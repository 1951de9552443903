//! The portable kernel: masks from a table, flags of strings eight bytes at a time in a 64-bit
//! word, for every platform, without `unsafe`.
//!
//! A set of bytes within a word is a word with the high bit of each byte set if the byte belongs.
//! All operations are exact per byte: no carry runs from one byte into the next.

mod words;

use super::block::{self, Blocks, Classes, Room};
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
        let Masks { kind: [low, middle, high], white, control, backslash, not_ascii } =
            masks(block);
        let operator = middle | high;
        Classes { quote: low & !operator, backslash, operator, white, control, high: not_ascii }
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
    fn flatten(self, base: u32, mut mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize {
        let mut count = 0;
        while mask != 0 {
            let at = mask.trailing_zeros();
            room.0[count % BLOCK] = base.wrapping_add(at);
            room.1[count % BLOCK] = block[at as usize % BLOCK];
            mask &= mask - 1;
            count += 1;
        }
        count
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

/// For each byte the four bits of its [`code`], 16 places apart: for the first of four bytes, the
/// second and so on, each one place higher.
static CODES: [[u64; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let code = code(byte as u8) as u64;
        let bits = code & 1 | (code & 2) << 15 | (code & 4) << 30 | (code & 8) << 45;
        let mut place = 0;
        while place < 4 {
            tables[place][byte] = bits << place;
            place += 1;
        }
        byte += 1;
    }
    tables
};

/// The class of a token, or 8 and a number for the bytes that no token starts with. The numbers are
/// such that [`masks`] needs few operations.
const fn code(byte: u8) -> u8 {
    match byte {
        b' ' => 8,
        b'\t' | b'\n' | b'\r' => 8 + 0b001,
        0..0x20 => 8 + 0b010,
        b'\\' => 8 + 0b011,
        0x80.. => 8 + 0b100,
        _ => kind::of(byte),
    }
}

/// The masks of a block.
struct Masks {
    /// The bits of the class of a token, lowest first.
    kind: [u64; 3],
    white: u64,
    control: u64,
    backslash: u64,
    not_ascii: u64,
}

/// A sum over 16 bytes has, in each quarter, 16 places of one bit of their codes; an exchange of
/// quarters then joins those of each bit.
#[inline(always)]
fn masks(block: &[u8; BLOCK]) -> Masks {
    let mut sums = [0_u64; 4];
    let (sixteens, _) = block.as_chunks::<16>();
    for (sum, sixteen) in sums.iter_mut().zip(sixteens) {
        let (fours, _) = sixteen.as_chunks::<4>();
        for &[a, b, c, d] in fours.iter().rev() {
            let of = |place: usize, byte| CODES[place][usize::from(byte)];
            *sum = *sum << 4 | of(0, a) | of(1, b) | of(2, c) | of(3, d);
        }
    }
    let [a, b, c, d] = sums;
    let (a, c) = exchanged::<32>(a, c, 0x0000_0000_FFFF_FFFF);
    let (b, d) = exchanged::<32>(b, d, 0x0000_0000_FFFF_FFFF);
    let (low, middle) = exchanged::<16>(a, b, 0x0000_FFFF_0000_FFFF);
    let (high, none) = exchanged::<16>(c, d, 0x0000_FFFF_0000_FFFF);
    Masks {
        kind: [low & !none, middle & !none, high & !none],
        white: none & !(middle | high),
        control: none & (low ^ middle),
        backslash: none & low & middle,
        not_ascii: none & high,
    }
}

/// Exchanges the bits of the first word that are not in `low`, and those of the second one that are,
/// which are `BY` places lower.
#[inline(always)]
fn exchanged<const BY: u32>(first: u64, second: u64, low: u64) -> (u64, u64) {
    (first & low | (second & low) << BY, first >> BY & low | second & !low)
}

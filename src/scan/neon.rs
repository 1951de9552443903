//! The NEON kernel: a table gives each byte a set of classes, and a transposition of bits turns
//! those of 64 bytes into one mask per class.
//!
//! NEON has no instruction that moves a bit of each byte to a register. But it loads 64 bytes in such
//! a way that the bytes 4*i* to 4*i* + 3 are in the lane *i* of four registers, and shifts with
//! insertion join the bits of these registers, for all classes at the same time.

mod words;

use std::arch::aarch64::*;

use super::block::{self, Blocks, Classes, Room};
use super::flags::StringFlags;
use super::isa::{Isa, Task};
use super::marks::{CATEGORIES_OF_ALL, Marks};
use super::portable::{self, Portable};
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens};
use super::words::{WordsTask, kind};

/// Puts the target feature of this kernel on functions, so that its instructions are safe in them.
macro_rules! with_neon {
    ($($item:item)*) => {
        $(
            #[target_feature(enable = "neon")]
            $item
        )*
    };
}
use with_neon;

/// The proof that this CPU has NEON, as all CPUs of this type have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    /// Returns the proof. This file is compiled only for targets with NEON.
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// Runs `task`. Its code needs no other features than those of the target.
    #[inline(always)]
    pub(super) fn run_words<T: WordsTask>(self, task: T) -> T::Output {
        task.run(self)
    }

    /// Runs `task`. Its code needs no other features than those of the target.
    #[inline(always)]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

impl Isa for Neon {
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
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { string_flags(string) }
    }

    #[inline(always)]
    fn marks(self, block: &[u8; BLOCK]) -> Marks {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { marks(block) }
    }
}

impl Blocks for Neon {
    /// The processor prefetches by itself: no stable intrinsic asks for it.
    #[inline(always)]
    fn prefetch(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Classes {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { classify(block) }
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], _: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { escapable(block) }
    }

    /// Each step is one instruction, so that a carry-less product, which not all CPUs have, would
    /// save little.
    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        Blocks::prefix_xor(Portable, mask)
    }

    #[inline(always)]
    fn flatten(self, base: u32, mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize {
        block::flatten_eights(base, mask, block, room)
    }
}

/// For each ASCII character a bit for each of its classes. Other bytes have none.
type Table = [u8; 128];

/// The bits of [`CLASSES`]: those of the class of a token, and three more.
const LOW: usize = 0;
const MIDDLE: usize = 1;
const HIGH: usize = 2;
const WHITE: usize = 4;
const CONTROL: usize = 5;
const BACKSLASH: usize = 6;

static CLASSES: Table = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < table.len() {
        // The lowest three bits are those of the class.
        table[byte] = kind::of(byte as u8);
        if byte < 0x20 {
            table[byte] |= 1 << CONTROL;
        }
        byte += 1;
    }
    with_bit(with_bit(table, b" \t\n\r", WHITE), b"\\", BACKSLASH)
};

/// The bytes that complete an escape have the highest bit.
static ESCAPABLE: Table = with_bit([0; 128], b"\"\\/bfnrt", 7);

/// Adds a bit to the entries of some bytes.
const fn with_bit(mut table: Table, bytes: &[u8], bit: usize) -> Table {
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] |= 1 << bit;
        i += 1;
    }
    table
}

/// The rows of 16 bytes of a block: the byte 4*i* + *j* is the byte *i* of the row *j*.
type Rows = [uint8x16_t; 4];

with_neon! {
    #[inline]
    fn classify(block: &[u8; BLOCK]) -> Classes {
        let rows = rows(block);
        let masks = masks_of(looked_up(&CLASSES, rows));
        let operator = masks[MIDDLE] | masks[HIGH];
        Classes {
            quote: masks[LOW] & !operator,
            backslash: masks[BACKSLASH],
            operator,
            white: masks[WHITE],
            control: masks[CONTROL],
            high: u64::from(vmaxvq_u8(any(rows)) & 0x80),
        }
    }

    #[inline]
    fn escapable(block: &[u8; BLOCK]) -> u64 {
        joined_rows(looked_up(&ESCAPABLE, rows(block)))
    }

    #[inline]
    fn marks(block: &[u8; BLOCK]) -> Marks {
        static CATEGORIES: Table = CATEGORIES_OF_ALL;
        // The constants of the categories are these bits, lowest first.
        let [code, quoted, heredoc, space, name, ..] = masks_of(looked_up(&CATEGORIES, rows(block)));
        Marks { code, quoted, heredoc, dark: !space, unnamed: !name }
    }

    #[inline]
    fn rows(block: &[u8; BLOCK]) -> Rows {
        // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
        let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(block.as_ptr()) };
        [a, b, c, d]
    }

    /// Sets the bits that are set in a byte of any row.
    #[inline]
    fn any([a, b, c, d]: Rows) -> uint8x16_t {
        vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d))
    }

    /// The entry of the table for each byte, 0 for bytes of 0x80 and more.
    #[inline]
    fn looked_up(table: &Table, rows: Rows) -> Rows {
        let [low, high] = halves(table);
        rows.map(|row| {
            // An index outside of a table gives 0, or leaves what is there.
            let found = vqtbl4q_u8(low, row);
            vqtbx4q_u8(found, high, veorq_u8(row, vdupq_n_u8(0x40)))
        })
    }

    #[inline]
    fn halves(table: &Table) -> [uint8x16x4_t; 2] {
        let (halves, _) = table.as_chunks::<64>();
        // SAFETY: the pointers are valid for 64 bytes, and the loads need no alignment.
        [0, 1].map(|half| unsafe { vld1q_u8_x4(halves[half].as_ptr()) })
    }

    /// The mask of each bit of the rows.
    #[inline]
    fn masks_of(rows: Rows) -> [u64; 8] {
        let [a, b, c, d] = exchanged_rows(rows);
        let pair = |words| [vgetq_lane_u64::<0>(words), vgetq_lane_u64::<1>(words)];
        let ([first, third], [second, fourth]) = (joined(a, b), joined(c, d));
        let ([a, b], [c, d]) = (pair(first), pair(second));
        let ([e, f], [g, h]) = (pair(third), pair(fourth));
        [a, b, c, d, e, f, g, h]
    }

    /// Exchanges the number of a row with the two lowest bits of the number of a class: the row *i*
    /// then has the classes *i* and *i* + 4, each in half of a byte.
    #[inline]
    fn exchanged_rows([a, b, c, d]: Rows) -> Rows {
        let [a, c] = exchanged::<2>(a, c, 0x33);
        let [b, d] = exchanged::<2>(b, d, 0x33);
        let [a, b] = exchanged::<1>(a, b, 0x55);
        let [c, d] = exchanged::<1>(c, d, 0x55);
        [a, b, c, d]
    }

    /// Exchanges the bits of the first vector that are not in `low`, and those of the second one
    /// that are, which are `BY` places lower.
    #[inline]
    fn exchanged<const BY: i32>(a: uint8x16_t, b: uint8x16_t, low: u8) -> [uint8x16_t; 2] {
        let low = vdupq_n_u8(low);
        [vbslq_u8(low, a, vshlq_n_u8::<BY>(b)), vbslq_u8(low, vshrq_n_u8::<BY>(a), b)]
    }

    /// Joins the lower halves of neighbouring bytes, and the upper ones: the masks of both rows for
    /// the lower class, then for the upper one.
    #[inline]
    fn joined(a: uint8x16_t, b: uint8x16_t) -> [uint64x2_t; 2] {
        let (even, odd) = (vuzp1q_u8(a, b), vuzp2q_u8(a, b));
        let (low, high) = (vsliq_n_u8::<4>(even, odd), vsriq_n_u8::<4>(odd, even));
        [vreinterpretq_u64_u8(low), vreinterpretq_u64_u8(high)]
    }

    /// The mask of the highest bit of each byte.
    #[inline]
    fn joined_rows([a, b, c, d]: Rows) -> u64 {
        let fours = vsriq_n_u8::<2>(vsriq_n_u8::<1>(d, c), vsriq_n_u8::<1>(b, a));
        let fours = vsriq_n_u8::<4>(fours, fours);
        let bytes = vshrn_n_u16::<4>(vreinterpretq_u16_u8(fours));
        vget_lane_u64::<0>(vreinterpret_u64_u8(bytes))
    }

    #[inline]
    fn string_flags(string: &[u8]) -> StringFlags {
        let Some(last) = string.last_chunk::<16>() else {
            return short_string_flags(string);
        };
        let all = vdupq_n_u8(0xFF);
        let (mut escapes, mut templates) = found(load(last), all);
        // Steps of 15 bytes: two neighbours are always together in one of the loads.
        let mut rest = string;
        while let Some(bytes) = rest.first_chunk::<16>() {
            let (escape, template) = found(load(bytes), all);
            escapes = vorrq_u8(escapes, escape);
            templates = vorrq_u8(templates, template);
            rest = &rest[15..];
        }
        flags(escapes, templates)
    }

    /// The flags of fewer than 16 bytes, from two loads; the last byte of the first load and the
    /// first byte of the second one are neighbours in the register only.
    #[inline]
    fn short_string_flags(string: &[u8]) -> StringFlags {
        let (low, high) = match (string.first_chunk::<8>(), string.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => (portable::short_word(string), 0),
        };
        let bytes = vcombine_u64(vcreate_u64(low), vcreate_u64(high));
        let pairs = vcombine_u64(vcreate_u64(!0), vcreate_u64(!0xFF));
        let (escapes, templates) =
            found(vreinterpretq_u8_u64(bytes), vreinterpretq_u8_u64(pairs));
        flags(escapes, templates)
    }

    /// The backslashes, and the braces after a marker, where `pairs` has the byte of the brace.
    #[inline]
    fn found(bytes: uint8x16_t, pairs: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
        let equal = |bytes, byte| vceqq_u8(bytes, vdupq_n_u8(byte));
        // `$` and `%` differ in the lowest bit.
        let marker = equal(vorrq_u8(bytes, vdupq_n_u8(1)), b'%');
        let before = vextq_u8::<15>(vdupq_n_u8(0), marker);
        let template = vandq_u8(vandq_u8(before, equal(bytes, b'{')), pairs);
        (equal(bytes, b'\\'), template)
    }

    #[inline]
    fn flags(escapes: uint8x16_t, templates: uint8x16_t) -> StringFlags {
        StringFlags::new(vmaxvq_u8(escapes) != 0, vmaxvq_u8(templates) != 0)
    }

    #[inline]
    fn load(bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }
}

//! The kernel of WebAssembly with SIMD: four registers of 16 bytes per block, and one mask extraction
//! per class of bytes.
//!
//! A module of WebAssembly cannot ask which instructions there are: the kernel exists if the crate is
//! compiled with `-C target-feature=+simd128`, and such a module only loads where they exist.

use std::arch::wasm32::*;

use super::block::{self, Blocks, Classes, Room};
use super::flags::StringFlags;
use super::halves::{CODE_AND_HEREDOC, ESCAPABLE, OPERATOR, Pair, QUOTED_AND_NAME, WHITE};
use super::isa::{Isa, Task};
use super::marks::Marks;
use super::portable::{self, Portable};
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens};

/// The instruction set of a module that is compiled with SIMD.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// Returns the proof. This file is compiled only with the instructions.
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// Runs `task`, in a function of its own: engines of WebAssembly compile large ones badly.
    #[inline(never)]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

impl Isa for Simd128 {
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
        let Some(last) = string.last_chunk::<16>() else {
            return portable::string_flags(string);
        };
        let mut flags = flags_of(load(last));
        // Steps of 15 bytes: two neighbours are always together in one of the loads.
        let mut rest = string;
        while let Some(bytes) = rest.first_chunk::<16>() {
            flags = flags.union(flags_of(load(bytes)));
            rest = &rest[15..];
        }
        flags
    }

    #[inline(always)]
    fn marks(self, block: &[u8; BLOCK]) -> Marks {
        let rows = rows(block);
        let first = each(rows, |bytes| common(&CODE_AND_HEREDOC, bytes));
        let second = each(rows, |bytes| common(&QUOTED_AND_NAME, bytes));
        let lacking = |found: [v128; 4], bits| {
            mask(each(found, |found| u8x16_eq(v128_and(found, u8x16_splat(bits)), u8x16_splat(0))))
        };
        let blank = |bytes| v128_or(equal(bytes, b' '), equal(bytes, b'\t'));
        Marks {
            code: !lacking(first, 0x0F),
            quoted: !lacking(second, 0x07),
            heredoc: !lacking(first, 0x30),
            dark: !mask(each(rows, blank)),
            unnamed: lacking(second, 0xF8),
        }
    }
}

impl Blocks for Simd128 {
    /// There is no such instruction.
    #[inline(always)]
    fn prefetch(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Classes {
        let rows = rows(block);
        let control = mask(each(rows, |bytes| u8x16_lt(bytes, u8x16_splat(0x20))));
        Classes {
            quote: mask(each(rows, |bytes| equal(bytes, b'"'))),
            backslash: mask(each(rows, |bytes| equal(bytes, b'\\'))),
            // Setting a bit to match brackets and braces at once also turns two control characters
            // into operators.
            operator: mask(each(rows, operators)) & !control,
            white: mask(each(rows, whites)),
            control,
            high: u64::from(u8x16_bitmask(any(rows))),
        }
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], _: u64) -> u64 {
        let none = u8x16_splat(0);
        !mask(each(rows(block), |bytes| u8x16_eq(common(&ESCAPABLE, bytes), none)))
    }

    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        Blocks::prefix_xor(Portable, mask)
    }

    #[inline(always)]
    fn flatten(self, base: u32, mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize {
        Blocks::flatten(Portable, base, mask, block, room)
    }
}

/// A block in registers.
type Rows = [v128; 4];

#[inline(always)]
fn rows(block: &[u8; BLOCK]) -> Rows {
    let (rows, _) = block.as_chunks::<16>();
    [load(&rows[0]), load(&rows[1]), load(&rows[2]), load(&rows[3])]
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Applies a function to each row. `map` of the standard library is not inlined here, and so ten times
/// slower.
#[inline(always)]
fn each([a, b, c, d]: Rows, of_row: impl Fn(v128) -> v128) -> Rows {
    [of_row(a), of_row(b), of_row(c), of_row(d)]
}

/// The bits that any byte of the rows has, by column.
#[inline(always)]
fn any([a, b, c, d]: Rows) -> v128 {
    v128_or(v128_or(a, b), v128_or(c, d))
}

/// The highest bit of each byte.
#[inline(always)]
fn mask(rows: Rows) -> u64 {
    let [a, b, c, d] = rows;
    let bits = |row| u64::from(u8x16_bitmask(row));
    bits(a) | bits(b) << 16 | bits(c) << 32 | bits(d) << 48
}

#[inline(always)]
fn equal(bytes: v128, byte: u8) -> v128 {
    u8x16_eq(bytes, u8x16_splat(byte))
}

/// Returns the entry of `table` for the low half of each byte.
#[inline(always)]
fn by_low_half(table: &[u8; 16], bytes: v128) -> v128 {
    u8x16_swizzle(load(table), v128_and(bytes, u8x16_splat(0xF)))
}

/// The bits that the halves of each byte have in common.
#[inline(always)]
fn common((low, high): &Pair, bytes: v128) -> v128 {
    v128_and(by_low_half(low, bytes), u8x16_swizzle(load(high), u8x16_shr(bytes, 4)))
}

#[inline(always)]
fn operators(bytes: v128) -> v128 {
    let folded = v128_or(bytes, u8x16_splat(b'[' ^ b'{'));
    u8x16_eq(folded, by_low_half(&OPERATOR, bytes))
}

#[inline(always)]
fn whites(bytes: v128) -> v128 {
    u8x16_eq(bytes, by_low_half(&WHITE, bytes))
}

#[inline(always)]
fn flags_of(bytes: v128) -> StringFlags {
    // `$` and `%` differ in the lowest bit.
    let marker = u8x16_bitmask(equal(v128_or(bytes, u8x16_splat(1)), b'%'));
    let brace = u8x16_bitmask(equal(bytes, b'{'));
    StringFlags::new(v128_any_true(equal(bytes, b'\\')), marker << 1 & brace != 0)
}

//! The categories of bytes that distinguish tokens from the text around them.

use std::arch::x86_64::*;

use super::lanes::with_avx512;
use super::planes::{Kept, Planes, Tables, any_of, class, planes};

/// The categories of bytes: any numbering works.
mod category {
    /// All other bytes.
    pub(super) const OTHER: u8 = 0;
    /// Completes an escape directly after a backslash, and has no meaning elsewhere: `/ b f n r t`.
    pub(super) const ESCAPABLE: u8 = 1;
    pub(super) const QUOTE: u8 = 2;
    pub(super) const BACKSLASH: u8 = 3;
    pub(super) const OPERATOR: u8 = 4;
    pub(super) const SPACE: u8 = 5;
    /// Tab, line feed, carriage return.
    pub(super) const WHITE_CONTROL: u8 = 6;
    /// Other bytes below 0x20.
    pub(super) const CONTROL: u8 = 7;
}

/// All bytes below 0x20.
const CONTROLS: [u8; 0x20] = {
    let mut bytes = [0; 0x20];
    let mut byte = 0;
    while byte < bytes.len() {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
};

static CATEGORIES: Tables = Tables::of_sets(
    category::OTHER,
    &[
        (&CONTROLS, category::CONTROL),
        (b"/bfnrt", category::ESCAPABLE),
        (b"\"", category::QUOTE),
        (b"\\", category::BACKSLASH),
        (b"{}[]:,", category::OPERATOR),
        (b" ", category::SPACE),
        (b"\t\n\r", category::WHITE_CONTROL),
    ],
);

/// The classes of the bytes in eight blocks.
#[derive(Clone, Copy)]
pub(crate) struct Classes(Planes);

with_avx512! {
    /// The classes of eight blocks of ASCII.
    #[inline]
    pub(crate) fn classes(blocks: &[__m512i; 8]) -> Classes {
        Classes(planes(blocks, &CATEGORIES))
    }

    /// Returns the blocks with every byte of 0x80 or more replaced by a byte without a meaning: a
    /// lookup uses only seven bits.
    #[inline]
    pub(crate) fn without_high_bits(mut blocks: [__m512i; 8]) -> [__m512i; 8] {
        for block in &mut blocks {
            *block = _mm512_min_epu8(*block, _mm512_set1_epi8(0x7F));
        }
        blocks
    }
}

impl Classes {
    with_avx512! {
        /// Stores the classes in memory.
        #[inline]
        pub(crate) fn store(self, kept: &mut Kept) {
            self.0.store(kept);
        }

        /// Loads stored classes.
        #[inline]
        pub(crate) fn load(kept: &Kept) -> Self {
            Self(Planes::load(kept))
        }

        /// `"`, escaped or not.
        #[inline]
        pub(super) fn quote(self) -> __m512i {
            class!(self.0, category::QUOTE)
        }

        /// `\`
        #[inline]
        pub(super) fn backslash(self) -> __m512i {
            class!(self.0, category::BACKSLASH)
        }

        /// Everything but `\`.
        #[inline]
        pub(super) fn not_backslash(self) -> __m512i {
            class!(self.0, category::OTHER, category::ESCAPABLE, category::QUOTE, category::OPERATOR, category::SPACE, category::WHITE_CONTROL, category::CONTROL)
        }

        /// `" \ / b f n r t`
        #[inline]
        pub(super) fn escapable(self) -> __m512i {
            class!(self.0, category::ESCAPABLE, category::QUOTE, category::BACKSLASH)
        }

        /// `{ } [ ] : ,`
        #[inline]
        pub(super) fn operator(self) -> __m512i {
            class!(self.0, category::OPERATOR)
        }

        /// Operators and whitespace.
        #[inline]
        pub(super) fn operator_or_white(self) -> __m512i {
            class!(self.0, category::OPERATOR, category::SPACE, category::WHITE_CONTROL)
        }

        /// Bytes below 0x20.
        #[inline]
        pub(super) fn control(self) -> __m512i {
            class!(self.0, category::WHITE_CONTROL, category::CONTROL)
        }
    }
}

//! Validates UTF-8 (RFC 3629) in bit planes, 512 bytes at once.
//!
//! The input is the steps of a text that contain bytes of 0x80 or more, and the step after each.
//! Each byte is in one of twelve categories, which are represented by four planes, as everywhere in
//! the engine. Two checks follow. Is there a continuation byte exactly where one of the three bytes
//! before requires it? And is the byte after one of the four special leading bytes in its allowed
//! range: no overlong forms, no surrogates, nothing above U+10FFFF? The planes of the previous step
//! are kept, so that borders of steps and windows do not matter.

use std::arch::x86_64::*;

use crate::scan::Rejected;
use crate::scan::avx512::planes::{FourPlanes, Tables, four_planes};
use crate::scan::avx512::{STEP, load, or, with_avx512};

/// Categories of bytes, numbered so that the sets in the rules are short.
mod category {
    /// ASCII.
    pub(super) const SINGLE: u8 = 0b0000;
    /// Continuation bytes: 0x80 to 0x8F, 0x90 to 0x9F, 0xA0 to 0xBF.
    pub(super) const LOW: u8 = 0b0001;
    pub(super) const MIDDLE: u8 = 0b0010;
    pub(super) const HIGH: u8 = 0b0011;
    /// Starts a sequence of three bytes; with bit 0, not below HIGH; with bit 1, below HIGH.
    pub(super) const THREE: u8 = 0b0100;
    pub(super) const E0: u8 = 0b0101;
    pub(super) const ED: u8 = 0b0110;
    /// Starts a sequence of two bytes.
    pub(super) const TWO: u8 = 0b1000;
    /// Invalid anywhere in UTF-8.
    pub(super) const INVALID: u8 = 0b1001;
    /// Starts a sequence of four bytes; with bit 0, not LOW; with bit 1, LOW.
    pub(super) const FOUR: u8 = 0b1100;
    pub(super) const F0: u8 = 0b1101;
    pub(super) const F4: u8 = 0b1110;
}
use category::*;

/// Indexed by the low seven bits of bytes of 0x80 or more, except 0xFF: its entry is used for
/// ASCII.
static CATEGORIES: Tables = {
    let mut categories = [INVALID; 128];
    let ranges = [
        (0x80, 0x8F, LOW),
        (0x90, 0x9F, MIDDLE),
        (0xA0, 0xBF, HIGH),
        (0xC2, 0xDF, TWO),
        (0xE0, 0xE0, E0),
        (0xE1, 0xEC, THREE),
        (0xED, 0xED, ED),
        (0xEE, 0xEF, THREE),
        (0xF0, 0xF0, F0),
        (0xF1, 0xF3, FOUR),
        (0xF4, 0xF4, F4),
        (0xFF, 0xFF, SINGLE),
    ];
    let mut range = 0;
    while range < ranges.len() {
        let (first, last, category) = ranges[range];
        let mut byte = first;
        while byte <= last {
            categories[byte - 0x80] = category;
            byte += 1;
        }
        range += 1;
    }
    Tables::new(&categories)
};

/// The state of the validation.
pub(super) struct Utf8 {
    /// The planes of the previous step.
    before: [[u64; 8]; 4],
    /// Whether that step contains more than ASCII, so that the next one must be checked.
    pub(super) goes_on: bool,
    errors: [u64; 8],
}

impl Utf8 {
    pub(super) fn new() -> Self {
        Self { before: [[0; 8]; 4], goes_on: false, errors: [0; 8] }
    }

    with_avx512! {
        /// Checks a step; `high` is set if it contains more than ASCII. A step of ASCII after a
        /// step of ASCII may be skipped.
        #[inline(never)]
        pub(super) fn look(&mut self, step: &[u8; STEP], high: bool) {
            let mut blocks = load(step);
            for block in &mut blocks {
                let without_ff = _mm512_min_epu8(*block, _mm512_set1_epi8(0xFE_u8 as i8));
                *block = _mm512_max_epu8(without_ff, _mm512_set1_epi8(0x7F));
            }
            self.judge(four_planes(&blocks, &CATEGORIES));
            self.goes_on = high;
        }

        /// Checks that the text so far is valid and, if this is the `last` step, complete.
        #[inline]
        pub(super) fn finish(&mut self, last: bool) -> Result<(), Rejected> {
            if last && self.goes_on {
                self.judge(FourPlanes::load(&[[0; 8]; 4]));
                self.goes_on = false;
            }
            if self.errors == [0; 8] { Ok(()) } else { Err(Rejected) }
        }

        #[inline]
        fn judge(&mut self, planes: FourPlanes) {
            let before = FourPlanes::load(&self.before);
            let errors = crate::scan::avx512::load_lanes(&self.errors);
            let errors = _mm512_or_si512(errors, wrong(planes, before));
            crate::scan::avx512::store(&mut self.errors, errors);
            planes.store(&mut self.before);
        }
    }
}

with_avx512! {
    /// Returns the bytes that break a rule.
    #[inline]
    fn wrong(now: FourPlanes, before: FourPlanes) -> __m512i {
        let [low, middle, high, top] = now.0;
        let blocks = now.preceding_block(before).0;
        // The bytes one before.
        let low1 = _mm512_shldi_epi64::<1>(low, blocks[0]);
        let middle1 = _mm512_shldi_epi64::<1>(middle, blocks[1]);
        let high1 = _mm512_shldi_epi64::<1>(high, blocks[2]);
        let top1 = _mm512_shldi_epi64::<1>(top, blocks[3]);

        // Continuation bytes: !a & (b | c), and not the top bit.
        let continues = _mm512_ternarylogic_epi64::<0b0000_1110>(high, middle, low);
        let continues = _mm512_andnot_si512(top, continues);
        // Leading bytes require them: of two bytes, one before: a & !b & !c; of three and four ...
        let two_before = _mm512_ternarylogic_epi64::<0b0001_0000>(top1, high1, low1);
        let high2 = _mm512_shldi_epi64::<2>(high, blocks[2]);
        let four3 = _mm512_and_si512(
            _mm512_shldi_epi64::<3>(high, blocks[2]),
            _mm512_shldi_epi64::<3>(top, blocks[3]),
        );
        let asked = _mm512_or_si512(or(two_before, high1, high2), four3);
        let misplaced = _mm512_xor_si512(continues, asked);

        // After E0 not below HIGH, after F0 not LOW: a ? !b : !(b & c)
        let too_low = _mm512_ternarylogic_epi64::<0b0011_0111>(top1, middle, low);
        // a & b & c
        let overlong = _mm512_ternarylogic_epi64::<0b1000_0000>(high1, low1, too_low);
        // After ED below HIGH, after F4 LOW: a ? b : b & c
        let too_high = _mm512_ternarylogic_epi64::<0b1100_1000>(top1, middle, low);
        let beyond = _mm512_ternarylogic_epi64::<0b1000_0000>(high1, middle1, too_high);

        // a & !b & c
        let invalid = _mm512_ternarylogic_epi64::<0b0010_0000>(top, high, low);
        _mm512_or_si512(or(misplaced, overlong, beyond), invalid)
    }
}

//! Checks escapes of four hexadecimal digits, 512 bytes at once.
//!
//! The input is the blocks of a step and the escaped bytes that are not a whole escape by
//! themselves. The results are whether each is a `u` followed by four digits, and whether one of
//! them is a surrogate. The bytes are classified again by their role in such an escape; the rule is
//! then a few shifted masks. Escapes whose digits may be in the next step are left for
//! [`escape::check_unicode`].

use std::arch::x86_64::*;

use super::lanes::{store, with_avx512};
use super::planes::{Tables, any_of, class, planes};
use crate::scan::escape;
use crate::scan::rejected::Rejected;

/// The roles of a byte in an escape.
mod category {
    pub(super) const OTHER: u8 = 0;
    /// `0` to `7`.
    pub(super) const LOW_DIGIT: u8 = 1;
    /// The other digits except `d`.
    pub(super) const HIGH_DIGIT: u8 = 2;
    /// `d` or `D`, which all surrogates start with; the second digit is then `8` or more.
    pub(super) const D: u8 = 3;
    pub(super) const U: u8 = 4;
}
use category::{D, HIGH_DIGIT, LOW_DIGIT, U};

static CATEGORIES: Tables = Tables::of_sets(
    category::OTHER,
    &[(b"01234567", LOW_DIGIT), (b"89ABCEFabcef", HIGH_DIGIT), (b"Dd", D), (b"u", U)],
);

with_avx512! {
    /// Checks the escapes of the step at `base`, whose bytes are `blocks`. Returns whether one is a
    /// surrogate.
    #[inline(never)]
    pub(super) fn check(
        text: &[u8],
        base: usize,
        blocks: &[__m512i; 8],
        escaped: __m512i,
    ) -> Result<bool, Rejected> {
        let planes = planes(blocks, &CATEGORIES);
        let u = class!(planes, U);
        let digit = class!(planes, LOW_DIGIT, HIGH_DIGIT, D);
        let high = class!(planes, HIGH_DIGIT, D);
        let d = class!(planes, D);

        // In the last four bytes, digits are missing.
        let last = _mm512_set_epi64(0xF << 60, 0, 0, 0, 0, 0, 0, 0);
        let within = _mm512_andnot_si512(last, escaped);
        let digits = _mm512_and_si512(
            _mm512_and_si512(ahead::<1>(digit), ahead::<2>(digit)),
            _mm512_and_si512(ahead::<3>(digit), ahead::<4>(digit)),
        );
        let wrong = _mm512_andnot_si512(_mm512_and_si512(u, digits), within);
        if _mm512_test_epi64_mask(wrong, wrong) != 0 {
            return Err(Rejected);
        }
        let surrogate = _mm512_and_si512(ahead::<1>(d), ahead::<2>(high));
        let surrogates = _mm512_test_epi64_mask(surrogate, within) != 0;

        if _mm512_test_epi64_mask(escaped, last) == 0 {
            return Ok(surrogates);
        }
        let mut lanes = [0; 8];
        store(&mut lanes, escaped);
        Ok(surrogates | escape::check_unicode(text, base + 7 * 64, lanes[7] & 0xF << 60)?)
    }

    /// For each byte, the bit of the byte `N` positions later; 0 past the end of the step.
    #[inline]
    fn ahead<const N: i32>(mask: __m512i) -> __m512i {
        let next_lanes = _mm512_alignr_epi64::<1>(_mm512_setzero_si512(), mask);
        _mm512_shrdi_epi64::<N>(mask, next_lanes)
    }
}

//! Finds tokens from categories: the mask algebra of [`block`](crate::scan::block), on eight blocks
//! at once.
//!
//! Each lane is computed on its own. Shifts of whole lanes bring in the bits that one block passes
//! to the next. The only chain through the eight blocks is the parity of quotes, which takes eight
//! bits.

use std::arch::x86_64::*;

use super::classify::Classes;
use super::lanes::{load_lanes, store, with_avx512};
use super::unicode;
use crate::scan::rejected::Rejected;
use crate::scan::state;

/// The state that one step passes to the next.
#[derive(Clone, Copy)]
pub(crate) struct Carry {
    /// Bit 0 of the last lane: a backslash escapes the first byte of the next step.
    escaped: __m512i,
    /// The last bit of the last lane: the last byte belongs to a scalar.
    scalar: __m512i,
    /// 1 inside a string, otherwise 0.
    in_string: u32,
}

/// The masks of a step.
pub(crate) struct Found {
    /// Tokens.
    pub(crate) tokens: __m512i,
    /// The bytes of scalars, and the byte that ends each.
    pub(crate) scalars: __m512i,
    /// Bytes that are invalid at their place.
    pub(crate) errors: __m512i,
    /// Escaped bytes that are not a whole escape: `u`, or an error.
    pub(crate) long: __m512i,
    /// Other than 0 if `errors` or `long` is not empty.
    pub(crate) suspect: u8,
}

with_avx512! {
    /// Returns the tokens of eight blocks.
    #[inline]
    pub(crate) fn tokens(classes: Classes, carry: &mut Carry) -> Found {
        let all = _mm512_set1_epi64(-1);
        let odd = _mm512_set1_epi64(0xAAAA_AAAA_AAAA_AAAA_u64 as i64);
        let backslash = classes.backslash();

        // A block that ends in an odd run of backslashes escapes the first byte of the next one.
        // The length of this run is the number of leading zeros of the complement, counted from the
        // top. Only in a block that is all backslashes does its parity depend on the previous
        // block.
        let runs = _mm512_lzcnt_epi64(classes.not_backslash());
        let mut escapes_next = _mm512_and_si512(runs, _mm512_set1_epi64(1));
        if _mm512_cmpeq_epi64_mask(backslash, all) != 0 {
            escapes_next = through_full_blocks(runs, carry.escaped);
        }
        let first_escaped = _mm512_alignr_epi64::<7>(escapes_next, carry.escaped);
        carry.escaped = escapes_next;

        // As in `block::find_escaped`. The result is XORed with the odd bits, which the next
        // instructions undo.
        let escaping = _mm512_andnot_si512(first_escaped, backslash);
        let shifted = _mm512_or_si512(_mm512_slli_epi64::<1>(escaping), odd);
        let parity = _mm512_sub_epi64(shifted, escaping);
        // a ^ (b | c)
        let escaped_xor_odd =
            _mm512_ternarylogic_epi64::<0b0001_1110>(parity, backslash, first_escaped);
        // a & !(b ^ c)
        let quote =
            _mm512_ternarylogic_epi64::<0b1001_0000>(classes.quote(), escaped_xor_odd, odd);
        // (a ^ b) & !c
        let long =
            _mm512_ternarylogic_epi64::<0b0001_0100>(escaped_xor_odd, odd, classes.escapable());

        let string = strings(quote, &mut carry.in_string);
        // a ? b : c
        let errors =
            _mm512_ternarylogic_epi64::<0b1100_1010>(string, classes.control(), backslash);
        let suspects = _mm512_or_si512(errors, long);

        // !(a | b | c)
        let scalar =
            _mm512_ternarylogic_epi64::<0b0000_0001>(classes.operator_or_white(), string, quote);
        let scalars_before = _mm512_alignr_epi64::<7>(scalar, carry.scalar);
        carry.scalar = scalar;
        let after_scalar = _mm512_shldi_epi64::<1>(scalar, scalars_before);
        // a ? b : c
        let tokens = _mm512_ternarylogic_epi64::<0b1100_1010>(string, quote, classes.operator());
        // a | b & !c
        let tokens = _mm512_ternarylogic_epi64::<0b1111_0100>(tokens, scalar, after_scalar);
        Found {
            tokens,
            scalars: _mm512_or_si512(scalar, after_scalar),
            errors,
            long,
            suspect: _mm512_test_epi64_mask(suspects, suspects),
        }
    }

    /// Returns the bytes from each opening quote up to, not including, the closing one.
    ///
    /// A carry-less product with all ones is the running parity of quotes within a block. Its last
    /// bit shows whether the block switches between inside and outside. The same prefix parity over
    /// these eight bits, by shifts in a general register, inverts the blocks that start inside.
    #[inline]
    fn strings(quote: __m512i, in_string: &mut u32) -> __m512i {
        let all = _mm512_set1_epi64(-1);
        let even_lanes = _mm512_clmulepi64_epi128::<0x00>(quote, all);
        let odd_lanes = _mm512_clmulepi64_epi128::<0x01>(quote, all);
        let parity = _mm512_unpacklo_epi64(even_lanes, odd_lanes);
        let mut inside = u32::from(_mm512_movepi64_mask(parity));
        inside ^= inside << 1;
        inside ^= inside << 2;
        inside ^= inside << 4;
        inside ^= 0u32.wrapping_sub(*in_string);
        let starts_inside = inside << 1 | *in_string;
        *in_string = inside >> 7 & 1;
        _mm512_mask_xor_epi64(parity, starts_inside as u8, parity, all)
    }

    /// Returns the parities of the runs of backslashes at the ends of the blocks. `runs` has their
    /// lengths, and some runs are whole blocks.
    #[cold]
    #[inline(never)]
    fn through_full_blocks(runs: __m512i, before: __m512i) -> __m512i {
        let (mut lanes, mut last) = ([0; 8], [0; 8]);
        store(&mut lanes, runs);
        store(&mut last, before);
        let mut escapes = last[7];
        for lane in &mut lanes {
            if *lane != 64 {
                escapes = *lane & 1;
            }
            *lane = escapes;
        }
        load_lanes(&lanes)
    }

    /// Rejects errors and invalid escapes. Returns whether one of the escapes is a surrogate.
    #[cold]
    #[inline(never)]
    pub(crate) fn check_suspects(
        text: &[u8],
        base: usize,
        blocks: &[__m512i; 8],
        found: &Found,
    ) -> Result<bool, Rejected> {
        if _mm512_test_epi64_mask(found.errors, found.errors) != 0 {
            return Err(Rejected);
        }
        unicode::check(text, base, blocks, found.long)
    }
}

impl Carry {
    with_avx512! {
        #[inline]
        pub(crate) fn new(carry: state::Carry) -> Self {
            let last_lane = |bits: u64| _mm512_set_epi64(bits as i64, 0, 0, 0, 0, 0, 0, 0);
            Self {
                escaped: last_lane(carry.escaped),
                scalar: last_lane(carry.scalar << 63),
                in_string: (carry.in_string & 1) as u32,
            }
        }

        #[inline]
        pub(crate) fn between_windows(self) -> state::Carry {
            let last_lane = |vector| {
                let lanes = _mm512_extracti64x2_epi64::<3>(vector);
                _mm_extract_epi64::<1>(lanes) as u64
            };
            state::Carry {
                in_string: 0u64.wrapping_sub(u64::from(self.in_string)),
                escaped: last_lane(self.escaped),
                scalar: last_lane(self.scalar) >> 63,
            }
        }
    }
}

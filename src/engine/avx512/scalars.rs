//! Checks numbers and literals on the dense stream of their bytes, in bit planes, 512 bytes at
//! once.
//!
//! In the stream, each scalar is followed by the byte that ended it: whitespace, operator or quote,
//! here called its *end*. The result says whether every scalar is a valid number, `true`, `false`
//! or `null`.
//!
//! Each byte is looked up in two tables: its role in a number, and which letter it is. That makes
//! two sets of [planes](crate::scan::avx512::planes), and "the byte *n* before" is a shift by *n*
//! bits, as in the [grammar](super::grammar). No branch depends on the kind or length of a scalar:
//! the planes of the previous group are kept across groups and windows. Bytes are buffered until
//! they fill a group.
//!
//! # Literals
//!
//! Each letter of `true`, `false` and `null` is determined by itself and at most three bytes before
//! it: `t`, `f` and `n` follow an end, `r` follows `t`, `u` follows `r` or `n`, an `l` follows `a`,
//! or `nu`, or `ul`, and so on. Most rules hold in both directions: the letter is there if and only
//! if those bytes precede it.
//!
//! # Numbers
//!
//! Most rules are about neighbours. Two reach further: no point follows the digits of a fraction or
//! exponent, and no exponent follows the digits of an exponent. For these, an addition finds the
//! byte after a run of digits: the carry ripples through the run, across lanes and groups.

use std::arch::x86_64::*;

use super::grammar::lanes_below;
use super::streams::GROUP;
use crate::scan::avx512::planes::{Kept, Planes, Tables, any_of, class, planes};
use crate::scan::avx512::{classify, load, or, with_avx512};
use crate::scan::{Rejected, WINDOW};

/// Room for an unfilled group, the bytes of a window and one more, and another group.
const ROOM: usize = GROUP + WINDOW + GROUP;

/// The scalar bytes that have not been checked yet.
pub(super) struct Scalars {
    pub(super) bytes: Box<[u8; ROOM]>,
    pub(super) end: usize,
    /// The planes of the previous group.
    before: [Kept; 2],
    carry: Carry,
}

/// Whether a run of digits continues from the previous group: a run of a fraction or exponent, and
/// a run of an exponent.
#[derive(Clone, Copy, Default)]
struct Carry {
    run: u32,
    power: u32,
}

/// The role of a byte in a number. An end precedes the first scalar, and all planes are zero.
mod part {
    pub(super) const END: u8 = 0;
    /// All other bytes.
    pub(super) const OTHER: u8 = 1;
    pub(super) const ZERO: u8 = 2;
    /// `1` to `9`
    pub(super) const DIGIT: u8 = 3;
    pub(super) const POINT: u8 = 4;
    /// `e` and `E`
    pub(super) const EXPONENT: u8 = 5;
    /// `+` and `-`
    pub(super) const SIGN: u8 = 6;
    /// The letter `n`, which does not fit in the other table.
    pub(super) const N: u8 = 7;
}
use part::*;

/// The letters of literals.
mod letter {
    pub(super) const NONE: u8 = 0;
    /// `t`. It also distinguishes bytes that the other table treats alike: it is set for `e`, not
    /// `E`, and for `+`, not `-`.
    pub(super) const T: u8 = 1;
    pub(super) const R_N: u8 = 2;
    pub(super) const U: u8 = 3;
    pub(super) const A: u8 = 4;
    pub(super) const L: u8 = 5;
    pub(super) const S: u8 = 6;
    pub(super) const F: u8 = 7;
}
use letter::*;

static PARTS: Tables = Tables::of_sets(
    OTHER,
    &[
        (b" \t\n\r{}[]:,\"", END),
        (b"0", ZERO),
        (b"123456789", DIGIT),
        (b".", POINT),
        (b"eE", EXPONENT),
        (b"+-", SIGN),
        (b"n", N),
    ],
);

static LETTERS: Tables = Tables::of_sets(
    NONE,
    &[(b"te+", T), (b"rn", R_N), (b"u", U), (b"a", A), (b"l", L), (b"s", S), (b"f", F)],
);

impl Scalars {
    pub(super) fn new() -> Self {
        Self {
            bytes: Box::new([0; ROOM]),
            end: 0,
            before: [[[0; 8]; 3]; 2],
            carry: Carry::default(),
        }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        self.end = 0;
        self.before = [[[0; 8]; 3]; 2];
        self.carry = Carry::default();
    }

    /// Adds the end of a scalar at the end of the text.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.bytes[self.end] = b' ';
        self.end += 1;
    }

    with_avx512! {
        /// Checks all groups that are full, and the rest if it is the `last`.
        #[inline]
        pub(super) fn check(&mut self, last: bool) -> Result<(), Rejected> {
            if self.end < GROUP && !last {
                return Ok(());
            }
            let mut before = self.before.map(|lanes| Planes::load(&lanes));
            let mut carry = self.carry;
            let mut errors = _mm512_setzero_si512();
            let count = self.end.min(ROOM - GROUP);
            let judged = if last { count.div_ceil(GROUP) } else { count / GROUP };
            let (groups, _) = self.bytes.as_chunks();
            for (i, group) in groups.iter().take(judged).enumerate() {
                let blocks = classify::without_high_bits(load(group));
                let now = [planes(&blocks, &PARTS), planes(&blocks, &LETTERS)];
                let wrong = wrong(now, before, &mut carry);
                errors = or(errors, _mm512_and_si512(wrong, lanes_below(count - GROUP * i)), errors);
                before = now;
            }
            let judged = GROUP * judged;
            self.bytes.copy_within(judged..judged + GROUP, 0);
            self.end = count.saturating_sub(judged);
            for (kept, planes) in self.before.iter_mut().zip(before) {
                planes.store(kept);
            }
            self.carry = carry;
            if _mm512_test_epi64_mask(errors, errors) == 0 { Ok(()) } else { Err(Rejected) }
        }
    }
}

with_avx512! {
    /// Returns the bytes of a group that break a rule.
    #[inline]
    fn wrong([p, l]: [Planes; 2], [p_before, l_before]: [Planes; 2], carry: &mut Carry) -> __m512i {
        let (p_lanes, l_lanes) = (p.preceding_block(p_before), l.preceding_block(l_before));
        // The bytes one, two and three before.
        let (p1, p2, p3) =
            (p.preceding::<1>(p_lanes), p.preceding::<2>(p_lanes), p.preceding::<3>(p_lanes));
        let (l1, l2) = (l.preceding::<1>(l_lanes), l.preceding::<2>(l_lanes));

        let (end, end1, end3) = (class!(p, END), class!(p1, END), class!(p3, END));
        let exponent = class!(p, EXPONENT);
        let exponent1 = class!(p1, EXPONENT);
        let u1 = class!(l1, U);

        // Letters.
        let unknown = _mm512_and_si512(class!(p, OTHER), class!(l, NONE));
        let t = _mm512_and_si512(class!(p, OTHER), class!(l, T));
        let n = class!(p, N);
        let first = _mm512_andnot_si512(end1, or(t, n, class!(l, F)));
        let t1 = _mm512_and_si512(class!(p1, OTHER), class!(l1, T));
        // (a & !b) ^ c
        let r = _mm512_ternarylogic_epi64::<0b1001_1010>(class!(l, R_N), n, t1);
        let u = _mm512_xor_si512(class!(l, U), class!(l1, R_N));
        let a = _mm512_xor_si512(class!(l, A), class!(l1, F));
        // An `l` follows `a`, and `nu`, and `ul`.
        let second_l = _mm512_and_si512(class!(l1, L), class!(l2, U));
        let l_follows = or(class!(l1, A), _mm512_and_si512(u1, end3), second_l);
        let l_ = _mm512_xor_si512(class!(l, L), l_follows);
        let s_follows = _mm512_and_si512(class!(l1, L), class!(l2, A));
        let s = _mm512_xor_si512(class!(l, S), s_follows);
        // An `e` follows `s`, and `ru`: a | b & !c
        let e_follows = _mm512_ternarylogic_epi64::<0b1111_0100>(class!(l1, S), u1, end3);
        let e = _mm512_andnot_si512(_mm512_and_si512(exponent, class!(l, T)), e_follows);
        // The end follows the last letter; if no digit precedes it, only the last letter.
        let last_e = _mm512_and_si512(exponent1, class!(l2, U, S));
        let last_l = _mm512_and_si512(class!(l1, L), class!(l2, L));
        let literal_before = _mm512_or_si512(last_e, last_l);
        let digit_or_end_before = class!(p1, END, ZERO, DIGIT);
        // (a & !b) ^ c
        let ends = _mm512_ternarylogic_epi64::<0b1001_1010>(end, digit_or_end_before, literal_before);

        // Numbers.
        let digit = class!(p, ZERO, DIGIT);
        let digit1 = class!(p1, ZERO, DIGIT);
        let point = class!(p, POINT);
        // A sign follows the exponent's letter; a minus can also start a number.
        let sign = _mm512_andnot_si512(exponent1, class!(p, SIGN));
        // a & !(b & !c)
        let sign = _mm512_ternarylogic_epi64::<0b1011_0000>(sign, end1, class!(l, T));
        // Digits must follow signs and points; a digit or a sign must follow the exponent's letter.
        let digit_missing = _mm512_andnot_si512(digit, class!(p1, SIGN, POINT));
        let power_missing = _mm512_andnot_si512(last_e, exponent1);
        let power_missing =
            _mm512_andnot_si512(class!(p, ZERO, DIGIT, SIGN), power_missing);
        // A digit precedes points and exponents: a & !b & !c
        let point_alone = _mm512_andnot_si512(digit1, point);
        let exponent_alone =
            _mm512_ternarylogic_epi64::<0b0001_0000>(exponent, e_follows, digit1);
        // No digit follows a leading zero of the integer part: a | b & c
        let zero_first = _mm512_ternarylogic_epi64::<0b1111_1000>(
            class!(p2, END),
            class!(p2, SIGN),
            end3,
        );
        // a & b & c
        let zeros = _mm512_ternarylogic_epi64::<0b1000_0000>(digit, class!(p1, ZERO), zero_first);

        // Runs of digits: of exponents, and of fractions or exponents.
        let signed = _mm512_and_si512(class!(p1, SIGN), class!(p2, EXPONENT));
        // a & (b | c)
        let power = _mm512_ternarylogic_epi64::<0b1110_0000>(digit, exponent1, signed);
        let fraction = _mm512_and_si512(digit, class!(p1, POINT));
        let after_power = after_runs(digit, power, &mut carry.power);
        let after_run = after_runs(digit, _mm512_or_si512(power, fraction), &mut carry.run);
        let second_exponent = _mm512_and_si512(exponent, after_power);
        let second_point = _mm512_and_si512(point, after_run);

        or(
            or(or(unknown, first, r), or(u, a, l_), _mm512_or_si512(s, e)),
            or(_mm512_or_si512(ends, sign), or(digit_missing, power_missing, point_alone), exponent_alone),
            or(zeros, second_exponent, second_point),
        )
    }

    /// Returns the bits after runs of ones in `runs`: after the runs whose first bits are in
    /// `starts`, and after a run that continues from the previous group.
    ///
    /// This is an addition of 512 bits that adds all lanes at once. A lane produces a carry if it
    /// overflows, or if it is all ones and receives a carry; that is an addition of eight bits.
    #[inline]
    fn after_runs(runs: __m512i, starts: __m512i, carry: &mut u32) -> __m512i {
        let sum = _mm512_add_epi64(runs, starts);
        let overflows = u32::from(_mm512_cmplt_epu64_mask(sum, runs));
        let full = u32::from(_mm512_cmpeq_epi64_mask(sum, _mm512_set1_epi64(-1)));
        let carries = (overflows << 1 | *carry) + full;
        *carry = carries >> 8;
        let ones = _mm512_set1_epi64(-1);
        let sum = _mm512_mask_sub_epi64(sum, (carries ^ full) as u8, sum, ones);
        _mm512_andnot_si512(runs, sum)
    }
}

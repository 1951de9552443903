//! Numbers and literals, on the dense stream of their bytes.
//!
//! In goes the stream of scalar bytes: each scalar is followed by the one byte that ended it, whitespace,
//! operator or quote, here called its *end*. Out comes whether all are numbers of the grammar, `true`,
//! `false` or `null`.
//!
//! A step takes 64 bytes that start with a scalar and judges all scalars that end in them; the next step
//! starts behind the last end. So nothing is carried from step to step, and no branch depends on what a
//! scalar is: every rule for every kind is a few operations on masks of bytes, most of them of the form
//! "where this is, that must be beside it". Two rules reach further than a neighbour: after a fraction's
//! digits comes an exponent or the end, after an exponent's digits the end. There an addition finds the
//! byte behind a run of digits: the carry ripples through the run.
//!
//! A scalar that does not end within 64 bytes can only be a number. It is read byte by byte, over any
//! number of windows.

use std::arch::x86_64::*;

use super::number::Number;
use super::streams::load_at;
use crate::scan::avx512::{load_block, with_avx512};
use crate::scan::{Rejected, WINDOW};

/// Bytes that a step may leave for the next window.
const LEFT: usize = 64;
/// Room for what is left, the bytes of a window, one more, and whole vectors behind them.
const ROOM: usize = LEFT + WINDOW + 2 * 64;

/// The scalar bytes that have not been judged.
pub(super) struct Scalars {
    pub(super) bytes: Box<[u8; ROOM]>,
    pub(super) end: usize,
    /// The state of a number whose first bytes have been judged.
    long: Option<Number>,
}

/// What ends scalars, by ASCII character: 0x80, otherwise 0.
static ENDS: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let bytes = b" \t\n\r{}[]:,\"";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize / 64][bytes[i] as usize % 64] = 0x80;
        i += 1;
    }
    table
};

fn is_end(byte: u8) -> bool {
    let [low, high] = &ENDS;
    match byte {
        0..64 => low[byte as usize] != 0,
        64..128 => high[byte as usize - 64] != 0,
        _ => false,
    }
}

impl Scalars {
    pub(super) fn new() -> Self {
        Self { bytes: Box::new([0; ROOM]), end: 0, long: None }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        (self.end, self.long) = (0, None);
    }

    /// Ends a scalar that the end of the text has ended.
    #[inline]
    pub(super) fn finish(&mut self) {
        if self.end < ROOM {
            self.bytes[self.end] = b' ';
            self.end += 1;
        }
    }

    with_avx512! {
        /// Goes on with the number of which `number` was read, from `at` on. Gives the index behind its
        /// end. Runs of digits are passed 64 at a time.
        #[cold]
        #[inline(never)]
        fn check_long(&mut self, mut at: usize, mut number: Number) -> Result<usize, Rejected> {
            let end = self.end.min(ROOM);
            while at < end {
                if number.is_in_digits() {
                    let run = digits(load_at(&self.bytes, at)).trailing_ones();
                    at += run as usize;
                    if run > 0 {
                        continue;
                    }
                }
                let byte = self.bytes[at];
                at += 1;
                if is_end(byte) {
                    self.long = None;
                    return if number.is_complete() { Ok(at) } else { Err(Rejected) };
                }
                number = number.next(byte);
            }
            self.long = Some(number);
            Ok(end)
        }

        /// Judges all scalars that have ended and keeps the bytes of the last one if it has not.
        #[inline]
        pub(super) fn check(&mut self) -> Result<(), Rejected> {
            let mut at = 0;
            if let Some(number) = self.long {
                at = self.check_long(0, number)?;
            }
            let mut errors = 0;
            while at < self.end {
                let bytes = load_at(&self.bytes, at);
                let present = _bzhi_u64(!0, (self.end - at).min(64) as u32);
                let ends = ends(bytes) & present;
                if ends == 0 {
                    if self.end - at < 64 {
                        break;
                    }
                    at = self.check_long(at, Number::Start)?;
                    continue;
                }
                errors |= wrong(bytes, ends);
                at += 64 - ends.leading_zeros() as usize;
            }
            if errors != 0 {
                return Err(Rejected);
            }
            // Less than 64 bytes are left.
            let left = load_at(&self.bytes, at.min(ROOM - 64));
            super::streams::store_at(&mut self.bytes, 0, left);
            self.end -= at;
            Ok(())
        }
    }
}

with_avx512! {
    /// Bytes that end scalars.
    #[inline]
    fn ends(bytes: __m512i) -> u64 {
        let [low, high] = &ENDS;
        let ends = _mm512_permutex2var_epi8(load_block(low), bytes, load_block(high));
        // The lookup has ignored the highest bit.
        _mm512_movepi8_mask(_mm512_andnot_si512(bytes, ends))
    }

    /// `0` to `9`
    #[inline]
    fn digits(bytes: __m512i) -> u64 {
        let from_zero = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'0' as i8));
        _mm512_cmplt_epu8_mask(from_zero, _mm512_set1_epi8(10))
    }

    /// Bytes that break a rule, of the scalars that start at bit 0 and behind the bits of `ends`, which
    /// are not all 0.
    #[inline]
    fn wrong(bytes: __m512i, ends: u64) -> u64 {
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let judged = !0 >> ends.leading_zeros();
        let starts = (ends << 1 | 1) & judged & !ends;

        // Literals. Which bytes belong to one is all that is needed: what is left must be numbers.
        let (a, e, l, u) = (is(b'a'), is(b'e'), is(b'l'), is(b'u'));
        let true_ = is(b't') & is(b'r') >> 1 & u >> 2 & e >> 3;
        let null = is(b'n') & u >> 1 & (l & l >> 1) >> 2;
        let four = (true_ | null) & ends >> 4 & starts;
        let false_ = is(b'f') & a >> 1 & l >> 2 & is(b's') >> 3 & e >> 4;
        let five = false_ & ends >> 5 & starts;
        let two_bytes = (four | five) | (four | five) << 1;
        let literals = two_bytes | two_bytes << 2 | five << 4;

        let number = judged & !ends & !literals;
        let digit = number & digits(bytes);
        let point = number & is(b'.');
        let exponent = number & (e | is(b'E'));
        let minus = number & is(b'-');
        let sign = minus | number & is(b'+');
        let first_minus = minus & starts;
        let behind_exponent = exponent << 1;

        // Nothing but these.
        let mut wrong = number & !(digit | point | exponent | sign);
        // A sign: a minus at the start, or either behind the exponent's letter.
        wrong |= sign & !(first_minus | behind_exponent);
        // A digit follows signs and points; a digit or a sign the exponent's letter.
        wrong |= (sign | point) << 1 & !digit;
        wrong |= behind_exponent & !(digit | sign);
        // A digit stands before points and exponents.
        wrong |= (point | exponent) & !(digit << 1);
        // No digit follows a zero that starts the integer part.
        let first_digit = starts & digit | first_minus << 1 & digit;
        wrong |= (first_digit & is(b'0')) << 1 & digit;
        // Behind the fraction's digits: the exponent or the end.
        let behind_fraction = digit.wrapping_add(point << 1) & !digit & judged;
        wrong |= behind_fraction & !(exponent | ends);
        // Behind the exponent's digits: the end.
        let power = behind_exponent & digit | (behind_exponent & sign) << 1;
        let behind_power = digit.wrapping_add(power) & !digit & judged;
        wrong | behind_power & !ends
    }
}

//! Checks the order of tokens in bit planes, 512 tokens at once.
//!
//! The input is the bytes of tokens. The results are whether their order is valid, and masks that
//! classify each token. There are eight classes, so three planes describe 512 tokens (see
//! [`planes`](crate::scan::avx512::planes)), and "the token *n* before" is a shift of the planes by
//! *n* bits. Every rule is then a few logical instructions for all tokens together.
//!
//! # Why neighbours suffice
//!
//! Whether a comma separates properties or elements depends on the innermost open container, which
//! may have started megabytes before. But the tokens around the comma show it. If the value before
//! the comma is a scalar or string, that value follows a colon in an object, and only there. The
//! second token after the comma is a colon in an object, and only there. If the two agree at every
//! comma, and a bracket that follows a scalar or string agrees with the tokens before it in the
//! same way, all members of a container are of one kind from the opening bracket to the closing
//! one. Only a comma or closing bracket that follows a *closing* bracket needs the stack of open
//! containers. [`Found`] marks these, with the type that they claim, for [`brackets`].
//!
//! # The rules
//!
//! Each rule is about a token and those before it; *v* is a scalar or string:
//!
//! 1. a value, or a string that is a name, is followed by `:` `,` or a closing bracket; anything
//!    else by a value, and an opening bracket also by a closing one;
//! 2. the types of these two brackets are equal;
//! 3. `:` follows a string,
//! 4. which follows `{` or `,`;
//! 5. `{` is followed by a string or, by rule 1, a closing bracket;
//! 6. `{` and a string are followed by `:`;
//! 7. in `: v , x y`, and in `v , x y` without the colon, *y* is `:` if the first colon is there,
//!    and only then;
//! 8. in `: v` and a closing bracket, the bracket is `}`; without the colon it is `]`.
//!
//! Before the first token of the text are the virtual tokens `: : : :`, so that a value must
//! follow, and after the last one are `, 0`, so that it must be complete. A second value at the
//! root then follows a comma after a closing bracket, where no container is open, or it follows a
//! scalar; the root's only token is then not a bracket, which the driver rejects.
//!
//! [`brackets`]: super::brackets

use std::arch::x86_64::*;

use super::streams::{FIRST, FRONT, GROUP, GROUPS, LOOK_BACK, Tokens};
use crate::scan::Rejected;
use crate::scan::avx512::planes::{Planes, Tables, any_of, class, planes};
use crate::scan::avx512::{load, store, with_avx512};

/// The classes of tokens. Rules 2 and 8 rely on the lowest bit, which is the type of a bracket.
mod class {
    pub(super) const SCALAR: u8 = 0;
    pub(super) const STRING: u8 = 1;
    pub(super) const COLON: u8 = 2;
    pub(super) const COMMA: u8 = 3;
    pub(super) const OPEN_OBJECT: u8 = 4;
    pub(super) const OPEN_ARRAY: u8 = 5;
    pub(super) const CLOSE_OBJECT: u8 = 6;
    pub(super) const CLOSE_ARRAY: u8 = 7;
}
use class::*;

static CLASSES: Tables = {
    let mut classes = [SCALAR; 128];
    classes[b'"' as usize] = STRING;
    classes[b':' as usize] = COLON;
    classes[b',' as usize] = COMMA;
    classes[b'{' as usize] = OPEN_OBJECT;
    classes[b'[' as usize] = OPEN_ARRAY;
    classes[b'}' as usize] = CLOSE_OBJECT;
    classes[b']' as usize] = CLOSE_ARRAY;
    Tables::new(&classes)
};

/// The masks of a group of tokens, 64 tokens per lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// `{ [`
    pub(super) open: [u64; 8],
    /// `} ]`
    pub(super) close: [u64; 8],
    /// All tokens except `:` and `,`.
    pub(super) value: [u64; 8],
    /// Brackets, and commas after a closing bracket.
    pub(super) symbol: [u64; 8],
    /// Commas that are not followed by a name and a colon.
    pub(super) array_comma: [u64; 8],
}

/// The masks of a window. Bit *i* is about the token at index *i*.
pub(super) type Masks = [Found; GROUPS];

/// Membership in the classes. For a set that is shorter to write by its complement, true and false
/// are swapped.
macro_rules! any {
    ($planes:expr, $($class:ident)|+) => {
        class!($planes, $($class),+)
    };
}

with_avx512! {
    /// Checks the order of the tokens in the window and of those kept from the previous one. Fills
    /// the masks of all groups with tokens.
    #[inline]
    pub(super) fn check(tokens: &Tokens, masks: &mut Masks) -> Result<(), Rejected> {
        let count = tokens.end - FRONT;
        let (groups, _) = tokens.bytes[FRONT..].as_chunks::<GROUP>();
        let mut before = Planes::zero();
        let mut errors = _mm512_setzero_si512();
        // The look-back tokens are context only.
        let mut first = _mm512_set_epi64(-1, -1, -1, -1, -1, -1, -1, -1 << LOOK_BACK);
        for (i, (group, found)) in groups.iter().zip(masks).enumerate() {
            let start = GROUP * i;
            if start >= count {
                break;
            }
            let planes = planes(&load(group), &CLASSES);
            let valid = _mm512_and_si512(first, lanes_below(count - start));
            errors = _mm512_or_si512(errors, group_errors(planes, before, valid, found));
            first = _mm512_set1_epi64(-1);
            before = planes;
        }
        if _mm512_test_epi64_mask(errors, errors) == 0 { Ok(()) } else { Err(Rejected) }
    }

    /// Returns the tokens of a group that break a rule; `before` has the tokens before the group.
    /// Bits that are not in `valid` are neither errors nor recorded in `found`.
    #[inline]
    fn group_errors(p: Planes, before: Planes, valid: __m512i, found: &mut Found) -> __m512i {
        let lanes = p.preceding_block(before);
        // The tokens one, two, three and four before.
        let q = p.preceding::<1>(lanes);
        let r = p.preceding::<2>(lanes);
        let s = p.preceding::<3>(lanes);
        let t = p.preceding::<4>(lanes);

        let colon = any!(p, COLON);
        let close = any!(p, CLOSE_OBJECT | CLOSE_ARRAY);
        let not_value = p.middle;
        let is_array = p.low;

        // 1 and 2
        let value_before = any!(q, SCALAR | STRING | CLOSE_OBJECT | CLOSE_ARRAY);
        let empty = _mm512_and_si512(any!(q, OPEN_OBJECT | OPEN_ARRAY), close);
        // (a ^ b) & !c
        let e1 = _mm512_ternarylogic_epi64::<0b0001_0100>(value_before, not_value, empty);
        // a & (b ^ c)
        let e2 = _mm512_ternarylogic_epi64::<0b0110_0000>(empty, q.low, is_array);
        // 3 and 4
        let string_before = any!(q, STRING);
        let e3 = _mm512_andnot_si512(string_before, colon);
        let e4 = _mm512_andnot_si512(any!(r, OPEN_OBJECT | COMMA), colon);
        // 5
        let not_name = any!(p, SCALAR | OPEN_OBJECT | OPEN_ARRAY);
        let e5 = _mm512_and_si512(any!(q, OPEN_OBJECT), not_name);
        // 6: a & b & !c
        let e6 = _mm512_ternarylogic_epi64::<0b0100_0000>(
            any!(r, OPEN_OBJECT),
            string_before,
            colon,
        );
        // 7
        let comma_two_before = any!(r, COMMA);
        let simple_member = _mm512_and_si512(comma_two_before, any!(s, SCALAR | STRING));
        let e7 = _mm512_ternarylogic_epi64::<0b0110_0000>(simple_member, colon, any!(t, COLON));
        // 8: a & !(b ^ c)
        let simple_close = _mm512_and_si512(close, any!(q, SCALAR | STRING));
        let e8 = _mm512_ternarylogic_epi64::<0b1001_0000>(
            simple_close,
            is_array,
            any!(r, COLON),
        );

        let open = any!(r, OPEN_OBJECT | OPEN_ARRAY);
        let close = any!(r, CLOSE_OBJECT | CLOSE_ARRAY);
        let after_close = any!(s, CLOSE_OBJECT | CLOSE_ARRAY);
        let symbol = or(open, close, _mm512_and_si512(comma_two_before, after_close));
        let value = any!(
            r,
            SCALAR | STRING | OPEN_OBJECT | OPEN_ARRAY | CLOSE_OBJECT | CLOSE_ARRAY
        );
        store(&mut found.open, _mm512_and_si512(open, valid));
        store(&mut found.close, _mm512_and_si512(close, valid));
        store(&mut found.value, _mm512_and_si512(value, valid));
        store(&mut found.symbol, _mm512_and_si512(symbol, valid));
        store(&mut found.array_comma, _mm512_andnot_si512(colon, comma_two_before));

        let errors = or(or(e1, e2, e3), or(e4, e5, e6), _mm512_or_si512(e7, e8));
        _mm512_and_si512(errors, valid)
    }

    #[inline]
    fn or(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0b1111_1110>(a, b, c)
    }

    /// The first `count` bits of 512, or all.
    #[inline]
    pub(super) fn lanes_below(count: usize) -> __m512i {
        let before = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
        let left = _mm512_sub_epi64(_mm512_set1_epi64(count as i64), before);
        let left = _mm512_max_epi64(left, _mm512_setzero_si512());
        // A shift by 64 or more leaves nothing.
        let all = _mm512_set1_epi64(-1);
        _mm512_andnot_si512(_mm512_sllv_epi64(all, left), all)
    }
}

const _: () = assert!(FIRST == FRONT + LOOK_BACK);

//! Whether brackets pair, and whether commas stand in the containers they claim to stand in.
//!
//! In go *symbols*: all brackets, and the commas that follow a closing bracket, as bytes of the text but
//! for one change: a comma that claims to stand in an array is [`ARRAY_COMMA`]. Out comes whether every
//! closing bracket and comma is of the type of the innermost open container, and one is open.
//!
//! This is the one question that needs a stack, and stacks are serial. So as few symbols as possible get
//! there. An opening bracket and a closing one right behind it are dropped together, since the grammar
//! has proved that their types are equal. A comma or closing bracket that does not follow a closing
//! bracket follows one of its own container: if the types are equal, the comma has nothing more to say.
//! Two passes of this, 64 symbols at once, leave about a fifth of the symbols of configuration.
//!
//! The stack is an array of types by depth, so that one step for all kinds of symbols needs no branch: an
//! opening bracket writes its type, the others write the type that they have read, and compare. Symbols
//! of different depth do not wait for each other.

use std::arch::x86_64::*;

use super::streams::{ROOM, load_at, store_at};
use crate::scan::Rejected;
use crate::scan::avx512::with_avx512;

// ASCII tells opening brackets from closing ones, objects from arrays, and brackets from commas by one
// bit each.
const BRACKET: u8 = 0x40;
const OPEN: u8 = 0x02;
const OBJECT: u8 = 0x20;
/// What stands for a comma in an array. A comma as it is stands for one in an object.
pub(super) const ARRAY_COMMA: u8 = b',' & !OBJECT;

const _: () = {
    const fn is(byte: u8, bits: u8) -> bool {
        byte & (BRACKET | OPEN | OBJECT) == bits
    }
    assert!(is(b'{', BRACKET | OPEN | OBJECT) && is(b'[', BRACKET | OPEN));
    assert!(is(b'}', BRACKET | OBJECT) && is(b']', BRACKET));
    assert!(is(b',', OBJECT) && is(ARRAY_COMMA, 0));
};

/// Type of no container: what stands below the outermost one.
const NONE: u8 = 1;

/// The symbols of one window.
pub(super) type Symbols = [u8; ROOM];

/// The open containers.
pub(super) struct Brackets {
    /// For each pass whether the last symbol it has seen is a closing bracket, and its type.
    last: [Last; 2],
    /// The types of the open containers, outermost first, above [`NONE`]; and room.
    stack: Vec<u8>,
    /// Length of the stack.
    top: usize,
    other: Box<Symbols>,
}

/// The symbol before those of a window.
#[derive(Clone, Copy)]
struct Last(u8);

impl Brackets {
    pub(super) fn new() -> Self {
        Self { last: [Last(b']'); 2], stack: Vec::new(), top: 1, other: Box::new([0; ROOM]) }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        // Nothing is known of what follows a closing bracket.
        self.last = [Last(b']'); 2];
        self.top = 1;
    }

    /// Takes the symbols one by one.
    #[inline]
    fn pair(&mut self, symbols: &[u8]) -> Result<(), Rejected> {
        if self.stack.len() < self.top + symbols.len() + 1 {
            self.grow(symbols.len());
        }
        let (mut top, mut errors) = (self.top, 0);
        let stack = self.stack.as_mut_slice();
        for &symbol in symbols {
            let is_bracket = usize::from((symbol / BRACKET) & 1);
            let is_open = usize::from((symbol / OPEN) & 1);
            let own = symbol & OBJECT;
            let Some(place) = stack.get_mut((top + is_open).wrapping_sub(1)) else {
                return Err(Rejected);
            };
            let found = if is_open == 1 { own } else { *place };
            errors |= found ^ own;
            *place = found;
            top = (top + 2 * is_open).wrapping_sub(is_bracket);
        }
        self.top = top;
        if errors == 0 { Ok(()) } else { Err(Rejected) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, symbols: usize) {
        let room = (self.top + symbols + 1).max(2 * self.stack.len());
        self.stack.resize(room, 0);
        self.stack[0] = NONE;
    }

    with_avx512! {
        /// Checks the first `count` symbols, which are changed.
        #[inline]
        pub(super) fn check(
            &mut self,
            symbols: &mut Symbols,
            count: usize,
        ) -> Result<(), Rejected> {
            let [first, second] = &mut self.last;
            let (count, wrong) = reduce(symbols, count, &mut self.other, first);
            let (count, wrong_too) = reduce(&self.other, count, symbols, second);
            if wrong | wrong_too != 0 {
                return Err(Rejected);
            }
            self.pair(symbols.get(..count).unwrap_or_default())
        }
    }
}

with_avx512! {
    /// One pass: gives how many symbols are left, and what is not 0 if types differ.
    #[inline]
    fn reduce(
        symbols: &Symbols,
        count: usize,
        left: &mut Symbols,
        last: &mut Last,
    ) -> (usize, u64) {
        let test = |bytes, bits: u8| _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(bits as i8));
        let (mut end, mut wrong) = (0, 0);
        let Last(mut before) = *last;
        let mut at = 0;
        while at < count {
            let bytes = load_at(symbols, at);
            let present = _bzhi_u64(!0, (count - at).min(64) as u32);
            let object = test(bytes, OBJECT);
            let open = test(bytes, OPEN) & present;
            let close = test(bytes, BRACKET) & present & !open;
            let before_is = |bits| u64::from(before & bits == bits);
            let before_closes = before_is(BRACKET) & !before_is(OPEN);
            let behind_close = close << 1 | before_closes;
            let differs = object ^ (object << 1 | before_is(OBJECT));
            wrong |= differs & present & !open & !behind_close;
            before = symbols[(at + 63).min(count - 1)];

            // Commas behind a closing bracket have been compared with nothing.
            let kept = (open | close | behind_close) & present;
            // Pairs, among what is kept.
            let pair_end = _pext_u64(open, kept) << 1 & _pext_u64(close, kept);
            let kept = _pdep_u64(!(pair_end | pair_end >> 1), kept);
            store_at(left, end, _mm512_maskz_compress_epi8(kept, bytes));
            end += kept.count_ones() as usize;
            at += 64;
        }
        *last = Last(before);
        (end, wrong)
    }
}

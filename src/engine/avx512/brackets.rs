//! Checks that brackets match, and that commas are in the type of container that their neighbours
//! imply.
//!
//! The input is *symbols*: all brackets, and the commas that follow a closing bracket. They are
//! bytes of the text, except that [`ARRAY_COMMA`] stands for a comma whose neighbours imply an
//! array. The check accepts if at each closing bracket and comma a container is open and has the
//! same type.
//!
//! Only this check needs a stack, so as few symbols as possible must reach it. A comma or closing
//! bracket that does not follow a closing bracket follows a symbol of its own container. If their
//! types are equal, such a comma is dropped, and so is a pair of brackets with nothing left between
//! them. A comma before a closing bracket is dropped, too, since both are compared. One pass over all
//! symbols, 64 at once, drops about half of them, and makes new neighbours for the next pass; after
//! four passes, one symbol in twenty of typical configuration is left. Passes stop when few symbols
//! are left, or when they drop few: in text that only goes deeper, only the innermost symbols pair.
//! Symbols are collected over several windows to amortize the start and end of these loops.
//!
//! The stack is an array of types, indexed by depth; depths are prefix sums of 64 symbols at once.
//! Consecutive opening brackets are written to it by one store. Until the next opening bracket the
//! stack does not change, so all symbols up to there are compared at once: each with the type at
//! its depth, which a permute finds in the vector below the top of the stack. The deeper the
//! nesting after the passes, the longer these runs are.

use std::arch::x86_64::*;

use super::depths::depths;
use super::streams::{ROOM, load_at, store_at};
use crate::scan::Rejected;
use crate::scan::avx512::{load_block, with_avx512};

// In ASCII, one bit distinguishes opening from closing brackets, one objects from arrays, and one
// brackets from commas.
const BRACKET: u8 = 0x40;
const OPEN: u8 = 0x02;
const OBJECT: u8 = 0x20;
/// A comma in an array. A plain comma is a comma in an object.
pub(super) const ARRAY_COMMA: u8 = b',' & !OBJECT;

const _: () = {
    const fn is(byte: u8, bits: u8) -> bool {
        byte & (BRACKET | OPEN | OBJECT) == bits
    }
    assert!(is(b'{', BRACKET | OPEN | OBJECT) && is(b'[', BRACKET | OPEN));
    assert!(is(b'}', BRACKET | OBJECT) && is(b']', BRACKET));
    assert!(is(b',', OBJECT) && is(ARRAY_COMMA, 0));
    // An opening bracket makes the stack longer by 2, a bracket shorter by 1.
    assert!(OPEN == 2);
};

/// The type below the outermost container; no container has this type.
const NONE: u8 = 0x40;
/// The number of symbols that are checked together.
const VECTOR: usize = 64;
/// As many brackets can close in a vector, before the types are compared, and a vector below the top
/// is read.
const BOTTOM: usize = 2 * VECTOR;

/// Each pair of passes moves the symbols to the other buffer and back.
const PAIRS_OF_PASSES: usize = 3;
/// So few symbols are left to the stack.
const FEW: usize = 16;
/// The number of symbols that are collected before they are checked.
const BATCH: usize = 1024;
/// Room for an incomplete batch, the symbols of a window, and one more vector.
const SYMBOLS: usize = BATCH + ROOM;

/// Symbols that have not been checked.
pub(super) struct Symbols {
    pub(super) bytes: Box<[u8; SYMBOLS]>,
    pub(super) end: usize,
}

/// The open containers.
pub(super) struct Brackets {
    /// For each pass, the type of the last symbol, and whether it is a closing bracket.
    last: [[Last; 2]; PAIRS_OF_PASSES],
    /// [`BOTTOM`] times [`NONE`], the types of the open containers, outermost first, then unused
    /// room.
    stack: Vec<u8>,
    /// The length of the stack.
    top: usize,
    /// The symbols that a pass has left.
    left: Box<[u8; SYMBOLS]>,
}

/// The symbol before those of a window.
#[derive(Clone, Copy)]
struct Last(u8);

impl Brackets {
    pub(super) fn new() -> Self {
        Self {
            last: [[Last(b']'); 2]; PAIRS_OF_PASSES],
            stack: Vec::new(),
            top: BOTTOM,
            left: Box::new([0; SYMBOLS]),
        }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        // As after a closing bracket: the first symbol is not compared with anything.
        self.last = [[Last(b']'); 2]; PAIRS_OF_PASSES];
        self.top = BOTTOM;
        if let Some(bottom) = self.stack.first_chunk_mut::<BOTTOM>() {
            *bottom = [NONE; BOTTOM];
        }
    }

    /// The open containers, outermost first: true for each object.
    pub(super) fn open(&self) -> impl Iterator<Item = bool> {
        let open = self.stack.get(BOTTOM..self.top).unwrap_or_default();
        open.iter().map(|&kind| kind == OBJECT)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, symbols: usize) {
        let room = (self.top + symbols + VECTOR).max(2 * self.stack.len());
        if self.stack.is_empty() {
            self.stack.resize(BOTTOM, NONE);
        }
        self.stack.resize(room, 0);
    }

    with_avx512! {
        /// Checks the symbols if they fill a batch, or if they are the `last`.
        #[inline]
        pub(super) fn check(&mut self, symbols: &mut Symbols, last: bool) -> Result<(), Rejected> {
            if symbols.end < BATCH && !last {
                return Ok(());
            }
            let (mut count, mut errors) = (symbols.end, 0);
            let mut pays = true;
            for [last, last_of_next] in &mut self.last {
                if !pays {
                    if let Some(&byte) = symbols.bytes[..count].last() {
                        (*last, *last_of_next) = (Last(byte), Last(byte));
                    }
                    continue;
                }
                let (left, wrong) = reduce(&symbols.bytes, count, &mut self.left, last);
                errors |= wrong;
                let (left, wrong) = reduce(&self.left, left, &mut symbols.bytes, last_of_next);
                errors |= wrong;
                pays = left > FEW && left <= count - count / 4;
                count = left;
            }
            symbols.end = 0;
            if errors != 0 {
                return Err(Rejected);
            }
            self.pair(&symbols.bytes, count)
        }

        /// Checks the remaining symbols with the stack. A separate function, so that the loop has
        /// all registers.
        #[inline(never)]
        fn pair(&mut self, symbols: &[u8; SYMBOLS], count: usize) -> Result<(), Rejected> {
            if self.stack.len() < self.top + count + VECTOR {
                self.grow(count);
            }
            let object = _mm512_set1_epi8(OBJECT as i8);
            for at in (0..count).step_by(VECTOR) {
                let bytes = load_at(symbols, at);
                let present = _bzhi_u64(!0, (count - at).min(VECTOR) as u32);
                let open = test(bytes, OPEN) & present;
                let close = test(bytes, BRACKET) & present & !open;
                // The place of each symbol's container, counted from the top of the stack.
                let levels = _mm512_add_epi8(depths(open, close), _mm512_movm_epi8(!close));
                let (bottom, mut top) = (self.top, self.top);
                let (mut wrong, mut done) = (0, 0);
                while done < VECTOR {
                    // Types after those of this run are overwritten before they are read.
                    let types = _mm512_and_si512(load_at(symbols, at + done), object);
                    self.write(top, types);
                    let opened = (open >> done).trailing_ones() as usize;
                    (top, done) = (top + opened, done + opened);
                    if done >= VECTOR {
                        break;
                    }
                    let closed = (open >> done).trailing_zeros().min(64 - done as u32);
                    let run = _bzhi_u64(!0, closed) << done;
                    let from = top - VECTOR;
                    let read = self.read(from);
                    let moved = _mm512_set1_epi8(bottom.wrapping_sub(from) as i8);
                    let places = _mm512_add_epi8(levels, moved);
                    let expected = _mm512_permutexvar_epi8(places, read);
                    let types = _mm512_and_si512(bytes, object);
                    wrong |= _mm512_mask_cmpneq_epi8_mask(run & present, expected, types);
                    top -= (close & run).count_ones() as usize;
                    done += closed as usize;
                }
                self.top = top;
                // Otherwise no bracket has closed what is not open.
                if wrong != 0 {
                    return Err(Rejected);
                }
            }
            Ok(())
        }

        #[inline]
        fn write(&mut self, at: usize, types: __m512i) {
            if let Some(room) = self.stack.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                // SAFETY: the pointer is valid for 64 bytes, and the store needs no alignment.
                unsafe { _mm512_storeu_si512(<*mut [u8; VECTOR]>::cast(room), types) }
            }
        }

        #[inline]
        fn read(&self, at: usize) -> __m512i {
            match self.stack.get(at..).and_then(<[u8]>::first_chunk) {
                Some(types) => load_block(types),
                None => _mm512_setzero_si512(),
            }
        }
    }
}

with_avx512! {
    /// The mask of the symbols with one of these bits.
    #[inline]
    fn test(symbols: __m512i, bits: u8) -> u64 {
        _mm512_test_epi8_mask(symbols, _mm512_set1_epi8(bits as i8))
    }
}

impl Symbols {
    pub(super) fn new() -> Self {
        Self { bytes: Box::new([0; SYMBOLS]), end: 0 }
    }
}

with_avx512! {
    /// Runs one pass. Returns how many symbols are left, and a value other than 0 if types differ.
    #[inline]
    fn reduce(
        symbols: &[u8; SYMBOLS],
        count: usize,
        left: &mut [u8; SYMBOLS],
        last: &mut Last,
    ) -> (usize, u64) {
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
            let after_close = close << 1 | before_closes;
            let differs = object ^ (object << 1 | before_is(OBJECT));
            wrong |= differs & present & !open & !after_close;
            before = symbols[(at + 63).min(count - 1)];

            // Commas after a closing bracket have not been compared with anything yet, unless a
            // closing bracket follows.
            let kept = (open | close | after_close & !(close >> 1)) & present;
            // Pairs among the kept symbols.
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

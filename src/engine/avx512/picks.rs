//! The picked tokens of a window, and their words as events.
//!
//! The input is the [picked](super::events) tokens: their indices, and their kinds and flags as the
//! highest byte of an event. Where two neighbours are in the text is one load for each, since their
//! positions are neighbours, too. The rest is computed for sixteen tokens at once: the offset, and
//! the number of bytes up to the next token, which is the extent of a string or scalar unless
//! whitespace follows it. An opening bracket that a closing one follows at once is linked with it:
//! most picked brackets belong to sealed containers. What remains for the
//! [sink](crate::engine::Sink) is the text of strings, whitespace, and the other brackets, for
//! which it gets a mask of 64 tokens each.

use std::arch::x86_64::*;

use super::streams::{FIRST, ROOM, Tokens, load_at};
use crate::engine::token::{Token, end_before};
use crate::lexical::is_white;
use crate::scan::avx512::{Avx512, load_block, or, string_flags, with_avx512};
use crate::word::{Event, Flags, Kind};

/// The picked tokens of a window.
pub(super) struct Picks {
    /// Their indices in the window.
    pub(super) indices: Box<[u16; ROOM]>,
    /// Their kinds and flags, and unspecified bytes after the last one.
    pub(super) kinds: Box<[u8; ROOM]>,
    /// Their positions and, in the upper halves, those of the next tokens.
    bounds: Box<[u32; ROOM]>,
    pub(super) count: usize,
}

/// The picked tokens of a window, and all tokens.
pub(crate) struct Picked<'w> {
    pub(super) picks: &'w mut Picks,
    pub(super) tokens: &'w Tokens,
}

/// The number of tokens whose masks are one word. Sixteen are written together.
pub(crate) const BATCH: usize = 64;
const LANES: usize = 16;

/// Kinds but for their lowest bit.
mod family {
    use super::Kind;

    pub(super) const STRING: u8 = Kind::String as u8;
    pub(super) const START: u8 = Kind::StartObject as u8;
    pub(super) const END: u8 = Kind::EndObject as u8;
    pub(super) const MASK: u8 = 0x0E;

    const _: () = {
        assert!(Kind::Key as u8 == STRING | 1 && STRING & !MASK == 0);
        assert!(Kind::StartArray as u8 == START | 1 && START & !MASK == 0);
        assert!(Kind::EndArray as u8 == END | 1 && END & !MASK == 0);
        // Numbers and literals are less than strings, brackets are greater.
        assert!((Kind::Number as u8) < STRING && START > STRING && END > START);
    };
}

/// The bits that make a string the name of a property.
const KEY: u8 = Kind::Key as u8 ^ Kind::String as u8;
/// The bits that make a container sealed.
const SEALED: u8 = upper(Flags::SEALED);

/// The flags as part of the highest byte of an event.
const fn upper(flags: Flags) -> u8 {
    (Event::new(Kind::Null, flags, 0, 0).to_bits() >> 56) as u8
}

/// The lower and the upper half.
#[inline(always)]
fn halves(number: u32) -> [usize; 2] {
    [number as usize & 0xFFFF, number as usize >> 16]
}

/// The kind of a value by its first byte. Other bytes than these start numbers.
static KINDS: [[u8; 64]; 2] = {
    let mut kinds = [[Kind::Number as u8; 64]; 2];
    let set = [
        (b'"', Kind::String),
        (b'{', Kind::StartObject),
        (b'}', Kind::EndObject),
        (b'[', Kind::StartArray),
        (b']', Kind::EndArray),
        (b't', Kind::True),
        (b'f', Kind::False),
        (b'n', Kind::Null),
    ];
    let mut i = 0;
    while i < set.len() {
        let (byte, kind) = set[i];
        kinds[byte as usize / 64][byte as usize % 64] = kind as u8;
        i += 1;
    }
    kinds
};

/// Alternates between the lanes of two vectors, from the first lane or from the middle on.
static ALTERNATE: [[u32; 16]; 2] = {
    let mut lanes = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        lanes[i / 16][i % 16] = (i / 2 + i % 2 * 16) as u32;
        i += 1;
    }
    lanes
};

impl Picks {
    pub(super) fn new() -> Self {
        Self {
            indices: Box::new([0; ROOM]),
            kinds: Box::new([0; ROOM]),
            bounds: Box::new([0; ROOM]),
            count: 0,
        }
    }
}

impl Picked<'_> {
    /// The number of tokens.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.picks.count
    }

    /// The tokens that start in an earlier window: at most two, the first ones.
    #[inline(always)]
    pub(crate) fn pending(&self) -> impl Iterator<Item = Token> {
        let tokens = self.tokens;
        self.picks.indices[..self.pending_count(0)].iter().map(|&index| {
            let index = usize::from(index).min(FIRST);
            Token {
                byte: tokens.bytes[index],
                offset: tokens.offset(index),
                next_byte: tokens.bytes[index + 1],
                next: tokens.offset(index + 1),
            }
        })
    }

    /// The number of pending tokens in a batch.
    #[inline(always)]
    fn pending_count(&self, batch: usize) -> usize {
        let first = &self.picks.indices[..if batch == 0 { self.picks.count.min(2) } else { 0 }];
        first.iter().filter(|&&index| usize::from(index) < FIRST).count()
    }

    /// Writes the events of all tokens, and maybe more up to the next batch. The extents of all but
    /// the innermost containers are missing, and pending tokens are wrong.
    #[inline(always)]
    pub(crate) fn write(&mut self, isa: Avx512, text: &[u8], events: &mut [Event]) {
        let _ = isa;
        // SAFETY: `isa` proves that the CPU has the features.
        unsafe { self.write_all(text, events) }
    }

    /// The brackets of a batch that are not linked yet.
    #[inline(always)]
    pub(crate) fn brackets(&self, isa: Avx512, batch: usize) -> u64 {
        let _ = isa;
        // SAFETY: `isa` proves that the CPU has the features.
        unsafe { self.find_brackets(batch) }
    }

    with_avx512! {
        /// Each loop goes over all tokens, so that none waits for stores of the one before it.
        #[inline]
        fn write_all(&mut self, text: &[u8], events: &mut [Event]) {
            self.find_bounds();
            let batches = self.picks.count.div_ceil(BATCH);
            for batch in 0..batches {
                self.read_text(text, batch);
            }
            let (all, _) = events.as_chunks_mut::<LANES>();
            for (i, events) in all.iter_mut().take(self.picks.count.div_ceil(LANES)).enumerate() {
                self.write_lanes(LANES * i, events);
            }
        }

        #[inline]
        fn find_bounds(&mut self) {
            let Picks { indices, bounds, count, .. } = &mut *self.picks;
            for (bounds, &index) in bounds.iter_mut().zip(&indices[..*count]) {
                let index = usize::from(index).min(ROOM - 2);
                let [start, next] = [index, index + 1].map(|index| self.tokens.positions[index]);
                *bounds = u32::from(start) | u32::from(next) << 16;
            }
        }

        /// Adds the flags of the strings in a batch, and removes whitespace from the ends of
        /// strings and scalars.
        #[inline]
        fn read_text(&mut self, text: &[u8], batch: usize) {
            let (family, present) = self.families(batch);
            let present = present & !_bzhi_u64(!0, self.pending_count(batch) as u32);
            let string = _mm512_set1_epi8(family::STRING as i8);
            let strings = _mm512_mask_cmpeq_epi8_mask(present, family, string);
            let scalars = _mm512_mask_cmplt_epu8_mask(present, family, string);

            let Picks { bounds, kinds, .. } = &mut *self.picks;
            let batches = (bounds.as_chunks_mut::<BATCH>().0, kinds.as_chunks_mut::<BATCH>().0);
            let (Some(bounds), Some(kinds)) = (batches.0.get_mut(batch), batches.1.get_mut(batch))
            else {
                return;
            };
            let base = self.tokens.base as usize;
            let Some(text) = text.get(base..) else { return };
            let mut left = strings;
            while left != 0 {
                let i = left.trailing_zeros() as usize % BATCH;
                left &= left - 1;
                let [start, next] = halves(bounds[i]);
                let Some(rest) = text.get(start + 1..) else { return };
                let mut len = next.wrapping_sub(start + 2);
                if rest.get(len) != Some(&b'"') {
                    let end = end_before(text, next);
                    bounds[i] = (start | end << 16) as u32;
                    len = end.wrapping_sub(start + 2);
                }
                // The slice always exists. This is a branch so that no address waits for the result.
                let Some(raw) = rest.get(..len) else { return };
                let flags = string_flags(raw);
                kinds[i] |= upper(Flags::of_string(flags.has_escape(), flags.has_template()));
            }
            let mut left = scalars;
            while left != 0 {
                let i = left.trailing_zeros() as usize % BATCH;
                left &= left - 1;
                let [start, next] = halves(bounds[i]);
                if text.get(next.wrapping_sub(1)).is_some_and(|&byte| is_white(byte)) {
                    bounds[i] = (start | end_before(text, next) << 16) as u32;
                }
            }
        }

        /// Writes the events from `at` on.
        #[inline]
        fn write_lanes(&self, at: usize, events: &mut [Event; LANES]) {
            let Some(bounds) = self.picks.bounds.get(at..).and_then(<[u32]>::first_chunk::<LANES>)
            else {
                return;
            };
            let all = |byte: u8| _mm512_set1_epi32(byte.into());
            let kinds = widen(&self.picks.kinds, at);
            let family = _mm512_and_si512(kinds, all(family::MASK));
            let next_family = _mm512_and_si512(widen(&self.picks.kinds, at + 1), all(family::MASK));
            let value = _mm512_cmple_epu32_mask(family, all(family::STRING));
            let base = _mm512_set1_epi32(self.tokens.base as i32);

            // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
            let bounds = unsafe { _mm512_loadu_si512(bounds.as_ptr().cast()) };
            let next = _mm512_srli_epi32::<16>(bounds);
            let start = _mm512_and_si512(bounds, _mm512_set1_epi32(0xFFFF));
            let offset = _mm512_add_epi32(start, base);
            let extent = _mm512_maskz_sub_epi32(value, next, start);
            // Without quotes.
            let string = _mm512_cmpeq_epi32_mask(family, all(family::STRING));
            let extent = _mm512_mask_sub_epi32(extent, string, extent, all(2));
            let ends = _mm512_cmpeq_epi32_mask(next_family, all(family::END));
            let pair = _mm512_mask_cmpeq_epi32_mask(ends, family, all(family::START));
            let extent = _mm512_mask_mov_epi32(extent, pair, all(1));

            let upper = _mm512_or_si512(_mm512_slli_epi32::<24>(kinds), extent);
            for (lanes, events) in ALTERNATE.iter().zip(events.as_chunks_mut::<8>().0) {
                // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
                let lanes = unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
                let words = _mm512_permutex2var_epi32(offset, lanes, upper);
                // SAFETY: the pointer is valid for the 64 bytes of eight events, which are words;
                // the store needs no alignment.
                unsafe { _mm512_storeu_si512(events.as_mut_ptr().cast(), words) }
            }
        }

        #[inline]
        fn find_brackets(&self, batch: usize) -> u64 {
            let (family, present) = self.families(batch);
            let start = _mm512_cmpeq_epi8_mask(family, _mm512_set1_epi8(family::START as i8));
            let end = _mm512_cmpeq_epi8_mask(family, _mm512_set1_epi8(family::END as i8));
            let pair = start & end >> 1;
            (start | end) & !(pair | pair << 1) & present
        }

        /// The families of a batch, and the mask of those that there are.
        #[inline]
        fn families(&self, batch: usize) -> (__m512i, u64) {
            let kinds = load_at(&self.picks.kinds, BATCH * batch);
            let left = self.picks.count.saturating_sub(BATCH * batch).min(BATCH);
            let family = _mm512_and_si512(kinds, _mm512_set1_epi8(family::MASK as i8));
            (family, _bzhi_u64(!0, left as u32))
        }
    }
}

with_avx512! {
    /// The kinds and flags of 64 tokens: `keys` are before a colon, `sealed` are sealed containers.
    #[inline]
    pub(super) fn kinds(tokens: __m512i, keys: u64, sealed: u64) -> __m512i {
        let [low, high] = &KINDS;
        let kinds = _mm512_permutex2var_epi8(load_block(low), tokens, load_block(high));
        let key = _mm512_maskz_set1_epi8(keys, KEY as i8);
        let sealed = _mm512_maskz_set1_epi8(sealed, SEALED as i8);
        or(kinds, key, sealed)
    }

    /// The sixteen bytes at `at` in lanes of 32 bits; zeros if they are out of bounds.
    #[inline]
    fn widen(bytes: &[u8; ROOM], at: usize) -> __m512i {
        let Some(bytes) = bytes.get(at..).and_then(<[u8]>::first_chunk::<LANES>) else {
            return _mm512_setzero_si512();
        };
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        _mm512_cvtepu8_epi32(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
}

//! The operations of the engine of [words](Words) with NEON.

use std::arch::aarch64::*;

use super::{
    BACKSLASH, CLASSES, CONTROL, HIGH, LOW, MIDDLE, Neon, Table, WHITE, any, exchanged_rows,
    joined, joined_rows, load, looked_up, masks_of, rows, with_bit, with_neon,
};
use crate::scan::block::Blocks;
use crate::scan::state::Carry;
use crate::scan::tokens::BLOCK;
use crate::scan::words::{Found, Halves, Letters, Masks, OfBlocks, STEP, Words};

impl Words for Neon {
    const COMPRESSES_MANY: bool = true;

    #[inline(always)]
    fn prefetch(self, text: &[u8], at: usize) {
        Blocks::prefetch(self, text, at);
    }

    #[inline(always)]
    fn masks(self, step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { self::masks(step, masks) }
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], escaped: u64) -> u64 {
        Blocks::escapable(self, block, escaped)
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { letters(block) }
    }

    #[inline(always)]
    fn not_empty(self, masks: &OfBlocks<u64>) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { not_empty(masks) }
    }

    #[inline(always)]
    fn strings(self, quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64> {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { strings(quotes, inside) }
    }

    #[inline(always)]
    fn find_tokens(
        self,
        masks: &Masks,
        escaped: &OfBlocks<u64>,
        carry: &mut Carry,
        found: &mut Found,
    ) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { find_tokens(masks, escaped, carry, found) }
    }

    #[inline(always)]
    fn compress<const N: usize>(self, words: [u64; N], mask: u64) -> [u64; N] {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { compress_one(words, mask) }
    }

    #[inline(always)]
    fn compress_step(
        self,
        planes: &[OfBlocks<Halves>; 3],
        masks: &OfBlocks<u64>,
        compressed: &mut [OfBlocks<u64>; 3],
    ) {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { compress_step(planes, masks, compressed) }
    }

    #[inline(always)]
    fn compress_all(self, planes: [&mut [u64]; 3], masks: &[u64]) {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { compress_all(planes, masks) }
    }

    #[inline(always)]
    fn count_at_most(self, numbers: &[u16; 8], limit: u16) -> usize {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { count_at_most(numbers, limit) }
    }

    #[inline(always)]
    fn nth(self, mask: u64, n: u32) -> u32 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { nth(mask, n) }
    }

    #[inline(always)]
    fn at_most(self, levels: i8, open: u64, close: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { at_most(levels, open, close) }
    }
}

// The classes of a row.
const _: () = assert!(WHITE == LOW + 4 && CONTROL == MIDDLE + 4 && BACKSLASH == HIGH + 4);

/// The bits of [`Letters`] that are not letters, in the order of its members.
static SIGNS: Table = {
    let digits = b"0123456789";
    let sets: [&[u8]; 8] = [b" \t\n\r{}[]:,\"", digits, b"0", b".", b"eE", b"e", b"+-", b"-"];
    with_bits([0; 128], sets)
};

/// The bits of [`Letters`] that are letters, in the order of its members.
static LETTERS: Table = with_bits([0; 128], [b"a", b"f", b"l", b"n", b"r", b"s", b"t", b"u"]);

const fn with_bits(mut table: Table, sets: [&[u8]; 8]) -> Table {
    let mut bit = 0;
    while bit < 8 {
        table = with_bit(table, sets[bit], bit);
        bit += 1;
    }
    table
}

/// How bits are compressed upwards in half a byte, by the mask of the bits that are selected: those
/// that move by one place, and those that then move by two.
const MOVES: [[u8; 16]; 2] = {
    let mut moves = [[0; 16]; 2];
    let mut mask = 0;
    while mask < 16 {
        let (mut bit, mut left) = (4, 0_u32);
        while bit > 0 {
            bit -= 1;
            if mask >> bit & 1 == 1 {
                // The bits above that are not selected.
                moves[0][mask] |= ((left & 1) as u8) << bit;
                moves[1][mask] |= ((left >> 1) as u8) << (bit + (left & 1));
            } else {
                left += 1;
            }
        }
        mask += 1;
    }
    moves
};

/// How the lower half of a byte moves to the upper one, by the mask of the upper half in bytes of
/// even places, whose bits end at the top, and by that of the lower half, plus 16, in bytes of odd
/// places, whose bits start at the bottom: the number of places, and the bits of the byte that it
/// then has.
const JOINS: ([u8; 32], [u8; 32]) = {
    let (mut places, mut bits) = ([0; 32], [0; 32]);
    let mut mask = 0_usize;
    while mask < 16 {
        let count = mask.count_ones();
        places[mask] = 4 - count as u8;
        bits[mask] = 0xFF >> count;
        places[mask + 16] = (count as i8 - 4) as u8;
        bits[mask + 16] = !(0xFF << count);
        mask += 1;
    }
    (places, bits)
};

/// Indices into the numbers of bits and, from 16 on, the negated ones: for each 16 bits, where those
/// of the neighbour end or start.
const NEIGHBOURS_16: [u8; 16] = [17, 0, 2, 0, 21, 0, 6, 0, 25, 0, 10, 0, 29, 0, 14, 0];
/// The same for each 32 bits, with indices into numbers of 16 bits.
const NEIGHBOURS_32: [u8; 16] = [18, 0, 0, 0, 4, 0, 0, 0, 26, 0, 0, 0, 12, 0, 0, 0];

with_neon! {
    #[inline]
    fn masks(step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool {
        let mut all = vdupq_n_u8(0);
        let (pairs, _) = step.as_chunks::<2>();
        for (i, [first, second]) in pairs.iter().enumerate() {
            let (first, second) = (rows(first), rows(second));
            all = vorrq_u8(all, vorrq_u8(any(first), any(second)));
            let first = exchanged_rows(looked_up(&CLASSES, first));
            let second = exchanged_rows(looked_up(&CLASSES, second));
            // The masks of both blocks side by side.
            let [low, white] = joined(first[LOW], second[LOW]);
            let [middle, control] = joined(first[MIDDLE], second[MIDDLE]);
            let [high, backslash] = joined(first[HIGH], second[HIGH]);
            set(&mut masks.planes[0], i, low);
            set(&mut masks.planes[1], i, middle);
            set(&mut masks.planes[2], i, high);
            set(&mut masks.white, i, white);
            set(&mut masks.control, i, control);
            set(&mut masks.backslash, i, backslash);
        }
        vmaxvq_u8(all) & 0x80 != 0
    }

    /// Sets the masks of the two blocks from 2 * `pair` on.
    #[inline]
    fn set(masks: &mut OfBlocks<Halves>, pair: usize, both: uint64x2_t) {
        let (pairs, _) = masks.as_chunks_mut::<2>();
        // SAFETY: the pointer is valid for 16 bytes, and the store needs no alignment.
        unsafe { vst1q_u32(pairs[pair].as_flattened_mut().as_mut_ptr(), vreinterpretq_u32_u64(both)) }
    }

    #[inline]
    fn letters(block: &[u8; BLOCK]) -> Letters {
        let rows = rows(block);
        let [end, digit, zero, point, exponent, small_e, sign, minus] =
            masks_of(looked_up(&SIGNS, rows));
        let [a, f, l, n, r, s, t, u] = masks_of(looked_up(&LETTERS, rows));
        Letters {
            end, digit, zero, point, exponent, small_e, sign, minus, a, f, l, n, r, s, t, u,
        }
    }

    /// Compresses two words of each plane by their masks.
    ///
    /// The bits of each half of a byte move to its upper end. Then halves are joined to bytes,
    /// bytes to 16 bits, and so on: of two neighbours, the bits of the lower one end at the top,
    /// and those of the upper one start at the bottom, so that they are next to each other. One
    /// shift by a variable number of places then moves both together to the top or the bottom.
    #[inline]
    fn compress<const N: usize>(planes: [uint64x2_t; N], mask: uint64x2_t) -> [uint64x2_t; N] {
        let mask = vreinterpretq_u8_u64(mask);
        let half = vdupq_n_u8(0xF);
        let (low, high) = (vandq_u8(mask, half), vshrq_n_u8::<4>(mask));

        let moves = MOVES.map(|table| {
            let table = load(&table);
            vsliq_n_u8::<4>(vqtbl1q_u8(table, low), vqtbl1q_u8(table, high))
        });
        let even = vreinterpretq_u8_u16(vdupq_n_u16(0xFF));
        let index = vbslq_u8(even, high, vorrq_u8(low, vdupq_n_u8(16)));
        let places = vreinterpretq_s8_u8(vqtbl2q_u8(pair(&JOINS.0), index));
        let from_low = vqtbl2q_u8(pair(&JOINS.1), index);

        // The numbers of bits, minus the most that there can be.
        let count = vcntq_u8(mask);
        let less = vsubq_u8(count, vdupq_n_u8(8));
        let places_of_high = vreinterpretq_s8_u8(vbicq_u8(less, even));
        let neighbours = uint8x16x2_t(less, vnegq(less));
        let of_16 = vqtbl2q_u8(neighbours, load(&NEIGHBOURS_16));
        let of_16 = vreinterpretq_s16_u8(of_16);

        let count = vpaddlq_u8(count);
        let less = vreinterpretq_u8_u16(vsubq_u16(count, vdupq_n_u16(16)));
        let neighbours = uint8x16x2_t(less, vnegq(less));
        let of_32 = vreinterpretq_s32_u8(vqtbl2q_u8(neighbours, load(&NEIGHBOURS_32)));

        let count = vpaddlq_u16(count);
        let less = vsubq_u32(count, vdupq_n_u32(32));
        let of_64 = vreinterpretq_s64_u32(less);

        planes.map(|plane| {
            let mut bits = vandq_u8(vreinterpretq_u8_u64(plane), mask);
            bits = vaddq_u8(bits, vandq_u8(bits, moves[0]));
            bits = vmlaq_u8(bits, vandq_u8(bits, moves[1]), vdupq_n_u8(3));
            bits = vbslq_u8(from_low, vshlq_u8(bits, places), vshlq_u8(bits, places_of_high));
            let bits = vshlq_u16(vreinterpretq_u16_u8(bits), of_16);
            let bits = vshlq_u32(vreinterpretq_u32_u16(bits), of_32);
            vshlq_u64(vreinterpretq_u64_u32(bits), of_64)
        })
    }

    /// Compresses one word of each plane: two planes at a time.
    #[inline]
    fn compress_one<const N: usize>(words: [u64; N], mask: u64) -> [u64; N] {
        let mask = vdupq_n_u64(mask);
        let mut compressed = words;
        for words in compressed.chunks_mut(2) {
            if let [a, b] = words {
                let [both] = compress([both(*a, *b)], mask);
                (*a, *b) = (vgetq_lane_u64::<0>(both), vgetq_lane_u64::<1>(both));
            } else if let [a] = words {
                let [both] = compress([vdupq_n_u64(*a)], mask);
                *a = vgetq_lane_u64::<0>(both);
            }
        }
        compressed
    }

    #[inline]
    fn compress_step(
        planes: &[OfBlocks<Halves>; 3],
        masks: &OfBlocks<u64>,
        compressed: &mut [OfBlocks<u64>; 3],
    ) {
        let (masks, _) = masks.as_chunks::<2>();
        for (i, masks) in masks.iter().enumerate() {
            let planes = [0, 1, 2].map(|plane: usize| {
                let (pairs, _) = planes[plane].as_chunks::<2>();
                load_halves(&pairs[i])
            });
            let found = compress(planes, load_words(masks));
            for (place, found) in compressed.iter_mut().zip(found) {
                let (pairs, _) = place.as_chunks_mut::<2>();
                store_words(&mut pairs[i], found);
            }
        }
    }

    /// Two words at a time.
    #[inline]
    fn compress_all([low, middle, high]: [&mut [u64]; 3], masks: &[u64]) {
        let (masks, last) = masks.as_chunks::<2>();
        let (lows, last_low) = low.as_chunks_mut::<2>();
        let (middles, last_middle) = middle.as_chunks_mut::<2>();
        let (highs, last_high) = high.as_chunks_mut::<2>();
        for (((low, middle), high), mask) in lows.iter_mut().zip(middles).zip(highs).zip(masks) {
            let planes = [load_words(low), load_words(middle), load_words(high)];
            let [a, b, c] = compress(planes, load_words(mask));
            store_words(low, a);
            store_words(middle, b);
            store_words(high, c);
        }
        if let ([low], [middle], [high], [mask]) = (last_low, last_middle, last_high, last) {
            [*low, *middle, *high] = compress_one([*low, *middle, *high], *mask);
        }
    }

    #[inline]
    fn load_words(words: &[u64; 2]) -> uint64x2_t {
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        unsafe { vld1q_u64(words.as_ptr()) }
    }

    #[inline]
    fn load_halves(words: &[Halves; 2]) -> uint64x2_t {
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        vreinterpretq_u64_u32(unsafe { vld1q_u32(words.as_flattened().as_ptr()) })
    }

    #[inline]
    fn store_words(place: &mut [u64; 2], words: uint64x2_t) {
        // SAFETY: the pointer is valid for 16 bytes, and the store needs no alignment.
        unsafe { vst1q_u64(place.as_mut_ptr(), words) }
    }

    /// The numbers ascend.
    #[inline]
    fn count_at_most(numbers: &[u16; 8], limit: u16) -> usize {
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        let numbers = unsafe { vld1q_u16(numbers.as_ptr()) };
        let more = vcgtq_u16(numbers, vdupq_n_u16(limit));
        // One byte for each number, then the place of the first one that is more.
        let more = vget_lane_u64::<0>(vreinterpret_u64_u8(vmovn_u16(more)));
        (more.trailing_zeros() / 8) as usize
    }

    #[inline]
    fn both(low: u64, high: u64) -> uint64x2_t {
        vcombine_u64(vcreate_u64(low), vcreate_u64(high))
    }

    #[inline]
    fn vnegq(bytes: uint8x16_t) -> uint8x16_t {
        vreinterpretq_u8_s8(vnegq_s8(vreinterpretq_s8_u8(bytes)))
    }

    #[inline]
    fn pair(table: &[u8; 32]) -> uint8x16x2_t {
        // SAFETY: the pointer is valid for 32 bytes, and the load needs no alignment.
        unsafe { vld1q_u8_x2(table.as_ptr()) }
    }

    /// Prefix sums of 1 for an opening and -1 for a closing bracket, in bytes. The token 4*i* + *j* is
    /// in the lane *i* of the vector *j*, so that sums over lanes are needed only once.
    #[inline]
    fn at_most(levels: i8, open: u64, close: u64) -> u64 {
        let (open, close) = (spread(open), spread(close));
        let steps = [0, 1, 2, 3].map(|j: usize| vsubq_s8(close[j], open[j]));
        let first = steps[0];
        let second = vaddq_s8(first, steps[1]);
        let third = vaddq_s8(second, steps[2]);
        let fourth = vaddq_s8(third, steps[3]);
        let zero = vdupq_n_s8(0);
        let mut before = vextq_s8::<15>(zero, fourth);
        before = vaddq_s8(before, vextq_s8::<15>(zero, before));
        before = vaddq_s8(before, vextq_s8::<14>(zero, before));
        before = vaddq_s8(before, vextq_s8::<12>(zero, before));
        before = vaddq_s8(before, vextq_s8::<8>(zero, before));
        // An opening bracket is not inside itself.
        let levels = vqsubq_s8(vdupq_n_s8(levels), before);
        let sums = [first, second, third, fourth];
        joined_rows([0, 1, 2, 3].map(|j: usize| vcleq_s8(vaddq_s8(sums[j], open[j]), levels)))
    }

    /// All ones in the bytes of the bits that are set: of the bits 4*i* + *j* in the lane *i* of the
    /// vector *j*.
    #[inline]
    fn spread(bits: u64) -> [int8x16_t; 4] {
        const BYTES: [u8; 16] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
        let bits = vreinterpretq_u8_u64(vdupq_n_u64(bits));
        let bits = vqtbl1q_u8(bits, load(&BYTES));
        [0x1001, 0x2002, 0x4004, 0x8008].map(|place| {
            vreinterpretq_s8_u8(vtstq_u8(bits, vreinterpretq_u8_u16(vdupq_n_u16(place))))
        })
    }

    /// A byte for each mask, and then a bit.
    #[inline]
    fn not_empty(masks: &OfBlocks<u64>) -> u64 {
        const PLACES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let (pairs, _) = masks.as_chunks::<2>();
        let narrow = |i: usize| {
            let [a, b] = [2 * i, 2 * i + 1].map(|pair: usize| {
                let [low, high] = pairs[pair];
                let both = vcombine_u64(vcreate_u64(low), vcreate_u64(high));
                vreinterpretq_u32_u64(vtstq_u64(both, both))
            });
            vreinterpretq_u16_u32(vuzp1q_u32(a, b))
        };
        let first = vreinterpretq_u8_u16(vuzp1q_u16(narrow(0), narrow(1)));
        let second = vreinterpretq_u8_u16(vuzp1q_u16(narrow(2), narrow(3)));
        let bits = vandq_u8(vuzp1q_u8(first, second), load(&PLACES));
        u64::from(vaddv_u8(vget_low_u8(bits))) | u64::from(vaddv_u8(vget_high_u8(bits))) << 8
    }

    #[inline]
    fn strings(quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64> {
        let mut strings = [0; STEP];
        let mut before = vdupq_n_u64(*inside);
        let (pairs, _) = quotes.as_chunks::<2>();
        let (places, _) = strings.as_chunks_mut::<2>();
        for (pair, place) in pairs.iter().zip(places) {
            store_words(place, strings_of_two(load_words(pair), &mut before));
        }
        *inside = vgetq_lane_u64::<0>(before);
        strings
    }

    /// The parity of the quotes up to each byte of two blocks. `before` is all ones if the first one
    /// starts inside a string, otherwise 0, and is set for the block after them.
    #[inline]
    fn strings_of_two(quotes: uint64x2_t, before: &mut uint64x2_t) -> uint64x2_t {
        let mut parity = quotes;
        parity = veorq_u64(parity, vshlq_n_u64::<1>(parity));
        parity = veorq_u64(parity, vshlq_n_u64::<2>(parity));
        parity = veorq_u64(parity, vshlq_n_u64::<4>(parity));
        parity = veorq_u64(parity, vshlq_n_u64::<8>(parity));
        parity = veorq_u64(parity, vshlq_n_u64::<16>(parity));
        parity = veorq_u64(parity, vshlq_n_u64::<32>(parity));
        // The second block starts inside a string if the first one is odd.
        parity = veorq_u64(parity, vextq_u64::<1>(vdupq_n_u64(0), ends(parity)));
        parity = veorq_u64(parity, *before);
        *before = vdupq_laneq_u64::<1>(ends(parity));
        parity
    }

    /// Two blocks at a time, all in registers.
    #[inline]
    fn find_tokens(
        masks: &Masks,
        escaped: &OfBlocks<u64>,
        carry: &mut Carry,
        found: &mut Found,
    ) -> u64 {
        let mut inside = vdupq_n_u64(carry.in_string);
        let mut bad = vdupq_n_u64(0);
        // In its upper half, whether the block before ends with a byte of a scalar.
        let mut last = vdupq_n_u64(carry.scalar);
        let (escaped, _) = escaped.as_chunks::<2>();
        let (tokens, _) = found.tokens.as_chunks_mut::<2>();
        let (scalars, _) = found.scalars.as_chunks_mut::<2>();
        let (escapes, _) = found.escapes.as_chunks_mut::<2>();
        let places = tokens.iter_mut().zip(scalars).zip(escapes);
        for (i, (((tokens, scalars), escapes), escaped)) in places.zip(escaped).enumerate() {
            let of = |masks: &OfBlocks<Halves>| load_halves(&masks.as_chunks().0[i]);
            let [low, middle, high] = &masks.planes;
            let escaped = load_words(escaped);
            let operator = vorrq_u64(of(middle), of(high));
            let quote = vbicq_u64(of(low), operator);
            let known = vorrq_u64(quote, of(&masks.backslash));
            store_words(escapes, vbicq_u64(escaped, known));
            let quote = vbicq_u64(quote, escaped);
            let string = strings_of_two(quote, &mut inside);
            bad = vorrq_u64(bad, vandq_u64(of(&masks.control), vorrq_u64(string, operator)));

            let other = vorrq_u64(vorrq_u64(operator, of(&masks.white)), vorrq_u64(string, quote));
            let scalar = veorq_u64(other, vdupq_n_u64(!0));
            let ends = vshrq_n_u64::<63>(scalar);
            let after = vorrq_u64(vshlq_n_u64::<1>(scalar), vextq_u64::<1>(last, ends));
            last = ends;
            let start = vbslq_u64(string, quote, operator);
            store_words(tokens, vorrq_u64(start, vbicq_u64(scalar, after)));
            store_words(scalars, vorrq_u64(scalar, after));
        }
        carry.in_string = vgetq_lane_u64::<0>(inside);
        carry.scalar = vgetq_lane_u64::<1>(last);
        vgetq_lane_u64::<0>(bad) | vgetq_lane_u64::<1>(bad)
    }

    /// The highest bit of each half in all of its bits.
    #[inline]
    fn ends(words: uint64x2_t) -> uint64x2_t {
        vreinterpretq_u64_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u64(words)))
    }

    /// Finds the byte by the numbers of bits up to the end of each byte, and the bit in it by a table.
    #[inline]
    fn nth(mask: u64, n: u32) -> u32 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x8080_8080_8080_8080;
        let n = u64::from(n) & 63;
        let counts = vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(mask))));
        // At most 64 in each byte.
        let sums = counts.wrapping_mul(ONES);
        // The highest bit of the bytes whose sums are more than `n`.
        let more = !(n.wrapping_mul(ONES) | TOPS).wrapping_sub(sums) & TOPS;
        let byte = more.trailing_zeros() & 0x38;
        let before = (sums << 8 >> byte) & 0xFF;
        let bits = (mask >> byte) & 0xFF;
        let rest = (n - before) & 7;
        byte + u32::from(NTH[rest as usize][bits as usize])
    }
}

/// The place of the set bit that has *n* set bits below it: `NTH[n][byte]`, 0 if there is no such bit.
static NTH: [[u8; 256]; 8] = {
    let mut places = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[count][byte] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

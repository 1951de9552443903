//! The operations of the engine of [words](Words) with AVX2 and BMI2.

use std::arch::x86_64::*;

use super::{Avx2, common, escapable, halves, lacking, load_half, lookup, mask, with_avx2};
use crate::scan::halves::UNITS;
use crate::scan::tokens::BLOCK;
use crate::scan::words::{
    GROUP, Halves, Letters, LettersOf, Masks, OfBlocks, STEP, Units, Words, kind, whole,
};

impl Words for Avx2 {
    const COMPRESSES_MANY: bool = false;

    #[inline(always)]
    fn prefetch(self, text: &[u8], at: usize) {
        crate::scan::block::Blocks::prefetch(self, text, at);
    }

    #[inline(always)]
    fn masks(self, step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { self::masks(step, masks) }
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], _: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { escapable(block) }
    }

    #[inline(always)]
    fn units(self, block: &[u8; BLOCK]) -> Option<Units> {
        // SAFETY: `self` proves that the CPU has the features.
        Some(unsafe { units(block) })
    }

    #[inline(always)]
    fn not_empty(self, masks: &OfBlocks<u64>) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { not_empty(masks) }
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { letters(block) }
    }

    #[inline(always)]
    fn letters_of(self, blocks: &[[u8; BLOCK]; GROUP], letters: &mut LettersOf) {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { letters_of(blocks, letters) }
    }

    #[inline(always)]
    fn strings(self, quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64> {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { strings(quotes, inside) }
    }

    #[inline(always)]
    fn compress<const N: usize>(self, words: [u64; N], mask: u64) -> [u64; N] {
        let mut found = [0; N];
        for (found, word) in found.iter_mut().zip(words) {
            // SAFETY: `self` proves that the CPU has the features.
            *found = unsafe { compress(word, mask) };
        }
        found
    }

    #[inline(always)]
    fn nth(self, mask: u64, n: u32) -> u32 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { nth(mask, n) }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { deposit(bits, mask) }
    }

    #[inline(always)]
    fn at_most(self, levels: i8, open: u64, close: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { at_most(levels, open, close) }
    }
}

/// For each low half of a byte, the operator or quote with that half, or 0. The bit that
/// distinguishes `{` from `[` and `}` from `]` is set.
///
/// The lookup treats bytes of 0x80 and more as 0, and no byte with that bit set equals 0.
const SPECIAL: [u8; 16] = {
    let mut table = [0; 16];
    table[0x2] = b'"';
    table[0xA] = b':';
    table[0xB] = b'{';
    table[0xC] = b',';
    table[0xD] = b'}';
    table
};

/// For each of these bytes, its class in the highest three bits, XORed with the byte itself: the
/// XOR with the byte then also inverts the lowest bit of the class for `[` and `]`.
const KINDS: [u8; 16] = {
    let classes = [
        (b'"', kind::STRING),
        (b':', kind::COLON),
        (b'{', kind::OPEN_OBJECT),
        (b',', kind::COMMA),
        (b'}', kind::CLOSE_OBJECT),
    ];
    let mut table = [0; 16];
    let mut i = 0;
    while i < classes.len() {
        let (byte, class) = classes[i];
        table[(byte & 0xF) as usize] = class << 5 ^ byte;
        i += 1;
    }
    table
};

/// For each low half of a byte: the byte that has it and a number, or a byte with another half; and
/// its number, in the highest three bits.
const fn numbered<const N: usize>(bytes: [(u8, u8); N]) -> ([u8; 16], [u8; 16]) {
    // No byte below 0x80 is 0xFF, and a lookup of the others gives 0.
    let (mut found, mut numbers) = ([0xFF; 16], [0; 16]);
    let mut i = 0;
    while i < N {
        let (byte, number) = bytes[i];
        found[(byte & 0xF) as usize] = byte;
        numbers[(byte & 0xF) as usize] = number << 5;
        i += 1;
    }
    (found, numbers)
}

/// The letters of literals. An `e` can also belong to a number.
static LETTERS: ([u8; 16], [u8; 16]) = numbered([
    (b'a', 0),
    (b'f', 1),
    (b'l', 2),
    (b'n', 3),
    (b'r', 4),
    (b's', 5),
    (b't', 6),
    (b'u', 7),
]);

/// The bytes of numbers besides digits: bit 2 is set for signs.
static SIGNS: ([u8; 16], [u8; 16]) =
    numbered([(b'0', 1), (b'e', 2), (b'.', 3), (b'+', 4), (b'-', 5)]);

const _: () = {
    // Brackets and braces differ in the bit 0x20, which is the lowest bit of their classes.
    assert!(
        kind::OPEN_ARRAY == kind::OPEN_OBJECT + 1 && kind::CLOSE_ARRAY == kind::CLOSE_OBJECT + 1
    );
    assert!(kind::SCALAR == 0);
};

/// For the parities of the quotes of four blocks, and in bit 4 whether the first one starts inside a
/// string: all ones for the blocks that do.
static INSIDE: [[i64; 4]; 32] = {
    let mut table = [[0; 4]; 32];
    let mut i = 0;
    while i < 32 {
        let mut inside = i >> 4 & 1;
        let mut block = 0;
        while block < 4 {
            table[i][block] = -(inside as i64);
            inside ^= i >> block & 1;
            block += 1;
        }
        i += 1;
    }
    table
};

with_avx2! {
    /// Looks for control characters if the last step has made it likely that there are some.
    #[inline]
    fn masks(step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool {
        let mut all = _mm256_setzero_si256();
        if masks.is_mixed {
            all = planes::<true>(step, masks);
        } else {
            let least = planes::<false>(step, masks);
            if _mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), least)) == 0 {
                return false;
            }
            for (i, block) in step.iter().enumerate() {
                let [low, high] = halves(block);
                masks.control[i] = bits(controls(low), controls(high));
                all = _mm256_or_si256(all, _mm256_or_si256(low, high));
            }
        }
        let controls = masks.control.iter().fold(0, |all, &[low, high]| all | low | high);
        let is_high = _mm256_movemask_epi8(all) != 0;
        masks.is_mixed = is_high || controls != 0;
        is_high
    }

    /// Finds the masks of a step; those of control characters only if they are asked for. Returns
    /// the bits of all bytes, otherwise the least bytes, where those of 0x80 and more count as
    /// negative.
    #[inline]
    fn planes<const CONTROLS: bool>(step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> __m256i {
        let start = if CONTROLS { 0 } else { i8::MAX };
        let mut all = _mm256_set1_epi8(start);
        for (i, block) in step.iter().enumerate() {
            let [low, high] = halves(block);
            let (first, second) = (kinds(low), kinds(high));
            let (first_2, second_2) = (doubled(first), doubled(second));
            let (first_4, second_4) = (doubled(first_2), doubled(second_2));
            masks.planes[0][i] = bits(first_4, second_4);
            masks.planes[1][i] = bits(first_2, second_2);
            masks.planes[2][i] = bits(first, second);
            masks.white[i] = bits(super::whites(low), super::whites(high));
            masks.backslash[i] = bits(super::equal(low, b'\\'), super::equal(high, b'\\'));
            if CONTROLS {
                masks.control[i] = bits(controls(low), controls(high));
                all = _mm256_or_si256(all, _mm256_or_si256(low, high));
            } else {
                all = _mm256_min_epi8(all, _mm256_min_epi8(low, high));
            }
        }
        all
    }

    /// One bit per byte of both halves of a block.
    #[inline]
    fn bits(low: __m256i, high: __m256i) -> Halves {
        [_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32]
    }

    /// The class of each byte in its highest three bits.
    #[inline]
    fn kinds(bytes: __m256i) -> __m256i {
        let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let special = _mm256_cmpeq_epi8(folded, lookup(&SPECIAL, bytes));
        _mm256_and_si256(special, _mm256_xor_si256(lookup(&KINDS, bytes), bytes))
    }

    #[inline]
    fn doubled(bytes: __m256i) -> __m256i {
        _mm256_add_epi8(bytes, bytes)
    }

    /// Sets the highest bit of each byte below 0x20.
    #[inline]
    fn controls(bytes: __m256i) -> __m256i {
        _mm256_subs_epu8(_mm256_set1_epi8(0x9F_u8 as i8), bytes)
    }

    /// The parity of the quotes up to each byte, in four blocks at a time. The parities of whole
    /// blocks then show which blocks start inside a string.
    #[inline]
    fn strings(quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64> {
        let mut strings = [0; STEP];
        let mut starts_inside = (*inside & 1) as usize;
        let (groups, _) = quotes.as_chunks::<4>();
        let (places, _) = strings.as_chunks_mut::<4>();
        for (group, place) in groups.iter().zip(places) {
            let [a, b, c, d] = group.map(|mask| mask as i64);
            let mut parity = _mm256_set_epi64x(d, c, b, a);
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<1>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<2>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<4>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<8>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<16>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<32>(parity));
            let odd = _mm256_movemask_pd(_mm256_castsi256_pd(parity)) as usize;
            let [a, b, c, d] = INSIDE[(odd | starts_inside << 4) % 32];
            let inverted = _mm256_xor_si256(parity, _mm256_set_epi64x(d, c, b, a));
            let words = [
                _mm256_extract_epi64::<0>(inverted),
                _mm256_extract_epi64::<1>(inverted),
                _mm256_extract_epi64::<2>(inverted),
                _mm256_extract_epi64::<3>(inverted),
            ];
            *place = words.map(|word| word as u64);
            starts_inside ^= odd.count_ones() as usize & 1;
        }
        *inside = 0u64.wrapping_sub(starts_inside as u64);
        strings
    }

    #[inline]
    fn compress(word: u64, mask: u64) -> u64 {
        _pext_u64(word, mask)
    }

    #[inline]
    fn deposit(bits: u64, mask: u64) -> u64 {
        _pdep_u64(bits, mask)
    }

    #[inline]
    fn nth(mask: u64, n: u32) -> u32 {
        _tzcnt_u64(_pdep_u64(1 << (n & 63), mask)) as u32
    }

    #[inline]
    fn units(block: &[u8; BLOCK]) -> Units {
        let [low, high] = halves(block);
        let (low, high) = (common(&UNITS, low), common(&UNITS, high));
        // The bit of a byte that becomes its highest.
        let d = mask(_mm256_slli_epi16::<4>(low), _mm256_slli_epi16::<4>(high));
        let u = mask(_mm256_slli_epi16::<3>(low), _mm256_slli_epi16::<3>(high));
        Units {
            u,
            digit: !mask(lacking(low, 1 | 2 | 4), lacking(high, 1 | 2 | 4)),
            upper: !mask(lacking(low, 2 | 4), lacking(high, 2 | 4)),
            d,
        }
    }

    /// Compares four masks at a time.
    #[inline]
    fn not_empty(masks: &OfBlocks<u64>) -> u64 {
        let mut bits = 0;
        let (groups, _) = masks.as_chunks::<4>();
        for (i, &[a, b, c, d]) in groups.iter().enumerate() {
            let group = _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64);
            let empty = _mm256_cmpeq_epi64(group, _mm256_setzero_si256());
            bits |= (_mm256_movemask_pd(_mm256_castsi256_pd(empty)) as u64) << (4 * i);
        }
        !bits & ((1 << STEP) - 1)
    }

    /// The letters of literals, and zeros, points, signs and `e` get a number in three bits each.
    #[inline]
    fn letters_of(blocks: &[[u8; BLOCK]; GROUP], letters: &mut LettersOf) {
        let mut codes = [[[0; 2]; GROUP]; 10];
        for (i, block) in blocks.iter().enumerate() {
            let [low, high] = halves(block);
            let folded = _mm256_set1_epi8(0x20);
            let (low_2, high_2) = (_mm256_or_si256(low, folded), _mm256_or_si256(high, folded));
            codes[0][i] = bits(ends(low), ends(high));
            codes[1][i] = bits(digits(low), digits(high));
            codes[2][i] = bits(super::equal(low_2, b'e'), super::equal(high_2, b'e'));
            let [low_letter, high_letter] =
                [low, high].map(|it| _mm256_cmpeq_epi8(it, lookup(&LETTERS.0, it)));
            codes[3][i] = bits(low_letter, high_letter);
            let first = _mm256_and_si256(low_letter, lookup(&LETTERS.1, low));
            let second = _mm256_and_si256(high_letter, lookup(&LETTERS.1, high));
            let (first_2, second_2) = (doubled(first), doubled(second));
            codes[4][i] = bits(doubled(first_2), doubled(second_2));
            codes[5][i] = bits(first_2, second_2);
            codes[6][i] = bits(first, second);
            let [low_sign, high_sign] =
                [low, high].map(|it| _mm256_cmpeq_epi8(it, lookup(&SIGNS.0, it)));
            let first = _mm256_and_si256(low_sign, lookup(&SIGNS.1, low));
            let second = _mm256_and_si256(high_sign, lookup(&SIGNS.1, high));
            let (first_2, second_2) = (doubled(first), doubled(second));
            codes[7][i] = bits(doubled(first_2), doubled(second_2));
            codes[8][i] = bits(first_2, second_2);
            codes[9][i] = bits(first, second);
        }
        // This loop becomes vectors of several blocks.
        #[allow(clippy::needless_range_loop, reason = "one index for all arrays")]
        for k in 0..GROUP {
            let code = |plane: usize| whole(codes[plane][k]);
            letters.end[k + 1] = code(0);
            letters.digit[k + 1] = code(1);
            letters.exponent[k + 1] = code(2);
            let letter = code(3);
            let (low, middle, high) = (code(4), code(5), code(6));
            let (first, last) = (letter & !high, high);
            letters.a[k + 1] = first & !middle & !low;
            letters.f[k + 1] = first & !middle & low;
            letters.l[k + 1] = first & middle & !low;
            letters.n[k + 1] = first & middle & low;
            letters.r[k + 1] = last & !middle & !low;
            letters.s[k + 1] = last & !middle & low;
            letters.t[k + 1] = last & middle & !low;
            letters.u[k + 1] = last & middle & low;
            let (low, middle, high) = (code(7), code(8), code(9));
            letters.zero[k + 1] = low & !middle & !high;
            letters.point[k + 1] = low & middle;
            letters.small_e[k + 1] = middle & !low;
            letters.sign[k + 1] = high;
            letters.minus[k + 1] = high & low;
        }
    }

    #[inline]
    fn letters(block: &[u8; BLOCK]) -> Letters {
        let mut all = LettersOf::default();
        letters_of(&[*block; GROUP], &mut all);
        let LettersOf {
            end, digit, zero, point, exponent, small_e, sign, minus, a, f, l, n, r, s, t, u,
        } = all;
        Letters {
            end: end[1],
            digit: digit[1],
            zero: zero[1],
            point: point[1],
            exponent: exponent[1],
            small_e: small_e[1],
            sign: sign[1],
            minus: minus[1],
            a: a[1],
            f: f[1],
            l: l[1],
            n: n[1],
            r: r[1],
            s: s[1],
            t: t[1],
            u: u[1],
        }
    }

    /// The bytes that end a scalar.
    #[inline]
    fn ends(bytes: __m256i) -> __m256i {
        let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let special = _mm256_cmpeq_epi8(folded, lookup(&SPECIAL, bytes));
        // The bit that is ignored turns some control characters into operators.
        let special = _mm256_and_si256(special, _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(0x1F)));
        _mm256_or_si256(special, super::whites(bytes))
    }

    /// Sets the highest bit of each digit.
    #[inline]
    fn digits(bytes: __m256i) -> __m256i {
        let values = _mm256_xor_si256(bytes, _mm256_set1_epi8(b'0' as i8));
        _mm256_subs_epu8(_mm256_set1_epi8(0x89_u8 as i8), values)
    }

    /// Prefix sums of 1 for an opening and -1 for a closing bracket, in bytes.
    #[inline]
    fn at_most(levels: i8, open: u64, close: u64) -> u64 {
        let low = enclosing(open as u32, close as u32);
        let high = enclosing((open >> 32) as u32, (close >> 32) as u32);
        let opened = (open as u32).count_ones() as i8 - (close as u32).count_ones() as i8;
        let deeper = mask(
            _mm256_cmpgt_epi8(low, _mm256_set1_epi8(levels)),
            _mm256_cmpgt_epi8(high, _mm256_set1_epi8(levels.saturating_sub(opened))),
        );
        !deeper
    }

    /// The number of containers that open before each of 32 tokens, minus those that close up to it.
    #[inline]
    fn enclosing(open: u32, close: u32) -> __m256i {
        let (open, close) = (spread(open), spread(close));
        let steps = _mm256_sub_epi8(close, open);
        let sums = _mm256_add_epi8(steps, _mm256_slli_si256::<1>(steps));
        let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<2>(sums));
        let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<4>(sums));
        let sums = _mm256_add_epi8(sums, _mm256_slli_si256::<8>(sums));
        // The last sum of the lower lane, in the upper lane.
        let lower = _mm256_permute2x128_si256::<0x08>(sums, sums);
        let last = _mm256_shuffle_epi8(lower, _mm256_set1_epi8(15));
        _mm256_add_epi8(_mm256_add_epi8(sums, last), open)
    }

    /// All ones in the bytes of the bits that are set.
    #[inline]
    fn spread(bits: u32) -> __m256i {
        const BYTES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
        let bytes = _mm256_broadcastsi128_si256(load_half(&BYTES));
        let upper = _mm256_set_epi64x(0x0202_0202_0202_0202, 0x0202_0202_0202_0202, 0, 0);
        let groups = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), _mm256_or_si256(bytes, upper));
        let selected = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        _mm256_cmpeq_epi8(_mm256_and_si256(groups, selected), selected)
    }
}

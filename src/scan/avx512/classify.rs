//! From bytes to categories: 512 bytes in, three planes out.
//!
//! A *plane* is a vector of eight masks, one per block of 64 bytes, that holds one bit of the category
//! of every byte. Any class of bytes is then one ternary-logic instruction on the three planes, for all
//! eight blocks, and none of the masks ever is in a mask register, of which moves are dear.
//!
//! The way there is a transposition. A permute of the bytes of a 128-byte table, indexed by the text,
//! looks up categories. Half a byte is enough for a category, so that two blocks share a vector: one in
//! the low halves, one in the high halves. An affine transformation over GF(2) with the *text* as the
//! matrix and single bits as the vectors transposes each group of eight bytes: byte *j* of a group then
//! holds bit *j* of all eight. What is left is to bring the bytes of each plane together.

use std::arch::x86_64::*;

use super::{load_table, with_avx512};

/// The categories of bytes, by value: the numbers are chosen so that what is asked for most is cheap,
/// but any numbering works.
mod category {
    /// Whatever is not below.
    pub(super) const OTHER: u8 = 0;
    /// Completes an escape right behind a backslash, and means nothing elsewhere: `/ b f n r t`.
    pub(super) const ESCAPABLE: u8 = 1;
    pub(super) const QUOTE: u8 = 2;
    pub(super) const BACKSLASH: u8 = 3;
    pub(super) const OPERATOR: u8 = 4;
    pub(super) const SPACE: u8 = 5;
    /// Tab, line feed, carriage return.
    pub(super) const WHITE_CONTROL: u8 = 6;
    /// Other bytes below 0x20.
    pub(super) const CONTROL: u8 = 7;
}

/// Three bits of the category of every byte of eight blocks.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

/// The truth table, as ternary logic takes it, of membership in a set of categories.
const fn any_of(categories: &[u8]) -> i32 {
    let mut table = 0;
    let mut i = 0;
    while i < categories.len() {
        table |= 1 << categories[i];
        i += 1;
    }
    table
}

macro_rules! class {
    ($planes:expr, $($category:ident)|+) => {
        _mm512_ternarylogic_epi64::<{ any_of(&[$(category::$category),+]) }>(
            $planes.high,
            $planes.middle,
            $planes.low,
        )
    };
}

/// The category of every ASCII character, times `factor`.
const fn categories(factor: u8) -> [[u8; 64]; 2] {
    let mut table = [[category::OTHER * factor; 64]; 2];
    let sets: [(&[u8], u8); 6] = [
        (b"/bfnrt", category::ESCAPABLE),
        (b"\"", category::QUOTE),
        (b"\\", category::BACKSLASH),
        (b"{}[]:,", category::OPERATOR),
        (b" ", category::SPACE),
        (b"\t\n\r", category::WHITE_CONTROL),
    ];
    let mut control = 0;
    while control < 0x20 {
        table[0][control] = category::CONTROL * factor;
        control += 1;
    }
    let mut set = 0;
    while set < sets.len() {
        let (bytes, category) = sets[set];
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize / 64][bytes[i] as usize % 64] = category * factor;
            i += 1;
        }
        set += 1;
    }
    table
}

static CATEGORIES_LOW: [[u8; 64]; 2] = categories(1);
static CATEGORIES_HIGH: [[u8; 64]; 2] = categories(16);

/// Bit *i* of each byte *i*: as vectors, they select the columns of a matrix; as a matrix, they reverse
/// the bits of each byte.
const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// For each pair of blocks the permute that brings its bytes of plane *p* into 128-bit lane
/// (*pair* + *p*) modulo 4. Within the lane the eight bytes of the even block come first.
static GATHER: [[u8; 64]; 4] = {
    let mut gather = [[0; 64]; 4];
    let mut pair = 0;
    while pair < 4 {
        let mut plane = 0;
        while plane < 3 {
            let mut i = 0;
            while i < 16 {
                let (odd, group) = (i / 8, i % 8);
                gather[pair][(pair + plane) % 4 * 16 + i] = (8 * group + 4 * odd + plane) as u8;
                i += 1;
            }
            plane += 1;
        }
        pair += 1;
    }
    gather
};

with_avx512! {
    /// The planes of eight blocks of ASCII.
    #[inline]
    pub(super) fn planes(blocks: &[__m512i; 8]) -> Planes {
        let [a, b, c, d, e, f, g, h] = *blocks;
        let pairs = [
            gathered::<0>(a, b),
            gathered::<1>(c, d),
            gathered::<2>(e, f),
            gathered::<3>(g, h),
        ];
        // Lane 0 of the low plane is in lane 0 of pair 0, lane 1 in lane 1 of pair 1, and so on; the
        // other planes are one and two lanes further.
        let low = one_lane_each(pairs[0], pairs[1], pairs[2], pairs[3]);
        let middle = one_lane_each(pairs[3], pairs[0], pairs[1], pairs[2]);
        let high = one_lane_each(pairs[2], pairs[3], pairs[0], pairs[1]);
        let middle = _mm512_shuffle_i64x2::<0b00_11_10_01>(middle, middle);
        let high = _mm512_shuffle_i64x2::<0b01_00_11_10>(high, high);
        Planes { low: ordered(low), middle: ordered(middle), high: ordered(high) }
    }

    /// The three planes of a pair of blocks, each in a lane of its own, in the bit order of matrices.
    #[inline]
    fn gathered<const PAIR: usize>(even: __m512i, odd: __m512i) -> __m512i {
        let [first, second] = &CATEGORIES_LOW;
        let even = _mm512_permutex2var_epi8(load_table(first), even, load_table(second));
        let [first, second] = &CATEGORIES_HIGH;
        let odd = _mm512_permutex2var_epi8(load_table(first), odd, load_table(second));
        let columns = _mm512_set1_epi64(DIAGONAL);
        let matrices = _mm512_or_si512(even, odd);
        let transposed = _mm512_gf2p8affine_epi64_epi8::<0>(columns, matrices);
        _mm512_permutexvar_epi8(load_table(&GATHER[PAIR]), transposed)
    }

    /// Lane *i* of the *i*th vector.
    #[inline]
    fn one_lane_each(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
        let ab = _mm512_mask_mov_epi64(a, 0b0000_1100, b);
        let cd = _mm512_mask_mov_epi64(c, 0b1100_0000, d);
        _mm512_mask_mov_epi64(ab, 0b1111_0000, cd)
    }

    /// The first row of a matrix is its highest byte, so that transposition reverses bits.
    #[inline]
    fn ordered(plane: __m512i) -> __m512i {
        _mm512_gf2p8affine_epi64_epi8::<0>(plane, _mm512_set1_epi64(DIAGONAL))
    }

    /// The blocks with a letter in place of every byte of 0x80 or more: a lookup sees seven bits only.
    #[inline]
    pub(super) fn without_high_bits(mut blocks: [__m512i; 8]) -> [__m512i; 8] {
        let letter = _mm512_set1_epi8(b'x' as i8);
        for block in &mut blocks {
            *block = _mm512_mask_mov_epi8(*block, _mm512_movepi8_mask(*block), letter);
        }
        blocks
    }
}

impl Planes {
    with_avx512! {
        /// `"`, escaped or not.
        #[inline]
        pub(super) fn quote(self) -> __m512i {
            class!(self, QUOTE)
        }

        /// `\`
        #[inline]
        pub(super) fn backslash(self) -> __m512i {
            class!(self, BACKSLASH)
        }

        /// Everything but `\`.
        #[inline]
        pub(super) fn not_backslash(self) -> __m512i {
            class!(self, OTHER | ESCAPABLE | QUOTE | OPERATOR | SPACE | WHITE_CONTROL | CONTROL)
        }

        /// `" \ / b f n r t`
        #[inline]
        pub(super) fn escapable(self) -> __m512i {
            class!(self, ESCAPABLE | QUOTE | BACKSLASH)
        }

        /// `{ } [ ] : ,`
        #[inline]
        pub(super) fn operator(self) -> __m512i {
            class!(self, OPERATOR)
        }

        /// Operators and whitespace.
        #[inline]
        pub(super) fn operator_or_white(self) -> __m512i {
            class!(self, OPERATOR | SPACE | WHITE_CONTROL)
        }

        /// Bytes below 0x20.
        #[inline]
        pub(super) fn control(self) -> __m512i {
            class!(self, WHITE_CONTROL | CONTROL)
        }
    }
}

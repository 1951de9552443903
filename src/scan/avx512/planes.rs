//! Converts bytes to bit planes: three planes for 512 bytes.
//!
//! A *plane* is a vector of eight masks, one per block of 64 bytes. It has one bit of the category
//! of every byte. Any class of bytes is then one ternary-logic instruction on the three planes, for
//! all eight blocks, and no mask is ever in a mask register, because moves to and from these are
//! expensive.
//!
//! The conversion is a transposition. A permute of the bytes of a 128-byte table, indexed by the
//! text, looks up categories. Half a byte is enough for a category, so that two blocks share a
//! vector: one in the low halves, one in the high halves. An affine transformation over GF(2) with
//! the *text* as the matrix and single bits as the vectors transposes each group of eight bytes:
//! byte *j* of a group then has bit *j* of all eight. Finally the bytes of each plane are brought
//! together.

use std::arch::x86_64::*;

use super::lanes::{load_block, load_lanes, store, with_avx512};

/// Three bits of the category of every byte of eight blocks.
#[derive(Clone, Copy)]
pub(crate) struct Planes {
    pub(crate) low: __m512i,
    pub(crate) middle: __m512i,
    pub(crate) high: __m512i,
}

/// Planes in memory: low, middle, high.
pub(crate) type Kept = [[u64; 8]; 3];

impl Planes {
    with_avx512! {
        #[inline]
        pub(crate) fn zero() -> Self {
            let zero = _mm512_setzero_si512();
            Self { low: zero, middle: zero, high: zero }
        }

        #[inline]
        pub(crate) fn load([low, middle, high]: &Kept) -> Self {
            Self { low: load_lanes(low), middle: load_lanes(middle), high: load_lanes(high) }
        }

        #[inline]
        pub(crate) fn store(self, [low, middle, high]: &mut Kept) {
            store(low, self.low);
            store(middle, self.middle);
            store(high, self.high);
        }

        /// Returns the planes of the bytes 64 before; `before` has the planes of the previous 512
        /// bytes.
        #[inline]
        pub(crate) fn preceding_block(self, before: Self) -> Self {
            Self {
                low: _mm512_alignr_epi64::<7>(self.low, before.low),
                middle: _mm512_alignr_epi64::<7>(self.middle, before.middle),
                high: _mm512_alignr_epi64::<7>(self.high, before.high),
            }
        }

        /// Returns the planes of the bytes `N` before; `blocks` has the planes of the bytes 64
        /// before.
        #[inline]
        pub(crate) fn preceding<const N: i32>(self, blocks: Self) -> Self {
            Self {
                low: _mm512_shldi_epi64::<N>(self.low, blocks.low),
                middle: _mm512_shldi_epi64::<N>(self.middle, blocks.middle),
                high: _mm512_shldi_epi64::<N>(self.high, blocks.high),
            }
        }
    }
}

/// Four bits of the category of every byte of eight blocks, the lowest first.
#[derive(Clone, Copy)]
pub(crate) struct FourPlanes(pub(crate) [__m512i; 4]);

impl FourPlanes {
    with_avx512! {
        #[inline]
        pub(crate) fn load(kept: &[[u64; 8]; 4]) -> Self {
            let [a, b, c, d] = kept;
            Self([load_lanes(a), load_lanes(b), load_lanes(c), load_lanes(d)])
        }

        #[inline]
        pub(crate) fn store(self, kept: &mut [[u64; 8]; 4]) {
            for (lanes, plane) in kept.iter_mut().zip(self.0) {
                store(lanes, plane);
            }
        }

        /// Like [`Planes::preceding_block`].
        #[inline]
        pub(crate) fn preceding_block(self, before: Self) -> Self {
            let [a, b, c, d] = self.0;
            let [before_a, before_b, before_c, before_d] = before.0;
            Self([
                _mm512_alignr_epi64::<7>(a, before_a),
                _mm512_alignr_epi64::<7>(b, before_b),
                _mm512_alignr_epi64::<7>(c, before_c),
                _mm512_alignr_epi64::<7>(d, before_d),
            ])
        }
    }
}

/// The category of every ASCII character, for even and for odd blocks.
pub(crate) struct Tables {
    even: [[u8; 64]; 2],
    odd: [[u8; 64]; 2],
}

impl Tables {
    /// Categories are below 8, for [`four_planes`] below 16.
    pub(crate) const fn new(categories: &[u8; 128]) -> Self {
        let (mut even, mut odd) = ([[0; 64]; 2], [[0; 64]; 2]);
        let mut i = 0;
        while i < 128 {
            even[i / 64][i % 64] = categories[i];
            odd[i / 64][i % 64] = categories[i] << 4;
            i += 1;
        }
        Self { even, odd }
    }

    /// Returns tables in which each byte of a set has the set's category, and all other bytes have
    /// `default`. If several sets have a byte, the last one counts.
    pub(crate) const fn of_sets(default: u8, sets: &[(&[u8], u8)]) -> Self {
        let mut categories = [default; 128];
        let mut set = 0;
        while set < sets.len() {
            let (bytes, category) = sets[set];
            let mut i = 0;
            while i < bytes.len() {
                categories[bytes[i] as usize] = category;
                i += 1;
            }
            set += 1;
        }
        Self::new(&categories)
    }
}

/// Returns the truth table, for ternary logic, of membership in a set of categories.
pub(crate) const fn any_of(categories: &[u8]) -> i32 {
    let mut table = 0;
    let mut i = 0;
    while i < categories.len() {
        table |= 1 << categories[i];
        i += 1;
    }
    table
}

/// The mask of the bytes that are in one of the categories.
macro_rules! class {
    ($planes:expr, $($category:expr),+) => {
        _mm512_ternarylogic_epi64::<{ any_of(&[$($category),+]) }>(
            $planes.high,
            $planes.middle,
            $planes.low,
        )
    };
}
pub(crate) use class;

/// Bit *i* of each byte *i*: as vectors, they select the columns of a matrix; as a matrix, they
/// reverse the bits of each byte.
const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// For each pair of blocks the permute that brings its bytes of plane *p* into 128-bit lane (*pair*
/// + *p*) modulo 4. Within the lane the eight bytes of the even block come first.
static GATHER: [[u8; 64]; 4] = {
    let mut gather = [[0; 64]; 4];
    let mut pair = 0;
    while pair < 4 {
        let mut plane = 0;
        while plane < 4 {
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
    /// Returns the planes of eight blocks, by the low seven bits of their bytes.
    #[inline]
    pub(crate) fn planes(blocks: &[__m512i; 8], tables: &Tables) -> Planes {
        let [low, middle, high] = planes_of_pairs(pairs(blocks, tables));
        Planes { low, middle, high }
    }

    /// Like [`planes`], for categories of four bits.
    #[inline]
    pub(crate) fn four_planes(blocks: &[__m512i; 8], tables: &Tables) -> FourPlanes {
        let pairs = pairs(blocks, tables);
        let [a, b, c] = planes_of_pairs(pairs);
        let top = one_lane_each(pairs[1], pairs[2], pairs[3], pairs[0]);
        let top = _mm512_shuffle_i64x2::<0b10_01_00_11>(top, top);
        FourPlanes([a, b, c, ordered(top)])
    }

    #[inline]
    fn pairs(blocks: &[__m512i; 8], tables: &Tables) -> [__m512i; 4] {
        let [a, b, c, d, e, f, g, h] = *blocks;
        [
            gathered::<0>(a, b, tables),
            gathered::<1>(c, d, tables),
            gathered::<2>(e, f, tables),
            gathered::<3>(g, h, tables),
        ]
    }

    /// Lane 0 of the low plane is in lane 0 of pair 0, lane 1 in lane 1 of pair 1, and so on; the
    /// other planes are one and two lanes further.
    #[inline]
    fn planes_of_pairs(pairs: [__m512i; 4]) -> [__m512i; 3] {
        let low = one_lane_each(pairs[0], pairs[1], pairs[2], pairs[3]);
        let middle = one_lane_each(pairs[3], pairs[0], pairs[1], pairs[2]);
        let high = one_lane_each(pairs[2], pairs[3], pairs[0], pairs[1]);
        let middle = _mm512_shuffle_i64x2::<0b00_11_10_01>(middle, middle);
        let high = _mm512_shuffle_i64x2::<0b01_00_11_10>(high, high);
        [ordered(low), ordered(middle), ordered(high)]
    }

    /// Returns the planes of a pair of blocks, one per lane, in the bit order of matrices.
    #[inline]
    fn gathered<const PAIR: usize>(even: __m512i, odd: __m512i, tables: &Tables) -> __m512i {
        let [first, second] = &tables.even;
        let even = _mm512_permutex2var_epi8(load_block(first), even, load_block(second));
        let [first, second] = &tables.odd;
        let odd = _mm512_permutex2var_epi8(load_block(first), odd, load_block(second));
        let columns = _mm512_set1_epi64(DIAGONAL);
        let matrices = _mm512_or_si512(even, odd);
        let transposed = _mm512_gf2p8affine_epi64_epi8::<0>(columns, matrices);
        _mm512_permutexvar_epi8(load_block(&GATHER[PAIR]), transposed)
    }

    /// Returns lane *i* of the *i*th vector.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables are made by the compiler; this makes one at run time for tests.
    #[test]
    fn a_byte_has_the_category_of_the_last_set_that_has_it() {
        let tables = Tables::of_sets(1, &[(b"", 7), (b"\0ab\x7F", 2), (b"bc", 5)]);
        for byte in 0..128 {
            let category = match byte {
                0 | b'a' | 0x7F => 2,
                b'b' | b'c' => 5,
                _ => 1,
            };
            let (half, at) = (usize::from(byte) / 64, usize::from(byte) % 64);
            assert_eq!(tables.even[half][at], category, "{byte}");
            assert_eq!(tables.odd[half][at], category << 4, "{byte}");
        }
    }

    #[test]
    fn a_truth_table_has_a_bit_for_each_category() {
        assert_eq!(any_of(&[]), 0);
        assert_eq!(any_of(&[0, 3, 7]), 0b1000_1001);
    }
}

//! Tables for kernels that look bytes up by their halves, 16 entries at a time.

use super::marks::{CATEGORIES_OF_ALL, CODE, HEREDOC, NAME, QUOTED};

/// Sets of bits for the low half of a byte and for the high one. A byte has the bits that both have in
/// common.
pub(super) type Pair = ([u8; 16], [u8; 16]);

/// For each low half of a byte, the one whitespace byte with that half, or a byte with another low
/// half.
pub(super) const WHITE: [u8; 16] = {
    let mut table = [0xFF; 16];
    table[0x0] = b' ';
    table[0x9] = b'\t';
    table[0xA] = b'\n';
    table[0xD] = b'\r';
    table[0xF] = 0;
    table
};

/// For each low nibble, the operator with that nibble, or 0. The bit that distinguishes `{` from
/// `[` and `}` from `]` is set.
///
/// The lookup treats bytes of 0x80 and more as 0, and no byte with that bit set equals 0.
pub(super) const OPERATOR: [u8; 16] = {
    let mut table = [0; 16];
    table[0xA] = b':';
    table[0xB] = b'{';
    table[0xC] = b',';
    table[0xD] = b'}';
    table
};

/// The bytes that complete an escape: for each low half a set of bits for high halves, and the bit
/// of each high half. A byte belongs if both lookups have a bit in common.
pub(super) const ESCAPABLE: Pair = {
    let bytes = b"\"\\/bfnrt";
    let (mut low, mut high) = ([0; 16], [0; 16]);
    let mut i = 0;
    while i < bytes.len() {
        let (low_half, high_half) = (bytes[i] & 0xF, bytes[i] >> 4);
        low[low_half as usize] |= 1 << high_half;
        high[high_half as usize] = 1 << high_half;
        i += 1;
    }
    (low, high)
};

/// Bits for the bytes of `\u` escapes: 1 for the digits below 8, 2 for 8 and 9, 4 for the letters, 8
/// for `d` and `D`, 16 for `u`.
pub(super) const UNITS: Pair = {
    let (mut low, mut high) = ([0; 16], [0; 16]);
    let mut digit = 0;
    while digit < 10 {
        low[digit] |= if digit < 8 { 1 } else { 2 };
        digit += 1;
    }
    let mut letter = 1;
    while letter <= 6 {
        low[letter] |= 4;
        letter += 1;
    }
    low[4] |= 8;
    low[5] |= 16;
    high[3] = 1 | 2;
    high[4] = 4 | 8;
    high[6] = 4 | 8;
    high[7] = 16;
    (low, high)
};

/// Bits for the bytes of some [categories](CATEGORIES_OF_ALL), as [`ESCAPABLE`] has them. The entry
/// of `bits` for a high half is the category and the bit of the bytes with this half, where there
/// are some.
const fn halves_of<const N: usize>(bits: [(usize, u8, u8); N]) -> Pair {
    let (mut low, mut high) = ([0; 16], [0; 16]);
    let mut i = 0;
    while i < N {
        let (half, category, bit) = bits[i];
        high[half] |= bit;
        let mut byte = 16 * half;
        while byte < 16 * half + 16 {
            if CATEGORIES_OF_ALL[byte] & category != 0 {
                low[byte & 0xF] |= bit;
            }
            byte += 1;
        }
        i += 1;
    }
    (low, high)
}

/// Bits 0 to 3 are those of [`CODE`], where `[` and `{` share one, 4 and 5 those of [`HEREDOC`].
pub(super) const CODE_AND_HEREDOC: Pair = halves_of([
    (0, CODE, 1),
    (2, CODE, 2),
    (3, CODE, 4),
    (5, CODE, 8),
    (7, CODE, 8),
    (0, HEREDOC, 16),
    (2, HEREDOC, 32),
]);

/// Bits 0 to 2 are those of [`QUOTED`], the others those of [`NAME`].
pub(super) const QUOTED_AND_NAME: Pair = halves_of([
    (0, QUOTED, 1),
    (2, QUOTED, 2),
    (5, QUOTED, 4),
    (2, NAME, 8),
    (3, NAME, 16),
    (4, NAME, 32),
    (6, NAME, 32),
    (5, NAME, 64),
    (7, NAME, 128),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_in_common_what_a_category_has() {
        let halves = halves_of([
            (0, CODE, 1),
            (2, CODE, 2),
            (3, CODE, 4),
            (5, CODE, 8),
            (7, CODE, 8),
            (0, HEREDOC, 16),
            (2, HEREDOC, 32),
        ]);
        assert_eq!(halves, CODE_AND_HEREDOC);
        for byte in 0..=u8::MAX {
            let of_byte = CATEGORIES_OF_ALL.get(usize::from(byte)).copied().unwrap_or_default();
            let has = |category| of_byte & category != 0;
            let common = |(low, high): ([u8; 16], [u8; 16])| {
                low[usize::from(byte & 0xF)] & high[usize::from(byte >> 4)]
            };
            let (first, second) = (common(CODE_AND_HEREDOC), common(QUOTED_AND_NAME));
            assert_eq!(first & 0x0F != 0, has(CODE), "{byte}");
            assert_eq!(first & 0x30 != 0, has(HEREDOC), "{byte}");
            assert_eq!(second & 0x07 != 0, has(QUOTED), "{byte}");
            assert_eq!(second & 0xF8 != 0, has(NAME), "{byte}");
        }
    }
}

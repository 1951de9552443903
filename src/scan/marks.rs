//! Marks of native syntax: which bytes of a block end a run of others.
//!
//! Native syntax has no tokens that depend on bytes alone: whether a quote opens a string depends
//! on comments, heredocs and sequences around it. So a kernel only finds the bytes that may mean
//! something in each context, and the reader goes from one to the next.

use super::tokens::BLOCK;

/// One mask per context, in which bit *i* describes byte *i* of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The bytes that mean something to the extent of an expression: `" # / < ( ) [ ] { } ,` and line
    /// feeds.
    pub(crate) code: u64,
    /// The bytes that end a run in a quoted string: `" \ $ %`, line feeds and carriage returns.
    pub(crate) quoted: u64,
    /// The bytes that end a run in a heredoc: `$ %` and line feeds.
    pub(crate) heredoc: u64,
    /// All but spaces and tabs.
    pub(crate) dark: u64,
    /// All but the characters of names in ASCII.
    pub(crate) unnamed: u64,
}

impl Marks {
    /// Of what is behind a text: everything ends there.
    pub(crate) const END: Self = Self { code: !0, quoted: !0, heredoc: !0, dark: !0, unnamed: !0 };

    /// With all marks from the place `len` on, which is less than 64.
    #[inline]
    pub(crate) fn ended(self, len: usize) -> Self {
        let end = !0 << len;
        Self {
            code: self.code | end,
            quoted: self.quoted | end,
            heredoc: self.heredoc | end,
            dark: self.dark | end,
            unnamed: self.unnamed | end,
        }
    }
}

/// Bits of [`CATEGORIES`].
pub(super) const CODE: u8 = 1;
pub(super) const QUOTED: u8 = 2;
pub(super) const HEREDOC: u8 = 4;
pub(super) const SPACE: u8 = 8;
pub(super) const NAME: u8 = 16;

/// The contexts in which each ASCII character is marked, and for spaces and names those where it is
/// not. Other bytes have no bits.
pub(super) static CATEGORIES: [u8; 128] = CATEGORIES_OF_ALL;

/// The same where the compiler needs it.
pub(super) const CATEGORIES_OF_ALL: [u8; 128] = {
    let mut table = [0; 128];
    let sets: [(&[u8], u8); 5] = [
        (b"\"#/<()[]{},\n", CODE),
        (b"\"\\$%\n\r", QUOTED),
        (b"$%\n", HEREDOC),
        (b" \t", SPACE),
        (b"-_", NAME),
    ];
    let mut set = 0;
    while set < sets.len() {
        let (bytes, bit) = sets[set];
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize] |= bit;
            i += 1;
        }
        set += 1;
    }
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            table[byte] |= NAME;
        }
        byte += 1;
    }
    table
};

/// The marks of a block, byte by byte.
#[inline(always)]
pub(super) fn marks(block: &[u8; BLOCK]) -> Marks {
    let mut planes = [0; 5];
    let (chunks, _) = block.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let categories = chunk.map(|byte| match byte {
            0..0x80 => CATEGORIES[usize::from(byte)],
            _ => 0,
        });
        let word = u64::from_le_bytes(categories);
        for (bit, plane) in planes.iter_mut().enumerate() {
            // The factor moves the bit of byte *i* to bit 56 + *i*, without a carry.
            let bits = (word >> bit) & 0x0101_0101_0101_0101;
            *plane |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
        }
    }
    let [code, quoted, heredoc, space, name] = planes;
    Marks { code, quoted, heredoc, dark: !space, unnamed: !name }
}

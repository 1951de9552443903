//! The tokens of a window: one bit of each in every plane, and where they are.

use crate::engine::token::Token;
use crate::scan::words::{STEP, Words, kind};
use crate::scan::{BLOCK, WINDOW};

/// The number of blocks in a window.
pub(super) const BLOCKS: usize = WINDOW / BLOCK;
/// The number of tokens in a word.
pub(super) const WORD: usize = 64;
/// The number of words whose tokens are checked together.
pub(super) const CHUNK: usize = 4;
/// Words for the tokens before a window, for those of the window and two virtual ones, for one that
/// may be written after them, and for an incomplete chunk.
pub(super) const WORDS: usize = 1 + BLOCKS + 1 + CHUNK;
/// How many blocks are compared at once to find the one of a token.
const NEAR: usize = 8;

/// One bit per token. The first word has the last tokens before the window, the last one in its
/// highest bit.
pub(super) type Plane = Bits<{ 8 * WORDS }>;

/// The tokens of a window.
pub(super) struct Tokens {
    /// The class of each token.
    pub(super) planes: [Plane; 3],
    /// The number of tokens in the window.
    pub(super) count: usize,
    /// The mask of the tokens of each block.
    masks: [u64; BLOCKS],
    /// The number of tokens before each block, and `u16::MAX` after those of the window.
    before: [u16; BLOCKS + 1 + NEAR],
    /// The number of blocks in the window.
    blocks: usize,
    /// The offset of the window.
    base: u32,
}

/// The lowest `count` bits, or all.
#[inline(always)]
pub(super) fn lowest(count: usize) -> u64 {
    if count < WORD { !(!0 << count) } else { !0 }
}

/// Words of bits in memory, lowest first, in bytes, since bits are appended byte by byte.
pub(super) struct Bits<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Bits<BYTES> {
    pub(super) fn new() -> Self {
        Self([0; BYTES])
    }

    /// The words.
    #[inline(always)]
    pub(super) fn words(&self) -> &[[u8; 8]] {
        self.0.as_chunks().0
    }

    /// The word at `index`, 0 if there is none.
    #[inline(always)]
    pub(super) fn word(&self, index: usize) -> u64 {
        self.words().get(index).map_or(0, |word| u64::from_le_bytes(*word))
    }

    /// Writes 64 bits from the byte `at` on, if there is room.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, bits: u64) {
        if let Some(place) = self.0.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bits.to_le_bytes();
        }
    }
}

/// So many bits and those of a byte fit into a word.
pub(super) const MOST: u32 = 56;

/// Appends bits to three planes.
#[derive(Clone, Copy)]
pub(super) struct Packer {
    /// The bits of the byte that is not full.
    rest: [u64; 3],
    /// The number of bits.
    pub(super) len: usize,
}

impl Packer {
    /// Continues after the first `len` bits.
    #[inline(always)]
    pub(super) fn after<const N: usize>(planes: &[Bits<N>; 3], len: usize) -> Self {
        let rest = |plane: &Bits<N>| {
            let byte = plane.0.get(len / 8).copied().unwrap_or(0);
            u64::from(byte) & lowest(len % 8)
        };
        Self { rest: [rest(&planes[0]), rest(&planes[1]), rest(&planes[2])], len }
    }

    /// Appends the lowest `count` bits; the others are 0.
    #[inline(always)]
    pub(super) fn push<const N: usize>(
        &mut self,
        planes: &mut [Bits<N>; 3],
        bits: [u64; 3],
        count: u32,
    ) {
        if count <= MOST {
            self.push_few(planes, bits, count);
        } else {
            *self = self.push_many(planes, bits, count);
        }
    }

    /// Like `push`, for at most [`MOST`] bits.
    #[inline(always)]
    pub(super) fn push_few<const N: usize>(
        &mut self,
        planes: &mut [Bits<N>; 3],
        bits: [u64; 3],
        count: u32,
    ) {
        let (at, shift) = (self.len / 8, self.len % 8);
        self.len += count as usize;
        let full = (shift + count as usize) & !7 & 63;
        for ((plane, rest), bits) in planes.iter_mut().zip(&mut self.rest).zip(bits) {
            let word = *rest | bits << shift;
            plane.set(at, word);
            *rest = word >> full;
        }
    }

    /// Appends two times.
    #[cold]
    #[inline(never)]
    pub(super) fn push_two<const N: usize>(
        mut self,
        planes: &mut [Bits<N>; 3],
        (bits, count): ([u64; 3], u32),
        (next, next_count): ([u64; 3], u32),
    ) -> Self {
        self.push(planes, bits, count);
        self.push(planes, next, next_count);
        self
    }

    #[cold]
    #[inline(never)]
    fn push_many<const N: usize>(
        mut self,
        planes: &mut [Bits<N>; 3],
        bits: [u64; 3],
        count: u32,
    ) -> Self {
        self.push_few(planes, bits.map(|bits| bits & u64::from(u32::MAX)), 32);
        self.push_few(planes, bits.map(|bits| bits >> 32), count - 32);
        self
    }

    /// Writes the byte that is not full, and zeros after it.
    #[inline(always)]
    pub(super) fn flush<const N: usize>(self, planes: &mut [Bits<N>; 3]) {
        for (plane, rest) in planes.iter_mut().zip(self.rest) {
            plane.set(self.len / 8, rest);
        }
    }
}

/// The bits of one token.
#[inline(always)]
fn bits_of(class: u8) -> [u64; 3] {
    [u64::from(class & 1), u64::from(class >> 1 & 1), u64::from(class >> 2)]
}

impl Tokens {
    pub(super) fn new() -> Self {
        Self {
            planes: [Plane::new(), Plane::new(), Plane::new()],
            count: 0,
            masks: [0; BLOCKS],
            before: [0; BLOCKS + 1 + NEAR],
            blocks: 0,
            base: 0,
        }
    }

    /// Starts a text: the tokens before it require that a value follows, or after a comma a member.
    #[inline]
    pub(super) fn start(&mut self, after_comma: bool) {
        let (colon, last) = (bits_of(kind::COLON), bits_of(kind::COMMA));
        for ((plane, colon), last) in self.planes.iter_mut().zip(colon).zip(last) {
            let last = if after_comma { last } else { colon };
            plane.set(0, 0u64.wrapping_sub(colon) >> 1 | last << (WORD - 1));
        }
    }

    /// Starts a window: after the tokens before it, of which the planes keep a word.
    #[inline(always)]
    pub(super) fn packer(&self) -> Packer {
        Packer { rest: [0; 3], len: WORD }
    }

    /// The planes, and the masks and counts of the blocks from `start` on.
    #[inline(always)]
    pub(super) fn room(
        &mut self,
        start: usize,
    ) -> Option<(&mut [Plane; 3], &mut [u64; STEP], &mut [u16; STEP])> {
        let masks = self.masks.get_mut(start..)?.first_chunk_mut()?;
        let before = self.before.get_mut(start..)?.first_chunk_mut()?;
        Some((&mut self.planes, masks, before))
    }

    /// Ends the window at `base`, with this many blocks. After the `last` one, two virtual tokens
    /// require that the value is complete.
    #[inline(always)]
    pub(super) fn end(&mut self, blocks: usize, base: u32, mut packer: Packer, last: bool) {
        self.count = packer.len - WORD;
        (self.blocks, self.base) = (blocks, base);
        self.before[blocks] = self.count as u16;
        self.before[blocks + 1..=blocks + NEAR].fill(u16::MAX);
        if last {
            packer.push(&mut self.planes, bits_of(kind::COMMA), 1);
            packer.push(&mut self.planes, bits_of(kind::SCALAR), 1);
        }
        packer.flush(&mut self.planes);
    }

    /// Keeps the last tokens for the next window.
    #[inline]
    pub(super) fn carry(&mut self) {
        let (last, rest) = (self.count / WORD, self.count % WORD);
        for plane in self.planes.iter_mut() {
            // The word `last` is the one before the word with the rest.
            let next = plane.word(last + 1) << 1 << (WORD - 1 - rest);
            plane.set(0, plane.word(last) >> rest | next);
        }
    }

    /// The number of words that the tokens of the window take.
    #[inline(always)]
    fn words(&self) -> usize {
        self.count.div_ceil(WORD)
    }

    /// The class of the first token.
    pub(super) fn first_class(&self) -> u8 {
        let bit = |plane: &Plane| plane.word(1) as u8 & 1;
        bit(&self.planes[0]) | bit(&self.planes[1]) << 1 | bit(&self.planes[2]) << 2
    }

    /// The selected tokens.
    #[inline(always)]
    pub(super) fn picked<'t, W: Words>(
        &'t self,
        words: W,
        text: &'t [u8],
        picks: &'t Picks,
    ) -> impl Iterator<Item = Token> {
        let rest = picks.words[0];
        Picked { words, text, tokens: self, picks, word: 0, rest, block: 0, mask: 0, places: 0 }
    }

    /// The offset of the last token of the window, which has one.
    #[inline(always)]
    pub(super) fn last_offset(&self) -> u32 {
        let masks = self.masks.get(..self.blocks).unwrap_or_default();
        let last = masks.iter().rposition(|&mask| mask != 0).unwrap_or(0);
        self.base + (BLOCK * last) as u32 + (63 - self.masks[last].leading_zeros().min(63))
    }

    /// The offset of the first token from a block on; if there is none, the end of the text.
    #[inline(always)]
    fn first_from(&self, mut block: usize, text: &[u8]) -> u32 {
        while block < self.blocks {
            if let Some(&mask) = self.masks.get(block)
                && mask != 0
            {
                return self.base + (BLOCK * block) as u32 + mask.trailing_zeros();
            }
            block += 1;
        }
        text.len() as u32
    }

    /// The token at `offset`, which is before the window and has no other token after it.
    #[inline(always)]
    pub(super) fn pending(&self, text: &[u8], offset: u32) -> Token {
        token(text, offset, self.first_from(0, text))
    }
}

/// The selected tokens of a window: one bit for each token, and words of zeros after them.
pub(super) struct Picks {
    pub(super) words: [u64; WORDS],
    /// The number of selected tokens.
    pub(super) count: usize,
}

impl Picks {
    pub(super) fn new() -> Self {
        Self { words: [0; WORDS], count: 0 }
    }

    /// Removes the token at `index`. Returns whether it was selected.
    #[inline(always)]
    pub(super) fn remove(&mut self, index: usize) -> bool {
        let Some(word) = self.words.get_mut(index / WORD) else { return false };
        let bit = 1 << (index % WORD);
        let was_picked = *word & bit != 0;
        *word &= !bit;
        self.count -= usize::from(was_picked);
        was_picked
    }
}

/// The selected tokens, in order: those of a block at a time.
struct Picked<'t, W> {
    words: W,
    text: &'t [u8],
    tokens: &'t Tokens,
    picks: &'t Picks,
    /// A word of the selected tokens, and those of it that are after the current block.
    word: usize,
    rest: u64,
    /// The current block, the mask of its tokens, and the selected ones that are still to come.
    block: usize,
    mask: u64,
    places: u64,
}

impl<W: Words> Picked<'_, W> {
    /// Finds the next block that has selected tokens. Returns false if there is none.
    #[inline(always)]
    fn find_block(&mut self) -> Option<()> {
        let picks = &self.picks.words;
        while self.rest == 0 {
            self.word += 1;
            // The selected tokens may end before the words do, which are then zeros.
            self.rest = *picks.get(self.word).filter(|_| self.word < self.tokens.words())?;
        }
        let index = (WORD * self.word) as u16 + self.rest.trailing_zeros() as u16;
        // The block is most often one of the next ones.
        loop {
            let near = self.tokens.before.get(self.block + 1..).and_then(<[u16]>::first_chunk);
            let near: &[u16; NEAR] = near?;
            let before = self.words.count_at_most(near, index);
            self.block += before;
            if before < NEAR {
                break;
            }
        }
        self.mask = *self.tokens.masks.get(self.block)?;
        let first = usize::from(*self.tokens.before.get(self.block)?);
        let (word, place) = (first / WORD, first % WORD);
        let bits = picks.get(word)? >> place | picks.get(word + 1)? << 1 << (WORD - 1 - place);
        self.places = self.words.deposit(bits, self.mask);
        let end = first + self.mask.count_ones() as usize;
        self.word = end / WORD;
        self.rest = picks.get(self.word)? & !0 << (end % WORD);
        Some(())
    }
}

impl<W: Words> Iterator for Picked<'_, W> {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        if self.places == 0 {
            self.find_block()?;
        }
        let place = self.places.trailing_zeros() % BLOCK as u32;
        self.places &= self.places.wrapping_sub(1);
        let base = self.tokens.base + (BLOCK * self.block) as u32;
        let after = self.mask & (!1 << place);
        let next = if after == 0 {
            self.tokens.first_from(self.block + 1, self.text)
        } else {
            base + after.trailing_zeros()
        };
        Some(token(self.text, base + place, next))
    }
}

#[inline(always)]
fn token(text: &[u8], offset: u32, next: u32) -> Token {
    let byte = |at: u32| text.get(at as usize).copied().unwrap_or(0);
    Token { byte: byte(offset), offset, next_byte: byte(next), next }
}

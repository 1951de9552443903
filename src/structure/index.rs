//! The places of marks in a text, window by window.
//!
//! A window is classified as a whole before its marks are read, so that no branch waits for a
//! vector. Its marks stay in the first-level cache.

use crate::scan::{BLOCK, Isa, Marks};

/// Blocks of a window.
const BLOCKS: usize = 128;
const WINDOW: usize = BLOCKS * BLOCK;

/// Finds marks of a text.
pub(super) struct Index<'t, I> {
    isa: I,
    text: &'t [u8],
    /// Where the window starts, at a multiple of a block.
    base: usize,
    /// The marks of the window. In the block after the text, all marks are set.
    blocks: [Marks; BLOCKS],
}

impl<'t, I: Isa> Index<'t, I> {
    #[inline(always)]
    pub(super) fn new(isa: I, text: &'t [u8], start: usize) -> Self {
        let mut index = Self { isa, text, base: 0, blocks: [Marks::END; BLOCKS] };
        index.fill(start / BLOCK * BLOCK);
        index
    }

    /// Returns the first offset from `at` on that `class` marks, or the end of the text.
    ///
    /// Cost: linear in the distance, and in a window when it leaves the last one.
    #[inline(always)]
    pub(super) fn next(&mut self, at: usize, class: impl Fn(&Marks) -> u64) -> usize {
        if at >= self.text.len() {
            return self.text.len();
        }
        if at.wrapping_sub(self.base) >= WINDOW {
            self.fill(at / BLOCK * BLOCK);
        }
        let mut block = (at - self.base) / BLOCK;
        let mut mask = class(&self.blocks[block]) >> (at % BLOCK);
        if mask != 0 {
            return (at + mask.trailing_zeros() as usize).min(self.text.len());
        }
        loop {
            block += 1;
            if block == BLOCKS {
                self.fill(self.base + WINDOW);
                block = 0;
            }
            mask = class(&self.blocks[block]);
            if mask != 0 {
                let found = self.base + block * BLOCK + mask.trailing_zeros() as usize;
                return found.min(self.text.len());
            }
        }
    }

    /// Classifies the window that starts at `base`.
    #[inline(always)]
    fn fill(&mut self, base: usize) {
        self.base = base;
        let rest = self.text.get(base..).unwrap_or_default();
        let (whole, tail) = rest.as_chunks::<BLOCK>();
        let mut blocks = self.blocks.iter_mut();
        for (marks, block) in blocks.by_ref().take(BLOCKS).zip(whole) {
            *marks = self.isa.marks(block);
        }
        if whole.len() < BLOCKS {
            let mut padded = [b' '; BLOCK];
            padded[..tail.len()].copy_from_slice(tail);
            self.blocks[whole.len()] = self.isa.marks(&padded).ended(tail.len());
        }
    }
}

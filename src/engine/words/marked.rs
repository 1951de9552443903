//! The blocks of a window in which a mask is not empty.

use super::streams::BLOCKS;
use crate::scan::words::{OfBlocks, STEP, Words};

/// Masks of blocks, and which of them are not empty, so that a loop over these needs no branch that
/// depends on a block.
pub(super) struct Marked {
    masks: [u64; BLOCKS],
    /// One bit for each block whose mask is not empty.
    blocks: [u64; BLOCKS / 64],
}

impl Marked {
    pub(super) fn new() -> Self {
        Self { masks: [0; BLOCKS], blocks: [0; BLOCKS / 64] }
    }

    /// Drops all blocks.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.blocks = [0; BLOCKS / 64];
    }

    /// Sets the masks of the blocks from `start` on, a multiple of their number.
    #[inline(always)]
    pub(super) fn set<W: Words>(&mut self, words: W, start: usize, masks: &OfBlocks<u64>) {
        let marked = words.not_empty(masks);
        if let (Some(place), Some(blocks)) = (
            self.masks.get_mut(start..).and_then(<[u64]>::first_chunk_mut),
            self.blocks.get_mut(start / 64),
        ) {
            *place = *masks;
            *blocks |= marked << (start % 64);
        }
    }

    /// Returns one bit for each block, 64 at a time, and drops the blocks.
    #[inline(always)]
    pub(super) fn take(&mut self) -> impl Iterator<Item = (usize, u64)> + use<> {
        let words = std::mem::take(&mut self.blocks);
        words.into_iter().enumerate().map(|(i, blocks)| (64 * i, blocks))
    }

    /// The mask of a block.
    #[inline(always)]
    pub(super) fn mask(&self, block: usize) -> u64 {
        self.masks[block % BLOCKS]
    }
}

const _: () = assert!(BLOCKS.is_multiple_of(64) && 64_usize.is_multiple_of(STEP));

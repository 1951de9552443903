//! Blocks of resources that are read together, on several threads if there are many.

use super::Resource;
use super::rules::Rules;
use crate::body::Block;
use crate::diagnostic::{Diagnostic, Sink};
use crate::parallel;
use crate::reference::Mode;

/// The number of blocks that wait at most.
const LIMIT: usize = 16 * RUN;

/// The number of blocks that one thread reads at a time.
const RUN: usize = 1024;

/// Blocks that wait to be read, in the order of their file.
#[derive(Default)]
pub(super) struct Batch<'a> {
    blocks: Vec<(Block<'a>, Mode)>,
    /// Diagnostics that were found before them, each with the number of blocks that precede it.
    held: Vec<(usize, Diagnostic<'a>)>,
}

impl<'a> Batch<'a> {
    /// Adds a block. Returns whether the batch is full.
    pub(super) fn push(&mut self, block: Block<'a>, mode: Mode) -> bool {
        self.blocks.push((block, mode));
        self.blocks.len() == LIMIT
    }

    /// Holds back a diagnostic until the blocks so far are read.
    pub(super) fn hold(&mut self, diagnostic: Diagnostic<'a>) {
        self.held.push((self.blocks.len(), diagnostic));
    }

    /// Reads the blocks, and passes each resource to `take`, and its diagnostics and those held back
    /// to `sink`, all in order. Empties the batch.
    pub(super) fn read(
        &mut self,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
        mut take: impl FnMut(Resource<'a>, &mut dyn Sink<'a>),
    ) {
        let mut held = self.held.drain(..).peekable();
        let mut release = |place: usize, sink: &mut dyn Sink<'a>| {
            while let Some((_, diagnostic)) = held.next_if(|&(before, _)| before <= place) {
                sink.report(diagnostic);
            }
        };
        let is_parallel = self.blocks.len() > RUN;
        if is_parallel {
            let read = parallel::chunks(&self.blocks, RUN, true, |blocks| {
                let read = |&(block, mode): &(Block<'a>, Mode)| {
                    let mut found = Vec::new();
                    (Resource::read(block, mode, rules, &mut found), found)
                };
                blocks.iter().map(read).collect::<Vec<_>>()
            });
            for (place, (resource, found)) in read.into_iter().flatten().enumerate() {
                release(place, sink);
                found.into_iter().for_each(|diagnostic| sink.report(diagnostic));
                take(resource, sink);
            }
        } else {
            for (place, &(block, mode)) in self.blocks.iter().enumerate() {
                release(place, sink);
                take(Resource::read(block, mode, rules, sink), sink);
            }
        }
        release(usize::MAX, sink);
        drop(held);
        self.blocks.clear();
    }
}

//! Lines and columns of byte offsets.

use crate::arena::Arena;

/// A place in a source, as people and editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in grapheme clusters, from 1.
    pub column: u32,
    /// Offset in bytes, from 0.
    pub byte: u32,
}

/// Finds positions.
#[derive(Clone, Copy, Debug)]
pub struct LineIndex<'a> {
    lines: &'a [u32],
}

impl<'a> LineIndex<'a> {
    /// Indexes `bytes`.
    #[must_use]
    pub fn new_in(arena: &'a Arena, bytes: &[u8]) -> Self {
        let starts: Vec<u32> = memchr::memchr_iter(b'\n', bytes)
            .map(|at| at as u32 + 1)
            .collect();
        Self {
            lines: arena.bump().alloc_slice_copy(&starts),
        }
    }

    /// The position of `offset`.
    #[must_use]
    pub fn position(&self, _bytes: &[u8], offset: u32) -> Position {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = if line == 0 { 0 } else { self.lines[line - 1] };
        Position {
            line: line as u32 + 1,
            column: offset - start + 1,
            byte: offset,
        }
    }
}

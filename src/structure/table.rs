//! The output of the structure pass: a table with one row for each attribute and block, in source
//! order.
//!
//! The rows of a block's body follow the block's row, which has the index of the row after them. A
//! reader goes through a body from row to row without a stack, and through a file in one pass over
//! the table.

use std::sync::OnceLock;

use super::programs::Programs;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::event::Event;
use crate::event::room::Room;
use crate::source::Source;
use crate::span::Span;

/// The structure of one file.
pub(crate) struct Table<'a> {
    pub(crate) source: Source<'a>,
    /// The whole text; empty if the file is not UTF-8.
    pub(super) text: &'a str,
    /// The first error.
    pub(crate) error: Option<&'a Diagnostic<'a>>,
    pub(super) rows: Rows<'a>,
    pub(super) labels: &'a [LabelRow<'a>],
    pub(super) comments: &'a [CommentRow],
    /// The expressions of attributes. Created on first use.
    pub(super) programs: OnceLock<Programs<'a>>,
    /// Whether blocks may be sealed.
    pub(super) is_skeleton: bool,
    /// By row, the blocks whose bodies have been opened. Created on first use.
    pub(super) opened: OnceLock<&'a [OnceLock<&'a Table<'a>>]>,
}

/// The rows, four words each. Large tables are in memory of their own, like large streams of
/// events.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    words: &'a [[Event; 4]],
}

impl<'a> Rows<'a> {
    /// The number of rows.
    pub(super) fn len(self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(super) fn get(self, row: usize) -> Option<Row> {
        self.words.get(row).map(Row::of_words)
    }

    /// The name in a row. Empty for a missing row.
    #[inline]
    pub(super) fn name(self, row: u32) -> Span {
        self.words.get(row as usize).map_or(Row::NONE.name, |words| Row::span(words[0]))
    }

    /// The row after an item and everything in it.
    #[inline]
    pub(super) fn next(self, row: u32) -> Option<u32> {
        self.words.get(row as usize).map(|words| Row::low(words[2]))
    }

    #[inline]
    pub(super) fn kind(self, row: u32) -> Option<RowKind> {
        self.words.get(row as usize).map(Row::kind)
    }

    #[cfg(test)]
    pub(super) fn iter(self) -> impl Iterator<Item = Row> + use<'a> {
        self.words.iter().map(Row::of_words)
    }
}

/// Rows that are being written. The next file reuses the room.
#[derive(Default)]
pub(super) struct RowsInWork {
    room: Room,
    len: usize,
}

impl RowsInWork {
    /// Discards all rows, and makes room for those of a text of this many bytes.
    pub(super) fn start(&mut self, arena: &Arena, text: usize) {
        self.len = 0;
        // Usual files have fewer rows than that.
        self.room.take_spare(arena, 2 * text);
        self.room.expect(2 * text);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, row: Row) {
        let words = 4 * self.len;
        if self.room.len() < words + 4 {
            self.room.grow((words + 4).max(1 << 8), words);
        }
        self.len += 1;
        self.set(self.len - 1, row);
    }

    /// Drops all rows from this one on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline]
    pub(super) fn get(&self, row: usize) -> Row {
        Row::of_words(&self.room.as_chunks().0[row])
    }

    #[inline]
    pub(super) fn set(&mut self, row: usize, new: Row) {
        self.room.as_chunks_mut().0[row] = new.to_words();
    }

    /// Moves all rows to the arena.
    pub(super) fn give<'a>(&mut self, arena: &'a Arena) -> Rows<'a> {
        Rows { words: self.room.give(arena, 4 * self.len).as_chunks().0 }
    }
}

/// An attribute or a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The name of the attribute, or the type of the block.
    pub(super) name: Span,
    /// The bytes of the expression, or of the body of a block, from brace to brace.
    pub(super) value: Span,
    /// The row after this item and everything in it.
    pub(super) next: u32,
    pub(super) kind: RowKind,
}

impl Row {
    /// Stands for a missing row.
    pub(super) const NONE: Self = Self {
        name: Span { start: 0, end: 0 },
        value: Span { start: 0, end: 0 },
        next: u32::MAX,
        kind: RowKind::Repeated,
    };

    #[inline(always)]
    fn low(word: Event) -> u32 {
        word.to_bits() as u32
    }

    #[inline(always)]
    fn high(word: Event) -> u32 {
        (word.to_bits() >> 32) as u32
    }

    #[inline(always)]
    fn span(word: Event) -> Span {
        Span { start: Self::low(word), end: Self::high(word) }
    }

    #[inline(always)]
    fn kind(&[_, _, next, labels]: &[Event; 4]) -> RowKind {
        match Self::high(next) {
            0 => RowKind::Attribute,
            1 => RowKind::Broken,
            2 => RowKind::Repeated,
            3 => RowKind::Block(Self::low(labels), Self::high(labels)),
            _ => RowKind::Sealed(Self::low(labels), Self::high(labels)),
        }
    }

    #[inline]
    fn of_words(words: &[Event; 4]) -> Self {
        let [name, value, next, _] = *words;
        Self {
            name: Self::span(name),
            value: Self::span(value),
            next: Self::low(next),
            kind: Self::kind(words),
        }
    }

    #[inline]
    fn to_words(self) -> [Event; 4] {
        let word = |low: u32, high: u32| Event::from_bits(u64::from(low) | u64::from(high) << 32);
        let (kind, first, count) = match self.kind {
            RowKind::Attribute => (0, 0, 0),
            RowKind::Broken => (1, 0, 0),
            RowKind::Repeated => (2, 0, 0),
            RowKind::Block(first, count) => (3, first, count),
            RowKind::Sealed(first, count) => (4, first, count),
        };
        [
            word(self.name.start, self.name.end),
            word(self.value.start, self.value.end),
            word(self.next, kind),
            word(first, count),
        ]
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RowKind {
    Attribute,
    /// An attribute with an invalid value, which has been reported.
    Broken,
    /// An attribute with a duplicate name, which has been reported. It is ignored.
    Repeated,
    /// A block, with the index of its first label and the number of its labels.
    Block(u32, u32),
    /// The same for a block whose body has been validated and has no rows.
    Sealed(u32, u32),
}

/// A label of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelRow<'a> {
    /// The bytes, quotes included.
    pub(crate) span: Span,
    /// The decoded text.
    pub(crate) text: &'a str,
}

/// A comment that is not part of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommentRow {
    /// Its bytes, without the line feed that ends it.
    pub(super) span: Span,
    pub(super) place: CommentPlace,
}

/// The item that a comment belongs to, by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentPlace {
    /// Nothing: a blank line or the end of the body follows.
    Alone,
    /// The item that follows it.
    Leads(u32),
    /// The item that ends before it, or whose body starts before it, on the same line.
    Trails(u32),
}

//! The table that the structure pass writes: one row for each attribute and block, in the order of
//! the file.
//!
//! The rows of a block's body follow the block's row, which has the index of the row after them. So
//! a body is walked from row to row without a stack, and a whole file in one pass over the table.

use std::sync::OnceLock;

use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::source::Source;
use crate::span::Span;

/// The structure of one file.
pub(crate) struct Table<'a> {
    pub(crate) source: Source<'a>,
    /// The whole text; empty if the file is not UTF-8.
    pub(super) text: &'a str,
    /// The first error.
    pub(crate) error: Option<&'a Diagnostic<'a>>,
    pub(super) rows: &'a [Row],
    pub(super) labels: &'a [LabelRow<'a>],
    pub(super) comments: &'a [CommentRow],
    /// The expressions of attributes, by row. Each is parsed on first use; the slice is made with
    /// the first one.
    pub(super) programs: OnceLock<&'a [OnceLock<Parsed<'a>>]>,
}

/// An expression, or the error in its text.
pub(super) type Parsed<'a> = Result<&'a Program<'a>, &'a Diagnostic<'a>>;

/// An attribute or a block: 32 bytes.
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

#[derive(Clone, Copy, Debug)]
pub(super) enum RowKind {
    Attribute,
    /// An attribute with an invalid value, which has been reported.
    Broken,
    /// An attribute with a duplicate name, which has been reported. It is ignored.
    Repeated,
    /// A block, with the index of its first label and the number of its labels.
    Block(u32, u32),
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

//! The table that the structure pass writes: one row for each attribute and block, in the order of
//! the file.
//!
//! The rows of its body follow the row of a block, which has the index of the row after these. So a
//! body is walked from row to row without a stack, and a whole file in one pass over the table.

use std::sync::OnceLock;

use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::source::Source;
use crate::span::Span;

/// The structure of one file.
pub(crate) struct Table<'a> {
    pub(crate) source: Source<'a>,
    /// All of the file; nothing if it is not UTF-8.
    pub(super) text: &'a str,
    /// The first thing that is wrong.
    pub(crate) error: Option<&'a Diagnostic<'a>>,
    pub(super) rows: &'a [Row],
    pub(super) labels: &'a [LabelRow<'a>],
    pub(super) comments: &'a [CommentRow],
    /// The expressions of attributes, by row: each is parsed once, when first asked for. Made when
    /// the first one is.
    pub(super) programs: OnceLock<&'a [OnceLock<Parsed<'a>>]>,
}

/// An expression, or why a text is not one.
pub(super) type Parsed<'a> = Result<&'a Program<'a>, &'a Diagnostic<'a>>;

/// An attribute or a block: 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The name of the attribute, or the type of the block.
    pub(super) name: Span,
    /// The expression; of a block the body, from brace to brace.
    pub(super) value: Span,
    /// The row after this item and everything in it.
    pub(super) next: u32,
    pub(super) kind: RowKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RowKind {
    Attribute,
    /// An attribute whose value is not an expression, which has been reported.
    Broken,
    /// An attribute whose name an earlier one of the body has, which has been reported. It does not
    /// count.
    Repeated,
    /// Its labels: the place of the first, and how many there are.
    Block(u32, u32),
}

/// A label of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelRow<'a> {
    /// Its bytes, quotes included.
    pub(crate) span: Span,
    /// Decoded.
    pub(crate) text: &'a str,
}

/// A comment that is not part of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommentRow {
    /// Its bytes, without the line feed that ends it.
    pub(super) span: Span,
    pub(super) place: CommentPlace,
}

/// What a comment belongs to, by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentPlace {
    /// Nothing: a blank line or the end of the body follows.
    Alone,
    /// The item that follows it.
    Leads(u32),
    /// The item that ends before it, or whose body starts before it, on the same line.
    Trails(u32),
}

//! The open constructs of the parser, and the states between its steps.

use crate::program::node::{Kind, Operator};

/// A `for` whose parts are being parsed.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Its index in `loops`.
    pub(super) place: u32,
    /// The first node of the part that is being parsed.
    pub(super) part: u32,
    pub(super) makes_object: bool,
}

/// The part of a `for` that is being parsed.
pub(super) enum Part {
    Key,
    Value,
    Condition,
}

/// How literal text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without escapes, to the end of the text.
    Bare,
    /// With escapes, up to a quote.
    Quoted,
    /// Without escapes, up to a line that has only the heredoc's name. With `flush`, the common
    /// indentation of the lines is removed.
    Heredoc { flush: bool },
}

/// The end of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The end of literal text in the template's style.
    Own,
    /// `%{else}` or `%{endif}`.
    Then,
    /// `%{endif}`.
    Else,
    /// `%{endfor}`.
    Body,
}

/// A template whose parts are being read.
#[derive(Clone, Copy)]
pub(super) struct Open<'a> {
    pub(super) style: Style,
    pub(super) ending: Ending,
    /// The name that ends a heredoc.
    pub(super) name: &'a str,
    pub(super) first: usize,
    pub(super) start: usize,
    pub(super) parts: u32,
    /// Whether the next literal loses its leading whitespace.
    pub(super) trims: bool,
    /// The first node of an `%{if}`, or the index of the loop of a `%{for}`.
    pub(super) directive: usize,
    pub(super) directive_start: usize,
    pub(super) head: Option<Head>,
    /// Whether line feeds are tokens around a quoted template.
    pub(super) outer: bool,
}

/// An open `<<-` heredoc. The contents of directives in it are part of it.
#[derive(Default)]
pub(super) struct Flush {
    /// The texts that start a line and are not blank.
    pub(super) lines: Vec<u32>,
    /// The smallest indentation of these lines so far. A sequence that starts a line has an
    /// indentation of 0.
    pub(super) indentation: usize,
    /// Whether the next literal or sequence starts a line: the literal before it, once stripped,
    /// ended with a line feed.
    pub(super) at_line: bool,
}

impl Flush {
    /// Records the indentation of a literal, or of a sequence (an empty text). Returns true for a
    /// literal that starts a line. Blank lines do not count.
    pub(super) fn indent(&mut self, text: &str) -> bool {
        let at_line = std::mem::replace(&mut self.at_line, text.ends_with('\n'));
        if !at_line || (text.trim_start().is_empty() && self.at_line) {
            return false;
        }
        let spaces = text.chars().take_while(|character| character.is_whitespace()).count();
        self.indentation = self.indentation.min(spaces);
        true
    }
}

/// An open construct. `first` is its first node, `start` its first byte.
#[derive(Clone, Copy)]
pub(super) enum Frame {
    /// An expression that fills the whole text.
    Root,
    Parenthesis {
        first: usize,
        start: usize,
        outer: bool,
    },
    Call {
        first: usize,
        place: usize,
        start: usize,
        outer: bool,
    },
    Tuple {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    /// An object whose next key, or value, is due.
    ObjectKey {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    ObjectValue {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    Index {
        first: usize,
        start: usize,
        outer: bool,
    },
    /// The collection, key, value or condition of a `for` expression.
    ForCollection {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForKey {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForValue {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForCondition {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    /// A conditional whose condition has ended, or whose first arm has.
    Then {
        first: usize,
    },
    Else {
        first: usize,
    },
    Binary {
        first: usize,
        operator: Operator,
        precedence: u8,
    },
    Unary {
        kind: Kind,
        start: usize,
    },
    /// `[*]`, which continues as long as there are steps. `marker` is its `SplatStart`.
    Splat {
        first: usize,
        marker: usize,
    },
    /// The innermost of the open templates.
    Template,
    /// `${`
    Interpolation {
        start: usize,
        outer: bool,
    },
    /// `%{if` and `%{for`, whose head is being parsed.
    If {
        first: usize,
        start: usize,
        outer: bool,
    },
    For {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
}

/// The states of the parser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Operand,
    AfterOperand,
    Literal,
    Done,
}

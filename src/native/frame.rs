//! The constructs that the parser has open, and what it expects next.

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

/// What is computed for each element.
pub(super) enum Part {
    Key,
    Value,
    Condition,
}

/// How literals are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As they are, to the end of the text.
    Bare,
    /// With escapes, up to a quote.
    Quoted,
    /// As they are, up to a line with a name alone. With `flush`, the lines' common indentation is
    /// taken away.
    Heredoc { flush: bool },
}

/// What ends a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// What ends literals of the style.
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
    /// The next literal loses the whitespace that it starts with.
    pub(super) trims: bool,
    /// Of an `%{if}`: its first node; and the loop of a `%{for}`.
    pub(super) directive: usize,
    pub(super) directive_start: usize,
    pub(super) head: Option<Head>,
    /// Whether line feeds were tokens around a quoted template.
    pub(super) outer: bool,
}

/// A `<<-` heredoc that is open. What directives in it hold is part of it.
#[derive(Default)]
pub(super) struct Flush {
    /// Texts that start a line and are not blank.
    pub(super) lines: Vec<u32>,
    /// The smallest indentation of these so far. A sequence that starts a line has none.
    pub(super) indentation: usize,
    /// Whether what comes next starts a line: the literal before it, once stripped, ended with a
    /// line feed.
    pub(super) at_line: bool,
}

impl Flush {
    /// Takes note of the indentation of a literal, or of a sequence (no text). True for a literal
    /// that starts a line. Blank lines have no indentation to speak of.
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

/// A construct that is open. `first` is its first node, `start` its first byte.
#[derive(Clone, Copy)]
pub(super) enum Frame<'a> {
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
    Template(Open<'a>),
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

/// What the machine expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Operand,
    Behind,
    Literal,
    Done,
}

//! The constructs that the parser has open, and what it expects next.

use crate::program::node::{Kind, Operator};

/// A `for` whose parts are being parsed.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Where it stands in `loops`.
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
    /// `[*]`, which goes on as long as there are steps. `marker` is its `SplatStart`.
    Splat {
        first: usize,
        marker: usize,
    },
    /// A template; see [`super::template`].
    Template(super::template::Open<'a>),
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

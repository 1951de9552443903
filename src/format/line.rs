//! Spaces: the indentation of lines, the spaces between tokens, and the alignment of consecutive
//! lines.

use std::ops::Range;

use super::token::{Kind, Token};

/// A line in up to three cells: the part before an equals sign, the equals sign and value of an
/// attribute, and a comment at the end.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) lead: Range<usize>,
    /// The equals sign and value; empty if there is none.
    pub(super) assign: Range<usize>,
    /// The index of the comment token.
    pub(super) comment: Option<usize>,
}

/// Sets the spaces before all tokens. Cost: linear in the tokens.
pub(super) fn space(tokens: &mut [Token<'_>]) {
    let lines = lines(tokens);
    indent(&lines, tokens);
    for line in &lines {
        separate(line.lead.clone(), tokens);
        if let Some(first) = line.assign.clone().next() {
            tokens[first].spaces = 1;
        }
        separate(line.assign.clone(), tokens);
    }
    let assigned = |line: &Line| line.assign.clone().next();
    let before = |line: &Line, tokens: &[Token<'_>]| columns(&tokens[line.lead.clone()]);
    align(&lines, tokens, assigned, before);
    let before = |line: &Line, tokens: &[Token<'_>]| {
        columns(&tokens[line.lead.clone()]) + columns(&tokens[line.assign.clone()])
    };
    align(&lines, tokens, |line| line.comment, before);
}

pub(super) fn columns(tokens: &[Token<'_>]) -> usize {
    tokens.iter().map(Token::columns).sum()
}

pub(super) fn lines(tokens: &[Token<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        if tokens[at].ends_line() || at + 1 == tokens.len() {
            lines.push(Line::of(start..at + 1, tokens));
            start = at + 1;
        }
    }
    lines
}

impl Line {
    fn of(all: Range<usize>, tokens: &[Token<'_>]) -> Self {
        let Range { start, mut end } = all;
        let mut comment = None;
        if end - start > 1 && tokens[end - 1].kind == Kind::Comment {
            end -= 1;
            comment = Some(end);
        }
        let mut lead_end = end;
        let equals = (start + 1..end).find(|at| tokens[*at].kind == Kind::Equals);
        // A value that continues on the next line is not aligned.
        if let Some(equals) = equals
            && tokens[equals..end].iter().map(|token| token.kind.brackets()).sum::<i64>() == 0
        {
            lead_end = equals;
        }
        Self { lead: start..lead_end, assign: lead_end..end, comment }
    }
}

/// Indents each line by the brackets that earlier lines left open. The brackets of one line count
/// as one level.
fn indent(lines: &[Line], tokens: &mut [Token<'_>]) {
    let mut levels: Vec<i64> = Vec::new();
    for line in lines {
        let Some(first) = line.lead.clone().next() else { continue };
        if tokens[first].kind == Kind::Newline {
            tokens[first].spaces = 0;
            continue;
        }
        let mut net = 0;
        for token in &tokens[line.lead.clone()] {
            net += token.kind.brackets();
            if token.kind == Kind::HeredocOpen {
                break;
            }
        }
        net += tokens[line.assign.clone()].iter().map(|token| token.kind.brackets()).sum::<i64>();
        if net > 0 {
            tokens[first].spaces = 2 * levels.len();
            levels.push(net);
            continue;
        }
        let mut closed = -net;
        while closed > 0
            && let Some(level) = levels.last_mut()
        {
            if closed < *level {
                *level -= closed;
                break;
            }
            closed -= *level;
            levels.pop();
        }
        tokens[first].spaces = 2 * levels.len();
    }
}

/// Sets the spaces between the tokens of a cell.
fn separate(cell: Range<usize>, tokens: &mut [Token<'_>]) {
    for at in cell.clone().skip(1) {
        let before = match at.checked_sub(2) {
            Some(before) if cell.contains(&before) => tokens[before].kind,
            _ => Kind::Nothing,
        };
        let is_apart = is_apart(before, &tokens[at - 1], tokens[at].kind);
        tokens[at].spaces = usize::from(is_apart || would_join(cell.clone(), at, tokens));
    }
}

/// Whether the token, a dot, stands between two numbers, as in `a.0 .1`. Without the space before
/// it, the numbers would be one with a fraction.
fn would_join(cell: Range<usize>, dot: usize, tokens: &[Token<'_>]) -> bool {
    tokens[dot].kind == Kind::Dot
        && tokens[dot - 1].kind == Kind::Number
        && cell.contains(&(dot + 1))
        && tokens[dot + 1].kind == Kind::Number
}

/// Whether there is a space between a token, which follows one of kind `before`, and the one after
/// it.
fn is_apart(before: Kind, token: &Token<'_>, after: Kind) -> bool {
    let kind = token.kind;
    match (kind, after) {
        (_, Kind::Newline) => false,
        (Kind::Identifier, Kind::ParenthesisOpen | Kind::DoubleColon) => false,
        (Kind::DoubleColon, Kind::Identifier) => false,
        (Kind::Dot, _) | (_, Kind::Dot) => false,
        (_, Kind::Comma | Kind::Ellipsis) => false,
        (Kind::Comma, _) => true,
        (Kind::Quoted | Kind::Text | Kind::QuoteOpen | Kind::HeredocOpen, _) => false,
        (_, Kind::Quoted | Kind::Text | Kind::QuoteClose | Kind::HeredocClose) => false,
        // In `[for x in [a] : x]`, `in` is not a name with an index.
        (Kind::Identifier, _) if token.text == "in" && before == Kind::Identifier => true,
        (
            Kind::Identifier
            | Kind::Number
            | Kind::ParenthesisClose
            | Kind::BracketClose
            | Kind::BraceClose
            | Kind::SequenceEnd,
            Kind::BracketOpen,
        ) => false,
        (Kind::Bang, _) => false,
        // A sign, unless the token before it can end an operand.
        (Kind::Minus, _) => !matches!(
            before,
            Kind::Nothing
                | Kind::ParenthesisOpen
                | Kind::BraceOpen
                | Kind::BracketOpen
                | Kind::Equals
                | Kind::Comma
                | Kind::Minus
                | Kind::Bang
                | Kind::Operator
        ),
        (Kind::BraceOpen, Kind::BraceClose) => false,
        (Kind::BraceOpen, _) | (_, Kind::BraceClose) => true,
        (Kind::Interpolation | Kind::Directive, Kind::BraceOpen) => true,
        (Kind::BraceClose, Kind::SequenceEnd) => true,
        (Kind::SequenceEnd, Kind::Interpolation | Kind::Directive) => false,
        _ => kind.brackets() <= 0 && after.brackets() >= 0,
    }
}

/// Aligns a cell of consecutive lines: the token that `of` returns starts one column after the
/// longest text before it.
fn align(
    lines: &[Line],
    tokens: &mut [Token<'_>],
    of: impl Fn(&Line) -> Option<usize>,
    before: impl Fn(&Line, &[Token<'_>]) -> usize,
) {
    for chain in lines.chunk_by(|one, other| of(one).is_some() && of(other).is_some()) {
        let columns: Vec<usize> = chain.iter().map(|line| before(line, tokens)).collect();
        let longest = columns.iter().copied().max().unwrap_or_default();
        for (line, columns) in chain.iter().zip(columns) {
            if let Some(first) = of(line) {
                tokens[first].spaces = longest - columns + 1;
            }
        }
    }
}

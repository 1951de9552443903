//! Comments where python-hcl2 8 finds them.
//!
//! It joins comments and line feeds that follow each other to one run. Those between items are
//! comments of the body, those in tuples, calls and objects are inline comments. An operation also
//! takes the run after it: as inline comments if the run starts on the same line, otherwise as
//! comments of the body, or not at all if the operation is a part of another expression.

use simd_hcl::format::{TokenKind as Kind, tokens};

/// The effect of an expression on the run after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It belongs to the body.
    Nothing,
    /// It is taken by the operation that the expression is.
    Takes,
    /// It is taken by an operation in the expression.
    Drops,
}

/// The texts of a run: a block comment is one, other comments are one for each line.
pub(crate) fn texts(run: &str) -> Vec<String> {
    let all = run.trim();
    if let Some(inner) = all.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")) {
        let inner = inner.trim();
        return if inner.is_empty() { Vec::new() } else { vec![inner.to_owned()] };
    }
    let lines = run.split('\n').map(|line| {
        let line = line.trim();
        line.strip_prefix("//").or(line.strip_prefix('#')).unwrap_or(line)
    });
    lines.filter(|line| !line.is_empty()).map(|line| line.trim().to_owned()).collect()
}

/// Whether a run starts on the line of what is before it.
pub(crate) fn is_inline(run: &str) -> bool {
    !run.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// A construct that is open around a token.
struct Frame {
    kind: FrameKind,
    /// Whether comments in it are not found.
    is_hidden: bool,
    /// Whether an operation ends here, which takes the run after it.
    ends_operation: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List,
    /// An object; whether a token is inside of one of its items.
    Object(bool),
    Text,
}

/// The binding strength of a binary operator.
fn strength(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" => 3,
        "<" | ">" | "<=" | ">=" => 4,
        "+" | "-" => 5,
        _ => 6,
    }
}

/// The inline comments of an expression, and what it does with the run after it.
pub(crate) fn of_expression(text: &str) -> (Vec<String>, After) {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut open = vec![Frame { kind: FrameKind::List, is_hidden: false, ends_operation: false }];
    let mut is_operand = false;
    // The least strength of the operators outside of brackets, and that of the last one.
    let (mut least, mut last) = (u8::MAX, 0);
    let mut is_conditional = false;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Some(frame) = open.last_mut() else { break };
        let kind = token.kind();
        if frame.kind != FrameKind::Text && matches!(kind, Kind::Newline | Kind::Comment) {
            let mut run = String::new();
            while let Some(token) = tokens.get(at)
                && matches!(token.kind(), Kind::Newline | Kind::Comment)
            {
                run.push_str(token.text());
                at += 1;
            }
            let is_taken = frame.ends_operation && is_operand;
            let is_dropped =
                is_taken && (frame.kind == FrameKind::Object(true) || !is_inline(&run));
            if !frame.is_hidden && !is_dropped && at < tokens.len() {
                found.extend(texts(&run));
            }
            if let FrameKind::Object(in_item) = &mut frame.kind {
                *in_item = false;
                frame.ends_operation = false;
            }
            continue;
        }
        let depth = open.len();
        let Some(frame) = open.last_mut() else { break };
        if let FrameKind::Object(in_item) = &mut frame.kind {
            let closes = matches!(kind, Kind::BraceClose | Kind::Comma);
            *in_item = !closes;
        }
        let is_hidden = frame.is_hidden || frame.kind == FrameKind::Object(true);
        match kind {
            Kind::ParenthesisOpen | Kind::BracketOpen | Kind::BraceOpen => {
                let mut next = tokens[at + 1..]
                    .iter()
                    .skip_while(|it| matches!(it.kind(), Kind::Newline | Kind::Comment));
                let is_for = next.next().is_some_and(|it| it.text() == "for");
                let kind = match kind == Kind::BraceOpen && !is_for {
                    true => FrameKind::Object(false),
                    false => FrameKind::List,
                };
                open.push(Frame { kind, is_hidden, ends_operation: false });
                is_operand = false;
            }
            Kind::QuoteOpen | Kind::HeredocOpen | Kind::Interpolation | Kind::Directive => {
                let kind = FrameKind::Text;
                open.push(Frame { kind, is_hidden: true, ends_operation: false });
                is_operand = false;
            }
            Kind::ParenthesisClose
            | Kind::BracketClose
            | Kind::BraceClose
            | Kind::QuoteClose
            | Kind::HeredocClose
            | Kind::SequenceEnd => {
                if open.len() > 1 {
                    open.pop();
                }
                is_operand = true;
            }
            Kind::Operator | Kind::Minus if is_operand && !matches!(token.text(), "?" | ":") => {
                frame.ends_operation = true;
                is_operand = false;
                if depth == 1 {
                    last = strength(token.text());
                    least = least.min(last);
                }
            }
            Kind::Operator | Kind::Minus | Kind::Comma | Kind::Equals | Kind::Other => {
                if matches!(token.text(), "?" | ":" | "," | "=" | "=>") {
                    frame.ends_operation = false;
                    is_conditional |= depth == 1 && token.text() == "?";
                }
                is_operand = false;
            }
            Kind::Dot | Kind::Bang | Kind::DoubleColon => is_operand = false,
            _ => is_operand = true,
        }
        at += 1;
    }
    let after = match open.first() {
        Some(frame) if frame.ends_operation => match is_conditional || last > least {
            true => After::Drops,
            false => After::Takes,
        },
        _ => After::Nothing,
    };
    (found, after)
}

//! Static traversals: strings that contain only a reference.

use std::fmt;

use smallvec::SmallVec;

use super::lexer::{Lexer, Token};
use super::output::Output;
use super::text::Text;
use crate::lexical::closing_quote;
use crate::program::node::{Kind, Node};
use crate::program::traversal::{Key, LentTraversal, Step, StepKind, Traversal};
use crate::span::Span;
use crate::value::Number;
use crate::write::push_string;

impl fmt::Display for LentTraversal<'_, '_> {
    /// Writes it in native syntax, with keys as JSON values: `a.b["c"][0]`. Numbers are written in
    /// full if that takes few digits, otherwise as in the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps() {
            match step.kind {
                StepKind::Root(name) => f.write_str(name)?,
                StepKind::Attribute(name) => write!(f, ".{name}")?,
                StepKind::Index(Key::Number(text)) => match Number::from_literal(text) {
                    // `1e999999` stays as it is written: it has a million digits.
                    Ok(number) if number.is_short() => write!(f, "[{number:?}]")?,
                    _ => write!(f, "[{text}]")?,
                },
                StepKind::Index(Key::String(text)) => {
                    let mut quoted = String::new();
                    push_string(&mut quoted, text);
                    write!(f, "[{quoted}]")?;
                }
                StepKind::Index(Key::Bool(value)) => write!(f, "[{value}]")?,
                StepKind::Index(Key::Null) => f.write_str("[null]")?,
                StepKind::Splat => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// Reads a text as an absolute traversal: names and literal indexes, with spaces and comments
/// between them. Returns `None` if it is anything else.
pub(crate) fn parse_traversal<'a>(text: &Text<'a>) -> Option<Traversal<'a>> {
    traversal(text, false, StepKind::Root)
}

/// Like [`parse_traversal`], but the first step is an attribute.
pub(crate) fn parse_relative<'a>(text: &Text<'a>) -> Option<Traversal<'a>> {
    traversal(text, false, StepKind::Attribute)
}

/// Like [`parse_traversal`], but `[*]` is also a step.
pub(crate) fn parse_pattern<'a>(text: &Text<'a>) -> Option<Traversal<'a>> {
    traversal(text, true, StepKind::Root)
}

fn traversal<'a>(
    text: &Text<'a>,
    splats: bool,
    first: fn(&'a str) -> StepKind<'a>,
) -> Option<Traversal<'a>> {
    let lexer = Lexer::new(text.decoded());
    let next = |at: usize| {
        let start = lexer.skip(at, false);
        let (token, end) = lexer.token(start);
        (token, start, end)
    };
    let slice = |start: usize, end: usize| lexer.text.get(start..end).unwrap_or_default();
    let mut steps: SmallVec<[Step<'a>; 4]> = SmallVec::new();
    let mut push = |kind, start: usize, end: usize| {
        steps.push(Step { kind, span: text.span(Span::new(start as u32, end as u32)) });
    };
    let (token, start, mut at) = next(0);
    if token != Token::Identifier {
        return None;
    }
    push(first(slice(start, at)), start, at);
    loop {
        let (token, from, end) = next(at);
        match token {
            Token::End => {
                let arena = text.source().arena();
                return Some(Traversal::new(text.source(), arena.bump().alloc_slice_copy(&steps)));
            }
            Token::Dot => {
                let (token, start, end) = next(end);
                if token != Token::Identifier {
                    return None;
                }
                push(StepKind::Attribute(slice(start, end)), from, end);
                at = end;
            }
            Token::BracketOpen => {
                let (token, start, end) = next(end);
                let (kind, end) = match token {
                    Token::Number => (StepKind::Index(Key::Number(slice(start, end))), end),
                    Token::Quote => {
                        let (key, end) = quoted(text, start)?;
                        (StepKind::Index(Key::String(key)), end)
                    }
                    Token::Star if splats => (StepKind::Splat, end),
                    _ => return None,
                };
                let (token, _, end) = next(end);
                if token != Token::BracketClose {
                    return None;
                }
                push(kind, from, end);
                at = end;
            }
            _ => return None,
        }
    }
}

/// Returns the quoted literal that starts at `start`, and where it ends. It must not contain
/// sequences.
fn quoted<'a>(text: &Text<'a>, start: usize) -> Option<(&'a str, usize)> {
    let rest = text.decoded().get(start + 1..)?;
    let end = closing_quote(rest.as_bytes(), 0)?;
    let whole = text.decoded().get(start..start + end + 2)?;
    let arena = text.source().arena();
    let inner = Text::of_source(text.source(), whole);
    let mut output = Output::default();
    let program = super::expression_into(&mut output, arena, &inner, 8, &mut ())?;
    let key = match program.nodes {
        [Node { kind: Kind::Template, .. }] => "",
        [Node { kind: Kind::Text, payload, .. }, Node { kind: Kind::Template, .. }] => {
            crate::value::normalized(arena, program.texts[*payload as usize])
        }
        _ => return None,
    };
    Some((key, start + end + 2))
}

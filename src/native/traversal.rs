//! Traversals: a variable's name and the steps from it, `aws_instance.web[0].id`.
//!
//! After section "Traversal" of the HCL specification and "Variables and Variable Expressions" of the native
//! syntax specification.

use std::fmt;

use super::lexer::{Lexer, Token};
use super::text::Text;
use crate::source::Source;
use crate::span::Span;

/// A reference to a variable and to parts of its value: at least the root step.
#[derive(Clone, Copy)]
pub struct Traversal<'a> {
    source: Source<'a>,
    steps: &'a [Step<'a>],
}

/// One step of a traversal, and its bytes in the file: `.name`, `[0]`.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// What it goes to.
    pub kind: StepKind<'a>,
    /// Its bytes, the dot or brackets included.
    pub span: Span,
}

/// What a step goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind<'a> {
    /// The first step: a variable.
    Root(&'a str),
    /// `.name`.
    Attribute(&'a str),
    /// `[key]` with a literal key, or the older `.0`.
    Index(Key<'a>),
    /// `[*]`, only where traversals with splats are asked for.
    Splat,
}

/// The literal key of an index step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// A number, as it is written.
    Number(&'a str),
    /// A string, decoded.
    String(&'a str),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

impl<'a> Traversal<'a> {
    /// Steps in a source. The first is a root; of a relative traversal it is a step like any other.
    pub(crate) fn new(source: Source<'a>, steps: &'a [Step<'a>]) -> Self {
        Self { source, steps }
    }

    /// The steps, the root first.
    #[must_use]
    pub fn steps(self) -> &'a [Step<'a>] {
        self.steps
    }

    /// The name of the variable that it starts from. Empty for a relative traversal.
    #[must_use]
    pub fn root_name(self) -> &'a str {
        match self.steps.first() {
            Some(Step { kind: StepKind::Root(name), .. }) => name,
            _ => "",
        }
    }

    /// Its bytes in the file, from the first step to the last.
    #[must_use]
    pub fn span(self) -> Span {
        match (self.steps.first(), self.steps.last()) {
            (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
            _ => Span::default(),
        }
    }

    /// The source it is in.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.source
    }
}

impl fmt::Debug for Traversal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps.iter().map(|step| step.kind)).finish()
    }
}

/// Reads a text as an absolute traversal: names and literal indexes only, spaces and comments between them. None if
/// it is anything else.
pub(crate) fn parse_traversal<'a>(text: &Text<'a>) -> Option<Traversal<'a>> {
    traversal(text, false)
}

/// The same, where `[*]` is a step too.
pub(crate) fn strict_traversal<'a>(text: &Text<'a>) -> Option<Traversal<'a>> {
    traversal(text, true)
}

fn traversal<'a>(text: &Text<'a>, splats: bool) -> Option<Traversal<'a>> {
    let lexer = Lexer { text: text.decoded() };
    let next = |at: usize| {
        let start = lexer.skip(at, false);
        let (token, end) = lexer.token(start);
        (token, start, end)
    };
    let slice = |start: usize, end: usize| lexer.text.get(start..end).unwrap_or_default();
    let mut steps = Vec::new();
    let mut push = |kind, start: usize, end: usize| {
        steps.push(Step { kind, span: text.span(Span::new(start as u32, end as u32)) });
    };
    let (token, start, mut at) = next(0);
    if token != Token::Identifier {
        return None;
    }
    push(StepKind::Root(slice(start, at)), start, at);
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

/// The quoted literal that starts at `start`, and where it ends. Sequences are not allowed in it.
fn quoted<'a>(text: &Text<'a>, start: usize) -> Option<(&'a str, usize)> {
    let rest = text.decoded().get(start + 1..)?;
    let mut is_escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    let whole = text.decoded().get(start..start + end + 2)?;
    let arena = text.source().arena();
    let inner = Text::of_source(text.source(), whole);
    let program = super::parse_expression(arena, &inner, 8, &mut ())?;
    let key = match program.nodes {
        [template] if template.kind == super::Kind::Template => "",
        [part, template]
            if part.kind == super::Kind::Text && template.kind == super::Kind::Template =>
        {
            program.texts.get(part.payload as usize)?
        }
        _ => return None,
    };
    Some((key, start + end + 2))
}

//! Replaces syntax of older versions: labels, types, and values that are one interpolation.

use super::token::{Kind, Token};
use crate::reference::Escaped;
use crate::span::Span;
use crate::structure::{File, FileAttribute, FileBlock, Item};

/// A part to replace, in the order of the file.
enum Edit<'a> {
    /// The labels of a block: everything after its type, up to the last of them.
    Labels(FileBlock<'a>, usize, usize),
    /// The value of an attribute, and whether it is a type.
    Value(Span, bool),
}

impl Edit<'_> {
    fn start(&self) -> usize {
        match *self {
            Edit::Labels(_, start, _) => start,
            Edit::Value(span, _) => span.start as usize,
        }
    }

    fn end(&self) -> usize {
        match *self {
            Edit::Labels(_, _, end) => end,
            Edit::Value(span, _) => span.end as usize,
        }
    }
}

/// Applies all replacements to the tokens. Cost: linear in the tokens.
pub(super) fn rewrite<'t>(tokens: Vec<Token<'t>>, file: File<'t>) -> Vec<Token<'t>> {
    let mut edits = edits(file).into_iter().peekable();
    let mut all = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let Some(edit) = edits.next_if(|edit| token.start >= edit.start()) else {
            all.push(token);
            continue;
        };
        let mut inside = vec![token];
        while let Some(next) = rest.next_if(|next| next.start < edit.end()) {
            inside.push(next);
        }
        match edit {
            Edit::Labels(block, ..) => all.extend(labels(block, &inside)),
            Edit::Value(_, true) => all.extend(type_of(inside)),
            Edit::Value(..) => all.extend(value(inside)),
        }
    }
    all
}

fn edits(file: File<'_>) -> Vec<Edit<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(file.body().items(), false)];
    while let Some((items, is_variable)) = open.last_mut() {
        let is_variable = *is_variable;
        match items.next() {
            Some(Item::Attribute(attribute)) => {
                let is_type = is_variable && attribute.name() == "type";
                found.push(Edit::Value(FileAttribute::value_span(attribute), is_type));
            }
            Some(Item::Block(block)) => {
                if let Some(last) = block.label_spans().last() {
                    let start = block.type_span().end as usize;
                    found.push(Edit::Labels(block, start, last.end as usize));
                }
                let is_variable = open.len() == 1 && block.block_type() == "variable";
                open.push((block.body().items(), is_variable));
            }
            None => drop(open.pop()),
        }
    }
    found
}

/// Writes labels in quotes, and drops everything between them.
fn labels<'t>(block: FileBlock<'t>, inside: &[Token<'t>]) -> Vec<Token<'t>> {
    let start = inside.first().map_or(0, |token| token.start);
    let mut all = Vec::new();
    for label in block.labels() {
        all.push(Token::new(Kind::QuoteOpen, start, "\""));
        if !label.is_empty() {
            all.push(Token::new(Kind::Quoted, start, Escaped(label).to_string()));
        }
        all.push(Token::new(Kind::QuoteClose, start, "\""));
    }
    all
}

/// Rewrites a type: `list(any)` for `list`, and types in quotes.
fn type_of(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let (name, argument) = match tokens.as_slice() {
        [name] if name.kind == Kind::Identifier => match &*name.text {
            "list" | "map" | "set" => (name.text.clone(), "any"),
            _ => return tokens,
        },
        [open, name, _] if open.kind == Kind::QuoteOpen && name.kind == Kind::Quoted => {
            match &*name.text {
                "string" => return vec![Token::new(Kind::Identifier, open.start, "string")],
                "list" | "map" => (name.text.clone(), "string"),
                _ => return tokens,
            }
        }
        _ => return tokens,
    };
    let start = tokens.first().map_or(0, |token| token.start);
    vec![
        Token::new(Kind::Identifier, start, name),
        Token::new(Kind::ParenthesisOpen, start, "("),
        Token::new(Kind::Identifier, start, argument),
        Token::new(Kind::ParenthesisClose, start, ")"),
    ]
}

/// Rewrites a value that is a string of one interpolation: returns the tokens inside it.
fn value(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let [first, second, inside @ .., before, last] = tokens.as_slice() else { return tokens };
    let is_wrapped = first.kind == Kind::QuoteOpen
        && second.kind == Kind::Interpolation
        && before.kind == Kind::SequenceEnd
        && last.kind == Kind::QuoteClose;
    if !is_wrapped || inside.is_empty() {
        return tokens;
    }
    let mut quotes = 0;
    for token in inside {
        match token.kind {
            Kind::QuoteOpen => quotes += 1,
            Kind::QuoteClose => quotes -= 1,
            Kind::Interpolation | Kind::SequenceEnd | Kind::Quoted if quotes <= 0 => return tokens,
            _ => {}
        }
    }
    let is_newline = |token: &Token<'_>| token.kind == Kind::Newline;
    let start = 2 + inside.iter().take_while(|token| is_newline(token)).count();
    let trailing = 2 + inside.iter().rev().take_while(|token| is_newline(token)).count();
    let end = (tokens.len() - trailing).max(start);
    tokens.truncate(end);
    let trimmed = tokens.split_off(start.min(tokens.len()));
    let is_in_parentheses = trimmed.first().is_some_and(|it| it.kind == Kind::ParenthesisOpen)
        && trimmed.len() > 1
        && trimmed.last().is_some_and(|it| it.kind == Kind::ParenthesisClose);
    // Without the parentheses, the tools lose comments that end a line, and write an invalid
    // expression.
    if is_in_parentheses || !trimmed.iter().any(Token::ends_line) {
        return trimmed;
    }
    let at = trimmed.first().map_or(0, |token| token.start);
    let mut wrapped = vec![Token::new(Kind::ParenthesisOpen, at, "(")];
    wrapped.extend(trimmed);
    wrapped.push(Token::new(Kind::ParenthesisClose, at, ")"));
    wrapped
}

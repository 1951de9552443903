//! The names that `for` declares inside of an expression.

use super::expressions::{self, contains, parts};
use crate::format::{TokenKind, tokens};
use crate::native::{Construct, ForExpression, Native, StepKind};
use crate::parsed::ParsedFile;
use crate::span::Span;

/// A name that an expression declares.
#[derive(Debug)]
pub(super) struct Variable<'a> {
    /// The bytes where it is declared.
    pub(super) declaration: Span,
    /// The bytes of its name in each use, in order.
    pub(super) uses: Vec<Span>,
    /// The expression whose parts see it.
    scope: ForExpression<'a>,
}

impl Variable<'_> {
    /// Whether a name has no other meaning where this one is seen.
    pub(super) fn is_free(&self, name: &str) -> bool {
        let declares = |it: &ForExpression<'_>| it.value_name == name || it.key_name == Some(name);
        let mut open = seen_by(&self.scope);
        while let Some(native) = open.pop() {
            match native.construct() {
                Construct::Traversal(it) if it.root_name() == name => return false,
                Construct::For(inner) if declares(&inner) => return false,
                _ => open.extend(parts(native)),
            }
        }
        !declares(&self.scope)
    }
}

/// The parts of a `for` that see its names.
fn seen_by<'a>(repeat: &ForExpression<'a>) -> Vec<Native<'a>> {
    repeat.key.into_iter().chain([repeat.value]).chain(repeat.condition).collect()
}

/// The names that `for` declares around an offset, the innermost first.
pub(super) fn around(file: ParsedFile<'_>, offset: u32) -> Vec<&str> {
    let mut names = Vec::new();
    for (repeat, _) in enclosing(file, offset).0.into_iter().rev() {
        names.extend(repeat.key_name);
        names.push(repeat.value_name);
    }
    names
}

/// The name at an offset that a `for` around it declares.
///
/// Cost: linear in the expression.
pub(super) fn at(file: ParsedFile<'_>, offset: u32) -> Option<Variable<'_>> {
    let (around, innermost) = enclosing(file, offset);
    let innermost = innermost?;
    // The declaration itself.
    let own = match innermost.construct() {
        Construct::For(repeat) => Some((repeat, innermost)),
        _ => None,
    };
    if let Some((repeat, native)) = own {
        let declared = declarations(&repeat, native);
        let found = declared.into_iter().find(|(_, span)| contains(*span, offset));
        if let Some((name, declaration)) = found {
            return Some(Variable { declaration, uses: uses(&repeat, name), scope: repeat });
        }
    }
    let Construct::Traversal(traversal) = innermost.construct() else { return None };
    let root = traversal.steps().first()?;
    let StepKind::Root(name) = root.kind else { return None };
    if !contains(root.span, offset) {
        return None;
    }
    let is_meant =
        |repeat: &ForExpression<'_>| repeat.value_name == name || repeat.key_name == Some(name);
    let (repeat, native) = around.into_iter().rev().find(|(repeat, _)| is_meant(repeat))?;
    // The last of two equal names counts.
    let declared = declarations(&repeat, native).into_iter().rev();
    let (_, declaration) = declared.into_iter().find(|(known, _)| *known == name)?;
    Some(Variable { declaration, uses: uses(&repeat, name), scope: repeat })
}

type Repeat<'a> = (ForExpression<'a>, Native<'a>);

/// The `for` expressions whose names an offset sees, outermost first, and the innermost expression
/// there.
fn enclosing(file: ParsedFile<'_>, offset: u32) -> (Vec<Repeat<'_>>, Option<Native<'_>>) {
    let mut around = Vec::new();
    let Some(mut native) = expressions::at(file, offset) else { return (around, None) };
    loop {
        let inner = parts(native);
        let Some(&next) = inner.iter().find(|part| contains(part.span(), offset)) else {
            return (around, Some(native));
        };
        if let Construct::For(repeat) = native.construct()
            && next.span() != repeat.collection.span()
        {
            around.push((repeat, native));
        }
        native = next;
    }
}

/// The names that a `for` declares, with their bytes. Empty if it is written with escapes.
fn declarations<'a>(repeat: &ForExpression<'a>, native: Native<'a>) -> Vec<(&'a str, Span)> {
    let start = native.span().start;
    let head = Span::new(start, repeat.collection.span().start.max(start));
    let Ok(text) = str::from_utf8(head.slice(native.source().bytes())) else { return Vec::new() };
    let found = tokens(text);
    let names = found.iter().skip_while(|token| token.text() != "for").skip(1);
    let names = names.filter(|token| token.kind() == TokenKind::Identifier && token.text() != "in");
    let declared = repeat.key_name.into_iter().chain([repeat.value_name]);
    let placed = names.zip(declared).filter(|(token, name)| token.text() == *name);
    placed
        .map(|(token, name)| {
            (name, Span::new(start + token.start() as u32, start + token.end() as u32))
        })
        .collect()
}

/// The bytes of a name in the parts of a `for` that see it.
fn uses(repeat: &ForExpression<'_>, name: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open = seen_by(repeat);
    while let Some(native) = open.pop() {
        match native.construct() {
            Construct::Traversal(traversal) => {
                let root = traversal.steps().first();
                found.extend(root.filter(|it| it.kind == StepKind::Root(name)).map(|it| it.span));
            }
            // The name stands for something else in it.
            Construct::For(inner) if inner.value_name == name || inner.key_name == Some(name) => {
                open.push(inner.collection);
            }
            _ => open.extend(parts(native)),
        }
    }
    found.sort_unstable_by_key(|span| span.start);
    found
}

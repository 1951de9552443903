//! The meaning of the words of a file, for highlighting.

use super::answers::{Answers, Owner};
use super::context;
use super::expressions;
use super::named::unquoted;
use super::outline::{self, ItemKind};
use crate::dialect::Syntax;
use crate::facts::{PlaceUse, Target, name_of};
use crate::format::TokenKind as Written;
use crate::module::Object;
use crate::native::{Construct, StepKind};
use crate::span::Span;

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// The type of a block.
    BlockType,
    /// A label of a block that is a type: `aws_instance`.
    Type,
    /// A label of a block that is a name.
    Label,
    /// The name of an argument, or a key of an object.
    Property,
    /// A variable.
    Variable,
    /// A local value, or a name that `for` declares.
    Local,
    /// A module call.
    Module,
    /// An output.
    Output,
    /// A resource.
    Resource,
    /// A provider configuration.
    Provider,
    /// A name that the language defines: `var`, `each`, `path`.
    Keyword,
    /// A function.
    Function,
    /// A number.
    Number,
    /// Literal text.
    Text,
    /// A comment.
    Comment,
    /// An operator.
    Operator,
}

impl TokenKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::BlockType,
        Self::Type,
        Self::Label,
        Self::Property,
        Self::Variable,
        Self::Local,
        Self::Module,
        Self::Output,
        Self::Resource,
        Self::Provider,
        Self::Keyword,
        Self::Function,
        Self::Number,
        Self::Text,
        Self::Comment,
        Self::Operator,
    ];
}

/// A word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Its bytes, in one line.
    pub span: Span,
    /// Its kind.
    pub kind: TokenKind,
    /// Whether it declares an object.
    pub is_declaration: bool,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The words of a file with their meaning, in the order of the text; they do not overlap.
    ///
    /// Cost: linear in the file, and the places of its module, which are kept.
    #[must_use]
    pub fn tokens(&self, file: &str) -> Vec<Token> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let bytes = entry.source.bytes();
        let mut found: Vec<(u8, Token)> = Vec::new();
        // Of words that overlap, those of a lower rank count.
        let mut add = |rank: u8, span: Span, kind: TokenKind, is_declaration: bool| {
            if !span.is_empty() {
                found.push((rank, Token { span, kind, is_declaration }));
            }
        };
        if let Owner::Module(module) = entry.owner {
            let places = self.places(module);
            let objects = &self.module(module).module;
            for place in places.iter().filter(|place| place.file() == entry.at) {
                if place.usage() == PlaceUse::Implied {
                    continue;
                }
                let kind = match places.target(place) {
                    Target::Object(number) => match objects.object(number) {
                        Some(object) => kind_of(object),
                        None => continue,
                    },
                    Target::Argument { .. } => TokenKind::Property,
                    Target::Output { .. } => TokenKind::Output,
                    Target::Passed { .. } | Target::Inherited(_) => TokenKind::Provider,
                    Target::Function(_) => TokenKind::Function,
                    Target::BuiltIn(_) => TokenKind::Keyword,
                    _ => continue,
                };
                if let Some(name) = place.name() {
                    add(0, name, kind, place.usage() == PlaceUse::Declaration);
                }
            }
        }
        if let Some(parsed) = self.parsed(entry) {
            for item in outline::items(parsed, context::grammar(entry)) {
                match item.kind {
                    ItemKind::Block(block) => {
                        add(2, unquoted(block.type_span(), bytes), TokenKind::BlockType, false);
                        let count = block.labels().len();
                        for (at, span) in (1..).zip(block.label_spans()) {
                            let is_type = at < count;
                            let kind = if is_type { TokenKind::Type } else { TokenKind::Label };
                            add(2, unquoted(span, bytes), kind, false);
                        }
                    }
                    ItemKind::Argument(attribute) => {
                        add(2, unquoted(attribute.name_span(), bytes), TokenKind::Property, false);
                    }
                }
            }
            let mut open = expressions::all(parsed);
            while let Some(native) = open.pop() {
                match native.construct() {
                    Construct::Traversal(traversal) => {
                        let mut steps = traversal.steps().iter();
                        if let Some(root) = steps.next() {
                            let kind = match root.kind {
                                StepKind::Root(
                                    "var" | "local" | "module" | "data" | "each" | "count" | "self"
                                    | "path" | "terraform" | "tofu" | "ephemeral",
                                ) => TokenKind::Keyword,
                                StepKind::Root(name) if name.contains('_') => TokenKind::Type,
                                _ => TokenKind::Local,
                            };
                            add(1, root.span, kind, false);
                        }
                        for step in steps {
                            if let StepKind::Attribute(_) = step.kind
                                && let Some(name) = name_of(traversal, step)
                            {
                                add(1, name, TokenKind::Property, false);
                            }
                        }
                    }
                    Construct::Call(call) => add(1, call.name_span, TokenKind::Function, false),
                    Construct::Number(_) => add(1, native.span(), TokenKind::Number, false),
                    Construct::Bool(_) | Construct::Null => {
                        add(1, native.span(), TokenKind::Keyword, false);
                    }
                    _ => {}
                }
                open.extend(expressions::parts(native));
            }
        }
        if entry.kind.syntax == Syntax::Native
            && let Ok(text) = str::from_utf8(bytes)
        {
            for token in crate::format::tokens(text) {
                let kind = match token.kind() {
                    Written::Comment => TokenKind::Comment,
                    Written::Quoted | Written::Text => TokenKind::Text,
                    Written::Number => TokenKind::Number,
                    Written::Operator | Written::Minus | Written::Bang => TokenKind::Operator,
                    Written::Identifier if is_keyword(token.text()) => TokenKind::Keyword,
                    _ => continue,
                };
                let mut start = token.start() as u32;
                // A token of the protocols of editors is in one line.
                for line in token.text().split_inclusive('\n') {
                    let end = start + line.len() as u32;
                    let shown = start + line.trim_end().len() as u32;
                    add(3, Span::new(start, shown), kind, false);
                    start = end;
                }
            }
        }
        one_at_a_place(found, bytes)
    }
}

/// Returns the kind of token that names an object.
fn kind_of(object: Object<'_>) -> TokenKind {
    match object {
        Object::Variable(_) => TokenKind::Variable,
        Object::Local(_) => TokenKind::Local,
        Object::Output(_) => TokenKind::Output,
        Object::ModuleCall(_) => TokenKind::Module,
        Object::Provider(_) => TokenKind::Provider,
        Object::Resource(_) => TokenKind::Resource,
        _ => TokenKind::Label,
    }
}

/// The words of expressions that are neither names nor values.
fn is_keyword(word: &str) -> bool {
    matches!(word, "for" | "in" | "if" | "else" | "endif" | "endfor")
}

/// Words that do not overlap, in order: of two that do, the one of the lower rank.
fn one_at_a_place(mut found: Vec<(u8, Token)>, bytes: &[u8]) -> Vec<Token> {
    let is_in_line = |span: Span| memchr::memchr(b'\n', span.slice(bytes)).is_none();
    found.retain(|(_, token)| is_in_line(token.span) && token.span.end as usize <= bytes.len());
    found.sort_by_key(|(rank, token)| {
        (token.span.start, *rank, token.span.len(), !token.is_declaration)
    });
    let mut kept: Vec<(u8, Token)> = Vec::new();
    for (rank, token) in found {
        // A longer word of a higher rank makes room.
        while let Some((last, before)) = kept.last()
            && *last > rank
            && token.span.start < before.span.end
        {
            kept.pop();
        }
        if kept.last().is_none_or(|(_, before)| before.span.end <= token.span.start) {
            kept.push((rank, token));
        }
    }
    kept.into_iter().map(|(_, token)| token).collect()
}

//! Expressions: the values of attributes.
//!
//! After chapters "Expressions" and "Static Analysis" of the HCL JSON syntax specification. A JSON
//! value is evaluated as a literal, strings taken as they are, or in a scope, strings taken for
//! templates; its references can be listed; and it can be read statically, without evaluation: as a
//! list, a map, a keyword, a traversal, a function call, a native expression, a type. Which of
//! these an argument asks for, its documentation says.

mod constraint;
mod fixed;
mod path;
mod program;
mod references;
mod same;
mod search;
mod templates;

pub use self::constraint::{Defaults, TypeConstraint};
pub use self::path::JsonPath;
pub(crate) use self::path::{PathStack, PathStep, write_steps};
pub use self::references::Variables;
pub(crate) use self::references::{Seen, visit_references};
pub use self::templates::{Template, Templates};

mod value;

use self::program::template;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::json::{JsonString, JsonValue, Node};
use crate::program::Program;
use crate::source::Source;
use crate::span::Span;

/// The value of an attribute, not yet evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Expression<'a> {
    node: Node<'a>,
}

impl<'a> Expression<'a> {
    /// A JSON value as an expression.
    #[must_use]
    pub fn from_json(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The value, of an expression that is written in JSON.
    #[must_use]
    pub fn as_json(self) -> Option<Node<'a>> {
        Some(self.node)
    }

    pub(crate) fn node(self) -> Node<'a> {
        self.node
    }

    /// The decoded text of a string; of one that is a template, the template. Cost: linear if it
    /// has escapes.
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        self.node.to_str()
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node.is_null()
    }

    /// What it is, with an article: "an object", "a string", "null".
    #[must_use]
    pub fn type_name(self) -> &'static str {
        self.node.type_name()
    }

    /// As it is written in the source.
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        self.node.text()
    }

    /// Its bytes.
    #[must_use]
    pub fn span(self) -> Span {
        self.node.span()
    }

    /// Where it starts: an opening bracket, otherwise all of it.
    #[must_use]
    pub fn start_span(self) -> Span {
        self.node.start_span()
    }

    /// The place of all of it. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.node.label()
    }

    /// The place where it starts. See [`start_span`](Self::start_span).
    #[must_use]
    pub fn start_label(self) -> Label<'a> {
        self.node.start_label()
    }

    /// The source it is in.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.node.source()
    }

    /// The value read literally: strings are not templates.
    #[must_use]
    pub(crate) fn literal(self) -> JsonValue<'a> {
        self.node.value()
    }

    /// The template, or the error in it; `None` for values that are not strings, and for texts
    /// without a template. It is parsed once, on first use.
    pub(crate) fn program(self) -> Option<Result<&'a Program<'a>, &'a Diagnostic<'a>>> {
        template(self.node.as_string()?)
    }

    /// The elements, if it is a static list: a JSON array.
    #[must_use]
    pub fn as_list(self) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        self.node.as_array().map(|array| array.elements().map(Self::from_json))
    }

    /// The pairs, if it is a static map: a JSON object. Duplicate keys are kept.
    #[must_use]
    pub fn as_map(self) -> Option<impl Iterator<Item = (MapKey<'a>, Self)> + Clone + use<'a>> {
        self.node.as_object().map(|object| {
            object.members().map(|member| (MapKey(member.name()), Self::from_json(member.value())))
        })
    }

    /// The identifier, if it is a keyword: a string that holds one identifier, and whitespace at
    /// most.
    #[must_use]
    pub fn as_keyword(self) -> Option<&'a str> {
        let word = self.node.to_str()?.trim_matches([' ', '\t', '\n']);
        is_identifier(word).then_some(word)
    }

    /// [`Expression::as_list`], or a diagnostic that a list is required.
    pub fn list(
        self,
        sink: &mut dyn Sink<'a>,
    ) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        let list = self.as_list();
        if list.is_none() {
            sink.report(self.required(Code::StaticListRequired));
        }
        list
    }

    /// [`Expression::as_map`], or a diagnostic that a map is required.
    pub fn map(
        self,
        sink: &mut dyn Sink<'a>,
    ) -> Option<impl Iterator<Item = (MapKey<'a>, Self)> + Clone + use<'a>> {
        let map = self.as_map();
        if map.is_none() {
            sink.report(self.required(Code::StaticMapRequired));
        }
        map
    }

    /// [`Expression::as_keyword`], or a diagnostic that a keyword is required.
    pub fn keyword(self, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        let keyword = self.as_keyword();
        if keyword.is_none() {
            sink.report(self.required(Code::KeywordRequired));
        }
        keyword
    }

    #[cold]
    fn required(self, code: Code) -> Diagnostic<'a> {
        Diagnostic::new(code, self.start_label()).with_arguments(&[self.node.type_name()])
    }
}

/// The key of a static map. A `Copy` handle.
#[derive(Clone, Copy, Debug)]
pub struct MapKey<'a>(JsonString<'a>);

impl<'a> MapKey<'a> {
    /// The decoded text. Cost: linear if it has escapes.
    #[must_use]
    pub fn to_str(self) -> &'a str {
        self.0.to_str()
    }

    /// Its bytes, quotes included.
    #[must_use]
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// The place of it. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.0.label()
    }

    /// The key as an expression, to be read statically.
    #[must_use]
    pub fn expression(self) -> Expression<'a> {
        Expression::from_json(self.0.node())
    }
}

/// `Identifier = ID_Start (ID_Continue | '-')*` of the HCL native syntax specification, where an
/// underscore may start one too.
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    crate::lexical::is_identifier(word)
}

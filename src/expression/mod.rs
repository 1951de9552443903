//! Expressions: the values of attributes.
//!
//! After chapters "Expressions" and "Static Analysis" of the HCL JSON syntax specification. A JSON value is evaluated as a
//! literal, strings taken as they are, or in a scope, strings taken for templates; its references can be listed; and it
//! can be read statically, without evaluation: as a list, a map, a keyword, a traversal, a function call, a native
//! expression, a type. Which of these an argument asks for, its documentation says.

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
    /// A value as an expression.
    #[must_use]
    pub fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The JSON value.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
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

    /// The value read literally: strings are no templates.
    #[must_use]
    pub fn literal(self) -> JsonValue<'a> {
        self.node.value()
    }

    /// The template that it is, or why it is none; nothing for values that are no strings, and for texts without a
    /// template in them. It is parsed once, when first asked for.
    pub(crate) fn program(self) -> Option<Result<&'a Program<'a>, &'a Diagnostic<'a>>> {
        template(self.node.as_string()?)
    }

    /// The elements, if it is a static list: a JSON array.
    #[must_use]
    pub fn as_list(self) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        self.node.as_array().map(|array| array.elements().map(Self::new))
    }

    /// The pairs, if it is a static map: a JSON object. Duplicate keys are kept.
    #[must_use]
    pub fn as_map(self) -> Option<impl Iterator<Item = (JsonString<'a>, Self)> + Clone + use<'a>> {
        self.node
            .as_object()
            .map(|object| object.members().map(|member| (member.name(), Self::new(member.value()))))
    }

    /// The identifier, if it is a keyword: a string that holds one identifier, and whitespace at most.
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
    ) -> Option<impl Iterator<Item = (JsonString<'a>, Self)> + Clone + use<'a>> {
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

/// `Identifier = ID_Start (ID_Continue | '-')*` of the HCL native syntax specification, where an
/// underscore may start one too.
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    crate::lexical::is_identifier(word)
}

//! The references of an expression: the traversals of all templates in it.

use super::Expression;
use super::search::{Found, Search};
use crate::diagnostic::{Diagnostic, Sink};
use crate::json::{self, JsonString, Node, Value};
use crate::native::{self, LentTraversal, Output, Program, Text, Traversal, parse_template};
use crate::source::Source;

/// The template that a string holds; none if it is nothing but text. It is parsed once, when first asked for.
pub(super) fn template(string: JsonString<'_>) -> Option<Result<&Program<'_>, &Diagnostic<'_>>> {
    if !string.may_be_template() {
        return None;
    }
    let node = string.node();
    Some(node.program(|source| parse(source, string)))
}

/// Parses a string as a template.
pub(super) fn parse<'a>(
    source: Source<'a>,
    string: JsonString<'a>,
) -> Result<&'a Program<'a>, &'a Diagnostic<'a>> {
    let arena = source.arena();
    let text = Text::of_string(source, string);
    let mut error: Option<Diagnostic<'a>> = None;
    match (parse_template(arena, &text, native::MAX_DEPTH, &mut error), error) {
        (Some(program), _) => Ok(program),
        (None, Some(error)) => Err(arena.bump().alloc(error)),
        (None, None) => Ok(arena.bump().alloc(Program::empty(source))),
    }
}

/// Visits the traversals of all templates of a valid document.
pub(crate) fn visit_references<'a>(
    source: Source<'a>,
    sink: &mut impl Sink<'a>,
    mut visit: impl FnMut(LentTraversal<'_, 'a>),
) {
    let bytes = source.bytes();
    let mut read = |text: Text<'a>| -> Option<Diagnostic<'a>> {
        let (mut output, mut error) = (Output::default(), None);
        let arena = source.arena();
        native::template_into(&mut output, arena, &text, native::MAX_DEPTH, &mut error)
            .inspect(|program| native::variables(program, &mut visit));
        error
    };
    for Found { span, has_escaped_introducer } in Search::new(bytes) {
        let raw = json::str_of(span.slice(bytes));
        // Most escapes stand between the sequences of a template, where they make no reference, so decoding can wait
        // until the text as it is written is no template: in a sequence a backslash is an error.
        let as_written = Text::as_written(source, raw, span.start);
        if (has_escaped_introducer || read(as_written).is_some())
            && let Some(error) = read(Text::of_raw(source, raw, span.start))
        {
            sink.report(error);
        }
    }
}

impl<'a> Expression<'a> {
    /// All traversals that start from a variable of the scope, in the order of the text: of arrays, objects and their
    /// keys too, repeats included. Names that a `for` brings in are none, and neither is anything in a template that
    /// does not parse.
    ///
    /// Cost: the templates are parsed, once.
    #[must_use]
    pub fn variables(self) -> Variables<'a> {
        Variables {
            open: vec![Open::Value(self.node())],
            found: Vec::new(),
            broken: Vec::new(),
            is_computed: false,
            takes_types: false,
        }
    }
}

/// The traversals of an expression. See [`Expression::variables`].
#[derive(Clone)]
pub struct Variables<'a> {
    open: Vec<Open<'a>>,
    /// Of the template that has just been read, the last one first.
    found: Vec<Traversal<'a>>,
    /// Why the templates that have been passed over do not parse.
    broken: Vec<&'a Diagnostic<'a>>,
    is_computed: bool,
    takes_types: bool,
}

#[derive(Clone)]
enum Open<'a> {
    Value(Node<'a>),
    Array(json::Elements<'a>),
    Object(json::Members<'a>),
}

impl<'a> Iterator for Variables<'a> {
    type Item = Traversal<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.pop() {
                return Some(found);
            }
            match self.open.last_mut()? {
                Open::Array(elements) => match elements.next() {
                    Some(element) => self.open.push(Open::Value(element)),
                    None => drop(self.open.pop()),
                },
                Open::Object(members) => match members.next() {
                    Some(member) => {
                        self.open.push(Open::Value(member.value()));
                        self.read(member.name());
                    }
                    None => drop(self.open.pop()),
                },
                Open::Value(node) => {
                    let value = node.value();
                    self.open.pop();
                    match value {
                        Value::Array(array) => self.open.push(Open::Array(array.elements())),
                        Value::Object(object) => self.open.push(Open::Object(object.members())),
                        Value::String(string) => self.read(string),
                        _ => {}
                    }
                }
            }
        }
    }
}

impl<'a> Variables<'a> {
    fn read(&mut self, string: JsonString<'a>) {
        match template(string) {
            Some(Ok(program)) => {
                self.is_computed |= program.is_computed();
                self.takes_types |= program.takes_types();
                native::variables(program, |traversal| self.found.push(traversal));
                self.found.reverse();
            }
            Some(Err(error)) => self.broken.push(error),
            None => {}
        }
    }

    /// Whether one of the templates so far does more than to join texts and references, or goes on behind what an
    /// object of the language gives. False if one of them has arguments that are types, not values.
    pub(crate) fn is_computed(&self) -> bool {
        self.is_computed && !self.takes_types
    }

    /// Why templates that have been passed over do not parse, in order: one diagnostic each.
    #[must_use]
    pub fn broken(&self) -> &[&'a Diagnostic<'a>] {
        &self.broken
    }
}

impl std::fmt::Debug for Variables<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variables").finish_non_exhaustive()
    }
}

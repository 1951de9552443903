//! The references of an expression: the traversals of all templates in it.

use super::program::template;
use super::search::{Found, Search};
use super::written::attributes_below;
use super::{Expression, Syntax};
use crate::diagnostic::{Diagnostic, Sink};
use crate::json::{self, JsonString, JsonValue, Node};
use crate::native::{self, LentTraversal, Native, Output, Text, Traversal};
use crate::program::LentProgram;
use crate::program::node::Kind;
use crate::source::Source;
use crate::span::Span;

/// An item of a visit to the templates of a value, in source order.
pub(crate) enum Seen<'t, 'a> {
    /// A traversal that starts with a variable of the scope.
    Traversal(LentTraversal<'t, 'a>),
    /// A template, after its traversals.
    Template(&'t LentProgram<'t, 'a>),
    /// The syntax error of a template.
    Broken(Diagnostic<'a>),
}

/// Visits the traversals of all templates of a valid document.
pub(crate) fn visit_references<'a>(
    source: Source<'a>,
    sink: &mut dyn Sink<'a>,
    mut visit: impl FnMut(LentTraversal<'_, 'a>),
) {
    let whole = Span::new(0, source.bytes().len() as u32);
    visit_templates(source, whole, &mut |seen: Seen<'_, 'a>| match seen {
        Seen::Traversal(traversal) => visit(traversal),
        Seen::Template(_) => {}
        Seen::Broken(error) => sink.report(error),
    });
}

/// Visits the traversals of the templates between two bytes of a valid document, and the syntax
/// errors of other templates.
fn visit_templates<'a>(source: Source<'a>, within: Span, visit: &mut impl FnMut(Seen<'_, 'a>)) {
    let bytes = source.bytes();
    for Found { span, has_escaped_introducer } in Search::within(bytes, within) {
        let raw = json::str_of(span.slice(bytes));
        visit_template(source, raw, span.start, has_escaped_introducer, visit);
    }
}

/// Visits the template of one string, from the text between its quotes.
fn visit_template<'a>(
    source: Source<'a>,
    raw: &'a str,
    start: u32,
    has_escaped_introducer: bool,
    visit: &mut impl FnMut(Seen<'_, 'a>),
) {
    let mut read = |text: Text<'a>| -> Option<Diagnostic<'a>> {
        let (mut output, mut error) = (Output::default(), None);
        let arena = source.arena();
        native::template_into(&mut output, arena, &text, native::MAX_DEPTH, &mut error).inspect(
            |program| {
                native::variables(program, |traversal| visit(Seen::Traversal(traversal)));
                visit(Seen::Template(program));
            },
        );
        error
    };
    // Most escapes are between the sequences of a template, where they do not affect references. So
    // the text is decoded only if it is not a valid template as it is written: in a sequence a
    // backslash is an error.
    let as_written = Text::as_written(source, raw, start);
    if (has_escaped_introducer || read(as_written).is_some())
        && let Some(error) = read(Text::of_raw(source, raw, start))
    {
        visit(Seen::Broken(error));
    }
}

fn visit_native<'a>(native: Native<'a>, visit: &mut impl FnMut(Seen<'_, 'a>)) {
    let program = native.program();
    native::variables(&program, |traversal| visit(Seen::Traversal(traversal)));
    visit(Seen::Template(&program));
}

/// Whether a program calls the function `sensitive`.
pub(crate) fn marks_itself(program: &LentProgram<'_, '_>) -> bool {
    program.own_calls().any(|call| matches!(call.name, "sensitive" | "core::sensitive"))
}

impl<'a> Expression<'a> {
    /// Whether it, or an attribute of the block at any depth, is native and has a syntax error, which has
    /// been reported. The references there are not known.
    pub(crate) fn has_invalid(self) -> bool {
        match self.syntax() {
            Syntax::Block(handle) => attributes_below(handle).any(|it| it.is(Kind::Invalid)),
            Syntax::Json(_) | Syntax::Native(_) => self.is_invalid(),
        }
    }

    /// All traversals that start with a variable of the scope, in source order, including those in
    /// arrays, objects and their keys, and duplicates. Variables of a `for` and templates with
    /// syntax errors are omitted.
    ///
    /// For a block of a native file, the traversals of its attributes at any depth.
    ///
    /// Cost: the templates are parsed, once.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = \"${var.x}-${local.y}\"\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// let found: Vec<String> = a.variables().map(|it| it.to_string()).collect();
    /// assert_eq!(found, ["var.x", "local.y"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn variables(self) -> Variables<'a> {
        let mut all = Variables { open: Vec::new(), found: Vec::new(), broken: Vec::new() };
        match self.syntax() {
            Syntax::Json(node) => all.open.push(Open::Value(node)),
            Syntax::Native(native) => all.found.extend(native.variables()),
            Syntax::Block(handle) => {
                all.found.extend(attributes_below(handle).flat_map(Native::variables));
            }
        }
        all.found.reverse();
        all
    }

    /// Whether it marks a part of its value as sensitive: it calls the function `sensitive`, at any
    /// depth. Calls in templates with syntax errors do not count. For a block of a native file:
    /// whether one of its attributes does.
    ///
    /// Cost: linear in its text; if a call is possible, the templates are parsed.
    #[must_use]
    pub fn marks_itself(self) -> bool {
        // A name is written as it is, or with an escape in a string of JSON.
        let text = self.text();
        let is_possible = |part: &[u8]| memchr::memmem::find(text, part).is_some();
        if !(is_possible(b"sensitive") || self.is_json() && is_possible(b"\\u")) {
            return false;
        }
        let mut is_found = false;
        self.visit_variables(|seen| {
            if let Seen::Template(program) = seen {
                is_found = is_found || marks_itself(program);
            }
        });
        is_found
    }

    /// Visits the traversals of [`Expression::variables`] and the syntax errors of templates. Opens
    /// and keeps nothing.
    pub(crate) fn visit_variables(self, mut visit: impl FnMut(Seen<'_, 'a>)) {
        let source = self.source();
        let node = match self.syntax() {
            Syntax::Json(node) => node,
            Syntax::Native(native) => return visit_native(native, &mut visit),
            Syntax::Block(handle) => {
                attributes_below(handle).for_each(|native| visit_native(native, &mut visit));
                return;
            }
        };
        if let Some(string) = node.as_string() {
            if string.may_be_template() {
                let (raw, start) = (string.raw(), string.raw_span().start);
                let is_escaped = string.has_escaped_introducer();
                visit_template(source, raw, start, is_escaped, &mut visit);
            }
        } else if node.is_object() || node.is_array() {
            visit_templates(source, node.span(), &mut visit);
        }
    }
}

/// The traversals of an expression. See [`Expression::variables`].
#[derive(Clone)]
pub struct Variables<'a> {
    open: Vec<Open<'a>>,
    /// The remaining traversals of the current template, last one first.
    found: Vec<Traversal<'a>>,
    /// Syntax errors of the skipped templates.
    broken: Vec<&'a Diagnostic<'a>>,
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
                        JsonValue::Array(array) => self.open.push(Open::Array(array.elements())),
                        JsonValue::Object(object) => self.open.push(Open::Object(object.members())),
                        JsonValue::String(string) => self.read(string),
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
                native::variables(program, |traversal| self.found.push(traversal));
                self.found.reverse();
            }
            Some(Err(error)) => self.broken.push(error),
            None => {}
        }
    }

    /// Syntax errors of the skipped templates, in order: one diagnostic each.
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

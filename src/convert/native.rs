//! Converts JSON to native syntax.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::text::{only_heredoc, push_template, stands_alone};
use super::{Blocks, Converted};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{Dialect, Grammar, List, Reading};
use crate::document::Document;
use crate::expression::{Expression, is_identifier};
use crate::format::{Style, TooLarge, layout};
use crate::hash::HashSet;
use crate::json::{JsonString, JsonValue, Member, Node, Object};
use crate::native::{MAX_DEPTH, Text, parse_expression};
use crate::show::{NestingMode, SchemaBlock};
use crate::source::Source;
use crate::structure::File;
use crate::value::{is_heredoc, quote};

/// Converts a JSON document to native syntax, in canonical layout. `kind` is the kind of the file,
/// if the tools read it; `blocks` finds the schemas of providers.
///
/// Reports parts that native syntax cannot express, and leaves them out: names that are not
/// identifiers, values of other types where blocks are required, templates with syntax errors.
///
/// Cost: linear in the document.
pub fn to_native<'a, 's>(
    document: Document<'a>,
    kind: Option<(Dialect, List)>,
    blocks: Blocks<'_, 's>,
    sink: &mut dyn Sink<'a>,
) -> Converted {
    let mut writer =
        Writer { out: String::new(), unknown_blocks: 0, work: Vec::new(), blocks, sink };
    let shape = Shape { grammar: Grammar::of_file(kind), schema: None, is_root: true };
    writer.work.push(Work::Body(document.root(), shape));
    writer.run();
    let Writer { out, unknown_blocks, sink, .. } = writer;
    let style = match kind {
        Some((Dialect::Packer, _)) => Style::Packer,
        _ => Style::Tofu,
    };
    // The output is valid, so the formatter accepts it. If it did not, the output would stay
    // unformatted, as it does if its layout is too large.
    let text = match laid_out(&out, style) {
        Ok(text) => text.unwrap_or(out),
        Err(too_large) => {
            sink.report(too_large.at(document.root().start_label()));
            out
        }
    };
    Converted { text, unknown_blocks }
}

/// Formats a native text, and removes the blank lines at its end.
fn laid_out(text: &str, style: Style) -> Result<Option<String>, TooLarge> {
    let arena = Arena::new();
    let Ok(source) = Source::from_bytes(&arena, "native", text.trim_end().as_bytes()) else {
        return Ok(None);
    };
    let mut text = layout(File::parse(&arena, source, &mut ()), style, &mut ())?;
    if let Some(text) = text.as_mut().filter(|text| !text.is_empty()) {
        text.push('\n');
    }
    Ok(text)
}

/// The shape of a body.
#[derive(Clone, Copy)]
struct Shape<'s> {
    grammar: Grammar,
    schema: Option<SchemaBlock<'s>>,
    is_root: bool,
}

/// A part that is still to be written.
enum Work<'a, 's> {
    Text(Cow<'a, str>),
    Body(Node<'a>, Shape<'s>),
    /// A value, and what it may end with.
    Value(Node<'a>, Reading, End),
}

/// What a value may end with, since the name at the end of a heredoc stands alone on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Something follows on its line.
    Within,
    /// A heredoc that an expression has: a line feed follows.
    Line,
    /// Also a heredoc that a text of several lines becomes.
    Argument,
}

struct Writer<'w, 'a, 's> {
    out: String,
    unknown_blocks: usize,
    /// A stack.
    work: Vec<Work<'a, 's>>,
    blocks: Blocks<'w, 's>,
    sink: &'w mut dyn Sink<'a>,
}

impl<'a, 's> Writer<'_, 'a, 's> {
    fn run(&mut self) {
        while let Some(next) = self.work.pop() {
            match next {
                Work::Text(text) => self.out.push_str(&text),
                Work::Body(node, shape) => self.body(node, shape),
                Work::Value(node, reading, end) => self.value(node, reading, end),
            }
        }
    }

    /// Reverses the parts that were pushed since `from`, so that they are written in order.
    fn in_order(&mut self, from: usize) {
        self.work[from..].reverse();
    }

    fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.work.push(Work::Text(text.into()));
    }

    #[cold]
    fn refuse(&mut self, label: Label<'a>, what: &'a str) {
        self.sink.report(Diagnostic::new(Code::NoNativeSyntax, label).with_arguments(&[what]));
    }

    fn body(&mut self, node: Node<'a>, shape: Shape<'s>) {
        let from = self.work.len();
        let made = made_in(node, shape);
        match node.value() {
            JsonValue::Object(object) => {
                object.members().for_each(|member| self.member(member, shape, &made));
            }
            // Several objects are one body.
            JsonValue::Array(array) => {
                for element in array.elements() {
                    match element.as_object() {
                        Some(object) => {
                            object.members().for_each(|it| self.member(it, shape, &made));
                        }
                        None => self.refuse(element.start_label(), "a body that is not an object"),
                    }
                }
            }
            JsonValue::Null => {}
            _ => self.refuse(node.start_label(), "a body that is not an object"),
        }
        self.in_order(from);
    }

    /// Writes a member of a body. `made` are the types of blocks that `dynamic` blocks of it make.
    fn member(&mut self, member: Member<'a>, shape: Shape<'s>, made: &HashSet<&str>) {
        let name = member.name();
        if name.is("//") {
            self.comment(member.value());
            if shape.is_root {
                // It belongs to the file, not to what follows.
                self.text("\n");
            }
            return;
        }
        let name = name.to_str();
        if let Some((labels, nested)) = self.nested(name, shape) {
            return self.block(member, labels, nested, shape.is_root);
        }
        if !is_identifier(name) {
            return self.refuse(member.name_label(), "a name that is not an identifier");
        }
        let value = member.value();
        if shape.grammar.is_of_plugin() && shape.schema.is_none() {
            let is_known = (made.contains(name) || is_well_known(name, value.is_array()))
                && may_be_blocks(value);
            if is_known || has_marks_of_blocks(value) {
                self.unknown_blocks += usize::from(!is_known);
                let shape = Shape { is_root: false, ..shape };
                return self.block(member, 0, shape, false);
            }
            self.unknown_blocks += usize::from(may_be_blocks(value));
        }
        self.text(name);
        self.text(" = ");
        self.work.push(Work::Value(value, shape.grammar.reading(name), End::Argument));
        self.text("\n");
    }

    /// The number of labels and the shape of a nested block; `None` if the name is not a block.
    fn nested(&self, name: &str, shape: Shape<'s>) -> Option<(usize, Shape<'s>)> {
        if let Some((labels, grammar)) = shape.grammar.block(name) {
            // An escape block `_` is part of the body around it.
            let schema = if matches!(name, "_") { shape.schema } else { None };
            return Some((labels, Shape { grammar, schema, is_root: false }));
        }
        let block = shape.schema?.block_types().value()?.get(name).value()?;
        let is_map = matches!(block.nesting_mode().value(), Some(NestingMode::Map));
        let schema = block.block().value();
        let grammar = Grammar::of_plugin();
        Some((usize::from(is_map), Shape { grammar, schema, is_root: false }))
    }

    /// Writes comment lines. A value that is not a string is written as JSON.
    fn comment(&mut self, value: Node<'a>) {
        let text = match value.to_str() {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(value.text()),
        };
        for line in text.lines() {
            let separator = if line.is_empty() { "#" } else { "# " };
            self.text(separator);
            self.text(line.trim_end_matches('\r').replace('\r', " "));
            self.text("\n");
        }
    }

    /// Writes blocks of one type: an object or array at each level of labels, then the bodies.
    fn block(&mut self, member: Member<'a>, labels: usize, shape: Shape<'s>, is_root: bool) {
        let mut level: Vec<(Vec<&'a str>, Node<'a>)> = vec![(Vec::new(), member.value())];
        for _ in 0..labels {
            let mut next = Vec::new();
            for (path, node) in level {
                let mut objects = Vec::new();
                match node.value() {
                    JsonValue::Object(object) => objects.push(object),
                    JsonValue::Array(array) => {
                        for element in array.elements() {
                            match element.as_object() {
                                Some(object) => objects.push(object),
                                None => self.refuse(
                                    element.start_label(),
                                    "a label that is not a member of an object",
                                ),
                            }
                        }
                    }
                    JsonValue::Null => {}
                    _ => {
                        self.refuse(node.start_label(), "a label that is not a member of an object")
                    }
                }
                for label in objects.into_iter().flat_map(|object| object.members()) {
                    let mut path = path.clone();
                    path.push(label.name().to_str());
                    next.push((path, label.value()));
                }
            }
            level = next;
        }
        let block_type = member.name().to_str();
        for (labels, node) in level {
            let mut shape = shape;
            if is_root && let Some(first) = labels.first() {
                shape.schema = (self.blocks)(block_type, first);
            }
            let bodies: Vec<Node<'a>> = match node.value() {
                JsonValue::Array(array) => array.elements().collect(),
                JsonValue::Null => Vec::new(),
                _ => vec![node],
            };
            for body in bodies {
                self.text(block_type);
                for label in &labels {
                    let mut quoted = String::from(" ");
                    let _ = quote(label, &mut quoted);
                    self.text(quoted);
                }
                self.text(" {\n");
                self.work.push(Work::Body(body, shape));
                self.text(if is_root { "}\n\n" } else { "}\n" });
            }
        }
    }

    fn value(&mut self, node: Node<'a>, reading: Reading, end: End) {
        match node.value() {
            JsonValue::Null => self.out.push_str("null"),
            JsonValue::Bool(truth) => self.out.push_str(if truth { "true" } else { "false" }),
            JsonValue::Number(number) => self.out.push_str(number.text()),
            JsonValue::String(string) => self.string(string, reading, end),
            JsonValue::Array(array) if array.is_empty() => self.out.push_str("[]"),
            JsonValue::Array(array) => {
                let from = self.work.len();
                let is_short = array
                    .elements()
                    .all(|it| !it.is_array() && !it.is_object() && !ends_with_heredoc(it, reading));
                let separator = if is_short { "" } else { "\n" };
                self.text("[");
                self.text(separator);
                for (place, element) in array.elements().enumerate() {
                    if place > 0 && is_short {
                        self.text(", ");
                    }
                    self.work.push(Work::Value(element, reading, End::Line));
                    if !is_short {
                        let line_feed = ends_with_heredoc(element, reading);
                        self.text(if line_feed { "\n,\n" } else { ",\n" });
                    }
                }
                self.text("]");
                self.in_order(from);
            }
            JsonValue::Object(object) if object.is_empty() => self.out.push_str("{}"),
            JsonValue::Object(object) => {
                let from = self.work.len();
                self.text("{\n");
                for member in object.members() {
                    let name = member.name();
                    let (key, inner) = match reading {
                        Reading::Requirement if name.is("configuration_aliases") => {
                            (key(name, Reading::Literal), Reading::Bare)
                        }
                        Reading::Requirement => (key(name, Reading::Literal), Reading::Literal),
                        reading => (key(name, reading), reading),
                    };
                    self.text(key);
                    self.text(" = ");
                    self.work.push(Work::Value(member.value(), inner, End::Line));
                    self.text("\n");
                }
                self.text("}");
                self.in_order(from);
            }
        }
    }

    fn string(&mut self, string: JsonString<'a>, reading: Reading, end: End) {
        let text = string.to_str();
        let may_be_heredoc = end == End::Argument;
        match reading {
            Reading::Bare if is_expression(string) => self.out.push_str(text.trim()),
            // Arguments that must be references may also be templates.
            Reading::Template | Reading::Bare if string.may_be_template() => {
                match Expression::from_json(string.node()).template() {
                    Some(Err(error)) => {
                        self.sink.report(error.clone());
                        self.out.push_str("null");
                    }
                    _ if may_be_heredoc && is_heredoc(text) => self.heredoc(text),
                    _ => match only_heredoc(text).filter(|_| end != End::Within) {
                        Some(heredoc) => self.out.push_str(heredoc),
                        None => push_template(&mut self.out, text),
                    },
                }
            }
            _ if may_be_heredoc && is_heredoc(text) && !string.may_be_template() => {
                self.heredoc(text);
            }
            _ => {
                let _ = quote(text, &mut self.out);
            }
        }
    }

    fn heredoc(&mut self, text: &str) {
        self.out.push_str("<<EOT\n");
        self.out.push_str(text);
        self.out.push_str("EOT");
    }
}

/// Whether a value is written as a heredoc that its template has.
fn ends_with_heredoc(node: Node<'_>, reading: Reading) -> bool {
    let text = node.as_string().filter(|string| string.may_be_template());
    matches!(reading, Reading::Template | Reading::Bare)
        && text.is_some_and(|text| only_heredoc(text.to_str()).is_some())
}

/// The key of an object, without quotes if it then reads as itself.
fn key(name: JsonString<'_>, reading: Reading) -> String {
    let text = name.to_str();
    let is_word = is_identifier(text) && !matches!(text, "for" | "null" | "true" | "false");
    let mut key = String::new();
    match reading {
        _ if is_word => key.push_str(text),
        Reading::Bare if is_expression(name) => key.push_str(text.trim()),
        Reading::Template | Reading::Bare if name.may_be_template() => {
            let mut value = String::new();
            push_template(&mut value, text);
            // Without parentheses, a name would be the key itself.
            if value.starts_with('"') {
                key.push_str(&value);
            } else {
                key.push('(');
                key.push_str(&value);
                key.push(')');
            }
        }
        _ => {
            let _ = quote(text, &mut key);
        }
    }
    key
}

/// Whether a string holds an expression in native syntax that can stand on a line.
fn is_expression(string: JsonString<'_>) -> bool {
    let node = string.node();
    let text = Text::of_string(node.source(), string);
    let has_lines = text.decoded().contains(['\n', '#']) || text.decoded().contains("//");
    parse_expression(node.source().arena(), &text, MAX_DEPTH, &mut ()).is_some()
        && (!has_lines || stands_alone(text.decoded().trim()))
}

/// Whether a value may be nested blocks.
fn may_be_blocks(node: Node<'_>) -> bool {
    let is_body = |node: Node<'_>| {
        node.as_object().is_some_and(|object| {
            object.members().all(|it| it.name().is("//") || is_identifier(it.name().to_str()))
        })
    };
    is_body(node)
        || node.as_array().is_some_and(|array| !array.is_empty() && array.elements().all(is_body))
}

/// Nested blocks of resources, data sources and provider configurations in public modules, none of which
/// has an argument of that name with an object. Sorted.
static BLOCKS: &str = include_str!("blocks.txt");

/// Further ones, whose names are also those of arguments with objects, but not with lists of objects, or
/// that few modules have. Sorted.
static LISTED_BLOCKS: &str = include_str!("listed_blocks.txt");

/// Whether an object, or a list of objects, with a name is known to be blocks.
fn is_well_known(name: &str, is_list: bool) -> bool {
    static KNOWN: OnceLock<[Vec<&str>; 2]> = OnceLock::new();
    let [all, listed] =
        KNOWN.get_or_init(|| [BLOCKS, LISTED_BLOCKS].map(|names| names.lines().collect()));
    let is_in = |names: &[&str]| names.binary_search(&name).is_ok();
    is_in(all) || is_list && is_in(listed)
}

/// The types of blocks that the `dynamic` blocks of a body make, if only a provider knows its blocks.
fn made_in<'a>(node: Node<'a>, shape: Shape<'_>) -> HashSet<&'a str> {
    if !shape.grammar.is_of_plugin() || shape.schema.is_some() {
        return HashSet::default();
    }
    let made = objects(node).filter_map(|body| body.get("dynamic")).flat_map(objects);
    made.flat_map(|types| types.members()).map(|it| it.name().to_str()).collect()
}

/// The levels of objects in which comments and `dynamic` blocks are looked for.
const SEARCHED_LEVELS: usize = 12;

/// Whether a value may be nested blocks, and has what only a block has: a comment, or a `dynamic` block.
fn has_marks_of_blocks(node: Node<'_>) -> bool {
    let mut work = vec![(node, SEARCHED_LEVELS)];
    while let Some((node, levels)) = work.pop() {
        if !may_be_blocks(node) {
            continue;
        }
        for member in objects(node).flat_map(|object| object.members()) {
            let (name, value) = (member.name(), member.value());
            let is_dynamic = || {
                let made = objects(value).flat_map(|types| types.members());
                let made = made.flat_map(|of_type| objects(of_type.value()));
                made.into_iter().any(|body| body.get("content").is_some())
            };
            if name.is("//") && value.is_string() || name.is("dynamic") && is_dynamic() {
                return true;
            }
            if levels > 0 && (value.is_object() || value.is_array()) {
                work.push((value, levels - 1));
            }
        }
    }
    false
}

/// A value that is an object, or the objects of an array.
fn objects(node: Node<'_>) -> impl Iterator<Item = Object<'_>> + Clone {
    let elements = node.as_array().into_iter().flat_map(|array| array.elements());
    elements.chain(node.is_object().then_some(node)).filter_map(Node::as_object)
}

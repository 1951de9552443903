//! The attributes and blocks of a JSON document, as native syntax has them.

use std::sync::OnceLock;

use super::Blocks;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{Dialect, Grammar, List, Reading};
use crate::document::Document;
use crate::expression::is_identifier;
use crate::hash::HashSet;
use crate::json::{JsonString, JsonValue, Member, Node, Object};
use crate::show::{NestingMode, SchemaBlock};

/// Gets the items of a JSON document, in order. See [`visit_json`].
pub trait JsonVisitor<'a> {
    /// A comment in the body that is open: a string, or another value.
    fn comment(&mut self, value: Node<'a>);

    /// An attribute of the body that is open.
    fn attribute(&mut self, name: &'a str, value: JsonArgument<'a>, sink: &mut dyn Sink<'a>);

    /// Opens a block.
    fn open_block(&mut self, block_type: &'a str, labels: &[&'a str]);

    /// Closes the block that was opened last.
    fn close_block(&mut self);
}

/// A value of a JSON document, and how the tools read its strings.
#[derive(Clone, Copy)]
pub struct JsonArgument<'a> {
    pub(super) node: Node<'a>,
    pub(super) reading: Reading,
    /// Whether it is all of an argument, so that a text of several lines becomes a heredoc.
    pub(super) is_whole: bool,
}

/// The key of an object's item in native syntax.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum JsonKey<'a> {
    /// A name.
    Name(&'a str),
    /// A text that needs quotes.
    Text(&'a str),
    /// A template or another expression.
    Expression(JsonArgument<'a>),
}

impl<'a> JsonArgument<'a> {
    /// The JSON value.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// An element of it.
    #[must_use]
    pub fn element(self, node: Node<'a>) -> Self {
        Self { node, is_whole: false, ..self }
    }

    /// The key and the value of a member of it.
    #[must_use]
    pub fn member(self, member: Member<'a>) -> (JsonKey<'a>, Self) {
        let name = member.name();
        let (of_key, reading) = match self.reading {
            Reading::Requirement if name.is("configuration_aliases") => {
                (Reading::Literal, Reading::Bare)
            }
            Reading::Requirement => (Reading::Literal, Reading::Literal),
            reading => (reading, reading),
        };
        let value = Self { node: member.value(), reading, is_whole: false };
        (key(name, of_key), value)
    }
}

fn key(name: JsonString<'_>, reading: Reading) -> JsonKey<'_> {
    let text = name.to_str();
    let is_word = is_identifier(text) && !matches!(text, "for" | "null" | "true" | "false");
    let is_literal = match reading {
        Reading::Bare => false,
        Reading::Template => !name.may_be_template(),
        _ => true,
    };
    match is_literal {
        _ if is_word => JsonKey::Name(text),
        true => JsonKey::Text(text),
        false => JsonKey::Expression(JsonArgument { node: name.node(), reading, is_whole: false }),
    }
}

/// Passes the comments, attributes and blocks of a document to `visitor`, as native syntax has
/// them. `kind` is the kind of the file, if the tools read it; `blocks` finds the schemas of
/// providers. Returns the number of members that are attributes but may be nested blocks, see
/// [`Converted::unknown_blocks`](super::Converted::unknown_blocks).
///
/// Reports what native syntax cannot express, and leaves it out: names that are not identifiers, and
/// values of other types where blocks are required.
///
/// Cost: linear in the document, without the values of attributes.
pub fn visit_json<'a, 's>(
    document: Document<'a>,
    kind: Option<(Dialect, List)>,
    blocks: Blocks<'_, 's>,
    visitor: &mut dyn JsonVisitor<'a>,
    sink: &mut dyn Sink<'a>,
) -> usize {
    let mut walk = Walk { unknown_blocks: 0, work: Vec::new(), blocks, sink };
    let shape = Shape { grammar: Grammar::of_file(kind), schema: None, is_root: true };
    walk.work.push(Work::Body(document.root(), shape));
    while let Some(next) = walk.work.pop() {
        match next {
            Work::Comment(value) => visitor.comment(value),
            Work::Attribute(name, value) => visitor.attribute(name, value, walk.sink),
            Work::Open(block_type, labels) => visitor.open_block(block_type, &labels),
            Work::Body(node, shape) => walk.body(node, shape),
            Work::Close => visitor.close_block(),
        }
    }
    walk.unknown_blocks
}

/// The shape of a body.
#[derive(Clone, Copy)]
struct Shape<'s> {
    grammar: Grammar,
    schema: Option<SchemaBlock<'s>>,
    is_root: bool,
}

/// A part that is still to be passed on.
enum Work<'a, 's> {
    Comment(Node<'a>),
    Attribute(&'a str, JsonArgument<'a>),
    Open(&'a str, Vec<&'a str>),
    Body(Node<'a>, Shape<'s>),
    Close,
}

struct Walk<'w, 'a, 's> {
    unknown_blocks: usize,
    /// A stack.
    work: Vec<Work<'a, 's>>,
    blocks: Blocks<'w, 's>,
    sink: &'w mut dyn Sink<'a>,
}

impl<'a, 's> Walk<'_, 'a, 's> {
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
        // The first one is done first.
        self.work[from..].reverse();
    }

    /// Adds a member of a body. `made` are the types of blocks that `dynamic` blocks of it make.
    fn member(&mut self, member: Member<'a>, shape: Shape<'s>, made: &HashSet<&str>) {
        let name = member.name();
        if name.is("//") {
            return self.work.push(Work::Comment(member.value()));
        }
        let name = name.to_str();
        if let Some((labels, nested)) = self.nested(name, shape) {
            return self.block(member, labels, nested, shape.is_root);
        }
        if !is_identifier(name) {
            return self.refuse(member.name_label(), "a name that is not an identifier");
        }
        let value = member.value();
        let is_of_plugin = shape.grammar.is_of_plugin() && !shape.grammar.has_argument(name);
        if is_of_plugin && shape.schema.is_none() {
            let may_be = may_be_blocks(value);
            let is_known = may_be && (made.contains(name) || is_well_known(name, value.is_array()));
            self.unknown_blocks += usize::from(may_be && !is_known);
            if is_known || may_be && has_marks_of_blocks(value) {
                let grammar = shape.grammar.unknown_block(name);
                return self.block(
                    member,
                    0,
                    Shape { grammar, schema: None, is_root: false },
                    false,
                );
            }
        }
        let reading = shape.grammar.reading(name);
        let argument = JsonArgument { node: value, reading, is_whole: true };
        self.work.push(Work::Attribute(name, argument));
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

    /// Adds blocks of one type: an object or array at each level of labels, then the bodies.
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
                self.work.push(Work::Open(block_type, labels.clone()));
                self.work.push(Work::Body(body, shape));
                self.work.push(Work::Close);
            }
        }
    }
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

/// Whether a value that may be nested blocks has what only a block has: a comment, or a `dynamic` block.
fn has_marks_of_blocks(node: Node<'_>) -> bool {
    let mut work = vec![(node, SEARCHED_LEVELS)];
    while let Some((node, levels)) = work.pop() {
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
            if levels > 0 && may_be_blocks(value) {
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

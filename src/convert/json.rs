//! Converts native syntax to JSON.

use std::borrow::Cow;

use super::Converted;
use super::comments::{between, may_have_comments};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::{Dialect, Grammar, List, Reading};
use crate::evaluate::{Budget, Scope};
use crate::expression::{
    has_json_keys, is_plain_key, json_key, json_scalar, json_template, literal_template,
    literal_text,
};
use crate::hash::HashMap;
use crate::native::{Construct, Kind, Native};
use crate::span::Span;
use crate::structure::{File, FileAttribute, FileBlock, FileBody, Item};
use crate::value;
use crate::write::{Layout, push_string, to_string};

/// The number of levels that are indented. Deeper levels get the same indentation, so that the
/// length of the output is linear in the file.
const INDENTED_LEVELS: usize = 64;

/// Blocks with more labels are not grouped by label.
const MOST_LABELS: usize = 3;

/// Converts a native file to JSON, indented by two spaces. `kind` is the kind of the file, if the
/// tools read it. Attributes without a valid expression, which [`File::check`] reports, are left
/// out.
///
/// Reports expressions that JSON cannot express, since it is read literally there, and blocks that have
/// the name of an argument.
///
/// At the root, blocks of one type are grouped by their labels. In bodies, blocks with labels stay
/// in order, as elements of an array, since their order may matter.
///
/// Cost: linear in the file.
#[must_use]
pub fn to_json<'a>(
    file: File<'a>,
    kind: Option<(Dialect, List)>,
    sink: &mut dyn Sink<'a>,
) -> Converted {
    let comments = comments_of(file);
    let mut writer = Writer { out: String::new(), levels: 0, work: Vec::new(), comments, sink };
    let shape = Shape { grammar: Grammar::of_file(kind), is_root: true };
    writer.work.push(Work::Body { body: file.body(), block: None, shape });
    writer.run();
    writer.out.push('\n');
    Converted { text: writer.out, unknown_blocks: 0 }
}

/// The blocks at the root of a file, each by itself.
pub(super) struct Written<'a> {
    /// The text of the comments outside of blocks.
    pub(super) comments: Option<String>,
    /// The block type and the labels of each, and its body in JSON.
    pub(super) blocks: Vec<(Vec<&'a str>, String)>,
}

impl<'a> Written<'a> {
    pub(super) fn of(
        file: File<'a>,
        kind: Option<(Dialect, List)>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut all = comments_of(file);
        let comments = all.remove(&None).map(|comments| text_of(&comments));
        let (out, work) = (String::new(), Vec::new());
        let mut writer = Writer { out, levels: 0, work, comments: all, sink };
        let root = Shape { grammar: Grammar::of_file(kind), is_root: true };
        let mut blocks = Vec::new();
        for item in file.body().items() {
            let Item::Block(block) = item else { continue };
            let path: Vec<&str> = [block.block_type()].into_iter().chain(block.labels()).collect();
            let shape = root.below(block.block_type());
            writer.levels = path.len();
            writer.work.push(Work::Body { body: block.body(), block: Some(block), shape });
            writer.run();
            blocks.push((path, std::mem::take(&mut writer.out)));
        }
        Self { comments, blocks }
    }
}

/// Comments with their offsets.
type Comments<'a> = Vec<(u32, &'a str)>;

/// The comments of each block, by its offset, and those outside of blocks (no offset): what stands
/// before a block, behind its brace, and in its body outside of nested blocks and of expressions.
fn comments_of(file: File<'_>) -> HashMap<Option<u32>, Comments<'_>> {
    let mut found: HashMap<Option<u32>, Comments<'_>> = HashMap::default();
    let mut blocks = Vec::new();
    let mut open = vec![file.body().items()];
    while let Some(items) = open.last_mut() {
        match items.next() {
            Some(Item::Block(block)) => {
                blocks.push(block.span());
                open.push(block.body().items());
            }
            Some(Item::Attribute(_)) => {}
            None => {
                open.pop();
            }
        }
    }
    let mut blocks = blocks.into_iter().peekable();
    let mut around: Vec<Span> = Vec::new();
    for comment in file.comments() {
        let start = comment.span().start;
        while let Some(block) = blocks.next_if(|block| block.start <= start) {
            while around.pop_if(|outer| outer.end <= block.start).is_some() {}
            around.push(block);
        }
        while around.pop_if(|block| block.end <= start).is_some() {}
        let block = match comment.item() {
            Some(Item::Block(block)) => Some(block.span().start),
            _ => around.last().map(|block| block.start),
        };
        found.entry(block).or_default().push((start, comment.text()));
    }
    found
}

/// Adds the comments in an expression that are outside of what is written as a text.
fn comments_in<'a>(native: Native<'a>, reading: Reading, found: &mut Comments<'a>) {
    let mut work = vec![(native, reading)];
    while let Some((native, reading)) = work.pop() {
        let operands = native.operands();
        let (items, _) = operands.as_chunks();
        if native.is(Kind::Tuple) {
            work.extend(operands.iter().map(|element| (*element, reading)));
        } else if native.is(Kind::Parentheses) {
            // Those around a whole expression are left out.
            let inner = operands.iter().filter(|inner| inner.is(Kind::Parentheses));
            work.extend(inner.map(|inner| (*inner, reading)));
        } else if native.is(Kind::Object) && is_object(items, reading) {
            work.extend(
                items
                    .iter()
                    .map(|&[key, value]| (value, reading_of_value(&key_of(key, reading), reading))),
            );
        } else {
            continue;
        }
        let mut at = native.span().start;
        for operand in &operands {
            between(native.source(), Span::new(at, operand.span().start), found);
            at = operand.span().end;
        }
        between(native.source(), Span::new(at, native.span().end), found);
    }
}

/// The text of comments, one after another.
fn text_of(comments: &Comments<'_>) -> String {
    let lines: Vec<&str> = comments.iter().map(|(_, text)| content_of(text)).collect();
    lines.join("\n")
}

/// The text of a comment, without its delimiters.
fn content_of(comment: &str) -> &str {
    if let Some(inline) = comment.strip_prefix("/*") {
        return inline.strip_suffix("*/").unwrap_or(inline).trim();
    }
    let content = comment.trim_start_matches('#').trim_start_matches('/');
    // Further ones are a part of it: what is indented stays so.
    content.strip_prefix(' ').unwrap_or(content).trim_end()
}

#[derive(Clone, Copy)]
struct Shape {
    grammar: Grammar,
    is_root: bool,
}

impl Shape {
    /// The shape of a nested block.
    fn below(self, block_type: &str) -> Self {
        let known = self.grammar.block(block_type).map(|(_, grammar)| grammar);
        let grammar = known.unwrap_or_else(|| self.grammar.unknown_block(block_type));
        Self { grammar, is_root: false }
    }
}

/// A part that is still to be written.
enum Work<'a> {
    Open(char),
    Close(char),
    /// The separator before a member or an element.
    Next {
        is_first: bool,
    },
    Key(Cow<'a, str>),
    Text(String),
    /// A body, and its block.
    Body {
        body: FileBody<'a>,
        block: Option<FileBlock<'a>>,
        shape: Shape,
    },
    /// Blocks of one type with the same previous labels.
    Group {
        blocks: Vec<FileBlock<'a>>,
        label: usize,
        shape: Shape,
    },
    Value(Native<'a>, Reading),
}

/// A member of a body.
enum Member<'a> {
    Attribute(FileAttribute<'a>),
    Blocks(Vec<FileBlock<'a>>),
}

struct Writer<'s, 'a> {
    out: String,
    levels: usize,
    /// A stack.
    work: Vec<Work<'a>>,
    /// See [`comments_of`].
    comments: HashMap<Option<u32>, Comments<'a>>,
    sink: &'s mut dyn Sink<'a>,
}

impl<'a> Writer<'_, 'a> {
    fn run(&mut self) {
        while let Some(next) = self.work.pop() {
            match next {
                Work::Open(bracket) => {
                    self.out.push(bracket);
                    self.levels += 1;
                }
                Work::Close(bracket) => {
                    self.levels = self.levels.saturating_sub(1);
                    if !self.out.ends_with(['{', '[']) {
                        self.line();
                    }
                    self.out.push(bracket);
                }
                Work::Next { is_first } => {
                    if !is_first {
                        self.out.push(',');
                    }
                    self.line();
                }
                Work::Key(key) => {
                    push_string(&mut self.out, &key);
                    self.out.push_str(": ");
                }
                Work::Text(text) => push_string(&mut self.out, &text),
                Work::Body { body, block, shape } => self.body(body, block, shape),
                Work::Group { blocks, label, shape } => self.group(blocks, label, shape),
                Work::Value(native, reading) => self.value(native, reading),
            }
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.levels.min(INDENTED_LEVELS) {
            self.out.push_str("  ");
        }
    }

    fn body(&mut self, body: FileBody<'a>, block: Option<FileBlock<'a>>, shape: Shape) {
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut groups: HashMap<&'a str, usize> = HashMap::default();
        // How the last block of each type came to be: by itself, or by a `dynamic` block.
        let mut last: HashMap<&'a str, (&'a str, bool)> = HashMap::default();
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => members.push(Member::Attribute(attribute)),
                Item::Block(block) if shape.grammar.has_argument(block.block_type()) => {
                    let arguments = &[block.block_type()];
                    let found = Diagnostic::new(Code::NoJsonSyntax, block.definition_label());
                    self.sink.report(found.with_arguments(arguments));
                }
                Item::Block(block) => {
                    // Their order may matter: a type that is written, made and written again has
                    // two members.
                    let by = block.block_type();
                    let made = block.labels().next().filter(|_| by == "dynamic");
                    let (before, is_mixed) = last.entry(made.unwrap_or(by)).or_insert((by, false));
                    if *before != by {
                        if *is_mixed {
                            groups.remove(by);
                        }
                        (*before, *is_mixed) = (by, true);
                    }
                    let place = *groups.entry(block.block_type()).or_insert_with(|| {
                        members.push(Member::Blocks(Vec::new()));
                        members.len() - 1
                    });
                    if let Some(Member::Blocks(blocks)) = members.get_mut(place) {
                        blocks.push(block);
                    }
                }
            }
        }
        let from = self.work.len();
        let mut is_first = true;
        self.work.push(Work::Open('{'));
        let before = self.comments.remove(&block.map(|block| block.span().start));
        let mut comments = before.unwrap_or_default();
        for member in &members {
            if let Member::Attribute(attribute) = member
                && may_have_comments(attribute.text())
                && let Ok(native) = attribute.expression()
            {
                comments_in(native, shape.grammar.reading(attribute.name()), &mut comments);
            }
        }
        if !comments.is_empty() {
            comments.sort_unstable();
            self.work.push(Work::Next { is_first });
            is_first = false;
            self.work.push(Work::Key("//".into()));
            self.work.push(Work::Text(text_of(&comments)));
        }
        for member in members {
            let value = match &member {
                Member::Attribute(attribute) => match attribute.expression() {
                    Ok(native) => Some(native),
                    Err(_) => continue,
                },
                Member::Blocks(_) => None,
            };
            self.work.push(Work::Next { is_first });
            is_first = false;
            match (member, value) {
                (Member::Attribute(attribute), Some(native)) => {
                    self.work.push(Work::Key(attribute.name().into()));
                    self.work.push(Work::Value(native, shape.grammar.reading(attribute.name())));
                }
                (Member::Blocks(blocks), _) => self.blocks(blocks, shape),
                (Member::Attribute(_), None) => {}
            }
        }
        self.work.push(Work::Close('}'));
        self.work[from..].reverse();
    }

    /// Pushes the blocks of one type.
    fn blocks(&mut self, blocks: Vec<FileBlock<'a>>, shape: Shape) {
        let Some(first) = blocks.first().copied() else { return };
        let block_type = first.block_type();
        let below = shape.below(block_type);
        let labels = first.labels().len();
        let is_alike = blocks.iter().all(|block| block.labels().len() == labels);
        let is_known = shape.grammar.block(block_type).is_some();
        self.work.push(Work::Key(block_type.into()));
        let is_grouped = is_alike
            && labels <= MOST_LABELS
            && (shape.is_root || is_known && (labels == 0 || blocks.len() == 1));
        if is_grouped {
            self.work.push(Work::Group { blocks, label: 0, shape: below });
            return;
        }
        self.work.push(Work::Open('['));
        for (place, block) in blocks.into_iter().enumerate() {
            self.work.push(Work::Next { is_first: place == 0 });
            for label in block.labels() {
                self.work.push(Work::Open('{'));
                self.work.push(Work::Next { is_first: true });
                self.work.push(Work::Key(label.into()));
            }
            self.work.push(Work::Body { body: block.body(), block: Some(block), shape: below });
            self.work.extend(block.labels().map(|_| Work::Close('}')));
        }
        self.work.push(Work::Close(']'));
    }

    fn group(&mut self, blocks: Vec<FileBlock<'a>>, label: usize, shape: Shape) {
        let from = self.work.len();
        let is_done = blocks.first().is_none_or(|block| block.labels().len() == label);
        if is_done {
            let is_list = blocks.len() > 1;
            if is_list {
                self.work.push(Work::Open('['));
            }
            for (place, block) in blocks.into_iter().enumerate() {
                if is_list {
                    self.work.push(Work::Next { is_first: place == 0 });
                }
                self.work.push(Work::Body { body: block.body(), block: Some(block), shape });
            }
            if is_list {
                self.work.push(Work::Close(']'));
            }
        } else {
            let mut groups: Vec<(&'a str, Vec<FileBlock<'a>>)> = Vec::new();
            let mut places: HashMap<&'a str, usize> = HashMap::default();
            for block in blocks {
                let name = block.labels().nth(label).unwrap_or_default();
                let place = *places.entry(name).or_insert_with(|| {
                    groups.push((name, Vec::new()));
                    groups.len() - 1
                });
                groups[place].1.push(block);
            }
            self.work.push(Work::Open('{'));
            for (place, (name, blocks)) in groups.into_iter().enumerate() {
                self.work.push(Work::Next { is_first: place == 0 });
                self.work.push(Work::Key(name.into()));
                self.work.push(Work::Group { blocks, label: label + 1, shape });
            }
            self.work.push(Work::Close('}'));
        }
        self.work[from..].reverse();
    }

    fn value(&mut self, native: Native<'a>, reading: Reading) {
        if native.is(Kind::Object) && self.object(native, reading) {
            return;
        }
        if native.is(Kind::Tuple) {
            let from = self.work.len();
            self.work.push(Work::Open('['));
            for (place, element) in native.operands().into_iter().enumerate() {
                self.work.push(Work::Next { is_first: place == 0 });
                self.work.push(Work::Value(element, reading));
            }
            self.work.push(Work::Close(']'));
            self.work[from..].reverse();
        } else {
            self.scalar(native, reading);
        }
    }

    /// Pushes an object. Returns false if two of its keys are or may be equal: the last one counts when
    /// it is evaluated, but JSON rejects both. Objects that are read statically may have equal keys
    /// in either syntax.
    fn object(&mut self, native: Native<'a>, reading: Reading) -> bool {
        let from = self.work.len();
        let operands = native.operands();
        let (items, _) = operands.as_chunks();
        if !is_object(items, reading) {
            return false;
        }
        self.work.push(Work::Open('{'));
        for (place, &[key, value]) in items.iter().enumerate() {
            let key = key_of(key, reading);
            let inner = reading_of_value(&key, reading);
            self.work.push(Work::Next { is_first: place == 0 });
            self.work.push(Work::Key(key));
            self.work.push(Work::Value(value, inner));
        }
        self.work.push(Work::Close('}'));
        self.work[from..].reverse();
        true
    }

    /// Writes the value of an expression where JSON is read literally.
    fn constant(&mut self, native: Native<'a>) {
        let budget = Budget::of_length(native.span().len());
        let mut has_failed = false;
        let value = native.value(&Scope::new().with_budget(budget), &mut |found| {
            has_failed = true;
            self.sink.report(found);
        });
        let text =
            to_string(Layout::Compact, |slot| has_failed |= value::write(value, slot).is_err());
        self.out.push_str(if has_failed { "null" } else { &text });
    }

    fn scalar(&mut self, native: Native<'a>, reading: Reading) {
        if let Some(text) = json_scalar(native) {
            return self.out.push_str(text);
        }
        let string: Cow<'a, str> = match (reading, literal_text(native)) {
            (Reading::Template, _) => json_template(native),
            (_, Some(text)) => text.into(),
            (Reading::Bare, None) => match native.construct() {
                // JSON does not accept `a.b.0`.
                Construct::Traversal(traversal) => {
                    // Keys are quoted as in native syntax.
                    literal_template(&traversal.to_string()).into_owned().into()
                }
                _ => native.text().into(),
            },
            (_, None) => return self.constant(native),
        };
        push_string(&mut self.out, &string);
    }
}

/// Whether an object is one in JSON: no keys are or may be equal, and those of a literal are constant.
/// Otherwise the value of the whole object has each key once.
fn is_object(items: &[[Native<'_>; 2]], reading: Reading) -> bool {
    match reading {
        Reading::Template => has_json_keys(items),
        Reading::Literal => has_json_keys(items) && items.iter().all(|&[key, _]| is_plain_key(key)),
        _ => true,
    }
}

/// How the value of a key is read.
fn reading_of_value(key: &str, reading: Reading) -> Reading {
    match reading {
        Reading::Requirement if key == "configuration_aliases" => Reading::Bare,
        Reading::Requirement => Reading::Literal,
        reading => reading,
    }
}

/// The key of an object, as the name of a member.
fn key_of(key: Native<'_>, reading: Reading) -> Cow<'_, str> {
    match (reading, literal_text(key)) {
        (Reading::Template, _) => json_key(key),
        (_, Some(text)) => text.into(),
        (Reading::Bare, None) if !key.is(Kind::Parentheses) => key.text().into(),
        (_, None) => json_key(key),
    }
}

//! New values and blocks, in both syntaxes.

use std::borrow::Cow;
use std::fmt;

use super::layout::indented;
use crate::arena::Arena;
use crate::convert::{to_json, to_native};
use crate::dialect::{Dialect, List};
use crate::document::Document;
use crate::expression::{PathStep, is_identifier};
use crate::json::Node;
use crate::parsed::ParsedFile;
use crate::query::Selected;
use crate::reference::Escaped;
use crate::source::Source;
use crate::span::Span;
use crate::structure::{FileBlock, Item};
use crate::write::push_string;

/// A value to write: an expression, in both syntaxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewValue {
    pub(super) native: Box<str>,
    /// Without line breaks outside of strings, if it was made of an expression.
    pub(super) json: Box<str>,
    pub(super) comments: Comments,
    /// Whether its lines after the first one are indented as the attribute is that is added.
    pub(super) is_indented: bool,
}

/// The comments that a new item brings in native syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comments {
    /// Whole lines, before the item.
    pub(super) before: Box<str>,
    /// Behind the item, on its line.
    pub(super) behind: Box<str>,
}

impl Comments {
    fn new(before: &str, behind: &str) -> Self {
        Self { before: before.trim().into(), behind: behind.trim().into() }
    }

    /// The lines before an item with this indentation, each with a line end. Comments keep the lines
    /// inside of them.
    pub(super) fn lines_before(&self, indent: &str, newline: &str) -> String {
        let mut text = String::new();
        let mut is_inside = false;
        for line in self.before.lines() {
            match is_inside {
                true => text.push_str(line),
                false => {
                    text.push_str(indent);
                    text.push_str(line.trim());
                }
            }
            text.push_str(newline);
            is_inside = match is_inside {
                true => !line.contains("*/"),
                false => line.trim_start().starts_with("/*") && !line.contains("*/"),
            };
        }
        text
    }
}

/// A step of the path to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueStep<'p> {
    /// A block type, a label, the name of an attribute, or the key of an object.
    Member(&'p str),
    /// An element of a list.
    Element,
}

/// Why a text is not a value or a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidText(String);

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidText {}

impl NewValue {
    /// The value of an expression in the place of a match, or of a member that the match gets.
    ///
    /// # Errors
    /// The text is not one expression.
    pub fn for_match(
        kind: Option<(Dialect, List)>,
        selected: &Selected<'_>,
        member: Option<&str>,
        text: &str,
    ) -> Result<Self, InvalidText> {
        let steps = selected.path().steps();
        let steps = steps.iter().map(|step| match step {
            PathStep::Member(name) => ValueStep::Member(name.to_str()),
            PathStep::Element(_) => ValueStep::Element,
        });
        let path: Vec<ValueStep<'_>> = steps.chain(member.map(ValueStep::Member)).collect();
        Self::at(kind, &path, selected.head(), text)
    }

    /// The value of an expression at a path. The first `head` steps are a block type and labels. In
    /// JSON, an argument is written as the tools read it: references without `${}` in `depends_on`.
    ///
    /// # Errors
    /// The text is not one expression.
    pub fn at(
        kind: Option<(Dialect, List)>,
        path: &[ValueStep<'_>],
        head: usize,
        text: &str,
    ) -> Result<Self, InvalidText> {
        let native: Box<str> = text.trim().into();
        let arena = Arena::new();
        let (snippet, names) = snippet(path, head, &native);
        let file = parsed(&arena, &snippet)?;
        let is_whole = file.as_native().is_some_and(|file| {
            let mut attributes = file.attributes();
            let is_value = |span: Span| span.slice(snippet.as_bytes());
            let found = attributes.next().map(|attribute| is_value(attribute.value_span()));
            found.is_some_and(|found| {
                let found = str::from_utf8(found).unwrap_or_default();
                found.contains(&*native) && attributes.next().is_none()
            }) && file.comments().next().is_none()
        });
        let json = file.as_native().filter(|_| is_whole).and_then(|file| {
            let json = to_json(file, kind, &mut ()).text;
            let document = Document::parse_bytes(&arena, "value.json", json.as_bytes()).ok()?;
            let node = names.iter().try_fold(document.root(), |node, name| member(node, name))?;
            let elements = path.iter().rev().take_while(|step| **step == ValueStep::Element);
            let node = elements.into_iter().try_fold(node, |node, _| node.as_array()?.get(0))?;
            str::from_utf8(node.text()).ok().map(Into::into)
        });
        let json = json.ok_or_else(|| InvalidText(format!("not one expression: {native}")))?;
        Ok(Self { native, json, comments: Comments::default(), is_indented: false })
    }

    /// Has the lines after the first one indented as the attribute is that is added. They stay as they are
    /// otherwise.
    pub(crate) fn indented(self) -> Self {
        Self { is_indented: true, ..self }
    }

    /// Sets the comments that an added attribute brings in native syntax: whole lines before it, and
    /// one behind it.
    #[must_use]
    pub fn with_comments(self, before: &str, behind: &str) -> Self {
        Self { comments: Comments::new(before, behind), ..self }
    }
}

impl NewValue {
    /// The expression in native syntax.
    #[must_use]
    pub fn native(&self) -> &str {
        &self.native
    }

    /// The value in JSON, in some layout.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// A file that has only a value, and the names on the way to it.
fn snippet<'p>(path: &[ValueStep<'p>], head: usize, value: &str) -> (String, Vec<&'p str>) {
    let (mut text, mut ends) = (String::new(), String::new());
    let mut names = Vec::new();
    let mut is_block = true;
    for (place, step) in path.iter().enumerate() {
        let next = path.get(place + 1);
        match *step {
            ValueStep::Member(name) if place < head => {
                names.push(name);
                match place {
                    0 => text.push_str(name),
                    _ => text.push_str(&format!(" \"{}\"", Escaped(name))),
                }
                if place + 1 == head {
                    text.push_str(" {\n");
                    ends.insert_str(0, "}\n");
                }
            }
            ValueStep::Member(name) => {
                names.push(name);
                let is_name = |next: &ValueStep<'_>| match next {
                    ValueStep::Member(name) => is_identifier(name),
                    ValueStep::Element => false,
                };
                match (is_block, next.is_some_and(is_name)) {
                    (true, true) => {
                        text.push_str(&format!("{name} {{\n"));
                        ends.insert_str(0, "}\n");
                    }
                    (true, false) => {
                        is_block = false;
                        text.push_str(&format!("{name} = "));
                        ends.insert(0, '\n');
                    }
                    (false, _) => {
                        text.push_str(&format!("{{\n\"{}\" = ", Escaped(name)));
                        ends.insert_str(0, "\n}");
                    }
                }
            }
            ValueStep::Element => {
                text.push_str("[\n");
                ends.insert_str(0, "\n]");
            }
        }
    }
    (format!("{text}{value}{ends}"), names)
}

fn parsed<'a>(arena: &'a Arena, text: &str) -> Result<ParsedFile<'a>, InvalidText> {
    let source = Source::copy_from(arena, "value", text.as_bytes());
    let source = source.map_err(|error| InvalidText(error.to_string()))?;
    let file = ParsedFile::native(arena, source);
    match file.diagnostics().first() {
        Some(error) => Err(InvalidText(error.message().to_string())),
        None => Ok(file),
    }
}

/// The member of an object, or of the first element of an array.
fn member<'a>(mut node: Node<'a>, name: &str) -> Option<Node<'a>> {
    while let Some(array) = node.as_array() {
        node = array.get(0)?;
    }
    node.as_object()?.get(name)
}

/// A block to add to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBlock {
    /// In canonical layout, without a line feed at the end.
    pub(super) native: Box<str>,
    pub(super) block_type: Box<str>,
    pub(super) labels: Vec<Box<str>>,
    /// The body, as JSON.
    pub(super) json: Box<str>,
    pub(super) comments: Comments,
}

impl NewBlock {
    /// The block of a text in native syntax.
    ///
    /// # Errors
    /// The text is not one block.
    pub fn parse(kind: Option<(Dialect, List)>, text: &str) -> Result<Self, InvalidText> {
        let native: Box<str> = text.trim().into();
        let arena = Arena::new();
        let file = parsed(&arena, &format!("{native}\n"))?;
        let invalid = || InvalidText(format!("not one block: {native}"));
        let file = file.as_native().ok_or_else(invalid)?;
        let mut items = file.body().items();
        let (Some(Item::Block(block)), None) = (items.next(), items.next()) else {
            return Err(invalid());
        };
        let json = to_json(file, kind, &mut ()).text;
        let document = Document::parse_bytes(&arena, "block.json", json.as_bytes());
        let root = document.map_err(|_| invalid())?.root();
        let path = std::iter::once(block.block_type()).chain(block.labels());
        let body = path.into_iter().try_fold(root, member);
        let body = body.and_then(|body| str::from_utf8(body.text()).ok()).ok_or_else(invalid)?;
        let labels = FileBlock::labels(block).map(Into::into).collect();
        let (block_type, json) = (block.block_type().into(), body.into());
        Ok(Self { block_type, labels, json, native, comments: Comments::default() })
    }

    /// A block without labels that has one attribute.
    #[must_use]
    pub(crate) fn of_attribute(block_type: &str, name: &str, value: &NewValue) -> Self {
        let before = value.comments.lines_before("  ", "\n");
        let behind = match &*value.comments.behind {
            "" => String::new(),
            behind => format!(" {behind}"),
        };
        let text = match value.is_indented {
            true => Cow::from(indented(&value.native, "  ")),
            false => Cow::from(&*value.native),
        };
        let native = format!("{block_type} {{\n{before}  {name} = {text}{behind}\n}}");
        let mut json = String::from("{");
        push_string(&mut json, name);
        json.push(':');
        json.push_str(&value.json);
        json.push('}');
        Self {
            native: native.into(),
            block_type: block_type.into(),
            labels: Vec::new(),
            json: json.into(),
            comments: Comments::default(),
        }
    }

    /// The block of a body in JSON, which keeps its notation in a file of JSON.
    ///
    /// # Errors
    /// The body is not one of a block.
    pub(crate) fn of_json(
        kind: Option<(Dialect, List)>,
        block_type: &str,
        labels: &[&str],
        body: &str,
    ) -> Result<Self, InvalidText> {
        let invalid = || InvalidText(format!("not the body of a block: {body}"));
        let mut text = String::from("{");
        for name in std::iter::once(&block_type).chain(labels) {
            push_string(&mut text, name);
            text.push_str(":{");
        }
        // The last one has the body.
        text.pop();
        text.push_str(body);
        text.extend(std::iter::repeat_n('}', labels.len() + 1));
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "block.json", text.as_bytes());
        let document = document.map_err(|_| invalid())?;
        let native = to_native(document, kind, &|_, _| None, &mut ()).text;
        let block = Self::parse(kind, &native)?;
        Ok(Self { json: body.into(), ..block })
    }

    /// Sets the comments that the block brings in native syntax: whole lines before it, and one behind
    /// it.
    #[must_use]
    pub fn with_comments(self, before: &str, behind: &str) -> Self {
        Self { comments: Comments::new(before, behind), ..self }
    }
}

/// How JSON is written in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonStyle<'t> {
    /// Whether each member is on a line of its own.
    pub(super) is_pretty: bool,
    pub(super) newline: &'t str,
    pub(super) unit: &'t str,
    /// The text between a name and a value.
    pub(super) colon: &'t str,
}

impl JsonStyle<'_> {
    /// JSON in this style. Its lines after the first one start with `indent`.
    ///
    /// Cost: linear in the text; at most 64 levels are indented.
    pub(super) fn layout(&self, json: &str, indent: &str) -> String {
        let mut out = String::with_capacity(json.len());
        let mut depth = 0_usize;
        let line = |out: &mut String, depth: usize| {
            if self.is_pretty {
                out.push_str(self.newline);
                out.push_str(indent);
                (0..depth.min(INDENTED_LEVELS)).for_each(|_| out.push_str(self.unit));
            }
        };
        let mut rest = json;
        while let Some(first) = rest.chars().next() {
            let len = match first {
                '"' => string_len(rest),
                _ => first.len_utf8(),
            };
            let (token, after) = rest.split_at(len);
            let next = after.trim_start();
            match first {
                ' ' | '\t' | '\r' | '\n' => {}
                '{' | '[' => {
                    out.push(first);
                    match next.chars().next() {
                        Some(close @ ('}' | ']')) => {
                            out.push(close);
                            rest = &next[1..];
                            continue;
                        }
                        _ => {
                            depth += 1;
                            line(&mut out, depth);
                        }
                    }
                }
                '}' | ']' => {
                    depth = depth.saturating_sub(1);
                    line(&mut out, depth);
                    out.push(first);
                }
                ',' => {
                    out.push(',');
                    match self.is_pretty {
                        true => line(&mut out, depth),
                        false if self.colon.ends_with(' ') => out.push(' '),
                        false => {}
                    }
                }
                ':' => out.push_str(self.colon),
                _ => out.push_str(token),
            }
            rest = after;
        }
        out
    }
}

const INDENTED_LEVELS: usize = 64;

/// The length of the string at the start of a valid JSON text.
fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

//! Converts large files piece by piece, without keeping the data of a piece.
//!
//! A file of blocks is a sequence of pieces, each of which can be converted by itself.
//! [`split_native`] and [`split_json`] return them; [`JsonBlocks`] joins the converted blocks of
//! native pieces. A file has no pieces if its root has attributes, or items that JSON or the
//! language does not allow there.

use super::json::Written;
use crate::diagnostic::Sink;
use crate::dialect::{Dialect, Grammar, List};
use crate::document::Document;
use crate::hash::HashMap;
use crate::json::{JsonValue, Node};
use crate::span::Span;
use crate::structure::{File, Item};
use crate::write::push_string;

/// Returns the pieces of a native file of blocks, each of about `size` bytes or one block, with the
/// comments before it. Together they are the file. `None` if something else is at its root.
///
/// Cost: linear in the number of blocks, for a [skeleton](File::skeleton).
#[must_use]
pub fn split_native(
    file: File<'_>,
    kind: Option<(Dialect, List)>,
    size: usize,
) -> Option<Vec<Span>> {
    let grammar = Grammar::of_file(kind);
    let len = file.source().bytes().len() as u32;
    let (mut pieces, mut start) = (Vec::new(), 0);
    for item in file.body().items() {
        let Item::Block(block) = item else { return None };
        let (labels, _) = grammar.block(block.block_type())?;
        if labels != block.labels().len() {
            return None;
        }
        // The rest of the line of the brace belongs to the block.
        let end = block.span().end as usize;
        let rest = file.source().bytes().get(end..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(len, |at| (end + at + 1) as u32);
        if (end - start) as usize >= size {
            pieces.push(Span::new(start, end));
            start = end;
        }
    }
    if start < len {
        pieces.push(Span::new(start, len));
    }
    Some(pieces)
}

/// Calls `each` with the pieces of a document of blocks, in their order: documents of about `size` bytes
/// or one block, for the same kind of file. Returns `None` if something else is at its root, and at the
/// first `None` of `each`.
///
/// Cost: linear in the document. No body is opened.
pub fn split_json(
    document: Document<'_>,
    kind: Option<(Dialect, List)>,
    size: usize,
    each: &mut dyn FnMut(String) -> Option<()>,
) -> Option<()> {
    let grammar = Grammar::of_file(kind);
    let mut piece = String::new();
    for member in document.root().as_object()?.members() {
        let name = member.name().to_str();
        let mut level: Vec<(Vec<&str>, Node<'_>)> = vec![(vec![name], member.value())];
        let labels = match name {
            "//" => 0,
            _ => grammar.block(name)?.0,
        };
        for _ in 0..labels {
            let mut next = Vec::new();
            for (path, node) in level {
                for object in objects(node)? {
                    let object = object.as_object()?;
                    next.extend(object.members().map(|label| {
                        let path = path.iter().copied().chain([label.name().to_str()]);
                        (path.collect(), label.value())
                    }));
                }
            }
            level = next;
        }
        for (path, node) in level {
            let bodies = if name == "//" { vec![node] } else { objects(node)? };
            for body in bodies {
                piece.push(if piece.is_empty() { '[' } else { ',' });
                for name in &path {
                    piece.push('{');
                    push_string(&mut piece, name);
                    piece.push(':');
                }
                piece.push_str(str::from_utf8(body.text()).ok()?);
                piece.extend(path.iter().map(|_| '}'));
                if piece.len() >= size {
                    piece.push(']');
                    each(std::mem::take(&mut piece))?;
                }
            }
        }
    }
    if !piece.is_empty() {
        piece.push(']');
        each(piece)?;
    }
    Some(())
}

/// An object, or those of a list; `None` for another value.
fn objects(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    match node.value() {
        JsonValue::Object(_) => Some(vec![node]),
        JsonValue::Array(array) => {
            let all: Vec<_> = array.elements().collect();
            all.iter().all(|element| element.is_object()).then_some(all)
        }
        _ => None,
    }
}

/// The blocks of a file in JSON, which is written when all are known.
#[derive(Debug, Default)]
pub struct JsonBlocks {
    comments: Vec<String>,
    root: Level,
    /// The length of the bodies.
    len: usize,
}

/// Blocks by their type, or by one of their labels.
#[derive(Debug, Default)]
struct Level {
    places: HashMap<String, usize>,
    below: Vec<(String, Self)>,
    /// The bodies of blocks without further labels.
    bodies: Vec<String>,
}

/// A part of the document that is still to be written.
enum Part {
    Level(Level, usize),
    Text(&'static str),
    Line(usize),
    Key(String),
    String(String),
}

impl JsonBlocks {
    /// Adds the blocks of a piece. Reports what [`to_json`](super::to_json) reports.
    pub fn add<'a>(
        &mut self,
        file: File<'a>,
        kind: Option<(Dialect, List)>,
        sink: &mut dyn Sink<'a>,
    ) {
        let Written { comments, blocks } = Written::of(file, kind, sink);
        self.comments.extend(comments);
        for (path, body) in blocks {
            let mut level = &mut self.root;
            for name in path {
                let place = *level.places.entry(name.to_owned()).or_insert_with(|| {
                    level.below.push((name.to_owned(), Level::default()));
                    level.below.len() - 1
                });
                level = &mut level.below[place].1;
            }
            self.len += body.len();
            level.bodies.push(body);
        }
    }

    /// Writes the document, as [`to_json`](super::to_json) does for the whole file.
    #[must_use]
    pub fn finish(self) -> String {
        let Self { comments, root, len } = self;
        // Names and brackets take a part of what the bodies do. It does not have to grow.
        let mut out = String::with_capacity(len + len / 4);
        let comment = Some(comments.join("\n")).filter(|comment| !comment.is_empty());
        let mut comment = comment.map(Part::String);
        let mut work = vec![Part::Text("\n"), Part::Level(root, 0)];
        while let Some(part) = work.pop() {
            let from = work.len();
            match part {
                Part::Text(text) => out.push_str(text),
                Part::String(text) => push_string(&mut out, &text),
                Part::Line(levels) => {
                    out.push('\n');
                    (0..levels).for_each(|_| out.push_str("  "));
                }
                Part::Key(key) => {
                    push_string(&mut out, &key);
                    out.push_str(": ");
                }
                Part::Level(level, depth) => {
                    let is_list = level.bodies.len() > 1;
                    for (place, body) in level.bodies.iter().enumerate() {
                        if is_list {
                            out.push_str(if place == 0 { "[\n" } else { ",\n" });
                            (0..=depth).for_each(|_| out.push_str("  "));
                            // A string has no line feeds.
                            out.push_str(&body.replace('\n', "\n  "));
                        } else {
                            out.push_str(body);
                        }
                    }
                    if is_list {
                        work.extend([Part::Line(depth), Part::Text("]")]);
                    }
                    if level.bodies.is_empty() {
                        let comment = comment.take().map(|text| (Part::Key("//".into()), text));
                        let below = level.below.into_iter();
                        let below = below
                            .map(|(name, below)| (Part::Key(name), Part::Level(below, depth + 1)));
                        work.push(Part::Text("{"));
                        let mut is_empty = true;
                        for (key, value) in comment.into_iter().chain(below) {
                            work.extend((!is_empty).then_some(Part::Text(",")));
                            work.extend([Part::Line(depth + 1), key, value]);
                            is_empty = false;
                        }
                        work.extend((!is_empty).then_some(Part::Line(depth)));
                        work.push(Part::Text("}"));
                    }
                }
            }
            // The first part is popped first.
            work.get_mut(from..).unwrap_or_default().reverse();
        }
        out
    }
}

//! Converts large files piece by piece, without keeping the data of a piece.
//!
//! A file of blocks is a sequence of pieces, each of which can be converted by itself.
//! [`split_native`] and [`split_json`] return them; [`JsonBlocks`] joins the converted blocks of
//! native pieces. A file has no pieces if its root has attributes, or items that JSON or the
//! language does not allow there.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use smallvec::SmallVec;

use super::json::Written;
use crate::diagnostic::Sink;
use crate::dialect::{Dialect, Grammar, List};
use crate::document::Document;
use crate::hash::Keyed;
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
    /// The names and bodies of all blocks, one after another: a text for each would take more memory.
    text: String,
}

/// Blocks by their type, or by one of their labels.
#[derive(Debug, Default)]
struct Level {
    /// With their names, in the order of the file.
    below: Vec<(Span, Self)>,
    /// The places of the names. Most levels have a body instead.
    places: Option<Box<HashTable<u32>>>,
    /// The bodies of blocks without further labels.
    bodies: SmallVec<[Span; 1]>,
}

impl Level {
    /// Returns the level of a name, which is added if it is new; `None` if the text is full.
    fn named(&mut self, name: &str, text: &mut String) -> Option<&mut Self> {
        let Self { below, places, .. } = self;
        let hash = |name: &str| Keyed::default().hash_one(name);
        let places = places.get_or_insert_default();
        let is_it = |&place: &u32| name_at(below, place, text) == name;
        let place = match places.find(hash(name), is_it) {
            Some(&place) => place,
            None => {
                let place = u32::try_from(below.len()).ok()?;
                below.push((added(text, name)?, Self::default()));
                let rehash = |&place: &u32| hash(name_at(below, place, text));
                places.insert_unique(hash(name), place, rehash);
                place
            }
        };
        below.get_mut(place as usize).map(|(_, level)| level)
    }
}

/// The name of a level.
fn name_at<'t>(levels: &[(Span, Level)], place: u32, text: &'t str) -> &'t str {
    levels.get(place as usize).map_or("", |&(name, _)| part(text, name))
}

/// A part of a text.
fn part(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// A part of the document that is still to be written.
enum Part<'p> {
    Level(&'p Level, usize),
    Text(&'static str),
    Line(usize),
    Key(&'p str),
    String(String),
}

impl JsonBlocks {
    /// Adds the blocks of a piece. Reports what [`to_json`](super::to_json) reports.
    ///
    /// Returns `None` if all blocks together have 2³² bytes or more.
    #[must_use]
    pub fn add<'a>(
        &mut self,
        file: File<'a>,
        kind: Option<(Dialect, List)>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<()> {
        let Written { comments, blocks } = Written::of(file, kind, sink);
        self.comments.extend(comments);
        for (path, body) in blocks {
            let mut level = &mut self.root;
            for name in path {
                level = level.named(name, &mut self.text)?;
            }
            level.bodies.push(added(&mut self.text, &body)?);
        }
        Some(())
    }

    /// Returns the document, as [`to_json`](super::to_json) does for the whole file.
    #[must_use]
    pub fn finish(self) -> String {
        let mut out = String::with_capacity(self.text.len());
        // A text takes everything.
        let _: Result<(), std::convert::Infallible> = self.write(&mut |text| {
            out.push_str(text);
            Ok(())
        });
        out
    }

    /// Passes on the parts of the document, in order.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn write<E>(&self, each: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let mut out = Buffered { text: String::new(), each };
        let comment = Some(self.comments.join("\n")).filter(|comment| !comment.is_empty());
        let mut comment = comment.map(Part::String);
        let mut work = vec![Part::Text("\n"), Part::Level(&self.root, 0)];
        while let Some(part) = work.pop() {
            let from = work.len();
            match part {
                Part::Text(text) => out.push(text)?,
                Part::String(text) => push_string(&mut out.text, &text),
                Part::Line(levels) => {
                    out.push("\n")?;
                    (0..levels).for_each(|_| out.text.push_str("  "));
                }
                Part::Key(key) => {
                    push_string(&mut out.text, key);
                    out.text.push_str(": ");
                }
                Part::Level(level, depth) => {
                    let is_list = level.bodies.len() > 1;
                    for (place, body) in level.bodies.iter().enumerate() {
                        let body = self.text_of(*body);
                        if is_list {
                            out.push(if place == 0 { "[\n" } else { ",\n" })?;
                            (0..=depth).for_each(|_| out.text.push_str("  "));
                            // A string has no line feeds.
                            out.push(&body.replace('\n', "\n  "))?;
                        } else {
                            out.push(body)?;
                        }
                    }
                    if is_list {
                        work.extend([Part::Line(depth), Part::Text("]")]);
                    }
                    if level.bodies.is_empty() {
                        let comment = comment.take().map(|text| (Part::Key("//"), text));
                        let below = level.below.iter().map(|(name, below)| {
                            (Part::Key(self.text_of(*name)), Part::Level(below, depth + 1))
                        });
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
        (out.each)(&out.text)
    }

    fn text_of(&self, span: Span) -> &str {
        part(&self.text, span)
    }
}

/// Adds a part to a text, and returns its place; `None` if that does not fit.
fn added(text: &mut String, part: &str) -> Option<Span> {
    let start = u32::try_from(text.len()).ok()?;
    text.push_str(part);
    Some(Span::new(start, u32::try_from(text.len()).ok()?))
}

/// Passes on parts that are not small.
struct Buffered<'e, E> {
    text: String,
    each: &'e mut dyn FnMut(&str) -> Result<(), E>,
}

impl<E> Buffered<'_, E> {
    fn push(&mut self, text: &str) -> Result<(), E> {
        self.text.push_str(text);
        if self.text.len() >= 1 << 16 {
            (self.each)(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }
}

//! YAML as a tree with places, for settings.

use std::borrow::Cow;

use crate::functions::yaml::{Event, Parser, Problem, Style};
use crate::hash::HashMap;

/// The maximum depth. Settings have three levels.
const MAX_DEPTH: usize = 32;

/// The maximum number of values, those that aliases repeat included.
const MAX_NODES: usize = 100_000;

/// A place in the text, in lines and columns from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Node<'t> {
    pub(super) place: Place,
    pub(super) content: Content<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum Content<'t> {
    /// A text, and how it is written.
    Scalar(Cow<'t, str>, Style),
    Sequence(Vec<Node<'t>>),
    Mapping(Vec<Entry<'t>>),
}

#[derive(Clone, Debug)]
pub(super) struct Entry<'t> {
    /// In lower case: names of settings are found in any case.
    name: String,
    pub(super) place: Place,
    pub(super) value: Node<'t>,
}

impl Entry<'_> {
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl Node<'_> {
    pub(super) fn is_null(&self) -> bool {
        let is_null = |text: &str| matches!(text, "" | "~" | "null" | "Null" | "NULL");
        matches!(&self.content, Content::Scalar(text, Style::Plain) if is_null(text))
    }

    /// Where the text of a scalar starts: that of a block starts below its sign.
    pub(super) fn text_place(&self) -> Place {
        let is_block = matches!(self.content, Content::Scalar(_, Style::Block));
        Place { line: self.place.line + usize::from(is_block), ..self.place }
    }

    fn count(&self) -> usize {
        1 + match &self.content {
            Content::Scalar(..) => 0,
            Content::Sequence(nodes) => nodes.iter().map(Node::count).sum::<usize>(),
            Content::Mapping(entries) => entries.iter().map(|entry| entry.value.count()).sum(),
        }
    }
}

type Failed = (Place, String);

/// A collection that is being read, its anchor, and the key of the next value.
struct Open<'t> {
    node: Node<'t>,
    anchor: Option<&'t str>,
    key: Option<(String, Place)>,
}

/// Reads a text with one document. A text without one is an empty mapping. Cost: linear in the text, and
/// in the values that aliases repeat.
pub(super) fn read(text: &str) -> Result<Node<'_>, Failed> {
    let empty = Node { place: Place::default(), content: Content::Mapping(Vec::new()) };
    if text.lines().all(|line| matches!(line.trim_start().bytes().next(), None | Some(b'#'))) {
        return Ok(empty);
    }
    let mut parser = Parser::new(text);
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut anchors: HashMap<&str, (Node<'_>, usize)> = HashMap::default();
    let (mut root, mut count) = (empty, 0);
    loop {
        let (event, place) = parser.next().map_err(|problem| {
            let Problem { place, message } = problem;
            (Place { line: place.line, column: place.column }, message.to_owned())
        })?;
        let place = parser.value_place(place);
        let place = Place { line: place.line, column: place.column };
        let failed = |message: &str| Err((place, message.to_owned()));
        let is_key = open.last().is_some_and(|open| {
            matches!(open.node.content, Content::Mapping(_)) && open.key.is_none()
        });
        let (node, anchor) = match event {
            Event::End => return Ok(root),
            Event::Alias(name) => match anchors.get(name) {
                Some((node, size)) => {
                    count += size;
                    (node.clone(), None)
                }
                None => return failed("there is no such anchor before this alias"),
            },
            Event::Scalar { text, style, properties } => {
                if is_key {
                    if let Some(open) = open.last_mut() {
                        open.key = Some((text.to_lowercase(), place));
                    }
                    continue;
                }
                let content = Content::Scalar(text, style);
                (Node { place, content }, properties.anchor)
            }
            Event::SequenceStart(properties) | Event::MappingStart(properties)
                if is_key || open.len() == MAX_DEPTH =>
            {
                let _ = properties;
                return failed(if is_key {
                    "a name must be a text"
                } else {
                    "values nest too deep"
                });
            }
            Event::SequenceStart(properties) => {
                let node = Node { place, content: Content::Sequence(Vec::new()) };
                open.push(Open { node, anchor: properties.anchor, key: None });
                continue;
            }
            Event::MappingStart(properties) => {
                let node = Node { place, content: Content::Mapping(Vec::new()) };
                open.push(Open { node, anchor: properties.anchor, key: None });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(open) => (open.node, open.anchor),
                None => continue,
            },
        };
        count += 1;
        if count > MAX_NODES {
            return failed("there are too many values");
        }
        if let Some(anchor) = anchor {
            let size = node.count();
            count += size;
            anchors.insert(anchor, (node.clone(), size));
        }
        let Some(Open { node: Node { content, .. }, key, .. }) = open.last_mut() else {
            root = node;
            continue;
        };
        match content {
            Content::Sequence(nodes) => nodes.push(node),
            Content::Mapping(entries) => {
                let Some((name, place)) = key.take() else {
                    return failed("a name must be a text");
                };
                if name != "<<" && entries.iter().any(|entry| entry.name == name) {
                    return Err((place, format!("\"{name}\" is set twice")));
                }
                match node.content {
                    Content::Mapping(merged) if name == "<<" => {
                        for entry in merged {
                            if !entries.iter().any(|known| known.name == entry.name) {
                                entries.push(entry);
                            }
                        }
                    }
                    _ => entries.push(Entry { name, place, value: node }),
                }
            }
            Content::Scalar(..) => {}
        }
    }
}

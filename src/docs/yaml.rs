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
    /// Whether `<<` brought it: a name of the mapping itself takes its place.
    is_merged: bool,
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
        match is_block {
            true => Place { line: self.place.line + 1, column: 0 },
            false => self.place,
        }
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
    /// The places of the entries of a mapping, by their names.
    places: HashMap<String, usize>,
}

impl<'t> Open<'t> {
    fn new(place: Place, content: Content<'t>, anchor: Option<&'t str>) -> Self {
        Self { node: Node { place, content }, anchor, key: None, places: HashMap::default() }
    }
}

/// Adds an entry of a mapping. Those of the mapping itself take precedence over merged ones, and of
/// merged ones the first.
fn add<'t>(
    entries: &mut Vec<Entry<'t>>,
    places: &mut HashMap<String, usize>,
    entry: Entry<'t>,
) -> Result<(), Failed> {
    match places.get(&entry.name) {
        None => {
            places.insert(entry.name.clone(), entries.len());
            entries.push(entry);
        }
        Some(_) if entry.is_merged => {}
        Some(&at) if entries[at].is_merged => entries[at] = entry,
        Some(_) => return Err((entry.place, format!("\"{}\" is set twice", entry.name))),
    }
    Ok(())
}

/// Returns the mappings that `<<` merges; `None` if it has another value.
fn merged(content: Content<'_>) -> Option<Vec<Vec<Entry<'_>>>> {
    match content {
        Content::Mapping(entries) => Some(vec![entries]),
        Content::Sequence(nodes) => nodes
            .into_iter()
            .map(|node| match node.content {
                Content::Mapping(entries) => Some(entries),
                _ => None,
            })
            .collect(),
        Content::Scalar(..) => None,
    }
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
                open.push(Open::new(place, Content::Sequence(Vec::new()), properties.anchor));
                continue;
            }
            Event::MappingStart(properties) => {
                open.push(Open::new(place, Content::Mapping(Vec::new()), properties.anchor));
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
        let Some(Open { node: Node { content, .. }, key, places, .. }) = open.last_mut() else {
            root = node;
            continue;
        };
        match content {
            Content::Sequence(nodes) => nodes.push(node),
            Content::Mapping(entries) => {
                let Some((name, key_place)) = key.take() else {
                    return failed("a name must be a text");
                };
                if name != "<<" {
                    let entry = Entry { name, place: key_place, value: node, is_merged: false };
                    add(entries, places, entry)?;
                    continue;
                }
                let Some(mappings) = merged(node.content) else {
                    return failed("`<<` needs a mapping, or a list of mappings");
                };
                for entry in mappings.into_iter().flatten() {
                    add(entries, places, Entry { is_merged: true, ..entry })?;
                }
            }
            Content::Scalar(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names and values of a mapping of texts, or the error.
    fn entries(text: &str) -> Result<Vec<(String, String)>, String> {
        let node = read(text).map_err(|(place, message)| format!("{}: {message}", place.line))?;
        let Content::Mapping(entries) = &node.content else { panic!("not a mapping") };
        let Content::Mapping(last) = &entries.last().unwrap().value.content else {
            panic!("the last entry is not a mapping")
        };
        let pair = |entry: &Entry<'_>| match &entry.value.content {
            Content::Scalar(text, _) => (entry.name.clone(), text.clone().into_owned()),
            _ => panic!("not a text"),
        };
        Ok(last.iter().map(pair).collect())
    }

    #[test]
    fn own_names_take_precedence_over_merged_ones() {
        let pairs = |all: &[(&str, &str)]| {
            Ok(all.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect())
        };
        let base = "a: &a\n  x: 1\n  y: 2\nb: &b\n  y: 3\n  z: 4\n";
        let of = |text: &str| entries(&format!("{base}c:\n{text}"));
        assert_eq!(of("  <<: *a\n  x: 5\n"), pairs(&[("x", "5"), ("y", "2")]));
        assert_eq!(of("  x: 5\n  <<: *a\n"), pairs(&[("x", "5"), ("y", "2")]));
        assert_eq!(of("  <<: [*a, *b]\n"), pairs(&[("x", "1"), ("y", "2"), ("z", "4")]));
        assert_eq!(of("  <<: *a\n  x: 5\n  X: 6\n"), Err("9: \"x\" is set twice".to_owned()));
        let message = "7: `<<` needs a mapping, or a list of mappings";
        assert_eq!(of("  <<: 1\n"), Err(message.to_owned()));
    }

    #[test]
    fn a_name_is_found_among_many() {
        let text: String = (0..60_000).map(|at| format!("n{at}: 1\n")).collect();
        assert!(read(&text).is_ok());
        assert!(read(&format!("{text}n7: 2\n")).is_err());
    }
}

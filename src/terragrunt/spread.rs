//! Hides the values that are made of hidden ones.
//!
//! The values of a unit are compared with the graph of its files, part by part: a part is hidden if what
//! it is made of is, whatever names it has on the way.

use std::rc::Rc;

use super::flow::{Graph, Id, LONGEST, Name, Path};
use super::search::Found;
use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};
use crate::steps::step;
use crate::value::{Content, Value};

/// The most levels of a value that are compared; what is deeper is hidden if a part of it may be.
const DEEPEST: usize = 100;

/// The most values with hidden parts that one is compared with; one that may come from more is hidden.
const MOST_SOURCES: usize = 64;

/// The hidden values, and what is made of them.
pub(super) struct Spread<'a> {
    graph: Graph<'a>,
    found: Found<'a>,
    /// The nodes that are hidden, have a hidden part, or are made of such nodes.
    is_touched: Vec<bool>,
}

/// Returns what is shown of a value that must not be shown.
pub(super) type Hide<'h, 'v> = &'h dyn Fn(Value<'v>) -> Value<'v>;

/// Where a value, or a part of it, may come from.
#[derive(Clone)]
enum From<'a> {
    /// The value at a path in a node.
    Node(Id, Path<'a>),
    /// The parts at a path are hidden, or of these the ones that a set names.
    Hidden(Path<'a>, Option<usize>),
}

/// The parts of a value that may be hidden.
#[derive(Default)]
struct Below<'a> {
    named: HashMap<&'a str, Vec<From<'a>>>,
    /// For parts of any name.
    any: Vec<From<'a>>,
    /// The parts that these sets name are hidden.
    sets: Vec<usize>,
}

impl<'a> Below<'a> {
    fn is_empty(&self) -> bool {
        self.named.is_empty() && self.any.is_empty() && self.sets.is_empty()
    }

    fn add(&mut self, name: Name<'a>, from: From<'a>) {
        match name {
            Some(name) => self.named.entry(name).or_default().push(from),
            None => self.any.push(from),
        }
    }
}

impl<'a> Spread<'a> {
    /// Cost: linear in the graph.
    pub(super) fn of(graph: Graph<'a>, found: Found<'a>) -> Self {
        let count = graph.nodes.len();
        let mut users: Vec<Vec<Id>> = vec![Vec::new(); count];
        let mut open: Vec<Id> = Vec::new();
        for (id, node) in (0..).zip(&graph.nodes) {
            let parts = node.parts.iter().map(|(_, part)| *part);
            let parts = parts.chain(node.others).chain(node.keys);
            let parts = parts.chain(node.uses).chain(node.selectors);
            parts.for_each(|part| users[part as usize].push(id));
            for flow in &node.flows {
                for from in graph.led(flow.from, &flow.path) {
                    users[from as usize].push(id);
                }
            }
            let has_hidden_part = node.is_computed() && found.parts(id).next().is_some();
            if found.is_whole(id) || has_hidden_part {
                open.push(id);
            }
        }
        let mut is_touched = vec![false; count];
        while let Some(id) = open.pop() {
            step();
            if !std::mem::replace(&mut is_touched[id as usize], true) {
                open.extend(&users[id as usize]);
            }
        }
        Self { graph, found, is_touched }
    }

    /// Returns the value of a node with `hide` applied to what must not be shown.
    ///
    /// Cost: linear in the value, and for each level of it in the values that it may come from.
    pub(super) fn shown<'v>(
        &self,
        arena: &'v Arena,
        node: Id,
        value: Value<'v>,
        hide: Hide<'_, 'v>,
    ) -> Value<'v> {
        let from = vec![From::Node(node, Rc::from([]))];
        self.at(arena, value, from, (hide, DEEPEST))
    }

    /// Whether the value at a path in the configuration must not be shown, or has such a part.
    pub(super) fn hides(&self, path: &[&'a str]) -> bool {
        let path = path.iter().map(|name| Some(*name)).collect();
        let below = self.below(vec![From::Node(self.graph.config, path)]);
        below.is_none_or(|below| !below.is_empty())
    }

    /// Whether the expression at a place in a file is hidden, or made of what is; `None` if none is
    /// known there.
    pub(super) fn touches(&self, file: &str, at: u32) -> Option<bool> {
        match self.graph.written_at(file, at).as_slice() {
            [] => None,
            [node] => Some(self.is_touched[*node as usize]),
            _ => Some(true),
        }
    }

    fn at<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
        from: Vec<From<'a>>,
        (hide, depth): (Hide<'_, 'v>, usize),
    ) -> Value<'v> {
        match self.below(from) {
            None => hide(value),
            Some(below) if below.is_empty() => value,
            Some(below) => self.with_parts(arena, value, &below, (hide, depth)),
        }
    }

    /// Compares the parts of a value. Recurses at most [`DEEPEST`] levels.
    fn with_parts<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
        below: &Below<'a>,
        (hide, depth): (Hide<'_, 'v>, usize),
    ) -> Value<'v> {
        let Some(depth) = depth.checked_sub(1) else { return hide(value) };
        match value.content() {
            Content::Entries(entries) => {
                let part = |&(name, value): &(&'v str, Value<'v>)| {
                    step();
                    if below.sets.iter().any(|set| self.found.has(*set, name)) {
                        return (name, hide(value));
                    }
                    let named = below.named.get(name).into_iter().flatten();
                    let from: Vec<From<'a>> = named.chain(&below.any).cloned().collect();
                    match from.is_empty() {
                        true => (name, value),
                        false => (name, self.at(arena, value, from, (hide, depth))),
                    }
                };
                let parts: Vec<_> = entries.iter().map(part).collect();
                Value::object(arena, &parts).with_marks(value.marks())
            }
            // A list is no value of its own.
            Content::Elements(elements) => {
                let element = |it: &Value<'v>| self.with_parts(arena, *it, below, (hide, depth));
                let elements: Vec<_> = elements.iter().map(element).collect();
                Value::tuple(arena, &elements).with_marks(value.marks())
            }
            _ => value,
        }
    }

    /// The parts of a value that may be hidden; `None` if all of it is.
    fn below(&self, mut open: Vec<From<'a>>) -> Option<Below<'a>> {
        let mut below = Below::default();
        let mut seen: HashSet<(Id, Path<'a>)> = HashSet::default();
        while let Some(from) = open.pop() {
            step();
            match from {
                From::Hidden(path, set) => match (path.split_first(), set) {
                    (Some((name, rest)), _) => below.add(*name, From::Hidden(rest.into(), set)),
                    (None, Some(set)) => below.sets.push(set),
                    (None, None) => return None,
                },
                From::Node(id, path) => {
                    if !self.is_touched[id as usize] || !seen.insert((id, Rc::clone(&path))) {
                        continue;
                    }
                    if self.found.is_whole(id) || seen.len() > MOST_SOURCES {
                        return None;
                    }
                    if !self.add_node(id, &path, &mut open, &mut below) {
                        return None;
                    }
                }
            }
        }
        Some(below)
    }

    /// Adds what may be hidden of the value at a path in a node. Returns whether that is not all of it.
    fn add_node(
        &self,
        id: Id,
        path: &Path<'a>,
        open: &mut Vec<From<'a>>,
        below: &mut Below<'a>,
    ) -> bool {
        let node = self.graph.node(id);
        let is_touched = |node: &Id| self.is_touched[*node as usize];
        if node.is_computed() {
            // Any part of a computed value may be made of what it uses.
            if node.uses.as_ref().is_some_and(is_touched) {
                return false;
            }
            for (hidden, set) in self.found.parts(id) {
                let pairs = hidden.iter().zip(path.iter());
                if pairs.clone().any(|(one, other)| one.zip(*other).is_some_and(|(a, b)| a != b)) {
                    continue;
                }
                let next = path.get(hidden.len()).copied();
                match (hidden.get(path.len()..), set, next) {
                    (Some(rest), set, None) => open.push(From::Hidden(rest.into(), *set)),
                    (_, Some(set), Some(Some(name))) if !self.found.has(*set, name) => {}
                    _ => return false,
                }
            }
        }
        let others = node.others.filter(is_touched);
        match path.split_first() {
            // Names that are made of hidden values are not shown.
            None if node.keys.as_ref().is_some_and(is_touched) => return false,
            None => {
                let parts = node.parts.iter().filter(|(_, part)| is_touched(part));
                parts.for_each(|(name, part)| {
                    below.add(Some(name), From::Node(*part, Rc::from([])));
                });
                below.any.extend(others.map(|it| From::Node(it, Rc::from([]))));
            }
            Some((name, rest)) => {
                let rest: Path<'a> = rest.into();
                let named = name.and_then(|name| self.graph.get(id, name));
                let all = node.parts.iter().filter(|_| name.is_none()).map(|(_, part)| *part);
                let parts = all.chain(named).chain(others).filter(is_touched);
                open.extend(parts.map(|part| From::Node(part, Rc::clone(&rest))));
            }
        }
        for flow in &node.flows {
            let names = flow.path.iter().chain(path.iter());
            if flow.path.len() + path.len() > LONGEST {
                return false;
            }
            open.push(From::Node(flow.from, names.copied().collect()));
        }
        true
    }
}

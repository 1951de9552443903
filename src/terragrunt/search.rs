//! Finds the values that hidden values are made of.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::flow::{Flow, Graph, Id, LONGEST, Name, Path};
use crate::hash::{HashMap, HashSet};
use crate::steps::step;

/// The most ways in which parts of a value are asked for; then all of it is.
const MOST_ASKED: usize = 100;

/// Names of parts.
pub(super) type Names = HashSet<Box<str>>;

/// The parts of a value: those at a path in it, or of these the ones that a set names.
pub(super) type Parts<'a> = (Vec<Name<'a>>, Option<usize>);

/// The search for what hidden values are made of.
pub(super) struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    found: Found<'a>,
    open: Vec<Asked<'a>>,
}

/// The values that must not be shown.
pub(super) struct Found<'a> {
    /// The values, by their nodes.
    is_whole: Vec<bool>,
    /// Of values that are not written as objects: their parts.
    parts: HashMap<Id, BTreeSet<Parts<'a>>>,
    sets: Vec<Names>,
    texts: Vec<bool>,
}

/// Parts of a value that are asked for.
struct Asked<'a> {
    node: Id,
    path: Path<'a>,
    /// The number of names of the path that have been followed.
    at: usize,
    set: Option<usize>,
}

impl<'a> Asked<'a> {
    fn all_of(node: Id) -> Self {
        Self { node, path: Rc::from([]), at: 0, set: None }
    }

    fn rest(&self) -> &[Name<'a>] {
        self.path.get(self.at..).unwrap_or_default()
    }

    /// The same parts, of the part that the next name leads to.
    fn below(&self, node: Id) -> Self {
        Self { node, path: Rc::clone(&self.path), at: self.at + 1, set: self.set }
    }

    /// The same parts, of a value that comes from elsewhere. A path that is too long asks for more.
    fn from(&self, flow: &Flow<'a>) -> Self {
        let (node, set) = (flow.from, self.set);
        if flow.path.is_empty() {
            return Self { node, path: Rc::clone(&self.path), at: self.at, set };
        }
        let is_cut = flow.path.len() + self.rest().len() > LONGEST;
        let path = flow.path.iter().chain(self.rest()).take(LONGEST).copied().collect();
        Self { node, path, at: 0, set: set.filter(|_| !is_cut) }
    }
}

impl<'g, 'a> Search<'g, 'a> {
    pub(super) fn of(graph: &'g Graph<'a>) -> Self {
        let found = Found {
            is_whole: vec![false; graph.nodes.len()],
            parts: HashMap::default(),
            sets: Vec::new(),
            texts: vec![false; graph.texts.len()],
        };
        Self { graph, found, open: Vec::new() }
    }

    /// Asks for a value.
    pub(super) fn ask(&mut self, node: Id) {
        self.open.push(Asked::all_of(node));
    }

    /// Hides a value, and not what it is made of.
    pub(super) fn hide(&mut self, id: Id) {
        self.found.is_whole[id as usize] = true;
        let texts = &self.graph.node(id).texts;
        texts.iter().for_each(|text| self.found.texts[*text as usize] = true);
    }

    /// Asks for the parts with some names, of the values at a path below one of the configuration.
    pub(super) fn ask_some(&mut self, at: &[&str], path: &[Name<'a>], names: Names) {
        if let Some(node) = self.graph.find(at).filter(|_| !names.is_empty()) {
            let set = Some(self.found.sets.len());
            self.found.sets.push(names);
            self.open.push(Asked { node, path: path.into(), at: 0, set });
        }
    }

    /// Finds all that these are made of.
    ///
    /// Cost: linear in the graph, since parts of one value are asked for in a limited number of ways.
    pub(super) fn run(mut self) -> Found<'a> {
        while let Some(asked) = self.open.pop() {
            step();
            match (asked.rest().first().copied(), asked.set) {
                (None, None) => self.whole(asked.node),
                (next, _) => self.parts(&asked, next),
            }
        }
        self.found
    }

    /// Hides a value, and asks for all that it is made of.
    fn whole(&mut self, id: Id) {
        if std::mem::replace(&mut self.found.is_whole[id as usize], true) {
            return;
        }
        let node = self.graph.node(id);
        node.texts.iter().for_each(|text| self.found.texts[*text as usize] = true);
        let parts = node.parts.iter().map(|(_, part)| *part);
        let parts = parts.chain(node.others).chain(node.keys).chain(node.uses);
        self.open.extend(parts.map(Asked::all_of));
        let all = Asked::all_of(id);
        self.open.extend(node.flows.iter().map(|flow| all.from(flow)));
    }

    /// Asks for parts of a value. `next` is the next name of the path; `None` at its end.
    fn parts(&mut self, asked: &Asked<'a>, next: Option<Name<'a>>) {
        let node = self.graph.node(asked.node);
        if !(node.is_object() && matches!(next, Some(Some(_)))) {
            let known = self.found.parts.entry(asked.node).or_default();
            if known.len() >= MOST_ASKED {
                self.whole(asked.node);
                return;
            }
            if !known.insert((asked.rest().to_vec(), asked.set)) {
                return;
            }
        }
        match (next, asked.set) {
            (Some(Some(name)), _) => {
                let part = self.graph.get(asked.node, name);
                self.open.extend(part.into_iter().chain(node.others).map(|it| asked.below(it)));
            }
            (Some(None), _) => {
                let parts = node.parts.iter().map(|(_, part)| *part);
                self.open.extend(parts.chain(node.others).map(|it| asked.below(it)));
            }
            (None, set) => {
                let names = set.and_then(|set| self.found.sets.get(set));
                let is_meant = |name: &str| names.is_none_or(|names| names.contains(name));
                let parts = node.parts.iter().filter(|(name, _)| is_meant(name));
                let parts = parts.map(|(_, part)| *part).chain(node.others);
                self.open.extend(parts.map(Asked::all_of));
            }
        }
        self.open.extend(node.flows.iter().map(|flow| asked.from(flow)));
        if node.is_computed() {
            node.computed.iter().for_each(|text| self.found.texts[*text as usize] = true);
            self.open.extend(node.uses.map(Asked::all_of));
        }
    }
}

impl<'a> Found<'a> {
    /// Whether all of a value is hidden.
    pub(super) fn is_whole(&self, node: Id) -> bool {
        self.is_whole.get(node as usize).copied().unwrap_or_default()
    }

    /// The parts of a value that are hidden, if it is not written as an object.
    pub(super) fn parts(&self, node: Id) -> impl Iterator<Item = &Parts<'a>> {
        self.parts.get(&node).into_iter().flatten()
    }

    /// The names of the parts of a value that are hidden, at its first level; `None` if all of them are.
    pub(super) fn names(&self, node: Id) -> Option<Vec<&str>> {
        let mut names = Vec::new();
        for (path, set) in self.parts(node) {
            match (path.first(), set.and_then(|set| self.sets.get(set))) {
                (Some(name), _) => names.push((*name)?),
                (None, Some(set)) => names.extend(set.iter().map(|name| &**name)),
                (None, None) => return None,
            }
        }
        names.sort_unstable();
        (!self.is_whole(node)).then_some(names)
    }

    /// Whether a set has a name.
    pub(super) fn has(&self, set: usize, name: &str) -> bool {
        self.sets.get(set).is_some_and(|names| names.contains(name))
    }

    /// The places of the hidden values.
    pub(super) fn texts(&self) -> impl Iterator<Item = u32> {
        let texts = self.texts.iter().enumerate();
        texts.filter(|(_, is_hidden)| **is_hidden).map(|(text, _)| text as u32)
    }
}

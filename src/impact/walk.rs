//! The walk from the modules and instances that changed files enter to all modules that depend on
//! these, and the paths that it took.
//!
//! A file of a module enters the module, which affects all that call it. A file that an object
//! reads enters an instance of a module in a root module: an object that reads it in one root
//! module need not read it in another. Each node keeps its predecessors, so that a reason is a path
//! with places.

use std::collections::VecDeque;
use std::path::Path;

use super::answer::{AffectedModule, Place, Reason};
use super::callers::{Callers, StateReader};
use super::inputs::{Outer, Part, Reads};
use crate::diagnostic::Label;
use crate::directory::Location;
use crate::hash::{HashMap, HashSet};
use crate::module::Object;
use crate::tree::Tree;

/// The maximum number of steps of a way.
const MOST_STEPS: usize = 100;

/// The number of predecessors of a node that are kept.
const MOST_CAUSES: usize = 64;

/// A thing that may be affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A module, wherever it is called.
    Module(usize),
    /// A template of Packer.
    Template(usize),
    /// The tests of a module, on which its callers do not depend.
    Tests(usize),
    /// An instance of a module in a root module, by their numbers.
    Instance(u32, u32),
    /// A run of a module by another tool.
    Run(usize),
}

impl Node {
    /// The module or template of a node.
    pub(super) fn place(self, reads: &[Reads<'_>]) -> Place {
        match self {
            Self::Module(place) | Self::Tests(place) => Place::Module(place),
            Self::Template(place) => Place::Template(place),
            Self::Run(run) => Place::Run(run),
            Self::Instance(root, at) => {
                Place::Module(reads[root as usize].instances[at as usize].0)
            }
        }
    }
}

/// The object that refers to something, and where it does; none for a file that belongs to a module.
pub(super) type Reference<'a> = (Option<Object<'a>>, Option<Label<'a>>);

/// Why a node is affected.
#[derive(Clone, Copy)]
pub(super) struct Cause<'a> {
    /// The number of the changed file.
    pub(super) file: Option<usize>,
    /// The object that reads the file, or that refers to the node before.
    pub(super) object: Option<Object<'a>>,
    /// The address of what refers to it, if it is no object of a module.
    part: Option<&'a str>,
    /// Where it does.
    pub(super) label: Option<Label<'a>>,
    /// The node before.
    from: Option<Node>,
    /// The first node on the way, unless it is this one.
    first: Option<Node>,
}

impl<'a> Cause<'a> {
    /// A file that belongs to a module, or that is read there.
    pub(super) fn of_file(file: usize, by: Reference<'a>) -> Self {
        let (object, label) = by;
        Self { file: Some(file), object, part: None, label, from: None, first: None }
    }
}

/// A breadth-first search from files to modules.
pub(super) struct Walk<'w, 'a> {
    pub(super) tree: &'w Tree<'a>,
    pub(super) callers: &'w Callers<'a>,
    pub(super) reads: &'w [Reads<'a>],
    /// The directories of runs.
    runs: &'w [Location],
    causes: HashMap<Node, Vec<Cause<'a>>>,
    /// The node by which a place was reached first.
    nearest: HashMap<Place, Node>,
    queue: VecDeque<Node>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(
        tree: &'w Tree<'a>,
        callers: &'w Callers<'a>,
        reads: &'w [Reads<'a>],
        runs: &'w [Location],
    ) -> Self {
        let (causes, nearest) = (HashMap::default(), HashMap::default());
        Self { tree, callers, reads, runs, causes, nearest, queue: VecDeque::new() }
    }

    /// The module or template of a node.
    fn place(&self, node: Node) -> Place {
        node.place(self.reads)
    }

    pub(super) fn reach(&mut self, node: Node, cause: Cause<'a>) {
        let causes = self.causes.entry(node).or_default();
        let is_new = causes.is_empty();
        let is_known = causes.iter().any(|it| {
            (it.file, it.object, it.part, it.from)
                == (cause.file, cause.object, cause.part, cause.from)
        });
        if causes.len() < MOST_CAUSES && !is_known {
            causes.push(cause);
        }
        if is_new {
            self.nearest.entry(self.place(node)).or_insert(node);
            self.queue.push_back(node);
        }
    }

    /// Reaches what depends on each reached node.
    pub(super) fn follow(&mut self) {
        let (callers, count) = (self.callers, self.tree.modules().len());
        while let Some(node) = self.queue.pop_front() {
            let before = self.causes.get(&node).and_then(|causes| causes.first());
            let first = before.and_then(|cause| cause.first).or(Some(node));
            let to = |object, label| Cause {
                file: None,
                object,
                part: None,
                label,
                from: Some(node),
                first,
            };
            let by_part = |part: Part<'a>| Cause {
                file: None,
                object: None,
                part: Some(part.address),
                label: Some(part.label),
                from: Some(node),
                first,
            };
            // The instance that calls an instance, if there is one.
            let outer = |(root, at): (u32, u32)| {
                let instances = &self.reads[root as usize].instances;
                let call = match instances[at as usize].1? {
                    Outer::Call(call) => call,
                    Outer::Part(outer, part) => {
                        return Some((Node::Instance(root, outer), by_part(part)));
                    }
                    Outer::Tests => return None,
                };
                let outer = &self.tree.modules()[instances[call.module as usize].0].module;
                let called = outer.calls.at(call.call)?;
                let label = called.source.map(|source| source.expression().label());
                let cause = to(Some(Object::ModuleCall(called.name)), label);
                Some((Node::Instance(root, call.module), cause))
            };
            let (module, outer) = match node {
                Node::Template(_) | Node::Tests(_) => continue,
                Node::Run(run) => {
                    self.reach_readers(count + run, &to);
                    continue;
                }
                Node::Module(place) => {
                    let evaluated = callers.evaluated(place);
                    (Some(place), evaluated.iter().filter_map(|&at| outer(at)).collect())
                }
                Node::Instance(root, at) => {
                    let (place, call) = self.reads[root as usize].instances[at as usize];
                    let module = call.is_none().then_some(place);
                    (module, outer((root, at)).into_iter().collect::<Vec<_>>())
                }
            };
            outer.into_iter().for_each(|(node, cause)| self.reach(node, cause));
            let Some(module) = module else { continue };
            for &(from, part) in callers.runs(module) {
                self.reach(Node::Tests(from), by_part(part));
            }
            for edge in callers.of_module(module) {
                let label = reference(self.tree, edge.from, edge.object);
                self.reach(Node::Module(edge.from), to(Some(edge.object), label));
            }
            self.reach_readers(module, &to);
        }
    }

    /// Reaches what reads the state of a module or run, as far as runs have or read it.
    fn reach_readers(
        &mut self,
        owner: usize,
        to: &dyn Fn(Option<Object<'a>>, Option<Label<'a>>) -> Cause<'a>,
    ) {
        let (callers, count) = (self.callers, self.tree.modules().len());
        for &reader in callers.states(owner) {
            let (node, module, object) = match reader {
                StateReader::Module(reader, object) => match reader.checked_sub(count) {
                    Some(run) => (Node::Run(run), None, object),
                    None => (Node::Module(reader), Some(reader), object),
                },
                StateReader::Instance((root, at), object) => {
                    let module = self.reads[root as usize].instances[at as usize].0;
                    (Node::Instance(root, at), Some(module), Some(object))
                }
            };
            let label = module
                .zip(object)
                .and_then(|(module, object)| reference(self.tree, module, object));
            self.reach(node, to(object, label));
        }
    }

    /// The runs that are affected.
    pub(super) fn runs(&self) -> Vec<Place> {
        let places = self.nearest.keys().filter(|place| matches!(place, Place::Run(_)));
        let mut runs: Vec<Place> = places.copied().collect();
        runs.sort_unstable();
        runs
    }

    /// Whether a module, template or run is affected.
    pub(super) fn has(&self, place: Place) -> bool {
        self.nearest.contains_key(&place)
    }

    /// Whether a root module is affected, by its number among those that were evaluated.
    pub(super) fn has_root(&self, root: u32) -> bool {
        self.has(Place::Module(self.reads[root as usize].root))
    }

    /// The files that affect something.
    pub(super) fn files(&self) -> HashSet<usize> {
        self.causes.values().flatten().filter_map(|cause| cause.file).collect()
    }

    /// An affected place, with its reason.
    pub(super) fn affected(
        &self,
        place: Place,
        is_root: bool,
        changed: &[&Path],
    ) -> AffectedModule<'a> {
        let (path, because) = (self.location(place), self.because(place, changed));
        AffectedModule { place, path, is_root, because }
    }

    /// The steps of a shortest way to a place.
    pub(super) fn because(&self, place: Place, changed: &[&Path]) -> Vec<Reason<'a>> {
        let mut steps = Vec::new();
        let mut next = self.nearest.get(&place).copied();
        while let Some(node) = next {
            let Some(cause) = self.causes.get(&node).and_then(|causes| causes.first()) else {
                break;
            };
            steps.push(self.reason(node, cause, changed));
            next = if steps.len() == MOST_STEPS - 1 { cause.first } else { cause.from };
        }
        steps.reverse();
        steps
    }

    /// All ways to a place, shortest first, at most this many.
    pub(super) fn all_ways(
        &self,
        place: Place,
        changed: &[&Path],
        most: usize,
    ) -> Vec<Vec<Reason<'a>>> {
        let mut ends: Vec<Node> =
            self.causes.keys().copied().filter(|&node| self.place(node) == place).collect();
        ends.sort_unstable_by_key(|node| match *node {
            Node::Module(place) => (0, place as u32, 0),
            Node::Template(place) => (1, place as u32, 0),
            Node::Tests(place) => (2, place as u32, 0),
            Node::Instance(root, at) => (3, root, at),
            Node::Run(run) => (4, run as u32, 0),
        });
        let mut ways: Vec<Vec<Reason<'a>>> = Vec::new();
        // The way so far, from its end: each node with the place of its next cause.
        for end in ends {
            let mut open: Vec<(Node, usize)> = vec![(end, 0)];
            let mut tried = 0;
            while let Some((node, next)) = open.last_mut() {
                let node = *node;
                let cause = self.causes.get(&node).and_then(|causes| causes.get(*next)).copied();
                *next += 1;
                tried += 1;
                let Some(cause) = cause else {
                    open.pop();
                    continue;
                };
                if ways.len() >= most || tried > most * MOST_STEPS {
                    break;
                }
                match cause.from {
                    Some(from) if open.len() < MOST_STEPS => {
                        if open.iter().all(|(node, _)| *node != from) {
                            open.push((from, 0));
                        }
                    }
                    Some(_) => {}
                    None => {
                        let steps = open.iter().rev().filter_map(|&(node, next)| {
                            let cause = self.causes.get(&node)?.get(next.checked_sub(1)?)?;
                            Some(self.reason(node, cause, changed))
                        });
                        let way: Vec<Reason<'a>> = steps.collect();
                        if !ways.iter().any(|known| is_same(known, &way)) {
                            ways.push(way);
                        }
                    }
                }
            }
        }
        ways.sort_by_key(Vec::len);
        ways
    }

    fn reason(&self, node: Node, cause: &Cause<'a>, changed: &[&Path]) -> Reason<'a> {
        Reason {
            file: cause.file.map(|number| changed[number].to_owned()),
            object: cause.object,
            part: cause.part,
            module: self.location(self.place(node)),
            label: cause.label,
        }
    }

    /// The directory of a module or template.
    pub(super) fn location(&self, place: Place) -> Location {
        match place {
            Place::Module(place) => self.tree.modules()[place].files.path.clone(),
            Place::Template(place) => self.tree.templates()[place].files.path.clone(),
            Place::Run(run) => self.runs[run].clone(),
        }
    }
}

fn is_same(one: &[Reason<'_>], other: &[Reason<'_>]) -> bool {
    let key = |reason: &Reason<'_>| (reason.file.clone(), reason.address(), reason.module.clone());
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| key(one) == key(other))
}

/// Where an object refers to another module.
fn reference<'a>(tree: &Tree<'a>, module: usize, object: Object<'a>) -> Option<Label<'a>> {
    let module = &tree.modules()[module].module;
    let call = match object {
        Object::ModuleCall(name) => module.calls.get(name),
        _ => None,
    };
    let source = call.and_then(|call| call.source);
    source.map(|source| source.expression().label()).or_else(|| module.declaration(object))
}

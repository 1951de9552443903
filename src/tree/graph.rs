//! Who depends on whom, across a tree.
//!
//! Nodes are the objects of all modules: resources, local values, variables, outputs, provider configurations,
//! module calls, checks. An edge leads from an object to one that it needs. Where a call leads to a module of the
//! tree, edges go on through it: from a variable to what the calls give for it, and from a use of
//! `module.m.output` to that output.
//!
//! Both directions are kept as ranges of one list, so that walking costs what it finds. Where everything in a
//! module needs every call of it, and where a use of `module.m` needs all outputs, edges go through a joint, a node
//! that nobody sees: many calls of a large module are no product of both.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Link, Tree};
use crate::module::{Object, Use};
use crate::reference::Subject;

/// An object of a module of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphNode<'a> {
    /// The place of its module in [`Tree::modules`].
    pub module: usize,
    /// The object.
    pub object: Object<'a>,
}

/// The dependencies of a tree. Nodes are told apart by their numbers, from 0.
#[derive(Debug)]
pub struct Graph<'a> {
    nodes: Vec<GraphNode<'a>>,
    numbers: FxHashMap<GraphNode<'a>, u32>,
    /// Numbers behind those of the nodes are joints. No edge leads from a joint to another.
    needs: Adjacency,
    needed_by: Adjacency,
}

/// The joints of a module, as they follow the nodes.
#[derive(Clone, Copy, Debug)]
enum Joint {
    /// From all that the module declares to the calls of it.
    Calls,
    /// From all uses of the whole module to its outputs.
    Outputs,
}

/// One object that depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependent {
    /// Its number.
    pub node: u32,
    /// How many steps it is away, at least 1.
    pub distance: u32,
    /// The next object on a shortest way to what it depends on.
    pub via: u32,
}

/// Of each node the nodes that it leads to, sorted, each once.
#[derive(Debug, Default)]
struct Adjacency {
    /// Where the list of each node starts; one more at the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// From edges that are sorted and distinct.
    fn of(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; nodes + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        Self { starts, targets: edges.iter().map(|&(_, to)| to).collect() }
    }

    fn of_node(&self, node: u32) -> &[u32] {
        let node = node as usize;
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(&start), Some(&end)) => {
                self.targets.get(start as usize..end as usize).unwrap_or_default()
            }
            _ => &[],
        }
    }
}

impl<'a> Tree<'a> {
    /// The dependencies between all objects. Cost: every template is parsed; linear in the references, and
    /// sorting them.
    #[must_use]
    pub fn graph(&self) -> Graph<'a> {
        let mut is_called = vec![false; self.modules().len()];
        for link in self.modules().iter().flat_map(|module| &module.links) {
            if let Link::Module(called) = *link {
                is_called[called] = true;
            }
        }
        let (nodes, numbers) = (Vec::new(), FxHashMap::default());
        let mut builder = Builder { tree: self, is_called, nodes, numbers };
        builder.declare();
        let mut edges = Vec::new();
        for module in 0..self.modules().len() {
            builder.connect(module, &mut edges);
        }
        edges.sort_unstable();
        edges.dedup();
        let mut reversed: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        reversed.sort_unstable();
        // Joints that no edge touches cost a number each.
        let count = builder.nodes.len() + 2 * self.modules().len();
        Graph {
            nodes: builder.nodes,
            numbers: builder.numbers,
            needs: Adjacency::of(count, &edges),
            needed_by: Adjacency::of(count, &reversed),
        }
    }
}

impl<'a> Graph<'a> {
    /// The objects, by number.
    #[must_use]
    pub fn nodes(&self) -> &[GraphNode<'a>] {
        &self.nodes
    }

    /// The number of an object.
    #[must_use]
    pub fn number(&self, node: GraphNode<'a>) -> Option<u32> {
        self.numbers.get(&node).copied()
    }

    /// What an object needs directly; an object may occur twice.
    pub fn needs(&self, node: u32) -> impl Iterator<Item = u32> {
        through(&self.needs, self.nodes.len(), node)
    }

    /// What needs an object directly; an object may occur twice.
    pub fn needed_by(&self, node: u32) -> impl Iterator<Item = u32> {
        through(&self.needed_by, self.nodes.len(), node)
    }

    /// Everything that depends on one of the objects, directly or not: nearest first, those of one distance by
    /// number. The objects themselves are not among them. Cost: linear in what is found.
    #[must_use]
    pub fn dependents(&self, of: &[u32]) -> Vec<Dependent> {
        let mut seen = vec![false; self.needed_by.starts.len()];
        let mut queue: VecDeque<(u32, u32)> = VecDeque::new();
        for &start in of {
            if (start as usize) < self.nodes.len()
                && !std::mem::replace(&mut seen[start as usize], true)
            {
                queue.push_back((start, 0));
            }
        }
        let mut found = Vec::new();
        while let Some((node, distance)) = queue.pop_front() {
            let mut find = |seen: &mut [bool], dependent: u32| {
                if !std::mem::replace(&mut seen[dependent as usize], true) {
                    found.push(Dependent { node: dependent, distance: distance + 1, via: node });
                    queue.push_back((dependent, distance + 1));
                }
            };
            for &dependent in self.needed_by.of_node(node) {
                if (dependent as usize) < self.nodes.len() {
                    find(&mut seen, dependent);
                } else if !std::mem::replace(&mut seen[dependent as usize], true) {
                    let behind = self.needed_by.of_node(dependent);
                    behind.iter().for_each(|&behind| find(&mut seen, behind));
                }
            }
        }
        found.sort_unstable_by_key(|dependent| (dependent.distance, dependent.node));
        found
    }
}

/// The nodes that edges lead to, those of joints included.
fn through(edges: &Adjacency, nodes: usize, node: u32) -> impl Iterator<Item = u32> {
    edges.of_node(node).iter().flat_map(move |target| {
        let is_joint = *target as usize >= nodes;
        if is_joint { edges.of_node(*target) } else { std::slice::from_ref(target) }.iter().copied()
    })
}

struct Builder<'t, 'a> {
    tree: &'t Tree<'a>,
    is_called: Vec<bool>,
    nodes: Vec<GraphNode<'a>>,
    numbers: FxHashMap<GraphNode<'a>, u32>,
}

impl<'a> Builder<'_, 'a> {
    /// Numbers all objects, module by module, in the order of [`crate::module::Module::visit_references`].
    fn declare(&mut self) {
        for (place, module) in self.tree.modules().iter().enumerate() {
            let module = &module.module;
            let mut add = |object| {
                let node = GraphNode { module: place, object };
                self.numbers.insert(node, self.nodes.len() as u32);
                self.nodes.push(node);
            };
            module.variables.iter().for_each(|each| add(Object::Variable(each.name)));
            module.locals.iter().for_each(|each| add(Object::Local(each.name)));
            module.outputs.iter().for_each(|each| add(Object::Output(each.name)));
            for each in &module.providers {
                add(Object::Provider(each.name, each.alias));
            }
            module.resources.iter().for_each(|each| add(Object::Resource(each.address)));
            module.calls.iter().for_each(|each| add(Object::ModuleCall(each.name)));
            module.actions.iter().for_each(|each| add(Object::Action(each.address)));
            module.checks.iter().for_each(|each| add(Object::Check(each.name)));
            (0..module.imports.len()).for_each(|place| add(Object::Import(place)));
        }
    }

    fn number(&self, module: usize, object: Object<'a>) -> Option<u32> {
        self.numbers.get(&GraphNode { module, object }).copied()
    }

    /// Adds the edges that the references of a module make, and those through its calls.
    fn connect(&self, place: usize, edges: &mut Vec<(u32, u32)>) {
        let tree = self.tree;
        let module = &tree.modules()[place];
        let links: FxHashMap<&str, usize> = module
            .module
            .calls
            .iter()
            .zip(&module.links)
            .filter_map(|(call, link)| match link {
                Link::Module(called) => Some((call.name, *called)),
                _ => None,
            })
            .collect();
        module.module.visit_references(|object, kind, traversal| {
            let Ok(reference) = module.module.reference(traversal) else { return };
            let Some(from) = self.number(place, object) else { return };
            let mut targets = Vec::new();
            self.targets(place, &links, reference.subject(), &mut targets);
            // What a call hands on is needed by the variable in the called module, not by all of it.
            let from = match (kind, object) {
                (Use::Argument(argument), Object::ModuleCall(call)) => links
                    .get(call)
                    .and_then(|&called| self.number(called, Object::Variable(argument)))
                    .unwrap_or(from),
                _ => from,
            };
            edges.extend(targets.into_iter().map(|to| (from, to)));
        });
        for (call, link) in module.module.calls.iter().zip(&module.links) {
            if let (Link::Module(called), Some(to)) =
                (link, self.number(place, Object::ModuleCall(call.name)))
            {
                edges.push((self.joint(*called, Joint::Calls), to));
            }
        }
        if !self.is_called[place] {
            return;
        }
        // Everything that a called module declares needs what the calls need: their count, what they wait for.
        let resources = module.module.resources.iter().map(|each| Object::Resource(each.address));
        let calls = module.module.calls.iter().map(|each| Object::ModuleCall(each.name));
        let declared = resources.chain(calls).filter_map(|object| self.number(place, object));
        edges.extend(declared.map(|from| (from, self.joint(place, Joint::Calls))));
        let outputs = module.module.outputs.iter();
        let outputs = outputs.filter_map(|each| self.number(place, Object::Output(each.name)));
        edges.extend(outputs.map(|to| (self.joint(place, Joint::Outputs), to)));
    }

    /// The number of a joint. To be asked when all objects are declared.
    fn joint(&self, module: usize, joint: Joint) -> u32 {
        (self.nodes.len() + 2 * module + joint as usize) as u32
    }

    /// The nodes that a subject stands for.
    fn targets(
        &self,
        place: usize,
        links: &FxHashMap<&str, usize>,
        subject: Subject<'a>,
        targets: &mut Vec<u32>,
    ) {
        let object = match subject {
            Subject::Variable(name) => Object::Variable(name),
            Subject::Local(name) => Object::Local(name),
            Subject::Action(action, _) => Object::Action(action),
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                Object::Resource(resource)
            }
            Subject::ModuleOutput { call, output, .. } => {
                let of_output =
                    links.get(call).and_then(|&called| self.number(called, Object::Output(output)));
                match of_output {
                    Some(output) => return targets.push(output),
                    None => Object::ModuleCall(call),
                }
            }
            Subject::ModuleCall(call) | Subject::ModuleInstance(call, _) => {
                if let Some(&called) = links.get(call) {
                    targets.push(self.joint(called, Joint::Outputs));
                }
                Object::ModuleCall(call)
            }
            _ => return,
        };
        targets.extend(self.number(place, object));
    }
}

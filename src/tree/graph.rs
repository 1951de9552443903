//! The dependencies between the objects of a tree.
//!
//! Nodes are the objects of all modules: resources, local values, variables, outputs, provider
//! configurations, module calls, checks. An edge leads from an object to one that it needs. If a
//! call leads to a module of the tree, edges continue through it: from a variable to the arguments
//! of the calls, and from a use of `module.m.output` to that output.
//!
//! A resource needs the provider configuration that manages it. If its module does not declare it,
//! the configuration comes from the callers of the module: under the name that a call passes it by,
//! or, without an alias, as the caller's configuration of the same provider. See
//! [`super::inherited`]. The call needs the configurations that it passes, too, but objects in the
//! called module do not depend on them through the call: those that use a configuration depend on
//! it themselves.
//!
//! Both directions are stored as ranges of one list, so that the cost of a walk is linear in its
//! result. Joints are internal nodes that keep the number of edges linear. There is one where
//! everything in a module needs every call of it, where a use of `module.m` needs all outputs, and
//! where a provider configuration comes from the callers.

use std::collections::VecDeque;

use smallvec::{SmallVec, smallvec};

use super::inherited::Inherited;
use super::{Link, Tree};
use crate::hash::HashSet;
use crate::module::Object;
use crate::reference::Subject;

/// An object of a module of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GraphNode<'a> {
    /// The index of its module in [`Tree::modules`].
    pub module: usize,
    /// The object.
    pub object: Object<'a>,
}

/// The dependencies of a tree. Nodes are identified by their numbers, from 0.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::tree::Tree;
///
/// let arena = Arena::new();
/// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
/// let graph = tree.graph();
/// let edges: usize = (0..graph.len() as u32).map(|node| graph.needs(node).count()).sum();
/// let reversed: usize = (0..graph.len() as u32).map(|node| graph.needed_by(node).count()).sum();
/// assert_eq!(edges, reversed);
/// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
/// ```
#[derive(Debug)]
pub struct Graph<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The number of each module's first object; has one more entry for the end.
    starts: Vec<u32>,
    /// Numbers after those of the nodes are joints. The last joints, from this number on, are
    /// between calls and the configurations that they pass.
    passes: u32,
    needs: Adjacency,
    needed_by: Adjacency,
    /// The called modules, and the numbers of their calls, sorted.
    calls: Vec<(usize, u32)>,
}

/// The joints of a module, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
enum Joint {
    /// From all objects of the module to its calls.
    Calls,
    /// From all uses of the whole module to its outputs.
    Outputs,
}

/// One object that depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dependent {
    /// The number of its node.
    pub node: u32,
    /// The length of the path to it in steps, at least 1.
    pub distance: u32,
    /// The next object on a shortest path to the object that it depends on; `None` for a call of a
    /// module that was passed as a whole.
    pub via: Option<u32>,
}

/// The nodes that each node leads to, sorted, without duplicates.
#[derive(Debug, Default)]
struct Adjacency {
    /// Where the list of each node starts; has one more entry for the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// Builds the lists from edges in any order, with duplicates. Calls `edges` twice: to count
    /// them, and to store them.
    fn of(nodes: usize, edges: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut starts = vec![0; nodes + 1];
        edges(&mut |from, _| starts[from as usize + 1] += 1);
        let mut len = 0;
        for start in &mut starts {
            len += *start;
            *start = len;
        }
        let mut targets = vec![0; len as usize];
        // Each start moves as its list fills up, and ends where the next list starts.
        edges(&mut |from, to| {
            let start = &mut starts[from as usize];
            targets[*start as usize] = to;
            *start += 1;
        });
        let (mut kept, mut start) = (0, 0);
        for end in &mut starts[..nodes] {
            let list = start as usize..*end as usize;
            start = std::mem::replace(end, kept);
            targets[list.clone()].sort_unstable();
            let mut last = None;
            for place in list {
                let target = targets[place];
                if last.replace(target) != Some(target) {
                    targets[kept as usize] = target;
                    kept += 1;
                }
            }
        }
        starts[nodes] = kept;
        targets.truncate(kept as usize);
        targets.shrink_to_fit();
        Self { starts, targets }
    }

    /// The same edges in the other direction.
    fn reversed(&self) -> Self {
        let nodes = self.starts.len() - 1;
        Self::of(nodes, |take| {
            for from in 0..nodes as u32 {
                self.of_node(from).iter().for_each(|&to| take(to, from));
            }
        })
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
    /// The dependencies between all objects. Cost: linear in the objects and the references; parses
    /// no template.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// let graph = tree.graph();
    /// assert_eq!(graph.len(), graph.nodes().count());
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    #[must_use]
    pub fn graph(&self) -> Graph<'_, 'a> {
        let mut starts = Vec::with_capacity(self.modules().len() + 1);
        let mut nodes = 0;
        for each in self.modules() {
            starts.push(nodes);
            nodes += each.module.numbers().len();
        }
        starts.push(nodes);
        let is_called = self.modules().iter().map(|module| module.is_called).collect();
        // A joint without edges costs one number.
        let count = nodes as usize + 2 * self.modules().len();
        let inherited = Inherited::of(self, &starts, count as u32);
        let passes = (count + inherited.len()) as u32;
        let mut count = passes as usize;
        let mut calls = Vec::with_capacity(self.modules().len());
        for module in self.modules() {
            calls.push(count as u32);
            count += module.module.calls.len();
        }
        let edges = Edges { tree: self, starts: &starts, calls, is_called, inherited };
        let needs = Adjacency::of(count, |take| edges.visit(take));
        let needed_by = needs.reversed();
        let mut calls = Vec::new();
        for (place, module) in self.modules().iter().enumerate() {
            let numbers = module.module.numbers().calls();
            for (call, link) in numbers.zip(&module.links) {
                if let Link::Module(called) = *link {
                    calls.push((called, starts[place] + call));
                }
            }
        }
        calls.sort_unstable();
        Graph { tree: self, starts, passes, needs, needed_by, calls }
    }
}

impl<'a> Graph<'_, 'a> {
    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object of a number. Cost: logarithmic in the number of modules.
    #[must_use]
    pub fn node(&self, number: u32) -> Option<GraphNode<'a>> {
        let module = self.module_of(number)?;
        let object =
            self.tree.modules().get(module)?.module.object(number - self.starts[module])?;
        Some(GraphNode { module, object })
    }

    /// The place of the module of an object.
    fn module_of(&self, number: u32) -> Option<usize> {
        let after = self.starts.partition_point(|&start| start <= number);
        (after < self.starts.len()).then(|| after - 1)
    }

    /// The objects, by number.
    pub fn nodes(&self) -> impl Iterator<Item = GraphNode<'a>> {
        let modules = self.tree.modules().iter().enumerate();
        modules.flat_map(|(module, each)| {
            each.module.objects().map(move |object| GraphNode { module, object })
        })
    }

    /// The number of an object.
    #[must_use]
    pub fn number(&self, node: GraphNode<'a>) -> Option<u32> {
        self.number_in(node.module, node.object)
    }

    /// The number of an object of the module at a place.
    #[must_use]
    pub fn number_in(&self, place: usize, object: Object<'a>) -> Option<u32> {
        let module = &self.tree.modules().get(place)?.module;
        Some(self.starts[place] + module.number(&module.numbers(), object)?)
    }

    /// The objects that an object needs directly; an object may occur twice.
    pub fn needs(&self, node: u32) -> impl Iterator<Item = u32> {
        through(&self.needs, self.len(), node)
    }

    /// The objects that need an object directly; an object may occur twice.
    pub fn needed_by(&self, node: u32) -> impl Iterator<Item = u32> {
        through(&self.needed_by, self.len(), node)
    }

    /// The number of each call of a module.
    fn calls_of(&self, module: usize) -> impl Iterator<Item = u32> {
        let first = self.calls.partition_point(|(called, _)| *called < module);
        let calls = self.calls[first..].iter();
        calls.take_while(move |(called, _)| *called == module).map(|(_, call)| *call)
    }

    /// Everything that depends on one of the objects, directly or not: nearest first, then by
    /// number. The objects themselves are not included.
    ///
    /// An object is a part of its module, so the calls of the module depend on it as well, and so
    /// do users of the module as a whole. The same holds for the modules with these calls. A change
    /// that enters a module through a call affects only the users of that call. Cost: linear in the
    /// result.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::module::Object;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// let graph = tree.graph();
    /// let region = graph.nodes().find(|it| it.object == Object::Variable("region"));
    /// let region = region.and_then(|node| graph.number(node)).unwrap();
    /// assert!(graph.dependents(&[region]).iter().all(|found| found.distance > 0));
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    #[must_use]
    pub fn dependents(&self, of: &[u32]) -> Vec<Dependent> {
        self.dependents_of(of, &[])
    }

    /// Like [`Self::dependents`], for objects, and for modules as a whole by their indexes in
    /// [`Tree::modules`]: a module whose file no longer declares anything still affects its
    /// callers.
    #[must_use]
    pub fn dependents_of(&self, objects: &[u32], modules: &[usize]) -> Vec<Dependent> {
        let mut walk = Walk {
            graph: self,
            seen: vec![false; self.needed_by.starts.len()],
            followed: vec![false; self.len()],
            touched: vec![false; self.tree.modules().len()],
            queue: VecDeque::new(),
            found: Vec::new(),
        };
        for &start in objects {
            if (start as usize) < self.len()
                && !std::mem::replace(&mut walk.seen[start as usize], true)
            {
                walk.followed[start as usize] = true;
                walk.queue.push_back((start, 0, Reached::AtStart));
            }
        }
        for &module in modules.iter().filter(|&&module| module < self.tree.modules().len()) {
            walk.touch(module, 1, None);
        }
        walk.run()
    }
}

/// How a walk reached an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    /// As a start of the walk.
    AtStart,
    /// Because it needs an object that was reached before.
    Needed,
    /// As a call of a module that changes. The arguments of the call do not change.
    AsModule,
}

/// A walk from objects to their dependents.
struct Walk<'g, 't, 'a> {
    graph: &'g Graph<'t, 'a>,
    seen: Vec<bool>,
    /// Nodes whose dependents are visited. Calls that only pass a configuration on are not.
    followed: Vec<bool>,
    /// Modules that change.
    touched: Vec<bool>,
    queue: VecDeque<(u32, u32, Reached)>,
    found: Vec<Dependent>,
}

impl Walk<'_, '_, '_> {
    fn run(mut self) -> Vec<Dependent> {
        while let Some((node, distance, reached)) = self.queue.pop_front() {
            if reached != Reached::Needed
                && let Some(module) = self.graph.module_of(node)
            {
                self.touch(module, distance + 1, Some(node));
            }
            self.follow(node, distance + 1, reached);
        }
        self.found.sort_by_key(|dependent| (dependent.distance, dependent.node));
        self.found
    }

    /// Adds the calls of a module that changes.
    fn touch(&mut self, module: usize, distance: u32, via: Option<u32>) {
        if std::mem::replace(&mut self.touched[module], true) {
            return;
        }
        for call in self.graph.calls_of(module) {
            if !std::mem::replace(&mut self.seen[call as usize], true) {
                self.found.push(Dependent { node: call, distance, via });
                self.queue.push_back((call, distance, Reached::AsModule));
            }
        }
    }

    /// Adds the dependents of an object.
    fn follow(&mut self, node: u32, distance: u32, reached: Reached) {
        let nodes = self.graph.len() as u32;
        let joints = nodes + 2 * self.graph.tree.modules().len() as u32;
        // Whether a joint leads from all objects of a module to its calls.
        let is_of_calls =
            |number: u32| (nodes..joints).contains(&number) && (number - nodes).is_multiple_of(2);
        let mut through = vec![node];
        while let Some(from) = through.pop() {
            for &dependent in self.graph.needed_by.of_node(from) {
                if reached == Reached::AsModule && is_of_calls(dependent) {
                    continue;
                }
                let is_new = !std::mem::replace(&mut self.seen[dependent as usize], true);
                let Some(followed) = self.followed.get_mut(dependent as usize) else {
                    if is_new {
                        through.push(dependent);
                    }
                    continue;
                };
                if is_new {
                    self.found.push(Dependent { node: dependent, distance, via: Some(node) });
                }
                if from < self.graph.passes && !std::mem::replace(followed, true) {
                    self.queue.push_back((dependent, distance, Reached::Needed));
                }
            }
        }
    }
}

/// The nodes that edges lead to, directly or through joints.
fn through(edges: &Adjacency, nodes: usize, node: u32) -> impl Iterator<Item = u32> {
    let mut open: SmallVec<[_; 2]> = smallvec![edges.of_node(node).iter()];
    let mut seen: HashSet<u32> = HashSet::default();
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(&target) if (target as usize) < nodes => return Some(target),
                Some(&joint) if seen.insert(joint) => open.push(edges.of_node(joint).iter()),
                Some(_) => {}
                None => drop(open.pop()),
            }
        }
    })
}

/// All edges of a tree.
struct Edges<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The number of each module's first object; has one more entry for the end.
    starts: &'t [u32],
    /// The number of each module's first joint between a call and the configurations that it
    /// passes.
    calls: Vec<u32>,
    is_called: Vec<bool>,
    inherited: Inherited<'a>,
}

impl<'a> Edges<'_, 'a> {
    fn visit(&self, take: &mut dyn FnMut(u32, u32)) {
        (0..self.tree.modules().len()).for_each(|place| self.of_module(place, take));
        self.inherited.edges().iter().for_each(|&(from, to)| take(from, to));
    }

    /// The edges of a module's references, and those through its calls.
    fn of_module(&self, place: usize, take: &mut dyn FnMut(u32, u32)) {
        let module = &self.tree.modules()[place];
        let (start, uses, numbers) = (self.starts[place], &module.uses, module.module.numbers());
        let (calls, providers) = (numbers.calls(), numbers.providers());
        let called = |call: u32| match module.links.get((call - calls.start) as usize) {
            Some(&Link::Module(called)) => Some(called),
            _ => None,
        };
        // A call of a known module needs the configurations that it passes through a joint.
        let needs_provider = |from: u32, provider: u32, take: &mut dyn FnMut(u32, u32)| {
            if calls.contains(&from) && called(from).is_some() {
                let joint = self.calls[place] + from - calls.start;
                take(start + from, joint);
                take(joint, provider);
            } else {
                take(start + from, provider);
            }
        };
        for &(from, to) in &uses.edges {
            if providers.contains(&to) {
                needs_provider(from, start + to, take);
            } else {
                take(start + from, start + to);
            }
        }
        for (from, name) in uses.inherited() {
            if let Some(joint) = self.inherited.joint(place, name) {
                needs_provider(from, joint, take);
            }
        }
        // An argument is needed by the variable in the called module, not by the whole module.
        let from = |from: u32, argument: Option<&'a str>| {
            let variable = |argument| self.number(called(from)?, Object::Variable(argument));
            argument.and_then(variable).unwrap_or(start + from)
        };
        for &(call, argument, to) in &uses.arguments {
            take(from(call, Some(argument)), start + to);
        }
        for each in &uses.calls {
            let from = from(each.from, each.argument);
            let subject = each.reference.subject();
            let Some(name) = subject.module_call() else { continue };
            let Some(call) = module.module.number(&numbers, Object::ModuleCall(name)) else {
                continue;
            };
            match (subject, called(call)) {
                (Subject::ModuleOutput { output, .. }, Some(called)) => {
                    let output = self.number(called, Object::Output(output));
                    take(from, output.unwrap_or(start + call));
                }
                (Subject::ModuleCall(_) | Subject::ModuleInstance(..), Some(called)) => {
                    take(from, self.joint(called, Joint::Outputs));
                    take(from, start + call);
                }
                _ => take(from, start + call),
            }
        }
        for call in calls.clone() {
            if let Some(called) = called(call) {
                take(self.joint(called, Joint::Calls), start + call);
            }
        }
        if !self.is_called[place] {
            return;
        }
        // Everything in a called module needs the objects that its calls need for `count`,
        // `for_each` or `depends_on`.
        for declared in numbers.resources().chain(calls) {
            take(start + declared, self.joint(place, Joint::Calls));
        }
        for output in numbers.outputs() {
            take(self.joint(place, Joint::Outputs), start + output);
        }
    }

    /// The number of an object of a module.
    fn number(&self, module: usize, object: Object<'a>) -> Option<u32> {
        let declared = &self.tree.modules()[module].module;
        Some(self.starts[module] + declared.number(&declared.numbers(), object)?)
    }

    /// The number of a joint.
    fn joint(&self, module: usize, joint: Joint) -> u32 {
        let nodes = self.starts.last().copied().unwrap_or_default();
        nodes + 2 * module as u32 + joint as u32
    }
}

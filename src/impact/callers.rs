//! The modules that depend on each module.

use super::inputs::{Outer, Part, Reads};
use crate::hash::{HashMap, HashSet};
use crate::module::Object;
use crate::module::test::Run;
use crate::tree::{Link, ModuleEdge, StateEdge, Tree};

/// The modules that depend on each module.
pub(super) struct Callers<'a> {
    /// Sorted by the module that is depended on.
    edges: Vec<ModuleEdge<'a>>,
    /// Where the edges of each module start; has one more entry for the end.
    starts: Vec<usize>,
    /// By module: its instances that the values of variables lead to, by the numbers of the root module
    /// and the instance.
    evaluated: HashMap<usize, Vec<(u32, u32)>>,
    /// By module: the modules whose tests run it, and the runs.
    runs: HashMap<usize, Vec<(usize, Part<'a>)>>,
    /// The calls that values lead to a module in every instance: the calling module, and the number of
    /// the call.
    known: HashSet<(usize, u32)>,
    /// The calls whose values, in an instance, lead to no module of the tree.
    missed: HashSet<(usize, u32)>,
    /// The readers of the states of modules and runs by another tool, which are numbered after the modules, as
    /// far as runs have or read them, or the arguments of the reader are evaluated.
    states: HashMap<usize, Vec<StateReader<'a>>>,
}

/// A reader of a state.
#[derive(Clone, Copy)]
pub(super) enum StateReader<'a> {
    /// A module, or a run by another tool, which is numbered after the modules, with the data source.
    Module(usize, Option<Object<'a>>),
    /// An instance of an evaluated root module, by their numbers, with the data source.
    Instance((u32, u32), Object<'a>),
}

impl<'a> Callers<'a> {
    pub(super) fn of(
        tree: &Tree<'a>,
        mut edges: Vec<ModuleEdge<'a>>,
        of_runs: Vec<StateEdge<'a>>,
    ) -> Self {
        let mut states: HashMap<usize, Vec<StateReader<'a>>> = HashMap::default();
        for edge in of_runs {
            let reader = StateReader::Module(edge.from, edge.object);
            states.entry(edge.to).or_default().push(reader);
        }
        edges.sort_by_key(|edge| edge.to);
        let places = 0..=tree.modules().len();
        let starts = places.map(|place| edges.partition_point(|edge| edge.to < place)).collect();
        let (evaluated, known, missed) =
            (HashMap::default(), HashSet::default(), HashSet::default());
        let mut runs: HashMap<usize, Vec<(usize, Part<'a>)>> = HashMap::default();
        for (from, module) in tree.modules().iter().enumerate() {
            for (file, links) in module.tests.iter().zip(&module.run_links) {
                for (run, link) in file.runs.iter().zip(links) {
                    if let Some(Link::Module(to)) = *link {
                        runs.entry(to).or_default().push((from, run_part(run)));
                    }
                }
            }
        }
        Self { edges, starts, evaluated, runs, known, missed, states }
    }

    /// Adds the calls of evaluated root modules whose sources depend on values.
    pub(super) fn add_evaluated(&mut self, tree: &Tree<'a>, all: &[Reads<'a>]) {
        for (root, reads) in (0..).zip(all) {
            for (at, &(place, call)) in (0..).zip(&reads.instances) {
                let Some(Outer::Call(call)) = call else { continue };
                let caller = reads.instances[call.module as usize].0;
                if tree.modules()[caller].links.get(call.call as usize)
                    != Some(&Link::Module(place))
                {
                    self.evaluated.entry(place).or_default().push((root, at));
                    self.known.insert((caller, call.call));
                }
            }
            let missing = reads.missed.iter();
            self.missed.extend(missing.map(|&(at, call)| (reads.instances[at as usize].0, call)));
        }
        self.known.retain(|call| !self.missed.contains(call));
    }

    /// Adds readers of states, each with the owner.
    pub(super) fn add_states(&mut self, readers: impl Iterator<Item = (usize, StateReader<'a>)>) {
        for (owner, reader) in readers {
            self.states.entry(owner).or_default().push(reader);
        }
    }

    /// The instances of a module that the values of variables lead to.
    pub(super) fn evaluated(&self, module: usize) -> &[(u32, u32)] {
        self.evaluated.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The modules whose tests run a module, and the runs.
    pub(super) fn runs(&self, module: usize) -> &[(usize, Part<'a>)] {
        self.runs.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The readers of the state of a module or run, beside those with literal arguments.
    pub(super) fn states(&self, owner: usize) -> &[StateReader<'a>] {
        self.states.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// Whether values lead a call to a module in every instance; `None` if no instance is evaluated.
    pub(super) fn is_known(&self, module: usize, call: u32) -> Option<bool> {
        match self.missed.contains(&(module, call)) {
            true => Some(false),
            false => self.known.contains(&(module, call)).then_some(true),
        }
    }

    /// The dependencies on a module: calls, and data sources that read its state.
    pub(super) fn of_module(&self, module: usize) -> &[ModuleEdge<'a>] {
        &self.edges[self.starts[module]..self.starts[module + 1]]
    }
}

/// A run as a part of the tests of a module.
pub(super) fn run_part<'a>(run: &Run<'a>) -> Part<'a> {
    let label = run.module.map_or(run.block.definition_label(), |it| it.block.definition_label());
    let arena = label.source.arena();
    Part { address: arena.format(format_args!("run.{}", run.name)), label }
}

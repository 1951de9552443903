//! The dependencies between whole modules: calls, states that other modules read, and roots.
//!
//! A module depends on the modules that it calls, whether or not it uses an output. A root module
//! depends on another one if it reads its state: by a data source with literal settings that name
//! the other module's backend ([`super::states`]).

use std::sync::Arc;

use super::backend_files::Folders;
use super::by_directory::PlaceByDirectory;
use super::state_runs::RunStates;
use super::states::{self, Backends, States, UnknownState};
use super::{Link, Tree, TreeModule};
use crate::dialect::List;
use crate::directory::Location;
use crate::module::Object;

/// A dependency of a module on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleEdge<'a> {
    /// The dependent module, by its index in [`Tree::modules`].
    pub from: usize,
    /// The module that it depends on.
    pub to: usize,
    /// The module call, or the data source that reads the other module's state.
    pub object: Object<'a>,
}

/// The dependencies between modules.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModuleGraph<'a> {
    /// Sorted by the dependent module, then in the order of its objects.
    pub edges: Vec<ModuleEdge<'a>>,
    /// Data sources that read a state which no module has for certain, but some may have.
    pub unknown_states: Vec<UnknownState<'a>>,
}

/// The dependencies of and on the states of runs of modules by another tool.
#[derive(Debug, Default)]
pub(crate) struct StatesOfRuns<'a> {
    pub(crate) edges: Vec<StateEdge<'a>>,
    /// The runs that read a state which nothing has for certain, and what may have it.
    pub(crate) unknown: Vec<(usize, Vec<Arc<[usize]>>)>,
}

/// A dependency on the state of a module or run. Runs are numbered after the modules.
#[derive(Debug)]
pub(crate) struct StateEdge<'a> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The data source; `None` for one in the files of a run.
    pub(crate) object: Option<Object<'a>>,
}

impl<'a> Tree<'a> {
    /// The dependencies between modules.
    ///
    /// Cost: linear in the calls and data sources; that of listing the folders of modules with backends,
    /// and of reading the files there that `-backend-config` may name.
    #[must_use]
    pub fn module_graph(&self) -> ModuleGraph<'a> {
        let backends = Backends { given: &|_| None, evaluate: &|_, _| None };
        self.module_graph_with(&RunStates::default(), &backends).0
    }

    /// The dependencies between modules, those of and on the states of runs, and all states. Runs are numbered
    /// after the modules, also in [`UnknownState::owners`].
    pub(crate) fn module_graph_with(
        &self,
        runs: &RunStates,
        backends: &Backends<'_, 'a>,
    ) -> (ModuleGraph<'a>, StatesOfRuns<'a>, States) {
        let (mut graph, mut of_runs) = (ModuleGraph::default(), StatesOfRuns::default());
        let places = PlaceByDirectory::of(self);
        let is_module = |directory: &Location| places.at(directory).is_some();
        let folders = Folders::of(&is_module);
        let of_runs_only = (&runs.modules(), runs.written());
        let mut states = States::of(self, &folders, backends, of_runs_only);
        let count = self.modules().len();
        for (from, module) in self.modules().iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                if let Link::Module(to) = *link {
                    let object = Object::ModuleCall(call.name);
                    graph.edges.push(ModuleEdge { from, to, object });
                }
            }
            for data in states::readers(&module.module) {
                let Some(read) = states::read_by(data, module, &folders) else { continue };
                let owners = states.owners_of(read);
                let object = Object::Resource(data.address());
                for &to in owners.certain.iter().filter(|to| **to != from) {
                    match to < count {
                        true => graph.edges.push(ModuleEdge { from, to, object }),
                        false => {
                            let object = Some(object);
                            of_runs.edges.push(StateEdge { from, to, object });
                        }
                    }
                }
                if !owners.possible.is_empty() {
                    let owners = owners.possible;
                    graph.unknown_states.push(UnknownState { module: from, object, owners });
                }
            }
        }
        for (run, read) in runs.read() {
            let owners = states.owners_of(read.to_vec());
            let from = count + run;
            let others = owners.certain.iter().filter(|to| **to != from);
            let edges = others.map(|&to| StateEdge { from, to, object: None });
            of_runs.edges.extend(edges);
            if !owners.possible.is_empty() {
                of_runs.unknown.push((run, owners.possible));
            }
        }
        (graph, of_runs, states)
    }

    /// For each module, how many of the `starts` lead to it by calls. A start leads to itself, and
    /// counts as often as it is given.
    ///
    /// Cost: at most linear in modules and calls for each start; much less, since 64 are counted at once.
    ///
    /// # Panics
    /// A start is not the place of a module.
    #[must_use]
    pub fn count_behind(&self, starts: &[usize]) -> Vec<usize> {
        let modules = self.modules();
        let mut counts = vec![0; modules.len()];
        let mut work = Vec::new();
        for part in starts.chunks(u64::BITS as usize) {
            let mut masks = vec![0_u64; modules.len()];
            for (bit, &start) in part.iter().enumerate() {
                masks[start] |= 1 << bit;
                work.push(start);
            }
            while let Some(place) = work.pop() {
                for link in &modules[place].links {
                    let Link::Module(called) = *link else { continue };
                    if masks[place] & !masks[called] != 0 {
                        masks[called] |= masks[place];
                        work.push(called);
                    }
                }
            }
            for (count, mask) in counts.iter_mut().zip(masks) {
                *count += mask.count_ones() as usize;
            }
        }
        counts
    }

    /// Whether each module is a root module: nothing calls it, and it has a backend, a provider block, an
    /// `import` block or variables that the tools load for root modules by themselves (`terraform.tfvars`);
    /// or [`TreeOptions::roots`](super::TreeOptions::roots) names it. A module with files that are not read
    /// counts as one if nothing calls it, since these may hold the block.
    #[must_use]
    pub fn roots(&self) -> Vec<bool> {
        let modules = self.modules().iter();
        modules.map(|it| it.is_named_root || !it.is_called && it.may_be_root()).collect()
    }
}

impl TreeModule<'_> {
    pub(super) fn may_be_root(&self) -> bool {
        let settings = self.module.settings.iter().chain(&self.module.override_settings);
        let has_state = settings
            .flat_map(|settings| settings.blocks)
            .any(|block| matches!(block.block_type(), "backend" | "cloud" | "state_store"));
        let has_variables = || {
            let mut files = self.files.files.iter();
            files.any(|it| it.kind.list == List::Variables && it.is_read() && !it.is_in_tests())
        };
        has_state
            || !self.module.providers.is_empty()
            || !self.module.imports.is_empty()
            || self.withholds()
            || has_variables()
    }
}

//! The dependencies between whole modules: calls, states that other modules read, and roots.
//!
//! A module depends on the modules that it calls, whether or not it uses an output. A root module
//! depends on another one if it reads its state: by a data source with literal settings that name
//! the other module's backend ([`super::states`]).

use std::path::PathBuf;

use super::backend_files::Folders;
use super::states::{States, UnknownState, readers};
use super::{Link, Tree, TreeModule, path};
use crate::dialect::List;
use crate::directory::Location;
use crate::hash::HashMap;
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

/// The modules of a tree by their directories.
#[derive(Debug)]
pub(crate) struct PlaceByDirectory {
    /// The working directory.
    base: PathBuf,
    places: HashMap<Location, usize>,
}

impl PlaceByDirectory {
    /// Cost: linear in the modules.
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let base = std::env::current_dir().unwrap_or_default();
        let whole = tree.modules.iter().enumerate().filter(|(_, it)| !it.files.is_one_file());
        let places = whole.map(|(at, it)| (path::absolute(&base, &it.files.directory()), at));
        let places = places.collect();
        Self { base, places }
    }

    /// The place of the module in a directory, as it is written: links are not followed.
    pub(crate) fn at(&self, directory: &Location) -> Option<usize> {
        self.places.get(&path::absolute(&self.base, directory)).copied()
    }
}

impl<'a> Tree<'a> {
    /// The dependencies between modules.
    ///
    /// Cost: linear in the calls and data sources; that of listing the folders of modules with backends,
    /// and of reading the files there that `-backend-config` may name.
    #[must_use]
    pub fn module_graph(&self) -> ModuleGraph<'a> {
        let mut graph = ModuleGraph::default();
        let places = PlaceByDirectory::of(self);
        let is_module = |directory: &Location| places.at(directory).is_some();
        let folders = Folders::of(&is_module);
        let mut states = States::of(self, &folders);
        for (from, module) in self.modules().iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                if let Link::Module(to) = *link {
                    let object = Object::ModuleCall(call.name);
                    graph.edges.push(ModuleEdge { from, to, object });
                }
            }
            for data in readers(&module.module) {
                let Some(owners) = states.read_by(data, module, &folders) else { continue };
                let object = Object::Resource(data.address());
                let others = owners.certain.iter().filter(|to| **to != from);
                graph.edges.extend(others.map(|&to| ModuleEdge { from, to, object }));
                if !owners.possible.is_empty() {
                    let owners = owners.possible;
                    graph.unknown_states.push(UnknownState { module: from, object, owners });
                }
            }
        }
        graph
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

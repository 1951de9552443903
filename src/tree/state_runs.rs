//! The states of modules that another tool runs, such as those of units of Terragrunt: each run has a
//! backend of its own.

use super::backend_files::Folders;
use super::by_directory::PlaceByDirectory;
use super::states::{self, Identity, readers};
use super::{Tree, TreeOptions};
use crate::arena::Arena;
use crate::body::Block;
use crate::directory::{DecodeOptions, Location, ModuleFiles};
use crate::hash::HashSet;

/// How another tool runs a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StateRun {
    /// The directory that answers name.
    pub path: Location,
    /// The directory of the module; `None` if it is not known.
    pub module: Option<Location>,
    /// The files that the tool adds to those of the module.
    pub own: Option<ModuleFiles>,
    /// The type of the backend; `None` if only the files say it.
    pub backend: Option<String>,
    /// Texts with settings of the backend, each with a name that ends with `.json` if it is JSON; the first one
    /// that has a setting counts, before the block of the module. `None` for one that is not known.
    pub settings: Vec<(String, Option<String>)>,
}

impl StateRun {
    /// Returns the run of a module as it is, with the directory that answers name.
    #[must_use]
    pub fn new(path: Location) -> Self {
        Self { path, module: None, own: None, backend: None, settings: Vec::new() }
    }
}

/// The states that runs of modules have and read.
#[derive(Debug, Default)]
pub struct RunStates {
    runs: Vec<RunState>,
}

#[derive(Debug)]
struct RunState {
    path: Location,
    /// The place of the module in the tree.
    module: Option<usize>,
    written: Vec<Identity>,
    /// The states that each data source in its files may read.
    read: Vec<Vec<Identity>>,
}

impl RunStates {
    /// The directories that answers name.
    pub(crate) fn paths(&self) -> Vec<Location> {
        self.runs.iter().map(|run| run.path.clone()).collect()
    }

    /// The modules whose states are those of their runs.
    pub(super) fn modules(&self) -> HashSet<usize> {
        let runs = self.runs.iter().filter(|run| !run.written.is_empty());
        runs.filter_map(|run| run.module).collect()
    }

    /// The states of each run.
    pub(super) fn written(&self) -> impl Iterator<Item = &[Identity]> {
        self.runs.iter().map(|run| run.written.as_slice())
    }

    /// The states that each data source in the files of a run may read, with the number of the run.
    pub(super) fn read(&self) -> impl Iterator<Item = (usize, &[Identity])> {
        let runs = self.runs.iter().enumerate();
        runs.flat_map(|(at, run)| run.read.iter().map(move |read| (at, read.as_slice())))
    }
}

impl Tree<'_> {
    /// Returns the states that runs of modules by another tool have and read.
    ///
    /// Cost: that of decoding the files of the runs, and of parsing the settings of backends.
    #[must_use]
    pub fn states_of_runs(&self, runs: &[StateRun], decode: &DecodeOptions) -> RunStates {
        let places = PlaceByDirectory::of(self);
        let is_module = |directory: &Location| places.at(directory).is_some();
        let folders = Folders::of(&is_module);
        let arena = Arena::new();
        let own: Vec<ModuleFiles> = runs.iter().filter_map(|run| run.own.clone()).collect();
        let tree = Tree::load(&arena, own, &TreeOptions::default().with_decode(decode.clone()));
        let own = PlaceByDirectory::of(&tree);
        let found = runs.iter().map(|run| {
            let place = run.module.as_ref().and_then(|module| places.at(module));
            let added = run.own.as_ref().and_then(|files| own.at(&files.directory()));
            let added = added.map(|at| &tree.modules()[at]);
            let module = place.map(|place| &self.modules()[place]);
            let written = match added.and_then(|added| added.module.backend()) {
                Some(block) => written_by(run, Some(block), &folders),
                None => written_by(run, module.and_then(|it| it.module.backend()), &folders),
            };
            let read = added.into_iter().flat_map(|added| {
                readers(&added.module).filter_map(|data| states::read_by(data, added, &folders))
            });
            RunState { path: run.path.clone(), module: place, written, read: read.collect() }
        });
        let runs = found.collect();
        RunStates { runs }
    }

    /// Whether a module has data sources that read states.
    #[must_use]
    pub fn reads_states(&self) -> bool {
        let mut data = self.modules().iter().flat_map(|module| readers(&module.module));
        data.any(states::reads_state)
    }
}

/// The states that a run may have. `block` is that of the backend, in the files of the run or the module.
fn written_by(run: &StateRun, block: Option<Block<'_>>, folders: &Folders<'_>) -> Vec<Identity> {
    let Some(backend) = run.backend.as_deref().or(block.map(states::backend_type)) else {
        return Vec::new();
    };
    let (body, directory) = (block.map(|block| block.body()), folders.absolute_path(&run.path));
    states::written_by_run(backend, &run.settings, body, &directory)
}

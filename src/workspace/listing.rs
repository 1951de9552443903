//! Finds the modules below the directories of a workspace, and files by their paths.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::Context;
use super::facts::ModuleFacts;
use crate::dialect::Dialect;
use crate::directory::{Discovery, Location, Roots, discover};
use crate::hash::{HashMap, HashSet};
use crate::tree::Around;

/// The list of installed modules, below the directory of a root module.
const MANIFEST: &str = ".terraform/modules/modules.json";

/// Whether a file is a list of installed modules.
pub(super) fn is_manifest(path: &Path) -> bool {
    path.ends_with(MANIFEST)
}

/// Finds the modules below some directories. Open files are found, too, if they are not on disk.
pub(super) fn list(paths: &[PathBuf], context: &Context) -> Discovery {
    let open = context.buffers.paths();
    let overlays = open.into_iter().filter(|path| !path.exists()).collect();
    let options = context.options.discover.clone().with_overlays(overlays);
    let mut found = discover(paths, &options);
    if let Some(judge) = &context.options.judge {
        judge.choose(&mut found, paths);
    }
    found
}

/// The modules and files of a snapshot by their absolute paths.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The module, and the index among its files.
    pub(super) files: HashMap<PathBuf, (u32, u32)>,
    /// The modules of a directory: one for each family of tools.
    pub(super) directories: HashMap<PathBuf, Vec<u32>>,
}

impl Index {
    pub(super) fn of(modules: &[Arc<ModuleFacts>], context: &Context) -> Self {
        let mut index = Self::default();
        for (module, place) in modules.iter().zip(0..) {
            if let Some(directory) = context.key(&module.files.path) {
                index.directories.entry(directory).or_default().push(place);
            }
            for (file, at) in module.files.files.iter().zip(0..) {
                if let Some(path) = context.key(&file.path) {
                    index.files.entry(path).or_insert((place, at));
                }
            }
        }
        index
    }

    /// The module that calls of a directory lead to.
    pub(super) fn called(&self, modules: &[Arc<ModuleFacts>], directory: &Path) -> Option<usize> {
        let places = self.directories.get(directory)?.iter().map(|place| *place as usize);
        // As in a tree, the last one counts.
        places.rev().find(|place| modules[*place].dialect() != Dialect::Packer)
    }
}

/// Returns the facts about a tree that its parts need, except its calls.
pub(super) fn around(given: &Discovery, context: &Context) -> Around {
    let mut known = HashMap::default();
    let mut manifests = Vec::new();
    for files in &given.modules {
        let directory = files.directory();
        if let Some(path) = directory.disk()
            && path.join(MANIFEST).exists()
        {
            manifests.push(directory.clone());
        }
        if files.dialect != Dialect::Packer
            && !files.is_one_file()
            && let Some(key) = context.key(&files.path)
        {
            known.insert(Location::Disk(key), Arc::new(files.clone()));
        }
    }
    let directories = given.modules.iter().map(|files| files.directory());
    let directories = directories.filter_map(|it| it.disk().map(Path::to_owned));
    Around {
        known: Arc::new(known),
        manifests: manifests.into(),
        roots: Arc::new(Roots::around(directories)),
        ..Around::default()
    }
}

/// Which modules are called, and which of them by an uncalled one below which they are.
pub(super) fn calls(
    modules: &[Arc<ModuleFacts>],
    context: &Context,
) -> (HashSet<Location>, HashSet<Location>) {
    let targets = modules.iter().flat_map(|module| &module.calls);
    let targets = targets.filter_map(|call| call.target.clone());
    let called: HashSet<Location> = targets.map(Location::Disk).collect();
    let is_root = |module: &&Arc<ModuleFacts>| {
        let key = context.key(&module.files.path);
        key.is_some_and(|key| !called.contains(&Location::Disk(key)))
    };
    let below = modules.iter().filter(is_root).flat_map(|module| &module.calls);
    let below = below.filter(|call| call.is_below).filter_map(|call| call.target.clone());
    let below = below.map(Location::Disk).collect();
    (called, below)
}

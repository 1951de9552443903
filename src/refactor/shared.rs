//! Files that several modules have, by links.
//!
//! An edit of such a file is one of all these modules: a refactoring makes it once, and only if it
//! reads all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::hash::HashMap;
use crate::source::Source;
use crate::tree::Tree;

/// The files of a tree that are reached by several names.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared<'a> {
    /// The number of the file, by that of the source.
    files: HashMap<u32, usize>,
    /// The modules of each file, each with its source.
    modules: Vec<Vec<(usize, Source<'a>)>>,
}

impl<'a> Shared<'a> {
    /// Cost: a query of the status of every file; with a link among them, the resolved path of each.
    pub(super) fn of(tree: &Tree<'a>) -> Self {
        let modules = tree.modules().iter().enumerate();
        let all: Vec<(usize, Source<'a>)> = modules
            .flat_map(|(place, module)| module.sources.iter().map(move |it| (place, *it)))
            .filter(|(_, source)| source.path().is_some())
            .collect();
        let is_link =
            |(_, source): &(usize, Source<'a>)| source.path().is_some_and(Path::is_symlink);
        if !all.par_iter().any(is_link) {
            return Self::default();
        }
        let real: Vec<Option<PathBuf>> =
            all.par_iter().map(|(_, source)| source.path()?.canonicalize().ok()).collect();
        let mut by_path: BTreeMap<PathBuf, Vec<(usize, Source<'a>)>> = BTreeMap::new();
        for (of_module, path) in all.into_iter().zip(real) {
            if let Some(path) = path {
                by_path.entry(path).or_default().push(of_module);
            }
        }
        let mut shared = Self::default();
        for file in by_path.into_values().filter(|all| all.len() > 1) {
            let number = shared.modules.len();
            shared.files.extend(file.iter().map(|(_, source)| (source.id(), number)));
            shared.modules.push(file);
        }
        shared
    }

    /// The number of a file that has several names.
    pub(super) fn file(&self, source: Source<'_>) -> Option<usize> {
        self.files.get(&source.id()).copied()
    }

    /// The modules that have a file, each with its source, if the file has several names.
    pub(super) fn modules(&self, source: Source<'_>) -> &[(usize, Source<'a>)] {
        self.file(source).map_or(&[], |file| &self.modules[file])
    }
}

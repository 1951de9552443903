//! The modules of a tree by their directories.

use std::path::PathBuf;

use super::{Tree, path};
use crate::directory::Location;
use crate::hash::HashMap;

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

//! The context in which modules are read: options, texts of open files, and the modules around
//! them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::buffers::Buffers;
use super::options::Options;
use super::unit_facts::UnitFacts;
use crate::directory::Location;
use crate::tree::{Around, TreeOptions};

/// The context in which the modules of one snapshot are read.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) options: Arc<Options>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) around: Around,
    /// The findings of units of Terragrunt, and their effect on modules.
    pub(super) units: Arc<UnitFacts>,
    /// The directories of the workspace.
    pub(super) paths: Arc<[PathBuf]>,
    /// Whether modules call one another in a circle, or a rule looks at callers: then every change loads
    /// everything.
    pub(super) is_whole: bool,
}

impl Context {
    /// How trees are read, with the texts of open files.
    pub(super) fn tree_options(&self) -> TreeOptions {
        let decode = Buffers::decode(&self.buffers, &self.options.tree.decode);
        self.options.tree.clone().with_decode(decode)
    }

    /// The absolute path of a place in the file system.
    pub(super) fn key(&self, location: &Location) -> Option<PathBuf> {
        location.disk().map(|path| self.absolute(path))
    }

    pub(super) fn absolute(&self, path: &Path) -> PathBuf {
        self.buffers.absolute(path)
    }
}

//! Options of a workspace.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::directory::{DiscoverOptions, Discovery, ModuleFiles};
use crate::refactor::TakenBack;
use crate::rules::{RULES, Selection};
use crate::show::SchemaText;
use crate::source::Source;
use crate::tree::TreeOptions;

/// Decides which modules are checked, with which values, which of their diagnostics count, and how severe
/// they are: by settings, and by comments in files.
pub trait Judge: Send + Sync {
    /// Removes modules that are not wanted from those that were found below `paths`.
    fn choose(&self, found: &mut Discovery, paths: &[PathBuf]) {
        let _ = (found, paths);
    }

    /// The files of values that a module is given, or may be, beside those that the tools read on their
    /// own.
    ///
    /// # Errors
    /// It cannot be told: why, as a text for people.
    fn values(&self, files: &ModuleFiles) -> Result<Vec<PathBuf>, String> {
        let _ = files;
        Ok(Vec::new())
    }

    /// A file beside those of [`Self::values`] that sets a variable of a module, and why a rename leaves it
    /// as it is.
    ///
    /// # Errors
    /// It cannot be told: why, as a text for people.
    fn set_elsewhere(
        &self,
        files: &ModuleFiles,
        variable: &str,
    ) -> Result<Option<(PathBuf, String)>, String> {
        let _ = (files, variable);
        Ok(None)
    }

    /// Whether the last commit has a `moved` block of the modules in a directory, or its reverse, so that states
    /// may have moved.
    fn has_committed(&self, directory: &Path, block: &TakenBack<'_>) -> bool {
        let _ = (directory, block);
        false
    }

    /// Returns the diagnostics that count. `sources` has the files of the module that were read, and
    /// `found` all that was found in them.
    fn judge<'a>(&self, sources: &[Source<'a>], found: Vec<Diagnostic<'a>>) -> Vec<Diagnostic<'a>>;
}

/// Options of a workspace. By default, findings are those of `check` without settings, and comments
/// allow nothing.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// How modules are found.
    pub discover: DiscoverOptions,
    /// How they are read.
    pub tree: TreeOptions,
    /// The rules to run.
    pub selection: Selection,
    /// The schemas of providers; without them, only those that are built into the tools are known.
    pub schemas: Option<SchemaText>,
    /// Decides which findings count; without it, all do.
    pub judge: Option<Arc<dyn Judge>>,
}

impl Default for Options {
    fn default() -> Self {
        let mut selection = Selection::new();
        let rules = RULES.iter().filter(|rule| rule.is_default && !rule.is_preview);
        rules.for_each(|rule| selection.add(rule));
        Self {
            discover: DiscoverOptions::default(),
            tree: TreeOptions::default(),
            selection,
            schemas: None,
            judge: None,
        }
    }
}

impl Options {
    /// Sets how modules are found.
    #[must_use]
    pub fn with_discover(mut self, discover: DiscoverOptions) -> Self {
        self.discover = discover;
        self
    }

    /// Sets how modules are read.
    #[must_use]
    pub fn with_tree(mut self, tree: TreeOptions) -> Self {
        self.tree = tree;
        self
    }

    /// Sets the rules to run.
    #[must_use]
    pub fn with_selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Sets the schemas of providers, by which bodies are checked and described.
    #[must_use]
    pub fn with_schemas(mut self, schemas: Option<SchemaText>) -> Self {
        self.schemas = schemas;
        self
    }

    /// Sets what decides which findings count.
    #[must_use]
    pub fn with_judge(mut self, judge: Arc<dyn Judge>) -> Self {
        self.judge = Some(judge);
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { discover, tree, selection, schemas, judge } = self;
        f.debug_struct("Options")
            .field("discover", discover)
            .field("tree", tree)
            .field("selection", selection)
            .field("schemas", schemas)
            .field("judge", &judge.is_some())
            .finish()
    }
}

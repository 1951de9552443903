//! The folders while they are read for the first time, and the first findings of open files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use simd_hcl::directory::{Discovery, ModuleFiles};
use simd_hcl::rules::Selection;
use simd_hcl::terragrunt::{GeneratedNames, has_units_below};
use simd_hcl::workspace::{Judge, Options, Snapshot, Workspace};
use simd_hcl::{Diagnostic, Source};

use super::documents::Document;

/// The most files whose findings are shown before the folders are read.
const FIRST: usize = 16;

/// The folders while they are read for the first time.
pub(super) struct Opening {
    workspace: Receiver<Workspace>,
    /// The options of the first findings of open files.
    options: Options,
    /// The versions of the files whose first findings the client has.
    shown: BTreeMap<PathBuf, i64>,
}

/// Leaves out findings about names that units of Terragrunt may declare: a module alone does not tell.
struct WithoutUnits {
    judge: Option<Arc<dyn Judge>>,
    paths: Vec<PathBuf>,
    /// Whether the folders have units, once that was asked.
    has_units: OnceLock<bool>,
}

impl Judge for WithoutUnits {
    fn choose(&self, found: &mut Discovery, paths: &[PathBuf]) {
        if let Some(judge) = &self.judge {
            judge.choose(found, paths);
        }
    }

    fn values(&self, files: &ModuleFiles) -> Result<Vec<PathBuf>, String> {
        self.judge.as_ref().map_or_else(|| Ok(Vec::new()), |judge| judge.values(files))
    }

    fn judge<'a>(&self, sources: &[Source<'a>], found: Vec<Diagnostic<'a>>) -> Vec<Diagnostic<'a>> {
        let mut found = match &self.judge {
            Some(judge) => judge.judge(sources, found),
            None => found,
        };
        let look = || self.paths.iter().any(|path| has_units_below(path));
        found.retain(|it| {
            !GeneratedNames::may_explain(it.code()) || !*self.has_units.get_or_init(look)
        });
        found
    }
}

impl Opening {
    /// Has a thread read the folders, which calls `done` at the end.
    pub(super) fn new(
        paths: Vec<PathBuf>,
        options: Options,
        done: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (sender, workspace) = channel();
        // Rules may ask for callers.
        let first = options.clone().with_selection(Selection::new());
        let (judge, has_units) = (options.judge.clone(), OnceLock::new());
        let judge = WithoutUnits { judge, paths: paths.clone(), has_units };
        let first = first.with_judge(Arc::new(judge));
        thread::spawn(move || {
            // Nobody waits for them if the client has gone.
            let _ = sender.send(Workspace::open(paths, options));
            done();
        });
        Self { workspace, options: first, shown: BTreeMap::new() }
    }

    /// Waits until the folders are read. `None` if that failed.
    pub(super) fn wait(self) -> Option<Workspace> {
        self.workspace.recv().ok()
    }

    /// Reads the module of an open file alone, without rules.
    pub(super) fn read(&self, document: &Document) -> Arc<Snapshot> {
        let mut workspace = Workspace::open(vec![document.path.clone()], self.options.clone());
        workspace.edit(&document.path, document.text.bytes().into());
        workspace.snapshot()
    }

    /// Reads the modules of the first open files whose findings the client does not have.
    pub(super) fn first<'d>(
        &mut self,
        documents: impl Iterator<Item = &'d Document>,
    ) -> Vec<(PathBuf, Arc<Snapshot>)> {
        let mut files = Vec::new();
        for document in documents.take(FIRST) {
            let before = self.shown.insert(document.path.clone(), document.version);
            if before != Some(document.version) {
                files.push((document.path.clone(), self.read(document)));
            }
        }
        files
    }
}

//! The folders while they are read for the first time, and the first findings of open files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use simd_hcl::rules::Selection;
use simd_hcl::workspace::{Options, Snapshot, Workspace};

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

//! Texts of open files, which replace those on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::directory::{DecodeOptions, Open};
use crate::hash::HashMap;
use crate::source::Source;
use crate::tree::clean_path;

/// The texts of open files, by absolute path.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// The directory that relative paths start from.
    base: PathBuf,
    texts: HashMap<PathBuf, Arc<[u8]>>,
}

impl Buffers {
    pub(super) fn new() -> Self {
        let base = std::env::current_dir().unwrap_or_default();
        Self { base, texts: HashMap::default() }
    }

    /// The absolute path of a file, without `.` and `..`.
    pub(super) fn absolute(&self, path: &Path) -> PathBuf {
        clean_path(&self.base.join(path))
    }

    /// The text of an open file.
    pub(super) fn get(&self, path: &Path) -> Option<&Arc<[u8]>> {
        if self.texts.is_empty() {
            return None;
        }
        self.texts.get(&self.absolute(path))
    }

    /// Sets the text of a file. Returns the one before.
    pub(super) fn set(&mut self, path: &Path, text: Arc<[u8]>) -> Option<Arc<[u8]>> {
        self.texts.insert(self.absolute(path), text)
    }

    /// Removes the text of a file. Returns it.
    pub(super) fn remove(&mut self, path: &Path) -> Option<Arc<[u8]>> {
        self.texts.remove(&self.absolute(path))
    }

    /// The texts by paths without links. A file that does not exist is in a folder that does.
    pub(super) fn without_links(&self) -> BTreeMap<PathBuf, Arc<[u8]>> {
        let real = |path: &PathBuf| {
            path.canonicalize()
                .ok()
                .or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)))
        };
        let texts = self.texts.iter();
        texts.filter_map(|(path, text)| Some((real(path)?, Arc::clone(text)))).collect()
    }

    /// The paths of the open files, sorted.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.texts.keys().cloned().collect();
        paths.sort();
        paths
    }

    /// The options, with these texts instead of those of their files.
    pub(super) fn decode(this: &Arc<Self>, options: &DecodeOptions) -> DecodeOptions {
        let (buffers, open): (_, Open) = (Arc::clone(this), options.open.clone());
        options.clone().with_open(move |arena, path, access| match buffers.get(path) {
            Some(text) => Source::of_file(arena, path, text),
            None => open.open(arena, path, access),
        })
    }
}

//! The files that functions of a module read. Those elsewhere are unknown, and noted.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use simd_hcl::functions::{FileEntry, FileError, FileKind, Files};

/// Why a file that is noted is not read from disk.
pub(crate) const OUTSIDE: &str =
    "a function reads it, and it is outside of the repository (--allow-outside)";

/// Files, and the paths elsewhere that functions have asked for.
pub(crate) struct NotedFiles<F> {
    files: F,
    elsewhere: Mutex<BTreeSet<String>>,
}

impl<F> NotedFiles<F> {
    pub(crate) fn new(files: F) -> Self {
        Self { files, elsewhere: Mutex::default() }
    }

    /// The files that are read.
    pub(crate) fn files(&self) -> &F {
        &self.files
    }

    /// The paths that functions have not read so far, as they are written.
    pub(crate) fn elsewhere(&self) -> BTreeSet<String> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<F: Files> Files for NotedFiles<F> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.files.read(path)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        self.files.kind(path)
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.files.entries(path)
    }

    fn absolute(&self, path: &str) -> Option<String> {
        self.files.absolute(path)
    }

    fn home(&self) -> Option<String> {
        self.files.home()
    }

    fn is_unknown_outside(&self, path: &str) -> bool {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        elsewhere.insert(path.to_owned());
        true
    }
}

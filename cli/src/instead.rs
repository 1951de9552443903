//! Texts that a run reads instead of files: standard input, and those that `check --fix` edits.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};

use simd_hcl::directory::ModuleFile;
use simd_hcl::source::{MAX_LEN, SourceError};
use simd_hcl::{Arena, Source};

/// The texts that a run reads instead of files, shared by threads.
#[derive(Debug, Default)]
pub(crate) struct Instead {
    /// The first bytes of standard input, if they have been read.
    pub(crate) stdin_start: OnceLock<Vec<u8>>,
    /// A copy of standard input, if it has been read.
    pub(crate) stdin_copy: OnceLock<File>,
    /// Standard input as a file of a module, if it was requested.
    pub(crate) stdin_file: OnceLock<StdinFile>,
    /// The texts of files that `check --fix` edits.
    texts: RwLock<BTreeMap<PathBuf, Vec<u8>>>,
}

impl Instead {
    /// Has the file at this path read as `text` from now on.
    pub(crate) fn keep_text(&self, path: PathBuf, text: Vec<u8>) {
        self.texts.write().unwrap_or_else(PoisonError::into_inner).insert(path, text);
    }

    /// Has standard input read from its copy from now on.
    pub(crate) fn keep_stdin(&self, copy: File) {
        let _ = self.stdin_copy.set(copy);
    }

    /// Returns whether a path means standard input.
    pub(crate) fn is_stdin(&self, path: &Path) -> bool {
        self.stdin_at(path).is_some()
    }

    /// Returns whether a file of a module is standard input.
    pub(crate) fn is_stdin_file(&self, file: &ModuleFile) -> bool {
        file.path.disk().is_some_and(|path| self.is_stdin(path))
    }

    /// Returns standard input if the path means it.
    fn stdin_at(&self, path: &Path) -> Option<&StdinFile> {
        self.stdin_file.get().filter(|file| file.is_at(path))
    }

    /// Returns standard input as it came, if it is a file of a module.
    pub(crate) fn stdin_text(&self) -> Option<&[u8]> {
        let file = self.stdin_file.get()?;
        file.bytes.get_or_init(|| self.read_stdin()).as_deref().ok()
    }

    /// Returns the content that replaces a file: standard input, or an edited text.
    pub(crate) fn source_at<'a>(
        &self,
        arena: &'a Arena,
        path: &Path,
    ) -> Option<Result<Source<'a>, SourceError>> {
        if let Some(file) = self.stdin_at(path) {
            return Some(match file.bytes.get_or_init(|| self.read_stdin()) {
                Ok(bytes) => Source::of_file(arena, path, bytes),
                Err(error) => Err(SourceError::Io(io::Error::new(error.kind(), error.to_string()))),
            });
        }
        let texts = self.texts.read().unwrap_or_else(PoisonError::into_inner);
        Some(Source::of_file(arena, path, texts.get(path)?))
    }

    /// Reads standard input as a whole.
    pub(crate) fn read_stdin(&self) -> io::Result<Vec<u8>> {
        // Its start may have been read to see how long it is.
        let mut bytes = self.stdin_start.get().cloned().unwrap_or_default();
        // One byte more than a source can have, so that more is an error.
        let rest = MAX_LEN as u64 + 1 - bytes.len() as u64;
        io::stdin().lock().take(rest).read_to_end(&mut bytes).map(|_| bytes)
    }
}

/// A file whose content is standard input.
#[derive(Debug)]
pub(crate) struct StdinFile {
    pub(crate) path: PathBuf,
    /// Read when it is first opened. It may be opened by several names.
    pub(crate) bytes: OnceLock<io::Result<Vec<u8>>>,
}

impl StdinFile {
    fn is_at(&self, path: &Path) -> bool {
        self.path == path
            || (self.path.file_name() == path.file_name() && is_same_place(&self.path, path))
    }
}

/// Returns whether two files with the same name are in the same directory.
fn is_same_place(one: &Path, other: &Path) -> bool {
    let directory = |path: &Path| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.canonicalize(),
        _ => Path::new(".").canonicalize(),
    };
    matches!((directory(one), directory(other)), (Ok(one), Ok(other)) if one == other)
}

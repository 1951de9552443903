//! Reads files for functions while a root module is evaluated, and records each of them.

#[cfg(feature = "functions")]
use std::sync::{Mutex, PoisonError};

use super::space::Space;
#[cfg(feature = "functions")]
use super::space::below;
use crate::directory::Location;
#[cfg(feature = "functions")]
use crate::directory::MemoryPath;
use crate::file::or_here;
#[cfg(feature = "functions")]
pub(super) use crate::functions::PathPattern;
#[cfg(feature = "functions")]
use crate::functions::{FileEntry, FileError, FileKind, Files, Folder};

/// The reads since the last question.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The paths of files, as functions name them.
    pub(super) files: Vec<String>,
    /// The patterns of `fileset`.
    pub(super) patterns: Vec<String>,
    /// Calls in templates whose paths are known in part.
    pub(super) in_part: Vec<CallInPart>,
    /// Whether a file was read whose path is not known.
    pub(super) has_unknown: bool,
}

/// The name of a function, and the possible texts of its first arguments.
pub(super) type CallInPart = (String, Vec<String>, Vec<String>);

/// Without functions, nothing is read: the paths that functions name are all that is known.
#[cfg(not(feature = "functions"))]
pub(super) struct Reader;

#[cfg(not(feature = "functions"))]
impl Reader {
    pub(super) const IS_CERTAIN: bool = false;

    pub(super) fn of(_: &Location, _: &Space) -> Self {
        Self
    }

    pub(super) fn take(&self) -> Log {
        Log { has_unknown: true, ..Log::default() }
    }
}

/// Without functions, there are no patterns.
#[cfg(not(feature = "functions"))]
#[derive(Debug)]
pub(super) struct PathPattern;

#[cfg(not(feature = "functions"))]
impl PathPattern {
    pub(super) fn new(_: &str) -> Option<Self> {
        None
    }

    pub(super) fn matches(&self, _: &str) -> bool {
        false
    }

    pub(super) fn reaches(&self, _: &str) -> bool {
        false
    }

    pub(super) fn escaped(path: &str) -> String {
        path.to_owned()
    }

    pub(super) fn split(pattern: &str) -> (&str, &str) {
        (pattern, "")
    }
}

/// Files that record each read.
#[cfg(feature = "functions")]
pub(super) struct Reader {
    content: Content,
    log: Mutex<Log>,
}

#[cfg(feature = "functions")]
enum Content {
    Disk(Folder),
    /// The directory, and the absolute path of the root.
    Memory(MemoryPath, String),
    Nothing,
}

#[cfg(feature = "functions")]
impl Reader {
    /// Whether it notes unknown paths only where there are some.
    pub(super) const IS_CERTAIN: bool = true;

    /// Reads from the directory of a root module, as far as the boundary.
    pub(super) fn of(directory: &Location, space: &Space) -> Self {
        let boundary = space.boundary();
        let content = match directory {
            Location::Memory(path) => Content::Memory(path.clone(), space.top().to_owned()),
            Location::Disk(path) => match Folder::new(or_here(path)) {
                Ok(folder) => Content::Disk(folder.with_boundary(boundary.to_owned())),
                Err(_) => Content::Nothing,
            },
        };
        Self { content, log: Mutex::default() }
    }

    /// Returns the records of reads, and forgets them.
    pub(super) fn take(&self) -> Log {
        std::mem::take(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, note: impl FnOnce(&mut Log)) {
        note(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The place of a file in memory.
    fn in_memory(&self, path: &str) -> Option<MemoryPath> {
        let Content::Memory(directory, top) = &self.content else { return None };
        Some(match below(top, path) {
            Some(inside) => directory.root().join(inside),
            None => directory.join(path),
        })
    }

    fn file(&self, path: &str) {
        self.note(|log| log.files.push(path.to_owned()));
    }
}

#[cfg(feature = "functions")]
impl Files for Reader {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.file(path);
        match &self.content {
            Content::Disk(folder) => folder.read(path),
            Content::Memory(..) => {
                let found = self.in_memory(path);
                let content = found.as_ref().and_then(MemoryPath::content);
                content.map(|content| content.to_vec()).ok_or(FileError::Missing)
            }
            Content::Nothing => Err(FileError::Missing),
        }
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        self.file(path);
        match &self.content {
            Content::Disk(folder) => folder.kind(path),
            Content::Memory(..) => {
                let Some(found) = self.in_memory(path) else { return Err(FileError::Missing) };
                match () {
                    () if found.content().is_some() => Ok(FileKind::File),
                    () if found.is_directory() => Ok(FileKind::Directory),
                    () => Err(FileError::Missing),
                }
            }
            Content::Nothing => Err(FileError::Missing),
        }
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        match &self.content {
            Content::Disk(folder) => folder.entries(path),
            Content::Memory(..) => {
                let Some(found) = self.in_memory(path) else { return Err(FileError::Missing) };
                if !found.is_directory() {
                    return Err(FileError::Missing);
                }
                let entries = found.entries().into_iter().map(|(name, is_directory)| {
                    let kind = if is_directory { FileKind::Directory } else { FileKind::File };
                    FileEntry::new(name, Ok(kind))
                });
                Ok(entries.collect())
            }
            Content::Nothing => Err(FileError::Missing),
        }
    }

    fn absolute(&self, path: &str) -> Option<String> {
        match &self.content {
            Content::Disk(folder) => folder.absolute(path),
            // Nothing else is known of the place of files in memory, so that the path stays what it is.
            Content::Memory(..) => Some(path.to_owned()),
            Content::Nothing => None,
        }
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn looks_for(&self, pattern: &str) {
        self.note(|log| log.patterns.push(pattern.to_owned()));
    }

    fn reads_unknown(&self) {
        self.note(|log| log.has_unknown = true);
    }

    fn asks_in_part(&self) -> bool {
        true
    }

    fn reads_in_part(&self, function: &str, paths: &[String], patterns: &[String]) {
        let call = (function.to_owned(), paths.to_vec(), patterns.to_vec());
        self.note(|log| log.in_part.push(call));
    }
}

//! Where files are, as the file system says: links followed, so that two paths of one file compare
//! as equal.
//!
//! What does not exist has a place, too: that of its directory, and its name. Where the operating
//! system does not say, the path itself is taken, and noted.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::path;
use crate::directory::io_message;

/// A path of which the operating system does not say where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnknownPlace {
    /// The path.
    pub path: PathBuf,
    /// What the operating system says instead.
    pub message: String,
}

/// Asks for places, on any thread.
#[derive(Debug, Default)]
pub(super) struct Places {
    unknown: Mutex<Vec<UnknownPlace>>,
}

impl Places {
    /// The absolute path of a file: of its directory links are followed, so that the name is the
    /// one that the tool finds. What does not exist keeps its name.
    pub(super) fn of(&self, path: &Path) -> PathBuf {
        let absolute = std::path::absolute(path).unwrap_or_else(|error| {
            self.note(path, &error);
            path.to_owned()
        });
        let absolute = path::clean(&absolute);
        match (absolute.parent(), absolute.file_name()) {
            (Some(parent), Some(name)) if !self.is_directory(&absolute) => {
                self.without_links(parent).join(name)
            }
            _ => self.without_links(&absolute),
        }
    }

    /// The absolute path of what a file is, links followed.
    pub(super) fn of_target(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|error| {
            self.note(path, &error);
            self.of(path)
        })
    }

    /// Whether a path leads to a directory.
    pub(super) fn is_directory(&self, path: &Path) -> bool {
        path.metadata().map_err(|error| self.note(path, &error)).is_ok_and(|found| found.is_dir())
    }

    /// Whether a path is that of a link.
    pub(super) fn is_link(&self, path: &Path) -> bool {
        let found = path.symlink_metadata().map_err(|error| self.note(path, &error));
        found.is_ok_and(|found| found.is_symlink())
    }

    /// The paths whose places are not known, each once.
    pub(super) fn into_unknown(self) -> Vec<UnknownPlace> {
        let mut unknown = self.unknown.into_inner().unwrap_or_else(PoisonError::into_inner);
        unknown.sort();
        unknown.dedup();
        unknown
    }

    /// A path without links, as far as it exists.
    fn without_links(&self, path: &Path) -> PathBuf {
        for existing in path.ancestors() {
            match existing.canonicalize() {
                Ok(found) => {
                    return match path.strip_prefix(existing) {
                        Ok(rest) if !rest.as_os_str().is_empty() => found.join(rest),
                        _ => found,
                    };
                }
                Err(error) => self.note(existing, &error),
            }
        }
        path.to_owned()
    }

    /// Notes an error, unless it says that nothing is there.
    fn note(&self, path: &Path, error: &io::Error) {
        if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            return;
        }
        let unknown = UnknownPlace { path: path.to_owned(), message: io_message(error) };
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).push(unknown);
    }
}

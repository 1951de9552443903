//! Resolves paths by the file system, following links, so that two paths of one file compare equal.
//!
//! A missing file has a place, too: its directory's place with its name. If the operating system
//! reports another error, the path itself is used, and recorded.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::path;
use crate::directory::io_message;

/// A path that the operating system could not resolve.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnknownPlace {
    /// The path.
    pub path: PathBuf,
    /// The operating system's message.
    pub message: String,
}

/// Resolves paths, on any thread.
#[derive(Debug, Default)]
pub(super) struct Places {
    unknown: Mutex<Vec<UnknownPlace>>,
}

impl Places {
    /// The absolute path of a file. Links in its directory are followed, but not the file itself,
    /// so that its name is the one that the tool finds. A missing file keeps its name.
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

    /// The absolute path of a file, with all links followed.
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

    /// Whether a path is a link.
    pub(super) fn is_link(&self, path: &Path) -> bool {
        let found = path.symlink_metadata().map_err(|error| self.note(path, &error));
        found.is_ok_and(|found| found.is_symlink())
    }

    /// The paths that could not be resolved, without duplicates.
    pub(super) fn into_unknown(self) -> Vec<UnknownPlace> {
        let mut unknown = self.unknown.into_inner().unwrap_or_else(PoisonError::into_inner);
        unknown.sort();
        unknown.dedup();
        unknown
    }

    /// Resolves the links of the part of a path that exists.
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

    /// Records an error, unless the file does not exist.
    fn note(&self, path: &Path, error: &io::Error) {
        if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            return;
        }
        let unknown = UnknownPlace { path: path.to_owned(), message: io_message(error) };
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).push(unknown);
    }
}

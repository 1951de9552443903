//! The module of one directory that is named by a call.
//!
//! In goes a directory, out come its files. Unlike [`super::discover()`] this enters no directory below it.

use std::path::Path;

use super::walk::kind;
use super::{ModuleFile, ModuleFiles};
use crate::dialect::Dialect;

impl ModuleFiles {
    /// The module that a tool finds in a directory; without files if there is no configuration, none if the
    /// directory cannot be listed. Tests are left out. Cost: the entries of the directory; no file is opened.
    #[must_use]
    pub fn list(directory: &Path, dialect: Dialect) -> Option<Self> {
        let entries = std::fs::read_dir(directory).ok()?;
        let files = entries.flatten().filter_map(|entry| {
            let name = entry.file_name();
            let (_, kind) = kind(&name, &[dialect])?;
            // A link to a directory is no file either, but rare enough to be met when it is opened.
            let is_directory = entry.file_type().is_ok_and(|file_type| file_type.is_dir());
            (!is_directory).then(|| ModuleFile {
                path: entry.path(),
                name,
                kind,
                shadowed_by: None,
            })
        });
        let files = files.filter(ModuleFile::is_configuration).collect();
        Some(Self::of_directory(directory.to_owned(), dialect, files))
    }

    /// The directory that paths in the module start from: that of the file, of a module of one file.
    #[must_use]
    pub fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if self.is_one_file() => parent,
            _ => &self.path,
        }
    }

    /// Whether it is one file, named explicitly, whatever else its directory holds.
    #[must_use]
    pub fn is_one_file(&self) -> bool {
        matches!(&*self.files, [file] if file.path == self.path)
    }
}

//! Lists the module of one directory, as module calls need it.
//!
//! Unlike [`super::discover()`], this does not enter subdirectories.

use std::io;
use std::path::Path;

use super::group::has_tests;
use super::{Given, Location, MemoryPath, ModuleFile, ModuleFiles, TESTS};
use crate::dialect::{Dialect, FileKind, List};
use crate::file::or_here;

impl ModuleFiles {
    /// Returns the module that a tool finds in a directory, without tests. It has no files if the
    /// directory has no configuration. Cost: linear in the entries of the directory; no file is
    /// opened.
    ///
    /// # Errors
    /// The directory cannot be listed completely, so a file of the module might be missing.
    pub fn list(directory: &Path, dialect: Dialect) -> io::Result<Self> {
        Self::list_if(directory, dialect, ModuleFile::is_configuration)
    }

    /// Like [`Self::list`], with the files of variables that are loaded automatically, which count in a
    /// root module.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn list_of_root(directory: &Path, dialect: Dialect) -> io::Result<Self> {
        Self::list_if(directory, dialect, ModuleFile::is_of_root)
    }

    /// Like [`Self::list`], for the components of a stack (Terraform).
    ///
    /// # Errors
    /// As [`Self::list`].
    pub(crate) fn list_components(directory: &Path) -> io::Result<Self> {
        let is_wanted = |file: &ModuleFile| file.kind.list == List::Component;
        Self::list_if(directory, Dialect::Terraform, is_wanted)
    }

    fn list_if(
        directory: &Path,
        dialect: Dialect,
        is_wanted: impl Fn(&ModuleFile) -> bool,
    ) -> io::Result<Self> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(kind) = FileKind::of(&name, dialect) else { continue };
            // A link to a directory is not a file either, but it is rare enough to be detected when
            // it is opened.
            let file_type = entry.file_type().ok();
            let is_directory = file_type.is_some_and(|file_type| file_type.is_dir());
            let file = ModuleFile {
                given: Given::Found,
                is_regular: file_type.is_some_and(|file_type| file_type.is_file()),
                ..ModuleFile::new(name, entry.path(), kind)
            };
            if !is_directory && is_wanted(&file) {
                files.push(file);
            }
        }
        Ok(Self::of_directory(directory, dialect, files))
    }

    /// Does the same for a directory in memory; `None` if there is no file in it or below. Cost:
    /// linear in the files below.
    #[must_use]
    pub fn list_in_memory(directory: &MemoryPath, dialect: Dialect) -> Option<Self> {
        Self::list_in_memory_if(directory, dialect, ModuleFile::is_configuration)
    }

    /// Like [`Self::list_in_memory`], with the files of variables that are loaded automatically.
    #[must_use]
    pub fn list_of_root_in_memory(directory: &MemoryPath, dialect: Dialect) -> Option<Self> {
        Self::list_in_memory_if(directory, dialect, ModuleFile::is_of_root)
    }

    fn list_in_memory_if(
        directory: &MemoryPath,
        dialect: Dialect,
        is_wanted: impl Fn(&ModuleFile) -> bool,
    ) -> Option<Self> {
        let mut names = directory.below().peekable();
        names.peek()?;
        let names = names.filter(|name| !name.contains('/'));
        let files = names.filter_map(|name| {
            let kind = FileKind::of(name.as_ref(), dialect)?;
            let file = ModuleFile::found(name.into(), directory.join(name).into(), kind);
            is_wanted(&file).then_some(file)
        });
        let files = files.collect();
        Some(Self::of_directory(directory.clone(), dialect, files))
    }

    /// For a module of one file, the module of the directory around it: the files there whose lists are
    /// wanted, and that file. `None` for other modules, and if there is no such file or its directory cannot
    /// be listed.
    pub(crate) fn around(&self, is_wanted: impl Fn(List) -> bool) -> Option<Self> {
        let [file] = &*self.files else { return None };
        if !self.is_one_file() {
            return None;
        }
        let mut directory = self.directory();
        let is_in_tests = has_tests(self.dialect)
            && matches!(file.kind.list, List::Test | List::Variables)
            && directory.file_name().is_some_and(|name| name == TESTS);
        if is_in_tests {
            directory = directory.parent()?;
        }
        let is_itself = |it: &ModuleFile| !is_in_tests && it.name == file.name;
        let is_wanted = |it: &ModuleFile| is_wanted(it.kind.list) && !is_itself(it);
        let mut around = match &directory {
            // Standard input has the name of a file that need not exist.
            Location::Disk(path) if file.path.disk()?.is_file() => {
                Self::list_if(or_here(path), self.dialect, is_wanted).ok()?
            }
            Location::Disk(_) => return None,
            Location::Memory(path) => Self::list_in_memory_if(path, self.dialect, is_wanted)?,
        };
        around.files.push(file.clone());
        Some(Self::of_directory(around.path, around.dialect, around.files))
    }

    /// The directory that paths in the module are relative to; for a module of one file, the
    /// directory of that file.
    #[must_use]
    pub fn directory(&self) -> Location {
        match self.path.parent() {
            Some(parent) if self.is_one_file() => parent,
            _ => self.path.clone(),
        }
    }

    /// Whether it is one explicitly named file, separate from the other files in its directory.
    #[must_use]
    pub fn is_one_file(&self) -> bool {
        matches!(&*self.files, [file] if file.path == self.path)
    }
}

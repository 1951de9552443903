//! The files that functions see where a unit runs its module: those of the module, over them those of the
//! folder of the unit, over them those that the unit generates.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::call::resolved;
use super::disk::is_below;
use super::run::{GeneratedFile, Run};
use crate::functions::paths::{base, directory, join};
use crate::functions::{FileEntry, FileError, FileKind, Files, passes_on};

/// Files for functions of the module of a unit.
pub struct RunFiles<'f> {
    files: &'f dyn Files,
    /// The folders of the module and of the unit, if they differ.
    folders: Option<(&'f str, &'f str)>,
    /// The generated files, by their absolute paths in the module.
    generated: BTreeMap<String, &'f GeneratedFile>,
}

impl std::fmt::Debug for RunFiles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunFiles").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl<'f> RunFiles<'f> {
    /// Returns the files of a unit. `files` are those of its module: relative paths start at its folder.
    #[must_use]
    pub fn new(run: &'f Run<'_>, files: &'f dyn Files) -> Self {
        let folders = run.module.as_deref().map(|module| (module, run.content.as_str()));
        let module = run.module.as_deref().unwrap_or(&run.content);
        let generated = run.generated.iter().map(|file| (resolved(module, &file.path), file));
        Self { files, folders, generated: generated.collect() }
    }

    /// A path as an absolute one, in the folder of the module.
    fn in_module(&self, path: &str) -> Option<String> {
        let (module, _) = self.folders?;
        Some(resolved(module, path)).filter(|path| is_below(path, module))
    }

    /// The path that counts: that of a copied file, if there is one.
    fn real<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match self.copied(path).filter(|copied| self.files.kind(copied).is_ok()) {
            Some(copied) => Cow::Owned(copied),
            None => Cow::Borrowed(path),
        }
    }

    /// Where the folder of the unit would have a file or folder of the module.
    fn copied(&self, path: &str) -> Option<String> {
        let (module, own) = self.folders.filter(|(module, own)| module != own)?;
        let inside = self.in_module(path)?;
        Some(join(own, inside[module.len()..].trim_start_matches('/')))
    }

    /// The generated file with a path, unless a file of the module or the unit stays in its place.
    fn generated(&self, path: &str) -> Option<&'f GeneratedFile> {
        let file = self.generated.get(&self.in_module(path)?)?;
        (!file.keeps || self.files.kind(&self.real(path)).is_err()).then_some(*file)
    }
}

impl Files for RunFiles<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        match self.generated(path) {
            // The text of a backend is known by its meaning only, and values of functions do not tell that a
            // file is secret.
            Some(file) if file.is_backend || file.is_hidden => Err(FileError::Unknown),
            Some(file) => {
                file.text.as_ref().map(|text| text.clone().into()).ok_or(FileError::Unknown)
            }
            None => self.files.read(&self.real(path)),
        }
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        match self.generated(path) {
            Some(_) => Ok(FileKind::File),
            None => self.files.kind(&self.real(path)),
        }
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let of_module = self.files.entries(path);
        let Some(folder) = self.in_module(path) else { return of_module };
        let own = self.copied(path).map(|copied| self.files.entries(&copied));
        let mut entries = match own {
            Some(Ok(own)) => own,
            _ if of_module.is_err() => return of_module,
            _ => Vec::new(),
        };
        let generated = self.generated.keys().filter(|file| directory(file) == folder);
        entries.extend(
            generated.map(|file| FileEntry::new(base(file).to_owned(), Ok(FileKind::File))),
        );
        entries.extend(of_module.unwrap_or_default());
        let mut names = BTreeSet::new();
        entries.retain(|entry| names.insert(entry.name.clone()));
        Ok(entries)
    }

    passes_on!(absolute home looks_for reads_unknown asks_in_part reads_in_part is_unknown_outside takes);
}

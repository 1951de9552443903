//! The modules that files belong to. A file belongs to a module if a tool reads it in the module's
//! directory, or if it is a file of variables there, the list of installed modules, the dependency
//! lock file, or a file with settings of its backend there or below.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::answer::Place;
use super::space::Space;
use crate::dialect::{Dialect, FileKind, List, has_only_backend, is_backend_file};
use crate::directory::{Location, ModuleFiles};
use crate::hash::{HashMap, HashSet};
use crate::tree::{BACKEND_FILE_DEPTH, Tree, TreeModule};

/// The modules that files belong to.
pub(super) struct Owners {
    /// By directory, with links resolved.
    directories: HashMap<PathBuf, Vec<Place>>,
    /// Links, by the places that they lead through and to, and modules of one file.
    files: HashMap<PathBuf, Vec<Place>>,
    dialects: HashMap<Place, Dialect>,
    /// The modules with a block `backend`.
    backends: HashSet<Place>,
}

impl Owners {
    pub(super) fn of(tree: &Tree<'_>, space: &Space) -> Self {
        let modules = (0..).zip(tree.modules()).map(|(at, it)| (Place::Module(at), &it.files));
        let templates =
            (0..).zip(tree.templates()).map(|(at, it)| (Place::Template(at), &it.files));
        let all: Vec<(Place, &ModuleFiles)> = modules.chain(templates).collect();
        let found: Vec<(Option<PathBuf>, Vec<PathBuf>)> = all
            .par_iter()
            .map(|(_, files)| {
                let is_one = files.is_one_file();
                let links = files.files.iter().flat_map(|file| match &file.path {
                    Location::Disk(path) if is_one || space.is_link(path) => space.places(path),
                    Location::Memory(path) if is_one => vec![path.as_str().into()],
                    Location::Disk(_) | Location::Memory(_) => Vec::new(),
                });
                let directory = Some(&files.path).filter(|_| !is_one);
                (directory.and_then(|path| space.directory(path)), links.collect())
            })
            .collect();
        let has_backend =
            |it: &TreeModule<'_>| it.module.backend().is_some_and(|it| it.is("backend"));
        let backends = (0..).zip(tree.modules()).filter(|(_, it)| has_backend(it));
        let mut owners = Self {
            directories: HashMap::default(),
            files: HashMap::default(),
            dialects: all.iter().map(|(place, files)| (*place, files.dialect)).collect(),
            backends: backends.map(|(at, _)| Place::Module(at)).collect(),
        };
        for ((place, _), (directory, files)) in all.iter().zip(found) {
            if let Some(directory) = directory {
                owners.directories.entry(directory).or_default().push(*place);
            }
            for file in files {
                owners.files.entry(file).or_default().push(*place);
            }
        }
        owners
    }

    /// The modules in a directory and below it.
    pub(super) fn below(&self, directory: &Path) -> Vec<Place> {
        let inside = self.directories.iter().filter(|(path, _)| path.starts_with(directory));
        let mut places: Vec<Place> = inside.flat_map(|(_, places)| places).copied().collect();
        places.sort_unstable();
        places
    }

    /// Whether a file belongs to a module.
    pub(super) fn has(&self, file: &Path, space: &Space) -> bool {
        self.of_file(file, space).next().is_some()
    }

    /// The modules that a file belongs to.
    pub(super) fn of_file<'f>(
        &'f self,
        file: &'f Path,
        space: &Space,
    ) -> impl Iterator<Item = Place> + use<'f> {
        let target = space.target(file);
        let by_link = [self.files.get(file), self.files.get(&target)].into_iter().flatten();
        by_link.flatten().copied().chain(self.by_name(file))
    }

    /// The modules that a link belongs to, or with a link that leads through it.
    pub(super) fn of_link<'f>(&'f self, link: &'f Path) -> impl Iterator<Item = Place> + use<'f> {
        self.files.get(link).into_iter().flatten().copied().chain(self.by_name(link))
    }

    /// The nearest directory of modules at or above a file with settings of a backend.
    fn around_backend_file<'f>(&self, file: &'f Path) -> Option<&'f Path> {
        file.file_name().filter(|name| is_backend_file(name))?;
        let is_hidden = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.as_encoded_bytes().starts_with(b".")
        };
        for directory in file.ancestors().skip(1).take(BACKEND_FILE_DEPTH + 1) {
            if self.directories.contains_key(directory) {
                return Some(directory);
            }
            if is_hidden(directory) {
                break;
            }
        }
        None
    }

    /// The modules that a file belongs to by its name and its directory.
    fn by_name<'f>(&'f self, file: &'f Path) -> impl Iterator<Item = Place> + use<'f> {
        let name = file.file_name().unwrap_or_default();
        let is_lock = name == ".terraform.lock.hcl";
        let is_manifest = file.ends_with(".terraform/modules/modules.json");
        let directory = if is_manifest { file.ancestors().nth(3) } else { file.parent() };
        let places = |directory: Option<&Path>| {
            directory.and_then(|directory| self.directories.get(directory)).into_iter().flatten()
        };
        let is_read = move |place: &&Place| {
            let dialect = self.dialects.get(*place).copied().unwrap_or_default();
            is_manifest || is_lock || is_for(name, dialect)
        };
        // Tests of a module, and values for them, may be in a directory of their own.
        let tests = directory.filter(|it| it.ends_with("tests")).and_then(Path::parent);
        let is_test = move |place: &&Place| {
            let dialect = self.dialects.get(*place).copied().unwrap_or_default();
            FileKind::of(name, dialect)
                .is_some_and(|kind| matches!(kind.list, List::Test | List::Variables))
        };
        let around = self.around_backend_file(file);
        let has_backend = move |place: &&Place| {
            self.backends.contains(*place)
                || around == file.parent() && has_only_backend(name.as_encoded_bytes())
        };
        let of_backend = places(around).filter(has_backend);
        places(directory)
            .filter(is_read)
            .chain(places(tests).filter(is_test))
            .chain(of_backend)
            .copied()
    }
}

/// Whether the tool of a module reads files of this name.
pub(super) fn is_configuration(file: &Path, module: &TreeModule<'_>) -> bool {
    let name = file.file_name().unwrap_or_default();
    FileKind::of(name, module.files.dialect).is_some()
}

/// Whether the tool reads files of this name in a directory, or as variables if they are named.
fn is_for(name: &OsStr, dialect: Dialect) -> bool {
    let is_named =
        || FileKind::of_known(name, dialect).is_some_and(|it| it.list == List::Variables);
    FileKind::of(name, dialect).is_some() || is_named()
}

/// Whether a file of this name is read if it is named: by the tools as variables or settings of a
/// backend, or by another tool.
pub(super) fn is_read_by_name(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    let list = FileKind::of_named(name, Dialect::of_named(name, None)).list;
    matches!(list, List::Variables | List::Other) || has_only_backend(name.as_encoded_bytes())
}

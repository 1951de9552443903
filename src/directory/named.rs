//! Files that are named explicitly, and the modules around them.
//!
//! A file with a recognized name has a place in the module of its directory. Other files of that
//! module are [`Given::Beside`] it. All named files of one directory are found with one listing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::discovery::{DiscoverOptions, DiscoverProblem};
use super::group::has_tests;
use super::path::{directory_of, plain, real_place};
use super::walk::{Found, Reach, Wanted, walk};
use super::{Given, Location, ModuleFiles, TESTS, group};
use crate::dialect::{Dialect, FileKind, List};
use crate::hash::{HashMap, HashSet};

/// A directory with named files.
pub(super) struct Around {
    /// The directory's path, as in the first named file.
    pub(super) directory: PathBuf,
    /// The path without links, if several paths are given.
    pub(super) real: PathBuf,
    /// The named files, by their path below the directory.
    files: BTreeMap<PathBuf, NamedFile>,
}

/// All directories with named files, without duplicates.
#[derive(Default)]
pub(super) struct Directories {
    all: Vec<Around>,
    /// The index of each directory, by real path.
    places: HashMap<PathBuf, usize>,
}

struct NamedFile {
    /// The path as it was given.
    path: PathBuf,
    name: OsString,
    dialect: Dialect,
    kind: FileKind,
}

/// The place of a file in a module.
pub(super) struct Place {
    /// The directory of the module.
    directory: PathBuf,
    /// The path in that directory: a name, or `tests/NAME`.
    below: PathBuf,
    file: NamedFile,
}

/// Returns the place of a file in the module around it; `None` if it is a separate module. If the
/// name of a link is not recognized, its target's name is used.
pub(super) fn place(path: &Path, options: &DiscoverOptions) -> Option<Place> {
    let is_unknown_place = || options.has_overlay(path) && !directory_of(path).is_dir();
    if options.alone || is_unknown_place() {
        return None;
    }
    of_name(path, path, options).or_else(|| {
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|it| it.file_type().is_symlink());
        of_name(&is_link.then(|| path.canonicalize().ok()).flatten()?, path, options)
    })
}

/// Returns the place of the file at `path`, which was given as `given`.
fn of_name(path: &Path, given: &Path, options: &DiscoverOptions) -> Option<Place> {
    let name = path.file_name()?;
    let dialect = Dialect::of_named(name, options.dialect);
    // Files of variables that the tools do not load by default are loaded if they are named.
    let variables =
        || Some(FileKind::of_named(name, dialect)).filter(|it| it.list == List::Variables);
    let kind = FileKind::of(name, dialect).or_else(variables)?;
    let mut directory = directory_of(path);
    let mut below = PathBuf::from(name);
    let may_be_of_tests = matches!(kind.list, List::Test | List::Variables) && has_tests(dialect);
    if may_be_of_tests && directory.file_name().is_some_and(|name| name == TESTS) {
        directory = directory_of(directory);
        below = Path::new(TESTS).join(name);
    }
    let file = NamedFile { path: given.to_owned(), name: name.to_owned(), dialect, kind };
    Some(Place { directory: directory.to_owned(), below, file })
}

impl Directories {
    /// Adds a file to the directory of its place. If `looks_up` is set, because there are several
    /// paths, directories are identified by their real paths.
    pub(super) fn add(&mut self, place: Place, looks_up: bool) {
        let Place { directory, below, file } = place;
        let real = if looks_up { real_place(&directory, true) } else { PathBuf::new() };
        let number = *self.places.entry(real.clone()).or_insert_with(|| {
            self.all.push(Around { directory, real, files: BTreeMap::new() });
            self.all.len() - 1
        });
        self.all[number].files.entry(below).or_insert(file);
    }

    /// Returns the directories in the order of their first named files.
    pub(super) fn into_all(self) -> Vec<Around> {
        self.all
    }
}

impl Around {
    /// Returns the modules of the named files.
    pub(super) fn modules(
        &self,
        options: &DiscoverOptions,
    ) -> (Vec<ModuleFiles>, Vec<DiscoverProblem>) {
        // If the dialect is Packer, but a named file belongs to OpenTofu, the file decides.
        let names_other = self.files.values().any(|file| file.dialect != Dialect::Packer);
        let dialect = options.dialect.filter(|it| *it != Dialect::Packer || !names_other);
        let listing = options.clone().with_dialect(dialect);
        let mut walked = walk(&self.directory, &listing, Reach::Module);
        add_overlays(&self.directory, options, &mut walked.files);
        let listed: HashSet<PathBuf> = walked
            .files
            .iter()
            .filter_map(|file| self.below(file.path.disk()?))
            .map(Path::to_owned)
            .collect();
        for (below, file) in self.files.iter().filter(|(below, _)| !listed.contains(*below)) {
            let path = self.directory.join(below).into();
            let NamedFile { name, dialect, kind, .. } = file;
            let (name, dialect, kind) = (name.clone(), *dialect, *kind);
            walked.files.push(Found { path, name, dialect, kind, is_regular: false });
        }
        let mut modules = group::modules(walked.files);
        modules.retain_mut(|module| self.mark(module));
        (modules, walked.problems)
    }

    /// Returns the rest of a path below the directory.
    fn below<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.directory).ok()
    }

    /// Marks the named files, and sets their paths as they were given. Returns whether there are
    /// any.
    fn mark(&self, module: &mut ModuleFiles) -> bool {
        let mut has_named_files = false;
        for file in &mut module.files {
            let below = file.path.disk().and_then(|path| self.below(path));
            match below.and_then(|below| self.files.get(below)) {
                Some(named) => {
                    file.given = Given::Named;
                    file.path = plain(&named.path).into();
                    has_named_files = true;
                }
                None => file.given = Given::Beside,
            }
        }
        has_named_files
    }
}

/// Adds the files whose content the caller has to the files found below a directory, without
/// duplicates.
pub(super) fn add_overlays(directory: &Path, options: &DiscoverOptions, found: &mut Vec<Found>) {
    if options.overlays.is_empty() {
        return;
    }
    let root = real_place(directory, true);
    for overlay in &options.overlays {
        let Some(name) = overlay.file_name() else { continue };
        let real = real_place(overlay, false);
        let Ok(below) = real.strip_prefix(&root) else { continue };
        let path = Location::Disk(directory.join(below));
        if found.iter().any(|file| file.path == path) {
            continue;
        }
        if let Some((dialect, kind)) = Wanted::of(options).kind(name) {
            let name = name.to_owned();
            found.push(Found { path, name, dialect, kind, is_regular: true });
        }
    }
}

//! Finds the modules below paths.
//!
//! A path that is a directory selects every module below it:
//!
//! * `.git`, `.jj`, `.terraform`, `.terragrunt-cache` and `node_modules` are not entered, unless
//!   they are the path itself: they contain copies and history. Other hidden directories are
//!   entered.
//! * `.gitignore` and `.ignore` are only respected on request: generated configuration is usually
//!   ignored by git.
//! * Links to directories are not followed, so there are no loops, except if the path itself is
//!   such a link. Links to files are files, if they lead to places below the paths or in their git
//!   work trees ([`Roots`]).
//! * Tests in a directory `tests`, and variable values for them, belong to the module above it if
//!   that has configuration; otherwise they are a separate module.
//! * A directory with both OpenTofu (or Terraform) and Packer files is two modules.
//!
//! A path that is a file selects that file in its module: the directory around it is one module, in
//! which the other files are [`Given::Beside`] it. A file with a name that the tools do not
//! recognize is a separate module, and so is every file with [`DiscoverOptions::alone`].
//!
//! Paths may overlap: each directory is only one module, and a file that is read in one module is
//! not also a separate module. `x`, `./x`, an absolute path, and a link and its target are the
//! same. Files are named as they were given, without `./` at the start.
//!
//! An error does not stop the walk: a directory that cannot be listed becomes a
//! [`DiscoverProblem`]. The result does not depend on the number of threads.

use std::path::{Path, PathBuf};

use super::discovery::{DiscoverOptions, DiscoverProblem, Discovery, Nothing};
use super::named::{self, Around, Directories};
use super::path::{components, plain, real_path, real_place};
use super::walk::{Reach, is_found, walk};
use super::{Given, Location, ModuleFile, ModuleFiles, Roots, group};
use crate::hash::HashSet;

/// Finds the modules of `paths`. Cost: one walk over each directory, one listing of each directory
/// with a named file; no file is opened. With several paths, the real path of each is looked up to
/// find where they overlap.
///
/// ```
/// use simd_hcl::directory::{DiscoverOptions, discover};
///
/// let found = discover(&["corpus/monorepo"], &DiscoverOptions::default());
/// assert!(found.problems.is_empty());
/// assert!(found.modules.iter().any(|it| it.path.to_string_lossy().ends_with("modules/service")));
/// ```
pub fn discover<P: AsRef<Path>>(paths: &[P], options: &DiscoverOptions) -> Discovery {
    let mut discovery = Discovery::default();
    let mut roots: Vec<Root> = Vec::new();
    let mut roots_of_named: Vec<Root> = Vec::new();
    let mut named = Directories::default();
    let mut known: HashSet<PathBuf> = HashSet::default();
    for path in paths {
        let path = path.as_ref();
        let is_directory = match std::fs::metadata(path) {
            _ if options.has_overlay(path) => false,
            Err(error) => {
                discovery.problems.push(DiscoverProblem::missing(path, &error));
                continue;
            }
            Ok(metadata) => metadata.is_dir(),
        };
        let is_one_of_many = paths.len() > 1;
        if is_one_of_many && !known.insert(real_path(path)) {
            continue;
        }
        let (found, beside) = if is_directory {
            discovery.walk(path, options)
        } else {
            match named::place(path, options) {
                Some(place) => {
                    named.add(place, is_one_of_many);
                    continue;
                }
                None => (vec![ModuleFiles::of_file(path, options.dialect)], Vec::new()),
            }
        };
        let real = if is_one_of_many { real_place(path, is_directory) } else { PathBuf::new() };
        let kind = if is_directory { RootKind::Directory } else { RootKind::Alone };
        let root = |found| Root { kind, path: path.to_owned(), real: real.clone(), found };
        roots_of_named.push(root(beside));
        roots.push(root(found));
    }
    for around in named.into_all() {
        let found = discovery.around(&around, options);
        roots.push(Root {
            kind: RootKind::Around,
            path: around.directory,
            real: around.real,
            found,
        });
    }
    [discovery.modules, discovery.named] = [roots, roots_of_named].map(|roots| {
        let mut modules = if roots.len() > 1 {
            once(roots)
        } else {
            roots.into_iter().flat_map(|r| r.found).collect()
        };
        modules.iter_mut().for_each(without_current_directory);
        if !options.follow_links && !modules.is_empty() {
            let roots = Roots::around(paths);
            modules.iter_mut().for_each(|module| module.refuse_links(&roots));
        }
        modules.sort_by_cached_key(|module| (components(&module.path), module.dialect));
        modules
    });
    for problem in &mut discovery.problems {
        problem.path = plain(&problem.path);
    }
    discovery.problems.sort();
    discovery.problems.dedup();
    discovery
}

impl Discovery {
    /// Returns the modules around files that are named.
    fn around(&mut self, around: &Around, options: &DiscoverOptions) -> Vec<ModuleFiles> {
        let (mut found, problems) = around.modules(options);
        self.problems.extend(problems);
        for file in found.iter().flat_map(|module| &module.files) {
            if file.given == Given::Named && !file.is_read() {
                let nothing = Nothing { entries: 1, shadowed_files: 1, ..Nothing::default() };
                let path = file.path.disk().unwrap_or(Path::new("")).to_owned();
                self.nothing.push((path, nothing));
            }
        }
        let is_wanted = |file: &ModuleFile| file.is_read() && file.is_asked_for();
        found.retain(|module| module.files.iter().any(is_wanted));
        found
    }

    /// Returns the modules below a directory, and the files that are read only if they are named.
    fn walk(
        &mut self,
        path: &Path,
        options: &DiscoverOptions,
    ) -> (Vec<ModuleFiles>, Vec<ModuleFiles>) {
        let mut walked = walk(path, options, Reach::Everything);
        named::add_overlays(path, options, &mut walked.files);
        let mut nothing = Nothing {
            entries: walked.entries,
            skipped_directories: walked.skipped_directories,
            unreadable_directories: walked.unreadable_directories(),
            ..Nothing::default()
        };
        let modules = group::modules(walked.files);
        let named = group::modules(walked.named);
        self.problems.extend(walked.problems);
        if modules.is_empty() && named.is_empty() {
            if options.respect_ignore_files || options.dialect.is_some() {
                let everything = DiscoverOptions { threads: options.threads, ..Default::default() };
                for file in walk(path, &everything, Reach::Everything).files {
                    let wanted = is_found(&file.name, options);
                    nothing.ignored_files += usize::from(wanted);
                    nothing.other_dialect_files += usize::from(!wanted);
                }
            }
            self.nothing.push((path.to_owned(), nothing));
        }
        (modules, named)
    }
}

/// The kind of modules that a path selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RootKind {
    /// Every module below a directory.
    Directory,
    /// The module around a file.
    Around,
    /// A file as a separate module.
    Alone,
}

/// A path that was given, or the directory of given files, and its contents.
struct Root {
    kind: RootKind,
    path: PathBuf,
    /// [`real_place`] of the path.
    real: PathBuf,
    found: Vec<ModuleFiles>,
}

fn without_current_directory(module: &mut ModuleFiles) {
    let files = module.files.iter_mut().map(|file| &mut file.path);
    for location in std::iter::once(&mut module.path).chain(files) {
        if let Location::Disk(path) = location {
            *path = plain(path);
        }
    }
}

/// Returns the modules of overlapping paths: each directory once, by the path that was given first,
/// and no module whose files are all read in an earlier one. Directories come before files, and
/// outer directories before inner ones.
fn once(roots: Vec<Root>) -> Vec<ModuleFiles> {
    let mut all: Vec<(RootKind, PathBuf, ModuleFiles)> = Vec::new();
    for Root { kind, path, real, found } in roots {
        // A walk follows no links, so real paths only differ in their beginnings.
        all.extend(found.into_iter().map(|module| {
            let below = module.path.disk().and_then(|it| it.strip_prefix(&path).ok());
            let real = match below {
                Some(below) if kind != RootKind::Alone => real.join(below),
                _ => real.clone(),
            };
            (kind, real, module)
        }));
    }
    // Of two modules of the same directory, the smaller one lacks tests that a module above has
    // taken.
    all.sort_by(|one, other| {
        let rest = |module: &ModuleFiles| (module.dialect, module.files.len());
        (one.0, &one.1, rest(&one.2)).cmp(&(other.0, &other.1, rest(&other.2)))
    });
    let mut read = HashSet::default();
    let mut modules = Vec::new();
    for (kind, real, module) in all {
        let directory = match kind {
            RootKind::Alone => real.parent().unwrap_or(&real),
            RootKind::Directory | RootKind::Around => &real,
        };
        let place = |file: &ModuleFile| (directory.join(&file.name), module.dialect);
        let files = || module.files.iter().filter(|file| file.is_read());
        // The other files around a named file add nothing.
        let is_new = files().any(|file| file.is_asked_for() && !read.contains(&place(file)));
        if is_new {
            read.extend(files().filter(|file| file.is_asked_for()).map(place));
            modules.push(module);
        }
    }
    modules
}

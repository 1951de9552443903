//! Finding modules below paths.
//!
//! A path that is a file is a module of that one file, whatever its name and whatever ignore files say.
//! A path that is a directory stands for every module below it:
//!
//! * `.git`, `.jj`, `.terraform`, `.terragrunt-cache` and `node_modules` are not entered, unless they are
//!   the path itself: they hold copies and history. Other hidden directories are.
//! * `.gitignore` and `.ignore` are respected only when asked: generated configuration is usually ignored
//!   by git.
//! * Links to directories are not followed, so there are no loops; a path that is such a link is. Links
//!   to files are files.
//! * Tests in a directory `tests` belong to the module above it, if that has configuration; else they are
//!   a module of their own.
//! * A directory of both OpenTofu (or Terraform) and Packer files is two modules. A directory of native
//!   syntax only is none: it is counted.
//!
//! Paths may overlap: a directory is one module however often it is met, and a file that is read in one
//! module is not a module of its own besides.
//!
//! Nothing stops the walk: what cannot be listed becomes a [`DiscoverProblem`]. The result does not
//! depend on the number of threads.

use std::fmt;
use std::path::{Path, PathBuf, is_separator};

use super::walk::{io_message, is_found, walk};
use super::{ModuleFile, ModuleFiles, group};
use crate::dialect::{Dialect, Syntax};
use crate::hash::HashSet;

/// How modules are looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DiscoverOptions {
    /// The tool whose files are meant. None finds OpenTofu and Packer modules; OpenTofu or Terraform
    /// choose the rules of their common files; Packer finds Packer files only.
    pub dialect: Option<Dialect>,
    /// Whether `.gitignore` and `.ignore` hide files.
    pub respect_ignore_files: bool,
    /// How many threads walk, at most 64; 0 for as many as the machine has.
    pub threads: usize,
}

impl DiscoverOptions {
    /// With a dialect.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// With or without ignore files.
    #[must_use]
    pub fn with_ignore_files(mut self, respect: bool) -> Self {
        self.respect_ignore_files = respect;
        self
    }

    /// With a number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The modules, sorted by path, then dialect. No directory occurs twice.
    pub modules: Vec<ModuleFiles>,
    /// What could not be looked at, sorted by path.
    pub problems: Vec<DiscoverProblem>,
    /// Paths below which there is nothing to read, and why; in the order given.
    pub nothing: Vec<(PathBuf, Nothing)>,
}

/// A path that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiscoverProblem {
    /// The path.
    pub path: PathBuf,
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What the operating system says.
    pub message: String,
}

/// Why a path could not be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A path that was asked for does not exist, or cannot be looked at.
    Missing,
    /// A directory cannot be listed.
    UnreadableDirectory,
}

/// Why there is nothing to read below a path. Displayed as one clause, of the reason that helps most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nothing {
    /// Files and directories seen.
    pub entries: usize,
    /// Configuration in native syntax, which is not read.
    pub native_files: usize,
    /// Configuration that ignore files hide.
    pub ignored_files: usize,
    /// Configuration of tools other than the one asked for.
    pub other_dialect_files: usize,
    /// Directories that are entered only when they are named.
    pub skipped_directories: usize,
    /// Directories that cannot be listed, each of them a [`DiscoverProblem`].
    pub unreadable_directories: usize,
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = |count| if count == 1 { "file" } else { "files" };
        let directories = |count| if count == 1 { "directory" } else { "directories" };
        match *self {
            Self { ignored_files: count @ 1.., .. } => {
                write!(f, "ignore files hide the {count} {} there", files(count))
            }
            Self { other_dialect_files: count @ 1.., .. } => {
                write!(f, "{count} {} of another dialect", files(count))
            }
            Self { native_files: count @ 1.., .. } => {
                write!(f, "{count} {} of native syntax, which is not read", files(count))
            }
            Self { unreadable_directories: count @ 1.., .. } => {
                write!(f, "{count} {} cannot be listed", directories(count))
            }
            Self { entries: 0, skipped_directories: count @ 1.., .. } => {
                let directories = directories(count);
                write!(f, "{count} {directories} of tools there, entered only when named")
            }
            Self { entries: 0, .. } => f.write_str("it is empty"),
            _ => f.write_str("no file there has the name of one that is read"),
        }
    }
}

/// Finds the modules of `paths`. Cost: one walk over each directory; no file is opened. With several
/// paths, the real place of each is looked up, to tell where they overlap.
pub fn discover<P: AsRef<Path>>(paths: &[P], options: &DiscoverOptions) -> Discovery {
    let mut discovery = Discovery::default();
    let mut roots: Vec<Root> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let is_directory = match std::fs::metadata(path) {
            Err(error) => {
                discovery.problems.push(DiscoverProblem {
                    path: path.to_owned(),
                    kind: ProblemKind::Missing,
                    message: io_message(&error),
                });
                continue;
            }
            Ok(metadata) => metadata.is_dir(),
        };
        let real = if paths.len() > 1 { real_path(path, is_directory) } else { PathBuf::new() };
        if paths.len() > 1 && roots.iter().any(|root| root.real == real) {
            continue;
        }
        let found = if is_directory {
            discovery.walk(path, options)
        } else {
            discovery.name(path, options.dialect)
        };
        roots.push(Root { path: path.to_owned(), real, is_directory, found });
    }
    let mut modules = if roots.len() > 1 {
        once(roots)
    } else {
        roots.into_iter().flat_map(|r| r.found).collect()
    };
    modules.sort_by_cached_key(|module| (components(&module.path), module.dialect));
    discovery.modules = modules;
    discovery.problems.sort();
    discovery.problems.dedup();
    discovery
}

impl Discovery {
    /// The module of a file.
    fn name(&mut self, path: &Path, dialect: Option<Dialect>) -> Vec<ModuleFiles> {
        let module = ModuleFiles::of_file(path, dialect);
        if module.files.iter().any(ModuleFile::is_read) {
            return vec![module];
        }
        let nothing = Nothing { entries: 1, native_files: 1, ..Nothing::default() };
        self.nothing.push((path.to_owned(), nothing));
        Vec::new()
    }

    /// The modules below a directory.
    fn walk(&mut self, path: &Path, options: &DiscoverOptions) -> Vec<ModuleFiles> {
        let walked = walk(path, options);
        let mut nothing = Nothing {
            entries: walked.entries,
            native_files: walked.count(Syntax::Native),
            skipped_directories: walked.skipped_directories,
            unreadable_directories: walked.problems.len(),
            ..Nothing::default()
        };
        let modules = group::modules(walked.files);
        self.problems.extend(walked.problems);
        if modules.is_empty() {
            if options.respect_ignore_files || options.dialect.is_some() {
                let everything = DiscoverOptions { threads: options.threads, ..Default::default() };
                for file in walk(path, &everything).files {
                    if file.kind.syntax == Syntax::Json {
                        let wanted = is_found(&file.name, options.dialect);
                        nothing.ignored_files += usize::from(wanted);
                        nothing.other_dialect_files += usize::from(!wanted);
                    }
                }
            }
            self.nothing.push((path.to_owned(), nothing));
        }
        modules
    }
}

/// A path that was asked for, and what is there.
struct Root {
    path: PathBuf,
    /// The path without links; that of a file, which goes by its own name, without links in its
    /// directory.
    real: PathBuf,
    is_directory: bool,
    found: Vec<ModuleFiles>,
}

/// Bytes that compare as the components of the path do, one after the other: no name holds a NUL.
fn components(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|&byte| if is_separator(byte.into()) { 0 } else { byte }).collect()
}

/// `path` as [`Root::real`]; as it is where the system does not tell.
fn real_path(path: &Path, is_directory: bool) -> PathBuf {
    let real = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !is_directory => {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            parent.canonicalize().map(|parent| parent.join(name))
        }
        _ => path.canonicalize(),
    };
    real.unwrap_or_else(|_| path.to_owned())
}

/// The modules of overlapping paths: each directory once, by the path that was given first, and no module
/// whose files are all read in one before. Directories come before files, and upper ones before lower.
fn once(roots: Vec<Root>) -> Vec<ModuleFiles> {
    let mut all: Vec<(bool, PathBuf, ModuleFiles)> = Vec::new();
    for Root { path, real, is_directory, found } in roots {
        // A walk follows no links, so that real paths differ in their beginnings only.
        all.extend(found.into_iter().map(|module| {
            let real = match module.path.strip_prefix(&path) {
                Ok(below) if is_directory => real.join(below),
                _ => real.clone(),
            };
            (!is_directory, real, module)
        }));
    }
    // Tests that a module above has taken are not in the smaller one of two modules of a directory.
    all.sort_by(|one, other| {
        let rest = |module: &ModuleFiles| (module.dialect, module.files.len());
        (one.0, &one.1, rest(&one.2)).cmp(&(other.0, &other.1, rest(&other.2)))
    });
    let mut read = HashSet::default();
    let mut modules = Vec::new();
    for (is_file, real, module) in all {
        let directory = if is_file { real.parent().unwrap_or(&real) } else { &real };
        let files = module.files.iter().filter(|file| file.is_read());
        // Extending counts the files that were not there.
        let before = read.len();
        read.extend(files.map(|file| (directory.join(&file.name), module.dialect)));
        if read.len() > before {
            modules.push(module);
        }
    }
    modules
}

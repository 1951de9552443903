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
//! * Tests in a directory `tests` belong to the module above it, if there is one.
//! * A directory of both OpenTofu (or Terraform) and Packer files is two modules. A directory of native
//!   syntax only is none: it is counted.
//!
//! Nothing stops the walk: what cannot be listed becomes a [`DiscoverProblem`]. The result does not
//! depend on the number of threads.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::mem;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rustc_hash::FxHashSet;

use super::{ModuleFile, ModuleFiles};
use crate::dialect::{Dialect, FileKind, List, Syntax};

/// Directories that hold no configuration of their own.
const SKIPPED: &[&str] = &[".git", ".jj", ".terraform", ".terragrunt-cache", "node_modules"];

/// More threads than this do not walk faster on any machine.
const MOST_THREADS: usize = 64;

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

/// Why there is nothing to read below a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nothing {
    /// Files and directories seen.
    pub entries: usize,
    /// Configuration in native syntax, which is not read.
    pub native_files: usize,
    /// Configuration that ignore files hide.
    pub ignored_files: usize,
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count| if count == 1 { "file" } else { "files" };
        match *self {
            Self { ignored_files: count @ 1.., .. } => {
                write!(f, "ignore files hide the {count} {} there", plural(count))
            }
            Self { native_files: count @ 1.., .. } => {
                write!(f, "{count} {} of native syntax, which is not read", plural(count))
            }
            Self { entries: 0, .. } => f.write_str("it is empty"),
            _ => f.write_str("no file there has the name of one that is read"),
        }
    }
}

/// Finds the modules of `paths`. Cost: one walk over each directory; no file is opened.
pub fn discover<P: AsRef<Path>>(paths: &[P], options: &DiscoverOptions) -> Discovery {
    let mut discovery = Discovery::default();
    for path in paths {
        let path = path.as_ref();
        match std::fs::metadata(path) {
            Err(error) => discovery.problems.push(DiscoverProblem {
                path: path.to_owned(),
                kind: ProblemKind::Missing,
                message: io_message(&error),
            }),
            Ok(metadata) if metadata.is_dir() => discovery.add_directory(path, options),
            Ok(_) => discovery.add_file(path, options.dialect),
        }
    }
    discovery
        .modules
        .sort_by(|one, other| one.path.cmp(&other.path).then(one.dialect.cmp(&other.dialect)));
    let mut seen = FxHashSet::default();
    discovery.modules.retain(|module| seen.insert((plain(&module.path), module.dialect)));
    discovery.problems.sort();
    discovery.problems.dedup();
    discovery
}

impl Discovery {
    fn add_file(&mut self, path: &Path, dialect: Option<Dialect>) {
        let module = ModuleFiles::of_file(path, dialect);
        if module.has_native_files() {
            let nothing = Nothing { entries: 1, native_files: 1, ignored_files: 0 };
            self.nothing.push((path.to_owned(), nothing));
        } else {
            self.modules.push(module);
        }
    }

    fn add_directory(&mut self, path: &Path, options: &DiscoverOptions) {
        let found = walk(path, options);
        self.problems.extend(found.problems);
        let native_files =
            found.files.iter().filter(|(_, _, kind)| kind.syntax == Syntax::Native).count();
        let modules = modules(found.files);
        if modules.is_empty() {
            let ignored_files = if options.respect_ignore_files {
                let everything = walk(path, &options.clone().with_ignore_files(false)).files;
                everything.iter().filter(|(_, _, kind)| kind.syntax == Syntax::Json).count()
            } else {
                0
            };
            let entries = found.entries;
            self.nothing.push((path.to_owned(), Nothing { entries, native_files, ignored_files }));
        }
        self.modules.extend(modules);
    }
}

/// A configuration file: where it is, whose it is, what it is.
type Found = (PathBuf, Dialect, FileKind);

#[derive(Default)]
struct Walked {
    files: Vec<Found>,
    problems: Vec<DiscoverProblem>,
    entries: usize,
}

/// What one thread of a walk finds; handed over when the thread is done.
struct Collector<'w> {
    files: Vec<Found>,
    problems: Vec<DiscoverProblem>,
    all: &'w Mutex<Walked>,
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.files.append(&mut self.files);
        all.problems.append(&mut self.problems);
    }
}

fn walk(path: &Path, options: &DiscoverOptions) -> Walked {
    let mut builder = WalkBuilder::new(path);
    builder
        .standard_filters(false)
        .ignore(options.respect_ignore_files)
        .git_ignore(options.respect_ignore_files)
        .require_git(false)
        .parents(options.respect_ignore_files)
        .threads(options.threads.min(MOST_THREADS))
        .filter_entry(|entry| {
            entry.depth() == 0
                || !is_directory(entry)
                || !SKIPPED.iter().any(|&name| entry.file_name() == OsStr::new(name))
        });
    let dialects: &[Dialect] = match options.dialect {
        None | Some(Dialect::OpenTofu) => &[Dialect::OpenTofu, Dialect::Packer],
        Some(Dialect::Terraform) => &[Dialect::Terraform, Dialect::Packer],
        Some(Dialect::Packer) => &[Dialect::Packer],
    };
    let all = Mutex::new(Walked::default());
    let entries = AtomicUsize::new(0);
    builder.build_parallel().run(|| {
        let mut collector = Collector { files: Vec::new(), problems: Vec::new(), all: &all };
        let entries = &entries;
        Box::new(move |entry| {
            match entry {
                Ok(entry) if is_directory(&entry) => {
                    entries.fetch_add(usize::from(entry.depth() > 0), Ordering::Relaxed);
                }
                Ok(entry) => {
                    entries.fetch_add(1, Ordering::Relaxed);
                    let kind = dialects.iter().find_map(|&dialect| {
                        Some((dialect, FileKind::of(entry.file_name(), dialect)?))
                    });
                    if let Some((dialect, kind)) = kind {
                        collector.files.push((entry.into_path(), dialect, kind));
                    }
                }
                Err(error) => collector.problems.push(problem(path, &error)),
            }
            WalkState::Continue
        })
    });
    let mut walked = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    walked.entries = entries.into_inner();
    walked
}

/// Whether it is a directory that is walked: not a link to one, but for the path that was asked for.
fn is_directory(entry: &DirEntry) -> bool {
    entry.depth() == 0 || entry.file_type().is_some_and(|file_type| file_type.is_dir())
}

fn problem(root: &Path, error: &ignore::Error) -> DiscoverProblem {
    let mut path = None;
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = Some(at.clone());
                err
            }
            ignore::Error::WithLineNumber { err, .. } | ignore::Error::WithDepth { err, .. } => err,
            _ => break,
        };
    }
    let message = error.io_error().map_or_else(|| inner.to_string(), io_message);
    let path = path.unwrap_or_else(|| root.to_owned());
    DiscoverProblem { path, kind: ProblemKind::UnreadableDirectory, message }
}

/// The operating system's words, without the number that Rust adds.
fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// Groups files to modules. Directories of native files only are left out.
fn modules(mut files: Vec<Found>) -> Vec<ModuleFiles> {
    let directory = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    files.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    let mut groups: Vec<(PathBuf, Dialect, Vec<ModuleFile>)> = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    for (path, dialect, kind) in files {
        let group = directory(&path);
        let place = *places.entry((group, dialect)).or_insert_with_key(|(group, _)| {
            groups.push((group.clone(), dialect, Vec::new()));
            groups.len() - 1
        });
        let name = path.file_name().unwrap_or_default().to_owned();
        groups[place].2.push(ModuleFile { name, path, kind, shadowed_by: None });
    }
    // Tests of a directory `tests` go to the module above.
    for place in 0..groups.len() {
        let (path, dialect, _) = &groups[place];
        let above = match path.parent() {
            Some(above) if path.file_name() == Some(OsStr::new("tests")) => above.to_owned(),
            _ => continue,
        };
        let Some(&above) = places.get(&(above, *dialect)) else {
            continue;
        };
        let is_configuration = |file: &ModuleFile| file.kind.list <= List::Override;
        if !groups[above].2.iter().any(is_configuration) {
            continue;
        }
        let (mut tests, rest): (Vec<_>, Vec<_>) = mem::take(&mut groups[place].2)
            .into_iter()
            .partition(|file| file.kind.list == List::Test);
        for test in &mut tests {
            test.name = Path::new("tests").join(&test.name).into_os_string();
        }
        groups[place].2 = rest;
        groups[above].2.append(&mut tests);
    }
    groups
        .into_iter()
        .filter(|(_, _, files)| files.iter().any(|file| file.kind.syntax == Syntax::Json))
        .map(|(path, dialect, files)| ModuleFiles::of_directory(path, dialect, files))
        .collect()
}

/// A path without components that stay where they are, to recognise one that is named twice.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

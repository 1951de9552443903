//! Walking one directory: every file below it whose name says that it is configuration.
//!
//! In goes a directory, out come paths and kinds in no particular order. Only the entries of directories
//! are read: no file is opened, and none is asked for its metadata.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::TESTS;
use super::discovery::{DiscoverOptions, DiscoverProblem, ProblemKind};
use crate::dialect::{Dialect, FileKind, Syntax};

/// Directories that hold no configuration of their own.
const SKIPPED: &[&str] = &[".git", ".jj", ".terraform", ".terragrunt-cache", "node_modules"];

/// More threads than this do not walk faster on any machine.
const MOST_THREADS: usize = 64;

/// A file of configuration: where it is, its name there, who reads it, what it is.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) name: OsString,
    pub(super) dialect: Dialect,
    pub(super) kind: FileKind,
    /// The directory says that it is a regular file.
    pub(super) is_regular: bool,
}

/// What a walk finds.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) files: Vec<Found>,
    pub(super) problems: Vec<DiscoverProblem>,
    /// How many entries were seen, the directory itself not counted.
    pub(super) entries: usize,
    /// How many directories were not entered because of their names.
    pub(super) skipped_directories: usize,
}

impl Walked {
    /// How many files of a syntax were found.
    pub(super) fn count(&self, syntax: Syntax) -> usize {
        self.files.iter().filter(|file| file.kind.syntax == syntax).count()
    }
}

/// What one thread of a walk finds; handed over when the thread is done, so that threads do not wait for
/// each other.
struct Collector<'w> {
    part: Walked,
    whole: &'w Mutex<Walked>,
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.files.append(&mut self.part.files);
        whole.problems.append(&mut self.part.problems);
        whole.entries += self.part.entries;
    }
}

/// How far a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// To every directory.
    Everything,
    /// To the directory itself and its tests.
    Module,
}

/// Finds the files of a dialect below `root`, of all dialects if there is none in `options`.
pub(super) fn walk(root: &Path, options: &DiscoverOptions, reach: Reach) -> Walked {
    let skipped = Arc::new(AtomicUsize::new(0));
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(false)
        .ignore(options.respect_ignore_files)
        .git_ignore(options.respect_ignore_files)
        .require_git(false)
        .parents(options.respect_ignore_files)
        .threads(options.threads.min(MOST_THREADS))
        .max_depth((reach == Reach::Module).then_some(2))
        .filter_entry({
            let skipped = Arc::clone(&skipped);
            move |entry| {
                let skip = entry.depth() > 0
                    && is_directory(entry)
                    && match reach {
                        Reach::Everything => is_skipped(entry.file_name()),
                        Reach::Module => entry.depth() > 1 || entry.file_name() != TESTS,
                    };
                skipped.fetch_add(usize::from(skip), Ordering::Relaxed);
                !skip
            }
        });
    let dialects = read_by(options.dialect);
    let whole = Mutex::new(Walked::default());
    builder.build_parallel().run(|| {
        let mut collector = Collector { part: Walked::default(), whole: &whole };
        Box::new(move |entry| {
            let part = &mut collector.part;
            match entry {
                Ok(entry) => {
                    part.entries += usize::from(entry.depth() > 0);
                    if !is_directory(&entry)
                        && let Some((dialect, kind)) = kind(entry.file_name(), dialects)
                    {
                        let name = entry.file_name().to_owned();
                        let is_regular =
                            entry.file_type().is_some_and(|file_type| file_type.is_file());
                        let path = entry.into_path();
                        part.files.push(Found { path, name, dialect, kind, is_regular });
                    }
                }
                Err(error) => part.problems.push(problem(root, &error)),
            }
            WalkState::Continue
        })
    });
    let mut walked = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    walked.skipped_directories = skipped.load(Ordering::Relaxed);
    walked
}

/// The dialects whose files are found when one is asked for. Packer's files have names of their own, so
/// that asking for OpenTofu or Terraform leaves them what they are.
fn read_by(dialect: Option<Dialect>) -> &'static [Dialect] {
    match dialect {
        None | Some(Dialect::OpenTofu) => &[Dialect::OpenTofu, Dialect::Packer],
        Some(Dialect::Terraform) => &[Dialect::Terraform, Dialect::Packer],
        Some(Dialect::Packer) => &[Dialect::Packer],
    }
}

/// What a file of that name is to the first of some dialects that reads it.
pub(super) fn kind(name: &OsStr, dialects: &[Dialect]) -> Option<(Dialect, FileKind)> {
    dialects.iter().find_map(|&dialect| Some((dialect, FileKind::of(name, dialect)?)))
}

/// What a file of that name is to a walk for that dialect.
pub(super) fn kind_of(name: &OsStr, dialect: Option<Dialect>) -> Option<(Dialect, FileKind)> {
    kind(name, read_by(dialect))
}

/// Whether a walk for that dialect finds files of that name.
pub(super) fn is_found(name: &OsStr, dialect: Option<Dialect>) -> bool {
    kind_of(name, dialect).is_some()
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|&skipped| name == skipped)
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
pub(crate) fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

//! Walks a directory and finds all configuration files below it by their names.
//!
//! The results are in no particular order. The walk only reads the entries of directories: it opens
//! no files, and reads no metadata.
//!
//! Directories of the same depth are listed in parallel. If ignore files are respected, one thread
//! walks with the `ignore` crate, because its parallel walk panics or hangs if the system does not
//! start a thread for it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::WalkBuilder;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::TESTS;
use super::discovery::{DiscoverOptions, DiscoverProblem, ProblemKind, io_message};
use super::location::Location;
use crate::dialect::{Dialect, FileKind};

/// Directories without configuration of their own.
const SKIPPED: &[&str] = &[".git", ".jj", ".terraform", ".terragrunt-cache", "node_modules"];

/// More threads do not make the walk faster.
const MOST_THREADS: usize = 64;

/// A configuration file: its path, its name there, its tool and its kind.
pub(super) struct Found {
    pub(super) path: Location,
    pub(super) name: OsString,
    pub(super) dialect: Dialect,
    pub(super) kind: FileKind,
    /// Whether the directory listing reported a regular file.
    pub(super) is_regular: bool,
}

/// The results of a walk.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) files: Vec<Found>,
    pub(super) problems: Vec<DiscoverProblem>,
    /// The number of entries found, without the directory itself.
    pub(super) entries: usize,
    /// The number of directories that were not entered because of their names.
    pub(super) skipped_directories: usize,
}

impl Walked {
    /// Adds an entry that is not a directory, if it has the name of a configuration file.
    fn push(&mut self, path: PathBuf, name: &OsStr, is_regular: bool, dialects: &[Dialect]) {
        if let Some((dialect, kind)) = kind(name, dialects) {
            let (path, name) = (path.into(), name.to_owned());
            self.files.push(Found { path, name, dialect, kind, is_regular });
        }
    }

    fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.problems.append(&mut other.problems);
        self.entries += other.entries;
        self.skipped_directories += other.skipped_directories;
    }
}

/// The extent of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Walks every directory.
    Everything,
    /// Walks the directory itself and its tests.
    Module,
}

impl Reach {
    /// Whether a directory with that name is entered, `depth` levels below the first one.
    fn enters(self, name: &OsStr, depth: usize) -> bool {
        match self {
            Self::Everything => !is_skipped(name),
            Self::Module => depth == 1 && name == TESTS,
        }
    }
}

/// Finds the files of the dialect in `options` below `root`, or those of all dialects.
pub(super) fn walk(root: &Path, options: &DiscoverOptions, reach: Reach) -> Walked {
    let dialects = read_by(options.dialect);
    if options.respect_ignore_files {
        return walk_unignored(root, dialects, reach);
    }
    match options.threads.min(MOST_THREADS) {
        0 => walk_levels(root, dialects, reach, true),
        1 => walk_levels(root, dialects, reach, false),
        // These threads have ended when this returns. If they cannot be started, the walk just
        // takes longer.
        threads => ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_scoped(
                |thread| thread.run(),
                |pool| pool.install(|| walk_levels(root, dialects, reach, true)),
            )
            .unwrap_or_else(|_| walk_levels(root, dialects, reach, false)),
    }
}

/// Lists the directory, then its subdirectories, then theirs.
fn walk_levels(root: &Path, dialects: &[Dialect], reach: Reach, in_parallel: bool) -> Walked {
    let mut walked = Walked::default();
    let mut level = vec![root.to_owned()];
    for depth in 1.. {
        let list = |directory: &PathBuf| list(directory, depth, dialects, reach);
        let listed: Vec<_> = match in_parallel && level.len() > 1 {
            true => level.par_iter().map(list).collect(),
            false => level.iter().map(list).collect(),
        };
        level.clear();
        for (part, mut below) in listed {
            walked.append(part);
            level.append(&mut below);
        }
        if level.is_empty() {
            break;
        }
    }
    walked
}

/// Returns the files of a directory, and its subdirectories that are to be entered, `depth` levels
/// below the first one.
fn list(
    directory: &Path,
    depth: usize,
    dialects: &[Dialect],
    reach: Reach,
) -> (Walked, Vec<PathBuf>) {
    let (mut walked, mut below) = (Walked::default(), Vec::new());
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => {
            walked.problems.push(unreadable(directory.to_owned(), io_message(&error)));
            return (walked, below);
        }
    };
    for entry in entries {
        let (file_type, entry) = match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
            Ok(entry) => entry,
            Err(error) => {
                walked.problems.push(unreadable(directory.to_owned(), io_message(&error)));
                continue;
            }
        };
        let name = entry.file_name();
        // Links to directories are not directories here.
        if file_type.is_dir() && !reach.enters(&name, depth) {
            walked.skipped_directories += 1;
            continue;
        }
        walked.entries += 1;
        if file_type.is_dir() {
            below.push(entry.path());
        } else {
            walked.push(entry.path(), &name, file_type.is_file(), dialects);
        }
    }
    (walked, below)
}

/// Like `walk_levels`, without the files that `.gitignore` and `.ignore` hide.
fn walk_unignored(root: &Path, dialects: &[Dialect], reach: Reach) -> Walked {
    let is_directory = |file_type: Option<FileType>| file_type.is_some_and(|it| it.is_dir());
    let skipped = Arc::new(AtomicUsize::new(0));
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(false)
        .ignore(true)
        .git_ignore(true)
        .require_git(false)
        .parents(true)
        .max_depth((reach == Reach::Module).then_some(2))
        .filter_entry({
            let skipped = Arc::clone(&skipped);
            move |entry| {
                let is_entered = entry.depth() == 0
                    || !is_directory(entry.file_type())
                    || reach.enters(entry.file_name(), entry.depth());
                skipped.fetch_add(usize::from(!is_entered), Ordering::Relaxed);
                is_entered
            }
        });
    let mut walked = Walked::default();
    for entry in builder.build() {
        match entry {
            // The directory itself, which may be a link.
            Ok(entry) if entry.depth() == 0 => {}
            Ok(entry) => {
                walked.entries += 1;
                let file_type = entry.file_type();
                if !is_directory(file_type) {
                    let is_regular = file_type.is_some_and(|it| it.is_file());
                    let name = entry.file_name().to_owned();
                    walked.push(entry.into_path(), &name, is_regular, dialects);
                }
            }
            Err(error) => walked.problems.push(problem(root, &error)),
        }
    }
    walked.skipped_directories = skipped.load(Ordering::Relaxed);
    walked
}

/// Returns the dialects whose files are found if one is requested. Packer's files have distinct
/// names, so requesting OpenTofu or Terraform does not change their meaning.
fn read_by(dialect: Option<Dialect>) -> &'static [Dialect] {
    match dialect {
        None | Some(Dialect::OpenTofu) => &[Dialect::OpenTofu, Dialect::Packer],
        Some(Dialect::Terraform) => &[Dialect::Terraform, Dialect::Packer],
        Some(Dialect::Packer) => &[Dialect::Packer],
    }
}

/// Returns the kind of a file with that name for the first of some dialects that reads it.
pub(super) fn kind(name: &OsStr, dialects: &[Dialect]) -> Option<(Dialect, FileKind)> {
    dialects.iter().find_map(|&dialect| Some((dialect, FileKind::of(name, dialect)?)))
}

/// Returns the kind of a file with that name in a walk for that dialect.
pub(super) fn kind_of(name: &OsStr, dialect: Option<Dialect>) -> Option<(Dialect, FileKind)> {
    kind(name, read_by(dialect))
}

/// Whether a walk for that dialect finds files with that name.
pub(super) fn is_found(name: &OsStr, dialect: Option<Dialect>) -> bool {
    kind_of(name, dialect).is_some()
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|&skipped| name == skipped)
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
    unreadable(path.unwrap_or_else(|| root.to_owned()), message)
}

fn unreadable(path: PathBuf, message: String) -> DiscoverProblem {
    DiscoverProblem { path, kind: ProblemKind::UnreadableDirectory, message }
}

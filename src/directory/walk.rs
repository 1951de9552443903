//! Walks a directory and finds all configuration files below it by their names.
//!
//! The results are in no particular order. The walk only reads the entries of directories: it opens
//! no files but ignore files, and reads no metadata.
//!
//! Directories of the same depth are listed in parallel.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::TESTS;
use super::discovery::{DiscoverOptions, DiscoverProblem, ProblemKind, io_message};
use super::ignored::Ignored;
use super::location::Location;
use crate::dialect::{Dialect, FileKind, Syntax};

/// Directories without configuration of their own.
pub(super) const SKIPPED: &[&str] =
    &[".git", ".jj", ".terraform", ".terragrunt-cache", "node_modules"];

/// The names of the configuration of units and stacks of Terragrunt.
const UNITS: [&str; 2] = ["terragrunt.hcl", "terragrunt.stack.hcl"];

/// Directories whose files Terragrunt does not format, besides [`SKIPPED`].
const NOT_OF_UNITS: [&str; 2] = [".boilerplate", ".terragrunt-stack"];

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
    /// Files of units, and files that may be such, if files to format are wanted.
    others: Vec<Found>,
    /// Files that are read only if they are named, if they are wanted.
    pub(super) named: Vec<Found>,
    pub(super) problems: Vec<DiscoverProblem>,
    /// The number of entries found, without the directory itself.
    pub(super) entries: usize,
    /// The number of directories that were not entered because of their names.
    pub(super) skipped_directories: usize,
}

impl Walked {
    /// Adds an entry that is not a directory, if it has the name of a configuration file.
    fn push(&mut self, path: PathBuf, name: &OsStr, is_regular: bool, wanted: Wanted) {
        let kind = wanted.kind(name).filter(|(dialect, _)| wanted.enters_hidden(*dialect));
        if let Some((dialect, kind)) = kind {
            let (path, name) = (path.into(), name.to_owned());
            self.files.push(Found { path, name, dialect, kind, is_regular });
        } else if let Some((dialect, kind)) = wanted.other_kind(name) {
            let (path, name) = (path.into(), name.to_owned());
            self.others.push(Found { path, name, dialect, kind, is_regular });
        } else if let Some((dialect, kind)) = wanted.named_kind(name) {
            let (path, name) = (path.into(), name.to_owned());
            self.named.push(Found { path, name, dialect, kind, is_regular });
        }
    }

    /// If there are units of Terragrunt, adds what it formats below `root`: each `.hcl` file but those
    /// in generated folders and templates.
    fn add_units(&mut self, root: &Path) {
        let others = std::mem::take(&mut self.others);
        let is_unit = |it: &Found| UNITS.iter().any(|&unit| it.name == unit);
        if !others.iter().any(is_unit) {
            return;
        }
        self.files.extend(others.into_iter().filter(|it| {
            let below = it.path.disk().and_then(|path| path.strip_prefix(root).ok());
            let names = || below.into_iter().flat_map(Path::iter);
            !names().any(|name| NOT_OF_UNITS.iter().any(|&skipped| name == skipped))
        }));
    }

    /// The number of directories that cannot be listed.
    pub(super) fn unreadable_directories(&self) -> usize {
        let is_directory = |it: &&DiscoverProblem| it.kind == ProblemKind::UnreadableDirectory;
        self.problems.iter().filter(is_directory).count()
    }

    fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.others.append(&mut other.others);
        self.named.append(&mut other.named);
        self.problems.append(&mut other.problems);
        self.entries += other.entries;
        self.skipped_directories += other.skipped_directories;
    }
}

/// The files that a walk finds.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The tools whose files they are, in the order in which they are asked.
    dialects: &'static [Dialect],
    /// Whether they are those that the tools format, instead of those that the tools read.
    formatted: bool,
    /// Whether files of units are wanted, too.
    units: bool,
    /// Whether files are wanted that are read only if they are named.
    named: bool,
    /// Whether only the files of one tool are formatted.
    is_narrowed: bool,
    /// Whether they are in a hidden directory below the first one.
    in_hidden: bool,
}

impl Wanted {
    pub(super) fn of(options: &DiscoverOptions) -> Self {
        let DiscoverOptions { dialect, formatted, units, named, .. } = *options;
        let dialects = if formatted { formatted_by(dialect) } else { read_by(dialect) };
        let is_narrowed = formatted && dialect.is_some();
        Self { dialects, formatted, units, named, is_narrowed, in_hidden: false }
    }

    /// The files wanted in a directory of this one.
    fn below(self, name: &OsStr) -> Self {
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        Self { in_hidden: self.in_hidden || is_hidden, ..self }
    }

    /// Whether files of a tool are wanted here: the formatters of OpenTofu and Terraform do not enter
    /// hidden directories.
    fn enters_hidden(self, dialect: Dialect) -> bool {
        !self.formatted || !self.in_hidden || dialect == Dialect::Packer
    }

    /// Returns the kind of a file with that name for the first tool that has it.
    pub(super) fn kind(self, name: &OsStr) -> Option<(Dialect, FileKind)> {
        let of = if self.formatted { FileKind::of_formatted } else { FileKind::of };
        self.dialects.iter().find_map(|&dialect| Some((dialect, of(name, dialect)?)))
    }

    /// Returns the kind of a file that is read only if it is named.
    fn named_kind(self, name: &OsStr) -> Option<(Dialect, FileKind)> {
        let mut dialects = self.dialects.iter().filter(|_| self.named);
        dialects.find_map(|&dialect| Some((dialect, FileKind::of_beside(name, dialect)?)))
    }

    /// Returns the kind of a file that may be one of a unit.
    fn other_kind(self, name: &OsStr) -> Option<(Dialect, FileKind)> {
        let dialect = *self.dialects.first()?;
        let is_wanted = self.formatted && !self.is_narrowed || self.units;
        if !is_wanted || dialect == Dialect::Packer {
            return None;
        }
        let kind = FileKind::of_unit(name)?;
        (kind.syntax == Syntax::Native || self.units).then_some((dialect, kind))
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
    let walk = Walk {
        wanted: Wanted::of(options),
        reach,
        respects_ignore_files: options.respect_ignore_files,
    };
    match options.threads.min(MOST_THREADS) {
        0 => walk.below(root, true),
        1 => walk.below(root, false),
        // These threads have ended when this returns. If they cannot be started, the walk just
        // takes longer.
        threads => ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_scoped(|thread| thread.run(), |pool| pool.install(|| walk.below(root, true)))
            .unwrap_or_else(|_| walk.below(root, false)),
    }
}

/// The files that a walk looks for.
#[derive(Clone, Copy)]
struct Walk {
    wanted: Wanted,
    reach: Reach,
    respects_ignore_files: bool,
}

/// A directory that is to be listed, and what ignore files hide in it.
struct Directory {
    path: PathBuf,
    ignored: Option<Ignored>,
    wanted: Wanted,
}

impl Walk {
    /// Lists the directory, then its subdirectories, then theirs.
    fn below(self, root: &Path, in_parallel: bool) -> Walked {
        let mut walked = Walked::default();
        let ignored = self.respects_ignore_files.then(|| Ignored::of(root, &mut walked.problems));
        let mut level = vec![Directory { path: root.to_owned(), ignored, wanted: self.wanted }];
        for depth in 1.. {
            let list = |directory: &Directory| self.list(directory, depth);
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
        walked.add_units(root);
        walked
    }

    /// Returns the files of a directory, and its subdirectories that are to be entered, `depth`
    /// levels below the first one.
    fn list(self, directory: &Directory, depth: usize) -> (Walked, Vec<Directory>) {
        let (mut walked, mut below) = (Walked::default(), Vec::new());
        let Directory { path, ignored, wanted } = directory;
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => {
                walked.problems.push(unreadable(path.clone(), io_message(&error)));
                return (walked, below);
            }
        };
        for entry in entries {
            let (file_type, entry) = match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
                Ok(entry) => entry,
                Err(error) => {
                    walked.problems.push(unreadable(path.clone(), io_message(&error)));
                    continue;
                }
            };
            let name = entry.file_name();
            // Links to directories are not directories here.
            let is_directory = file_type.is_dir();
            if ignored.as_ref().is_some_and(|ignored| ignored.hides(&name, is_directory)) {
                continue;
            }
            if is_directory && !self.reach.enters(&name, depth) {
                walked.skipped_directories += 1;
                continue;
            }
            walked.entries += 1;
            let path = entry.path();
            if is_directory {
                let ignored = ignored.as_ref();
                let ignored = ignored.map(|above| above.enter(&name, &path, &mut walked.problems));
                below.push(Directory { path, ignored, wanted: wanted.below(&name) });
            } else {
                walked.push(path, &name, file_type.is_file(), *wanted);
            }
        }
        (walked, below)
    }
}

/// Returns the dialects whose files are found if one is requested. Packer's files have distinct
/// names, so requesting OpenTofu or Terraform does not change their meaning.
fn read_by(dialect: Option<Dialect>) -> &'static [Dialect] {
    match dialect {
        // Stacks are Terraform's only.
        None => &[Dialect::OpenTofu, Dialect::Packer, Dialect::Terraform],
        Some(Dialect::OpenTofu) => &[Dialect::OpenTofu, Dialect::Packer],
        Some(Dialect::Terraform) => &[Dialect::Terraform, Dialect::Packer],
        Some(Dialect::Packer) => &[Dialect::Packer],
    }
}

/// Returns the dialects whose files are formatted if one is requested: it narrows them.
fn formatted_by(dialect: Option<Dialect>) -> &'static [Dialect] {
    match dialect {
        None => read_by(None),
        Some(Dialect::OpenTofu) => &[Dialect::OpenTofu],
        Some(Dialect::Terraform) => &[Dialect::Terraform],
        Some(Dialect::Packer) => &[Dialect::Packer],
    }
}

/// Whether a walk finds files with that name.
pub(super) fn is_found(name: &OsStr, options: &DiscoverOptions) -> bool {
    Wanted::of(options).kind(name).is_some()
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|&skipped| name == skipped)
}

fn unreadable(path: PathBuf, message: String) -> DiscoverProblem {
    DiscoverProblem { path, kind: ProblemKind::UnreadableDirectory, message }
}

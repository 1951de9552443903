//! What to look for in directories, and what was found: plain data.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::ModuleFiles;
use crate::dialect::Dialect;

/// How modules are looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DiscoverOptions {
    /// The tool whose files are meant. None finds OpenTofu and Packer modules; OpenTofu or
    /// Terraform choose the rules of their common files; Packer finds Packer files only.
    pub dialect: Option<Dialect>,
    /// Whether `.gitignore` and `.ignore` hide files.
    pub respect_ignore_files: bool,
    /// How many threads walk, at most 64; 0 for those of the current pool of rayon. Where ignore
    /// files are respected, the calling thread walks alone.
    pub threads: usize,
    /// Whether a file is a separate module, whatever is beside it.
    pub alone: bool,
    /// Files whose content the caller has: they count as files, whether they exist or not. Files of
    /// an editor, for instance, that are not saved.
    pub overlays: Vec<PathBuf>,
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

    /// With files as modules of their own, or in the modules around them.
    #[must_use]
    pub fn with_alone(mut self, alone: bool) -> Self {
        self.alone = alone;
        self
    }

    /// With files that may not exist.
    #[must_use]
    pub fn with_overlays(mut self, overlays: Vec<PathBuf>) -> Self {
        self.overlays = overlays;
        self
    }

    /// Whether the caller has the content of a file.
    pub(super) fn has_overlay(&self, path: &Path) -> bool {
        self.overlays.iter().any(|overlay| overlay == path)
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
#[non_exhaustive]
pub struct Discovery {
    /// The modules, sorted by path, then dialect. No directory occurs twice.
    pub modules: Vec<ModuleFiles>,
    /// Paths that could not be read, sorted.
    pub problems: Vec<DiscoverProblem>,
    /// Paths below which there is nothing to read, and why; in the order given.
    pub nothing: Vec<(PathBuf, Nothing)>,
}

/// A path that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct DiscoverProblem {
    /// The path.
    pub path: PathBuf,
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What the operating system says.
    pub message: String,
}

impl std::fmt::Display for DiscoverProblem {
    /// `PATH: MESSAGE`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for DiscoverProblem {}

impl DiscoverProblem {
    /// A path that was asked for, and the error of looking at it.
    #[must_use]
    pub fn missing(path: &Path, error: &io::Error) -> Self {
        Self { path: path.to_owned(), kind: ProblemKind::Missing, message: io_message(error) }
    }
}

/// Why a path could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A requested path does not exist, or cannot be read.
    Missing,
    /// A directory cannot be listed.
    UnreadableDirectory,
}

/// Why there is nothing to read below a path. Displayed as one clause, of the reason that helps
/// most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nothing {
    /// Files and directories seen.
    pub entries: usize,
    /// Files of OpenTofu and Terraform that a file of OpenTofu takes the place of.
    pub shadowed_files: usize,
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
            Self { shadowed_files: count @ 1.., .. } => {
                write!(
                    f,
                    "{count} {}, which OpenTofu reads a `.tofu` file instead of",
                    files(count)
                )
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

/// The operating system's words, without the number that Rust adds.
pub(crate) fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

//! The options and the results of discovery: plain data.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::ModuleFiles;
use crate::dialect::Dialect;

/// Options of discovery.
///
/// ```
/// use simd_hcl::Dialect;
/// use simd_hcl::directory::{DiscoverOptions, discover};
///
/// let options = DiscoverOptions::default().with_dialect(Some(Dialect::Packer));
/// let found = discover(&["corpus/monorepo"], &options);
/// assert!(found.modules.iter().all(|module| module.dialect == Dialect::Packer));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DiscoverOptions {
    /// The tool whose files are found. `None` finds OpenTofu and Packer modules; OpenTofu or
    /// Terraform select the rules of their common files; Packer finds only Packer files.
    pub dialect: Option<Dialect>,
    /// Whether `.gitignore` and `.ignore` hide files.
    pub respect_ignore_files: bool,
    /// Whether links to files are read that lead outside of the given paths and of their git work
    /// trees: see [`Roots`](super::Roots). Not by default: reading one is
    /// [`SourceError::Outside`](crate::source::SourceError::Outside).
    pub follow_links: bool,
    /// The number of threads that walk, at most 64; 0 for those of the current rayon pool. If
    /// ignore files are respected, only the calling thread walks.
    pub threads: usize,
    /// Whether a named file is a separate module, regardless of the other files in its directory.
    pub alone: bool,
    /// Whether exactly the files are found that the formatters of the tools format: native ones, also
    /// those that are not part of a module.
    pub formatted: bool,
    /// Whether files of units of Terragrunt are found, too, if there are units: in each directory, those
    /// that it reads or that units may include.
    pub units: bool,
    /// Whether files below a directory are found, too, that the tools read only if they are named, and lock
    /// files: [`Discovery::named`].
    pub named: bool,
    /// Files whose content the caller has, for instance unsaved files of an editor. They count as
    /// files even if they do not exist.
    pub overlays: Vec<PathBuf>,
}

impl DiscoverOptions {
    /// Sets the dialect.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets whether ignore files are respected.
    #[must_use]
    pub fn with_ignore_files(mut self, respect: bool) -> Self {
        self.respect_ignore_files = respect;
        self
    }

    /// Sets whether links to files are read that lead outside.
    #[must_use]
    pub fn with_follow_links(mut self, follow: bool) -> Self {
        self.follow_links = follow;
        self
    }

    /// Sets whether files are separate modules, or belong to the modules around them.
    #[must_use]
    pub fn with_alone(mut self, alone: bool) -> Self {
        self.alone = alone;
        self
    }

    /// Sets whether the files are found that the formatters of the tools format.
    #[must_use]
    pub fn with_formatted(mut self, formatted: bool) -> Self {
        self.formatted = formatted;
        self
    }

    /// Sets whether files of units of Terragrunt are found.
    #[must_use]
    pub fn with_units(mut self, units: bool) -> Self {
        self.units = units;
        self
    }

    /// Sets whether files are found that the tools read only if they are named.
    #[must_use]
    pub fn with_named(mut self, named: bool) -> Self {
        self.named = named;
        self
    }

    /// Sets the files whose content the caller has.
    #[must_use]
    pub fn with_overlays(mut self, overlays: Vec<PathBuf>) -> Self {
        self.overlays = overlays;
        self
    }

    /// Whether the caller has the content of a file.
    pub(super) fn has_overlay(&self, path: &Path) -> bool {
        self.overlays.iter().any(|overlay| overlay == path)
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

/// The result of discovery.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Discovery {
    /// The modules, sorted by path, then dialect. No directory occurs twice.
    pub modules: Vec<ModuleFiles>,
    /// With [`DiscoverOptions::named`], the files below the directories that are not parts of a module:
    /// values of variables that are not read automatically, and lock files. Those of one directory and
    /// tool are together, in the order of `modules`.
    pub named: Vec<ModuleFiles>,
    /// Paths that could not be read, sorted.
    pub problems: Vec<DiscoverProblem>,
    /// Paths without files to read, and the reasons, in the given order.
    pub nothing: Vec<(PathBuf, Nothing)>,
}

/// A path that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct DiscoverProblem {
    /// The path.
    pub path: PathBuf,
    /// The kind of the problem.
    pub kind: ProblemKind,
    /// The message of the operating system.
    pub message: String,
}

impl std::fmt::Display for DiscoverProblem {
    /// Writes `PATH: MESSAGE`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for DiscoverProblem {}

impl DiscoverProblem {
    /// Returns the problem of a requested path that could not be examined.
    #[must_use]
    pub fn missing(path: &Path, error: &io::Error) -> Self {
        Self { path: path.to_owned(), kind: ProblemKind::Missing, message: io_message(error) }
    }
}

/// The kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A requested path does not exist, or cannot be read.
    Missing,
    /// A directory cannot be listed.
    UnreadableDirectory,
    /// A `.gitignore` or `.ignore` cannot be read: it hides nothing.
    UnreadableIgnoreFile,
}

/// The reason why there is nothing to read below a path. Displayed as one clause with the most
/// helpful reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nothing {
    /// The number of files and directories found.
    pub entries: usize,
    /// The number of OpenTofu and Terraform files that an OpenTofu file replaces.
    pub shadowed_files: usize,
    /// The number of configuration files that ignore files hide.
    pub ignored_files: usize,
    /// The number of configuration files of other tools.
    pub other_dialect_files: usize,
    /// The number of directories that are entered only if they are named.
    pub skipped_directories: usize,
    /// The number of directories that cannot be listed. Each is a [`DiscoverProblem`].
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

/// Returns the operating system's message, without the number that Rust adds.
pub(crate) fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

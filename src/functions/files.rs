//! The files that functions read: the interface, and an implementation that reads below one folder.

use std::fmt;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::call::MAX_TEXT;
use super::paths;
#[cfg(feature = "terragrunt")]
use crate::file::or_here;
use crate::file::{Resolved, has_too_many_links, resolve_inside};
use crate::source::{Access, OpenFile, SourceError};
use crate::value::Marks;

/// The files that functions such as `file` and `templatefile` read.
///
/// Paths are as the expression has them, cleaned: relative to the directory of the root module,
/// with `/` between names, without `.` and empty names, and with `..` at the beginning only. A
/// leading `~` has been replaced by [`home`](Self::home).
///
/// An implementation decides which paths may be read. It is called from several threads if
/// expressions are evaluated on several threads.
pub trait Files: Sync {
    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// The file does not exist, must not be read, or is not a regular file.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;

    /// Returns what a path names, with links followed.
    ///
    /// # Errors
    /// Nothing exists there, or it must not be read.
    fn kind(&self, path: &str) -> Result<FileKind, FileError>;

    /// Returns the entries of a directory, in any order.
    ///
    /// # Errors
    /// The directory does not exist, must not be read, or is not a directory.
    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError>;

    /// Returns the absolute path of a relative path, for `abspath`; `None` if it is not known.
    fn absolute(&self, path: &str) -> Option<String>;

    /// The home directory, which `~` stands for; `None` if it is not known.
    fn home(&self) -> Option<String>;

    /// Learns that `fileset` looks for the files that match a pattern, which starts with its
    /// directory. It is called before the directories are read.
    fn looks_for(&self, pattern: &str) {
        let _ = pattern;
    }

    /// Learns that a function reads a file whose path is not known.
    fn reads_unknown(&self) {}

    /// Whether it learns by [`reads_in_part`](Self::reads_in_part) what templates may read where they are not
    /// evaluated: what is repeated for the elements of an unknown list, and templates without their
    /// variables, which are read for that.
    fn asks_in_part(&self) -> bool {
        false
    }

    /// Learns that a function in a template may read one of some paths, in which U+0000 stands for the parts
    /// that are not known. For `fileset`, `patterns` are the possible patterns.
    fn reads_in_part(&self, function: &str, paths: &[String], patterns: &[String]) {
        let _ = (function, paths, patterns);
    }

    /// Learns that a function reads a path that is [outside](FileError::Outside). Returns whether its
    /// result is unknown; otherwise it is an error.
    fn is_unknown_outside(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Whether a path that is made from values with these marks may be looked up; by default, it
    /// may. Otherwise the result of the function is unknown: for callers that tell which files are
    /// read.
    fn takes(&self, marks: Marks) -> bool {
        let _ = marks;
        true
    }
}

/// Passes on the methods of [`Files`] with these names to the files in the field `files`.
macro_rules! passes_on {
    (@absolute) => {
        fn absolute(&self, path: &str) -> Option<String> {
            self.files.absolute(path)
        }
    };
    (@home) => {
        fn home(&self) -> Option<String> {
            self.files.home()
        }
    };
    (@looks_for) => {
        fn looks_for(&self, pattern: &str) {
            self.files.looks_for(pattern);
        }
    };
    (@reads_unknown) => {
        fn reads_unknown(&self) {
            self.files.reads_unknown();
        }
    };
    (@asks_in_part) => {
        fn asks_in_part(&self) -> bool {
            self.files.asks_in_part()
        }
    };
    (@reads_in_part) => {
        fn reads_in_part(&self, function: &str, paths: &[String], patterns: &[String]) {
            self.files.reads_in_part(function, paths, patterns);
        }
    };
    (@is_unknown_outside) => {
        fn is_unknown_outside(&self, path: &str) -> bool {
            self.files.is_unknown_outside(path)
        }
    };
    (@takes) => {
        fn takes(&self, marks: $crate::value::Marks) -> bool {
            self.files.takes(marks)
        }
    };
    ($($method:ident)*) => {
        $(passes_on!(@$method);)*
    };
}
pub(crate) use passes_on;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A device, a pipe or a socket.
    Special,
}

impl FileKind {
    fn of(metadata: &Metadata) -> Self {
        if metadata.is_file() {
            Self::File
        } else if metadata.is_dir() {
            Self::Directory
        } else {
            Self::Special
        }
    }
}

/// An entry of a directory.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileEntry {
    /// The name in the directory.
    pub name: String,
    /// The kind, with links followed; an error for a link that leads nowhere, or outside.
    pub kind: Result<FileKind, FileError>,
}

impl FileEntry {
    /// Returns an entry.
    #[must_use]
    pub fn new(name: String, kind: Result<FileKind, FileError>) -> Self {
        Self { name, kind }
    }
}

/// Why a file cannot be read. It is written as the rest of a sentence that starts with the path.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// It does not exist.
    Missing,
    /// It is not in the folder that may be read.
    Outside,
    /// It exists, but its content is not known. The result of a function that reads it is unknown.
    Unknown,
    /// It is of another kind than the function needs.
    Kind(FileKind),
    /// Its path goes through too many links, as that of a link that leads to itself.
    Links,
    /// It has more bytes than this.
    TooLarge(u64),
    /// The system refused.
    Io(io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("does not exist"),
            Self::Outside => f.write_str("is outside of the directory that may be read"),
            Self::Unknown => f.write_str("has content that is not known"),
            Self::Links => f.write_str("goes through too many links"),
            Self::Kind(FileKind::File) => f.write_str("is not a directory"),
            Self::Kind(FileKind::Directory) => f.write_str("is a directory"),
            Self::Kind(FileKind::Special) => f.write_str("is a device, a pipe or a socket"),
            Self::TooLarge(limit) => write!(f, "has more than {limit} bytes"),
            Self::Io(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl FileError {
    /// Whether an error of the system means that nothing has the path.
    pub(crate) fn is_absence(error: &io::Error) -> bool {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        if Self::is_absence(&error) {
            Self::Missing
        } else if has_too_many_links(&error) {
            Self::Links
        } else {
            Self::Io(error)
        }
    }
}

/// The files below one folder, which is the directory of the root module, or below a wider one
/// around it ([`Folder::with_boundary`]).
///
/// A path that leaves the folder by `..`, as an absolute path, or through a link is an error, and
/// whether something exists there is not looked up. Devices, pipes and sockets are not opened.
///
/// ```
/// use simd_hcl::functions::{Environment, FileError, Files, Folder};
///
/// let folder = Folder::new(env!("CARGO_MANIFEST_DIR"))?;
/// assert!(folder.read("Cargo.toml").is_ok());
/// assert!(matches!(folder.read("../x"), Err(FileError::Outside)));
/// let functions = Environment::new().with_files(&folder);
/// # let _ = functions;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folder {
    /// The folder without links, and as it was given.
    root: PathBuf,
    given: PathBuf,
    /// The folder below which files may be read, without links; `None` if that is `root`.
    boundary: Option<PathBuf>,
    limit: u64,
    may_leave: bool,
}

impl Folder {
    /// Returns the files below a folder, of at most 64 MiB each.
    ///
    /// # Errors
    /// The folder does not exist. Cost: one query of the file system for each part of the path.
    pub fn new(root: impl AsRef<Path>) -> io::Result<Self> {
        let given = std::path::absolute(root.as_ref())?;
        let root = given.canonicalize()?;
        Ok(Self { root, given, boundary: None, limit: MAX_TEXT as u64, may_leave: false })
    }

    /// Sets the number of bytes that a file may have.
    #[must_use]
    pub fn with_limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Allows reading files outside of the folder.
    #[must_use]
    pub fn with_outside(mut self) -> Self {
        self.may_leave = true;
        self
    }

    /// Allows reading files below another folder, such as the git work tree around this one. The
    /// path of the folder has no links.
    #[must_use]
    pub fn with_boundary(mut self, folder: PathBuf) -> Self {
        self.boundary = Some(folder);
        self
    }

    /// Returns the path without links, if it may be read.
    fn find(&self, path: &str) -> Result<PathBuf, FileError> {
        let path = Path::new(path);
        if self.may_leave {
            return Ok(self.given.join(path).canonicalize()?);
        }
        let bounds = [self.boundary.as_ref().unwrap_or(&self.root).as_path(), &self.root];
        let is_inside = |path: &Path| bounds.iter().any(|bound| path.starts_with(bound));
        // The folder as it was given may be a link.
        let path = path.strip_prefix(&self.given).unwrap_or(path);
        match resolve_inside(&self.root, path, &bounds, &is_inside)? {
            Resolved::Inside(found) => Ok(found),
            Resolved::Outside(_) => Err(FileError::Outside),
        }
    }
}

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let found = self.find(path)?;
        let read = Access::FOUND.with_limit(self.limit).open(&found).and_then(OpenFile::read);
        read.map_err(|error| match error {
            SourceError::Io(error) => error.into(),
            SourceError::Directory => FileError::Kind(FileKind::Directory),
            SourceError::TooLarge { limit, .. } => FileError::TooLarge(limit),
            SourceError::Outside { .. } => FileError::Outside,
            SourceError::SpecialFile | SourceError::Endless | SourceError::Encrypted => {
                FileError::Kind(FileKind::Special)
            }
        })
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        Ok(FileKind::of(&fs::metadata(self.find(path)?)?))
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let found = self.find(path)?;
        if !fs::metadata(&found)?.is_dir() {
            return Err(FileError::Kind(FileKind::File));
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(&found)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let ty = entry.file_type()?;
            let kind = if ty.is_file() {
                Ok(FileKind::File)
            } else if ty.is_dir() {
                Ok(FileKind::Directory)
            } else {
                self.kind(&paths::join(path, &name))
            };
            entries.push(FileEntry { name, kind });
        }
        Ok(entries)
    }

    fn absolute(&self, path: &str) -> Option<String> {
        let whole = paths::clean(&self.given.to_str()?.replace('\\', "/"));
        Some(if path.starts_with('/') { path.to_owned() } else { paths::join(&whole, path) })
    }

    fn home(&self) -> Option<String> {
        std::env::var("HOME").ok().filter(|home| !home.is_empty())
    }
}

/// Returns the path of a directory without links, with `/` between names.
///
/// # Errors
/// Why it is not known: it does not exist, or cannot be examined, or has a name that is not UTF-8 text.
#[cfg(feature = "terragrunt")]
pub(crate) fn real_text(path: &Path) -> Result<String, String> {
    match or_here(path).canonicalize() {
        Ok(real) => {
            let text = real.to_str().ok_or("its name is not UTF-8 text")?;
            Ok(paths::slashed(text))
        }
        Err(error) if FileError::is_absence(&error) => Err("no such folder".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

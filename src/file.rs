//! Opens files to read. All code of this repository that reads a file opens it here; other callers
//! of the library may open files in their own way.
//!
//! A file that the user names may also be a pipe, a terminal or the null device. A file that was found in a
//! directory, or that another file names, must be a regular file: a repository may contain a link to
//! `/dev/zero`, which has no end, or to a pipe, which waits for a writer.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Read};
#[cfg(any(feature = "functions", feature = "model"))]
use std::path::Component;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The longest source, in bytes: offsets have 32 bits, and a few values above the last offset are
/// needed for look-ahead.
pub const MAX_LEN: usize = u32::MAX as usize - 64;

/// The number of bytes by which a regular file may grow while it is read. Files in `/proc`
/// have a length of 0, and some have no end.
const MAX_GROWTH: u64 = 1 << 20;

/// Returns the working directory for an empty path.
#[cfg(feature = "model")]
pub(crate) fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// The most links on the way to a file, as in Linux.
#[cfg(any(feature = "functions", feature = "model"))]
const MAX_LINKS: usize = 40;

/// Where a path leads.
#[cfg(any(feature = "functions", feature = "model"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// To what exists inside of the allowed places, without links.
    Inside(PathBuf),
    /// Out of them. Whether something exists there is not known, and links there are not resolved.
    Outside(PathBuf),
}

/// The error of a path that goes through more than [`MAX_LINKS`] links.
#[cfg(any(feature = "functions", feature = "model"))]
#[derive(Debug)]
struct TooManyLinks;

#[cfg(any(feature = "functions", feature = "model"))]
impl fmt::Display for TooManyLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many links on the way to it")
    }
}

#[cfg(any(feature = "functions", feature = "model"))]
impl std::error::Error for TooManyLinks {}

/// Whether an error means that a path goes through too many links.
#[cfg(feature = "functions")]
pub(crate) fn has_too_many_links(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ELOOP) {
        return true;
    }
    error.get_ref().is_some_and(|inner| inner.is::<TooManyLinks>())
}

/// Returns where a path leads, as far as it stays in the places that `is_inside` allows. Nothing outside
/// is looked up, so the answer does not tell what exists there.
///
/// `start` is a directory without links, and `above` are directories without links that are known to
/// exist, with all directories around them. A relative path begins at `start`.
///
/// # Errors
/// Nothing inside has the path, or the system refuses. Cost: one query for each part of the path and of
/// the links.
#[cfg(any(feature = "functions", feature = "model"))]
pub(crate) fn resolve_inside(
    start: &Path,
    path: &Path,
    above: &[&Path],
    is_inside: &dyn Fn(&Path) -> bool,
) -> io::Result<Resolved> {
    let mut found = start.to_owned();
    // The next part is the last one.
    let mut rest: Vec<PathBuf> = vec![path.to_owned()];
    let mut links = 0;
    while let Some(path) = rest.pop() {
        let mut parts = path.components();
        let Some(part) = parts.next() else { continue };
        let after = parts.as_path();
        match part {
            Component::Prefix(_) | Component::RootDir => {
                // The name of a volume has several forms.
                let mut names = path.components();
                let is_volume =
                    |it: &Component<'_>| matches!(it, Component::Prefix(_) | Component::RootDir);
                let volume: PathBuf = path.components().take_while(is_volume).collect();
                names.by_ref().take(volume.components().count()).for_each(drop);
                rest.push(names.as_path().to_owned());
                found = volume.canonicalize()?;
                continue;
            }
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            Component::Normal(name) => {
                found.push(name);
                if !above.iter().any(|known| known.starts_with(&found)) {
                    if !is_inside(&found) {
                        let rest = rest.iter().rev().map(PathBuf::as_path);
                        let parts = [after].into_iter().chain(rest);
                        // An empty part would add a separator.
                        found.extend(parts.filter(|part| !part.as_os_str().is_empty()));
                        return Ok(Resolved::Outside(found));
                    }
                    if fs::symlink_metadata(&found)?.is_symlink() {
                        links += 1;
                        if links > MAX_LINKS {
                            return Err(io::Error::other(TooManyLinks));
                        }
                        let target = fs::read_link(&found)?;
                        found.pop();
                        rest.push(after.to_owned());
                        rest.push(target);
                        continue;
                    }
                }
            }
        }
        rest.push(after.to_owned());
    }
    Ok(if is_inside(&found) { Resolved::Inside(found) } else { Resolved::Outside(found) })
}

/// Which kinds of files a path may lead to, and how many bytes of one are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    is_named: bool,
    /// Whether a directory listing reported a regular file.
    is_regular: bool,
    limit: u64,
}

impl Access {
    /// A file that the user has named: a regular file, a pipe, a terminal or the null device. Opening a
    /// pipe waits for a writer. Other devices may have no end.
    pub const NAMED: Self = Self { is_named: true, is_regular: false, limit: MAX_LEN as u64 };

    /// A file that was found in a directory, or that another file names: only a regular file.
    /// Opening and reading it never waits.
    pub const FOUND: Self = Self { is_named: false, is_regular: false, limit: MAX_LEN as u64 };

    /// Sets the number of bytes that the file may have, at most [`MAX_LEN`].
    #[must_use]
    pub const fn with_limit(mut self, bytes: u64) -> Self {
        self.limit = if bytes < MAX_LEN as u64 { bytes } else { MAX_LEN as u64 };
        self
    }

    /// Has the kind of the file not looked up before it is opened: a directory listing reported a regular
    /// file. It is still checked once it is open.
    #[cfg(feature = "model")]
    #[must_use]
    pub fn listed_as_regular(self) -> Self {
        Self { is_regular: true, ..self }
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`SourceError::Io`]: it does not exist or cannot be opened. [`SourceError::Directory`].
    /// [`SourceError::SpecialFile`]. The length is checked when it is read. Cost: one `open`, two `stat`.
    pub fn open(self, path: impl AsRef<Path>) -> Result<OpenFile, SourceError> {
        let path = path.as_ref();
        let mut options = OpenOptions::new();
        options.read(true);
        if !self.is_named {
            // Opening a device may already have an effect.
            if !self.is_regular {
                self.check(&fs::metadata(path).map_err(SourceError::Io)?)?;
            }
            // It may have become a pipe since.
            without_waiting(&mut options);
        } else if fs::metadata(path).is_ok_and(|found| found.is_file()) {
            // Reading some files of the kernel waits for what it will tell.
            without_waiting(&mut options);
        }
        let file = options.open(path).map_err(|error| match fs::metadata(path) {
            Ok(found) if found.is_dir() => SourceError::Directory,
            _ => SourceError::Io(error),
        })?;
        let metadata = file.metadata().map_err(SourceError::Io)?;
        self.check(&metadata)?;
        if may_be_endless(&metadata) && !file.is_terminal() {
            return Err(SourceError::SpecialFile);
        }
        let stamp = metadata.is_file().then(|| Stamp::of(&metadata));
        Ok(OpenFile { file, stamp, access: self })
    }

    fn check(self, metadata: &Metadata) -> Result<(), SourceError> {
        if metadata.is_dir() {
            return Err(SourceError::Directory);
        }
        if !self.is_named && !metadata.is_file() {
            return Err(SourceError::SpecialFile);
        }
        Ok(())
    }
}

/// Whether a file is a device, but not that which is always empty.
fn may_be_endless(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let kind = metadata.file_type();
        let is_null = || fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev());
        kind.is_block_device() || kind.is_char_device() && !is_null()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Has opening and reading fail instead of wait.
fn without_waiting(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    #[cfg(not(unix))]
    let _ = options;
}

/// A file that is open for reading.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    stamp: Option<Stamp>,
    access: Access,
}

impl OpenFile {
    /// Returns the stamp of a regular file when it was opened; `None` for a pipe or a device.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Returns the file, to be read as a stream.
    #[must_use]
    pub fn into_file(self) -> File {
        self.file
    }

    /// Returns all bytes of the file.
    ///
    /// # Errors
    /// As [`OpenFile::read_into`].
    pub fn read(self) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        self.read_into(&mut bytes)?;
        Ok(bytes)
    }

    /// Replaces the content of `bytes` by all bytes of the file.
    ///
    /// # Errors
    /// [`SourceError::Io`]: reading fails. [`SourceError::TooLarge`]: it has more bytes than the
    /// limit. [`SourceError::Endless`]: a regular file has many more bytes than its length.
    pub fn read_into(mut self, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let expected = self.expected_len()?.unwrap_or(0);
        bytes.clear();
        bytes.try_reserve_exact(expected + 1).map_err(|_| out_of_memory())?;
        self.bounds().read_to_end(&mut self.file, bytes)
    }

    /// The length of a regular file.
    pub(crate) fn expected_len(&self) -> Result<Option<usize>, SourceError> {
        let Some(stamp) = self.stamp else { return Ok(None) };
        let limit = self.access.limit;
        match usize::try_from(stamp.len) {
            Ok(len) if stamp.len <= limit => Ok(Some(len)),
            _ => Err(SourceError::TooLarge { len: stamp.len, limit }),
        }
    }

    /// How many bytes are read.
    pub(crate) fn bounds(&self) -> Bounds {
        let limit = self.access.limit;
        match self.stamp {
            Some(stamp) => Bounds { most: stamp.len.saturating_add(MAX_GROWTH), limit },
            None => Bounds { most: limit, limit },
        }
    }

    #[cfg(feature = "mmap")]
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

/// How many bytes are read of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// A file with more bytes has no end.
    most: u64,
    /// A file with more bytes is too large.
    limit: u64,
}

impl Bounds {
    /// Any file.
    pub(crate) const ANY: Self = Self { most: MAX_LEN as u64, limit: MAX_LEN as u64 };

    /// Reads the rest of a file, whose start is in `bytes`.
    pub(crate) fn read_to_end(
        self,
        reader: impl Read,
        bytes: &mut Vec<u8>,
    ) -> Result<(), SourceError> {
        let Self { most, limit } = self;
        let room = (most.min(limit) + 1).saturating_sub(bytes.len() as u64);
        reader.take(room).read_to_end(bytes).map_err(SourceError::Io)?;
        match bytes.len() as u64 {
            len if len > limit => Err(SourceError::TooLarge { len, limit }),
            len if len > most => Err(SourceError::Endless),
            _ => Ok(()),
        }
    }
}

fn out_of_memory() -> SourceError {
    SourceError::Io(io::ErrorKind::OutOfMemory.into())
}

/// The identity, size and times of a file: if they are the same later, the file has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// The device, the number of the file, and when either its content or its attributes were
    /// changed.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl Stamp {
    /// Returns the stamp of a file.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// The error of a source that could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// An error of the operating system: no such file, no permission, a failed read.
    Io(io::Error),
    /// The path names a directory.
    Directory,
    /// The path is a device that may have no end, or a pipe, a socket or a device that the user has not
    /// named explicitly.
    SpecialFile,
    /// The path is a link to a file outside of the directories that the user has named, see
    /// `directory::Roots`.
    Outside {
        /// The file that it leads to.
        target: PathBuf,
    },
    /// It is encrypted by git-crypt.
    Encrypted,
    /// A regular file has many more bytes than its length, as some files of `/proc` do.
    Endless,
    /// The source is longer than a limit, [`MAX_LEN`] or less.
    TooLarge {
        /// Its length in bytes, or the length known so far.
        len: u64,
        /// The number of bytes that it may have.
        limit: u64,
    },
}

impl SourceError {
    /// Whether no file has this path.
    pub(crate) fn is_missing(&self) -> bool {
        use io::ErrorKind::{NotADirectory, NotFound, Unsupported};
        matches!(self, Self::Io(error) if matches!(error.kind(), NotFound | NotADirectory | Unsupported))
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Directory => f.write_str("it is a directory"),
            Self::SpecialFile => {
                f.write_str("not a regular file, but a pipe, a socket or a device")
            }
            Self::Outside { target } => {
                write!(f, "it leads to {}, outside of the given paths", target.display())
            }
            Self::Encrypted => f.write_str("it is encrypted by git-crypt; run git-crypt unlock"),
            Self::Endless => f.write_str("it has many more bytes than its length"),
            Self::TooLarge { len, limit } if *limit == MAX_LEN as u64 => {
                write!(f, "it has {len} bytes, and a source has at most {MAX_LEN}")
            }
            Self::TooLarge { limit, .. } => write!(f, "it has more than {limit} bytes"),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

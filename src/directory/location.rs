//! Where a file or a directory is: in the file system, or in memory.
//!
//! A path in memory (in an archive, a git tree, a browser) has a type of its own. It is not a
//! [`Path`] and cannot become one, so nothing that opens, writes or compares files of the file
//! system accepts it: whatever an archive names its files, no real file is meant.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use crate::arena::Arena;
use crate::relative::{is_absolute, join};
use crate::source::{Source, SourceError};

/// The separator of the paths that a walk returns.
const SEPARATOR: u8 = {
    assert!(MAIN_SEPARATOR.is_ascii());
    MAIN_SEPARATOR as u8
};

/// The number of links that a path in memory may go through.
const MOST_LINKS: usize = 40;

/// The place of a file or a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// A path of the file system.
    Disk(PathBuf),
    /// A path in memory, which names nothing in the file system.
    Memory(MemoryPath),
}

impl Location {
    /// The path in the file system; `None` for a place in memory.
    #[must_use]
    pub fn disk(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) => Some(path),
            Self::Memory(_) => None,
        }
    }

    /// The path in memory; `None` for a place in the file system.
    #[must_use]
    pub fn memory(&self) -> Option<&MemoryPath> {
        match self {
            Self::Disk(_) => None,
            Self::Memory(path) => Some(path),
        }
    }

    /// The text that names the place in messages, lossily decoded if it is not UTF-8.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        match self {
            Self::Disk(path) => path.to_string_lossy(),
            Self::Memory(path) => path.to_string().into(),
        }
    }

    /// The last part of the path.
    #[must_use]
    pub fn file_name(&self) -> Option<&OsStr> {
        match self {
            Self::Disk(path) => path.file_name(),
            Self::Memory(path) => path.name().map(OsStr::new),
        }
    }

    /// The directory around it; `None` if the path has one part at most.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        match self {
            Self::Disk(path) => path.parent().map(|path| Self::Disk(path.to_owned())),
            Self::Memory(path) => path.parent().map(Self::Memory),
        }
    }

    /// The bytes of the path, without the name of what it is in memory of.
    pub(super) fn as_encoded_bytes(&self) -> &[u8] {
        match self {
            Self::Disk(path) => path.as_os_str().as_encoded_bytes(),
            Self::Memory(path) => path.path.as_bytes(),
        }
    }

    /// The byte between the parts of its path.
    pub(super) fn separator(&self) -> u8 {
        match self {
            Self::Disk(_) => SEPARATOR,
            Self::Memory(_) => b'/',
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(path) => path.display().fmt(f),
            Self::Memory(path) => path.fmt(f),
        }
    }
}

/// Whether it is this path of the file system, by its text.
impl PartialEq<Path> for Location {
    fn eq(&self, other: &Path) -> bool {
        self.disk() == Some(other)
    }
}

/// Whether it is this path of the file system, by its text.
impl PartialEq<PathBuf> for Location {
    fn eq(&self, other: &PathBuf) -> bool {
        *self == **other
    }
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Self::Disk(path)
    }
}

impl From<&Path> for Location {
    fn from(path: &Path) -> Self {
        Self::Disk(path.to_owned())
    }
}

impl From<MemoryPath> for Location {
    fn from(path: MemoryPath) -> Self {
        Self::Memory(path)
    }
}

/// The files of an archive, a git tree or a browser, by their paths.
///
/// ```
/// use simd_hcl::directory::MemoryFiles;
///
/// let mut files = MemoryFiles::new("plan.tfplan");
/// assert!(files.insert("./net//main.tf", (*b"").into()).is_ok());
/// for path in ["../main.tf", "/etc/main.tf", "C:/main.tf", "\\\\host\\main.tf", "net/"] {
///     assert!(files.insert(path, (*b"").into()).is_err(), "{path}");
/// }
/// let directory = files.into_root().join("net");
/// assert_eq!(directory.to_string(), "plan.tfplan/net");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles {
    name: String,
    files: BTreeMap<String, Arc<[u8]>>,
    /// Where links to directories lead.
    links: BTreeMap<String, String>,
}

impl MemoryFiles {
    /// Returns an empty set of files. Messages show `name` before each path; it may be empty, or end
    /// with a colon, like a revision.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a file. Its path has `/` between its parts; `.` and empty parts are left out. A file
    /// that is added twice has its last content.
    ///
    /// # Errors
    /// The path names no file below the root of these files.
    pub fn insert(&mut self, path: &str, content: Arc<[u8]>) -> Result<(), InvalidPath> {
        let path = InvalidPath::unless_below(path)?;
        self.files.insert(path, content);
        Ok(())
    }

    /// The bytes of all paths and files.
    #[cfg(feature = "rules")]
    pub(crate) fn size(&self) -> usize {
        self.files.iter().map(|(path, content)| path.len() + content.len()).sum()
    }

    /// Adds a link to a directory: what is called below `path` is read below `target`, both from the
    /// root of these files. Links are not searched for modules, as in the file system.
    ///
    /// # Errors
    /// A path leads out of the root of these files.
    pub fn link(&mut self, path: &str, target: &str) -> Result<(), InvalidPath> {
        let path = InvalidPath::unless_below(path)?;
        let target = match target {
            "" | "." => String::new(),
            target => InvalidPath::unless_below(target)?,
        };
        self.links.insert(path, target);
        Ok(())
    }

    /// Where a path leads: itself, unless it goes through a link.
    fn real<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let mut path = Cow::Borrowed(path);
        // A link may lead to another one, or to itself.
        for _ in 0..MOST_LINKS {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let mut links = ends.filter_map(|end| Some((end, self.links.get(&path[..end])?)));
            let Some((end, target)) = links.next() else { break };
            path = Cow::Owned(join(target, &path[end..]));
        }
        path
    }

    /// The paths of the files, sorted by their bytes.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the path of their root, which shares them.
    #[must_use]
    pub fn into_root(self) -> MemoryPath {
        MemoryPath { files: Arc::new(self), path: String::new() }
    }
}

/// The reason why a text cannot be the path of a file in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidPath {
    /// It names no file: it is empty, or ends with a separator.
    Nameless,
    /// It is absolute, or starts with a drive.
    Absolute,
    /// It has a part `..`.
    Upward,
    /// It has a backslash, which separates parts of a path only in Windows, or a NUL byte.
    Character,
}

impl InvalidPath {
    /// Returns a relative path in its plain form.
    fn unless_below(path: &str) -> Result<String, Self> {
        if is_absolute(path) {
            return Err(Self::Absolute);
        }
        if path.contains(['\\', '\0']) {
            return Err(Self::Character);
        }
        if path.split('/').any(|part| part == "..") {
            return Err(Self::Upward);
        }
        match path.rsplit('/').next() {
            None | Some("" | ".") => Err(Self::Nameless),
            Some(_) => Ok(join("", path)),
        }
    }
}

impl fmt::Display for InvalidPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nameless => "the path names no file",
            Self::Absolute => "the path is absolute, or starts with a drive",
            Self::Upward => "the path has a part `..`",
            Self::Character => "the path has a backslash or a NUL byte",
        })
    }
}

impl std::error::Error for InvalidPath {}

/// A path in [`MemoryFiles`]. Equal paths are those of the same files.
#[derive(Clone)]
pub struct MemoryPath {
    files: Arc<MemoryFiles>,
    /// Without `.`; `..` only at its start, where nothing is. Empty for the root.
    path: String,
}

impl MemoryPath {
    /// Returns a path from this directory, with either separator between its parts. A path that
    /// leads out of the root names nothing.
    #[must_use]
    pub fn join(&self, relative: &str) -> Self {
        Self { files: Arc::clone(&self.files), path: join(&self.path, relative) }
    }

    /// The content; `None` if there is no such file.
    #[must_use]
    pub fn content(&self) -> Option<&Arc<[u8]>> {
        let files = &self.files.files;
        files.get(&self.path).or_else(|| files.get(&*self.files.real(&self.path)))
    }

    /// The path from the root, with `/` between its parts; empty for the root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// The same place without links.
    pub(crate) fn real(&self) -> Self {
        let path = self.files.real(&self.path).into_owned();
        Self { files: Arc::clone(&self.files), path }
    }

    /// The last part of the path; `None` for the root.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.path.rsplit('/').next().filter(|name| !name.is_empty() && *name != "..")
    }

    /// The directory around it; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.name().map(|_| self.join(".."))
    }

    /// The parts of its path below the root.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter(|part| !part.is_empty())
    }

    /// The root of its files.
    pub(crate) fn root(&self) -> Self {
        Self { files: Arc::clone(&self.files), path: String::new() }
    }

    /// Whether there are files below it.
    pub(crate) fn is_directory(&self) -> bool {
        self.below().next().is_some()
    }

    /// The names in a directory, and whether each is a directory. Cost: linear in the files below.
    pub(crate) fn entries(&self) -> BTreeMap<String, bool> {
        let entries = self.below().map(|path| match path.split_once('/') {
            Some((name, _)) => (name.to_owned(), true),
            None => (path.to_owned(), false),
        });
        entries.collect()
    }

    /// Returns the content as a source.
    ///
    /// # Errors
    /// There is no such file, or it is too long.
    pub(crate) fn source<'a>(&self, arena: &'a Arena) -> Result<Source<'a>, SourceError> {
        match self.content() {
            Some(content) => Source::copy_from(arena, &self.to_string(), content),
            None => Err(SourceError::Io(io::ErrorKind::NotFound.into())),
        }
    }

    /// The paths of the files in this directory and below, relative to it.
    pub(super) fn below(&self) -> impl Iterator<Item = &str> {
        let path = self.files.real(&self.path);
        let start = if path.is_empty() { String::new() } else { format!("{path}/") };
        let files = self.files.files.range(start.clone()..);
        files.map_while(move |(path, _)| path.strip_prefix(&start))
    }
}

impl PartialEq for MemoryPath {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && Arc::ptr_eq(&self.files, &other.files)
    }
}

impl Eq for MemoryPath {}

impl Hash for MemoryPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.hash(state);
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.files.name, &*self.path) {
            ("", "") => f.write_str("."),
            ("", path) => f.write_str(path),
            (name, "") => f.write_str(name),
            (name, path) if name.ends_with(':') => write!(f, "{name}{path}"),
            (name, path) => write!(f, "{name}/{path}"),
        }
    }
}

impl fmt::Debug for MemoryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryPath({:?})", self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(paths: &[&str]) -> MemoryPath {
        let mut files = MemoryFiles::new("plan");
        for path in paths {
            files.insert(path, (*b"").into()).unwrap();
        }
        files.into_root()
    }

    #[test]
    fn paths_are_below_the_root_or_refused() {
        for (path, wrong) in [
            ("", InvalidPath::Nameless),
            ("a/", InvalidPath::Nameless),
            ("a/.", InvalidPath::Nameless),
            ("..", InvalidPath::Upward),
            ("a/../b", InvalidPath::Upward),
            ("/a", InvalidPath::Absolute),
            ("//host/a", InvalidPath::Absolute),
            ("\\\\host\\a", InvalidPath::Absolute),
            ("c:a", InvalidPath::Absolute),
            ("C:\\a", InvalidPath::Absolute),
            ("a\\..\\b", InvalidPath::Character),
            ("a\0b", InvalidPath::Character),
        ] {
            let added = MemoryFiles::new("").insert(path, (*b"").into());
            assert_eq!(added, Err(wrong), "{path:?}");
        }
        for (path, plain) in [("./a", "a"), ("a//b/./c", "a/b/c"), ("...", "..."), ("ab:c", "ab:c")]
        {
            let mut files = MemoryFiles::new("");
            files.insert(path, (*b"").into()).unwrap();
            assert!(files.paths().eq([plain]), "{path:?}");
        }
    }

    #[test]
    fn joined_paths_are_plain() {
        let root = root(&["a/main.tf"]);
        for (relative, expected) in [
            ("a/./b", "plan/a/b"),
            (".\\a\\..\\b", "plan/b"),
            ("a/..", "plan"),
            ("../a", "plan/../a"),
            ("a/../../../b", "plan/../../b"),
            ("/etc", "plan/etc"),
        ] {
            assert_eq!(root.join(relative).to_string(), expected, "{relative}");
        }
        assert!(root.join("x").join("../a/main.tf").content().is_some());
        assert!(root.join("../a/main.tf").content().is_none());
        assert_eq!(root.join("a").parent(), Some(root.clone()));
        assert_eq!(root.parent(), None);
        // Other files of the same name.
        assert_ne!(root, self::root(&["a/main.tf"]));
    }

    #[test]
    fn links_to_directories() {
        let mut files = MemoryFiles::new("HEAD:");
        files.insert("shared/net/main.tf", (*b"x").into()).unwrap();
        for (path, target) in
            [("app/net", "shared/net"), ("app/s", "shared"), ("top", "."), ("a", "b"), ("b", "a")]
        {
            files.link(path, target).unwrap();
        }
        for target in ["..", "/etc", "a/../..", "C:/x"] {
            assert!(files.link("x", target).is_err(), "{target}");
        }
        let root = files.into_root();
        for path in ["app/net", "app/s/net", "top/app/net", "top/top/shared/net"] {
            let directory = root.join(path);
            assert!(directory.join("main.tf").content().is_some(), "{path}");
            assert!(directory.below().eq(["main.tf"]), "{path}");
            assert_eq!(directory.real().as_str(), "shared/net");
        }
        // Two links that lead to each other lead nowhere.
        assert!(root.join("a/main.tf").content().is_none());
        assert_eq!(root.join("app/x").to_string(), "HEAD:app/x");
    }

    #[test]
    fn files_below_directories() {
        let root = root(&["a/main.tf", "a/x/y.tf", "ab/z.tf", "a.tf"]);
        let below = |path: &str| root.join(path).below().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(below("a"), ["main.tf", "x/y.tf"]);
        assert_eq!(below(""), ["a.tf", "a/main.tf", "a/x/y.tf", "ab/z.tf"]);
        assert!(below("b").is_empty() && below("..").is_empty());
    }
}

//! The folders and files of a tree, and what stacks would generate in it.
//!
//! Paths are absolute, have `/` between their names, and are clean. Each folder is listed once. A
//! path is read only if it is in one of the directories that the user has named or in the git work
//! tree around them, without links as well as with them; elsewhere nothing is looked up.
//!
//! Folders that a stack would generate are *mounts*: what lies in their source lies there, too.
//!
//! Instead of the file system, [`Files`] may have the tree: that of an older revision.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::arena::Arena;
use crate::directory::Roots;
use crate::functions::paths::{base, clean, directory, join, relative};
use crate::functions::{FileEntry, FileError, FileKind, Files};
use crate::hash::{HashMap, HashSet};
use crate::source::{Access, OpenFile, Source, SourceError};

/// A path with `/` between its names.
pub(super) fn slashed(path: &str) -> String {
    if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace('\\', "/") }
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Special,
}

/// The entries of a folder, sorted by name.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Vec<(String, Entry)>,
    /// Why it could not be listed.
    pub(super) problem: Option<String>,
    /// Whether it may be read.
    is_inside: bool,
}

impl Listing {
    pub(super) fn get(&self, name: &str) -> Option<Entry> {
        let found = self.entries.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        Some(self.entries[found].1)
    }
}

/// Where folders and files are.
enum Store<'a> {
    /// In the file system.
    System {
        roots: Roots,
        follows_links: bool,
        /// The first folder of the search: as given, and as an absolute path.
        given: (PathBuf, String),
        /// The working directory, if the first folder is a path from it that has no links.
        working: Option<String>,
    },
    /// In these files, below a folder.
    Files(&'a dyn Files, String),
}

/// The folders and files that may be read.
pub(super) struct Disk<'a> {
    arena: &'a Arena,
    store: Store<'a>,
    listings: Mutex<HashMap<String, Arc<Listing>>>,
    mounts: Mutex<Mounts>,
}

/// Folders that stacks would generate.
#[derive(Default)]
struct Mounts {
    /// By folder: where its content comes from.
    sources: HashMap<String, String>,
    /// By folder: the names of generated folders in it.
    children: HashMap<String, Vec<String>>,
    /// Where the content of some comes from.
    used: HashSet<String>,
}

impl<'a> Disk<'a> {
    /// Returns the files around some paths, of which the first one is searched.
    pub(super) fn new(
        arena: &'a Arena,
        given: &Path,
        real: &str,
        roots: Roots,
        follows_links: bool,
    ) -> Self {
        let here = Path::new(".").canonicalize().ok();
        let here = here.as_deref().and_then(Path::to_str).map(slashed);
        let working = here.filter(|here| {
            given.is_relative()
                && given.to_str().is_some_and(|given| join(here, &slashed(given)) == real)
        });
        let given = (given.to_owned(), real.to_owned());
        Self::of(arena, Store::System { roots, follows_links, given, working })
    }

    /// Returns the files below a folder that are not in the file system. Their paths are absolute.
    pub(super) fn of_files(arena: &'a Arena, files: &'a dyn Files, top: &str) -> Self {
        Self::of(arena, Store::Files(files, clean(top)))
    }

    fn of(arena: &'a Arena, store: Store<'a>) -> Self {
        Self { arena, store, listings: Mutex::default(), mounts: Mutex::default() }
    }

    /// Why files seem to be outside of the folders that may be read.
    pub(super) fn problem(&self) -> Option<&str> {
        match &self.store {
            Store::System { roots, .. } => roots.problem(),
            Store::Files(..) => None,
        }
    }

    /// Has a folder contain what another one contains.
    pub(super) fn mount(&self, folder: &str, source: &str) {
        let source = self.real(source);
        let mut mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        mounts.used.insert(source.clone());
        mounts.sources.insert(folder.to_owned(), source);
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = folder.to_owned();
        loop {
            let above = directory(&child);
            let names = mounts.children.entry(above.clone()).or_default();
            let name = base(&child);
            if names.iter().any(|known| known == name) {
                break;
            }
            names.push(name.to_owned());
            listings.remove(&above);
            if above == "/" {
                break;
            }
            child = above;
        }
        listings.retain(|path, _| path != folder && !path.starts_with(&format!("{folder}/")));
    }

    /// Whether stacks generate folders from a folder.
    pub(super) fn is_mounted(&self, folder: &str) -> bool {
        self.mounts.lock().unwrap_or_else(PoisonError::into_inner).used.contains(folder)
    }

    /// Whether a folder is one that a stack would generate, or below one.
    pub(super) fn is_generated(&self, path: &str) -> bool {
        self.real(path) != path
    }

    /// Where the content of a path is in the file system.
    pub(super) fn real(&self, path: &str) -> String {
        let mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        if mounts.sources.is_empty() {
            return path.to_owned();
        }
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let mut ends: Vec<usize> = ends.filter(|end| *end > 0).collect();
        ends.reverse();
        for end in ends {
            if let Some(source) = mounts.sources.get(&path[..end]) {
                return format!("{source}{}", &path[end..]);
            }
        }
        path.to_owned()
    }

    /// The entries of a folder.
    pub(super) fn list(&self, folder: &str) -> Arc<Listing> {
        let known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(folder) {
            return Arc::clone(listing);
        }
        // A folder in a folder that may be read may be read, if it is not a link.
        let name = base(folder);
        let above = known.get(&directory(folder.trim_end_matches('/'))).cloned();
        drop(known);
        let real = self.real(folder);
        let is_known = above.is_some_and(|it| {
            it.is_inside && it.get(name) == Some(Entry::Folder) && real == folder
        });
        let listing = Arc::new(self.read_listing(folder, &real, is_known));
        let mut known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), Arc::clone(&listing));
        listing
    }

    fn read_listing(&self, folder: &str, real: &str, is_known: bool) -> Listing {
        let mut listing = match &self.store {
            Store::System { roots, follows_links, .. } => {
                let may_read = match is_known || *follows_links {
                    true => Ok(true),
                    false => may_read(roots, Path::new(real)),
                };
                of_system(real, may_read)
            }
            Store::Files(files, _) => of_files(*files, real),
        };
        let mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = mounts.children.get(folder) {
            listing.is_inside = true;
            listing.entries.retain(|(name, _)| !names.contains(name));
            listing.entries.extend(names.iter().map(|name| (name.clone(), Entry::Folder)));
        }
        drop(mounts);
        listing.entries.sort_by(|one, other| one.0.cmp(&other.0));
        listing
    }

    /// What an entry is, without following it; `None` if it does not exist, or must not be read.
    pub(super) fn entry(&self, path: &str) -> Option<Entry> {
        if path == "/" {
            return Some(Entry::Folder);
        }
        self.list(&directory(path)).get(base(path))
    }

    /// What a path leads to.
    ///
    /// # Errors
    /// It does not exist, or must not be read.
    pub(super) fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        let above = self.list(&directory(path));
        match above.get(base(path)) {
            Some(Entry::File) => Ok(FileKind::File),
            Some(Entry::Folder) => Ok(FileKind::Directory),
            Some(Entry::Special) => Ok(FileKind::Special),
            Some(Entry::Link) => {
                let real = self.real(path);
                let metadata = fs::metadata(&real)?;
                if let Store::System { roots, follows_links: false, .. } = &self.store
                    && !may_read(roots, Path::new(&real))?
                {
                    return Err(FileError::Outside);
                }
                Ok(if metadata.is_dir() {
                    FileKind::Directory
                } else if metadata.is_file() {
                    FileKind::File
                } else {
                    FileKind::Special
                })
            }
            None if path == "/" => Ok(FileKind::Directory),
            None if above.problem.is_some() => {
                let problem = above.problem.clone().unwrap_or_default();
                Err(FileError::Io(io::Error::other(problem)))
            }
            None if !above.is_inside && above.entries.is_empty() => Err(FileError::Outside),
            None => Err(FileError::Missing),
        }
    }

    pub(super) fn is_file(&self, path: &str) -> bool {
        matches!(self.kind(path), Ok(FileKind::File))
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        matches!(self.kind(path), Ok(FileKind::Directory))
    }

    /// Returns the content of a file, at most `limit` bytes.
    ///
    /// # Errors
    /// It does not exist, must not be read, is not a regular file or is too large.
    pub(super) fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, FileError> {
        match self.kind(path)? {
            FileKind::File => {}
            kind => return Err(FileError::Kind(kind)),
        }
        if let Store::Files(files, _) = &self.store {
            let bytes = files.read(&self.real(path))?;
            return match bytes.len() as u64 > limit {
                true => Err(FileError::TooLarge(limit)),
                false => Ok(bytes),
            };
        }
        let access = Access::FOUND.with_limit(limit);
        access.open(self.real(path)).and_then(OpenFile::read).map_err(|error| match error {
            SourceError::Io(error) => error.into(),
            SourceError::TooLarge { limit, .. } => FileError::TooLarge(limit),
            SourceError::Directory => FileError::Kind(FileKind::Directory),
            SourceError::Outside { .. } => FileError::Outside,
            _ => FileError::Kind(FileKind::Special),
        })
    }

    /// Returns a file as a source, whose name is its path as the user would write it.
    ///
    /// # Errors
    /// As [`Disk::read`].
    pub(super) fn source(&self, path: &str) -> Result<Source<'a>, FileError> {
        match self.kind(path)? {
            FileKind::File => {}
            kind => return Err(FileError::Kind(kind)),
        }
        let real = self.real(path);
        let source = match &self.store {
            Store::System { .. } => Source::read_as(self.arena, &self.named(&real), Access::FOUND),
            Store::Files(files, _) => {
                let name = self.named(&real);
                Source::copy_from(self.arena, &name.to_string_lossy(), &files.read(&real)?)
            }
        };
        source.map_err(|error| match error {
            SourceError::Io(error) => error.into(),
            SourceError::TooLarge { limit, .. } => FileError::TooLarge(limit),
            _ => FileError::Kind(FileKind::Special),
        })
    }

    /// An absolute path as the user would write it.
    pub(super) fn named(&self, real: &str) -> PathBuf {
        match &self.store {
            Store::System { working: Some(working), .. } => {
                PathBuf::from(relative(working, real).unwrap_or_else(|| real.to_owned()))
            }
            Store::System { given, .. } => {
                let rest = real.strip_prefix(&given.1);
                match rest.and_then(|rest| rest.strip_prefix('/')) {
                    Some(rest) => given.0.join(rest),
                    None => PathBuf::from(real),
                }
            }
            Store::Files(_, top) => {
                PathBuf::from(relative(top, real).unwrap_or_else(|| real.to_owned()))
            }
        }
    }

    /// The entries of a folder, for functions.
    ///
    /// # Errors
    /// It does not exist, must not be read, or is not a folder.
    pub(super) fn entries(&self, folder: &str) -> Result<Vec<FileEntry>, FileError> {
        match self.kind(folder)? {
            FileKind::Directory => {}
            kind => return Err(FileError::Kind(kind)),
        }
        let listing = self.list(folder);
        if let Some(problem) = &listing.problem {
            return Err(FileError::Io(io::Error::other(problem.clone())));
        }
        let entry = |(name, _): &(String, Entry)| {
            FileEntry::new(name.clone(), self.kind(&join(folder, name)))
        };
        Ok(listing.entries.iter().map(entry).collect())
    }

    /// Returns a path without links, as far as it exists.
    pub(super) fn resolve(&self, path: &str) -> String {
        let mut ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).skip(1).collect();
        ends.push(path.len());
        for end in ends {
            let part = &path[..end];
            if self.entry(part) == Some(Entry::Link)
                && let Ok(real) = Path::new(&self.real(part)).canonicalize()
                && let Some(real) = real.to_str()
            {
                return join(real, &path[end..]);
            }
        }
        path.to_owned()
    }

    /// The files of a module below a folder that Terragrunt tracks, and the folders.
    pub(super) fn module_files(&self, folder: &str) -> Vec<String> {
        let mut files = Vec::new();
        // A link is not walked.
        if self.entry(folder) != Some(Entry::Folder) {
            return files;
        }
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for (name, entry) in &self.list(&folder).entries {
                match entry {
                    Entry::Folder if super::names::is_skipped(name) => {}
                    Entry::Folder => open.push(join(&folder, name)),
                    _ if super::names::is_module_file(name) => files.push(join(&folder, name)),
                    _ => {}
                }
            }
        }
        files
    }

    /// The git work tree around a folder.
    pub(super) fn work_tree(&self, folder: &str) -> Option<String> {
        if let Store::Files(_, top) = &self.store {
            return is_below(folder, top).then(|| top.clone());
        }
        let mut folder = folder.to_owned();
        loop {
            if self.list(&folder).get(".git").is_some() {
                return Some(folder);
            }
            let above = directory(&folder);
            if above == folder {
                return None;
            }
            folder = above;
        }
    }
}

/// Whether a path is in one of the directories that may be read.
fn may_read(roots: &Roots, path: &Path) -> io::Result<bool> {
    // What does not exist is where the folder around it is.
    for path in path.ancestors() {
        match path.canonicalize() {
            Ok(real) => return Ok(roots.contains(&real)),
            Err(error) if FileError::is_absence(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// Lists a folder of the file system.
fn of_system(real: &str, may_read: io::Result<bool>) -> Listing {
    let mut listing = Listing { is_inside: true, ..Listing::default() };
    match may_read {
        Ok(true) => {}
        Ok(false) => return Listing::default(),
        Err(error) => {
            listing.problem = Some(error.to_string());
            return listing;
        }
    }
    match fs::read_dir(real) {
        Ok(entries) => {
            for entry in entries {
                let typed = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
                match typed {
                    Ok((kind, entry)) => {
                        let Ok(name) = entry.file_name().into_string() else {
                            listing.problem = Some("a name in it is not UTF-8 text".to_owned());
                            continue;
                        };
                        let kind = match kind {
                            kind if kind.is_dir() => Entry::Folder,
                            kind if kind.is_file() => Entry::File,
                            kind if kind.is_symlink() => Entry::Link,
                            _ => Entry::Special,
                        };
                        listing.entries.push((name, kind));
                    }
                    Err(error) => listing.problem = Some(error.to_string()),
                }
            }
        }
        Err(error) if FileError::is_absence(&error) => {}
        Err(error) => listing.problem = Some(error.to_string()),
    }
    listing
}

/// Lists a folder of files that are not in the file system. Their links are followed.
fn of_files(files: &dyn Files, real: &str) -> Listing {
    let mut listing = Listing { is_inside: true, ..Listing::default() };
    match files.entries(real) {
        Ok(entries) => {
            listing.entries = entries
                .into_iter()
                .map(|entry| match entry.kind {
                    Ok(FileKind::File) => (entry.name, Entry::File),
                    Ok(FileKind::Directory) => (entry.name, Entry::Folder),
                    Ok(FileKind::Special) | Err(_) => (entry.name, Entry::Special),
                })
                .collect();
        }
        Err(FileError::Outside) => listing.is_inside = false,
        Err(FileError::Missing | FileError::Kind(_)) => {}
        Err(error) => listing.problem = Some(error.to_string()),
    }
    listing
}

/// Whether a path is a folder or below it.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

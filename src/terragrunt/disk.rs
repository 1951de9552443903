//! The folders and files of a tree, and what stacks would generate in it.
//!
//! Paths are absolute, have `/` between their names, and are clean. Each folder is listed once. A
//! path is read only if it is in one of the directories that the user has named or in the git work
//! tree around them, without links as well as with them; elsewhere nothing is looked up.
//!
//! Folders that a stack would generate are *mounts*: they have the content of their source.
//!
//! [`Files`] may have the tree instead of the file system: that of an older revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Options;
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind as DialectKind};
use crate::directory::{Location, MemoryPath, ModuleFile, ModuleFiles, Open, Roots};
use crate::file::{Resolved, resolve_inside};
use crate::functions::paths::{base, clean, directory, join, relative, slashed};
use crate::functions::{FileEntry, FileError, FileKind, Files};
use crate::hash::{HashMap, HashSet};
use crate::source::{Access, OpenFile, Source, SourceError};

/// The kind of an entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Special,
}

/// The entries of a folder, sorted by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Vec<(String, Entry)>,
    /// Why it could not be listed.
    pub(super) problem: Option<String>,
    /// Whether it may be read.
    is_inside: bool,
    /// Whether nothing has its path, and so nothing is below it.
    is_absent: bool,
}

impl Listing {
    pub(super) fn get(&self, name: &str) -> Option<Entry> {
        let found = self.entries.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        Some(self.entries[found].1)
    }

    /// Adds a generated folder.
    fn add(&mut self, name: &str) {
        (self.is_inside, self.is_absent) = (true, false);
        match self.entries.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
            Ok(found) => self.entries[found].1 = Entry::Folder,
            Err(place) => self.entries.insert(place, (name.to_owned(), Entry::Folder)),
        }
    }
}

/// Where folders and files are.
enum Store<'a> {
    /// In the file system.
    System {
        roots: Roots,
        follows_links: bool,
        open: Open,
        /// The first folder of the search: as given, and as an absolute path.
        given: (PathBuf, String),
        /// The working directory, if the first folder is a path from it that has no links.
        working: Option<String>,
    },
    /// In these files, below a folder, and the modules there, if they are known.
    Files(&'a dyn Files, String, Option<MemoryPath>),
}

/// The folders and files that may be read.
pub(super) struct Disk<'a> {
    arena: &'a Arena,
    store: Store<'a>,
    /// Texts that count instead of those of files, by paths without links.
    texts: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
    /// By folder, in the order of their paths.
    listings: Mutex<BTreeMap<String, Arc<Listing>>>,
    mounts: Mutex<Mounts>,
    /// Folders without links, by their paths.
    resolved: Mutex<HashMap<String, Arc<str>>>,
}

/// Folders that stacks would generate.
#[derive(Default)]
struct Mounts {
    /// By folder: where its content comes from.
    sources: HashMap<String, String>,
    /// The length of the longest one.
    longest: usize,
    /// By folder: the names of generated folders in it.
    children: HashMap<String, BTreeSet<String>>,
    /// Where the content of some comes from.
    used: HashSet<String>,
}

impl<'a> Disk<'a> {
    /// Returns the files around some paths, of which the first one is searched.
    pub(super) fn new(arena: &'a Arena, given: &Path, real: &str, options: &Options) -> Self {
        let here = Path::new(".").canonicalize().ok();
        let here = here.as_deref().and_then(Path::to_str).map(slashed);
        let working = here.filter(|here| {
            given.is_relative()
                && given.to_str().is_some_and(|given| join(here, &slashed(given)) == real)
        });
        let (roots, follows_links) = (options.roots(given), options.follows_links);
        let given = (given.to_owned(), real.to_owned());
        let open = options.open.clone();
        Self::of(arena, Store::System { roots, follows_links, open, given, working })
    }

    /// Returns the files below a folder that are not in the file system. Their paths are absolute.
    pub(super) fn of_files(arena: &'a Arena, files: &'a dyn Files, top: &str) -> Self {
        Self::of(arena, Store::Files(files, clean(top), None))
    }

    /// Sets the folder that has the modules of files that are not in the file system.
    pub(super) fn set_modules(&mut self, root: &MemoryPath) {
        if let Store::Files(_, _, modules) = &mut self.store {
            *modules = Some(root.clone());
        }
    }

    fn of(arena: &'a Arena, store: Store<'a>) -> Self {
        let (listings, mounts, resolved) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { arena, store, texts: Arc::default(), listings, mounts, resolved }
    }

    /// Has texts count instead of those of files, by paths without links.
    pub(super) fn with_texts(mut self, texts: &Arc<BTreeMap<PathBuf, Arc<[u8]>>>) -> Self {
        self.texts = Arc::clone(texts);
        self
    }

    /// The text that counts instead of that of a file.
    fn text(&self, real: &str) -> Option<&Arc<[u8]>> {
        if self.texts.is_empty() {
            return None;
        }
        let real = Path::new(real);
        let known = real.canonicalize().ok();
        self.texts.get(known.as_deref().unwrap_or(real))
    }

    /// Why files seem to be outside of the folders that may be read.
    pub(super) fn problem(&self) -> Option<&str> {
        match &self.store {
            Store::System { roots, .. } => roots.problem(),
            Store::Files(..) => None,
        }
    }

    /// Has a folder contain what another one contains. Cost: linear in the parts of the path, in the
    /// entries of the folder around it, and in the listings of what is below it.
    pub(super) fn mount(&self, folder: &str, source: &str) {
        let source = self.real(source);
        let mut mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        mounts.used.insert(source.clone());
        mounts.longest = mounts.longest.max(folder.len());
        mounts.sources.insert(folder.to_owned(), source);
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = folder.to_owned();
        loop {
            let above = directory(&child);
            let names = mounts.children.entry(above.clone()).or_default();
            if !names.insert(base(&child).to_owned()) {
                break;
            }
            if let Some(listing) = listings.get_mut(&above) {
                Arc::make_mut(listing).add(base(&child));
            }
            if above == "/" {
                break;
            }
            child = above;
        }
        listings.remove(folder);
        let below = format!("{folder}/");
        let known = listings.range(below.clone()..).map(|(path, _)| path);
        let known: Vec<_> = known.take_while(|it| it.starts_with(&below)).cloned().collect();
        for path in known {
            listings.remove(&path);
        }
        self.resolved.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
        let mut ends: Vec<usize> =
            ends.filter(|end| *end > 0).take_while(|end| *end <= mounts.longest).collect();
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
        let above = above.as_deref().filter(|_| real == folder);
        let listing = match above {
            Some(above) if above.is_absent => above.clone(),
            above => {
                let is_known =
                    above.is_some_and(|it| it.is_inside && it.get(name) == Some(Entry::Folder));
                self.read_listing(&real, is_known)
            }
        };
        let listing = Arc::new(self.with_generated(folder, listing));
        let mut known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), Arc::clone(&listing));
        listing
    }

    /// Whether there is a folder whose entries are known.
    pub(super) fn is_listed(&self, folder: &str) -> bool {
        let listing = self.list(folder);
        listing.is_inside && !listing.is_absent && listing.problem.is_none()
    }

    fn read_listing(&self, real: &str, is_known: bool) -> Listing {
        let mut listing = match &self.store {
            Store::System { roots, follows_links, .. } => {
                let located = match is_known || *follows_links {
                    true => Ok(Located { is_inside: true, exists: true }),
                    false => locate(roots, Path::new(real)),
                };
                let mut listing = of_system(real, located);
                self.add_texts(real, &mut listing);
                listing
            }
            Store::Files(files, ..) => of_files(*files, real),
        };
        listing.entries.sort_by(|one, other| one.0.cmp(&other.0));
        listing
    }

    /// Adds the texts of files that do not exist to those of a module.
    fn with_new_files(&self, real: &str, files: ModuleFiles) -> ModuleFiles {
        let in_folder =
            self.texts.iter().filter(|(path, _)| path.parent() == Some(Path::new(real)));
        let new = in_folder.filter_map(|(path, text)| {
            let name = path.file_name()?;
            let kind = DialectKind::of(name, files.dialect)?;
            let is_new = files.files.iter().all(|known| *known.name != *name);
            let file = ModuleFile::new(name.into(), Location::Disk(path.clone()), kind);
            is_new.then(|| file.with_content(Arc::clone(text)))
        });
        let new: Vec<ModuleFile> = new.collect();
        if new.is_empty() {
            return files;
        }
        let ModuleFiles { path, dialect, files: mut all } = files;
        all.extend(new);
        ModuleFiles::of_directory(path, dialect, all)
    }

    /// Adds the texts of files that do not exist to the entries of their folder.
    fn add_texts(&self, real: &str, listing: &mut Listing) {
        let in_folder = self.texts.keys().filter(|path| path.parent() == Some(Path::new(real)));
        for name in in_folder.filter_map(|path| path.file_name()?.to_str()) {
            let is_new = listing.entries.iter().all(|(known, _)| known != name);
            if is_new && listing.is_inside {
                listing.entries.push((name.to_owned(), Entry::File));
            }
        }
    }

    /// Adds the generated folders in a folder to its entries.
    fn with_generated(&self, folder: &str, mut listing: Listing) -> Listing {
        let mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = mounts.children.get(folder) {
            (listing.is_inside, listing.is_absent) = (true, false);
            listing.entries.retain(|(name, _)| !names.contains(name));
            listing.entries.extend(names.iter().map(|name| (name.clone(), Entry::Folder)));
            listing.entries.sort_by(|one, other| one.0.cmp(&other.0));
        }
        listing
    }

    /// Returns where a link in a folder that may be read leads; `None` if that is outside. Whether
    /// something exists there is not looked up.
    fn follow(&self, link: &Path) -> io::Result<Option<PathBuf>> {
        let Store::System { roots, follows_links: false, .. } = &self.store else {
            return link.canonicalize().map(Some);
        };
        let (Some(folder), Some(name)) = (link.parent(), link.file_name()) else {
            return Ok(None);
        };
        let is_inside = |path: &Path| roots.contains(path);
        let (folder, name) = (folder.canonicalize()?, Path::new(name));
        Ok(match resolve_inside(&folder, name, &roots.directories(), &is_inside)? {
            Resolved::Inside(found) => Some(found),
            Resolved::Outside(_) => None,
        })
    }

    /// The module in a folder that may be read, without links that lead out; `None` if there is none, or if
    /// it cannot be listed.
    pub(super) fn module(&self, folder: &str) -> Option<ModuleFiles> {
        if !self.is_folder(folder) {
            return None;
        }
        if let Store::Files(_, top, modules) = &self.store {
            let inside = relative(top, &self.real(folder))?;
            let root = modules.as_ref()?;
            let path = if inside == "." { root.clone() } else { root.join(&inside) };
            let files = ModuleFiles::list_in_memory(&path, Dialect::OpenTofu)?;
            return files.has_configuration().then_some(files);
        }
        let real = self.real(folder);
        let mut files = ModuleFiles::list(Path::new(&real), Dialect::OpenTofu).ok()?;
        self.refuse_links(&mut files);
        let files = self.with_new_files(&real, files);
        files.has_configuration().then_some(files)
    }

    /// Has links of a module not read that lead out of the directories that may be read.
    pub(super) fn refuse_links(&self, files: &mut ModuleFiles) {
        if let Store::System { roots, follows_links: false, .. } = &self.store {
            files.refuse_links(roots);
        }
    }

    /// Returns the kind of an entry, without following it; `None` if it does not exist, or must not be
    /// read.
    pub(super) fn entry(&self, path: &str) -> Option<Entry> {
        if path == "/" {
            return Some(Entry::Folder);
        }
        let (folder, name) = split(path);
        self.list(folder).get(name)
    }

    /// Returns the kind of file that a path leads to.
    ///
    /// # Errors
    /// It does not exist, or must not be read.
    pub(super) fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        let (folder, name) = split(path);
        let above = self.list(folder);
        match above.get(name) {
            Some(Entry::File) => Ok(FileKind::File),
            Some(Entry::Folder) => Ok(FileKind::Directory),
            Some(Entry::Special) => Ok(FileKind::Special),
            Some(Entry::Link) => {
                let real = self.real(path);
                let real = self.follow(Path::new(&real))?.ok_or(FileError::Outside)?;
                let metadata = fs::metadata(&real)?;
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
        if let Store::Files(files, ..) = &self.store {
            let bytes = files.read(&self.real(path))?;
            return match bytes.len() as u64 > limit {
                true => Err(FileError::TooLarge(limit)),
                false => Ok(bytes),
            };
        }
        let real = self.real(path);
        if let Some(text) = self.text(&real) {
            return match text.len() as u64 > limit {
                true => Err(FileError::TooLarge(limit)),
                false => Ok(text.to_vec()),
            };
        }
        let access = Access::FOUND.with_limit(limit);
        access.open(real).and_then(OpenFile::read).map_err(|error| match error {
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
            Store::System { open, .. } => match self.text(&real) {
                Some(text) => Source::of_file(self.arena, self.named(&real), text),
                None => open.open(self.arena, &self.named(&real), Access::FOUND),
            },
            Store::Files(files, ..) => {
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
            Store::Files(_, top, _) => {
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
        let (folder, name) = split(path);
        let known = |folder: &str| {
            self.resolved.lock().unwrap_or_else(PoisonError::into_inner).get(folder).cloned()
        };
        let real = known(folder).unwrap_or_else(|| {
            let real: Arc<str> = self.resolved_of(folder).into();
            let mut all = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(folder.to_owned(), Arc::clone(&real));
            real
        });
        match *real == *folder {
            true if self.entry(path) == Some(Entry::Link) => self.resolved_of(path),
            true => path.to_owned(),
            false => join(&real, name),
        }
    }

    fn resolved_of(&self, path: &str) -> String {
        let mut ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).skip(1).collect();
        ends.push(path.len());
        for end in ends {
            let part = &path[..end];
            let above = self.list(&directory(part));
            if above.is_absent {
                break;
            }
            if above.get(base(part)) == Some(Entry::Link)
                && let Ok(Some(real)) = self.follow(Path::new(&self.real(part)))
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
        // A link is not walked. What is around the folders that may be read has no entries.
        let is_walked = match self.entry(folder) {
            Some(entry) => entry == Entry::Folder,
            None => self.list(folder).problem.is_none(),
        };
        if !is_walked {
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
        if let Store::Files(_, top, _) = &self.store {
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

/// Splits a clean absolute path into its folder and its name.
fn split(path: &str) -> (&str, &str) {
    match path.rfind('/') {
        Some(0) => ("/", &path[1..]),
        Some(at) => (&path[..at], &path[at + 1..]),
        None => ("/", path),
    }
}

/// Where a path leads.
struct Located {
    /// In a directory that may be read.
    is_inside: bool,
    exists: bool,
}

/// Finds out where a path leads.
fn locate(roots: &Roots, path: &Path) -> io::Result<Located> {
    // A path that does not exist is located by its nearest folder that exists.
    for (levels, path) in path.ancestors().enumerate() {
        match path.canonicalize() {
            Ok(real) => {
                return Ok(Located { is_inside: roots.contains(&real), exists: levels == 0 });
            }
            Err(error) if FileError::is_absence(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Located { is_inside: false, exists: false })
}

/// Lists a folder of the file system.
fn of_system(real: &str, located: io::Result<Located>) -> Listing {
    let mut listing = Listing { is_inside: true, ..Listing::default() };
    match located {
        Ok(Located { is_inside: true, .. }) => {}
        Ok(Located { exists, .. }) => {
            return Listing { is_absent: !exists, ..Listing::default() };
        }
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
        Err(error) if FileError::is_absence(&error) => listing.is_absent = true,
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
        Err(FileError::Missing | FileError::Kind(_)) => listing.is_absent = true,
        Err(error) => listing.problem = Some(error.to_string()),
    }
    listing
}

/// Whether a path is a folder or below it.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

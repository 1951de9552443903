//! The paths of a tree, compared by identity: absolute, with links followed, so that two paths of one
//! file are equal; or those of files in memory, relative to their root.
//!
//! A missing file also has a path: its directory's path with its name. If the operating system
//! reports another error, the path itself is used, and recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::directory::{Location, MemoryPath, io_message};
use crate::hash::HashMap;
use crate::relative;
use crate::tree::{Tree, clean_path};

/// A path that the operating system could not resolve.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnknownPlace {
    /// The path.
    pub path: PathBuf,
    /// The operating system's message.
    pub message: String,
}

/// The links and directories in a directory.
#[derive(Debug, Default)]
pub(super) struct Listing {
    links: BTreeMap<OsString, Followed>,
    directories: BTreeSet<OsString>,
}

/// Where a link leads.
#[derive(Debug)]
struct Followed {
    /// The place, with all links followed.
    target: PathBuf,
    /// The other links on the way.
    through: Vec<PathBuf>,
}

/// Where a text leads.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The place, with all links followed.
    pub(super) path: PathBuf,
    /// The links on the way: if one of them changes, the text leads elsewhere.
    pub(super) links: Vec<PathBuf>,
}

/// Resolves paths, on any thread.
#[derive(Debug)]
pub(super) struct Space {
    /// The root of the files, if they are in memory.
    memory: Option<MemoryPath>,
    /// The absolute path of that root; empty if it is not known.
    top: String,
    /// The directory that holds everything: the git work tree, or what the modules have in common.
    boundary: PathBuf,
    listings: Mutex<HashMap<PathBuf, Arc<Listing>>>,
    /// The targets of links in directories and below.
    below: Mutex<HashMap<PathBuf, Arc<Vec<PathBuf>>>>,
    unknown: Mutex<Vec<UnknownPlace>>,
}

impl Space {
    /// The space of a tree. Its modules are all in the file system or all in memory.
    /// `top` is the absolute path of the files in memory.
    pub(super) fn of(tree: &Tree<'_>, top: Option<&str>) -> Self {
        let modules = tree.modules().iter().map(|module| &module.files);
        let mut all = modules.chain(tree.templates().iter().map(|template| &template.files));
        let memory = all.clone().find_map(|files| match files.directory() {
            Location::Memory(path) => Some(path.root()),
            Location::Disk(_) => None,
        });
        let top = top.filter(|_| memory.is_some()).unwrap_or_default();
        let mut space = Self {
            memory,
            top: top.trim_end_matches('/').to_owned(),
            boundary: PathBuf::new(),
            listings: Mutex::default(),
            below: Mutex::default(),
            unknown: Mutex::default(),
        };
        if space.memory.is_none() {
            let first = all.next().and_then(|files| space.directory(&files.directory()));
            let top = first.as_deref().and_then(|first| {
                first.ancestors().find(|it| it.join(".git").symlink_metadata().is_ok())
            });
            let given = tree.given().filter_map(|it| space.directory(&it.files.directory()));
            space.boundary = match (top, std::env::current_dir()) {
                (Some(top), _) => top.to_owned(),
                (None, Ok(here)) if first.as_deref().is_some_and(|it| it.starts_with(&here)) => {
                    here
                }
                _ => given.reduce(|one, other| common(&one, &other)).unwrap_or_default(),
            };
        }
        space
    }

    /// The directory that holds everything; empty for files in memory.
    pub(super) fn boundary(&self) -> &Path {
        &self.boundary
    }

    /// The absolute path of the files in memory; empty if it is not known.
    pub(super) fn top(&self) -> &str {
        &self.top
    }

    /// The place of a directory of a module; `None` if it is in another space.
    pub(super) fn directory(&self, location: &Location) -> Option<PathBuf> {
        match (location, &self.memory) {
            (Location::Disk(path), None) => Some(self.place(path)),
            (Location::Memory(path), Some(_)) => Some(path.real().as_str().into()),
            _ => None,
        }
    }

    /// The place of a file. Links in its directory are followed, but not the file itself, so that its
    /// name is the one that the tool finds. A missing file keeps its name.
    pub(super) fn place(&self, path: &Path) -> PathBuf {
        if self.memory.is_some() {
            return clean_path(path);
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|error| {
            self.note(path, &error);
            path.to_owned()
        });
        let absolute = clean_path(&absolute);
        match (absolute.parent(), absolute.file_name()) {
            (Some(parent), Some(name)) if !self.is_directory(&absolute) => {
                self.without_links(parent).join(name)
            }
            _ => self.without_links(&absolute),
        }
    }

    /// The place of a path itself, even if it is a link to a directory.
    pub(super) fn own_place(&self, path: &Path) -> PathBuf {
        if self.memory.is_some() {
            return clean_path(path);
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let absolute = clean_path(&absolute);
        match (absolute.parent(), absolute.file_name()) {
            (Some(parent), Some(name)) => self.without_links(parent).join(name),
            _ => absolute,
        }
    }

    /// The place of a file, with all links followed.
    pub(super) fn target(&self, path: &Path) -> PathBuf {
        if self.memory.is_some() {
            return clean_path(path);
        }
        path.canonicalize().unwrap_or_else(|error| {
            self.note(path, &error);
            // The target of a link may be gone.
            self.place(&followed(&self.own_place(path)).1)
        })
    }

    /// The places that a file is at: its own, those of the links that it leads through, its target.
    pub(super) fn places(&self, path: &Path) -> Vec<PathBuf> {
        let own = self.own_place(path);
        if !self.is_link(&own) {
            return vec![own];
        }
        let mut places = followed(&own).0;
        places.push(self.target(&own));
        places
    }

    /// Whether a path leads to a directory.
    pub(super) fn is_directory(&self, path: &Path) -> bool {
        if let Some(root) = &self.memory {
            return path.to_str().is_some_and(|path| root.join(path).is_directory());
        }
        path.metadata().map_err(|error| self.note(path, &error)).is_ok_and(|found| found.is_dir())
    }

    /// Whether a changed path is that of a directory: one that ends with `/` need not exist.
    pub(super) fn is_changed_directory(&self, path: &Path) -> bool {
        path.as_os_str().as_encoded_bytes().ends_with(b"/") || self.is_directory(path)
    }

    /// Whether a path is a link.
    pub(super) fn is_link(&self, path: &Path) -> bool {
        if self.memory.is_some() {
            return false;
        }
        let found = path.symlink_metadata().map_err(|error| self.note(path, &error));
        found.is_ok_and(|found| found.is_symlink())
    }

    /// The last name of the place that a text leads to, if there is no link on the way and no directory at
    /// the end; `None` if that is not clear at once. `top` is what is in the directory that it starts from.
    pub(super) fn plain_name<'t>(&self, top: &Listing, text: &'t str) -> Option<&'t str> {
        let mut names = text.split('/').filter(|name| !matches!(*name, "" | "."));
        let first = names.next()?;
        let leads_elsewhere = match text.starts_with('/') {
            // Directories outside of the boundary are not read.
            true => Path::new(text).starts_with(&self.boundary),
            // Below what is no directory, there is nothing.
            false => {
                let first = OsStr::new(first);
                top.links.contains_key(first) || top.directories.contains(first)
            }
        };
        let is_unclear = first == ".." || text.contains('\\');
        if self.memory.is_some() || leads_elsewhere || is_unclear {
            return None;
        }
        names.try_fold(first, |_, name| (name != "..").then_some(name))
    }

    /// Where a text leads from a directory without links, as the operating system follows it.
    ///
    /// Cost: that of reading each directory on the way, once for all texts.
    pub(super) fn resolve(&self, directory: &Path, text: &str) -> Resolved {
        let mut links = Vec::new();
        if let Some(root) = &self.memory {
            let from = directory.to_string_lossy().replace('\\', "/");
            let path = match below(&self.top, text) {
                Some(inside) => root.join(inside).real(),
                None => root.join(&relative::join(&from, text)).real(),
            };
            return Resolved { path: path.as_str().into(), links };
        }
        let text = text.replace('\\', "/");
        let mut path = directory.to_owned();
        if Path::new(&text).has_root() {
            path = Path::new("/").to_owned();
        }
        for name in text.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    path.pop();
                }
                name => match self.listing(&path).links.get(OsStr::new(name)) {
                    Some(Followed { target, through }) => {
                        links.push(path.join(name));
                        links.extend(through.iter().cloned());
                        target.clone_into(&mut path);
                    }
                    None => path.push(name),
                },
            }
        }
        Resolved { path, links }
    }

    /// Where links in a directory and below lead, if that is elsewhere: who depends on the directory
    /// depends on these places. None if the path is no directory.
    ///
    /// Cost: that of reading the directory and all below it, once.
    pub(super) fn links_below(&self, directory: &Path) -> Arc<Vec<PathBuf>> {
        let parts = (directory.parent(), directory.file_name());
        let (Some(parent), Some(name)) = parts else { return Arc::default() };
        if !self.listing(parent).directories.contains(name) {
            return Arc::default();
        }
        let known = |below: &HashMap<PathBuf, Arc<Vec<PathBuf>>>| below.get(directory).cloned();
        if let Some(known) = known(&self.below.lock().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        let mut targets: Vec<PathBuf> = Vec::new();
        let mut open = vec![directory.to_owned()];
        while let Some(next) = open.pop() {
            let listing = self.listing(&next);
            let all =
                listing.links.values().flat_map(|link| link.through.iter().chain([&link.target]));
            targets.extend(all.filter(|path| !path.starts_with(directory)).cloned());
            let directories = listing.directories.iter().filter(|name| *name != ".git");
            open.extend(directories.map(|name| next.join(name)));
        }
        let targets = Arc::new(targets);
        let mut below = self.below.lock().unwrap_or_else(PoisonError::into_inner);
        below.insert(directory.to_owned(), Arc::clone(&targets));
        targets
    }

    /// Returns the links and directories in a directory. Those outside of the boundary, and in memory, are
    /// not read.
    pub(super) fn listing(&self, directory: &Path) -> Arc<Listing> {
        if self.memory.is_some() {
            return Arc::default();
        }
        let mut known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(directory) {
            return Arc::clone(known);
        }
        let mut listing = Listing::default();
        if directory.starts_with(&self.boundary) {
            let noted = |error: &io::Error| self.note(directory, error);
            let entries = fs::read_dir(directory).inspect_err(noted).into_iter().flatten();
            for entry in entries.filter_map(|entry| entry.inspect_err(noted).ok()) {
                let Ok(kind) = entry.file_type().inspect_err(noted) else { continue };
                if kind.is_dir() {
                    listing.directories.insert(entry.file_name());
                } else if kind.is_symlink() {
                    let (mut through, end) = followed(&entry.path());
                    through.retain(|link| *link != entry.path());
                    // The target of a link may be gone.
                    let target = entry.path().canonicalize().unwrap_or(end);
                    listing.links.insert(entry.file_name(), Followed { target, through });
                }
            }
        }
        let listing = Arc::new(listing);
        known.insert(directory.to_owned(), Arc::clone(&listing));
        listing
    }

    /// The paths that could not be resolved, without duplicates.
    pub(super) fn unknown(&self) -> Vec<UnknownPlace> {
        let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        unknown.sort();
        unknown.dedup();
        unknown
    }

    /// Resolves the links of the part of a path that exists.
    fn without_links(&self, path: &Path) -> PathBuf {
        for existing in path.ancestors() {
            match existing.canonicalize() {
                Ok(found) => {
                    return match path.strip_prefix(existing) {
                        Ok(rest) if !rest.as_os_str().is_empty() => found.join(rest),
                        _ => found,
                    };
                }
                Err(error) => self.note(existing, &error),
            }
        }
        path.to_owned()
    }

    /// Records an error, unless the file does not exist.
    fn note(&self, path: &Path, error: &io::Error) {
        if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            return;
        }
        let unknown = UnknownPlace { path: path.to_owned(), message: io_message(error) };
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).push(unknown);
    }
}

/// The rest of an absolute path below a directory that files in memory are those of.
pub(super) fn below<'p>(top: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(top).filter(|_| !top.is_empty())?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/'))
}

/// The links on the way to where a path leads, which starts in a directory without links, and where
/// that is, whether or not something is there.
fn followed(path: &Path) -> (Vec<PathBuf>, PathBuf) {
    // More than the operating system follows.
    const MOST: usize = 64;
    let mut links = Vec::new();
    let mut at = path.parent().unwrap_or(path).to_owned();
    let mut names: Vec<OsString> = path.file_name().map(OsStr::to_owned).into_iter().collect();
    while let Some(name) = names.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&name);
        match next.read_link() {
            Ok(target) if links.len() < MOST => {
                links.push(next);
                if target.has_root() {
                    at = Path::new("/").to_owned();
                }
                let parts = target.components().rev().filter_map(|part| match part {
                    Component::Normal(name) => Some(name.to_owned()),
                    Component::ParentDir => Some("..".into()),
                    _ => None,
                });
                names.extend(parts);
            }
            _ => at = next,
        }
    }
    (links, at)
}

/// The directory that two paths have in common.
fn common(one: &Path, other: &Path) -> PathBuf {
    let shared = one.components().zip(other.components()).take_while(|(one, other)| one == other);
    shared.map(|(part, _)| part).collect()
}

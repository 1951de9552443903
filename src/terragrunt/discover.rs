//! Finds the units and stacks below a folder.

use std::sync::Arc;

use super::disk::{Disk, Entry, is_below};
use super::names;
use crate::functions::paths::join;
use crate::functions::{FileError, FileKind};

/// Whether a folder is a unit or a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKind {
    /// It has a `terragrunt.hcl`.
    Unit,
    /// It has a `terragrunt.stack.hcl`.
    Stack,
}

/// The result of a search.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The folders of units and stacks, sorted by path.
    pub(super) components: Vec<(String, ComponentKind)>,
    /// Folders with only a `terragrunt.hcl.json`.
    pub(super) only_json: Vec<String>,
    /// Folders that could not be listed, with the reason.
    pub(super) unread: Vec<(String, String)>,
}

impl Found {
    /// One unit that is known.
    pub(super) fn of_unit(folder: &str) -> Self {
        Self { components: vec![(folder.to_owned(), ComponentKind::Unit)], ..Self::default() }
    }
}

/// How a search goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Whether folders whose names start with a dot are left out.
    pub(super) skips_hidden: bool,
    /// Whether links to folders are followed.
    pub(super) follows_links: bool,
}

/// The deepest folder, so that links that lead upwards end.
const DEEPEST: usize = 512;

/// Why a file that is there cannot be read.
const NOT_A_FILE: &str = "not a regular file, but a pipe, a socket or a device";

/// Searches a folder and those below it. Cost: linear in the entries.
pub(super) fn search(disk: &Disk<'_>, folder: &str, how: Search) -> Found {
    let mut found = Found::default();
    // With the real folders of the links on the way.
    let mut open: Vec<(String, Arc<[String]>)> = vec![(folder.to_owned(), Arc::from([]))];
    while let Some((folder, links)) = open.pop() {
        let listing = disk.list(&folder);
        if let Some(problem) = &listing.problem {
            found.unread.push((folder.clone(), problem.clone()));
        }
        let is_there = |name: &str| match listing.get(name) {
            Some(Entry::File) => true,
            Some(Entry::Link) => disk.is_file(&join(&folder, name)),
            _ => false,
        };
        for name in [names::UNIT, names::UNIT_JSON, names::STACK] {
            let why = match listing.get(name) {
                None | Some(Entry::File | Entry::Folder) => continue,
                Some(Entry::Special) => NOT_A_FILE,
                Some(Entry::Link) => match disk.kind(&join(&folder, name)) {
                    Ok(FileKind::File | FileKind::Directory) => continue,
                    Ok(FileKind::Special) => NOT_A_FILE,
                    Err(FileError::Outside) => "it is a link that leads out of the given paths",
                    Err(_) => "it is a link that leads nowhere",
                },
            };
            found.unread.push((folder.clone(), format!("{name} is not read: {why}")));
        }
        let is_unit = is_there(names::UNIT);
        if is_unit {
            found.components.push((folder.clone(), ComponentKind::Unit));
        }
        if is_there(names::STACK) {
            found.components.push((folder.clone(), ComponentKind::Stack));
        }
        if !is_unit && is_there(names::UNIT_JSON) {
            found.only_json.push(folder.clone());
        }
        for (name, entry) in &listing.entries {
            if names::is_skipped(name) || how.skips_hidden && name.starts_with('.') {
                continue;
            }
            let path = join(&folder, name);
            match entry {
                Entry::Folder => open.push((path, Arc::clone(&links))),
                Entry::Link if how.follows_links => {
                    let real = disk.resolve(&path);
                    let is_loop = links.contains(&real)
                        || is_below(&folder, &real)
                        || path.matches('/').count() > DEEPEST;
                    match disk.kind(&path) {
                        Ok(FileKind::Directory) if !is_loop => {
                            let all = links.iter().cloned().chain([real]).collect();
                            open.push((path, all));
                        }
                        Err(FileError::Outside) => {
                            let why = "it is a link that leads out of the given paths";
                            found.unread.push((path, why.to_owned()));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    found.components.sort();
    found.only_json.sort();
    found.unread.sort();
    found
}

//! The units that files affect, by paths: files that were read, and those that would be if they existed.

use std::ffi::OsStr;

use super::call::resolved;
use super::disk::{Disk, is_below};
use super::log::Watched;
use super::names;
use super::pattern::Pattern;
use crate::dialect::{Dialect, FileKind, List};
use crate::functions::PathPattern;
use crate::functions::paths::{base, join};
use crate::hash::HashMap;

/// The units that files affect, by the absolute paths of the files. Files need not exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    files: HashMap<String, Vec<usize>>,
    /// By folder, the units that files of modules affect there and below.
    folders: HashMap<String, Vec<usize>>,
    /// By folder, the units that the files of the module there affect.
    modules: HashMap<String, Vec<usize>>,
    /// Each pattern once.
    patterns: Vec<(Files, Vec<usize>)>,
    places: HashMap<Watched, usize>,
}

/// Files that a pattern matches.
#[derive(Clone, Debug)]
enum Files {
    Pattern(Pattern),
    Set(PathPattern),
}

impl Readers {
    /// Adds a unit by its number: the files and patterns that decide about it, and the folder of its
    /// module if that is its own.
    pub(super) fn add(
        &mut self,
        unit: usize,
        files: &[String],
        module: Option<&str>,
        watched: &[Watched],
    ) {
        for file in files {
            self.files.entry(file.clone()).or_default().push(unit);
        }
        if let Some(folder) = module {
            self.modules.entry(folder.to_owned()).or_default().push(unit);
        }
        for watched in watched {
            let pattern = match watched {
                Watched::Folder(folder) => {
                    self.folders.entry(folder.clone()).or_default().push(unit);
                    continue;
                }
                Watched::Pattern(text) => Pattern::new(text).ok().map(Files::Pattern),
                Watched::Set(folder, text) => {
                    PathPattern::new(&whole(folder, text)).map(Files::Set)
                }
            };
            // An invalid pattern matches nothing.
            let Some(pattern) = pattern else { continue };
            match self.places.get(watched) {
                Some(&at) => self.patterns[at].1.push(unit),
                None => {
                    self.places.insert(watched.clone(), self.patterns.len());
                    self.patterns.push((pattern, vec![unit]));
                }
            }
        }
    }

    /// The units that a file affects, in their order.
    ///
    /// Cost: linear in the path, and in the patterns.
    pub(super) fn of(&self, file: &str) -> Vec<usize> {
        if let Some(folder) = file.strip_suffix('/') {
            return self.of_folder(folder);
        }
        let mut readers = self.files.get(file).cloned().unwrap_or_default();
        // Other files that a module reads are found when the module itself is evaluated.
        if names::is_module_file(base(file)) {
            let ends = file.match_indices('/').map(|(at, _)| at);
            let folders = ends.filter_map(|end| self.folders.get(&file[..end]));
            readers.extend(folders.flatten());
        }
        if let Some((folder, name)) = file.rsplit_once('/')
            && is_of_module(name)
        {
            readers.extend(self.modules.get(folder).into_iter().flatten());
        }
        for (pattern, units) in &self.patterns {
            let is_match = match pattern {
                Files::Pattern(pattern) => pattern.matches(file),
                Files::Set(pattern) => pattern.matches(file),
            };
            if is_match {
                readers.extend(units);
            }
        }
        sorted(readers)
    }

    /// The units that files in a folder and below affect, in their order.
    ///
    /// Cost: linear in all files and patterns.
    fn of_folder(&self, folder: &str) -> Vec<usize> {
        let mut readers: Vec<usize> = Vec::new();
        let by_path = self.files.iter().chain(&self.modules);
        readers.extend(by_path.filter(|(path, _)| is_below(path, folder)).flat_map(|it| it.1));
        let watched = self.folders.iter();
        let watched = watched.filter(|(it, _)| is_below(it, folder) || is_below(folder, it));
        readers.extend(watched.flat_map(|it| it.1));
        for (pattern, units) in &self.patterns {
            let is_reached = match pattern {
                Files::Pattern(pattern) => {
                    is_below(pattern.start(), folder) || is_below(folder, pattern.start())
                }
                Files::Set(pattern) => pattern.reaches(folder),
            };
            if is_reached {
                readers.extend(units);
            }
        }
        sorted(readers)
    }
}

fn sorted(mut units: Vec<usize>) -> Vec<usize> {
    units.sort_unstable();
    units.dedup();
    units
}

/// Whether a file of this name is part of the module in its folder, or has values of its variables.
fn is_of_module(name: &str) -> bool {
    let kind = FileKind::of_known(OsStr::new(name), Dialect::OpenTofu);
    kind.is_some_and(|kind| matches!(kind.list, List::Primary | List::Override | List::Variables))
}

/// The pattern of absolute paths that a pattern in a folder is.
fn whole(folder: &str, pattern: &str) -> String {
    match pattern.starts_with('/') {
        true => pattern.to_owned(),
        false => join(&PathPattern::escaped(folder), pattern),
    }
}

impl Watched {
    /// Returns it with the folder at its start without links.
    pub(super) fn resolved(&self, disk: &Disk) -> Self {
        let real = |folder: &str| disk.real(&disk.resolve(folder));
        match self {
            Self::Folder(folder) => Self::Folder(folder.clone()),
            Self::Pattern(pattern) => {
                let (start, rest) = PathPattern::split(pattern);
                let found = real(start);
                match found == start {
                    true => self.clone(),
                    false => Self::Pattern(join(&PathPattern::escaped(&found), rest)),
                }
            }
            Self::Set(folder, pattern) => {
                let (start, rest) = PathPattern::split(pattern);
                Self::Set(real(&resolved(folder, start)), rest.to_owned())
            }
        }
    }
}

//! Follows module calls, and decodes the modules that they reach.
//!
//! The result has the given modules and all that their calls reach, each directory once, and a
//! [`Link`] for each call. A call by path leads to the directory at that path, any other call to
//! the directory where it is installed for one of the given root modules. Modules are reached in
//! rounds, one per step, so that the order does not depend on threads and nothing recurses.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::manifest::{self, Installed};
use super::module::{Link, Origin, TreeModule};
use super::path;
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::directory::{DecodeOptions, ModuleFile, ModuleFiles, io_message};
use crate::hash::HashMap;
use crate::module::test::RunModule;
use crate::module::{ModuleCall, SourceAddress};

/// The maximal number of paths under which one directory is decoded. Links that lead upwards would
/// otherwise produce endlessly many.
const MOST_NAMES: usize = 16;

/// The state of the search.
#[derive(Debug, Default)]
pub(super) struct Reach<'a> {
    /// The working directory, which relative paths start from.
    base: PathBuf,
    /// Links by cleaned absolute path.
    directories: HashMap<PathBuf, Link>,
    /// The reason why an existing directory cannot be listed, by cleaned absolute path.
    unreadable: HashMap<PathBuf, String>,
    /// By the cleaned absolute path of the calling module, then by the name of the call.
    installed: HashMap<PathBuf, HashMap<&'a str, Installed<'a>>>,
    /// By directory without links: how often it was reached, and the link of the first time.
    names: HashMap<PathBuf, (usize, Link)>,
}

/// A directory that a call refers to.
struct Named {
    directory: PathBuf,
    dialect: Dialect,
    origin: Origin,
}

impl<'a> Reach<'a> {
    /// Adds to `modules` all modules that their calls reach.
    pub(super) fn extend(
        arena: &'a Arena,
        modules: &mut Vec<TreeModule<'a>>,
        options: &DecodeOptions,
    ) -> Self {
        let base = std::env::current_dir().unwrap_or_default();
        let mut reach = Self { base, ..Self::default() };
        for (place, module) in modules.iter().enumerate() {
            if !module.files.is_one_file() {
                reach.directories.insert(reach.key(&module.files.path), Link::Module(place));
            }
        }
        reach.install(arena, modules, options);
        let mut done = 0;
        while done < modules.len() {
            let named = reach.named(&modules[done..]);
            done = modules.len();
            let listed: Vec<_> =
                named.into_par_iter().map(|(key, named)| (key, named.list())).collect();
            let (mut keys, mut found) = (Vec::new(), Vec::new());
            for (key, (real, listed)) in listed {
                let link = match listed {
                    Listed::Module(files, origin) => {
                        keys.push((key, real));
                        found.push((files, origin));
                        continue;
                    }
                    Listed::Missing => Link::Missing,
                    Listed::Unreadable(error) => {
                        reach.unreadable.insert(key.clone(), io_message(&error));
                        Link::Unknown
                    }
                    Listed::Unknown => Link::Unknown,
                };
                reach.directories.insert(key, link);
            }
            let found = TreeModule::load_all(arena, found, options);
            for ((key, real), module) in keys.into_iter().zip(found) {
                let link = reach.admit(real, module, modules);
                reach.directories.insert(key, link);
            }
        }
        reach
    }

    /// The target of a call.
    pub(super) fn link(&self, module: &TreeModule<'a>, call: &ModuleCall<'a>) -> Link {
        let Some((directory, origin)) = self.directory(module, call) else {
            return match call.source_address() {
                Some(SourceAddress::Registry(_) | SourceAddress::Remote(_)) => Link::Remote,
                _ => Link::Unknown,
            };
        };
        match self.directories.get(&self.key(&directory)) {
            // An installed module whose files are gone cannot be checked, but is not missing
            // either.
            Some(Link::Missing) if origin == Origin::Installed => Link::Remote,
            Some(&link) => link,
            None => Link::Unknown,
        }
    }

    /// The module that a run of a test file refers to, if it is in the tree.
    pub(super) fn tested(&self, module: &TreeModule<'a>, run: &RunModule<'a>) -> Option<usize> {
        let Some(SourceAddress::Local(source)) = run.address else { return None };
        let directory = path::local(module.files.directory(), source)?;
        match self.directories.get(&self.key(&directory))? {
            Link::Module(place) => Some(*place),
            _ => None,
        }
    }

    /// The reason why the directory of a call exists but cannot be listed.
    pub(super) fn unreadable(
        &self,
        module: &TreeModule<'a>,
        call: &ModuleCall<'a>,
    ) -> Option<&str> {
        let (directory, _) = self.directory(module, call)?;
        self.unreadable.get(&self.key(&directory)).map(String::as_str)
    }

    /// The directory of a call, and how the call refers to it.
    fn directory(
        &self,
        module: &TreeModule<'a>,
        call: &ModuleCall<'a>,
    ) -> Option<(PathBuf, Origin)> {
        let directory = module.files.directory();
        let address = call.source_address();
        if let Some(SourceAddress::Local(source)) = address {
            let by_path = match module.origin {
                Origin::Installed => Origin::Installed,
                _ => Origin::Called,
            };
            return Some((path::local(directory, source)?, by_path));
        }
        if self.installed.is_empty() {
            return None;
        }
        let installed = self.installed.get(&self.key(directory))?.get(call.name)?;
        // If the source must be evaluated, the installed module is used.
        let is_of_call = address.is_none_or(|address| installed.is_of(&address));
        is_of_call.then(|| (installed.directory.clone(), Origin::Installed))
    }

    /// The key of a directory: its absolute path.
    fn key(&self, directory: &Path) -> PathBuf {
        path::clean(&self.base.join(directory))
    }

    /// Reads the modules that are installed for the given modules. If a call is installed twice,
    /// the first one counts.
    fn install(
        &mut self,
        arena: &'a Arena,
        modules: &mut [TreeModule<'a>],
        options: &DecodeOptions,
    ) {
        let installed: Vec<_> = modules
            .par_iter_mut()
            .map(|module| {
                let root = module.files.directory().to_owned();
                manifest::read(arena, &root, options, &mut module.diagnostics)
            })
            .collect();
        for installed in installed.into_iter().flatten() {
            let caller = self.key(&installed.caller);
            self.installed.entry(caller).or_default().entry(installed.call).or_insert(installed);
        }
    }

    /// The called directories that have not been read yet, without duplicates.
    fn named(&mut self, modules: &[TreeModule<'a>]) -> Vec<(PathBuf, Named)> {
        let mut all = Vec::new();
        for module in modules {
            for call in module.module.calls.iter() {
                let Some((directory, origin)) = self.directory(module, call) else { continue };
                let key = self.key(&directory);
                if !self.directories.contains_key(&key) {
                    self.directories.insert(key.clone(), Link::Unknown);
                    let dialect = module.files.dialect;
                    all.push((key, Named { directory, dialect, origin }));
                }
            }
        }
        all
    }

    /// Adds a module, unless its directory was reached too often.
    fn admit(
        &mut self,
        real: PathBuf,
        module: TreeModule<'a>,
        modules: &mut Vec<TreeModule<'a>>,
    ) -> Link {
        let link = Link::Module(modules.len());
        let (count, first) = self.names.entry(real).or_insert((0, link));
        if *count == MOST_NAMES {
            return *first;
        }
        *count += 1;
        modules.push(module);
        link
    }
}

/// The result of listing a directory.
enum Listed {
    Module(ModuleFiles, Origin),
    Missing,
    /// It cannot be read, for the operating system's reason.
    Unreadable(io::Error),
    /// It has no configuration that can be read.
    Unknown,
}

impl Listed {
    fn of_error(error: io::Error) -> Self {
        match error.kind() {
            // Without a file system, there are no other modules.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::Unsupported => {
                Self::Missing
            }
            _ => Self::Unreadable(error),
        }
    }
}

impl Named {
    /// Lists the files of the module, and returns its directory without links.
    fn list(self) -> (PathBuf, Listed) {
        // The path of the working directory is empty.
        let directory = match self.directory.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => self.directory,
        };
        let real = match directory.canonicalize() {
            Ok(real) => real,
            Err(error) => return (directory, Listed::of_error(error)),
        };
        let listed = match ModuleFiles::list(&directory, self.dialect) {
            Ok(files) if files.files.iter().any(ModuleFile::is_read) => {
                Listed::Module(files, self.origin)
            }
            Ok(_) => Listed::Unknown,
            Err(error) => Listed::of_error(error),
        };
        (real, listed)
    }
}

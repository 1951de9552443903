//! Follows module calls, and decodes the modules that they reach.
//!
//! The result has the given modules and all that their calls reach, each directory once, and a
//! [`Link`] for each call. A call by path leads to the directory at that path, any other call to
//! the directory where it is installed for one of the given root modules. Modules are reached in
//! rounds, one per step, so that the order does not depend on threads and nothing recurses.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::around::Around;
use super::manifest::{self, Installed};
use super::module::{Link, Origin, TreeModule};
use super::path;
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::directory::{DecodeOptions, Location, ModuleFile, ModuleFiles, Roots, io_message};
use crate::file::or_here;
use crate::hash::{HashMap, HashSet};
use crate::module::test::RunModule;
use crate::module::{ModuleCall, SourceAddress};

/// The maximal number of paths under which one directory is decoded. Links that lead upwards would
/// otherwise produce endlessly many.
const MOST_NAMES: usize = 16;

/// The number of links that the way to a directory may have, as in Linux.
const MOST_LINKS: usize = 40;

/// The state of the search.
#[derive(Debug, Default)]
pub(super) struct Reach<'a> {
    /// The modules around the part of a tree that is loaded.
    around: Option<Around>,
    /// The working directory, which relative paths start from.
    base: PathBuf,
    /// Links by cleaned absolute path.
    directories: HashMap<Location, Link>,
    /// The reason why an existing directory cannot be listed, by cleaned absolute path.
    unreadable: HashMap<Location, String>,
    /// Where a directory is that a call reaches by a link that leads outside, by cleaned absolute
    /// path.
    outside: HashMap<Location, PathBuf>,
    /// By the cleaned absolute path of the calling module, then by the name of the call.
    installed: HashMap<Location, HashMap<&'a str, Installed<'a>>>,
    /// By directory without links: how often it was reached, and the link of the first time.
    names: HashMap<Location, (usize, Link)>,
}

/// A directory that a call refers to.
struct Named {
    directory: Location,
    /// The directory of the module that calls it.
    calling: Location,
    dialect: Dialect,
    origin: Origin,
    /// Whether the call has an absolute path, which must be in the directories of the given modules.
    is_absolute: bool,
}

impl<'a> Reach<'a> {
    /// Adds to `modules` all modules that their calls reach.
    pub(super) fn extend(
        arena: &'a Arena,
        modules: &mut Vec<TreeModule<'a>>,
        as_release: (&DecodeOptions, Option<u8>),
        around: Option<&Around>,
    ) -> Self {
        let (options, _) = as_release;
        let base = std::env::current_dir().unwrap_or_default();
        let roots = match around {
            Some(around) => Arc::clone(&around.roots),
            None => {
                let directories = modules.iter().map(|module| module.files.directory());
                let directories = directories.filter_map(|it| it.disk().map(Path::to_owned));
                Arc::new(Roots::around(directories))
            }
        };
        let mut reach = Self { base, around: around.cloned(), ..Self::default() };
        for (place, module) in modules.iter().enumerate() {
            if !module.files.is_one_file() {
                reach.directories.insert(reach.key(&module.files.path), Link::Module(place));
            }
        }
        reach.install(arena, modules, options, &roots);
        let mut done = 0;
        while done < modules.len() {
            let named = reach.named(&modules[done..]);
            done = modules.len();
            let list = |key: &Location, named: Named| match reach.known(key) {
                Some(files) => (named.directory, Listed::Module(files, named.origin)),
                None => named.list(options, &roots),
            };
            let listed: Vec<_> = named
                .into_par_iter()
                .map(|(key, named)| {
                    let listed = list(&key, named);
                    (key, listed)
                })
                .collect();
            let (mut keys, mut found) = (Vec::new(), Vec::new());
            // The other keys of modules behind links, each with the key of the module.
            let mut behind: Vec<(Location, Location)> = Vec::new();
            let mut named_now: HashSet<Location> = HashSet::default();
            for (key, (real, listed)) in listed {
                let link = match listed {
                    Listed::Module(files, origin) => {
                        let target = reach.key(&files.path);
                        let files = reach.known(&target).unwrap_or(files);
                        if target != key {
                            behind.push((key, target.clone()));
                        }
                        let is_known =
                            matches!(reach.directories.get(&target), Some(Link::Module(_)));
                        if !is_known && named_now.insert(target.clone()) {
                            keys.push((target, real));
                            found.push((files, origin));
                        }
                        continue;
                    }
                    Listed::LinkOutside(target) => {
                        reach.outside.insert(key.clone(), target);
                        Link::Unknown
                    }
                    Listed::Missing => Link::Missing,
                    Listed::Outside => Link::Outside,
                    Listed::Unreadable(error) => {
                        reach.unreadable.insert(key.clone(), io_message(&error));
                        Link::Unknown
                    }
                    Listed::Unknown => Link::Unknown,
                };
                reach.directories.insert(key, link);
            }
            let found = TreeModule::load_all(arena, found, &BTreeSet::new(), as_release);
            for ((key, real), module) in keys.into_iter().zip(found) {
                let link = reach.admit(real, module, modules);
                reach.directories.insert(key, link);
            }
            for (key, target) in behind {
                let link = reach.directories.get(&target).copied().unwrap_or(Link::Unknown);
                reach.directories.insert(key, link);
            }
        }
        reach
    }

    /// The files of a module around the part that is loaded.
    fn known(&self, key: &Location) -> Option<ModuleFiles> {
        let files = self.around.as_ref()?.known.get(key)?;
        Some(ModuleFiles::clone(files))
    }

    /// Whether a module that is not loaded calls this one.
    pub(super) fn is_called_outside(&self, module: &TreeModule<'a>) -> bool {
        let Some(around) = &self.around else { return false };
        let key = self.key(&module.files.path);
        // A directory may have a stack, too, which nobody calls.
        let is_it = |files: &Arc<ModuleFiles>| files.dialect == module.files.dialect;
        around.called.contains(&key) && around.known.get(&key).is_none_or(is_it)
    }

    /// Whether an uncalled module that is not loaded calls this one by a path below it.
    pub(super) fn is_below_root_outside(&self, module: &TreeModule<'a>) -> bool {
        let around = self.around.as_ref();
        around.is_some_and(|around| around.below_roots.contains(&self.key(&module.files.path)))
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
            // The tools copy what is at an absolute path.
            Some(Link::Missing | Link::Unknown | Link::Outside) if is_absolute(call) => {
                Link::Remote
            }
            Some(&link) => link,
            None => Link::Unknown,
        }
    }

    /// The module that a run of a test file refers to, if it is in the tree.
    pub(super) fn tested(&self, module: &TreeModule<'a>, run: &RunModule<'a>) -> Option<usize> {
        let Some(SourceAddress::Local(source)) = run.address else { return None };
        let directory = path::local(&module.files.directory(), source)?;
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

    /// Where a call leads that must not be followed.
    pub(super) fn outside(&self, module: &TreeModule<'a>, call: &ModuleCall<'a>) -> Option<&Path> {
        let (directory, _) = self.directory(module, call)?;
        self.outside.get(&self.key(&directory)).map(PathBuf::as_path)
    }

    /// The directory of a call, and how the call refers to it.
    fn directory(
        &self,
        module: &TreeModule<'a>,
        call: &ModuleCall<'a>,
    ) -> Option<(Location, Origin)> {
        let directory = module.files.directory();
        let address = call.source_address();
        if let Some(SourceAddress::Local(source)) = address {
            let by_path = match module.origin {
                Origin::Installed => Origin::Installed,
                _ => Origin::Called,
            };
            return Some((path::local(&directory, source)?, by_path));
        }
        let by_absolute_path = || match address {
            Some(SourceAddress::Remote(source)) => {
                let path = path::absolute_source(&directory, source)?;
                let from_here = path.strip_prefix(&self.base).ok();
                let path = from_here.filter(|it| !it.as_os_str().is_empty()).unwrap_or(&path);
                Some((Location::Disk(path.to_owned()), Origin::Called))
            }
            _ => None,
        };
        if self.installed.is_empty() {
            return by_absolute_path();
        }
        let installed = self.installed.get(&self.key(&directory));
        let installed = installed.and_then(|installed| installed.get(call.name));
        // If the source must be evaluated, the installed module is used.
        let is_of_call = |it: &&Installed<'_>| address.is_none_or(|address| it.is_of(&address));
        match installed.filter(is_of_call) {
            Some(installed) => Some((installed.directory.clone(), Origin::Installed)),
            None => by_absolute_path(),
        }
    }

    /// The key of a directory: its absolute path.
    fn key(&self, directory: &Location) -> Location {
        path::absolute(&self.base, directory)
    }

    /// Reads the modules that are installed for the given modules. If a call is installed twice,
    /// the first one counts.
    fn install(
        &mut self,
        arena: &'a Arena,
        modules: &mut [TreeModule<'a>],
        options: &DecodeOptions,
        roots: &Roots,
    ) {
        let installed: Vec<_> = match &self.around {
            None => modules
                .par_iter_mut()
                .map(|module| {
                    let root = module.files.directory();
                    manifest::read(arena, &root, options, roots, &mut module.diagnostics)
                })
                .collect(),
            Some(around) => {
                let read = |root: &Location| {
                    let mut found = Vec::new();
                    let installed = manifest::read(arena, root, options, roots, &mut found);
                    let module = modules.iter_mut().find(|it| it.files.directory() == *root);
                    if let Some(module) = module {
                        module.diagnostics.extend(found);
                    }
                    installed
                };
                around.manifests.iter().map(read).collect()
            }
        };
        for installed in installed.into_iter().flatten() {
            let caller = self.key(&installed.caller);
            self.installed.entry(caller).or_default().entry(installed.call).or_insert(installed);
        }
    }

    /// The called directories that have not been read yet, without duplicates.
    fn named(&mut self, modules: &[TreeModule<'a>]) -> Vec<(Location, Named)> {
        let mut all = Vec::new();
        for module in modules {
            for call in module.module.calls.iter() {
                let Some((directory, origin)) = self.directory(module, call) else { continue };
                let key = self.key(&directory);
                if !self.directories.contains_key(&key) {
                    self.directories.insert(key.clone(), Link::Unknown);
                    let dialect = module.files.dialect;
                    let calling = module.files.directory();
                    let is_absolute = is_absolute(call);
                    all.push((key, Named { directory, calling, dialect, origin, is_absolute }));
                }
            }
        }
        all
    }

    /// Adds a module, unless its directory was reached too often.
    fn admit(
        &mut self,
        real: Location,
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

/// Whether the source of a call is an absolute path.
fn is_absolute(call: &ModuleCall<'_>) -> bool {
    matches!(call.source_address(), Some(SourceAddress::Remote(source)) if source.starts_with('/'))
}

/// The result of listing a directory.
enum Listed {
    Module(ModuleFiles, Origin),
    Missing,
    /// It is where nothing is read.
    Outside,
    /// A link leads outside of the given modules.
    LinkOutside(PathBuf),
    /// It cannot be read, for the operating system's reason.
    Unreadable(io::Error),
    /// It has no configuration that can be read.
    Unknown,
}

impl Listed {
    fn of(listed: io::Result<ModuleFiles>, origin: Origin) -> Self {
        match listed {
            Ok(files) if files.files.iter().any(ModuleFile::is_read) => Self::Module(files, origin),
            Ok(_) => Self::Unknown,
            Err(error) => Self::of_error(error),
        }
    }

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
    /// Whether the way from the calling module to the directory is by a link.
    fn is_behind_link(&self) -> bool {
        let (Some(directory), Some(calling)) = (self.directory.disk(), self.calling.disk()) else {
            return false;
        };
        let on_the_way = |path: &&Path| !path.as_os_str().is_empty() && !calling.starts_with(path);
        directory.ancestors().take_while(on_the_way).any(Path::is_symlink)
    }

    /// The directory with the links on the way from the calling module resolved; `None` if there
    /// are too many. The names of the directories around the calling module stay as they are.
    fn without_links(&self) -> Option<PathBuf> {
        let (mut path, calling) = (self.directory.disk()?.to_owned(), self.calling.disk()?);
        for _ in 0..MOST_LINKS {
            let is_link = |part: &&Path| {
                !part.as_os_str().is_empty() && !calling.starts_with(part) && part.is_symlink()
            };
            // The shortest one is followed first, as the operating system does.
            let Some(link) = path.ancestors().filter(is_link).last().map(Path::to_owned) else {
                return Some(path);
            };
            let target = link.parent()?.join(std::fs::read_link(&link).ok()?);
            let rest = path.strip_prefix(&link).ok()?;
            path = path::clean(&target.join(rest));
        }
        None
    }

    /// Lists the files of the module, and returns its directory without links.
    fn list(self, options: &DecodeOptions, roots: &Roots) -> (Location, Listed) {
        let is_link = self.is_behind_link();
        let directory = match &self.directory {
            Location::Memory(path) => {
                let real = path.real();
                let listed = ModuleFiles::list_in_memory(&real, self.dialect)
                    .ok_or(io::ErrorKind::NotFound.into());
                return (real.into(), Listed::of(listed, self.origin));
            }
            Location::Disk(path) => or_here(path),
        };
        let outside = |roots: &Arc<Roots>| roots.outside(directory).is_some();
        if options.within.as_ref().is_some_and(outside) {
            return (self.directory, Listed::Outside);
        }
        if is_link
            && !options.follow_links
            && let Some(target) = roots.outside(directory)
        {
            return (target.clone().into(), Listed::LinkOutside(target));
        }
        let real = match directory.canonicalize() {
            Ok(real) => real,
            Err(error) => return (self.directory, Listed::of_error(error)),
        };
        let is_bound = self.origin == Origin::Installed || self.is_absolute;
        let listed = if is_bound && !roots.contains(&real) {
            Listed::Outside
        } else {
            // The tools resolve links before they follow the calls of the module.
            let target = if is_link { self.without_links() } else { None };
            let directory = target.as_deref().unwrap_or(directory);
            let mut listed = ModuleFiles::list(directory, self.dialect);
            if let Ok(files) = &mut listed
                && !options.follow_links
            {
                files.refuse_links(roots);
            }
            Listed::of(listed, self.origin)
        };
        (real.into(), listed)
    }
}

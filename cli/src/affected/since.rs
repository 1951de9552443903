//! Comparison with a revision: modules that depended on a file before count as much as those that
//! do now.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::dialect::{FileKind, is_backend_file};
use simd_hcl::directory::{DecodeOptions, Location, MemoryPath, ModuleFiles};
use simd_hcl::impact::ImpactOptions;
use simd_hcl::tree::{Link, Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Dialect};

use super::answer::{Module, Object, Removed};
use super::gaps::gaps;
use super::stacks::AffectedStacks;
use crate::args::{self, Common};
use crate::diff::changed_objects;
use crate::git::{self, Compared};
use crate::incomplete::{Incomplete, reason_of};
use crate::input;
use crate::modules::path_of;
use crate::paths::{from_here, or_here, text};
use crate::revision::Revision;
use crate::root_section::Section;
use crate::settings::Settings;
use crate::status::Failure;

/// The revisions that are read beside the working tree.
pub(super) struct Since {
    /// The revision that is compared with.
    revision: Revision,
    /// The other revision, if it is not the one that is checked out.
    newer: Option<Revision>,
    /// The directory of the working tree.
    top: PathBuf,
    decode: DecodeOptions,
    dialect: Option<Dialect>,
    /// The sections of the settings, which make modules root modules.
    roots: Vec<Section>,
}

/// A module of the working tree or of the newer revision.
struct Known {
    directory: PathBuf,
    path: String,
    is_root: bool,
    /// Whether another module calls it.
    is_called: bool,
}

/// The modules that depend on the changed files in some version.
#[derive(Default)]
pub(super) struct Found {
    /// Those of the working tree, and of a newer revision.
    pub(super) modules: Vec<Module>,
    /// Those without configuration now.
    pub(super) removed: Vec<Removed>,
    /// The changed files that something depends on.
    related: HashSet<PathBuf>,
    /// The gaps of a newer revision.
    pub(super) incomplete: Incomplete,
}

impl Found {
    /// Takes away the changed files that something depends on.
    pub(super) fn take_files(&self, files: &mut Vec<PathBuf>) {
        files.retain(|file| !self.related.contains(file));
    }
}

impl Since {
    pub(super) fn of(
        compared: &Compared,
        affected: &args::Affected,
        common: &Common,
    ) -> Result<Self, Failure> {
        let top = git::top()?;
        let revision = Revision::read(&compared.base, &top, common)?;
        let newer = match &compared.head {
            Some(head) if !head.is_checked_out() => Some(Revision::read(head, &top, common)?),
            Some(_) | None => None,
        };
        let settings = Settings::of(&[PathBuf::from(".")], common)?;
        let dialect = affected.dialect.or(settings.dialect).map(Into::into);
        let (decode, roots) = (input::decode_options(common)?, settings.roots().to_vec());
        Ok(Self { revision, newer, top, decode, dialect, roots })
    }

    /// Returns the path of a directory in the revision.
    fn old(&self, directory: &Path) -> Result<Option<String>, Failure> {
        let directory = git::canonical(directory)?;
        let inside = directory.strip_prefix(&self.top).ok();
        Ok(inside.map(|inside| {
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }))
    }

    /// Adds the gaps of the revisions, and the directories of other repositories: git does not compare them.
    pub(super) fn add_gaps(
        &self,
        directories: &[PathBuf],
        incomplete: &mut Incomplete,
    ) -> Result<(), Failure> {
        self.revision.add_gaps(incomplete);
        if let Some(newer) = &self.newer {
            newer.add_gaps(incomplete);
            if let Some(unit) = newer.units().next() {
                let why = "it is not checked out: units are read in the working tree";
                incomplete.add("unit", unit, why);
            }
        }
        for directory in directories {
            if !git::canonical(directory)?.starts_with(&self.top) {
                let why = "it is outside of the repository around the working directory, which is \
                           compared";
                incomplete.add("directory", text(directory), why);
            }
        }
        Ok(())
    }

    /// Adds the objects that differ from the revision to a module with changed files, or a gap if
    /// files of the revision cannot be decoded.
    pub(super) fn add_objects(
        &self,
        module: &mut Module,
        tree: &Tree<'_>,
        incomplete: &mut Incomplete,
    ) -> Result<(), Failure> {
        if module.because.len() != 1 {
            return Ok(());
        }
        let is_it = |it: &&TreeModule<'_>| path_of(it) == module.path;
        let Some(new) = tree.modules().iter().find(is_it) else { return Ok(()) };
        let is_known = |name: &str| new.undecoded.iter().any(|source| source.name() == name);
        let Location::Disk(directory) = new.files.directory() else { return Ok(()) };
        let Some(directory) = self.old(&directory)? else { return Ok(()) };
        if self.revision.is_partial(&directory) {
            return Ok(());
        }
        let old = self.revision.list(&directory, new.files.dialect);
        let arena = Arena::new();
        let changed = changed_objects(&arena, [old.as_ref(), Some(&new.files)], &self.decode);
        match changed {
            Ok(changed) => {
                let objects = changed.into_iter();
                module.objects =
                    objects.map(|(address, action)| Object { address, action }).collect();
            }
            Err(findings) => {
                for finding in findings {
                    let name = &finding.range.filename;
                    // Gaps of the current tree are in the answer anyway.
                    if is_known(name) {
                        continue;
                    }
                    if finding.code == Code::UnreadableFile.as_str() {
                        return Err(Failure::Message(format!("{name}: {}", finding.detail)));
                    }
                    incomplete.add_file(name, &reason_of(&finding));
                }
            }
        }
        Ok(())
    }

    /// Returns the path of a file in the revision, even if it is a link.
    fn old_file(&self, file: &Path) -> Result<Option<PathBuf>, Failure> {
        let (Some(directory), Some(name)) = (file.parent(), file.file_name()) else {
            return Ok(self.old(file)?.map(PathBuf::from));
        };
        let directory = or_here(directory);
        let is_directory = git::is_directory_name(file);
        let whole =
            |directory: String| git::as_directory(Path::new(&directory).join(name), is_directory);
        Ok(self.old(directory)?.map(whole))
    }

    /// Adds what depends on the changed files in the revisions to what does so in the working tree.
    pub(super) fn add_to(
        &self,
        found: &mut Found,
        changed: &[PathBuf],
        now: &Tree<'_>,
    ) -> Result<(), Failure> {
        // Nothing but changed files can make another reader in the older revision.
        let mut is_read = self.newer.is_some();
        for file in changed {
            is_read = is_read || changes_readers(file)?;
        }
        if !is_read {
            return Ok(());
        }
        let mut known = known(now)?;
        let mut removed = BTreeSet::new();
        if let Some(newer) = &self.newer {
            self.add_version((newer, true), changed, &mut known, found, &mut removed)?;
        }
        self.add_version((&self.revision, false), changed, &mut known, found, &mut removed)?;
        found.removed = removed.into_iter().map(|(path, root)| Removed { path, root }).collect();
        Ok(())
    }

    /// Adds what depends on the changed files in a revision. Modules of the newer one are there, even if
    /// the working tree lacks them.
    fn add_version(
        &self,
        (revision, is_newer): (&Revision, bool),
        changed: &[PathBuf],
        known: &mut Vec<Known>,
        found: &mut Found,
        removed: &mut BTreeSet<(String, bool)>,
    ) -> Result<(), Failure> {
        let (mut files, mut given) = (Vec::new(), HashMap::new());
        for file in changed {
            if let Some(inside) = self.old_file(file)? {
                given.insert(inside.clone(), file);
                files.push(inside);
            }
        }
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(self.decode.clone());
        let tree = Tree::load(&arena, revision.all_modules(self.dialect), &options);
        // If its calls are unknown, a called module seems to be a root module.
        let diagnostics = tree.modules().iter().flat_map(|module| &module.diagnostics);
        let unread = |it: &&Diagnostic<'_>| it.code() == Code::UnreadableFile;
        if let Some(diagnostic) = diagnostics.into_iter().find(unread) {
            let name = diagnostic.source().name();
            return Err(Failure::Message(format!("{name}: {}", diagnostic.detail())));
        }
        let top = text(&self.top);
        let answer = tree.affected_with(&files, &ImpactOptions::default().with_top(&top));
        let unused: HashSet<&PathBuf> = answer.unassigned.iter().chain(&answer.unrelated).collect();
        let used = given.iter().filter(|(inside, _)| !unused.contains(inside));
        found.related.extend(used.map(|(_, file)| (*file).clone()));
        if is_newer {
            found.incomplete.append(gaps(&answer));
            self.add_known(&tree, known)?;
        }
        let mut modules: Vec<Module> = answer.modules.iter().map(Module::of).collect();
        AffectedStacks::add_components(&mut modules, &tree);
        let templates = tree.templates().iter().map(|template| &template.files.path);
        let locations = tree.modules().iter().map(|module| &module.files.path);
        let directories: HashMap<String, &MemoryPath> = locations
            .chain(templates)
            .filter_map(|path| Some((path.to_string_lossy().into_owned(), path.memory()?)))
            .collect();
        for module in modules {
            let Some(directory) = directories.get(&module.path) else { continue };
            let place = self.top.join(directory.as_str());
            let mut is_known = false;
            for known in known.iter().filter(|known| known.directory == place) {
                is_known = true;
                // It may have lost what made it one.
                let root = known.is_root || module.root && !known.is_called;
                match found.modules.iter_mut().find(|it| it.path == known.path) {
                    Some(module) => module.root |= root,
                    None => {
                        let path = known.path.clone();
                        found.modules.push(Module { path, root, ..module.clone() });
                    }
                }
            }
            let is_gone = !is_known && !has_configuration(&place)?;
            let mut is_changed = false;
            for file in changed.iter().filter(|_| is_gone) {
                is_changed |= is_in(file, &place)?;
            }
            if is_changed {
                let is_root = module.root || Section::any_about(&self.roots, &place)?;
                removed.insert((text(or_here(&from_here(&place))), is_root));
            }
        }
        Ok(())
    }

    /// Adds the modules of the newer revision that the working tree lacks.
    fn add_known(&self, tree: &Tree<'_>, known: &mut Vec<Known>) -> Result<(), Failure> {
        let there: HashSet<PathBuf> = known.iter().map(|it| it.directory.clone()).collect();
        for (files, is_root, is_called) in parts(tree) {
            let Location::Memory(path) = files.directory() else { continue };
            let directory = self.top.join(path.as_str());
            if !there.contains(&directory) {
                let is_root = is_root || Section::any_about(&self.roots, &directory)?;
                let path = text(or_here(&from_here(&directory)));
                known.push(Known { directory, path, is_root, is_called });
            }
        }
        Ok(())
    }
}

/// The modules of the working tree.
fn known(now: &Tree<'_>) -> Result<Vec<Known>, Failure> {
    let mut all = Vec::new();
    for (files, is_root, is_called) in parts(now) {
        if let Location::Disk(directory) = files.directory() {
            let path = files.path.to_string_lossy().into_owned();
            all.push(Known { directory: git::canonical(&directory)?, path, is_root, is_called });
        }
    }
    Ok(all)
}

/// The modules and templates of a tree: whether each is a root module, and whether another module calls it.
fn parts<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = (&'t ModuleFiles, bool, bool)> {
    let links = tree.modules().iter().flat_map(|module| &module.links);
    let called: HashSet<usize> = links
        .filter_map(|link| match link {
            Link::Module(called) => Some(*called),
            _ => None,
        })
        .collect();
    let modules = tree.modules().iter().zip(tree.roots()).enumerate();
    let modules =
        modules.map(move |(at, (it, is_root))| (&it.files, is_root, called.contains(&at)));
    modules.chain(tree.templates().iter().map(|template| (&template.files, true, false)))
}

/// Whether a changed file may change what depends on other files: it is configuration, has settings of a
/// backend, or is no longer a file.
fn changes_readers(file: &Path) -> Result<bool, Failure> {
    let name = file.file_name().unwrap_or_default();
    let is_read = Dialect::ALL.into_iter().any(|dialect| FileKind::of(name, dialect).is_some());
    let is_file = || file.symlink_metadata().is_ok_and(|found| found.is_file());
    Ok(is_read || is_backend_file(name) || !is_file())
}

/// Whether a file is in a directory.
fn is_in(file: &Path, directory: &Path) -> Result<bool, Failure> {
    let parent = file.parent().unwrap_or(Path::new(""));
    let parent = or_here(parent);
    Ok(git::canonical(parent)? == directory)
}

/// Whether a directory has configuration of some tool.
fn has_configuration(directory: &Path) -> Result<bool, Failure> {
    for dialect in Dialect::ALL {
        match ModuleFiles::list(directory, dialect) {
            Ok(files) if files.has_configuration() => return Ok(true),
            Ok(_) => {}
            Err(error) if git::is_missing(&error) => {}
            Err(error) => {
                let message = format!("cannot list {}: {error}", directory.display());
                return Err(Failure::Message(message));
            }
        }
    }
    Ok(false)
}

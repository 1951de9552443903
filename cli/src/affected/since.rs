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
use super::stacks::AffectedStacks;
use crate::args::{self, Common};
use crate::diff::changed_objects;
use crate::git::{self, Compared};
use crate::incomplete::{Incomplete, reason_of};
use crate::input;
use crate::modules::path_of;
use crate::paths::{or_here, text};
use crate::revision::Revision;
use crate::root_section::Section;
use crate::settings::Settings;
use crate::status::Failure;

/// The revision that the working tree is compared with.
pub(super) struct Since {
    revision: Revision,
    /// The directory of the working tree.
    top: PathBuf,
    decode: DecodeOptions,
    dialect: Option<Dialect>,
    /// The sections of the settings, which make modules root modules.
    roots: Vec<Section>,
}

impl Since {
    pub(super) fn of(
        compared: &Compared,
        affected: &args::Affected,
        common: &Common,
    ) -> Result<Self, Failure> {
        let top = git::top()?;
        let revision = Revision::read(&compared.base, &top, common)?;
        let settings = Settings::of(&[PathBuf::from(".")], common)?;
        let dialect = affected.dialect.or(settings.dialect).map(Into::into);
        let (decode, roots) = (input::decode_options(common)?, settings.roots().to_vec());
        Ok(Self { revision, top, decode, dialect, roots })
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

    /// Adds the gaps of the revision.
    pub(super) fn add_gaps(&self, incomplete: &mut Incomplete) {
        self.revision.add_gaps(incomplete);
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

    /// Adds what depended on the changed files before: modules that still exist to `modules`, and those
    /// without configuration now to what is returned.
    pub(super) fn add_before(
        &self,
        changed: &[PathBuf],
        now: &Tree<'_>,
        modules: &mut Vec<Module>,
    ) -> Result<Vec<Removed>, Failure> {
        if !changed
            .iter()
            .try_fold(false, |any, file| Ok::<_, Failure>(any || changes_readers(file)?))?
        {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for file in changed {
            files.extend(self.old_file(file)?);
        }
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(self.decode.clone());
        let tree = Tree::load(&arena, self.revision.all_modules(self.dialect), &options);
        // If its calls are unknown, a called module seems to be a root module.
        let diagnostics = tree.modules().iter().flat_map(|module| &module.diagnostics);
        let unread = |it: &&Diagnostic<'_>| it.code() == Code::UnreadableFile;
        if let Some(diagnostic) = diagnostics.into_iter().find(unread) {
            let name = diagnostic.source().name();
            return Err(Failure::Message(format!("{name}: {}", diagnostic.detail())));
        }
        let here = git::canonical(Path::new("."))?;
        // The directory, the path, whether it is a root module, and whether another module calls it.
        let mut places: Vec<(PathBuf, String, bool, bool)> = Vec::new();
        let links = now.modules().iter().flat_map(|module| &module.links);
        let called: HashSet<usize> = links
            .filter_map(|link| match link {
                Link::Module(called) => Some(*called),
                _ => None,
            })
            .collect();
        let roots = now.roots();
        let all = now.modules().iter().enumerate();
        let all = all.map(|(at, it)| (&it.files, roots[at], called.contains(&at)));
        let all = all.chain(now.templates().iter().map(|it| (&it.files, true, false)));
        for (files, is_root, is_called) in all {
            if let Location::Disk(directory) = files.directory() {
                let name = files.path.to_string_lossy().into_owned();
                places.push((git::canonical(&directory)?, name, is_root, is_called));
            }
        }
        let mut removed: BTreeSet<(String, bool)> = BTreeSet::new();
        let top = text(&self.top);
        let options = ImpactOptions::default().with_top(&top);
        let affected = tree.affected_with(&files, &options).modules;
        let mut all_before: Vec<Module> = affected.iter().map(Module::of).collect();
        AffectedStacks::add_components(&mut all_before, &tree);
        let templates = tree.templates().iter().map(|template| &template.files.path);
        let modules_then = tree.modules().iter().map(|module| &module.files.path);
        let directories: HashMap<String, &MemoryPath> = modules_then
            .chain(templates)
            .filter_map(|path| Some((path.to_string_lossy().into_owned(), path.memory()?)))
            .collect();
        for before in all_before {
            let Some(directory) = directories.get(&before.path) else { continue };
            let place = self.top.join(directory.as_str());
            let mut is_known = false;
            let known = places.iter().filter(|(directory, ..)| *directory == place);
            for (_, name, is_root, is_called) in known {
                is_known = true;
                // It may have lost what made it one.
                let is_root = *is_root || before.root && !is_called;
                match modules.iter_mut().find(|module| module.path == *name) {
                    Some(module) => module.root |= is_root,
                    None => {
                        let (path, root) = (name.clone(), is_root);
                        modules.push(Module { path, root, ..before.clone() });
                    }
                }
            }
            let is_gone = !is_known && !has_configuration(&place)?;
            let mut is_changed = false;
            for file in changed.iter().filter(|_| is_gone) {
                is_changed |= is_in(file, &place)?;
            }
            if is_changed {
                let path = place.strip_prefix(&here).unwrap_or(&place);
                let is_root = before.root || Section::any_about(&self.roots, &place)?;
                removed.insert((path.to_string_lossy().into_owned(), is_root));
            }
        }
        Ok(removed.into_iter().map(|(path, root)| Removed { path, root }).collect())
    }
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

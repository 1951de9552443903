//! One state of a workspace.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::context::Context;
use super::facts::{Finding, ModuleFacts};
use super::listing::Index;
use super::load::load;
use super::unit_facts::is_unit_file;
use super::units;
use crate::arena::Arena;
use crate::dialect::{Dialect, List};
use crate::directory::{DiscoverProblem, ModuleFiles};
use crate::hash::HashMap;
use crate::owned::OwnedTree;
use crate::show::BodySchemas;
use crate::source::{Access, OpenFile};
use crate::terragrunt;
use crate::tree::TreeOptions;

/// The number of trees that a snapshot keeps.
const MOST_TREES: usize = 4;

/// A state of a workspace, which never changes.
#[derive(Debug)]
pub struct Snapshot {
    pub(super) revision: u64,
    pub(super) context: Context,
    pub(super) modules: Vec<Arc<ModuleFacts>>,
    pub(super) index: Arc<Index>,
    pub(super) problems: Arc<[DiscoverProblem]>,
    /// Trees of single modules, the latest last.
    pub(super) trees: Mutex<Vec<(usize, Arc<OwnedTree>)>>,
    /// The last tree of a module and those that call it.
    pub(super) wide: Mutex<Option<(usize, Arc<OwnedTree>)>>,
}

/// A file of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileId {
    /// Its module, by its index among [`Snapshot::modules`].
    pub module: usize,
    /// Its index among the files of the module ([`ModuleFacts::files`]).
    pub file: usize,
}

impl Snapshot {
    /// The number of the state: each edit makes a larger one.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The modules and templates: the given ones by path, then the modules that only calls lead to,
    /// then the templates of Packer.
    #[must_use]
    pub fn modules(&self) -> &[Arc<ModuleFacts>] {
        &self.modules
    }

    /// Directories and files that could not be listed.
    #[must_use]
    pub fn problems(&self) -> &[DiscoverProblem] {
        &self.problems
    }

    /// The file at a path. Cost: constant.
    #[must_use]
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let &(module, file) = self.index.files.get(&self.context.absolute(path))?;
        Some(FileId { module: module as usize, file: file as usize })
    }

    /// The modules of a directory: one of OpenTofu or Terraform, and a template of Packer.
    pub fn modules_at(&self, directory: &Path) -> impl Iterator<Item = usize> {
        let places = self.index.directories.get(&self.context.absolute(directory));
        places.into_iter().flatten().map(|place| *place as usize)
    }

    /// The findings of a file of a module, of a template or of a unit of Terragrunt.
    ///
    /// Cost: logarithmic in those of its module, or of all units.
    #[must_use]
    pub fn findings(&self, path: &Path) -> &[Finding] {
        let Some(FileId { module, file }) = self.file(path) else {
            return self.context.units.findings(&self.context.absolute(path));
        };
        let module = &self.modules[module];
        module.findings_of(&module.files.files[file].path.to_string_lossy())
    }

    /// The files of units of Terragrunt that have findings, as absolute paths.
    pub fn unit_files(&self) -> impl Iterator<Item = &Path> {
        self.context.units.files()
    }

    /// The module that a call leads to, if it is in the tree. `call` is the index among
    /// [`ModuleFacts::calls`].
    #[must_use]
    pub fn called(&self, module: usize, call: usize) -> Option<usize> {
        let call = self.modules.get(module)?.calls.get(call)?;
        self.index.called(&self.modules, call.target.as_ref()?)
    }

    /// The calls that lead to a module: the calling modules, and the indexes among their calls.
    ///
    /// Cost: linear in all calls.
    #[must_use]
    pub fn callers(&self, module: usize) -> Vec<(usize, usize)> {
        let Some(key) = self.key(module) else { return Vec::new() };
        let all = self.modules.iter().enumerate();
        let calls = all.flat_map(|(place, module)| {
            module.calls.iter().enumerate().map(move |(call, facts)| (place, call, facts))
        });
        let is_it = calls.filter(|(.., call)| call.target.as_ref() == Some(&key));
        is_it.map(|(place, call, _)| (place, call)).collect()
    }

    fn key(&self, module: usize) -> Option<PathBuf> {
        self.context.key(&self.modules.get(module)?.files.path)
    }

    /// The text of a file: that of its buffer if it is open, otherwise that on disk.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn text(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        if let Some(text) = self.context.buffers.get(path) {
            return Ok(Arc::clone(text));
        }
        let read = Access::FOUND.open(path).and_then(OpenFile::read);
        read.map(Into::into).map_err(io::Error::other)
    }

    /// Whether a file is open.
    #[must_use]
    pub fn is_open(&self, path: &Path) -> bool {
        self.context.buffers.get(path).is_some()
    }

    /// The tree of one module and of all that it calls. The module is the first of its modules; for a
    /// template of Packer, it is the first of its templates.
    ///
    /// Texts of files that are not open are read from disk.
    ///
    /// Cost: that of reading these modules; nothing if they were asked for, or edited, a short time
    /// ago.
    #[must_use]
    pub fn tree(&self, module: usize) -> Option<Arc<OwnedTree>> {
        let facts = self.modules.get(module)?;
        let kept = |trees: &[(usize, Arc<OwnedTree>)]| {
            let found = trees.iter().find(|(place, _)| *place == module);
            found.map(|(_, tree)| Arc::clone(tree))
        };
        if let Some(tree) = kept(&self.trees.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(tree);
        }
        // No lock is held while it is read: two readers may read it twice.
        let (tree, _) = load(&self.context, vec![(*facts.files).clone()], true);
        let tree = Arc::new(tree);
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        keep(&mut trees, module, &tree);
        Some(tree)
    }

    /// The tree of one module, of all modules that call it, directly or not, and of all that these call.
    /// The module is the first of its modules, or of its templates. Its findings are not complete.
    ///
    /// Cost: that of reading these modules; nothing if it was the last one that was asked for. If nothing
    /// calls the module, that of [`Snapshot::tree`].
    #[must_use]
    pub fn tree_with_callers(&self, module: usize) -> Option<Arc<OwnedTree>> {
        let above = self.all_callers(module);
        if above.is_empty() {
            return self.tree(module);
        }
        let kept = self.wide.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, tree)) = kept.filter(|(place, _)| *place == module) {
            return Some(tree);
        }
        let places = std::iter::once(module).chain(above);
        let files = places.filter_map(|place| self.modules.get(place));
        let files = files.map(|facts| (*facts.files).clone()).collect();
        // No lock is held while it is read.
        let schemas = self.context.options.schemas.as_ref();
        let options = self.context.tree_options();
        let tree = Arc::new(OwnedTree::load_around(files, &options, (None, schemas), |_, _| ()));
        let mut wide = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        *wide = Some((module, Arc::clone(&tree)));
        Some(tree)
    }

    /// The modules that call a module, directly or not, in order.
    fn all_callers(&self, module: usize) -> Vec<usize> {
        let mut of: HashMap<usize, Vec<usize>> = HashMap::default();
        for (place, facts) in self.modules.iter().enumerate() {
            for call in 0..facts.calls.len() {
                if let Some(called) = self.called(place, call) {
                    of.entry(called).or_default().push(place);
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut open = vec![module];
        while let Some(called) = open.pop() {
            for &caller in of.get(&called).into_iter().flatten() {
                if caller != module && seen.insert(caller) {
                    open.push(caller);
                }
            }
        }
        seen.into_iter().collect()
    }

    /// Whether a file belongs to a module, and has no values of variables.
    pub(super) fn is_of_declarations(&self, path: &Path) -> bool {
        self.file(path).is_some_and(|FileId { module, file }| {
            self.modules[module].files.files[file].kind.list != List::Variables
        })
    }

    /// Whether a path is a file of a unit or stack of Terragrunt, by its name and by the files that units
    /// include.
    #[must_use]
    pub fn is_unit_file(&self, path: &Path) -> bool {
        self.file(path).is_none() && is_unit_file(path)
    }

    /// Whether units of Terragrunt are below the directories of the workspace.
    #[must_use]
    pub fn has_units(&self) -> bool {
        self.context.units.has_units()
    }

    /// For a file of a unit of Terragrunt: the directory of the workspace around it, and the folder of the
    /// unit as an absolute path without links.
    pub(crate) fn unit_of(&self, path: &Path) -> Option<(&Path, String)> {
        if !self.is_unit_file(path) {
            return None;
        }
        let path = self.context.absolute(path);
        let folder = self.context.units.unit_of(&path)?.to_str()?.to_owned();
        let around = self.context.paths.iter();
        let directory = around.filter(|it| path.starts_with(self.context.absolute(it))).last()?;
        Some((directory, folder))
    }

    /// How units of Terragrunt are read.
    pub(crate) fn unit_options(&self) -> terragrunt::Options {
        units::options(&self.context)
    }

    /// How trees are read.
    pub(crate) fn tree_options(&self) -> TreeOptions {
        self.context.tree_options()
    }

    /// The schemas of providers.
    pub(crate) fn schemas<'a>(&'a self, arena: &'a Arena) -> BodySchemas<'a> {
        match &self.context.options.schemas {
            Some(text) => text.read(arena),
            None => BodySchemas::built_in(arena),
        }
    }

    /// The files of the module in a directory.
    pub(crate) fn module_files(&self, directory: &Path) -> Option<ModuleFiles> {
        let modules = self.modules_at(directory).filter_map(|place| self.modules.get(place));
        let mut modules = modules.filter(|it| it.dialect() != Dialect::Packer);
        modules.next().map(|facts| (*facts.files).clone())
    }

    /// A directory of a snapshot as other paths of it are written.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.context.absolute(path)
    }
}

/// Adds a tree as the latest one.
pub(super) fn keep(trees: &mut Vec<(usize, Arc<OwnedTree>)>, module: usize, tree: &Arc<OwnedTree>) {
    trees.retain(|(place, _)| *place != module);
    if trees.len() >= MOST_TREES {
        trees.remove(0);
    }
    trees.push((module, Arc::clone(tree)));
}

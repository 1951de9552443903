//! The stacks of Terramate and of Terraform that changed files affect: they are root modules.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::deployments::{Call, calls};
use simd_hcl::stacks::{Kind, Stack};
use simd_hcl::terramate::{Stacks, declares_stack, find};
use simd_hcl::tree::Tree;

use super::answer::{Module, Removed, Step};
use super::units::changed_path;
use crate::git;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::path_of;
use crate::paths::{or_here, text};
use crate::revision_files::RevisionFiles;
use crate::status::Failure;
use crate::unit_graph::named;

/// The numbers of a stack and of the changed file that affects it.
type Hit = (usize, usize);

/// The stacks below the given folders.
pub(super) struct AffectedStacks {
    /// Each folder with its stacks, and those that are affected, with the changed file.
    trees: Vec<(PathBuf, Stacks, Vec<Hit>)>,
    changed: Vec<PathBuf>,
    /// The changed files that affect a stack.
    read: HashSet<PathBuf>,
    /// The folders that were stacks in the revision, as absolute paths.
    gone: BTreeSet<PathBuf>,
    /// Gaps in the knowledge about stacks.
    pub(super) incomplete: Incomplete,
}

impl AffectedStacks {
    /// `before` has the files of the revision that is compared.
    pub(super) fn of(
        folders: &[PathBuf],
        changed: &[PathBuf],
        before: Option<&RevisionFiles>,
    ) -> Result<Self, Failure> {
        let mut all = Self {
            trees: Vec::new(),
            changed: changed.to_vec(),
            read: HashSet::new(),
            gone: BTreeSet::new(),
            incomplete: Incomplete::default(),
        };
        let mut files: Option<Vec<String>> = None;
        for folder in input::directories(folders, &mut all.incomplete) {
            let stacks = find(folder);
            if stacks.stacks.is_empty() {
                continue;
            }
            for (place, why) in &stacks.gaps {
                all.incomplete.add("stack", named(folder, place), why);
            }
            if files.is_none() {
                let found: Result<_, _> = changed.iter().map(|file| changed_path(file)).collect();
                files = Some(found?);
            }
            let files = files.as_deref().unwrap_or_default();
            let affected = stacks.affected(files);
            let read = changed.iter().zip(files).filter(|(_, path)| stacks.reads(path));
            all.read.extend(read.map(|(given, _)| given.clone()));
            all.trees.push((folder.to_owned(), stacks, affected));
        }
        if let Some(before) = before {
            all.find_gone(folders, before)?;
        }
        Ok(all)
    }

    /// Finds the stacks of a revision that are gone: those of changed files that declared them.
    fn find_gone(&mut self, folders: &[PathBuf], before: &RevisionFiles) -> Result<(), Failure> {
        let now = self.trees.iter().flat_map(|(_, stacks, _)| &stacks.stacks);
        let now: HashSet<&Path> = now.map(|stack| Path::new(&stack.folder)).collect();
        let searched: Result<Vec<PathBuf>, Failure> =
            folders.iter().map(|folder| git::canonical(folder)).collect();
        let searched = searched?;
        for given in &self.changed {
            let name = given.file_name().unwrap_or_default().to_string_lossy();
            let whole = git::canonical(given)?;
            let Some(folder) = whole.parent().filter(|folder| !now.contains(folder)) else {
                continue;
            };
            let Ok(inside) = whole.strip_prefix(before.top()) else { continue };
            let is_searched = searched.iter().any(|searched| folder.starts_with(searched));
            let declared = || {
                let content = before.read(&text(inside));
                content.is_ok_and(|content| declares_stack(&name, &content))
            };
            if is_searched && name.contains(".tm") && declared() {
                self.gone.insert(folder.to_owned());
            }
        }
        let files = self.changed.iter().filter(|given| {
            let file = git::canonical(given).ok();
            file.is_some_and(|file| file.parent().is_some_and(|it| self.gone.contains(it)))
        });
        self.read.extend(files.cloned());
        Ok(())
    }

    /// Adds the stacks that are gone.
    pub(super) fn add_removed(&self, removed: &mut Vec<Removed>) -> Result<(), Failure> {
        let here = git::canonical(Path::new("."))?;
        for folder in &self.gone {
            Removed::add_root(removed, text(or_here(folder.strip_prefix(&here).unwrap_or(folder))));
        }
        removed.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }

    /// Adds the stacks of Terraform whose components call affected modules. Stacks with deployments are
    /// run.
    pub(super) fn add_components(modules: &mut Vec<Module>, tree: &Tree<'_>) {
        let calls = calls(tree);
        let mut callers: HashMap<usize, Vec<&Call<'_, '_>>> = HashMap::new();
        calls.iter().for_each(|call| callers.entry(call.target).or_default().push(call));
        let path = |place: usize| path_of(&tree.modules()[place]);
        let mut places: HashMap<String, usize> =
            modules.iter().enumerate().map(|(at, module)| (module.path.clone(), at)).collect();
        let mut open: Vec<usize> =
            (0..tree.modules().len()).filter(|&it| places.contains_key(&path(it))).collect();
        while let Some(place) = open.pop() {
            for call in callers.get(&place).into_iter().flatten() {
                let (from, to) = (path(place), path(call.stack));
                let (Some(&cause), false) = (places.get(&from), places.contains_key(&to)) else {
                    continue;
                };
                let mut because = modules[cause].because.clone();
                let address = Some(call.object.to_string());
                because.push(Step { file: None, address, module: to.clone(), via: Vec::new() });
                places.insert(to.clone(), modules.len());
                modules.push(Module { path: to, root: false, because, objects: Vec::new() });
                open.push(call.stack);
            }
        }
        for module in tree.modules() {
            let is_run = |it: &Stack<'_>| it.of_kind(Kind::Deployment).next().is_some();
            if let Some(&at) = places.get(&path_of(module)) {
                modules[at].root |= module.stack.as_ref().is_some_and(is_run);
            }
        }
    }

    fn affected(&self) -> impl Iterator<Item = (String, &Path)> {
        self.trees.iter().flat_map(move |(folder, stacks, affected)| {
            affected.iter().map(move |&(stack, file)| {
                (named(folder, &stacks.stacks[stack].path), self.changed[file].as_path())
            })
        })
    }

    /// Takes away the changed files that affect stacks.
    pub(super) fn take_files(&self, files: &mut Vec<PathBuf>) {
        files.retain(|file| !self.read.contains(file));
    }

    /// Adds the paths of all stacks to those of root modules.
    pub(super) fn add_roots(&self, roots: &mut Vec<String>) {
        for (folder, stacks, _) in &self.trees {
            roots.extend(stacks.stacks.iter().map(|stack| named(folder, &stack.path)));
        }
        roots.sort_unstable();
        roots.dedup();
    }

    /// Adds the stacks that run before each one.
    pub(super) fn add_order(&self, order: &mut BTreeMap<String, Vec<String>>) {
        for (folder, stacks, _) in &self.trees {
            for stack in stacks.stacks.iter().filter(|stack| !stack.after.is_empty()) {
                let after = stack.after.iter().map(|path| named(folder, path));
                order.entry(named(folder, &stack.path)).or_default().extend(after);
            }
        }
    }

    /// Adds the affected stacks to the modules of an answer.
    pub(super) fn add_to(&self, modules: &mut Vec<Module>) {
        for (path, file) in self.affected() {
            match modules.iter_mut().find(|module| module.path == path) {
                Some(module) => module.root = true,
                None => {
                    let file = Some(file.to_string_lossy().into_owned());
                    let because =
                        vec![Step { file, address: None, module: path.clone(), via: Vec::new() }];
                    modules.push(Module { path, root: true, because, objects: Vec::new() });
                }
            }
        }
        let stacks = self.trees.iter().flat_map(|(folder, stacks, _)| {
            stacks.stacks.iter().map(move |stack| named(folder, &stack.path))
        });
        let stacks: HashSet<String> = stacks.collect();
        // A stack is run, whatever its module looks like.
        for module in modules.iter_mut() {
            module.root |= stacks.contains(&module.path);
        }
    }
}

//! The writer: takes edits and changes on disk, and publishes snapshots.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::buffers::Buffers;
use super::context::Context;
use super::facts::ModuleFacts;
use super::listing::{Index, around, calls, is_manifest, list};
use super::load::load;
use super::options::Options;
use super::snapshot::{Snapshot, keep};
use super::unit_facts::is_unit_file;
use super::units;
use crate::directory::{Location, ModuleFiles};
use crate::hash::HashSet;
use crate::owned::OwnedTree;
use crate::source::{Access, OpenFile};
use crate::tree::{Around, Origin};

/// A resident tree of modules. See [`crate::workspace`].
#[derive(Debug)]
pub struct Workspace {
    paths: Vec<PathBuf>,
    current: Arc<Snapshot>,
}

/// The effect of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changed {
    /// Whether everything was loaded again, so that the indexes of modules have changed.
    pub everything: bool,
    /// The modules whose facts were made again, by their indexes in the new snapshot, sorted.
    pub modules: Vec<usize>,
    /// The files of units of Terragrunt whose findings differ, as absolute paths.
    pub unit_files: Vec<PathBuf>,
}

/// A part of the state that has to be loaded again as a whole.
struct NeedsAll;

impl Workspace {
    /// Reads all modules below some directories.
    ///
    /// Cost: that of [`Tree::load`](crate::tree::Tree::load), of its checks, of the rules, and of the
    /// places of all modules.
    #[must_use]
    pub fn open(paths: Vec<PathBuf>, options: Options) -> Self {
        let buffers = Arc::new(Buffers::new());
        let (options, around) = (Arc::new(options), Around::default());
        let units = Arc::default();
        let (is_whole, shared) = (false, paths.clone().into());
        let context = Context { options, buffers, around, units, paths: shared, is_whole };
        Self { current: Arc::new(read(&paths, context, 0)), paths }
    }

    /// Sets other directories and options. Open files stay open. Cost: that of [`Self::open`].
    pub fn configure(&mut self, paths: Vec<PathBuf>, options: Options) -> Changed {
        self.paths = paths;
        let (options, paths) = (Arc::new(options), self.paths.clone().into());
        let before = self.snapshot();
        let context = Context { options, paths, ..self.current.context.clone() };
        let changed = self.reload(context);
        self.follow_units::<&Path>(&before, changed, &[])
    }

    /// A workspace that goes on from a state, which stays as it is.
    ///
    /// Cost: constant.
    #[must_use]
    pub fn after(snapshot: &Arc<Snapshot>) -> Self {
        Self { paths: snapshot.context.paths.to_vec(), current: Arc::clone(snapshot) }
    }

    /// The current state.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current)
    }

    /// Sets the text of an open file, which counts instead of the text on disk.
    ///
    /// Cost: reading its module and those that it calls; if callers see a difference, reading them,
    /// too. If the file is new, listing all directories.
    pub fn edit(&mut self, path: &Path, text: Arc<[u8]>) -> Changed {
        self.edit_all([(path.to_owned(), text)])
    }

    /// Sets the texts of open files, one after another. Cost: as [`Self::edit`], but directories are listed
    /// once.
    pub fn edit_all(&mut self, edits: impl IntoIterator<Item = (PathBuf, Arc<[u8]>)>) -> Changed {
        let mut buffers = Buffers::clone(&self.current.context.buffers);
        let mut dirty = BTreeSet::new();
        let mut is_listing = false;
        let mut changed = Vec::new();
        for (path, text) in edits {
            let is_same = self.current.text(&path).is_ok_and(|before| before == text);
            match self.current.file(&path) {
                Some(file) => dirty.extend((!is_same).then_some(file.module)),
                // No module has a file of Terragrunt.
                None => is_listing |= !is_unit_file(&path),
            }
            buffers.set(&path, text);
            changed.extend((!is_same).then_some(path));
        }
        self.with_buffers(buffers, (is_listing, dirty), &changed)
    }

    /// Forgets the text of an open file: the text on disk counts again. Cost: as [`Self::edit`].
    pub fn close(&mut self, path: &Path) -> Changed {
        let mut buffers = Buffers::clone(&self.current.context.buffers);
        let Some(before) = buffers.remove(path) else { return Changed::default() };
        let mut dirty = BTreeSet::new();
        let file = self.current.file(path).filter(|_| path.exists());
        let on_disk = Access::FOUND.open(path).and_then(OpenFile::read);
        let is_same = on_disk.is_ok_and(|text| *text == *before);
        dirty.extend(file.filter(|_| !is_same).map(|file| file.module));
        let is_listing = file.is_none() && !self.current.is_unit_file(path);
        let changed: &[&Path] = if is_same { &[] } else { &[path] };
        self.with_buffers(buffers, (is_listing, dirty), changed)
    }

    fn with_buffers<P: AsRef<Path>>(
        &mut self,
        buffers: Buffers,
        (is_listing, dirty): (bool, BTreeSet<usize>),
        paths: &[P],
    ) -> Changed {
        let before = self.snapshot();
        let context = Context { buffers: Arc::new(buffers), ..self.current.context.clone() };
        let changed = self.listed_or_updated(context, is_listing, dirty);
        self.follow_units(&before, changed, paths)
    }

    fn listed_or_updated(
        &mut self,
        context: Context,
        is_listing: bool,
        dirty: BTreeSet<usize>,
    ) -> Changed {
        match is_listing {
            true => self.list_again(context, dirty),
            false => self.update(context, dirty),
        }
    }

    /// Checks units again if they may depend on what has changed, and modules for which they generate
    /// other names. `before` is the state before the change, and `paths` are the files that changed.
    fn follow_units<P: AsRef<Path>>(
        &mut self,
        before: &Snapshot,
        mut changed: Changed,
        paths: &[P],
    ) -> Changed {
        let old = &before.context.units;
        let modules = &self.current.modules;
        if !changed.everything {
            // Of the files of modules, units read those of values; others count by their declarations.
            let is_read = |path: &P| {
                let path = path.as_ref();
                let is_declared =
                    before.is_of_declarations(path) && self.current.is_of_declarations(path);
                !is_declared && old.may_read(path)
            };
            let is_seen = |place: &usize| {
                modules[*place].differs_for_units(&before.modules[*place])
                    && old.runs(&modules[*place])
            };
            if !paths.iter().any(is_read) && !changed.modules.iter().any(is_seen) {
                return changed;
            }
            let context = &self.current.context;
            let edited = match paths {
                [path] if changed.modules.is_empty() => {
                    let file = self.current.absolute(path.as_ref());
                    units::after_edit(old, (&before.context, context), &file)
                }
                _ => None,
            };
            let units = edited.unwrap_or_else(|| units::check(context));
            let dirty = units.differing_modules(old, modules);
            let context = Context { units, ..self.current.context.clone() };
            let more = self.update(context, dirty);
            changed.everything = more.everything;
            changed.modules.extend(more.modules);
            changed.modules.sort_unstable();
            changed.modules.dedup();
        }
        changed.unit_files = self.current.context.units.differing(old);
        changed
    }

    /// Takes note of files and directories that were written, created or deleted. Those that are open
    /// count as their buffers say.
    ///
    /// Cost: as [`Self::edit`] for each module of these files; if files came or went, listing all
    /// directories; if directories with modules did, reading everything.
    pub fn changed_on_disk<P: AsRef<Path>>(&mut self, paths: &[P]) -> Changed {
        let before = self.snapshot();
        let changed = self.follow_modules(paths);
        self.follow_units(&before, changed, paths)
    }

    fn follow_modules<P: AsRef<Path>>(&mut self, paths: &[P]) -> Changed {
        let context = self.current.context.clone();
        let mut dirty = BTreeSet::new();
        let mut is_listing = false;
        for path in paths.iter().map(AsRef::as_ref) {
            if is_manifest(path) {
                return self.reload(context);
            }
            let is_file = path.is_file();
            match self.current.file(path) {
                Some(file) if is_file => {
                    if !self.current.is_open(path) {
                        dirty.insert(file.module);
                    }
                }
                _ => {
                    is_listing = true;
                    self.add_neighbours(path, &mut dirty);
                }
            }
        }
        self.listed_or_updated(context, is_listing, dirty)
    }

    /// Adds the modules whose findings may depend on whether a path exists: those around it, whose
    /// functions may read it, and those that call it.
    fn add_neighbours(&self, path: &Path, dirty: &mut BTreeSet<usize>) {
        let path = self.current.absolute(path);
        for directory in path.ancestors() {
            dirty.extend(self.current.modules_at(directory));
        }
        for (place, module) in self.current.modules.iter().enumerate() {
            let directories = module.calls.iter().filter_map(|call| call.directory.as_ref());
            if directories
                .into_iter()
                .any(|directory| path.starts_with(directory) || directory.starts_with(&path))
            {
                dirty.insert(place);
            }
        }
    }

    /// Finds the modules again, and updates those whose files have changed.
    fn list_again(&mut self, context: Context, mut dirty: BTreeSet<usize>) -> Changed {
        let found = list(&self.paths, &context);
        let given = |facts: &&Arc<ModuleFacts>| facts.origin == Origin::Given;
        let places: Vec<usize> = (0..self.current.modules.len())
            .filter(|place| given(&&self.current.modules[*place]))
            .collect();
        let key = |files: &ModuleFiles| (context.key(&files.path), files.dialect);
        let mut before: Vec<usize> = places;
        before.sort_by_cached_key(|place| key(&self.current.modules[*place].files));
        let mut after: Vec<&ModuleFiles> = found.modules.iter().collect();
        after.sort_by_cached_key(|files| key(files));
        let is_same = before.len() == after.len()
            && found.problems == *self.current.problems
            && before
                .iter()
                .zip(&after)
                .all(|(place, files)| key(&self.current.modules[*place].files) == key(files));
        if !is_same {
            return self.reload(context);
        }
        let mut modules = self.current.modules.clone();
        for (place, files) in before.into_iter().zip(after) {
            if *modules[place].files != *files {
                dirty.insert(place);
                modules[place] = Arc::new(modules[place].with_files(files.clone()));
            }
        }
        let of_calls = &context.around;
        let around = Around {
            called: Arc::clone(&of_calls.called),
            below_roots: Arc::clone(&of_calls.below_roots),
            ..around(&found, &context)
        };
        let context = Context { around, ..context };
        let index = Arc::new(Index::of(&modules, &context));
        self.current = Arc::new(Snapshot {
            revision: self.current.revision,
            context: context.clone(),
            modules,
            index,
            problems: Arc::clone(&self.current.problems),
            trees: Mutex::default(),
            wide: Mutex::default(),
        });
        self.update(context, dirty)
    }

    /// Reads everything again.
    fn reload(&mut self, context: Context) -> Changed {
        self.current = Arc::new(read(&self.paths, context, self.current.revision + 1));
        let modules = (0..self.current.modules.len()).collect();
        Changed { everything: true, modules, unit_files: Vec::new() }
    }

    /// Reads some modules again, and those that see a difference.
    fn update(&mut self, context: Context, dirty: BTreeSet<usize>) -> Changed {
        let is_given = |place: &usize| self.current.modules[*place].origin == Origin::Given;
        if !dirty.is_empty() && (self.current.context.is_whole || !dirty.iter().all(is_given)) {
            return self.reload(context);
        }
        let mut update = Update {
            modules: self.current.modules.clone(),
            index: Arc::clone(&self.current.index),
            context: context.clone(),
            done: BTreeSet::new(),
            tree: None,
        };
        if update.run(dirty).is_err() {
            return self.reload(context);
        }
        let Update { modules, index, context, done, tree } = update;
        let mut trees = self.current.trees.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !done.is_empty() {
            let reached = reached(&modules, &index, &trees);
            let mut is_valid = reached.iter().map(|reached| reached.is_disjoint(&done));
            trees.retain(|_| is_valid.next().unwrap_or(false));
        }
        if let Some((place, tree)) = tree {
            keep(&mut trees, place, &Arc::new(tree));
        }
        self.current = Arc::new(Snapshot {
            revision: self.current.revision + 1,
            context,
            modules,
            index,
            problems: Arc::clone(&self.current.problems),
            trees: Mutex::new(trees),
            wide: Mutex::default(),
        });
        let modules = done.into_iter().collect();
        Changed { everything: false, modules, unit_files: Vec::new() }
    }
}

/// Reads all modules.
fn read(paths: &[PathBuf], context: Context, revision: u64) -> Snapshot {
    let found = list(paths, &context);
    let units = units::check(&context);
    let mut context = Context { around: around(&found, &context), units, ..context };
    let problems = found.problems.into();
    let (_, modules) = load(&context, found.modules, false);
    let index = Index::of(&modules, &context);
    let (called, below_roots) = calls(&modules, &context);
    context.around.called = Arc::new(called);
    context.around.below_roots = Arc::new(below_roots);
    context.is_whole = context.options.selection.reads_callers() || has_cycle(&modules, &index);
    let index = Arc::new(index);
    let (trees, wide) = (Mutex::default(), Mutex::default());
    Snapshot { revision, context, modules, index, problems, trees, wide }
}

/// The modules that each module calls.
fn links(modules: &[Arc<ModuleFacts>], index: &Index) -> Vec<Vec<usize>> {
    let of_module = |module: &Arc<ModuleFacts>| {
        let targets = module.calls.iter().filter_map(|call| call.target.as_ref());
        targets.filter_map(|target| index.called(modules, target)).collect()
    };
    modules.iter().map(of_module).collect()
}

/// Whether modules call one another in a circle. Cost: linear in the calls.
fn has_cycle(modules: &[Arc<ModuleFacts>], index: &Index) -> bool {
    let links = links(modules, index);
    let mut callers = vec![0_usize; modules.len()];
    links.iter().flatten().for_each(|called| callers[*called] += 1);
    let mut open: Vec<usize> = (0..modules.len()).filter(|place| callers[*place] == 0).collect();
    let mut seen = 0;
    while let Some(place) = open.pop() {
        seen += 1;
        for &called in &links[place] {
            callers[called] -= 1;
            if callers[called] == 0 {
                open.push(called);
            }
        }
    }
    seen < modules.len()
}

/// For each kept tree, the modules that it has.
fn reached(
    modules: &[Arc<ModuleFacts>],
    index: &Index,
    trees: &[(usize, Arc<OwnedTree>)],
) -> Vec<BTreeSet<usize>> {
    let of_tree = |&(start, _): &(usize, Arc<OwnedTree>)| {
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(place) = open.pop() {
            let targets = modules[place].calls.iter().filter_map(|call| call.target.as_ref());
            for called in targets.filter_map(|target| index.called(modules, target)) {
                if reached.insert(called) {
                    open.push(called);
                }
            }
        }
        reached
    };
    trees.iter().map(of_tree).collect()
}

/// An update of some modules.
struct Update {
    modules: Vec<Arc<ModuleFacts>>,
    index: Arc<Index>,
    context: Context,
    /// The modules that have been read again.
    done: BTreeSet<usize>,
    /// The tree of the module that was edited, if it is one.
    tree: Option<(usize, OwnedTree)>,
}

impl Update {
    /// Reads modules until none of them sees a difference.
    fn run(&mut self, dirty: BTreeSet<usize>) -> Result<(), NeedsAll> {
        let mut pending = dirty;
        let mut callers: Option<Vec<Vec<usize>>> = None;
        while !pending.is_empty() {
            let part: Vec<usize> = std::mem::take(&mut pending).into_iter().collect();
            let fresh = self.load(&part)?;
            let mut next = BTreeSet::new();
            let mut is_relinked = false;
            for (place, facts) in fresh {
                let old = std::mem::replace(&mut self.modules[place], facts);
                let new = &self.modules[place];
                if new.differs_in_calls(&old) {
                    is_relinked = true;
                    self.refuse_others(&old)?;
                    self.refuse_others(new)?;
                    callers = None;
                }
                let new = &self.modules[place];
                let is_first = self.done.insert(place);
                if is_first {
                    next.extend(self.that_point_to(&old));
                }
                let is_seen = new.differs_for_callers(&old);
                let is_above = new.differs_for_all_above(&old);
                if is_seen || is_above {
                    let callers = callers.get_or_insert_with(|| self.callers());
                    next.extend(callers[place].iter().copied());
                    let above = above(callers, place);
                    let is_deep =
                        |it: &usize| is_above || self.modules[*it].around.has_deep_imports;
                    next.extend(above.into_iter().filter(is_deep));
                }
            }
            // Modules that were read in this update have seen all new texts.
            pending = next.difference(&self.done).copied().collect();
            if is_relinked {
                pending.extend(self.link_again()?);
            }
        }
        Ok(())
    }

    /// Calls of a module that nobody has given need everything: it comes or goes with them.
    fn refuse_others(&self, facts: &ModuleFacts) -> Result<(), NeedsAll> {
        let targets = facts.calls.iter().filter_map(|call| call.target.as_ref());
        for target in targets {
            match self.index.called(&self.modules, target) {
                Some(place) if self.modules[place].origin == Origin::Given => {}
                _ => return Err(NeedsAll),
            }
        }
        Ok(())
    }

    /// The modules with a finding that points to a file of a module, and those whose tests run it.
    fn that_point_to(&self, facts: &ModuleFacts) -> Vec<usize> {
        let own: HashSet<&str> = facts.sources.iter().map(|name| &**name).collect();
        let directory = self.context.key(&facts.files.path);
        let points = |other: &Arc<ModuleFacts>| {
            let around = &other.around;
            around.related.iter().any(|name| own.contains(&**name))
                || around.tested.iter().any(|it| Some(it) == directory.as_ref())
        };
        (0..self.modules.len()).filter(|place| points(&self.modules[*place])).collect()
    }

    fn callers(&self) -> Vec<Vec<usize>> {
        let mut callers = vec![Vec::new(); self.modules.len()];
        for (caller, called) in links(&self.modules, &self.index).into_iter().enumerate() {
            called.into_iter().for_each(|called| callers[called].push(caller));
        }
        callers
    }

    /// Finds out again which modules are called. Returns those for which that has changed.
    fn link_again(&mut self) -> Result<Vec<usize>, NeedsAll> {
        if has_cycle(&self.modules, &self.index) {
            return Err(NeedsAll);
        }
        let (called, below) = calls(&self.modules, &self.context);
        let around = &mut self.context.around;
        let (was_called, was_below) = (
            std::mem::replace(&mut around.called, Arc::new(called)),
            std::mem::replace(&mut around.below_roots, Arc::new(below)),
        );
        let around = &self.context.around;
        let differs = |place: &usize| {
            let Some(key) = self.context.key(&self.modules[*place].files.path) else {
                return false;
            };
            let key = Location::Disk(key);
            was_called.contains(&key) != around.called.contains(&key)
                || was_below.contains(&key) != around.below_roots.contains(&key)
        };
        Ok((0..self.modules.len()).filter(differs).collect())
    }

    /// Reads some modules, with those that their tests run.
    fn load(&mut self, part: &[usize]) -> Result<Vec<(usize, Arc<ModuleFacts>)>, NeedsAll> {
        let mut given: BTreeSet<usize> = part.iter().copied().collect();
        for place in part {
            given.extend(self.tested(&self.modules[*place]));
        }
        loop {
            let files = given.iter().map(|place| (*self.modules[*place].files).clone()).collect();
            let (tree, facts) = load(&self.context, files, true);
            let known = given.len();
            let mut fresh = Vec::new();
            for facts in facts {
                let place = self.place(&facts.files).ok_or(NeedsAll)?;
                if part.contains(&place) {
                    given.extend(self.tested(&facts));
                    fresh.push((place, facts));
                }
            }
            if given.len() > known {
                continue;
            }
            if let ([place], 1) = (part, known) {
                self.tree = self.done.is_empty().then_some((*place, tree)).or(self.tree.take());
            }
            return Ok(fresh);
        }
    }

    fn tested(&self, facts: &ModuleFacts) -> Vec<usize> {
        let tested = facts.around.tested.iter();
        tested.filter_map(|directory| self.index.called(&self.modules, directory)).collect()
    }

    /// The place of a module.
    fn place(&self, files: &ModuleFiles) -> Option<usize> {
        let places = self.index.directories.get(&self.context.key(&files.path)?)?;
        let mut places = places.iter().map(|place| *place as usize);
        places.find(|place| self.modules[*place].files.dialect == files.dialect)
    }
}

/// All modules above a module: its callers, and theirs.
fn above(callers: &[Vec<usize>], place: usize) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![place];
    while let Some(place) = open.pop() {
        for &caller in &callers[place] {
            if seen.insert(caller) {
                open.push(caller);
            }
        }
    }
    seen.into_iter().collect()
}

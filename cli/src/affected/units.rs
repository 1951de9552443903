//! The units of Terragrunt that changed files affect: they are root modules.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::directory::Location;
use simd_hcl::impact::{self, Affected, Impact};
use simd_hcl::terragrunt::{AffectedUnit, Options, Run, Runs, UnitCause, Units};
use simd_hcl::tree::{RunStates, Tree};
use simd_hcl::{Arena, Dialect};

use super::answer::{Module, Removed, Step};
use super::unit_states::{Owner, may_read, state_run};
use super::unit_ways;
use crate::args::Common;
use crate::git;
use crate::incomplete::Incomplete;
use crate::input;
use crate::paths::{or_here, text};
use crate::revision_files::{RevisionFiles, RootFiles};
use crate::roots::{ChangedSettings, UnitValues};
use crate::settings::Settings;
use crate::status::Failure;
use crate::unit_graph::named;
use crate::unit_impact::{self, Around, Question};

/// The units below the given folders, and what affects them.
pub(super) struct AffectedUnits<'a> {
    trees: Vec<UnitTree<'a>>,
    /// The changed files: as given, and as absolute paths. None without units.
    changed: Vec<(PathBuf, String)>,
    /// The places of the changed files, as given.
    places: HashMap<PathBuf, usize>,
    /// The folders of the modules of the units, as absolute paths.
    used: HashSet<String>,
    /// The folders of the affected modules, as absolute paths.
    modules: Vec<String>,
    /// The changed files that modules depend on as units run them.
    used_files: BTreeSet<usize>,
    /// The units whose states are known, by the numbers of their runs.
    with_states: Vec<Owner>,
    /// Gaps in the knowledge about units that may be affected.
    pub(super) incomplete: Incomplete,
}

/// A folder with its units.
struct UnitTree<'a> {
    folder: PathBuf,
    runs: Runs<'a>,
    units: Units,
    /// The units whose modules are affected as these run them.
    affected: Vec<AffectedRun>,
}

/// A unit whose module is affected as it runs it.
struct AffectedRun {
    /// The index of the unit.
    unit: usize,
    because: Vec<Step>,
    /// The affected modules that it runs.
    modules: Vec<Module>,
}

impl UnitTree<'_> {
    /// The units that changed files and affected modules affect, whatever values they pass.
    fn known(&self, changed: &[(PathBuf, String)], modules: &[String]) -> BTreeSet<usize> {
        let files: Vec<String> = changed.iter().map(|(_, file)| file.clone()).collect();
        self.units.affected(&files, modules, &[]).iter().map(|it| it.unit).collect()
    }
}

/// Whether changed files may be those of Terragrunt.
pub(super) fn may_change(changed: &[PathBuf]) -> bool {
    changed.iter().any(|file| text(file).contains(".hcl"))
}

/// The absolute path of a directory of a module.
fn absolute(place: &Location) -> Result<String, Failure> {
    match place.disk() {
        Some(path) => Ok(text(&git::canonical(or_here(path))?)),
        None => Ok(String::new()),
    }
}

/// A changed file as an absolute path; that of a folder ends with `/`.
pub(super) fn changed_path(file: &Path) -> Result<String, Failure> {
    let is_directory = file.is_dir() || git::is_directory_name(file);
    Ok(text(&git::as_directory(git::canonical(file)?, is_directory)))
}

impl<'a> AffectedUnits<'a> {
    /// Finds the units below the given folders.
    pub(super) fn find(
        arena: &'a Arena,
        folders: &[PathBuf],
        changed: &[PathBuf],
        options: &'a Options,
    ) -> Result<Self, Failure> {
        let mut incomplete = Incomplete::default();
        let mut trees = Vec::new();
        for folder in input::directories(folders, &mut incomplete) {
            let runs = match Runs::open(arena, folder, options) {
                Ok(runs) => runs,
                Err(gap) => {
                    incomplete.add("unit", text(folder), gap.why);
                    continue;
                }
            };
            let units = runs.units();
            // Without units, Terragrunt is not used.
            if units.units.is_empty() {
                continue;
            }
            for gap in units.gaps_of_roots() {
                incomplete.add("unit", named(folder, &gap.place), &gap.why);
            }
            let folder = folder.to_owned();
            trees.push(UnitTree { folder, runs, units, affected: Vec::new() });
        }
        let mut all = Vec::new();
        for file in changed.iter().filter(|_| !trees.is_empty()) {
            all.push((file.clone(), changed_path(file)?));
        }
        let places = (0..).zip(&all).map(|(at, (given, _))| (given.clone(), at)).collect();
        let of_units = trees.iter().flat_map(|tree| &tree.units.units);
        let used = of_units.filter_map(|unit| unit.module.clone()).collect();
        Ok(Self {
            trees,
            changed: all,
            places,
            used,
            modules: Vec::new(),
            used_files: BTreeSet::new(),
            with_states: Vec::new(),
            incomplete,
        })
    }

    /// Returns the states that the units have and read, if something reads states. `before` has the revision
    /// that is compared: what read a state then may read it still.
    ///
    /// Cost: that of evaluating the configurations of the units.
    pub(super) fn states(
        &mut self,
        tree: &Tree<'_>,
        before: Option<(&RevisionFiles, &Options)>,
        dialect: Dialect,
        common: &Common,
    ) -> Result<RunStates, Failure> {
        let of_units = || self.trees.iter().flat_map(|tree| &tree.units.units);
        if !tree.reads_states() && !of_units().any(may_read) {
            return Ok(RunStates::default());
        }
        let places = unit_impact::places(tree, absolute)?;
        let module = |run: &Run<'_>| {
            let place = run.module.as_ref().and_then(|module| places.get(module));
            place.map(|place| tree.modules()[*place].files.directory())
        };
        let mut all = Vec::new();
        for (number, UnitTree { folder, runs, units, .. }) in self.trees.iter().enumerate() {
            for (at, unit) in units.units.iter().enumerate().filter(|(_, unit)| unit.is_root()) {
                let path = PathBuf::from(named(folder, &unit.path));
                let run = runs.run(&unit.folder);
                let own = runs.own_files(&run, dialect).unwrap_or_else(|error| {
                    self.incomplete.add("directory", text(&path), error.to_string());
                    None
                });
                all.push(state_run(&run, path, module(&run), own));
                self.with_states.push(Owner::Unit(number, at));
            }
        }
        if let Some((revision, options)) = before {
            let arena = Arena::new();
            let (here, top) = (git::canonical(Path::new("."))?, text(revision.top()));
            let files = RootFiles { revision, directory: String::new() };
            let runs = Runs::of_files(&arena, &files, (&top, &top), options);
            for unit in runs.units().units.iter().filter(|unit| unit.is_root()) {
                let folder = Path::new(&unit.folder);
                let path = or_here(folder.strip_prefix(&here).unwrap_or(folder)).to_owned();
                let run = runs.run(&unit.folder);
                all.push(state_run(&run, path, module(&run), None));
                self.with_states.push(Owner::Before(unit.folder.clone()));
            }
        }
        Ok(tree.states_of_runs(&all, &input::decode_options(common)?))
    }

    /// Follows the states of affected units to what reads them, and returns the whole answer about modules.
    pub(super) fn follow_states<'t>(
        &mut self,
        impact: &Impact<'_, 't>,
        changed: &[PathBuf],
        mut found: Affected<'t>,
    ) -> Result<Affected<'t>, Failure> {
        if self.with_states.is_empty() {
            return Ok(found);
        }
        let mut numbers: HashMap<String, Vec<usize>> = HashMap::new();
        for (run, owner) in self.with_states.iter().enumerate() {
            numbers.entry(self.folder_of(owner).to_owned()).or_default().push(run);
        }
        let mut affected = self.gone(changed)?;
        let mut count = 0;
        loop {
            for tree in &self.trees {
                for unit in self.affected_of(tree) {
                    let file = match unit.cause {
                        UnitCause::File(file) => Some(file),
                        UnitCause::Module(module) => {
                            let reason = found.modules[module].because.first();
                            let file = reason.and_then(|reason| reason.file.as_ref());
                            file.and_then(|file| self.places.get(file).copied())
                        }
                        UnitCause::Run(run) => {
                            let step = tree.affected[run].because.first();
                            let file = step.and_then(|step| step.file.as_ref());
                            file.and_then(|file| self.places.get(Path::new(file)).copied())
                        }
                        _ => None,
                    };
                    let folder = tree.units.units[unit.unit].folder.as_str();
                    for run in numbers.get(folder).into_iter().flatten() {
                        affected.entry(*run).or_insert(file.unwrap_or_default());
                    }
                }
            }
            if affected.len() == count {
                return Ok(found);
            }
            count = affected.len();
            let runs: Vec<(usize, usize)> =
                affected.iter().map(|(run, file)| (*run, *file)).collect();
            found = impact.affected_with_runs(changed, &runs);
            self.set_modules(&found)?;
            for run in &found.runs {
                let impact::Place::Run(number) = run.place else { continue };
                let Owner::Unit(tree, unit) = self.with_states[number] else { continue };
                let because = Step::all(&run.because);
                let known = &mut self.trees[tree].affected;
                if !known.iter().any(|known| known.unit == unit) {
                    known.push(AffectedRun { unit, because, modules: Vec::new() });
                }
            }
        }
    }

    /// The units of the revision that are gone, by the numbers of their runs, each with a changed file in its
    /// folder.
    fn gone(&self, changed: &[PathBuf]) -> Result<BTreeMap<usize, usize>, Failure> {
        let of_units = self.trees.iter().flat_map(|tree| &tree.units.units);
        let now: HashSet<&str> = of_units.map(|unit| unit.folder.as_str()).collect();
        let mut gone = BTreeMap::new();
        for (run, owner) in self.with_states.iter().enumerate() {
            let Owner::Before(folder) = owner else { continue };
            if now.contains(folder.as_str()) {
                continue;
            }
            let mut file = 0;
            for (number, given) in changed.iter().enumerate() {
                if git::canonical(given)?.starts_with(folder) {
                    file = number;
                    break;
                }
            }
            gone.insert(run, file);
        }
        Ok(gone)
    }

    fn folder_of<'s>(&'s self, owner: &'s Owner) -> &'s str {
        match owner {
            Owner::Unit(tree, unit) => &self.trees[*tree].units.units[*unit].folder,
            Owner::Before(folder) => folder,
        }
    }

    /// Keeps the folders of the affected modules.
    fn set_modules(&mut self, found: &Affected<'_>) -> Result<(), Failure> {
        self.modules.clear();
        for module in &found.modules {
            self.modules.push(match module.path.disk() {
                Some(path) => text(&git::canonical(path)?),
                None => String::new(),
            });
        }
        Ok(())
    }

    /// The affected units of a tree.
    fn affected_of(&self, tree: &UnitTree<'_>) -> Vec<AffectedUnit> {
        let files: Vec<String> = self.changed.iter().map(|(_, file)| file.clone()).collect();
        let of_runs: Vec<usize> = tree.affected.iter().map(|run| run.unit).collect();
        tree.units.affected(&files, &self.modules, &of_runs)
    }

    /// Evaluates the modules of the units as these run them, apart from those that are affected anyway.
    pub(super) fn evaluate<'t>(
        &mut self,
        (impact, tree): (&Impact<'_, 't>, &Tree<'t>),
        (found, links): (&Affected<'_>, bool),
        (settings, changed, dialect): (&Settings, Option<&ChangedSettings>, Dialect),
        common: &Common,
    ) -> Result<(), Failure> {
        if self.trees.is_empty() {
            return Ok(());
        }
        self.set_modules(found)?;
        let values = UnitValues { sections: settings.roots(), changed, common };
        let decode = input::decode_options(common)?;
        let question =
            Question { changed: &self.changed, links, values: &values, decode: &decode, top: None };
        let around = Around::of(impact, tree, absolute)?;
        // Whether something reads a file is asked of all units.
        let is_open = !found.unassigned.is_empty() || !found.unrelated.is_empty();
        for tree in &mut self.trees {
            let known = tree.known(&self.changed, &self.modules);
            let skipped = if is_open { &BTreeSet::new() } else { &known };
            let files = |run: &Run<'_>| {
                let listed = tree.runs.files(run, dialect);
                // A module that cannot be listed is a gap.
                Ok(listed.unwrap_or_else(|error| {
                    let place = run.module.clone().unwrap_or_default();
                    self.incomplete.add("directory", place, error.to_string());
                    None
                }))
            };
            let tasks = unit_impact::tasks(
                (&tree.runs, &tree.units),
                skipped,
                (&question, Some(&around)),
                files,
            )?;
            let on_disk = |path: &str| Some(PathBuf::from(path));
            let runs = unit_impact::affected(&tasks, &question, on_disk, |affected, original| {
                let mut module = Module::of(affected);
                if let (Some(first), Some(original)) = (module.because.first_mut(), original) {
                    first.file = Some(text(original));
                }
                module
            });
            drop(tasks);
            for run in runs {
                self.used_files.extend(run.files);
                self.incomplete.add_places(&run.unknown_places);
                if run.is_affected {
                    let (unit, modules) = (run.unit, run.modules);
                    let own = modules.first().map(|module| module.because.clone());
                    let because = own.unwrap_or_default();
                    tree.affected.push(AffectedRun { unit, because, modules });
                } else if !known.contains(&run.unit) {
                    let place = named(&tree.folder, &tree.units.units[run.unit].path);
                    run.gaps.iter().for_each(|why| self.incomplete.add("unit", &*place, *why));
                }
            }
        }
        Ok(())
    }

    /// Takes away the changed files whose readers are known. Files of Terragrunt that nothing reads are
    /// unrelated.
    pub(super) fn take_files(&self, unassigned: &mut Vec<PathBuf>, unrelated: &mut Vec<PathBuf>) {
        let is_known = self.incomplete.is_empty() && !self.trees.is_empty();
        unassigned.retain(|given| {
            let Some(file) = self.changed_as(given) else { return true };
            let is_of_terragrunt = file.ends_with(".hcl") || file.ends_with(".hcl.json");
            let is_read = self.reads(given);
            let is_unrelated = !is_read && is_of_terragrunt && is_known;
            if is_unrelated {
                unrelated.push(given.clone());
            }
            !is_read && !is_unrelated
        });
        unrelated.retain(|given| !self.reads(given));
    }

    fn changed_as(&self, given: &Path) -> Option<&str> {
        let place = self.places.get(given)?;
        Some(&self.changed[*place].1)
    }

    /// Whether a unit or its module reads a changed file.
    fn reads(&self, given: &Path) -> bool {
        let Some(&place) = self.places.get(given) else { return false };
        let file = &self.changed[place].1;
        self.used_files.contains(&place) || self.trees.iter().any(|tree| tree.units.reads(file))
    }

    /// The paths of all root modules: those of units in place of the modules that they use.
    pub(super) fn roots(&self, roots: Vec<String>) -> Result<Vec<String>, Failure> {
        let mut all = Vec::new();
        for root in roots {
            if !self.is_used(&root)? {
                all.push(root);
            }
        }
        for UnitTree { folder, units, .. } in &self.trees {
            let units = units.units.iter().filter(|unit| unit.is_root());
            all.extend(units.map(|unit| named(folder, &unit.path)));
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// The units that run before each one, by their paths.
    pub(super) fn order(&self) -> BTreeMap<String, Vec<String>> {
        let mut order = BTreeMap::new();
        for UnitTree { folder, units, .. } in &self.trees {
            for unit in units.units.iter().filter(|unit| !unit.dependencies.is_empty()) {
                let before = unit.dependencies.iter().map(|path| named(folder, path)).collect();
                order.insert(named(folder, &unit.path), before);
            }
        }
        order
    }

    /// Adds the units of a revision that are gone, also those that stacks generated. Their files are not
    /// unrelated.
    ///
    /// Cost: that of finding the units of the revision, if a changed file may be one of Terragrunt.
    pub(super) fn add_removed(
        &self,
        (revision, options): (&RevisionFiles, &Options),
        (folders, changed): (&[PathBuf], &[PathBuf]),
        removed: &mut Vec<Removed>,
        unrelated: &mut Vec<PathBuf>,
    ) -> Result<(), Failure> {
        if !may_change(changed) || !revision.has_units() {
            return Ok(());
        }
        let now: HashSet<&str> = self
            .trees
            .iter()
            .flat_map(|tree| tree.units.units.iter().map(|unit| unit.folder.as_str()))
            .collect();
        let searched: Result<Vec<PathBuf>, Failure> =
            folders.iter().map(|folder| git::canonical(folder)).collect();
        let (searched, here) = (searched?, git::canonical(Path::new("."))?);
        let arena = Arena::new();
        let top = text(revision.top());
        let files = RootFiles { revision, directory: String::new() };
        let before = Runs::of_files(&arena, &files, (&top, &top), options).units();
        for unit in before.units.iter().filter(|unit| unit.is_root()) {
            let folder = Path::new(&unit.folder);
            let is_searched = searched.iter().any(|searched| folder.starts_with(searched));
            if now.contains(unit.folder.as_str()) || !is_searched {
                continue;
            }
            for given in changed {
                if git::canonical(given)?.starts_with(folder) {
                    unrelated.retain(|it| it != given);
                }
            }
            Removed::add_root(removed, text(or_here(folder.strip_prefix(&here).unwrap_or(folder))));
        }
        removed.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }

    /// Whether units use the module of a directory, which makes them the root modules.
    pub(super) fn is_used(&self, path: &str) -> Result<bool, Failure> {
        if self.trees.is_empty() {
            return Ok(false);
        }
        Ok(self.used.contains(&text(&git::canonical(Path::new(path))?)))
    }

    /// The unit in a folder, with a shortest way from a changed file to it, if it is affected.
    pub(super) fn explain(
        &self,
        folder: &Path,
        found: &Affected<'_>,
    ) -> Result<Option<(String, Option<Step>)>, Failure> {
        let wanted = text(&git::canonical(folder)?);
        let mut units = self.trees.iter().flat_map(|UnitTree { folder, units, .. }| {
            units.units.iter().filter(|unit| unit.is_root()).map(move |unit| (folder, unit))
        });
        let Some((folder, unit)) = units.find(|(_, unit)| unit.folder == wanted) else {
            return Ok(None);
        };
        let path = named(folder, &unit.path);
        let mut modules = Vec::new();
        self.add_to(&mut modules, found)?;
        let module = modules.into_iter().find(|module| module.path == path);
        Ok(Some((path, module.and_then(|module| module.because.into_iter().next()))))
    }

    /// A shortest way from a changed file to a unit.
    fn way(&self, tree: &UnitTree<'_>, affected: &AffectedUnit, found: &Affected<'_>) -> Vec<Step> {
        let (before, file) = match affected.cause {
            UnitCause::File(number) => (Vec::new(), Some(text(&self.changed[number].0))),
            UnitCause::Module(number) => (Step::all(&found.modules[number].because), None),
            UnitCause::Run(number) => (tree.affected[number].because.clone(), None),
            _ => (Vec::new(), None),
        };
        let units = affected.way.iter().map(|&unit| &tree.units.units[unit].path);
        unit_ways::through(before, file, units.map(|path| named(&tree.folder, path)))
    }

    /// Completes the ways of modules that read the states of affected units: these have ways of their own.
    pub(super) fn complete(&self, modules: &mut [Module], found: &Affected<'_>) {
        if self.with_states.is_empty() {
            return;
        }
        let mut ways: HashMap<String, Vec<Step>> = HashMap::new();
        for tree in &self.trees {
            for affected in self.affected_of(tree) {
                let path = named(&tree.folder, &tree.units.units[affected.unit].path);
                ways.insert(path, self.way(tree, &affected, found));
            }
        }
        modules.iter_mut().for_each(|module| unit_ways::complete(module, &ways));
    }

    /// Adds the affected units to the modules of an answer.
    pub(super) fn add_to(
        &self,
        modules: &mut Vec<Module>,
        found: &Affected<'_>,
    ) -> Result<(), Failure> {
        for module in modules.iter_mut() {
            module.root &= !self.is_used(&module.path)?;
        }
        let mut places: HashMap<String, usize> =
            modules.iter().enumerate().map(|(at, module)| (module.path.clone(), at)).collect();
        for tree in &self.trees {
            let UnitTree { folder, units, affected, .. } = tree;
            for run in affected {
                for module in &run.modules {
                    if let Entry::Vacant(place) = places.entry(module.path.clone()) {
                        place.insert(modules.len());
                        modules.push(Module { root: false, ..module.clone() });
                    }
                }
            }
            for found_unit in self.affected_of(tree) {
                let unit = &units.units[found_unit.unit];
                if !unit.is_root() {
                    continue;
                }
                let because = self.way(tree, &found_unit, found);
                let path = named(folder, &unit.path);
                // A folder may have a module and be a unit.
                match places.get(&path) {
                    Some(&at) => modules[at].root = true,
                    None => {
                        places.insert(path.clone(), modules.len());
                        modules.push(Module { path, root: true, because, objects: Vec::new() });
                    }
                }
            }
        }
        self.complete(modules, found);
        Ok(())
    }
}

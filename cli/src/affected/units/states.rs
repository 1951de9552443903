//! The states that units of Terragrunt have and read: an affected unit affects what reads its state.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::impact::{self, Affected, Impact};
use simd_hcl::terragrunt::{Options, Run, Runs, Unit, UnitCause};
use simd_hcl::tree::{RunStates, StateRun, Tree};
use simd_hcl::{Arena, Dialect};

use super::{AffectedRun, AffectedUnits, UnitTree, absolute};
use crate::affected::answer::Step;
use crate::args::Common;
use crate::git;
use crate::input;
use crate::paths::{or_here, text};
use crate::revision_files::{RevisionFiles, RootFiles};
use crate::status::Failure;
use crate::unit_graph::named;
use crate::unit_impact;

/// A unit that has a state.
pub(super) enum Owner {
    /// The number of the tree, and that of the unit.
    Unit(usize, usize),
    /// One of the revision that is compared, by its folder.
    Before(String),
}

impl AffectedUnits<'_> {
    /// Returns the states that the units have and read, if something reads states. `before` has the revision
    /// that is compared: what read a state then may read it still.
    ///
    /// Cost: that of evaluating the configurations of the units.
    pub(in crate::affected) fn states(
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
    pub(in crate::affected) fn follow_states<'t>(
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
}

/// Whether a text that a unit generates may have a data source that reads a state. Those in files of its
/// folder are in the tree.
fn may_read(unit: &Unit) -> bool {
    let names = ["terraform_remote_state", "tfe_outputs"];
    let mut texts = unit.generated_files.values().flatten();
    texts.any(|text| names.iter().any(|name| text.contains(name)))
}

/// Returns how a unit runs its module, as far as that is about states. `own` are the files that it adds.
fn state_run(
    run: &Run<'_>,
    path: PathBuf,
    module: Option<Location>,
    own: Option<ModuleFiles>,
) -> StateRun {
    let mut of_unit = StateRun::new(path.into());
    let backend = &run.backend;
    (of_unit.module, of_unit.own) = (module, own);
    (of_unit.backend, of_unit.settings) = (backend.name.clone(), backend.settings.clone());
    of_unit.files = backend.files.iter().map(|file| PathBuf::from(file).into()).collect();
    of_unit
}

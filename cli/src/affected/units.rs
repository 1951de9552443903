//! The units of Terragrunt that changed files affect: they are root modules.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::impact::Affected;
use simd_hcl::terragrunt::{Options, UnitCause, Units, find};

use simd_hcl::Position;

use super::answer::{Module, Place, Step, Via};
use crate::args::Common;
use crate::git;
use crate::incomplete::Incomplete;
use crate::input;
use crate::paths::text;
use crate::status::Failure;
use crate::unit_graph::named;

/// The units below the given folders, and what affects them.
pub(super) struct AffectedUnits {
    /// Each folder with its units.
    trees: Vec<(PathBuf, Units)>,
    /// The changed files: as given, and as absolute paths.
    changed: Vec<(String, String)>,
    /// The places of the changed files, as given.
    places: HashMap<String, usize>,
    /// The folders of the modules of the units, as absolute paths.
    used: HashSet<String>,
    /// The folders of the affected modules, as absolute paths.
    modules: Vec<String>,
    /// Gaps in the knowledge about units that may be affected.
    pub(super) incomplete: Incomplete,
}

/// A changed file as an absolute path; that of a folder ends with `/`.
pub(super) fn changed_path(file: &Path) -> Result<String, Failure> {
    let is_directory = file.is_dir() || git::is_directory_name(file);
    Ok(text(&git::as_directory(git::canonical(file)?, is_directory)))
}

impl AffectedUnits {
    pub(super) fn of(
        folders: &[PathBuf],
        changed: &[PathBuf],
        found: &Affected<'_>,
        common: &Common,
    ) -> Result<Self, Failure> {
        let options = Options::default()
            .with_files(true)
            .with_stacks(true)
            .following_links(common.follow_links)
            .within(common.limits());
        let mut incomplete = Incomplete::default();
        let mut trees = Vec::new();
        for folder in input::directories(folders, &mut incomplete) {
            let units = find(folder, &options);
            // Without units, Terragrunt is not used.
            if units.units.is_empty() {
                continue;
            }
            for gap in units.gaps_of_roots() {
                incomplete.add("unit", named(folder, &gap.place), &gap.why);
            }
            trees.push((folder.to_owned(), units));
        }
        let mut all = Vec::new();
        for file in changed.iter().filter(|_| !trees.is_empty()) {
            all.push((text(file), changed_path(file)?));
        }
        let mut modules = Vec::new();
        for module in found.modules.iter().filter(|_| !trees.is_empty()) {
            modules.push(match module.path.disk() {
                Some(path) => text(&git::canonical(path)?),
                None => String::new(),
            });
        }
        let places = (0..).zip(&all).map(|(at, (given, _))| (given.clone(), at)).collect();
        let of_units = trees.iter().flat_map(|(_, units)| &units.units);
        let used = of_units.filter_map(|unit| unit.module.clone()).collect();
        Ok(Self { trees, changed: all, places, used, modules, incomplete })
    }

    /// Takes away the changed files whose readers are known. Files of Terragrunt that nothing reads are
    /// unrelated.
    pub(super) fn take_files(&self, unassigned: &mut Vec<PathBuf>, unrelated: &mut Vec<PathBuf>) {
        let is_known = self.incomplete.is_empty() && !self.trees.is_empty();
        unassigned.retain(|given| {
            let Some(file) = self.changed_as(given) else { return true };
            let is_of_terragrunt = file.ends_with(".hcl") || file.ends_with(".hcl.json");
            let is_unrelated = !self.reads(file) && is_of_terragrunt && is_known;
            if is_unrelated {
                unrelated.push(given.clone());
            }
            !self.reads(file) && !is_unrelated
        });
        unrelated.retain(|given| !self.changed_as(given).is_some_and(|file| self.reads(file)));
    }

    fn changed_as(&self, given: &Path) -> Option<&str> {
        let place = self.places.get(&text(given))?;
        Some(&self.changed[*place].1)
    }

    fn reads(&self, file: &str) -> bool {
        self.trees.iter().any(|(_, units)| units.reads(file))
    }

    /// The paths of all root modules: those of units in place of the modules that they use.
    pub(super) fn roots(&self, roots: Vec<String>) -> Result<Vec<String>, Failure> {
        let mut all = Vec::new();
        for root in roots {
            if !self.is_used(&root)? {
                all.push(root);
            }
        }
        for (folder, units) in &self.trees {
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
        for (folder, units) in &self.trees {
            for unit in units.units.iter().filter(|unit| !unit.dependencies.is_empty()) {
                let before = unit.dependencies.iter().map(|path| named(folder, path)).collect();
                order.insert(named(folder, &unit.path), before);
            }
        }
        order
    }

    /// Whether units use the module of a directory, which makes them the root modules.
    fn is_used(&self, path: &str) -> Result<bool, Failure> {
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
        let mut units = self.trees.iter().flat_map(|(folder, units)| {
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

    /// Adds the affected units to the modules of an answer.
    pub(super) fn add_to(
        &self,
        modules: &mut Vec<Module>,
        found: &Affected<'_>,
    ) -> Result<(), Failure> {
        for module in modules.iter_mut() {
            module.root &= !self.is_used(&module.path)?;
        }
        let files: Vec<String> = self.changed.iter().map(|(_, file)| file.clone()).collect();
        let mut places: HashMap<String, usize> =
            modules.iter().enumerate().map(|(at, module)| (module.path.clone(), at)).collect();
        for (folder, units) in &self.trees {
            for affected in units.affected(&files, &self.modules) {
                let unit = &units.units[affected.unit];
                if !unit.is_root() {
                    continue;
                }
                let mut because: Vec<Step> = Vec::new();
                let mut file = None;
                match affected.cause {
                    UnitCause::File(number) => file = Some(self.changed[number].0.clone()),
                    UnitCause::Module(number) => {
                        because = Step::all(&found.modules[number].because);
                    }
                    _ => {}
                }
                for &step in &affected.way {
                    let module = named(folder, &units.units[step].path);
                    let filename = file.clone().unwrap_or_else(|| module.clone());
                    let start = Position { line: 1, column: 1, byte: 0 };
                    let range = Place::Start { filename, start, end: start };
                    let step = Step {
                        file: file.take(),
                        address: None,
                        module: module.clone(),
                        via: Vec::new(),
                    };
                    because.push(step);
                    because[0].via.push(Via { address: None, module, range });
                }
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
        Ok(())
    }
}

//! The files that modules read as units of Terragrunt run them: with the values that the units pass,
//! beside the files of the units' folders, and with those that the units generate.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use simd_hcl::Arena;
use simd_hcl::directory::{DecodeOptions, Location, ModuleFiles};
use simd_hcl::expand::Inputs;
use simd_hcl::impact::{AffectedModule, Impact, ImpactOptions, Place, RootInputs, UnknownPlace};
use simd_hcl::terragrunt::{Run, Runs, Units};
use simd_hcl::tree::{Tree, TreeModule, TreeOptions};

use crate::status::Failure;
use crate::unit_run;

/// A unit, and how it runs its module.
pub(crate) struct Task<'a> {
    /// Its index among the units.
    pub(crate) unit: usize,
    pub(crate) run: Run<'a>,
    /// The files of its module, as it runs it.
    pub(crate) files: ModuleFiles,
}

/// The modules around the units, as they are without them.
pub(crate) struct Around<'m, 't, 'a> {
    impact: &'m Impact<'t, 'a>,
    /// The places of the modules, by their folders as absolute paths.
    places: HashMap<String, usize>,
}

impl<'m, 't, 'a> Around<'m, 't, 'a> {
    /// `absolute` returns the absolute path of a directory.
    pub(crate) fn of(
        impact: &'m Impact<'t, 'a>,
        tree: &Tree<'a>,
        absolute: impl Fn(&Location) -> Result<String, Failure>,
    ) -> Result<Self, Failure> {
        Ok(Self { impact, places: places(tree, absolute)? })
    }

    /// Whether the module of a unit may read a changed file, as the unit runs it.
    fn may_read(&self, runs: &Runs<'_>, run: &Run<'_>, question: &Question<'_>) -> bool {
        let mut changed = question.changed.iter();
        let has_copies = changed.any(|(_, file)| run.copied(file).is_some());
        let place = run.module.as_ref().and_then(|module| self.places.get(module));
        let (Some(place), false) = (place, has_copies || question.values.has_values(run)) else {
            return true;
        };
        runs.texts(run).is_none_or(|texts| self.impact.may_read(*place, &texts))
    }
}

/// The places of the modules of a tree, by their folders. `absolute` returns the absolute path of one.
pub(crate) fn places(
    tree: &Tree<'_>,
    absolute: impl Fn(&Location) -> Result<String, Failure>,
) -> Result<HashMap<String, usize>, Failure> {
    let mut places = HashMap::new();
    for (place, module) in tree.modules().iter().enumerate() {
        places.entry(absolute(&module.files.path)?).or_insert(place);
    }
    Ok(places)
}

/// The units of a folder that run a module of the tree, apart from those that are `known` to be affected,
/// and those that cannot read a changed file.
/// `files` lists the module of a unit as that runs it.
///
/// Cost: that of evaluating the configurations of the units.
///
/// # Errors
/// Those of `files`.
pub(crate) fn tasks<'a>(
    (runs, units): (&Runs<'a>, &Units),
    known: &BTreeSet<usize>,
    (question, around): (&Question<'_>, Option<&Around<'_, '_, '_>>),
    mut files: impl FnMut(&Run<'a>) -> Result<Option<ModuleFiles>, Failure>,
) -> Result<Vec<Task<'a>>, Failure> {
    let mut tasks = Vec::new();
    for (unit, it) in units.units.iter().enumerate() {
        if it.is_root() && it.module.is_some() && !known.contains(&unit) {
            let run = runs.run(&it.folder);
            if around.is_some_and(|around| !around.may_read(runs, &run, question)) {
                continue;
            }
            if let Some(files) = files(&run)?.filter(ModuleFiles::has_configuration) {
                tasks.push(Task { unit, run, files });
            }
        }
    }
    Ok(tasks)
}

/// The values of variables besides the inputs of a unit.
pub(crate) trait RunValues: Sync {
    /// Returns plain inputs with the values that a unit and the settings pass.
    fn with_values<'i, 'b>(
        &self,
        run: &Run<'_>,
        plain: &dyn Fn() -> Inputs<'i, 'b>,
    ) -> Inputs<'i, 'b>;

    /// Whether there are values besides those that the unit itself passes.
    fn has_values(&self, run: &Run<'_>) -> bool;

    /// The files of variables among them.
    fn files(&self, run: &Run<'_>) -> Vec<PathBuf>;
}

/// The question which modules changed files affect.
pub(crate) struct Question<'q> {
    /// The changed files: as they are given, and as absolute paths.
    pub(crate) changed: &'q [(PathBuf, String)],
    /// Whether a changed path that is a link is the link itself.
    pub(crate) links: bool,
    pub(crate) values: &'q dyn RunValues,
    pub(crate) decode: &'q DecodeOptions,
    /// The absolute path of the directory that files in memory are those of.
    pub(crate) top: Option<&'q str>,
}

/// The effect of changed files on the module of a unit.
pub(crate) struct AffectedRun<T> {
    /// The index of the unit.
    pub(crate) unit: usize,
    /// Whether its module is affected.
    pub(crate) is_affected: bool,
    /// The affected modules that it runs, its own first.
    pub(crate) modules: Vec<T>,
    /// The changed files that belong to these modules or that they read, by their places in the list.
    pub(crate) files: BTreeSet<usize>,
    /// Why it may be affected.
    pub(crate) gaps: BTreeSet<&'static str>,
    /// The files and directories that could not be located.
    pub(crate) unknown_places: Vec<UnknownPlace>,
}

/// Returns the units whose modules depend on changed files as these run them, or may. `place` turns the
/// absolute path of a copied file into one as the changed files are given; `module` gets an affected
/// module, and the changed file that is copied to where its first cause is.
///
/// Cost: that of evaluating the modules that may read a changed file, on all threads.
pub(crate) fn affected<T: Send>(
    tasks: &[Task<'_>],
    question: &Question<'_>,
    place: impl Fn(&str) -> Option<PathBuf> + Sync,
    module: impl Fn(&AffectedModule<'_>, Option<&Path>) -> T + Sync,
) -> Vec<AffectedRun<T>> {
    let Question { changed, links, values, decode, top } = *question;
    let all = tasks.par_iter().map(|task| {
        let copied = changed
            .iter()
            .enumerate()
            .filter_map(|(number, (_, file))| Some((place(&task.run.copied(file)?)?, number)));
        let copied: Vec<(PathBuf, usize)> = copied.collect();
        let own = changed.iter().map(|(given, _)| given);
        let files: Vec<&PathBuf> = own.chain(copied.iter().map(|(copy, _)| copy)).collect();
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(decode.clone());
        let tree = Tree::load(&arena, vec![task.files.clone()], &options);
        let inputs = UnitInputs { task, values };
        let mut options = ImpactOptions::default().with_inputs(&inputs).with_links(links);
        options.top = top;
        let answer = tree.impact_of(&files, &options).affected(&files);
        let original = |copy: &Path| {
            let (_, number) = copied.iter().find(|(it, _)| it == copy)?;
            Some(&*changed[*number].0)
        };
        let unused: HashSet<&Path> =
            answer.unassigned.iter().chain(&answer.unrelated).map(|it| &**it).collect();
        let numbers = (0..changed.len()).chain(copied.iter().map(|(_, number)| *number));
        let used = files.iter().zip(numbers).filter(|(file, _)| !unused.contains(file.as_path()));
        let modules = answer.modules.iter().map(|affected| {
            let file = affected.because.first().and_then(|reason| reason.file.as_ref());
            module(affected, file.and_then(|file| original(file)))
        });
        AffectedRun {
            unit: task.unit,
            is_affected: answer.modules.iter().any(|it| it.place == Place::Module(0)),
            modules: modules.collect(),
            files: used.map(|(_, number)| number).collect(),
            gaps: answer.gaps.iter().map(|gap| gap.why.as_str()).collect(),
            unknown_places: answer.unknown_places,
        }
    });
    all.collect()
}

/// The inputs of the module of a unit.
struct UnitInputs<'t, 'a> {
    task: &'t Task<'a>,
    values: &'t dyn RunValues,
}

impl UnitInputs<'_, '_> {
    fn is_run(&self, module: &TreeModule<'_>) -> bool {
        module.files.path == self.task.files.path
    }
}

impl RootInputs for UnitInputs<'_, '_> {
    fn inputs<'i, 'b>(
        &self,
        module: &TreeModule<'b>,
        plain: &dyn Fn() -> Inputs<'i, 'b>,
    ) -> Vec<Inputs<'i, 'b>> {
        if !self.is_run(module) {
            return vec![plain()];
        }
        let inputs = self.values.with_values(&self.task.run, plain);
        vec![unit_run::with_run(inputs, &self.task.run, module)]
    }

    fn has_inputs(&self, module: &TreeModule<'_>) -> bool {
        self.is_run(module)
    }

    fn files(&self, module: &TreeModule<'_>) -> Vec<PathBuf> {
        match self.is_run(module) {
            true => self.values.files(&self.task.run),
            false => Vec::new(),
        }
    }
}

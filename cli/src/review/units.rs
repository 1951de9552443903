//! Units of Terragrunt in both versions: those that the changes affect, and how each runs its module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use simd_hcl::directory::ModuleFiles;
use simd_hcl::impact::{Affected, Impact};
use simd_hcl::terragrunt::{Gap, Options, Run, Runs, Units};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect};

use super::load::{Loaded, Source, name_of};
use super::unit::{UnitPair, UnitVersion};
use super::values::Evaluation;
use crate::args::Common;
use crate::git::{self, Commit, Compared};
use crate::incomplete::Incomplete;
use crate::input;
use crate::paths::text;
use crate::revision_files::{RevisionFiles, RootFiles};
use crate::status::Failure;
use crate::unit_impact::{self, Around, Question};

/// The files of the versions that are revisions.
pub(super) struct Revisions([Option<RevisionFiles>; 2]);

impl Revisions {
    /// Cost: none until a file is read.
    pub(super) fn of(compared: &Compared, top: &Path, common: &Common) -> Self {
        let files =
            |commit: &Commit| RevisionFiles::of(commit.hash.clone(), top.to_owned(), common);
        Self([Some(files(&compared.base)), compared.head.as_ref().map(files)])
    }

    /// The files as units see them: paths start at the top of the repository.
    pub(super) fn files(&self) -> [Option<RootFiles<'_>>; 2] {
        let files = |at: usize| {
            let revision = self.0[at].as_ref()?;
            Some(RootFiles { revision, directory: String::new() })
        };
        [files(0), files(1)]
    }
}

/// The units of both versions.
pub(super) struct BothUnits<'a> {
    arena: &'a Arena,
    top: String,
    runs: [Option<Runs<'a>>; 2],
    units: [Units; 2],
    /// Why the units of a version are not known.
    problems: [Option<Gap>; 2],
    /// The folders of the modules of units, as absolute paths.
    used: [BTreeSet<String>; 2],
    dialect: Dialect,
}

impl<'a> BothUnits<'a> {
    /// Finds the units of both versions.
    pub(super) fn of(
        arena: &'a Arena,
        files: &'a [Option<RootFiles<'a>>; 2],
        options: &'a Options,
        (top, loaded): (&Path, [&Loaded<'a>; 2]),
        dialect: Dialect,
    ) -> Result<Self, Failure> {
        let from_here = text(&git::from_here(top)?);
        let top = text(top);
        let (mut runs, mut problems) = ([None, None], [None, None]);
        for (at, runs) in runs.iter_mut().enumerate() {
            *runs = match &files[at] {
                Some(files) if !files.revision.has_units() => None,
                Some(files) => {
                    let runs = Runs::of_files(arena, files, (&top, &top), options);
                    Some(match &loaded[at].source {
                        Source::Revision { revision, .. } => runs.with_modules(&revision.root()),
                        Source::Directory { .. } => runs,
                    })
                }
                None => match Runs::open(arena, &from_here, options) {
                    Ok(runs) => Some(runs),
                    Err(gap) => {
                        problems[at] = Some(gap);
                        None
                    }
                },
            };
        }
        let units = [0, 1].map(|at| runs[at].as_ref().map(Runs::units).unwrap_or_default());
        let used = [0, 1].map(|at| {
            let units: &Units = &units[at];
            units.units.iter().filter_map(|unit| unit.module.clone()).collect()
        });
        Ok(Self { arena, top, runs, units, problems, used, dialect })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.units.iter().all(|units| units.units.is_empty())
    }

    /// Whether units run the module in a directory, which makes them the root modules. Its path starts at
    /// the top of the repository.
    pub(super) fn is_used(&self, name: &str) -> bool {
        let folder = self.absolute(name);
        self.used.iter().any(|used| used.contains(&folder))
    }

    /// Whether a unit of a version reads a file, whose path is absolute.
    pub(super) fn reads(&self, at: usize, file: &Path) -> bool {
        self.units[at].reads(&text(file))
    }

    fn absolute(&self, name: &str) -> String {
        format!("{}/{name}", self.top).trim_end_matches('/').to_owned()
    }

    /// The units of a version that changed files and affected modules affect, by their paths from the
    /// top of the repository. Modules are evaluated as units run them. Units that may be affected are gaps.
    pub(super) fn affected(
        &self,
        at: usize,
        changed: &[PathBuf],
        (impact, found): (&Impact<'_, 'a>, &Affected<'_>),
        evaluation: &Evaluation<'_, 'a>,
        incomplete: &mut Incomplete,
    ) -> Result<Vec<String>, Failure> {
        let Some(runs) = &self.runs[at] else { return Ok(Vec::new()) };
        let files: Vec<String> = changed.iter().map(|file| self.absolute(&text(file))).collect();
        let mut modules = Vec::new();
        for module in &found.modules {
            modules.push(self.absolute(&name_of(&module.path, Path::new(&self.top))?));
        }
        let loaded = evaluation.version(at);
        let units = &self.units[at];
        let known: BTreeSet<usize> =
            units.affected(&files, &modules, &[]).iter().map(|it| it.unit).collect();
        let changed = changed.iter().zip(&files).map(|(inside, absolute)| match &loaded.source {
            Source::Directory { .. } => (PathBuf::from(absolute), absolute.clone()),
            Source::Revision { .. } => (inside.clone(), absolute.clone()),
        });
        let changed: Vec<(PathBuf, String)> = changed.collect();
        let values = evaluation.unit_values(at);
        let decode = evaluation.decode()?;
        // Git lists links themselves.
        let question = Question {
            changed: &changed,
            links: true,
            values: &values,
            decode: &decode,
            top: Some(&self.top),
        };
        let place = |path: &str| match &loaded.source {
            Source::Directory { .. } => Some(PathBuf::from(path)),
            Source::Revision { .. } => {
                let inside = Path::new(path).strip_prefix(&self.top).ok()?;
                Some(git::as_directory(inside.to_owned(), path.ends_with('/')))
            }
        };
        let top = Path::new(&self.top);
        let around = Around::of(impact, &loaded.tree, |it| Ok(self.absolute(&name_of(it, top)?)))?;
        let list = |run: &Run<'a>| Ok(self.files(runs, run, loaded));
        let tasks = unit_impact::tasks((runs, units), &known, (&question, Some(&around)), list)?;
        let mut of_runs = Vec::new();
        for run in unit_impact::affected(&tasks, &question, place, |_, _| ()) {
            incomplete.add_places(&run.unknown_places);
            match run.is_affected {
                true => of_runs.push(run.unit),
                false => {
                    let name = &*units.units[run.unit].path;
                    run.gaps.iter().for_each(|why| incomplete.add("unit", name, *why));
                }
            }
        }
        let affected = units.affected(&files, &modules, &of_runs).into_iter();
        let affected = affected.map(|it| &units.units[it.unit]);
        let affected = affected.filter(|unit| unit.is_root());
        Ok(affected.map(|unit| unit.path.clone()).collect())
    }

    /// The files of the module of a unit as it runs it, if it is in the tree.
    fn files(&self, runs: &Runs<'a>, run: &Run<'a>, loaded: &Loaded<'a>) -> Option<ModuleFiles> {
        let files = match &loaded.source {
            Source::Directory { .. } => runs.files(run, self.dialect).ok().flatten(),
            Source::Revision { revision, .. } => {
                runs.files_in(run, (&revision.root(), &self.top), self.dialect)
            }
        };
        files.filter(ModuleFiles::has_configuration)
    }

    /// Adds the gaps of the units of a version.
    pub(super) fn add_gaps(&self, at: usize, incomplete: &mut Incomplete) {
        for gap in self.units[at].gaps_of_roots().chain(&self.problems[at]) {
            incomplete.add("unit", &*gap.place, &gap.why);
        }
    }

    /// Evaluates units in both versions, and loads their modules.
    pub(super) fn load(
        &self,
        names: BTreeSet<String>,
        versions: [&Loaded<'a>; 2],
        common: &Common,
        incomplete: &mut Incomplete,
    ) -> Result<BTreeMap<String, UnitPair<'a>>, Failure> {
        let mut all = BTreeMap::new();
        for name in names {
            let mut pair: UnitPair<'a> = [None, None];
            for (at, version) in pair.iter_mut().enumerate() {
                *version = self.version(at, &name, versions[at], common, incomplete)?;
            }
            all.insert(name, pair);
        }
        Ok(all)
    }

    fn version(
        &self,
        at: usize,
        name: &str,
        loaded: &Loaded<'a>,
        common: &Common,
        incomplete: &mut Incomplete,
    ) -> Result<Option<UnitVersion<'a>>, Failure> {
        let folder = self.absolute(name);
        let Some(runs) = self.runs[at].as_ref().filter(|runs| runs.has(&folder)) else {
            return Ok(None);
        };
        let run = runs.run(&folder);
        for gap in &run.gaps {
            incomplete.add("unit", name, &gap.why);
        }
        let tree = match self.files(runs, &run, loaded) {
            None => {
                let why = "its module is not in this tree, so its values are not compared";
                incomplete.add("unit", name, why);
                None
            }
            Some(files) => {
                let options = TreeOptions::default().with_decode(input::decode_options(common)?);
                let tree = Tree::load(self.arena, vec![files], &options);
                incomplete.add_tree(&tree);
                Some(tree)
            }
        };
        Ok(Some(UnitVersion { run, folder: PathBuf::from(folder), tree }))
    }
}

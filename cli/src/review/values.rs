//! The inputs of both versions of a root module: one set of values, the same directory and clock. Files
//! of variables are those of each version.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simd_hcl::dialect::List;
use simd_hcl::directory::{DecodeOptions, Location};
use simd_hcl::expand::Inputs;
use simd_hcl::functions::{Environment, FileError, Files, Folder};
use simd_hcl::impact::RootInputs;
use simd_hcl::review::{ReviewOptions, Version, review};
use simd_hcl::show::BodySchemas;
use simd_hcl::source::Source;
use simd_hcl::terragrunt::{Run as UnitRun, RunArgument, RunFiles};
use simd_hcl::tree::{Tree, TreeModule};
use simd_hcl::{Arena, ParsedFile};

use super::answer::Root;
use super::load::{self, Loaded};
use super::unit::UnitVersion;
use crate::args::{Common, ReviewInputs, ValueFlag};
use crate::expand::{Flag, file, parsed_file, repository, with_directory, with_given};
use crate::git::{self, FromHere};
use crate::incomplete::Incomplete;
use crate::input;
use crate::noted_files::{self, NotedFiles};
use crate::paths::or_here;
use crate::provider_schemas;
use crate::revision::Revision;
use crate::revision_files::{RevisionFiles, RootFiles};
use crate::root_section::{Section, Values, plain};
use crate::roots::{differ, sections};
use crate::settings::{self, Settings};
use crate::status::Failure;
use crate::unit_impact::RunValues;
use crate::unit_run;
use crate::visible::visible;

/// The values that the command line gives.
pub(super) struct Given<'g> {
    pub(super) inputs: &'g ReviewInputs,
    pub(super) show_sensitive: bool,
    pub(super) provider_schemas: Option<&'g Path>,
    pub(super) settings: &'g Settings,
}

impl Given<'_> {
    /// The file of settings; without one, where it may have been.
    fn settings_file(&self) -> Option<PathBuf> {
        match self.settings.file() {
            Some(file) => Some(file.to_owned()),
            None => Some(git::top().ok()?.join(settings::NAME)),
        }
    }

    /// The inputs of root modules in a revision; `None` if it has no settings.
    fn settings_of(&self, revision: &RevisionFiles) -> Result<Option<Vec<Section>>, Failure> {
        let Some(file) = self.settings_file() else { return Ok(None) };
        Ok(sections(&git::canonical(&file)?, revision))
    }
}

/// Why a file that is noted is not read from a revision.
const NOT_IN_REVISION: &str =
    "a function reads it, and the revision does not have it: it is in a submodule, or outside";

/// The state that the evaluations of all root modules share.
pub(super) struct Evaluation<'e, 'a> {
    arena: &'a Arena,
    versions: [&'e Loaded<'a>; 2],
    given: &'e Given<'e>,
    schemas: Option<BodySchemas<'a>>,
    options: ReviewOptions,
    /// The inputs of root modules in both versions: a revision without settings has those of today.
    sections: [Vec<Section>; 2],
    /// How files are named; `None` outside of a repository.
    from_here: Option<FromHere>,
    common: &'e Common,
}

/// One version of a root module.
#[derive(Clone, Copy)]
pub(super) struct Side<'s, 'a> {
    /// The tree that has it, and its place there.
    pub(super) tree: &'s Tree<'a>,
    pub(super) place: usize,
    /// The unit that runs it.
    pub(super) unit: Option<&'s UnitVersion<'a>>,
}

impl<'s, 'a> Side<'s, 'a> {
    fn module(&self) -> Option<&'s TreeModule<'a>> {
        self.tree.modules().get(self.place)
    }

    fn directory(&self) -> Option<Location> {
        Some(self.module()?.files.directory())
    }
}

/// A value of variables.
enum Value<'v> {
    Text(&'v str, &'v str),
    File(&'v Path),
}

/// How a root module is run.
struct Set<'v> {
    /// In the order of precedence.
    values: Vec<Value<'v>>,
    workspace: Option<&'v String>,
}

impl<'v> Set<'v> {
    fn files(&self) -> impl Iterator<Item = &'v Path> {
        self.values.iter().filter_map(|value| match value {
            Value::File(path) => Some(*path),
            Value::Text(..) => None,
        })
    }
}

impl<'e, 'a> Evaluation<'e, 'a> {
    pub(super) fn of(
        arena: &'a Arena,
        versions: [&'e Loaded<'a>; 2],
        given: &'e Given<'e>,
        common: &'e Common,
    ) -> Result<Self, Failure> {
        let schemas = match given.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?.with_built_in(arena)),
            None => None,
        };
        let mut options = ReviewOptions::default().with_sensitive(given.show_sensitive);
        for (resource_type, arguments) in given.settings.replace() {
            options = options.with_replace(resource_type, arguments);
        }
        let mut sections = [Vec::new(), Vec::new()];
        for (at, sections) in sections.iter_mut().enumerate() {
            let of_revision = match &versions[at].source {
                load::Source::Revision { files, .. } => given.settings_of(files)?,
                load::Source::Directory { .. } => None,
            };
            *sections = of_revision.unwrap_or_else(|| given.settings.roots().to_vec());
        }
        let from_here = git::top().and_then(|top| FromHere::of(&top)).ok();
        Ok(Self { arena, versions, given, schemas, options, sections, from_here, common })
    }

    /// One of the versions.
    pub(super) fn version(&self, at: usize) -> &'e Loaded<'a> {
        self.versions[at]
    }

    /// Whether the settings of a version are about the module in a directory, which makes it a root module.
    pub(super) fn names_root(&self, directory: &Path) -> Result<bool, Failure> {
        let [before, after] = &self.sections;
        Ok(Section::any_about(before, directory)? || Section::any_about(after, directory)?)
    }

    /// How files are decoded.
    pub(super) fn decode(&self) -> Result<DecodeOptions, Failure> {
        input::decode_options(self.common)
    }

    /// Returns the values that the settings of a version give a root module, by its directory in the
    /// working tree.
    fn settings(&self, at: usize, directory: Option<&Path>) -> Result<Values, Failure> {
        let sections = &self.sections[at];
        let values = directory.map(|directory| Values::of(sections, directory)).transpose()?;
        Ok(values.flatten().unwrap_or_default())
    }

    /// How a root module is run: as the settings say, the unit that runs it, and the flags, each of which
    /// takes precedence over those before.
    fn set<'v>(&'v self, settings: &'v Values, unit: Option<&'v UnitRun<'_>>) -> Set<'v> {
        let files = settings.files.iter().map(|file| Value::File(&file.path));
        let texts = settings.variables.iter().map(|(name, text)| Value::Text(name, text));
        let flags = self.given.inputs.values.given.iter().map(|flag| match flag {
            ValueFlag::Text(name, text) => Value::Text(name, text),
            ValueFlag::File(path) => Value::File(path),
        });
        let arguments = unit.into_iter().flat_map(|run| &run.arguments);
        let arguments = arguments.filter_map(|argument| match argument {
            RunArgument::Variable(name, text) => Some(Value::Text(name, text)),
            RunArgument::File(path) => Some(Value::File(Path::new(path))),
            _ => None,
        });
        let values = files.chain(texts).chain(arguments).chain(flags).collect();
        let workspace = self.given.inputs.workspace.as_ref().or(settings.workspace.as_ref());
        Set { values, workspace }
    }

    /// The inputs of all root modules of a version, for the question which of them a change affects.
    /// Modules that `is_left_out` are not run by themselves.
    pub(super) fn run<'r>(
        &'r self,
        at: usize,
        is_left_out: &'r (dyn Fn(&Location) -> bool + Sync),
    ) -> impl RootInputs {
        VersionRun { evaluation: self, at, is_left_out }
    }

    /// The values of the units of a version, for the same question.
    pub(super) fn unit_values(&self, at: usize) -> impl RunValues {
        VersionUnits { evaluation: self, at }
    }

    /// Compares both versions of a root module; `roots` are compared.
    ///
    /// # Errors
    /// A file of variables cannot be read.
    pub(super) fn root(
        &self,
        path: String,
        sides: [Option<Side<'_, 'a>>; 2],
        roots: usize,
    ) -> Result<Root, Failure> {
        let directories = [0, 1].map(|at| sides[at]?.directory());
        // The directory in the working tree, which is the same for both versions.
        let of_unit = |at: usize| Some(sides[at]?.unit?.folder.clone());
        let of_module = |at: usize| self.on_disk(at, directories[at].as_ref()?);
        let shared = [1, 0].into_iter().find_map(|at| of_unit(at).or_else(|| of_module(at)));
        let settings = [self.settings(0, shared.as_deref())?, self.settings(1, shared.as_deref())?];
        let sets = [0, 1]
            .map(|at| self.set(&settings[at], sides[at].and_then(|side| Some(&side.unit?.run))));
        let outside = [0, 1].map(|at| Outside::of(self, at, directories[at].as_ref()));
        let beside = [0, 1].map(|at| {
            let unit = sides[at].and_then(|side| side.unit)?;
            Some(RunFiles::new(&unit.run, outside[at].files()?))
        });
        let functions = [0, 1].map(|at| {
            let functions = outside[at].functions(self.given.inputs.now.as_deref());
            match &beside[at] {
                Some(files) => functions.with_files(files),
                None => functions,
            }
        });
        let shared = Location::Disk(shared.unwrap_or_else(|| PathBuf::from(".")));
        let mut missing = [BTreeSet::new(), BTreeSet::new()];
        let mut inputs = Vec::with_capacity(2);
        for (at, functions) in functions.iter().enumerate() {
            inputs.push(match sides[at] {
                Some(side) => {
                    let inputs = with_directory(Inputs::new(self.arena), &shared);
                    let inputs = self.with_values(inputs, at, &sets[at], &mut missing[at])?;
                    let inputs = match (side.unit, side.module()) {
                        (Some(unit), Some(it)) => unit_run::with_run(inputs, &unit.run, it),
                        _ => inputs,
                    };
                    let inputs = inputs.with_roots(roots);
                    inputs.with_sensitive(self.given.show_sensitive).with_functions(functions)
                }
                None => Inputs::new(self.arena),
            });
        }
        let newest = usize::from(sides[1].is_some());
        for flag in &self.given.inputs.values.given {
            let is_nowhere =
                |path: &PathBuf| (0..2).all(|at| sides[at].is_none() || missing[at].contains(path));
            if let ValueFlag::File(path) = flag
                && is_nowhere(path)
            {
                let path = path.to_string_lossy();
                return Err(Failure::Message(format!("{}: no such file", visible(&path))));
            }
        }
        let mut incomplete = Incomplete::default();
        for path in &missing[newest] {
            let why = "the new version does not have this file of variables";
            incomplete.add("file", self.shown(path), why);
        }
        let inputs: Vec<Inputs<'_, 'a>> = inputs
            .into_iter()
            .map(|inputs| match &self.schemas {
                Some(schemas) => inputs.with_schemas(schemas),
                None => inputs,
            })
            .collect();
        let versions = [0, 1].map(|at| {
            let side = sides[at]?;
            Some(Version { tree: side.tree, root: side.place, inputs: &inputs[at] })
        });
        let [before, after] = versions;
        let review = review(before, after, &self.options);
        outside.iter().for_each(|files| files.add_gaps(&mut incomplete));
        let mut var_files = Self::var_files(sides[newest].and_then(|side| side.module()));
        var_files.extend(sets[newest].files().map(|path| self.shown(path)));
        let workspace = sets[newest].workspace.filter(|name| *name != "default").cloned();
        Ok(Root { path, var_files, workspace, review, incomplete })
    }

    /// A file of variables as people name it: units name it by an absolute path.
    fn shown(&self, path: &Path) -> String {
        let is_given = |flag: &ValueFlag| matches!(flag, ValueFlag::File(given) if given == path);
        match &self.from_here {
            Some(here) if !self.given.inputs.values.given.iter().any(is_given) => {
                here.shown_if_inside(path)
            }
            _ => path.to_string_lossy().into_owned(),
        }
    }

    /// The files of variables that the tools read by themselves.
    fn var_files(module: Option<&TreeModule<'_>>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let files = module.into_iter().flat_map(|module| &module.files.files);
        // Those in `tests` are for tests.
        for file in files.filter(|file| file.kind.list == List::Variables && file.is_read()) {
            let name = file.name.to_string_lossy();
            if !name.contains('/') {
                names.push(name.into_owned());
            }
        }
        // The tools read this one first.
        names.sort_by_key(|name| (!name.starts_with("terraform.tfvars"), name.clone()));
        names
    }

    /// The directory of a version in the working tree.
    fn on_disk(&self, at: usize, directory: &Location) -> Option<PathBuf> {
        match (&self.versions[at].source, directory) {
            (_, Location::Disk(path)) => Some(path.clone()),
            (load::Source::Revision { files, .. }, Location::Memory(path)) => {
                Some(files.top().join(path.as_str()))
            }
            (load::Source::Directory { .. }, Location::Memory(_)) => None,
        }
    }

    /// The paths of files of variables as a version has them: those of a revision start at its top. The
    /// settings are among them if they run the root module with other values.
    fn places(&self, at: usize, mut files: Vec<PathBuf>, root: Option<&Path>) -> Vec<PathBuf> {
        let [before, after] = &self.sections;
        if let (Some(root), Some(settings)) = (root, self.given.settings_file())
            && differ([before, after], root)
        {
            files.push(settings);
        }
        let load::Source::Revision { files: revision, .. } = &self.versions[at].source else {
            return files;
        };
        let inside = |file: PathBuf| {
            let whole = git::canonical(&file).ok()?;
            whole.strip_prefix(revision.top()).map(Path::to_owned).ok()
        };
        files.into_iter().filter_map(inside).collect()
    }

    /// Adds the environment and the values of a version, and to `missing` the files that it does not
    /// have.
    fn with_values<'i, 'b>(
        &self,
        inputs: Inputs<'i, 'b>,
        at: usize,
        set: &Set<'_>,
        missing: &mut BTreeSet<PathBuf>,
    ) -> Result<Inputs<'i, 'b>, Failure> {
        let mut flags: Vec<Flag<'_, 'b>> = Vec::with_capacity(set.values.len());
        for value in &set.values {
            match value {
                Value::Text(name, text) => flags.push(Flag::Text(name, text)),
                Value::File(path) => match self.file(inputs.arena(), at, path)? {
                    Some(file) => flags.push(Flag::File(file)),
                    None => drop(missing.insert((*path).to_owned())),
                },
            }
        }
        // The review does not list what is wrong with files of variables; `check` does.
        Ok(with_given(inputs, (set.workspace, &flags), &mut ()))
    }

    /// The file of variables as a version has it; `None` if that version does not. A file that git
    /// does not have in any version is the same in both.
    fn file<'b>(
        &self,
        arena: &'b Arena,
        at: usize,
        path: &Path,
    ) -> Result<Option<ParsedFile<'b>>, Failure> {
        let exists = git::exists(path)?;
        let on_disk = || file(arena, path, self.common).map(Some);
        let load::Source::Revision { files, .. } = &self.versions[at].source else {
            return if exists { on_disk() } else { Ok(None) };
        };
        let whole = git::canonical(path)?;
        let Ok(inside) = whole.strip_prefix(files.top()) else { return on_disk() };
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        let inside = parts.join("/");
        let failed = |why: &dyn std::fmt::Display| Failure::Message(format!("{inside}: {why}"));
        match files.read(&inside) {
            Ok(bytes) => {
                let source =
                    Source::copy_from(arena, &inside, &bytes).map_err(|error| failed(&error))?;
                parsed_file(source, self.common).map(Some)
            }
            Err(FileError::Missing) if exists && git::knows(path, "HEAD") => Ok(None),
            Err(FileError::Missing) if exists => on_disk(),
            Err(FileError::Missing) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// How the root modules of one version are run.
struct VersionRun<'r, 'e, 'a> {
    evaluation: &'r Evaluation<'e, 'a>,
    at: usize,
    is_left_out: &'r (dyn Fn(&Location) -> bool + Sync),
}

impl VersionRun<'_, '_, '_> {
    /// Passes on how a root module is run. A problem of that is an error of its evaluation.
    fn with_set<T>(&self, module: &TreeModule<'_>, work: impl FnOnce(&Set<'_>) -> T) -> Option<T> {
        let directory = self.evaluation.on_disk(self.at, &module.files.directory());
        let settings = self.evaluation.settings(self.at, directory.as_deref()).ok()?;
        Some(work(&self.evaluation.set(&settings, None)))
    }
}

impl RootInputs for VersionRun<'_, '_, '_> {
    fn inputs<'i, 'b>(
        &self,
        module: &TreeModule<'b>,
        plain: &dyn Fn() -> Inputs<'i, 'b>,
    ) -> Vec<Inputs<'i, 'b>> {
        if (self.is_left_out)(&module.files.directory()) {
            return Vec::new();
        }
        let with_values = |set: &Set<'_>| {
            let mut missing = BTreeSet::new();
            self.evaluation.with_values(plain(), self.at, set, &mut missing).ok()
        };
        vec![self.with_set(module, with_values).flatten().unwrap_or_else(plain)]
    }

    fn has_inputs(&self, module: &TreeModule<'_>) -> bool {
        if (self.is_left_out)(&module.files.directory()) {
            return false;
        }
        let is_set = |set: &Set<'_>| !set.values.is_empty() || set.workspace.is_some();
        self.with_set(module, is_set) == Some(true)
    }

    fn files(&self, module: &TreeModule<'_>) -> Vec<PathBuf> {
        let files = self.with_set(module, |set| set.files().map(Path::to_owned).collect());
        let directory = self.evaluation.on_disk(self.at, &module.files.directory());
        self.evaluation.places(self.at, files.unwrap_or_default(), directory.as_deref())
    }
}

/// How the units of one version run their modules.
struct VersionUnits<'r, 'e, 'a> {
    evaluation: &'r Evaluation<'e, 'a>,
    at: usize,
}

impl VersionUnits<'_, '_, '_> {
    /// Passes on how a unit runs its module. A problem of that is an error of its evaluation.
    fn with_set<T>(&self, run: &UnitRun<'_>, work: impl FnOnce(&Set<'_>) -> T) -> Option<T> {
        let settings = self.evaluation.settings(self.at, Some(run.folder.as_ref())).ok()?;
        Some(work(&self.evaluation.set(&settings, Some(run))))
    }
}

impl RunValues for VersionUnits<'_, '_, '_> {
    fn with_values<'i, 'b>(
        &self,
        run: &UnitRun<'_>,
        plain: &dyn Fn() -> Inputs<'i, 'b>,
    ) -> Inputs<'i, 'b> {
        let with_values = |set: &Set<'_>| {
            let mut missing = BTreeSet::new();
            self.evaluation.with_values(plain(), self.at, set, &mut missing).ok()
        };
        self.with_set(run, with_values).flatten().unwrap_or_else(plain)
    }

    fn has_values(&self, run: &UnitRun<'_>) -> bool {
        let arguments = run.arguments.len();
        let is_more = |set: &Set<'_>| set.values.len() > arguments || set.workspace.is_some();
        let [before, after] = &self.evaluation.sections;
        self.with_set(run, is_more) != Some(false) || differ([before, after], run.folder.as_ref())
    }

    fn files(&self, run: &UnitRun<'_>) -> Vec<PathBuf> {
        let files = self.with_set(run, |set| set.files().map(Path::to_owned).collect());
        let folder = Path::new(&run.folder);
        self.evaluation.places(self.at, files.unwrap_or_default(), Some(folder))
    }
}

/// The files that functions of one version of a root module read.
enum Outside<'e> {
    /// Those of a directory, and how it is named.
    Folder(NotedFiles<Folder>, PathBuf),
    /// Those of a revision, and its name.
    Revision(NotedFiles<RootFiles<'e>>, &'e Revision),
    Nothing,
}

impl<'e> Outside<'e> {
    fn of(evaluation: &Evaluation<'e, '_>, at: usize, directory: Option<&Location>) -> Self {
        match (&evaluation.versions[at].source, directory) {
            (load::Source::Directory { root, .. }, Some(Location::Disk(path))) => {
                let path = or_here(path);
                let Ok(folder) = Folder::new(path) else { return Self::Nothing };
                // Without a repository, what is compared is one.
                let boundary =
                    repository(path, evaluation.common).or_else(|| git::canonical(root).ok());
                let folder = match (evaluation.given.inputs.allow_outside, boundary) {
                    (true, _) => folder.with_outside(),
                    (false, Some(boundary)) => folder.with_boundary(boundary),
                    (false, None) => folder,
                };
                Self::Folder(NotedFiles::new(folder), path.to_owned())
            }
            (load::Source::Revision { files, revision }, Some(Location::Memory(path))) => {
                let files = RootFiles { revision: files, directory: path.as_str().to_owned() };
                Self::Revision(NotedFiles::new(files), revision)
            }
            _ => Self::Nothing,
        }
    }

    fn files(&self) -> Option<&dyn Files> {
        match self {
            Self::Folder(files, _) => Some(files),
            Self::Revision(files, _) => Some(files),
            Self::Nothing => None,
        }
    }

    /// Adds the files that functions have not read.
    fn add_gaps(&self, incomplete: &mut Incomplete) {
        match self {
            Self::Folder(files, directory) => {
                for path in files.elsewhere() {
                    let place = plain(&directory.join(path));
                    incomplete.add("file", place.to_string_lossy(), noted_files::OUTSIDE);
                }
            }
            Self::Revision(files, revision) => {
                for path in files.elsewhere() {
                    let inside = files.files().place(&path).map(|path| revision.named(&path));
                    incomplete.add("file", inside.unwrap_or(path), NOT_IN_REVISION);
                }
            }
            Self::Nothing => {}
        }
    }

    fn functions<'f>(&'f self, now: Option<&'f str>) -> Environment<'f> {
        let mut functions = Environment::new();
        if let Some(files) = self.files() {
            functions = functions.with_files(files);
        }
        match now {
            Some(now) => functions.with_now(now),
            None => functions,
        }
    }
}

//! The inputs of both versions of a root module: one set of values, the same directory and clock. Files
//! of variables are those of each version.

use std::path::{Path, PathBuf};

use simd_hcl::directory::Location;
use simd_hcl::expand::Inputs;
use simd_hcl::functions::{Environment, FileError, Folder};
use simd_hcl::review::{ReviewOptions, Version, review};
use simd_hcl::show::BodySchemas;
use simd_hcl::source::Source;
use simd_hcl::terragrunt::RunArgument;
use simd_hcl::tree::Tree;
use simd_hcl::{Arena, Document, ParsedFile};

use super::answer::Root;
use super::load::{self, Loaded};
use super::units::UnitVersion;
use crate::args::{Common, ReviewInputs, ValueFlag};
use crate::expand::{Flag, file, given};
use crate::git;
use crate::provider_schemas;
use crate::revision_files::RootFiles;
use crate::root_section::Values;
use crate::settings::Settings;
use crate::status::Failure;
use crate::unit_run;

/// What the command line gives.
pub(super) struct Given<'g> {
    pub(super) inputs: &'g ReviewInputs,
    pub(super) show_sensitive: bool,
    pub(super) provider_schemas: Option<&'g Path>,
}

/// What all root modules share.
pub(super) struct Evaluation<'e, 'a> {
    arena: &'a Arena,
    versions: [&'e Loaded<'a>; 2],
    given: &'e Given<'e>,
    settings: Settings,
    schemas: Option<BodySchemas<'a>>,
    options: ReviewOptions,
    roots: usize,
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

impl Side<'_, '_> {
    fn directory(&self) -> Option<Location> {
        Some(self.tree.modules().get(self.place)?.files.directory())
    }
}

/// A value of variables, in the order of precedence.
#[derive(Clone, Copy)]
enum Value<'v> {
    Text(&'v str, &'v str),
    File(&'v Path),
}

impl<'e, 'a> Evaluation<'e, 'a> {
    pub(super) fn of(
        arena: &'a Arena,
        versions: [&'e Loaded<'a>; 2],
        given: &'e Given<'e>,
        roots: usize,
        common: &'e Common,
    ) -> Result<Self, Failure> {
        let schemas = match given.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?.with_built_in(arena)),
            None => None,
        };
        let mut options = ReviewOptions::default().with_sensitive(given.show_sensitive);
        let settings = Settings::of(&[PathBuf::from(".")], common)?;
        for (resource_type, arguments) in settings.replace() {
            options = options.with_replace(resource_type, arguments);
        }
        Ok(Self { arena, versions, given, settings, schemas, options, roots, common })
    }

    /// Compares both versions of a root module.
    ///
    /// # Errors
    /// A file of variables cannot be read.
    pub(super) fn root(
        &self,
        path: String,
        sides: [Option<Side<'_, 'a>>; 2],
    ) -> Result<Root, Failure> {
        let directories = [0, 1].map(|at| sides[at]?.directory());
        // The directory in the working tree, which is the same for both versions.
        let of_unit = |at: usize| Some(sides[at]?.unit?.folder.clone());
        let of_module = |at: usize| self.on_disk(at, directories[at].as_ref()?);
        let shared = [1, 0].into_iter().find_map(|at| of_unit(at).or_else(|| of_module(at)));
        let values = match &shared {
            Some(directory) => Values::of(self.settings.roots(), directory)?.unwrap_or_default(),
            None => Values::default(),
        };
        let mut of_settings: Vec<Value<'_>> = Vec::new();
        of_settings
            .extend(values.files.iter().chain(&values.missing).map(|file| Value::File(file)));
        of_settings.extend(values.variables.iter().map(|(name, text)| Value::Text(name, text)));
        let mut of_flags: Vec<Value<'_>> = Vec::new();
        for flag in &self.given.inputs.values.given {
            of_flags.push(match flag {
                ValueFlag::Text(name, text) => Value::Text(name, text),
                ValueFlag::File(path) => Value::File(path),
            });
        }
        let all = [0, 1].map(|at| {
            let unit = sides[at].and_then(|side| side.unit);
            let arguments = unit.into_iter().flat_map(|unit| &unit.run.arguments);
            let arguments = arguments.filter_map(|argument| match argument {
                RunArgument::Variable(name, text) => Some(Value::Text(name, text)),
                RunArgument::File(path) => Some(Value::File(Path::new(path))),
                _ => None,
            });
            let all = of_settings.iter().copied().chain(arguments).chain(of_flags.iter().copied());
            all.collect::<Vec<_>>()
        });
        let workspace = self.given.inputs.workspace.as_ref().or(values.workspace.as_ref());
        let outside = [0, 1].map(|at| Outside::of(self, at, directories[at].as_ref()));
        let functions = [0, 1].map(|at| outside[at].functions(self.given.inputs.now.as_deref()));
        let shared = Location::Disk(shared.unwrap_or_else(|| PathBuf::from(".")));
        let mut inputs = Vec::with_capacity(2);
        for (at, functions) in functions.iter().enumerate() {
            inputs.push(match sides[at] {
                Some(side) => {
                    let inputs = self.inputs(at, &shared, (workspace, &all[at]))?;
                    let module = &side.tree.modules()[side.place].module;
                    let inputs = match side.unit {
                        Some(unit) => unit_run::with_run(inputs, &unit.run, module),
                        None => inputs,
                    };
                    inputs.with_functions(functions)
                }
                None => Inputs::new(self.arena),
            });
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
        let mut var_files = Self::var_files(sides);
        let named = if sides[1].is_some() { &all[1] } else { &all[0] };
        var_files.extend(named.iter().filter_map(|value| match value {
            Value::File(path) => Some(path.to_string_lossy().into_owned()),
            Value::Text(..) => None,
        }));
        let workspace = workspace.filter(|name| *name != "default").cloned();
        Ok(Root { path, var_files, workspace, review })
    }

    /// The files of variables that the tools read by themselves.
    fn var_files(sides: [Option<Side<'_, '_>>; 2]) -> Vec<String> {
        let side = sides[1].or(sides[0]);
        let module = side.as_ref().and_then(|side| side.tree.modules().get(side.place));
        let mut names: Vec<String> = Vec::new();
        for file in module.into_iter().flat_map(|module| &module.files.files) {
            let name = file.name.to_string_lossy();
            let plain = name.strip_suffix(".json").unwrap_or(&name);
            if plain == "terraform.tfvars" || plain.ends_with(".auto.tfvars") {
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
            (load::Source::Directory(_), Location::Memory(_)) => None,
        }
    }

    fn inputs<'i>(
        &self,
        at: usize,
        directory: &Location,
        (workspace, values): (Option<&String>, &[Value<'_>]),
    ) -> Result<Inputs<'i, 'a>, Failure> {
        let mut flags: Vec<Flag<'_, 'a>> = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Text(name, text) => flags.push(Flag::Text(name, text)),
                Value::File(path) => flags.extend(self.file(at, path)?.map(Flag::File)),
            }
        }
        // The review does not list what is wrong with files of variables; `check` does.
        let inputs = given(self.arena, directory, (workspace, &flags), &mut ());
        Ok(inputs.with_roots(self.roots).with_sensitive(self.given.show_sensitive))
    }

    /// The file of variables as a version has it; `None` if that version does not. What git does not
    /// have in any version is the same in both.
    fn file(&self, at: usize, path: &Path) -> Result<Option<ParsedFile<'a>>, Failure> {
        let exists = git::exists(path)?;
        let on_disk = || file(self.arena, path, self.common).map(Some);
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
                let source = Source::copy_from(self.arena, &inside, &bytes)
                    .map_err(|error| failed(&error))?;
                if !inside.ends_with(".json") {
                    return Ok(Some(ParsedFile::native(self.arena, source)));
                }
                let options = crate::input::parse_options(self.common)?;
                let document = Document::parse_with(self.arena, source, &options);
                document.map(ParsedFile::json).map(Some).map_err(|error| failed(&error))
            }
            Err(FileError::Missing) if exists && git::knows(path, "HEAD") => Ok(None),
            Err(FileError::Missing) if exists => on_disk(),
            Err(FileError::Missing) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// What functions of one version of a root module read.
enum Outside<'e> {
    Folder(Folder),
    Revision(RootFiles<'e>),
    Nothing,
}

impl<'e> Outside<'e> {
    fn of(evaluation: &Evaluation<'e, '_>, at: usize, directory: Option<&Location>) -> Self {
        match (&evaluation.versions[at].source, directory) {
            (load::Source::Directory(root), Some(Location::Disk(path))) => {
                let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
                let Ok(folder) = Folder::new(path) else { return Self::Nothing };
                // The modules around a root module are part of its repository.
                let boundary = git::canonical(root).ok();
                Self::Folder(match (evaluation.given.inputs.allow_outside, boundary) {
                    (true, _) => folder.with_outside(),
                    (false, Some(boundary)) => folder.with_boundary(boundary),
                    (false, None) => folder,
                })
            }
            (load::Source::Revision { files, .. }, Some(Location::Memory(path))) => {
                Self::Revision(RootFiles { revision: files, directory: path.as_str().to_owned() })
            }
            _ => Self::Nothing,
        }
    }

    fn functions<'f>(&'f self, now: Option<&'f str>) -> Environment<'f> {
        let mut functions = Environment::new();
        match self {
            Self::Folder(folder) => functions = functions.with_files(folder),
            Self::Revision(files) => functions = functions.with_files(files),
            Self::Nothing => {}
        }
        match now {
            Some(now) => functions.with_now(now),
            None => functions,
        }
    }
}

//! The inputs of both versions of a root module: one set of values, the same directory and clock.

use std::path::Path;

use simd_hcl::directory::Location;
use simd_hcl::expand::Inputs;
use simd_hcl::functions::{Environment, Folder};
use simd_hcl::review::{Review, ReviewOptions, Version, review};
use simd_hcl::show::BodySchemas;
use simd_hcl::{Arena, Diagnostic};

use super::load::{Loaded, Source};
use super::module_at;
use crate::args::{Common, ExpandInputs, ReviewInputs};
use crate::expand::{Flag, flags, given};
use crate::git;
use crate::provider_schemas;
use crate::revision_files::RootFiles;
use crate::settings::Settings;
use crate::status::Failure;

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
    arguments: ExpandInputs,
    flags: Vec<(String, FlagValue<'a>)>,
    schemas: Option<BodySchemas<'a>>,
    options: ReviewOptions,
    show_sensitive: bool,
    roots: usize,
}

/// A flag that sets variables.
enum FlagValue<'a> {
    Text(String),
    File(simd_hcl::ParsedFile<'a>),
}

impl<'e, 'a> Evaluation<'e, 'a> {
    pub(super) fn of(
        arena: &'a Arena,
        versions: [&'e Loaded<'a>; 2],
        given: &Given<'_>,
        roots: usize,
        common: &Common,
    ) -> Result<Self, Failure> {
        let arguments = given.inputs.to_expand();
        let read = flags(arena, &arguments, common)?;
        let flags = read
            .into_iter()
            .map(|flag| match flag {
                Flag::Text(name, text) => (name.to_owned(), FlagValue::Text(text.to_owned())),
                Flag::File(file) => (String::new(), FlagValue::File(file)),
            })
            .collect();
        let schemas = match given.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?.with_built_in(arena)),
            None => None,
        };
        let mut options = ReviewOptions::default().with_sensitive(given.show_sensitive);
        let settings = Settings::of(&[std::path::PathBuf::from(".")], common)?;
        for (resource_type, arguments) in settings.replace() {
            options = options.with_replace(resource_type, arguments);
        }
        let show_sensitive = given.show_sensitive;
        Ok(Self { arena, versions, arguments, flags, schemas, options, show_sensitive, roots })
    }

    /// Compares a root module, by its places in both trees.
    pub(super) fn review(&self, places: [Option<usize>; 2]) -> Review {
        let directories = [0, 1].map(|at| self.directory(at, places[at]?));
        // `path.cwd` is the same in both versions.
        let shared = directories.iter().rev().flatten().next();
        let outside = [0, 1].map(|at| Outside::of(self, at, directories[at].as_ref()));
        let functions = [0, 1].map(|at| outside[at].functions(self.arguments.now.as_deref()));
        let inputs = [0, 1].map(|at| {
            let mut inputs = self.inputs(shared).with_functions(&functions[at]);
            if let Some(schemas) = &self.schemas {
                inputs = inputs.with_schemas(schemas);
            }
            inputs
        });
        let versions = [0, 1].map(|at| {
            let root = places[at]?;
            Some(Version { tree: &self.versions[at].tree, root, inputs: &inputs[at] })
        });
        let [before, after] = versions;
        review(before, after, &self.options)
    }

    /// The files of variables that the tools read by themselves, and those of the command line.
    pub(super) fn var_files(&self, places: [Option<usize>; 2]) -> Vec<String> {
        let at = if places[1].is_some() { 1 } else { 0 };
        let module = places[at].and_then(|place| module_at(&self.versions[at].tree, place));
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
        for (_, flag) in &self.flags {
            if let FlagValue::File(file) = flag {
                names.push(file.source().name().to_owned());
            }
        }
        names
    }

    fn directory(&self, at: usize, place: usize) -> Option<Location> {
        Some(module_at(&self.versions[at].tree, place)?.files.directory())
    }

    fn inputs<'i>(&self, directory: Option<&Location>) -> Inputs<'i, 'a> {
        let flags: Vec<Flag<'_, 'a>> = self
            .flags
            .iter()
            .map(|(name, value)| match value {
                FlagValue::Text(text) => Flag::Text(name, text),
                FlagValue::File(file) => Flag::File(*file),
            })
            .collect();
        // What is wrong with the files was reported when they were read.
        let mut found: Vec<Diagnostic<'a>> = Vec::new();
        let nowhere = Location::Disk(std::path::PathBuf::from("."));
        let directory = directory.unwrap_or(&nowhere);
        given(self.arena, directory, &self.arguments, &flags, &mut found)
            .with_roots(self.roots)
            .with_sensitive(self.show_sensitive)
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
            (Source::Directory(root), Some(Location::Disk(path))) => {
                let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
                let Ok(folder) = Folder::new(path) else { return Self::Nothing };
                // The modules around a root module are part of its repository.
                let boundary = git::canonical(root).ok();
                Self::Folder(match (evaluation.arguments.allow_outside, boundary) {
                    (true, _) => folder.with_outside(),
                    (false, Some(boundary)) => folder.with_boundary(boundary),
                    (false, None) => folder,
                })
            }
            (Source::Revision { files, .. }, Some(Location::Memory(path))) => {
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

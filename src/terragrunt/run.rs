//! How units run their modules: the values of variables, and the files that lie beside those of a
//! module when it is run.
//!
//! Terragrunt copies the module and the folder of the unit into one folder, writes what `generate` and
//! `remote_state` say, and passes inputs as environment variables. [`Run`] says what would be there;
//! nothing is copied or written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::backend::{self, RunBackend};
use super::call::resolved;
use super::config::{Config, ExtraArguments};
use super::discover::{ComponentKind, Search, search};
use super::disk::{Disk, is_below};
use super::find::Finder;
use super::frame::Extent;
use super::parse::Parsed;
use super::plain::plain;
use super::secret::Secret;
use super::source::{Source, module_of, split};
use super::unit::{Gap, Units};
use super::world::World;
use super::{Options, generate, names, read};
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind, List};
use crate::directory::{Location, MemoryPath, ModuleFile, ModuleFiles};
use crate::file::or_here;
use crate::functions::paths::{base, clean, directory, join, relative, slashed};
use crate::functions::{Files, real_text};
use crate::hidden::Hidden;
use crate::value::{Content, Marks, Value};

/// Finds the units and stacks of a folder, and evaluates them.
///
/// A folder that does not exist, and everything else that could not be read, is in [`Units::gaps`].
/// Cost: see [the module](super).
#[must_use]
pub fn find(folder: impl AsRef<Path>, options: &Options) -> Units {
    let arena = Arena::new();
    match Runs::open(&arena, folder, options) {
        Ok(runs) => runs.units(),
        Err(gap) => Units { gaps: BTreeSet::from([gap]), ..Units::default() },
    }
}

/// Returns the values in the files of units that must not be shown, by the directories of the files,
/// without links. The units are those of a folder: for the files in a part of a repository, that of the
/// repository, since units anywhere may include them.
///
/// A folder that cannot be read has no such values; reading its files fails.
///
/// Cost: that of [`find`] with files, and of reading the modules of the units.
#[must_use]
pub fn hidden(folder: impl AsRef<Path>, options: &Options) -> BTreeMap<PathBuf, Hidden> {
    let arena = Arena::new();
    let Ok(runs) = Runs::open(&arena, folder, options) else { return BTreeMap::new() };
    runs.hidden().into_iter().map(|(path, hidden)| (PathBuf::from(path), hidden)).collect()
}

/// Whether a folder of the file system has the configuration of a unit.
#[must_use]
pub fn has_unit(folder: &Path) -> bool {
    names::UNITS.iter().any(|name| or_here(folder).join(name).is_file())
}

/// Whether a folder of the file system, or one below it, has the configuration of a unit. Links are not
/// followed.
///
/// Cost: linear in the entries of the folders, up to the first unit.
#[must_use]
pub fn has_units_below(folder: &Path) -> bool {
    let mut open = vec![or_here(folder).to_owned()];
    while let Some(folder) = open.pop() {
        // A folder that cannot be listed has no units that could be read.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let is_skipped = name.to_str().is_some_and(names::is_skipped);
                open.extend((!is_skipped).then(|| entry.path()));
            } else if names::UNITS.iter().any(|unit| name == *unit) {
                return true;
            }
        }
    }
    false
}

/// The paths of the files of variables that `extra_arguments` name.
fn var_files<'v>(config: &Config<'v>) -> Vec<&'v str> {
    let mut files = Vec::new();
    for extra in config.extra_arguments() {
        files.extend(extra.texts("required_var_files").chain(extra.texts("optional_var_files")));
        files.extend(extra.flags(&["var-file"]).into_iter().map(|(_, path)| path));
    }
    files
}

/// The units of a tree, to be listed, and to be run one by one.
pub struct Runs<'a> {
    pub(super) world: World<'a>,
    base: String,
}

impl std::fmt::Debug for Runs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runs").field("base", &self.base).finish_non_exhaustive()
    }
}

/// How a unit runs its module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run<'a> {
    /// The folder of the unit, as an absolute path.
    pub folder: String,
    /// Where the content of the folder is: of a unit that a stack would generate, its source.
    pub content: String,
    /// The source of the module as it is written, if it has one.
    pub source: Option<String>,
    /// The folder of the module, as an absolute path; `None` if it would have to be downloaded, or is
    /// not known.
    pub module: Option<String>,
    /// The inputs, which are passed as environment variables; `None` if their names are not known.
    pub inputs: Option<Vec<(&'a str, Value<'a>)>>,
    /// The text that names the inputs in messages: the file of the unit.
    pub origin: String,
    /// Environment variables of `extra_arguments` that set variables, by the names of these.
    pub environment: Vec<(String, String)>,
    /// The values of variables that `extra_arguments` pass, in their order.
    pub arguments: Vec<RunArgument>,
    /// The variables whose values in `environment` and `arguments` must not be shown, although the module
    /// does not say so.
    pub hidden: BTreeSet<String>,
    /// The files that are written into the module.
    pub generated: Vec<GeneratedFile>,
    /// The settings that the unit gives to the backend of the module.
    pub backend: RunBackend,
    /// The parts that are not known, with places relative to the searched folder.
    pub gaps: Vec<Gap>,
}

/// An argument of the command that a unit runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunArgument {
    /// `-var NAME=VALUE`.
    Variable(String, String),
    /// `-var-file`, as an absolute path.
    File(String),
}

/// A file that a unit writes into its module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedFile {
    /// Its path in the module.
    pub path: String,
    /// Its text; `None` if it is not known. That of a backend is in JSON, whatever its name is.
    pub text: Option<String>,
    /// Whether it is that of `remote_state`.
    pub is_backend: bool,
    /// Whether a file of this name stays as it is.
    pub keeps: bool,
    /// Whether its text has parts that must not be shown.
    pub is_hidden: bool,
}

/// The command whose `extra_arguments` count.
const COMMAND: &str = "plan";

impl<'a> Runs<'a> {
    /// Returns the units below a folder of the file system.
    ///
    /// # Errors
    /// The folder does not exist, or cannot be examined.
    pub fn open(
        arena: &'a Arena,
        folder: impl AsRef<Path>,
        options: &'a Options,
    ) -> Result<Self, Gap> {
        let given = folder.as_ref();
        let base =
            real_text(given).map_err(|why| Gap::new("path", &given.to_string_lossy(), why))?;
        let disk = Disk::new(arena, given, &base, options);
        let why = match or_here(given).metadata() {
            Ok(found) if found.is_dir() => None,
            Ok(_) => Some("it is not a directory".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = why {
            return Err(Gap::new("path", &given.to_string_lossy(), why));
        }
        Ok(Self { world: World::new(arena, disk, options), base })
    }

    /// Returns the units below a folder of files that are not in the file system, such as those of an
    /// older revision. `top` is the folder that has all files; both are absolute paths.
    #[must_use]
    pub fn of_files(
        arena: &'a Arena,
        files: &'a dyn Files,
        (top, folder): (&str, &str),
        options: &'a Options,
    ) -> Self {
        let disk = Disk::of_files(arena, files, top);
        Self { world: World::new(arena, disk, options), base: clean(folder) }
    }

    /// Sets the folder at the top of files that are not in the file system, with the modules of the units:
    /// what these hide is hidden where units pass it.
    #[must_use]
    pub fn with_modules(mut self, root: &MemoryPath) -> Self {
        self.world.disk.set_modules(root);
        self
    }

    /// Returns the units around one, and its folder as an absolute path; `None` if there is no unit. A
    /// unit that a stack would generate need not exist.
    #[must_use]
    pub fn around(arena: &'a Arena, unit: &Path, options: &'a Options) -> Option<(Self, String)> {
        let start = unit.ancestors().find(|path| or_here(path).is_dir())?;
        let runs = Self::open(arena, or_here(start), options).ok()?;
        let rest = unit.strip_prefix(start).ok()?.to_str().map(slashed)?;
        let folder = join(&runs.base, &rest);
        if !rest.is_empty() && runs.world.disk.is_file(&join(&runs.base, names::STACK)) {
            runs.generate();
        }
        runs.has(&folder).then_some((runs, folder))
    }

    /// Has the stacks count as generated.
    fn generate(&self) {
        let how = Search { skips_hidden: false, follows_links: false };
        generate::generate(&self.world, &self.base, how);
    }

    /// Returns the values in the files of the units that must not be shown, by the absolute paths of the
    /// directories of the files, without links.
    ///
    /// Cost: that of [`hidden`].
    #[must_use]
    pub fn hidden(&self) -> BTreeMap<String, Hidden> {
        let mut all: BTreeMap<String, Hidden> = BTreeMap::new();
        let world = &self.world;
        let how = Search { skips_hidden: false, follows_links: false };
        self.generate();
        for (folder, kind) in search(&world.disk, &self.base, how).components {
            if kind != ComponentKind::Unit {
                continue;
            }
            let arena = Arena::new();
            let config = world.config_of(&folder);
            let (outcome, reads) = read::evaluate(world, &arena, &config, Extent::Whole);
            let secret = Secret::of(world, &folder, &outcome, &reads);
            let at = |path: &str| directory(&world.disk.real(path));
            for (file, paths) in &secret.files {
                all.entry(at(file)).or_default().add_of_units(paths);
            }
            let module = module_of(&folder, &outcome.config);
            let mut places = vec![config];
            for file in var_files(&outcome.config) {
                // Relative paths start where the module and the folder of the unit are together.
                places.extend(
                    [Some(&folder), module.as_ref()]
                        .into_iter()
                        .flatten()
                        .map(|it| resolved(it, file)),
                );
            }
            for place in places.iter().filter(|_| !secret.variables.is_empty()) {
                let hidden = all.entry(at(place)).or_default();
                secret.variables.iter().for_each(|name| hidden.add_variable(name));
            }
            let is_given =
                |path: &&String| path.ends_with(".tfvars") || path.ends_with(".tfvars.json");
            for file in reads.tracked.iter().chain(&reads.also).filter(is_given) {
                let hidden = all.entry(at(file)).or_default();
                match &secret.given {
                    Some(names) => names.iter().for_each(|name| hidden.add_variable(name)),
                    None => hidden.extend(&Hidden::unread()),
                }
            }
        }
        all
    }

    /// The searched folder, as an absolute path.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.base
    }

    /// The files that have been read so far, by path.
    pub(super) fn all_files(&self) -> Vec<Arc<Parsed<'a>>> {
        self.world.all_files()
    }

    /// Whether a folder has a unit.
    #[must_use]
    pub fn has(&self, folder: &str) -> bool {
        self.world.disk.is_file(&self.world.config_of(folder))
    }

    /// Lists the units and stacks, as [`super::find()`] does. Units that stacks would generate can be
    /// run after that.
    ///
    /// Cost: that of [`super::find()`].
    #[must_use]
    pub fn units(&self) -> Units {
        let mut found = Finder::new(&self.world, &self.base).run();
        if let Some(problem) = self.world.disk.problem() {
            found.gaps.insert(Gap::new("path", ".", problem));
        }
        found
    }

    /// Evaluates how the unit in a folder runs its module.
    ///
    /// Cost: that of evaluating its configuration, within the budget of a unit.
    #[must_use]
    pub fn run(&self, folder: &str) -> Run<'a> {
        let world = &self.world;
        let config = world.config_of(folder);
        let (outcome, reads) = read::evaluate_marked(world, world.arena, &config, Extent::Whole);
        let config_name = world.disk.named(&world.disk.real(&config));
        let mut run = Run {
            folder: folder.to_owned(),
            content: world.disk.real(folder),
            source: None,
            module: None,
            inputs: None,
            origin: slashed(&config_name.to_string_lossy()),
            environment: Vec::new(),
            arguments: Vec::new(),
            hidden: BTreeSet::new(),
            generated: Vec::new(),
            backend: RunBackend::default(),
            gaps: Vec::new(),
        };
        let place = relative(&self.base, folder).unwrap_or_else(|| folder.to_owned());
        let secret = match world.options.shows_sensitive {
            true => Secret::empty(),
            false => Secret::of(world, folder, &outcome, &reads),
        };
        for problem in &reads.problems {
            let why = problem.text(|file, at| secret.touches(file, at));
            let why = world.relative(&self.base, why);
            run.gaps.push(Gap::new(problem.what, &place, why));
        }
        let inputs = outcome.config.inputs.map(|it| match secret.is_empty() {
            true => it,
            false => secret.inputs(world.arena, plain(world.arena, it), &|hidden| {
                hidden.with_marks(Marks::HIDDEN)
            }),
        });
        let mut gap = |what, why: String| run.gaps.push(Gap::new(what, &place, why));
        match inputs.map(|it| it.content()) {
            None | Some(Content::Null) => run.inputs = Some(Vec::new()),
            Some(Content::Entries(entries)) => run.inputs = Some(entries.to_vec()),
            Some(_) => gap("inputs", "the names of the inputs are not known".to_owned()),
        }
        let source = outcome.config.terraform.as_ref().and_then(|it| it.get("source"));
        match source.map(|value| value.as_str()) {
            None => run.module = Some(run.content.clone()),
            Some(None) => gap("source", "the source of the module is not known".to_owned()),
            Some(Some(text)) => {
                run.source = Some(text.to_owned());
                match split(text) {
                    Source::Local(path) => {
                        run.module = Some(world.disk.real(&resolved(folder, &path)));
                    }
                    Source::Remote => {
                        let why = format!("its module {text} would have to be downloaded");
                        gap("source", why);
                    }
                }
            }
        }
        self.add_arguments(&outcome.config, &place, &secret, &mut run);
        let settings = |path: &str| {
            let path = self.beside((&run.folder, run.module.as_deref()), path);
            String::from_utf8(world.disk.read(&path, backend::LONGEST).ok()?).ok()
        };
        run.backend = RunBackend::of(world.arena, &outcome.config, &settings);
        run.generated = generated(world.arena, &outcome.config, &secret);
        for file in &run.generated {
            if file.text.is_none() && !file.is_backend {
                let why = format!("the text of {}, which it generates, is not known", file.path);
                run.gaps.push(Gap::new("generate", &place, why));
            }
        }
        run
    }

    /// Where a file is that an argument names. Relative paths start where the module and the folder of the
    /// unit are together.
    fn beside(&self, (folder, module): (&str, Option<&str>), path: &str) -> String {
        let disk = &self.world.disk;
        let own = disk.real(&resolved(folder, path));
        match (module, disk.is_file(&own)) {
            (Some(module), false) => resolved(module, path),
            _ => own,
        }
    }

    /// Adds what `extra_arguments` say about variables.
    fn add_arguments(
        &self,
        config: &Config<'_>,
        place: &str,
        secret: &Secret<'a>,
        run: &mut Run<'_>,
    ) {
        let disk = &self.world.disk;
        let arena = self.world.arena;
        let hides = |label: &str, rest: &[&str]| {
            let path = ["terraform", "extra_arguments", label];
            let path: Vec<&'a str> = path.iter().chain(rest).map(|name| arena.str(name)).collect();
            !secret.is_empty() && secret.hides(&path)
        };
        let (folder, module) = (run.folder.clone(), run.module.clone());
        for extra in config.extra_arguments().filter(|it| it.may_be_for(COMMAND)) {
            let ExtraArguments { label, block } = extra;
            let entries = block.get("env_vars").map(|it| it.entries()).unwrap_or_default();
            for (variable, value) in entries {
                let name = variable.strip_prefix("TF_VAR_");
                if let (Some(name), Some(value)) = (name, value.as_str()) {
                    run.environment.push((name.to_owned(), value.to_owned()));
                    if hides(label, &["env_vars", variable]) {
                        run.hidden.insert(name.to_owned());
                    }
                }
            }
            let file = |path: &str| self.beside((&folder, module.as_deref()), path);
            let hides_arguments = hides(label, &["arguments"]);
            for (flag, value) in extra.flags(&["var", "var-file"]) {
                if flag == "var-file" {
                    run.arguments.push(RunArgument::File(file(value)));
                } else if let Some((name, text)) = value.split_once('=') {
                    run.hidden.extend(hides_arguments.then(|| name.to_owned()));
                    let text = text.to_owned();
                    run.arguments.push(RunArgument::Variable(name.to_owned(), text));
                }
            }
            for path in extra.texts("required_var_files") {
                let path = file(path);
                match disk.is_file(&path) {
                    true => run.arguments.push(RunArgument::File(path)),
                    false => {
                        let name = disk.named(&path);
                        let why = format!(
                            "the file of variables {} of extra_arguments \"{label}\" does not exist",
                            name.display()
                        );
                        run.gaps.push(Gap::new("file", place, why));
                    }
                }
            }
            let optional = extra.texts("optional_var_files").map(file);
            run.arguments.extend(optional.filter(|it| disk.is_file(it)).map(RunArgument::File));
        }
    }

    /// The texts that a unit gives to its module, in quotes, and those of the files that it generates: what
    /// a search in the bytes of the module does not find. `None` if it gives more: files of variables, or
    /// configuration in its folder.
    #[must_use]
    pub fn texts(&self, run: &Run<'_>) -> Option<String> {
        let has_own = run.module.as_ref() != Some(&run.content)
            && self.world.disk.list(&run.content).entries.iter().any(|(name, _)| is_read(name));
        let mut texts = String::new();
        let mut add = |text: &str| {
            texts.push('"');
            texts.push_str(text);
            texts.push('"');
        };
        for argument in &run.arguments {
            match argument {
                RunArgument::Variable(_, text) => add(text),
                RunArgument::File(_) => return None,
            }
        }
        run.environment.iter().for_each(|(_, text)| add(text));
        let mut open: Vec<Value<'_>> = Vec::new();
        for (_, value) in run.inputs.as_ref()? {
            open.push(value.unmark().0);
            while let Some(value) = open.pop() {
                match value.content() {
                    Content::String(text) => add(text),
                    Content::Elements(elements) => {
                        open.extend(elements.iter().map(|it| it.unmark().0));
                    }
                    Content::Entries(entries) => {
                        entries.iter().for_each(|(name, _)| add(name));
                        open.extend(entries.iter().map(|(_, it)| it.unmark().0));
                    }
                    _ => {}
                }
            }
        }
        for file in run.generated.iter().filter(|file| !file.is_backend) {
            texts.push_str(file.text.as_ref()?);
        }
        (!has_own).then_some(texts)
    }

    /// A path of the file system as the user would write it.
    #[must_use]
    pub fn named(&self, path: &str) -> PathBuf {
        or_here(&self.world.disk.named(path)).to_owned()
    }

    /// The files that a unit adds to its module, as a module of their own in the folder of the unit: those of
    /// the folder, over them those that it generates. `None` if there are none.
    ///
    /// # Errors
    /// The folder cannot be listed completely.
    pub fn own_files(&self, run: &Run<'_>, dialect: Dialect) -> io::Result<Option<ModuleFiles>> {
        let path = self.named(&run.content);
        let mut files = match run.module.as_ref() == Some(&run.content) {
            true => ModuleFiles::of_directory(Location::Disk(path.clone()), dialect, Vec::new()),
            false => ModuleFiles::list(&path, dialect)?,
        };
        self.world.disk.refuse_links(&mut files);
        let files = run.complete(files, None, |name| Location::Disk(path.join(name)));
        Ok(files.has_configuration().then_some(files))
    }

    /// The files of the module as a unit runs it: those of the module, over them those of the folder of
    /// the unit, over them those that it generates. `None` if the folder of the module is not known.
    ///
    /// # Errors
    /// A folder cannot be listed completely.
    pub fn files(&self, run: &Run<'_>, dialect: Dialect) -> io::Result<Option<ModuleFiles>> {
        let Some(module) = &run.module else { return Ok(None) };
        // A module elsewhere is not one that the user has named.
        if !self.world.disk.is_folder(module) {
            return Ok(None);
        }
        let list = |path: &Path| {
            let mut files = ModuleFiles::list_of_root(path, dialect)?;
            self.world.disk.refuse_links(&mut files);
            io::Result::Ok(files)
        };
        let path = self.named(module);
        let files = list(&path)?;
        let own = match *module == run.content {
            true => None,
            false => Some(list(&self.named(&run.content))?),
        };
        Ok(Some(run.complete(files, own, |name| Location::Disk(path.join(name)))))
    }

    /// Does the same for a module in memory, where `root` is the folder `top`.
    #[must_use]
    pub fn files_in(
        &self,
        run: &Run<'_>,
        (root, top): (&MemoryPath, &str),
        dialect: Dialect,
    ) -> Option<ModuleFiles> {
        let inside = |path: &str| {
            let path = is_below(path, top).then(|| relative(top, path))??;
            Some(if path == "." { root.clone() } else { root.join(&path) })
        };
        let module = run.module.as_ref()?;
        let path = inside(module)?;
        // The unit may generate the whole configuration of a folder that has none.
        let is_empty = || self.world.disk.is_listed(module);
        let empty = || ModuleFiles::of_directory(path.clone(), dialect, Vec::new());
        let files = ModuleFiles::list_of_root_in_memory(&path, dialect);
        let files = files.or_else(|| is_empty().then(empty))?;
        let own = inside(&run.content).filter(|own| *own != path);
        let own = own.and_then(|own| ModuleFiles::list_of_root_in_memory(&own, dialect));
        Some(run.complete(files, own, |name| Location::Memory(path.join(name))))
    }
}

impl Run<'_> {
    /// Where a file of the folder of the unit lies when its module is run, as an absolute path in the
    /// folder of the module; `None` if that is where it is anyway, or if the file is elsewhere. Both paths
    /// are absolute; one that ends with `/` is that of a folder.
    #[must_use]
    pub fn copied(&self, file: &str) -> Option<String> {
        let module = self.module.as_ref().filter(|module| **module != self.content)?;
        let rest = file.strip_prefix(&self.content)?.strip_prefix('/')?;
        (!rest.is_empty()).then(|| format!("{module}/{rest}"))
    }

    /// Adds the files of the unit, and those that it generates, to those of a module.
    fn complete(
        &self,
        module: ModuleFiles,
        own: Option<ModuleFiles>,
        place: impl Fn(&str) -> Location,
    ) -> ModuleFiles {
        let ModuleFiles { path, dialect, mut files } = module;
        let add = |files: &mut Vec<ModuleFile>, file: ModuleFile| {
            files.retain(|known| known.name != file.name);
            files.push(file);
        };
        for file in own.into_iter().flat_map(|own| own.files) {
            add(&mut files, file);
        }
        for file in &self.generated {
            let (name, Some(text)) = (file.path.as_str(), &file.text) else { continue };
            let known_as = if file.is_backend { "backend.tf.json" } else { name };
            let Some(kind) = FileKind::of(known_as.as_ref(), dialect) else { continue };
            // A file in another folder is none of the module.
            let is_inside = base(name) == name;
            let stays = file.keeps && files.iter().any(|known| known.name == name);
            if is_inside && !stays && FileKind::of(name.as_ref(), dialect).is_some() {
                let content: Arc<[u8]> = text.as_bytes().into();
                let made = ModuleFile::new(name.into(), place(name), kind).with_content(content);
                add(&mut files, made);
            }
        }
        ModuleFiles::of_directory(path, dialect, files)
    }
}

/// Whether the tools read a file of this name in the directory of a module.
fn is_read(name: &str) -> bool {
    FileKind::of(name.as_ref(), Dialect::OpenTofu).is_some_and(|kind| kind.list != List::Other)
}

/// The files that a configuration writes into its module.
fn generated<'a>(arena: &'a Arena, config: &Config<'a>, secret: &Secret<'a>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    for (label, block) in &config.generate {
        let text = |name: &str| block.get(name).and_then(|value| value.as_str());
        let is_off = block.get("disable").and_then(|value| value.as_bool()) == Some(true);
        if let (Some(path), false) = (text("path"), is_off) {
            files.push(GeneratedFile {
                path: join("", path),
                text: text("contents").map(str::to_owned),
                is_backend: false,
                keeps: text("if_exists") == Some("skip"),
                is_hidden: secret.hides(&["generate", label, "contents"]),
            });
        }
    }
    let remote_state = config.remote_state.filter(|it| !it.is_null());
    if let Some(remote_state) = remote_state
        && let Some(generate) = remote_state.get("generate").filter(|it| !it.is_null())
        && let Some(path) = generate.get("path").and_then(|it| it.as_str())
    {
        let keeps = generate.get("if_exists").and_then(|it| it.as_str()) == Some("skip");
        let text = backend::block(arena, remote_state);
        let path = join("", path);
        files.push(GeneratedFile { path, text, is_backend: true, keeps, is_hidden: false });
    }
    files
}

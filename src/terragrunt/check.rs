//! Checks units: their configuration, and whether they and their modules fit one another.

use std::collections::BTreeSet;
use std::path::Path;

use super::call::{Strategy, resolved};
use super::config::Config;
use super::discover::{ComponentKind, Found, Search, search};
use super::disk::Disk;
use super::evaluate::Outcome;
use super::frame::Extent;
use super::generated::{GeneratedNames, Names, names_of};
use super::inputs::{Used, used_in};
use super::log::{Log, Places, Problem};
use super::parse::{Parsed, Part};
use super::secret::Secret;
use super::unit::Gap;
use super::world::World;
use super::{Options, generate, names, order, read, source};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, report_alike};
use crate::functions::paths::{join, relative, slashed};
use crate::functions::{FileError, real_text};
use crate::hash::{HashMap, HashSet};
use crate::span::Span;
use crate::tree::{Tree, TreeOptions};
use crate::value::{Content, HIDDEN};

/// The result of a check of units.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked<'a> {
    /// The diagnostics, each once.
    pub diagnostics: Vec<Diagnostic<'a>>,
    /// The units and stacks, by folder.
    pub units: Vec<CheckedUnit>,
    /// Why units are not checked, if the folder could not be examined.
    pub gaps: Vec<Gap>,
    /// The names in files that units put beside their modules.
    pub generated: GeneratedNames,
}

impl Checked<'_> {
    /// Whether a diagnostic of a module is wrong, as [`GeneratedNames::explains`] says.
    #[must_use]
    pub fn explains(&self, diagnostic: &Diagnostic<'_>) -> bool {
        self.generated.explains(diagnostic)
    }
}

/// A unit or stack that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedUnit {
    /// Its folder as an absolute path without links. A generated one does not exist.
    pub folder: String,
    /// Whether it is a unit or a stack.
    pub kind: ComponentKind,
    /// The source of its module as a text; `None` if it has none, or if it is not known.
    pub source: Option<String>,
    /// The folder of its module if that is in the file system, as an absolute path.
    pub module: Option<String>,
    /// The files that it includes, as absolute paths.
    pub includes: Vec<String>,
    /// All files that decide about it, apart from its own configuration and its module, as absolute paths.
    pub reads: Vec<String>,
    /// The folders of the units that it depends on, as absolute paths.
    pub dependencies: Vec<String>,
}

/// A unit whose configuration is known.
struct Unit<'a> {
    folder: String,
    file: Option<Label<'a>>,
    source: Option<String>,
    module: Option<String>,
    /// The dependencies: the name of the block, the folder, and where that is written.
    dependencies: Vec<(String, String, Label<'a>)>,
    /// The names of the inputs; `None` if they are not known.
    inputs: Option<BTreeSet<String>>,
    /// Where all inputs are written, or else the module.
    inputs_place: Option<Label<'a>>,
    /// The files that it includes.
    includes: Vec<String>,
    /// All files that decide about it, apart from its own configuration.
    reads: Vec<String>,
    /// Whether other units include its file.
    is_included: bool,
    /// The outputs that mocks give even if there is a state, by the names of dependencies.
    mocked: HashSet<(String, String)>,
    /// Where inputs are written.
    input_places: Vec<(String, Label<'a>)>,
    /// Whether files or arguments give more values.
    has_more_values: bool,
    /// The outputs that it uses.
    outputs: Vec<Used<'a>>,
    /// The names in the files beside its module; `None` if they are not known.
    beside: Option<Names>,
}

/// Checks the units and stacks of a folder. Files are opened in the arena.
///
/// Cost: that of [`super::find()`] with values, and of reading the modules of the units.
#[must_use]
pub fn check<'a>(arena: &'a Arena, folder: impl AsRef<Path>, options: &'a Options) -> Checked<'a> {
    check_part(arena, folder.as_ref(), options, None)
}

/// Checks one unit below a folder, which no stack generates and no other unit includes. Its folder is an
/// absolute path without links. The findings are those that [`check`] has because of this unit, other than
/// cycles.
///
/// Cost: that of evaluating the unit and those that it depends on, and of reading their modules.
#[cfg(feature = "workspace")]
pub(crate) fn check_unit<'a>(
    arena: &'a Arena,
    folder: &Path,
    unit: &str,
    options: &'a Options,
) -> Checked<'a> {
    check_part(arena, folder, options, Some(unit))
}

fn check_part<'a>(
    arena: &'a Arena,
    given: &Path,
    options: &'a Options,
    only: Option<&str>,
) -> Checked<'a> {
    let base = match real_text(given) {
        Ok(base) => base,
        Err(why) => {
            let gaps = vec![Gap::new("path", &given.to_string_lossy(), why)];
            return Checked { gaps, ..Checked::default() };
        }
    };
    let disk = Disk::new(arena, given, &base, options);
    let world = World::new(arena, disk, options).collecting();
    let how = Search { skips_hidden: false, follows_links: false };
    // Generated units are checked in place of the units they are generated from.
    let mut places = Places::default();
    let found = match only {
        Some(unit) => Found::of_unit(unit),
        None => {
            for (_, log) in generate::generate(&world, &base, how) {
                log.into_reads().problems.iter().for_each(|problem| places.add(problem, false));
            }
            search(&world.disk, &base, how)
        }
    };
    if found.components.is_empty() {
        return Checked::default();
    }
    let mut check = Check { world: &world, base: base.clone(), found: Vec::new(), places };
    let folders = found.components.iter().filter(|(_, kind)| *kind == ComponentKind::Unit);
    let folders = folders.filter(|(folder, _)| !check.is_template(folder));
    let folders: Vec<&String> = folders.map(|(folder, _)| folder).collect();
    let mut units: Vec<Unit<'a>> = folders.into_iter().map(|folder| check.unit(folder)).collect();
    let included: BTreeSet<String> =
        units.iter().flat_map(|unit| unit.includes.iter().cloned()).collect();
    for unit in &mut units {
        // A unit that others only include is not run.
        unit.is_included = included.contains(&world.config_of(&unit.folder));
    }
    check.doubles(&found);
    check.dependencies(&units);
    let others = beside(&world, (given, &base), &units);
    check.modules(&units, &others);
    let is_hidden = |it: &Diagnostic<'a>| check.places.hides(it.source().name(), it.span().start);
    let mut all = world.diagnostics();
    for error in all.iter_mut().filter(|it| !options.shows_sensitive && is_hidden(it)) {
        *error = error.without_values(HIDDEN);
    }
    all.append(&mut check.found);
    let mut seen = HashSet::default();
    // A file is read once for each unit that is generated from it.
    all.retain(|it| seen.insert((it.source().name(), it.span(), it.code(), it.detail())));
    let mut generated = GeneratedNames::default();
    for unit in &units {
        if let Some(module) = &unit.module {
            generated.add(module, unit.beside.as_ref());
        }
        // Configuration in the folder of a unit is a part of a module elsewhere.
        if unit.module.as_ref() != Some(&unit.folder) {
            generated.add(&unit.folder, None);
        }
    }
    let of: HashMap<&str, &Unit<'a>> =
        units.iter().map(|unit| (unit.folder.as_str(), unit)).collect();
    let checked = found.components.iter().map(|(folder, kind)| {
        let unit = of.get(folder.as_str()).filter(|_| *kind == ComponentKind::Unit);
        CheckedUnit {
            folder: folder.clone(),
            kind: *kind,
            source: unit.and_then(|unit| unit.source.clone()),
            module: unit.and_then(|unit| unit.module.clone()),
            includes: unit.map(|unit| unit.includes.clone()).unwrap_or_default(),
            reads: unit.map(|unit| unit.reads.clone()).unwrap_or_default(),
            dependencies: unit
                .map(|unit| unit.dependencies.iter().map(|(_, path, _)| path.clone()).collect())
                .unwrap_or_default(),
        }
    });
    Checked { diagnostics: all, units: checked.collect(), gaps: Vec::new(), generated }
}

struct Check<'w, 'a> {
    world: &'w World<'a>,
    base: String,
    found: Vec<Diagnostic<'a>>,
    /// The places of errors, and whether their values must not be told.
    places: Places,
}

/// Problems that no other diagnostic tells.
const OWN: [&str; 10] = [
    "cycle",
    "dependencies",
    "exclude",
    "feature",
    "generate",
    "hook",
    "includes",
    "inputs",
    "merge",
    "source",
];

/// The places of blocks by their labels; of several, that of the first.
struct Blocks<'a> {
    generate: HashMap<&'a str, Label<'a>>,
    hooks: HashMap<&'a str, Label<'a>>,
}

impl<'a> Blocks<'a> {
    fn of(roots: &[&Part<'a>]) -> Self {
        let (mut generate, mut hooks) = (HashMap::default(), HashMap::default());
        for root in roots {
            for block in root.blocks("generate") {
                if let Some(place) = block.place {
                    generate.entry(block.label).or_insert(place);
                }
            }
            for hook in root.block("terraform").iter().flat_map(|it| &it.blocks) {
                if let Some(place) = hook.place {
                    hooks.entry(hook.label).or_insert(place);
                }
            }
        }
        Self { generate, hooks }
    }
}

/// The first text in quotes.
fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

/// Where a problem of a configuration is written, as far as that is known.
fn place_of<'a>(problem: &Problem, roots: &[&Part<'a>], blocks: &Blocks<'a>) -> Option<Label<'a>> {
    let attribute = |block: &str, name: &str| {
        roots.iter().find_map(|root| root.block(block)?.get(name)).map(|it| it.label())
    };
    match problem.what {
        "dependencies" => attribute("dependencies", "paths"),
        "source" => attribute("terraform", "source"),
        "exclude" => roots.iter().find_map(|root| root.block("exclude")?.place),
        "hook" => blocks.hooks.get(quoted(&problem.why)?).copied(),
        "includes" => {
            let mut includes = roots.first()?.blocks("include").filter(|it| it.label.is_empty());
            includes.nth(1).and_then(|include| include.place)
        }
        "inputs" => roots.iter().find_map(|root| root.get("inputs")).map(|it| it.label()),
        "generate" | "merge" => blocks.generate.get(quoted(&problem.why)?).copied(),
        _ => None,
    }
}

impl<'a> Check<'_, 'a> {
    fn report(&mut self, code: Code, label: Label<'a>, arguments: &[&str]) {
        let arena = self.world.arena;
        let arguments: Vec<&'a str> = arguments.iter().map(|text| arena.str(text)).collect();
        self.found.push(Diagnostic::new(code, label).with_arguments(&arguments));
    }

    fn shown(&self, path: &str) -> String {
        relative(&self.base, path).unwrap_or_else(|| path.to_owned())
    }

    /// Reports folders that are a unit and a stack.
    fn doubles(&mut self, found: &Found) {
        for pair in found.components.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let file = self.world.parsed(&join(&pair[0].0, names::STACK)).ok();
            if let Some(source) = file.and_then(|it| it.source) {
                let why = "the folder is a unit and a stack, which Terragrunt refuses";
                let label = Label::new(source, Span::new(0, 0));
                self.report(Code::UnitConfiguration, label, &[why]);
            }
        }
    }

    /// Whether a unit is one from which stacks generate others: they do here, or it needs the values
    /// that they give and has none.
    fn is_template(&self, folder: &str) -> bool {
        let world = self.world;
        let needs_values =
            || world.parsed(&world.config_of(folder)).is_ok_and(|parsed| parsed.uses.values);
        world.disk.is_mounted(folder) || !world.has_values(folder) && needs_values()
    }

    fn unit(&mut self, folder: &str) -> Unit<'a> {
        let world = self.world;
        let arena = Arena::new();
        let config = world.config_of(folder);
        let (outcome, reads) = read::evaluate(world, &arena, &config, Extent::Whole);
        if reads.quotes() || !self.places.is_empty() {
            let secret = Secret::of(world, folder, &outcome, &reads);
            self.places.hide(|file, at| secret.knows(file, at));
            for problem in &reads.problems {
                let place = problem.instead.as_ref();
                let is_hidden = place.is_some_and(|it| secret.touches(&it.file, it.at));
                self.places.add(problem, is_hidden);
            }
        }
        let parsed = world.parsed(&config).ok();
        let file =
            parsed.as_ref().and_then(|it| it.source).map(|it| Label::new(it, Span::new(0, 0)));
        let files: Vec<_> = parsed
            .into_iter()
            .chain(outcome.includes.iter().filter_map(|it| world.parsed(&it.path).ok()))
            .collect();
        let roots: Vec<&Part<'a>> = files.iter().map(|it| &it.root).collect();
        let problems = reads.problems.iter().filter(|it| OWN.contains(&it.what));
        let mut blocks = None;
        for problem in problems {
            let blocks = blocks.get_or_insert_with(|| Blocks::of(&roots));
            if let Some(label) = place_of(problem, &roots, blocks).or(file) {
                let why = self.world.relative(&self.base, &problem.why);
                self.report(Code::UnitConfiguration, label, &[&why]);
            }
        }
        for file in &files {
            for stuck in &file.locals.stuck {
                let (name, expression) = &file.locals.entries[stuck.index as usize];
                let why = format!("local.{name} {}", stuck.why());
                self.report(Code::UnitConfiguration, expression.label(), &[&why]);
            }
        }
        if let Some(own) = files.first() {
            for (block, include) in own.root.blocks("include").zip(&outcome.includes) {
                let is_missing = !include.path.is_empty() && !world.disk.is_file(&include.path);
                if let (true, Some(path)) = (is_missing, block.get("path")) {
                    let name = self.shown(&include.path);
                    self.report(Code::UnitInclude, path.label(), &[&name]);
                }
                let strategy = block.get("merge_strategy");
                if let (Strategy::Invalid, Some(strategy)) = (include.strategy, strategy) {
                    let why = "the merge strategy is not one of no_merge, shallow and deep";
                    self.report(Code::UnitConfiguration, strategy.label(), &[why]);
                }
            }
        }
        let mut unit = unit_of(world, folder, file, &outcome, &roots, &files);
        unit.includes = outcome.includes.iter().map(|it| it.path.clone()).collect();
        unit.inputs = unit.inputs.filter(|_| reads.problems.is_empty());
        let read = reads.tracked.iter().chain(&reads.also).chain(&unit.includes);
        unit.reads = read.filter(|path| **path != config).cloned().collect();
        unit
    }

    /// Reports dependencies that do not exist, and cycles.
    fn dependencies(&mut self, units: &[Unit<'a>]) {
        let numbers: HashMap<&str, usize> =
            units.iter().enumerate().map(|(at, unit)| (unit.folder.as_str(), at)).collect();
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
        let mut others: HashMap<&str, bool> = HashMap::default();
        for (number, unit) in units.iter().enumerate() {
            for (_, path, label) in &unit.dependencies {
                if let Some(&to) = numbers.get(path.as_str()) {
                    edges[number].push(to);
                    continue;
                }
                let is_unit = *others.entry(path).or_insert_with(|| {
                    let disk = &self.world.disk;
                    let units = || generate::units_of(self.world, path, &Log::default());
                    disk.is_file(&self.world.config_of(path))
                        || disk.is_file(path)
                        || !units().is_empty()
                });
                let disk = &self.world.disk;
                let is_elsewhere = || matches!(disk.kind(path), Err(FileError::Outside));
                match is_unit || unit.is_included || is_elsewhere() {
                    true => {}
                    false => {
                        let name = self.shown(path);
                        self.report(Code::UnitDependency, *label, &[&name]);
                    }
                }
            }
        }
        for cycle in order::cycles(&edges) {
            let names: Vec<String> =
                cycle.iter().take(8).map(|&it| self.shown(&units[it].folder)).collect();
            let Some(&first) = cycle.first() else { continue };
            let members: HashSet<usize> = cycle.iter().copied().collect();
            let into = units[first].dependencies.iter().find(|(_, path, _)| {
                numbers.get(path.as_str()).is_some_and(|number| members.contains(number))
            });
            if let Some((_, _, label)) = into {
                self.report(Code::UnitCycle, *label, &[&names.join(", ")]);
            }
        }
    }

    /// Compares units with their modules, and with those of their dependencies.
    fn modules(&mut self, units: &[Unit<'a>], others: &[Unit<'a>]) {
        let all = || units.iter().chain(others);
        let folders: BTreeSet<&str> = all().filter_map(|unit| unit.module.as_deref()).collect();
        let listed = folders.iter().filter_map(|folder| self.world.disk.module(folder));
        let options = TreeOptions::default().with_decode(self.world.options.decode());
        let tree = Tree::load(self.world.arena, listed.collect(), &options);
        let modules: HashMap<String, &crate::tree::TreeModule<'a>> = tree
            .modules()
            .iter()
            .filter(|module| !module.withholds())
            .filter_map(|module| Some((slashed(module.files.path.disk()?.to_str()?), module)))
            .collect();
        let of: HashMap<&str, &Unit<'a>> = all().map(|unit| (unit.folder.as_str(), unit)).collect();
        // The outputs of modules, by folder.
        let mut outputs: HashMap<&str, HashSet<&str>> = HashMap::default();
        for unit in units {
            let module = unit.module.as_deref().and_then(|it| modules.get(it));
            if let (Some(module), Some(generated)) = (module, &unit.beside) {
                self.inputs(unit, &module.module, &generated.declared);
            }
            let paths: HashMap<&str, &str> = (unit.dependencies.iter().rev())
                .map(|(name, path, _)| (name.as_str(), path.as_str()))
                .collect();
            for Used { dependency: name, output, label } in &unit.outputs {
                let Some(output) = output else { continue };
                // Mocks that count beside a state, or in its place, give the output.
                if unit.mocked.contains(&((*name).to_owned(), (*output).to_owned())) {
                    continue;
                }
                let Some(to) = paths.get(name).and_then(|path| of.get(path)) else {
                    continue;
                };
                let Some(path) = to.module.as_deref() else { continue };
                let (Some(module), Some(generated)) = (modules.get(path), &to.beside) else {
                    continue;
                };
                let names = outputs.entry(path).or_insert_with(|| {
                    module.module.outputs.iter().map(|output| output.name).collect()
                });
                let has = names.contains(output)
                    || generated.declared.contains(&format!("output.{output}"));
                if !has {
                    self.report(Code::UnitOutput, *label, &[name, output]);
                }
            }
        }
    }

    fn inputs(
        &mut self,
        unit: &Unit<'a>,
        module: &crate::module::Module<'a>,
        generated: &BTreeSet<String>,
    ) {
        let declared: HashMap<&str, bool> =
            module.variables.iter().map(|it| (it.name, it.is_required())).collect();
        let is_generated = |name: &str| generated.contains(&format!("var.{name}"));
        for (name, label) in &unit.input_places {
            if !declared.contains_key(name.as_str()) && !is_generated(name) {
                self.report(Code::UnitInput, *label, &[name]);
            }
        }
        let has_more = unit.has_more_values || unit.is_included;
        let (Some(inputs), Some(file), false) = (&unit.inputs, unit.file, has_more) else {
            return;
        };
        let (arena, label) = (self.world.arena, unit.inputs_place.unwrap_or(file));
        let required = module.variables.iter().filter(|it| it.is_required());
        let missing = required.filter(|variable| !inputs.contains(variable.name));
        let missing = missing.map(|variable| {
            Diagnostic::new(Code::MissingInput, label).with_arguments(&[arena.str(variable.name)])
        });
        report_alike(missing, &mut self.found);
    }
}

/// The units beside the checked folder that units in it depend on. Nothing is reported about them.
fn beside<'a>(
    world: &World<'a>,
    (given, base): (&Path, &str),
    units: &[Unit<'a>],
) -> Vec<Unit<'a>> {
    let (options, arena) = (world.options, world.arena);
    let known: HashSet<&str> = units.iter().map(|unit| unit.folder.as_str()).collect();
    let wanted: BTreeSet<&str> = units
        .iter()
        .flat_map(|unit| &unit.dependencies)
        .map(|(_, folder, _)| folder.as_str())
        .filter(|folder| !known.contains(folder) && !world.disk.is_mounted(folder))
        .filter(|folder| world.disk.is_file(&world.config_of(folder)))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let disk = Disk::new(arena, given, base, options);
    // This one does not collect findings.
    let world = World::new(arena, disk, options);
    let of = |folder: &str| {
        let own = Arena::new();
        let (outcome, _) = read::evaluate(&world, &own, &world.config_of(folder), Extent::Whole);
        unit_of(&world, folder, None, &outcome, &[], &[])
    };
    wanted.into_iter().map(of).collect()
}

/// Collects what is compared of a unit.
fn unit_of<'a>(
    world: &World<'a>,
    folder: &str,
    file: Option<Label<'a>>,
    outcome: &Outcome<'_>,
    roots: &[&Part<'a>],
    files: &[std::sync::Arc<Parsed<'a>>],
) -> Unit<'a> {
    let config = &outcome.config;
    let mut places: HashMap<&str, Label<'a>> = HashMap::default();
    for block in roots.iter().flat_map(|root| root.blocks("dependency")) {
        if let Some(path) = block.get("config_path") {
            places.entry(block.label).or_insert_with(|| path.label());
        }
    }
    let mut dependencies = Vec::new();
    for block in config.dependencies.iter().filter(|block| block.is_enabled()) {
        let path = block.get("config_path").and_then(|it| it.as_str());
        if let (Some(path), Some(&label)) = (path, places.get(block.name)) {
            let path = world.disk.resolve(&resolved(folder, path));
            dependencies.push((block.name.to_owned(), path, label));
        }
    }
    let listed = roots.iter().find_map(|root| root.block("dependencies")?.get("paths"));
    for path in config.listed_paths.iter().flatten().filter_map(|it| it.as_str()) {
        if let Some(label) = listed.map(|it| it.label()) {
            let path = world.disk.resolve(&resolved(folder, path));
            dependencies.push((String::new(), path, label));
        }
    }
    let inputs = match config.inputs.map(|it| it.content()) {
        None | Some(Content::Null) => Some(BTreeSet::new()),
        Some(Content::Entries(entries)) => {
            Some(entries.iter().map(|(name, _)| (*name).to_owned()).collect())
        }
        Some(_) => None,
    };
    let mut input_places = Vec::new();
    // The inputs of an included file are for many units.
    let own = roots.first().and_then(|root| root.get("inputs")?.as_map());
    for (key, _) in own.into_iter().flatten() {
        input_places.push((key.to_str().to_owned(), key.label()));
    }
    let (module, beside) = module_of(world, folder, config);
    let source = config.terraform.as_ref().and_then(|it| it.get("source")?.as_str());
    let inputs_place = roots.first().and_then(|root| {
        let inputs = root.get("inputs").map(|it| it.label());
        inputs.or_else(|| root.block("terraform")?.place)
    });
    let mut mocked = HashSet::default();
    for block in &config.dependencies {
        let flag = |name: &str| block.get(name).and_then(|it| it.as_bool()) == Some(true);
        let strategy = block.get("mock_outputs_merge_strategy_with_state");
        let merges = strategy.is_some_and(|it| it.as_str() != Some("no_merge"));
        if flag("skip_outputs") || flag("mock_outputs_merge_with_state") || merges {
            let mocks = block.outputs().map(|it| it.entries()).unwrap_or_default();
            let name = |output: &str| (block.name.to_owned(), output.to_owned());
            mocked.extend(mocks.iter().map(|(output, _)| name(output)));
        }
    }
    let folders = [Some(folder), module.as_deref()];
    let has_values = folders.into_iter().flatten().any(|folder| {
        let listing = world.disk.list(folder);
        listing.entries.iter().any(|(name, _)| {
            name == "terraform.tfvars"
                || name.ends_with(".tfvars.json")
                || name.ends_with(".auto.tfvars")
        })
    });
    let has_arguments = config.terraform.iter().any(|it| !it.blocks.is_empty());
    Unit {
        folder: folder.to_owned(),
        file,
        source: source.map(str::to_owned),
        module,
        dependencies,
        inputs,
        inputs_place,
        includes: Vec::new(),
        reads: Vec::new(),
        is_included: false,
        mocked,
        input_places,
        has_more_values: has_values || has_arguments,
        outputs: files.iter().flat_map(|file| used_in(&file.root)).collect(),
        beside,
    }
}

/// The most bytes of a file beside a module that is read.
const MOST_OF_FILE: u64 = 1 << 20;

/// The folder of the module of a unit, and the addresses in the files that the unit puts beside it: those of its
/// folder, and those that it generates.
fn module_of(
    world: &World<'_>,
    folder: &str,
    config: &Config<'_>,
) -> (Option<String>, Option<Names>) {
    let module = source::module_of(folder, config).map(|module| world.disk.real(&module));
    let mut names = Some(Names::default());
    if module.as_deref() != Some(folder) {
        let listing = world.disk.list(folder);
        for (name, _) in listing.entries.iter().filter(|(name, _)| is_configuration(name)) {
            let text = world.disk.read(&join(folder, name), MOST_OF_FILE).ok();
            match (text.map(String::from_utf8), &mut names) {
                (Some(Ok(text)), Some(names)) => names.extend(&names_of(name, &text)),
                _ => names = None,
            }
        }
    }
    for (_, block) in &config.generate {
        let text = |name: &str| block.get(name).and_then(|value| value.as_str());
        if block.get("disable").and_then(|value| value.as_bool()) == Some(true) {
            continue;
        }
        match (text("path"), text("contents"), &mut names) {
            (Some(path), Some(contents), Some(names)) => names.extend(&names_of(path, contents)),
            _ => names = None,
        }
    }
    (module, names)
}

/// Whether a file has this name that a tool reads as configuration of a module.
fn is_configuration(name: &str) -> bool {
    names::is_module_file(name) && !name.ends_with(".hcl")
}

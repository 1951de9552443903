//! Finds the units of a folder and evaluates them.

use std::collections::{BTreeMap, BTreeSet};

use super::call::{Include, resolved};
use super::config::{Config, Exclude};
use super::discover::{ComponentKind, Found, Search, search};
use super::filter::Filters;
use super::frame::Extent;
use super::log::{Log, Places, Problem, Reads, Watched};
use super::named::Named;
use super::plain::{plain, rebuild, unknown_paths};
use super::secret::{Secret, hides_variables};
use super::source::module_of;
use super::unit::{ExcludeBlock, Gap, Rendered, Unit, Units};
use super::world::World;
use super::{generate, names, order, read};
use crate::arena::Arena;
use crate::functions::paths::{base, join, relative};
use crate::hash::{HashMap, HashSet};
use crate::value::{self, Content, HIDDEN, TEXT_UNIT, Type, Value};
use crate::write::{Layout, to_string};

pub(super) struct Finder<'w, 'a> {
    world: &'w World<'a>,
    base: String,
    gaps: BTreeSet<Gap>,
    /// The problems of stacks, by folder, and the places that they are about.
    of_stacks: Vec<(String, Problem)>,
    places: Places,
    /// The bytes of the values of units as JSON.
    rendered: u64,
}

/// The facts about a unit before its dependencies are looked up.
struct Evaluated {
    unit: Unit,
    /// The paths of its dependencies, as absolute ones, and whether each is one of a `dependency` block.
    dependencies: BTreeMap<String, bool>,
    is_broken: bool,
    /// The hidden texts that paths must not repeat.
    hidden: Vec<String>,
}

/// Whether a path repeats one of some hidden texts.
fn repeats(hidden: &[String], path: &str) -> bool {
    hidden.iter().any(|text| path.contains(text.as_str()))
}

impl Evaluated {
    /// A unit or a stack that depends on nothing.
    fn of(unit: Unit, is_broken: bool) -> Self {
        Self { unit, dependencies: BTreeMap::new(), is_broken, hidden: Vec::new() }
    }
}

impl<'w, 'a> Finder<'w, 'a> {
    /// Searches a folder, which is an absolute path.
    pub(super) fn new(world: &'w World<'a>, base: &str) -> Self {
        Self {
            world,
            base: base.to_owned(),
            gaps: BTreeSet::new(),
            of_stacks: Vec::new(),
            places: Places::default(),
            rendered: 0,
        }
    }

    pub(super) fn run(mut self) -> Units {
        let options = self.world.options;
        let how = Search {
            skips_hidden: options.skips_hidden,
            follows_links: self.world.has_experiment("symlinks"),
        };
        if options.has_stacks {
            for (folder, log) in generate::generate(self.world, &self.base, how) {
                self.add_stack_problems(&folder, log.into_reads());
            }
        }
        let found = search(&self.world.disk, &self.base, how);
        self.add_search(&found);
        let filters = match options.has_filters {
            true => Filters::read(self.world, &self.base),
            false => Filters::default(),
        };
        for (name, why) in &filters.gaps {
            let file = join(&self.base, name);
            self.gap("filter", &file, why);
        }
        let mut all: Vec<Evaluated> = Vec::new();
        for (folder, kind) in &found.components {
            let unit = self.unit(folder, *kind);
            if !filters.lists(&unit) {
                continue;
            }
            all.push(match kind {
                ComponentKind::Unit if options.has_details => self.evaluated(unit),
                ComponentKind::Stack if options.has_files => self.read_stack(unit),
                _ => Evaluated::of(unit, false),
            });
        }
        self.link(&mut all);
        for (folder, problem) in std::mem::take(&mut self.of_stacks) {
            let hides = |file: &str, at| !options.shows_sensitive && self.places.hides(file, at);
            let why = self.without_base(problem.text(hides));
            self.gap(problem.what, &folder, why);
        }
        let mut units: Vec<Unit> = all.into_iter().map(|it| it.unit).collect();
        let incomplete: BTreeSet<&str> = self.gaps.iter().map(|gap| gap.place.as_str()).collect();
        for unit in &mut units {
            unit.is_template &= incomplete.contains(unit.path.as_str());
        }
        if let Some(command) = &options.command {
            units.retain(|unit| !unit.exclude.as_ref().is_some_and(|it| it.lists(command)));
        }
        let mut units = Units { units, gaps: self.gaps, ..Units::default() };
        if options.has_files {
            for (number, unit) in units.units.iter().enumerate() {
                // A module without a source is in the folder of the unit: its files are its own.
                let is_own = unit.source.is_none() && !unit.is_generated;
                let module = is_own.then_some(unit.folder.as_str());
                units.readers.add(number, &unit.files, module, &unit.watched);
            }
        }
        units
    }

    fn shown(&self, path: &str) -> String {
        relative(&self.base, path).unwrap_or_else(|| path.to_owned())
    }

    /// A path as it is shown, unless it repeats a hidden text.
    fn shown_unless(&self, hidden: &[String], path: &str) -> String {
        if repeats(hidden, path) { HIDDEN.to_owned() } else { self.shown(path) }
    }

    fn unit(&self, folder: &str, kind: ComponentKind) -> Unit {
        Unit {
            kind,
            path: self.shown(folder),
            folder: folder.to_owned(),
            config: match kind {
                ComponentKind::Unit => base(&self.world.config_of(folder)).to_owned(),
                ComponentKind::Stack => names::STACK.to_owned(),
            },
            is_generated: self.world.disk.is_generated(folder),
            is_template: self.world.disk.is_mounted(folder),
            exclude: None,
            include: BTreeMap::new(),
            dependencies: Vec::new(),
            needed: Vec::new(),
            leads: Vec::new(),
            reading: Vec::new(),
            also_reading: Vec::new(),
            files: Vec::new(),
            watched: Vec::new(),
            source: None,
            module: None,
            generated_files: BTreeMap::new(),
            inputs: None,
            rendered: None,
            level: Some(0),
        }
    }

    fn gap(&mut self, what: &'static str, folder: &str, why: impl Into<String>) {
        let place = self.shown(folder);
        self.gaps.insert(Gap::new(what, &place, why));
    }

    fn add_search(&mut self, found: &Found) {
        for folder in &found.only_json {
            let why = format!("it has only a {}, which Terragrunt does not find", names::UNIT_JSON);
            self.gap("unit", folder, why);
        }
        for (folder, why) in &found.unread {
            self.gap("directory", folder, why);
        }
        for pair in found.components.windows(2) {
            if pair[0].0 == pair[1].0 {
                let why = "the folder is a unit and a stack, which Terragrunt refuses";
                self.gap("unit", &pair[0].0, why);
            }
        }
    }

    /// Adds the problems of a unit. Returns whether there are any.
    fn add_problems(
        &mut self,
        folder: &str,
        reads: &Reads,
        hides: impl Fn(&str, u32) -> bool,
    ) -> bool {
        for problem in &reads.problems {
            self.gap(problem.what, folder, self.without_base(problem.text(&hides)));
        }
        !reads.problems.is_empty()
    }

    /// Adds the problems of a stack. Returns whether there are any. Units decide which values they tell.
    fn add_stack_problems(&mut self, folder: &str, reads: Reads) -> bool {
        let is_broken = !reads.problems.is_empty();
        for problem in reads.problems {
            self.places.add(&problem, false);
            self.of_stacks.push((folder.to_owned(), problem));
        }
        is_broken
    }

    /// A text in which paths are relative to the searched folder.
    fn without_base(&self, text: &str) -> String {
        self.world.relative(&self.base, text)
    }

    fn evaluated(&mut self, mut unit: Unit) -> Evaluated {
        let options = self.world.options;
        let extent = match options.has_files || options.has_values || options.has_inputs {
            true => Extent::Whole,
            false => Extent::Listed,
        };
        let arena = Arena::new();
        let config = self.world.config_of(&unit.folder);
        let evaluate = match options.has_values {
            true => read::evaluate_marked,
            false => read::evaluate,
        };
        let (outcome, mut reads) = evaluate(self.world, &arena, &config, extent);
        let folder = unit.folder.clone();
        let is_wanted = options.has_values
            || reads.quotes()
            || !self.places.is_empty()
            || hides_variables(self.world, &folder, &outcome.config);
        let secret = (is_wanted && !options.shows_sensitive)
            .then(|| Secret::of(self.world, &folder, &outcome, &reads));
        let hidden = secret.as_ref().map(|secret| secret.texts(&arena, &outcome.config));
        let hidden = hidden.unwrap_or_default();
        if let Some(secret) = &secret {
            self.places.hide(|file, at| secret.knows(file, at));
        }
        let touches = |file: &str, at| secret.as_ref().is_some_and(|it| it.touches(file, at));
        let mut is_broken = self.add_problems(&folder, &reads, touches);
        self.add_includes(&mut unit, &outcome.includes);
        let mut dependencies = BTreeMap::new();
        let of_blocks: HashSet<&str> = outcome
            .config
            .dependencies
            .iter()
            .filter_map(|block| block.get("config_path")?.as_str())
            .collect();
        for path in &outcome.config.paths {
            match path.as_str() {
                // An empty one is to be replaced by the unit that includes it.
                Some("") if !of_blocks.contains("") => {}
                Some("") => self.gap("dependency", &folder, "the path of a dependency is empty"),
                Some(path) => {
                    let resolved = self.world.disk.resolve(&resolved(&folder, path));
                    *dependencies.entry(resolved).or_default() |= of_blocks.contains(path);
                }
                None => {
                    self.gap("dependency", &folder, "the path of a dependency is not known");
                    is_broken = true;
                }
            }
        }
        if let Some(exclude) = &outcome.config.exclude {
            let (block, is_known) = exclude_of(exclude);
            unit.exclude = Some(block);
            if !is_known {
                self.gap("exclude", &folder, "the exclude block is not known");
            }
        }
        unit.needed = reads.needed.iter().cloned().collect();
        unit.leads = reads.leads.iter().cloned().collect();
        self.add_module(&mut unit, &outcome.config);
        if options.has_files {
            self.add_var_files(&folder, &outcome.config, &mut reads);
            self.add_files(&mut unit, &config, &reads);
            self.add_named(&mut unit, &outcome.config);
        }
        if options.has_inputs {
            unit.inputs = super::inputs::of(self.world, (&folder, &config), &outcome);
        }
        if options.has_values {
            let most = LEAST_RENDERED.saturating_add(PER_BYTE.saturating_mul(self.world.bytes()));
            let room = most.min(MOST_RENDERED).saturating_sub(self.rendered);
            let rendered = rendered(&arena, &outcome.config, secret.as_ref(), room);
            match &rendered {
                Some(rendered) => self.rendered += rendered.printed(),
                None => {
                    let why = "its values are not listed: those of all units together are too long";
                    self.gap("values", &folder, why);
                }
            }
            unit.rendered = Some(rendered.unwrap_or_else(Rendered::none));
        }
        if !hidden.is_empty() {
            let exclude = unit.exclude.iter_mut().flat_map(|it| &mut it.actions);
            let lists = unit.reading.iter_mut().chain(&mut unit.also_reading);
            let paths = lists.chain(unit.include.values_mut()).chain(exclude);
            paths.filter(|path| repeats(&hidden, path)).for_each(|path| HIDDEN.clone_into(path));
            unit.reading.dedup();
            unit.also_reading.dedup();
        }
        Evaluated { unit, dependencies, is_broken, hidden }
    }

    /// Adds the files that decide about a stack.
    fn read_stack(&mut self, mut unit: Unit) -> Evaluated {
        let folder = unit.folder.clone();
        let mut is_broken = false;
        let (log, is_template) = generate::read_stack(self.world, &folder);
        let reads = log.into_reads();
        let config = join(&folder, names::STACK);
        // One that others are generated from may lack values.
        if !is_template {
            self.add_files(&mut unit, &config, &reads);
            is_broken = self.add_stack_problems(&folder, reads);
        } else {
            self.add_files(&mut unit, &config, &reads);
        }
        Evaluated::of(unit, is_broken)
    }

    fn add_includes(&self, unit: &mut Unit, includes: &[Include]) {
        // An include whose path is not known is a gap.
        for include in includes.iter().filter(|include| !include.path.is_empty()) {
            unit.include.insert(include.label.clone(), self.shown(&include.path));
        }
    }

    /// Adds the module of a unit, and the files that are written into it.
    fn add_module(&mut self, unit: &mut Unit, config: &Config<'_>) {
        let source = config.terraform.as_ref().and_then(|it| it.get("source"));
        unit.module = module_of(&unit.folder, config);
        match source.map(|value| value.as_str()) {
            Some(Some(text)) => unit.source = Some(text.to_owned()),
            Some(None) => self.gap("source", &unit.folder, "the source of the module is not known"),
            None => {}
        }
        for (_, block) in &config.generate {
            let text = |name: &str| block.get(name).and_then(|value| value.as_str());
            let is_off = block.get("disable").and_then(|value| value.as_bool()) == Some(true);
            if let (Some(path), false) = (text("path"), is_off) {
                let contents = text("contents").map(str::to_owned);
                unit.generated_files.insert(path.to_owned(), contents);
            }
        }
        let generate = config.remote_state.and_then(|it| it.get("generate"));
        if let Some(path) = generate.and_then(|it| it.get("path")).and_then(|it| it.as_str()) {
            unit.generated_files.insert(path.to_owned(), None);
        }
    }

    /// Adds the files of variables that the unit names.
    fn add_var_files(&self, folder: &str, config: &Config<'_>, reads: &mut Reads) {
        for extra in config.extra_arguments() {
            for name in ["required_var_files", "optional_var_files"] {
                let files = extra.block.get(name).map(|it| it.elements()).unwrap_or_default();
                let files = files.iter().filter(|file| self.world.shows(file.deep_marks()));
                let files = files.filter_map(|file| file.as_str());
                reads.also.extend(files.map(|file| resolved(folder, file)));
            }
        }
        for (name, _) in &self.world.disk.list(folder).entries {
            if name.ends_with(".tfvars") || name.ends_with(".tfvars.json") {
                reads.also.insert(join(folder, name));
            }
        }
    }

    /// Adds the files that its texts name.
    fn add_named(&self, unit: &mut Unit, config: &Config<'_>) {
        let disk = &self.world.disk;
        let Named { files, watched, .. } = Named::of(self.world, &unit.folder, config);
        let files = files.iter().map(|path| disk.real(&disk.resolve(path)));
        unit.files.extend(files);
        unit.files.sort_unstable();
        unit.files.dedup();
        unit.watched.extend(watched);
    }

    fn add_files(&self, unit: &mut Unit, config: &str, reads: &Reads) {
        let tracked: BTreeSet<String> =
            reads.tracked.iter().filter(|path| !path.is_empty()).cloned().collect();
        let also = reads.also.iter().filter(|path| !tracked.contains(*path) && *path != config);
        let mut also: Vec<String> = also.map(|path| self.shown(path)).collect();
        also.sort();
        unit.also_reading = also;
        let mut reading: Vec<String> = tracked.iter().map(|path| self.shown(path)).collect();
        reading.sort();
        unit.reading = reading;
        let disk = &self.world.disk;
        let beside =
            [names::UNIT, names::UNIT_JSON, names::VALUES, names::AUTOINCLUDE, names::LOCK];
        let own = beside.iter().map(|name| join(&unit.folder, name));
        let all = reads.tracked.iter().chain(&reads.also).chain(&reads.looked_for);
        let all = own.chain(all.filter(|path| !path.is_empty()).cloned());
        let mut files: BTreeSet<String> = all.map(|path| disk.real(&disk.resolve(&path))).collect();
        if let Some(written) = self.world.written(&unit.folder) {
            files.extend(written.files.iter().cloned());
        }
        unit.files = files.into_iter().collect();
        unit.watched = reads.watched.iter().map(|it| it.resolved(disk)).collect();
        if unit.is_generated {
            unit.watched.push(Watched::Folder(disk.real(&unit.folder)));
        }
    }

    /// Looks dependencies up: the units of stacks, what does not exist, levels and cycles.
    fn link(&mut self, all: &mut [Evaluated]) {
        let mut numbers: HashMap<String, usize> = HashMap::default();
        for (number, evaluated) in all.iter().enumerate() {
            if evaluated.unit.kind == ComponentKind::Unit {
                numbers.insert(evaluated.unit.folder.clone(), number);
            }
        }
        let mut stacks: HashMap<String, Vec<String>> = HashMap::default();
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        // Edges of `dependency` blocks: the outputs of what cannot be read are not known.
        let mut of_blocks: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        for (number, evaluated) in all.iter_mut().enumerate() {
            let folder = evaluated.unit.folder.clone();
            let mut paths: BTreeSet<String> = BTreeSet::new();
            for (path, is_block) in &evaluated.dependencies {
                let disk = &self.world.disk;
                if disk.is_file(&join(path, names::STACK)) {
                    let units = stacks.entry(path.clone()).or_insert_with(|| {
                        let log = Log::default();
                        let units = generate::units_of(self.world, path, &log);
                        let reads = log.into_reads();
                        for problem in &reads.problems {
                            let place = relative(&self.base, &folder);
                            let place = place.unwrap_or_else(|| folder.clone());
                            let why = self.world.relative(&self.base, &problem.why);
                            self.gaps.insert(Gap::new(problem.what, &place, why));
                        }
                        units
                    });
                    match units.is_empty() {
                        true => paths.insert(path.clone()),
                        false => {
                            paths.extend(units.iter().cloned());
                            true
                        }
                    };
                    continue;
                }
                if self.world.options.has_files && !disk.is_file(&self.world.config_of(path)) {
                    // Once these exist, or as they were before, they decide about the unit.
                    let absent = [self.world.config_of(path), join(path, names::STACK)];
                    evaluated.unit.files.extend(absent);
                }
                let shown = self.shown_unless(&evaluated.hidden, path);
                if !disk.is_folder(path) && !disk.is_file(path) {
                    let why = format!("the dependency {shown} does not exist");
                    self.gap("dependency", &folder, why);
                } else if !disk.is_file(&self.world.config_of(path)) && !disk.is_file(path) {
                    let why = format!("the dependency {shown} is not a unit");
                    self.gap("dependency", &folder, why);
                }
                if let (true, Some(&to)) = (is_block, numbers.get(path)) {
                    of_blocks[to].push(number);
                }
                paths.insert(path.clone());
            }
            edges[number].extend(paths.iter().filter_map(|path| numbers.get(path)));
            let shown = paths.iter().map(|path| self.shown_unless(&evaluated.hidden, path));
            let mut shown: Vec<String> = shown.collect();
            shown.sort();
            shown.dedup();
            evaluated.unit.dependencies = shown;
        }
        for (evaluated, level) in all.iter_mut().zip(order::levels(&edges)) {
            evaluated.unit.level = level;
        }
        for cycle in order::cycles(&edges) {
            let names: Vec<&str> = cycle.iter().map(|&it| all[it].unit.path.as_str()).collect();
            let shown = names.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>().join(", ");
            let more = if names.len() > MOST_SHOWN { " and others" } else { "" };
            for &member in &cycle {
                let why = format!("a cycle of dependencies: {shown}{more}");
                let folder = all[member].unit.folder.clone();
                self.gap("cycle", &folder, why);
            }
        }
        for member in order::cycles(&of_blocks).into_iter().flatten() {
            all[member].is_broken = true;
        }
        let mut open: Vec<usize> = (0..all.len()).filter(|&it| all[it].is_broken).collect();
        let mut seen: Vec<bool> = all.iter().map(|it| it.is_broken).collect();
        while let Some(broken) = open.pop() {
            for &user in &of_blocks[broken] {
                if !std::mem::replace(&mut seen[user], true) {
                    let why = format!(
                        "it depends on {}, which could not be read completely",
                        all[broken].unit.path
                    );
                    let folder = all[user].unit.folder.clone();
                    self.gap("dependency", &folder, why);
                    open.push(user);
                }
            }
        }
    }
}

/// The most units of a cycle that are named.
const MOST_SHOWN: usize = 8;

/// Returns an `exclude` block, and whether all of it is known.
fn exclude_of(exclude: &Exclude<'_>) -> (ExcludeBlock, bool) {
    let all =
        [Some(exclude.condition), exclude.actions, exclude.exclude_dependencies, exclude.no_run];
    let is_known = all.iter().flatten().all(|value| value.is_wholly_known());
    let flag = |value: Option<Value<'_>>| value.and_then(|value| value.as_bool());
    let actions = exclude.actions.map(|it| it.elements()).unwrap_or_default();
    let block = ExcludeBlock {
        condition: exclude.condition.as_bool(),
        actions: actions.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect(),
        exclude_dependencies: flag(exclude.exclude_dependencies),
        no_run: flag(exclude.no_run),
    };
    (block, is_known)
}

/// The bytes of values as indented JSON that all units may have together, however few their files have.
const LEAST_RENDERED: u64 = 16 << 20;
/// Those for each byte of the files that have been read.
const PER_BYTE: u64 = 1 << 10;
/// The most of them.
const MOST_RENDERED: u64 = 256 << 20;

/// Returns inputs and local values as JSON; `None` if there is no room for their text. `secret` has what
/// must not be shown.
fn rendered<'v>(
    arena: &'v Arena,
    config: &Config<'v>,
    secret: Option<&Secret<'_>>,
    room: u64,
) -> Option<Rendered> {
    let values = [config.inputs, config.locals].into_iter().flatten();
    let size: u64 = values.map(|value| u64::from(value.size())).sum();
    if size.saturating_mul(TEXT_UNIT as u64) > room {
        return None;
    }
    let hidden = Value::string(arena, HIDDEN);
    let mut unknown = Vec::new();
    let mut text = |name: &str, value: Option<Value<'v>>| {
        let Some(value) = value else { return "null".to_owned() };
        unknown_paths(name, value, &|marks| secret.is_none() || marks.is_empty(), &mut unknown);
        let known = rebuild(arena, value, |part| match part.content() {
            _ if secret.is_some() && !part.marks().is_empty() => Some(hidden),
            Content::Unknown { .. } => Some(Value::null(Type::Dynamic)),
            Content::Number(number) if number.is_infinite() => Some(Value::null(Type::Dynamic)),
            _ => None,
        });
        let mut result = Ok(());
        let text = to_string(Layout::Compact, |slot| result = value::write(known, slot));
        match result {
            Ok(()) => text,
            Err(_) => {
                unknown.push(name.to_owned());
                "null".to_owned()
            }
        }
    };
    let shown = |value: Value<'v>, shown: &dyn Fn(&Secret<'_>, Value<'v>) -> Value<'v>| {
        let value = plain(arena, value);
        secret.map_or(value, |secret| shown(secret, value))
    };
    let inputs =
        config.inputs.map(|it| shown(it, &|secret, it| secret.inputs(arena, it, &|_| hidden)));
    let inputs = text("inputs", inputs);
    let locals =
        config.locals.map(|it| shown(it, &|secret, it| secret.locals(arena, it, &|_| hidden)));
    let locals = text("locals", locals);
    unknown.sort();
    let rendered = Rendered { inputs, locals, unknown };
    (rendered.printed() <= room).then_some(rendered)
}

//! `expand`: what a module and the modules it calls will create, without a provider.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::expand::{Expansion, Inputs, Instance, Selection};
use simd_hcl::functions::{Environment, Folder};
use simd_hcl::show::{DocumentKind, RawState, State};
use simd_hcl::terragrunt::{self, Run, RunArgument, RunFiles, Runs};
use simd_hcl::tree::{Link, Tree};
use simd_hcl::value::Value;
use simd_hcl::write::{Layout, ObjectWriter, Slot, Writer};
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, Severity, Sink, Source};

use crate::args::{self, Common, Configuration, ExpandInputs, Format, ListFormat, ValueFlag};
use crate::finding::{Finding, fact};
use crate::human;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::{DependsOn, Loaded, with_modules, with_tree};
use crate::noted_files::{self, NotedFiles};
use crate::output;
use crate::paths::or_here;
use crate::plan_file;
use crate::printed::nearest;
use crate::provider_schemas;
use crate::root_section::{IS_MISSING, Values, plain};
use crate::serialized::{self, Shape};
use crate::settings::Settings;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::unit_run;
use crate::visible::{self, visible};

pub(crate) fn run(expand: &args::Expand, common: &Common) -> Result<Status, Failure> {
    let is_human = expand.format == Format::Human;
    let shown = if is_human { ListFormat::Human } else { ListFormat::Json };
    with_expansion(&expand.root, shown, common, |loaded, expansion, beside| {
        let mut selection = Selection::default();
        for address in &expand.address {
            selection = selection.with_address(address);
        }
        for name in &expand.types {
            selection = selection.with_type(name);
        }
        let findings = || {
            let of_tree = loaded.tree.diagnostics().filter(|it| it.severity() == Severity::Error);
            let of_values = expansion.diagnostics();
            // The check of the tree may have found what the evaluation finds.
            let mut seen: HashSet<_> = HashSet::new();
            let all = of_tree.chain(beside.found).chain(&of_values);
            all.filter(|it| seen.insert(fact(it))).map(Finding::of).collect::<Vec<_>>()
        };
        if selection.is_all() {
            expansion.check_conditions();
        }
        check_addresses(expand, loaded, expansion)?;
        let mut count = 0_u64;
        match expand.format {
            Format::Human => {
                output::text(|out| {
                    let mut result = Ok(());
                    expansion.visit_printed(&selection, |instance| {
                        count += 1;
                        if result.is_ok() {
                            result = print(instance, expand.root.show_sensitive, out);
                        }
                    });
                    result?;
                    if selection.is_all() {
                        print_outputs(expansion, expand.root.show_sensitive, out)?;
                    }
                    Ok(())
                })?;
            }
            Format::Json => {
                output::document(Layout::Compact, common.style(), |slot| {
                    let mut object = slot.object();
                    expansion.write_into(&selection, &mut object);
                    let gaps = beside.gaps(loaded, expansion);
                    write_members(&mut object, loaded.arena, &findings(), &gaps);
                })?;
                if !selection.is_all() {
                    expansion.visit_printed(&selection, |_| count += 1);
                }
            }
            Format::Ndjson => {
                output::lines(common.style(), |out| {
                    let mut writer = Writer::new(&mut *out, Layout::Compact);
                    expansion.visit_printed(&selection, |instance| {
                        count += 1;
                        instance.write(writer.value());
                    });
                    let gaps = beside.gaps(loaded, expansion);
                    let more = write_lines(&mut writer, loaded.arena, &findings(), &gaps);
                    writer.finish()?;
                    if count + more > 0 { writeln!(out) } else { Ok(()) }
                })?;
            }
        }
        let findings = findings();
        let is_error = findings.iter().any(|finding| finding.severity == Severity::Error);
        if is_human {
            let mut notes = anstream::stderr().lock();
            findings.iter().try_for_each(|finding| human::write(finding, &mut notes))?;
        }
        if !selection.is_all() && count == 0 && !is_error {
            common.note("no instance is selected");
        }
        own_gaps(beside.outside, expansion).print(shown, common);
        let status = beside.gaps(loaded, expansion).failure(expand.fail_if_incomplete);
        Ok(if is_error { Status::Found } else { status })
    })
}

/// Fails if an address that is selected is neither declared nor that of an instance.
fn check_addresses(
    expand: &args::Expand,
    loaded: &Loaded<'_, '_>,
    expansion: &Expansion<'_, '_>,
) -> Result<(), Failure> {
    for address in &expand.address {
        let mut is_found = false;
        let selection = Selection::default().with_address(address);
        expansion.visit_printed(&selection, |_| is_found = true);
        if is_found {
            continue;
        }
        let declared = addresses(loaded.tree, expansion.root());
        if !declared.contains(address) {
            let what = format!("the module has no instance, resource or module `{address}`");
            return Err(unknown(what, address, &declared));
        }
    }
    Ok(())
}

/// Returns the failure for an address that does not exist, with similar ones.
pub(crate) fn unknown(mut what: String, address: &str, declared: &BTreeSet<String>) -> Failure {
    let near = nearest(address, declared);
    if !near.is_empty() {
        what = format!("{what}; it has {}", near.join(", "));
    }
    Failure::Message(what)
}

/// The most addresses that similar ones are looked for among, and the most calls that lead to one.
const MOST_ADDRESSES: usize = 20_000;
const MOST_CALLS: usize = 30;

/// Returns the addresses of the objects of a root module and of the modules that it calls, without
/// the keys of instances.
pub(crate) fn addresses(tree: &Tree<'_>, root: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut work = vec![(root, 0, String::new())];
    while let Some((place, depth, prefix)) = work.pop() {
        let Some(module) = tree.modules().get(place) else { continue };
        for object in module.module.objects() {
            if found.len() == MOST_ADDRESSES {
                return found;
            }
            found.insert(format!("{prefix}{object}"));
        }
        for (call, link) in module.module.calls.iter().zip(&module.links) {
            if let (Link::Module(called), true) = (link, depth < MOST_CALLS) {
                work.push((*called, depth + 1, format!("{prefix}module.{}.", call.name)));
            }
        }
    }
    found
}

/// Loads the tree of a root module, and passes its expansion to `work`, with the errors of files of
/// variables.
pub(crate) fn with_expansion(
    expand: &args::ExpandRoot,
    shown: ListFormat,
    common: &Common,
    work: impl for<'a> FnOnce(
        &Loaded<'_, 'a>,
        &Expansion<'_, 'a>,
        &Beside<'_, 'a>,
    ) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let options = unit_run::options(&expand.inputs.unit, common);
    let options = options.with_sensitive(expand.show_sensitive);
    let mut arena = Arena::new();
    if let Some((runs, folder)) = Runs::around(&arena, &expand.directory, &options) {
        let mut stats = Stats::new(input::kernel(common)?);
        let result = with_unit(expand, shown, common, (&arena, &mut stats), (&runs, &folder), work);
        drop(runs);
        stats.arena_bytes = arena.allocated_bytes();
        stats.print(common);
        return result;
    }
    let directory = &expand.directory;
    let configuration = Configuration::of_directory(directory.clone(), expand.dialect);
    let root = plan_file::Root::of(directory)
        .map_err(|error| Failure::Message(format!("{}: {error}", visible::path(directory))))?;
    let (found, status) = with_tree(&configuration, common, DependsOn::Calls, shown, |loaded| {
        let modules = loaded.tree.modules();
        let Some(place) = root.find(modules.iter().map(|module| &module.files)) else {
            let name = visible::path(directory);
            return Err(Failure::Message(format!(
                "{name} itself has no module to expand{}",
                below(directory, loaded.tree)
            )));
        };
        expanded(expand, common, &loaded, (place, None), work)
    })?;
    Ok(status.max(found))
}

/// Loads the module of a unit of Terragrunt, and passes its expansion to `work`.
fn with_unit<'a>(
    expand: &args::ExpandRoot,
    shown: ListFormat,
    common: &Common,
    (arena, stats): (&'a Arena, &mut Stats),
    (runs, folder): (&Runs<'a>, &str),
    work: impl FnOnce(&Loaded<'_, 'a>, &Expansion<'_, 'a>, &Beside<'_, 'a>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let run = runs.run(folder);
    let name = visible::path(&expand.directory);
    let mut incomplete = Incomplete::default();
    for gap in &run.gaps {
        incomplete.add("unit", &*name, &gap.why);
    }
    let dialect = expand.dialect.map(Into::into).unwrap_or_default();
    let module = run.module.as_ref().map(|module| visible::path(&runs.named(module)));
    let listed = runs.files(&run, dialect).map_err(|error| {
        let module = module.as_deref().unwrap_or_default();
        Failure::Message(format!("{name}: its module {module}: {error}"))
    })?;
    let Some(files) = listed.filter(ModuleFiles::has_configuration) else {
        let why = match (&run.source, module) {
            (Some(source), None) => format!("its module {} is not in this tree", visible(source)),
            (None, None) => "its module is not known".to_owned(),
            (_, Some(module)) => format!("its module {module} has no files"),
        };
        incomplete.print(ListFormat::Human, common);
        return Err(Failure::Message(format!("{name}: {why}")));
    };
    let how = (common, DependsOn::Calls, shown, BTreeSet::new());
    let work = |loaded: Loaded<'_, 'a>| expanded(expand, common, &loaded, (0, Some(&run)), work);
    let (found, status) = with_modules(arena, vec![files], &mut incomplete, how, stats, work)?;
    Ok(status.max(found))
}

/// Evaluates a root module, with the values of a unit, if it is that of one.
fn expanded<'a>(
    expand: &args::ExpandRoot,
    common: &Common,
    loaded: &Loaded<'_, 'a>,
    (place, run): (usize, Option<&Run<'a>>),
    work: impl FnOnce(&Loaded<'_, 'a>, &Expansion<'_, 'a>, &Beside<'_, 'a>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let modules = loaded.tree.modules();
    let schemas = match &expand.provider_schemas {
        Some(path) => {
            let schemas = provider_schemas::read(loaded.arena, path, common)?;
            Some(schemas.with_built_in(loaded.arena))
        }
        None => None,
    };
    let mut found = Vec::new();
    let directory = &modules[place].files.directory();
    let settings_of = Settings::of(std::slice::from_ref(&expand.directory), common)?;
    // The settings name units by their folders.
    let named = if run.is_some() { Some(&*expand.directory) } else { directory.disk() };
    let values = match named {
        Some(directory) => Values::of(settings_of.roots(), directory)?.unwrap_or_default(),
        None => Values::default(),
    };
    if let Some(file) = values.missing().next() {
        let file = visible::path(file);
        return Err(Failure::Message(format!("{file}: {IS_MISSING}")));
    }
    let mut files = settings(loaded.arena, &values, common)?;
    if let Some(run) = run {
        files.extend(flags_of_unit(loaded.arena, run, common)?);
    }
    files.extend(flags(loaded.arena, &expand.inputs, common)?);
    let workspace = expand.inputs.workspace.as_ref().or(values.workspace.as_ref());
    let outside = Outside::of(directory, &expand.inputs, common);
    let beside = run.and_then(|run| outside.beside(run));
    let functions = outside.functions();
    let functions = match &beside {
        Some(files) => functions.with_files(files),
        None => functions,
    };
    let mut given = given(loaded.arena, directory, (workspace, &files), &mut found)
        .with_functions(&functions)
        .with_sensitive(expand.show_sensitive);
    if let Some(run) = run {
        given = unit_run::with_run(given, run, &modules[place]);
    }
    if let Some(schemas) = &schemas {
        given = given.with_schemas(schemas);
    }
    given = with_state(given, state(loaded.arena, &expand.inputs, common)?);
    let declared = &modules[place].module.variables;
    // The tools warn about other values of files.
    let mut flags = files.iter().filter_map(|flag| match flag {
        Flag::Text(name, _) => Some(*name),
        Flag::File(_) => None,
    });
    if let Some(name) = flags.find(|name| declared.get(*name).is_none()) {
        let name = visible(name);
        return Err(Failure::Message(format!("the module declares no variable \"{name}\"")));
    }
    let expansion = loaded.tree.expand(place, &given);
    work(loaded, &expansion, &Beside { found: &found, outside: &outside })
}

/// Findings and gaps of an evaluation, beside its values.
pub(crate) struct Beside<'b, 'a> {
    /// Problems of files of variables.
    found: &'b [Diagnostic<'a>],
    outside: &'b Outside<'b>,
}

impl Beside<'_, '_> {
    /// The gaps of a tree, and those of what has been evaluated so far.
    pub(crate) fn gaps(
        &self,
        loaded: &Loaded<'_, '_>,
        expansion: &Expansion<'_, '_>,
    ) -> Incomplete {
        let mut gaps = loaded.incomplete.clone();
        gaps.append(own_gaps(self.outside, expansion));
        gaps
    }
}

/// The gaps of what has been evaluated so far.
pub(crate) fn own_gaps(outside: &Outside<'_>, expansion: &Expansion<'_, '_>) -> Incomplete {
    let mut gaps = Incomplete::default();
    outside.add_gaps(&mut gaps);
    for call in expansion.unread_sources() {
        let why = "its source depends on values, and the module there is not read";
        gaps.add(Incomplete::MODULE_CALL, call, why);
    }
    gaps
}

/// The sources that functions read: files below the root module or in its git work tree, and the clock.
pub(crate) struct Outside<'i> {
    files: Option<NotedFiles<Folder>>,
    /// The directory of the root module.
    directory: PathBuf,
    now: Option<&'i str>,
}

impl<'i> Outside<'i> {
    pub(crate) fn of(directory: &Location, inputs: &'i ExpandInputs, common: &Common) -> Self {
        // Modules in memory have no files that functions can read.
        let folder = directory.disk().and_then(|path| Folder::new(or_here(path)).ok());
        let repository = directory.disk().and_then(|path| repository(or_here(path), common));
        let folder = folder.map(|folder| match (inputs.allow_outside, repository) {
            (true, _) => folder.with_outside(),
            (false, Some(repository)) => folder.with_boundary(repository),
            (false, None) => folder,
        });
        let directory = directory.disk().map(Path::to_owned).unwrap_or_default();
        Self { files: folder.map(NotedFiles::new), directory, now: inputs.now.as_deref() }
    }

    /// Adds the files that functions have not read so far, since they are outside of the repository.
    pub(crate) fn add_gaps(&self, incomplete: &mut Incomplete) {
        let Some(files) = &self.files else { return };
        for path in files.elsewhere() {
            let place = plain(&self.directory.join(path));
            incomplete.add("file", place.to_string_lossy(), noted_files::OUTSIDE);
        }
    }

    /// The files that functions of the module of a unit see.
    fn beside<'f>(&'f self, run: &'f Run<'_>) -> Option<RunFiles<'f>> {
        Some(RunFiles::new(run, self.files.as_ref()?))
    }

    pub(crate) fn functions(&self) -> Environment<'_> {
        let mut functions = Environment::new();
        if let Some(files) = &self.files {
            functions = functions.with_files(files);
        }
        match self.now {
            Some(now) => functions.with_now(now),
            None => functions,
        }
    }
}

/// Names the root modules below a directory, or else the units of Terragrunt.
fn below(directory: &Path, tree: &Tree<'_>) -> String {
    /// The names that are printed.
    const MOST: usize = 3;
    let roots = tree.modules().iter().zip(tree.roots()).filter(|(_, is_root)| *is_root);
    let mut names: Vec<String> = roots
        .map(|(module, _)| visible(&module.files.path.to_string_lossy()).into_owned())
        .collect();
    let mut what = "root modules";
    if names.is_empty() {
        let options = terragrunt::Options::default().with_stacks(true);
        let units = terragrunt::find(directory, &options).units;
        let units = units.iter().filter(|unit| unit.is_root());
        names = units.map(|unit| visible::path(&directory.join(&unit.path))).collect();
        what = "units";
    }
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    match (names.is_empty(), more) {
        (true, _) => String::new(),
        (_, 0) => format!("; {what} below it: {}", names.join(", ")),
        _ => format!("; {what} below it: {} and {more} more", names.join(", ")),
    }
}

/// The root of the git work tree around a directory, whose files belong to the module, too. If nothing may be
/// read outside of some directories, that of them in its place.
pub(crate) fn repository(directory: &Path, common: &Common) -> Option<PathBuf> {
    let real = directory.canonicalize().ok()?;
    common.work_tree(&real).or_else(|| {
        let limits = common.limits();
        limits.into_iter().filter(|limit| real.starts_with(limit)).min()
    })
}

/// A flag that sets variables, with its file.
#[derive(Clone, Copy)]
pub(crate) enum Flag<'i, 'a> {
    Text(&'i str, &'i str),
    File(ParsedFile<'a>),
}

/// Reads what the settings say about a root module, which flags take precedence over, as far as the
/// files exist.
pub(crate) fn settings<'i, 'a>(
    arena: &'a Arena,
    values: &'i Values,
    common: &Common,
) -> Result<Vec<Flag<'i, 'a>>, Failure> {
    let files = values.existing().map(|path| Ok(Flag::File(file(arena, path, common)?)));
    let variables = values.variables.iter().map(|(name, text)| Ok(Flag::Text(name, text)));
    files.chain(variables).collect()
}

/// Reads the files of `--var-file`.
pub(crate) fn flags<'i, 'a>(
    arena: &'a Arena,
    inputs: &'i ExpandInputs,
    common: &Common,
) -> Result<Vec<Flag<'i, 'a>>, Failure> {
    let read = |flag: &'i ValueFlag| {
        Ok(match flag {
            ValueFlag::Text(name, text) => Flag::Text(name, text),
            ValueFlag::File(path) => Flag::File(file(arena, path, common)?),
        })
    };
    inputs.values.given.iter().map(read).collect()
}

/// Returns the values of variables that the arguments of a unit pass.
fn flags_of_unit<'i, 'a>(
    arena: &'a Arena,
    run: &'i Run<'a>,
    common: &Common,
) -> Result<Vec<Flag<'i, 'a>>, Failure> {
    let arguments = run.arguments.iter().filter_map(|argument| match argument {
        RunArgument::Variable(name, text) => Some(Ok(Flag::Text(name, text))),
        RunArgument::File(path) => Some(file(arena, path.as_ref(), common).map(Flag::File)),
        _ => None,
    });
    arguments.collect()
}

/// The inputs of a root module: the environment, and the flags.
pub(crate) fn given<'i, 'a>(
    arena: &'a Arena,
    directory: &Location,
    given: (Option<&String>, &[Flag<'_, 'a>]),
    found: &mut dyn Sink<'a>,
) -> Inputs<'i, 'a> {
    with_given(with_directory(Inputs::new(arena), directory), given, found)
}

/// Sets the directory of a root module, if it is on disk.
pub(crate) fn with_directory<'i, 'a>(
    inputs: Inputs<'i, 'a>,
    directory: &Location,
) -> Inputs<'i, 'a> {
    let path = directory.disk().and_then(|path| std::path::absolute(or_here(path)).ok());
    match path.as_deref().and_then(Path::to_str) {
        Some(path) => inputs.with_directory(path.trim_end_matches("/.")),
        None => inputs,
    }
}

/// Adds the environment and the flags to the inputs of a root module.
pub(crate) fn with_given<'i, 'a>(
    mut inputs: Inputs<'i, 'a>,
    (workspace, flags): (Option<&String>, &[Flag<'_, 'a>]),
    found: &mut dyn Sink<'a>,
) -> Inputs<'i, 'a> {
    if let Some(workspace) = workspace {
        inputs = inputs.with_workspace(workspace);
    }
    for (name, text) in std::env::vars_os() {
        let name = name.to_str().and_then(|name| name.strip_prefix("TF_VAR_"));
        if let (Some(name), Some(text)) = (name, text.to_str()) {
            inputs = inputs.with_environment(name, text);
        }
    }
    for flag in flags {
        inputs = match flag {
            Flag::Text(name, text) => inputs.with_variable(name, text),
            Flag::File(file) => inputs.with_file(*file, found),
        };
    }
    inputs
}

/// A state, as `show -json` prints it or as a file.
#[derive(Clone, Copy)]
pub(crate) enum GivenState<'a> {
    Shown(State<'a>),
    File(RawState<'a>),
}

/// Adds the values of a state.
pub(crate) fn with_state<'i, 'a>(
    inputs: Inputs<'i, 'a>,
    state: Option<GivenState<'a>>,
) -> Inputs<'i, 'a> {
    match state {
        None => inputs,
        Some(GivenState::Shown(state)) => inputs.with_state(state),
        Some(GivenState::File(state)) => inputs.with_state_file(state),
    }
}

/// Reads the file of `--state`.
pub(crate) fn state<'a>(
    arena: &'a Arena,
    inputs: &ExpandInputs,
    common: &Common,
) -> Result<Option<GivenState<'a>>, Failure> {
    let Some(path) = &inputs.state else { return Ok(None) };
    let problem = |error: &dyn std::fmt::Display| {
        Failure::Message(format!("{}: {}", visible::path(path), visible(&error.to_string())))
    };
    let source = input::text(arena, path, "stdin.json", common).map_err(|error| problem(&error))?;
    let document = Document::parse_with(arena, source, &input::parse_options(common)?)
        .map_err(|error| Failure::Message(error.to_string()))?;
    let mut found: Option<Diagnostic<'a>> = None;
    let state = match DocumentKind::of(document.root()) {
        DocumentKind::RawState | DocumentKind::OldState => {
            RawState::of(document, &mut found).map(GivenState::File)
        }
        _ => State::of(document, &mut found).map(GivenState::Shown),
    };
    state.map(Some).ok_or_else(|| match found {
        Some(found) => Failure::Message(found.to_string()),
        None => problem(&"it is not a state"),
    })
}

/// Reads a file of variables.
pub(crate) fn file<'a>(
    arena: &'a Arena,
    path: &Path,
    common: &Common,
) -> Result<ParsedFile<'a>, Failure> {
    let source: Source<'a> = input::source(arena, path, "", common)
        .map_err(|error| Failure::Message(format!("{}: {error}", visible::path(path))))?;
    parsed_file(source, common)
}

/// Parses a file of variables: as JSON if its name ends so, or, without the ending of a file of
/// variables, if it starts so.
pub(crate) fn parsed_file<'a>(
    source: Source<'a>,
    common: &Common,
) -> Result<ParsedFile<'a>, Failure> {
    let (arena, name) = (source.arena(), source.name());
    let starts_as_json = source.bytes().trim_ascii_start().starts_with(b"{");
    let is_json = name.ends_with(".json") || !name.ends_with(".tfvars") && starts_as_json;
    if !is_json {
        return Ok(ParsedFile::native(arena, source));
    }
    let document = Document::parse_with(arena, source, &input::parse_options(common)?)
        .map_err(|error| Failure::Message(error.to_string()))?;
    Ok(ParsedFile::json(document))
}

/// Writes the last members of a JSON document: the findings and the gaps.
pub(crate) fn write_members(
    object: &mut ObjectWriter<'_, '_>,
    arena: &Arena,
    findings: &[Finding],
    gaps: &Incomplete,
) {
    let mut diagnostics = object.key("diagnostics").array();
    for finding in findings {
        serialized(arena, finding, diagnostics.element());
    }
    diagnostics.end();
    serialized(arena, gaps, object.key("incomplete"));
}

/// Writes the last lines of NDJSON: a finding on each, then the gaps if there are some. Returns how
/// many lines.
pub(crate) fn write_lines(
    writer: &mut Writer<'_>,
    arena: &Arena,
    findings: &[Finding],
    gaps: &Incomplete,
) -> u64 {
    for finding in findings {
        let mut object = writer.value().object();
        serialized(arena, finding, object.key("diagnostic"));
    }
    if !gaps.is_empty() {
        let mut object = writer.value().object();
        serialized(arena, gaps, object.key("incomplete"));
    }
    findings.len() as u64 + u64::from(!gaps.is_empty())
}

/// Writes a value as `serde` does.
fn serialized(arena: &Arena, value: &impl Serialize, slot: Slot<'_, '_>) {
    let Ok(text) = serialized::text(Shape::Line, value) else { return };
    if let Ok(document) = Document::parse_bytes(arena, "diagnostic", &text) {
        slot.node(document.root());
    }
}

/// Prints an instance for people.
pub(crate) fn print(
    instance: &Instance<'_, '_, '_>,
    shows_sensitive: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let note = if instance.is_placeholder() { " (its instances are not known)" } else { "" };
    write!(out, "{}{note}", visible(instance.address()))?;
    if let Some(address) = instance.previous_address() {
        write!(out, " (moved from {})", visible(address))?;
    }
    if let Some((_, value)) = instance.import() {
        write!(out, " (imported: {})", visible(&text_of(value, shows_sensitive)))?;
    }
    writeln!(out)?;
    for (name, value) in instance.printed().as_entries().unwrap_or_default() {
        print_value(name, &text_of(*value, shows_sensitive), out)?;
    }
    writeln!(out)
}

fn text_of(value: Value<'_>, shows_sensitive: bool) -> String {
    if shows_sensitive && value.deep_marks().hides() {
        return visible::value(value.unmark_deep(&Arena::new()).0);
    }
    visible::value(value)
}

fn print_value(name: &str, text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let mut lines = text.lines();
    writeln!(out, "    {} = {}", visible(name), visible(lines.next().unwrap_or_default()))?;
    lines.try_for_each(|line| writeln!(out, "    {}", visible(line)))
}

fn print_outputs(
    expansion: &Expansion<'_, '_>,
    shows_sensitive: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let outputs = expansion.outputs();
    if outputs.is_empty() {
        return Ok(());
    }
    writeln!(out, "outputs")?;
    let printed = |(name, value)| (name, expansion.printed_output(name, value));
    print_values(&outputs.into_iter().map(printed).collect::<Vec<_>>(), shows_sensitive, out)
}

/// Prints values with their names.
pub(crate) fn print_values(
    values: &[(&str, Value<'_>)],
    shows_sensitive: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut values = values.iter();
    values.try_for_each(|(name, value)| print_value(name, &text_of(*value, shows_sensitive), out))
}

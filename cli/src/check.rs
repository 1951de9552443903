//! `check`: parses all modules below the given paths, and reports diagnostics.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use simd_hcl::diagnostic::{Label, Safety};
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::{Discovery, Location, ProblemKind, Roots, decode};
use simd_hcl::module::LockFile;
use simd_hcl::packer;
use simd_hcl::rules::{self, OptionValue, Selection};
use simd_hcl::show::BodySchemas;
use simd_hcl::terragrunt;
use simd_hcl::tree::{Origin, Tree, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Dialect, ParsedFile, Severity, Source, Span};

use crate::allowed::Allowed;
use crate::args::{self, Common, DialectName, Level, ReportFormat, ValueFlag};
use crate::baseline::Baseline;
use crate::cache::{self, Question};
use crate::finding::{Finding, Findings, Policy, fact};
use crate::fix::{self, Edited};
use crate::incomplete::Incomplete;
use crate::outcome::Outcome;
use crate::paths::or_here;
use crate::progress::Progress;
use crate::root_section::{Section, Values};
use crate::roots::add_missing;
use crate::rule_files;
use crate::settings::{Codes, Settings};
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible;
use crate::{expand, input, provider_schemas, statistics, unit_run, watch};

pub(crate) fn run(check: &args::Check, common: &Common) -> Result<Status, Failure> {
    let mut paths = check.configuration.paths.clone();
    let has_stdin = paths.iter().any(|path| path == Path::new("-"));
    if check.cache && !has_stdin {
        let question = Question {
            paths: &paths,
            files: files_beside(check, common)?,
            texts: Vec::new(),
            input: None,
            is_human: matches!(check.format, ReportFormat::Human | ReportFormat::Concise),
        };
        if let Some(status) = cache::answer(&question, common)? {
            return Ok(status);
        }
    }
    if !check.watch {
        return once(check, common);
    }
    if has_stdin {
        return Err(Failure::Message("--watch needs files, not standard input".to_owned()));
    }
    paths.extend(files_beside(check, common)?);
    watch::again(&paths, || once(check, common))
}

/// The files that have a part in the answer, wherever they are, beside those of the configuration.
fn files_beside(check: &args::Check, common: &Common) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Settings::of(&check.configuration.paths, common)?.files();
    files.extend(check.provider_schemas.clone());
    files.extend(check.baseline.clone());
    files.extend(check.inputs.state.clone());
    files.extend(check.inputs.values.given.iter().filter_map(|value| match value {
        ValueFlag::File(file) => Some(file.clone()),
        ValueFlag::Text(..) => None,
    }));
    Ok(files)
}

/// Checks, and prints the findings or edits the files.
fn once(check: &args::Check, common: &Common) -> Result<Status, Failure> {
    let refuse = |message: &str| Err(Failure::Message(message.to_owned()));
    let settings = Settings::of(&check.configuration.paths, common)?;
    let flags = Codes {
        allow: check.allow.clone(),
        deny: check.deny.clone(),
        select: check.select.clone(),
        ignore: check.ignore.clone(),
        preview: check.preview,
    };
    let mut completed = check.clone();
    settings.complete(&mut completed);
    let check = &completed;
    rule_files::refuse_unknown(&flags, &settings)?;
    let policy = Policy { flags: Some(&flags), settings: Some(&settings), comments: None };
    if check.write_baseline && check.baseline.is_none() {
        return refuse("--write-baseline needs --baseline");
    }
    if check.level() == Level::Syntax {
        if check.provider_schemas.is_some() {
            return refuse("--provider-schemas needs --level module or values");
        }
        if check.fix || check.diff {
            return refuse("--fix and --diff need --level module or values");
        }
        if !check.select.is_empty() {
            return refuse("--select needs --level module or values");
        }
    }
    if check.statistics && !statistics::has(check.format) {
        return refuse("--statistics needs --format human, json or ndjson");
    }
    if check.fix || check.diff {
        return fix(check, policy, common);
    }
    if check.unsafe_fixes {
        return refuse("--unsafe-fixes needs --fix or --diff");
    }
    report(check, policy, common)
}

/// Checks, and prints the result.
fn report(check: &args::Check, policy: Policy<'_>, common: &Common) -> Result<Status, Failure> {
    let (status, stats) = examine(check, policy, common, &mut |found| print(check, common, found))?;
    stats.print(common);
    Ok(status)
}

/// Makes the edits of findings that have one, and reports the others; with `--diff`, prints the
/// edits instead.
fn fix(check: &args::Check, policy: Policy<'_>, common: &Common) -> Result<Status, Failure> {
    let mut edited = Edited::default();
    let mut changed = true;
    let mut status = Status::Clean;
    for _ in 0..fix::ROUNDS {
        if changed {
            (status, _) = examine(check, policy, common, &mut |found| {
                let most = if check.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
                let syntax = check.configuration.syntax;
                changed = edited.apply(&found.findings, most, syntax, &common.instead);
                Ok(found.status)
            })?;
        }
    }
    if check.diff {
        edited.print()?;
        status = status.max(if edited.is_empty() { Status::Clean } else { Status::Found });
    } else if !edited.write(&Roots::around(&check.configuration.paths)) {
        status = Status::CouldNotRun;
    }
    if !common.quiet {
        edited.tell(if check.diff { "found" } else { "made" });
    }
    if edited.refuses_plan_files() {
        status = Status::CouldNotRun;
    }
    if check.diff {
        return Ok(status);
    }
    Ok(status.max(report(check, policy, common)?))
}

/// The result of a check.
pub(crate) struct Examined<'t, 'a> {
    pub(crate) tree: &'t Tree<'a>,
    /// The units of Terragrunt below each directory that has some.
    pub(crate) units: &'t [terragrunt::Checked<'a>],
    pub(crate) findings: Findings<'t, 'a>,
    pub(crate) incomplete: Incomplete,
    /// The status of reading, regardless of findings.
    pub(crate) status: Status,
    /// Errors in comments that allow diagnostics, and findings of the baseline that are gone.
    pub(crate) notes: Vec<String>,
    pub(crate) stats: &'t Stats,
}

/// Reads and checks everything, and passes the result to `then`. Returns the status, and the
/// statistics.
pub(crate) fn examine(
    check: &args::Check,
    policy: Policy<'_>,
    common: &Common,
    then: &mut dyn FnMut(Examined<'_, '_>) -> Result<Status, Failure>,
) -> Result<(Status, Stats), Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let mut discovery = input::checked_modules(&check.configuration, common)?;
    let has_units = check.level() != Level::Syntax && input::takes_units(&mut discovery);
    let status = Incomplete::status_with(&discovery, has_units);
    let mut incomplete = Incomplete::of_discovery(&discovery);

    let modules = std::mem::take(&mut discovery.modules);
    let named = std::mem::take(&mut discovery.named);
    let files = modules.iter().chain(&named).flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    stats.modules = modules.len();
    // Files that are read only if they are named are no part of a module.
    let (whole, single) = match check.level() {
        Level::Syntax => (Vec::new(), modules.into_iter().chain(named).collect()),
        _ => (modules, named),
    };
    let checked = decode(&single, &options, |of, source, parsed| {
        progress.advance();
        let (dialect, list) = (of.module.dialect, of.file.kind.list);
        of.file.is_asked_for().then(|| check_file(dialect, list, source, parsed, policy))
    });
    let mut made = unreadable_directories(&discovery, policy);
    let mut notes = Vec::new();
    for file in checked.into_iter().flatten() {
        stats.files += 1;
        stats.bytes += file.bytes;
        stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
        made.extend(file.findings);
        notes.extend(file.notes);
    }

    let packer = packer::Options::default().with_defaults(check.packer_defaults);
    let sections = policy.settings.map_or(&[][..], Settings::roots);
    let named = Section::roots(sections, &whole)?;
    let tree_options = TreeOptions::default()
        .with_decode(options)
        .with_packer(packer)
        .with_roots(named)
        .with_release(dialect(check, policy).and_then(DialectName::minor));
    let unit_options =
        terragrunt::Options::default().following_links(common.follow_links).within(common.limits());
    let tree_options = tree_options.with_parts(unit_run::parts(&whole, &unit_options));
    let mut arena = Arena::new();
    let status = {
        let schemas = match &check.provider_schemas {
            Some(path) => Some(provider_schemas::read(&arena, path, common)?.with_built_in(&arena)),
            None => (check.level() != Level::Syntax).then(|| BodySchemas::built_in(&arena)),
        };
        let mut tree = Tree::load(&arena, whole, &tree_options);
        if let Some(schemas) = &schemas {
            tree.check_bodies(schemas);
            tree.check_files();
        }
        let roots = roots(check, &tree)?;
        tree.check_roots(|module| match roots.contains(&module.files.directory()) {
            true => Some(true),
            false => check.no_root.then_some(false),
        });
        drop(progress);
        for source in tree.sources() {
            stats.files += 1;
            stats.bytes += source.bytes().len() as u64;
        }
        let of_values = match (&schemas, check.level()) {
            (Some(schemas), Level::Values) => {
                let given = Given { check, common, sections, named: &roots };
                values(&given, &arena, &tree, schemas, &mut incomplete)?
            }
            _ => Vec::new(),
        };
        let of_rules = match check.level() {
            Level::Syntax => Vec::new(),
            _ => rules::check(&tree, &selection(check, policy)?),
        };
        let files = policy.settings.map_or(&[][..], Settings::rule_files);
        let own = rule_files::own(&arena, files, common)?;
        let own_codes: Vec<Code> = own.codes().collect();
        let of_own = match check.level() {
            Level::Syntax => Vec::new(),
            _ => own.check(&tree),
        };
        let units = units(check, &arena, &unit_options, &mut incomplete);
        stats.units = units.iter().map(|checked| checked.units.len()).sum();
        let of_units = || units.iter().flat_map(|it| &it.diagnostics);
        let is_explained = |it: &&Diagnostic<'_>| units.iter().any(|units| units.explains(it));
        let of_trees = || tree.diagnostics().chain(&of_rules).filter(|it| !is_explained(it));
        let diagnostics = || of_trees().chain(&of_own).chain(&of_values).chain(of_units());
        let sources = diagnostics().map(Diagnostic::source).chain(tree.sources());
        let comments = Allowed::of(sources, &own_codes);
        let policy = Policy { comments: Some(&comments), ..policy };
        let mut findings = Findings::of(made);
        diagnostics().for_each(|diagnostic| findings.take(diagnostic, policy));
        let is_selected = |code: Code, source: Source<'_>| policy.is_selected(code, source.name());
        let useless = match check.level() {
            Level::Syntax => Vec::new(),
            _ => comments.useless(is_selected),
        };
        useless.iter().for_each(|diagnostic| findings.take(diagnostic, policy));
        findings.sort();
        notes.extend_from_slice(comments.problems());
        apply_baseline(check, &mut findings, &mut notes)?;
        if check.level() != Level::Syntax {
            incomplete.add_tree_of_findings(&tree);
            incomplete.add_calls(&tree);
        }
        cache::note(&check.configuration.paths, &tree)?;
        let (tree, units, stats) = (&tree, &units[..], &stats);
        then(Examined { tree, units, findings, incomplete, status, notes, stats })?
    };
    stats.arena_bytes = stats.arena_bytes.max(arena.allocated_bytes());
    Ok((status, stats))
}

/// The rules to run.
fn selection(check: &args::Check, policy: Policy<'_>) -> Result<Selection, Failure> {
    with_release(policy.choice().selection()?, dialect(check, policy))
}

/// The tool whose rules apply, if it is named.
fn dialect(check: &args::Check, policy: Policy<'_>) -> Option<DialectName> {
    let of_settings = policy.settings.and_then(|settings| settings.dialect);
    check.configuration.dialect.or(of_settings)
}

/// Adds the rules about constructs that a release of a tool does not have, or warns of, if one is named.
pub(crate) fn with_release(
    mut selection: Selection,
    dialect: Option<DialectName>,
) -> Result<Selection, Failure> {
    let release = dialect.and_then(DialectName::release);
    let Some(release) = release else { return Ok(selection) };
    for rule in rules::of_releases() {
        selection.add(rule);
        let value = OptionValue::Text(release.clone());
        selection.set(rule, "release", value).map_err(Failure::Message)?;
    }
    Ok(selection)
}

/// Checks the units of Terragrunt below the given directories.
fn units<'a>(
    check: &args::Check,
    arena: &'a Arena,
    options: &'a terragrunt::Options,
    incomplete: &mut Incomplete,
) -> Vec<terragrunt::Checked<'a>> {
    if check.level() == Level::Syntax {
        return Vec::new();
    }
    let mut all = Vec::new();
    for folder in input::directories(&check.configuration.paths, incomplete) {
        let checked = terragrunt::check(arena, folder, options);
        for gap in &checked.gaps {
            incomplete.add("unit", gap.place.as_str(), &gap.why);
        }
        all.extend((!checked.units.is_empty()).then_some(checked));
    }
    all
}

/// Prints the result, and returns the exit status.
fn print(check: &args::Check, common: &Common, found: Examined<'_, '_>) -> Result<Status, Failure> {
    let Examined { mut findings, incomplete, status, notes, stats, .. } = found;
    let errors = findings.errors();
    let warnings = findings.len() - errors;
    let editable = findings.fixes(Safety::Safe).count();
    let unsafely = findings.fixes(Safety::Unsafe).count() - editable;
    tell(&notes, common);
    let mut hidden = 0;
    if check.statistics {
        statistics::print(&findings, &incomplete, check.format)?;
    } else {
        hidden = truncate(check, &mut findings);
        let incomplete = &incomplete;
        let outcome = Outcome { findings: &findings, errors, warnings, incomplete, status };
        crate::report::print(&outcome, check.format, common.style())?;
    }
    incomplete.print(check.format.carrier(), common);
    if !common.quiet {
        if hidden > 0 {
            anstream::eprintln!("{hidden} more; --max-diagnostics 0 prints all");
        }
        if editable > 0 {
            anstream::eprintln!("--fix repairs {editable} of them");
        }
        if unsafely > 0 {
            anstream::eprintln!("--fix --unsafe-fixes repairs {unsafely} more");
        }
        anstream::eprintln!(
            "{}; {}, {}",
            stats.summary("checked"),
            count(errors, "error"),
            count(warnings, "warning")
        );
    }
    let is_found = errors > 0 && !check.exit_zero;
    let status = status.max(incomplete.failure(check.fail_if_incomplete));
    Ok(if is_found { status.max(Status::Found) } else { status })
}

/// The inputs of the evaluation of root modules.
struct Given<'g> {
    check: &'g args::Check,
    common: &'g Common,
    /// The inputs of root modules, by the settings.
    sections: &'g [Section],
    /// Directories that are root modules because a flag says so.
    named: &'g HashSet<Location>,
}

/// Evaluates the root modules, and returns the findings besides the diagnostics of the tree.
fn values<'a>(
    given: &Given<'_>,
    arena: &'a Arena,
    tree: &Tree<'a>,
    schemas: &BodySchemas<'a>,
    incomplete: &mut Incomplete,
) -> Result<Vec<Diagnostic<'a>>, Failure> {
    let Given { check, common, sections, named } = *given;
    let flags = expand::flags(arena, &check.inputs, common)?;
    let state = expand::state(arena, &check.inputs, common)?;
    let is_root = |(place, seems_root): &(usize, bool)| {
        let module = &tree.modules()[*place];
        let is_named = named.contains(&module.files.directory());
        module.origin == Origin::Given && (is_named || *seems_root && !check.no_root)
    };
    let roots: Vec<usize> =
        tree.roots().into_iter().enumerate().filter(is_root).map(|(place, _)| place).collect();
    let mut of_settings = Vec::new();
    for &place in &roots {
        let directory = tree.modules()[place].files.directory();
        let values = match directory.disk() {
            Some(directory) => Values::of(sections, directory)?.unwrap_or_default(),
            None => Values::default(),
        };
        add_missing(&values, incomplete);
        of_settings.push((place, values));
    }
    let mut runs = Vec::new();
    for (place, values) in &of_settings {
        let mut all = expand::settings(arena, values, common)?;
        all.extend(&flags);
        runs.push((*place, check.inputs.workspace.as_ref().or(values.workspace.as_ref()), all));
    }
    let found: Vec<(Vec<Diagnostic<'a>>, Incomplete)> = runs
        .par_iter()
        .map(|&(place, workspace, ref flags)| {
            let directory = &tree.modules()[place].files.directory();
            let outside = expand::Outside::of(directory, &check.inputs, common);
            let functions = outside.functions();
            let mut found: Vec<Diagnostic<'a>> = Vec::new();
            let inputs = expand::given(arena, directory, (workspace, flags), &mut found);
            let inputs = expand::with_state(inputs, state)
                .with_functions(&functions)
                .with_schemas(schemas)
                .with_roots(roots.len());
            let expansion = tree.expand(place, &inputs);
            expansion.check();
            found.extend(expansion.diagnostics());
            (found, expand::own_gaps(&outside, &expansion))
        })
        .collect();
    // Findings of the tree have no place, since they are not repeated; the others have their place
    // among all.
    let of_tree = tree.diagnostics().map(|it| (fact(it), None));
    let mut places: HashMap<_, Option<usize>> = of_tree.collect();
    // Of a module of which some files were named, the others are read but not checked.
    let files = tree.given().flat_map(|module| &module.files.files);
    let unasked: HashSet<String> = files
        .filter(|file| !file.is_asked_for())
        .map(|file| file.path.to_string_lossy().into_owned())
        .collect();
    let is_asked_for = |it: &Diagnostic<'_>| !unasked.contains(it.source().name());
    let wrong = Wrong::of(tree);
    let mut all: Vec<Diagnostic<'a>> = Vec::new();
    let found = found.into_iter().flat_map(|(found, gaps)| {
        incomplete.append(gaps);
        found
    });
    for it in found.filter(is_asked_for).filter(|it| !wrong.has(it)) {
        match places.entry(fact(&it)) {
            Entry::Vacant(place) => {
                place.insert(Some(all.len()));
                all.push(it);
            }
            Entry::Occupied(place) => {
                if let Some(known) = place.get().and_then(|at| all.get_mut(at)) {
                    add_calls(known, &it);
                }
            }
        }
    }
    Ok(all)
}

/// The places with errors that do not need an evaluation. The tools stop there: what an evaluation finds
/// wrong at the same place is the same fact.
struct Wrong<'t> {
    /// By the name of the file: the places in their order, each with the furthest end up to there.
    places: BTreeMap<&'t str, Vec<(u32, u32)>>,
}

impl<'t> Wrong<'t> {
    fn of(tree: &'t Tree<'_>) -> Self {
        let mut places: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for it in tree.diagnostics().filter(|it| it.severity() == Severity::Error) {
            let span = it.span();
            places.entry(it.source().name()).or_default().push((span.start, span.end));
        }
        for places in places.values_mut() {
            places.sort_unstable();
            let mut furthest = 0;
            for (_, end) in places {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        Self { places }
    }

    /// Whether the place of an error overlaps one of these.
    fn has(&self, it: &Diagnostic<'_>) -> bool {
        let Some(places) = self.places.get(it.source().name()) else { return false };
        let span = it.span();
        let before = places.partition_point(|(start, _)| *start < span.end);
        it.severity() == Severity::Error
            && before.checked_sub(1).is_some_and(|last| places[last].1 > span.start)
    }
}

/// The places that a finding names besides its own.
const MOST_RELATED: usize = 20;

/// Adds the calls by which other root modules lead to the same fact.
fn add_calls<'a>(known: &mut Diagnostic<'a>, other: &Diagnostic<'a>) {
    for related in other.related() {
        if known.related().len() < MOST_RELATED && !known.related().contains(related) {
            *known = known.clone().with_related(related.label, related.message);
        }
    }
}

/// The number of findings that people get to see.
const SHOWN: usize = 1000;

/// Drops the findings that are too many to print. Returns their number.
fn truncate(check: &args::Check, findings: &mut Findings<'_, '_>) -> usize {
    let most = match (check.max_diagnostics, check.format) {
        (Some(0), _) => usize::MAX,
        (Some(most), _) => most,
        (None, ReportFormat::Human) => SHOWN,
        (None, _) => usize::MAX,
    };
    let hidden = findings.len().saturating_sub(most);
    findings.truncate(most);
    hidden
}

/// Drops the findings of the baseline, or writes all of them to it.
fn apply_baseline(
    check: &args::Check,
    findings: &mut Findings<'_, '_>,
    notes: &mut Vec<String>,
) -> Result<(), Failure> {
    let Some(file) = &check.baseline else { return Ok(()) };
    if check.write_baseline {
        let mut baseline = Baseline::empty(file)?;
        findings.iter().for_each(|finding| baseline.add(&finding));
        baseline.write(file)?;
        findings.truncate(0);
        return Ok(());
    }
    let mut baseline = Baseline::read(file)?;
    findings.retain(|finding| !baseline.take(finding));
    let gone = baseline.len();
    if gone > 0 {
        let findings = count(gone, "finding");
        notes.push(format!("{}: {findings} no longer occur", visible::path(file)));
    }
    Ok(())
}

/// Prints notes on standard error.
fn tell(notes: &[String], common: &Common) {
    notes.iter().for_each(|note| common.note(note));
}

/// Returns the directories of `--root`, as they are in the tree.
fn roots(check: &args::Check, tree: &Tree<'_>) -> Result<HashSet<Location>, Failure> {
    let mut named = HashMap::new();
    for path in &check.root {
        let missing = |error| Failure::Message(format!("--root {}: {error}", path.display()));
        let real = path.canonicalize().map_err(missing)?;
        named.insert(real, path);
    }
    let mut roots = HashSet::new();
    if named.is_empty() {
        return Ok(roots);
    }
    for module in tree.given() {
        let directory = module.files.directory();
        let Location::Disk(path) = &directory else { continue };
        let path = or_here(path);
        if path.canonicalize().is_ok_and(|real| named.remove(&real).is_some()) {
            roots.insert(directory);
        }
    }
    match named.into_values().min() {
        Some(path) => {
            Err(Failure::Message(format!("--root {}: no module is checked there", path.display())))
        }
        None => Ok(roots),
    }
}

/// The result of checking one file.
struct Checked {
    bytes: u64,
    arena_bytes: usize,
    findings: Vec<Finding>,
    /// Errors in comments that allow diagnostics.
    notes: Vec<String>,
}

/// Returns the findings of one file, except those that the policy allows.
fn check_file<'a>(
    dialect: Dialect,
    list: List,
    source: Source<'a>,
    parsed: Result<ParsedFile<'a>, Diagnostic<'a>>,
    policy: Policy<'_>,
) -> Checked {
    let mut diagnostics = Vec::new();
    let mut report = |diagnostic: Diagnostic<'a>| diagnostics.push(diagnostic);
    match parsed {
        Err(error) => report(error),
        Ok(parsed) => {
            parsed.diagnostics().iter().cloned().for_each(&mut report);
            match (list, root_schema(dialect, list)) {
                (List::Lock, _) => drop(LockFile::read(dialect, parsed.body(), &mut report)),
                // Any attributes and blocks.
                (List::Other | List::PolicyTest, _) => {}
                (_, Some(schema)) => parsed.body().check(schema, &mut report),
                (_, None) => drop(parsed.body().just_attributes(&mut report)),
            }
        }
    }
    let own: Vec<Code> = policy.settings.into_iter().flat_map(Settings::own_codes).collect();
    let comments = Allowed::of(diagnostics.iter().map(Diagnostic::source), &own);
    let policy = Policy { comments: Some(&comments), ..policy };
    let findings = diagnostics.into_iter().filter_map(|it| policy.apply(it)).collect();
    let arena_bytes = source.arena_bytes();
    let notes = comments.problems().to_vec();
    Checked { bytes: source.bytes().len() as u64, arena_bytes, findings, notes }
}

/// Returns the directories that cannot be listed, as findings.
pub(crate) fn unreadable_directories(discovery: &Discovery, policy: Policy<'_>) -> Vec<Finding> {
    let arena = Arena::new();
    let unreadable =
        discovery.problems.iter().filter(|p| p.kind == ProblemKind::UnreadableDirectory);
    unreadable
        .filter_map(|problem| {
            let source = Source::empty(&arena, &problem.path.to_string_lossy());
            let diagnostic =
                Diagnostic::new(Code::UnreadableDirectory, Label::new(source, Span::at(0)));
            policy.apply(diagnostic.with_arguments(&[&problem.message]))
        })
        .collect()
}

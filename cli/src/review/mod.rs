//! `review`: what a change does to the affected root modules; and `diff --values`, the same for two
//! directories or revisions.

mod answer;
mod github;
mod html;
mod human;
mod load;
mod markdown;
mod output;
mod unit;
mod units;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use simd_hcl::deployments;
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::directory::Location;
use simd_hcl::impact::{Affected, ImpactOptions, Place};
use simd_hcl::terramate;
use simd_hcl::tree::{Link, Tree};
use simd_hcl::{Arena, Dialect};

use self::answer::{Answer, Root};
use self::load::{Loaded, Source, name_of};
use self::output::print;
use self::unit::{UnitPair, UnitVersion};
use self::units::{BothUnits, Revisions};
use self::values::{Evaluation, Given, Side};
use crate::args::{self, Common, ReviewFormat, ValueFlag};
use crate::git::{self, Compared, FromHere};
use crate::incomplete::Incomplete;
use crate::paths::{or_here, text};
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::uncompared::ONLY_UNITS;
use crate::unit_run;
use crate::visible::visible;

/// A root module in both trees: its places there.
#[derive(Clone, Copy, Default)]
struct Pair {
    places: [Option<usize>; 2],
}

/// Reviews the changes since a revision.
pub(crate) fn run(review: &args::Review, common: &Common) -> Result<Status, Failure> {
    let compared = Compared::of(review.since.as_deref().unwrap_or("HEAD"))?;
    let changed = compared.changed()?;
    let top = git::top()?;
    let revisions = Revisions::of(&compared, &top, common);
    let unit_files = revisions.files();
    let unit_options =
        unit_run::options(&review.inputs.unit, common).with_files(true).with_stacks(true);
    let unit_options = unit_options.with_sensitive(review.show_sensitive);
    let arena = Arena::new();
    let before = Source::revision(&compared.base, &top, common)?;
    let after = match &compared.head {
        Some(head) => Source::revision(head, &top, common)?,
        None => Source::working_tree(&top)?,
    };
    let settings = Settings::of(std::slice::from_ref(&top), common)?;
    let dialect = review.dialect.or(settings.dialect);
    let files = load::Files { dialect, ignore_files: review.ignore_files };
    let [before, after] = [before, after].map(|source| Loaded::of(&arena, source, &files, common));
    let (before, after) = (before?, after?);
    let given = Given {
        inputs: &review.inputs,
        show_sensitive: review.show_sensitive,
        provider_schemas: review.provider_schemas.as_deref(),
        settings: &settings,
    };
    let evaluation = Evaluation::of(&arena, [&before, &after], &given, common)?;
    let mut incomplete = Incomplete::default();
    let mut pairs: BTreeMap<String, Pair> = BTreeMap::new();
    let dialect = dialect.map(Into::into).unwrap_or_default();
    let of_versions = (&*top, [&before, &after]);
    let units = BothUnits::of(&arena, &unit_files, &unit_options, of_versions, dialect)?;
    let mut affected_units: BTreeSet<String> = BTreeSet::new();
    let changed_inside = inside(&changed, &top)?;
    let wanted = wanted(review, &compared, &top)?;
    let is_wanted = |name: &str| {
        wanted.is_empty() || wanted.iter().any(|path| Path::new(name).starts_with(path))
    };
    let from_here = FromHere::of(&top)?;
    for (at, loaded) in [&before, &after].into_iter().enumerate() {
        incomplete.append(loaded.incomplete.clone());
        let files = match loaded.source {
            Source::Directory { .. } => &changed,
            Source::Revision { .. } => &changed_inside,
        };
        // The units that run a module are root modules in its place.
        let is_used =
            |place: &Location| name_of(place, &top).is_ok_and(|name| units.is_used(&name));
        let run = evaluation.run(at, &is_used);
        // Git lists links themselves.
        let absolute = text(&top);
        let options =
            ImpactOptions::default().with_inputs(&run).with_links(true).with_top(&absolute);
        let impact = loaded.tree.impact_of(files, &options);
        let found = impact.affected(files);
        if !units.is_empty() {
            let affected = units.affected(
                at,
                &changed_inside,
                (&impact, &found),
                &evaluation,
                &mut incomplete,
            )?;
            affected_units.extend(affected);
        }
        units.add_gaps(at, &mut incomplete);
        for place in stacks(&loaded.tree, &found) {
            let name = name_of(&loaded.tree.modules()[place].files.path, &top)?;
            let name = from_here.shown(&name);
            incomplete.add("stack", name, "the instances of its components are not compared");
        }
        let absolute = |file: &Path| match loaded.source {
            Source::Directory { .. } => git::canonical(file),
            Source::Revision { .. } => Ok(top.join(file)),
        };
        for file in of_variables(&found.unassigned) {
            let file = absolute(file)?;
            if !units.reads(at, &file) {
                let why = "the modules that read it are not known";
                incomplete.add("file", from_here.shown_if_inside(&file), why);
            }
        }
        add_gaps(&found, (&from_here, &top), &mut incomplete)?;
        let called = called(&loaded.tree);
        for module in &found.modules {
            if let Place::Module(place) = module.place {
                let name = name_of(&module.path, &top)?;
                // A stack of Terramate is run, whatever its module looks like.
                let is_stack = !module.is_root
                    && terramate::find(top.join(&name)).stacks.iter().any(|it| it.path == ".");
                if units.is_used(&name) {
                    continue;
                }
                if !module.is_root && !is_stack && !evaluation.names_root(&top.join(&name))? {
                    let is_part = called.contains(&place)
                        || loaded.tree.modules()[place].stack.is_some()
                        || !is_wanted(&name);
                    if !is_part {
                        incomplete.add("module", from_here.shown(&name), NO_ROOT);
                    }
                    continue;
                }
                pairs.entry(name).or_default().places[at] = Some(place);
            }
        }
    }
    // A module that is a root module in one version only is compared with what it was.
    for (at, loaded) in [&before, &after].into_iter().enumerate() {
        let missing = pairs.iter().filter(|(_, pair)| pair.places[at].is_none());
        if missing.count() == 0 {
            continue;
        }
        for (place, module) in loaded.tree.modules().iter().enumerate() {
            let name = name_of(&module.files.directory(), &top)?;
            if let Some(pair) = pairs.get_mut(&name) {
                pair.places[at].get_or_insert(place);
            }
        }
    }
    pairs.retain(|name, _| is_wanted(name));
    affected_units.retain(|name| is_wanted(name));
    let units = units.load(affected_units, [&before, &after], common, &mut incomplete)?;
    let units: BTreeMap<String, UnitPair<'_>> =
        units.into_iter().map(|(name, pair)| (from_here.shown(&name), pair)).collect();
    let pairs: Vec<(String, Pair)> =
        pairs.into_iter().map(|(name, pair)| (from_here.shown(&name), pair)).collect();
    let answer = evaluate(&evaluation, [&before, &after], (pairs, &units), incomplete)?;
    print(&answer, review.format, review.max_length, common.style())?;
    answer.incomplete.print(output::carrier(review.format), common);
    Ok(answer.incomplete.failure(review.fail_if_incomplete))
}

/// Compares the values of two directories or revisions.
pub(crate) fn diff(diff: &args::Diff, common: &Common) -> Result<Status, Failure> {
    let format = match diff.format {
        args::ListFormat::Human => ReviewFormat::Human,
        args::ListFormat::Json => ReviewFormat::Json,
        args::ListFormat::Ndjson => ReviewFormat::Ndjson,
        args::ListFormat::Csv => {
            let message = "--values prints human, json and ndjson".to_owned();
            return Err(Failure::Message(message));
        }
    };
    let arena = Arena::new();
    let settings = Settings::of(&[&diff.old, &diff.new].map(PathBuf::from), common)?;
    let dialect = diff.dialect.or(settings.dialect);
    let files = load::Files { dialect, ignore_files: diff.ignore_files };
    let [before, after] = Source::of_diff(diff, common)?;
    let (before, after) =
        (Loaded::of(&arena, before, &files, common)?, Loaded::of(&arena, after, &files, common)?);
    let mut units = before.units(&files, common);
    units.append(after.units(&files, common));
    let mut incomplete = before.incomplete.clone();
    incomplete.append(after.incomplete.clone());
    let mut pairs: BTreeMap<String, Pair> = BTreeMap::new();
    for (at, loaded) in [&before, &after].into_iter().enumerate() {
        for (name, place) in loaded.roots() {
            pairs.entry(name).or_default().places[at] = Some(place);
        }
    }
    if pairs.is_empty() {
        let message = match units.is_empty() {
            true => "there is no root module to evaluate",
            false => ONLY_UNITS,
        };
        return Err(Failure::Message(message.to_owned()));
    }
    incomplete.append(units);
    let mut names = diff.inputs.values.given.iter().filter_map(|flag| match flag {
        ValueFlag::Text(name, _) => Some(name),
        ValueFlag::File(_) => None,
    });
    let is_declared = |name: &str| {
        pairs.values().any(|pair| {
            let places = pair.places.iter().zip([&before, &after]);
            let mut modules = places.filter_map(|(place, it)| it.tree.modules().get((*place)?));
            modules.any(|module| module.module.variables.get(name).is_some())
        })
    };
    if let Some(name) = names.find(|name| !is_declared(name)) {
        let message = format!("no root module declares a variable \"{}\"", visible(name));
        return Err(Failure::Message(message));
    }
    let given = Given {
        inputs: &diff.inputs,
        show_sensitive: diff.show_sensitive,
        provider_schemas: diff.provider_schemas.as_deref(),
        settings: &settings,
    };
    let pairs = pairs.into_iter().collect();
    let evaluation = Evaluation::of(&arena, [&before, &after], &given, common)?;
    let pairs = (pairs, &BTreeMap::new());
    let answer = evaluate(&evaluation, [&before, &after], pairs, incomplete)?;
    print(&answer, format, usize::MAX, common.style())?;
    answer.incomplete.print(output::carrier(format), common);
    let differs = answer.roots.iter().any(|root| !root.review.is_empty());
    Ok(if diff.exit_code && differs { Status::Found } else { Status::Clean })
}

/// Evaluates and compares the root modules, on all threads.
fn evaluate<'u, 'a>(
    evaluation: &Evaluation<'_, 'a>,
    versions: [&'u Loaded<'a>; 2],
    (pairs, units): (Vec<(String, Pair)>, &'u BTreeMap<String, UnitPair<'a>>),
    mut incomplete: Incomplete,
) -> Result<Answer, Failure> {
    let count = pairs.len() + units.len();
    let of_pair = |pair: Pair| {
        [0, 1]
            .map(|at| Some(Side { tree: &versions[at].tree, place: pair.places[at]?, unit: None }))
    };
    let of_unit = |pair: &'u UnitPair<'a>| {
        // Without the module in one version, there is nothing to compare.
        let is_known = |version: &UnitVersion<'a>| version.tree.is_some();
        pair.iter().flatten().all(is_known).then(|| {
            pair.each_ref().map(|version| {
                let unit = version.as_ref()?;
                Some(Side { tree: unit.tree.as_ref()?, place: 0, unit: Some(unit) })
            })
        })
    };
    let modules = pairs.into_par_iter().map(|(path, pair)| (path, of_pair(pair)));
    let units = units.par_iter().filter_map(|(path, pair)| Some((path.clone(), of_unit(pair)?)));
    let roots: Result<Vec<Root>, Failure> =
        modules.chain(units).map(|(path, sides)| evaluation.root(path, sides, count)).collect();
    let mut roots = roots?;
    roots.sort_by(|one, other| one.path.cmp(&other.path));
    for root in &roots {
        incomplete.append(root.incomplete.clone());
        for gap in &root.review.gaps {
            let place = match gap.place.contains(':') {
                true => gap.place.clone(),
                false => format!("{}:{}", root.path, gap.place),
            };
            incomplete.add("values", place, format!("{}: {}", gap.version.as_str(), gap.why));
        }
    }
    Ok(Answer { roots, incomplete })
}

/// Why a module is not compared.
const NO_ROOT: &str = "not compared: no module calls it, and it is not a root module, since it has no backend and \
                       no provider, and no section [[root]] of the settings names it";

/// The modules that others call, or that components of stacks run.
fn called(tree: &Tree<'_>) -> HashSet<usize> {
    let links = tree.modules().iter().flat_map(|module| &module.links);
    let of_modules = links.filter_map(|link| match link {
        Link::Module(place) => Some(*place),
        _ => None,
    });
    let of_stacks = deployments::calls(tree).into_iter().map(|call| call.target);
    of_modules.chain(of_stacks).collect()
}

/// The files of variables among some files.
fn of_variables(files: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let is_of_variables = |file: &&Path| {
        let name = file.file_name().unwrap_or_default();
        FileKind::of_named(name, Dialect::of_named(name, None)).list == List::Variables
    };
    files.iter().map(PathBuf::as_path).filter(is_of_variables)
}

/// Adds what may be affected, but is not known to be.
fn add_gaps(
    found: &Affected<'_>,
    (from_here, top): (&FromHere, &Path),
    incomplete: &mut Incomplete,
) -> Result<(), Failure> {
    for gap in &found.gaps {
        let module = from_here.shown(&name_of(&gap.module, top)?);
        match gap.object {
            Some(object) => {
                incomplete.add("object", format!("{module}:{object}"), gap.why.as_str())
            }
            None => incomplete.add("module", module, gap.why.as_str()),
        }
    }
    incomplete.add_places(&found.unknown_places);
    Ok(())
}

/// The places of the affected stacks of Terraform, also of those whose components call affected modules.
fn stacks(tree: &Tree<'_>, found: &Affected<'_>) -> BTreeSet<usize> {
    let affected = found.modules.iter().filter_map(|module| match module.place {
        Place::Module(place) => Some(place),
        Place::Template(_) | Place::Run(_) => None,
    });
    let mut reached: BTreeSet<usize> = affected.collect();
    let calls = deployments::calls(tree);
    let mut open: Vec<usize> = reached.iter().copied().collect();
    while let Some(place) = open.pop() {
        let callers = calls.iter().filter(|call| call.target == place).map(|call| call.stack);
        open.extend(callers.filter(|caller| reached.insert(*caller)));
    }
    reached.retain(|place| tree.modules()[*place].stack.is_some());
    reached
}

/// The changed files, from the top of the repository.
fn inside(changed: &[PathBuf], top: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for file in changed {
        let (Some(directory), Some(name)) = (file.parent(), file.file_name()) else { continue };
        let directory = or_here(directory);
        let directory = git::canonical(directory)?;
        if let Ok(inside) = directory.strip_prefix(top) {
            files.push(git::as_directory(inside.join(name), git::is_directory_name(file)));
        }
    }
    Ok(files)
}

/// The directories whose root modules are meant, from the top of the repository.
fn wanted(review: &args::Review, compared: &Compared, top: &Path) -> Result<Vec<String>, Failure> {
    let mut wanted = Vec::new();
    let commits = || [&compared.base].into_iter().chain(&compared.head);
    for path in &review.paths {
        if !git::exists(path)? && !commits().any(|commit| git::knows(path, &commit.hash)) {
            let message =
                format!("{}: no such file or directory", visible(&path.to_string_lossy()));
            return Err(Failure::Message(message));
        }
        let whole = git::canonical(path)?;
        let Ok(inside) = whole.strip_prefix(top) else {
            let path = path.to_string_lossy();
            let message = format!("{} is outside of the repository", visible(&path));
            return Err(Failure::Message(message));
        };
        wanted.push(inside.to_string_lossy().into_owned());
    }
    Ok(wanted)
}

//! `affected`: the modules that changed files affect, and why.

mod answer;
mod changed;
mod formats;
mod gaps;
mod since;
mod stacks;
mod unit_states;
mod unit_ways;
mod units;

use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::directory::Location;
use simd_hcl::impact::{GapKind, Impact, ImpactOptions, Place};

use self::answer::{Answer, Module, Step, Via};
use self::changed::{Named, changed, listed};
use self::gaps::gaps;
use self::since::{Found, Since};
use self::stacks::AffectedStacks;
use self::units::AffectedUnits;
use crate::args::{self, AffectedFormat, Common, Configuration, Format, ListFormat};
use crate::cache::{self, Question};
use crate::git::{self, Commit, Compared};
use crate::incomplete::Incomplete;
use crate::modules::{DependsOn, Loaded, with_tree};
use crate::output::FORMAT_VERSION;
use crate::output::Style;
use crate::paths::or_here;
use crate::revision_files::RevisionFiles;
use crate::roots::{ChangedSettings, Run};
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::unit_run;
use crate::visible::visible;

/// The number of paths that `--explain` prints.
const MOST_PATHS: usize = 1_000;

pub(crate) fn run(affected: &args::Affected, common: &Common) -> Result<Status, Failure> {
    let compared = affected.since.as_deref().map(Compared::of).transpose()?;
    let Named { directories, files } = Named::of(affected, compared.as_ref())?;
    // A revision that is too large is refused before git compares it.
    let since = match &compared {
        Some(compared) => Some(Since::of(compared, affected, common)?),
        None => None,
    };
    // Git lists links; people and editors name files by them.
    let links = files.is_empty() && affected.files_from.is_none();
    let list = listed(affected)?;
    let changed = changed(files, list.as_deref(), compared.as_ref())?;
    let list_format = match affected.format {
        AffectedFormat::Json => ListFormat::Json,
        AffectedFormat::Ndjson => ListFormat::Ndjson,
        AffectedFormat::Human
        | AffectedFormat::Csv
        | AffectedFormat::List0
        | AffectedFormat::GithubMatrix
        | AffectedFormat::Gitlab
        | AffectedFormat::Atlantis
        | AffectedFormat::Digger => ListFormat::Human,
    };
    let mut configuration = Configuration::of_directory(PathBuf::from("."), affected.dialect);
    configuration.ignore_files = affected.ignore_files;
    if !directories.is_empty() {
        configuration.paths = directories;
    }
    let settings = Settings::of(&configuration.paths, common)?;
    if affected.cache {
        let question = question(affected, &configuration, (&settings, compared.as_ref()), &changed);
        let question = Question { input: list, ..question };
        if let Some(status) = cache::answer(&question, common)? {
            return Ok(status);
        }
    }
    let before = match &compared {
        Some(Compared { base, .. }) => {
            Some(RevisionFiles::of(base.hash.clone(), git::top()?, common))
        }
        None => None,
    };
    let changed_settings = ChangedSettings::of(&settings, &changed, before.as_ref())?;
    let (arena, unit_options) = (Arena::new(), unit_run::with_files(common));
    let mut units = AffectedUnits::find(&arena, &configuration.paths, &changed, &unit_options)?;
    let ((more, failure), status) =
        with_tree(&configuration, common, DependsOn::UnitsWithoutValues, list_format, |loaded| {
            cache::note(&configuration.paths, loaded.tree)?;
            let mut more = Incomplete::default();
            let mut run = Run::of(loaded.tree, settings.roots(), common, &mut more)?;
            if let Some(changed) = &changed_settings {
                run.add_changed(loaded.tree, changed, settings.roots());
            }
            run.leave_out(loaded.tree, |directory| units.is_used(directory))?;
            let dialect = affected.dialect.or(settings.dialect).map(Into::into).unwrap_or_default();
            let revision =
                before.as_ref().filter(|it| units::may_change(&changed) && it.has_units());
            let revision = revision.map(|revision| (revision, &unit_options));
            let states = units.states(loaded.tree, revision, dialect, common)?;
            let options =
                ImpactOptions::default().with_inputs(&run).with_links(links).with_runs(&states);
            let impact = loaded.tree.impact_of(&changed, &options);
            let mut found = impact.affected(&changed);
            run.add_gaps(&mut more);
            let how = (&settings, changed_settings.as_ref(), dialect);
            units.evaluate((&impact, loaded.tree), (&found, links), how, common)?;
            found = units.follow_states(&impact, &changed, found)?;
            units.take_files(&mut found.unassigned, &mut found.unrelated);
            let stacks = AffectedStacks::of(&configuration.paths, &changed, before.as_ref())?;
            stacks.take_files(&mut found.unassigned);
            stacks.take_files(&mut found.unrelated);
            let mut all = Found::default();
            all.modules.extend(found.modules.iter().map(Module::of));
            if let Some(since) = &since {
                if affected.explain.is_none() {
                    for module in &mut all.modules {
                        since.add_objects(module, loaded.tree, &mut more)?;
                    }
                }
                since.add_to(&mut all, &changed, loaded.tree)?;
                all.take_files(&mut found.unassigned);
                all.take_files(&mut found.unrelated);
                more.append(all.incomplete.clone());
            }
            more.append(gaps(&found));
            more.append(units.incomplete.clone());
            more.append(stacks.incomplete.clone());
            if let Some(since) = &since {
                since.add_gaps(&configuration.paths, &mut more)?;
            }
            let mut incomplete = loaded.incomplete.clone();
            if found.gaps.iter().any(|gap| gap.why == GapKind::UnreadValues) {
                incomplete.add_tree(loaded.tree);
            }
            let failure;
            if let Some(root) = &affected.explain {
                incomplete.append(more.clone());
                failure = incomplete.failure(affected.fail_if_incomplete);
                let (name, mut paths) = match units.explain(root, &found)? {
                    Some((name, first)) => (name, paths_of(first)),
                    None => explain(root, &impact, &loaded, &changed)?,
                };
                // A way only in a revision, or through the state of a unit, is one.
                units.complete(&mut all.modules, &found);
                if paths.is_empty()
                    && let Some(module) = all.modules.into_iter().find(|it| it.path == name)
                {
                    paths = paths_of(module.because.into_iter().next());
                }
                print_paths(&name, &paths, (affected.format, common.style(), &incomplete))?;
            } else {
                let Found { mut modules, mut removed, .. } = all;
                if since.is_some() {
                    if let Some(before) = &before {
                        units.add_removed(
                            (before, &unit_options),
                            (&configuration.paths, &changed),
                            &mut removed,
                            &mut found.unrelated,
                        )?;
                    }
                    stacks.add_removed(&mut removed)?;
                }
                // A module may have been run by itself because of the settings.
                for module in modules.iter_mut().filter(|module| !module.root) {
                    let settings = changed_settings.as_ref();
                    module.root = settings.is_some_and(|it| it.was_root(Path::new(&module.path)));
                }
                units.add_to(&mut modules, &found)?;
                stacks.add_to(&mut modules);
                AffectedStacks::add_components(&mut modules, loaded.tree);
                modules.retain(|module| !affected.roots || module.root);
                removed.retain(|module| !affected.roots || module.root);
                incomplete.append(more.clone());
                failure = incomplete.failure(affected.fail_if_incomplete);
                let unrelated = found.unrelated.iter();
                let unrelated = unrelated.map(|file| file.to_string_lossy().into_owned()).collect();
                let (format_version, mut roots) = (FORMAT_VERSION, units.roots(roots(&loaded))?);
                stacks.add_roots(&mut roots);
                let mut order = units.order();
                stacks.add_order(&mut order);
                let answer = Answer {
                    format_version,
                    modules,
                    removed,
                    unrelated,
                    incomplete,
                    roots,
                    order,
                };
                formats::print(&answer, affected.format, affected.roots, common.style())?;
                if affected.format == AffectedFormat::Human && !common.quiet {
                    note(&answer, affected.roots, changed.len());
                }
            }
            Ok((more, failure))
        })?;
    more.print(list_format, common);
    Ok(status.max(failure))
}

/// Everything that the answer depends on, other than the files of the working tree.
fn question<'q>(
    affected: &args::Affected,
    configuration: &'q Configuration,
    (settings, compared): (&Settings, Option<&Compared>),
    changed: &[PathBuf],
) -> Question<'q> {
    let mut texts: Vec<Vec<u8>> =
        changed.iter().map(|path| path.as_os_str().as_encoded_bytes().to_vec()).collect();
    let head = Commit::of("HEAD").ok();
    let commits = compared.into_iter().flat_map(|it| [Some(&it.base), it.head.as_ref()]);
    let commits = commits.flatten().chain(&head);
    texts.extend(commits.map(|commit| commit.hash.clone().into_bytes()));
    Question {
        paths: &configuration.paths,
        files: settings.files(),
        texts,
        input: None,
        is_human: affected.format == AffectedFormat::Human,
    }
}

/// The most unrelated files that are named.
const MOST_NAMED: usize = 10;

/// Says of an empty answer that it is one, and otherwise which files have no part in it.
fn note(answer: &Answer, only_roots: bool, changed: usize) {
    if answer.modules.is_empty() && answer.removed.is_empty() && answer.incomplete.is_empty() {
        let what = if only_roots { "root module" } else { "module" };
        match changed {
            0 => anstream::eprintln!("no file has changed"),
            1 => anstream::eprintln!("1 changed file affects no {what}"),
            _ => anstream::eprintln!("{changed} changed files affect no {what}"),
        }
    } else if !answer.unrelated.is_empty() {
        let named = answer.unrelated.iter().take(MOST_NAMED).map(|file| visible(file));
        let named = named.collect::<Vec<_>>().join(", ");
        match answer.unrelated.len().saturating_sub(MOST_NAMED) {
            0 => anstream::eprintln!("nothing depends on {named}"),
            more => anstream::eprintln!("nothing depends on {named}, and {more} more files"),
        }
    }
}

/// The paths of all root modules.
fn roots(loaded: &Loaded<'_, '_>) -> Vec<String> {
    let modules = loaded.tree.modules().iter().zip(loaded.tree.roots());
    let modules = modules.filter(|(_, is_root)| *is_root).map(|(module, _)| &module.files.path);
    let templates = loaded.tree.templates().iter().map(|template| &template.files.path);
    modules.chain(templates).map(|path| path.to_string_lossy().into_owned()).collect()
}

/// The name of a module, and all ways to it.
fn explain(
    root: &Path,
    impact: &Impact<'_, '_>,
    loaded: &Loaded<'_, '_>,
    changed: &[PathBuf],
) -> Result<(String, Vec<Way>), Failure> {
    let wanted = git::canonical(root)?;
    let is_it = |location: &Location| match location {
        Location::Disk(path) => {
            let path = or_here(path);
            git::canonical(path).is_ok_and(|path| path == wanted)
        }
        Location::Memory(_) => false,
    };
    let modules = loaded.tree.modules().iter().enumerate();
    let modules = modules.map(|(place, module)| (Place::Module(place), &module.files));
    let templates = loaded.tree.templates().iter().enumerate();
    let templates = templates.map(|(place, it)| (Place::Template(place), &it.files));
    let mut all = modules.chain(templates);
    let Some((place, files)) = all.find(|(_, files)| is_it(&files.directory())) else {
        let name = root.to_string_lossy();
        return Err(Failure::Message(format!("{}: no such module", visible(&name))));
    };
    let paths = impact.explain(changed, place, MOST_PATHS);
    let paths = paths.iter().flat_map(|reasons| paths_of(Step::all(reasons).into_iter().next()));
    Ok((files.path.to_string_lossy().into_owned(), paths.collect()))
}

/// A way from a changed file: the file, and the steps.
type Way = (String, Vec<Via>);

/// The way whose first step this is.
fn paths_of(first: Option<Step>) -> Vec<Way> {
    first.into_iter().map(|first| (first.file.unwrap_or_default(), first.via)).collect()
}

fn print_paths(
    name: &str,
    paths: &[Way],
    (format, style, incomplete): (AffectedFormat, Style, &Incomplete),
) -> Result<(), Failure> {
    match format {
        AffectedFormat::Json => {
            formats::explain_json(name, paths, incomplete, Format::Json, style)?
        }
        AffectedFormat::Ndjson => {
            formats::explain_json(name, paths, incomplete, Format::Ndjson, style)?
        }
        AffectedFormat::Human => formats::explain(name, paths)?,
        AffectedFormat::Csv
        | AffectedFormat::List0
        | AffectedFormat::GithubMatrix
        | AffectedFormat::Gitlab
        | AffectedFormat::Atlantis
        | AffectedFormat::Digger => {
            return Err(Failure::Message("--explain prints human, json and ndjson".to_owned()));
        }
    }
    Ok(())
}

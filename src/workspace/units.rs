//! Checks the units of Terragrunt below the directories of a workspace.
//!
//! Any file of a repository may decide about any unit, so that a change checks all of them again. A
//! change of a module does so only if it declares other variables or outputs than before, and a change
//! of the configuration of one unit only if others see a difference ([`after_edit`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::Context;
use super::facts::{Finding, findings};
use super::unit_facts::{Alone, Around, UnitFacts};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::terragrunt::{self, ComponentKind, Options, names};

/// Checks the units below the directories of a workspace.
///
/// Cost: that of [`terragrunt::check`].
pub(super) fn check(context: &Context) -> Arc<UnitFacts> {
    let options = options(context);
    let mut findings = BTreeMap::new();
    let mut around = Around::default();
    for directory in context.paths.iter() {
        let arena = Arena::new();
        let checked = terragrunt::check(&arena, directory, &options);
        around.generated.extend(&checked.generated);
        for unit in &checked.units {
            let folder = PathBuf::from(&unit.folder);
            for file in &unit.includes {
                around.includers.entry(file.into()).or_insert_with(|| folder.clone());
            }
            around.read.extend(unit.reads.iter().map(PathBuf::from));
            around.has_stacks |= unit.kind == ComponentKind::Stack;
            around.folders.extend(unit.module.as_ref().map(PathBuf::from));
            around.folders.insert(folder);
        }
        // Directories may be in one another.
        for (file, found) in by_file(context, checked.diagnostics) {
            findings.entry(file).or_insert(found);
        }
    }
    Arc::new(UnitFacts { findings, around: Arc::new(around), last: None })
}

/// The facts after an edit of the configuration of one unit: `before` and `after` are the contexts before
/// and after it, and `file` is an absolute path. `None` if other units may see a difference.
///
/// Cost: that of checking this unit, twice if another one was edited last.
pub(super) fn after_edit(
    facts: &UnitFacts,
    (before, after): (&Context, &Context),
    file: &Path,
) -> Option<Arc<UnitFacts>> {
    let real = file.canonicalize().ok()?;
    let folder = real.parent()?;
    let is_cycle = |finding: &Finding| finding.code == Code::UnitCycle;
    let is_alone = facts.around.folders.contains(folder)
        && names::is_configuration(&real)
        && !facts.around.has_stacks
        && !facts.around.read.contains(&real)
        && !facts.findings(file).iter().any(is_cycle);
    let mut directories = after.paths.iter().filter(|it| file.starts_with(after.absolute(it)));
    let (Some(directory), None, true) = (directories.next(), directories.next(), is_alone) else {
        return None;
    };
    let known = facts.last.clone().filter(|last| last.folder == folder);
    let old = match known {
        Some(known) => known,
        None => Arc::new(check_alone(before, directory, folder)?),
    };
    let new = check_alone(after, directory, folder)?;
    if !new.is_same_outside(&old, file) {
        return None;
    }
    let mut findings = facts.findings.clone();
    match new.findings.get(file) {
        Some(found) => findings.insert(file.to_owned(), found.clone()),
        None => findings.remove(file),
    };
    let (around, last) = (Arc::clone(&facts.around), Some(Arc::new(new)));
    Some(Arc::new(UnitFacts { findings, around, last }))
}

/// Checks one unit.
fn check_alone(context: &Context, directory: &Path, folder: &Path) -> Option<Alone> {
    let (arena, options) = (Arena::new(), options(context));
    let checked = terragrunt::check_unit(&arena, directory, folder.to_str()?, &options);
    let findings = by_file(context, checked.diagnostics);
    let (units, generated) = (checked.units, checked.generated);
    Some(Alone { folder: folder.to_owned(), units, generated, findings })
}

/// Returns the diagnostics that count, by file.
fn by_file(context: &Context, found: Vec<Diagnostic<'_>>) -> BTreeMap<PathBuf, Vec<Finding>> {
    let mut all: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
    for finding in findings(context.options.judge.as_deref(), &[], found) {
        let file = context.absolute(Path::new(&finding.diagnostic.range.filename));
        all.entry(file).or_default().push(finding);
    }
    all
}

/// How units are read: with the texts of open files.
pub(super) fn options(context: &Context) -> Options {
    let options = Options::default().following_links(context.options.discover.follow_links);
    options.with_texts(context.buffers.without_links())
}

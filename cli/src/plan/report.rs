//! The requested report on a plan, which a file for each format prints.

use std::borrow::Cow;
use std::fmt::Write as _;

use simd_hcl::show::{
    ActionInvocation, ActionKind, Change, CheckCounts, CheckInstance, CheckStatus, DeferredAction,
    DeferredChange, Difference, Differences, List, Map, Path, Plan, ResourceChange, Shown,
};
use simd_hcl::{Code, Diagnostic};

use super::against::Old;
use super::change::{is_quiet, shown_name};
use super::source::{Cause, Source, Sources};
use crate::args;
use crate::excerpt::Range;
use crate::incomplete::Incomplete;

/// Why no value of a plan is printed.
const HIDDEN: &str =
    "the plan differs from its format, so it is not known which values are sensitive";

/// What stands for an address that a plan does not have.
pub(super) const NO_ADDRESS: &str = "(no address)";

/// The requested report on a plan.
pub(super) struct Report<'p, 'a> {
    pub(super) plan: Plan<'a>,
    pub(super) arguments: &'p args::Plan,
    /// The declarations of the changes, with `--source`.
    pub(super) sources: Option<&'p Sources<'p>>,
    /// The older plan, with `--against`.
    pub(super) old: Option<&'p Old<'a>>,
    pub(super) changes: Vec<ResourceChange<'a>>,
    pub(super) drift: Vec<ResourceChange<'a>>,
    /// All changes, including those that are not selected.
    pub(super) all: &'p [ResourceChange<'a>],
    pub(super) has_changes: bool,
    /// What of the plan is shown.
    pub(super) shown: &'p Shown,
}

/// Counts by exclusive kinds, and other counts.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) kinds: [usize; ActionKind::ALL.len()],
    pub(super) import: usize,
    pub(super) moved: usize,
}

impl Summary {
    /// Counts a change.
    pub(super) fn add(&mut self, change: ResourceChange<'_>) {
        self.kinds[change.actions().kind() as usize] += 1;
        self.moved += usize::from(change.previous_address().value().is_some());
        self.import += usize::from(change.change().value().is_some_and(Change::is_import));
    }

    fn of<'a>(changes: impl IntoIterator<Item = ResourceChange<'a>>) -> Self {
        let mut summary = Self::default();
        changes.into_iter().for_each(|change| summary.add(change));
        summary
    }

    /// Returns text such as `2 create, 1 delete`; empty if all counts are 0.
    pub(super) fn text(&self) -> String {
        let mut counts: Vec<String> = ActionKind::ALL
            .into_iter()
            .filter(|kind| self.kinds[*kind as usize] > 0)
            .map(|kind| format!("{} {}", self.kinds[kind as usize], shown_name(kind)))
            .collect();
        for (count, name) in [(self.import, "import"), (self.moved, "move")] {
            if count > 0 {
                counts.push(format!("{count} {name}"));
            }
        }
        counts.join(", ")
    }
}

/// Returns `1 other is`, `2 others are`.
pub(super) fn others_of(count: usize) -> String {
    if count == 1 { "1 other is".to_owned() } else { format!("{count} others are") }
}

/// Returns the file and line of a place.
pub(super) fn line_of(range: &Range) -> String {
    format!("{}:{}", range.filename, range.start.line)
}

/// Returns ` by FILE:LINE` for the blocks that cause something, if they are known.
fn by(cause: Option<Cause>) -> String {
    let lines = cause.as_ref().and_then(Cause::blocks).unwrap_or_default().iter();
    let lines: Vec<String> = lines.map(|(range, _)| line_of(range)).collect();
    if lines.is_empty() { String::new() } else { format!(" by {}", lines.join(", ")) }
}

/// Returns one line about the selected changes and the number of others.
pub(super) fn headline(
    selected: &Summary,
    others: usize,
    of_all: impl FnOnce() -> String,
    has_changes: bool,
    arguments: &args::Plan,
    plan: Plan<'_>,
) -> String {
    let counts = selected.text();
    let is_selected = !arguments.action.is_empty()
        || arguments.selection.is_used()
        || arguments.against.is_some();
    match (counts.is_empty(), is_selected && others > 0) {
        (false, false) => counts,
        (false, true) => format!("{counts} ({} not selected)", others_of(others)),
        (true, true) => format!("no change is selected; the plan has {}", of_all()),
        (true, false) if has_changes => "no resource changes".to_owned(),
        // Changes are still to come, or missing.
        (true, false)
            if plan.complete().value() == Some(false) || plan.errored().value() == Some(true) =>
        {
            "no changes so far".to_owned()
        }
        (true, false) => "no changes".to_owned(),
    }
}

impl<'a> Report<'_, 'a> {
    /// Returns the counts of the selected changes.
    pub(super) fn summary(&self) -> Summary {
        Summary::of(self.changes.iter().copied())
    }

    /// Returns the counts of the checks of the plan.
    pub(super) fn checks(&self) -> CheckCounts {
        CheckCounts::of(self.plan.checks().value().into_iter().flat_map(List::iter))
    }

    /// Returns the conditions that failed or could not be evaluated: status, address and messages.
    pub(super) fn failures(&self) -> Vec<(CheckStatus<'a>, Cow<'a, str>, Vec<Cow<'a, str>>)> {
        let is_failure = |status: Option<CheckStatus<'a>>| {
            status.filter(|status| matches!(status, CheckStatus::Fail | CheckStatus::Error))
        };
        let mut failures = Vec::new();
        for check in self.plan.checks().value().into_iter().flat_map(List::iter) {
            let block = check.address().value().and_then(|it| it.to_display().value());
            let mut has_instance = false;
            for instance in check.instances().value().into_iter().flat_map(List::iter) {
                has_instance = true;
                let Some(status) = is_failure(instance.status().value()) else { continue };
                let address = instance.address().value().and_then(|it| it.to_display().value());
                let address = self.name(address.or(block).unwrap_or(NO_ADDRESS));
                failures.push((status, address, self.problems(instance).collect()));
            }
            if let Some(status) = is_failure(check.status().value()).filter(|_| !has_instance) {
                failures.push((status, self.name(block.unwrap_or(NO_ADDRESS)), Vec::new()));
            }
        }
        failures
    }

    /// Returns one line about the selected changes and the others.
    pub(super) fn headline(&self) -> String {
        let others = self.all.len() - self.changes.len().min(self.all.len());
        let of_all = || Summary::of(self.all.iter().copied()).text();
        headline(&self.summary(), others, of_all, self.has_changes, self.arguments, self.plan)
    }

    /// Returns the changes for people. Entries that leave their object unchanged are left out,
    /// unless their kind is selected.
    pub(super) fn shown_changes(&self) -> impl Iterator<Item = ResourceChange<'a>> {
        let asked_for = !self.arguments.action.is_empty();
        self.changes.iter().copied().filter(move |change| asked_for || !is_quiet(*change))
    }

    /// Returns the requested leaves of a change.
    pub(super) fn leaves(&self, change: Change<'a>, address: &'a str) -> Differences<'a> {
        let leaves = if self.arguments.values { change.leaves() } else { change.differences() };
        leaves.of_instance(address)
    }

    /// Returns a name or an address of the plan, outside of its changes, without hidden parts.
    pub(super) fn name<'t>(&self, name: &'t str) -> Cow<'t, str> {
        self.shown.name(self.plan.object().node(), name)
    }

    /// Returns the address of a change without hidden parts.
    pub(super) fn address(&self, change: ResourceChange<'a>) -> Cow<'a, str> {
        let address = change.address().value().unwrap_or(NO_ADDRESS);
        self.shown.name(change.object().node(), address)
    }

    /// Returns the address of an action without hidden parts.
    pub(super) fn action(&self, action: ActionInvocation<'a>) -> Cow<'a, str> {
        self.name(action.address().value().unwrap_or(NO_ADDRESS))
    }

    /// Iterates over the messages of the failed conditions of an instance, without hidden parts.
    pub(super) fn problems(
        &self,
        instance: CheckInstance<'a>,
    ) -> impl Iterator<Item = Cow<'a, str>> {
        let problems = instance.problems().value().into_iter().flat_map(List::iter);
        problems.filter_map(|problem| {
            Some(self.shown.text(problem.object().node(), problem.message().value()?))
        })
    }

    /// Returns the notes of a change: its object, its reason, whether and by which blocks it is
    /// moved or imported, and with `--source` its declaration, if it is known.
    pub(super) fn notes(&self, change: ResourceChange<'a>) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(key) = change.deposed().value() {
            notes.push(format!("(deposed object {key})"));
        }
        if let Some(reason) = change.action_reason().value() {
            notes.push(format!("({})", in_words(reason.name())));
        }
        if let Some(previous) = change.previous_address().value() {
            let by = by(self.sources.and_then(|sources| sources.moves(change)));
            let previous = self.shown.name(change.object().node(), previous);
            notes.push(format!("(moved from {previous}{by})"));
        }
        if change.change().value().is_some_and(Change::is_import) {
            let by = by(self.sources.and_then(|sources| sources.imports(change)));
            notes.push(format!("(imported{by})"));
        }
        match self.sources.map(|sources| sources.of(change)) {
            Some(Source::Declared((range, _))) => notes.push(line_of(&range)),
            Some(Source::Nowhere) => notes.push("(no longer declared)".to_owned()),
            Some(Source::Unknown(..)) | None => {}
        }
        notes
    }

    /// Returns the changes that are deferred to a later plan.
    pub(super) fn deferred_changes(&self) -> impl Iterator<Item = DeferredChange<'a>> {
        self.plan.deferred_changes().value().into_iter().flat_map(List::iter)
    }

    /// Returns the actions that are deferred to a later plan.
    pub(super) fn deferred_actions(&self) -> impl Iterator<Item = DeferredAction<'a>> {
        self.plan.deferred_action_invocations().value().into_iter().flat_map(List::iter)
    }

    /// Returns the actions that the plan invokes.
    pub(super) fn actions(&self) -> impl Iterator<Item = ActionInvocation<'a>> {
        self.plan.action_invocations().value().into_iter().flat_map(List::iter)
    }

    /// Returns the parts of the plan that are unknown or missing, with the reason.
    pub(super) fn incomplete(&self) -> Vec<(&'static str, &'static str)> {
        let mut all = Vec::new();
        if self.plan.errored().value() == Some(true) {
            all.push(("resource_changes", "planning failed, so changes may be missing"));
        }
        if self.plan.complete().value() == Some(false) {
            all.push(("resource_changes", "some changes are deferred to a later plan"));
        }
        if !self.plan.plan_format_version().is_absent() {
            let why = "a redacted plan has neither planned values nor a configuration";
            all.push(("planned_values", why));
        }
        all
    }

    /// Returns the gaps of sources so far, and of the comparison.
    pub(super) fn gaps(&self) -> Incomplete {
        let of_sources = self.sources.map(Sources::gaps).unwrap_or_default();
        let mut gaps = Incomplete::default();
        for gap in of_sources.iter() {
            // A place may be an address.
            let places = gap.places.iter();
            places.for_each(|place| gaps.add(gap.what, self.shown.anything(place), gap.why));
        }
        gaps.append(self.old.map(|old| old.gaps(false)).unwrap_or_default());
        if self.shown.is_unclear() {
            gaps.add("values", "plan", HIDDEN);
        }
        gaps
    }

    /// Returns all gaps: of the plan, of sources, and of the comparison.
    pub(super) fn all_gaps(&self, diagnostics: &[Diagnostic<'_>]) -> Incomplete {
        let mut gaps = self.gaps();
        for (place, why) in self.incomplete() {
            gaps.add("plan", place, why);
        }
        let codes = [Code::MissingPlanSchema, Code::IncompletePlanFile];
        for diagnostic in diagnostics.iter().filter(|it| codes.contains(&it.code())) {
            let what = diagnostic.code().as_str();
            gaps.add(what, diagnostic.source().name(), diagnostic.detail());
        }
        gaps
    }

    /// Returns the names of sensitive root variables.
    pub(super) fn sensitive_variables(&self) -> std::collections::BTreeSet<&'a str> {
        let root = self.plan.configuration().value().and_then(|all| all.root_module().value());
        let variables = root.and_then(|root| root.variables().value());
        let is_secret = |field: simd_hcl::show::Field<'_, bool>| field.value() == Some(true);
        variables
            .into_iter()
            .flat_map(Map::iter)
            .filter(|(_, it)| is_secret(it.sensitive()) || is_secret(it.ephemeral()))
            .map(|(name, _)| name)
            .collect()
    }
}

/// The differences of a change, with their paths as text.
pub(super) struct Changed<'a> {
    /// The concatenated paths.
    text: String,
    found: Vec<(usize, Difference<'a>)>,
    unseen: Vec<String>,
}

impl<'a> Changed<'a> {
    /// Returns the differences of a change. Paths are cut after `depth` steps.
    pub(super) fn of(
        change: Change<'a>,
        address: &'a str,
        depth: usize,
        shown: &Shown,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Self {
        let (mut text, mut found) = (String::new(), Vec::new());
        let mut differences = change.differences().of_instance(address);
        while let Some(difference) = differences.next() {
            let path = differences.path();
            let steps = path.steps();
            // Writing into a string does not fail.
            let path = Path::new(&steps[..steps.len().min(depth)]);
            let _ = write!(text, "{}", shown.path(path));
            found.push((text.len(), difference));
        }
        diagnostics.extend_from_slice(differences.misfits());
        let of = change.object().node();
        let unseen = differences.unseen_replace_paths();
        let unseen = unseen.iter().map(|path| shown.name(of, path).into_owned()).collect();
        Self { text, found, unseen }
    }

    /// Iterates over the differences with their paths, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Difference<'a>)> {
        let starts = std::iter::once(0).chain(self.found.iter().map(|(end, _)| *end));
        starts.zip(&self.found).map(|(start, (end, it))| (&self.text[start..*end], it))
    }

    /// Returns the paths that force replacement: first those of differences, then the others.
    pub(super) fn forced(&self) -> Vec<&str> {
        let seen = self.iter().filter(|(_, it)| it.forces_replacement).map(|(path, _)| path);
        let mut forced: Vec<&str> = seen.collect();
        if !self.unseen.is_empty() {
            let known: std::collections::HashSet<&str> = forced.iter().copied().collect();
            let unseen = self.unseen.iter().map(String::as_str);
            forced.extend(unseen.filter(|path| !known.contains(path)));
        }
        forced
    }
}

/// Returns a reason of a plan in words: `instance_count_unknown` as `instance count unknown`.
pub(super) fn in_words(reason: &str) -> String {
    reason.replace('_', " ")
}

/// Returns whether applying a change would change anything.
pub(super) fn is_change(change: ResourceChange<'_>) -> bool {
    change.actions().kind() != ActionKind::NoOp
        || change.previous_address().value().is_some()
        || change.change().value().is_some_and(Change::is_import)
}

/// Returns whether applying the plan would change anything, as the tools see it.
pub(super) fn has_changes(plan: Plan<'_>) -> bool {
    plan.changes().any(is_change) || has_other_changes(plan)
}

/// Returns whether applying the plan would change anything but resources.
pub(super) fn has_other_changes(plan: Plan<'_>) -> bool {
    let is_output_change = |change: Change<'_>| {
        change.actions().value().is_some_and(|actions| actions.kind() != ActionKind::NoOp)
    };
    plan.outputs().any(|(_, change)| is_output_change(change))
        || plan.deferred_changes().value().is_some_and(|list| list.iter().next().is_some())
        || plan.action_invocations().value().is_some_and(|list| list.iter().next().is_some())
        || plan
            .deferred_action_invocations()
            .value()
            .is_some_and(|list| list.iter().next().is_some())
}

//! The requested report on a plan, which a file for each format prints.

use std::borrow::Cow;

use simd_hcl::show::rows::{Change, Check, CheckInstance, Summary};
use simd_hcl::show::{ActionKind, CheckCounts, CheckStatus, List, Plan, ResourceChange};
use simd_hcl::{Code, Diagnostic};

use super::against::Old;
use super::change::{NO_ADDRESS, View, shown_name};
use super::source::Sources;
use crate::args;
use crate::incomplete::Incomplete;

/// Why no value of a plan is printed.
const HIDDEN: &str =
    "the plan differs from its format, so it is not known which values are sensitive";

/// The requested report on a plan.
pub(super) struct Report<'p, 'a> {
    pub(super) plan: Plan<'a>,
    pub(super) view: View<'p>,
    /// The older plan, with `--against`.
    pub(super) old: Option<&'p Old<'a>>,
    pub(super) changes: Vec<Change<'a>>,
    pub(super) drift: Vec<Change<'a>>,
    /// All changes, including those that are not selected.
    pub(super) all: &'p [ResourceChange<'a>],
    pub(super) has_changes: bool,
}

/// A check that failed or could not be evaluated.
pub(super) struct Failed<'a> {
    pub(super) status: CheckStatus<'a>,
    pub(super) address: Cow<'a, str>,
    pub(super) messages: Vec<Cow<'a, str>>,
}

/// Returns text such as `2 create, 1 delete`; empty if all counts are 0.
fn text_of(summary: &Summary) -> String {
    let mut counts = Vec::new();
    for (name, count) in summary.iter().filter(|(_, count)| *count > 0) {
        let name = ActionKind::of(name).map_or(name, shown_name);
        counts.push(format!("{count} {name}"));
    }
    counts.join(", ")
}

/// Returns `1 other is`, `2 others are`.
pub(super) fn others_of(count: usize) -> String {
    if count == 1 { "1 other is".to_owned() } else { format!("{count} others are") }
}

/// Returns one line about the selected changes and the number of others.
pub(super) fn headline(
    selected: &Summary,
    others: usize,
    of_all: impl FnOnce() -> Summary,
    has_changes: bool,
    arguments: &args::Plan,
    plan: Plan<'_>,
) -> String {
    let counts = text_of(selected);
    let is_selected = !arguments.action.is_empty()
        || arguments.selection.is_used()
        || arguments.against.is_some();
    match (counts.is_empty(), is_selected && others > 0) {
        (false, false) => counts,
        (false, true) => format!("{counts} ({} not selected)", others_of(others)),
        (true, true) => format!("no change is selected; the plan has {}", text_of(&of_all())),
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
        self.changes.iter().map(|change| change.entry()).collect()
    }

    /// Returns the counts of the checks of the plan.
    pub(super) fn checks(&self) -> CheckCounts {
        CheckCounts::of(self.plan.checks().value().into_iter().flat_map(List::iter))
    }

    /// Returns the conditions that failed or could not be evaluated.
    pub(super) fn failures(&self) -> Vec<Failed<'a>> {
        let is_failure = |status: Option<CheckStatus<'a>>| {
            status.filter(|status| matches!(status, CheckStatus::Fail | CheckStatus::Error))
        };
        let shown = self.view.shown;
        let named = |address: Option<Cow<'a, str>>| address.unwrap_or(Cow::Borrowed(NO_ADDRESS));
        let of_instance = |one: CheckInstance<'a>| {
            let status = is_failure(one.view().status().value())?;
            Some(Failed {
                status,
                address: named(one.address(shown)),
                messages: one.messages(shown),
            })
        };
        let of_block = |check: Check<'a>| {
            let status = is_failure(check.view().status().value())?;
            Some(Failed { status, address: named(check.address(shown)), messages: Vec::new() })
        };
        let mut failures = Vec::new();
        for check in self.plan.check_rows() {
            let mut instances = check.instances().peekable();
            if instances.peek().is_none() {
                failures.extend(of_block(check));
            }
            failures.extend(instances.filter_map(of_instance));
        }
        failures
    }

    /// Returns one line about the selected changes and the others.
    pub(super) fn headline(&self) -> String {
        let others = self.all.len() - self.changes.len().min(self.all.len());
        let of_all = || self.all.iter().copied().collect();
        let (arguments, plan) = (self.view.arguments, self.plan);
        headline(&self.summary(), others, of_all, self.has_changes, arguments, plan)
    }

    /// Returns the changes for people. Entries that leave their object unchanged are left out,
    /// unless their kind is selected.
    pub(super) fn shown_changes(&self) -> impl Iterator<Item = Change<'a>> {
        let asked_for = !self.view.arguments.action.is_empty();
        self.changes.iter().copied().filter(move |change| asked_for || !change.is_quiet())
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
        let of_sources = self.view.sources.map(Sources::gaps).unwrap_or_default();
        let mut gaps = Incomplete::default();
        for gap in of_sources.iter() {
            // A place may be an address.
            let places = gap.places.iter();
            places.for_each(|place| gaps.add(gap.what, self.view.shown.anything(place), gap.why));
        }
        gaps.append(self.old.map(|old| old.gaps(false)).unwrap_or_default());
        if self.view.shown.is_unclear() {
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
            let (what, detail) = (diagnostic.code().as_str(), diagnostic.detail());
            gaps.add(what, diagnostic.source().name(), self.view.shown.anything(&detail));
        }
        gaps
    }
}

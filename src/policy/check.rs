//! Checks changes against rules.

use super::finding::Finding;
use super::reads::Root;
use super::report::{Report, reads_sensitive};
use super::rule::{Message, Rule};
use super::rules::Rules;
use super::select::{Selection, Selections};
use super::subject::{Subject, Variables};
use super::verdict::Verdict;
use crate::arena::Arena;
use crate::evaluate::{Budget, Meter, Scope};
use crate::parallel;
use crate::show::index::Blocks;
use crate::show::{Address, Plan, ResourceChange};

/// Options for checking a plan.
///
/// ```
/// use simd_hcl::evaluate::Budget;
/// use simd_hcl::policy::CheckOptions;
///
/// let options = CheckOptions::default().with_budget(Budget::new(1_000, 1 << 20));
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The limit of steps and bytes for each evaluation of a condition or a message.
    pub budget: Budget,
    /// Whether texts may contain sensitive values.
    pub show_sensitive: bool,
}

impl CheckOptions {
    /// A million steps, which take some hundredths of a second, and 16 MiB for each evaluation.
    pub const BUDGET: Budget = Budget::new(1_000_000, 16 << 20);

    /// Sets the budget.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets whether texts may contain sensitive values.
    #[must_use]
    pub fn with_sensitive(mut self, show: bool) -> Self {
        self.show_sensitive = show;
        self
    }
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { budget: Self::BUDGET, show_sensitive: false }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked<'a> {
    /// Findings in the order of the changes; for each change in the order of the rules.
    pub findings: Vec<Finding<'a>>,
    /// The number of evaluated conditions: one for each rule and change that it selects.
    pub conditions: u64,
}

/// The number of changes that a thread takes at once.
const CHANGES_AT_ONCE: usize = 64;

impl<'a> Rules<'a> {
    /// The skeleton depth that suits checks: values before and after are sealed one by one, and
    /// opened if a rule uses them.
    pub const DEPTH: u32 = Plan::DIFF_DEPTH;

    /// Checks all changes of a plan. See [`Rules::check_changes`].
    #[must_use]
    pub fn check(&self, plan: Plan<'a>, options: &CheckOptions) -> Checked<'a> {
        let changes: Vec<_> = plan.changes().collect();
        self.check_changes(plan, &changes, options)
    }

    /// Checks some changes of a plan.
    ///
    /// Each change is checked by the rules that select it. Members that no condition uses are not
    /// opened, and members that several use are read once. The findings do not depend on the number
    /// of threads. Enters the current rayon pool.
    ///
    /// Cost: linear in the changes and in the rules; for each pair of a type and an action, in the
    /// rules that name the type or a pattern; and for each change, in the members that its rules
    /// use, plus the evaluations, within the budget for each.
    #[must_use]
    pub fn check_changes(
        &self,
        plan: Plan<'a>,
        changes: &[ResourceChange<'a>],
        options: &CheckOptions,
    ) -> Checked<'a> {
        let heads = parallel::map(changes, CHANGES_AT_ONCE, |change| {
            let head = change.head();
            (head.resource_type(), head.actions().kind())
        });
        let selections = Selections::of(self, heads.into_iter());
        let has_blocks = selections.all.iter().any(|it| it.reads(Root::Configuration));
        let blocks = (has_blocks || self.messages_read_blocks()).then(|| Blocks::of(plan));
        let selected: Vec<(ResourceChange<'a>, &Selection)> = changes
            .iter()
            .zip(&selections.of_changes)
            .filter_map(|(change, place)| Some((*change, selections.all.get((*place)? as usize)?)))
            .collect();
        let check = |arena: &mut Arena, changes: &[(ResourceChange<'a>, &Selection)]| {
            let mut checked = Checked::default();
            for (change, selection) in changes {
                let subject = Subject::new(*change, blocks.as_ref());
                let check = Check {
                    rules: self,
                    options,
                    meter: None,
                    arena,
                    subject: &subject,
                    entry: *change,
                };
                check.run(selection, &mut checked);
                arena.reset();
            }
            checked
        };
        let checked = parallel::map_chunks(&selected, CHANGES_AT_ONCE, Arena::new, check);
        let mut all = Checked::default();
        for checked in checked {
            all.conditions += checked.conditions;
            all.findings.extend(checked.findings);
        }
        all
    }

    /// Checks the changes of a plan by one rule, one after another, within what is left of a budget.
    #[cfg(feature = "rules")]
    pub(crate) fn check_rule(&self, place: u32, plan: Plan<'a>, meter: &Meter) -> Checked<'a> {
        let mut checked = Checked::default();
        let Some(rule) = self.get(place as usize) else { return checked };
        let selection = Selection::of(self, vec![place]);
        let blocks = Blocks::of(plan);
        let options = CheckOptions::default();
        let mut arena = Arena::new();
        for change in plan.changes() {
            let head = change.head();
            let kind = head.actions().kind();
            if rule.filter.wants_action(kind) && rule.filter.wants_type(head.resource_type()) {
                let subject = Subject::new(change, Some(&blocks));
                let check = Check {
                    rules: self,
                    options: &options,
                    meter: Some(meter),
                    arena: &arena,
                    subject: &subject,
                    entry: change,
                };
                check.run(&selection, &mut checked);
            }
            arena.reset();
        }
        checked
    }

    fn messages_read_blocks(&self) -> bool {
        self.iter().any(|rule| match &rule.message {
            Some(Message::Template { wants, .. }) => !wants.part(Root::Configuration).is_nothing(),
            _ => false,
        })
    }
}

/// The check of one change.
struct Check<'c, 'p, 'a> {
    rules: &'c Rules<'a>,
    options: &'c CheckOptions,
    /// The rest of a budget of all evaluations; without it, each has the budget of the options.
    meter: Option<&'c Meter>,
    /// The arena of the values of this change. It is reset for the next change.
    arena: &'c Arena,
    subject: &'c Subject<'p, 'a>,
    entry: ResourceChange<'a>,
}

impl<'c, 'a> Check<'c, '_, 'a> {
    fn run(&self, selection: &Selection, checked: &mut Checked<'a>) {
        let address = match selection.has_places {
            true => Address::parse(self.entry.head().address()).ok(),
            false => None,
        };
        let is_meant = |rule: &Rule<'_>| {
            !rule.filter.has_places()
                || address.as_ref().is_some_and(|address| rule.filter.wants_address(address))
        };
        let mut variables: Option<Variables<'c>> = None;
        for place in selection.rules.iter().map(|place| *place as usize) {
            let Some(rule) = self.rules.get(place).filter(|rule| is_meant(rule)) else { continue };
            checked.conditions += 1;
            let variables = variables
                .get_or_insert_with(|| self.subject.variables(self.arena, &selection.wants));
            self.check(rule, place, variables, checked);
        }
    }

    fn check(
        &self,
        rule: &Rule<'a>,
        place: usize,
        variables: &Variables<'c>,
        checked: &mut Checked<'a>,
    ) {
        let (entry, subject) = (self.entry, self.subject);
        let shows_sensitive = self.options.show_sensitive;
        let report = Report { rule, place, entry, subject, shows_sensitive };
        let outer = self.scope(variables);
        let own = Meter::new(self.options.budget);
        match rule.verdict(self.arena, &outer, self.meter.unwrap_or(&own)) {
            Verdict::Fails => {}
            Verdict::Holds => self.matched(&report, checked),
            Verdict::Undecided => checked.findings.push(report.undecided(variables)),
            Verdict::Nothing(why) => checked.findings.push(report.no_verdict(why)),
            Verdict::Invalid(error) => {
                let reads_sensitive = reads_sensitive(variables, &rule.condition.reads);
                checked.findings.push(report.invalid(&error, reads_sensitive));
            }
        }
    }

    /// Reports that the condition of a rule is true, with the rule's message.
    fn matched(&self, report: &Report<'_, '_, 'a>, checked: &mut Checked<'a>) {
        let (reads, wants) = match &report.rule.message {
            None => return checked.findings.push(report.matched(None)),
            Some(Message::Text(text)) => {
                return checked.findings.push(report.matched(Some(text)));
            }
            Some(Message::Template { reads, wants, .. }) => (reads, wants),
        };
        let variables = self.subject.variables(self.arena, wants);
        let outer = self.scope(&variables);
        let mut error = None;
        let shows_sensitive = self.options.show_sensitive;
        let own = Meter::new(self.options.budget);
        let meter = self.meter.unwrap_or(&own);
        let text = report.rule.message(self.arena, &outer, meter, shows_sensitive, &mut error);
        checked.findings.push(report.matched(text.as_deref()));
        if let Some(error) = error {
            checked.findings.push(report.invalid(&error, reads_sensitive(&variables, reads)));
        }
    }

    fn scope<'s>(&'s self, variables: &'s Variables<'c>) -> Scope<'s, 'c> {
        let scope = Scope::new().with_variables(variables).with_short_circuits();
        match self.rules.functions() {
            Some(functions) => scope.with_functions(functions),
            None => scope,
        }
    }
}

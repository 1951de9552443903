//! Checks changes against rules.

use std::cell::OnceCell;

use super::budget::{SPENT, print, share};
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
    /// use, plus the evaluations, within the budget for each, and one for all, which grows with the changes and
    /// the rules. The first rule and change that it does not suffice for has an error.
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
        let blocks = has_blocks.then(|| Blocks::of(plan));
        let selected: Vec<(ResourceChange<'a>, &Selection)> = changes
            .iter()
            .zip(&selections.of_changes)
            .filter_map(|(change, place)| Some((*change, selections.all.get((*place)? as usize)?)))
            .collect();
        let check = |arena: &mut Arena, changes: &[(ResourceChange<'a>, &Selection)]| {
            let mut found = Found::default();
            for (change, selection) in changes {
                let subject = Subject::new(*change, blocks.as_ref());
                let bytes = u64::from(change.object().node().span().len());
                let meter = Meter::new(share(selected.len(), bytes, selection.rules.len()));
                let check = Check {
                    rules: self,
                    options,
                    meter: &meter,
                    arena,
                    subject: &subject,
                    entry: *change,
                };
                check.run(selection, &mut found);
                arena.reset();
            }
            found
        };
        let found = parallel::map_chunks(&selected, CHANGES_AT_ONCE, Arena::new, check);
        let mut all = Found::default();
        found.into_iter().for_each(|found| all.append(found));
        all.checked
    }

    /// Checks the changes of a plan by one rule, one after another, within what is left of a budget.
    #[cfg(feature = "rules")]
    pub(crate) fn check_rule(&self, place: u32, plan: Plan<'a>, meter: &Meter) -> Checked<'a> {
        let mut found = Found::default();
        let Some(rule) = self.get(place as usize) else { return found.checked };
        let selection = Selection::of(self, vec![place]);
        let blocks = Blocks::of(plan);
        let options = CheckOptions::default().with_budget(Budget::new(u64::MAX, u64::MAX));
        let mut arena = Arena::new();
        for change in plan.changes() {
            let head = change.head();
            let kind = head.actions().kind();
            if rule.filter.wants_action(kind) && rule.filter.wants_type(head.resource_type()) {
                let subject = Subject::new(change, Some(&blocks));
                let check = Check {
                    rules: self,
                    options: &options,
                    meter,
                    arena: &arena,
                    subject: &subject,
                    entry: change,
                };
                check.run(&selection, &mut found);
            }
            arena.reset();
        }
        found.checked
    }
}

/// The findings so far.
#[derive(Default)]
struct Found<'a> {
    checked: Checked<'a>,
    /// The place of the finding that the budget of all evaluations is spent, the only one.
    spent: Option<usize>,
}

impl<'a> Found<'a> {
    fn append(&mut self, mut other: Self) {
        let before = self.checked.findings.len();
        match (self.spent, other.spent) {
            (Some(_), Some(place)) => drop(other.checked.findings.remove(place)),
            (None, place) => self.spent = place.map(|place| before + place),
            (Some(_), None) => {}
        }
        self.checked.conditions += other.checked.conditions;
        self.checked.findings.append(&mut other.checked.findings);
    }

    fn push(&mut self, finding: Finding<'a>) {
        self.checked.findings.push(finding);
    }

    fn spent(&mut self, finding: impl FnOnce() -> Finding<'a>) {
        if self.spent.is_none() {
            self.spent = Some(self.checked.findings.len());
            self.push(finding());
        }
    }
}

/// The condition of a rule is true.
struct Holds;

/// The check of one change.
struct Check<'c, 'p, 'a> {
    rules: &'c Rules<'a>,
    options: &'c CheckOptions,
    /// The rest of the budget of all evaluations. Each has the budget of the options, too.
    meter: &'c Meter,
    /// The arena of the values of this change. It is reset for the next change.
    arena: &'c Arena,
    subject: &'c Subject<'p, 'a>,
    entry: ResourceChange<'a>,
}

impl<'c, 'a> Check<'c, '_, 'a> {
    fn run(&self, selection: &Selection, found: &mut Found<'a>) {
        let address = match selection.has_places {
            true => Address::parse(self.entry.head().address()).ok(),
            false => None,
        };
        let is_meant = |rule: &Rule<'_>| {
            !rule.filter.has_places()
                || address.as_ref().is_some_and(|address| rule.filter.wants_address(address))
        };
        let cells = [OnceCell::new(), OnceCell::new()];
        let [of_conditions, of_messages] = &cells;
        let of_conditions =
            || of_conditions.get_or_init(|| self.subject.variables(self.arena, &selection.wants));
        let of_messages = || {
            let wants = &selection.wants_in_messages;
            of_messages.get_or_init(|| self.subject.variables(self.arena, wants))
        };
        for place in selection.rules.iter().map(|place| *place as usize) {
            let Some(rule) = self.rules.get(place).filter(|rule| is_meant(rule)) else { continue };
            let (entry, subject) = (self.entry, self.subject);
            let shows_sensitive = self.options.show_sensitive;
            let report = Report { rule, place, entry, subject, shows_sensitive };
            found.checked.conditions += 1;
            let findings = match self.verdict(&report, of_conditions()) {
                Ok(finding) => [finding, None],
                Err(Holds) => self.matched(&report, of_messages),
            };
            if self.meter.exhausted().is_some() {
                found.spent(|| report.no_verdict(SPENT));
                return;
            }
            findings.into_iter().flatten().for_each(|finding| found.push(finding));
        }
    }

    /// The finding of a condition.
    ///
    /// # Errors
    /// It is true, and the message has to be made.
    fn verdict(
        &self,
        report: &Report<'_, '_, 'a>,
        variables: &Variables<'c>,
    ) -> Result<Option<Finding<'a>>, Holds> {
        let scope = self.scope(variables);
        let rule = report.rule;
        let evaluate = |meter: &Meter| rule.verdict(self.arena, &scope, meter);
        match self.meter.part(self.options.budget, evaluate) {
            Verdict::Fails => Ok(None),
            Verdict::Holds => Err(Holds),
            Verdict::Undecided => Ok(Some(report.undecided(variables))),
            Verdict::Nothing(why) => Ok(Some(report.no_verdict(why))),
            Verdict::Invalid(error) => {
                let reads_sensitive = reads_sensitive(variables, &rule.condition.reads);
                Ok(Some(report.invalid(&error, reads_sensitive)))
            }
        }
    }

    /// The findings of a rule whose condition is true: one with its message, and one if that has an error.
    fn matched<'s>(
        &self,
        report: &Report<'_, '_, 'a>,
        variables: impl FnOnce() -> &'s Variables<'c>,
    ) -> [Option<Finding<'a>>; 2]
    where
        'c: 's,
    {
        let rule = report.rule;
        let finding = |text: Option<&str>| {
            print(self.meter, text.unwrap_or(rule.condition.text));
            Some(report.matched(text))
        };
        let reads = match &rule.message {
            None => return [finding(None), None],
            Some(Message::Text(text)) => return [finding(Some(text)), None],
            Some(Message::Template { reads, .. }) => reads,
        };
        let variables = variables();
        let scope = self.scope(variables);
        let mut error = None;
        let shows_sensitive = self.options.show_sensitive;
        let evaluate =
            |meter: &Meter| rule.message(self.arena, &scope, meter, shows_sensitive, &mut error);
        let text = self.meter.part(self.options.budget, evaluate);
        let error = error.map(|error| report.invalid(&error, reads_sensitive(variables, reads)));
        [finding(text.as_deref()), error]
    }

    fn scope<'s>(&'s self, variables: &'s Variables<'c>) -> Scope<'s, 'c> {
        let scope = Scope::new().with_variables(variables).with_short_circuits();
        match self.rules.functions() {
            Some(functions) => scope.with_functions(functions),
            None => scope,
        }
    }
}

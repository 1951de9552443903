//! Many diagnostics, in the order in which they are printed.

use std::borrow::Cow;

use rayon::prelude::*;
use simd_hcl::policy::Rule;
pub(crate) use simd_hcl::report::{FoundBy, OwnedDiagnostic as Finding, Related, Snippet};
use simd_hcl::{Code, Diagnostic, Severity};

use crate::args::Selector;
use crate::excerpt::Range;

/// The rule that found something in a plan.
fn found_by(rule: &Rule<'_>) -> FoundBy {
    FoundBy::new(rule.name()).with_help(rule.help()).with_url(rule.url())
}

/// What a rule says of a change. The text around places in the plan is not shown: it may hold
/// secrets.
pub(crate) fn of_rule(diagnostic: &Diagnostic<'_>, rule: &Rule<'_>) -> Finding {
    let own = rule.label().source.id();
    let is_error = diagnostic.code() == Code::RuleError;
    Finding::showing(diagnostic, |source| source.id() == own)
        .with_rule((!is_error).then(|| found_by(rule)))
}

/// A finding without the text around it, which may hold secrets.
pub(crate) fn without_excerpts(diagnostic: &Diagnostic<'_>) -> Finding {
    Finding::showing(diagnostic, |_| false)
}

/// What the flags say of codes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Policy<'p> {
    pub(crate) allow: &'p [Selector],
    pub(crate) deny: &'p [Selector],
}

impl Policy<'_> {
    /// The finding, unless its code is allowed.
    pub(crate) fn apply(&self, diagnostic: Diagnostic<'_>) -> Option<Finding> {
        let severity = self.severity(&diagnostic)?;
        Some(Finding::of(&diagnostic.with_severity(severity)))
    }

    /// How grave the diagnostic is, unless its code is allowed.
    fn severity(&self, diagnostic: &Diagnostic<'_>) -> Option<Severity> {
        let severity = diagnostic.severity();
        let code = Selector::Code(diagnostic.code());
        if self.allow.contains(&code) {
            return None;
        }
        if self.deny.contains(&code) {
            return Some(Severity::Error);
        }
        let names_all = |flags: &[Selector]| {
            severity == Severity::Warning && flags.contains(&Selector::Warnings)
        };
        match (names_all(self.allow), names_all(self.deny)) {
            (true, _) => None,
            (false, true) => Some(Severity::Error),
            (false, false) => Some(severity),
        }
    }
}

/// Everything that is found, however much: texts and positions are made when a finding is printed,
/// and one at a time.
pub(crate) struct Findings<'t, 'a> {
    all: Vec<Entry<'t, 'a>>,
}

enum Entry<'t, 'a> {
    Made(Box<Finding>),
    Found(&'t Diagnostic<'a>, Severity),
    Rule(&'t Diagnostic<'a>, &'t Rule<'a>, Severity),
}

impl<'t, 'a> Findings<'t, 'a> {
    /// The findings of files that are not in memory any more.
    pub(crate) fn of(made: Vec<Finding>) -> Self {
        Self { all: made.into_iter().map(|finding| Entry::Made(Box::new(finding))).collect() }
    }

    /// Adds a diagnostic, unless the policy allows it.
    pub(crate) fn take(&mut self, diagnostic: &'t Diagnostic<'a>, policy: Policy<'_>) {
        let severity = policy.severity(diagnostic);
        self.all.extend(severity.map(|severity| Entry::Found(diagnostic, severity)));
    }

    /// Adds findings that are made already.
    pub(crate) fn extend(&mut self, made: Vec<Finding>) {
        self.all.extend(made.into_iter().map(|finding| Entry::Made(Box::new(finding))));
    }

    /// Adds what a rule says of a change.
    pub(crate) fn add_rule(
        &mut self,
        diagnostic: &'t Diagnostic<'a>,
        rule: &'t Rule<'a>,
        severity: Severity,
    ) {
        self.all.push(Entry::Rule(diagnostic, rule, severity));
    }

    /// Sorts by path, then by offset.
    pub(crate) fn sort(&mut self) {
        self.all.sort_by(|one, other| one.place().cmp(&other.place()));
    }

    /// The findings. Each is made when it is asked for.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Cow<'_, Finding>> {
        self.all.iter().map(Entry::finding)
    }

    /// `len` findings from `start` on, made on all threads.
    pub(crate) fn range(
        &self,
        start: usize,
        len: usize,
    ) -> impl ParallelIterator<Item = Cow<'_, Finding>> {
        let end = self.all.len().min(start + len);
        self.all[start..end].par_iter().map(Entry::finding)
    }

    /// The codes of the findings, or the rules that found them, in their order.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&str, Option<FoundBy>)> {
        self.all.iter().map(|entry| match entry {
            Entry::Made(finding) => (finding.id(), finding.rule.clone()),
            Entry::Rule(diagnostic, rule, _) if diagnostic.code() != Code::RuleError => {
                (rule.name(), Some(found_by(rule)))
            }
            Entry::Found(diagnostic, _) | Entry::Rule(diagnostic, ..) => {
                (diagnostic.code().as_str(), None)
            }
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many of them are errors.
    pub(crate) fn errors(&self) -> usize {
        let is_error = |entry: &&Entry<'_, '_>| match entry {
            Entry::Made(finding) => finding.is_error(),
            Entry::Found(_, severity) | Entry::Rule(_, _, severity) => *severity == Severity::Error,
        };
        self.all.iter().filter(is_error).count()
    }
}

impl Entry<'_, '_> {
    fn finding(&self) -> Cow<'_, Finding> {
        match self {
            Self::Made(finding) => Cow::Borrowed(&**finding),
            Self::Found(diagnostic, severity) => {
                let diagnostic = Diagnostic::clone(diagnostic).with_severity(*severity);
                Cow::Owned(Finding::of(&diagnostic))
            }
            Self::Rule(diagnostic, rule, severity) => {
                let diagnostic = Diagnostic::clone(diagnostic).with_severity(*severity);
                Cow::Owned(of_rule(&diagnostic, rule))
            }
        }
    }

    /// The path, and where it starts and ends there.
    fn place(&self) -> (&str, u32, u32) {
        match self {
            Self::Made(finding) => {
                let Range { filename, start, end, .. } = &finding.range;
                (filename, start.byte, end.byte)
            }
            Self::Found(diagnostic, _) | Self::Rule(diagnostic, ..) => {
                let span = diagnostic.span();
                (diagnostic.source().name(), span.start, span.end)
            }
        }
    }
}

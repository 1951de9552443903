//! Findings: diagnostics in the order in which they are printed.

use std::borrow::Cow;

use rayon::prelude::*;
use simd_hcl::diagnostic::{Fix, Safety};
use simd_hcl::policy::Rule;
pub(crate) use simd_hcl::report::{FoundBy, OwnedDiagnostic as Finding, Related, Snippet};
use simd_hcl::rules::RULES;
use simd_hcl::{Code, Diagnostic, Severity, Source};

use crate::allowed::Comments;
use crate::args::{Selector, named};
use crate::chosen::Choice;
use crate::excerpt::Range;
use crate::settings::{Codes, Settings};

/// Returns the subject of a diagnostic: two with the same subject say the same.
pub(crate) fn fact(it: &Diagnostic<'_>) -> (u32, u32, Code) {
    let code = match it.code() {
        // Both are a secret where it would be shown: as it is written, and as it is evaluated.
        Code::SecretInstances => Code::EarlySecret,
        code => code,
    };
    (it.source().id(), it.span().start, code)
}

/// Returns the rule that reported a finding.
fn found_by(rule: &Rule<'_>) -> FoundBy {
    FoundBy::new(rule.name()).with_help(rule.help()).with_url(rule.url())
}

/// Returns the finding of a rule, without source lines of the plan, which may contain secrets.
pub(crate) fn of_rule(diagnostic: &Diagnostic<'_>, rule: &Rule<'_>) -> Finding {
    let own = rule.label().source.id();
    let is_error = diagnostic.code() == Code::RuleError;
    Finding::showing(diagnostic, |source| source.id() == own)
        .with_rule((!is_error).then(|| found_by(rule)))
}

/// Returns a finding without source lines, which may contain secrets.
pub(crate) fn without_excerpts(diagnostic: &Diagnostic<'_>) -> Finding {
    Finding::showing(diagnostic, |_| false)
}

/// The severities that the flags and the settings set, and what comments allow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Policy<'p> {
    pub(crate) flags: Option<&'p Codes>,
    pub(crate) settings: Option<&'p Settings>,
    pub(crate) comments: Option<&'p dyn Comments>,
}

impl Policy<'_> {
    /// The rules that are selected.
    pub(crate) fn choice(&self) -> Choice<'_> {
        Choice { flags: self.flags, settings: self.settings }
    }

    /// Returns the finding, unless its code is allowed.
    pub(crate) fn apply(&self, diagnostic: Diagnostic<'_>) -> Option<Finding> {
        let severity = self.severity(&diagnostic)?;
        Some(Finding::of(&diagnostic.with_severity(severity)))
    }

    /// Returns the severity of the diagnostic, unless its code is allowed.
    pub(crate) fn severity(&self, diagnostic: &Diagnostic<'_>) -> Option<Severity> {
        let severity = diagnostic.severity();
        if !self.is_selected(diagnostic.code(), diagnostic.source().name()) {
            return None;
        }
        let is_final = self.choice().is_final(diagnostic.code());
        if !is_final && self.comments.is_some_and(|it| it.have(diagnostic)) {
            return None;
        }
        // A code takes precedence over `warnings`.
        let by_code = |selector: &Selector| selector.names(diagnostic.code());
        let is_warning = severity == Severity::Warning;
        let by_severity =
            |selector: &Selector| is_warning && matches!(selector, Selector::Warnings);
        let ways: [&dyn Fn(&Selector) -> bool; 2] = [&by_code, &by_severity];
        for is_meant in ways {
            let name = diagnostic.source().name();
            let of_file = self.settings.into_iter().flat_map(|it| it.codes_of(name));
            for codes in self.flags.into_iter().chain(of_file) {
                if codes.allow.iter().any(is_meant) {
                    return None;
                }
                if codes.deny.iter().any(is_meant) {
                    return Some(Severity::Error);
                }
            }
        }
        Some(severity)
    }

    /// Whether diagnostics with a code are reported in a file of this name: always, unless it is that
    /// of a rule.
    pub(crate) fn is_selected(&self, code: Code, name: &str) -> bool {
        match (RULES.iter().find(|rule| rule.code == code), code) {
            (Some(rule), _) => self.choice().is_selected(rule, name),
            (None, Code::Custom(_)) => self.choice().is_own_selected(code.as_str(), name),
            (None, _) => true,
        }
    }
}

/// All findings. Texts and positions are computed when a finding is printed, one at a time, to save
/// memory.
pub(crate) struct Findings<'t, 'a> {
    all: Vec<Entry<'t, 'a>>,
}

/// A finding without its texts.
pub(crate) struct Facts<'f> {
    /// The code, or the name of the rule.
    pub(crate) code: &'f str,
    pub(crate) severity: Severity,
    pub(crate) summary: &'f str,
    pub(crate) path: &'f str,
}

impl Facts<'_> {
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

enum Entry<'t, 'a> {
    Made(Box<Finding>),
    Found(&'t Diagnostic<'a>, Severity),
    Rule(&'t Diagnostic<'a>, &'t Rule<'a>, Severity),
}

impl<'t, 'a> Findings<'t, 'a> {
    /// Creates a list from findings of files that are no longer in memory.
    pub(crate) fn of(made: Vec<Finding>) -> Self {
        Self { all: made.into_iter().map(|finding| Entry::Made(Box::new(finding))).collect() }
    }

    /// Adds a diagnostic, unless the policy allows it.
    pub(crate) fn take(&mut self, diagnostic: &'t Diagnostic<'a>, policy: Policy<'_>) {
        let severity = policy.severity(diagnostic);
        self.all.extend(severity.map(|severity| Entry::Found(diagnostic, severity)));
    }

    /// Adds findings.
    pub(crate) fn extend(&mut self, made: Vec<Finding>) {
        self.all.extend(made.into_iter().map(|finding| Entry::Made(Box::new(finding))));
    }

    /// Adds the finding of a rule.
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

    /// Keeps the findings for which `keep` returns `true`.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Finding) -> bool) {
        self.all.retain(|entry| keep(&entry.finding()));
    }

    /// Drops the findings after the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
    }

    /// Iterates over the findings. Each is rendered on demand.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Cow<'_, Finding>> {
        self.all.iter().map(Entry::finding)
    }

    /// Renders `len` findings from `start` on, on all threads.
    pub(crate) fn range(
        &self,
        start: usize,
        len: usize,
    ) -> impl ParallelIterator<Item = Cow<'_, Finding>> {
        let end = self.all.len().min(start + len);
        self.all[start..end].par_iter().map(Entry::finding)
    }

    /// Iterates over the edits of the findings that have one, up to this safety.
    pub(crate) fn fixes(&self, most: Safety) -> impl Iterator<Item = (Source<'a>, Fix)> {
        let all = self.all.iter().filter_map(|entry| match entry {
            Entry::Found(diagnostic, _) => Some((diagnostic.source(), diagnostic.fix()?)),
            Entry::Made(_) | Entry::Rule(..) => None,
        });
        all.filter(move |(_, fix)| fix.safety <= most)
    }

    /// Iterates over the codes of the findings, or the rules that reported them, in order.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&str, Option<FoundBy>)> {
        self.all.iter().map(|entry| match entry {
            Entry::Made(finding) => (finding.id(), finding.rule.clone()),
            Entry::Rule(diagnostic, rule, _) if diagnostic.code() != Code::RuleError => {
                (rule.name(), Some(found_by(rule)))
            }
            Entry::Found(diagnostic, _) | Entry::Rule(diagnostic, ..) => {
                let code = diagnostic.code();
                let is_own = matches!(code, Code::Custom(_)) && named(code.as_str()).is_none();
                let by = is_own.then(|| FoundBy::new(code.as_str()).with_help(code.help()));
                (code.as_str(), by)
            }
        })
    }

    /// Returns a finding by its index in the order.
    pub(crate) fn get(&self, place: usize) -> Option<Cow<'_, Finding>> {
        self.all.get(place).map(Entry::finding)
    }

    /// Iterates over code, severity and path of each finding, in order. None is rendered.
    pub(crate) fn facts(&self) -> impl Iterator<Item = Facts<'_>> {
        self.all.iter().map(|entry| {
            let (path, ..) = entry.place();
            let (code, severity, summary) = match entry {
                Entry::Made(finding) => (finding.id(), finding.severity, &*finding.summary),
                Entry::Found(it, severity) => (it.code().as_str(), *severity, it.summary()),
                Entry::Rule(it, rule, severity) => (rule.name(), *severity, it.summary()),
            };
            Facts { code, severity, summary, path }
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the number of errors.
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

    /// Returns the path, and the start and end offsets.
    fn place(&self) -> (&str, u64, u64) {
        match self {
            Self::Made(finding) => {
                let Range { filename, start, end, .. } = &finding.range;
                (filename, start.byte, end.byte)
            }
            Self::Found(diagnostic, _) | Self::Rule(diagnostic, ..) => {
                let span = diagnostic.span();
                (diagnostic.source().name(), span.start.into(), span.end.into())
            }
        }
    }
}

//! Diagnostics that own what they show, so that they outlive the file they speak of; and many diagnostics, in the
//! order in which they are printed.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;
use simd_hcl::diagnostic::Label;
use simd_hcl::policy::Rule;
use simd_hcl::{Code, Diagnostic, Severity, Source};

use crate::args::Selector;
use crate::excerpt::{Excerpt, Range};

/// A diagnostic with positions and texts, in the shape of `tofu validate -json` and our `code`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) severity: &'static str,
    pub(crate) code: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) detail: String,
    pub(crate) range: Range,
    pub(crate) related: Vec<Related>,
    pub(crate) snippet: Option<Snippet>,
    /// The rule of a plan that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<FoundBy>,
    /// Whether the place has lines: not that of a file that could not be read.
    #[serde(skip)]
    pub(crate) has_lines: bool,
}

/// The rule that found something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FoundBy {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
}

impl FoundBy {
    fn of(rule: &Rule<'_>) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self { name: rule.name().to_owned(), help: owned(rule.help()), url: owned(rule.url()) }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Related {
    pub(crate) message: &'static str,
    pub(crate) range: Range,
    #[serde(skip)]
    pub(crate) excerpt: Option<Excerpt>,
}

/// The text around a finding. Offsets are bytes of `code`, which is a window of the line when the line is
/// long.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Snippet {
    context: Option<String>,
    pub(crate) code: String,
    pub(crate) start_line: u32,
    pub(crate) highlight_start_offset: usize,
    pub(crate) highlight_end_offset: usize,
    values: [(); 0],
}

impl Finding {
    /// The places that it names.
    pub(crate) fn ranges_mut(&mut self) -> impl Iterator<Item = &mut Range> {
        let related = self.related.iter_mut().map(|related| &mut related.range);
        std::iter::once(&mut self.range).chain(related)
    }

    /// What tells findings of one kind from others: the rule that found it, otherwise the code.
    pub(crate) fn id(&self) -> &str {
        self.rule.as_ref().map_or(self.code, |rule| &rule.name)
    }

    pub(crate) fn of(diagnostic: &Diagnostic<'_>) -> Self {
        Self::with_excerpts(diagnostic, |_| true)
    }

    /// What a rule says of a change. The text around places in the plan is not shown: it may hold secrets.
    pub(crate) fn of_rule(diagnostic: &Diagnostic<'_>, rule: &Rule<'_>) -> Self {
        let own = rule.label().source.id();
        let finding = Self::with_excerpts(diagnostic, |source| source.id() == own);
        let is_error = diagnostic.code() == Code::RuleError;
        Self { rule: (!is_error).then(|| FoundBy::of(rule)), ..finding }
    }

    /// The same without the text around it, which may hold secrets.
    pub(crate) fn without_excerpts(diagnostic: &Diagnostic<'_>) -> Self {
        Self::with_excerpts(diagnostic, |_| false)
    }

    /// A finding that shows the text around places in some sources.
    fn with_excerpts(diagnostic: &Diagnostic<'_>, shows: impl Fn(Source<'_>) -> bool) -> Self {
        let excerpt = |label: Label<'_>| excerpt(label).filter(|_| shows(label.source));
        let range = range(diagnostic.primary());
        let snippet = excerpt(diagnostic.primary()).map(|excerpt| Snippet {
            context: None,
            code: excerpt.text,
            start_line: range.start.line,
            highlight_start_offset: excerpt.start,
            highlight_end_offset: excerpt.end,
            values: [],
        });
        let related = diagnostic.related().iter().map(|related| Related {
            message: related.message,
            range: self::range(related.label),
            excerpt: excerpt(related.label),
        });
        Self {
            severity: diagnostic.severity().as_str(),
            code: diagnostic.code().as_str(),
            summary: diagnostic.summary(),
            detail: diagnostic.detail(),
            range,
            related: related.collect(),
            snippet,
            rule: None,
            has_lines: !diagnostic.source().bytes().is_empty(),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error.as_str()
    }
}

fn range(label: Label<'_>) -> Range {
    Range::with_code_points(label.source, label.span)
}

/// A file that could not be read has nothing to show.
fn excerpt(label: Label<'_>) -> Option<Excerpt> {
    (!label.source.bytes().is_empty()).then(|| Excerpt::of(label.source, label.span))
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

/// Everything that is found, however much: texts and positions are made when a finding is printed, and one at a time.
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

    /// So many findings from a place on, made on all threads.
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
                (rule.name(), Some(FoundBy::of(rule)))
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
                Cow::Owned(Finding::of_rule(&diagnostic, rule))
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

//! Diagnostics that own what they show, so that they outlive the file they speak of; and many diagnostics, in the
//! order in which they are printed.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;
use simd_hcl::diagnostic::Label;
use simd_hcl::{Diagnostic, Severity};

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

    pub(crate) fn of(diagnostic: &Diagnostic<'_>) -> Self {
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

    /// The codes of all findings, in their order.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().map(|entry| match entry {
            Entry::Made(finding) => finding.code,
            Entry::Found(diagnostic, _) => diagnostic.code().as_str(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many of them are errors.
    pub(crate) fn errors(&self) -> usize {
        let is_error = |entry: &&Entry<'_, '_>| match entry {
            Entry::Made(finding) => finding.is_error(),
            Entry::Found(_, severity) => *severity == Severity::Error,
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
        }
    }

    /// The path, and where it starts and ends there.
    fn place(&self) -> (&str, u32, u32) {
        match self {
            Self::Made(finding) => {
                let Range { filename, start, end, .. } = &finding.range;
                (filename, start.byte, end.byte)
            }
            Self::Found(diagnostic, _) => {
                let span = diagnostic.span();
                (diagnostic.source().name(), span.start, span.end)
            }
        }
    }
}

//! Diagnostics that own what they show, so that they outlive the file they speak of.

use serde::Serialize;
use simd_hcl::diagnostic::Label;
use simd_hcl::{Code, Diagnostic, Severity};

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
    pub(crate) allow: &'p [Code],
    pub(crate) deny: &'p [Code],
}

impl Policy<'_> {
    /// The finding, unless its code is allowed.
    pub(crate) fn apply(&self, diagnostic: Diagnostic<'_>) -> Option<Finding> {
        let code = diagnostic.code();
        if self.allow.contains(&code) {
            return None;
        }
        let denied = self.deny.contains(&code);
        let diagnostic =
            if denied { diagnostic.with_severity(Severity::Error) } else { diagnostic };
        Some(Finding::of(&diagnostic))
    }
}

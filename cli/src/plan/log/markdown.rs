//! An event stream as Markdown, for comments on pull requests: failures, then the changes, the most
//! destructive first, in at most `--max-bytes` bytes.

use std::fmt::Write as _;

use simd_hcl::show::{LoggedChange, LoggedDiagnostic, LoggedOutput, Operation, Outcome};

use super::super::change::{in_words, kind_of_action};
use super::super::markdown::{code, count_left_out, rank_of, section};
use super::{Report, sign, text_of_counts};
use crate::visible::visible;

impl Report<'_> {
    // Writing into a string does not fail.
    pub(super) fn markdown(&self, limit: usize) -> String {
        let mut text = format!("### Plan: {}\n", self.headline());
        for counts in self.log.counts() {
            let operation = code(&visible(&counts.operation));
            let _ = write!(text, "\n**{operation}:** {}\n", text_of_counts(counts));
        }
        for gap in self.log_gaps().iter() {
            let _ = write!(text, "\n**Incomplete:** {}.\n", gap.why);
        }
        let mut changes = self.changes.clone();
        // A stable sort: changes of the same rank keep their order.
        changes.sort_by_key(|change| rank_of(kind_of_action(&change.action), || false));
        let lines_of =
            |all: &[&LoggedChange]| -> Vec<String> { all.iter().map(|it| line(it)).collect() };
        let operations = |outcome: Outcome| -> Vec<String> {
            let all = self.log.operations().iter().filter(|it| it.outcome == outcome);
            all.map(operation).collect()
        };
        let diagnostics = |is_error: bool| -> Vec<String> {
            let all = self.log.diagnostics().iter().filter(|it| it.is_error == is_error);
            all.map(diagnostic).collect()
        };
        let outputs = self.log.outputs().iter().filter(|output| !output.action.is_empty());
        let mut left_out = 0;
        for (title, lines) in [
            ("Errors", diagnostics(true)),
            ("Failed operations", operations(Outcome::Errored)),
            ("Operations that have not ended", operations(Outcome::Running)),
            ("Changes", lines_of(&changes)),
            ("Changed outside of the plan", lines_of(&self.drift)),
            ("Outputs", outputs.map(output).collect()),
            ("Warnings", diagnostics(false)),
        ] {
            section(&mut text, title, &lines, limit, &mut left_out);
        }
        for (title, lines) in self.others() {
            let title = format!("{}{}", title[..1].to_uppercase(), &title[1..]);
            let lines: Vec<String> =
                lines.iter().map(|line| format!("- {}\n", code(&visible(line)))).collect();
            section(&mut text, &title, &lines, limit, &mut left_out);
        }
        count_left_out(&mut text, left_out, limit);
        text
    }
}

fn line(change: &LoggedChange) -> String {
    let mut title = format!("{} {} {}", sign(&change.action).0, change.address, change.action);
    if !change.reason.is_empty() {
        let _ = write!(title, " ({})", in_words(&change.reason));
    }
    if let Some(previous) = &change.previous_address {
        let _ = write!(title, " (moved from {previous})");
    }
    if change.is_import {
        title.push_str(" (imported)");
    }
    format!("- {}\n", code(&visible(title.trim_start())))
}

fn operation(operation: &Operation) -> String {
    let title = format!("{} {}", operation.address, operation.action);
    let seconds = operation.seconds.map(|seconds| format!(" {seconds:.1} s")).unwrap_or_default();
    format!("- {}{seconds}\n", code(&visible(&title)))
}

fn output(output: &LoggedOutput) -> String {
    let note = if output.is_sensitive { " (sensitive)" } else { "" };
    format!("- `{}` {}{note}\n", sign(&output.action).0, code(&visible(&output.name)))
}

/// Returns the summary with its place, and the first line of the detail.
fn diagnostic(diagnostic: &LoggedDiagnostic) -> String {
    let mut text = format!("- {}", code(&visible(&diagnostic.summary)));
    if let Some((file, line, column)) = &diagnostic.place {
        let _ = write!(text, " at {}", code(&visible(&format!("{file}:{line}:{column}"))));
    }
    if !diagnostic.address.is_empty() {
        let _ = write!(text, " in {}", code(&visible(&diagnostic.address)));
    }
    if let Some(first) = diagnostic.detail.lines().find(|line| !line.trim().is_empty()) {
        let _ = write!(text, ": {}", code(&visible(first.trim())));
    }
    text.push('\n');
    text
}

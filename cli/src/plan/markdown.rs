//! A plan as Markdown, for comments on pull requests: a summary and folded changes, the most
//! destructive first.
//!
//! The text has at most `--max-bytes` bytes: changes that do not fit with their leaves are listed
//! without them, and changes that do not fit at all are counted. The same plan gives the same text.

use std::fmt::Write as _;
use std::io;

use simd_hcl::Diagnostic;
use simd_hcl::show::ActionKind;
use simd_hcl::show::rows::{Action, Change, Deferred, Value};

use super::change::{NO_ADDRESS, creates_first, shown_name, sign};
use super::human::{path_text, sides};
use super::report::{Failed, Report};
use crate::output;
use crate::rows::text;
use crate::visible::visible;

/// The number of bytes reserved for the line that counts omitted changes.
pub(super) const RESERVE: usize = 120;

impl<'a> Report<'_, 'a> {
    pub(super) fn write_markdown(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        let text = self.markdown(diagnostics);
        output::data(|out| out.write_all(text.as_bytes()))
    }

    // Writing into a string does not fail.
    fn markdown(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> String {
        let limit = self.view.arguments.max_bytes;
        let mut text = format!("### Plan: {}\n", self.headline());
        for (_, why) in self.incomplete() {
            let _ = write!(text, "\n**Incomplete:** {why}.\n");
        }
        let mut changes: Vec<Change<'a>> = self.shown_changes().collect();
        // A stable sort: changes of the same rank keep their order.
        changes.sort_by_key(|change| rank(*change));
        let mut left_out = 0;
        section(&mut text, "Failed checks", &self.failed_checks(), limit, &mut left_out);
        text.push('\n');
        for change in changes {
            let room = limit.saturating_sub(text.len() + RESERVE);
            let block = self.folded(change, room, diagnostics);
            let part =
                block.filter(|block| block.len() <= room).unwrap_or_else(|| self.line(change));
            match part.len() <= room {
                true => text.push_str(&part),
                false => left_out += 1,
            }
        }
        for (title, lines) in [
            ("Deferred to a later plan", self.deferred()),
            ("Actions to invoke", self.plan.action_rows().map(|it| self.invocation(it)).collect()),
            ("Changed outside of the plan", self.drift.iter().map(|it| self.line(*it)).collect()),
            ("Outputs", self.changed_outputs()),
        ] {
            section(&mut text, title, &lines, limit, &mut left_out);
        }
        count_left_out(&mut text, left_out, limit);
        text
    }

    fn failed_checks(&self) -> Vec<String> {
        let line = |Failed { status, address, messages }: Failed<'a>| {
            let messages: Vec<String> = messages.iter().map(|it| code(&visible(it))).collect();
            let colon = if messages.is_empty() { "" } else { ": " };
            format!("- {status} {}{colon}{}\n", code(&visible(&address)), messages.join(", "))
        };
        self.failures().into_iter().map(line).collect()
    }

    fn deferred(&self) -> Vec<String> {
        let line = |one: Deferred<'a>| match one.change() {
            Some(change) => Some(self.line(change)),
            None => Some(self.invocation(one.action()?)),
        };
        self.plan.deferred_rows().filter_map(line).collect()
    }

    fn changed_outputs(&self) -> Vec<String> {
        let mut outputs = Vec::new();
        let shown = self.view.shown;
        for output in self.plan.output_rows().filter(|it| it.kind() != ActionKind::NoOp) {
            let note = if output.is_sensitive(shown) { " (sensitive)" } else { "" };
            let name = code(&visible(&text(output.name(shown))));
            outputs.push(format!("- `{}` {name}{note}\n", sign(output.kind(), false).0));
        }
        outputs
    }

    /// Returns a change with its leaves; `None` if they are longer than `room` bytes.
    fn folded(
        &self,
        entry: Change<'a>,
        room: usize,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Option<String> {
        let shown = self.view.shown;
        let mut lines = String::new();
        let mut leaves = self.view.leaves(entry)?;
        while let Some(leaf) = leaves.next_row(entry.entry().object().node()) {
            let path = path_text(leaf, shown);
            let note = if leaf.forces_replacement(shown) { " # forces replacement" } else { "" };
            for (sign, side) in ["-", "+"].into_iter().zip(sides(leaf, shown)) {
                if !matches!(side.value, Value::Absent) {
                    let _ = writeln!(lines, "{sign} {path} = {side}{note}");
                }
            }
            if lines.len() > room {
                return None;
            }
        }
        diagnostics.extend_from_slice(leaves.misfits());
        if lines.is_empty() {
            return None;
        }
        let fence = "`".repeat(longest_run(&lines).max(2) + 1);
        let summary =
            self.title(entry).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        Some(format!(
            "<details><summary><code>{summary}</code></summary>\n\n{fence}diff\n{lines}{fence}\n\n</details>\n"
        ))
    }

    fn title(&self, entry: Change<'a>) -> String {
        let kind = entry.entry().actions().kind();
        let sign = sign(kind, creates_first(entry)).0;
        let address = self.view.address(entry);
        let mut title = format!("{sign} {} {}", visible(&address), shown_name(kind));
        for note in self.view.notes(entry) {
            let _ = write!(title, " {}", visible(&note));
        }
        title.trim_start().to_owned()
    }

    fn invocation(&self, action: Action<'a>) -> String {
        let address = action.address(self.view.shown);
        format!("- {}\n", code(&visible(address.as_deref().unwrap_or(NO_ADDRESS))))
    }

    fn line(&self, entry: Change<'a>) -> String {
        format!("- {}\n", code(&self.title(entry)))
    }
}

/// Adds the number of omitted lines, if there are any.
pub(super) fn count_left_out(text: &mut String, left_out: usize, limit: usize) {
    if left_out > 0 {
        let _ = write!(text, "\n… and {left_out} more that do not fit into {limit} bytes\n");
    }
}

/// Adds a title, and as many lines as fit.
pub(super) fn section(
    text: &mut String,
    title: &str,
    lines: &[String],
    limit: usize,
    left_out: &mut usize,
) {
    let mut is_first = true;
    for line in lines {
        let title_len = if is_first { title.len() + 8 } else { 0 };
        if text.len() + title_len + line.len() + RESERVE > limit {
            *left_out += 1;
            continue;
        }
        if std::mem::take(&mut is_first) {
            let _ = write!(text, "\n**{title}**\n\n");
        }
        text.push_str(line);
    }
}

/// Returns the rank of a change: destructive changes first, then sensitive ones.
fn rank(change: Change<'_>) -> u8 {
    let entry = change.entry();
    rank_of(entry.actions().kind(), || {
        let mut differences = entry.change().value().map(|change| change.differences());
        differences.as_mut().is_some_and(|all| all.any(|one| one.is_sensitive()))
    })
}

/// Returns the rank of a kind of change.
pub(super) fn rank_of(kind: ActionKind, is_sensitive: impl FnOnce() -> bool) -> u8 {
    match kind {
        ActionKind::Delete => 0,
        ActionKind::Replace | ActionKind::ReplaceForget => 1,
        ActionKind::Forget | ActionKind::Other => 2,
        _ if is_sensitive() => 3,
        ActionKind::Update => 4,
        ActionKind::Create => 5,
        ActionKind::Read => 6,
        ActionKind::NoOp => 7,
    }
}

/// Returns text as Markdown code, also if it contains backticks.
pub(super) fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let space = if text.contains('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

//! A plan as Markdown, for comments on pull requests: a summary and folded changes, the most
//! destructive first.
//!
//! The text has at most `--max-bytes` bytes: changes that do not fit with their leaves are listed
//! without them, and changes that do not fit at all are counted. The same plan gives the same text.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use simd_hcl::Diagnostic;
use simd_hcl::show::{ActionInvocation, ActionKind, CheckStatus, Content, Leaf, ResourceChange};

use super::change::{creates_first, is_sensitive_output, shown_name, sign};
use super::report::Report;
use crate::output;
use crate::printed::LeafText;
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
        let limit = self.arguments.max_bytes;
        let mut text = format!("### Plan: {}\n", self.headline());
        for (_, why) in self.incomplete() {
            let _ = write!(text, "\n**Incomplete:** {why}.\n");
        }
        let mut changes: Vec<ResourceChange<'a>> = self.shown_changes().collect();
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
            ("Actions to invoke", self.actions().map(|it| self.invocation(it)).collect()),
            ("Changed outside of the plan", self.drift.iter().map(|it| self.line(*it)).collect()),
            ("Outputs", self.changed_outputs()),
        ] {
            section(&mut text, title, &lines, limit, &mut left_out);
        }
        count_left_out(&mut text, left_out, limit);
        text
    }

    fn failed_checks(&self) -> Vec<String> {
        let line =
            |(status, address, messages): (CheckStatus<'a>, Cow<'_, str>, Vec<Cow<'_, str>>)| {
                let messages: Vec<String> = messages.iter().map(|it| code(&visible(it))).collect();
                let colon = if messages.is_empty() { "" } else { ": " };
                format!("- {status} {}{colon}{}\n", code(&visible(&address)), messages.join(", "))
            };
        self.failures().into_iter().map(line).collect()
    }

    fn deferred(&self) -> Vec<String> {
        let changes = self.deferred_changes().filter_map(|one| one.resource_change().value());
        let actions = self.deferred_actions().filter_map(|one| one.action_invocation().value());
        changes
            .map(|change| self.line(change))
            .chain(actions.map(|it| self.invocation(it)))
            .collect()
    }

    fn changed_outputs(&self) -> Vec<String> {
        let mut outputs = Vec::new();
        for (name, change) in self.plan.outputs() {
            let kind = change.actions().value().map_or(ActionKind::Other, |actions| actions.kind());
            if kind != ActionKind::NoOp {
                let note =
                    if is_sensitive_output(change, self.shown) { " (sensitive)" } else { "" };
                let name = code(&visible(&self.name(name)));
                outputs.push(format!("- `{}` {name}{note}\n", sign(kind, false).0));
            }
        }
        outputs
    }

    /// Returns a change with its leaves; `None` if they are longer than `room` bytes.
    fn folded(
        &self,
        entry: ResourceChange<'a>,
        room: usize,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Option<String> {
        let change = entry.change().value()?;
        let mut lines = String::new();
        let mut leaves = self.leaves(change, entry.address().value().unwrap_or_default());
        while let Some(leaf) = leaves.next() {
            let is_hidden = self.shown.hides(&leaf);
            let path = self.shown.path(leaves.path());
            let path = if path.is_empty() { "(value)".into() } else { visible(&path) };
            let note = if leaf.forces_replacement { " # forces replacement" } else { "" };
            let is_there = |leaf: &Leaf<'_>| !matches!(leaf.content, Content::Absent);
            if is_there(&leaf.before) {
                let shown = LeafText { leaf: &leaf.before, is_hidden };
                let _ = writeln!(lines, "- {path} = {shown}{note}");
            }
            if is_there(&leaf.after) {
                let shown = LeafText { leaf: &leaf.after, is_hidden };
                let _ = writeln!(lines, "+ {path} = {shown}{note}");
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

    fn title(&self, entry: ResourceChange<'a>) -> String {
        let kind = entry.actions().kind();
        let sign = sign(kind, creates_first(entry)).0;
        let address = self.address(entry);
        let mut title = format!("{sign} {} {}", visible(&address), shown_name(kind));
        for note in self.notes(entry) {
            let _ = write!(title, " {}", visible(&note));
        }
        title.trim_start().to_owned()
    }

    fn invocation(&self, action: ActionInvocation<'a>) -> String {
        format!("- {}\n", code(&visible(&self.action(action))))
    }

    fn line(&self, entry: ResourceChange<'a>) -> String {
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
fn rank(change: ResourceChange<'_>) -> u8 {
    rank_of(change.actions().kind(), || {
        let mut differences = change.change().value().map(|change| change.differences());
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

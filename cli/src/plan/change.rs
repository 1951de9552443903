//! The facts about a change that all formats print.

use std::borrow::Cow;
use std::fmt::Write as _;

use simd_hcl::Diagnostic;
use simd_hcl::show::rows::Change;
use simd_hcl::show::{Action, ActionKind, Difference, Differences, Path, Shown};

use super::source::{Cause, Source, Sources};
use crate::args;
use crate::excerpt::Range;
use crate::output::Style;
use crate::printed::{CYAN, DIM, GREEN, RED, YELLOW};

/// Stands for an address that a plan does not have.
pub(super) const NO_ADDRESS: &str = "(no address)";

/// The view of a plan's changes, whether it is read as a whole or as a stream.
#[derive(Clone, Copy)]
pub(super) struct View<'p> {
    pub(super) arguments: &'p args::Plan,
    /// The declarations of the changes, with `--source`.
    pub(super) sources: Option<&'p Sources<'p>>,
    /// Decides which values are shown.
    pub(super) shown: &'p Shown,
    pub(super) style: Style,
}

impl View<'_> {
    /// Whether the values of changes are asked for.
    pub(super) fn has_leaves(&self) -> bool {
        self.arguments.diff || self.arguments.values
    }

    /// Returns the requested leaves of a change; `None` if it has no values.
    pub(super) fn leaves<'a>(&self, change: Change<'a>) -> Option<Differences<'a>> {
        let inner = change.entry().change().value()?;
        let all = self.arguments.values;
        let leaves = if all { inner.leaves() } else { inner.differences() };
        Some(leaves.of_instance(change.entry().address().value().unwrap_or_default()))
    }

    /// Returns the address of a change without hidden parts.
    pub(super) fn address<'a>(&self, change: Change<'a>) -> Cow<'a, str> {
        change.address(self.shown).unwrap_or(Cow::Borrowed(NO_ADDRESS))
    }

    /// Returns the notes of a change: its object, its reason, whether and by which blocks it is
    /// moved or imported, and with `--source` its declaration, if it is known.
    pub(super) fn notes(&self, change: Change<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        let (shown, entry) = (self.shown, change.entry());
        if let Some(key) = change.deposed(shown) {
            notes.push(format!("(deposed object {key})"));
        }
        if let Some(reason) = change.action_reason(shown) {
            notes.push(format!("({})", in_words(&reason)));
        }
        if let Some(previous) = change.previous_address(shown) {
            let by = by(self.sources.and_then(|sources| sources.moves(entry)));
            notes.push(format!("(moved from {previous}{by})"));
        }
        if change.is_import(shown) {
            let by = by(self.sources.and_then(|sources| sources.imports(entry)));
            notes.push(format!("(imported{by})"));
        }
        match self.sources.map(|sources| sources.of(entry)) {
            Some(Source::Declared((range, _))) => notes.push(line_of(&range)),
            Some(Source::Nowhere) => notes.push("(no longer declared)".to_owned()),
            Some(Source::Unknown(..)) | None => {}
        }
        notes
    }
}

/// Returns the file and line of a place.
pub(super) fn line_of(range: &Range) -> String {
    format!("{}:{}", range.filename, range.start.line)
}

/// Returns ` by FILE:LINE` for the blocks that cause something, if they are known.
fn by(cause: Option<Cause>) -> String {
    let lines = cause.as_ref().and_then(Cause::blocks).unwrap_or_default().iter();
    let lines: Vec<String> = lines.map(|(range, _)| line_of(range)).collect();
    if lines.is_empty() { String::new() } else { format!(" by {}", lines.join(", ")) }
}

/// Returns a reason of a plan in words: `instance_count_unknown` as `instance count unknown`.
pub(super) fn in_words(reason: &str) -> String {
    reason.replace('_', " ")
}

/// The differences of a change, with their paths as text.
pub(super) struct Changed<'a> {
    /// The concatenated paths.
    text: String,
    found: Vec<(usize, Difference<'a>)>,
    unseen: Vec<String>,
}

impl<'a> Changed<'a> {
    /// Returns the differences of a change; `None` if it has no values. Paths are cut after `depth`
    /// steps.
    pub(super) fn of(
        entry: Change<'a>,
        depth: usize,
        shown: &Shown,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Option<Self> {
        let change = entry.entry().change().value()?;
        let (mut text, mut found) = (String::new(), Vec::new());
        let address = entry.entry().address().value().unwrap_or_default();
        let mut differences = change.differences().of_instance(address);
        while let Some(difference) = differences.next() {
            let path = differences.path();
            let steps = path.steps();
            // Writing into a string does not fail.
            let path = Path::new(&steps[..steps.len().min(depth)]);
            let _ = write!(text, "{}", shown.path(path));
            found.push((text.len(), difference));
        }
        diagnostics.extend_from_slice(differences.misfits());
        let of = change.object().node();
        let unseen = differences.unseen_replace_paths();
        let unseen = unseen.iter().map(|path| shown.name(of, path).into_owned()).collect();
        Some(Self { text, found, unseen })
    }

    /// Iterates over the differences with their paths, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Difference<'a>)> {
        let starts = std::iter::once(0).chain(self.found.iter().map(|(end, _)| *end));
        starts.zip(&self.found).map(|(start, (end, it))| (&self.text[start..*end], it))
    }

    /// Returns the paths that force replacement: first those of differences, then the others.
    pub(super) fn forced(&self) -> Vec<&str> {
        let seen = self.iter().filter(|(_, it)| it.forces_replacement).map(|(path, _)| path);
        let mut forced: Vec<&str> = seen.collect();
        if !self.unseen.is_empty() {
            let known: std::collections::HashSet<&str> = forced.iter().copied().collect();
            let unseen = self.unseen.iter().map(String::as_str);
            forced.extend(unseen.filter(|path| !known.contains(path)));
        }
        forced
    }
}

/// Returns the kind of a change from the name of its action in an event stream.
pub(super) fn kind_of_action(action: &str) -> ActionKind {
    match action {
        "noop" | "move" | "import" => ActionKind::NoOp,
        "create" => ActionKind::Create,
        "read" | "open" | "renew" | "close" => ActionKind::Read,
        "update" => ActionKind::Update,
        "delete" => ActionKind::Delete,
        "replace" => ActionKind::Replace,
        "remove" | "forget" => ActionKind::Forget,
        _ => ActionKind::Other,
    }
}

/// Returns whether a replacement creates before it deletes.
pub(super) fn creates_first(change: Change<'_>) -> bool {
    change.entry().actions().iter().next() == Some(Action::Create)
}

/// Returns the name of a kind for people.
pub(super) fn shown_name(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::NoOp => "no-op",
        ActionKind::ReplaceForget => "forget and replace",
        kind => kind.name(),
    }
}

/// Returns the sign of a kind, and its colour.
pub(super) fn sign(kind: ActionKind, creates_first: bool) -> (&'static str, &'static str) {
    match kind {
        ActionKind::Create => ("+", GREEN),
        ActionKind::Read => ("<=", CYAN),
        ActionKind::Update => ("~", YELLOW),
        ActionKind::Delete => ("-", RED),
        ActionKind::Replace if creates_first => ("+/-", RED),
        ActionKind::Replace => ("-/+", RED),
        ActionKind::Forget => (".", RED),
        ActionKind::ReplaceForget => ("./+", RED),
        ActionKind::NoOp => ("", DIM),
        ActionKind::Other => ("?", RED),
    }
}

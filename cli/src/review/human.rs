//! A review for people: root by root, the most destructive changes first; then the roots without
//! changes.

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::review::{
    ArgumentChange, Rename, Review, ReviewAction, ReviewChange, ReviewLeaf, ReviewValue,
};
use simd_hcl::show::{Address, ResourceMode};

use super::answer::{Answer, Root};
use crate::aligned::{self, Line};
use crate::printed::{BOLD, CYAN, DIM, GREEN, RED, RESET, YELLOW};
use crate::visible::{abridged, apart, visible};

/// The maximum length of values, in characters.
const SHOWN: usize = 120;

/// The most root modules without changes that are named.
const MOST_UNCHANGED: usize = 10;

pub(super) fn print(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let (unchanged, changed): (Vec<&Root>, Vec<_>) =
        answer.roots.iter().partition(|root| root.review.is_empty());
    changed.iter().try_for_each(|root| print_root(root, out))?;
    for root in unchanged.iter().take(MOST_UNCHANGED) {
        let known = if root.is_known() { "" } else { " as far as the values are known" };
        writeln!(out, "{BOLD}{}{RESET}: no changes{known}", visible(&root.path))?;
    }
    match unchanged.len().saturating_sub(MOST_UNCHANGED) {
        0 => {}
        more => writeln!(out, "{DIM}and {more} more without changes{RESET}")?,
    }
    match answer.roots.len() {
        0 => writeln!(out, "{}", answer.summary()),
        1 => Ok(()),
        roots => {
            let blank = if unchanged.is_empty() { "" } else { "\n" };
            let count = crate::stats::count(roots, "root module");
            writeln!(out, "{blank}{BOLD}{count}{RESET}: {}", answer.summary())
        }
    }
}

/// Prints a root module with changes.
fn print_root(root: &Root, out: &mut dyn Write) -> io::Result<()> {
    let review = &root.review;
    write!(out, "{BOLD}{}{RESET}: {}", visible(&root.path), root.summary())?;
    if let Some(inputs) = root.inputs() {
        write!(out, " (with {})", visible(&inputs))?;
    }
    writeln!(out)?;
    for line in setup(review) {
        writeln!(out, "  {line}")?;
    }
    for change in &review.changes {
        let title = title(change);
        let (sign, rest) = title.split_at(kind(change).0.len());
        writeln!(out, "  {}{sign}{RESET}{rest}", colour(change))?;
        if matches!(change.action, ReviewAction::Create | ReviewAction::Delete) {
            continue;
        }
        for line in lines(change) {
            writeln!(out, "      {line}")?;
        }
    }
    for rename in &review.renames {
        writeln!(out, "  {}", renamed(rename))?;
    }
    writeln!(out)
}

/// The line about an instance that seems to be renamed.
pub(super) fn renamed(rename: &Rename) -> String {
    let [from, to] = [&rename.from, &rename.to].map(|it| visible(it));
    let likeness = rename.likeness;
    format!(
        "{from} seems to be {to} now ({likeness}% of its values are the same): without a `moved` block, \
         it is deleted"
    )
}

/// The colour of a change's sign, as `plan` has it.
fn colour(change: &ReviewChange) -> &'static str {
    match (change.action, kind(change)) {
        (ReviewAction::Create, (_, "read")) | (ReviewAction::Move, _) => CYAN,
        (ReviewAction::Create, _) => GREEN,
        (ReviewAction::Update, _) => YELLOW,
        _ => RED,
    }
}

/// Returns the changes besides instances and outputs, one line each.
pub(super) fn setup(review: &Review) -> Vec<String> {
    let mut lines = Vec::new();
    for call in &review.calls {
        for (name, change) in [("source", &call.source), ("version", &call.version)] {
            if let Some(change) = change {
                lines.push(format!("{} {name}: {}", visible(&call.call), argument(change)));
            }
        }
    }
    for provider in &review.providers {
        let place = match provider.module.as_str() {
            "" => String::new(),
            module => format!(" of {}", visible(module)),
        };
        for (name, change) in [("source", &provider.source), ("version", &provider.version)] {
            if let Some(change) = change {
                let provider = visible(&provider.name);
                lines.push(format!("provider {provider}{place} {name}: {}", argument(change)));
            }
        }
        if !provider.arguments.is_empty() {
            let (name, arguments) = (visible(&provider.name), provider.arguments.join(", "));
            lines.push(format!("provider {name}{place}: {} differ", visible(&arguments)));
        }
    }
    if let Some(backend) = &review.backend {
        let mut line = "backend".to_owned();
        if backend.kind.before != backend.kind.after {
            line.push_str(&format!(": {}", argument(&backend.kind)));
        }
        if !backend.arguments.is_empty() {
            let names = backend.arguments.join(", ");
            line.push_str(&format!(": {} differ", visible(&names)));
        }
        lines.push(line);
    }
    lines
}

fn argument(change: &ArgumentChange) -> String {
    let side = |text: &Option<String>| match text {
        Some(text) => abridged(&visible(text), SHOWN).into_owned(),
        None => "(none)".to_owned(),
    };
    format!("{} -> {}", side(&change.before), side(&change.after))
}

/// The sign of a change, and the name of its action.
pub(super) fn kind(change: &ReviewChange) -> (&'static str, &'static str) {
    let address = Address::parse(&change.address).ok();
    let resource = address.and_then(|address| address.resource);
    let is_data = resource.is_some_and(|resource| resource.mode == ResourceMode::Data);
    match change.action {
        ReviewAction::Delete if change.is_forgotten => ("-", "forget"),
        ReviewAction::Delete => ("-", "delete"),
        ReviewAction::Replace => ("!", "replace"),
        ReviewAction::Update if is_data => ("~", "read with other arguments"),
        ReviewAction::Update => ("~", "update"),
        ReviewAction::Move => (">", "move"),
        ReviewAction::Create if change.is_imported => ("+", "import"),
        ReviewAction::Create if is_data => ("+", "read"),
        ReviewAction::Create => ("+", "create"),
        _ => ("?", "not known"),
    }
}

/// The sign, the address and the action of a change, with its notes.
pub(super) fn title(change: &ReviewChange) -> String {
    let (sign, name) = kind(change);
    let mut title = format!("{sign} {} {name}", visible(&change.address));
    if let Some(previous) = &change.previous_address {
        title.push_str(&format!(" (was {})", visible(previous)));
    }
    title
}

/// A value that differs, as people see it.
pub(super) struct Row {
    pub(super) path: String,
    pub(super) sides: Sides,
}

pub(super) enum Sides {
    Hidden,
    /// The values before and after; `None` where there is none.
    Values([Option<String>; 2]),
    /// An element of a list that only one version has.
    Inserted(String),
    Removed(String),
}

impl Row {
    fn line(&self) -> String {
        let path = &self.path;
        match &self.sides {
            Sides::Hidden => format!("{path}: (sensitive)"),
            Sides::Inserted(value) => format!("{path}: inserted {value}"),
            Sides::Removed(value) => format!("{path}: removed {value}"),
            Sides::Values(sides) => {
                let [before, after] =
                    sides.each_ref().map(|side| side.as_deref().unwrap_or("(absent)"));
                format!("{path}: {before} -> {after}")
            }
        }
    }
}

/// The lines about the leaves of a change.
pub(super) fn lines(change: &ReviewChange) -> Vec<String> {
    rows(change, SHOWN).iter().map(Row::line).collect()
}

/// The leaves of a change, with values of at most this many characters. An element that is inserted into
/// a list is one.
pub(super) fn rows(change: &ReviewChange, most: usize) -> Vec<Row> {
    fn leaf<'l>(
        (leaf, [before, after]): (&'l ReviewLeaf, &'l [Option<String>; 2]),
    ) -> aligned::Leaf<'l> {
        match leaf.is_sensitive {
            true => ("", None, None),
            false => (&leaf.path, before.as_deref(), after.as_deref()),
        }
    }
    let sides: Vec<[Option<String>; 2]> =
        change.leaves.iter().map(|leaf| [&leaf.before, &leaf.after].map(side)).collect();
    let leaves: Vec<aligned::Leaf<'_>> = change.leaves.iter().zip(&sides).map(leaf).collect();
    let element = |list: &str, at: usize, value: &str, sides: fn(String) -> Sides| {
        let path = format!("{}[{at}]", visible(list));
        Row { path, sides: sides(abridged(value, most).into_owned()) }
    };
    let row = |found: Line<'_>| match found {
        Line::Leaf(at) => row(&change.leaves[at], most),
        Line::Inserted(list, at, value) => element(list, at, value, Sides::Inserted),
        Line::Removed(list, at, value) => element(list, at, value, Sides::Removed),
    };
    aligned::lines(&leaves).into_iter().map(row).collect()
}

/// One side of a leaf; `None` where it does not exist.
fn side(value: &ReviewValue) -> Option<String> {
    match value {
        ReviewValue::Absent => None,
        ReviewValue::Unknown => Some(UNKNOWN.to_owned()),
        ReviewValue::Known(text) => Some(visible(text).into_owned()),
        // No text in quotes looks like this.
        ReviewValue::Partial(parts) => {
            let known = |part: &String| match part.as_str() {
                "\"\"" => None,
                part => Some(visible(part).into_owned()),
            };
            let (first, rest) = parts.split_first()?;
            let rest = rest.iter().flat_map(|it| [Some(UNKNOWN.to_owned()), known(it)]);
            let all: Vec<String> = [known(first)].into_iter().chain(rest).flatten().collect();
            Some(all.join(" + "))
        }
    }
}

const UNKNOWN: &str = "(known after apply)";

/// The path of a leaf and both of its sides.
fn row(leaf: &ReviewLeaf, most: usize) -> Row {
    let path = visible(&leaf.path).into_owned();
    if leaf.is_sensitive {
        return Row { path, sides: Sides::Hidden };
    }
    let [before, after] = [side(&leaf.before), side(&leaf.after)];
    let sides = apart([before.as_deref(), after.as_deref()], most);
    Row { path, sides: Sides::Values(sides.map(|side| side.map(Cow::into_owned))) }
}

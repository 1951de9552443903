//! A review as a page: one `<details>` for each root module, and one for each change with values. It
//! needs no script and no other file.

use std::fmt::Write as _;
use std::io::{self, Write};

use simd_hcl::review::{ReviewAction, ReviewChange, ReviewSummary};

use super::answer::{Answer, Root};
use super::human::{Row, Sides, kind, rows, setup};
use super::markdown::escaped;
use crate::stats::count;
use crate::visible::visible;

const STYLE: &str = include_str!("page.css");

/// The maximum length of values, in characters.
const SHOWN: usize = 2_000;

/// The number of gaps that are shown at once.
const OPEN: usize = 20;

/// The number of root modules from which on there is a list of them.
const LISTED: usize = 4;

pub(super) fn print(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let changed: Vec<&Root> = answer.roots.iter().filter(|it| !it.review.is_empty()).collect();
    let mut total = ReviewSummary::default();
    changed.iter().for_each(|root| total.add(&root.review.summary()));
    let title = match changed.len() {
        0 => answer.summary(),
        roots => format!("{} in {}", answer.summary(), count(roots, "root module")),
    };
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Review: {title}</title>"
    )?;
    writeln!(out, "<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Review</h1>")?;
    match changed.len() {
        0 => writeln!(out, "<p>{}</p>", answer.summary())?,
        roots => writeln!(out, "<p>{} {}</p>", tags(&total), count(roots, "root module"))?,
    }
    writeln!(out, "</header>")?;
    write_gaps(answer, out)?;
    if changed.len() >= LISTED {
        writeln!(out, "<nav><ul>")?;
        for (at, root) in changed.iter().enumerate() {
            let (path, tags) = (text(&root.path), tags(&root.review.summary()));
            writeln!(out, "<li><a href=\"#r{at}\"><code>{path}</code></a> {tags}</li>")?;
        }
        writeln!(out, "</ul></nav>")?;
    }
    for (at, root) in changed.iter().enumerate() {
        write_root(at, root, out)?;
    }
    let same: Vec<String> = answer
        .roots
        .iter()
        .filter(|root| root.review.is_empty())
        .map(|root| format!("<code>{}</code>", text(&root.path)))
        .collect();
    if !same.is_empty() {
        writeln!(out, "<footer>No changes: {}</footer>", same.join(", "))?;
    }
    writeln!(out, "</body>\n</html>")
}

fn text(text: &str) -> String {
    escaped(&visible(text))
}

/// The counts of a summary, each with the colour of its action.
fn tags(summary: &ReviewSummary) -> String {
    let mut tags = String::new();
    for action in ReviewAction::ALL {
        let count = summary.count(action);
        if count > 0 {
            let name = action.as_str();
            // Writing into a string does not fail.
            let _ = write!(tags, "<span class=\"tag {name}\">{count} {name}</span> ");
        }
    }
    tags.trim_end().to_owned()
}

fn write_gaps(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    if answer.incomplete.is_empty() {
        return Ok(());
    }
    let places = answer.incomplete.iter().map(|gap| gap.places.len()).sum::<usize>();
    let open = if places <= OPEN { " open" } else { "" };
    writeln!(out, "<details class=\"gaps\"{open}><summary>Incomplete: {places}</summary>\n<ul>")?;
    for gap in answer.incomplete.iter() {
        let places = gap.places.iter().map(|place| format!("<code>{}</code>", text(place)));
        let places: Vec<String> = places.collect();
        writeln!(out, "<li>{}: {}</li>", places.join(", "), text(gap.why))?;
    }
    writeln!(out, "</ul>\n</details>")
}

fn write_root(at: usize, root: &Root, out: &mut dyn Write) -> io::Result<()> {
    let review = &root.review;
    let (path, tags) = (text(&root.path), tags(&review.summary()));
    writeln!(out, "<details class=\"root\" id=\"r{at}\" open>")?;
    writeln!(out, "<summary><code>{path}</code> {tags}</summary>")?;
    let files = root.var_files.iter().map(|file| format!("<code>{}</code>", text(file)));
    let mut inputs: Vec<String> = files.collect();
    inputs
        .extend(root.workspace.iter().map(|name| format!("workspace <code>{}</code>", text(name))));
    if !inputs.is_empty() {
        writeln!(out, "<p class=\"note\">With {}</p>", inputs.join(", "))?;
    }
    let notes = setup(review);
    if !notes.is_empty() {
        writeln!(out, "<ul class=\"setup\">")?;
        for note in notes {
            writeln!(out, "<li><code>{}</code></li>", escaped(&note))?;
        }
        writeln!(out, "</ul>")?;
    }
    for rename in &review.renames {
        let (from, to) = (text(&rename.from), text(&rename.to));
        writeln!(
            out,
            "<p class=\"warning\"><code>{from}</code> seems to be <code>{to}</code> now ({}% of its \
             values are the same): without a <code>moved</code> block, it is deleted</p>",
            rename.likeness
        )?;
    }
    for change in &review.changes {
        write_change(change, out)?;
    }
    writeln!(out, "</details>")
}

fn write_change(change: &ReviewChange, out: &mut dyn Write) -> io::Result<()> {
    let class = change.action.as_str();
    let mut title = format!(
        "<span class=\"tag {class}\">{}</span> <code>{}</code>",
        kind(change).1,
        text(&change.address)
    );
    // Writing into a string does not fail.
    if let Some(previous) = &change.previous_address {
        let _ = write!(title, " <span class=\"note\">was <code>{}</code></span>", text(previous));
    }
    if let Some(range) = &change.range {
        let (file, line) = (text(&range.filename), range.start.line);
        let _ = write!(title, " <span class=\"place\">{file}:{line}</span>");
    }
    if change.leaves.is_empty() {
        return writeln!(out, "<div class=\"change\">{title}</div>");
    }
    // All values of what is new or gone are less to the point than those that differ.
    let is_whole = matches!(change.action, ReviewAction::Create | ReviewAction::Delete);
    let open = if is_whole { "" } else { " open" };
    writeln!(out, "<details class=\"change\"{open}><summary>{title}</summary>\n<table>")?;
    rows(change, SHOWN).iter().try_for_each(|row| write_row(row, out))?;
    writeln!(out, "</table></details>")
}

fn write_row(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let del = |value: &str| format!("<td><del>{}</del></td>", escaped(value));
    let ins = |value: &str| format!("<td><ins>{}</ins></td>", escaped(value));
    let nothing = "<td></td>".to_owned();
    let cells = match &row.sides {
        Sides::Hidden => "<td colspan=\"2\">(sensitive)</td>".to_owned(),
        Sides::Inserted(value) => nothing + &ins(value),
        Sides::Removed(value) => del(value) + &nothing,
        Sides::Values([before, after]) => {
            let before = before.as_deref().map_or_else(|| nothing.clone(), del);
            before + &after.as_deref().map_or(nothing, ins)
        }
    };
    writeln!(out, "<tr><th scope=\"row\">{}</th>{cells}</tr>", escaped(&row.path))
}

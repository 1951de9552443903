//! The sections behind those of terraform-docs: see [`Extras`].

use std::fmt::Write as _;

use super::extras::{Caller, Extras, PageFinding};
use super::json_text::{break_line, push_string};
use super::markup::{Markup, code};
use super::page::Page;
use super::text;

/// Writes the sections.
pub(super) fn sections(page: &Page<'_>, markup: Markup, out: &mut String) {
    let extras = page.extras;
    if let Some(example) = &extras.example {
        markup.heading(page, 0, "Example", out);
        out.push_str(&markup.block(example.trim_end(), "hcl"));
        out.push_str("\n\n");
    }
    if let Some(callers) = &extras.callers {
        let rows: Vec<[String; 3]> = callers
            .iter()
            .map(|it| [plain(&it.path), plain(&it.name), or_nothing(&plain(&it.version))])
            .collect();
        table(page, markup, "Callers", ["Path", "Name", "Version"], &rows, out);
        if extras.with_values {
            let rows: Vec<[String; 3]> = values(callers)
                .map(|(variable, value, caller)| {
                    let place = format!("{}: {}", plain(&caller.path), plain(&caller.name));
                    [plain(variable), value_cell(value), place]
                })
                .collect();
            table(page, markup, "Values", ["Input", "Value", "Caller"], &rows, out);
        }
    }
    if let Some(findings) = &extras.findings {
        let rows: Vec<[String; 3]> = findings
            .iter()
            .map(|it| [plain(&it.place), it.severity.to_owned(), plain(&it.message)])
            .collect();
        table(page, markup, "Findings", ["Place", "Severity", "Message"], &rows, out);
    }
}

/// The values that callers pass, by the variable: in the order of their names, then of the callers.
fn values(callers: &[Caller]) -> impl Iterator<Item = (&str, &str, &Caller)> {
    let mut all: Vec<(&str, &str, &Caller)> = callers
        .iter()
        .flat_map(|caller| {
            caller.values.iter().map(move |(name, value)| (name.as_str(), value.as_str(), caller))
        })
        .collect();
    all.sort_by_key(|(name, _, _)| *name);
    all.into_iter()
}

/// Returns a text that reads as it is: what markup gives a meaning to becomes a character reference, except
/// underscores and pipes, which cells escape.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '`' | '*' | '[' | ']' | '\\' | '~' => {
                // Writing into a string does not fail.
                let _ = write!(out, "&#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

/// Returns a value as code, unless it has what would end the code or the cell.
fn value_cell(value: &str) -> String {
    if value.contains(['`', '|']) { plain(value) } else { code(value) }
}

fn or_nothing(text: &str) -> String {
    if text.is_empty() { text::NOTHING.to_owned() } else { text.to_owned() }
}

fn table(
    page: &Page<'_>,
    markup: Markup,
    title: &str,
    columns: [&str; 3],
    rows: &[[String; 3]],
    out: &mut String,
) {
    if page.is_without(title, rows.len()) {
        markup.nothing(page, title, out);
        out.push_str("\n\n");
        return;
    }
    markup.heading(page, 0, title, out);
    match markup {
        Markup::Markdown => {
            let _ = writeln!(out, "\n\n| {} |", columns.join(" | "));
            let lines = columns.map(|column| "-".repeat(column.len()));
            let _ = writeln!(out, "| {} |", lines.join(" | "));
            for row in rows {
                let cells = row.each_ref().map(|cell| text::markdown_cell(cell, page.style()));
                let _ = writeln!(out, "| {} |", cells.join(" | "));
            }
            out.push('\n');
        }
        Markup::Asciidoc => {
            let names = columns.join(" |");
            let _ =
                write!(out, "\n\n[cols=\"a,a,a\",options=\"header,autowidth\"]\n|===\n|{names}\n");
            for row in rows {
                let cells = row.each_ref().map(|cell| text::asciidoc_cell(cell, page.style()));
                let _ = writeln!(out, "|{}", cells.join(" |"));
            }
            out.push_str("|===\n\n");
        }
    }
}

/// Writes the members of the JSON of a page.
pub(super) fn members(extras: &Extras, out: &mut String) {
    let string = |text: &str| {
        let mut out = String::new();
        push_string(&mut out, text);
        out
    };
    let list = |name: &str, objects: Vec<Vec<(&str, String)>>, out: &mut String| {
        out.push(',');
        break_line(out, 1);
        let _ = write!(out, "\"{name}\": [");
        for (number, members) in objects.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { "," });
            break_line(out, 2);
            out.push('{');
            for (place, (name, value)) in members.iter().enumerate() {
                out.push_str(if place == 0 { "" } else { "," });
                break_line(out, 3);
                let _ = write!(out, "\"{name}\": {value}");
            }
            break_line(out, 2);
            out.push('}');
        }
        if !objects.is_empty() {
            break_line(out, 1);
        }
        out.push(']');
    };
    if let Some(callers) = &extras.callers {
        let of = |it: &Caller| {
            let mut members = vec![
                ("path", string(&it.path)),
                ("name", string(&it.name)),
                ("version", string(&it.version)),
            ];
            if extras.with_values {
                let values = it
                    .values
                    .iter()
                    .map(|(name, value)| format!("{}: {}", string(name), string(value)));
                members.push(("values", format!("{{{}}}", values.collect::<Vec<_>>().join(", "))));
            }
            members
        };
        list("callers", callers.iter().map(of).collect(), out);
    }
    if let Some(findings) = &extras.findings {
        let of = |it: &PageFinding| {
            vec![
                ("severity", string(it.severity)),
                ("place", string(&it.place)),
                ("message", string(&it.message)),
            ]
        };
        list("findings", findings.iter().map(of).collect(), out);
    }
    if let Some(example) = &extras.example {
        out.push(',');
        break_line(out, 1);
        let _ = write!(out, "\"example\": {}", string(example));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_as_they_are() {
        assert_eq!(
            plain("a `b` <c> [d](e) *f* \\ &amp; g_h|i"),
            "a &#96;b&#96; &lt;c> &#91;d&#93;(e) &#42;f&#42; &#92; &amp;amp; g_h|i"
        );
        assert_eq!(value_cell("1 + 1"), "`1 + 1`");
        assert_eq!(value_cell("a || b"), "a || b");
    }
}

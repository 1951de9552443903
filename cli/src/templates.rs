//! `templates`: every string that contains a template, with its references. Needs no schema.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::native::Traversal;

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::files::{self, File};
use crate::output::{Csv, Layout, Row, text_of};
use crate::status::{Failure, Status};
use crate::visible::{abridged, visible};

/// Texts for people are cut after this many characters.
const SHOWN: usize = 200;

#[derive(Serialize)]
struct Template<'a> {
    /// The path of the string inside the file.
    path: String,
    /// Whether the string is the name of a property, not a value.
    key: bool,
    range: Range,
    /// The decoded string.
    text: &'a str,
    traversals: Vec<Reference>,
}

#[derive(Serialize)]
struct Reference {
    text: String,
    range: Range,
}

pub(crate) fn run(templates: &args::Templates, common: &Common) -> Result<Status, Failure> {
    let (status, _) = files::list::<Template<'_>>(
        &templates.configuration,
        common,
        templates.format,
        "template",
        list,
    )?;
    Ok(status)
}

/// Lists the templates of one file.
fn list<'a>(file: File<'_, 'a>) -> io::Result<()> {
    let File { source, parsed, rows, diagnostics, .. } = file;
    for found in parsed.templates() {
        let reference = |traversal: Traversal<'a>| Reference {
            text: text_of(traversal),
            range: Range::of(source, traversal.span()),
        };
        let template = Template {
            path: text_of(found.path()),
            key: found.is_key(),
            range: Range::of(source, found.span()),
            text: found.text(),
            traversals: found.variables().map(reference).collect(),
        };
        diagnostics.extend_from_slice(found.diagnostics());
        rows.push(&template)?;
    }
    Ok(())
}

impl Row for Template<'_> {
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] =
        &["path", "key", "text", "traversals", "filename", "line", "column"];

    /// Prints place and path, then the text, then its references.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range { filename, start, .. } = &self.range;
        let key = if self.key { " (name)" } else { "" };
        let place = format!("{filename}:{}:{}", start.line, start.column);
        writeln!(out, "{}  {}{key}", visible(&place), visible(&self.path))?;
        writeln!(out, "    {}", visible(&abridged(self.text, SHOWN)))?;
        for reference in &self.traversals {
            writeln!(out, "    -> {}", visible(&reference.text))?;
        }
        Ok(())
    }

    fn records(&self, out: &mut Csv<'_>) {
        let traversals: Vec<_> = self.traversals.iter().map(|it| it.text.as_str()).collect();
        let Range { filename, start, .. } = &self.range;
        let [key, traversals, line, column] = [
            self.key.to_string(),
            traversals.join(" "),
            start.line.to_string(),
            start.column.to_string(),
        ];
        out.record([&self.path, &key, self.text, &traversals, filename, &line, &column]);
    }
}

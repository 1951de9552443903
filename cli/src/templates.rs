//! `templates`: every string that contains a template, with its references. Needs no schema.

use std::io::{self, Read, Write};

use serde::Serialize;
use simd_hcl::native::Traversal;
use simd_hcl::{Source, Span, stream};

use crate::args::{self, Common};
use crate::files::{self, File, Streamed};
use crate::output::{Csv, Layout, List, Row, text_of};
use crate::status::{Failure, Status};
use crate::visible::{abridged, visible};

/// Texts for people are cut after this many characters.
const SHOWN: usize = 200;

#[derive(Serialize)]
struct Template<'a> {
    /// The path of the string inside the file.
    path: &'a str,
    /// Whether the string is the name of a property, not a value.
    key: bool,
    range: Range<'a>,
    /// The decoded string.
    text: &'a str,
    traversals: Vec<Reference<'a>>,
}

#[derive(Serialize)]
struct Reference<'a> {
    text: String,
    range: Range<'a>,
}

/// A place in a file of any length.
#[derive(Serialize)]
struct Range<'a> {
    filename: &'a str,
    start: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    line: u64,
    column: u64,
    byte: u64,
}

impl<'a> Range<'a> {
    fn of(source: Source<'a>, span: Span) -> Self {
        let place = |offset| {
            let at = source.position(offset);
            Place { line: at.line.into(), column: at.column.into(), byte: at.byte.into() }
        };
        Self { filename: source.name(), start: place(span.start), end: place(span.end) }
    }

    fn of_stream(filename: &'a str, (start, end): (stream::Position, stream::Position)) -> Self {
        let place =
            |at: stream::Position| Place { line: at.line, column: at.column, byte: at.byte };
        Self { filename, start: place(start), end: place(end) }
    }
}

pub(crate) fn run(templates: &args::Templates, common: &Common) -> Result<Status, Failure> {
    let (status, _) = files::list::<Template<'_>>(
        &templates.configuration,
        common,
        templates.format,
        "template",
        Some(list_stream),
        list,
    )?;
    Ok(status)
}

/// Lists the templates of a file that is too large to keep, as it is read.
fn list_stream(
    input: Box<dyn Read>,
    options: stream::Options,
    list: &mut List,
) -> io::Result<Streamed> {
    let name = options.name.clone();
    let mut templates = stream::Templates::new(input, options);
    let (mut rows, mut has_errors, mut problem) = (0, false, None);
    let mut tell = |problem: &stream::Problem| {
        has_errors = true;
        anstream::eprintln!("{}", visible(&problem.to_string()));
    };
    loop {
        let found = match templates.next() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(error) => {
                tell(&error);
                problem = Some(error.code().summary());
                break;
            }
        };
        let reference = |traversal: Traversal<'_>| Reference {
            text: text_of(traversal),
            range: Range::of_stream(&name, found.range_of(traversal.label())),
        };
        list.push(&Template {
            path: found.path(),
            key: found.is_key(),
            range: Range::of_stream(&name, found.range()),
            text: found.text(),
            traversals: found.variables().map(reference).collect(),
        })?;
        rows += 1;
        found.problems().for_each(|problem| tell(&problem));
    }
    let members = templates.members().to_vec();
    Ok(Streamed { rows, bytes: templates.bytes_read(), members, has_errors, problem })
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
            path: &text_of(found.path()),
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
        writeln!(out, "{}  {}{key}", visible(&place), visible(self.path))?;
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
        out.record([self.path, &key, self.text, &traversals, filename, &line, &column]);
    }
}

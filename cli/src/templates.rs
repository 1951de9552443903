//! `templates`: every string that contains a template, with its references. Needs no schema.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::List as FileList;
use simd_hcl::hidden::{HIDDEN, Hidden};
use simd_hcl::native::Traversal;
use simd_hcl::stream;

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::files::{self, File, Large, Streamed};
use crate::output::{Csv, Layout, List, Row, text_of};
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
        (templates.format, templates.show_sensitive),
        "template",
        Some(&list_large),
        &list,
    )?;
    Ok(status)
}

/// Lists the templates of a file that is too large to keep, as it is read.
fn list_large(
    Large { of, secrets, input, options }: Large<'_>,
    list: &mut List,
) -> io::Result<Streamed> {
    let file_list = of.file.kind.list;
    let declared = secrets.map(|secrets| secrets.of(of.module, Some(&of.file.path)));
    // Files of variables declare nothing.
    let unread = match file_list {
        FileList::Variables => Hidden::default(),
        _ => Hidden::unread(),
    };
    // As long as a string of a file that is kept may be.
    let mut templates = stream::Templates::new(input, options.with_max_token(usize::MAX));
    let mut read = Streamed::default();
    let problem = loop {
        match templates.next() {
            Ok(Some(found)) => {
                let known = declared.as_ref().map(|it| it.path_of_streamed(file_list, &found));
                let hidden = known.and_then(|known| {
                    known.or_else(|| {
                        let hidden = unread.path_of_streamed(file_list, &found)?;
                        files::hides_unread(&mut read.incomplete, found.label());
                        Some(hidden)
                    })
                });
                let text = if hidden.is_some() { HIDDEN } else { found.text() };
                let path = hidden.unwrap_or_else(|| found.path().to_owned());
                let (label, variables) = (found.label(), &mut found.variables());
                list.push(&Template::of(path, found.is_key(), label, text, variables))?;
                read.rows += 1;
                read.tell(found.diagnostics());
            }
            Ok(None) => break None,
            Err(problem) => break Some(problem),
        }
    };
    (read.bytes, read.members) = (templates.bytes_read(), templates.members().to_vec());
    problem.iter().for_each(|problem| read.fail(problem));
    Ok(read)
}

/// Lists the templates of one file.
fn list(file: File<'_, '_>) -> io::Result<()> {
    let File { of, secrets, parsed, rows, diagnostics, .. } = file;
    let mut declared = None;
    for found in parsed.templates() {
        let list = of.file.kind.list;
        let hidden = secrets.and_then(|secrets| {
            if !Hidden::decides(list, found.path()) {
                return Hidden::default().path_of_template(list, &found);
            }
            let declared = declared.get_or_insert_with(|| secrets.of(of.module, None));
            declared.path_of_template(list, &found)
        });
        let text = if hidden.is_some() { HIDDEN } else { found.text() };
        let path = text_of(hidden.unwrap_or(found.path()));
        let (label, variables) = (found.label(), &mut found.variables());
        rows.push(&Template::of(path, found.is_key(), label, text, variables))?;
        diagnostics.extend_from_slice(found.diagnostics());
    }
    Ok(())
}

impl<'a> Template<'a> {
    fn of(
        path: String,
        key: bool,
        label: Label<'a>,
        text: &'a str,
        variables: &mut dyn Iterator<Item = Traversal<'a>>,
    ) -> Self {
        let reference = |traversal: Traversal<'a>| Reference {
            text: text_of(traversal),
            range: Range::of(traversal.source(), traversal.span()),
        };
        Self {
            path,
            key,
            range: Range::of(label.source, label.span),
            text,
            traversals: variables.map(reference).collect(),
        }
    }
}

impl Row for Template<'_> {
    const MEMBER: Option<&'static str> = Some("templates");
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
        out.record([self.path.as_str(), &key, self.text, &traversals, &**filename, &line, &column]);
    }
}

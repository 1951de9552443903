//! `templates`: every string of a tree that holds a template, schema-free, and what it refers to.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::directory::decode;
use simd_hcl::native::Traversal;
use simd_hcl::{Document, OpenError, Severity, Source};

use crate::args::{self, Common, Format};
use crate::check::{report_absence, unreadable_directories};
use crate::excerpt::Range;
use crate::finding::{Finding, Policy};
use crate::output::{Layout, List, Row, Rows};
use crate::progress::Progress;
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{human, input};

/// Modules that are read together, so that memory does not grow with the tree.
const MODULES_AT_ONCE: usize = 128;

#[derive(Serialize)]
struct Template<'a> {
    /// Where the string is inside of the file, as an address.
    path: String,
    /// It is the name of a property, not a value.
    key: bool,
    range: Range,
    /// Decoded.
    text: &'a str,
    traversals: Vec<Reference>,
}

#[derive(Serialize)]
struct Reference {
    text: String,
    range: Range,
}

/// What is taken from one file before its arena goes to the next.
struct Listed {
    bytes: u64,
    arena_bytes: usize,
    rows: Rows,
    findings: Vec<Finding>,
}

pub(crate) fn run(templates: &args::Templates, common: &Common) -> Result<Status, Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::modules(&templates.configuration, common)?;
    let mut status = report_absence(&discovery, common);
    let mut findings = unreadable_directories(&discovery, Policy::default());

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    let pool = input::thread_pool(common)?;
    stats.threads = pool.current_num_threads();
    stats.modules = discovery.modules.len();
    let mut all = List::new(templates.format);
    let mut total = 0;
    let mut print = |file: Listed, findings: &mut Vec<Finding>| -> Result<(), Failure> {
        stats.files += 1;
        stats.bytes += file.bytes;
        stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
        total += file.rows.len();
        all.append(file.rows)?;
        findings.extend(file.findings);
        Ok(())
    };
    let format = templates.format;
    for modules in discovery.modules.chunks(MODULES_AT_ONCE) {
        let listed = pool.install(|| {
            decode(modules, &options, |_, source, document| {
                progress.advance();
                list(source, document, format)
            })
        });
        for file in listed {
            print(file?, &mut findings)?;
        }
    }
    drop(progress);
    all.finish()?;
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    if !common.quiet {
        anstream::eprintln!("{}; {}", stats.summary("read"), count(total, "template"));
    }
    stats.print(common);
    Ok(status)
}

/// The templates of one file.
fn list<'a>(
    source: Source<'a>,
    document: Result<Document<'a>, Box<OpenError>>,
    format: Format,
) -> io::Result<Listed> {
    let mut listed = Listed {
        bytes: source.bytes().len() as u64,
        arena_bytes: 0,
        rows: Rows::new(format),
        findings: Vec::new(),
    };
    let mut diagnostics = Vec::new();
    match document {
        Err(error) => diagnostics.push(error.to_diagnostic(source)),
        Ok(document) => {
            diagnostics.extend_from_slice(document.diagnostics());
            for found in document.templates() {
                let reference = |traversal: Traversal<'a>| Reference {
                    text: traversal.to_string(),
                    range: Range::of(source, traversal.span()),
                };
                let template = Template {
                    path: found.path().to_string(),
                    key: found.is_key(),
                    range: Range::of(source, found.span()),
                    text: found.text(),
                    traversals: found.variables().map(reference).collect(),
                };
                diagnostics.extend_from_slice(found.diagnostics());
                listed.rows.push(&template)?;
            }
        }
    }
    listed.arena_bytes = source.arena_bytes();
    let errors = diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    listed.findings = errors.map(Finding::of).collect();
    Ok(listed)
}

impl Row for Template<'_> {
    const LAYOUT: Layout = Layout::Lines("  ");

    /// The place and the path, the text below, and below that what it refers to.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range { filename, start, .. } = &self.range;
        let key = if self.key { " (name)" } else { "" };
        let place = format!("{filename}:{}:{}", start.line, start.column);
        writeln!(out, "{}  {}{key}", visible(&place), visible(&self.path))?;
        writeln!(out, "    {}", visible(&abridged(self.text)))?;
        for reference in &self.traversals {
            writeln!(out, "    -> {}", visible(&reference.text))?;
        }
        Ok(())
    }
}

/// The text, or its beginning: templates can be whole scripts.
fn abridged(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

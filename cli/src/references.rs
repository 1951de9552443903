//! `references`: who refers to what, in every module.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::module::Module;
use simd_hcl::tree::Tree;

use crate::args::{self, Common, Format};
use crate::excerpt::Range;
use crate::modules::{path_of, path_of_template, with_tree};
use crate::visible::visible;
use crate::{Failure, Status};

/// A reference, as it is printed.
#[derive(Serialize)]
pub(crate) struct Row {
    /// None where the module is said around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    from: String,
    to: String,
    kind: &'static str,
    text: String,
    range: Range,
}

pub(crate) fn run(references: &args::References, common: &Common) -> Result<Status, Failure> {
    let print = |tree: &Tree<'_>| print(tree, references.format);
    with_tree(&references.configuration, common, print).map(|((), status)| status)
}

/// Visits the references of a module.
pub(crate) fn visit(module: &Module<'_>, mut visit: impl FnMut(Row)) {
    module.visit_references(|object, _, traversal| {
        let reference = module.reference(traversal);
        let (to, kind) = match &reference {
            Ok(reference) => (reference.subject().to_string(), reference.subject().kind()),
            Err(_) => (traversal.to_string(), "unknown"),
        };
        visit(Row {
            module: None,
            from: object.to_string(),
            to,
            kind,
            text: traversal.to_string(),
            range: Range::of(traversal.source(), traversal.span()),
        });
    });
}

fn print(tree: &Tree<'_>, format: Format) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut first = true;
    if format == Format::Json {
        out.write_all(b"[")?;
    }
    let mut failure = None;
    for module in tree.given() {
        let path = path_of(module);
        visit(&module.module, |row| {
            if failure.is_none() {
                let row = Row { module: Some(path.clone()), ..row };
                failure = write(&row, format, &mut first, &mut out).err();
            }
        });
    }
    for template in tree.templates() {
        let path = path_of_template(template);
        template.template.visit_references(|object, reference| {
            if failure.is_some() {
                return;
            }
            let text = reference.to_string();
            let (to, kind) = match &reference.subject {
                Ok(subject) => (subject.to_string(), subject.kind()),
                Err(_) => (text.clone(), "unknown"),
            };
            let place = reference.place;
            let range = Range::of(place.source, place.span);
            let module = Some(path.clone());
            let row = Row { module, from: object.to_string(), to, kind, text, range };
            failure = write(&row, format, &mut first, &mut out).err();
        });
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    if format == Format::Json {
        out.write_all(if first { b"]\n" } else { b"\n]\n" })?;
    }
    out.flush()?;
    Ok(())
}

fn write(row: &Row, format: Format, first: &mut bool, out: &mut impl Write) -> Result<(), Failure> {
    match format {
        Format::Human => {
            let Range { filename, start, .. } = &row.range;
            let place = format!("{}:{}:{}", visible(filename), start.line, start.column);
            writeln!(out, "{place}: {} -> {}", visible(&row.from), visible(&row.text))?;
        }
        Format::Json => {
            out.write_all(if *first { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, row)?;
        }
        Format::Ndjson => {
            serde_json::to_writer(&mut *out, row)?;
            writeln!(out)?;
        }
    }
    *first = false;
    Ok(())
}

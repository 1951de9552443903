//! Copies of documents for other people: written whole, or refused.

use std::io;

use super::place::Places;
use super::{Options, has_marks, write_from};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Document;
use crate::show::body_schema::BodySchemas;

/// Writes a document without its sensitive values, and returns whether it did. It writes nothing if
/// one of the diagnostics is an error: input that is not understood may contain secrets.
///
/// `found` has the diagnostics of [`show::document`](crate::show::document) or of the plan file that
/// the document comes from, and gets those of this function. A document that does not say which of its
/// values are sensitive is an error, unless [`Options::accept_unmarked`] is set: a format without
/// marks ([`has_marks`]), or a plan file without the schemas of its values. `schemas` are those of
/// [`Places::with_schemas`]. Text of other programs before the document is not written.
///
/// Cost: that of [`Places::of`], and one pass over the text.
///
/// # Errors
/// Errors of `out`.
pub fn write_document<'a>(
    document: Document<'a>,
    options: Options,
    schemas: Option<&BodySchemas<'_>>,
    found: &mut Vec<Diagnostic<'a>>,
    out: &mut dyn io::Write,
) -> io::Result<bool> {
    let root = document.root();
    if !options.accept_unmarked {
        for diagnostic in &mut *found {
            // Without its schema, the sensitive parts of a value are unknown.
            if diagnostic.code() == Code::MissingPlanSchema {
                *diagnostic = diagnostic.clone().with_severity(Severity::Error);
            }
        }
        if !has_marks(root) {
            found.push(Diagnostic::new(Code::NoSensitiveMarks, root.start_label()));
        }
    }
    let places = Places::with_schemas(document, options, schemas, found);
    let is_error = |diagnostic: &Diagnostic<'_>| diagnostic.severity() == Severity::Error;
    let Some(places) = places.filter(|_| !found.iter().any(is_error)) else { return Ok(false) };
    // Text around the document may repeat its values.
    let has_text_before = found.iter().any(|one| one.code() == Code::TextBeforeDocument);
    let start = if has_text_before { root.offset() } else { 0 };
    write_from(document.source(), start, &places, out)?;
    Ok(true)
}

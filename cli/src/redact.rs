//! `redact`: replaces the sensitive values of a plan or state, and keeps all other bytes.

use std::io::{self, Write};

use simd_hcl::show::redact::{Options, Places, has_marks, write_from};
use simd_hcl::{Code, Diagnostic, Severity};

use crate::args::{self, Common, Keep};
use crate::plan_file::Part;
use crate::printed::{Input, with_document};
use crate::status::{Failure, Status};

pub(crate) fn run(redact: &args::Redact, common: &Common) -> Result<Status, Failure> {
    let keeps = |what| redact.keep.contains(&what);
    let options = Options::default()
        .with_defaults(redact.defaults)
        .with_provider_config(keeps(Keep::ProviderConfig))
        .with_repeated_text(keeps(Keep::RepeatedText))
        .with_threads(0);
    let input = Input {
        file: &redact.file,
        stdin_name: &redact.stdin_name,
        depth: Places::DEPTH,
        part: Part::Plan,
        schemas: redact.provider_schemas.as_deref(),
        on_log: None,
    };
    with_document(input, common, |document, diagnostics| {
        for diagnostic in &mut *diagnostics {
            // Without its schema, the sensitive parts of a value are unknown.
            if diagnostic.code() == Code::MissingPlanSchema && !redact.force {
                *diagnostic = diagnostic.clone().with_severity(Severity::Error);
            }
        }
        if !redact.force && !has_marks(document.root()) {
            let report = Diagnostic::new(Code::NoSensitiveMarks, document.root().start_label());
            diagnostics.push(report);
        }
        let places = Places::of(document, options, diagnostics);
        let is_error = |diagnostic: &Diagnostic<'_>| diagnostic.severity() == Severity::Error;
        // Input that is not understood may contain secrets, so none of it is printed.
        let Some(places) = places.filter(|_| !diagnostics.iter().any(is_error)) else {
            return Ok(());
        };
        // Text around the document may repeat its values.
        let has_text_before = diagnostics.iter().any(|one| one.code() == Code::TextBeforeDocument);
        let start = if has_text_before { document.root().offset() } else { 0 };
        let mut out = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
        write_from(document.source(), start, &places, &mut out)?;
        out.flush()?;
        Ok(())
    })
}

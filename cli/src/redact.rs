//! `redact`: a plan or state with its sensitive values replaced, the same bytes elsewhere.

use std::io::{self, Write};

use simd_hcl::show::redact::{Options, Places, check_names, write};
use simd_hcl::show::{DocumentKind, Plan, RawState, State};
use simd_hcl::{Code, Diagnostic, Document, Severity};

use crate::args::{self, Common};
use crate::plan_file::Part;
use crate::printed::{Input, with_document};
use crate::status::{Failure, Status};

pub(crate) fn run(redact: &args::Redact, common: &Common) -> Result<Status, Failure> {
    let options = Options::default().with_defaults(redact.defaults);
    let input = Input {
        file: &redact.file,
        stdin_name: &redact.stdin_name,
        depth: Plan::DIFF_DEPTH,
        part: Part::Plan,
        schemas: redact.provider_schemas.as_deref(),
        on_log: None,
    };
    with_document(input, common, |document, diagnostics| {
        for diagnostic in &mut *diagnostics {
            // Without its schema nobody knows what of a value is sensitive.
            if diagnostic.code() == Code::MissingPlanSchema && !redact.force {
                *diagnostic = diagnostic.clone().with_severity(Severity::Error);
            }
        }
        check_names(document.root(), diagnostics);
        let places = places(document, options, diagnostics);
        let is_error = |diagnostic: &Diagnostic<'_>| diagnostic.severity() == Severity::Error;
        // What is not understood may hold secrets, so nothing of it is printed.
        if let Some(places) = places.filter(|_| !diagnostics.iter().any(is_error)) {
            let mut out = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
            write(document.source(), &places, &mut out)?;
            out.flush()?;
        }
        Ok(())
    })
}

fn places<'a>(
    document: Document<'a>,
    options: Options,
    diagnostics: &mut Vec<Diagnostic<'a>>,
) -> Option<Places> {
    match DocumentKind::of(document.root()) {
        DocumentKind::RawState | DocumentKind::OldState => {
            let state = RawState::of(document, diagnostics)?;
            state.check(diagnostics);
            Some(Places::of_raw_state(state))
        }
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            let state = State::of(document, diagnostics)?;
            state.check(diagnostics);
            Some(Places::of_state(state))
        }
        _ => {
            let plan = Plan::of(document, diagnostics)?;
            plan.check(diagnostics);
            Some(Places::of_plan(plan, options))
        }
    }
}

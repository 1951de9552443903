//! `redact`: replaces the sensitive values of a plan or state, and keeps all other bytes.
//!
//! Large input is read several times, record by record; a pipe is first copied into a temporary
//! file that has no name.

use std::fs::File;
use std::io::Write;

use simd_hcl::show::redact::{Large, Options, Places, Refusal, has_marks, write_from};
use simd_hcl::{Arena, Code, Diagnostic, Severity, stream};

use crate::args::{self, Common, Keep};
use crate::plan_file::Part;
use crate::printed::{Input, with_document};
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::streamed::tell_without_places;
use crate::visible;
use crate::{input, output};

/// The largest input that can be read as a whole.
const LARGEST: u64 = u32::MAX as u64 - 64;

pub(crate) fn run(redact: &args::Redact, common: &Common) -> Result<Status, Failure> {
    let keeps = |what| redact.keep.contains(&what);
    let options = Options::default()
        .with_defaults(redact.defaults)
        .with_provider_config(keeps(Keep::ProviderConfig))
        .with_repeated_text(keeps(Keep::RepeatedText))
        .with_threads(0);
    if let Some(status) = print_large(redact, options, common)? {
        return Ok(status);
    }
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
        let mut out = output::exact(visible::json);
        write_from(document.source(), start, &places, &mut out)?;
        out.flush()?;
        Ok(())
    })
}

/// Prints input that is too large to keep. Returns `None` if it is not, or if reading it as a whole
/// says what is wrong with it.
fn print_large(
    redact: &args::Redact,
    options: Options,
    common: &Common,
) -> Result<Option<Status>, Failure> {
    if redact.provider_schemas.is_some() {
        return Ok(None);
    }
    let (mut file, name) = match input::large(&redact.file, b"{", input::LARGE_FILE, common)? {
        None => return Ok(None),
        Some(input::Large::File(file)) => (file, redact.file.to_string_lossy().into_owned()),
        Some(input::Large::Pipe(pipe)) => (input::spool(pipe)?, redact.stdin_name.clone()),
    };
    let length = file.metadata()?.len();
    let mut stats = Stats::new(input::kernel(common)?);
    let settings = stream::Options::default()
        .with_name(name.as_str())
        .with_kernel(input::kernel(common)?)
        .with_max_depth(common.max_depth)
        .with_max_record(redact.max_record);
    let arena = Arena::new();
    let mut diagnostics = Vec::new();
    let large = Large::read(&arena, &mut file, options, settings, &mut diagnostics);
    let is_error = |diagnostic: &Diagnostic<'_>| diagnostic.severity() == Severity::Error;
    let refusal = match large {
        Ok(large)
            if !diagnostics.iter().any(is_error)
                && (redact.force || has_marks(large.skeleton().root())) =>
        {
            let mut out = output::exact(visible::json);
            stats.arena_bytes = large.skeleton().source().bytes().len();
            match large.write(&mut out) {
                Ok(()) => {
                    out.flush()?;
                    drop(out);
                    let status = tell_without_places(&diagnostics, &name, common);
                    drop(diagnostics);
                    (stats.files, stats.bytes) = (1, length);
                    stats.print(common);
                    return Ok(Some(status));
                }
                Err(Refusal::Input(error)) => return Err(error.into()),
                Err(refusal) => return refuse(&refusal, &name).map(Some),
            }
        }
        Ok(_) => Refusal::Unclear,
        Err(refusal) => refusal,
    };
    let is_bound = match &refusal {
        Refusal::Problem(problem) => {
            matches!(problem.code(), Code::RecordTooLarge | Code::TokenTooLong)
        }
        Refusal::Skeleton(_) | Refusal::Changed => true,
        _ => false,
    };
    if is_bound || length > LARGEST {
        return refuse(&refusal, &name).map(Some);
    }
    drop(diagnostics);
    read_again(redact, file);
    Ok(None)
}

/// Has standard input read again from its copy.
fn read_again(redact: &args::Redact, file: File) {
    if input::is_dash(&redact.file) {
        input::keep(file);
    }
}

fn refuse(refusal: &Refusal, name: &str) -> Result<Status, Failure> {
    match refusal {
        Refusal::Problem(problem) => {
            anstream::eprintln!("{}", visible::line(&problem.to_string()));
            Ok(Status::Found)
        }
        refusal => Err(Failure::Message(format!("{}: {refusal}", visible::visible(name)))),
    }
}

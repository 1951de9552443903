//! Code shared by the commands that read a plan or state as a stream.

use std::io;
use std::path::Path;

use simd_hcl::show::redact::{Large, Options, Refusal};
use simd_hcl::show::{Filter, Shown};
use simd_hcl::{Arena, Code, Diagnostic, Position, Severity, stream};

use crate::args::{Common, Selection};
use crate::input;
use crate::printed::explain;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible;

/// The most resources whose types and addresses are proposed instead of unknown ones.
const PROPOSED: usize = 10_000;

/// The types and addresses that an explanation of an empty selection needs.
#[derive(Default)]
pub(crate) struct Candidates {
    /// Whether there is a selection to explain.
    is_used: bool,
    rows: Vec<(String, String)>,
    /// How many of the rows are selected.
    selected: usize,
}

impl Candidates {
    pub(crate) fn of(selection: &Selection) -> Self {
        Self { is_used: selection.is_used(), ..Self::default() }
    }

    /// Keeps the type and the address of a resource, if an explanation may need them.
    pub(crate) fn add(&mut self, kind: &str, address: &str, is_selected: bool) {
        let others = self.rows.len() - self.selected;
        let (kept, is_kept) = match is_selected {
            true => (self.selected, &mut self.selected),
            false => (others, &mut 0),
        };
        if self.is_used && kept < PROPOSED {
            *is_kept += 1;
            self.rows.push((kind.to_owned(), address.to_owned()));
        }
    }

    /// Prints what the `filter` names and the document, which is a `what`, does not have: see [`explain`].
    pub(crate) fn explain(
        &self,
        filter: &Filter<'_>,
        what: &str,
        shown: &Shown,
        common: &Common,
    ) -> io::Result<Status> {
        let rows = self.rows.iter().map(|(kind, address)| (kind.as_str(), address.as_str()));
        explain(filter, rows, what, shown, common)
    }
}

/// Why a document is not printed to its end.
pub(crate) enum Stop {
    Failure(Failure),
    Refusal(Refusal),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Input(error) => Self::Failure(error.into()),
            refusal => Self::Refusal(refusal),
        }
    }
}

/// The largest input that can be read as a whole.
const LARGEST: u64 = u32::MAX as u64 - 64;

/// Reads what a document hides, and passes it to `print` with the diagnostics so far. A
/// pipe is copied into a temporary file first. `source` is the path, and the name of standard input.
///
/// Returns `None` if the document must be read as a whole, which also says what is wrong with it:
/// then it is not understood, or `print` returns `None`.
pub(crate) fn with_large(
    input: input::Large,
    (path, stdin_name): (&Path, &str),
    options: Options,
    settings: stream::Options,
    common: &Common,
    print: impl for<'t> FnOnce(Large<'t, '_>, Vec<Diagnostic<'t>>) -> Result<Option<Status>, Stop>,
) -> Result<Option<Status>, Failure> {
    let (mut file, name) = match input {
        input::Large::File(file) => (file, path.to_string_lossy().into_owned()),
        input::Large::Pipe(pipe) => (input::spool(pipe)?, stdin_name.to_owned()),
    };
    let length = file.metadata()?.len();
    let mut stats = Stats::new(input::kernel(common)?);
    let settings = settings
        .with_name(name.as_str())
        .with_kernel(input::kernel(common)?)
        .with_max_depth(common.max_depth);
    let arena = Arena::new();
    let mut diagnostics = Vec::new();
    let large = Large::read(&arena, &mut file, options, settings, &mut diagnostics);
    let is_error = |diagnostic: &Diagnostic<'_>| diagnostic.severity() == Severity::Error;
    let refusal = match large {
        Ok(large) if !diagnostics.iter().any(is_error) => {
            stats.arena_bytes = large.skeleton().source().bytes().len();
            match print(large, diagnostics) {
                Ok(Some(status)) => {
                    (stats.files, stats.bytes) = (1, length);
                    stats.print(common);
                    return Ok(Some(status));
                }
                Ok(None) => Refusal::Unclear,
                // Some of it may have been printed.
                Err(Stop::Refusal(refusal)) => return refuse(&refusal, &name).map(Some),
                Err(Stop::Failure(failure)) => return Err(failure),
            }
        }
        Ok(_) => Refusal::Unclear,
        Err(Refusal::Input(error)) => return Err(error.into()),
        Err(refusal) => refusal,
    };
    let is_bound = match &refusal {
        Refusal::Problem(problem) => {
            matches!(problem.known_code(), Some(Code::RecordTooLarge | Code::TokenTooLong))
        }
        Refusal::Skeleton(_) | Refusal::Changed => true,
        _ => false,
    };
    if is_bound || length > LARGEST {
        return refuse(&refusal, &name).map(Some);
    }
    if input::is_dash(path) {
        common.instead.keep_stdin(file);
    }
    Ok(None)
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

/// Returns what is shown of a document outside of its records.
pub(crate) fn shown(large: &Large<'_, '_>, selection: &Selection) -> Shown {
    if selection.show_sensitive { Shown::everything() } else { large.shown() }
}

/// Prints the diagnostics of records, with their places. Returns whether one of them is an error.
pub(crate) fn tell(diagnostics: &[Diagnostic<'_>], common: &Common) -> Status {
    tell_as(diagnostics, common, |one| one.to_string())
}

/// Prints diagnostics about the text outside of the records, with their places in the input. Returns
/// whether one of them is an error.
///
/// # Errors
/// The input cannot be read again.
pub(crate) fn tell_of_skeleton(
    large: &mut Large<'_, '_>,
    diagnostics: &[Diagnostic<'_>],
    common: &Common,
) -> Result<Status, Refusal> {
    let mut status = Status::Clean;
    for one in diagnostics {
        let source = one.source();
        let place = match source.id() == large.skeleton().source().id() {
            true => large.position(one.span().start)?,
            false => source.position(one.span().start),
        };
        let Position { line, column, .. } = place;
        let (name, code, summary) = (source.name(), one.code(), one.summary());
        let (severity, message) = (one.severity(), one.message());
        let line = format!("{name}:{line}:{column}: {severity}[{code}]: {summary}: {message}");
        status = status.max(tell_as(std::slice::from_ref(one), common, |_| line.clone()));
    }
    Ok(status)
}

/// Prints a line for each diagnostic; only for errors if the command is quiet.
fn tell_as(
    diagnostics: &[Diagnostic<'_>],
    common: &Common,
    line: impl Fn(&Diagnostic<'_>) -> String,
) -> Status {
    let mut status = Status::Clean;
    for one in diagnostics {
        let is_error = one.severity() == Severity::Error;
        if is_error {
            status = Status::Found;
        }
        if is_error || !common.quiet {
            anstream::eprintln!("{}", visible::line(&line(one)));
        }
    }
    status
}

//! What commands share that read a plan or state as a stream.

use std::io;
use std::path::Path;

use simd_hcl::show::Filter;
use simd_hcl::stream::Problem;
use simd_hcl::{Diagnostic, Severity};

use crate::args::{Common, Selection};
use crate::printed::explain;
use crate::status::Status;
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

    /// Prints what the `filter` names and the document, which is a `what`, does not have. Returns whether it
    /// has everything.
    pub(crate) fn explain(&self, filter: &Filter<'_>, what: &str) -> io::Result<bool> {
        let rows = self.rows.iter().map(|(kind, address)| (kind.as_str(), address.as_str()));
        explain(filter, rows, what)
    }
}

/// Prints the diagnostics of records, with their places.
pub(crate) fn tell(diagnostics: &[Diagnostic<'_>], common: &Common) {
    for one in diagnostics {
        if one.severity() == Severity::Error || !common.quiet {
            anstream::eprintln!("{}", visible::line(&one.to_string()));
        }
    }
}

/// Prints an error or a warning of the stream itself.
pub(crate) fn tell_problem(problem: &Problem, common: &Common) {
    if problem.severity() == Severity::Error || !common.quiet {
        anstream::eprintln!("{}", visible::line(&problem.to_string()));
    }
}

/// Prints diagnostics about a document whose text is not that of the file, so that their places mean
/// nothing. Returns whether one of them is an error.
pub(crate) fn tell_without_places(
    diagnostics: &[Diagnostic<'_>],
    name: &str,
    common: &Common,
) -> Status {
    let mut status = Status::Clean;
    for one in diagnostics {
        let is_error = one.severity() == Severity::Error;
        if is_error {
            status = Status::Found;
        }
        if is_error || !common.quiet {
            let (code, summary) = (one.code(), one.summary());
            let name = visible::path(Path::new(name));
            let line = format!("{name}: {}[{code}]: {summary}: {}", one.severity(), one.message());
            anstream::eprintln!("{}", visible::line(&line));
        }
    }
    status
}

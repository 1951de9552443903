//! `state` of input that is too large to keep: resources are printed as they are read.
//!
//! It is read several times: first to find sensitive values. Memory holds the window of the stream,
//! and the state without its resources.

use std::io::{self, Write};

use simd_hcl::show::redact::{Options, Row as Record, RowKind};
use simd_hcl::show::rows::{Instance, Output};
use simd_hcl::show::{DocumentKind, Filter, RawResource, RawState, Read, Resource, Shown, State};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Code, Diagnostic, Document, Sink, stream};

use super::row::{self, header, print_outputs};
use crate::args::{self, Common, StateFormat};
use crate::input;
use crate::output::{self, Csv};
use crate::printed::{filter, scrub};
use crate::status::{Failure, Status};
use crate::streamed::{Candidates, shown, tell, tell_of_skeleton, with_large};

/// The number of bytes at the start of a state that say what it is.
const START: usize = 4096;

/// Whether the start of a text is that of a state whose resources can be read one by one. State files
/// of version 1 to 3 are upgraded as a whole.
fn is_state(start: &[u8]) -> bool {
    let first = String::from_utf8_lossy(&start[..start.len().min(START)]);
    let has = |text: &str| first.contains(text);
    input::is_json(start, b"{")
        && (has("format_version\"") || has("\"version\": 4") || has("\"version\":4"))
}

/// Prints a state that is too large to keep. Returns `None` if it is not, or must be kept.
pub(super) fn print(state: &args::State, common: &Common) -> Result<Option<Status>, Failure> {
    if matches!(state.format, StateFormat::Json | StateFormat::Html) {
        return Ok(None);
    }
    if state.provider_schemas.is_some() {
        return Ok(None);
    }
    let input = input::large_if(&state.file, &is_state, input::LARGE_FILE, common)?;
    let Some(input) = input else { return Ok(None) };
    let filter = filter(&state.selection)?;
    let settings = stream::Options::default().with_max_record(state.max_record);
    let source = (state.file.as_path(), state.selection.stdin_name.as_str());
    with_large(input, source, Options::default(), settings, common, |mut large, found| {
        let mut diagnostics: Vec<Diagnostic<'_>> = found;
        // Types without a schema matter only if their values are printed.
        diagnostics.retain(|one| state.values || one.code() != Code::MissingStateSchema);
        let skeleton = large.skeleton();
        let Some(outputs) = outputs(skeleton, &mut diagnostics) else { return Ok(None) };
        let shown = shown(&large, &state.selection);
        let is_human = state.format == StateFormat::Human;
        let mut printer = Printer {
            state,
            common,
            filter: &filter,
            out: output::stream(is_human),
            has_header: false,
            candidates: Candidates::of(&state.selection),
            status: Status::Clean,
        };
        large.rows(state.selection.show_sensitive, &mut |rows, shown| printer.rows(rows, shown))?;
        printer.finish(&outputs, &shown)?;
        let arena = skeleton.source().arena();
        scrub(&mut diagnostics, &shown, arena);
        let status = printer.status.max(tell_of_skeleton(&mut large, &diagnostics, common)?);
        let selected = printer.candidates.explain(&filter, "state", &shown, common)?;
        Ok(Some(if status == Status::Clean { selected } else { status }))
    })
}

/// The outputs of a state; `None` if the document is not one.
fn outputs<'t>(document: Document<'t>, diagnostics: &mut dyn Sink<'t>) -> Option<Vec<Output<'t>>> {
    if DocumentKind::of(document.root()) == DocumentKind::RawState {
        let state = RawState::of(document, &mut ())?;
        state.check(diagnostics);
        return Some(state.output_rows().collect());
    }
    let state = State::of(document, &mut ())?;
    state.check(diagnostics);
    Some(state.output_rows().collect())
}

struct Printer<'p> {
    state: &'p args::State,
    common: &'p Common,
    filter: &'p Filter<'p>,
    out: Box<dyn Write>,
    has_header: bool,
    candidates: Candidates,
    status: Status,
}

impl Printer<'_> {
    /// Prints the selected resources.
    fn rows(&mut self, rows: &[Record<'_, '_>], shown: &Shown) -> io::Result<()> {
        let mut diagnostics = Vec::new();
        for record in rows {
            record.check(&mut diagnostics);
            let node = record.node();
            if record.kind() == RowKind::RawResource {
                let Some(resource) = RawResource::read(node) else { continue };
                for instance in Instance::all_of_stored(resource) {
                    self.row(instance, shown)?;
                }
            } else if let Some(resource) = Resource::read(node) {
                self.row(Instance::of_resource(resource), shown)?;
            }
        }
        if let Some(record) = rows.first() {
            let arena = record.node().source().arena();
            scrub(&mut diagnostics, shown, arena);
            self.status = self.status.max(tell(&diagnostics, self.common));
        }
        Ok(())
    }

    /// Prints a resource, if it is selected.
    fn row(&mut self, row: Instance<'_>, shown: &Shown) -> io::Result<()> {
        let (kind, address) = (row.type_name(), row.full_address());
        let (kind, address) = (kind.unwrap_or_default(), address.unwrap_or_default());
        let is_wanted = self.filter.wants(kind, &address);
        self.candidates.add(kind, &address, is_wanted);
        if !is_wanted {
            return Ok(());
        }
        match self.state.format {
            StateFormat::Human => row::print(row, &mut self.out, shown, self.state),
            StateFormat::Csv => {
                self.header()?;
                let mut text = Vec::new();
                row::record(row, &mut Csv::new(&mut text, self.common.style()), shown, self.state);
                self.out.write_all(&text)
            }
            _ => {
                let mut writer = Writer::new(&mut self.out, Layout::Compact);
                row::write(row, writer.value().object(), shown, self.state);
                writer.finish()?;
                writeln!(self.out)
            }
        }
    }

    /// Writes the names of the columns, once.
    fn header(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_header, true) {
            return Ok(());
        }
        let mut text = Vec::new();
        header(&mut Csv::new(&mut text, self.common.style()), self.state);
        self.out.write_all(&text)
    }

    /// Prints the outputs, which follow the resources.
    fn finish(&mut self, outputs: &[Output<'_>], shown: &Shown) -> io::Result<()> {
        match self.state.format {
            StateFormat::Human => print_outputs(outputs, &mut self.out, self.state, shown)?,
            StateFormat::Csv => self.header()?,
            _ => {}
        }
        self.out.flush()
    }
}

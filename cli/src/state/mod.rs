//! `state`: the resources and outputs of a state, printed or raw.

mod page;
mod row;
mod stream;

use std::io;

use simd_hcl::json::Node;
use simd_hcl::show::redact::Options;
use simd_hcl::show::rows::{Instance, Output};
use simd_hcl::show::{BodySchemas, DocumentKind, Filter, RawState, Shown, State};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Diagnostic, Document};

use self::row::{header, print_outputs, write_output};
use crate::args::{self, Common, StateFormat};
use crate::incomplete::{Incomplete, write_gaps};
use crate::output::{self, Csv, Style};
use crate::plan_file::Part;
use crate::printed::{Input, explain, filter, scrub, with_document};
use crate::provider_schemas;
use crate::status::{Failure, Status};

pub(crate) fn run(state: &args::State, common: &Common) -> Result<Status, Failure> {
    if let Some(status) = stream::print(state, common)? {
        return Ok(status);
    }
    let filter = filter(&state.selection)?;
    let input = Input {
        file: &state.file,
        stdin_name: &state.selection.stdin_name,
        depth: State::DEPTH,
        part: Part::State,
        schemas: state.provider_schemas.as_deref(),
        on_log: None,
    };
    let mut selected = Status::Clean;
    let status = with_document(input, common, |document, diagnostics| {
        let arena = document.source().arena();
        let schemas = match &state.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?),
            None => None,
        };
        let report = Report::of(document, state, schemas.as_ref(), diagnostics);
        let Some(mut report) = report else { return Ok(()) };
        scrub(diagnostics, &report.shown, arena);
        selected = report.select(&filter, common)?;
        match state.format {
            StateFormat::Human => report.print(state)?,
            StateFormat::Json => report.write_json(state)?,
            StateFormat::Ndjson => report.write_lines(state)?,
            StateFormat::Csv => report.write_csv(state, common.style())?,
            StateFormat::Html => report.write_page(state)?,
        }
        report.gaps().print(state.format.into(), common);
        Ok(())
    })?;
    Ok(if status == Status::Clean { selected } else { status })
}

/// Why no value of a state is printed.
const HIDDEN: &str =
    "the state differs from its format, so it is not known which values are sensitive";

struct Report<'a> {
    format_version: Option<Node<'a>>,
    terraform_version: Option<Node<'a>>,
    rows: Vec<Instance<'a>>,
    outputs: Vec<Output<'a>>,
    /// Decides which values are shown.
    shown: Shown,
}

impl<'a> Report<'a> {
    fn of(
        document: Document<'a>,
        arguments: &args::State,
        schemas: Option<&BodySchemas<'_>>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Option<Self> {
        let options = Options::default().with_threads(0);
        let kind = DocumentKind::of(document.root());
        if matches!(kind, DocumentKind::RawState | DocumentKind::OldState) {
            let state = RawState::of(document, diagnostics)?;
            state.check(diagnostics);
            let shown = match arguments.selection.show_sensitive {
                true => Shown::everything(),
                // Types without a schema matter only if their values are printed.
                false if arguments.values => {
                    Shown::of_raw_state(state, options, schemas, diagnostics)
                }
                false => Shown::of_raw_state(state, options, schemas, &mut ()),
            };
            return Some(Self {
                // The version of the file, not the one that it was upgraded to.
                format_version: document.root().as_object()?.get("version"),
                terraform_version: state.object().get("terraform_version"),
                rows: state.instances().collect(),
                outputs: state.output_rows().collect(),
                shown,
            });
        }
        let state = State::of(document, diagnostics)?;
        state.check(diagnostics);
        let shown = match arguments.selection.show_sensitive {
            true => Shown::everything(),
            false => Shown::of_state(state, options),
        };
        let object = state.object();
        Some(Self {
            format_version: object.get("format_version").or(object.get("state_format_version")),
            terraform_version: object.get("terraform_version"),
            rows: state.instances().collect(),
            outputs: state.output_rows().collect(),
            shown,
        })
    }

    /// Keeps the selected rows, and reports selections without one: see [`explain`].
    fn select(&mut self, filter: &Filter<'_>, common: &Common) -> io::Result<Status> {
        let names = |row: Instance<'a>| {
            (row.type_name().unwrap_or_default(), row.full_address().unwrap_or_default())
        };
        let all: Vec<_> = self.rows.iter().map(|row| names(*row)).collect();
        let rows = all.iter().map(|(kind, address)| (*kind, &**address));
        let selected = explain(filter, rows, "state", &self.shown, common)?;
        let mut wanted = all.iter().map(|(kind, address)| filter.wants(kind, address));
        self.rows.retain(|_| wanted.next() == Some(true));
        Ok(selected)
    }

    fn write_json(&self, arguments: &args::State) -> io::Result<()> {
        output::document(Layout::Pretty, Style::default(), |slot| {
            let mut object = slot.object();
            let slot = object.key("format_version");
            // A state file has a number, and other documents have a text.
            match self.format_version.map(|node| (node, node.as_number())) {
                Some((_, Some(number))) => slot.string(number.text()),
                Some((node, None)) => slot.node(node),
                None => slot.null(),
            }
            let slot = object.key("terraform_version");
            match self.terraform_version {
                Some(node) => slot.node(node),
                None => slot.null(),
            }
            let mut resources = object.key("resources").array();
            for row in &self.rows {
                row::write(*row, resources.element().object(), &self.shown, arguments);
            }
            resources.end();
            let mut outputs = object.key("outputs").array();
            for output in &self.outputs {
                write_output(*output, outputs.element().object(), arguments, &self.shown);
            }
            outputs.end();
            write_gaps(&mut object.key("incomplete").array(), &self.gaps());
        })
    }

    /// Returns the gaps of the state.
    fn gaps(&self) -> Incomplete {
        let mut gaps = Incomplete::default();
        if self.shown.is_unclear() {
            gaps.add("values", "state", HIDDEN);
        }
        gaps
    }

    fn write_lines(&self, arguments: &args::State) -> io::Result<()> {
        let gaps = self.gaps();
        if self.rows.is_empty() && gaps.is_empty() {
            return Ok(());
        }
        output::data(|mut out| {
            let mut writer = Writer::new(&mut out, Layout::Compact);
            for row in &self.rows {
                row::write(*row, writer.value().object(), &self.shown, arguments);
            }
            if !gaps.is_empty() {
                let mut rest = writer.value().object();
                write_gaps(&mut rest.key("incomplete").array(), &gaps);
            }
            writer.finish()?;
            writeln!(out)
        })
    }

    fn write_csv(&self, arguments: &args::State, style: Style) -> io::Result<()> {
        output::data(|out| {
            let mut text = Vec::new();
            header(&mut Csv::new(&mut text, style), arguments);
            for row in &self.rows {
                row::record(*row, &mut Csv::new(&mut text, style), &self.shown, arguments);
                out.write_all(&text)?;
                text.clear();
            }
            out.write_all(&text)
        })
    }

    fn print(&self, arguments: &args::State) -> io::Result<()> {
        output::text(|out| {
            for row in &self.rows {
                row::print(*row, out, &self.shown, arguments)?;
            }
            print_outputs(&self.outputs, out, arguments, &self.shown)
        })
    }
}

//! `state`: the resources and outputs of a state, printed or raw.

mod row;
mod stream;

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::json::Node;
use simd_hcl::show::redact::Options;
use simd_hcl::show::{BodySchemas, DocumentKind, List, Map, Output, RawState, Shown, State};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Diagnostic, Document};

use self::row::{Row, header, is_hidden_output, print_outputs};
use crate::args::{self, Common, ListFormat};
use crate::output::{self, Csv};
use crate::plan_file::Part;
use crate::printed::{Input, explain, filter, with_document};
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
    let mut is_found = true;
    let status = with_document(input, common, |document, diagnostics| {
        let arena = document.source().arena();
        let schemas = match &state.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?),
            None => None,
        };
        let report = Report::of(document, state, schemas.as_ref(), diagnostics);
        let Some(mut report) = report else { return Ok(()) };
        for diagnostic in &mut *diagnostics {
            *diagnostic = report.shown.message(arena, diagnostic.clone());
        }
        let rows = report.rows.iter().map(|row| (row.instance.resource_type, &*row.address));
        is_found = explain(&filter, rows, "state", &report.shown)?;
        report.rows.retain(|row| filter.wants(row.instance.resource_type, &row.address));
        match state.format {
            ListFormat::Human => report.print(state)?,
            ListFormat::Json => report.write_json(state)?,
            ListFormat::Ndjson => report.write_lines(state)?,
            ListFormat::Csv => report.write_csv(state)?,
        }
        Ok(())
    })?;
    Ok(if status == Status::Clean && !is_found { Status::Found } else { status })
}

struct Report<'a> {
    format_version: Option<Node<'a>>,
    terraform_version: Option<Node<'a>>,
    rows: Vec<Row<'a>>,
    /// What of the state is shown.
    shown: Shown,
    outputs: Vec<(&'a str, Output<'a>)>,
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
            let mut report = Self::of_raw(state, shown);
            // The version of the file, not the one that it was upgraded to.
            report.format_version = document.root().as_object()?.get("version");
            return Some(report);
        }
        let state = State::of(document, diagnostics)?;
        state.check(diagnostics);
        let shown = match arguments.selection.show_sensitive {
            true => Shown::everything(),
            false => Shown::of_state(state, options),
        };
        let mut rows = Vec::new();
        let mut resources = state.resources();
        while let Some(resource) = resources.next() {
            rows.push(Row::of(resource, resources.module_address().map(Cow::Borrowed), &shown));
        }
        let object = state.object();
        Some(Self {
            format_version: object.get("format_version").or(object.get("state_format_version")),
            terraform_version: object.get("terraform_version"),
            rows,
            shown,
            outputs: state.outputs().collect(),
        })
    }

    fn of_raw(state: RawState<'a>, shown: Shown) -> Self {
        let mut rows = Vec::new();
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                rows.push(Row::of_raw(resource, instance, &shown));
            }
        }
        Self {
            format_version: state.object().get("version"),
            terraform_version: state.object().get("terraform_version"),
            rows,
            shown,
            outputs: state.outputs().value().into_iter().flat_map(Map::iter).collect(),
        }
    }

    fn write_json(mut self, arguments: &args::State) -> io::Result<()> {
        output::document(Layout::Pretty, |slot| {
            let mut object = slot.object();
            for (name, node) in [
                ("format_version", self.format_version),
                ("terraform_version", self.terraform_version),
            ] {
                let slot = object.key(name);
                if let Some(node) = node {
                    slot.node(node);
                }
            }
            let mut resources = object.key("resources").array();
            for row in &mut self.rows {
                row.write(resources.element().object(), &self.shown, arguments);
            }
            resources.end();
            let mut outputs = object.key("outputs").array();
            for (name, output) in &self.outputs {
                let mut object = outputs.element().object();
                let is_hidden = is_hidden_output(*output, arguments, &self.shown);
                let is_sensitive = is_hidden || output.sensitive().value() == Some(true);
                object.key("name").string(&self.shown.name(output.object().node(), name));
                let slot = object.key("type");
                if let Some(node) = output.value_type().value() {
                    slot.node(node);
                }
                object.key("sensitive").bool(is_sensitive);
                if let Some(value) = output.value().filter(|_| arguments.values && !is_hidden) {
                    object.key("value").node(value);
                }
            }
        })
    }

    fn write_lines(mut self, arguments: &args::State) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        output::data(|mut out| {
            let mut writer = Writer::new(&mut out, Layout::Compact);
            for row in &mut self.rows {
                row.write(writer.value().object(), &self.shown, arguments);
            }
            writer.finish()?;
            writeln!(out)
        })
    }

    fn write_csv(mut self, arguments: &args::State) -> io::Result<()> {
        output::data(|out| {
            let mut text = Vec::new();
            header(&mut Csv::new(&mut text), arguments);
            for row in &mut self.rows {
                row.record(&mut Csv::new(&mut text), &self.shown, arguments);
                out.write_all(&text)?;
                text.clear();
            }
            out.write_all(&text)
        })
    }

    fn print(self, arguments: &args::State) -> io::Result<()> {
        output::text(|out| self.print_to(out, arguments))
    }

    fn print_to(self, out: &mut dyn Write, arguments: &args::State) -> io::Result<()> {
        for mut row in self.rows {
            row.print(out, &self.shown, arguments)?;
        }
        print_outputs(&self.outputs, out, arguments, &self.shown)
    }
}

//! `state`: the resources and outputs of a state, printed or raw.

mod stream;

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::json::Node;
use simd_hcl::show::redact::{Options, Places};
use simd_hcl::show::{
    Content, DocumentKind, Leaf, Leaves, List, Map, Output, RawInstance, RawResource, RawState,
    Resource, State,
};
use simd_hcl::write::{Layout, ObjectWriter, Writer, to_string};
use simd_hcl::{Diagnostic, Document};

use crate::args::{self, Common, ListFormat};
use crate::output::{self, Csv};
use crate::plan_file::Part;
use crate::printed::{BOLD, DIM, Input, RESET, Shown, explain, filter, readable, with_document};
use crate::status::{Failure, Status};
use crate::values::Instance;
use crate::visible::visible;

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
        schemas: None,
        on_log: None,
    };
    let mut is_found = true;
    let status = with_document(input, common, |document, diagnostics| {
        let Some(mut report) = Report::of(document, diagnostics) else { return Ok(()) };
        let rows = report.rows.iter().map(|row| (row.instance.resource_type, &*row.address));
        is_found = explain(&filter, rows, "state")?;
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

/// One resource instance.
struct Row<'a> {
    address: Cow<'a, str>,
    module: Option<Cow<'a, str>>,
    instance: Instance<'a>,
    is_tainted: bool,
    provider: Cow<'a, str>,
    schema_version: u64,
    leaves: Leaves<'a>,
}

struct Report<'a> {
    format_version: Option<Node<'a>>,
    terraform_version: Option<Node<'a>>,
    rows: Vec<Row<'a>>,
    /// Sensitive places in addition to leaves that are marked as sensitive.
    hidden: Places,
    outputs: Vec<(&'a str, Output<'a>)>,
}

impl<'a> Report<'a> {
    fn of(document: Document<'a>, diagnostics: &mut Vec<Diagnostic<'a>>) -> Option<Self> {
        let kind = DocumentKind::of(document.root());
        if matches!(kind, DocumentKind::RawState | DocumentKind::OldState) {
            let state = RawState::of(document, diagnostics)?;
            state.check(diagnostics);
            let mut report = Self::of_raw(state);
            // The version of the file, not the one that it was upgraded to.
            report.format_version = document.root().as_object()?.get("version");
            return Some(report);
        }
        let state = State::of(document, diagnostics)?;
        state.check(diagnostics);
        let mut rows = Vec::new();
        let mut resources = state.resources();
        while let Some(resource) = resources.next() {
            rows.push(Row::of(resource, resources.module_address().map(Cow::Borrowed)));
        }
        let object = state.object();
        Some(Self {
            format_version: object.get("format_version").or(object.get("state_format_version")),
            terraform_version: object.get("terraform_version"),
            rows,
            hidden: Places::default(),
            outputs: state.outputs().collect(),
        })
    }

    fn of_raw(state: RawState<'a>) -> Self {
        let mut rows = Vec::new();
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                rows.push(Row::of_raw(resource, instance));
            }
        }
        Self {
            format_version: state.object().get("version"),
            terraform_version: state.object().get("terraform_version"),
            rows,
            hidden: Places::of_raw_state(state, Options::default().with_repeated_text(true)),
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
                row.write(resources.element().object(), &self.hidden, arguments);
            }
            resources.end();
            let mut outputs = object.key("outputs").array();
            for (name, output) in &self.outputs {
                let mut object = outputs.element().object();
                let is_sensitive = output.sensitive().value() == Some(true);
                object.key("name").string(name);
                let slot = object.key("type");
                if let Some(node) = output.value_type().value() {
                    slot.node(node);
                }
                object.key("sensitive").bool(is_sensitive);
                let is_shown = !is_sensitive || arguments.selection.show_sensitive;
                if let Some(value) = output.value().filter(|_| arguments.values && is_shown) {
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
                row.write(writer.value().object(), &self.hidden, arguments);
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
                row.record(&mut Csv::new(&mut text), &self.hidden, arguments);
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
            row.print(out, &self.hidden, arguments)?;
        }
        print_outputs(&self.outputs, out, arguments)
    }
}

/// Prints outputs for people.
fn print_outputs(
    outputs: &[(&str, Output<'_>)],
    out: &mut dyn Write,
    arguments: &args::State,
) -> io::Result<()> {
    let shows = arguments.selection.show_sensitive;
    for (name, output) in outputs {
        let is_hidden = output.sensitive().value() == Some(true) && !shows;
        let text = output.value().map(|node| String::from_utf8_lossy(node.text()));
        let text = match &text {
            _ if is_hidden => "(sensitive)".into(),
            Some(text) => readable(text),
            None => "(not known)".into(),
        };
        writeln!(out, "{BOLD}output.{}{RESET} = {}", visible(name), visible(&text))?;
    }
    Ok(())
}

/// Returns whether a leaf is sensitive: by its own mark, or by the sensitive paths of a state file.
fn is_secret(leaf: &Leaf<'_>, hidden: &Places) -> bool {
    match leaf.content {
        Content::Known(node) => leaf.is_sensitive || hidden.touch(node.span()),
        _ => leaf.is_sensitive,
    }
}

/// The CSV columns before those of an instance.
const ADDRESSES: [&str; 2] = ["address", "module_address"];
/// The CSV columns after those of an instance.
const RESOURCE: [&str; 3] = ["tainted", "provider_name", "schema_version"];

fn header(csv: &mut Csv<'_>, arguments: &args::State) {
    let columns: &[&str] = if arguments.values { &["path", "value", "sensitive"] } else { &[] };
    let of_row = ADDRESSES.iter().chain(&Instance::COLUMNS).chain(&RESOURCE);
    csv.record(of_row.chain(columns));
}

impl<'a> Row<'a> {
    /// A resource of a printed state.
    fn of(resource: Resource<'a>, module: Option<Cow<'a, str>>) -> Self {
        Self {
            address: resource.address().value().unwrap_or_default().into(),
            module,
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: resource.name().value().unwrap_or_default(),
                index: resource.index().value(),
                deposed: resource.deposed_key().value(),
            },
            is_tainted: resource.tainted().value() == Some(true),
            provider: resource.provider_name().value().unwrap_or_default().into(),
            schema_version: resource.schema_version().value().unwrap_or_default(),
            leaves: resource.leaves(),
        }
    }

    /// An instance of a resource of a state file.
    fn of_raw(resource: RawResource<'a>, instance: RawInstance<'a>) -> Self {
        let module = resource.module().value().filter(|module| !module.is_empty());
        Self {
            address: instance.address(resource).into(),
            module: module.map(Cow::Borrowed),
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: resource.name().value().unwrap_or_default(),
                index: instance.index_key().value(),
                deposed: instance.deposed().value(),
            },
            is_tainted: instance.status().value() == Some("tainted"),
            provider: resource.provider_name().unwrap_or_default().to_owned().into(),
            schema_version: instance.schema_version().value().unwrap_or_default(),
            leaves: instance.leaves(),
        }
    }

    /// Prints it for people.
    fn print(
        &mut self,
        out: &mut dyn Write,
        hidden: &Places,
        arguments: &args::State,
    ) -> io::Result<()> {
        write!(out, "{BOLD}{}{RESET}", visible(&self.address))?;
        if let Some(deposed) = self.instance.deposed {
            write!(out, " {DIM}(deposed object {}){RESET}", visible(deposed))?;
        }
        if self.is_tainted {
            write!(out, " {DIM}(tainted){RESET}")?;
        }
        writeln!(out, " {DIM}{}{RESET}", visible(&self.provider))?;
        while arguments.values
            && let Some(leaf) = self.leaves.next()
        {
            let path = self.leaves.path().to_string();
            // The resource itself is not a leaf: it has no attributes.
            if path.is_empty() {
                continue;
            }
            let is_hidden = is_secret(&leaf, hidden) && !arguments.selection.show_sensitive;
            let shown = Shown { leaf: &leaf, is_hidden };
            writeln!(out, "      {}: {shown}", visible(&path))?;
        }
        Ok(())
    }

    /// Adds a record, or with `--values` one for each leaf.
    fn record(&mut self, csv: &mut Csv<'_>, hidden: &Places, arguments: &args::State) {
        let mut cells =
            vec![self.address.to_string(), self.module.as_deref().unwrap_or_default().to_owned()];
        cells.extend(self.instance.cells());
        cells.extend([
            self.is_tainted.to_string(),
            self.provider.to_string(),
            self.schema_version.to_string(),
        ]);
        let own = cells.len();
        if !arguments.values {
            csv.record(&cells);
            return;
        }
        while let Some(leaf) = self.leaves.next() {
            if self.leaves.path().steps().is_empty() {
                continue;
            }
            let is_sensitive = is_secret(&leaf, hidden);
            let value = match leaf.content {
                _ if is_sensitive && !arguments.selection.show_sensitive => String::new(),
                Content::Known(node) => to_string(Layout::Compact, |slot| slot.node(node)),
                Content::Null => "null".to_owned(),
                Content::Absent | Content::Unknown => String::new(),
            };
            cells.truncate(own);
            cells.extend([self.leaves.path().to_string(), value, is_sensitive.to_string()]);
            csv.record(&cells);
        }
    }

    fn write(
        &mut self,
        mut object: ObjectWriter<'_, '_>,
        hidden: &Places,
        arguments: &args::State,
    ) {
        object.key("address").string(&self.address);
        if let Some(module) = &self.module {
            object.key("module_address").string(module);
        }
        self.instance.write(&mut object);
        if self.is_tainted {
            object.key("tainted").bool(true);
        }
        object.key("provider_name").string(&self.provider);
        object.key("schema_version").unsigned(self.schema_version);
        if !arguments.values {
            return;
        }
        let mut list = object.key("values").array();
        while let Some(leaf) = self.leaves.next() {
            if self.leaves.path().steps().is_empty() {
                continue;
            }
            let mut out = list.element().object();
            let is_sensitive = is_secret(&leaf, hidden);
            out.key("path").display(self.leaves.path());
            match leaf.content {
                _ if is_sensitive && !arguments.selection.show_sensitive => {}
                Content::Known(node) => out.key("value").node(node),
                Content::Null => out.key("value").null(),
                Content::Absent | Content::Unknown => {}
            }
            if is_sensitive {
                out.key("sensitive").bool(true);
            }
        }
    }
}

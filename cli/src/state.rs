//! `state`: the resources and outputs of a state, printed or raw.

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::json::Node;
use simd_hcl::show::redact::Places;
use simd_hcl::show::{Content, DocumentKind, Index, Leaves, List, Map, Output, RawState, State};
use simd_hcl::write::{Layout, ObjectWriter, Writer};
use simd_hcl::{Diagnostic, Document};

use crate::args::{self, Common, Format};
use crate::plan::write_index;
use crate::plan_file::Part;
use crate::printed::{BOLD, DIM, Filter, Input, RESET, Shown, with_document};
use crate::status::{Failure, Status};
use crate::visible::visible;

pub(crate) fn run(state: &args::State, common: &Common) -> Result<Status, Failure> {
    let filter = Filter::of(&state.selection)?;
    let input = Input {
        file: &state.file,
        stdin_name: &state.selection.stdin_name,
        depth: State::DEPTH,
        part: Part::State,
        schemas: None,
        on_log: None,
    };
    with_document(input, common, |document, diagnostics| {
        let Some(mut report) = Report::of(document, diagnostics) else { return Ok(()) };
        report.rows.retain(|row| filter.wants(row.resource_type, &row.address));
        match state.format {
            Format::Human => report.print(state)?,
            Format::Json => report.write_json()?,
            Format::Ndjson => report.write_lines()?,
        }
        Ok(())
    })
}

/// One resource instance.
struct Row<'a> {
    address: Cow<'a, str>,
    module: Option<&'a str>,
    mode: &'a str,
    resource_type: &'a str,
    name: &'a str,
    index: Option<Index<'a>>,
    deposed: Option<&'a str>,
    is_tainted: bool,
    provider: Cow<'a, str>,
    schema_version: u64,
    leaves: Leaves<'a>,
}

struct Report<'a> {
    format_version: Option<Node<'a>>,
    terraform_version: Option<Node<'a>>,
    rows: Vec<Row<'a>>,
    /// What is sensitive beside the leaves that say so.
    hidden: Places,
    outputs: Vec<(&'a str, Output<'a>)>,
}

impl<'a> Report<'a> {
    fn of(document: Document<'a>, diagnostics: &mut Vec<Diagnostic<'a>>) -> Option<Self> {
        let kind = DocumentKind::of(document.root());
        if matches!(kind, DocumentKind::RawState | DocumentKind::OldState) {
            let state = RawState::of(document, diagnostics)?;
            state.check(diagnostics);
            return Some(Self::of_raw(state));
        }
        let state = State::of(document, diagnostics)?;
        state.check(diagnostics);
        let mut rows = Vec::new();
        let mut resources = state.resources();
        while let Some(resource) = resources.next() {
            rows.push(Row {
                address: resource.address().value().unwrap_or_default().into(),
                module: resources.module_address(),
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: resource.name().value().unwrap_or_default(),
                index: resource.index().value(),
                deposed: resource.deposed_key().value(),
                is_tainted: resource.tainted().value() == Some(true),
                provider: resource.provider_name().value().unwrap_or_default().into(),
                schema_version: resource.schema_version().value().unwrap_or_default(),
                leaves: resource.leaves(),
            });
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
            let provider = resource.provider_name().unwrap_or_default().to_owned();
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                rows.push(Row {
                    address: instance.address(resource).into(),
                    module: resource.module().value().filter(|module| !module.is_empty()),
                    mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                    resource_type: resource.resource_type().value().unwrap_or_default(),
                    name: resource.name().value().unwrap_or_default(),
                    index: instance.index_key().value(),
                    deposed: instance.deposed().value(),
                    is_tainted: instance.status().value() == Some("tainted"),
                    provider: provider.clone().into(),
                    schema_version: instance.schema_version().value().unwrap_or_default(),
                    leaves: instance.leaves(),
                });
            }
        }
        Self {
            format_version: state.object().get("version"),
            terraform_version: state.object().get("terraform_version"),
            rows,
            hidden: Places::of_raw_state(state),
            outputs: state.outputs().value().into_iter().flat_map(Map::iter).collect(),
        }
    }

    fn write_json(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let mut writer = Writer::new(&mut out, Layout::Pretty);
        let mut object = writer.value().object();
        for (name, node) in
            [("format_version", self.format_version), ("terraform_version", self.terraform_version)]
        {
            let slot = object.key(name);
            if let Some(node) = node {
                slot.node(node);
            }
        }
        let mut resources = object.key("resources").array();
        self.rows.iter().for_each(|row| row.write(resources.element().object()));
        resources.end();
        let mut outputs = object.key("outputs").array();
        for (name, output) in &self.outputs {
            let mut object = outputs.element().object();
            object.key("name").string(name);
            let slot = object.key("type");
            if let Some(node) = output.value_type().value() {
                slot.node(node);
            }
            object.key("sensitive").bool(output.sensitive().value() == Some(true));
        }
        outputs.end();
        object.end();
        writer.finish()?;
        writeln!(out)
    }

    fn write_lines(&self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let mut writer = Writer::new(&mut out, Layout::Compact);
        self.rows.iter().for_each(|row| row.write(writer.value().object()));
        writer.finish()?;
        writeln!(out)
    }

    fn print(self, arguments: &args::State) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let out = &mut io::BufWriter::new(&mut out);
        let shows = arguments.selection.show_sensitive;
        for row in self.rows {
            write!(out, "{BOLD}{}{RESET}", visible(&row.address))?;
            if let Some(deposed) = row.deposed {
                write!(out, " {DIM}(deposed object {}){RESET}", visible(deposed))?;
            }
            if row.is_tainted {
                write!(out, " {DIM}(tainted){RESET}")?;
            }
            writeln!(out, " {DIM}{}{RESET}", visible(&row.provider))?;
            let mut leaves = row.leaves;
            while arguments.values
                && let Some(leaf) = leaves.next()
            {
                let path = leaves.path().to_string();
                let is_secret = match leaf.content {
                    Content::Known(node) => leaf.is_sensitive || self.hidden.touch(node.span()),
                    _ => leaf.is_sensitive,
                };
                let shown = Shown { leaf: &leaf, is_hidden: is_secret && !shows };
                writeln!(out, "      {}: {shown}", visible(&path))?;
            }
        }
        for (name, output) in &self.outputs {
            let is_hidden = output.sensitive().value() == Some(true) && !shows;
            let text = match output.value() {
                _ if is_hidden => "(sensitive)".into(),
                Some(node) => String::from_utf8_lossy(node.text()),
                None => "(not known)".into(),
            };
            writeln!(out, "{BOLD}output.{}{RESET} = {}", visible(name), visible(&text))?;
        }
        out.flush()
    }
}

impl Row<'_> {
    fn write(&self, mut object: ObjectWriter<'_, '_>) {
        object.key("address").string(&self.address);
        if let Some(module) = self.module {
            object.key("module_address").string(module);
        }
        object.key("mode").string(self.mode);
        object.key("type").string(self.resource_type);
        object.key("name").string(self.name);
        write_index(&mut object, self.index);
        if let Some(deposed) = self.deposed {
            object.key("deposed").string(deposed);
        }
        if self.is_tainted {
            object.key("tainted").bool(true);
        }
        object.key("provider_name").string(&self.provider);
        object.key("schema_version").unsigned(self.schema_version);
    }
}

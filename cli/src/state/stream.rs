//! `state` of input that is too large to keep: resources are printed as they are read.
//!
//! Kept are the window of the stream, and the members that are no resources.

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::diagnostic::Sink;
use simd_hcl::show::redact::Places;
use simd_hcl::show::{Address, DocumentKind, Filter, List, Map, RawResource, RawState, Read};
use simd_hcl::show::{Resource, State};
use simd_hcl::stream::{self, Path, Records};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Document};

use super::row::{Row, header, print_outputs};
use crate::args::{self, Common, ListFormat};
use crate::input::{self, Large};
use crate::output::{self, Csv};
use crate::printed::filter;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::streamed::{Candidates, tell, tell_problem, tell_without_places};

/// The paths of resources, by the kind of state.
const RESOURCES: [&str; 3] = [
    "values.root_module(.child_modules[*])*.resources[*]",
    "root(.child_modules[*])*.resources[*]",
    "resources[*]",
];

/// The members that are kept.
const MEMBERS: [&str; 11] = [
    "values.outputs",
    "root_module_outputs",
    "outputs",
    "format_version",
    "state_format_version",
    "terraform_version",
    "version",
    "serial",
    "lineage",
    "checks",
    "check_results",
];

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
    if state.format == ListFormat::Json {
        return Ok(None);
    }
    let input = input::large_if(&state.file, &is_state, input::LARGE_FILE, common)?;
    let Some(input) = input else { return Ok(None) };
    let (input, name): (Box<dyn io::Read>, _) = match input {
        Large::Pipe(pipe) => (pipe, state.selection.stdin_name.clone()),
        Large::File(file) => (Box::new(file), state.file.to_string_lossy().into_owned()),
    };
    let mut stats = Stats::new(input::kernel(common)?);
    let options = stream::Options::default()
        .with_name(name.as_str())
        .with_kernel(input::kernel(common)?)
        .with_max_depth(common.max_depth)
        .with_max_record(state.max_record)
        .with_skeleton_depth(1);
    let filter = filter(&state.selection)?;
    let is_human = state.format == ListFormat::Human;
    let mut printer = Printer {
        state,
        filter: &filter,
        out: output::stream(is_human),
        has_header: false,
        candidates: Candidates::of(&state.selection),
    };
    let paths = RESOURCES.iter().chain(&MEMBERS).filter_map(|path| Path::parse(path).ok());
    let mut records = Records::new(input, options, paths.collect());
    let mut kept: Vec<(&str, String)> = Vec::new();
    loop {
        let batch = match records.batch() {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(problem) => {
                printer.out.flush()?;
                tell_problem(&problem, common);
                return Ok(Some(Status::Found));
            }
        };
        stats.bytes = batch.last().map_or(stats.bytes, |record| record.span().end);
        let mut diagnostics = Vec::new();
        for record in &batch {
            let root = record.document().root();
            match record.path() {
                0 | 1 => {
                    if let Some(resource) = Resource::read(root) {
                        resource.check(&mut diagnostics);
                        let module = resource.address().value().and_then(module_of);
                        printer.row(Row::of(resource, module), &Places::default())?;
                    }
                }
                2 => {
                    let Some(resource) = RawResource::read(root) else { continue };
                    resource.check(&mut diagnostics);
                    let hidden = Places::of_raw_resource(resource);
                    let instances = resource.instances().value().into_iter();
                    for instance in instances.flat_map(List::iter) {
                        printer.row(Row::of_raw(resource, instance), &hidden)?;
                    }
                }
                path => {
                    let text = String::from_utf8_lossy(root.text()).into_owned();
                    kept.push((MEMBERS[path - RESOURCES.len()], text));
                }
            }
        }
        tell(&diagnostics, common);
    }
    let text = rest(&kept, records.members());
    while let Some(warning) = records.take_warning() {
        tell_problem(&warning, common);
    }
    let arena = Arena::new();
    let text = arena.str(&text);
    let document = Document::parse_bytes(&arena, arena.str(&name), text.as_bytes())
        .map_err(|error| Failure::Message(error.to_string()))?;
    let mut diagnostics = Vec::new();
    let is_printed = printer.finish(document, &mut diagnostics)?;
    let mut status = tell_without_places(&diagnostics, &name, common);
    if is_printed && !printer.candidates.explain(&filter, "state")? {
        status = status.max(Status::Found);
    }
    stats.files = 1;
    stats.arena_bytes = records.memory();
    stats.print(common);
    Ok(Some(status))
}

/// The address of the module of a resource, from its own address: that of the module may follow the
/// resources.
fn module_of(address: &str) -> Option<Cow<'_, str>> {
    let address = Address::parse(address).ok()?;
    if address.modules.is_empty() {
        return None;
    }
    Some(Address { modules: address.modules, resource: None }.to_string().into())
}

/// The state without its resources.
fn rest(kept: &[(&str, String)], members: &[String]) -> String {
    let of = |name: &str| kept.iter().find(|(known, _)| *known == name);
    let mut parts = Vec::new();
    for name in members {
        let text = match (name.as_str(), of(name)) {
            (_, Some((_, text))) => text.clone(),
            ("values", None) => {
                let outputs = of("values.outputs").map_or("{}", |(_, text)| text.as_str());
                format!(r#"{{"outputs":{outputs},"root_module":{{}}}}"#)
            }
            ("root", None) => "{}".to_owned(),
            ("resources", None) => "[]".to_owned(),
            _ => "null".to_owned(),
        };
        // Other names say nothing about the kind of the document.
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@')) {
            parts.push(format!("\"{name}\":{text}"));
        }
    }
    format!("{{{}}}", parts.join(","))
}

struct Printer<'p> {
    state: &'p args::State,
    filter: &'p Filter<'p>,
    out: Box<dyn Write>,
    has_header: bool,
    candidates: Candidates,
}

impl Printer<'_> {
    /// Prints a resource, if it is selected.
    fn row(&mut self, mut row: Row<'_>, hidden: &Places) -> io::Result<()> {
        let (kind, address) = (row.instance.resource_type, &*row.address);
        let is_wanted = self.filter.wants(kind, address);
        self.candidates.add(kind, address, is_wanted);
        if !is_wanted {
            return Ok(());
        }
        match self.state.format {
            ListFormat::Human => row.print(&mut self.out, hidden, self.state),
            ListFormat::Csv => {
                self.header()?;
                let mut text = Vec::new();
                row.record(&mut Csv::new(&mut text), hidden, self.state);
                self.out.write_all(&text)
            }
            _ => {
                let mut writer = Writer::new(&mut self.out, Layout::Compact);
                row.write(writer.value().object(), hidden, self.state);
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
        header(&mut Csv::new(&mut text), self.state);
        self.out.write_all(&text)
    }

    /// Prints what follows the resources. Returns whether the document is a state.
    fn finish<'a>(
        &mut self,
        document: Document<'a>,
        diagnostics: &mut dyn Sink<'a>,
    ) -> io::Result<bool> {
        let outputs = match DocumentKind::of(document.root()) {
            DocumentKind::RawState => RawState::of(document, diagnostics).map(|state| {
                state.check(diagnostics);
                state.outputs().value().into_iter().flat_map(Map::iter).collect()
            }),
            _ => State::of(document, diagnostics).map(|state| {
                state.check(diagnostics);
                state.outputs().collect::<Vec<_>>()
            }),
        };
        if let Some(outputs) = &outputs {
            match self.state.format {
                ListFormat::Human => print_outputs(outputs, &mut self.out, self.state)?,
                ListFormat::Csv => self.header()?,
                _ => {}
            }
        }
        self.out.flush()?;
        Ok(outputs.is_some())
    }
}

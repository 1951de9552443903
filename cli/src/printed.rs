//! Shared code of the commands on plans, states and schemas: reading, selecting, showing values.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

use simd_hcl::compression::decompress;
use simd_hcl::diagnostic::{Label, Sink};
use simd_hcl::plan_file::is_plan_file;
use simd_hcl::show::{self, Address, Filter, Shown, is_event_log};
use simd_hcl::{Arena, Code, Diagnostic, Document, ParseOptions, Severity, Source, Span};

use crate::args::{self, Common, Selection};
use crate::input;
use crate::plan_file::{self, Part};
use crate::provider_schemas;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::{self, visible};

pub(crate) const RESET: &str = "\x1b[0m";
pub(crate) const BOLD: &str = "\x1b[1m";
pub(crate) const DIM: &str = "\x1b[2m";
pub(crate) const RED: &str = "\x1b[31m";
pub(crate) const GREEN: &str = "\x1b[32m";
pub(crate) const YELLOW: &str = "\x1b[33m";
pub(crate) const CYAN: &str = "\x1b[36m";

/// A function that handles the text of an event stream.
pub(crate) type OnLog<'i> = &'i dyn Fn(&[u8]) -> Result<Status, Failure>;

/// The input of a command on plans, states or schemas.
#[derive(Clone, Copy)]
pub(crate) struct Input<'i> {
    pub(crate) file: &'i Path,
    pub(crate) stdin_name: &'i str,
    /// The skeleton depth that is fastest for the command.
    pub(crate) depth: u32,
    /// The part to read from a binary plan file.
    pub(crate) part: Part,
    /// The file with the schemas of the values in a binary plan file.
    pub(crate) schemas: Option<&'i Path>,
    /// The handler of event streams, if the command reads them.
    pub(crate) on_log: Option<OnLog<'i>>,
}

/// Returns the text of an input, decompressed and decoded; `None` if it cannot be read. Errors go
/// to `sink`.
fn text<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    common: &Common,
    sink: &mut dyn Sink<'a>,
) -> Option<Source<'a>> {
    match decompress(arena, source, common.max_decompressed) {
        Ok(source) => {
            let (source, converted) = show::in_utf8(arena, source);
            converted.into_iter().for_each(|diagnostic| sink.report(diagnostic));
            Some(source)
        }
        Err(error) => {
            let text = arena.str(&error.to_string());
            let diagnostic =
                Diagnostic::new(Code::UnreadableFile, Label::new(source, Span::new(0, 0)));
            sink.report(diagnostic.with_arguments(&[text]));
            None
        }
    }
}

/// Returns the document in a text or a plan file.
fn document<'a>(
    arena: &'a Arena,
    input: Input<'_>,
    mut source: Source<'a>,
    options: &ParseOptions,
    common: &Common,
    sink: &mut dyn Sink<'a>,
) -> Result<Option<Document<'a>>, Failure> {
    if is_plan_file(source.bytes()) {
        let schemas = match input.schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?.with_built_in(arena)),
            None => None,
        };
        let schemas = schemas.as_ref();
        let file = plan_file::Input { arena, source, part: input.part, schemas, options, common };
        let Some(json) = file.to_json(sink) else { return Ok(None) };
        source = json;
    }
    match show::document(arena, source, options, sink) {
        Ok(document) => Ok(Some(document)),
        Err(error) => {
            sink.report(error);
            Ok(None)
        }
    }
}

/// The kinds of input.
pub(crate) enum Read<'a> {
    /// The text of an event stream.
    Log(Source<'a>),
    /// A document, or the part of a plan file.
    Document(Document<'a>),
    /// Neither. The sink has the reason.
    Nothing,
}

/// Reads an input into an arena, decompressed and decoded. Reports errors in it to `sink`.
///
/// # Errors
/// The file does not exist, or the schemas cannot be read.
pub(crate) fn read<'a>(
    arena: &'a Arena,
    input: Input<'_>,
    common: &Common,
    sink: &mut dyn Sink<'a>,
) -> Result<Read<'a>, Failure> {
    let source = input::source(arena, input.file, input.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", visible::path(input.file))))?;
    read_source(arena, input, source, common, sink)
}

fn read_source<'a>(
    arena: &'a Arena,
    input: Input<'_>,
    source: Source<'a>,
    common: &Common,
    sink: &mut dyn Sink<'a>,
) -> Result<Read<'a>, Failure> {
    let options = input::parse_options(common)?.with_skeleton_depth(input.depth);
    let Some(text) = text(arena, source, common, sink) else { return Ok(Read::Nothing) };
    if is_event_log(text.bytes()) {
        return Ok(Read::Log(text));
    }
    let document = document(arena, input, text, &options, common, sink)?;
    Ok(document.map_or(Read::Nothing, Read::Document))
}

/// Reads a document and passes it to `work`, then prints the diagnostics of both.
pub(crate) fn with_document(
    input: Input<'_>,
    common: &Common,
    work: impl for<'a> FnOnce(Document<'a>, &mut Vec<Diagnostic<'a>>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let mut stats = Stats::new(input::kernel(common)?);
    let mut arena = Arena::new();
    let source = input::source(&arena, input.file, input.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", visible::path(input.file))))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    let mut diagnostics = Vec::new();
    let mut status = Status::Clean;
    match (read_source(&arena, input, source, common, &mut diagnostics)?, input.on_log) {
        (Read::Nothing, _) => {}
        (Read::Log(text), Some(on_log)) => status = on_log(text.bytes())?,
        (Read::Log(text), None) => {
            // Report the error that names the kind of document.
            let options = input::parse_options(common)?;
            match show::document(&arena, text, &options, &mut diagnostics) {
                Ok(document) => work(document, &mut diagnostics)?,
                Err(error) => diagnostics.push(error),
            }
        }
        (Read::Document(document), _) => work(document, &mut diagnostics)?,
    }
    let mut out = anstream::stderr().lock();
    for diagnostic in &diagnostics {
        if diagnostic.severity() == Severity::Error {
            status = status.max(Status::Found);
        } else if common.quiet {
            continue;
        }
        // Without the source line, which may contain secrets.
        writeln!(out, "{}", visible::line(&diagnostic.to_string()))?;
    }
    drop(out);
    drop(diagnostics);
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(status)
}

/// Removes the texts of hidden values from messages.
pub(crate) fn scrub<'a>(diagnostics: &mut [Diagnostic<'a>], shown: &Shown, arena: &'a Arena) {
    for diagnostic in diagnostics {
        *diagnostic = shown.message(arena, diagnostic.clone());
    }
}

/// Returns the filter of the flags.
pub(crate) fn filter(selection: &Selection) -> Result<Filter<'_>, Failure> {
    let mut filter = Filter::default();
    let fail = |text: &str, error| Failure::Message(format!("{text}: {error}"));
    for text in &selection.types {
        filter = filter.with_type(text);
    }
    for text in &selection.module {
        filter = filter.with_module(text).map_err(|error| fail(text, error))?;
    }
    for text in &selection.address {
        filter = filter.with_address(text).map_err(|error| fail(text, error))?;
    }
    Ok(filter)
}

/// Returns the filter of the flags of `plan`.
pub(crate) fn filter_changes(plan: &args::Plan) -> Result<Filter<'_>, Failure> {
    Ok(plan.action.iter().fold(filter(&plan.selection)?, |filter, kind| filter.with_action(*kind)))
}

/// Reports selected types and addresses that match no row on standard error, with similar names.
/// `rows` are pairs of type and address, of which what is `shown` is proposed. A type is a pattern, and
/// only noted; an address that does not exist is a failure, whose status is returned.
pub(crate) fn explain<'r>(
    filter: &Filter<'_>,
    rows: impl Iterator<Item = (&'r str, &'r str)>,
    what: &str,
    shown: &Shown,
    common: &Common,
) -> io::Result<Status> {
    if filter.types().is_empty() && filter.modules().is_empty() && filter.addresses().is_empty() {
        return Ok(Status::Clean);
    }
    let rows: Vec<(&str, Address<'_>, &str)> = rows
        .filter_map(|(kind, address)| Some((kind, Address::parse(address).ok()?, address)))
        .collect();
    let tell = |kind: &str, wanted: &str, all: &BTreeSet<String>| -> io::Result<()> {
        let mut out = anstream::stderr().lock();
        write!(out, "simd-hcl: the {what} has no {kind} `{}`", visible(wanted))?;
        let near = nearest(wanted, all);
        if !near.is_empty() {
            write!(out, "; it has {}", visible(&shown.anything(&near.join(", "))))?;
        }
        writeln!(out)
    };
    let mut status = Status::Clean;
    for &wanted in filter.types() {
        let of_type = Filter::default().with_type(wanted);
        if !common.quiet && !rows.iter().any(|(kind, ..)| of_type.wants_type(kind)) {
            let all = rows.iter().map(|(kind, ..)| (*kind).to_owned()).collect();
            tell("resource of the type", wanted, &all)?;
        }
    }
    for wanted in filter.modules().iter().filter(|wanted| !wanted.modules.is_empty()) {
        if !rows.iter().any(|(_, address, _)| address.is_in(wanted)) {
            let module = |address: &Address<'_>| {
                Address { modules: address.modules.clone(), resource: None }.to_string()
            };
            let all = rows.iter().map(|(_, address, _)| module(address));
            let all = all.filter(|module| !module.is_empty()).collect();
            tell("resource in", &wanted.to_string(), &all)?;
            status = Status::CouldNotRun;
        }
    }
    for wanted in filter.addresses() {
        if !rows.iter().any(|(_, address, _)| address.is_of(wanted)) {
            let all = rows.iter().map(|(.., text)| (*text).to_owned()).collect();
            tell("resource", &wanted.to_string(), &all)?;
            status = Status::CouldNotRun;
        }
    }
    Ok(status)
}

/// Returns the names that are most similar to `wanted`, at most five.
pub(crate) fn nearest(wanted: &str, all: &BTreeSet<String>) -> Vec<String> {
    let mut near: Vec<(f64, &String)> =
        all.iter().map(|name| (strsim::jaro_winkler(wanted, name), name)).collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    near.into_iter().take(5).map(|(_, name)| format!("`{name}`")).collect()
}

/// Returns JSON in which `<`, `>` and `&`, which Go escapes, are not escaped.
pub(crate) fn readable(json: &str) -> Cow<'_, str> {
    if !json.contains("\\u00") {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        let character = match escape.get(..6).map(str::to_ascii_lowercase).as_deref() {
            Some("\\u003c") => Some('<'),
            Some("\\u003e") => Some('>'),
            Some("\\u0026") => Some('&'),
            _ => None,
        };
        // Skips both characters of an escaped backslash.
        let len = if character.is_some() {
            6
        } else {
            escape.char_indices().nth(2).map_or(escape.len(), |(at, _)| at)
        };
        match character {
            Some(character) => text.push(character),
            None => text.push_str(&escape[..len]),
        }
        rest = &escape[len..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn escapes_of_html_become_readable() {
        assert_eq!(readable(r#""a\u003cb\u003E\u0026""#), r#""a<b>&""#);
        // Other escapes stay, and so does an escaped backslash before text that looks like an
        // escape.
        for text in [r#""\n\u000a\u00e9""#, r#""\\u003c""#, r#""\u003""#, r#""\u00é""#] {
            assert_eq!(readable(text), text);
        }
    }
}

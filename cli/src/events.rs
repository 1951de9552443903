//! `events`: the event stream of a JSON file as text.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use simd_hcl::event::Kind;
use simd_hcl::json::JsonEvent;
use simd_hcl::{Arena, Diagnostic, Document, Source, Span};

use crate::args::{self, Common, Format};
use crate::finding::Finding;
use crate::stats::Stats;
use crate::visible::visible;
use crate::{Failure, Status, human, input};

/// Longer texts are cut for people.
const LONGEST: usize = 60;

#[derive(Serialize)]
struct Line<'t> {
    #[serde(serialize_with = "as_debug")]
    kind: Kind,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'t, str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sealed: bool,
}

pub(crate) fn run(events: &args::Events, common: &Common) -> Result<Status, Failure> {
    let options = input::parse_options(common)?;
    let mut stats = Stats::new(options.kernel);
    let mut arena = Arena::new();
    let source = input::source(&arena, &events.file, &events.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", events.file.display())))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    let status = match Document::parse_with(&arena, source, &options) {
        Ok(document) => {
            print(document, events)?;
            complain(document.diagnostics())?
        }
        Err(error) => complain(&[error.to_diagnostic(source)])?,
    };
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(status)
}

/// Says on standard error what is wrong.
fn complain(diagnostics: &[Diagnostic<'_>]) -> Result<Status, Failure> {
    let mut status = Status::Clean;
    let mut out = anstream::stderr().lock();
    for finding in diagnostics.iter().map(Finding::of) {
        human::write(&finding, &mut out)?;
        status = status.max(if finding.is_error() { Status::Found } else { Status::Clean });
    }
    Ok(status)
}

fn print(document: Document<'_>, events: &args::Events) -> Result<(), Failure> {
    let source = document.source();
    let stream = if events.skeleton { document.skeleton() } else { document.events() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    match events.format {
        Format::Human => print_lines(stream, source, &mut out)?,
        Format::Ndjson => {
            for event in stream {
                serde_json::to_writer(&mut out, &line(&event, source))?;
                writeln!(out)?;
            }
        }
        Format::Json => {
            // Element by element: the stream may be longer than the memory.
            let mut separator = "[\n";
            for event in stream {
                write!(out, "{separator}  ")?;
                serde_json::to_writer(&mut out, &line(&event, source))?;
                separator = ",\n";
            }
            writeln!(out, "\n]")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn line<'a>(event: &JsonEvent<'a>, source: Source<'a>) -> Line<'a> {
    let Span { start, end } = event.span();
    let (text, sealed) = match *event {
        JsonEvent::StartObject { sealed, .. } | JsonEvent::StartArray { sealed, .. } => {
            (None, sealed)
        }
        JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. } => (None, false),
        JsonEvent::Key(string) | JsonEvent::String(string) => (Some(string.to_str().into()), false),
        _ => (Some(String::from_utf8_lossy(event.span().slice(source.bytes()))), false),
    };
    Line { kind: event.kind(), start, end, text, sealed }
}

/// A kind as the format of the stream names it.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_debug<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{kind:?}"))
}

/// One event a line, indented by depth: start and end in bytes, kind, and the text in the source.
fn print_lines<'a>(
    stream: impl Iterator<Item = JsonEvent<'a>>,
    source: Source<'a>,
    out: &mut impl Write,
) -> io::Result<()> {
    // Deeper levels are indented no further: a line must not grow with the depth.
    const DEEPEST: usize = 20;
    let mut depth: usize = 0;
    for event in stream {
        let is_end = matches!(event, JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. });
        depth -= usize::from(is_end).min(depth);
        let Span { start, end } = event.span();
        let indent = 2 * depth.min(DEEPEST);
        write!(out, "{start:>9}..{end:<9} {:indent$}{:?}", "", event.kind())?;
        match event {
            JsonEvent::StartObject { sealed, .. } | JsonEvent::StartArray { sealed, .. } => {
                depth += 1;
                writeln!(out, "{}", if sealed { " (sealed)" } else { "" })?;
            }
            _ if is_end => writeln!(out)?,
            _ => writeln!(out, " {}", clip(event.span().slice(source.bytes())))?,
        }
    }
    Ok(())
}

/// The start of a string, number or literal.
fn clip(text: &[u8]) -> String {
    if text.len() <= LONGEST {
        return visible(&String::from_utf8_lossy(text)).into_owned();
    }
    let cut = String::from_utf8_lossy(&text[..LONGEST]);
    format!("{}…", visible(cut.trim_end_matches('\u{FFFD}')))
}

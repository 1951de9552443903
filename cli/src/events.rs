//! `events`: the event stream of a file as text.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::ops::Range;

use serde::Serialize;
use simd_hcl::event::Kind;
use simd_hcl::json::JsonEvent;
use simd_hcl::structure::{File, FileEvent, FileEventKind};
use simd_hcl::{Arena, Diagnostic, Document, Source, stream};

use crate::args::{self, Common, ListFormat, SyntaxName};
use crate::finding::Finding;
use crate::incomplete::Incomplete;
use crate::input::Large;
use crate::output::{Csv, Layout, List, Row, Style};
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::{self, visible};
use crate::{human, input};

/// The maximum length of a text for people.
const LONGEST: usize = 60;

/// The maximum depth of indentation, so that lines do not grow with the depth.
const DEEPEST: usize = 20;

/// The width of offsets.
const OFFSET: usize = 9;

/// The longest padding of a line.
const SPACES: [u8; OFFSET + 2 * DEEPEST] = [b' '; OFFSET + 2 * DEEPEST];

/// One event.
#[derive(Serialize)]
struct Line<'a> {
    kind: &'static str,
    start: u64,
    end: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sealed: bool,
    /// The depth of the event.
    #[serde(skip)]
    depth: usize,
    /// The source of a string, number or literal, for people, who do not see `text`.
    #[serde(skip)]
    raw: Option<&'a [u8]>,
}

impl Row for Line<'_> {
    const MEMBER: Option<&'static str> = Some("events");
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] = &["kind", "start", "end", "text", "sealed"];

    /// Writes one event per line, indented by depth: start and end in bytes, kind, source text.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        // There are many lines, and `write!` would take most of the time.
        let mut numbers = [itoa::Buffer::new(), itoa::Buffer::new()];
        let [start, end] = &mut numbers;
        let (start, end) = (start.format(self.start), end.format(self.end));
        let padding = |number: &str| OFFSET.saturating_sub(number.len());
        out.write_all(&SPACES[..padding(start)])?;
        out.write_all(start.as_bytes())?;
        out.write_all(b"..")?;
        out.write_all(end.as_bytes())?;
        out.write_all(&SPACES[..padding(end) + 1 + 2 * self.depth.min(DEEPEST)])?;
        out.write_all(self.kind.as_bytes())?;
        if let Some(raw) = self.raw {
            out.write_all(b" ")?;
            out.write_all(clip(raw).as_bytes())?;
        } else if self.sealed {
            out.write_all(b" (sealed)")?;
        }
        out.write_all(b"\n")
    }

    fn records(&self, out: &mut Csv<'_>) {
        let text = self.text.as_deref().unwrap_or_default();
        let [start, end, sealed] =
            [self.start.to_string(), self.end.to_string(), self.sealed.to_string()];
        out.record([self.kind, &start, &end, text, &sealed]);
    }
}

pub(crate) fn run(events: &args::Events, common: &Common) -> Result<Status, Failure> {
    let options = input::parse_options(common)?;
    if events.sequence {
        return print_stream(input::open(&events.file)?, events, common);
    }
    if events.syntax != Some(SyntaxName::Native)
        && let Some(large) = input::large(&events.file, b"{[", input::LARGE_FILE, common)?
    {
        return print_stream(large, events, common);
    }
    let mut stats = Stats::new(options.kernel);
    let mut arena = Arena::new();
    let source = input::text(&arena, &events.file, &events.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", events.file.display())))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    if input::is_native(source, events.syntax) {
        let mut diagnostics = Vec::new();
        let file = match events.skeleton {
            true => File::skeleton(&arena, source, &mut diagnostics),
            false => File::parse_with(&arena, source, options.kernel, &mut diagnostics),
        };
        print_native(file, events, common.style())?;
        if !events.skeleton {
            file.check(&mut diagnostics);
        }
        let status = complain(&diagnostics)?;
        stats.arena_bytes = arena.allocated_bytes();
        stats.print(common);
        return Ok(status);
    }
    let status = match Document::read(&arena, source, &options) {
        Ok(document) => {
            print(document, events, common.style())?;
            complain(document.diagnostics())?
        }
        Err(error) => complain(&[error])?,
    };
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(status)
}

/// Prints the diagnostics on standard error.
fn complain(diagnostics: &[Diagnostic<'_>]) -> Result<Status, Failure> {
    let mut status = Status::Clean;
    let mut out = anstream::stderr().lock();
    for finding in diagnostics.iter().map(Finding::of) {
        human::write(&finding, &mut out)?;
        status = status.max(if finding.is_error() { Status::Found } else { Status::Clean });
    }
    Ok(status)
}

fn print(document: Document<'_>, events: &args::Events, style: Style) -> Result<(), Failure> {
    let source = document.source();
    let stream = if events.skeleton { document.skeleton() } else { document.events() };
    let mut list = List::new::<Line<'_>>(events.format, style)?;
    let mut depth: usize = 0;
    for event in stream {
        let line = line(&event, source, depth, events.format);
        depth = match event {
            JsonEvent::StartObject { .. } | JsonEvent::StartArray { .. } => depth + 1,
            JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. } => line.depth,
            _ => depth,
        };
        list.push(&line)?;
    }
    list.finish(&Incomplete::default())?;
    Ok(())
}

/// Prints the events of input that is too large to keep, as they are read.
fn print_stream(large: Large, events: &args::Events, common: &Common) -> Result<Status, Failure> {
    let parse = input::parse_options(common)?;
    let mut stats = Stats::new(parse.kernel);
    let (input, name): (Box<dyn Read>, _) = match large {
        Large::File(file) => (Box::new(file), events.file.to_string_lossy()),
        Large::Pipe(pipe) => (pipe, events.stdin_name.as_str().into()),
    };
    let options = stream::Options::default()
        .with_name(name)
        .with_kernel(parse.kernel)
        .with_max_depth(parse.max_depth)
        .with_sequence(events.sequence);
    let mut reader = stream::Reader::with_options(input, options);
    let deepest = if events.skeleton { parse.skeleton_depth as usize } else { usize::MAX };
    let mut list = List::new::<Line<'_>>(events.format, common.style())?;
    let status = loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            Ok(None) => break Status::Clean,
            Err(problem) => {
                // The list that has been printed is incomplete, so it is not closed.
                list.flush()?;
                anstream::eprintln!("{}", visible::line(&problem.to_string()));
                break Status::Found;
            }
        };
        let depth = event.depth();
        if depth > deepest {
            continue;
        }
        let kind = event.kind();
        let Range { start, end } = event.span();
        stats.bytes = end;
        let mut line =
            Line { kind: kind.name(), start, end, text: None, sealed: false, depth, raw: None };
        match kind {
            Kind::StartObject | Kind::StartArray => line.sealed = depth == deepest,
            Kind::EndObject | Kind::EndArray => {}
            _ if events.format == ListFormat::Human => line.raw = Some(event.raw().as_bytes()),
            _ => line.text = Some(event.text()),
        }
        list.push(&line)?;
    };
    let mut status = status;
    while let Some(warning) = reader.take_warning() {
        anstream::eprintln!("{}", visible::line(&warning.to_string()));
        if warning.is_error() {
            status = Status::Found;
        }
    }
    if status == Status::Clean || reader.next().is_ok() {
        list.finish(&Incomplete::default())?;
    }
    (stats.files, stats.arena_bytes) = (1, reader.memory());
    stats.print(common);
    Ok(status)
}

fn print_native(file: File<'_>, events: &args::Events, style: Style) -> Result<(), Failure> {
    let bytes = file.source().bytes();
    let mut list = List::new::<Line<'_>>(events.format, style)?;
    for FileEvent { kind, span, depth, is_sealed: sealed, .. } in file.events() {
        let [start, end] = [span.start, span.end].map(u64::from);
        let (name, depth) = (kind.name(), depth as usize);
        let mut line = Line { kind: name, start, end, text: None, sealed, depth, raw: None };
        let raw = span.slice(bytes);
        match kind {
            FileEventKind::StartBody | FileEventKind::EndBody => {}
            _ if events.format == ListFormat::Human => line.raw = Some(raw),
            _ => line.text = Some(String::from_utf8_lossy(raw)),
        }
        list.push(&line)?;
    }
    list.finish(&Incomplete::default())?;
    Ok(())
}

/// Returns an event as `format` shows it.
fn line<'a>(
    event: &JsonEvent<'a>,
    source: Source<'a>,
    depth: usize,
    format: ListFormat,
) -> Line<'a> {
    let span = event.span();
    let [start, end] = [span.start, span.end].map(u64::from);
    let kind = event.kind().name();
    let mut line = Line { kind, start, end, text: None, sealed: false, depth, raw: None };
    match *event {
        JsonEvent::StartObject { sealed, .. } | JsonEvent::StartArray { sealed, .. } => {
            line.sealed = sealed;
        }
        JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. } => {
            line.depth = depth.saturating_sub(1);
        }
        _ if format == ListFormat::Human => line.raw = Some(span.slice(source.bytes())),
        JsonEvent::Key(string) | JsonEvent::String(string) => {
            line.text = Some(string.to_str().into());
        }
        _ => line.text = Some(String::from_utf8_lossy(span.slice(source.bytes()))),
    }
    line
}

/// Returns the start of a string, number or literal.
fn clip(text: &[u8]) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return match String::from_utf8_lossy(text) {
            Cow::Borrowed(text) => visible(text),
            Cow::Owned(text) => Cow::Owned(visible(&text).into_owned()),
        };
    }
    let cut = String::from_utf8_lossy(&text[..LONGEST]);
    Cow::Owned(format!("{}…", visible(cut.trim_end_matches('\u{FFFD}'))))
}

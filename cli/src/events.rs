//! `events`: the event stream of a JSON file as text.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use simd_hcl::event::Kind;
use simd_hcl::json::JsonEvent;
use simd_hcl::{Arena, Diagnostic, Document, Source, Span};

use crate::args::{self, Common};
use crate::finding::Finding;
use crate::incomplete::Incomplete;
use crate::output::{Csv, Layout, List, Row};
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{human, input};

/// Longer texts are cut for people.
const LONGEST: usize = 60;

/// Deeper levels are indented no further: a line must not grow with the depth.
const DEEPEST: usize = 20;

/// One event.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(serialize_with = "as_debug")]
    kind: Kind,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sealed: bool,
    /// Levels around the event.
    #[serde(skip)]
    depth: usize,
    /// A string, number or literal as it is written.
    #[serde(skip)]
    raw: Option<&'a [u8]>,
}

impl Row for Line<'_> {
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] = &["kind", "start", "end", "text", "sealed"];

    /// One event a line, indented by depth: start and end in bytes, kind, and the text in the source.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { start, end, kind, .. } = self;
        let indent = 2 * self.depth.min(DEEPEST);
        write!(out, "{start:>9}..{end:<9} {:indent$}{kind:?}", "")?;
        match self.raw {
            Some(raw) => writeln!(out, " {}", clip(raw)),
            None => writeln!(out, "{}", if self.sealed { " (sealed)" } else { "" }),
        }
    }

    fn records(&self, out: &mut Csv<'_>) {
        let text = self.text.as_deref().unwrap_or_default();
        let [kind, start, end, sealed] = [
            format!("{:?}", self.kind),
            self.start.to_string(),
            self.end.to_string(),
            self.sealed.to_string(),
        ];
        out.record([&kind, &start, &end, text, &sealed]);
    }
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
    let mut list = List::new::<Line<'_>>(events.format)?;
    let mut depth: usize = 0;
    for event in stream {
        let line = line(&event, source, depth);
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

fn line<'a>(event: &JsonEvent<'a>, source: Source<'a>, depth: usize) -> Line<'a> {
    let Span { start, end } = event.span();
    let raw = event.span().slice(source.bytes());
    let mut line =
        Line { kind: event.kind(), start, end, text: None, sealed: false, depth, raw: None };
    match *event {
        JsonEvent::StartObject { sealed, .. } | JsonEvent::StartArray { sealed, .. } => {
            line.sealed = sealed;
        }
        JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. } => {
            line.depth = depth.saturating_sub(1);
        }
        JsonEvent::Key(string) | JsonEvent::String(string) => {
            (line.text, line.raw) = (Some(string.to_str().into()), Some(raw));
        }
        _ => (line.text, line.raw) = (Some(String::from_utf8_lossy(raw)), Some(raw)),
    }
    line
}

/// A kind as the format of the stream names it.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_debug<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{kind:?}"))
}

/// The start of a string, number or literal.
fn clip(text: &[u8]) -> String {
    if text.len() <= LONGEST {
        return visible(&String::from_utf8_lossy(text)).into_owned();
    }
    let cut = String::from_utf8_lossy(&text[..LONGEST]);
    format!("{}…", visible(cut.trim_end_matches('\u{FFFD}')))
}

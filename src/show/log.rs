//! Event streams: the output of `plan -json`, `apply -json` and `destroy -json`, one JSON object
//! per line.
//!
//! [`Event`] is a view of one line. [`EventLog`] reads lines one by one, from a file or from a
//! running tool, and collects changes, drift, diagnostics, outputs, and the duration of each
//! operation. It owns its texts, so a line can be dropped after it is read.
//!
//! It does not keep values of sensitive outputs, source text that a diagnostic quotes, and output
//! of provisioners.
//!
//! ```
//! use simd_hcl::show::EventLog;
//!
//! let mut log = EventLog::new();
//! log.read(br#"{"@level":"info","@message":"x: Plan to create","type":"planned_change","change":{
//!     "resource":{"addr":"x"},"action":"create"}}"#);
//! assert_eq!(log.changes()[0].address, "x");
//! ```

use std::collections::HashMap;

use super::field::{Field, Map, Read, views};
use crate::arena::Arena;
use crate::document::Document;
use crate::event::ParseOptions;
use crate::json::Node;
use crate::source::Source;

/// The maximal offset, in bytes, of the name that identifies a stream.
const FIRST_LINE: usize = 4096;

/// Events are shallow, and their values small.
const DEPTH: u32 = 1;

views! {
    /// One line of a stream.
    Event {
        /// `error`, `warn`, `info` and others.
        level "@level" &'a str;
        /// The message for people.
        message "@message" &'a str;
        /// The source: `terraform.ui` or `tofu.ui`.
        module "@module" &'a str;
        /// The time, RFC 3339.
        timestamp "@timestamp" &'a str;
        /// The type of the event: `planned_change`, `apply_complete` and others; absent for text.
        event_type "type" &'a str;
        /// The version of Terraform, in the first line.
        terraform "terraform" &'a str;
        /// The version of OpenTofu, in the first line.
        tofu "tofu" &'a str;
        /// The version of the format, in the first line.
        ui "ui" &'a str;
        /// A planned change, or drift.
        change "change" EventChange<'a>;
        /// An operation on a resource.
        hook "hook" EventHook<'a>;
        /// The number of changes.
        changes "changes" EventCounts<'a>;
        /// The outputs of the root module.
        outputs "outputs" Map<'a, EventOutput<'a>>;
        /// An error or a warning.
        diagnostic "diagnostic" EventDiagnostic<'a>;
    }

    /// A planned change, or drift.
    EventChange {
        /// The resource instance.
        resource "resource" EventResource<'a>;
        /// The resource instance before it was moved.
        previous_resource "previous_resource" EventResource<'a>;
        /// The action: `create`, `replace`, `move`, `import` and others.
        action "action" &'a str;
        /// The reason.
        reason "reason" &'a str;
        /// Present if an existing object is imported.
        importing "importing" Node<'a>;
    }

    /// A resource instance.
    EventResource {
        /// Its absolute address.
        address "addr" &'a str;
        /// The address of its module instance; empty for the root module.
        module "module" &'a str;
        /// Its type.
        resource_type "resource_type" &'a str;
        /// The name of its block.
        resource_name "resource_name" &'a str;
    }

    /// An operation on a resource.
    EventHook {
        /// The resource instance.
        resource "resource" EventResource<'a>;
        /// The action.
        action "action" &'a str;
        /// The duration so far, in seconds.
        elapsed_seconds "elapsed_seconds" Node<'a>;
        /// The provisioner that runs.
        provisioner "provisioner" &'a str;
    }

    /// The numbers of changes.
    EventCounts {
        /// Created.
        add "add" u64;
        /// Changed.
        change "change" u64;
        /// Imported.
        import "import" u64;
        /// Destroyed.
        remove "remove" u64;
        /// Forgotten (OpenTofu).
        forget "forget" u64;
        /// `plan`, `apply` or `destroy`.
        operation "operation" &'a str;
    }

    /// An output of the root module.
    EventOutput {
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// The planned action.
        action "action" &'a str;
        /// Its value; absent in a plan.
        value_field "value" Node<'a>;
    }

    /// An error or a warning.
    EventDiagnostic {
        /// `error` or `warning`.
        severity "severity" &'a str;
        /// The headline.
        summary "summary" &'a str;
        /// The explanation.
        detail "detail" &'a str;
        /// The resource that it is about.
        address "address" &'a str;
        /// The position in the configuration.
        range "range" EventRange<'a>;
    }

    /// A range in the configuration.
    EventRange {
        /// The file.
        filename "filename" &'a str;
        /// The start.
        start "start" EventPosition<'a>;
    }

    /// A position in a file.
    EventPosition {
        /// The line, from 1.
        line "line" u64;
        /// The column, from 1.
        column "column" u64;
    }
}

/// Whether bytes are an event stream: their first line that is not empty is an object with
/// `@message` or `@level`.
#[must_use]
pub fn is_event_log(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let line = &bytes[start..bytes.len().min(start + FIRST_LINE)];
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"{\"@")
        || (line.starts_with(b"{") && memchr::memmem::find(line, b"\"@message\":").is_some())
}

/// A planned change, or drift.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedChange {
    /// The absolute address of the resource instance.
    pub address: String,
    /// Its type.
    pub resource_type: String,
    /// The address before it was moved.
    pub previous_address: Option<String>,
    /// The action: `create`, `update`, `delete`, `replace`, `move` and others.
    pub action: String,
    /// The reason; empty if there is none.
    pub reason: String,
    /// Whether an existing object is imported.
    pub is_import: bool,
}

/// An operation on a resource, with its duration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Operation {
    /// The absolute address of the resource instance.
    pub address: String,
    /// The action: `create`, `read`, `refresh`, `provision` and others.
    pub action: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The duration in seconds: from the event, or from time stamps. `None` if neither is known.
    pub seconds: Option<f64>,
}

/// The outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has not ended.
    Running,
    /// It succeeded.
    Complete,
    /// It failed.
    Errored,
}

impl Outcome {
    /// `running`, `complete` or `errored`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Errored => "errored",
        }
    }
}

/// The numbers of changes of an operation, as the tool counts them: a replacement counts as added
/// and as removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedCounts {
    /// `plan`, `apply` or `destroy`.
    pub operation: String,
    /// Created.
    pub add: u64,
    /// Changed.
    pub change: u64,
    /// Imported.
    pub import: u64,
    /// Destroyed.
    pub remove: u64,
    /// Forgotten (OpenTofu).
    pub forget: u64,
}

/// An error or a warning of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedDiagnostic {
    /// Whether it is an error.
    pub is_error: bool,
    /// The headline.
    pub summary: String,
    /// The explanation.
    pub detail: String,
    /// The resource that it is about; empty if there is none.
    pub address: String,
    /// The file, the line and the column, from 1.
    pub place: Option<(String, u64, u64)>,
}

/// An output of the root module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedOutput {
    /// Its name.
    pub name: String,
    /// Whether it is sensitive.
    pub is_sensitive: bool,
    /// The planned action; empty after an apply.
    pub action: String,
    /// Its value as JSON, if it is known and not sensitive.
    pub value: Option<String>,
}

/// The message of a line, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine {
    /// The time, RFC 3339; empty if it is missing.
    pub timestamp: String,
    /// `error`, `warn`, `info` and others; empty for text that is not an event.
    pub level: String,
    /// The type of the event: `planned_change` and others; empty for text.
    pub event_type: String,
    /// The message, without parts that may be sensitive.
    pub text: String,
}

/// The collected contents of a stream's lines.
#[derive(Debug, Default)]
pub struct EventLog {
    arena: Arena,
    lines: u64,
    foreign_lines: u64,
    first_foreign: Option<u64>,
    tool: Option<(&'static str, String)>,
    started: Option<String>,
    ended: Option<String>,
    changes: Vec<LoggedChange>,
    drift: Vec<LoggedChange>,
    counts: Vec<LoggedCounts>,
    operations: Vec<Operation>,
    /// Running operations by address and action, with their start.
    running: HashMap<(String, String), (usize, String)>,
    diagnostics: Vec<LoggedDiagnostic>,
    outputs: Vec<LoggedOutput>,
}

impl EventLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of lines, including empty ones.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of lines that are not events: text that the tool or a wrapper printed between
    /// them.
    #[must_use]
    pub fn foreign_lines(&self) -> u64 {
        self.foreign_lines
    }

    /// The first line that is not an event, from 1.
    #[must_use]
    pub fn first_foreign_line(&self) -> Option<u64> {
        self.first_foreign
    }

    /// The tool, `OpenTofu` or `Terraform`, and its version.
    #[must_use]
    pub fn tool(&self) -> Option<(&str, &str)> {
        self.tool.as_ref().map(|(name, version)| (*name, version.as_str()))
    }

    /// The time stamps of the first and the last event.
    #[must_use]
    pub fn times(&self) -> Option<(&str, &str)> {
        Some((self.started.as_deref()?, self.ended.as_deref()?))
    }

    /// The time from the first event to the last, in seconds.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let (started, ended) = self.times()?;
        elapsed(started, ended)
    }

    /// The planned changes, in the order of the stream.
    #[must_use]
    pub fn changes(&self) -> &[LoggedChange] {
        &self.changes
    }

    /// Changes outside of the tool.
    #[must_use]
    pub fn drift(&self) -> &[LoggedChange] {
        &self.drift
    }

    /// The number of planned changes, and the number of changes made.
    #[must_use]
    pub fn counts(&self) -> &[LoggedCounts] {
        &self.counts
    }

    /// The operations on resources, in the order of their start.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Errors and warnings of the tool.
    #[must_use]
    pub fn diagnostics(&self) -> &[LoggedDiagnostic] {
        &self.diagnostics
    }

    /// The outputs of the root module, from the last line with outputs.
    #[must_use]
    pub fn outputs(&self) -> &[LoggedOutput] {
        &self.outputs
    }

    /// Reads all lines of a stream.
    pub fn read_all(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.read(line);
        }
    }

    /// Reads a line, and returns its message; `None` for an empty line. Cost: linear in the line.
    pub fn read(&mut self, line: &[u8]) -> Option<LogLine> {
        self.lines += 1;
        let line = line.trim_ascii();
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        if line.is_empty() {
            return None;
        }
        let mut arena = std::mem::take(&mut self.arena);
        let said = self.read_in(&arena, line);
        arena.reset();
        self.arena = arena;
        Some(said)
    }

    fn read_in(&mut self, arena: &Arena, line: &[u8]) -> LogLine {
        let options = ParseOptions::default().with_skeleton_depth(DEPTH);
        let source = Source::copy_from(arena, "line", line).ok();
        let document = source.and_then(|line| Document::parse_with(arena, line, &options).ok());
        let event = document.and_then(|document| Event::read(document.root()));
        match event.filter(|event| event.message().value().is_some()) {
            Some(event) => self.add(event),
            None => {
                self.foreign_lines += 1;
                self.first_foreign.get_or_insert(self.lines);
                let text = String::from_utf8_lossy(line).into_owned();
                let empty = String::new;
                LogLine { timestamp: empty(), level: empty(), event_type: empty(), text }
            }
        }
    }

    /// Adds an event.
    fn add(&mut self, event: Event<'_>) -> LogLine {
        let timestamp = text(event.timestamp());
        if !timestamp.is_empty() {
            self.started.get_or_insert_with(|| timestamp.clone());
            self.ended = Some(timestamp.clone());
        }
        let event_type = text(event.event_type());
        if let Some(version) = event.tofu().value() {
            self.tool = Some(("OpenTofu", version.to_owned()));
        } else if let Some(version) = event.terraform().value() {
            self.tool = Some(("Terraform", version.to_owned()));
        }
        match event_type.as_str() {
            "planned_change" => self.changes.extend(event.change().value().map(change)),
            "resource_drift" => self.drift.extend(event.change().value().map(change)),
            "change_summary" => self.counts.extend(event.changes().value().map(counts)),
            "outputs" => {
                let outputs = event.outputs().value().into_iter().flat_map(Map::iter);
                self.outputs = outputs.map(|(name, output)| logged_output(name, output)).collect();
            }
            "diagnostic" => self.diagnostics.extend(event.diagnostic().value().map(diagnostic)),
            other => {
                if let (Some((what, stage)), Some(hook)) =
                    (other.rsplit_once('_'), event.hook().value())
                {
                    self.hook(what, stage, hook, &timestamp);
                }
            }
        }
        let level = text(event.level());
        // Output of a provisioner may contain secrets.
        let said = match event_type.as_str() {
            "provision_progress" => {
                let hook = event.hook().value();
                let address = hook.and_then(|hook| hook.resource().value());
                let address = address.map(|it| text(it.address())).unwrap_or_default();
                format!("{address}: (output of a provisioner)")
            }
            _ => text(event.message()),
        };
        LogLine { timestamp, level, event_type, text: said }
    }

    /// Records the start, the progress or the end of an operation.
    fn hook(&mut self, what: &str, stage: &str, hook: EventHook<'_>, timestamp: &str) {
        let Some(resource) = hook.resource().value() else { return };
        let address = text(resource.address());
        let action = match what {
            "apply" | "ephemeral_op" => text(hook.action()),
            "provision" => format!("provision {}", text(hook.provisioner())),
            other => other.to_owned(),
        };
        let outcome = match stage {
            "start" => Outcome::Running,
            "complete" => Outcome::Complete,
            "errored" => Outcome::Errored,
            _ => return,
        };
        let key = (address, action);
        if outcome == Outcome::Running {
            let (address, action) = key.clone();
            self.running.insert(key, (self.operations.len(), timestamp.to_owned()));
            self.operations.push(Operation { address, action, outcome, seconds: None });
            return;
        }
        // An operation without a start began before the stream.
        let (place, start) = self.running.remove(&key).unwrap_or_else(|| {
            let (address, action) = key;
            self.operations.push(Operation { address, action, outcome, seconds: None });
            (self.operations.len() - 1, String::new())
        });
        let Some(operation) = self.operations.get_mut(place) else { return };
        operation.outcome = outcome;
        // The tool counts whole seconds; time stamps are more precise.
        let reported = hook.elapsed_seconds().value().and_then(Node::as_number);
        let reported = reported.and_then(|number| number.text().parse().ok());
        operation.seconds = elapsed(&start, timestamp).or(reported);
    }
}

fn text(field: Field<'_, &str>) -> String {
    field.value().unwrap_or_default().to_owned()
}

fn change(change: EventChange<'_>) -> LoggedChange {
    let resource = change.resource().value();
    let address = |it: EventResource<'_>| text(it.address());
    LoggedChange {
        address: resource.map(address).unwrap_or_default(),
        resource_type: resource.map(|it| text(it.resource_type())).unwrap_or_default(),
        previous_address: change.previous_resource().value().map(address),
        action: text(change.action()),
        reason: text(change.reason()),
        is_import: change.importing().value().is_some_and(|node| !node.is_null()),
    }
}

fn counts(counts: EventCounts<'_>) -> LoggedCounts {
    let number = |field: Field<'_, u64>| field.value().unwrap_or_default();
    LoggedCounts {
        operation: text(counts.operation()),
        add: number(counts.add()),
        change: number(counts.change()),
        import: number(counts.import()),
        remove: number(counts.remove()),
        forget: number(counts.forget()),
    }
}

fn logged_output(name: &str, output: EventOutput<'_>) -> LoggedOutput {
    let is_sensitive = output.sensitive().value() == Some(true);
    let value = output.value_field().value().filter(|_| !is_sensitive);
    LoggedOutput {
        name: name.to_owned(),
        is_sensitive,
        action: text(output.action()),
        value: value.map(|node| String::from_utf8_lossy(node.text()).into_owned()),
    }
}

fn diagnostic(diagnostic: EventDiagnostic<'_>) -> LoggedDiagnostic {
    let place = diagnostic.range().value().and_then(|range| {
        let start = range.start().value()?;
        let (line, column) = (start.line().value()?, start.column().value()?);
        Some((text(range.filename()), line, column))
    });
    LoggedDiagnostic {
        is_error: diagnostic.severity().value() != Some("warning"),
        summary: text(diagnostic.summary()),
        detail: text(diagnostic.detail()),
        address: text(diagnostic.address()),
        place,
    }
}

/// The seconds between two time stamps of RFC 3339.
fn elapsed(start: &str, end: &str) -> Option<f64> {
    let (start, end) = (microseconds(start)?, microseconds(end)?);
    Some((end - start) as f64 / 1e6)
}

/// A time stamp of RFC 3339 in microseconds since 1970.
fn microseconds(stamp: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = stamp.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is_separated = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        .into_iter()
        .all(|(at, separator)| stamp.get(at..at + 1) == Some(separator));
    if !is_separated {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let rest = stamp.get(19..)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    let fraction: i64 = format!("{:0<6}", &fraction[..fraction.len().min(6)]).parse().ok()?;
    let zone = match zone.as_bytes() {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), hours @ .., b':', tens, ones] => {
            let hours: i64 = str::from_utf8(hours).ok()?.parse().ok()?;
            let minutes =
                i64::from(tens.wrapping_sub(b'0')) * 10 + i64::from(ones.wrapping_sub(b'0'));
            (hours.checked_mul(60)?.checked_add(minutes)?) * if *sign == b'+' { 1 } else { -1 }
        }
        _ => return None,
    };
    // Days since 1970, by the proleptic Gregorian calendar; years start in March.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = ((days * 24 + hour) * 60 + minute - zone).checked_mul(60)?.checked_add(second)?;
    seconds.checked_mul(1_000_000)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps() {
        for (stamp, seconds) in [
            ("1970-01-01T00:00:00Z", 0.0),
            ("2000-02-29T12:00:00.5Z", 951_825_600.5),
            ("2026-11-22T03:06:49.123456Z", 1_795_316_809.123_456),
            ("2026-11-22T04:06:49.123456789+01:00", 1_795_316_809.123_456),
            ("2026-11-21T19:06:49.123456-08:00", 1_795_316_809.123_456),
        ] {
            let found = microseconds(stamp).map(|micros| micros as f64 / 1e6);
            assert_eq!(found, Some(seconds), "{stamp}");
        }
        for stamp in [
            "",
            "2026",
            "2026-11-22 03:06:49Z",
            "2026-11-22T03:06:49",
            "2026-11-22T03:06:4",
            "é026-11-22T03:06:49Z",
        ] {
            assert_eq!(microseconds(stamp), None, "{stamp}");
        }
    }

    #[test]
    fn streams_are_recognized() {
        for text in ["{\"@level\":1}", "\n {\"type\":\"version\",\"@message\":\"x\"}\n{}"] {
            assert!(is_event_log(text.as_bytes()), "{text}");
        }
        for text in ["", "{}", "{\n\"@message\":1}", "[{\"@message\":1}]", "Terraform will"] {
            assert!(!is_event_log(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn operations_begin_and_end() {
        let mut log = EventLog::new();
        let line = |kind: &str, address: &str, at: u32, seconds: u32| {
            format!(
                r#"{{"@level":"info","@message":"m","@timestamp":"2026-01-01T00:00:{at:02}.250000Z","type":"{kind}","hook":{{"resource":{{"addr":"{address}"}},"action":"create","elapsed_seconds":{seconds}}}}}"#
            )
        };
        for line in [
            line("apply_start", "a", 0, 0),
            line("apply_start", "b", 1, 0),
            line("apply_progress", "a", 2, 2),
            line("apply_complete", "a", 3, 2),
            line("apply_errored", "b", 4, 3),
            line("refresh_start", "c", 5, 0),
            line("apply_complete", "d", 6, 7),
        ] {
            assert!(log.read(line.as_bytes()).is_some());
        }
        let found: Vec<_> = log
            .operations()
            .iter()
            .map(|it| (it.address.as_str(), it.action.as_str(), it.outcome, it.seconds))
            .collect();
        let expected = [
            ("a", "create", Outcome::Complete, Some(3.0)),
            ("b", "create", Outcome::Errored, Some(3.0)),
            ("c", "refresh", Outcome::Running, None),
            ("d", "create", Outcome::Complete, Some(7.0)),
        ];
        assert_eq!(found, expected);
        assert_eq!(log.seconds(), Some(6.0));
    }

    #[test]
    fn nothing_sensitive_is_kept() {
        let mut log = EventLog::new();
        let said = [
            r#"{"@message":"Outputs: 2","type":"outputs","outputs":{"a":{"sensitive":true,"value":"s3cret"},"b":{"sensitive":false,"value":[1]}}}"#,
            r#"{"@message":"a: (local-exec): s3cret","type":"provision_progress","hook":{"resource":{"addr":"a"},"output":"s3cret"}}"#,
            r#"{"@message":"Error: x","type":"diagnostic","diagnostic":{"severity":"error","summary":"x","detail":"d","snippet":{"code":"s3cret"}}}"#,
            r#"{"@message":"Emergency state dump","type":"log","state":{"x":"s3cret"}}"#,
        ]
        .map(|line| log.read(line.as_bytes()));
        assert!(!format!("{said:?} {log:?}").contains("s3cret"));
        assert_eq!(log.outputs()[1].value.as_deref(), Some("[1]"));
    }

    #[test]
    fn what_is_no_event_is_counted() {
        let mut log = EventLog::new();
        log.read_all(b"\n{\"@message\":\"x\"}\r\npanic: oh\n{\"a\":1}\n[1]\n");
        assert_eq!((log.lines(), log.foreign_lines(), log.first_foreign_line()), (5, 3, Some(3)));
    }
}

//! Event streams: the output of `plan -json`, `apply -json`, `destroy -json`, `query -json` and
//! `test -json`, one JSON object per line.
//!
//! [`Event`] is a view of one line. [`EventLog`] reads lines one by one, from a file or from a
//! running tool, and collects changes, drift, diagnostics, outputs, results of policies and tests,
//! and the duration of each operation. Events of unknown types are counted. It owns its texts, so a
//! line can be dropped after it is read.
//!
//! It does not tell values of sensitive outputs, nor copies of these in other texts, and does not keep
//! source text that a diagnostic quotes, and output of provisioners. A line that is read before the
//! outputs is returned as it is: then it is not known yet what they are.
//!
//! ```
//! use simd_hcl::show::EventLog;
//!
//! let mut log = EventLog::new();
//! log.read(br#"{"@level":"info","@message":"x: Plan to create","type":"planned_change","change":{
//!     "resource":{"addr":"x"},"action":"create"}}"#);
//! assert_eq!(log.changes()[0].address, "x");
//! ```

mod event;
mod logged;
mod time;

use std::collections::{BTreeMap, HashMap};

use super::field::{Map, Read};
use super::redact::Copies;
use crate::arena::Arena;
use crate::document::Document;
use crate::event::ParseOptions;
use crate::json::Node;
use crate::source::Source;

use self::event::is_passed_over;
pub use self::event::{
    Event, EventAction, EventChange, EventCounts, EventDeferred, EventDiagnostic, EventHook,
    EventInvocation, EventList, EventOutput, EventPolicy, EventPosition, EventRange, EventResource,
    EventRun, EventTests, EventTrigger, is_event_log,
};
pub use self::logged::{
    LogLine, LoggedAction, LoggedChange, LoggedCounts, LoggedDeferred, LoggedDiagnostic,
    LoggedFound, LoggedOutput, LoggedPolicy, LoggedRun, LoggedTests, Operation, Outcome,
    UnknownEvents,
};
use self::logged::{
    Record, action, change, counts, deferred, diagnostic, found, logged_output, policy, run, tests,
    text,
};
use self::time::elapsed;

/// Events are shallow, and their values small.
const DEPTH: u32 = 1;

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
    deferred: Vec<LoggedDeferred>,
    actions: Vec<LoggedAction>,
    policies: Vec<LoggedPolicy>,
    found: Vec<LoggedFound>,
    runs: Vec<LoggedRun>,
    tests: Option<LoggedTests>,
    /// By type.
    unknown: BTreeMap<String, UnknownEvents>,
    /// Values of sensitive outputs.
    copies: Copies,
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

    /// The changes that are deferred to a later plan.
    #[must_use]
    pub fn deferred(&self) -> &[LoggedDeferred] {
        &self.deferred
    }

    /// The actions to be invoked.
    #[must_use]
    pub fn actions(&self) -> &[LoggedAction] {
        &self.actions
    }

    /// The results of policies.
    #[must_use]
    pub fn policies(&self) -> &[LoggedPolicy] {
        &self.policies
    }

    /// The resources that queries found.
    #[must_use]
    pub fn found(&self) -> &[LoggedFound] {
        &self.found
    }

    /// The runs of tests that have ended.
    #[must_use]
    pub fn runs(&self) -> &[LoggedRun] {
        &self.runs
    }

    /// The results of all runs of tests, at the end of a stream of `test -json`.
    #[must_use]
    pub fn tests(&self) -> Option<&LoggedTests> {
        self.tests.as_ref()
    }

    /// The events of unknown types, by type: their content is not in the log.
    pub fn unknown_events(&self) -> impl Iterator<Item = &UnknownEvents> {
        self.unknown.values()
    }

    /// Whether the stream tells of a failure: an error, an operation, a policy or a test that failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let is_failure = |status: &str| matches!(status, "fail" | "error");
        self.diagnostics.iter().any(|diagnostic| diagnostic.is_error)
            || self.operations.iter().any(|operation| operation.outcome == Outcome::Errored)
            || self.policies.iter().any(LoggedPolicy::stops)
            || self.runs.iter().any(|run| is_failure(&run.status))
            || self.tests.as_ref().is_some_and(|tests| is_failure(&tests.status))
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
        let mut said = self.read_in(&arena, line);
        arena.reset();
        if !self.copies.is_empty() {
            said.withhold(&self.copies);
            self.withhold_last();
        }
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
        self.add_content(event, &event_type, &timestamp);
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

    /// Adds what an event says besides its message.
    fn add_content(&mut self, event: Event<'_>, event_type: &str, timestamp: &str) {
        match event_type {
            "planned_change" => self.changes.extend(event.change().value().map(change)),
            "resource_drift" => self.drift.extend(event.change().value().map(change)),
            "deferred_change" => {
                self.deferred.extend(event.deferred_change().value().and_then(deferred));
            }
            "planned_action_invocation" => {
                self.actions.extend(event.invocation().value().map(action));
            }
            "change_summary" => self.counts.extend(event.changes().value().map(counts)),
            "outputs" => {
                let outputs = || event.outputs().value().into_iter().flat_map(Map::iter);
                let is_sensitive =
                    |(_, it): &(&str, EventOutput<'_>)| it.sensitive().value() == Some(true);
                let secret = outputs().filter(is_sensitive);
                let secret = secret.filter_map(|(_, it)| Some(it.value_field().value()?.text()));
                let has_new = self.copies.add(secret);
                self.outputs =
                    outputs().map(|(name, output)| logged_output(name, output)).collect();
                if has_new {
                    self.withhold_all();
                } else if !self.copies.is_empty() {
                    self.outputs.iter_mut().for_each(|it| it.withhold(&self.copies));
                }
            }
            "diagnostic" => self.diagnostics.extend(event.diagnostic().value().map(diagnostic)),
            "policy_diagnostic" => {
                let found = event.policy_diagnostic().value().map(diagnostic);
                let target = text(event.target_address());
                self.diagnostics.extend(found.map(|found| match found.address.is_empty() {
                    true => LoggedDiagnostic { address: target, ..found },
                    false => found,
                }));
            }
            "policy_result" => self.policies.push(policy(event)),
            "list_resource_found" => {
                self.found.extend(event.list_resource_found().value().map(found));
            }
            "list_start" => {
                self.list(event.list_start().value(), Outcome::Running, timestamp);
            }
            "list_complete" => {
                self.list(event.list_complete().value(), Outcome::Complete, timestamp);
            }
            "test_run" => self.runs.extend(event.test_run().value().and_then(run)),
            "test_summary" => self.tests = event.test_summary().value().map(tests),
            // The runs say the same, unless a file has none.
            "test_file" => {}
            other if is_passed_over(other) || other.is_empty() => {}
            other => {
                let parts = other.rsplit_once('_').zip(event.hook().value());
                let is_known = parts
                    .is_some_and(|((what, stage), hook)| self.hook(what, stage, hook, timestamp));
                if !is_known {
                    self.note_unknown(other);
                }
            }
        }
    }

    /// The lists of records.
    fn records(
        &mut self,
    ) -> (Vec<Box<dyn DoubleEndedIterator<Item = &mut dyn Record> + '_>>, &Copies) {
        fn all<'r, R: Record>(
            list: &'r mut [R],
        ) -> Box<dyn DoubleEndedIterator<Item = &'r mut dyn Record> + 'r> {
            Box::new(list.iter_mut().map(|it| -> &mut dyn Record { it }))
        }
        let lists = vec![
            all(&mut self.changes),
            all(&mut self.drift),
            all(&mut self.operations),
            all(&mut self.diagnostics),
            all(&mut self.outputs),
            all(&mut self.deferred),
            all(&mut self.actions),
            all(&mut self.policies),
            all(&mut self.found),
            all(&mut self.runs),
        ];
        (lists, &self.copies)
    }

    /// Takes copies of secrets out of all that was read.
    fn withhold_all(&mut self) {
        let (lists, copies) = self.records();
        lists.into_iter().flatten().for_each(|record| record.withhold(copies));
    }

    /// Takes them out of what the last event has added.
    fn withhold_last(&mut self) {
        let (lists, copies) = self.records();
        for mut list in lists {
            if let Some(record) = list.next_back() {
                record.withhold(copies);
            }
        }
    }

    fn note_unknown(&mut self, event_type: &str) {
        let first_line = self.lines;
        let unknown = self.unknown.entry(event_type.to_owned()).or_insert_with(|| UnknownEvents {
            event_type: event_type.to_owned(),
            count: 0,
            first_line,
        });
        unknown.count += 1;
    }

    fn list(&mut self, list: Option<EventList<'_>>, outcome: Outcome, timestamp: &str) {
        if let Some(list) = list {
            let key = (text(list.address()), "list".to_owned());
            self.operation(key, outcome, timestamp, None);
        }
    }

    /// Records the start or the end of an operation. Returns whether the type of the event is known.
    fn hook(&mut self, what: &str, stage: &str, hook: EventHook<'_>, timestamp: &str) -> bool {
        let outcome = match stage {
            "start" | "started" => Outcome::Running,
            "complete" => Outcome::Complete,
            "errored" => Outcome::Errored,
            // The operation has not ended.
            "progress" => {
                return KNOWN_OPERATIONS.contains(&what);
            }
            _ => return false,
        };
        let node = hook.action().value();
        let named = node.and_then(Node::to_str).unwrap_or_default().to_owned();
        let resource = hook.resource().value().map(|it| text(it.address()));
        let (address, action) = match what {
            "apply" | "ephemeral_op" => (resource, named),
            "provision" => (resource, format!("provision {}", text(hook.provisioner()))),
            "refresh" => (resource, "refresh".to_owned()),
            // OpenTofu says what it does in words only.
            "ephemeral_action" => (resource, ephemeral_action(&text(hook.said())).to_owned()),
            "action" => {
                let action = node.and_then(EventAction::read).map(|it| text(it.address()));
                (action.or(resource), "invoke".to_owned())
            }
            _ => return false,
        };
        let Some(address) = address else { return false };
        // The tool counts whole seconds; time stamps are more precise.
        let reported = hook.elapsed_seconds().value().and_then(Node::as_number);
        let reported = reported.and_then(|number| number.text().parse().ok());
        self.operation((address, action), outcome, timestamp, reported);
        true
    }

    fn operation(
        &mut self,
        key: (String, String),
        outcome: Outcome,
        timestamp: &str,
        reported: Option<f64>,
    ) {
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
        operation.seconds = elapsed(&start, timestamp).or(reported);
    }
}

/// The operations that tell of their progress.
const KNOWN_OPERATIONS: [&str; 6] =
    ["apply", "provision", "ephemeral_op", "ephemeral_action", "action", "refresh"];

/// The action in a message of OpenTofu about an ephemeral resource: `Opening...`, `Open complete`.
fn ephemeral_action(said: &str) -> &'static str {
    match said.get(..4).unwrap_or_default() {
        "Open" => "open",
        "Rene" => "renew",
        "Clos" => "close",
        _ => "use",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Copies of the value of a sensitive output are in no record, before it and after it, and in no later line.
    #[test]
    fn copies_of_sensitive_outputs_are_hidden() {
        let outputs = r#"{"@message":"Outputs: 2","type":"outputs","outputs":{
            "a":{"sensitive":true,"value":{"s3cret-key":["s3cret-value",12345678901]}},
            "b":{"sensitive":false,"value":["x s3cret-value"]},"c":{"value":12345678901},"d":{"value":"open"}}}"#
            .replace('\n', "");
        let events = [
            r#"{"@message":"x[\"s3cret-value\"]: s3cret-value","type":"apply_start","hook":{"resource":{"addr":"x[\"s3cret-value\"]"},"action":"create"}}"#,
            r#"{"@message":"x","type":"planned_change","change":{"resource":{"addr":"x[\"s3cret-key\"]"},"previous_resource":{"addr":"y[\"s3cret-key\"]"},"action":"create"}}"#,
            r#"{"@message":"Error: s3cret-value","type":"diagnostic","diagnostic":{"severity":"error","summary":"s3cret-value","detail":"d 12345678901","address":"x[\"s3cret-value\"]","range":{"filename":"s3cret-value.tf","start":{"line":1,"column":1}}}}"#,
            r#"{"@message":"x","type":"policy_result","result":"s3cret-value","target_address":"x[\"s3cret-key\"]"}"#,
            r#"{"@message":"x","type":"list_resource_found","list_resource_found":{"address":"a","display_name":"s3cret-value"}}"#,
            r#"{"@message":"x","type":"test_run","test_run":{"path":"s3cret-value","run":"s3cret-key","status":"pass"}}"#,
            "text with s3cret-value",
        ];
        let mut log = EventLog::new();
        events.iter().for_each(|line| drop(log.read(line.as_bytes())));
        log.read(outputs.as_bytes());
        let after: Vec<_> = events.iter().map(|line| log.read(line.as_bytes())).collect();
        let all = format!(
            "{after:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            log.changes(),
            log.operations(),
            log.diagnostics(),
            log.outputs(),
            log.policies(),
            log.found(),
            log.runs()
        );
        assert!(!all.contains("s3cret") && !all.contains("12345678901"), "{all}");
        assert_eq!(log.outputs()[3].value.as_deref(), Some("\"open\""));
        assert_eq!(log.operations()[0].outcome, Outcome::Running);
    }

    /// Secrets that come one after the other take linear work.
    #[test]
    fn many_outputs_take_linear_work() {
        let mut log = EventLog::new();
        for number in 0..1_000 {
            log.read(format!("{{\"@message\":\"m\",\"type\":\"outputs\",\"outputs\":{{\"a\":{{\"sensitive\":true,\"value\":\"s3cret-{number}\"}}}}}}").as_bytes());
            log.read(format!("{{\"@message\":\"m\",\"type\":\"diagnostic\",\"diagnostic\":{{\"summary\":\"s3cret-{number}\"}}}}").as_bytes());
        }
        assert!(log.diagnostics().iter().all(|it| !it.summary.contains("s3cret")));
    }

    #[test]
    fn what_is_no_event_is_counted() {
        let mut log = EventLog::new();
        log.read_all(b"\n{\"@message\":\"x\"}\r\npanic: oh\n{\"a\":1}\n[1]\n");
        assert_eq!((log.lines(), log.foreign_lines(), log.first_foreign_line()), (5, 3, Some(3)));
    }

    fn log_of(events: &[&str]) -> EventLog {
        let mut log = EventLog::new();
        for event in events {
            let line = format!(
                r#"{{"@level":"info","@message":"m","@timestamp":"2026-01-01T00:00:00Z",{event}}}"#
            );
            assert!(log.read(line.as_bytes()).is_some());
        }
        log
    }

    #[test]
    fn all_types_of_events_are_read() {
        let log = log_of(&[
            r#""type":"version","tofu":"1.13.0""#,
            r#""type":"ephemeral_action_started","hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Opening..."}"#,
            r#""type":"ephemeral_action_complete","hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Open complete"}"#,
            r#""type":"action_start","hook":{"action":{"addr":"action.t.x"},"invoke":{}}"#,
            r#""type":"action_progress","hook":{"action":{"addr":"action.t.x"},"message":"m"}"#,
            r#""type":"action_errored","hook":{"action":{"addr":"action.t.x"},"error":"e"}"#,
            r#""type":"planned_action_invocation","invocation":{"action":{"addr":"action.t.y","action_type":"t"},"lifecycle":{"resource":{"addr":"a.b"}}}"#,
            r#""type":"deferred_change","deferred_change":{"reason":"absent_prereq","change":{"resource":{"addr":"a.c"},"action":"create"}}"#,
            r#""type":"list_start","list_start":{"address":"list.a.q","resource_type":"a"}"#,
            r#""type":"list_resource_found","list_resource_found":{"address":"list.a.q","display_name":"one","resource_type":"a"}"#,
            r#""type":"list_complete","list_complete":{"address":"list.a.q","resource_type":"a","total":1}"#,
            r#""type":"policy_info","policy_info":{"message":"m"}"#,
            r#""type":"change_summary","changes":{"add":1,"change":0,"remove":0,"action_invocation":2,"operation":"plan"}"#,
        ]);
        let operations: Vec<_> = log
            .operations()
            .iter()
            .map(|it| (it.address.as_str(), it.action.as_str(), it.outcome))
            .collect();
        let expected = [
            ("ephemeral.a.b", "open", Outcome::Complete),
            ("action.t.x", "invoke", Outcome::Errored),
            ("list.a.q", "list", Outcome::Complete),
        ];
        assert_eq!(operations, expected);
        assert_eq!((log.actions().len(), log.deferred().len(), log.found().len()), (1, 1, 1));
        assert_eq!(log.actions()[0].resource, "a.b");
        assert_eq!(log.counts()[0].action_invocation, 2);
        assert_eq!(log.unknown_events().count(), 0);
        assert!(log.has_failed());
    }

    #[test]
    fn unknown_events_are_counted() {
        let log = log_of(&[
            r#""type":"apply_start","hook":{"resource":{"addr":"a"},"action":"create"}"#,
            r#""type":"apply_rewound","hook":{"resource":{"addr":"a"},"action":"create"}"#,
            r#""type":"brand_new""#,
            r#""type":"apply_rewound","hook":{}"#,
        ]);
        let found: Vec<_> = log
            .unknown_events()
            .map(|it| (it.event_type.as_str(), it.count, it.first_line))
            .collect();
        assert_eq!(found, [("apply_rewound", 2, 2), ("brand_new", 1, 3)]);
        assert!(!log.has_failed());
    }

    #[test]
    fn policies_and_tests_fail() {
        let policy = |result: &str, level: &str| {
            let event = format!(
                r#""type":"policy_result","result":"{result}","target_address":"a.b","policy_address":"p","policy_metadata":{{"enforcement_level":"{level}"}}"#
            );
            log_of(&[&event]).has_failed()
        };
        assert!(
            policy("DenyResult", "mandatory") && policy("deny", "") && policy("ErrorResult", "")
        );
        assert!(!policy("AllowResult", "mandatory") && !policy("DenyResult", "advisory"));
        let run = |progress: &str, status: &str| {
            format!(
                r#""type":"test_run","test_run":{{"path":"a","run":"r","progress":"{progress}","status":"{status}"}}"#
            )
        };
        let log = log_of(&[
            r#""type":"test_abstract","test_abstract":{"a":["r"]}"#,
            &run("starting", ""),
            &run("complete", "pass"),
            r#""type":"test_plan","test_plan":{"plan_format_version":"1.2"}"#,
            r#""type":"test_summary","test_summary":{"status":"pass","passed":1,"failed":0,"errored":0,"skipped":0}"#,
        ]);
        assert_eq!(log.runs().len(), 1);
        assert_eq!(log.tests().map(|tests| tests.passed), Some(1));
        assert!(!log.has_failed());
        assert!(log_of(&[&run("complete", "fail")]).has_failed());
    }
}

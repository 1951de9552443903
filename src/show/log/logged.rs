//! Records made from the lines of event streams. They own their texts.

use std::borrow::Cow;

use super::event::{
    Event, EventChange, EventCounts, EventDeferred, EventDiagnostic, EventInvocation, EventList,
    EventOutput, EventResource, EventRun, EventTests,
};
use crate::show::field::Field;
use crate::show::redact::Copies;

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
    /// Actions that are invoked (Terraform).
    pub action_invocation: u64,
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

/// A change that is deferred to a later plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedDeferred {
    /// The reason.
    pub reason: String,
    /// The change.
    pub change: LoggedChange,
}

/// An action to be invoked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedAction {
    /// Its absolute address.
    pub address: String,
    /// Its type.
    pub action_type: String,
    /// The resource whose change invokes it; empty if it is invoked directly.
    pub resource: String,
}

/// The result of a policy for one object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedPolicy {
    /// The policy.
    pub address: String,
    /// Its subject.
    pub target: String,
    /// The result, in the words of the tool.
    pub result: String,
    /// Whether it must hold, such as `mandatory` or `advisory`; empty if the stream does not say.
    pub enforcement: String,
}

impl LoggedPolicy {
    /// Whether the policy does not hold, or could not be evaluated.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let result = self.result.to_ascii_lowercase();
        ["deny", "denied", "fail", "error"].iter().any(|word| result.contains(word))
    }

    /// Whether it stops the tool: it has failed, and does not only advise.
    #[must_use]
    pub fn stops(&self) -> bool {
        self.has_failed() && !self.enforcement.eq_ignore_ascii_case("advisory")
    }
}

/// A resource that a query found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedFound {
    /// The address of the block of the query.
    pub address: String,
    /// The type of resource.
    pub resource_type: String,
    /// The name of the resource for people.
    pub name: String,
}

/// A run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedRun {
    /// The file.
    pub path: String,
    /// The name of the run.
    pub run: String,
    /// `pass`, `fail`, `error`, `skip` or `pending`.
    pub status: String,
}

/// The results of all runs of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedTests {
    /// `pass`, `fail`, `error`, `skip` or `pending`.
    pub status: String,
    /// Runs that passed.
    pub passed: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Runs with an error.
    pub errored: u64,
    /// Runs that were skipped.
    pub skipped: u64,
}

/// Events of a type that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownEvents {
    /// The type.
    pub event_type: String,
    /// How many events have it.
    pub count: u64,
    /// The first line with one, from 1.
    pub first_line: u64,
}

/// The texts of a record, each with whether it is an address or a name.
pub(super) type Texts<'r> = Vec<(&'r mut String, bool)>;

/// A record with texts that may have copies of secrets.
pub(super) trait Record {
    /// Returns its texts.
    fn texts(&mut self) -> Texts<'_>;

    /// Takes copies of secrets out of its texts.
    fn withhold(&mut self, copies: &Copies) {
        for (text, is_name) in self.texts() {
            let shown = match is_name {
                true => copies.without_names(text),
                false => copies.without_texts(text),
            };
            if let Cow::Owned(shown) = shown {
                *text = shown;
            }
        }
    }
}

impl Record for LoggedChange {
    fn texts(&mut self) -> Texts<'_> {
        let names = [&mut self.address, &mut self.resource_type].into_iter();
        names.chain(&mut self.previous_address).map(|name| (name, true)).collect()
    }
}

impl Record for Operation {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.address, true), (&mut self.action, true)]
    }
}

impl Record for LoggedDiagnostic {
    fn texts(&mut self) -> Texts<'_> {
        let mut texts =
            vec![(&mut self.summary, false), (&mut self.detail, false), (&mut self.address, true)];
        texts.extend(self.place.iter_mut().map(|(file, _, _)| (file, true)));
        texts
    }
}

impl Record for LoggedOutput {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.name, true)]
    }

    /// A value with a copy is hidden as a whole, since a part of it is not JSON.
    fn withhold(&mut self, copies: &Copies) {
        if let Cow::Owned(name) = copies.without_names(&self.name) {
            self.name = name;
        }
        let has_copy = |value: &String| matches!(copies.without_texts(value), Cow::Owned(_));
        if self.value.as_ref().is_some_and(has_copy) {
            (self.is_sensitive, self.value) = (true, None);
        }
    }
}

impl Record for LogLine {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.text, false)]
    }
}

impl Record for LoggedDeferred {
    fn texts(&mut self) -> Texts<'_> {
        self.change.texts()
    }
}

impl Record for LoggedAction {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.address, true), (&mut self.action_type, true), (&mut self.resource, true)]
    }
}

impl Record for LoggedPolicy {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.address, true), (&mut self.target, true), (&mut self.result, false)]
    }
}

impl Record for LoggedFound {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.address, true), (&mut self.resource_type, true), (&mut self.name, false)]
    }
}

impl Record for LoggedRun {
    fn texts(&mut self) -> Texts<'_> {
        vec![(&mut self.path, true), (&mut self.run, true)]
    }
}

pub(super) fn text(field: Field<'_, &str>) -> String {
    field.value().unwrap_or_default().to_owned()
}

pub(super) fn change(change: EventChange<'_>) -> LoggedChange {
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

pub(super) fn counts(counts: EventCounts<'_>) -> LoggedCounts {
    let number = |field: Field<'_, u64>| field.value().unwrap_or_default();
    LoggedCounts {
        operation: text(counts.operation()),
        add: number(counts.add()),
        change: number(counts.change()),
        import: number(counts.import()),
        remove: number(counts.remove()),
        forget: number(counts.forget()),
        action_invocation: number(counts.action_invocation()),
    }
}

pub(super) fn logged_output(name: &str, output: EventOutput<'_>) -> LoggedOutput {
    let is_sensitive = output.sensitive().value() == Some(true);
    let value = output.value_field().value().filter(|_| !is_sensitive);
    LoggedOutput {
        name: name.to_owned(),
        is_sensitive,
        action: text(output.action()),
        value: value.map(|node| String::from_utf8_lossy(node.text()).into_owned()),
    }
}

pub(super) fn diagnostic(diagnostic: EventDiagnostic<'_>) -> LoggedDiagnostic {
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

pub(super) fn deferred(deferred: EventDeferred<'_>) -> Option<LoggedDeferred> {
    Some(LoggedDeferred {
        reason: text(deferred.reason()),
        change: change(deferred.change().value()?),
    })
}

pub(super) fn action(invocation: EventInvocation<'_>) -> LoggedAction {
    let action = invocation.action().value();
    let resource = invocation.lifecycle().value().and_then(|it| it.resource().value());
    LoggedAction {
        address: action.map(|it| text(it.address())).unwrap_or_default(),
        action_type: action.map(|it| text(it.action_type())).unwrap_or_default(),
        resource: resource.map(|it| text(it.address())).unwrap_or_default(),
    }
}

pub(super) fn policy(event: Event<'_>) -> LoggedPolicy {
    let metadata = event.policy_metadata().value();
    let name = metadata.and_then(|it| it.policy_name().value()).unwrap_or_default();
    LoggedPolicy {
        address: event.policy_address().value().unwrap_or(name).to_owned(),
        target: text(event.target_address()),
        result: text(event.result()),
        enforcement: metadata.map(|it| text(it.enforcement_level())).unwrap_or_default(),
    }
}

pub(super) fn found(found: EventList<'_>) -> LoggedFound {
    LoggedFound {
        address: text(found.address()),
        resource_type: text(found.resource_type()),
        name: text(found.display_name()),
    }
}

/// A run that has ended.
pub(super) fn run(run: EventRun<'_>) -> Option<LoggedRun> {
    let has_ended = run.progress().value().is_none_or(|progress| progress == "complete");
    has_ended.then(|| LoggedRun {
        path: text(run.path()),
        run: text(run.run()),
        status: text(run.status()),
    })
}

pub(super) fn tests(tests: EventTests<'_>) -> LoggedTests {
    let number = |field: Field<'_, u64>| field.value().unwrap_or_default();
    LoggedTests {
        status: text(tests.status()),
        passed: number(tests.passed()),
        failed: number(tests.failed()),
        errored: number(tests.errored()),
        skipped: number(tests.skipped()),
    }
}

//! Builds the diagnostics of findings.
//!
//! If an evaluation fails after it has read sensitive values, only the summary is reported, since
//! the reason may repeat them.

use super::finding::Finding;
use super::message;
use super::reads::{Root, name_of};
use super::rule::Rule;
use super::subject::{Found, Subject, Variables};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::native::Traversal;
use crate::show::ResourceChange;
use crate::show::leaves::{is_redacted, is_secret};
use crate::value::{Content, Type, Value};

/// A rule, and a change that it reports.
#[derive(Clone, Copy)]
pub(super) struct Report<'r, 'p, 'a> {
    pub(super) rule: &'r Rule<'a>,
    /// The index of the rule among all.
    pub(super) place: usize,
    pub(super) entry: ResourceChange<'a>,
    pub(super) subject: &'r Subject<'p, 'a>,
    pub(super) shows_sensitive: bool,
}

impl<'a> Report<'_, '_, 'a> {
    /// The condition is true. `text` is the message, if there is one.
    pub(super) fn matched(&self, text: Option<&str>) -> Finding<'a> {
        let code = match self.rule.severity {
            Severity::Error => Code::PolicyDenied,
            Severity::Warning => Code::PolicyWarning,
        };
        let said = message::about(self.address(), text, self.rule.condition.text);
        self.in_plan(code, |_| true, &[self.arena().str(&said)])
    }

    /// The condition depends on a value that is not known.
    pub(super) fn undecided(&self, variables: &Variables<'_>) -> Finding<'a> {
        let is_unknown = |read: &Traversal<'a>| !value_at(variables, read).is_wholly_known();
        let unknown = self.rule.condition.reads.iter().find(|read| is_unknown(read));
        let why = match unknown {
            Some(read) => {
                let found = self.subject.find(read).filter(|found| found.is_all);
                let text = found.and_then(|found| found.node.to_str()).unwrap_or_default();
                let why = match is_redacted(text) {
                    true => "has been redacted",
                    false => "is not known yet",
                };
                self.text(format_args!("`{read}` {why}"))
            }
            None => "it depends on a value that is not known yet",
        };
        self.in_plan(Code::UndecidedRule, is_unknown, &[self.address(), why])
    }

    /// The condition or the message has no value: the reported error, or another reason.
    pub(super) fn invalid(&self, error: &Diagnostic<'a>, reads_sensitive: bool) -> Finding<'a> {
        let why = match reads_sensitive && !self.shows_sensitive {
            true => self.text(format_args!("{}, in sensitive values.", error.summary())),
            false => self.text(format_args!("{}", error.detail())),
        };
        self.without_value(error.primary(), why)
    }

    /// The condition has a value, but it is neither true nor false.
    pub(super) fn no_verdict(&self, why: &str) -> Finding<'a> {
        let label = self.rule.condition.reads.first().map(|read| read.label());
        self.without_value(label.unwrap_or(self.rule.label), self.text(format_args!("{why}")))
    }

    fn without_value(&self, label: Label<'a>, why: &'a str) -> Finding<'a> {
        let diagnostic = Diagnostic::new(Code::RuleError, label)
            .with_severity(self.rule.severity)
            .with_arguments(&[self.rule.name, self.address(), why])
            .with_related(self.subject.label(), "for this change");
        self.finding(diagnostic, None)
    }

    /// A finding at the value of the plan that the condition reads, the first that `is_meant`
    /// accepts.
    fn in_plan(
        &self,
        code: Code,
        is_meant: impl Fn(&Traversal<'a>) -> bool,
        arguments: &[&'a str],
    ) -> Finding<'a> {
        let reads = self.rule.condition.reads.iter();
        let found = reads.filter(|read| is_meant(read)).filter_map(|read| self.subject.find(read));
        // An attribute of the resource is more specific than the change's metadata.
        let found = found.min_by_key(|found| (found.attribute.is_none(), !found.is_all));
        let label = |found: Found<'a>| match found.is_all {
            true => found.node.label(),
            false => found.node.start_label(),
        };
        let mut all = vec![self.rule.name];
        all.extend_from_slice(arguments);
        let diagnostic = Diagnostic::new(code, found.map_or_else(|| self.subject.label(), label))
            .with_arguments(&all)
            .with_related(self.rule.label, "the rule");
        self.finding(diagnostic, found.and_then(|found| found.attribute))
    }

    fn finding(&self, diagnostic: Diagnostic<'a>, attribute: Option<&'a str>) -> Finding<'a> {
        Finding { rule: self.place, change: self.entry, attribute, diagnostic }
    }

    /// The address, with the key of a deposed object.
    fn address(&self) -> &'a str {
        let address = self.entry.address().value().unwrap_or("(no address)");
        match self.entry.deposed().value() {
            Some(key) => self.text(format_args!("{address} (deposed object {key})")),
            None => address,
        }
    }

    fn text(&self, text: std::fmt::Arguments<'_>) -> &'a str {
        self.arena().format(text)
    }

    fn arena(&self) -> &'a Arena {
        self.entry.object().node().source().arena()
    }
}

/// Whether a value that some traversals lead to is sensitive, or contains a sensitive part.
pub(super) fn reads_sensitive(variables: &Variables<'_>, reads: &[Traversal<'_>]) -> bool {
    reads.iter().any(|read| is_secret(value_at(variables, read)))
}

/// The value that the names of a traversal lead to; null if a member is missing.
fn value_at<'v>(variables: &Variables<'v>, read: &Traversal<'_>) -> Value<'v> {
    let Some(root) = Root::of(read) else { return Value::null(Type::Dynamic) };
    let (_, value) = variables[root as usize];
    member_at(value, read)
}

/// The value that the names of a traversal lead to from the value of its root; null if a member is
/// missing.
pub(crate) fn member_at<'v>(mut value: Value<'v>, read: &Traversal<'_>) -> Value<'v> {
    for step in read.steps().get(1..).unwrap_or_default() {
        let Some(name) = name_of(step.kind) else { break };
        let Content::Entries(_) = value.content() else { break };
        let marks = value.marks();
        value = value.get(name).unwrap_or_else(|| Value::null(Type::Dynamic)).with_marks(marks);
    }
    value
}

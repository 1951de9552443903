//! A rule: its filter, its condition, and its message.

use super::reads::Wants;
use crate::diagnostic::{Label, Severity};
use crate::native::Traversal;
use crate::program::Program;
use crate::show::Filter;
use crate::value::Value;

/// A rule: a condition that no change should meet.
pub struct Rule<'a> {
    pub(super) name: &'a str,
    pub(super) severity: Severity,
    pub(super) filter: Filter<'a>,
    pub(super) condition: Condition<'a>,
    pub(super) message: Option<Message<'a>>,
    pub(super) help: Option<&'a str>,
    pub(super) url: Option<&'a str>,
    /// The position of its declaration.
    pub(super) label: Label<'a>,
    /// The local values of its file.
    pub(super) locals: Value<'a>,
}

/// The condition of a rule.
pub(super) struct Condition<'a> {
    pub(super) test: Test<'a>,
    /// The condition as written.
    pub(super) text: &'a str,
    /// The traversals that it reads.
    pub(super) reads: Vec<Traversal<'a>>,
}

#[derive(Clone, Copy)]
pub(super) enum Test<'a> {
    /// Constant: the filter decides.
    Always(bool),
    Program(&'a Program<'a>),
}

/// The message of a rule.
pub(super) enum Message<'a> {
    Text(&'a str),
    Template { program: &'a Program<'a>, reads: Vec<Traversal<'a>>, wants: Wants },
}

impl<'a> Rule<'a> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The severity if the condition is true: an error for `deny`, a warning for `warn`.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The changes that the rule selects.
    #[must_use]
    pub fn filter(&self) -> &Filter<'a> {
        &self.filter
    }

    /// The condition as written.
    #[must_use]
    pub fn condition(&self) -> &'a str {
        self.condition.text
    }

    /// The help text: what to do about a finding.
    #[must_use]
    pub fn help(&self) -> Option<&'a str> {
        self.help
    }

    /// The URL of its documentation.
    #[must_use]
    pub fn url(&self) -> Option<&'a str> {
        self.url
    }

    /// The position of its declaration.
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        self.label
    }
}

impl std::fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule")
            .field("name", &self.name)
            .field("severity", &self.severity)
            .field("filter", &self.filter)
            .field("condition", &self.condition.text)
            .finish_non_exhaustive()
    }
}

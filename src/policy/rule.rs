//! One rule: which changes it is about, what it looks for, and what it says then.

use super::reads::Wants;
use crate::diagnostic::{Label, Severity};
use crate::native::Traversal;
use crate::program::Program;
use crate::show::Filter;
use crate::value::Value;

/// A rule: a condition that no change should fulfil.
pub struct Rule<'a> {
    pub(super) name: &'a str,
    pub(super) severity: Severity,
    pub(super) filter: Filter<'a>,
    pub(super) condition: Condition<'a>,
    pub(super) message: Option<Message<'a>>,
    pub(super) help: Option<&'a str>,
    pub(super) url: Option<&'a str>,
    /// Where it is declared.
    pub(super) label: Label<'a>,
    /// The local values of its file.
    pub(super) locals: Value<'a>,
}

/// What a rule looks for.
pub(super) struct Condition<'a> {
    pub(super) test: Test<'a>,
    /// As it is written.
    pub(super) text: &'a str,
    /// What it reads.
    pub(super) reads: Vec<Traversal<'a>>,
}

#[derive(Clone, Copy)]
pub(super) enum Test<'a> {
    /// The filter says it all.
    Always(bool),
    Program(&'a Program<'a>),
}

/// What a rule says of a change.
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

    /// How grave it is when the condition is true: an error for `deny`, a warning for `warn`.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Which changes it is about.
    #[must_use]
    pub fn filter(&self) -> &Filter<'a> {
        &self.filter
    }

    /// The condition, as it is written.
    #[must_use]
    pub fn condition(&self) -> &'a str {
        self.condition.text
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&'a str> {
        self.help
    }

    /// Where more is said about it.
    #[must_use]
    pub fn url(&self) -> Option<&'a str> {
        self.url
    }

    /// Where it is declared.
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

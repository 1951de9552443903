//! A rule: its filter, its condition, and its message.

use crate::body::Block;
use crate::diagnostic::{Label, Severity};
use crate::native::Traversal;
use crate::program::Program;
use crate::show::Filter;
use crate::value::Value;

/// A rule: a condition that no change, or no block of configuration, should meet.
pub struct Rule<'a> {
    pub(super) name: &'a str,
    /// The argument `for_each`: the rule is about blocks of configuration.
    pub(super) for_each: Option<ForEach<'a>>,
    pub(super) severity: Severity,
    pub(super) filter: Filter<'a>,
    pub(super) condition: Condition<'a>,
    pub(super) message: Option<Message<'a>>,
    pub(super) help: Option<&'a str>,
    pub(super) url: Option<&'a str>,
    #[cfg_attr(not(feature = "rules"), expect(dead_code, reason = "what runs cases is a feature"))]
    pub(super) cases: Vec<Block<'a>>,
    /// The position of its declaration.
    pub(super) label: Label<'a>,
    /// The local values of its file.
    pub(super) locals: Value<'a>,
}

/// The blocks and attributes that a rule about configuration checks.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ForEach<'a> {
    /// A pattern of blocks and attributes, such as `resource.aws_s3_bucket`.
    pub pattern: &'a str,
    /// The place of the pattern.
    pub label: Label<'a>,
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
    Template { program: &'a Program<'a>, reads: Vec<Traversal<'a>> },
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

    /// The blocks of configuration that the rule checks; `None` if it is about changes of a plan.
    #[must_use]
    pub fn for_each(&self) -> Option<ForEach<'a>> {
        self.for_each
    }

    /// The blocks `case` in it, which have the expected findings for some files.
    #[cfg(feature = "rules")]
    pub(crate) fn cases(&self) -> &[Block<'a>] {
        &self.cases
    }

    /// The traversals that the message reads.
    pub(super) fn message_reads(&self) -> &[Traversal<'a>] {
        match &self.message {
            Some(Message::Template { reads, .. }) => reads,
            _ => &[],
        }
    }

    /// The traversals that the condition and the message read.
    #[cfg(feature = "rules")]
    pub(crate) fn reads(&self) -> impl Iterator<Item = &Traversal<'a>> {
        self.condition.reads.iter().chain(self.message_reads())
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

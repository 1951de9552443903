//! The variables that expressions read, and the steps from them.

use crate::native::{self, Traversal};
use crate::program::Program;
use crate::program::traversal::StepKind;
use crate::show::leaves::{Part, Wanted};

/// A variable of rules, which has a value for each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Change,
    Configuration,
    Resource,
}

impl Root {
    /// All variables, sorted by name.
    pub(super) const ALL: [Self; 3] = [Self::Change, Self::Configuration, Self::Resource];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Configuration => "configuration",
            Self::Resource => "resource",
        }
    }

    /// The variable that a traversal starts from.
    pub(super) fn of(traversal: &Traversal<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.name() == traversal.root_name())
    }
}

/// The variable of local values.
pub(super) const LOCAL: &str = "local";

/// The variable of rules about configuration.
pub(crate) const EACH: &str = "each";

/// The members of `each`, in the order of the documentation.
pub(super) const OF_EACH: [&str; 5] = ["key", "value", "type", "labels", "file"];

/// The members of `change`, in the order of the documentation.
pub(super) const CHANGE: [&str; 22] = [
    "address",
    "module_address",
    "mode",
    "type",
    "name",
    "index",
    "deposed",
    "previous_address",
    "provider_name",
    "action",
    "actions",
    "action_reason",
    "before",
    "after",
    "after_unknown",
    "before_sensitive",
    "after_sensitive",
    "replace_paths",
    "importing",
    "generated_config",
    "before_identity",
    "after_identity",
];

/// The members of `configuration`, in the order of the documentation.
pub(super) const CONFIGURATION: [&str; 11] = [
    "address",
    "mode",
    "type",
    "name",
    "provider_config_key",
    "provisioners",
    "expressions",
    "schema_version",
    "count_expression",
    "for_each_expression",
    "depends_on",
];

/// The traversals of an expression that start from a variable of its scope, in the order of the
/// text.
pub(super) fn reads<'a>(program: &Program<'a>) -> Vec<Traversal<'a>> {
    let mut found = Vec::new();
    native::variables(program, |traversal| found.push(traversal));
    found
}

/// The parts of the variables that some expressions read.
#[derive(Debug)]
pub(super) struct Wants {
    roots: [Wanted; 3],
}

impl Wants {
    pub(super) fn of<'t, 'a: 't>(reads: impl Iterator<Item = &'t Traversal<'a>> + Clone) -> Self {
        let roots = Root::ALL.map(|root| {
            let of_root = reads.clone().filter(move |read| Root::of(read) == Some(root));
            Wanted::of(of_root.map(|read| read.steps().get(1..).unwrap_or_default()))
        });
        Self { roots }
    }

    /// The part of a variable that they read.
    pub(super) fn part(&self, root: Root) -> Part<'_> {
        self.roots[root as usize].root()
    }
}

/// The name that a step selects.
pub(crate) fn name_of<'a>(step: StepKind<'a>) -> Option<&'a str> {
    match step {
        StepKind::Attribute(name) | StepKind::Index(native::Key::String(name)) => Some(name),
        _ => None,
    }
}

//! The answer: plain data that owns its texts.

use crate::report::Range;

/// The effect of a change on a root module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Review {
    /// The module calls whose source or version differs.
    pub calls: Vec<CallChange>,
    /// The required providers whose source or version constraint differs, and the configurations of providers
    /// whose arguments differ.
    pub providers: Vec<ProviderChange>,
    /// The change of the backend, or of its replacement.
    pub backend: Option<BackendChange>,
    /// The changes of instances and outputs, the most destructive first, then by address.
    pub changes: Vec<ReviewChange>,
    /// Deleted instances that seem to have another address now.
    pub renames: Vec<Rename>,
    /// The parts that are not known.
    pub gaps: Vec<ReviewGap>,
}

/// A text before and after; `None` where it does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArgumentChange {
    /// In the old version.
    pub before: Option<String>,
    /// In the new version.
    pub after: Option<String>,
}

/// A change of where a called module comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallChange {
    /// The address of the call, without keys: `module.a.module.b`.
    pub call: String,
    /// The source, if it differs.
    pub source: Option<ArgumentChange>,
    /// The version constraint, if it differs.
    pub version: Option<ArgumentChange>,
}

/// A change of a required provider, or of a configuration of a provider.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProviderChange {
    /// The address of the module that requires it, without keys; empty for the root module.
    pub module: String,
    /// Its local name; of a configuration also its alias and its key: `aws.west`.
    pub name: String,
    /// The source address, if it differs.
    pub source: Option<ArgumentChange>,
    /// The version constraint, if it differs.
    pub version: Option<ArgumentChange>,
    /// The names of arguments and blocks of the configuration whose values differ. Their values may be
    /// credentials.
    pub arguments: Vec<String>,
}

/// A change of the backend.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BackendChange {
    /// The type, such as `s3`, also if it does not differ. `cloud` is the type of a `cloud` block.
    pub kind: ArgumentChange,
    /// The names of arguments and blocks that differ. Their values may be credentials.
    pub arguments: Vec<String>,
}

/// The action on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReviewAction {
    /// It is not in the new version.
    Delete,
    /// It is deleted and created again, which configuration alone decides.
    Replace,
    /// It is not known what happens.
    Unknown,
    /// A value differs.
    Update,
    /// Only its address differs.
    Move,
    /// It is not in the old version.
    Create,
}

impl ReviewAction {
    /// All actions, the most destructive first.
    pub const ALL: [Self; 6] =
        [Self::Delete, Self::Replace, Self::Unknown, Self::Update, Self::Move, Self::Create];

    /// The name of the action.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Replace => "replace",
            Self::Unknown => "unknown",
            Self::Update => "update",
            Self::Move => "move",
            Self::Create => "create",
        }
    }
}

/// A change of an instance of a resource, of an output of the root module, or, if what it has is not
/// known, of a resource or a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviewChange {
    /// The address; for something deleted, the old one. Outputs are `output.NAME`.
    pub address: String,
    /// The address in the old version, if it has moved.
    pub previous_address: Option<String>,
    /// The action.
    pub action: ReviewAction,
    /// The differences; for something created or deleted, all values.
    pub leaves: Vec<ReviewLeaf>,
    /// Whether an `import` block brings it into the state, so that it is not created.
    pub is_imported: bool,
    /// Whether a `removed` block keeps the object, so that it is only removed from the state.
    pub is_forgotten: bool,
    /// Where the block is that declares it: in the new version, or for something deleted in the old one.
    pub range: Option<Range>,
}

/// A value that differs: one that is no object and no list, or an empty object or list. An attribute
/// of a resource, or an output, that is null does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReviewLeaf {
    /// The path as the tools write it in addresses: `tags["a.b"]`, `list[0].name`.
    pub path: String,
    /// The value in the old version.
    pub before: ReviewValue,
    /// The value in the new version.
    pub after: ReviewValue,
    /// Whether it must not be shown. Both sides are absent then, and the path is that of the whole
    /// value that is sensitive.
    pub is_sensitive: bool,
}

/// One side of a leaf.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReviewValue {
    /// The version has no such leaf.
    #[default]
    Absent,
    /// The value as JSON, with all digits of numbers.
    Known(String),
    /// The value is known only after an apply.
    Unknown,
    /// A text with parts that are known only after an apply: the known parts as JSON, at least two,
    /// between which they stand. Some are empty.
    Partial(Vec<String>),
}

/// A deleted instance that is very similar to a created one, without a `moved` block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rename {
    /// The address of the deleted instance.
    pub from: String,
    /// The address of the created instance.
    pub to: String,
    /// The share of known values that are equal, in percent.
    pub likeness: u8,
}

/// One of the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VersionName {
    /// The old one.
    Before,
    /// The new one.
    After,
}

impl VersionName {
    /// The name of the version.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Something that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReviewGap {
    /// The version that it is about.
    pub version: VersionName,
    /// The place: a path and a line, or the address of a call.
    pub place: String,
    /// The reason.
    pub why: String,
}

/// How many changes there are of each action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewSummary {
    counts: [usize; ReviewAction::ALL.len()],
}

impl ReviewSummary {
    /// The number of changes with an action.
    #[must_use]
    pub fn count(&self, action: ReviewAction) -> usize {
        self.counts[action as usize]
    }

    /// Adds the counts of another summary.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// The number of changes.
    #[must_use]
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }
}

impl Review {
    /// Whether nothing differs, as far as it is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
            && self.providers.is_empty()
            && self.backend.is_none()
            && self.changes.is_empty()
    }

    /// How many changes there are of each action.
    #[must_use]
    pub fn summary(&self) -> ReviewSummary {
        let mut summary = ReviewSummary::default();
        for change in &self.changes {
            summary.counts[change.action as usize] += 1;
        }
        summary
    }
}

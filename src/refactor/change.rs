//! The result of a refactoring: the edits, and the places that it leaves.

use std::fmt;

use crate::diagnostic::Label;
use crate::edit::Edited;
use crate::source::Source;

/// The edits of a refactoring.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The files that change, by name.
    pub files: Vec<ChangedFile<'a>>,
    /// The addresses of objects before and after, which `moved` blocks tell the tools.
    pub moved: Vec<(String, String)>,
    /// The `moved` blocks that the object of a rename or a move needs no more, because it gets an address
    /// again that it had.
    pub taken_back: Vec<TakenBack<'a>>,
    /// The places that have the old name and are not changed.
    pub not_changed: Vec<NotChanged<'a>>,
}

/// A `moved` block that is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenBack<'a> {
    /// Its file.
    pub source: Source<'a>,
    /// The address that it starts from.
    pub from: String,
    /// The address that it leads to.
    pub to: String,
}

impl Change<'_> {
    /// Sorts the places that are not changed by file and bytes, each once.
    pub(super) fn sorted(mut self) -> Self {
        self.not_changed
            .sort_by_key(|not| (not.label.source.name(), not.label.span.start, not.label.span.end));
        self.not_changed.dedup_by_key(|not| (not.label.source.name(), not.label.span));
        self
    }
}

/// A file that changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedFile<'a> {
    /// The file: configuration, values of variables, or a template.
    pub source: Source<'a>,
    /// Other names of the file, by links.
    pub aliases: Vec<Source<'a>>,
    /// Its edits and its new text.
    pub edited: Edited,
    /// Whether the file does not exist yet: its source is empty, and has the path to create.
    pub is_new: bool,
}

/// A part of a file that has the old name and is not changed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NotChanged<'a> {
    /// Its place.
    pub label: Label<'a>,
    /// Why it is not changed.
    pub why: Why,
}

/// Why something is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Why {
    /// It is in a comment.
    Comment,
    /// It is text, or a name of something else.
    NoReference,
    /// It refers to the object, but its name is written with escapes or is computed.
    Escaped,
    /// The module is used as a whole, which may use the output.
    WholeModule,
    /// It uses all instances, with their keys.
    AllInstances,
    /// The outputs of a state are used as a whole, which may use the output.
    WholeState,
    /// The state that is read may be that of another root module.
    OtherState,
    /// It also names an object of another module, which the test file runs.
    Shared,
    /// The run takes the value of the variable from a file of values, under the old name.
    ValueOfFile,
    /// It is a `moved` block that may be applied, so that it says the reverse now.
    Applied,
    /// It is computed, so that its text is not written there.
    Computed,
    /// It requires no version.
    NoVersion,
    /// It is a version in a lock file.
    Locked,
    /// It is in a text that Terragrunt writes into a module.
    Generated,
    /// It has comments, and moves to a file of JSON, which has none.
    LosesComments,
    /// It is a version of Packer, not of OpenTofu or Terraform.
    OtherTool,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comment => "a comment",
            Self::NoReference => "not a reference to it",
            Self::Escaped => "refers to it, but the name is not written as it is",
            Self::WholeModule => "uses the module as a whole, and perhaps this output of it",
            Self::AllInstances => "uses all instances, with their keys",
            Self::WholeState => "uses all outputs of the state, and perhaps this one",
            Self::OtherState => "reads a state that may be another one",
            Self::Shared => "also names an object of another module that the file runs",
            Self::ValueOfFile => "takes the value from a file of values, under the old name",
            Self::Applied => {
                "the block is committed, so states may have the new address: it says the reverse"
            }
            Self::Computed => "computed: its text is not written here",
            Self::NoVersion => "requires no version",
            Self::LosesComments => "its comments are lost: JSON has none",
            Self::OtherTool => "a version of Packer: `--dialect packer` sets it",
            Self::Generated => "in a text that is generated",
            Self::Locked => "in a lock file: `init -upgrade` changes it",
        })
    }
}

/// Why a refactoring is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The object cannot be changed like that: why.
    Unsupported(String),
    /// The new name is not one, or is taken: why.
    Name(String),
    /// A file cannot be read as a whole, so that it may name the object.
    Unread(String),
    /// The edits of a file cannot be made: its name, and why.
    File(String, crate::edit::Refusal),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(why) | Self::Name(why) => f.write_str(why),
            Self::Unread(name) => {
                write!(f, "{name} cannot be read as a whole, and may name the object")
            }
            Self::File(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}

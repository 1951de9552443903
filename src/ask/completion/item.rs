//! One completion.

use crate::span::Span;

/// A kind of completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CompletionKind {
    /// An argument.
    Argument,
    /// A block type.
    Block,
    /// A label, such as a resource type.
    Label,
    /// A variable.
    Variable,
    /// A local value.
    Local,
    /// A module call.
    Module,
    /// An output of a module.
    Output,
    /// A resource, a data source or an ephemeral resource.
    Resource,
    /// A provider configuration.
    Provider,
    /// An attribute of a value.
    Attribute,
    /// A function.
    Function,
    /// A keyword, a type, the first name of a reference.
    Keyword,
    /// A path.
    Path,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The name that is completed.
    pub label: Box<str>,
    /// Its kind.
    pub kind: CompletionKind,
    /// A type, a signature, the source of a schema.
    pub detail: Option<Box<str>>,
    /// The documentation, in Markdown.
    pub documentation: Option<Box<str>>,
    /// The text that replaces [`Completions::replaced`].
    pub text: Box<str>,
    /// The same as a snippet of the protocols of editors, with `$1` for the first place to write at.
    pub snippet: Option<Box<str>>,
    /// Whether it should no longer be used.
    pub is_deprecated: bool,
}

impl Completion {
    pub(in crate::ask) fn new(label: &str, kind: CompletionKind) -> Self {
        Self {
            label: label.into(),
            kind,
            detail: None,
            documentation: None,
            text: label.into(),
            snippet: None,
            is_deprecated: false,
        }
    }

    pub(in crate::ask) fn with_detail(self, detail: impl Into<Box<str>>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    pub(in crate::ask) fn with_documentation(self, documentation: Option<&str>) -> Self {
        Self { documentation: documentation.map(Into::into), ..self }
    }
}

/// The completions at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completions {
    /// The completions, the most likely first.
    pub items: Vec<Completion>,
    /// The bytes that they replace: those of the word at the place.
    pub replaced: Span,
    /// Whether there are more.
    pub has_more: bool,
}

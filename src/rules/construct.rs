//! Constructs of the language that not all releases have.

use std::fmt;

use crate::diagnostic::Label;
use crate::evaluate::Release;

/// A construct of the language that not all releases have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Construct<'a> {
    /// Its kind.
    pub kind: ConstructKind,
    /// The type of the block, or the name of the argument, the function or the backend.
    pub name: &'a str,
    /// A place where it is used.
    pub label: Label<'a>,
    /// The first release of OpenTofu that has it.
    pub opentofu: Release,
    /// The first release of Terraform that has it.
    pub terraform: Release,
}

/// A kind of construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstructKind {
    /// A block type.
    Block,
    /// An argument, or a nested block type.
    Argument,
    /// A function.
    Function,
    /// A backend.
    Backend,
    /// A value of an argument that only later releases accept. Its name describes it.
    Use,
}

impl ConstructKind {
    /// `"block"`, `"argument"`, `"function"`, `"backend"` or `"use"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Argument => "argument",
            Self::Function => "function",
            Self::Backend => "backend",
            Self::Use => "use",
        }
    }
}

impl fmt::Display for Construct<'_> {
    /// Writes the construct as the subject of a sentence, without an article.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ConstructKind::Use => f.write_str(self.name),
            kind => write!(f, "{} `{}`", kind.as_str(), self.name),
        }
    }
}

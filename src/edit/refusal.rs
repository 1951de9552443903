//! Why edits are not made.

use std::fmt;

use super::bytes::Conflict;
use crate::span::Span;

/// Why edits are not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Two of them cannot both be made.
    Conflict(Conflict),
    /// These bytes are not an item of the file, or not a container.
    NoItem(Span),
    /// The file is not valid, so that it is not known what it says.
    Invalid,
    /// A new value has a heredoc whose lines end otherwise than those of the file, and which cannot be a
    /// string in quotes.
    Heredoc,
    /// The new text would not say what it should. The offset is where it differs.
    Unproven(u32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(conflict) => conflict.fmt(f),
            Self::NoItem(span) => {
                write!(f, "bytes {} to {} are not an item that can be edited", span.start, span.end)
            }
            Self::Invalid => f.write_str("the file has syntax errors"),
            Self::Heredoc => f.write_str(
                "a heredoc with directives keeps its value only with the line ends that it has, and those \
                 of the file are others",
            ),
            Self::Unproven(at) => {
                write!(f, "the edited text would change more than it should, near byte {at}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Conflict> for Refusal {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}

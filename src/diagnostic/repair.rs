//! The edit of a diagnostic that its reporter knows.

use crate::span::Span;

/// Whether an edit may be made without being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// All values stay what they are, and no comment is lost.
    Safe,
    /// A value may change, an object is removed, or a comment is lost.
    Unsafe,
}

impl Safety {
    /// `"safe"` or `"unsafe"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// The edit of a diagnostic that its reporter knows. Its text is in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repair<'a> {
    pub(super) span: Span,
    pub(super) text: &'a str,
    pub(super) safety: Safety,
}

//! The text that stands for a hidden one, and the hidden text that it stands for.

/// The replacement of a sensitive value.
pub const REDACTED: &str = "\"REDACTED_SENSITIVE\"";

/// The replacement of a part of a string: [`REDACTED`] without its quotes.
pub(crate) const REDACTED_TEXT: &str = "REDACTED_SENSITIVE";

/// The kind of a node in its document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// Part of the format: its strings may be names.
    Format,
    /// References and addresses in an array, or a string that is a name.
    Names,
    /// A value, a message, or anything else.
    Text,
}

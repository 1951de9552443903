//! Errors of reading plan files, and gaps in them.

use std::fmt;

/// The part that stands for the archive as a whole.
pub(super) const WHOLE: &str = "zip";

/// The supported version of the messages.
pub(super) const VERSION: u64 = 3;

/// A gap in a plan file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incomplete {
    /// The kind of the missing or uncertain part: `values`, `configuration`, `resource`, `identity`
    /// or `paths`.
    pub what: &'static str,
    /// The place: a type, an address, or a part of the file.
    pub place: String,
    /// The reason, and the extent.
    pub why: String,
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}", self.what, self.place, self.why)
    }
}

/// A message, a value or an address that does not follow its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

impl Malformed {
    pub(super) fn located(self, part: &str) -> PlanFileError {
        PlanFileError::damaged(part, self.0.to_owned())
    }
}

/// The reason why a plan file, or a part of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanFileError {
    /// It is a zip archive without a plan.
    NoPlan,
    /// It was written by Terraform 0.11 or an earlier version.
    TooOld,
    /// The version of the messages is not supported.
    Version(u64),
    /// It has no part of this name. Only OpenTofu 1.13 and newer versions write `tfschemas`.
    Missing(&'static str),
    /// A part is damaged or truncated.
    Damaged {
        /// The name of the part in the archive; `zip` for the archive itself.
        part: Box<str>,
        /// The reason.
        why: String,
    },
    /// A path in the file leads out of it.
    Outside {
        /// The part with the path, with line and column if it is a text; `zip` for the names of
        /// entries.
        place: Box<str>,
        /// The path.
        path: Box<str>,
    },
    /// A part is larger than the limit, or all parts together are.
    TooLarge {
        /// The name of the part in the archive; `zip` for all parts together.
        part: Box<str>,
        /// The limit, in bytes.
        max_bytes: u64,
    },
}

impl PlanFileError {
    pub(super) fn damaged(part: &str, why: String) -> Self {
        Self::Damaged { part: part.into(), why }
    }
}

impl fmt::Display for PlanFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlan => f.write_str("it is a zip archive, but not a plan file: tfplan is missing"),
            Self::TooOld => f.write_str("it was written by Terraform 0.11 or an older version"),
            Self::Version(version) => {
                write!(f, "it has version {version} of the plan format, not {VERSION}")
            }
            Self::Missing("tfschemas") => f.write_str(
                "it holds no schemas (tfschemas): OpenTofu 1.13 and newer versions write them, other tools do not",
            ),
            Self::Missing(part) => write!(f, "it holds no {part}"),
            Self::Damaged { part, why } => write!(f, "{part} is damaged: {why}"),
            Self::Outside { place, path } => {
                write!(f, "{place}: the path {path:?} leads out of the plan file")
            }
            Self::TooLarge { part, max_bytes } if &**part == WHOLE => {
                write!(f, "its parts have more than {max_bytes} bytes when they are decompressed")
            }
            Self::TooLarge { part, max_bytes } => {
                write!(f, "{part} has more than {max_bytes} bytes when it is decompressed")
            }
        }
    }
}

impl std::error::Error for PlanFileError {}

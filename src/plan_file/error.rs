//! Why a plan file, or a part of it, cannot be read; and what it does not contain.

use std::fmt;

/// The version of the messages that are read.
pub(super) const VERSION: u64 = 3;

/// Something that a plan file does not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incomplete {
    /// What is missing or uncertain: `values`, `configuration`, `resource`, `identity` or `paths`.
    pub what: &'static str,
    /// Where: a type, an address, or a part of the file.
    pub place: String,
    /// Why, and how much of it.
    pub why: String,
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}", self.what, self.place, self.why)
    }
}

/// Something in a message, a value or an address does not follow its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

impl Malformed {
    pub(super) fn located(self, part: &str) -> PlanFileError {
        PlanFileError::damaged(part, self.0.to_owned())
    }
}

/// Why a plan file, or a part of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanFileError {
    /// It is a zip archive without a plan.
    NoPlan,
    /// It was written by Terraform 0.11 or before.
    TooOld,
    /// The messages have a version that is not known.
    Version(u64),
    /// It has no part of this name, such as `tfschemas`, which only OpenTofu 1.13 and newer
    /// versions write.
    Missing(&'static str),
    /// A part is damaged or truncated.
    Damaged {
        /// The name of the part in the archive; `zip` for the archive itself.
        part: Box<str>,
        /// What is wrong.
        why: String,
    },
    /// A part has more bytes than the bound allows.
    TooLarge {
        /// The name of the part in the archive.
        part: Box<str>,
        /// The bound, in bytes.
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
            Self::TooLarge { part, max_bytes } => {
                write!(f, "{part} has more than {max_bytes} bytes when it is decompressed")
            }
        }
    }
}

impl std::error::Error for PlanFileError {}

//! What a check found, and how far it got: what every format of `check` prints.

use crate::finding::Findings;
use crate::incomplete::Incomplete;
use crate::status::Status;

/// What a check found.
pub(crate) struct Outcome<'f, 't, 'a> {
    pub(crate) findings: &'f Findings<'t, 'a>,
    /// How many of the findings are errors.
    pub(crate) errors: usize,
    pub(crate) incomplete: &'f Incomplete,
    /// How reading ended, whatever was found.
    pub(crate) status: Status,
}

//! The result of a check, which every format of `check` prints.

use crate::finding::Findings;
use crate::incomplete::Incomplete;
use crate::status::Status;

/// The result of a check.
pub(crate) struct Outcome<'f, 't, 'a> {
    pub(crate) findings: &'f Findings<'t, 'a>,
    /// The number of findings that are errors.
    pub(crate) errors: usize,
    pub(crate) incomplete: &'f Incomplete,
    /// The status of reading, regardless of findings.
    pub(crate) status: Status,
}

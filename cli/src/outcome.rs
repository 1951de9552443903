//! The result of a check, which every format of `check` prints.

use crate::finding::Findings;
use crate::incomplete::Incomplete;
use crate::status::Status;

/// The result of a check.
pub(crate) struct Outcome<'f, 't, 'a> {
    pub(crate) findings: &'f Findings<'t, 'a>,
    /// The number of all findings that are errors, those included that are not printed.
    pub(crate) errors: usize,
    /// The number of the others.
    pub(crate) warnings: usize,
    pub(crate) incomplete: &'f Incomplete,
    /// The status of reading, regardless of findings.
    pub(crate) status: Status,
}

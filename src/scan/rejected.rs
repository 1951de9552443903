//! The error of a scan.

use std::fmt;

/// The error of bytes that cannot be JSON. A byte-by-byte reader finds the place and the reason.
///
/// The state and the tokens are unspecified after a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected;

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes cannot be JSON")
    }
}

impl std::error::Error for Rejected {}

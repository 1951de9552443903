//! What a scan says of bytes that cannot be JSON.

use std::fmt;

/// The bytes cannot be JSON. A reader that goes byte by byte finds the place and the reason.
///
/// What the state and the tokens hold after a rejection is unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected;

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes cannot be JSON")
    }
}

impl std::error::Error for Rejected {}

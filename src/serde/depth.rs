//! The limit of the nesting depth: serde recurses with the data.

use serde_core::de::Error as _;

use super::error::Error;

/// The limit of the nesting depth. The same as in `serde_json`, so that small stacks suffice.
pub const MAX_DEPTH: usize = 128;

/// Returns an error if a value is nested more deeply.
pub(super) fn check_depth(depth: usize) -> Result<(), Error> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    Err(Error::custom(format_args!("nested more than {MAX_DEPTH} levels deep")))
}

//! How deep what is read may nest: serde recurses with the data.

use serde_core::de::Error as _;

use super::error::Error;

/// How deep what is read may nest. As in `serde_json`, so that small stacks suffice.
pub const MAX_DEPTH: usize = 128;

/// The error of a value that is nested deeper, if it is.
pub(super) fn check_depth(depth: usize) -> Result<(), Error> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    Err(Error::custom(format_args!("nested more than {MAX_DEPTH} levels deep")))
}

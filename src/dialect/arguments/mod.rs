//! The arguments and nested blocks of every block of the languages: one table for each block.
//!
//! The readers of blocks take their schemas from these tables, and conversions take from them how an
//! argument is read. So a row is all that a new argument needs to be known everywhere.

pub(crate) mod modules;
pub(crate) mod packer;
pub(crate) mod policies;
pub(crate) mod stacks;
pub(crate) mod test_files;

//! The form in which parsed expressions are kept: nodes in post-order, and traversals.
//!
//! Data only. [`crate::native`] makes programs from text, [`crate::evaluate`] computes their
//! values.

pub(crate) mod node;
pub(crate) mod traversal;

pub(crate) use node::{LentProgram, Program};

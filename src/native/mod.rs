//! The expression and template sub-languages of HCL's native syntax, as they stand inside of JSON strings.
//!
//! Text goes in, a [`Program`] comes out: the nodes of one template, one expression or one traversal, in the
//! arena, every node with its exact bytes in the file. Nothing is evaluated here.
//!
//! * [`node`]: the nodes, and the order that they stand in.
//! * [`traversal`]: `a.b[0].c`, the steps of references.

pub(crate) mod node;
pub mod traversal;

pub use traversal::{Key, Step, StepKind, Traversal};

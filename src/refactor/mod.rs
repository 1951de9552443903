//! Refactorings: changes of an object and of everything that names it, across the modules of a tree.
//!
//! Each is a file with a function `plan`, which returns a [`Change`] or a [`Refusal`]. Nothing is
//! written here.

mod change;
pub mod rename;

pub use self::change::{Change, ChangedFile, NotChanged, Refusal, Why};

//! Evaluation: the value of a parsed expression in a scope.
//!
//! A [`Scope`] gives variables and functions. Whoever evaluates goes forwards over the nodes of a program with a
//! stack of values; nothing recurses.

mod function;
mod scope;

pub use function::{Function, FunctionError, Parameter, Signature};
pub use scope::{Functions, Scope};

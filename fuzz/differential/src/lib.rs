//! Random cases for the expression language: files, schemas of their bodies, and variables in
//! scope.
//!
//! A case is made by the grammar, and then often broken by a few random edits. Everything is
//! decided by an [`Entropy`], so a seed gives the same case on every platform, and a fuzzer's bytes
//! give one too.

mod answer;
pub mod case;
mod compare;
pub mod entropy;
mod expression;
mod file;
mod functions;
mod mutate;
mod render;
mod scope;

pub use answer::{Answer, AttributeAnswer, OurAttribute, Ours, answer, answer_within};
pub use case::{AttributeRule, BlockRule, Case, Rules, Variable};
pub use compare::{Class, Differences, Example};
pub use entropy::{Bytes, Entropy, Seed};
pub use expression::template;
pub use functions::TestFunctions;

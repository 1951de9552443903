//! The integration tests that `.ci/full` runs on other processors, in a binary of their own, since
//! all of `tests/it` takes too long to compile there.

#![allow(clippy::unwrap_used)]

#[path = "../it/conformance.rs"]
mod conformance;
#[path = "../it/engine.rs"]
mod engine;

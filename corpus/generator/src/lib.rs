//! Generator of realistic HCL JSON for tests and benches.
//!
//! The same options give the same bytes, on every platform, in every build.
//!
//! - [`config`]: one configuration of any size, as a CDK synthesises it, minified or pretty.

mod config;
mod json;
mod module;
mod resource;
mod rng;
mod words;

pub use config::{ConfigOptions, config, config_bytes};

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes.
    pub bytes: u64,
    /// Keys and values, containers included.
    pub values: u64,
}

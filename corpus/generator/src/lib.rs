//! Generator of realistic configuration for tests and benches.
//!
//! The same options give the same bytes, on every platform, in every build.
//!
//! - [`config()`]: one configuration of any size, as a CDK synthesises it, minified or pretty.
//! - [`native()`], [`native_tree()`]: the same in native syntax.
//! - [`tree()`]: a monorepo of many directories.
//! - [`plan()`]: a plan of any size, as `tofu show -json` prints it.
//! - [`rules_text()`]: rules for such plans.
//! - [`readers()`]: a repository whose root modules depend on files in many ways, and the truth about it.
//! - [`units()`]: units of Terragrunt on top of it, and the truth about them.
//! - [`hostile()`]: configuration that costs as much as it can for its length.
//! - [`chain()`], [`star()`]: trees of modules that call one another.
//!
//! It also reads the [`archive`]s of the cases of `corpus/conformance`, and unpacks [`cases()`] for
//! tests. [`sized`] is how much of all this a test takes.

pub mod archive;
mod cases;
mod config;
mod dir;
mod hostile;
mod json;
mod module;
mod native;
mod packer;
mod plan;
mod readers;
mod resource;
mod rng;
mod rules;
mod shapes;
mod size;
mod tree;
mod units;
mod words;

pub use cases::{SETS, are_all, bless, cases, conformance, files, name_of};
pub use config::{ConfigOptions, config, config_bytes};
pub use dir::TreeStats;
pub use hostile::{HOSTILE, hostile};
pub use native::{NativeOptions, native, native_bytes, native_tree};
pub use plan::{PlanOptions, plan, plan_bytes};
pub use readers::{ReaderOptions, Readers, readers};
pub use rules::{RuleOptions, rules_text};
pub use shapes::{chain, star};
pub use size::{Size, sized};
pub use tree::{TreeOptions, tree};
pub use units::{UnitOptions, units};

/// The size of a written text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes.
    pub bytes: u64,
    /// Keys and values, containers included.
    pub values: u64,
}

//! Units and stacks of Terragrunt: what `terragrunt find`, `render` and `stack generate` say about them.
//!
//! [`find()`] searches a folder, evaluates the configuration of every unit, and returns owned rows: the
//! members of `terragrunt find --json`, and with [`Options::with_values`] inputs and local values, as
//! `terragrunt render --json` has them.
//!
//! **Nothing is executed, downloaded or written, ever.** `run_cmd`, `sops_decrypt_file` and the
//! functions that ask a cloud are unknown, and so is everything that depends on them; `get_env` sees
//! only [`Options::environment`]; outputs of dependencies are their mocks, or unknown. With
//! [`Options::with_stacks`], stacks are evaluated as if they had been generated.
//!
//! # Method
//!
//! Each file is parsed once ([`parse`]). A unit is evaluated in an arena of its own, by the engine of
//! [`crate::evaluate`] and within its budget; the functions of Terragrunt are one table ([`function`]).
//! Configurations that `read_terragrunt_config` reads are evaluated once for all units, unless they ask
//! which unit reads them. Nothing recurses: see [`read`].
//!
//! Parts that could not be read or known are in [`Units::gaps`]; Terragrunt itself is silent about most of
//! them.
//!
//! # Cost
//!
//! Linear in the entries of the folders, in the bytes of the files, and in the evaluated expressions:
//! an included file is evaluated for each unit that includes it.
//!
//! ```
//! use simd_hcl::terragrunt::{Options, find};
//!
//! let folder = std::env::temp_dir().join(format!("simd-hcl-units-{}", std::process::id()));
//! std::fs::create_dir_all(folder.join("net"))?;
//! std::fs::create_dir_all(folder.join("app"))?;
//! std::fs::write(folder.join("net/terragrunt.hcl"), "")?;
//! let app = "dependency \"net\" {\n  config_path  = \"../net\"\n  mock_outputs = { id = \"n\" }\n}\n\
//!            inputs = { id = dependency.net.outputs.id, who = run_cmd(\"whoami\") }\n";
//! std::fs::write(folder.join("app/terragrunt.hcl"), app)?;
//!
//! let units = find(&folder, &Options::default().with_values(true));
//! assert_eq!(units.units[0].dependencies, ["net"]);
//! let rendered = units.units[0].rendered.as_ref().unwrap();
//! assert_eq!(rendered.inputs, r#"{"id":"n","who":null}"#);
//! assert_eq!(rendered.unknown, ["inputs.who"]);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod argument;
mod backend;
mod beside;
mod call;
mod check;
mod config;
mod constant;
mod discover;
mod disk;
mod evaluate;
mod filter;
mod find;
mod flow;
mod frame;
mod function;
mod generate;
mod generated;
mod impact;
mod inputs;
mod links;
mod log;
mod named;
pub(crate) mod names;
mod order;
mod parse;
mod pattern;
mod plain;
mod read;
mod readers;
mod reading;
mod reference;
mod rest;
mod run;
mod schema;
mod search;
mod secret;
mod source;
mod spread;
mod stack;
mod unit;
mod version;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::backend::RunBackend;
pub use self::beside::RunFiles;
#[cfg(feature = "workspace")]
pub(crate) use self::check::check_unit;
pub use self::check::{Checked, CheckedUnit, check};
pub use self::discover::ComponentKind;
pub use self::function::functions;
pub use self::generated::GeneratedNames;
pub use self::impact::{AffectedUnit, UnitCause};
pub use self::links::{DependencyLink, UnitLinks};
pub(crate) use self::log::LeadTo;
pub use self::reference::UnitReference;
pub use self::run::{
    GeneratedFile, Run, RunArgument, Runs, find, has_unit, has_units_below, hidden,
};
pub use self::schema::{block_schema, root_schema};
pub use self::unit::{ExcludeBlock, Gap, Rendered, Unit, UnitOutput, Units};

use crate::directory::{DecodeOptions, Open, Roots};
use crate::source::Source;

/// The parts to evaluate, and values from outside.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The environment variables that `get_env` sees.
    pub environment: BTreeMap<String, String>,
    /// Values of features, which replace their defaults.
    pub features: BTreeMap<String, String>,
    /// The experiments that are on.
    pub experiments: BTreeSet<String>,
    /// Whether folders whose names start with a dot are not searched.
    pub skips_hidden: bool,
    /// Whether stacks count as generated.
    pub has_stacks: bool,
    /// Whether configurations are evaluated at all; otherwise units are only found.
    pub has_details: bool,
    /// Whether all files that decide about a unit are wanted.
    pub has_files: bool,
    /// Whether the names of inputs, and the outputs that they use, are wanted.
    pub has_inputs: bool,
    /// Whether inputs and local values are wanted.
    pub has_values: bool,
    /// Whether the files `.terragrunt-filters` and `.terragrunt-excludes` of the folder decide what is
    /// listed.
    pub has_filters: bool,
    /// Leaves out the units that exclude this command.
    pub command: Option<String>,
    /// Whether sensitive values are shown instead of `(sensitive)`.
    pub shows_sensitive: bool,
    /// Whether links that lead out of the given folder and its git work tree are read.
    pub follows_links: bool,
    /// Directories without links that nothing is read outside of; empty for the given folder and its git
    /// work tree.
    pub within: Vec<PathBuf>,
    /// How files are opened.
    pub open: Open,
    /// Texts that count instead of those of files in the file system, such as those of open files of an
    /// editor, by absolute paths without links.
    pub texts: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl Options {
    /// Adds an environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Sets the value of a feature.
    #[must_use]
    pub fn with_feature(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.features.insert(name.into(), value.into());
        self
    }

    /// Switches an experiment on: `deep-merge`, `mutable-generate`, `symlinks`.
    #[must_use]
    pub fn with_experiment(mut self, name: impl Into<String>) -> Self {
        self.experiments.insert(name.into());
        self
    }

    /// Evaluates configurations: dependencies, includes, `exclude` blocks.
    #[must_use]
    pub fn with_details(mut self, has_details: bool) -> Self {
        self.has_details = has_details;
        self
    }

    /// Also collects all files that decide about a unit.
    #[must_use]
    pub fn with_files(mut self, has_files: bool) -> Self {
        self.has_files = has_files;
        self.has_details |= has_files;
        self
    }

    /// Also finds the names of inputs, and the outputs of other units that they use.
    #[must_use]
    pub fn with_inputs(mut self, has_inputs: bool) -> Self {
        self.has_inputs = has_inputs;
        self.has_details |= has_inputs;
        self
    }

    /// Also evaluates inputs and local values.
    #[must_use]
    pub fn with_values(mut self, has_values: bool) -> Self {
        self.has_values = has_values;
        self.has_details |= has_values;
        self
    }

    /// Has stacks count as generated. Nothing is written.
    #[must_use]
    pub fn with_stacks(mut self, has_stacks: bool) -> Self {
        self.has_stacks = has_stacks;
        self
    }

    /// Leaves out folders whose names start with a dot.
    #[must_use]
    pub fn without_hidden(mut self, skips_hidden: bool) -> Self {
        self.skips_hidden = skips_hidden;
        self
    }

    /// Lists what the files `.terragrunt-filters` and `.terragrunt-excludes` of the folder select, and
    /// what they do not leave out.
    #[must_use]
    pub fn with_filters(mut self, has_filters: bool) -> Self {
        self.has_filters = has_filters;
        self
    }

    /// Leaves out the units whose `exclude` block lists this command.
    #[must_use]
    pub fn for_command(mut self, command: Option<String>) -> Self {
        self.has_details |= command.is_some();
        self.command = command;
        self
    }

    /// Shows sensitive values instead of `(sensitive)`.
    #[must_use]
    pub fn with_sensitive(mut self, shows_sensitive: bool) -> Self {
        self.shows_sensitive = shows_sensitive;
        self
    }

    /// Reads links whose targets are outside of the given folder and of its git work tree.
    #[must_use]
    pub fn following_links(mut self, follows_links: bool) -> Self {
        self.follows_links = follows_links;
        self
    }

    /// Reads nothing outside of these directories, whose paths have no links; without any, nothing outside of
    /// the given folder and its git work tree.
    #[must_use]
    pub fn within(mut self, directories: Vec<PathBuf>) -> Self {
        self.within = directories;
        self
    }

    /// Opens files in another way: some may have other texts than in the file system.
    #[must_use]
    pub fn opening(mut self, open: Open) -> Self {
        self.open = open;
        self
    }

    /// Has texts count instead of those of files, by absolute paths without links.
    #[must_use]
    pub fn with_texts(mut self, texts: BTreeMap<PathBuf, Arc<[u8]>>) -> Self {
        self.texts = Arc::new(texts);
        self
    }

    /// How files of modules are read.
    fn decode(&self) -> DecodeOptions {
        let mut decode = DecodeOptions::default().with_follow_links(self.follows_links);
        decode.open = self.open.clone();
        if self.texts.is_empty() {
            return decode;
        }
        let (texts, open) = (Arc::clone(&self.texts), decode.open.clone());
        decode.with_open(move |arena, path, access| {
            let text = path.canonicalize().ok().and_then(|real| texts.get(&real));
            match text {
                Some(text) => Source::of_file(arena, path, text),
                None => open.open(arena, path, access),
            }
        })
    }

    /// Where files around a folder may be.
    fn roots(&self, given: &Path) -> Roots {
        Roots::around([given]).within(&self.within)
    }
}

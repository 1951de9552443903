//! Commands that change configuration.

use std::path::PathBuf;

use clap::Args;

use super::configuration::{Configuration, DialectName};
use super::format::Format;

// Flags about the changes. Not a doc comment, since clap would show it as the description of the
// command.
#[derive(Args, Clone, Debug)]
pub(crate) struct ChangeFlags {
    /// Write the files: all of them, or none if one cannot be written [default: a terminal shows the patch
    /// and asks, anything else gets it]
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Write nothing, list the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Print what changes as a patch, without a question
    #[arg(long)]
    pub(crate) diff: bool,
    /// Output format: the edits as byte ranges in JSON
    #[arg(long, default_value = "human", value_name = "FORMAT", conflicts_with = "diff")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Set {
    /// A path pattern, such as `resource.aws_instance.*.ami`: see `simd-hcl query`
    pub(crate) pattern: String,
    /// The new value, an expression such as `"ami-1"`, `var.ami` or `[1, 2]`
    #[arg(allow_hyphen_values = true)]
    pub(crate) value: String,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Change only what this HCL condition over attributes is true for: `instance_type == "t3.large"`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Do not add the attribute where it is missing
    #[arg(long)]
    pub(crate) only_existing: bool,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Unset {
    /// A path pattern, such as `resource.aws_instance.*.tags.owner`: see `simd-hcl query`
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Remove only what this HCL condition over attributes is true for: `instance_type == "t3.large"`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Rename {
    /// The address of a variable, local value, output, resource, data source, module call or provider alias:
    /// `var.region`, `aws_instance.web`, `provider.aws.west`; `DIR:ADDRESS` also names the module
    #[arg(add = super::candidates::addresses())]
    pub(crate) address: String,
    /// The new name, or an address of the same kind
    pub(crate) new: String,
    /// The directory of the module that has the object; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    /// Search callers in this directory, and write nothing outside of it [default: the git work tree around
    /// PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) tree: Option<PathBuf>,
    /// Write no `moved` block for a resource or a module call, and rewrite older ones
    #[arg(long)]
    pub(crate) no_moved: bool,
    /// Align the lines around the edits again, where they were aligned
    #[arg(long)]
    pub(crate) fmt: bool,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

//! Commands that change configuration.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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

// Where a refactoring looks for modules. Not a doc comment, see above.
#[derive(Args, Clone, Debug)]
pub(crate) struct TreeFlags {
    /// Search callers in this directory, and write nothing outside of it [default: the git work tree around
    /// PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) tree: Option<PathBuf>,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Move {
    /// The address of an object, such as `aws_instance.web`; `DIR:ADDRESS` also names the module
    pub(crate) address: String,
    /// A file of the module; `module.NAME`, for the module that this call leads to; or `DIR:ADDRESS`, for a
    /// module that calls it or that it calls
    pub(crate) to: String,
    /// The directory of the module that has the object
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) tree: TreeFlags,
    /// Write no `moved` block for a resource
    #[arg(long)]
    pub(crate) no_moved: bool,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Extract {
    /// The place of the expression: the innermost one there is extracted
    #[arg(value_name = "PATH:LINE:COLUMN", allow_hyphen_values = true)]
    pub(crate) place: String,
    /// The name of the local value or variable
    pub(crate) name: String,
    /// Make it a variable, with the expression as its default
    #[arg(long)]
    pub(crate) variable: bool,
    #[command(flatten)]
    pub(crate) tree: TreeFlags,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Inline {
    /// The address of a local value, such as `local.size`; `DIR:ADDRESS` also names the module
    pub(crate) address: String,
    /// The directory of the module; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) tree: TreeFlags,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct FixUnused {
    /// The directory whose modules are changed; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) tree: TreeFlags,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

// The value that is upgraded to, and where. Not a doc comment, see above.
#[derive(Args, Debug)]
pub(crate) struct UpgradeFlags {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Change only requirements whose lowest version meets these constraints, such as `~> 5.0`
    #[arg(long, value_name = "RANGE")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Upgrade {
    #[command(subcommand)]
    pub(crate) subject: UpgradeSubject,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UpgradeSubject {
    /// Upgrade the calls of a module
    #[command(
        after_help = "Examples:\n  simd-hcl upgrade module terraform-aws-modules/vpc/aws '~> 6.0' --from '~> 5.0'\n  simd-hcl upgrade module github.com/acme/net v2.1.0 live --write"
    )]
    Module {
        /// The source: an address of a registry, or the URL of a repository in any spelling
        source: String,
        /// The version constraint; the tag, branch or commit of a repository
        version: String,
        #[command(flatten)]
        flags: UpgradeFlags,
    },
    /// Upgrade the requirements of a provider
    #[command(
        after_help = "Examples:\n  simd-hcl upgrade provider aws '~> 6.0'\n  simd-hcl upgrade provider hashicorp/aws '>= 6.0' modules --from '~> 5.0' --write"
    )]
    Provider {
        /// The local name, such as `aws`, or the source, such as `hashicorp/aws`
        name: String,
        /// The version constraint
        constraint: String,
        #[command(flatten)]
        flags: UpgradeFlags,
    },
    /// Upgrade the requirements of a plugin of Packer
    #[command(
        after_help = "Examples:\n  simd-hcl upgrade plugin amazon '>= 1.3'\n  simd-hcl upgrade plugin github.com/hashicorp/amazon '~> 1.3' images --write"
    )]
    Plugin {
        /// The local name, such as `amazon`, or the source, such as `github.com/hashicorp/amazon`
        name: String,
        /// The version constraint
        constraint: String,
        #[command(flatten)]
        flags: UpgradeFlags,
    },
    /// Upgrade the requirements of OpenTofu or Terraform, or of Packer in a tree with nothing else
    #[command(
        after_help = "Examples:\n  simd-hcl upgrade required-version '>= 1.9'\n  simd-hcl upgrade required-version '>= 1.9' modules --check\n  simd-hcl upgrade required-version '>= 1.11' --dialect packer"
    )]
    RequiredVersion {
        /// The version constraint
        constraint: String,
        #[command(flatten)]
        flags: UpgradeFlags,
    },
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
    /// `var.region`, `aws_instance.web`, `provider.aws.west`; `DIR:ADDRESS` also names the module, and
    /// `FILE:NAME` a variable of a template
    #[arg(add = super::candidates::addresses())]
    pub(crate) address: String,
    /// The new name, or an address of the same kind
    pub(crate) new: String,
    /// The directory of the module that has the object; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) tree: TreeFlags,
    /// Write no `moved` block for a resource or a module call, and rewrite older ones
    #[arg(long)]
    pub(crate) no_moved: bool,
    /// Align the lines around the edits again, where they were aligned
    #[arg(long)]
    pub(crate) fmt: bool,
    #[command(flatten)]
    pub(crate) change: ChangeFlags,
}

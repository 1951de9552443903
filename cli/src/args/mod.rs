//! Commands and their flags: flags of all commands here, the others in a file for each kind of input.

mod candidates;
mod change;
mod code;
mod configuration;
mod documents;
mod format;
mod link;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use self::change::*;
use self::code::{Codes, codes};
pub(crate) use self::code::{
    OwnName, RuleSelector, Selector, all_codes, ignored_rule, named, rule_selector, rules_named,
    selector,
};
pub(crate) use self::configuration::*;
pub(crate) use self::documents::*;
pub(crate) use self::format::*;
pub(crate) use self::link::Link;
pub(crate) use self::values::ValueFlag;
use crate::instead::Instead;
use crate::style::Style;
use crate::visible::visible;

/// Reads the configuration, plans and states of OpenTofu, Terraform and Packer.
#[derive(Debug, Parser)]
#[command(name = "simd-hcl", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

// Deferred, so that only the flags of the called command are built.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Show a repository at a glance: modules, versions, findings, and what a change reaches
    ///
    /// Findings do not change the exit status. Their excerpts in the page show source text as it is, secrets
    /// included.
    Overview(Overview),
    /// Check all modules below the given paths, and report what is wrong
    ///
    /// Excerpts in findings show source text as it is, secrets included.
    Check(Check),
    /// Write native files in canonical layout
    ///
    /// Source text is shown as it is, secrets included.
    Fmt(Fmt),
    /// List modules, their files and their top-level blocks
    Inspect(Inspect),
    /// List the references between the objects of each module
    References(References),
    /// Print the dependency graph of objects or modules
    Graph(Graph),
    /// List the objects that depend on an object or a file
    Dependents(Dependents),
    /// List the modules that changed files affect, with the reason
    Affected(Affected),
    /// Write `simd-hcl.toml` with what a repository shows; nothing is overwritten
    Init(Init),
    /// List root modules and their inputs, and propose a section of `simd-hcl.toml`
    Roots(Roots),
    /// List the units of Terragrunt, with their dependencies, files and values
    Units(Units),
    /// List the blocks and attributes that a path pattern selects
    Query(Query),
    /// List the objects and values that differ between two configurations
    Diff(Diff),
    /// Print what a change does to the affected root modules, without a plan
    Review(Review),
    /// Print the configuration representation of a module, as `show -json` does
    Config(Config),
    /// Print what a module, a unit or the components of a stack will create, without a provider
    Expand(Expand),
    /// Print the expressions that a value depends on
    Why(Why),
    /// Rename an object and everything that names it, in all modules of a repository
    ///
    /// Source text is shown as it is, secrets included.
    Rename(Rename),
    /// Set the values that a path pattern selects, and add those that are missing
    ///
    /// Source text is shown as it is, secrets included.
    Set(Set),
    /// Remove the blocks and attributes that a path pattern selects
    ///
    /// Source text is shown as it is, secrets included.
    Unset(Unset),
    /// Move an object to another file, into a module or out of one
    ///
    /// Source text is shown as it is, secrets included.
    Move(Move),
    /// Make a local value or a variable of an expression
    ///
    /// Source text is shown as it is, secrets included.
    Extract(Extract),
    /// Replace the references to a local value by its expression
    ///
    /// Source text is shown as it is, secrets included.
    Inline(Inline),
    /// Remove variables, local values and data sources that nothing refers to
    ///
    /// Source text is shown as it is, secrets included.
    FixUnused(FixUnused),
    /// Set the versions of a module, a provider or the tool that modules require
    ///
    /// Source text is shown as it is, secrets included.
    Upgrade(Upgrade),
    /// Convert files from JSON to native syntax, or back
    ///
    /// Source text is shown as it is, secrets included.
    Convert(Convert),
    /// Decode one file by a schema, and evaluate its attributes
    ///
    /// Source text is shown as it is, secrets included.
    Decode(Decode),
    /// List every template below the given paths, with its references
    Templates(Templates),
    /// Write reference pages of modules, as terraform-docs does
    Docs(Docs),
    /// Evaluate one expression
    ///
    /// Excerpts in findings show source text as it is, secrets included.
    Eval(Eval),
    /// Summarise a plan: JSON, a plan file or an event stream
    Plan(Plan),
    /// List the resources of a state: JSON, a state file or a plan file
    State(State),
    /// Print a plan or state with its sensitive values replaced
    Redact(Redact),
    /// Print the schema of one type from the output of `providers schema -json`
    Schema(Schema),
    /// Print the event stream of a JSON file
    #[command(hide = true)]
    Events(Events),
    /// Query configuration, plans and states with SQL, by the program `simd-hcl-sql`
    Sql {
        /// Arguments of the program: see `simd-hcl-sql sql --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Write configuration, plans and states as tables, by the program `simd-hcl-sql`
    Export {
        /// Arguments of the program: see `simd-hcl-sql export --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Explain diagnostics
    Explain(Explain),
    /// List the rules of `check`
    ///
    /// Diagnostics that are not rules are always reported: `simd-hcl explain` lists them.
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:\n  simd-hcl rules --format json naming unused\n  simd-hcl rules test lint.hcl"
    )]
    Rules(Rules),
    /// Print settings for simd-hcl.toml that mean the same as those of another linter
    Migrate(Migrate),
    /// Serve an editor: the language server, on standard input and output
    #[command(after_help = "Examples:\n  simd-hcl lsp\n  simd-hcl lsp --config simd-hcl.toml")]
    Lsp,
    /// Serve an agent: the commands as tools, on standard input and output
    Mcp(Mcp),
    /// List the kernels that this machine can run
    #[command(hide = true)]
    Kernels(Kernels),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or that of one command
    #[command(hide = true)]
    Man {
        /// The command [default: all commands]
        command: Option<String>,
    },
}

/// Flags that all commands have.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Number of threads, at most 1024; 0 uses all cores
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Map files of 1 MiB or more instead of reading them: nobody may write to them meanwhile
    #[arg(long, global = true)]
    pub(crate) mmap: bool,
    /// Read all files, which is the default
    #[arg(long, global = true, conflicts_with = "mmap")]
    pub(crate) no_mmap: bool,
    /// Maximum nesting depth of objects and arrays
    #[arg(long, global = true, default_value_t = 10_000, value_name = "N")]
    pub(crate) max_depth: u32,
    /// Maximum decompressed size of a document, or of each part of a plan file, in bytes
    #[arg(long, global = true, default_value_t = 1 << 30, value_name = "N")]
    pub(crate) max_decompressed: u64,
    /// Read JSON of at least this many bytes as a stream, where a command can [default: 32 MiB of a
    /// pipe, 64 MiB of a file, 1 GiB of a file whose changes are printed for people]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) stream_from: Option<u64>,
    /// Use the settings in this file, instead of the nearest simd-hcl.toml upward of the paths
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Use no settings of a file
    #[arg(long, global = true, conflicts_with = "config")]
    pub(crate) no_config: bool,
    /// Read links whose targets are outside of the given paths and of their git repository; nothing is
    /// written through them
    #[arg(long, global = true)]
    pub(crate) follow_links: bool,
    /// Read no file of configuration outside of this directory
    #[arg(long, global = true, value_name = "DIR", hide = true)]
    pub(crate) within: Vec<PathBuf>,
    /// Start cells of CSV with an apostrophe that begin with `=`, `+`, `-`, `@`, a tab or a carriage
    /// return, so that no program takes them for formulas
    #[arg(long, global = true)]
    pub(crate) csv_safe: bool,
    /// Leave ranges out of JSON
    #[arg(long, global = true)]
    pub(crate) compact: bool,
    /// Use this kernel (see `simd-hcl kernels`)
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Colour the output
    #[arg(long, global = true, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// Print no summary, notes or progress
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Print files, bytes, time, kernel, threads and memory on standard error
    #[arg(long, global = true)]
    pub(crate) stats: bool,
    /// The texts that are read instead of files.
    #[arg(skip)]
    pub(crate) instead: Arc<Instead>,
}

impl Common {
    /// How answers are written, whatever their format is.
    pub(crate) fn style(&self) -> Style {
        Style { is_csv_safe: self.csv_safe, is_compact: self.compact }
    }

    /// The directories that nothing is read outside of, without links; none if there is no limit.
    pub(crate) fn limits(&self) -> Vec<PathBuf> {
        self.within.iter().filter_map(|directory| directory.canonicalize().ok()).collect()
    }

    /// The git work tree around a directory whose path has no links, as far as it may be read.
    pub(crate) fn work_tree(&self, directory: &Path) -> Option<PathBuf> {
        let limits = self.limits();
        let may_be_read =
            |it: &&Path| self.within.is_empty() || limits.iter().any(|limit| it.starts_with(limit));
        let mut above = directory.ancestors().take_while(may_be_read);
        above.find(|it| it.join(".git").exists()).map(Path::to_owned)
    }

    /// The options that say what is read, and how, for another run of the program in any directory.
    ///
    /// # Errors
    /// The path of the settings is relative, and there is no working directory.
    pub(crate) fn of_reading(&self) -> std::io::Result<Vec<OsString>> {
        let mut all: Vec<OsString> = Vec::new();
        for (name, value) in [
            ("--threads", u64::from(self.threads)),
            ("--max-depth", u64::from(self.max_depth)),
            ("--max-decompressed", self.max_decompressed),
        ] {
            all.extend([name.into(), value.to_string().into()]);
        }
        if let Some(bytes) = self.stream_from {
            all.extend(["--stream-from".into(), bytes.to_string().into()]);
        }
        if let Some(file) = &self.config {
            all.extend(["--config".into(), std::path::absolute(file)?.into()]);
        }
        if let Some(kernel) = &self.kernel {
            all.extend(["--kernel".into(), kernel.into()]);
        }
        for (name, is_set) in [
            ("--mmap", self.mmap),
            ("--no-config", self.no_config),
            ("--follow-links", self.follow_links),
        ] {
            all.extend(is_set.then(|| name.into()));
        }
        Ok(all)
    }

    /// Prints a note on standard error, unless `--quiet` is set.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            anstream::eprintln!("simd-hcl: {}", visible(message));
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression, such as `upper("a")`; `-` is standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Evaluate a template, such as `Hello ${name}`
    #[arg(long)]
    pub(crate) template: bool,
    /// Read variables from this file, a JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Option<PathBuf>,
    /// The time that `timestamp` and `plantimestamp` return, such as 2030-01-02T03:04:05Z
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
    /// Output format of the value; `human` is an HCL expression
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Print sensitive values instead of `(sensitive)`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Events {
    /// Any file in JSON or native syntax; `-` is standard input
    pub(crate) file: PathBuf,
    /// Read the file in this syntax, whatever its name is
    #[arg(long, value_name = "SYNTAX")]
    pub(crate) syntax: Option<SyntaxName>,
    /// Output format of the events
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print the events of the first pass, in which deeper containers are sealed; in a native file,
    /// these are the bodies of blocks, and expressions are not checked
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// Read any number of JSON documents one after another, as in newline-delimited JSON
    #[arg(long, conflicts_with = "syntax")]
    pub(crate) sequence: bool,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Mcp {
    /// Directories that tools may read and change; paths of tools start from the first one
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) roots: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Kernels {
    /// Output format of the kernels
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Rules {
    #[command(subcommand)]
    pub(crate) command: Option<RulesCommand>,
    /// Groups of rules, and names of rules of ours, of tflint or of OpenTofu [default: all rules]
    #[arg(value_name = "NAME", value_parser = rule_selector, add = candidates::rules())]
    pub(crate) names: Vec<RuleSelector>,
    /// Output format of the rules
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RulesCommand {
    /// Run the cases of rules in files
    #[command(
        after_help = "Examples:\n  simd-hcl rules test\n  simd-hcl rules test --format json lint.hcl"
    )]
    Test(RulesTest),
}

#[derive(Args, Debug)]
pub(crate) struct RulesTest {
    /// Files of rules [default: `rule-files` in simd-hcl.toml]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Output format of the cases
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Migrate {
    /// The settings of tflint: `.tflint.hcl` or `.tflint.json`
    #[arg(value_name = "FILE", default_value = ".tflint.hcl")]
    pub(crate) file: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Diagnostic codes, such as `unknown-variable`, and names of rules of tflint or OpenTofu
    /// [default: list all codes]
    #[arg(value_name = "CODE", value_parser = codes, add = candidates::codes())]
    pub(crate) codes: Vec<Codes>,
    /// Output format of the explanations
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

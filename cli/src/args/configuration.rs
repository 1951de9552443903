//! Commands that read configuration.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use simd_hcl::Dialect;
use simd_hcl::dialect::{Syntax, UnknownDialect};
use simd_hcl::packer::Defaults;

use super::candidates;
use super::code::{
    RuleSelector, Selector, ignored_rule_or_own, rule_selector_or_own, selector_or_own,
};
use super::format::{
    AffectedFormat, Format, GraphFormat, ListFormat, OverviewFormat, PageFormat, QueryFormat,
    ReportFormat, ReviewFormat,
};
use super::link::{Link, link};
use super::values::Values;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Syntax, and the root body of each file
    Syntax,
    /// Also declarations, references, types and calls of modules
    #[default]
    Module,
    /// Also the values of root modules, without a provider: conditions, keys, indexes, types
    Values,
}

/// A tool, and perhaps a release of it: `terraform@1.9`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DialectName {
    dialect: Dialect,
    /// The release 1.x.
    release: Option<u8>,
}

impl DialectName {
    /// The number of its release 1.x.
    pub(crate) fn minor(self) -> Option<u8> {
        self.release
    }

    /// The tool and its release as they are written, if there is a release.
    pub(crate) fn release(self) -> Option<String> {
        let name = self.dialect.to_string();
        self.release.map(|release| format!("{name}@1.{release}"))
    }
}

impl FromStr for DialectName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, release) = match text.split_once('@') {
            Some((name, release)) => (name, Some(release)),
            None => (text, None),
        };
        let dialect: Dialect = name.parse().map_err(|it: UnknownDialect| it.to_string())?;
        let release = match release {
            None => None,
            Some(_) if dialect == Dialect::Packer => {
                return Err("releases of Packer are not known".to_owned());
            }
            Some(release) => match release.strip_prefix("1.").and_then(|it| it.parse().ok()) {
                Some(minor) => Some(minor),
                None => return Err(format!("expected a release such as {name}@1.9")),
            },
        };
        Ok(Self { dialect, release })
    }
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        name.dialect
    }
}

// The configuration to read. This is not a doc comment, since clap would show the doc comment of a
// flattened struct as the description of the command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Configuration {
    /// Directories to search for modules, or files; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Follow the rules of this tool: opentofu, terraform or packer [default: opentofu, and packer for
    /// its files]. `check` with a release, such as terraform@1.9, also reports what that release does
    /// not have
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Read the named files in this syntax, whatever their names are
    #[arg(long, value_name = "SYNTAX")]
    pub(crate) syntax: Option<SyntaxName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// Read each file on its own, without the other files in its directory
    #[arg(long)]
    pub(crate) alone: bool,
    /// Read standard input as the content of this file, in the module around it
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_name: Option<PathBuf>,
}

impl Configuration {
    /// Selects one directory, with default settings.
    pub(crate) fn of_directory(directory: PathBuf, dialect: Option<DialectName>) -> Self {
        Self {
            paths: vec![directory],
            dialect,
            syntax: None,
            ignore_files: false,
            alone: false,
            stdin_name: None,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Overview {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the overview
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: OverviewFormat,
    /// In a page, link files to this address, in which {path} and {line} are replaced, such as
    /// `https://github.com/acme/infra/blob/main/{path}#L{line}`
    #[arg(long, value_name = "TEMPLATE", value_parser = link)]
    pub(crate) link: Option<Link>,
    /// Exit with 1 if something could not be read, resolved or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The directory of the settings, which is the root of a repository
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// Write nothing, print what of the settings is out of date, and exit with 1 if there is anything
    #[arg(long, conflicts_with_all = ["github", "gitlab", "pre_commit"])]
    pub(crate) check: bool,
    /// Also write a workflow of GitHub
    #[arg(long)]
    pub(crate) github: bool,
    /// Also write a pipeline of GitLab
    #[arg(long)]
    pub(crate) gitlab: bool,
    /// Also write hooks of pre-commit
    #[arg(long)]
    pub(crate) pre_commit: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Write nothing, list the files that are not in canonical layout, and exit with 1 if there are
    /// any
    #[arg(long)]
    pub(crate) check: bool,
    /// Print what changes, as a patch that `git apply` and `patch -p1` take; with --check nothing is
    /// written
    #[arg(long)]
    pub(crate) diff: bool,
    /// Write the files, which is the default
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Docs {
    /// Directories of modules
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Output format of the pages [default: that of the settings, or markdown-table]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PageFormat>,
    /// Make the pages of all modules at and below the directories, each with the settings of all
    /// directories around it
    #[arg(long)]
    pub(crate) recursive: bool,
    /// Write only files that have the comments which a page is put between
    #[arg(long)]
    pub(crate) marked: bool,
    /// Write nothing, list the files that are out of date, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Print what changes, as a patch that `git apply` and `patch -p1` take; with --check nothing is
    /// written
    #[arg(long)]
    pub(crate) diff: bool,
    /// Write the files, which is the default
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// With --recursive, respect .gitignore and .ignore
    #[arg(long, requires = "recursive")]
    pub(crate) ignore_files: bool,
    /// Print defaults of sensitive variables instead of `(sensitive)`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the diagnostics
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// How much to check [default: module]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,
    /// Do not report diagnostics with these codes (`warnings`: no warnings); a code takes precedence
    /// over `warnings`
    #[arg(long, value_name = "CODES", value_parser = selector_or_own, value_delimiter = ',')]
    #[arg(add = candidates::codes())]
    pub(crate) allow: Vec<Selector>,
    /// Report warnings with these codes (`warnings`: all warnings) as errors
    #[arg(long, value_name = "CODES", value_parser = selector_or_own, value_delimiter = ',')]
    #[arg(add = candidates::codes())]
    pub(crate) deny: Vec<Selector>,
    /// Select these rules beside the default ones: names of rules, of groups, of rules of tflint or
    /// OpenTofu (`core:unused-local`), or `all` (see `simd-hcl rules`)
    #[arg(long, value_name = "RULES", value_parser = rule_selector_or_own, value_delimiter = ',')]
    #[arg(add = candidates::rules())]
    pub(crate) select: Vec<RuleSelector>,
    /// Do not select these rules; a rule takes precedence over a group, a group over `all`
    #[arg(long, value_name = "RULES", value_parser = ignored_rule_or_own, value_delimiter = ',')]
    #[arg(add = candidates::rules())]
    pub(crate) ignore: Vec<RuleSelector>,
    /// Let groups and `all` also select rules in preview, which may still change
    #[arg(long)]
    pub(crate) preview: bool,
    /// How to read the defaults of Packer's variables: as Packer does, or literally as documented
    #[arg(long, default_value_t, value_name = "actual|documented")]
    pub(crate) packer_defaults: Defaults,
    /// Also check the bodies of resources against the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Treat this directory as a root module, in addition to modules that nothing calls and that
    /// have a backend or a `provider` block
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Treat no module as a root module, except those of --root
    #[arg(long)]
    pub(crate) no_root: bool,
    /// Report only findings that this file does not have
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings to the file of --baseline, and report none
    #[arg(long)]
    pub(crate) write_baseline: bool,
    /// Edit files where exactly one edit repairs a finding, and report the other findings
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) fix: bool,
    /// With --fix or --diff: also make edits that may change a value, remove an object or lose a
    /// comment
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,
    /// With --fix: write the files, which is the default
    #[arg(long, requires = "fix", conflicts_with = "diff")]
    pub(crate) write: bool,
    /// Print these edits as a patch instead, write nothing, and exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["write_baseline", "statistics"])]
    pub(crate) diff: bool,
    /// Print how often each diagnostic occurs, instead of the findings
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Print at most this many findings; 0 prints all [default: 1000 for people, otherwise all]
    #[arg(long, value_name = "N")]
    pub(crate) max_diagnostics: Option<usize>,
    /// Exit with 0 even if there are errors
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// Exit with 1 if something could not be read, resolved or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
    /// Check again after each change of a file, until the program is interrupted
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline"])]
    pub(crate) watch: bool,
    /// Print the answer of an earlier run if nothing has changed since, and keep that of this run
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline", "watch"])]
    pub(crate) cache: bool,
    #[command(flatten)]
    pub(crate) inputs: ExpandInputs,
}

impl Check {
    /// A check of everything, as without flags.
    pub(crate) fn of(configuration: Configuration) -> Self {
        Self {
            configuration,
            format: ReportFormat::Human,
            level: None,
            allow: Vec::new(),
            deny: Vec::new(),
            select: Vec::new(),
            ignore: Vec::new(),
            preview: false,
            packer_defaults: Defaults::default(),
            provider_schemas: None,
            root: Vec::new(),
            no_root: false,
            baseline: None,
            write_baseline: false,
            fix: false,
            unsafe_fixes: false,
            write: false,
            diff: false,
            statistics: false,
            watch: false,
            cache: false,
            max_diagnostics: None,
            exit_zero: false,
            fail_if_incomplete: false,
            inputs: ExpandInputs::default(),
        }
    }

    /// How much to check.
    pub(crate) fn level(&self) -> Level {
        self.level.unwrap_or_default()
    }
}

#[derive(Args, Debug)]
pub(crate) struct Expand {
    #[command(flatten)]
    pub(crate) root: ExpandRoot,
    /// Output format of the instances
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Only this instance, resource or module; nothing else is evaluated
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Vec<String>,
    /// Only resources of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Exit with 1 if something could not be read, resolved or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Why {
    /// The address of a value, such as `aws_instance.web[0].tags.Name`, `module.a.local.x` or
    /// `output.o`; `DIR:ADDRESS` also names the directory
    #[arg(add = candidates::addresses())]
    pub(crate) address: String,
    #[command(flatten)]
    pub(crate) root: ExpandRoot,
    /// Output format of the expressions
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

// A root module to evaluate.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExpandRoot {
    /// The directory of the root module, or of a unit of Terragrunt
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) inputs: ExpandInputs,
    /// Use the attributes and types of the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Print sensitive values instead of `(sensitive)`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
}

// The inputs of the evaluation of a root module.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Values")]
pub(crate) struct ExpandInputs {
    #[command(flatten)]
    pub(crate) values: Values,
    /// The value of `terraform.workspace` [default: that of simd-hcl.toml, or `default`]
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
    /// Use the values of data sources, and those that only providers set, from this state: the output
    /// of `show -json`, or a state file
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// The time that `timestamp` and `plantimestamp` return, such as 2030-01-02T03:04:05Z
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
    /// Let functions read files outside of the directory of the root module and of its git work tree
    #[arg(long)]
    pub(crate) allow_outside: bool,
    #[command(flatten)]
    pub(crate) unit: UnitInputs,
}

// The inputs of the evaluation of units of Terragrunt.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Units of Terragrunt")]
pub(crate) struct UnitInputs {
    /// Set an environment variable for `get_env`, which sees no others
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) env: Vec<(String, String)>,
    /// Set the value of a feature
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) feature: Vec<(String, String)>,
    /// Switch an experiment of Terragrunt on: `symlinks`, `deep-merge`, `mutable-generate`
    #[arg(long, value_name = "NAME")]
    pub(crate) experiment: Vec<String>,
}

// The inputs of the evaluation of both versions of a root module.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Values")]
pub(crate) struct ReviewInputs {
    #[command(flatten)]
    pub(crate) values: Values,
    /// The value of `terraform.workspace` [default: that of simd-hcl.toml, or `default`]
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
    /// The time that `timestamp` and `plantimestamp` return, such as 2030-01-02T03:04:05Z
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
    /// Let functions read files outside of the repository
    #[arg(long)]
    pub(crate) allow_outside: bool,
    #[command(flatten)]
    pub(crate) unit: UnitInputs,
}

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the modules
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print JSON in the shape of terraform-config-inspect
    #[arg(long)]
    pub(crate) compat: bool,
    /// Print the lowest version of each tool that a module needs, and why
    #[arg(long, conflicts_with = "compat")]
    pub(crate) versions: bool,
    /// Print values that must not be shown instead of `(sensitive)`: those of sensitive and ephemeral
    /// variables and outputs, and expressions that call `sensitive`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Debug)]
pub(crate) struct References {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the references
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the graph; `human` is DOT
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: GraphFormat,
    /// The same as `--format mermaid`
    #[arg(long, conflicts_with = "format")]
    pub(crate) mermaid: bool,
    /// Print only modules and their calls
    #[arg(long)]
    pub(crate) modules: bool,
    #[command(flatten)]
    pub(crate) part: GraphPart,
}

// The part of a graph to print. Not a doc comment, as in `Configuration`.
#[derive(Args, Debug)]
pub(crate) struct GraphPart {
    /// Only this object, what it needs and what needs it: an address (`aws_vpc.main`), an address in
    /// one module (`path:aws_vpc.main`), or a module (`path`)
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) focus: Vec<String>,
    /// How many edges to follow from `--focus`, in each direction
    #[arg(long, value_name = "N", default_value_t = 1, requires = "focus")]
    pub(crate) depth: u32,
    /// Print each module as one node; with `=PATH`, only the modules in these directories
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true, default_missing_value = "*", conflicts_with = "modules")]
    pub(crate) collapse: Vec<String>,
    /// Only objects of this type: of a resource (`aws_vpc`), or of a block (`output`); `*` matches any
    /// characters, `?` one
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "modules")]
    pub(crate) types: Vec<String>,
    /// Only objects of the modules in this directory; `*` matches any characters, `?` one
    #[arg(long, value_name = "PATH")]
    pub(crate) module: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Dependents {
    /// An address (`aws_vpc.main`), an address in one module (`path:aws_vpc.main`), or a file
    #[arg(value_name = "ADDRESS|FILE", add = candidates::addresses())]
    pub(crate) of: String,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the objects
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Affected {
    /// Directories to search for modules [default: .], and changed files, also those that git knows
    /// and that are deleted
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the names of changed files from this file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Use all files that differ from where this git revision and HEAD parted, untracked ones
    /// included; `A..B` compares exactly these two
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
    /// Print all paths from changed files to this module
    #[arg(long, value_name = "ROOT")]
    pub(crate) explain: Option<PathBuf>,
    /// List root modules only: those that nothing calls and that have a backend or a `provider`
    /// block
    #[arg(long)]
    pub(crate) roots: bool,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// Output format of the modules
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: AffectedFormat,
    /// Exit with 1 if something could not be read, resolved or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
    /// Print the answer of an earlier run if nothing has changed since, and keep that of this run
    #[arg(long)]
    pub(crate) cache: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Units {
    /// Folders to search for units and stacks of Terragrunt
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Output format of the units
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// List each unit after those that it depends on
    #[arg(long)]
    pub(crate) dag: bool,
    /// Add the units that each one depends on
    #[arg(long)]
    pub(crate) dependencies: bool,
    /// Add the files that each unit includes
    #[arg(long)]
    pub(crate) include: bool,
    /// Add the files that decide about each unit
    #[arg(long)]
    pub(crate) reading: bool,
    /// Add the `exclude` block of each unit
    #[arg(long)]
    pub(crate) exclude: bool,
    /// Do not search folders whose names start with a dot
    #[arg(long)]
    pub(crate) no_hidden: bool,
    /// Leave out the units whose `exclude` block lists this command
    #[arg(long, value_name = "CMD")]
    pub(crate) queue_construct_as: Option<String>,
    /// Print the inputs and local values of each unit
    #[arg(long, conflicts_with_all = ["dependencies", "include", "reading", "exclude"])]
    pub(crate) render: bool,
    /// List the units that stacks would generate, as if they had been; nothing is written
    #[arg(long)]
    pub(crate) stacks: bool,
    #[command(flatten)]
    pub(crate) unit: UnitInputs,
    /// Print sensitive values instead of `(sensitive)`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
    /// Exit with 1 if anything could not be read or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
}

/// Reads `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Roots {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Query {
    /// A path pattern, such as `resource.aws_instance.*.ami` or `**.prevent_destroy`
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// List only matches for which this HCL condition over attributes is true: `instance_type ==
    /// "t3.large"`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Output format of the matches
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: QueryFormat,
    /// Maximum size of one block of a file that is read as a stream, in bytes
    #[arg(long, default_value_t = 1 << 30, value_name = "N")]
    pub(crate) max_record: usize,
    /// Print values that must not be shown instead of `(sensitive)`: those of sensitive and ephemeral
    /// variables and outputs, and expressions that call `sensitive`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The old configuration: a directory, a file, a git revision, or REVISION:PATH
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The new configuration
    #[arg(value_name = "NEW", default_value = ".")]
    pub(crate) new: String,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// Exit with status 1 if anything differs
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Output format of the differences
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Compare the values of instances and outputs of root modules, as `review` does
    #[arg(long)]
    pub(crate) values: bool,
    /// Use the attributes and types of the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE", requires = "values")]
    pub(crate) provider_schemas: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: ReviewInputs,
    /// Print values that must not be shown instead of `(sensitive)`: those of sensitive and ephemeral
    /// variables and outputs, and expressions that call `sensitive`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Review {
    /// Directories whose root modules are meant [default: all]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Compare with where this git revision and HEAD parted, untracked files included; `A..B` compares
    /// exactly these two [default: HEAD]
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
    #[command(flatten)]
    pub(crate) inputs: ReviewInputs,
    /// Use the attributes and types of the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// Output format of the review
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ReviewFormat,
    /// Maximum length of Markdown, in characters; what is left out is counted
    #[arg(long, value_name = "N", default_value_t = 65_535)]
    pub(crate) max_length: usize,
    /// Print sensitive values instead of `(sensitive)`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
    /// Exit with 1 if something could not be read, resolved or known
    #[arg(long)]
    pub(crate) fail_if_incomplete: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Config {
    /// The directory of the root module
    #[arg(default_value = ".")]
    pub(crate) directory: PathBuf,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Distinguish nested blocks from arguments by the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Print exactly what the tools print for JSON syntax, including the text of templates as
    /// constant values
    #[arg(long)]
    pub(crate) compat: bool,
    /// Output format: JSON, pretty-printed for `human`, otherwise on one line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Print values that must not be shown instead of `(sensitive)`: those of sensitive and ephemeral
    /// variables and outputs, and expressions that call `sensitive`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// Files to convert, and directories of them; `-` is standard input. Without --out-dir, one file,
    /// which is printed
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The syntax to write
    #[arg(long, value_name = "SYNTAX")]
    pub(crate) to: SyntaxName,
    /// Write the converted files to this directory, named for the other syntax, and print their paths
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Overwrite files in --out-dir that exist
    #[arg(long, requires = "out_dir")]
    pub(crate) force: bool,
    /// Distinguish nested blocks from arguments by the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin")]
    pub(crate) stdin_name: String,
}

/// The syntax to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SyntaxName {
    /// HCL native syntax
    Native,
    /// JSON
    Json,
}

impl From<SyntaxName> for Syntax {
    fn from(name: SyntaxName) -> Self {
        match name {
            SyntaxName::Native => Self::Native,
            SyntaxName::Json => Self::Json,
        }
    }
}

/// The arguments that say how `decode` reads bodies without a specification. clap does not miss
/// what an argument requires if that conflicts with another one that is there.
const SCHEMAS: [&str; 2] = ["schema", "provider_schemas"];

#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The file to decode; `-` is standard input. With `--spec`, several files are read as one, and
    /// standard input is read if no file is given
    #[arg(value_name = "FILE", required_unless_present = "spec")]
    pub(crate) files: Vec<PathBuf>,
    /// The schema: `{"mode": "content|partial|just_attributes", "attributes": {…}, "blocks": {…}}`
    #[arg(long, value_name = "FILE", required_unless_present_any = ["provider_schemas", "spec"])]
    pub(crate) schema: Option<PathBuf>,
    /// Read a file of OpenTofu or Terraform, and the bodies of its resources by the schemas in this
    /// file, the output of `providers schema -json`
    #[arg(long, value_name = "FILE", conflicts_with = "schema")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Decode by this specification, and print the value, as `hcldec` does; the exit status is 2 if
    /// there is an error
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["schema", "provider_schemas", "dialect", "literal", "format"]
    )]
    pub(crate) spec: Option<PathBuf>,
    /// With `--spec`: print the variables that the files refer to, not the value
    #[arg(long, requires = "spec", conflicts_with_all = SCHEMAS)]
    pub(crate) var_refs: bool,
    /// With `--spec`: print the type of the value beside the value
    #[arg(long, requires = "spec", conflicts_with_all = SCHEMAS)]
    pub(crate) with_type: bool,
    /// With `--spec`: keep members that are null
    #[arg(long, requires = "spec", conflicts_with_all = SCHEMAS)]
    pub(crate) keep_nulls: bool,
    /// With `--spec`: how diagnostics are written to standard error
    #[arg(long, value_name = "FORMAT", requires = "spec", conflicts_with_all = SCHEMAS)]
    pub(crate) diags: Option<DiagnosticFormat>,
    /// With `--spec`: write to this file, not to standard output
    #[arg(short, long, value_name = "FILE", requires = "spec", conflicts_with_all = SCHEMAS)]
    pub(crate) out: Option<PathBuf>,
    /// Follow the rules of this tool [default: opentofu]
    #[arg(long, value_name = "NAME", requires = "provider_schemas")]
    pub(crate) dialect: Option<DialectName>,
    /// Read the file in this syntax, whatever its name is
    #[arg(long, value_name = "SYNTAX")]
    pub(crate) syntax: Option<SyntaxName>,
    /// Read strings literally, not as templates
    #[arg(long, conflicts_with = "vars")]
    pub(crate) literal: bool,
    /// Read variables from this file, a JSON object; with an empty object, every variable is an
    /// error. With `--spec`, also a native file, or the JSON object itself; can be repeated
    #[arg(short = 'V', long, value_name = "FILE")]
    pub(crate) vars: Vec<String>,
    /// Output format of the body: JSON, on one line for `ndjson`
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The file name of standard input; by default `stdin.tf.json`, with --spec `<stdin>`
    #[arg(long, value_name = "NAME")]
    pub(crate) stdin_name: Option<String>,
}

/// How diagnostics of `decode --spec` are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagnosticFormat {
    /// For programs, as hcldec writes them
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct Templates {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the templates
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print values that must not be shown instead of `(sensitive)`: those of sensitive and ephemeral
    /// variables and outputs, and expressions that call `sensitive`
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

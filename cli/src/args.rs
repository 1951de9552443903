//! Commands and flags.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use simd_hcl::packer::Defaults;
use simd_hcl::show::ActionKind;
use simd_hcl::suggest::nearest;
use simd_hcl::{Code, Dialect};

/// Reads the configuration, plans and states of OpenTofu, Terraform and Packer.
#[derive(Debug, Parser)]
#[command(name = "simd-hcl", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

// Deferred: only the flags of the command that is called are made.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Check all modules below the given paths, and report what is wrong
    Check(Check),
    /// Write native files in canonical layout
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
    /// List the blocks and attributes that a path pattern selects
    Query(Query),
    /// List the objects and values that differ between two configurations
    Diff(Diff),
    /// Print the configuration representation of a module, as `show -json` does
    Config(Config),
    /// Convert files from JSON to native syntax, or back
    Convert(Convert),
    /// Decode one file by a schema, and evaluate its attributes
    Decode(Decode),
    /// List every template below the given paths, with its references
    Templates(Templates),
    /// Evaluate one expression
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
    Events(Events),
    /// Explain diagnostics
    Explain(Explain),
    /// List the kernels that this machine can run
    Kernels(Kernels),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the manual page, or that of one command
    Man { command: Option<String> },
}

/// Flags of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Number of threads, at most 1024; 0 uses all cores
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Read large files instead of mapping them; use this if files may be truncated while they are
    /// read
    #[arg(long, global = true)]
    pub(crate) no_mmap: bool,
    /// Maximum nesting depth of objects and arrays
    #[arg(long, global = true, default_value_t = 10_000, value_name = "N")]
    pub(crate) max_depth: u32,
    /// Maximum decompressed size of a document, or of each part of a plan file, in bytes
    #[arg(long, global = true, default_value_t = 1 << 30, value_name = "N")]
    pub(crate) max_decompressed: u64,
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
}

/// The formats of plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One change per line
    Ndjson,
    /// Comma-separated values with a header line: one record per change, or per leaf
    Csv,
    /// A tree of modules, changes and leaves
    Tree,
    /// For comments on pull requests, up to `--max-bytes` long
    Markdown,
    /// The output of `show -json`
    ShowJson,
    /// Findings of rules as GitHub workflow commands
    Github,
    /// Findings of rules as SARIF 2.1.0
    Sarif,
    /// Findings of rules, one per line
    Concise,
    /// Findings of rules as a JUnit XML report
    Junit,
    /// Findings of rules as a GitLab Code Quality report
    Gitlab,
    /// Findings of rules as Azure Pipelines logging commands
    Azure,
}

impl PlanFormat {
    /// The same format of findings, if any.
    pub(crate) fn of_findings(self) -> Option<ReportFormat> {
        match self {
            Self::Human => Some(ReportFormat::Human),
            Self::Json => Some(ReportFormat::Json),
            Self::Ndjson => Some(ReportFormat::Ndjson),
            Self::Github => Some(ReportFormat::Github),
            Self::Sarif => Some(ReportFormat::Sarif),
            Self::Concise => Some(ReportFormat::Concise),
            Self::Junit => Some(ReportFormat::Junit),
            Self::Gitlab => Some(ReportFormat::Gitlab),
            Self::Azure => Some(ReportFormat::Azure),
            Self::Csv | Self::Tree | Self::Markdown | Self::ShowJson => None,
        }
    }

    /// Whether this format can print plans.
    pub(crate) fn is_of_plans(self) -> bool {
        matches!(
            self,
            Self::Human
                | Self::Json
                | Self::Ndjson
                | Self::Csv
                | Self::Tree
                | Self::Markdown
                | Self::ShowJson
        )
    }
}

/// The formats of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// Comma-separated values with a header line
    Csv,
}

impl From<Format> for ListFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Human => Self::Human,
            Format::Json => Self::Json,
            Format::Ndjson => Self::Ndjson,
        }
    }
}

/// The formats of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// GitHub workflow commands, which annotate pull requests
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// One per line: `PATH:LINE:COLUMN: SEVERITY[CODE]: DETAIL`
    Concise,
    /// A JUnit XML report
    Junit,
    /// A GitLab Code Quality report
    Gitlab,
    /// Azure Pipelines logging commands
    Azure,
}

/// The diagnostics that a flag is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// Those of a code.
    Code(Code),
    /// All warnings.
    Warnings,
}

impl ReportFormat {
    /// The format of data that has a place for the same things.
    pub(crate) fn carrier(self) -> ListFormat {
        match self {
            Self::Human | Self::Concise => ListFormat::Human,
            Self::Json
            | Self::Ndjson
            | Self::Github
            | Self::Sarif
            | Self::Junit
            | Self::Gitlab
            | Self::Azure => ListFormat::Json,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Syntax, and the root body of each file
    Syntax,
    /// Also declarations, references, types and calls of modules
    #[default]
    Module,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DialectName {
    Opentofu,
    Terraform,
    Packer,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Opentofu => Self::OpenTofu,
            DialectName::Terraform => Self::Terraform,
            DialectName::Packer => Self::Packer,
        }
    }
}

// Which configuration is read. Documentation of what is flattened into a command would be shown as
// the command's.
#[derive(Args, Debug)]
pub(crate) struct Configuration {
    /// Directories to search for modules, or files; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
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
    /// One directory alone.
    pub(crate) fn of_directory(directory: PathBuf, dialect: Option<DialectName>) -> Self {
        Self {
            paths: vec![directory],
            dialect,
            ignore_files: false,
            alone: false,
            stdin_name: None,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Write nothing, list the files that are not in canonical layout, and exit with 1 if there are
    /// any
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the diagnostics
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// How much to check
    #[arg(long, default_value = "module", value_name = "LEVEL")]
    pub(crate) level: Level,
    /// Do not report diagnostics with these codes, or any `warnings`; a code takes precedence over
    /// `warnings`
    #[arg(long, value_name = "CODES", value_parser = selector, value_delimiter = ',')]
    pub(crate) allow: Vec<Selector>,
    /// Report warnings with these codes, or all `warnings`, as errors
    #[arg(long, value_name = "CODES", value_parser = selector, value_delimiter = ',')]
    pub(crate) deny: Vec<Selector>,
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
    /// Exit with 0 even if there are errors
    #[arg(long)]
    pub(crate) exit_zero: bool,
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
    pub(crate) format: Format,
    /// Print Mermaid instead of DOT
    #[arg(long)]
    pub(crate) mermaid: bool,
    /// Only modules and their calls
    #[arg(long)]
    pub(crate) modules: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Dependents {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// An address (`aws_vpc.main`), an address in one module (`path:aws_vpc.main`), or a file
    #[arg(required = true, value_name = "ADDRESS|FILE")]
    pub(crate) of: String,
    /// Output format of the objects
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Affected {
    /// Directories to search for modules [default: .], and changed files, deleted ones included
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the names of changed files from this file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Use all files that differ from this git revision, untracked ones included
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
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
}

/// The formats of affected modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AffectedFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// The matrix of a GitHub workflow: `{"include": [{"path": …}]}`
    GithubMatrix,
}

#[derive(Args, Debug)]
pub(crate) struct Query {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// A path pattern, such as `resource.aws_instance.*.ami` or `**.prevent_destroy`
    #[arg(required = true, value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// List only matches for which this HCL condition over attributes is true: `instance_type ==
    /// "t3.large"`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Output format of the matches
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
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
}

#[derive(Args, Debug)]
pub(crate) struct Config {
    /// The directory of the root module
    #[arg(default_value = ".")]
    pub(crate) directory: PathBuf,
    /// Follow the rules of this tool
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<DialectName>,
    /// Split bodies by the schemas in this file, the output of `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Print exactly what the tools print for JSON, template text as constant values included
    #[arg(long)]
    pub(crate) compat: bool,
    /// Output format: JSON, pretty-printed for `human`, otherwise on one line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The files; `-` is standard input. One file is printed
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The syntax to write
    #[arg(long, value_name = "SYNTAX")]
    pub(crate) to: SyntaxName,
    /// Write each file to this directory, under its name in the other syntax, and print where
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Tell nested blocks from arguments by the schemas in this file, the output of
    /// `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// The tool whose rules the files follow
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin")]
    pub(crate) stdin_name: String,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SyntaxName {
    /// HCL native syntax
    Native,
    /// JSON
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The file; `-` is standard input
    pub(crate) file: PathBuf,
    /// The schema: `{"mode": "content|partial|just_attributes", "attributes": {…}, "blocks": {…}}`
    #[arg(long, value_name = "FILE", required_unless_present = "provider_schemas")]
    pub(crate) schema: Option<PathBuf>,
    /// Read a file of OpenTofu or Terraform, and the bodies of its resources by the schemas in this
    /// file, the output of `providers schema -json`
    #[arg(long, value_name = "FILE", conflicts_with = "schema")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// The tool whose rules the file follows
    #[arg(long, value_name = "NAME", requires = "provider_schemas")]
    pub(crate) dialect: Option<DialectName>,
    /// Read strings literally, not as templates
    #[arg(long, conflicts_with = "vars")]
    pub(crate) literal: bool,
    /// A file with a JSON object of variables; with an empty object, every variable is an error
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Option<PathBuf>,
    /// Output format of the body: JSON, on one line for `ndjson`
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.tf.json")]
    pub(crate) stdin_name: String,
}

// Which of the changes or resources. No documentation, as for `Configuration`.
#[derive(Args, Debug)]
pub(crate) struct Selection {
    /// Only resources of this type; `*` matches any characters, `?` one
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only resources of this module and the modules below; without keys, of all its instances
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) module: Vec<String>,
    /// Only the resource with this address; without a key, all its instances
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Vec<String>,
    /// Also print sensitive values
    #[arg(long)]
    pub(crate) show_sensitive: bool,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

impl Selection {
    /// Whether a filter is set.
    pub(crate) fn is_used(&self) -> bool {
        !self.types.is_empty() || !self.module.is_empty() || !self.address.is_empty()
    }
}

/// What prints something else than the findings of rules.
const NO_RULES: [&str; 7] = [
    "diff",
    "values",
    "planned_values",
    "prior_state",
    "configuration",
    "detailed_exitcode",
    "follow",
];

#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// The plan as JSON, the file written by `plan -out`, or the events of `plan -json` or `apply
    /// -json`; `-` is standard input
    pub(crate) file: PathBuf,
    /// Output format; `ndjson` and `csv` print one change per line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Only changes of this kind: create, read, update, delete, replace, no-op, forget,
    /// replace-forget, other
    #[arg(long, value_name = "KIND", value_parser = action_kind)]
    pub(crate) action: Vec<ActionKind>,
    /// Read the values of a binary plan file by the schemas in this file, the output of `providers
    /// schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Read an event stream of `plan -json` or `apply -json`, and print each event as it arrives
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print each value that changes
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print all values of each change, unchanged ones included
    #[arg(long, conflicts_with = "diff")]
    pub(crate) values: bool,
    /// Print the planned values as JSON
    #[arg(long, group = "member")]
    pub(crate) planned_values: bool,
    /// Print the prior state as JSON
    #[arg(long, group = "member")]
    pub(crate) prior_state: bool,
    /// Print the configuration of the plan as JSON
    #[arg(long, group = "member")]
    pub(crate) configuration: bool,
    /// Only the changes that this older plan (JSON, plan file or event stream) does not have
    #[arg(long, value_name = "OLD_PLAN")]
    pub(crate) against: Option<PathBuf>,
    /// Print the file and line that declare each change; DIR is the planned root module
    #[arg(long, value_name = "DIR", conflicts_with_all = ["follow", "member"])]
    pub(crate) source: Option<PathBuf>,
    /// Exit with 2 if there are changes
    #[arg(long)]
    pub(crate) detailed_exitcode: bool,
    /// Report changes for which this condition is true as errors: `change.after.acl ==
    /// "public-read"`
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = NO_RULES)]
    pub(crate) deny: Vec<String>,
    /// Report changes for which this condition is true as warnings
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = NO_RULES)]
    pub(crate) warn: Vec<String>,
    /// Check the changes by the rules in this file (docs/policy.md); several files form one set
    #[arg(long, value_name = "FILE", conflicts_with_all = NO_RULES)]
    pub(crate) rules: Vec<PathBuf>,
    /// Report rules that cannot be decided before apply as errors
    #[arg(long)]
    pub(crate) deny_undecided: bool,
    /// Maximum length of Markdown, in bytes
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub(crate) max_bytes: usize,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

impl Plan {
    /// Whether rules check the plan.
    pub(crate) fn has_rules(&self) -> bool {
        !(self.deny.is_empty() && self.warn.is_empty() && self.rules.is_empty())
    }

    /// The only member of the plan to print.
    pub(crate) fn member(&self) -> Option<&'static str> {
        let members = [
            (self.planned_values, "planned_values"),
            (self.prior_state, "prior_state"),
            (self.configuration, "configuration"),
        ];
        members.into_iter().find(|(is_wanted, _)| *is_wanted).map(|(_, name)| name)
    }
}

#[derive(Args, Debug)]
pub(crate) struct State {
    /// The state as JSON, a state file, or a plan file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Output format; `ndjson` and `csv` print one resource per line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print all values of each resource
    #[arg(long)]
    pub(crate) values: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

/// What `redact` hides although no mark says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Constants in the configuration of providers
    ProviderConfig,
    /// The text of sensitive strings where the document repeats it without a mark
    RepeatedText,
}

#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// The plan or state as JSON, a state file, or the file written by `plan -out`; `-` is standard
    /// input
    pub(crate) file: PathBuf,
    /// Also replace the defaults of sensitive variables
    #[arg(long)]
    pub(crate) defaults: bool,
    /// Read the values of a binary plan file by the schemas in this file, the output of `providers
    /// schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Keep values that are hidden although no mark says so
    #[arg(long, value_name = "WHAT")]
    pub(crate) keep: Vec<Keep>,
    /// Continue if the sensitive values are not known: format 0.1, state files of version 1 to 3,
    /// plan files without schemas
    #[arg(long)]
    pub(crate) force: bool,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// The schemas as JSON, or a plan file that contains them; `-` is standard input
    pub(crate) file: PathBuf,
    /// The type of a resource, data source, ephemeral resource, list, action or state store, or a
    /// provider
    #[arg(value_name = "TYPE")]
    pub(crate) type_name: String,
    /// Output format; `json` is a list of the schemas as in the file, with kind, provider and name
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Templates {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Output format of the templates
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression, such as `upper("a")`; `-` is standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Evaluate a template, such as `Hello ${name}`
    #[arg(long)]
    pub(crate) template: bool,
    /// A file with a JSON object of variables
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Option<PathBuf>,
    /// Output format of the value; `human` is an HCL expression
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Events {
    /// Any JSON file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Output format of the events
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print the events of the first pass, in which containers below the skeleton are sealed
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Kernels {
    /// Output format of the kernels
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Codes of diagnostics, such as `unknown-variable` [default: list all codes]
    #[arg(value_name = "CODE", value_parser = code)]
    pub(crate) codes: Vec<Code>,
    /// Output format of the explanations
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

fn selector(name: &str) -> Result<Selector, String> {
    const WARNINGS: &str = "warnings";
    if name == WARNINGS {
        return Ok(Selector::Warnings);
    }
    code_or(name, Some(WARNINGS)).map(Selector::Code)
}

fn code(name: &str) -> Result<Code, String> {
    code_or(name, None)
}

/// The code of that name. An error suggests the nearest code, or `other`.
fn code_or(name: &str, other: Option<&'static str>) -> Result<Code, String> {
    Code::from_name(name).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.as_str());
        match nearest(name, names.chain(other)) {
            Some(nearest) => format!("no diagnostic has this code; did you mean \"{nearest}\"?"),
            None => "no diagnostic has this code; `simd-hcl explain` lists them".to_owned(),
        }
    })
}

fn action_kind(name: &str) -> Result<ActionKind, String> {
    ActionKind::of(name).ok_or_else(|| {
        let kinds = ActionKind::ALL.map(|kind| kind.name().replace('_', "-"));
        format!("the kinds of changes are {}", kinds.join(", "))
    })
}

//! Commands and flags.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use simd_hcl::packer::Defaults;
use simd_hcl::show::ActionKind;
use simd_hcl::suggest::nearest;
use simd_hcl::{Code, Dialect};

/// Decodes the JSON side of HCL: OpenTofu, Terraform and Packer configuration as generators write it.
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
    /// Parse everything below some paths, and say what is wrong with it
    Check(Check),
    /// List modules, the files that they are made of, and their top-level blocks
    Inspect(Inspect),
    /// List who refers to what, in every module
    References(References),
    /// Print what depends on what: objects, or modules
    Graph(Graph),
    /// List everything that is affected when an object or a file changes
    Dependents(Dependents),
    /// List the modules that changed files affect, and why
    Affected(Affected),
    /// List the blocks and attributes that a path pattern selects
    Query(Query),
    /// List the objects that differ between two configurations, and which of their values
    Diff(Diff),
    /// Print the configuration representation of a module, as `show -json` has it
    Config(Config),
    /// Decode one file by a schema, and evaluate its attributes
    Decode(Decode),
    /// List every template of a tree, and what it refers to
    Templates(Templates),
    /// Evaluate one expression
    Eval(Eval),
    /// Summarise a plan, as `show -json` prints it
    Plan(Plan),
    /// List the resources of a state, as `show -json` prints it, or of a state file
    State(State),
    /// Print a plan or state with its sensitive values replaced
    Redact(Redact),
    /// Print the schema of one type, from what `providers schema -json` prints
    Schema(Schema),
    /// Print the event stream of a JSON file
    Events(Events),
    /// List the kernels, and which one is used
    Kernels(Kernels),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the manual page, of one command if it is named
    Man { command: Option<String> },
}

/// Flags of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Use so many threads, at most 1024; 0 for as many as the machine has
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Read large files instead of mapping them: needed when something may truncate them meanwhile
    #[arg(long, global = true)]
    pub(crate) no_mmap: bool,
    /// Accept so many levels of nested objects and arrays
    #[arg(long, global = true, default_value_t = 10_000, value_name = "N")]
    pub(crate) max_depth: u32,
    /// Limit the decompressed size of a document, or of each part of a plan file, to this many bytes
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
    /// One JSON value a line
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
    /// One change a line
    Ndjson,
    /// Comma-separated values, after a line of names: a record for each change, or for each leaf
    Csv,
    /// Changes below their modules, with their leaves
    Tree,
    /// For comments on pull requests, within `--max-bytes`
    Markdown,
    /// What `show -json` prints
    ShowJson,
    /// Findings of rules as commands of GitHub's workflows
    Github,
    /// Findings of rules as SARIF 2.1.0
    Sarif,
    /// Findings of rules, one line each
    Concise,
    /// Findings of rules as a test report in the XML of JUnit
    Junit,
    /// Findings of rules as a report of GitLab Code Quality
    Gitlab,
    /// Findings of rules as logging commands of Azure Pipelines
    Azure,
}

impl PlanFormat {
    /// The same format of findings, if there is one.
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

    /// Whether plans themselves are printed so.
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
    /// One JSON value a line
    Ndjson,
    /// Comma-separated values, after a line of names
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
    /// One JSON value a line
    Ndjson,
    /// Commands of GitHub's workflows, which annotate pull requests
    Github,
    /// SARIF 2.1.0, which code scanning reads
    Sarif,
    /// One line each: `PATH:LINE:COLUMN: SEVERITY[CODE]: DETAIL`
    Concise,
    /// A test report in the XML of JUnit
    Junit,
    /// A report of GitLab Code Quality
    Gitlab,
    /// Logging commands of Azure Pipelines
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
    /// Bytes, and the root body of each file
    Syntax,
    /// Also what the files of a module declare, references, and calls of other modules
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

// Which configuration is read. Documentation of what is flattened into a command would be shown as the command's.
#[derive(Args, Debug)]
pub(crate) struct Configuration {
    /// Directories of modules, or files in their modules; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// Read a file as a module of its own, whatever is in its directory
    #[arg(long)]
    pub(crate) alone: bool,
    /// Read standard input in the place of this file, in the module around it
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
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// How to print the diagnostics
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// How deep to look
    #[arg(long, default_value = "module", value_name = "LEVEL")]
    pub(crate) level: Level,
    /// Leave out the diagnostics of these codes, or all `warnings`; what names a code counts before `warnings`
    #[arg(long, value_name = "CODES", value_parser = selector, value_delimiter = ',')]
    pub(crate) allow: Vec<Selector>,
    /// Turn the warnings of these codes, or all `warnings`, into errors
    #[arg(long, value_name = "CODES", value_parser = selector, value_delimiter = ',')]
    pub(crate) deny: Vec<Selector>,
    /// How defaults of Packer's variables are read: as Packer does, or literally as its documentation says
    #[arg(long, default_value_t, value_name = "actual|documented")]
    pub(crate) packer_defaults: Defaults,
    /// Check the bodies of resources, too, by the schemas of this file, which `providers schema -json` printed
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Take this directory for a root module, too, besides those that nothing calls and that have a backend or a
    /// provider block
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Take no module for a root module, but those of --root
    #[arg(long)]
    pub(crate) no_root: bool,
    /// Exit with 0 even when errors were found
    #[arg(long)]
    pub(crate) exit_zero: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// How to print the modules
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print what terraform-config-inspect prints: JSON in any case
    #[arg(long)]
    pub(crate) compat: bool,
}

#[derive(Args, Debug)]
pub(crate) struct References {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// How to print the references
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// How to print the graph: DOT for people
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Print Mermaid instead of DOT
    #[arg(long)]
    pub(crate) mermaid: bool,
    /// Only modules, and which calls which
    #[arg(long)]
    pub(crate) modules: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Dependents {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// An address (`aws_vpc.main`), one of a module (`path:aws_vpc.main`), or a file
    #[arg(required = true, value_name = "ADDRESS|FILE")]
    pub(crate) of: String,
    /// How to print the objects
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Affected {
    /// Directories of modules [default: .], and files that changed, deleted ones included
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the names of changed files from this file, a name per line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Take all files that differ from this revision of git, untracked ones included
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
    /// List root modules only: those that nothing calls and that have a backend or a provider block
    #[arg(long)]
    pub(crate) roots: bool,
    /// Follow the rules of this tool [default: opentofu, and packer for its files]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<DialectName>,
    /// Respect .gitignore and .ignore, which usually hide generated configuration
    #[arg(long)]
    pub(crate) ignore_files: bool,
    /// How to print the modules
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
    /// One JSON value a line
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
    /// List only what this HCL expression over attributes holds for: `instance_type == "t3.large"`
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// How to print the matches
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The old configuration: a directory, a file, a revision of git, or REVISION:PATH
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
    /// How to print the differences
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
    /// Split bodies by the schemas of this file, which `providers schema -json` printed
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Print what the tools print for JSON: texts of templates as constant values, too
    #[arg(long)]
    pub(crate) compat: bool,
    /// How to print it: JSON in any case, on one line unless for people
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The file; `-` is standard input
    pub(crate) file: PathBuf,
    /// The schema: `{"mode": "content|partial|just_attributes", "attributes": {…}, "blocks": {…}}`
    #[arg(long, value_name = "FILE", required_unless_present = "provider_schemas")]
    pub(crate) schema: Option<PathBuf>,
    /// Read a file of OpenTofu or Terraform, the bodies of its resources by the schemas of this file, which
    /// `providers schema -json` printed
    #[arg(long, value_name = "FILE", conflicts_with = "schema")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// The tool whose rules the file follows
    #[arg(long, value_name = "NAME", requires = "provider_schemas")]
    pub(crate) dialect: Option<DialectName>,
    /// Take strings as they are: no templates
    #[arg(long, conflicts_with = "vars")]
    pub(crate) literal: bool,
    /// A JSON object of variables; an empty one allows no variables at all
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Option<PathBuf>,
    /// How to print the body: JSON in any case, on one line for `ndjson`
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.tf.json")]
    pub(crate) stdin_name: String,
}

// Which of the changes or resources. No documentation, as for `Configuration`.
#[derive(Args, Debug)]
pub(crate) struct Selection {
    /// Only resources of this type; `*` stands for any characters, `?` for one
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only resources of this module and those below; without keys, of all its instances
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) module: Vec<String>,
    /// Only the resource of this address; without a key, all its instances
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Vec<String>,
    /// Print sensitive values, too
    #[arg(long)]
    pub(crate) show_sensitive: bool,
    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

impl Selection {
    /// Whether anything is selected.
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
    /// The plan as JSON, the file that `plan -out` wrote, or the events of `plan -json` or `apply -json`; `-` is
    /// standard input
    pub(crate) file: PathBuf,
    /// How to print it; for `ndjson` and `csv`, one change a line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Only changes of this kind: create, read, update, delete, replace, no-op, forget, replace-forget, other
    #[arg(long, value_name = "KIND", value_parser = action_kind)]
    pub(crate) action: Vec<ActionKind>,
    /// Read the values of a binary plan file by the schemas of this file, which `providers schema -json` printed
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Read an event stream of `plan -json` or `apply -json`, and print each event when it comes
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print each change leaf by leaf
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print all leaves of each change, those too that do not differ
    #[arg(long, conflicts_with = "diff")]
    pub(crate) values: bool,
    /// Print what the plan expects to be, as JSON
    #[arg(long, group = "member")]
    pub(crate) planned_values: bool,
    /// Print what was before, as JSON
    #[arg(long, group = "member")]
    pub(crate) prior_state: bool,
    /// Print the configuration that was planned, as JSON
    #[arg(long, group = "member")]
    pub(crate) configuration: bool,
    /// Only what this plan does and the other one does not, which is given as JSON, plan file or event stream
    #[arg(long, value_name = "OLD_PLAN")]
    pub(crate) against: Option<PathBuf>,
    /// Name the file and line that declare each change: the root module that was planned
    #[arg(long, value_name = "DIR", conflicts_with_all = ["follow", "member"])]
    pub(crate) source: Option<PathBuf>,
    /// Exit with 2 if there are changes
    #[arg(long)]
    pub(crate) detailed_exitcode: bool,
    /// Print the changes for which this condition is true, as errors: `change.after.acl == "public-read"`
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = NO_RULES)]
    pub(crate) deny: Vec<String>,
    /// The same as warnings
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = NO_RULES)]
    pub(crate) warn: Vec<String>,
    /// Print what the rules of this file find (docs/policy.md); several files are one set of rules
    #[arg(long, value_name = "FILE", conflicts_with_all = NO_RULES)]
    pub(crate) rules: Vec<PathBuf>,
    /// Make rules that cannot be decided before apply errors
    #[arg(long)]
    pub(crate) deny_undecided: bool,
    /// How long Markdown may be, in bytes
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub(crate) max_bytes: usize,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

impl Plan {
    /// Whether the plan is to be checked by rules.
    pub(crate) fn has_rules(&self) -> bool {
        !(self.deny.is_empty() && self.warn.is_empty() && self.rules.is_empty())
    }

    /// The member of the plan that is asked for alone.
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
    /// The state as JSON, a state file, or a plan file that holds one; `-` is standard input
    pub(crate) file: PathBuf,
    /// How to print it; for `ndjson` and `csv`, one resource a line
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print attributes leaf by leaf
    #[arg(long)]
    pub(crate) values: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

/// What `redact` hides without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Constants in the configuration of providers
    ProviderConfig,
    /// The text of sensitive strings, where the document repeats it without a mark
    RepeatedText,
}

#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// The plan or state as JSON, a state file, or the file that `plan -out` wrote; `-` is standard input
    pub(crate) file: PathBuf,
    /// Replace the defaults of sensitive variables, too
    #[arg(long)]
    pub(crate) defaults: bool,
    /// Read the values of a binary plan file by the schemas of this file, which `providers schema -json` printed
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Keep what is hidden without a mark
    #[arg(long, value_name = "WHAT")]
    pub(crate) keep: Vec<Keep>,
    /// Go on where it is not known what is sensitive: format 0.1, state files of version 1 to 3, plan files without schemas
    #[arg(long)]
    pub(crate) force: bool,
    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// The schemas as JSON, or a plan file that holds them; `-` is standard input
    pub(crate) file: PathBuf,
    /// The type, of a resource, data source, ephemeral resource, list, action or state store; or a provider
    #[arg(value_name = "TYPE")]
    pub(crate) type_name: String,
    /// How to print it: JSON is a list of the schemas as the file has them, with kind, provider and name
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Templates {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// How to print the templates
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression, such as `upper("a")`; `-` is standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// It is a template, such as `Hello ${name}`
    #[arg(long)]
    pub(crate) template: bool,
    /// A JSON object of variables
    #[arg(long, value_name = "FILE")]
    pub(crate) vars: Option<PathBuf>,
    /// How to print the value: as an expression for people
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Events {
    /// The file, any JSON; `-` is standard input
    pub(crate) file: PathBuf,
    /// How to print the events
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
    /// Print what the first pass writes: containers below the skeleton stay sealed
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

#[derive(Args, Debug)]
pub(crate) struct Kernels {
    /// How to print the kernels
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: ListFormat,
}

fn selector(name: &str) -> Result<Selector, String> {
    const WARNINGS: &str = "warnings";
    if name == WARNINGS {
        return Ok(Selector::Warnings);
    }
    Code::from_name(name).map(Selector::Code).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.as_str());
        match nearest(name, names.chain([WARNINGS])) {
            Some(nearest) => format!("no diagnostic has this code; did you mean \"{nearest}\"?"),
            None => "no diagnostic has this code; docs/diagnostics.md lists them".to_owned(),
        }
    })
}

fn action_kind(name: &str) -> Result<ActionKind, String> {
    ActionKind::of(name).ok_or_else(|| {
        let kinds = ActionKind::ALL.map(|kind| kind.name().replace('_', "-"));
        format!("the kinds of changes are {}", kinds.join(", "))
    })
}

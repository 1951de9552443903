//! Commands that read plans, states and schemas.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use simd_hcl::show::ActionKind;

use super::format::{Format, PlanFormat, StateFormat};

// Filters of changes and resources. Not a doc comment, as in `Configuration`.
#[derive(Args, Debug)]
pub(crate) struct Selection {
    /// Only resources of this type; `*` matches any characters, `?` one
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only resources of this module and the modules below it; without keys, of all its instances
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

/// Flags that cannot be combined with rules, since they print something else.
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
    /// Only the changes that this older plan (JSON, plan file or event stream) does not contain
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
    /// Check the changes against the rules in this file (docs/policy.md); several files form one set
    #[arg(long, value_name = "FILE", conflicts_with_all = NO_RULES)]
    pub(crate) rules: Vec<PathBuf>,
    /// Report rules that cannot be decided before apply as errors
    #[arg(long)]
    pub(crate) deny_undecided: bool,
    /// Maximum size of a change in bytes, if the plan is so large that it is read as a stream
    #[arg(long, value_name = "N", default_value_t = 64 << 20)]
    pub(crate) max_record: usize,
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
    pub(crate) format: StateFormat,
    /// Print all values of each resource
    #[arg(long)]
    pub(crate) values: bool,
    /// Also hide what the schemas in this file mark as sensitive; it is the output of `providers
    /// schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Maximum size of a resource in bytes, if the state is so large that it is read as a stream
    #[arg(long, value_name = "N", default_value_t = 64 << 20)]
    pub(crate) max_record: usize,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

/// Values that `redact` hides although nothing marks them as sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Constants in provider configurations
    ProviderConfig,
    /// Other occurrences of sensitive strings, which are not marked as sensitive
    RepeatedText,
}

#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// The plan or state as JSON, a state file, or the file written by `plan -out`; `-` is standard
    /// input
    pub(crate) file: PathBuf,
    /// Keep the defaults of sensitive variables
    #[arg(long)]
    pub(crate) keep_defaults: bool,
    /// Has no effect: defaults of sensitive variables are replaced anyway
    #[arg(long, hide = true, conflicts_with = "keep_defaults")]
    pub(crate) defaults: bool,
    /// Read the values of a binary plan file or a state file by the schemas in this file, the output
    /// of `providers schema -json`
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schemas: Option<PathBuf>,
    /// Keep these values, which are otherwise hidden although nothing marks them as sensitive
    #[arg(long, value_name = "WHAT")]
    pub(crate) keep: Vec<Keep>,
    /// Continue if it is unknown which values are sensitive: format 0.1, state files of version 1 to 3,
    /// plan files without schemas
    #[arg(long)]
    pub(crate) force: bool,
    /// Maximum size of a resource in bytes, and of all text outside of resources, if the document is
    /// so large that it is read as a stream
    #[arg(long, value_name = "N", default_value_t = 64 << 20)]
    pub(crate) max_record: usize,
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
    /// Output format; `json` has the schemas as in the file, with kind, provider and name
    #[arg(long, default_value = "human", value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The file name to use for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.json")]
    pub(crate) stdin_name: String,
}

fn action_kind(name: &str) -> Result<ActionKind, String> {
    ActionKind::of(name).ok_or_else(|| {
        let kinds = ActionKind::ALL.map(|kind| kind.name().replace('_', "-"));
        format!("the kinds of changes are {}", kinds.join(", "))
    })
}

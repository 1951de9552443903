//! Advice for arguments that a command does not accept: names of commands of other tools, and files of another
//! kind.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use simd_hcl::Dialect;
use simd_hcl::dialect::FileKind;

use crate::args::Command;
use crate::help::grouped;
use crate::paths::or_here;
use crate::plan_file;
use crate::visible;

/// Names of commands of other tools, and our command for the same purpose.
const OTHER_NAMES: [(&[&str], &str); 14] = [
    (&["find", "search", "grep", "get"], "query PATTERN [PATH…]"),
    (&["validate", "test", "verify"], "check [PATH…]"),
    (&["lint"], "check --select all [PATH…]"),
    (&["format"], "fmt [PATH…]"),
    (&["show"], "plan FILE, or simd-hcl state FILE"),
    (&["apply"], "plan FILE, which prints what an apply will do"),
    (&["deps", "dependencies", "tree"], "graph [PATH…]"),
    (&["impact", "changed", "changes"], "affected --since REVISION"),
    (&["compare", "preview"], "review --since REVISION"),
    (&["refs", "usages", "rdeps"], "dependents ADDRESS [PATH…]"),
    (&["list", "ls", "describe", "modules"], "inspect [PATH…]"),
    (&["console", "evaluate"], "eval EXPRESSION"),
    (&["providers"], "schema FILE TYPE"),
    (&["json2hcl", "hcl2json"], "convert --to native|json FILE"),
];

/// Returns advice about a name that is not a command; `None` if no other tool has such a command.
pub(crate) fn of_usage(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let (_, command) = OTHER_NAMES.iter().find(|(names, _)| names.contains(&name.as_str()))?;
    Some(format!("there is no command `{name}`; try simd-hcl {command}"))
}

/// Returns advice about a file that the command cannot read.
pub(crate) fn of_files(command: &Command) -> Option<String> {
    match command {
        Command::Plan(plan) => of_document(&plan.file, "plan", "a plan"),
        Command::State(state) => of_document(&state.file, "state", "a state"),
        Command::Config(config) => of_root(&config.directory, "config"),
        Command::Expand(expand) => of_root(&expand.root.directory, "expand"),
        Command::Why(why) => of_root(&why.root.directory, "why ADDRESS"),
        _ => None,
    }
}

/// Returns advice about configuration that is passed to a command for plans or states.
fn of_document(path: &Path, command: &str, what: &str) -> Option<String> {
    let shown = visible::path(path);
    let hint = "`simd-hcl expand DIR` prints what configuration will create, and `simd-hcl review --since \
                REVISION` what a change does, without a plan";
    if path.is_dir() {
        return Some(format!("{shown} is a directory, but `{command}` reads {what}; {hint}"));
    }
    let name = path.file_name()?;
    let kind = FileKind::of_known(name, Dialect::of_named(name, None))?;
    let is_native = kind.syntax == simd_hcl::dialect::Syntax::Native;
    is_native
        .then(|| format!("{shown} is a configuration file, but `{command}` reads {what}; {hint}"))
}

/// Returns advice about a file that is passed to a command for root modules.
fn of_root(path: &Path, command: &str) -> Option<String> {
    if !path.is_file() || plan_file::is_at(path).unwrap_or(true) {
        return None;
    }
    let parent = or_here(path.parent().unwrap_or(path));
    let (shown, parent) = (visible::path(path), visible::path(parent));
    Some(format!(
        "{shown} is a file, but a root module is a directory; try `simd-hcl {command} {parent}`"
    ))
}

/// Two examples of each command. They are at the end of its help.
pub(crate) const EXAMPLES: [(&str, [&str; 2]); 41] = [
    ("init", ["init", "init --github --pre-commit"]),
    ("mcp", ["mcp", "mcp infra apps"]),
    ("lsp", ["lsp", "lsp --config simd-hcl.toml"]),
    ("overview", ["overview", "overview --format html live modules"]),
    ("check", ["check", "check --format github --deny warnings live modules"]),
    ("fmt", ["fmt --check", "fmt --diff modules/net/main.tf"]),
    ("inspect", ["inspect", "inspect --format json modules/net"]),
    ("references", ["references modules/net", "references --format csv"]),
    ("graph", ["graph --modules --format mermaid", "graph --focus aws_vpc.main --depth 2"]),
    ("dependents", ["dependents var.region", "dependents live/prod:aws_vpc.main live"]),
    ("affected", ["affected --since origin/main --roots", "affected live modules/net/main.tf"]),
    (
        "query",
        ["query 'resource.aws_instance.*.ami'", "query '**.prevent_destroy' live --format csv"],
    ),
    ("diff", ["diff HEAD", "diff old new --format json"]),
    (
        "review",
        ["review --since origin/main", "review --since origin/main --format markdown live/prod"],
    ),
    ("config", ["config live/prod", "config --format json live/prod"]),
    (
        "expand",
        ["expand live/prod --var-file prod.tfvars", "expand --type aws_s3_bucket live/prod"],
    ),
    ("why", ["why 'aws_instance.web[0].tags.Name' live/prod", "why live/prod:output.url"]),
    (
        "rename",
        [
            "rename aws_instance.web aws_instance.frontend live/prod",
            "rename modules/net:var.cidr cidr_block --write",
        ],
    ),
    (
        "set",
        [
            "set 'resource.aws_instance.*.tags.owner' '\"platform\"' live",
            "set 'terraform.required_version' '\"~> 1.9\"' --only-existing --write",
        ],
    ),
    (
        "unset",
        [
            "unset 'resource.aws_instance.*.user_data' --where 'instance_type == \"t3.nano\"' live",
            "unset '**.prevent_destroy' --check",
        ],
    ),
    (
        "move",
        [
            "move aws_instance.web compute.tf live/prod",
            "move modules/net:aws_eip.nat live/prod:aws_eip.nat --write",
        ],
    ),
    (
        "extract",
        ["extract main.tf:12:15 instance_size", "extract live/main.tf:3:10 region --variable"],
    ),
    ("inline", ["inline local.size live/prod", "inline modules/net:local.cidr --write"]),
    ("fix-unused", ["fix-unused modules", "fix-unused --check"]),
    (
        "upgrade",
        [
            "upgrade provider aws '~> 6.0' --from '~> 5.0'",
            "upgrade module terraform-aws-modules/vpc/aws '~> 6.0' live --write",
        ],
    ),
    ("convert", ["convert --to native main.tf.json", "convert --to json --out-dir out modules"]),
    ("decode", ["decode --schema schema.json main.tf", "decode --spec spec.hcldec services.hcl"]),
    ("templates", ["templates main.tf.json", "templates --format ndjson live"]),
    ("docs", ["docs modules/net", "docs --recursive --check --diff ."]),
    ("eval", ["eval 'upper(\"a\")'", "eval --vars vars.json 'var.size + 1'"]),
    ("plan", ["plan plan.json --diff", "plan --format html tfplan"]),
    ("state", ["state terraform.tfstate", "state --values --type aws_vpc state.json"]),
    ("redact", ["redact plan.json", "redact --keep-defaults plan.json"]),
    ("schema", ["schema schemas.json aws_vpc", "schema --format json schemas.json aws"]),
    ("rules", ["rules --format json naming unused", "rules test lint.hcl"]),
    ("migrate", ["migrate .tflint.hcl", "migrate live/.tflint.hcl"]),
    ("events", ["events main.tf.json", "events --skeleton --format ndjson main.tf"]),
    ("explain", ["explain unknown-variable", "explain --format csv"]),
    ("kernels", ["kernels", "kernels --format json"]),
    ("units", ["units live", "units --format json live"]),
    ("roots", ["roots", "roots --format json live"]),
];

/// Adds the examples to the help of each command.
pub(crate) fn with_examples(mut program: clap::Command) -> clap::Command {
    for (name, [one, other]) in EXAMPLES {
        if program.find_subcommand(name).is_some() {
            let text = format!("Examples:\n  simd-hcl {one}\n  simd-hcl {other}");
            program = program.mut_subcommand(name, |command| command.after_help(text));
        }
    }
    program
}

/// Parses the arguments of the program. Prints advice and exits if one is invalid.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> crate::args::Arguments {
    use clap::{CommandFactory, FromArgMatches};
    let parse = |arguments: &[OsString]| {
        let program = grouped(with_examples(crate::args::Arguments::command()));
        let matches = program.try_get_matches_from(arguments)?;
        crate::args::Arguments::from_arg_matches(&matches)
    };
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    parse(&arguments).unwrap_or_else(|error| {
        if let Some(advice) = of_usage(&error) {
            anstream::eprintln!("simd-hcl: {}", visible::visible(&advice));
            std::process::exit(crate::status::Status::CouldNotRun as i32);
        }
        // An error repeats arguments, which may have characters that control a terminal or a log.
        let shown = |it: &OsString| visible::visible(&it.to_string_lossy()).into_owned().into();
        let shown: Vec<OsString> = arguments.iter().map(shown).collect();
        if shown == arguments {
            error.exit();
        }
        let why = "an argument with control characters is invalid\n";
        parse(&shown).err().unwrap_or_else(|| clap::Error::raw(error.kind(), why)).exit()
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::EXAMPLES;
    use crate::args::Arguments;

    /// Splits a line into words as a shell does; only single quotes quote.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        for (place, part) in line.split('\'').enumerate() {
            if place % 2 == 1 {
                words.last_mut().unwrap().push_str(part);
                continue;
            }
            for (place, word) in part.split(' ').enumerate() {
                if place > 0 {
                    words.push(String::new());
                }
                words.last_mut().unwrap().push_str(word);
            }
        }
        words
    }

    #[test]
    fn examples_are_valid_and_complete() {
        for (name, examples) in EXAMPLES {
            for example in examples {
                let words = words(example);
                assert_eq!(words[0], name);
                let arguments = ["simd-hcl".to_owned()].into_iter().chain(words);
                assert!(Arguments::try_parse_from(arguments).is_ok(), "{example}");
            }
        }
        let others = ["sql", "export", "completions", "man", "help"];
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            let is_known = EXAMPLES.iter().any(|(known, _)| *known == name);
            assert!(is_known || others.contains(&name) || command.is_hide_set(), "{name}");
        }
    }
}

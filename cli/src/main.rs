//! The command line of simd-hcl.
//!
//! Data goes to standard output, everything else to standard error. The exit status is 0 if there
//! are no errors, 1 if there are, and 2 if the command could not run.

mod advice;
mod affected;
mod aligned;
mod allowed;
mod args;
mod azure;
mod baseline;
mod body_schema;
mod cache;
mod change;
mod check;
mod chosen;
mod compact;
mod compat;
mod complete;
mod concise;
mod config;
mod convert;
mod decode;
mod dependents;
mod deployments;
mod diff;
mod docs;
mod elsewhere;
mod eval;
mod events;
mod excerpt;
mod expand;
mod explain;
mod extract;
mod files;
mod finding;
mod fix;
mod fix_unused;
mod fmt;
mod git;
mod github;
mod gitlab;
mod graph;
mod help;
mod human;
mod in_parts;
mod incomplete;
mod init;
mod inline;
mod input;
mod inspect;
mod instead;
mod joined;
mod junit;
mod kernels;
mod lists;
mod locks;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "lsp")]
mod mcp;
mod migrate;
mod modules;
mod needed;
mod noted_files;
mod order;
mod outcome;
mod output;
mod overview;
mod page;
mod patch;
mod paths;
mod picture;
mod plan;
mod plan_file;
mod printed;
mod progress;
mod provider_schemas;
mod query;
mod redact;
mod refactored;
mod references;
mod relocate;
mod rename;
mod replace;
mod replayed;
mod report;
mod review;
mod revision;
mod revision_files;
mod root_section;
mod roots;
mod rows;
mod rule_cases;
mod rule_files;
mod rules;
mod sarif;
mod schema;
mod serialized;
mod set;
mod settings;
mod spec;
mod state;
mod statistics;
mod stats;
mod status;
mod streamed;
mod style;
mod tables;
mod templates;
mod uncompared;
mod unit_files;
mod unit_graph;
mod unit_impact;
mod unit_run;
mod units;
mod upgrade;
mod values;
mod visible;
mod watch;
mod why;
mod written;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;

use args::{Arguments, Command};
use status::{Failure, Status};

fn main() -> ExitCode {
    complete::answer();
    if let Some(command) = tables::named() {
        return ended(tables::run(command, std::env::args_os().skip(2)));
    }
    let arguments = advice::parse(std::env::args_os());
    arguments.common.color.write_global();
    ended(run(&arguments))
}

/// Reports a failure, and returns the exit status.
fn ended(result: Result<Status, Failure>) -> ExitCode {
    let status = match result {
        Ok(status) => status,
        // The reader has closed the output.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Status::Clean,
        Err(Failure::Output(error)) => {
            anstream::eprintln!("simd-hcl: cannot write the results: {error}");
            Status::CouldNotRun
        }
        Err(Failure::Message(message)) => {
            anstream::eprintln!("simd-hcl: {}", visible::visible(&message));
            Status::CouldNotRun
        }
    };
    ExitCode::from(status as u8)
}

fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let common = &arguments.common;
    if let Some(advice) = advice::of_files(&arguments.command) {
        return Err(Failure::Message(advice));
    }
    let is_parallel = !matches!(
        arguments.command,
        Command::Eval(_)
            | Command::Explain(_)
            | Command::Rules(args::Rules { command: None, .. })
            | Command::Migrate(_)
            | Command::Kernels(_)
            | Command::Mcp(_)
            | Command::Completions { .. }
            | Command::Man { .. }
    );
    if is_parallel {
        input::start_threads(common)?;
    }
    match &arguments.command {
        Command::Overview(overview) => overview::run(overview, common),
        Command::Check(check) => check::run(check, common),
        Command::Fmt(fmt) => fmt::run(fmt, common),
        Command::Inspect(inspect) => inspect::run(inspect, common),
        Command::References(references) => references::run(references, common),
        Command::Graph(graph) => graph::run(graph, common),
        Command::Dependents(dependents) => dependents::run(dependents, common),
        Command::Affected(affected) => affected::run(affected, common),
        Command::Init(init) => init::run(init, common),
        Command::Roots(roots) => roots::propose::run(roots, common),
        Command::Units(units) => units::run(units, common),
        Command::Query(query) => query::run(query, common),
        Command::Diff(diff) if diff.values => review::diff(diff, common),
        Command::Diff(diff) => diff::run(diff, common),
        Command::Review(review) => review::run(review, common),
        Command::Config(config) => config::run(config, common),
        Command::Expand(expand) if deployments::is_stack(&expand.root.directory) => {
            deployments::run(expand, common)
        }
        Command::Expand(expand) => expand::run(expand, common),
        Command::Why(why) => why::run(why, common),
        Command::Rename(rename) => rename::run(rename, common),
        Command::Set(set) => set::run_set(set, common),
        Command::Unset(unset) => set::run_unset(unset, common),
        Command::Move(relocate) => relocate::run(relocate, common),
        Command::Extract(extract) => extract::run(extract, common),
        Command::Inline(inline) => inline::run(inline, common),
        Command::FixUnused(fix) => fix_unused::run(fix, common),
        Command::Upgrade(upgrade) => upgrade::run(upgrade, common),
        Command::Convert(convert) => convert::run(convert, common),
        Command::Decode(decode) => decode::run(decode, common),
        Command::Templates(templates) => templates::run(templates, common),
        Command::Docs(docs) => docs::run(docs, common),
        Command::Eval(eval) => eval::run(eval, common),
        Command::Plan(plan) => plan::run(plan, common),
        Command::State(state) => state::run(state, common),
        Command::Redact(redact) => redact::run(redact, common),
        Command::Schema(schema) => schema::run(schema, common),
        Command::Events(events) => events::run(events, common),
        Command::Explain(explain) => explain::run(explain, common),
        Command::Rules(rules) => rules::run(rules, common),
        Command::Migrate(migrate) => migrate::run(migrate, common),
        Command::Kernels(kernels) => kernels::run(kernels, common),
        #[cfg(feature = "lsp")]
        Command::Lsp => lsp::run(common),
        #[cfg(not(feature = "lsp"))]
        Command::Lsp => Err(Failure::Message(
            "this program is built without the language server: build it with `--features lsp`"
                .to_owned(),
        )),
        #[cfg(feature = "lsp")]
        Command::Mcp(mcp) => mcp::run(mcp, common),
        #[cfg(not(feature = "lsp"))]
        Command::Mcp(_) => Err(Failure::Message(
            "this program is built without the servers: build it with `--features lsp`".to_owned(),
        )),
        Command::Sql { arguments } => tables::run("sql", arguments.iter().cloned()),
        Command::Export { arguments } => tables::run("export", arguments.iter().cloned()),
        Command::Completions { shell } => {
            complete::write_script(*shell, &mut io::stdout())?;
            Ok(Status::Clean)
        }
        Command::Man { command } => manual(command.as_deref()),
    }
}

/// Prints the manual page of the program or of one command.
fn manual(name: Option<&str>) -> Result<Status, Failure> {
    let mut program = advice::with_examples(Arguments::command()).disable_help_subcommand(true);
    program.build();
    let command = match name {
        None => &program,
        Some(name) => program
            .find_subcommand(name)
            .ok_or_else(|| Failure::Message(format!("there is no command \"{name}\"")))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Status::Clean)
}

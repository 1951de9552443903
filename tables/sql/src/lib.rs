//! SQL over configuration, plans, states and schemas, and their tables as files: the program
//! `simd-hcl-sql`, which `simd-hcl sql` and `simd-hcl export` run.
//!
//! [`provider`] makes tables of DataFusion from the tables of `simd-hcl-tables`, `session` puts those of
//! some [`inputs`] together, and an [`engine::Engine`] runs their queries: here, or on a cluster.

mod args;
pub mod engine;
pub mod functions;
pub mod inputs;
mod output;
mod prompt;
pub mod provider;
mod session;
mod store;

use std::io::{self, BufWriter, IsTerminal as _, Read as _, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use clap::Parser as _;
use datafusion::common::DataFusionError;
use simd_hcl::report::visible;
use simd_hcl::suggest::nearest;
use simd_hcl_tables::columns::TABLES;
use simd_hcl_tables::scan::Gap;

use crate::args::{Arguments, Command, Sql};
use crate::engine::{Connect, Engine};
use crate::output::Format;
use crate::session::Database;
use crate::store::Copied;

/// The status of a run that found nothing wrong; 1 if something could not be read.
type Outcome = Result<u8, String>;

/// Runs the program. `connect` says what runs queries with `--cluster`.
#[must_use]
pub fn main(connect: Connect) -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Sql(sql) => run_sql(sql, connect),
        Command::Export(export) => run_export(export),
        Command::Tables => print_tables(),
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprintln!("error: {}", visible(&message));
            ExitCode::from(2)
        }
    }
}

/// Prints the contract, as `docs/tables.md` has it.
fn print_tables() -> Outcome {
    let text = simd_hcl_tables::docs::page(&functions::FUNCTIONS);
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(0)
}

fn run_sql(sql: &Sql, connect: Connect) -> Outcome {
    let engine: Arc<dyn Engine> = match &sql.cluster {
        Some(address) => connect(address)?,
        None => Arc::new(engine::Embedded),
    };
    let (query, paths) = sql.split();
    let (mut inputs, urls) = sql.inputs(&paths)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(if sql.threads > 0 { sql.threads } else { threads() })
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let mut trees = Vec::new();
    for url in urls {
        match runtime.block_on(store::is_export(&url))? {
            true => inputs.exports.push((None, url)),
            false => trees.push(url),
        }
    }
    let copied = copied(&runtime, &trees)?;
    if let Some(copied) = &copied {
        inputs.paths.extend(copied.paths.iter().cloned());
        inputs.copies = copied.copies.clone();
    }
    let database = runtime.block_on(Database::open(inputs, engine));
    let database = database.map_err(|error| shown(&error))?;
    let query = match query {
        Some(query) => query,
        None if io::stdin().is_terminal() => {
            prompt::run(database.names(), |query| {
                let run = run_query(&database, query, sql.format.unwrap_or(Format::Table));
                match runtime.block_on(run) {
                    Ok(()) => {}
                    Err(message) => eprintln!("error: {}", visible(&message)),
                }
                report(&database);
            })
            .map_err(|error| error.to_string())?;
            return Ok(0);
        }
        None => {
            let mut query = String::new();
            io::stdin().read_to_string(&mut query).map_err(|error| error.to_string())?;
            query
        }
    };
    let query = match sql.explain {
        true => format!("EXPLAIN {query}"),
        false => query,
    };
    let result =
        runtime.block_on(run_query(&database, &query, sql.format.unwrap_or(Format::Table)));
    // Threads that still read files would delay the end.
    runtime.shutdown_background();
    result?;
    Ok(report(&database))
}

/// Copies the files below URLs, unless Ctrl-C ends that. They are removed with the result.
fn copied(runtime: &tokio::runtime::Runtime, urls: &[String]) -> Result<Option<Copied>, String> {
    if urls.is_empty() {
        return Ok(None);
    }
    runtime.block_on(async {
        tokio::select! {
            copied = Copied::new(urls) => copied.map(Some),
            _ = tokio::signal::ctrl_c() => Err("copying was cancelled".to_owned()),
        }
    })
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs a query; Ctrl-C ends it.
async fn run_query(database: &Database, query: &str, format: Format) -> Result<(), String> {
    let run = async {
        let rows = database.rows(query).await?;
        let mut out = BufWriter::new(io::stdout());
        output::write(rows, format, &mut out).await
    };
    tokio::select! {
        result = run => match result {
            // The reader of the rows has seen enough.
            Err(error) if is_broken_pipe(&error) => Ok(()),
            result => result.map_err(|error| shown(&error)),
        },
        _ = tokio::signal::ctrl_c() => {
            database.cancel().await;
            Err("the query was cancelled".to_owned())
        }
    }
}

fn is_broken_pipe(error: &DataFusionError) -> bool {
    error.to_string().contains("Broken pipe")
}

/// The message of an error on one line, without what only developers of DataFusion need.
fn shown(error: &DataFusionError) -> String {
    let text = error.strip_backtrace();
    let first = text.split("\n\nbacktrace:").next().unwrap_or(&text);
    let lines = first.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.collect::<Vec<_>>().join(" ");
    match unknown_table(&message).and_then(|name| nearest(name, TABLES.map(|it| it.name))) {
        Some(known) => format!("{message}. Did you mean \"{known}\"?"),
        None => message,
    }
}

/// The table that a message says is missing.
fn unknown_table(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("table '")?;
    let (name, after) = rest.split_once('\'')?;
    after.trim_start().starts_with("not found").then(|| name.rsplit('.').next()).flatten()
}

/// Prints what could not be read, and returns the status.
fn report(database: &Database) -> u8 {
    let mut gaps = database.gaps.lock().unwrap_or_else(PoisonError::into_inner);
    report_gaps(&std::mem::take(&mut *gaps).into_iter().collect::<Vec<_>>())
}

/// The number of paths that are listed.
const SHOWN: usize = 10;

fn report_gaps(gaps: &[Gap]) -> u8 {
    let mut errors = io::stderr().lock();
    for Gap { path, why } in gaps.iter().take(SHOWN) {
        // Nothing can be done if standard error is closed.
        let _ = writeln!(errors, "not read: {}: {}", visible(path), visible(why));
    }
    if gaps.len() > SHOWN {
        let more = gaps.len() - SHOWN;
        let _ = writeln!(errors, "not read: {more} more; the table diagnostics has all of them");
    }
    u8::from(!gaps.is_empty())
}

fn run_export(export: &args::Export) -> Outcome {
    let (mut paths, urls) = export.found()?;
    let mut options = export.options()?;
    let cancelled = Arc::clone(&options.cancelled);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let copied = copied(&runtime, &urls)?;
    if let Some(copied) = &copied {
        paths.extend(copied.paths.iter().cloned());
        options.copies = copied.copies.clone();
    }
    // Ctrl-C ends the export, which removes what it has written.
    std::thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            cancelled.store(true, Ordering::Relaxed);
        }
    });
    let written = simd_hcl_tables::export::export(&paths, &export.output, &options);
    let written = written.map_err(|error| error.to_string())?;
    eprintln!("{written}");
    Ok(report_gaps(&written.gaps))
}

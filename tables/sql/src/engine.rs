//! Engines that run queries: this process, or a cluster.

use std::env::consts::EXE_SUFFIX;
use std::io;
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::dataframe::DataFrame;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::prelude::SessionConfig;

use crate::inputs::Inputs;
use crate::provider::{Gaps, SourceTable};

/// Runs queries.
#[async_trait]
pub trait Engine: Send + Sync {
    /// The inputs, as the engine can read them.
    ///
    /// # Errors
    /// An input that it cannot read.
    fn inputs(&self, inputs: Inputs) -> Result<Inputs> {
        Ok(inputs)
    }

    /// The settings of its sessions.
    fn config(&self, config: SessionConfig) -> SessionConfig {
        config
    }

    /// A table, as the engine can read it.
    fn table(&self, table: SourceTable) -> Arc<dyn TableProvider> {
        Arc::new(table)
    }

    /// Starts a query. When its rows end, `gaps` has what could not be read.
    async fn rows(&self, frame: DataFrame, gaps: &Gaps) -> Result<SendableRecordBatchStream>;

    /// Ends the query whose rows nobody takes any more.
    async fn cancel(&self) {}
}

/// Queries run in this process.
#[derive(Clone, Copy, Debug)]
pub struct Embedded;

#[async_trait]
impl Engine for Embedded {
    async fn rows(&self, frame: DataFrame, _: &Gaps) -> Result<SendableRecordBatchStream> {
        frame.execute_stream().await
    }
}

/// The engine that `--cluster ADDRESS` asks for.
pub type Connect = fn(&str) -> Result<Arc<dyn Engine>, String>;

const CLIENT: &str = "simd-hcl-cluster";

/// Becomes the program that runs queries on a cluster, with the same arguments: the one beside this
/// program, otherwise the one in `PATH`. It has what only clusters need.
///
/// # Errors
/// It is not installed, or cannot start.
pub fn start_client(_: &str) -> Result<Arc<dyn Engine>, String> {
    let name = format!("{CLIENT}{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name));
    let program = beside.filter(|path| path.is_file());
    let mut program = Command::new(program.unwrap_or_else(|| name.into()));
    let error = start(program.args(std::env::args_os().skip(1)));
    Err(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "`--cluster` needs the program {CLIENT}: install it with `cargo install --path tables/cluster` in a clone of the repository"
        ),
        _ => format!("{CLIENT}: {error}"),
    })
}

/// Becomes the program; returns only if it cannot start.
#[cfg(unix)]
fn start(program: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(program)
}

/// Runs the program, and ends with its status; returns only if it cannot start.
#[cfg(not(unix))]
fn start(program: &mut Command) -> io::Error {
    match program.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}

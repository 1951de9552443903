//! Options of an export.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::collect::ReadOptions;
use crate::copies::Copies;
use crate::source::FindOptions;
use crate::table::Table;

/// A format of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Apache Parquet, one file for each table and repository.
    #[default]
    Parquet,
    /// Files of Arrow IPC.
    Arrow,
    /// An object on each line.
    Ndjson,
    /// Comma-separated values; the elements of lists are joined by spaces.
    Csv,
}

impl Format {
    /// The extension of the files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }
}

/// Options of an export.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format.
    pub format: Format,
    /// The tables; empty for all.
    pub tables: Vec<&'static Table>,
    /// The name of the snapshot that is added to earlier ones; `None` to replace them.
    pub snapshot: Option<String>,
    /// How sources are found.
    pub find: FindOptions,
    /// Which paths are copies.
    pub copies: Copies,
    /// How they are read.
    pub read: ReadOptions,
    /// The number of threads; 0 for one for each processor.
    pub threads: usize,
    /// Ends the export when it is set.
    pub cancelled: Arc<AtomicBool>,
}

//! The inputs of a session.

use std::path::PathBuf;

use simd_hcl_tables::scan::ReadOptions;
use simd_hcl_tables::source::{Copies, FindOptions};

/// The inputs of a session.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Paths with configuration, plans, states and schemas.
    pub paths: Vec<PathBuf>,
    /// Which of them are copies.
    pub copies: Copies,
    /// Directories with tables in Parquet, each with the name of their schema; none for those whose
    /// tables need no name in front.
    pub exports: Vec<(Option<String>, String)>,
    /// How paths are found.
    pub find: FindOptions,
    /// How files are read.
    pub read: ReadOptions,
    /// The number of partitions; 0 for one for each processor.
    pub threads: usize,
}

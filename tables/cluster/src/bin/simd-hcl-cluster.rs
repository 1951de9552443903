//! `simd-hcl-cluster`: `simd-hcl-sql` that runs queries on a cluster. `simd-hcl sql --cluster` runs it.

use std::process::ExitCode;
use std::sync::Arc;

use simd_hcl_cluster::client::Cluster;

fn main() -> ExitCode {
    simd_hcl_sql::main(|address| Ok(Arc::new(Cluster::at(address)?)))
}

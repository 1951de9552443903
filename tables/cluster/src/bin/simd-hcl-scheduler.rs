//! `simd-hcl-scheduler`: takes queries, and divides them among executors.

use std::process::ExitCode;

fn main() -> ExitCode {
    simd_hcl_cluster::scheduler::main()
}

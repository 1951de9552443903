//! `simd-hcl-executor`: reads files, and works on their rows.

use std::process::ExitCode;

fn main() -> ExitCode {
    simd_hcl_cluster::executor::main()
}

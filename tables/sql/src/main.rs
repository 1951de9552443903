//! `simd-hcl-sql`: SQL over configuration, plans, states and schemas, and their tables as files.

use std::process::ExitCode;

fn main() -> ExitCode {
    simd_hcl_sql::main(simd_hcl_sql::engine::start_client)
}

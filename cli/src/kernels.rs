//! `kernels`: what this machine can run.

use std::io::{self, Write};

use serde_json::json;
use simd_hcl::Kernel;

use crate::args::{self, Common, Format};
use crate::{Failure, Status, input};

pub(crate) fn run(kernels: &args::Kernels, common: &Common) -> Result<Status, Failure> {
    let used = input::kernel(common)?.name();
    let mut out = io::stdout().lock();
    let values = Kernel::all().map(|kernel| {
        json!({
            "name": kernel.name,
            "description": kernel.description,
            "supported": kernel.supported,
            "used": kernel.name == used,
        })
    });
    match kernels.format {
        Format::Human => {
            for kernel in Kernel::all() {
                let mark = if kernel.name == used { '*' } else { ' ' };
                let lacking = if kernel.supported { "" } else { " (not on this machine)" };
                writeln!(out, "{mark} {:<9} {}{lacking}", kernel.name, kernel.description)?;
            }
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &values.collect::<Vec<_>>())?;
            writeln!(out)?;
        }
        Format::Ndjson => {
            for value in values {
                writeln!(out, "{value}")?;
            }
        }
    }
    Ok(Status::Clean)
}

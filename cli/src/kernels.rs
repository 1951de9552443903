//! `kernels`: the kernels, and whether this machine can run them.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::Kernel;

use crate::args::{self, Common};
use crate::incomplete::Incomplete;
use crate::input;
use crate::output::{self, Csv, Row};
use crate::status::{Failure, Status};

/// A kernel, and whether this machine can run it.
#[derive(Serialize)]
struct Line {
    name: &'static str,
    description: &'static str,
    supported: bool,
    used: bool,
}

impl Row for Line {
    const MEMBER: Option<&'static str> = Some("kernels");
    const COLUMNS: &'static [&'static str] = &["name", "description", "supported", "used"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mark = if self.used { '*' } else { ' ' };
        let lacking = if self.supported { "" } else { " (not on this machine)" };
        writeln!(out, "{mark} {:<9} {}{lacking}", self.name, self.description)
    }

    fn records(&self, out: &mut Csv<'_>) {
        let [supported, used] = [self.supported, self.used].map(|it| it.to_string());
        out.record([self.name, self.description, &supported, &used]);
    }
}

pub(crate) fn run(kernels: &args::Kernels, common: &Common) -> Result<Status, Failure> {
    let used = input::kernel(common)?.name();
    let lines = Kernel::all().map(|kernel| Line {
        name: kernel.name,
        description: kernel.description,
        supported: kernel.supported,
        used: kernel.name == used,
    });
    output::list(kernels.format, common.style(), lines, &Incomplete::default())?;
    Ok(Status::Clean)
}

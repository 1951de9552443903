//! `mcp`: serves agents, with the commands of the program as tools.

use std::ffi::OsString;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use simd_hcl_server::mcp::{self, Host, Output};

use crate::args::{self, Common};
use crate::status::{Failure, Status};

/// Serves the client on standard input and output until its input ends. The options of `common` that say
/// what is read are those of every tool.
pub(crate) fn run(mcp: &args::Mcp, common: &Common) -> Result<Status, Failure> {
    let mut roots = Vec::new();
    for root in &mcp.roots {
        let real = root.canonicalize().ok().filter(|root| root.is_dir());
        let Some(real) = real else {
            let root = crate::visible::path(root);
            return Err(Failure::Message(format!("{root}: no such directory")));
        };
        roots.push(real);
    }
    let program = std::env::current_exe()?;
    let host = Commands { program, roots: roots.clone(), options: common.of_reading()? };
    mcp::run(host, &roots, BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(Status::Clean)
}

/// Runs commands of this program.
struct Commands {
    program: PathBuf,
    roots: Vec<PathBuf>,
    /// The options that each command gets.
    options: Vec<OsString>,
}

impl Host for Commands {
    fn run(&mut self, arguments: &[OsString]) -> io::Result<Output> {
        let mut command = Command::new(&self.program);
        for root in &self.roots {
            command.arg("--within").arg(root);
        }
        if let Some(root) = self.roots.first() {
            command.current_dir(root);
        }
        let output = command.args(&self.options).args(arguments).stdin(Stdio::null()).output()?;
        let status = output.status.code();
        Ok(Output { answer: output.stdout, notes: output.stderr, status })
    }
}

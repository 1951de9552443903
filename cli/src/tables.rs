//! `sql` and `export`: run the program `simd-hcl-sql`, which is installed separately.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io;
use std::process::Command;

use crate::status::{Failure, Status};

const PROGRAM: &str = "simd-hcl-sql";

/// The command of the program that the first argument names: all other arguments are the program's,
/// so they are not read here. `--help` says where its help is.
pub(crate) fn named() -> Option<&'static str> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    let is_help = arguments.next().is_some_and(|second| second == "--help" || second == "-h");
    ["sql", "export"].into_iter().find(|name| first == *name && !is_help)
}

/// Runs a command of the program: the one beside this program, otherwise the one in `PATH`.
pub(crate) fn run(
    command: &str,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Status, Failure> {
    let name = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name));
    let program = beside.filter(|path| path.is_file());
    let mut program = Command::new(program.unwrap_or_else(|| name.into()));
    let error = start(program.arg(command).args(arguments));
    Err(Failure::Message(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "`{command}` needs the program {PROGRAM}: install it with `cargo install --path tables/sql` in a clone of the repository"
        ),
        _ => format!("{PROGRAM}: {error}"),
    }))
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

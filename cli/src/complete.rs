//! Completion in shells, which ask the program itself.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

use crate::args::Arguments;

/// The environment variable by which a shell asks.
const ASKS: &str = "COMPLETE";

/// Answers a shell that asks, and ends the program; otherwise does nothing.
pub(crate) fn answer() {
    CompleteEnv::with_factory(Arguments::command).var(ASKS).complete();
}

/// Writes the script that has a shell ask.
///
/// # Errors
/// Writing fails.
pub(crate) fn write_script(shell: Shell, out: &mut dyn io::Write) -> io::Result<()> {
    let (name, shells) = (shell.to_string(), Shells::builtins());
    let known = shells.completer(&name);
    let shell = known.ok_or_else(|| io::Error::other("the shell is not known"))?;
    shell.write_registration(ASKS, "simd-hcl", "simd-hcl", "simd-hcl", out)
}

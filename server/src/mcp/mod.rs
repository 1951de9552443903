//! The Model Context Protocol: tools for agents, over lines of JSON.
//!
//! Each tool is a command of the program, with the names of its arguments: the answers are those of the
//! command line. Tools take addresses and patterns, never positions.
//!
//! * `tools` is the table of the tools: names, purposes, arguments, and the command that each runs.
//! * `wire` reads and writes messages, of the revisions 2025-06-18 (with a handshake) and 2026-07-28
//!   (without one).
//! * `page` makes answers short: at most 8,000 bytes each, with a cursor for the rest.
//! * `confine` refuses paths outside of the roots.
//! * `cancel` stops the command of a request that the client cancels.
//!
//! A command runs in a process of its own, so that nothing that happens in it ends the server.

mod cancel;
mod confine;
mod page;
mod tools;
mod wire;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

pub use self::cancel::Cancel;
pub use self::page::MOST_BYTES;
pub use self::tools::{TOOLS, Tool};

/// The output of a command, and whether it could run.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Its standard output.
    pub answer: Vec<u8>,
    /// Its standard error: why it could not run.
    pub notes: Vec<u8>,
    /// Its exit status: 0 or 1 if there is an answer.
    pub status: Option<i32>,
}

/// The program that the server is a part of.
pub trait Host {
    /// Runs a command of the program in the first root, which reads nothing outside of the roots. It may
    /// end without an answer once `cancel` is cancelled.
    ///
    /// # Errors
    /// The command cannot be started.
    fn run(&mut self, arguments: &[OsString], cancel: &Cancel) -> io::Result<Output>;
}

/// Answers the messages of a client until its input ends. `roots` are the directories that tools may
/// read; paths start from the first one. Answers come in the order of the requests; a request that the
/// client cancels before has none. A thread of its own reads the input.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn run(
    host: impl Host,
    roots: &[PathBuf],
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    wire::run(host, roots, input, output)
}

//! `mcp`: serves agents, with the commands of the program as tools.

use std::ffi::OsString;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use simd_hcl_server::mcp::{self, Cancel, Host, Output};

use crate::args::{self, Common};
use crate::status::{Failure, Status};

/// The longest answer of a command, in bytes: pages are made of it in memory.
const MOST_ANSWER: u64 = 64 << 20;

/// The bytes of a command's notes that are kept.
const MOST_NOTES: u64 = 64 << 10;

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
    fn run(&mut self, arguments: &[OsString], cancel: &Cancel) -> io::Result<Output> {
        let mut command = Command::new(&self.program);
        for root in &self.roots {
            command.arg("--within").arg(root);
        }
        if let Some(root) = self.roots.first() {
            command.current_dir(root);
        }
        command.args(&self.options).args(arguments);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        output_of(command, cancel)
    }
}

/// Runs a command that is stopped if its output is too long, or if it is cancelled.
fn output_of(command: &mut Command, cancel: &Cancel) -> io::Result<Output> {
    let mut child = command.spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let notes = thread::spawn(move || errors.map(start_of).transpose());
    let child = Arc::new(Mutex::new(child));
    let cancelled = Arc::clone(&child);
    // It may have ended by itself.
    cancel.on_cancel(move || drop(locked(&cancelled).kill()));
    let mut answer = Vec::new();
    if let Some(output) = output {
        output.take(MOST_ANSWER).read_to_end(&mut answer)?;
    }
    let mut child = locked(&child);
    if answer.len() as u64 == MOST_ANSWER {
        child.kill()?;
        child.wait()?;
        let why = format!("more than {} MiB: ask about less", MOST_ANSWER >> 20);
        return Ok(Output { answer: Vec::new(), notes: why.into_bytes(), status: None });
    }
    let status = child.wait()?.code();
    let notes = notes.join().unwrap_or(Ok(None))?.unwrap_or_default();
    Ok(Output { answer, notes, status })
}

fn locked(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads all notes, and returns the first of them.
fn start_of(mut notes: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    notes.by_ref().take(MOST_NOTES).read_to_end(&mut start)?;
    io::copy(&mut notes, &mut io::sink())?;
    Ok(start)
}

// It runs programs of Unix.
#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_a_limit() {
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null());
            let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            output_of(command, &Cancel::default()).unwrap()
        };
        let endless = run("yes", &[]);
        assert!(endless.answer.is_empty() && endless.status.is_none());
        assert!(endless.notes.starts_with(b"more than 64 MiB"));
        let short = run("sh", &["-c", "echo out; yes | head -c 200000 >&2; exit 3"]);
        assert_eq!((&*short.answer, short.status), (&b"out\n"[..], Some(3)));
        assert_eq!(short.notes.len() as u64, MOST_NOTES);
    }
}

//! Agreement: what commands say of a document does not depend on how they are asked.
//!
//! Documents of the corpus, generated ones, and those of `SIMD_HCL_DATA` are asked in several ways, and any
//! difference fails. No other program is needed to tell which answer is right.
//!
//! - [`twins`]: a native module, its twin in JSON, and the twin converted back
//! - [`ways`]: kernels, threads, mapped files, `--alone`, and paths to the same module
//! - [`places`]: a module by itself, in its tree, through standard input, and in a revision of git
//! - [`streams`]: a plan or a state that is kept, read as a stream, compressed, or through a pipe
//!
//! Each of these also asks about documents that were changed at random. `SIMD_HCL_SIZE` says how many.

mod documents;
mod mutants;
mod places;
mod streams;
mod twins;
mod ways;

use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use simd_hcl_corpus::sized;

use self::documents::Module;
use crate::tool::simd_hcl;

/// How many documents a comparison takes.
fn most() -> usize {
    sized([6, 2_000, usize::MAX])
}

/// How many changed documents a comparison takes.
fn most_changed() -> usize {
    sized([12, 2_000, 20_000])
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs a command. Text after `<` in the last argument is the file that is its standard input.
///
/// # Panics
/// If it ends by a signal or a panic.
fn ask(directory: &Path, arguments: &[&str]) -> Answer {
    let (input, arguments) = match arguments.split_last() {
        Some((last, rest)) if last.starts_with('<') => {
            let file = std::fs::File::open(directory.join(&last[1..])).unwrap();
            (Stdio::from(file), rest)
        }
        _ => (Stdio::null(), arguments),
    };
    let mut command = simd_hcl(arguments);
    // Their inputs are those of the test.
    let output = command.current_dir(directory).arg("--quiet").stdin(input).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let status = output.status.code().unwrap_or(-1);
    let is_sound = (0..=2).contains(&status) && !stderr.contains("panicked");
    assert!(is_sound, "{arguments:?} in {}: {status}\n{stderr}", directory.display());
    Answer { status, stdout, stderr }
}

/// Compares modules on several threads. A comparison returns what differs.
///
/// # Panics
/// If anything differs.
fn compare(modules: &[Module], differs: impl Fn(&Module) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(module) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
            found
                .extend(differs(module).into_iter().map(|what| format!("{}: {what}", module.name)));
        }
        found
    };
    let found: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..sized([2, 8, 8])).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let shown: Vec<_> = found.iter().take(20).collect();
    assert!(found.is_empty(), "{} differences: {shown:#?}", found.len());
}

/// Returns the first lines in which two texts differ.
fn first_difference(one: &str, other: &str) -> String {
    let (mut ones, mut others) = (one.lines(), other.lines());
    loop {
        match (ones.next(), others.next()) {
            (None, None) => return "line ends".to_owned(),
            (one, other) if one == other => {}
            (one, other) => return format!("{one:.300?} and {other:.300?}"),
        }
    }
}

//! `--cache`: the answer of an earlier run, if nothing that it was made of has changed.
//!
//! An answer is kept as a whole: what was printed, and the exit status. It is found by its question
//! (version, arguments, working directory, settings, environment), and holds as long as the trees around
//! the paths are the same ([`stamps`]): all files of the git work tree, or of the named directories
//! outside of one, whether the run read them or not. A file that the run looked for and did not find is covered,
//! too. An answer that depends on something else is not kept: a called module outside of these
//! trees, a link out of them.
//!
//! Without an answer, the command runs as a process of its own, which says in a file whether its answer
//! may be kept ([`note`]), and whose output is copied while it is printed.

mod stamps;
mod store;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use simd_hcl::directory::{Location, Roots};
use simd_hcl::module::SourceAddress;
use simd_hcl::tree::Tree;

use self::stamps::{Comparison, Stamps};
use self::store::{Answer, Store};
use crate::args::Common;
use crate::modules::cleaned;
use crate::paths::or_here;
use crate::status::{Failure, Status};
use crate::{output, replayed};

/// The longest text that is kept, in bytes, for each of both streams.
const LONGEST: u64 = 32 << 20;

/// Files that have changed this short before a run, or during it, may have been read before the
/// change.
const BARELY: Duration = Duration::from_millis(50);

/// A question: everything that the answer depends on, other than the files below the paths.
pub(crate) struct Question<'q> {
    /// The paths that are named.
    pub(crate) paths: &'q [PathBuf],
    /// Files that the answer depends on, wherever they are.
    pub(crate) files: Vec<PathBuf>,
    /// Texts that the answer depends on.
    pub(crate) texts: Vec<Vec<u8>>,
    /// The text of standard input, if it is read.
    pub(crate) input: Option<String>,
    /// Whether people read the output.
    pub(crate) is_human: bool,
}

/// Prints the answer of an earlier run, or runs the program again without `--cache`, and keeps its answer.
/// Returns the status; `None` if no answer can be kept, and the command has to go on.
pub(crate) fn answer(question: &Question<'_>, common: &Common) -> Result<Option<Status>, Failure> {
    if replayed::note().is_some()
        || common.follow_links
        || common.stats
        || !common.within.is_empty()
    {
        return Ok(None);
    }
    let start = SystemTime::now();
    let roots = Roots::around(question.paths);
    let Some((key, store)) = key(question)?.zip(Store::open()) else { return Ok(None) };
    let Some(before) = Stamps::of(&roots) else { return Ok(None) };
    if let Some((then, answer)) = store.read(&key) {
        match then.compare(&before) {
            Comparison::Same => {
                store.used(&key);
                return Ok(Some(print(question, &answer)?));
            }
            Comparison::SameContent(stamps) => {
                store.write(&key, &stamps, &answer);
                return Ok(Some(print(question, &answer)?));
            }
            Comparison::Different => {}
        }
    }
    let note = tempfile::NamedTempFile::new()?.into_temp_path();
    let (status, answer) = run(question, &note)?;
    let may_be_kept = fs::read(&note).is_ok_and(|text| text == KEEP);
    if let Some(answer) = answer.filter(|_| may_be_kept)
        && let Some(stamps) = Stamps::of(&roots)
        && stamps.are_as(&before)
        && start.checked_sub(BARELY).is_some_and(|start| !stamps.have_changed_since(start))
        && let Some(stamps) = stamps.with_content()
    {
        store.write(&key, &stamps, &answer);
    }
    Ok(Some(status))
}

/// The key of a question; `None` if a file that it depends on cannot be read.
fn key(question: &Question<'_>) -> io::Result<Option<String>> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(env!("CARGO_PKG_VERSION").as_bytes());
    // Another build of the same version may answer in another way.
    let program = std::env::current_exe()?.metadata()?;
    add(&program.len().to_le_bytes());
    add(format!("{:?}", program.modified()?).as_bytes());
    add(std::env::current_dir()?.as_os_str().as_encoded_bytes());
    for argument in arguments() {
        add(argument.as_encoded_bytes());
    }
    add(&[question.is_human.into()]);
    // The only variables that answers depend on.
    let is_read = |name: &OsString| {
        name == "HOME" || name == "NO_COLOR" || name.as_encoded_bytes().starts_with(b"TF_VAR_")
    };
    let mut variables: Vec<_> = std::env::vars_os().filter(|(name, _)| is_read(name)).collect();
    variables.sort();
    for (name, value) in variables {
        add(name.as_encoded_bytes());
        add(value.as_encoded_bytes());
    }
    add(question.input.as_deref().unwrap_or_default().as_bytes());
    question.texts.iter().for_each(|text| add(text));
    for file in &question.files {
        // A pipe can be read once only.
        let is_file = fs::metadata(file).is_ok_and(|found| found.is_file());
        let Some(text) = is_file.then(|| fs::read(file).ok()).flatten() else { return Ok(None) };
        add(file.as_os_str().as_encoded_bytes());
        add(&text);
    }
    Ok(Some(hasher.finalize().to_hex().to_string()))
}

/// The arguments of this run, without `--cache`.
fn arguments() -> Vec<OsString> {
    let mut is_path = false;
    let mut all: Vec<OsString> = std::env::args_os().skip(1).collect();
    all.retain(|argument| {
        is_path |= argument == "--";
        is_path || argument != "--cache"
    });
    all
}

/// Runs the command, and prints what it prints. Returns it as well, unless it is too long.
fn run(question: &Question<'_>, note: &Path) -> Result<(Status, Option<Answer>), Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Colours are stripped where they are not wanted.
    command.env(replayed::NOTE, note).env("CLICOLOR_FORCE", "1");
    let mut child = command.spawn()?;
    if let Some((mut input, text)) = child.stdin.take().zip(question.input.clone()) {
        // A command need not read it.
        thread::spawn(move || drop(input.write_all(text.as_bytes())));
    }
    let errors = child.stderr.take();
    let errors = thread::spawn(move || match errors {
        Some(errors) => copied(errors, &mut anstream::stderr()),
        None => Ok(None),
    });
    let mut kept = Ok(None);
    if let Some(output) = child.stdout.take() {
        print_by(question, |out| {
            kept = copied(output, out);
            Ok(())
        })?;
    }
    let status = match child.wait()?.code() {
        Some(0) => Status::Clean,
        Some(1) => Status::Found,
        _ => Status::CouldNotRun,
    };
    let errors = errors.join().unwrap_or(Ok(None))?;
    let answer = kept?.zip(errors).map(|(output, errors)| Answer { status, output, errors });
    Ok((status, answer.filter(|_| status != Status::CouldNotRun)))
}

/// Copies a stream as it comes, and returns it unless it is too long.
fn copied(mut from: impl Read, to: &mut dyn Write) -> io::Result<Option<Vec<u8>>> {
    let (mut kept, mut chunk) = (Some(Vec::new()), vec![0; 1 << 16]);
    loop {
        let length = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&chunk[..length])?;
        kept = kept.filter(|kept| (kept.len() + length) as u64 <= LONGEST);
        if let Some(kept) = &mut kept {
            kept.extend_from_slice(&chunk[..length]);
        }
    }
    to.flush()?;
    Ok(kept)
}

fn print_by(
    question: &Question<'_>,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match question.is_human {
        true => output::text(print),
        false => output::data(print),
    }
}

fn print(question: &Question<'_>, answer: &Answer) -> io::Result<Status> {
    print_by(question, |out| out.write_all(&answer.output))?;
    anstream::stderr().lock().write_all(&answer.errors)?;
    Ok(answer.status)
}

/// The content of the file in which a run says that its answer may be kept.
const KEEP: &[u8] = b"keep";

/// Says that the answer may be kept, if that is asked and nothing outside of the trees around the
/// paths has a part in it.
pub(crate) fn note(paths: &[PathBuf], tree: &Tree<'_>) -> io::Result<()> {
    let Some(file) = replayed::note() else { return Ok(()) };
    let roots = Roots::around(paths);
    match is_inside(tree, &roots)? {
        true => fs::write(file, KEEP),
        false => Ok(()),
    }
}

/// Whether all modules, and all directories that calls name, are in the trees around the paths.
fn is_inside(tree: &Tree<'_>, roots: &Roots) -> io::Result<bool> {
    let here = std::env::current_dir()?.canonicalize()?;
    let templates = tree.templates().iter().map(|template| &template.files);
    let directories = tree.modules().iter().map(|module| &module.files).chain(templates);
    for files in directories {
        let Location::Disk(directory) = files.directory() else { return Ok(false) };
        let inside = or_here(&directory).canonicalize().is_ok_and(|real| roots.contains(&real));
        if !inside {
            return Ok(false);
        }
    }
    for module in tree.modules() {
        let Location::Disk(directory) = module.files.directory() else { return Ok(false) };
        let directory = here.join(directory);
        let called = module.module.calls.iter().filter_map(|call| call.source_address());
        let runs = module.tests.iter().flat_map(|file| &file.runs);
        let tested = runs.filter_map(|run| run.module.as_ref()?.address);
        // Where components come from is not followed here.
        if module.stack.is_some() {
            return Ok(false);
        }
        for address in called.chain(tested) {
            let SourceAddress::Local(source) = address else { continue };
            if !roots.contains(&cleaned(&directory.join(source))) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

//! Access to git: the program, revisions, and the files that changed since one.
//!
//! This runs the program `git`, and does not read the repository itself. With these options, git
//! does not change the repository, fetch, or start other programs.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

use crate::args::Common;
use crate::paths::or_here;
use crate::status::Failure;

/// The maximum size of git's output, other than files, and of its messages, in bytes.
const MOST_OUTPUT: u64 = 1 << 30;
const MOST_ERRORS: u64 = 1 << 16;

/// A commit that a revision names.
#[derive(Clone)]
pub(crate) struct Commit {
    /// The revision as it was given; of a commit that was found, the start of its hash.
    pub(crate) name: String,
    pub(crate) hash: String,
}

impl Commit {
    /// # Errors
    /// There is no such revision.
    pub(crate) fn of(revision: &str) -> Result<Self, Failure> {
        Ok(Self { name: revision.to_owned(), hash: resolve(revision)? })
    }

    /// Does the same, with advice if the clone lacks history.
    fn of_history(revision: &str) -> Result<Self, Failure> {
        Self::of(revision).map_err(|failure| match is_shallow() {
            true => Failure::Message(format!("{revision}: no such revision; {SHALLOW}")),
            false => failure,
        })
    }

    /// Whether the working tree is one of this commit.
    pub(crate) fn is_checked_out(&self) -> bool {
        Self::of("HEAD").is_ok_and(|head| head.hash == self.hash)
    }
}

/// Two revisions, or a revision and the working tree.
pub(crate) struct Compared {
    /// The commit that is compared with: for one revision, where the branches parted.
    pub(crate) base: Commit,
    /// The other commit; `None` for the working tree.
    pub(crate) head: Option<Commit>,
}

impl Compared {
    /// Returns the commit that a revision stands for: `REV` is the merge base of it and `HEAD`,
    /// compared with the working tree; `A..B` are exactly these two; `A...B` is their merge base
    /// and `B`.
    ///
    /// # Errors
    /// A revision does not exist, or two have no common commit: a shallow clone may lack it.
    pub(crate) fn of(revision: &str) -> Result<Self, Failure> {
        // Outside of a repository, no revision exists.
        top()?;
        let or_head =
            |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        if let Some((one, other)) = revision.split_once("...") {
            let one = Commit::of_history(&or_head(one))?;
            let head = Commit::of_history(&or_head(other))?;
            return Ok(Self { base: merge_base(one, &head)?, head: Some(head) });
        }
        if let Some((one, other)) = revision.split_once("..") {
            let base = Commit::of_history(&or_head(one))?;
            return Ok(Self { base, head: Some(Commit::of_history(&or_head(other))?) });
        }
        let base = Commit::of_history(revision)?;
        // Before the first commit, there is nothing to compare with but the revision.
        let Ok(head) = Commit::of("HEAD") else { return Ok(Self { base, head: None }) };
        Ok(Self { base: merge_base(base, &head)?, head: None })
    }

    /// Returns the files that differ, with modes and links, and both names of a renamed file. Files
    /// that git does not know count in the working tree. Paths below the working directory are relative
    /// to it; those of submodules and other repositories end with `/`.
    pub(crate) fn changed(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut arguments = vec!["diff", "--raw", "--no-renames", "--no-ext-diff", "-z"];
        arguments.push(&self.base.hash);
        arguments.extend(self.head.as_ref().map(|head| head.hash.as_str()));
        arguments.push("--");
        let (top, here) = (top()?, canonical(Path::new("."))?);
        let mut changed = differences(&run(&arguments)?.stdout);
        if self.head.is_none() {
            let top = top.to_string_lossy();
            let others = ["-C", &top, "ls-files", "--others", "--exclude-standard", "-z"];
            let names = run(&others)?.stdout;
            let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            changed.extend(names.map(|name| String::from_utf8_lossy(name).into_owned()));
        }
        let from_here = |name: &String| {
            let path = top.join(name);
            let path = path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path);
            as_directory(path, is_directory_name(Path::new(name)))
        };
        Ok(changed.iter().map(from_here).collect())
    }
}

/// Returns the names in the output of `git diff --raw -z`: `:MODE MODE HASH HASH STATUS`, a path. A link that
/// is none any more may have led to a directory, and stands for all that was below it.
fn differences(printed: &[u8]) -> Vec<String> {
    /// The mode of a submodule.
    const SUBMODULE: &str = "160000";
    /// The mode of a symbolic link.
    const LINK: &str = "120000";
    let mut parts = printed.split(|byte| *byte == 0);
    let mut names = Vec::new();
    while let (Some(modes), Some(name)) = (parts.next(), parts.next()) {
        let (modes, mut name) =
            (String::from_utf8_lossy(modes), String::from_utf8_lossy(name).into_owned());
        let mut modes = modes.trim_start_matches(':').split(' ');
        let (old, new) = (modes.next().unwrap_or_default(), modes.next().unwrap_or_default());
        let is_lost = old == LINK && new != LINK;
        if old == SUBMODULE || new == SUBMODULE || is_lost {
            name.push('/');
        }
        names.push(name);
    }
    names
}

/// Whether a path is written as that of a directory, which need not exist.
pub(crate) fn is_directory_name(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Returns a path as that of a directory if it is one.
pub(crate) fn as_directory(mut path: PathBuf, is_directory: bool) -> PathBuf {
    if is_directory {
        path.push("");
    }
    path
}

/// Advice about a clone without history.
const SHALLOW: &str = "this clone is shallow: fetch all of its history (`fetch-depth: 0`, or `git fetch --unshallow`)";

/// Returns the newest commit that two commits have in common.
fn merge_base(one: Commit, other: &Commit) -> Result<Commit, Failure> {
    if one.hash == other.hash {
        return Ok(one);
    }
    let output = git(&["merge-base", &one.hash, &other.hash])?;
    let base = line(&output);
    if output.status.success() && !base.is_empty() {
        let is_first = base == one.hash;
        let name = if is_first { one.name } else { base.chars().take(12).collect() };
        return Ok(Commit { name, hash: base });
    }
    let (one, other) = (one.name, &other.name);
    Err(Failure::Message(match is_shallow() {
        true => format!("{one} and {other} have no common commit here; {SHALLOW}"),
        false => format!(
            "{one} and {other} have no common commit; {one}..{other} compares them as they are"
        ),
    }))
}

/// Whether the repository lacks history.
fn is_shallow() -> bool {
    git(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|output| line(&output) == "true")
}

/// Whether git knows a file that does not exist: in the index, or in a commit.
pub(crate) fn knows(path: &Path, commit: &str) -> bool {
    let text = path.to_string_lossy();
    let is_in_index = git(&["--literal-pathspecs", "ls-files", "--error-unmatch", "--", &text]);
    if is_in_index.is_ok_and(|output| output.status.success()) {
        return true;
    }
    let Ok(inside) = path_in_repository(path) else { return false };
    let object = format!("{commit}:{inside}");
    git(&["cat-file", "-e", &object]).is_ok_and(|output| output.status.success())
}

/// Returns those of the paths of files that have changes since the last commit. Outside of a repository
/// there are none.
pub(crate) fn uncommitted(paths: &[&Path]) -> Vec<String> {
    let Ok(top) = top() else { return Vec::new() };
    let top = top.to_string_lossy();
    let known: Vec<(String, &Path)> = paths
        .iter()
        .take(MOST_ASKED)
        .filter_map(|path| Some((path_in_repository(path).ok()?, *path)))
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut arguments = vec!["--literal-pathspecs", "-C", &top, "status", "--porcelain", "-z"];
    arguments.extend(["--no-renames", "--untracked-files=no", "--"]);
    arguments.extend(known.iter().map(|(inside, _)| inside.as_str()));
    let Ok(output) = run(&arguments) else { return Vec::new() };
    // Two letters and a space are before each name.
    let names = output.stdout.split(|byte| *byte == 0).filter_map(|entry| entry.get(3..));
    let changed: HashSet<&[u8]> = names.collect();
    let changed = known.iter().filter(|(inside, _)| changed.contains(inside.as_bytes()));
    changed.map(|(_, path)| path.to_string_lossy().into_owned()).collect()
}

/// Returns the files of a directory in the last commit whose names are wanted, without those of directories
/// below. Outside of a repository, and before the first commit, there are none.
pub(crate) fn committed(
    directory: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<(String, Vec<u8>)> {
    let directory = or_here(directory).to_string_lossy();
    let list = ["-C", &*directory, "ls-tree", "-z", "--name-only", "HEAD", "./"];
    let Ok(list) = run(&list) else { return Vec::new() };
    let list = String::from_utf8_lossy(&list.stdout);
    let names = list.split('\0').filter(|name| !name.is_empty() && is_wanted(name));
    let content = |name: &str| {
        let object = format!("HEAD:./{name}");
        let output = run(&["-C", &directory, "cat-file", "blob", &object]).ok()?;
        Some((name.to_owned(), output.stdout))
    };
    names.filter_map(content).collect()
}

/// The number of paths that git is asked about.
const MOST_ASKED: usize = 100;

/// Returns the top directory of the working tree around the working directory. Git is asked once.
pub(crate) fn top() -> Result<PathBuf, Failure> {
    static TOP: OnceLock<PathBuf> = OnceLock::new();
    if let Some(top) = TOP.get() {
        return Ok(top.clone());
    }
    let top = canonical(Path::new(&line(&run(&["rev-parse", "--show-toplevel"])?)))?;
    Ok(TOP.get_or_init(|| top).clone())
}

/// Returns the path of the top directory from the working directory: `.`, `..`, `../..`, and so on.
pub(crate) fn from_here(top: &Path) -> Result<PathBuf, Failure> {
    let here = canonical(Path::new("."))?;
    let up: PathBuf = here.strip_prefix(top).into_iter().flatten().map(|_| "..").collect();
    Ok(or_here(&up).to_owned())
}

/// Names paths of a repository from the working directory.
pub(crate) struct FromHere {
    top: PathBuf,
    here: PathBuf,
    /// The path of the top.
    up: PathBuf,
}

impl FromHere {
    pub(crate) fn of(top: &Path) -> Result<Self, Failure> {
        let (here, up) = (canonical(Path::new("."))?, from_here(top)?);
        Ok(Self { top: top.to_owned(), here, up })
    }

    /// A path from the top of the repository.
    pub(crate) fn shown(&self, name: &str) -> String {
        let place = self.top.join(name);
        match place.strip_prefix(&self.here) {
            Ok(rest) => or_here(rest).to_string_lossy().into_owned(),
            Err(_) => self.up.join(name).to_string_lossy().into_owned(),
        }
    }

    /// An absolute path in the repository; any other path as it is.
    pub(crate) fn shown_if_inside(&self, path: &Path) -> String {
        match path.strip_prefix(&self.top) {
            Ok(inside) => self.shown(&crate::paths::text(inside)),
            Err(_) => path.to_string_lossy().into_owned(),
        }
    }
}

/// Returns the parts of `REVISION:PATH`, or a revision without a path and the one to read it at.
pub(crate) fn revision_and_path(name: &str, other: PathBuf) -> (&str, PathBuf) {
    match name.split_once(':') {
        Some((revision, path)) => (revision, or_here(Path::new(path)).to_owned()),
        None => (name, other),
    }
}

/// Paths from the top of the repository that may be read of a revision: all, or those at or below some.
#[derive(Clone, Debug)]
pub(crate) struct Limits(Option<Vec<String>>);

impl Limits {
    pub(crate) fn of(top: &Path, common: &Common) -> Self {
        if common.within.is_empty() {
            return Self(None);
        }
        let limits = common.limits();
        if limits.iter().any(|limit| top.starts_with(limit)) {
            return Self(None);
        }
        let inside = limits.iter().filter_map(|limit| limit.strip_prefix(top).ok());
        Self(Some(inside.map(crate::paths::text).collect()))
    }

    pub(crate) fn allows(&self, path: &str) -> bool {
        let is_in = |limit: &String| {
            let rest = path.strip_prefix(&**limit);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.0.as_ref().is_none_or(|limits| limits.iter().any(is_in))
    }
}

/// Returns the path relative to the top of its repository, with slashes; empty for the top.
pub(crate) fn path_in_repository(path: &Path) -> Result<String, Failure> {
    let top = top()?;
    let absolute = canonical(path)?;
    let Ok(inside) = absolute.strip_prefix(&top) else {
        let path = path.display();
        return Err(Failure::Message(format!("{path} is outside the repository")));
    };
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    Ok(parts.join("/"))
}

/// Returns the absolute path of something that may not exist. Links in the part that exists are
/// followed.
pub(crate) fn canonical(path: &Path) -> Result<PathBuf, Failure> {
    let absolute =
        std::path::absolute(path).map_err(|error| cannot("find the directory", &error))?;
    let mut missing = Vec::new();
    let mut existing = absolute.as_path();
    loop {
        match existing.canonicalize() {
            Ok(found) => return Ok(missing.iter().rev().fold(found, |path, part| path.join(part))),
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err(cannot(&format!("find {}", existing.display()), &error)),
        }
        match (existing.parent(), existing.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                existing = parent;
            }
            _ => return Ok(absolute),
        }
    }
}

/// Returns whether something exists at a path, or an error if the operating system cannot tell.
pub(crate) fn exists(path: &Path) -> Result<bool, Failure> {
    path.try_exists().map_err(|error| cannot(&format!("find {}", path.display()), &error))
}

/// Returns whether the error means that the path does not exist.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns the hash of the commit that a revision names.
fn resolve(revision: &str) -> Result<String, Failure> {
    let commit = format!("{revision}^{{commit}}");
    let output = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
    if !output.status.success() {
        return Err(Failure::Message(format!("{revision}: no such file, directory or revision")));
    }
    Ok(line(&output))
}

/// Runs `git`, and passes its output to `read`, which says whether it has read all of it: otherwise
/// git is stopped, and its status does not matter.
pub(crate) fn read(
    arguments: &[&str],
    read: &mut dyn FnMut(&mut dyn Read) -> io::Result<bool>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot("run git", &error);
    let mut child = command(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let pipes = child.stdout.take().zip(child.stderr.take());
    let mut stderr = Vec::new();
    let is_whole = thread::scope(|scope| {
        let (mut out, errors) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Without its message, a failure of git is still known by its exit status.
        let text = &mut stderr;
        let listen = move || drop(errors.take(MOST_ERRORS).read_to_end(text));
        thread::Builder::new().spawn_scoped(scope, listen)?;
        let is_whole = read(&mut out);
        if !matches!(is_whole, Ok(true)) {
            // It may print more without an end.
            let _ = child.kill();
        }
        is_whole
    });
    let status = child.wait().map_err(failed)?;
    if is_whole.map_err(failed)? && !status.success() {
        return Err(failure(arguments, &stderr));
    }
    Ok(())
}

/// Returns the output of `git` without the last line feed.
fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned()
}

/// Runs `git`. A failure of git is an error.
fn run(arguments: &[&str]) -> Result<Output, Failure> {
    let output = git(arguments)?;
    if output.status.success() {
        return Ok(output);
    }
    Err(failure(arguments, &output.stderr))
}

fn failure(arguments: &[&str], stderr: &[u8]) -> Failure {
    let error = String::from_utf8_lossy(stderr);
    Failure::Message(format!("git {}: {}", arguments[0], error.trim()))
}

/// Runs `git` to its end. Unlike `Command::output`, this does not panic if a pipe cannot be read.
fn git(arguments: &[&str]) -> Result<Output, Failure> {
    let failed = |error: io::Error| cannot("run git", &error);
    let mut child = command(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let pipes = child.stdout.take().zip(child.stderr.take());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let read = thread::scope(|scope| {
        let (out, errors) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Without its message, a failure of git is still known by its exit status.
        let text = &mut stderr;
        let listen = move || drop(errors.take(MOST_ERRORS).read_to_end(text));
        thread::Builder::new().spawn_scoped(scope, listen)?;
        let read = out.take(MOST_OUTPUT + 1).read_to_end(&mut stdout);
        if stdout.len() as u64 > MOST_OUTPUT {
            let _ = child.kill();
        }
        read
    });
    let status = child.wait().map_err(failed)?;
    read.map_err(failed)?;
    if stdout.len() as u64 > MOST_OUTPUT {
        return Err(Failure::Message(format!(
            "git {}: it prints more than {MOST_OUTPUT} bytes",
            arguments[0]
        )));
    }
    Ok(Output { status, stdout, stderr })
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        // Does not refresh the index.
        .env("GIT_OPTIONAL_LOCKS", "0")
        // Does not fetch missing objects of a partial clone, and does not ask for a password.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        // Does not run the file system monitor hook.
        .args(["-c", "core.fsmonitor=false"])
        .args(arguments);
    command
}

pub(crate) fn cannot(what: &str, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot {what}: {error}"))
}

/// Whether a file is a pointer to one in Git LFS.
pub(crate) fn is_lfs_pointer(content: &[u8]) -> bool {
    content.len() < 1024 && content.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// Returns the path that git prints on a line: in quotes, with escapes of C, if it has letters outside of
/// ASCII, quotes or control characters. A text that is not quoted like that is the path itself.
pub(crate) fn unquoted(line: &str) -> PathBuf {
    let inner = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner.and_then(|inner| unescaped(inner.as_bytes())) {
        Some(bytes) => path_of(bytes),
        None => PathBuf::from(line),
    }
}

fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            byte @ (b'"' | b'\\') => byte,
            first @ b'0'..=b'3' => {
                let digit = |byte: u8| matches!(byte, b'0'..=b'7').then(|| byte - b'0');
                (first - b'0') << 6 | digit(rest.next()?)? << 3 | digit(rest.next()?)?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

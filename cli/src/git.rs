//! Access to git: the files of a revision, and the files that changed since a revision.
//!
//! This runs the program `git`, and does not read the repository itself. With these options, git
//! does not change the repository, fetch, or start other programs.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use simd_hcl::Dialect;
use simd_hcl::dialect::FileKind;
use tempfile::TempDir;

use crate::status::Failure;
use crate::visible::visible;

/// The configuration files of a revision, in a temporary directory.
pub(crate) struct Export {
    directory: TempDir,
    /// The requested file or directory.
    pub(crate) path: PathBuf,
    /// The revision as it was given.
    revision: String,
}

impl Drop for Export {
    /// Deletes the directory. Retries after temporary failures, and reports files that remain.
    fn drop(&mut self) {
        let directory = self.directory.path();
        if fs::remove_dir_all(directory).is_err()
            && let Err(error) = fs::remove_dir_all(directory)
            && error.kind() != io::ErrorKind::NotFound
        {
            let name = directory.to_string_lossy();
            anstream::eprintln!("warning: cannot delete {}: {error}", visible(&name));
        }
    }
}

impl Export {
    /// The directory that corresponds to the top of the repository.
    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the name of a path in the export as it is shown: `REVISION:PATH`.
    pub(crate) fn name(&self, path: &str) -> String {
        let root = self.directory.path().to_string_lossy();
        match path.strip_prefix(&*root) {
            Some(rest) => format!("{}:{}", self.revision, rest.trim_start_matches(['/', '\\'])),
            None => path.to_owned(),
        }
    }
}

/// A file in a revision.
struct Blob {
    is_link: bool,
    hash: String,
    path: String,
}

/// Exports the configuration files that a revision has at a path; the directory is empty if there
/// are none. `path` is a file or directory in the working tree, where it need not exist.
pub(crate) fn export(revision: &str, path: &Path) -> Result<Export, Failure> {
    let commit = resolve(revision)?;
    let inside = path_in_repository(path)?;
    let mut arguments = vec!["ls-tree", "-r", "-z", "--full-tree", &commit];
    if !inside.is_empty() {
        arguments.extend(["--", &*inside]);
    }
    let listed = run(&arguments)?;
    let entries = listed.stdout.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    let blobs: Vec<Blob> = entries.filter_map(blob).filter(|blob| is_wanted(&blob.path)).collect();
    let failed = |error: io::Error| cannot("create a directory", &error);
    let directory = tempfile::tempdir().map_err(failed)?;
    let path = directory.path().join(&*inside);
    let export = Export { directory, path, revision: revision.to_owned() };
    if blobs.is_empty() {
        create_directory(&export.path).map_err(failed)?;
    } else {
        write_all(&blobs, export.directory.path())?;
    }
    Ok(export)
}

/// Returns the files that differ between a revision and the working tree, including untracked files
/// and both names of a renamed file. Paths below the working directory are relative to it.
pub(crate) fn changed_since(revision: &str) -> Result<Vec<PathBuf>, Failure> {
    let commit = resolve(revision)?;
    let top = top()?;
    let here = canonical(Path::new("."))?;
    let tracked =
        run(&["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", &commit, "--"])?;
    let top_text = top.to_string_lossy();
    let untracked = run(&["-C", &top_text, "ls-files", "--others", "--exclude-standard", "-z"])?;
    let names =
        tracked.stdout.split(|byte| *byte == 0).chain(untracked.stdout.split(|byte| *byte == 0));
    let names = names.filter(|name| !name.is_empty());
    Ok(names
        .map(|name| {
            let path = top.join(&*String::from_utf8_lossy(name));
            path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path)
        })
        .collect())
}

/// Returns the top directory of the working tree.
pub(crate) fn top() -> Result<PathBuf, Failure> {
    canonical(Path::new(&line(&run(&["rev-parse", "--show-toplevel"])?)))
}

/// Returns the path relative to the top of its repository, with slashes; empty for the top.
fn path_in_repository(path: &Path) -> Result<String, Failure> {
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
pub(crate) fn resolve(revision: &str) -> Result<String, Failure> {
    let commit = format!("{revision}^{{commit}}");
    let output = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
    if !output.status.success() {
        return Err(Failure::Message(format!("{revision}: no such file, directory or revision")));
    }
    Ok(line(&output))
}

/// Parses an entry of `git ls-tree`: `MODE TYPE HASH\tPATH`.
fn blob(entry: &[u8]) -> Option<Blob> {
    let entry = String::from_utf8_lossy(entry);
    let (head, path) = entry.split_once('\t')?;
    let mut head = head.split(' ');
    let (mode, kind, hash) = (head.next()?, head.next()?, head.next()?);
    (kind == "blob").then(|| Blob {
        is_link: mode == "120000",
        hash: hash.to_owned(),
        path: path.to_owned(),
    })
}

/// Returns whether some tool reads files with this name.
fn is_wanted(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    Dialect::ALL.into_iter().any(|dialect| FileKind::of(name.as_ref(), dialect).is_some())
}

/// Writes blobs below a directory.
fn write_all(blobs: &[Blob], directory: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot("read the revision", &error);
    let mut child = command(&["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let written = thread::scope(|scope| {
        let (mut stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Writes on another thread while this one reads, since neither pipe can hold everything.
        let ask = move || blobs.iter().try_for_each(|blob| writeln!(stdin, "{}", blob.hash));
        let asking = thread::Builder::new().spawn_scoped(scope, ask)?;
        // Closes the pipe when it returns, so that git ends even if not everything was read.
        let read = read_all(blobs, BufReader::new(stdout), directory);
        match asking.join() {
            Ok(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => read,
        }
    });
    let ended = child.wait().map_err(failed)?;
    written.map_err(failed)?;
    if ended.success() { Ok(()) } else { Err(failed(io::ErrorKind::Other.into())) }
}

/// Writes the files that `git cat-file --batch` prints. For each blob it prints `HASH TYPE SIZE`,
/// the content and a line feed.
fn read_all(blobs: &[Blob], mut stdout: impl BufRead, directory: &Path) -> io::Result<()> {
    blobs.iter().try_for_each(|blob| {
        let mut head = String::new();
        stdout.read_line(&mut head)?;
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
        let size: u64 = size.ok_or(io::ErrorKind::InvalidData)?;
        let mut content = Vec::new();
        (&mut stdout).take(size).read_to_end(&mut content)?;
        stdout.read_exact(&mut [0])?;
        write_one(blob, &content, directory)
    })
}

fn write_one(blob: &Blob, content: &[u8], directory: &Path) -> io::Result<()> {
    // A repository can contain a tree with an entry `..`.
    if !Path::new(&blob.path).components().all(|part| matches!(part, Component::Normal(_))) {
        let message = format!("invalid path in the revision: {}", blob.path);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let path = directory.join(&blob.path);
    if let Some(parent) = path.parent() {
        create_directory(parent)?;
    }
    // A link may lead out of the repository; its target is not part of the revision.
    if blob.is_link { Ok(()) } else { fs::write(path, content) }
}

/// Creates a directory and its missing parents.
fn create_directory(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        // The standard library returns this instead of the error of the look-up.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match fs::metadata(path)? {
            found if found.is_dir() => Ok(()),
            _ => Err(error),
        },
        result => result,
    }
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
    let error = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Message(format!("git {}: {}", arguments[0], error.trim())))
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
        let (mut out, mut errors) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Without its message, a failure of git is still known by its exit status.
        let text = &mut stderr;
        let listen = move || drop(errors.read_to_end(text));
        thread::Builder::new().spawn_scoped(scope, listen)?;
        out.read_to_end(&mut stdout)
    });
    let status = child.wait().map_err(failed)?;
    read.map_err(failed)?;
    Ok(Output { status, stdout, stderr })
}

fn command(arguments: &[&str]) -> Command {
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

fn cannot(what: &str, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot {what}: {error}"))
}

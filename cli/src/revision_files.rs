//! The files of a revision for functions, such as `file` and `fileset`. Nothing is written to the file
//! system: git lists the tree when the first function reads a file, and prints the files that are read.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use simd_hcl::functions::{FileEntry, FileError, FileKind, Files};

use crate::args::Common;
use crate::git::{self, Limits};
use crate::paths::is_unit;
use crate::status::Failure;

/// The most entries of a tree, bytes of an entry, and links that a path may go through.
const MOST_ENTRIES: usize = 8 << 20;
const LONGEST_ENTRY: u64 = 1 << 16;
const MOST_LINKS: usize = 40;

/// The longest target of a link: more is no path.
const LONGEST_TARGET: usize = 4096;

/// The most bytes of a file, as for files on disk.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of files that are kept for other root modules.
const MOST_KEPT: usize = 256 << 20;

/// All files of a revision.
pub(crate) struct RevisionFiles {
    commit: String,
    /// The directory of the working tree, for paths that start there.
    top: PathBuf,
    /// The most bytes of paths and hashes.
    limit: u64,
    within: Limits,
    entries: OnceLock<Result<BTreeMap<String, Entry>, String>>,
    kept: Mutex<(HashMap<String, Vec<u8>>, usize)>,
}

/// An entry of the tree, by its object.
enum Entry {
    File(Box<str>),
    Link(Box<str>),
    /// A submodule, whose files are elsewhere.
    Submodule,
}

/// The files as functions of one root module see them: relative paths start at its directory.
pub(crate) struct RootFiles<'r> {
    pub(crate) revision: &'r RevisionFiles,
    /// The directory, from the top of the repository.
    pub(crate) directory: String,
}

impl RevisionFiles {
    /// Cost: none until a file is read. Then the list of all files takes at most `limit` bytes:
    /// `--max-decompressed`, as for [`Revision`](crate::revision::Revision).
    pub(crate) fn of(commit: String, top: PathBuf, common: &Common) -> Self {
        let (limit, within) = (common.max_decompressed, Limits::of(&top, common));
        Self { commit, top, limit, within, entries: OnceLock::new(), kept: Mutex::default() }
    }

    /// The directory of the working tree.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    fn entries(&self) -> Result<&BTreeMap<String, Entry>, FileError> {
        let entries = self.entries.get_or_init(|| {
            self.list().map_err(|failure| match failure {
                Failure::Message(message) => message,
                Failure::Output(error) => error.to_string(),
            })
        });
        entries.as_ref().map_err(|message| FileError::Io(io::Error::other(message.clone())))
    }

    fn list(&self) -> Result<BTreeMap<String, Entry>, Failure> {
        let mut entries = BTreeMap::new();
        let (mut left, mut refused) = (self.limit, None);
        git::read(&["ls-tree", "-r", "-z", "--full-tree", &self.commit], &mut |stdout| {
            let (mut stdout, mut entry) = (BufReader::new(stdout), Vec::new());
            loop {
                entry.clear();
                let length = (&mut stdout).take(LONGEST_ENTRY).read_until(0, &mut entry)?;
                if length == 0 {
                    return Ok(true);
                }
                if entries.len() == MOST_ENTRIES || entry.pop() != Some(0) {
                    let most = format!("{MOST_ENTRIES} files, or paths of {LONGEST_ENTRY} bytes");
                    refused = Some(format!("the revision lists more than {most}"));
                    return Ok(false);
                }
                // `MODE TYPE HASH\tPATH`; a name that is not UTF-8 is read by no function.
                let Ok(text) = str::from_utf8(&entry) else { continue };
                let Some((head, path)) = text.split_once('\t') else { continue };
                let mut head = head.split(' ');
                let (Some(mode), Some(_), Some(hash)) = (head.next(), head.next(), head.next())
                else {
                    continue;
                };
                if !self.within.allows(path) {
                    continue;
                }
                let Some(rest) = left.checked_sub(2 * entry.len() as u64) else {
                    let why = "than --max-decompressed allows";
                    refused = Some(format!("the revision lists more files, up to {path}, {why}"));
                    return Ok(false);
                };
                left = rest;
                let kind = match mode {
                    "120000" => Entry::Link(hash.into()),
                    "160000" => Entry::Submodule,
                    _ => Entry::File(hash.into()),
                };
                entries.insert(path.to_owned(), kind);
            }
        })?;
        refused.map_or(Ok(entries), |why| Err(Failure::Message(why)))
    }

    /// Returns an object, of at most [`MOST_BYTES`].
    fn object(&self, hash: &str) -> Result<Vec<u8>, FileError> {
        if let Some(known) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).0.get(hash) {
            return Ok(known.clone());
        }
        let mut bytes = Vec::new();
        let read = git::read(&["cat-file", "blob", hash], &mut |stdout| {
            stdout.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
            Ok(bytes.len() as u64 <= MOST_BYTES)
        });
        if bytes.len() as u64 > MOST_BYTES {
            return Err(FileError::TooLarge(MOST_BYTES));
        }
        if read.is_err() {
            return Err(FileError::Io(io::Error::other("this clone does not have it")));
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.1 + bytes.len() <= MOST_KEPT {
            kept.1 += bytes.len();
            kept.0.insert(hash.to_owned(), bytes.clone());
        }
        Ok(bytes)
    }

    /// Follows the links of a path, which starts at the top and has no `.` and `..`. What is in a submodule
    /// is outside: this repository does not have it.
    ///
    /// Cost: one look-up for each name of the path and of the links.
    fn resolve(&self, path: &str) -> Result<String, FileError> {
        let entries = self.entries()?;
        let mut found = String::with_capacity(path.len());
        // The next name is the last one.
        let mut rest: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
        let mut links = 0;
        while let Some(name) = rest.pop() {
            let above = found.len();
            match name.as_str() {
                "" | "." => continue,
                ".." if found.is_empty() => return Err(FileError::Outside),
                ".." => {
                    found.truncate(found.rfind('/').unwrap_or_default());
                    continue;
                }
                name if found.is_empty() => found.push_str(name),
                name => found.extend(["/", name]),
            }
            match entries.get(&found) {
                Some(Entry::Link(hash)) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(FileError::Links);
                    }
                    let target = self.target(hash)?;
                    found.truncate(above);
                    rest.extend(target.rsplit('/').map(str::to_owned));
                }
                Some(Entry::Submodule) if !rest.is_empty() => return Err(FileError::Outside),
                Some(Entry::File(_)) if !rest.is_empty() => return Err(FileError::Missing),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Where a link leads from its directory.
    fn target(&self, hash: &str) -> Result<String, FileError> {
        let target = self.object(hash)?;
        if target.len() > LONGEST_TARGET {
            return Err(FileError::Missing);
        }
        let target = String::from_utf8(target).map_err(|_| FileError::Missing)?;
        if target.starts_with('/') { Err(FileError::Outside) } else { Ok(target) }
    }

    /// Returns a file of the revision by its path from the top.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let path = self.resolve(path)?;
        match self.entries()?.get(&path) {
            Some(Entry::File(hash)) => {
                let bytes = self.object(hash)?;
                if git::is_lfs_pointer(&bytes) {
                    return Err(FileError::Io(io::Error::other("it is stored in Git LFS")));
                }
                Ok(bytes)
            }
            Some(Entry::Link(_)) => Err(FileError::Outside),
            Some(Entry::Submodule) => Err(FileError::Kind(FileKind::Directory)),
            None if self.is_directory(&path)? => Err(FileError::Kind(FileKind::Directory)),
            None => Err(FileError::Missing),
        }
    }

    /// Whether some directory may have a unit of Terragrunt: a quicker answer than a search for units. A
    /// directory that cannot be listed may have one.
    pub(crate) fn has_units(&self) -> bool {
        let is_it = |path: &String| is_unit(path);
        self.entries().map_or(true, |entries| entries.keys().any(is_it))
    }

    fn is_directory(&self, path: &str) -> Result<bool, FileError> {
        let entries = self.entries()?;
        if path.is_empty() {
            return Ok(true);
        }
        let inside = format!("{path}/");
        Ok(entries
            .range(inside.clone()..)
            .next()
            .is_some_and(|(name, _)| name.starts_with(&inside)))
    }
}

/// A path from a directory, without `.` and `..`; `None` if it leads out of the top.
fn joined(directory: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

impl RootFiles<'_> {
    /// The path from the top of the repository.
    pub(crate) fn place(&self, path: &str) -> Result<String, FileError> {
        if !path.starts_with('/') {
            return joined(&self.directory, path).ok_or(FileError::Outside);
        }
        let top = self.revision.top.to_str().ok_or(FileError::Outside)?;
        let rest = path.strip_prefix(top).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let rest = rest.ok_or(FileError::Outside)?;
        joined("", rest.trim_start_matches('/')).ok_or(FileError::Outside)
    }
}

impl Files for RootFiles<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.revision.read(&self.place(path)?)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        let path = self.revision.resolve(&self.place(path)?)?;
        match self.revision.entries()?.get(&path) {
            Some(Entry::File(_)) => Ok(FileKind::File),
            Some(Entry::Link(_)) => Err(FileError::Outside),
            Some(Entry::Submodule) => Ok(FileKind::Directory),
            None if self.revision.is_directory(&path)? => Ok(FileKind::Directory),
            None => Err(FileError::Missing),
        }
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let directory = self.revision.resolve(&self.place(path)?)?;
        let all = self.revision.entries()?;
        match all.get(&directory) {
            Some(Entry::File(_)) => return Err(FileError::Kind(FileKind::File)),
            Some(Entry::Link(_) | Entry::Submodule) => return Err(FileError::Outside),
            None => {}
        }
        if !self.revision.is_directory(&directory)? {
            return Err(FileError::Missing);
        }
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let mut found: Vec<FileEntry> = Vec::new();
        for (name, entry) in all.range(start.clone()..) {
            let Some(rest) = name.strip_prefix(&start) else { break };
            let (name, kind) = match (rest.split_once('/'), entry) {
                (Some((name, _)), _) => (name, Ok(FileKind::Directory)),
                (None, Entry::File(_)) => (rest, Ok(FileKind::File)),
                (None, Entry::Submodule) => (rest, Ok(FileKind::Directory)),
                (None, Entry::Link(_)) => {
                    (rest, self.kind(&format!("{}/{rest}", path.trim_end_matches('/'))))
                }
            };
            if found.last().is_none_or(|last| last.name != name) {
                found.push(FileEntry::new(name.to_owned(), kind));
            }
        }
        Ok(found)
    }

    fn absolute(&self, path: &str) -> Option<String> {
        if path.starts_with('/') {
            return Some(path.to_owned());
        }
        let top = self.revision.top.to_str()?;
        let place = joined(&self.directory, path)?;
        Some(format!("{top}/{place}").trim_end_matches('/').to_owned())
    }

    fn home(&self) -> Option<String> {
        None
    }
}

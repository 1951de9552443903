//! The files of the cache: one for each answer, in a directory that only its user can write.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::stamps::{Entry, Hash, Kind, Stamps};
use crate::status::Status;

/// The bytes that all files have together; the oldest are removed.
const MOST_BYTES: u64 = 256 << 20;

/// The first bytes of a file: another layout has another number.
const HEADER: &[u8] = b"simd-hcl answer 1\n";

/// The output of a command, and its exit status.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: Status,
    pub(super) output: Vec<u8>,
    pub(super) errors: Vec<u8>,
}

/// The directory of the cache.
pub(super) struct Store {
    directory: PathBuf,
}

impl Store {
    /// Opens the cache in the user's cache folder; `None` if there is no such folder, or if others may
    /// write to it.
    pub(super) fn open() -> Option<Self> {
        let directory = folder()?.join("simd-hcl");
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&directory).ok()?;
        is_own(&directory).then_some(Self { directory })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.directory.join(key)
    }

    /// Returns an answer and the state of the files that it was made of; `None` if the cache does not
    /// have it, or if its file is damaged.
    pub(super) fn read(&self, key: &str) -> Option<(Stamps, Answer)> {
        let path = self.path(key);
        let found = path.symlink_metadata().ok()?;
        if !found.is_file() || found.len() > MOST_BYTES {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(&path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        let rest = bytes.strip_prefix(HEADER)?;
        let (sum, rest) = rest.split_at_checked(size_of::<Hash>())?;
        if sum != blake3::hash(rest).as_bytes() {
            return None;
        }
        Fields(rest).file()
    }

    /// Keeps an answer, if the cache can be written.
    pub(super) fn write(&self, key: &str, stamps: &Stamps, answer: &Answer) {
        let mut body = Vec::new();
        write_file(&mut body, stamps, answer);
        if body.len() as u64 <= MOST_BYTES / 4 {
            // The answer is printed anyway.
            let _ = self.replace(key, &body);
        }
        let _ = self.shrink();
    }

    fn replace(&self, key: &str, body: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(HEADER)?;
        file.write_all(blake3::hash(body).as_bytes())?;
        file.write_all(body)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    /// Says that an answer was used, so that it stays longer than others.
    pub(super) fn used(&self, key: &str) {
        if let Ok(file) = File::options().write(true).open(self.path(key)) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// Removes the oldest files that are too many.
    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.is_file() {
                files.push((found.modified()?, found.len(), entry.path()));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if bytes <= MOST_BYTES {
                break;
            }
            fs::remove_file(path)?;
            bytes -= length;
        }
        Ok(())
    }
}

/// The folder of the user's caches.
fn folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let of_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(of_home)))
}

/// Whether a directory is the user's, and nobody else may write to it.
fn is_own(directory: &Path) -> bool {
    let Ok(found) = directory.symlink_metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    found.is_dir()
}

fn write_file(out: &mut Vec<u8>, stamps: &Stamps, answer: &Answer) {
    let text = |out: &mut Vec<u8>, bytes: &[u8]| {
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    };
    out.push(answer.status as u8);
    text(out, &answer.output);
    text(out, &answer.errors);
    out.extend(stamps.time.to_le_bytes());
    for entry in &stamps.entries {
        text(out, entry.path.as_encoded_bytes());
        out.extend(entry.changed.to_le_bytes());
        match &entry.kind {
            Kind::Directory => out.push(0),
            Kind::File { length, modified, inode, content } => {
                out.push(1);
                out.extend(length.to_le_bytes());
                out.extend(modified.to_le_bytes());
                out.extend(inode.to_le_bytes());
                out.extend(content);
            }
            Kind::Link(target) => {
                out.push(2);
                text(out, target);
            }
            Kind::Special => out.push(3),
        }
    }
}

/// The fields of a file that are not read yet.
struct Fields<'f>(&'f [u8]);

impl<'f> Fields<'f> {
    fn file(mut self) -> Option<(Stamps, Answer)> {
        let status = match self.array::<1>()? {
            [0] => Status::Clean,
            [1] => Status::Found,
            _ => return None,
        };
        let answer =
            Answer { status, output: self.text()?.to_vec(), errors: self.text()?.to_vec() };
        let time = self.time()?;
        let mut entries = Vec::new();
        while !self.0.is_empty() {
            entries.push(self.entry()?);
        }
        Some((Stamps { time, entries }, answer))
    }

    fn entry(&mut self) -> Option<Entry> {
        let path = path_of(self.text()?)?;
        let changed = self.time()?;
        let kind = match self.array::<1>()? {
            [0] => Kind::Directory,
            [1] => Kind::File {
                length: self.number()?,
                modified: self.time()?,
                inode: self.number()?,
                content: self.array()?,
            },
            [2] => Kind::Link(self.text()?.to_vec()),
            [3] => Kind::Special,
            _ => return None,
        };
        Some(Entry { path, kind, changed })
    }

    fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn number(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn time(&mut self) -> Option<i128> {
        self.array().map(i128::from_le_bytes)
    }

    fn text(&mut self) -> Option<&'f [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<OsString> {
    String::from_utf8(bytes.to_vec()).ok().map(OsString::from)
}

//! The state of all files in some directories: what exists, its length and times, and its content.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use simd_hcl::directory::Roots;
use simd_hcl::source::Access;

/// The most entries of which the state is looked at.
const MOST: usize = 1 << 20;

/// Longer files count as changed if their times have.
const LONGEST: u64 = 256 << 20;

/// Files that are younger than this are compared by content: a change within the same tick of the clock
/// has the same time.
const YOUNG: Duration = Duration::from_secs(2);

/// The names in the directory of a repository that functions may read.
const OF_GIT: [&str; 3] = ["HEAD", "packed-refs", "refs"];

pub(super) type Hash = [u8; 32];

/// The kind of an entry, and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    File {
        length: u64,
        /// Nanoseconds of the last change of the content.
        modified: i128,
        /// The number that the file system gives it; 0 if it has none.
        inode: u64,
        /// All zero while it is not known.
        content: Hash,
    },
    /// A link, by its target.
    Link(Vec<u8>),
    /// A device, a pipe or a socket, which is not read.
    Special,
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Compared by its bytes: a tree has many.
    pub(super) path: OsString,
    pub(super) kind: Kind,
    /// Nanoseconds of the last change of anything; of the content, where the system tells no other.
    pub(super) changed: i128,
}

/// The state of some directories at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamps {
    /// Nanoseconds.
    pub(super) time: i128,
    /// Sorted by path.
    pub(super) entries: Vec<Entry>,
}

/// How two states differ.
pub(super) enum Comparison {
    Same,
    /// Only times differ: the later state, with the content of its files.
    SameContent(Stamps),
    Different,
}

impl Stamps {
    /// Looks at all entries of some directories without reading files; `None` if they are too many,
    /// if one cannot be looked at, or if a link leads out of the directories.
    pub(super) fn of(roots: &Roots) -> Option<Self> {
        let time = nanoseconds(SystemTime::now());
        let directories = roots.directories();
        let entries: Option<Vec<Vec<Entry>>> =
            directories.par_iter().map(|directory| list(directory, roots)).collect();
        let entries = entries?;
        let mut entries = entries.concat();
        entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        (entries.len() <= MOST).then_some(Self { time, entries })
    }

    /// Whether this is the same state, of files that are not read.
    pub(super) fn are_as(&self, other: &Self) -> bool {
        self.entries == other.entries
    }

    /// Whether anything has changed since a time, by the clock of the file system.
    pub(super) fn have_changed_since(&self, time: SystemTime) -> bool {
        let time = nanoseconds(time);
        self.entries.iter().any(|entry| entry.changed >= time)
    }

    /// Adds the content of the files; `None` if one cannot be read.
    pub(super) fn with_content(mut self) -> Option<Self> {
        self.entries.par_iter_mut().try_for_each(Entry::read).ok()?;
        Some(self)
    }

    /// Compares this state, whose content is known, with a later one, of which only those files are read
    /// that may have changed.
    pub(super) fn compare(&self, later: &Self) -> Comparison {
        if self.entries.len() != later.entries.len() {
            return Comparison::Different;
        }
        let young = self.time - YOUNG.as_nanos() as i128;
        let pairs = || self.entries.iter().zip(&later.entries);
        if !pairs().all(|(one, other)| one.may_be(other)) {
            return Comparison::Different;
        }
        let is_same = |one: &Entry, other: &Entry| one.has_stamp_of(other) && one.changed < young;
        let stays = |(one, other): &(&Entry, &Entry)| {
            !matches!(one.kind, Kind::File { .. }) || is_same(one, other)
        };
        if pairs().all(|pair| stays(&pair)) {
            return Comparison::Same;
        }
        let entries: Option<Vec<Entry>> = self
            .entries
            .par_iter()
            .zip(&later.entries)
            .map(|(one, other)| {
                if stays(&(one, other)) {
                    return Some(Entry { changed: other.changed, ..one.clone() });
                }
                let mut read = other.clone();
                read.read().ok()?;
                let content = read.content()?;
                (Some(content) == one.content()).then_some(read)
            })
            .collect();
        match entries {
            Some(entries) => Comparison::SameContent(Self { time: later.time, entries }),
            None => Comparison::Different,
        }
    }
}

impl Entry {
    fn of(path: OsString, metadata: &Metadata) -> io::Result<Self> {
        let kind = metadata.file_type();
        let modified = metadata.modified().map(nanoseconds)?;
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt;
            let seconds = i128::from(metadata.ctime()) * 1_000_000_000;
            (seconds + i128::from(metadata.ctime_nsec()), metadata.ino())
        };
        #[cfg(not(unix))]
        let (changed, inode) = (modified, 0);
        let kind = if kind.is_symlink() {
            Kind::Link(fs::read_link(&path)?.as_os_str().as_encoded_bytes().to_owned())
        } else if kind.is_dir() {
            Kind::Directory
        } else if kind.is_file() {
            Kind::File { length: metadata.len(), modified, inode, content: Hash::default() }
        } else {
            Kind::Special
        };
        Ok(Self { path, kind, changed })
    }

    /// Reads the content of a file.
    fn read(&mut self) -> io::Result<()> {
        let Kind::File { length, content, .. } = &mut self.kind else { return Ok(()) };
        if *length > LONGEST {
            return Ok(());
        }
        let mut hasher = blake3::Hasher::new();
        let access = Access::FOUND.listed_as_regular();
        let opened = access.open(Path::new(&self.path)).map_err(io::Error::other)?;
        let mut file = opened.into_file();
        // A file that has grown since has another time.
        let mut left = *length as usize;
        let mut chunk = vec![0; left.min(1 << 18)];
        while left > 0 {
            let part = left.min(chunk.len());
            match file.read(&mut chunk[..part])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                length => {
                    hasher.update(&chunk[..length]);
                    left -= length;
                }
            }
        }
        *content = hasher.finalize().into();
        Ok(())
    }

    /// The content of a file, if it is known.
    fn content(&self) -> Option<&Hash> {
        match &self.kind {
            Kind::File { content, .. } if *content != Hash::default() => Some(content),
            _ => None,
        }
    }

    /// Whether a later entry may be the same: what is not a file is.
    fn may_be(&self, later: &Self) -> bool {
        let is_it = match (&self.kind, &later.kind) {
            (Kind::File { length, content, .. }, Kind::File { length: other, .. }) => {
                length == other && (*content != Hash::default() || self.has_stamp_of(later))
            }
            (one, other) => one == other,
        };
        is_it && self.path == later.path
    }

    /// Whether the times of a file are the same.
    fn has_stamp_of(&self, later: &Self) -> bool {
        match (&self.kind, &later.kind) {
            (
                Kind::File { modified, inode, .. },
                Kind::File { modified: its, inode: its_inode, .. },
            ) => modified == its && inode == its_inode && self.changed == later.changed,
            _ => false,
        }
    }
}

/// All entries below a directory.
fn list(directory: &Path, roots: &Roots) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut below = Vec::new();
    for entry in fs::read_dir(directory).ok()? {
        let entry = entry.ok()?;
        let path = entry.path();
        if is_skipped(&path) {
            continue;
        }
        let metadata = entry.metadata().ok()?;
        if metadata.is_dir() {
            below.push(path.clone());
        }
        if metadata.is_symlink() && roots.outside(&path).is_some() {
            return None;
        }
        entries.push(Entry::of(path.into(), &metadata).ok()?);
    }
    let below: Option<Vec<Vec<Entry>>> = below.par_iter().map(|path| list(path, roots)).collect();
    below?.into_iter().for_each(|more| entries.extend(more));
    (entries.len() <= MOST).then_some(entries)
}

/// Whether nothing in a path has a part in an answer: the objects of a repository, and providers.
fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    match path.parent().and_then(Path::file_name) {
        Some(above) if above == ".git" => OF_GIT.iter().all(|it| name != *it),
        Some(above) if above == ".terraform" => name == "providers",
        _ => false,
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}

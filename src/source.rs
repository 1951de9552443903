//! Sources: the bytes of one file with its name, read, mapped or borrowed.
//!
//! | input | result |
//! |---|---|
//! | empty file | a source of no bytes; parsing it is an error (`missing-value`) |
//! | UTF-8 byte order mark | an error when parsed, and decoding continues after it |
//! | UTF-16 or UTF-32 | an error when parsed (`not-utf8-encoding`); files of modules are converted from UTF-16 before |
//! | directory | [`SourceError::Directory`] |
//! | pipe, device | all bytes until it ends; opening a pipe waits for a writer. Never mapped |
//! | missing or unreadable | [`SourceError::Io`] |
//! | more than [`MAX_LEN`] bytes | [`SourceError::TooLarge`] |
//! | changed while it is read | the bytes that the reads returned |
//!
//! ```
//! use simd_hcl::{Arena, Source, Span};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "a.json", b"{\n  \"a\": 1\n}")?;
//! assert_eq!(source.line_span(4).slice(source.bytes()), b"  \"a\": 1");
//! let (start, end) = source.range(Span::new(4, 7));
//! assert_eq!((start.line, start.column, end.column), (2, 3, 6));
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arena::Arena;
use crate::position::{LineIndex, Position};
use crate::span::Span;

/// The longest source, in bytes: offsets have 32 bits, and a few values above the last offset are
/// needed for look-ahead.
pub const MAX_LEN: usize = u32::MAX as usize - 64;

/// The bytes of one file and its name. A `Copy` handle into the arena.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    data: &'a Data<'a>,
}

struct Data<'a> {
    id: u32,
    name: Name<'a>,
    bytes: &'a [u8],
    conversion: Conversion,
    lines: OnceLock<LineIndex<'a>>,
    /// Whether its text may contain secrets.
    is_secret: AtomicBool,
    /// The line, the column and the offset of the first byte, if it is a part of a stream.
    origin: Option<(u64, u64, u64)>,
    arena: &'a Arena,
}

#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    /// Whether it is the path of a file of the file system.
    is_path: bool,
}

impl<'a> Name<'a> {
    fn of(arena: &'a Arena, text: &str) -> Self {
        Self { text: arena.str(text), is_path: false }
    }
}

/// The conversions that were applied to the bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// The name of the compression, if the file was compressed.
    pub(crate) compression: Option<&'static str>,
    /// The original encoding, if it was not UTF-8.
    pub(crate) encoding: Option<&'static str>,
    /// Whether the tools, which do not convert files, would reject this file.
    pub(crate) is_refused: bool,
}

impl<'a> Source<'a> {
    /// Reads a file into the arena. A pipe or a device is read until it ends.
    ///
    /// Check files that were found in a directory, rather than named by the user, with
    /// [`Source::refuse_special_file`] first: opening a pipe waits until another process writes to
    /// it.
    ///
    /// # Errors
    /// See the table at the top of this module. Cost: one `stat`, one open, and reads into memory
    /// of the file's length.
    pub fn read(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        Self::read_of(arena, path, file_len(path)?)
    }

    /// Reads a file with the length that `file_len` found.
    fn read_of(arena: &'a Arena, path: &Path, len: Option<usize>) -> Result<Self, SourceError> {
        let file = File::open(path).map_err(SourceError::Io)?;
        let bytes = match len {
            Some(len) => read_expecting(arena, len, file)?,
            None => read_all(arena, file)?,
        };
        Self::from_file(arena, path, bytes)
    }

    /// Maps a file; without the feature `mmap`, reads it. A mapping copies nothing; pages are read
    /// when they are touched. A file without a length, such as a pipe, is read instead. Cost of
    /// mapping: constant. The list of mappings is locked only while one is added.
    ///
    /// # Errors
    /// See the table at the top of this module.
    ///
    /// # Safety
    /// Until the arena is dropped or reset, the file must not be written or truncated: the bytes
    /// are assumed not to change, and touching a truncated page raises a signal.
    #[allow(unsafe_code, reason = "a mapped file may change")]
    pub unsafe fn map(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let len = file_len(path)?;
        // Files in `/proc` report a length of 0, but are not empty.
        #[cfg(feature = "mmap")]
        if len.is_some_and(|len| len > 0) {
            let file = File::open(path).map_err(SourceError::Io)?;
            // SAFETY: the caller promises that the file does not change while the arena lives.
            let mapping = unsafe { memmap2::Mmap::map(&file) }.map_err(SourceError::Io)?;
            // The system may ignore the advice; the mapping works without it.
            #[cfg(target_os = "linux")]
            let _ = mapping.advise(memmap2::Advice::HugePage);
            return Self::from_file(arena, path, arena.keep(mapping));
        }
        Self::read_of(arena, path, len)
    }

    /// Maps a file of at least `map_from` bytes, and reads a smaller one.
    ///
    /// Mapping saves a copy, but costs more than the copy for small files.
    ///
    /// # Errors
    /// See the table at the top of this module.
    ///
    /// # Safety
    /// See [`Source::map`].
    #[allow(unsafe_code, reason = "a mapped file may change")]
    pub unsafe fn open(
        arena: &'a Arena,
        path: impl AsRef<Path>,
        map_from: u64,
    ) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let len = file_len(path)?;
        if len.is_some_and(|len| len as u64 >= map_from) {
            // SAFETY: the caller makes the promise that mapping needs.
            unsafe { Self::map(arena, path) }
        } else {
            Self::read_of(arena, path, len)
        }
    }

    /// Returns an error if the path names a pipe, a socket or a device: for files found in a
    /// directory, where waiting for a pipe could take forever.
    ///
    /// # Errors
    /// [`SourceError::SpecialFile`]. Other errors of the file are reported when it is opened. Cost:
    /// one `stat`.
    pub fn refuse_special_file(path: impl AsRef<Path>) -> Result<(), SourceError> {
        match file_len(path.as_ref()) {
            Ok(None) => Err(SourceError::SpecialFile),
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// Reads all of `reader`, for instance standard input.
    ///
    /// # Errors
    /// [`SourceError::Io`] if reading fails, [`SourceError::TooLarge`] after [`MAX_LEN`] bytes.
    pub fn read_from(arena: &'a Arena, name: &str, reader: impl Read) -> Result<Self, SourceError> {
        Self::from_bytes(arena, name, read_all(arena, reader)?)
    }

    /// Returns a source with a copy of `bytes`, which the caller has instead of the text of the file
    /// at `path`: an unsaved file of an editor, for example.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for more than [`MAX_LEN`] bytes.
    pub fn of_file(
        arena: &'a Arena,
        path: impl AsRef<Path>,
        bytes: &[u8],
    ) -> Result<Self, SourceError> {
        Self::from_file(arena, path.as_ref(), arena.bump().alloc_slice_copy(bytes))
    }

    fn from_file(arena: &'a Arena, path: &Path, bytes: &'a [u8]) -> Result<Self, SourceError> {
        if bytes.len() > MAX_LEN {
            return Err(SourceError::TooLarge { len: bytes.len() as u64 });
        }
        // A name that is decoded lossily may be the path of another file.
        let name =
            Name { text: arena.str(&path.to_string_lossy()), is_path: path.to_str().is_some() };
        Ok(Self::new(arena, name, bytes, Conversion::default()))
    }

    /// Returns a source that borrows `bytes` for the lifetime of the arena.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for more than [`MAX_LEN`] bytes.
    pub fn from_bytes(arena: &'a Arena, name: &str, bytes: &'a [u8]) -> Result<Self, SourceError> {
        if bytes.len() > MAX_LEN {
            return Err(SourceError::TooLarge { len: bytes.len() as u64 });
        }
        Ok(Self::new(arena, Name::of(arena, name), bytes, Conversion::default()))
    }

    fn new(arena: &'a Arena, name: Name<'a>, bytes: &'a [u8], conversion: Conversion) -> Self {
        let id = arena.next_source();
        let lines = OnceLock::new();
        let is_secret = AtomicBool::new(false);
        let data = Data { id, name, bytes, conversion, lines, is_secret, origin: None, arena };
        Self { data: arena.bump().alloc(data) }
    }

    /// Returns a part of a stream, at most [`MAX_LEN`] bytes. Its positions are those in the
    /// stream: `origin` has the line, the column and the offset of its first byte.
    pub(crate) fn part(
        arena: &'a Arena,
        name: &str,
        bytes: &'a [u8],
        origin: (u64, u64, u64),
    ) -> Self {
        let (id, name, lines) = (arena.next_source(), Name::of(arena, name), OnceLock::new());
        let (conversion, origin) = (Conversion::default(), Some(origin));
        let is_secret = AtomicBool::new(false);
        let data = Data { id, name, bytes, conversion, lines, is_secret, origin, arena };
        Self { data: arena.bump().alloc(data) }
    }

    /// Returns the same bytes, with the conversions that were applied to them.
    pub(crate) fn with_conversion(self, conversion: Conversion) -> Self {
        let Data { arena, name, bytes, .. } = *self.data;
        Self::new(arena, name, bytes, conversion)
    }

    /// Returns a copy of another text of the same file.
    pub(crate) fn with_text(self, arena: &'a Arena, text: &[u8]) -> Result<Self, SourceError> {
        let name = Name { text: arena.str(self.name()), ..self.data.name };
        if text.len() > MAX_LEN {
            return Err(SourceError::TooLarge { len: text.len() as u64 });
        }
        let bytes = arena.bump().alloc_slice_copy(text);
        Ok(Self::new(arena, name, bytes, Conversion::default()))
    }

    /// The conversions that were applied to the bytes of the file.
    pub(crate) fn conversion(self) -> Conversion {
        self.data.conversion
    }

    /// Returns a source with a copy of `bytes` in the arena.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for more than [`MAX_LEN`] bytes.
    pub fn copy_from(arena: &'a Arena, name: &str, bytes: &[u8]) -> Result<Self, SourceError> {
        if bytes.len() > MAX_LEN {
            return Err(SourceError::TooLarge { len: bytes.len() as u64 });
        }
        Self::from_bytes(arena, name, arena.bump().alloc_slice_copy(bytes))
    }

    /// Returns a source without bytes, for diagnostics about a file that has no bytes to show.
    #[must_use]
    pub fn empty(arena: &'a Arena, name: &str) -> Self {
        Self::new(arena, Name::of(arena, name), &[], Conversion::default())
    }

    /// Whether the text may contain secrets: it was read as a plan or as a state. An
    /// [`OwnedDiagnostic`](crate::OwnedDiagnostic) keeps no text of such a source.
    #[must_use]
    pub fn is_secret(self) -> bool {
        self.data.is_secret.load(Ordering::Relaxed)
    }

    /// Marks the text as one that may contain secrets.
    pub(crate) fn set_secret(self) {
        self.data.is_secret.store(true, Ordering::Relaxed);
    }

    /// The name it was created with: a path, lossily decoded if it is not UTF-8.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.data.name.text
    }

    /// The path of the file of the file system whose text it is, whether it was read from there or
    /// the caller had it; `None` for other texts, such as the files of an archive, whatever their
    /// names are, and if the path is not UTF-8.
    #[must_use]
    pub fn path(self) -> Option<&'a Path> {
        self.data.name.is_path.then(|| Path::new(self.data.name.text))
    }

    /// All bytes, including a byte order mark.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.data.bytes
    }

    /// A number that is unique among the sources of the arena.
    #[must_use]
    pub fn id(self) -> u32 {
        self.data.id
    }

    /// The line, column and byte of an offset. The first call builds the line index: it takes one
    /// pass over the source, and memory of at most a tenth of its size. Afterwards a call costs a
    /// binary search and a walk over about a kilobyte.
    #[must_use]
    pub fn position(self, offset: u32) -> Position {
        if self.data.origin.is_none() {
            return self.lines().position(self.data.bytes, offset);
        }
        let (line, column, byte) = self.long_position(offset);
        let [line, column, byte] =
            [line, column, byte].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Position { line, column, byte }
    }

    /// The line, column and byte of an offset; of a part of a stream, those in the stream.
    pub(crate) fn long_position(self, offset: u32) -> (u64, u64, u64) {
        let position = self.lines().position(self.data.bytes, offset);
        let (line, column, byte) = self.data.origin.unwrap_or((1, 1, 0));
        let before = if position.line == 1 { column - 1 } else { 0 };
        let add = |one: u32, other: u64| u64::from(one) + other;
        (add(position.line, line - 1), add(position.column, before), add(position.byte, byte))
    }

    /// The bytes of the line that contains an offset, without its line feed.
    #[must_use]
    pub fn line_span(self, offset: u32) -> Span {
        let (start, end) = self.lines().line(self.data.bytes, offset);
        Span::new(start, end)
    }

    /// The positions of a span's start and end.
    #[must_use]
    pub fn range(self, span: Span) -> (Position, Position) {
        (self.position(span.start), self.position(span.end))
    }

    /// The number of bytes that the calling thread, or large event streams, have allocated in the
    /// source's arena: see [`Arena::allocated_bytes`], which needs exclusive access to the arena.
    #[must_use]
    pub fn arena_bytes(self) -> usize {
        self.data.arena.local_bytes()
    }

    fn lines(self) -> &'a LineIndex<'a> {
        self.data.lines.get_or_init(|| LineIndex::new_in(self.data.arena, self.data.bytes))
    }

    /// The arena that owns the source.
    #[must_use]
    pub fn arena(self) -> &'a Arena {
        self.data.arena
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name())
            .field("len", &self.bytes().len())
            .finish_non_exhaustive()
    }
}

impl PartialEq for Source<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.data, other.data)
    }
}

impl Eq for Source<'_> {}

/// The error of a source that could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// An error of the operating system: no such file, no permission, a failed read.
    Io(io::Error),
    /// The path names a directory.
    Directory,
    /// The path is a pipe, a socket or a device that the user has not named explicitly.
    SpecialFile,
    /// The source is longer than [`MAX_LEN`].
    TooLarge {
        /// Its length in bytes, or the length known so far.
        len: u64,
    },
}

impl SourceError {
    /// Whether no file has this path.
    pub(crate) fn is_missing(&self) -> bool {
        use io::ErrorKind::{NotADirectory, NotFound, Unsupported};
        matches!(self, Self::Io(error) if matches!(error.kind(), NotFound | NotADirectory | Unsupported))
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Directory => f.write_str("it is a directory"),
            Self::SpecialFile => {
                f.write_str("not a regular file, but a pipe, a socket or a device")
            }
            Self::TooLarge { len } => {
                write!(f, "it has {len} bytes, and a source has at most {MAX_LEN}")
            }
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Returns the length of the regular file at `path`; `None` for a pipe, a socket or a device.
fn file_len(path: &Path) -> Result<Option<usize>, SourceError> {
    let metadata = fs::metadata(path).map_err(SourceError::Io)?;
    if metadata.is_dir() {
        return Err(SourceError::Directory);
    }
    if !metadata.is_file() {
        return Ok(None);
    }
    match usize::try_from(metadata.len()) {
        Ok(len) if len <= MAX_LEN => Ok(Some(len)),
        _ => Err(SourceError::TooLarge { len: metadata.len() }),
    }
}

/// Reads all of `reader` into the arena.
fn read_all(arena: &Arena, reader: impl Read) -> Result<&[u8], SourceError> {
    let mut bytes = Vec::new();
    reader.take(MAX_LEN as u64 + 1).read_to_end(&mut bytes).map_err(SourceError::Io)?;
    Ok(arena.bump().alloc_slice_copy(&bytes))
}

/// Reads all of `reader` into the arena. The file had `len` bytes before it was opened; it may have
/// grown or shrunk since.
fn read_expecting(arena: &Arena, len: usize, mut reader: impl Read) -> Result<&[u8], SourceError> {
    // One byte more than expected detects that the file has grown.
    let buffer = arena.bump().alloc_slice_fill_copy(len + 1, 0);
    let filled = fill(&mut reader, buffer)?;
    if filled <= len {
        return Ok(&buffer[..filled]);
    }
    let mut grown = buffer.to_vec();
    reader.take((MAX_LEN + 1) as u64).read_to_end(&mut grown).map_err(SourceError::Io)?;
    Ok(arena.bump().alloc_slice_copy(&grown))
}

/// Reads until `buffer` is full or the reader ends. Returns the number of bytes read.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> Result<usize, SourceError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(SourceError::Io(error)),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `text` in reads of at most 7 bytes, with an interruption before each, then fails or
    /// ends.
    struct Steps<'t> {
        text: &'t [u8],
        interrupted: bool,
        fails: bool,
    }

    impl Read for Steps<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.text.is_empty() && self.fails {
                return Err(io::Error::other("unplugged"));
            }
            let count = buffer.len().min(7).min(self.text.len());
            let (now, later) = self.text.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.text = later;
            Ok(count)
        }
    }

    /// The length may be wrong by the time the file is read.
    #[test]
    fn a_file_that_shrinks_or_grows_while_it_is_read() {
        let text: Vec<u8> = (0..100).collect();
        let steps = |fails| Steps { text: &text, interrupted: false, fails };
        let arena = Arena::new();
        for expected in [0, 1, 6, 7, 99, 100, 101, 5000] {
            let bytes = read_expecting(&arena, expected, steps(false));
            assert_eq!(bytes.ok(), Some(&text[..]), "{expected} bytes expected");
            let error = read_expecting(&arena, expected, steps(true)).err();
            assert!(matches!(error, Some(SourceError::Io(_))), "{expected} bytes expected");
        }
    }
}

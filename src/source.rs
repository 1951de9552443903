//! Sources: the bytes of one file with its name, read, mapped or borrowed.
//!
//! | input | result |
//! |---|---|
//! | empty file | a source of no bytes; parsing it is an error (`missing-value`) |
//! | UTF-8 byte order mark | an error when parsed, and decoding continues after it |
//! | UTF-16 or UTF-32 | an error when parsed (`not-utf8-encoding`); files of modules are converted from UTF-16 before |
//! | directory | [`SourceError::Directory`] |
//! | pipe, terminal, `/dev/null` | all bytes until it ends; opening a pipe waits for a writer. Never mapped. With [`Access::FOUND`], [`SourceError::SpecialFile`] |
//! | other device | [`SourceError::SpecialFile`], since it may have no end |
//! | missing or unreadable | [`SourceError::Io`] |
//! | more than [`MAX_LEN`] bytes, or than [`Access::with_limit`] allows | [`SourceError::TooLarge`] |
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
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arena::Arena;
use crate::file::Bounds;
pub use crate::file::{Access, MAX_LEN, OpenFile, SourceError, Stamp};
use crate::mapping::anonymous;
use crate::position::{LineIndex, Position};
use crate::span::Span;

/// A file of at least this many bytes is read into memory in large pages: otherwise, providing the
/// memory would take longer than copying the bytes.
const LARGE: usize = 8 << 20;

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
    origin: Option<Position>,
    stamp: Option<Stamp>,
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

impl<'a> Data<'a> {
    /// The data of bytes that are just that, with a new number.
    fn new(arena: &'a Arena, name: Name<'a>, bytes: &'a [u8]) -> Self {
        Self {
            id: arena.next_source(),
            name,
            bytes,
            conversion: Conversion::default(),
            lines: OnceLock::new(),
            is_secret: AtomicBool::new(false),
            origin: None,
            stamp: None,
            arena,
        }
    }

    fn into_source(self) -> Source<'a> {
        let arena = self.arena;
        Source { data: arena.bump().alloc(self) }
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
    /// Reads a file that the user has named into the arena. A pipe or a device is read until it
    /// ends; opening a pipe waits until another process writes to it.
    ///
    /// # Errors
    /// See the table at the top of this module. Cost: one open, one `stat`, and reads into memory
    /// of the file's length.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::read(&arena, "examples/services.hcl")?;
    /// assert_eq!(source.name(), "examples/services.hcl");
    /// assert!(Source::read(&arena, "no/such/file").is_err());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn read(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, SourceError> {
        Self::read_as(arena, path, Access::NAMED)
    }

    /// Reads a file into the arena. With [`Access::FOUND`], it must be a regular file.
    ///
    /// # Errors
    /// See the table at the top of this module. Cost: as [`Source::read`], and one `stat`.
    pub fn read_as(
        arena: &'a Arena,
        path: impl AsRef<Path>,
        access: Access,
    ) -> Result<Self, SourceError> {
        let path = path.as_ref();
        Self::read_open(arena, path, access.open(path)?)
    }

    fn read_open(arena: &'a Arena, path: &Path, mut file: OpenFile) -> Result<Self, SourceError> {
        let bounds = file.bounds();
        let bytes = match file.expected_len()? {
            Some(len) => read_expecting(arena, len, &mut file, bounds)?,
            None => {
                let mut bytes = Vec::new();
                bounds.read_to_end(&mut file, &mut bytes)?;
                arena.bump().alloc_slice_copy(&bytes)
            }
        };
        Ok(Self::from_file(arena, path, bytes, file.stamp()))
    }

    /// Maps a file that the user has named; without the feature `mmap`, reads it. A mapping copies
    /// nothing; pages are read when they are touched. A file without a length, such as a pipe, is
    /// read instead. Cost of mapping: constant. The list of mappings is locked only while one is
    /// added.
    ///
    /// # Errors
    /// See the table at the top of this module.
    ///
    /// # Safety
    /// Until the arena is dropped or reset, the file must not be written or truncated: the bytes
    /// are assumed not to change, and touching a truncated page raises a signal.
    #[allow(unsafe_code, reason = "a mapped file may change")]
    pub unsafe fn map(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, SourceError> {
        // SAFETY: the caller makes the promise that mapping needs.
        unsafe { Self::map_as(arena, path, Access::NAMED, 0) }
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
    pub unsafe fn map_as(
        arena: &'a Arena,
        path: impl AsRef<Path>,
        access: Access,
        map_from: u64,
    ) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let file = access.open(path)?;
        // Files in `/proc` report a length of 0, but are not empty.
        #[cfg(feature = "mmap")]
        if file.expected_len()?.is_some_and(|len| len as u64 >= map_from.max(1)) {
            // SAFETY: the caller promises that the file does not change while the arena lives.
            let mapping = unsafe { memmap2::Mmap::map(file.file()) }.map_err(SourceError::Io)?;
            // The system may ignore the advice; the mapping works without it.
            #[cfg(target_os = "linux")]
            let _ = mapping.advise(memmap2::Advice::HugePage);
            return Ok(Self::from_file(arena, path, arena.keep(mapping), file.stamp()));
        }
        #[cfg(not(feature = "mmap"))]
        let _ = map_from;
        Self::read_open(arena, path, file)
    }

    /// Reads all of `reader`, for instance standard input.
    ///
    /// # Errors
    /// [`SourceError::Io`] if reading fails, [`SourceError::TooLarge`] after [`MAX_LEN`] bytes.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::read_from(&arena, "-", &b"a = 1"[..])?;
    /// assert_eq!(source.bytes(), b"a = 1");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn read_from(arena: &'a Arena, name: &str, reader: impl Read) -> Result<Self, SourceError> {
        let mut bytes = Vec::new();
        Bounds::ANY.read_to_end(reader, &mut bytes)?;
        Self::from_bytes(arena, name, arena.bump().alloc_slice_copy(&bytes))
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
        check_len(bytes)?;
        let bytes = arena.bump().alloc_slice_copy(bytes);
        Ok(Self::from_file(arena, path.as_ref(), bytes, None))
    }

    fn from_file(arena: &'a Arena, path: &Path, bytes: &'a [u8], stamp: Option<Stamp>) -> Self {
        // A name that is decoded lossily may be the path of another file.
        let name =
            Name { text: arena.str(&path.to_string_lossy()), is_path: path.to_str().is_some() };
        Data { stamp, ..Data::new(arena, name, bytes) }.into_source()
    }

    /// Returns a source that borrows `bytes` for the lifetime of the arena.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for more than [`MAX_LEN`] bytes.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// assert_eq!((source.name(), source.bytes()), ("main.tf", &b"a = 1\n"[..]));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn from_bytes(arena: &'a Arena, name: &str, bytes: &'a [u8]) -> Result<Self, SourceError> {
        check_len(bytes)?;
        Ok(Data::new(arena, Name::of(arena, name), bytes).into_source())
    }

    /// Returns a part of a stream, at most [`MAX_LEN`] bytes. Its positions are those in the
    /// stream: `origin` has the line, the column and the offset of its first byte.
    pub(crate) fn part(arena: &'a Arena, name: &str, bytes: &'a [u8], origin: Position) -> Self {
        let origin = Some(origin);
        Data { origin, ..Data::new(arena, Name::of(arena, name), bytes) }.into_source()
    }

    /// Returns the same bytes, with the conversions that were applied to them.
    pub(crate) fn with_conversion(self, conversion: Conversion) -> Self {
        let Data { arena, name, bytes, .. } = *self.data;
        Data { conversion, ..Data::new(arena, name, bytes) }.into_source()
    }

    /// Returns the stamp of the file when it was opened. `None` if the bytes are not those of a regular
    /// file: they are in memory, decompressed or converted.
    #[must_use]
    pub fn stamp(self) -> Option<Stamp> {
        self.data.stamp
    }

    /// Returns a copy of another text of the same file.
    pub(crate) fn with_text(self, arena: &'a Arena, text: &[u8]) -> Result<Self, SourceError> {
        let name = Name { text: arena.str(self.name()), ..self.data.name };
        check_len(text)?;
        Ok(Data::new(arena, name, arena.bump().alloc_slice_copy(text)).into_source())
    }

    /// The conversions that were applied to the bytes of the file.
    pub(crate) fn conversion(self) -> Conversion {
        self.data.conversion
    }

    /// Returns a source with a copy of `bytes` in the arena.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] for more than [`MAX_LEN`] bytes.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let text = String::from("a = 1");
    /// let source = Source::copy_from(&arena, "main.tf", text.as_bytes())?;
    /// drop(text);
    /// assert_eq!(source.bytes(), b"a = 1");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn copy_from(arena: &'a Arena, name: &str, bytes: &[u8]) -> Result<Self, SourceError> {
        check_len(bytes)?;
        Self::from_bytes(arena, name, arena.bump().alloc_slice_copy(bytes))
    }

    /// Returns a source without bytes, for diagnostics about a file that has no bytes to show.
    #[must_use]
    pub fn empty(arena: &'a Arena, name: &str) -> Self {
        Data::new(arena, Name::of(arena, name), &[]).into_source()
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

    /// Whether git-crypt has encrypted the file.
    #[must_use]
    pub fn is_encrypted(self) -> bool {
        self.bytes().starts_with(b"\0GITCRYPT\0")
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

    /// The line, column and byte of an offset; of a part of a stream, those in the stream. The first call builds the line index: it takes one
    /// pass over the source, and memory of at most a tenth of its size. Afterwards a call costs a
    /// binary search and a walk over about a kilobyte.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", "é = 1\nb = 2\n".as_bytes())?;
    /// let position = source.position(11);
    /// assert_eq!((position.line, position.column, position.byte), (2, 5, 11));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn position(self, offset: u32) -> Position {
        let position = self.lines().position(self.data.bytes, offset);
        self.data.origin.map_or(position, |origin| origin.plus(position))
    }

    /// The bytes of the line that contains an offset, without its line feed.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb = 2\n")?;
    /// assert_eq!(source.line_span(8).slice(source.bytes()), b"b = 2");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn line_span(self, offset: u32) -> Span {
        let (start, end) = self.lines().line(self.data.bytes, offset);
        Span::new(start, end)
    }

    /// The positions of a span's start and end.
    ///
    /// ```
    /// use simd_hcl::{Arena, Source, Span};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb = 2\n")?;
    /// let (start, end) = source.range(Span::new(6, 11));
    /// assert_eq!((start.line, start.column, end.column), (2, 1, 6));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
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

/// Reads all of `reader` into the arena. The file had `len` bytes when it was opened; it may have
/// grown or shrunk since.
fn read_expecting(
    arena: &Arena,
    len: usize,
    mut reader: impl Read,
    bounds: Bounds,
) -> Result<&[u8], SourceError> {
    // One byte more than expected detects that the file has grown.
    let mut grown = if len >= LARGE
        && let Some(mut buffer) = anonymous(len + 1)
    {
        let filled = fill(&mut reader, &mut buffer[..=len]).map_err(SourceError::Io)?;
        if filled <= len {
            return Ok(arena.keep_anonymous(buffer, filled));
        }
        buffer[..=len].to_vec()
    } else {
        let buffer = arena.bump().alloc_slice_fill_copy(len + 1, 0);
        let filled = fill(&mut reader, buffer).map_err(SourceError::Io)?;
        if filled <= len {
            return Ok(&buffer[..filled]);
        }
        buffer.to_vec()
    };
    bounds.read_to_end(reader, &mut grown)?;
    Ok(arena.bump().alloc_slice_copy(&grown))
}

fn check_len(bytes: &[u8]) -> Result<(), SourceError> {
    let (len, limit) = (bytes.len() as u64, MAX_LEN as u64);
    if len > limit { Err(SourceError::TooLarge { len, limit }) } else { Ok(()) }
}

/// Reads until `buffer` is full or the reader ends. Returns the number of bytes read.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
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

    /// Memory in large pages has the same bytes.
    #[test]
    fn a_large_file() {
        let text: Vec<u8> = (0..LARGE + 3).map(|n| (n % 251) as u8).collect();
        for expected in [LARGE + 3, LARGE + 9, LARGE] {
            let arena = Arena::new();
            let bytes = read_expecting(&arena, expected, &*text, Bounds::ANY);
            assert!(bytes.is_ok_and(|bytes| bytes == text), "{expected} bytes expected");
        }
    }

    /// The length may be wrong by the time the file is read.
    #[test]
    fn a_file_that_shrinks_or_grows_while_it_is_read() {
        let text: Vec<u8> = (0..100).collect();
        let steps = |fails| Steps { text: &text, interrupted: false, fails };
        let arena = Arena::new();
        for expected in [0, 1, 6, 7, 99, 100, 101, 5000] {
            let bytes = read_expecting(&arena, expected, steps(false), Bounds::ANY);
            assert_eq!(bytes.ok(), Some(&text[..]), "{expected} bytes expected");
            let error = read_expecting(&arena, expected, steps(true), Bounds::ANY).err();
            assert!(matches!(error, Some(SourceError::Io(_))), "{expected} bytes expected");
        }
    }
}

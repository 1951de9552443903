//! Events of a stream: from bytes that are fed ([`Parser`]), or from a reader ([`Reader`]).

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

use super::core::{Core, Found};
use super::options::Options;
use crate::diagnostic::Code;
use crate::event::{Event as Word, Flags, Kind};
use crate::json::{Pieces, str_of};
use crate::position::Position;
use crate::report::OwnedDiagnostic;
use crate::span::Span;

/// An event of a stream: a bracket, a name, or a scalar. It borrows the window of the stream.
#[derive(Clone, Copy)]
pub struct Event<'s> {
    core: &'s Core,
    word: Word,
    span: Span,
    depth: usize,
}

impl<'s> Event<'s> {
    /// The kind.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        self.word.kind()
    }

    /// The bytes in the stream: the bracket, or the whole string, number or literal.
    #[must_use]
    #[inline]
    pub fn span(&self) -> Range<u64> {
        let start = self.core.base() + u64::from(self.span.start);
        start..start + u64::from(self.span.len())
    }

    /// The line, column and offset of its first byte. Cost: linear in the part of the stream that
    /// is in memory.
    #[must_use]
    pub fn position(&self) -> Position {
        self.core.position(self.span.start as usize)
    }

    /// The number of containers around it. A start and its end have the same depth.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of documents before the one that it belongs to.
    #[must_use]
    #[inline]
    pub fn document(&self) -> u64 {
        self.core.documents()
    }

    /// The bytes as they are written, with quotes.
    #[must_use]
    #[inline]
    pub fn raw(&self) -> &'s str {
        str_of(self.span.slice(self.core.text()))
    }

    /// The decoded text of a name or a string; the source text of all other events.
    #[must_use]
    pub fn text(&self) -> Cow<'s, str> {
        let raw = self.raw();
        if !matches!(self.kind(), Kind::Key | Kind::String) {
            return Cow::Borrowed(raw);
        }
        let inner = raw.get(1..raw.len() - 1).unwrap_or_default();
        if self.word.flags().contains(Flags::ESCAPED) {
            let mut text = String::with_capacity(inner.len());
            for piece in Pieces::of(inner) {
                text.push_str(piece.plain);
                text.extend(piece.escaped);
            }
            Cow::Owned(text)
        } else {
            Cow::Borrowed(inner)
        }
    }

    /// Whether it is a string or a name with an escape, or with `${` or `%{`.
    #[inline]
    pub(super) fn may_be_template(&self) -> bool {
        let flags = self.word.flags();
        flags.contains(Flags::TEMPLATE) || flags.contains(Flags::ESCAPED)
    }

    /// Whether it is a string or a name with `${` or `%{`.
    #[must_use]
    #[inline]
    pub fn has_template(&self) -> bool {
        self.word.flags().contains(Flags::TEMPLATE)
    }
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.span())
    }
}

/// Parses bytes as they arrive.
///
/// ```
/// use simd_hcl::stream::{Options, Parser};
///
/// let mut parser = Parser::new(Options::default());
/// let mut kinds = Vec::new();
/// for mut bytes in [&b"{\"a\": [tr"[..], b"ue, 1", b"2]}"] {
///     while !bytes.is_empty() {
///         let taken = parser.feed(bytes);
///         bytes = &bytes[taken..];
///         while let Some(event) = parser.next()? {
///             kinds.push(event.kind().name());
///         }
///     }
/// }
/// parser.finish();
/// while let Some(event) = parser.next()? {
///     kinds.push(event.kind().name());
/// }
/// assert_eq!(kinds.join(" "), "StartObject Key StartArray True Number EndArray EndObject");
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub struct Parser {
    core: Core,
    /// The next of the current events.
    next: usize,
    depth: usize,
    is_done: bool,
}

impl Parser {
    /// Returns a parser of a new stream.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { core: Core::new(options), next: 0, depth: 0, is_done: false }
    }

    /// Copies the first bytes of `bytes`, and returns their number. All events must have been taken
    /// before; it is at least 1 then, unless `bytes` is empty.
    ///
    /// ```
    /// use simd_hcl::stream::{Options, Parser};
    ///
    /// let mut parser = Parser::new(Options::default());
    /// let fed = parser.feed(b"[1, 2]");
    /// parser.finish();
    /// assert_eq!(fed, 6);
    /// let mut count = 0;
    /// while parser.next()?.is_some() {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 4);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        if self.next < self.core.events().len() {
            return 0;
        }
        self.core.clear();
        self.next = 0;
        let taken = bytes.len().min(self.core.wanted());
        if let Some(bytes) = bytes.get(..taken).filter(|bytes| !bytes.is_empty()) {
            self.core.room(taken).copy_from_slice(bytes);
            self.core.arrived(taken);
        }
        taken
    }

    /// Ends the stream.
    pub fn finish(&mut self) {
        self.core.is_end = true;
    }

    /// Returns the next event; `None` if it needs more bytes, or after the last one.
    ///
    /// # Errors
    /// The first error of the stream, as for a whole file. All further calls return it again.
    #[allow(clippy::should_implement_trait, reason = "an event borrows the parser")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>, Box<OwnedDiagnostic>> {
        let word = loop {
            match self.word() {
                Some(word) => break word,
                None if !self.more()? => return Ok(None),
                None => {}
            }
        };
        self.event(word).map(Some)
    }

    /// Takes the next of the current events.
    #[inline]
    fn word(&mut self) -> Option<Word> {
        let word = self.core.events().get(self.next).copied();
        self.next += usize::from(word.is_some());
        word
    }

    /// Reads more events. Returns false if this needs more bytes, or at the end.
    #[cold]
    fn more(&mut self) -> Result<bool, Box<OwnedDiagnostic>> {
        self.next = 0;
        let found = self.core.advance()?;
        self.is_done = found == Found::End;
        Ok(found == Found::Events)
    }

    /// The event that was taken last.
    #[inline]
    fn event(&mut self, word: Word) -> Result<Event<'_>, Box<OwnedDiagnostic>> {
        let span = self.core.span_of(word);
        if span.len() as usize > self.core.options.max_token {
            let quotes = if matches!(word.kind(), Kind::Key | Kind::String) { 2 } else { 0 };
            if span.len() as usize - quotes > self.core.options.max_token {
                let problem = self.core.token_too_long(span.start as usize);
                self.core.clear();
                return Err(self.core.fail(problem));
            }
        }
        let kind = word.kind();
        let is_end = matches!(kind, Kind::EndObject | Kind::EndArray);
        self.depth = self.depth.saturating_sub(usize::from(is_end));
        let depth = self.depth;
        self.depth += usize::from(kind.is_start());
        Ok(Event { core: &self.core, word, span, depth })
    }

    /// Whether the stream has ended and all events have been taken.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the next warning, such as a lone surrogate: an error that does not prevent reading.
    /// At most 1000 are kept until they are taken.
    pub fn take_warning(&mut self) -> Option<OwnedDiagnostic> {
        self.core.take_warning()
    }

    /// The number of bytes in use for the window and events.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.core.memory()
    }
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser").field("end", &self.core.end()).finish_non_exhaustive()
    }
}

/// Reads the events of a stream.
///
/// ```
/// use simd_hcl::stream::Reader;
///
/// let mut reader = Reader::new(&b"{\"a\": [true, 12]}"[..]);
/// let mut texts = Vec::new();
/// while let Some(event) = reader.next()? {
///     texts.push(event.text().into_owned());
/// }
/// assert_eq!(texts, ["{", "a", "[", "true", "12", "]", "}"]);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub struct Reader<'r> {
    parser: Parser,
    input: Box<dyn Read + 'r>,
}

impl<'r> Reader<'r> {
    /// Returns a reader with the default options. The input needs no buffer.
    #[must_use]
    pub fn new(input: impl Read + 'r) -> Self {
        Self::with_options(input, Options::default())
    }

    /// Returns a reader.
    #[must_use]
    pub fn with_options(input: impl Read + 'r, options: Options) -> Self {
        Self { parser: Parser::new(options), input: Box::new(input) }
    }

    /// Returns the next event; `None` after the last one.
    ///
    /// # Errors
    /// The first error, as for a whole file; or `unreadable-file` if reading fails. All further
    /// calls return it again.
    #[allow(clippy::should_implement_trait, reason = "an event borrows the reader")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>, Box<OwnedDiagnostic>> {
        let word = loop {
            match self.parser.word() {
                Some(word) => break word,
                None if self.parser.more()? => {}
                None if self.parser.is_done => return Ok(None),
                None => fill(&mut self.parser.core, &mut *self.input)?,
            }
        };
        self.parser.event(word).map(Some)
    }

    /// The position of the last event. Positions are counted on from the one before, so that all of
    /// them are one pass.
    pub(super) fn last_position(&mut self) -> Position {
        let Parser { core, next, .. } = &mut self.parser;
        let last = next.checked_sub(1).and_then(|last| core.events().get(last));
        let offset = last.map_or(0, |event| event.offset());
        core.token_position(offset as usize)
    }

    /// The number of bytes that have been read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.parser.core.end()
    }

    /// Returns the next warning. See [`Parser::take_warning`].
    pub fn take_warning(&mut self) -> Option<OwnedDiagnostic> {
        self.parser.take_warning()
    }

    /// The number of bytes in use. See [`Parser::memory`].
    #[must_use]
    pub fn memory(&self) -> usize {
        self.parser.memory()
    }
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("parser", &self.parser).finish_non_exhaustive()
    }
}

/// Reads once, or until there is enough for a part if the input has that much.
pub(super) fn fill(core: &mut Core, input: &mut dyn Read) -> Result<(), Box<OwnedDiagnostic>> {
    let wanted = core.wanted();
    loop {
        match input.read(core.room(wanted)) {
            Ok(0) => core.is_end = true,
            Ok(bytes) => core.arrived(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(core.failure(Code::UnreadableFile, &error.to_string())),
        }
        return Ok(());
    }
}

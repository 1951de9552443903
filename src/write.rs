//! Writes JSON: exact, streaming, and well-formed by construction.
//!
//! A [`Writer`] returns [`Slot`]s, places for one value each. A slot becomes a scalar, a value of a
//! document, or an object or array, which returns further slots. While an inner slot lives, its
//! outer one is borrowed, and containers are closed on drop, so brackets and commas are always
//! correct. A slot that is not filled becomes `null`.
//!
//! * Text is escaped only where RFC 8259, section 7 requires it: quotes, backslashes and controls.
//! * Numbers are passed as text, and written unchanged.
//! * Values of a document keep the numbers and escapes of the source ([`Slot::node`]).
//! * Output is written in pieces of 64 KiB. The first output error is kept, and returned by
//!   [`Writer::finish`].
//!
//! ```
//! use simd_hcl::write::{Layout, to_string};
//!
//! let text = to_string(Layout::Compact, |slot| {
//!     let mut object = slot.object();
//!     object.key("name").string("a \"b\" <c>");
//!     object.key("size").number("1.50e400");
//!     let mut list = object.key("list").array();
//!     list.element().bool(true);
//!     list.element().null();
//! });
//! assert_eq!(text, r#"{"name":"a \"b\" <c>","size":1.50e400,"list":[true,null]}"#);
//! ```

use std::fmt::{self, Write as _};
use std::io;

use crate::json::{JsonString, Node};
use crate::lexical::{closing_quote, is_white, number_len};
use crate::report::Range;

/// The number of bytes that are buffered before they are written.
const CAPACITY: usize = 64 * 1024;

/// The maximum number of indented levels. Deeper levels have the same indentation, so that the
/// length of the output is linear in the data at any depth.
const INDENTED_LEVELS: usize = 64;

/// A line feed and the deepest indentation.
const LINE_BREAK: [u8; 1 + 2 * INDENTED_LEVELS] = {
    let mut bytes = [b' '; 1 + 2 * INDENTED_LEVELS];
    bytes[0] = b'\n';
    bytes
};

/// The layout of the JSON.
///
/// ```
/// use simd_hcl::write::{Layout, to_string};
///
/// let pretty = to_string(Layout::Pretty, |slot| slot.array().element().unsigned(1));
/// assert_eq!(pretty, "[\n  1\n]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// No whitespace.
    #[default]
    Compact,
    /// One line for each member and element, indented by two spaces per level, up to 64 levels.
    Pretty,
}

/// Writes JSON values, one per line.
///
/// ```
/// use simd_hcl::write::{Layout, Writer};
///
/// let mut out = Vec::new();
/// let mut writer = Writer::new(&mut out, Layout::Compact);
/// writer.value().bool(true);
/// writer.value().string("a");
/// writer.finish()?;
/// assert_eq!(out, b"true\n\"a\"");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<'o> {
    out: &'o mut dyn io::Write,
    /// The bytes that are not written yet: at most [`CAPACITY`].
    buffer: Vec<u8>,
    error: Option<io::Error>,
    layout: Layout,
    depth: usize,
    /// Whether nothing has been written.
    is_empty: bool,
    /// Whether a slot has been returned and not been filled.
    is_owed: bool,
}

impl<'o> Writer<'o> {
    /// Returns a writer to `out`, which does not need to be buffered.
    #[must_use]
    pub fn new(out: &'o mut dyn io::Write, layout: Layout) -> Self {
        Self {
            out,
            buffer: Vec::new(),
            error: None,
            layout,
            depth: 0,
            is_empty: true,
            is_owed: false,
        }
    }

    /// Returns the slot of the next value: on a new line, unless it is the first.
    pub fn value(&mut self) -> Slot<'_, 'o> {
        self.settle();
        if !self.is_empty {
            self.put(b"\n");
        }
        self.is_empty = false;
        self.slot()
    }

    /// Writes the rest of the buffer. No line feed follows the last value.
    ///
    /// # Errors
    /// The first output error. Nothing is written after it.
    pub fn finish(mut self) -> io::Result<()> {
        self.settle();
        self.spill();
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    fn slot(&mut self) -> Slot<'_, 'o> {
        self.is_owed = true;
        Slot { writer: self }
    }

    /// Fills the last slot with `null`, if it was not filled.
    fn settle(&mut self) {
        if self.is_owed {
            self.scalar(b"null");
        }
    }

    fn scalar(&mut self, text: &[u8]) {
        self.is_owed = false;
        self.put(text);
    }

    fn open(&mut self, bracket: u8) {
        self.scalar(&[bracket]);
        self.depth += 1;
    }

    fn close(&mut self, bracket: u8, is_empty: bool) {
        self.settle();
        self.depth = self.depth.saturating_sub(1);
        if !is_empty {
            self.break_line();
        }
        self.put(&[bracket]);
    }

    /// Writes the separator before a member or an element.
    fn separate(&mut self, is_first: bool) {
        self.settle();
        if !is_first {
            self.put(b",");
        }
        self.break_line();
    }

    fn break_line(&mut self) {
        if self.layout == Layout::Pretty {
            self.put(&LINE_BREAK[..1 + 2 * self.depth.min(INDENTED_LEVELS)]);
        }
    }

    fn colon(&mut self) {
        let colon: &[u8] = if self.layout == Layout::Pretty { b": " } else { b":" };
        self.put(colon);
    }

    /// Writes a string, and escapes its text.
    fn string(&mut self, text: &str) {
        self.put(b"\"");
        self.escaped(text);
        self.put(b"\"");
    }

    /// Writes a string as it is in its source.
    fn raw_string(&mut self, string: JsonString<'_>) {
        self.put(b"\"");
        self.put(string.raw().as_bytes());
        self.put(b"\"");
    }

    fn escaped(&mut self, text: &str) {
        escape(text, |piece| self.put(piece));
    }

    /// Copies valid JSON without the whitespace between its tokens.
    fn copy_compact(&mut self, text: &[u8]) {
        let (mut done, mut at) = (0, 0);
        let stop = |byte: &u8| *byte == b'"' || is_white(*byte);
        while let Some(found) = text[at..].iter().position(stop) {
            at += found;
            if text[at] == b'"' {
                at = string_end(text, at);
            } else {
                self.put(&text[done..at]);
                at += run_len(&text[at..], |byte| is_white(*byte));
                done = at;
            }
        }
        self.put(&text[done..]);
    }

    /// Copies valid JSON in this writer's layout.
    fn copy_pretty(&mut self, text: &[u8]) {
        let depth = self.depth;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let start = at;
            at += 1;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b'{' | b'[' => {
                    self.put(&[byte]);
                    at += run_len(&text[at..], |byte| is_white(*byte));
                    if let Some(&bracket @ (b'}' | b']')) = text.get(at) {
                        self.put(&[bracket]);
                        at += 1;
                    } else {
                        self.depth += 1;
                        self.break_line();
                    }
                }
                b'}' | b']' => self.close(byte, false),
                b',' => {
                    self.put(b",");
                    self.break_line();
                }
                b':' => self.colon(),
                b'"' => {
                    at = string_end(text, start);
                    self.put(&text[start..at]);
                }
                _ => {
                    at += run_len(&text[at..], |byte| !b" \t\n\r,]}".contains(byte));
                    self.put(&text[start..at]);
                }
            }
        }
        // A valid value closes all its brackets. A file that changed while it was mapped may not.
        self.depth = depth;
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if self.buffer.len() + bytes.len() <= CAPACITY {
            self.buffer.extend_from_slice(bytes);
        } else {
            self.put_past(bytes);
        }
    }

    #[cold]
    fn put_past(&mut self, bytes: &[u8]) {
        self.spill();
        if bytes.len() <= CAPACITY {
            self.buffer.extend_from_slice(bytes);
        } else if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }

    fn spill(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }
}

impl fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("layout", &self.layout)
            .field("depth", &self.depth)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

/// Whether no byte has to be escaped. Reads eight bytes at once.
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // Has a high bit if and only if a byte is less than `least`, which is at most 128.
    let below = |word: u64, least: u8| word.wrapping_sub(ONES * u64::from(least)) & !word;
    let is = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let found = |word: u64| (below(word, 0x20) | is(word, b'"') | is(word, b'\\')) & HIGH != 0;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    !words.iter().any(|word| found(u64::from_le_bytes(*word))) && !found(u64::from_le_bytes(last))
}

/// Passes the pieces of a minimally escaped text to `put`.
fn escape(text: &str, mut put: impl FnMut(&[u8])) {
    let bytes = text.as_bytes();
    // Most texts have no escapes.
    if is_plain(bytes) {
        return put(bytes);
    }
    let mut done = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        put(&bytes[done..at]);
        done = at + 1;
        match byte {
            0x08 => put(b"\\b"),
            0x09 => put(b"\\t"),
            0x0A => put(b"\\n"),
            0x0C => put(b"\\f"),
            0x0D => put(b"\\r"),
            0..0x20 => {
                let digits = b"0123456789abcdef";
                let (high, low) = (digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]);
                put(&[b'\\', b'u', b'0', b'0', high, low]);
            }
            _ => put(&[b'\\', byte]),
        }
    }
    put(&bytes[done..]);
}

/// Appends a string, quoted and escaped.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    match is_plain(text.as_bytes()) {
        true => out.push_str(text),
        // Pieces start and end at ASCII characters, so each is valid UTF-8.
        false => escape(text, |piece| out.push_str(str::from_utf8(piece).unwrap_or_default())),
    }
    out.push('"');
}

/// Returns one value as text. See [`Writer`] for a stream.
#[must_use]
pub fn to_string(layout: Layout, write: impl FnOnce(Slot<'_, '_>)) -> String {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, layout);
    write(writer.value());
    // Writing into memory cannot fail.
    let _ = writer.finish();
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The place of one value. If it is not filled, it becomes `null`.
#[derive(Debug)]
pub struct Slot<'w, 'o> {
    writer: &'w mut Writer<'o>,
}

impl<'w, 'o> Slot<'w, 'o> {
    /// Writes `null`.
    pub fn null(self) {
        self.writer.scalar(b"null");
    }

    /// Writes `true` or `false`.
    pub fn bool(self, value: bool) {
        self.writer.scalar(if value { b"true" } else { b"false" });
    }

    /// Writes an integer.
    pub fn integer(self, value: i64) {
        self.number(&value.to_string());
    }

    /// Writes an unsigned integer, such as a length, an offset or a count.
    pub fn unsigned(self, value: u64) {
        self.number(&value.to_string());
    }

    /// Writes a number as text, of any size and precision. Text that is not a JSON number is
    /// written as a string.
    pub fn number(self, text: &str) {
        if number_len(text.as_bytes()) == Ok(text.len()) {
            self.writer.scalar(text.as_bytes());
        } else {
            self.string(text);
        }
    }

    /// Writes a string.
    pub fn string(self, text: &str) {
        self.writer.is_owed = false;
        self.writer.string(text);
    }

    /// Writes the text that `value` displays as a string, without allocating.
    pub fn display(self, value: impl fmt::Display) {
        self.writer.scalar(b"\"");
        // The adapter does not fail. If `value` does, the string ends there.
        let _ = write!(Escape(self.writer), "{value}");
        self.writer.put(b"\"");
    }

    /// Writes a string of a document, such as the name of a property, with the escapes of its
    /// source.
    pub fn json_string(self, string: JsonString<'_>) {
        self.writer.is_owed = false;
        self.writer.raw_string(string);
    }

    /// Writes a value of a document: the source's tokens, with numbers, escapes and duplicate
    /// members unchanged, in this writer's layout. Opens no sealed containers. Cost: linear in the
    /// value's bytes, at any depth.
    ///
    /// ```
    /// use simd_hcl::write::{Layout, to_string};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"size": 1.50e3}"#)?;
    /// let size = document.root().pointer("/size").unwrap();
    /// assert_eq!(to_string(Layout::Compact, |slot| slot.node(size)), "1.50e3");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn node(self, node: Node<'_>) {
        self.writer.is_owed = false;
        match self.writer.layout {
            Layout::Compact => self.writer.copy_compact(node.text()),
            Layout::Pretty => self.writer.copy_pretty(node.text()),
        }
    }

    /// Writes valid JSON in this writer's layout.
    pub(crate) fn json(self, text: &str) {
        self.writer.is_owed = false;
        match self.writer.layout {
            Layout::Compact => self.writer.copy_compact(text.as_bytes()),
            Layout::Pretty => self.writer.copy_pretty(text.as_bytes()),
        }
    }

    /// Writes valid JSON without whitespace between its tokens, in this writer's layout.
    pub(crate) fn compact_json(self, text: &str) {
        match self.writer.layout {
            Layout::Compact => self.writer.scalar(text.as_bytes()),
            Layout::Pretty => self.json(text),
        }
    }

    /// Writes the place of a part of a file: `filename`, `start` and `end`.
    pub fn range(self, range: &Range) {
        let mut out = self.object();
        out.key("filename").string(&range.filename);
        for (name, at) in [("start", range.start), ("end", range.end)] {
            let mut place = out.key(name).object();
            place.key("line").unsigned(at.line);
            place.key("column").unsigned(at.column);
            place.key("byte").unsigned(at.byte);
        }
    }

    /// Starts an object, which ends when the returned value is dropped.
    #[must_use = "an object that is dropped at once is empty"]
    pub fn object(self) -> ObjectWriter<'w, 'o> {
        self.writer.open(b'{');
        ObjectWriter { writer: self.writer, is_empty: true }
    }

    /// Starts an array, which ends when the returned value is dropped.
    #[must_use = "an array that is dropped at once is empty"]
    pub fn array(self) -> ArrayWriter<'w, 'o> {
        self.writer.open(b'[');
        ArrayWriter { writer: self.writer, is_empty: true }
    }
}

/// An object that is being written. Names are not compared: duplicates are written.
///
/// ```
/// use simd_hcl::write::{Layout, to_string};
///
/// let text = to_string(Layout::Compact, |slot| {
///     let mut object = slot.object();
///     object.key("a").null();
///     object.end();
/// });
/// assert_eq!(text, r#"{"a":null}"#);
/// ```
#[derive(Debug)]
pub struct ObjectWriter<'w, 'o> {
    writer: &'w mut Writer<'o>,
    is_empty: bool,
}

impl<'o> ObjectWriter<'_, 'o> {
    /// Returns the slot for the value of a member with that name.
    pub fn key(&mut self, name: &str) -> Slot<'_, 'o> {
        self.separate();
        self.writer.string(name);
        self.writer.colon();
        self.writer.slot()
    }

    /// Returns the slot for the value of a member whose name is a string of a document, with the
    /// escapes of its source.
    pub fn json_key(&mut self, name: JsonString<'_>) -> Slot<'_, 'o> {
        self.separate();
        self.writer.raw_string(name);
        self.writer.colon();
        self.writer.slot()
    }

    /// Ends the object, as dropping it does.
    pub fn end(self) {}

    fn separate(&mut self) {
        self.writer.separate(self.is_empty);
        self.is_empty = false;
    }
}

impl Drop for ObjectWriter<'_, '_> {
    fn drop(&mut self) {
        self.writer.close(b'}', self.is_empty);
    }
}

/// An array that is being written.
#[derive(Debug)]
pub struct ArrayWriter<'w, 'o> {
    writer: &'w mut Writer<'o>,
    is_empty: bool,
}

impl<'o> ArrayWriter<'_, 'o> {
    /// Returns the slot of the next element.
    pub fn element(&mut self) -> Slot<'_, 'o> {
        self.writer.separate(self.is_empty);
        self.is_empty = false;
        self.writer.slot()
    }

    /// Ends the array, as dropping it does.
    pub fn end(self) {}
}

impl Drop for ArrayWriter<'_, '_> {
    fn drop(&mut self) {
        self.writer.close(b']', self.is_empty);
    }
}

/// Escapes formatted text.
struct Escape<'e, 'o>(&'e mut Writer<'o>);

impl fmt::Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.escaped(text);
        Ok(())
    }
}

/// Returns the number of leading bytes that `belongs` accepts.
fn run_len(bytes: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}

/// Returns the offset after the closing quote of the string that starts at `start`.
fn string_end(text: &[u8], start: usize) -> usize {
    closing_quote(text, start + 1).map_or(text.len(), |at| at + 1)
}

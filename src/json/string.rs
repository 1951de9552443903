//! Strings: borrowed if they have no escapes, otherwise decoded into the arena.

use std::fmt::Write;

use super::{Node, str_of};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::event::{Event, Flags};
use crate::source::Source;
use crate::span::Span;

/// A string value, or the name of an object's member.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#""\u00e9""#)?;
/// let string = document.root().as_string().unwrap();
/// assert_eq!((string.to_str(), string.raw()), ("é", r"\u00e9"));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct JsonString<'a> {
    node: Node<'a>,
}

impl<'a> JsonString<'a> {
    pub(crate) fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The string as a value. The name of a member is a value, too.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Its bytes, quotes included.
    #[must_use]
    pub fn span(self) -> Span {
        self.node.span()
    }

    /// The place of the whole string. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.node.label()
    }

    /// The bytes between the quotes.
    #[must_use]
    pub fn raw_span(self) -> Span {
        self.node.segment.string_span(self.node.index)
    }

    /// The text between the quotes, with escapes as they are written.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.node.utf8(self.raw_span())
    }

    /// The bytes of the decoded text, for comparisons: unlike [`JsonString::to_str`] it does not
    /// validate UTF-8 again.
    pub(crate) fn to_bytes(self) -> &'a [u8] {
        if self.is_escaped() {
            self.to_str().as_bytes()
        } else {
            self.raw_span().slice(self.node.source().bytes())
        }
    }

    /// Whether the decoded text is `text`. Unlike a comparison with [`JsonString::to_str`] it never
    /// allocates.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#""a\u002eb""#)?;
    /// assert!(document.root().as_string().unwrap().is("a.b"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        if !self.is_escaped() {
            // Most strings have different lengths, and the length is in the event.
            return self.raw_span().len() as usize == text.len()
                && self.to_bytes() == text.as_bytes();
        }
        let mut rest = Some(text);
        for piece in Pieces::of(self.raw()) {
            rest = rest.and_then(|rest| rest.strip_prefix(piece.plain));
            if let Some(character) = piece.escaped {
                rest = rest.and_then(|rest| rest.strip_prefix(character));
            }
            if rest.is_none() {
                return false;
            }
        }
        rest == Some("")
    }

    /// Whether it has an escape.
    #[must_use]
    pub fn is_escaped(self) -> bool {
        self.node.flags().contains(Flags::ESCAPED)
    }

    /// Whether its bytes contain `${` or `%{`. If not, it is not a template, unless the dollar,
    /// percent sign or brace is written as an escape; check [`JsonString::to_str`] then.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"["${a}", "a"]"#)?;
    /// let strings = document.root().as_array().unwrap().elements();
    /// let may_be: Vec<bool> =
    ///     strings.map(|it| it.as_string().unwrap().may_be_template()).collect();
    /// assert_eq!(may_be, [true, false]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn may_be_template(self) -> bool {
        self.node.flags().contains(Flags::TEMPLATE) || self.has_escaped_introducer()
    }

    /// Whether `$`, `%` or `{` may be written as an escape in it.
    pub(crate) fn has_escaped_introducer(self) -> bool {
        self.is_escaped() && has_escaped_introducer(self.raw())
    }

    /// The decoded text: a slice of the source, or, if it has escapes, a new copy in the arena for
    /// every call. Lone surrogate escapes become U+FFFD. The text is not normalized.
    #[inline]
    #[must_use]
    pub fn to_str(self) -> &'a str {
        // Most strings are what their one event says.
        let event = self.node.segment.event(self.node.index);
        if event.flags().contains(Flags::ESCAPED) || event.extent() == Event::UNRECORDED {
            return self.to_decoded();
        }
        let start = event.offset() as usize + 1;
        let bytes = self.node.source().bytes().get(start..start + event.extent() as usize);
        bytes.map(str_of).unwrap_or_default()
    }

    /// The same of any string.
    #[cold]
    fn to_decoded(self) -> &'a str {
        let raw = self.raw();
        if self.is_escaped() { decode(raw, self.node.source().arena()) } else { raw }
    }
}

/// Writes the decoded text. See [`JsonString::to_str`].
impl std::fmt::Display for JsonString<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for piece in Pieces::of(self.raw()) {
            f.write_str(piece.plain)?;
            piece.escaped.map_or(Ok(()), |character| f.write_char(character))?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for JsonString<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.raw())
    }
}

/// Whether `\u0024`, `\u0025` or `\u007b` occurs, so that the decoded text may have `${` or `%{`.
fn has_escaped_introducer(raw: &str) -> bool {
    let raw = raw.as_bytes();
    memchr::memmem::find_iter(raw, b"\\u00").any(|at| is_escaped_introducer(&raw[at..]))
}

/// Whether an escape that starts with `\u00` stands for `$`, `%` or `{`.
pub(crate) fn is_escaped_introducer(escape: &[u8]) -> bool {
    let digits = escape.get(4..6).unwrap_or_default();
    digits == b"24" || digits == b"25" || digits.eq_ignore_ascii_case(b"7b")
}

/// Decodes the escapes of a valid string.
pub(crate) fn decode<'a>(raw: &str, arena: &'a Arena) -> &'a str {
    // The decoded text is never longer than the source.
    let mut text = bumpalo::collections::String::with_capacity_in(raw.len(), arena.bump());
    for piece in Pieces::of(raw) {
        text.push_str(piece.plain);
        text.extend(piece.escaped);
    }
    text.into_bump_str()
}

/// Splits a valid string into text and escapes.
pub(crate) struct Pieces<'t> {
    rest: &'t str,
    /// The offset of the next piece.
    at: usize,
}

/// Text, and the escape after it.
pub(crate) struct Piece<'t> {
    pub(crate) plain: &'t str,
    /// The character of the escape; `None` at the end of the string.
    pub(crate) escaped: Option<char>,
    /// The end of the escape, as an offset in the text between the quotes.
    pub(crate) end: usize,
}

impl<'t> Pieces<'t> {
    /// Returns the pieces of the text between the quotes of a valid string.
    pub(crate) fn of(raw: &'t str) -> Self {
        Self { rest: raw, at: 0 }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest;
        let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) else {
            self.rest = "";
            self.at += rest.len();
            let last = Piece { plain: rest, escaped: None, end: self.at };
            return (!rest.is_empty()).then_some(last);
        };
        let escape = &rest.as_bytes()[at..];
        let (character, len) = match escape.get(1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{C}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => unicode_escape(escape),
            Some(&byte) => (char::from(byte), 2),
            None => ('\\', 1),
        };
        let taken = (at + len).min(rest.len());
        self.rest = &rest[taken..];
        self.at += taken;
        Some(Piece { plain: &rest[..at], escaped: Some(character), end: self.at })
    }
}

/// Returns the character of `\uXXXX`, or of a surrogate pair, and the length of the escape in
/// bytes.
fn unicode_escape(escape: &[u8]) -> (char, usize) {
    let unit = code_unit(escape);
    if let Some(character) = char::from_u32(unit) {
        return (character, 6);
    }
    let low = escape.get(6..).filter(|next| next.starts_with(b"\\u")).map_or(0, code_unit);
    match (unit, low) {
        (0xD800..=0xDBFF, 0xDC00..=0xDFFF) => {
            let character = char::from_u32(0x10000 + ((unit & 0x3FF) << 10 | low & 0x3FF));
            (character.unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// Returns the value of the four hexadecimal digits after `\u`.
fn code_unit(escape: &[u8]) -> u32 {
    let digits = escape.get(2..6).unwrap_or_default();
    digits.iter().fold(0, |unit, &digit| unit << 4 | char::from(digit).to_digit(16).unwrap_or(0))
}

/// Reports every lone surrogate escape of a valid document.
pub(crate) fn lone_surrogates<'a>(source: Source<'a>, sink: &mut dyn Sink<'a>) {
    let text = source.bytes();
    lone_surrogates_in(text, Span::new(0, text.len() as u32), &mut |span| {
        let escape = str_of(span.slice(text));
        let place = Label::new(source, span);
        sink.report(Diagnostic::new(Code::LoneSurrogate, place).with_arguments(&[escape]));
    });
}

/// Finds each escaped surrogate without its pair in `text[span]`, which is valid and starts and
/// ends outside of escapes.
pub(crate) fn lone_surrogates_in(text: &[u8], span: Span, found: &mut dyn FnMut(Span)) {
    let text = &text[..text.len().min(span.end as usize)];
    let mut at = span.start as usize;
    // Outside of strings a valid document has no backslashes.
    while let Some(next) = memchr::memchr(b'\\', text.get(at..).unwrap_or_default()) {
        at += next;
        if text.get(at + 1) != Some(&b'u') {
            at += 2;
            continue;
        }
        let (character, len) = unicode_escape(&text[at..]);
        if character == char::REPLACEMENT_CHARACTER
            && (0xD800..0xE000).contains(&code_unit(&text[at..]))
        {
            found(Span::new(at as u32, (at + len) as u32));
        }
        at += len;
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::Arena;

    fn decode(raw: &str) -> String {
        super::decode(raw, &Arena::new()).to_owned()
    }

    #[test]
    fn escapes() {
        assert_eq!(decode(r#"\"\\\/\b\f\n\r\t"#), "\"\\/\u{8}\u{C}\n\r\t");
        assert_eq!(decode(r"a\u00e9z"), "aéz");
        assert_eq!(decode(r"\uD83D\uDE00!"), "😀!");
        assert_eq!(decode(r"\ud83d\ude00"), "😀");
    }

    #[test]
    fn lone_surrogates_are_replaced_one_by_one() {
        assert_eq!(decode(r"\uD83Dx"), "\u{FFFD}x");
        assert_eq!(decode(r"\uDE00\uD83D"), "\u{FFFD}\u{FFFD}");
        assert_eq!(decode(r"\uD83D\uD83D\uDE00"), "\u{FFFD}😀");
        assert_eq!(decode(r"\uD83D\u0041"), "\u{FFFD}A");
        assert_eq!(decode(r"\uD83D\\uDE00"), "\u{FFFD}\\uDE00");
    }
}

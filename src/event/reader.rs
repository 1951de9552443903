//! The explaining engine: reads the grammar of RFC 8259 byte by byte.
//!
//! It reads one JSON value from a range of a text, and returns the same events as the
//! [`automaton`](super::automaton), or the first error: its kind, its exact place, and a
//! suggestion. It runs when a faster engine has rejected a file, and it is the oracle that every
//! faster engine is tested against, so it prefers clarity to speed. It takes linear time and does
//! not recurse.

use smallvec::SmallVec;

use super::build::{Buffers, Builder, Writer};
use super::word::{Flags, Kind};
use crate::diagnostic::Code;
use crate::error::OpenError;
use crate::lexical::{NumberFault, number_len, opening_quote};
use crate::span::Span;
use crate::suggest::{self, DidYouMean};

/// Reads the one JSON value of `text[span]` and leaves its events in `buffers`.
pub(crate) fn read(
    text: &[u8],
    span: Span,
    max_depth: u32,
    skeleton_depth: u32,
    buffers: &mut Buffers,
) -> Result<(), Box<OpenError>> {
    let builder = Builder::new(buffers, &[], max_depth, skeleton_depth);
    let mut reader = Reader {
        text: &text[..span.end as usize],
        at: span.start as usize,
        builder,
        brackets: SmallVec::new(),
        max_depth,
        skeleton_depth: skeleton_depth as usize,
    };
    reader.document()?;
    reader.builder.finish();
    Ok(())
}

struct Reader<'t, 's> {
    text: &'t [u8],
    at: usize,
    builder: Builder<'s>,
    /// Offsets of the open brackets, for the related place of a diagnostic.
    brackets: SmallVec<[usize; 16]>,
    max_depth: u32,
    skeleton_depth: usize,
}

/// What the grammar allows next.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    /// A value: of the document, or after a colon or a comma.
    Value,
    /// After an opening bracket: a first member, or the closing bracket.
    FirstMember,
    /// After a member: a comma, or the closing bracket.
    CommaOrEnd,
}

impl Reader<'_, '_> {
    /// Writes one event, or a bracket, at the current offset.
    fn write<R>(&mut self, write: impl FnOnce(&mut Writer<'_>, u32) -> R) -> R {
        let mut writer = self.builder.writer(1);
        let result = write(&mut writer, self.at as u32);
        let progress = writer.progress();
        self.builder.advance(progress);
        result
    }

    /// Whether the innermost open container is an object.
    fn in_object(&self) -> bool {
        self.brackets.last().is_some_and(|&at| self.text[at] == b'{')
    }

    /// `JSON-text = ws value ws`
    fn document(&mut self) -> Result<(), Box<OpenError>> {
        let mut expect = Expect::Value;
        loop {
            self.whitespace();
            match expect {
                Expect::Value => expect = self.value()?,
                Expect::FirstMember => expect = self.first_member()?,
                Expect::CommaOrEnd if self.brackets.is_empty() => break,
                Expect::CommaOrEnd => expect = self.comma_or_end()?,
            }
        }
        if self.at < self.text.len() {
            self.unexpected_marks()?;
            return Err(OpenError::new(Code::ExtraneousData, self.here()).argument(self.found()));
        }
        Ok(())
    }

    /// `value = false / null / true / object / array / number / string`
    fn value(&mut self) -> Result<Expect, Box<OpenError>> {
        let Some(&byte) = self.text.get(self.at) else {
            return Err(self.ends_before("a value"));
        };
        match byte {
            b'{' | b'[' => return self.start(byte == b'{'),
            b'"' => self.string(Kind::String)?,
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number()?,
            b'A'..=b'Z' | b'a'..=b'z' => self.keyword()?,
            b',' if self.in_object() => {
                return Err(self.missing_property_value("comma"));
            }
            b'}' if self.in_object() => {
                return Err(self.missing_property_value("closing brace"));
            }
            b']' if self.in_object() => {
                return Err(self.missing_property_value("closing bracket"));
            }
            b',' if !self.brackets.is_empty() => {
                return Err(OpenError::new(Code::MissingElement, self.here()));
            }
            _ => {
                self.unexpected_marks()?;
                let error = OpenError::new(Code::InvalidStartOfValue, self.here());
                return Err(error.argument(self.found()));
            }
        }
        Ok(Expect::CommaOrEnd)
    }

    /// `begin-object` or `begin-array`
    fn start(&mut self, object: bool) -> Result<Expect, Box<OpenError>> {
        if !self.write(|writer, at| writer.start(object, at)) {
            let error = OpenError::new(Code::NestingTooDeep, self.here());
            return Err(error.argument(self.max_depth.to_string()));
        }
        self.brackets.push(self.at);
        self.at += 1;
        Ok(Expect::FirstMember)
    }

    /// `end-object` or `end-array`
    fn end(&mut self) -> Expect {
        self.write(|writer, at| writer.end(at));
        self.brackets.pop();
        self.at += 1;
        Expect::CommaOrEnd
    }

    fn first_member(&mut self) -> Result<Expect, Box<OpenError>> {
        let object = self.in_object();
        match self.text.get(self.at) {
            Some(b'}') if object => Ok(self.end()),
            Some(b']') if !object => Ok(self.end()),
            Some(b'}') => Err(self.mismatched(Code::MismatchedBrackets)),
            None if !object => Err(self.unclosed()),
            _ if object => self.name(),
            _ => Ok(Expect::Value),
        }
    }

    fn comma_or_end(&mut self) -> Result<Expect, Box<OpenError>> {
        let object = self.in_object();
        match self.text.get(self.at) {
            None => Err(self.unclosed()),
            Some(b'}') if object => Ok(self.end()),
            Some(b']') if !object => Ok(self.end()),
            Some(b']') => Err(self.mismatched(Code::MismatchedBraces)),
            Some(b'}') => Err(self.mismatched(Code::MismatchedBrackets)),
            Some(b',') => self.comma(object),
            Some(b':') if !object => Err(OpenError::new(Code::InvalidArrayValue, self.here())),
            Some(_) => {
                self.unexpected_marks()?;
                let members = if object { "properties" } else { "elements" };
                Err(OpenError::new(Code::MissingComma, self.here()).argument(members))
            }
        }
    }

    fn comma(&mut self, object: bool) -> Result<Expect, Box<OpenError>> {
        let comma = self.here();
        self.at += 1;
        self.whitespace();
        let (closing, last) = if object { (b'}', "property") } else { (b']', "element") };
        if self.text.get(self.at) == Some(&closing) {
            return Err(OpenError::new(Code::TrailingComma, comma).argument(last));
        }
        if object { self.name() } else { Ok(Expect::Value) }
    }

    /// `string name-separator`, the name of a member of an object.
    fn name(&mut self) -> Result<Expect, Box<OpenError>> {
        let start = self.at;
        match self.text.get(start) {
            None => return Err(self.ends_before("a property name")),
            Some(b'"') => self.string(Kind::Key)?,
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_') => {
                let end = self.run(start, |byte| {
                    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
                });
                let span = Span::new(start as u32, end as u32);
                let error = OpenError::new(Code::UnquotedName, span);
                return Err(error.argument(String::from_utf8_lossy(&self.text[start..end])));
            }
            Some(_) => {
                self.unexpected_marks()?;
                let error = OpenError::new(Code::InvalidPropertyName, self.here());
                return Err(error.argument(self.found()));
            }
        }
        let end = self.at;
        self.whitespace();
        let code = match self.text.get(self.at) {
            Some(b':') => {
                self.at += 1;
                return Ok(Expect::Value);
            }
            Some(b'=') => Code::EqualsForColon,
            Some(b',' | b'}') => Code::MissingObjectValue,
            _ => {
                self.unexpected_marks()?;
                Code::MissingColon
            }
        };
        let name = quote(&self.text[start..end]);
        Err(OpenError::new(code, self.here()).argument(name))
    }

    /// `string = quotation-mark *char quotation-mark`
    fn string(&mut self, kind: Kind) -> Result<(), Box<OpenError>> {
        let start = self.at;
        let (mut escaped, mut template) = (false, false);
        self.at += 1;
        loop {
            self.at = self.run(self.at, is_plain);
            match self.text.get(self.at) {
                None => {
                    let end = Span::at(self.text.len() as u32);
                    return Err(OpenError::new(Code::UnterminatedString, byte_at(start))
                        .related(end, "the file ends here"));
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(&byte) if byte < 0x20 => return Err(self.control(byte)),
                Some(b'$' | b'%') => {
                    template |= self.text.get(self.at + 1) == Some(&b'{');
                    self.at += 1;
                }
                Some(_) => self.at += self.character()?.len_utf8(),
            }
        }
        if self.brackets.len() <= self.skeleton_depth {
            let flags = Flags::of_string(escaped, template);
            let len = self.at - start - 1;
            self.write(|writer, _| writer.push(kind, flags, len, start as u32));
        }
        self.at += 1;
        Ok(())
    }

    /// `escape ( %x22 / %x5C / %x2F / b / f / n / r / t / u 4HEXDIG )`
    fn escape(&mut self) -> Result<(), Box<OpenError>> {
        let rest = &self.text[self.at + 1..];
        match rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let digits = rest[1..].iter().take(4).take_while(|b| b.is_ascii_hexdigit()).count();
                if digits < 4 {
                    return Err(self.invalid_escape(2 + digits));
                }
                self.at += 6;
            }
            // The end of the text, which the loop over the string reports.
            None => self.at += 1,
            Some(&byte) if byte < 0x20 => {
                self.at += 1;
                return Err(self.control(byte));
            }
            Some(_) => return Err(self.invalid_escape(1)),
        }
        Ok(())
    }

    /// Returns the error of an escape that is invalid `offset` bytes after its backslash.
    #[cold]
    fn invalid_escape(&mut self, offset: usize) -> Box<OpenError> {
        let start = self.at;
        self.at = start + offset;
        let end = match self.text.get(self.at) {
            None | Some(b'"' | 0..0x20) => self.at,
            Some(_) => match self.character() {
                Ok(character) => self.at + character.len_utf8(),
                Err(error) => return error,
            },
        };
        let text = String::from_utf8_lossy(&self.text[start..end]).into_owned();
        OpenError::new(Code::InvalidEscape, Span::new(start as u32, end as u32)).argument(text)
    }

    #[cold]
    fn control(&self, byte: u8) -> Box<OpenError> {
        let (name, escape): (String, String) = match byte {
            b'\n' => ("a line break".into(), "\\n".into()),
            b'\r' => ("a carriage return".into(), "\\r".into()),
            b'\t' => ("a tab".into(), "\\t".into()),
            _ => (format!("the control character U+{byte:04X}"), format!("\\u{byte:04x}")),
        };
        let error = OpenError::new(Code::ControlCharacter, byte_at(self.at));
        error.argument(name).argument(escape)
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`
    fn number(&mut self) -> Result<(), Box<OpenError>> {
        let start = self.at;
        let first = self.text.get(start).copied();
        let signed = start + usize::from(matches!(first, Some(b'-' | b'+')));
        if matches!(self.text.get(signed), Some(b'I' | b'N')) {
            let end = self.run(signed, |byte| byte.is_ascii_alphabetic());
            return Err(self.javascript(start, end));
        }
        if first == Some(b'+') {
            return Err(self.invalid_number(
                start,
                start,
                "a number cannot start with a plus sign",
            ));
        }
        let at = match number_len(&self.text[start..]) {
            Ok(len) => start + len,
            Err((fault, at)) => {
                let reason = match fault {
                    NumberFault::NoDigit => "expected a digit",
                    NumberFault::LeadingZero => "a number cannot have leading zeros",
                    NumberFault::NoFraction => "expected a digit after the point",
                    NumberFault::NoExponent => "expected a digit in the exponent",
                };
                return Err(self.invalid_number(start, start + at, reason));
            }
        };
        if self.text.get(at).is_some_and(|&b| b.is_ascii_alphanumeric() || b"_.+-".contains(&b)) {
            return Err(self.invalid_number(start, at, "unexpected character"));
        }
        if self.brackets.len() <= self.skeleton_depth {
            self.write(|writer, _| {
                writer.push(Kind::Number, Flags::NONE, at - start, start as u32)
            });
        }
        self.at = at;
        Ok(())
    }

    #[cold]
    fn invalid_number(&self, start: usize, at: usize, reason: &str) -> Box<OpenError> {
        let end = self.run(start, |byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
        let span = if at < end { byte_at(at) } else { Span::at(at as u32) };
        OpenError::new(Code::InvalidNumber, span)
            .argument(clip(&self.text[start..end]))
            .argument(reason)
    }

    #[cold]
    fn javascript(&self, start: usize, end: usize) -> Box<OpenError> {
        OpenError::new(Code::JavascriptValue, Span::new(start as u32, end as u32))
            .argument(clip(&self.text[start..end]))
    }

    fn keyword(&mut self) -> Result<(), Box<OpenError>> {
        let start = self.at;
        let end = self.run(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = &self.text[start..end];
        let kind = match word {
            b"null" => Kind::Null,
            b"true" => Kind::True,
            b"false" => Kind::False,
            b"NaN" | b"Infinity" | b"undefined" => return Err(self.javascript(start, end)),
            _ => {
                let word = clip(word);
                let nearest =
                    suggest::nearest(&word.to_ascii_lowercase(), ["false", "true", "null"]);
                let advice = match nearest {
                    Some(keyword) => DidYouMean(keyword).to_string(),
                    None => "Write strings in double quotes.".to_owned(),
                };
                let span = Span::new(start as u32, end as u32);
                let error = OpenError::new(Code::InvalidKeyword, span);
                return Err(error.argument(word).argument(advice));
            }
        };
        if self.brackets.len() <= self.skeleton_depth {
            self.write(|writer, _| writer.push(kind, Flags::NONE, end - start, start as u32));
        }
        self.at = end;
        Ok(())
    }

    /// `ws = *( %x20 / %x09 / %x0A / %x0D )`
    fn whitespace(&mut self) {
        self.at = self.run(self.at, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Returns the end of the bytes from `start` on that `belongs` accepts.
    fn run(&self, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text[start.min(self.text.len())..];
        start + rest.iter().position(|&byte| !belongs(byte)).unwrap_or(rest.len())
    }

    /// Returns the character at the current offset, or the error that the bytes are not UTF-8.
    fn character(&self) -> Result<char, Box<OpenError>> {
        let bytes = &self.text[self.at..self.text.len().min(self.at + 4)];
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        valid.chars().next().ok_or_else(|| {
            let byte = format!("0x{:02X}", bytes.first().copied().unwrap_or_default());
            OpenError::new(Code::InvalidUtf8, byte_at(self.at)).argument(byte)
        })
    }

    /// Checks for errors at the current offset that do not depend on the context: invalid UTF-8,
    /// comments, and single or typographic quotes.
    fn unexpected_marks(&self) -> Result<(), Box<OpenError>> {
        let Some(&byte) = self.text.get(self.at) else {
            return Ok(());
        };
        let code = match self.character()? {
            '#' => Code::Comment,
            '/' if matches!(self.text.get(self.at + 1), Some(b'/' | b'*')) => Code::Comment,
            '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' => Code::SingleQuote,
            _ => return Ok(()),
        };
        let len = if byte == b'/' { 2 } else { self.here().len() };
        let start = self.at as u32;
        Err(OpenError::new(code, Span::new(start, start + len)))
    }

    /// The span of the character at the current offset; empty at the end of the text.
    fn here(&self) -> Span {
        let len = match self.text.get(self.at) {
            None => 0,
            Some(_) => self.character().map_or(1, char::len_utf8),
        };
        Span::new(self.at as u32, (self.at + len) as u32)
    }

    /// Describes the token at the current offset.
    fn found(&self) -> String {
        match self.text.get(self.at) {
            None => "the end of the file".to_owned(),
            Some(b'"') => "a string".to_owned(),
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "an array".to_owned(),
            Some(b'0'..=b'9' | b'-') => "a number".to_owned(),
            Some(_) => match self.character() {
                Ok(character) if character.is_control() => {
                    format!("the character U+{:04X}", u32::from(character))
                }
                Ok(character) => format!("the character \"{character}\""),
                Err(_) => "an invalid byte".to_owned(),
            },
        }
    }

    #[cold]
    fn ends_before(&self, missing: &str) -> Box<OpenError> {
        let error = OpenError::new(Code::MissingValue, Span::at(self.text.len() as u32));
        self.with_open_bracket(error.argument(missing))
    }

    #[cold]
    fn missing_property_value(&self, before: &str) -> Box<OpenError> {
        // The name precedes the colon that has just been read.
        let colon = self.text[..self.at].iter().rposition(|&byte| byte == b':').unwrap_or(0);
        let close = self.text[..colon].iter().rposition(|&byte| byte == b'"').unwrap_or(0);
        let name = opening_quote(self.text, close).unwrap_or(0);
        OpenError::new(Code::MissingPropertyValue, self.here())
            .argument(quote(&self.text[name..(close + 1).max(name)]))
            .argument(before)
    }

    #[cold]
    fn mismatched(&self, code: Code) -> Box<OpenError> {
        self.with_open_bracket(OpenError::new(code, self.here()))
    }

    #[cold]
    fn unclosed(&self) -> Box<OpenError> {
        let code = if self.in_object() { Code::UnclosedObject } else { Code::UnclosedArray };
        let end = Span::at(self.text.len() as u32);
        let bracket = byte_at(self.brackets.last().copied().unwrap_or_default());
        OpenError::new(code, bracket).related(end, "the file ends here")
    }

    fn with_open_bracket(&self, error: Box<OpenError>) -> Box<OpenError> {
        match self.brackets.last() {
            Some(&bracket) => error.related(byte_at(bracket), "opened here"),
            None => error,
        }
    }
}

fn byte_at(at: usize) -> Span {
    Span::new(at as u32, at as u32 + 1)
}

/// Returns source text for a message: lossily decoded, and shortened.
fn clip(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    if bytes.len() <= LONGEST {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut text = String::from_utf8_lossy(&bytes[..LONGEST]).into_owned();
    // A character that was cut in the middle became U+FFFD: remove it, too.
    text.truncate(text.trim_end_matches('\u{FFFD}').len());
    text.push('…');
    text
}

/// Returns whether a byte of a string means itself, and starts no template.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=0x7F) && !matches!(byte, b'"' | b'\\' | b'$' | b'%')
}

/// Returns a string token for a message, with quotes.
fn quote(token: &[u8]) -> String {
    let inner = token.strip_prefix(b"\"").unwrap_or(token);
    format!("\"{}\"", clip(inner.strip_suffix(b"\"").unwrap_or(inner)))
}

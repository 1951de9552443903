//! The explaining engine: reads the grammar of RFC 8259 byte by byte.
//!
//! It reads one JSON value from a range of a text, and returns the same events as the
//! [`automaton`](super::automaton), or the first error: its kind, its exact place, and a
//! suggestion. It runs when a faster engine has rejected a file, and it is the oracle that every
//! faster engine is tested against, so it prefers clarity to speed. It takes linear time and does
//! not recurse.
//!
//! [`resume`] reads a text that arrives piece by piece: it stops before a token that more bytes
//! could change, and its state ([`Progress`]) does not depend on the bytes that were read.

use smallvec::SmallVec;

use super::build::{Buffers, Builder, Writer};
use crate::diagnostic::{Code, Fix};
use crate::fault::Fault;
use crate::lexical::{NumberFault, number_len};
use crate::span::Span;
use crate::suggest::{self, DidYouMean};
use crate::word::{Event, Flags, Kind};

/// Reads the one JSON value of `text[span]` and leaves its events in `buffers`.
pub(crate) fn read(
    text: &[u8],
    span: Span,
    max_depth: u32,
    skeleton_depth: u32,
    buffers: &mut Buffers,
) -> Result<(), Box<Fault>> {
    let builder = Builder::new(buffers, &[], max_depth, skeleton_depth);
    let mut reader = Reader {
        text: &text[..span.end as usize],
        at: span.start as usize,
        output: Output::Builder(builder),
        progress: &mut Progress::default(),
        max_depth,
        skeleton_depth: skeleton_depth as usize,
    };
    reader.document()?;
    match reader.output {
        Output::Builder(builder) => builder.finish(),
        Output::Events(_) => {}
    }
    Ok(())
}

/// Why [`resume`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The next token may continue after the text.
    Token,
    /// A value has ended that is in no container.
    Document,
    /// There are enough events.
    Events,
}

/// An error this close to the end of the text could be another one if the text continued.
const MARGIN: usize = 64;

/// Reads tokens of `text` from `at` on, and appends all of their events to `events`, up to about
/// `enough` of them. Leaves `at` before the first token that was not read. If not `is_end`, more
/// text follows.
///
/// Starts have an extent of 0, and offsets are those in `text`.
pub(crate) fn resume(
    text: &[u8],
    is_end: bool,
    at: &mut usize,
    progress: &mut Progress,
    max_depth: u32,
    events: &mut Vec<Event>,
    enough: usize,
) -> Result<Pause, Box<Fault>> {
    let output = Output::Events(events);
    let skeleton_depth = usize::MAX;
    let mut reader = Reader { text, at: *at, output, progress, max_depth, skeleton_depth };
    loop {
        reader.whitespace();
        *at = reader.at;
        let count = match &reader.output {
            Output::Events(events) => events.len(),
            Output::Builder(_) => return Ok(Pause::Events),
        };
        if reader.progress.expect == Expect::CommaOrEnd && reader.progress.brackets.is_empty() {
            return Ok(Pause::Document);
        }
        if count >= enough {
            return Ok(Pause::Events);
        }
        if *at >= text.len() && !is_end {
            return Ok(Pause::Token);
        }
        let expect = reader.progress.expect;
        match reader.step() {
            Ok(()) => {
                let is_whole = is_end
                    || reader.at < text.len()
                    || matches!(text.last(), Some(b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':'));
                if !is_whole {
                    reader.progress.expect = expect;
                    match &mut reader.output {
                        Output::Events(events) => events.truncate(count),
                        Output::Builder(_) => {}
                    }
                    return Ok(Pause::Token);
                }
            }
            Err(error) => {
                let may_change = error.code() == Code::UnterminatedString
                    || error.span().end as usize + MARGIN > text.len();
                return if may_change && !is_end { Ok(Pause::Token) } else { Err(error) };
            }
        }
    }
}

/// Returns the error of text after the value at `at`, which is not whitespace. `None` if more bytes
/// could change it.
pub(crate) fn extraneous(text: &[u8], is_end: bool, at: usize) -> Option<Box<Fault>> {
    let progress = &mut Progress::default();
    let output = Output::Events(&mut Vec::new());
    let reader = Reader { text, at, output, progress, max_depth: 0, skeleton_depth: 0 };
    let error = reader.after_value()?;
    (is_end || error.span().end as usize + MARGIN <= text.len()).then_some(error)
}

/// The state of the grammar between two tokens.
pub(crate) struct Progress {
    expect: Expect,
    pub(crate) brackets: SmallVec<[Bracket; 16]>,
    /// The last comma, for a diagnostic.
    comma: u32,
    /// The last name of a member, for a diagnostic.
    name: Span,
    /// That name, if its bytes are gone.
    kept_name: Option<Box<str>>,
}

/// An open bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bracket {
    pub(crate) at: u32,
    pub(crate) is_object: bool,
}

impl Bracket {
    /// The offset of a bracket whose bytes are gone.
    pub(crate) const GONE: u32 = u32::MAX - 1;
}

/// The offset of a comma whose byte is gone.
pub(crate) const COMMA_GONE: u32 = u32::MAX - 3;

impl Default for Progress {
    fn default() -> Self {
        Self {
            expect: Expect::Value,
            brackets: SmallVec::new(),
            comma: 0,
            name: Span::default(),
            kept_name: None,
        }
    }
}

impl Progress {
    /// Whether nothing of a document was read.
    pub(crate) fn is_at_start(&self) -> bool {
        self.expect == Expect::Value && self.brackets.is_empty()
    }

    /// Whether a member or a value has ended.
    pub(crate) fn is_after_value(&self) -> bool {
        self.expect == Expect::CommaOrEnd
    }

    /// Whether a member may follow.
    pub(crate) fn is_before_member(&self) -> bool {
        matches!(self.expect, Expect::Member | Expect::FirstMember)
    }

    /// Whether a comma was read, and nothing after it.
    pub(crate) fn is_after_comma(&self) -> bool {
        self.expect == Expect::Member
    }

    /// The last comma.
    pub(crate) fn comma(&self) -> u32 {
        self.comma
    }

    /// Starts a document.
    pub(crate) fn start(&mut self) {
        self.expect = Expect::Value;
    }

    /// Continues after a value in the containers that are in `brackets`.
    pub(crate) fn set_after_value(&mut self) {
        self.expect = Expect::CommaOrEnd;
    }

    /// Adapts to a text without its first `dropped` bytes, which have been read. The caller keeps
    /// the places of brackets.
    pub(crate) fn forget(&mut self, text: &[u8], dropped: usize) {
        for bracket in self.brackets.iter_mut().rev() {
            if bracket.at == Bracket::GONE {
                break;
            }
            bracket.at = bracket.at.checked_sub(dropped as u32).unwrap_or(Bracket::GONE);
        }
        let dropped = dropped as u32;
        if self.name.start >= dropped {
            self.name = Span::new(self.name.start - dropped, self.name.end - dropped);
        } else if self.kept_name.is_none() {
            if matches!(self.expect, Expect::Colon | Expect::Value) && !self.name.is_empty() {
                self.kept_name = Some(self.name(text).into());
            }
            self.name = Span::default();
        }
        self.comma = match self.comma {
            COMMA_GONE => COMMA_GONE,
            comma => comma.checked_sub(dropped).unwrap_or(COMMA_GONE),
        };
    }

    /// The last name of a member, for a message.
    fn name(&self, text: &[u8]) -> String {
        match &self.kept_name {
            Some(name) => name.to_string(),
            None => quote(self.name.slice(text)),
        }
    }
}

/// Where events go.
enum Output<'s> {
    Builder(Builder<'s>),
    /// All events, not linked.
    Events(&'s mut Vec<Event>),
}

struct Reader<'t, 's> {
    text: &'t [u8],
    at: usize,
    output: Output<'s>,
    progress: &'s mut Progress,
    max_depth: u32,
    skeleton_depth: usize,
}

/// The tokens that the grammar allows next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expect {
    /// A value: of the document, or after a colon or a comma.
    Value,
    /// After an opening bracket: a first member, or the closing bracket.
    FirstMember,
    /// After a comma: a member.
    Member,
    /// After a name: a colon.
    Colon,
    /// After a member: a comma, or the closing bracket.
    CommaOrEnd,
}

impl Reader<'_, '_> {
    /// Writes one event, or a bracket, at the current offset.
    fn write<R>(&mut self, write: impl FnOnce(&mut Writer<'_>, u32) -> R) -> Option<R> {
        let builder = match &mut self.output {
            Output::Builder(builder) => builder,
            Output::Events(_) => return None,
        };
        let mut writer = builder.writer(1);
        let result = write(&mut writer, self.at as u32);
        let progress = writer.progress();
        builder.advance(progress);
        Some(result)
    }

    /// Writes an event that is not a bracket.
    fn push(&mut self, kind: Kind, flags: Flags, len: usize, start: usize) {
        if let Output::Events(events) = &mut self.output {
            let len = len.min(Event::UNRECORDED as usize) as u32;
            events.push(Event::new(kind, flags, len, start as u32));
        } else if self.progress.brackets.len() <= self.skeleton_depth {
            self.write(|writer, _| writer.push(kind, flags, len, start as u32));
        }
    }

    /// Whether the innermost open container is an object.
    fn in_object(&self) -> bool {
        self.progress.brackets.last().is_some_and(|bracket| bracket.is_object)
    }

    /// `JSON-text = ws value ws`
    fn document(&mut self) -> Result<(), Box<Fault>> {
        loop {
            self.whitespace();
            if self.progress.expect == Expect::CommaOrEnd && self.progress.brackets.is_empty() {
                break;
            }
            self.step()?;
        }
        self.after_value().map_or(Ok(()), Err)
    }

    /// The error of text after the value.
    fn after_value(&self) -> Option<Box<Fault>> {
        (self.at < self.text.len()).then(|| match self.unexpected_marks() {
            Err(error) => error,
            Ok(()) => Fault::new(Code::ExtraneousData, self.here()).argument(self.found()),
        })
    }

    /// Reads one token.
    fn step(&mut self) -> Result<(), Box<Fault>> {
        self.progress.expect = match self.progress.expect {
            Expect::Value => self.value()?,
            Expect::FirstMember => self.first_member()?,
            Expect::Member => self.member()?,
            Expect::Colon => self.colon()?,
            Expect::CommaOrEnd => self.comma_or_end()?,
        };
        Ok(())
    }

    /// `value = false / null / true / object / array / number / string`
    fn value(&mut self) -> Result<Expect, Box<Fault>> {
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
            b',' if !self.progress.brackets.is_empty() => {
                return Err(Fault::new(Code::MissingElement, self.here()));
            }
            _ => {
                self.unexpected_marks()?;
                let error = Fault::new(Code::InvalidStartOfValue, self.here());
                return Err(error.argument(self.found()));
            }
        }
        Ok(Expect::CommaOrEnd)
    }

    /// `begin-object` or `begin-array`
    fn start(&mut self, object: bool) -> Result<Expect, Box<Fault>> {
        let at = self.at as u32;
        let is_allowed = match &mut self.output {
            Output::Events(events) => {
                let is_allowed = self.progress.brackets.len() < self.max_depth as usize;
                if is_allowed {
                    let kind = if object { Kind::StartObject } else { Kind::StartArray };
                    events.push(Event::new(kind, Flags::NONE, 0, at));
                }
                is_allowed
            }
            Output::Builder(_) => {
                self.write(|writer, at| writer.start(object, at)).unwrap_or_default()
            }
        };
        if !is_allowed {
            let error = Fault::new(Code::NestingTooDeep, self.here());
            return Err(error.argument(self.max_depth.to_string()));
        }
        self.progress.brackets.push(Bracket { at, is_object: object });
        self.at += 1;
        Ok(Expect::FirstMember)
    }

    /// `end-object` or `end-array`
    fn end(&mut self) -> Expect {
        let kind = if self.in_object() { Kind::EndObject } else { Kind::EndArray };
        match &mut self.output {
            Output::Events(events) => {
                events.push(Event::new(kind, Flags::NONE, 0, self.at as u32));
            }
            Output::Builder(_) => drop(self.write(|writer, at| writer.end(at))),
        }
        self.progress.brackets.pop();
        self.at += 1;
        Expect::CommaOrEnd
    }

    fn first_member(&mut self) -> Result<Expect, Box<Fault>> {
        let object = self.in_object();
        match self.text.get(self.at) {
            Some(b'}') if object => Ok(self.end()),
            Some(b']') if !object => Ok(self.end()),
            Some(b'}') => Err(self.mismatched(Code::MismatchedBrackets)),
            None if !object => Err(self.unclosed()),
            _ if object => self.name(),
            _ => self.value(),
        }
    }

    fn comma_or_end(&mut self) -> Result<Expect, Box<Fault>> {
        let object = self.in_object();
        match self.text.get(self.at) {
            None => Err(self.unclosed()),
            Some(b'}') if object => Ok(self.end()),
            Some(b']') if !object => Ok(self.end()),
            Some(b']') => Err(self.mismatched(Code::MismatchedBraces)),
            Some(b'}') => Err(self.mismatched(Code::MismatchedBrackets)),
            Some(b',') => {
                self.progress.comma = self.at as u32;
                self.at += 1;
                Ok(Expect::Member)
            }
            Some(b':') if !object => Err(Fault::new(Code::InvalidArrayValue, self.here())),
            Some(_) => {
                self.unexpected_marks()?;
                let members = if object { "properties" } else { "elements" };
                let fix = Fix::comma_before(self.text, self.at as u32);
                Err(Fault::new(Code::MissingComma, self.here()).argument(members).with_fix(fix))
            }
        }
    }

    /// A member after a comma.
    fn member(&mut self) -> Result<Expect, Box<Fault>> {
        let object = self.in_object();
        let (closing, last) = if object { (b'}', "property") } else { (b']', "element") };
        if self.text.get(self.at) == Some(&closing) {
            let comma = byte_at(self.progress.comma as usize);
            let error = Fault::new(Code::TrailingComma, comma).argument(last);
            return Err(error.with_fix(Some(Fix::removal(comma))));
        }
        if object { self.name() } else { self.value() }
    }

    /// The name of a member of an object.
    fn name(&mut self) -> Result<Expect, Box<Fault>> {
        let start = self.at;
        match self.text.get(start) {
            None => return Err(self.ends_before("a property name")),
            Some(b'"') => self.string(Kind::Key)?,
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_') => {
                let end = self.run(start, |byte| {
                    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
                });
                let span = Span::new(start as u32, end as u32);
                let name = String::from_utf8_lossy(&self.text[start..end]);
                // A name that goes on in other characters is not known wholly.
                let is_whole = self.text.get(end).is_none_or(u8::is_ascii);
                let fix = is_whole.then(|| Fix::replacement(span, format!("\"{name}\"")));
                return Err(Fault::new(Code::UnquotedName, span).argument(name).with_fix(fix));
            }
            Some(_) => {
                self.unexpected_marks()?;
                let error = Fault::new(Code::InvalidPropertyName, self.here());
                return Err(error.argument(self.found()));
            }
        }
        self.progress.name = Span::new(start as u32, self.at as u32);
        self.progress.kept_name = None;
        Ok(Expect::Colon)
    }

    /// `name-separator`
    fn colon(&mut self) -> Result<Expect, Box<Fault>> {
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
        let here = self.here();
        let fix = (code == Code::EqualsForColon).then(|| Fix::replacement(here, ":"));
        Err(Fault::new(code, here).argument(self.progress.name(self.text)).with_fix(fix))
    }

    /// `string = quotation-mark *char quotation-mark`
    fn string(&mut self, kind: Kind) -> Result<(), Box<Fault>> {
        let start = self.at;
        let (mut escaped, mut template) = (false, false);
        self.at += 1;
        loop {
            self.at = self.run(self.at, is_plain);
            match self.text.get(self.at) {
                None => {
                    let end = Span::at(self.text.len() as u32);
                    return Err(Fault::new(Code::UnterminatedString, byte_at(start))
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
        self.push(kind, Flags::of_string(escaped, template), self.at - start - 1, start);
        self.at += 1;
        Ok(())
    }

    /// `escape ( %x22 / %x5C / %x2F / b / f / n / r / t / u 4HEXDIG )`
    fn escape(&mut self) -> Result<(), Box<Fault>> {
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
    fn invalid_escape(&mut self, offset: usize) -> Box<Fault> {
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
        Fault::new(Code::InvalidEscape, Span::new(start as u32, end as u32)).argument(text)
    }

    #[cold]
    fn control(&self, byte: u8) -> Box<Fault> {
        let (name, escape): (String, String) = match byte {
            b'\n' => ("a line break".into(), "\\n".into()),
            b'\r' => ("a carriage return".into(), "\\r".into()),
            b'\t' => ("a tab".into(), "\\t".into()),
            _ => (format!("the control character U+{byte:04X}"), format!("\\u{byte:04x}")),
        };
        let place = byte_at(self.at);
        let is_line_break = matches!(byte, b'\n' | b'\r');
        let fix = (!is_line_break).then(|| Fix::replacement(place, escape.clone()));
        let error = Fault::new(Code::ControlCharacter, place);
        error.argument(name).argument(escape).with_fix(fix)
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`
    fn number(&mut self) -> Result<(), Box<Fault>> {
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
        self.push(Kind::Number, Flags::NONE, at - start, start);
        self.at = at;
        Ok(())
    }

    #[cold]
    fn invalid_number(&self, start: usize, at: usize, reason: &str) -> Box<Fault> {
        let end = self.run(start, |byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
        let span = if at < end { byte_at(at) } else { Span::at(at as u32) };
        Fault::new(Code::InvalidNumber, span)
            .argument(clip(&self.text[start..end]))
            .argument(reason)
    }

    #[cold]
    fn javascript(&self, start: usize, end: usize) -> Box<Fault> {
        Fault::new(Code::JavascriptValue, Span::new(start as u32, end as u32))
            .argument(clip(&self.text[start..end]))
    }

    fn keyword(&mut self) -> Result<(), Box<Fault>> {
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
                let mut keywords = ["true", "false", "null"].into_iter();
                let meant = keywords.find(|it| it.eq_ignore_ascii_case(&word));
                let meant = meant.or_else(|| (word == "None").then_some("null"));
                let fix = meant.map(|keyword| Fix::replacement(span, keyword));
                let error = Fault::new(Code::InvalidKeyword, span);
                return Err(error.argument(word).argument(advice).with_fix(fix));
            }
        };
        self.push(kind, Flags::NONE, end - start, start);
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
    fn character(&self) -> Result<char, Box<Fault>> {
        let bytes = &self.text[self.at..self.text.len().min(self.at + 4)];
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        valid.chars().next().ok_or_else(|| {
            let byte = format!("0x{:02X}", bytes.first().copied().unwrap_or_default());
            Fault::new(Code::InvalidUtf8, byte_at(self.at)).argument(byte)
        })
    }

    /// Checks for errors at the current offset that do not depend on the context: invalid UTF-8,
    /// comments, and single or typographic quotes.
    fn unexpected_marks(&self) -> Result<(), Box<Fault>> {
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
        let fix = match code {
            Code::SingleQuote => Fix::double_quotes(self.text, start, "\""),
            _ => None,
        };
        Err(Fault::new(code, Span::new(start, start + len)).with_fix(fix))
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
    fn ends_before(&self, missing: &str) -> Box<Fault> {
        let error = Fault::new(Code::MissingValue, Span::at(self.text.len() as u32));
        self.with_open_bracket(error.argument(missing))
    }

    #[cold]
    fn missing_property_value(&self, before: &str) -> Box<Fault> {
        Fault::new(Code::MissingPropertyValue, self.here())
            .argument(self.progress.name(self.text))
            .argument(before)
    }

    #[cold]
    fn mismatched(&self, code: Code) -> Box<Fault> {
        self.with_open_bracket(Fault::new(code, self.here()))
    }

    #[cold]
    fn unclosed(&self) -> Box<Fault> {
        let code = if self.in_object() { Code::UnclosedObject } else { Code::UnclosedArray };
        let end = Span::at(self.text.len() as u32);
        let bracket = byte_at(self.progress.brackets.last().map_or(0, |one| one.at as usize));
        Fault::new(code, bracket).related(end, "the file ends here")
    }

    fn with_open_bracket(&self, error: Box<Fault>) -> Box<Fault> {
        match self.progress.brackets.last() {
            Some(bracket) => error.related(byte_at(bracket.at as usize), "opened here"),
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

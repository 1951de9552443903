//! Tokens of YAML.
//!
//! In `a: b`, only the colon tells that `a` is a key. So the scanner remembers where a key may have
//! started (one place for each level of `[` and `{`), and inserts a token there when it finds a
//! colon on the same line, at most 1024 characters later. Indentation becomes tokens, too.

use std::borrow::Cow;
use std::collections::VecDeque;

/// An error, with its line and column from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem {
    pub(crate) message: &'static str,
    pub(crate) place: Place,
}

/// A place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The line, from 0.
    pub(crate) line: usize,
    /// The number of characters before it in its line.
    pub(crate) column: usize,
    /// The number of characters before it.
    index: usize,
}

pub(crate) type Found<T = ()> = Result<T, Problem>;

#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(crate) place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    StreamEnd,
    /// `%YAML`, and whether it is version 1.1.
    Version(bool),
    /// `%TAG`: a handle and its prefix.
    TagPrefix(&'t str, Cow<'t, str>),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    /// A handle and a suffix.
    Tag(&'t str, Cow<'t, str>),
    Scalar(Cow<'t, str>, Style),
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Quoted,
    Block,
}

/// A key must end within this many characters.
const LONGEST_KEY: usize = 1024;

/// A place where a key may have started.
#[derive(Clone, Copy)]
struct Start {
    is_possible: bool,
    /// Whether the text is invalid if it is not a key.
    is_required: bool,
    /// The number of its first token.
    token: usize,
    place: Place,
}

/// Reads the tokens of a text. See the module.
pub(super) struct Scanner<'t> {
    text: &'t str,
    /// The next byte.
    at: usize,
    place: Place,
    has_started: bool,
    has_ended: bool,
    tokens: VecDeque<Token<'t>>,
    /// The number of tokens that have been taken.
    taken: usize,
    /// The columns of the open block collections; -1 outside of all.
    indents: Vec<isize>,
    indent: isize,
    is_key_allowed: bool,
    /// For each level of brackets, and for the block around them.
    starts: Vec<Start>,
    /// No start before this one is possible.
    first_start: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let place = Place { line: 0, column: 0, index: 0 };
        let start = Start { is_possible: false, is_required: false, token: 0, place };
        Self {
            text,
            at: 0,
            place,
            has_started: false,
            has_ended: false,
            tokens: VecDeque::new(),
            taken: 0,
            indents: Vec::new(),
            indent: -1,
            is_key_allowed: true,
            starts: vec![start],
            first_start: 0,
        }
    }

    /// Returns the next token. At the end it is [`Kind::StreamEnd`].
    pub(super) fn peek(&mut self) -> Found<&Token<'t>> {
        if !self.has_started {
            self.has_started = true;
            self.check_characters()?;
        }
        loop {
            if !self.tokens.is_empty() {
                self.drop_stale_starts()?;
                let start = self.starts.get(self.first_start);
                if start.is_none_or(|start| start.token != self.taken) {
                    break;
                }
            }
            self.fetch()?;
        }
        Ok(&self.tokens[0])
    }

    /// Takes the token that [`peek`](Self::peek) returned.
    pub(super) fn take(&mut self) -> Option<Token<'t>> {
        self.taken += 1;
        self.tokens.pop_front()
    }

    /// Reports characters that YAML does not allow.
    fn check_characters(&self) -> Found {
        let is_allowed = |c: char| {
            matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}')
                || c > '\u{ffff}'
        };
        let Some(at) = self.text.find(|c| !is_allowed(c)) else { return Ok(()) };
        let before = &self.text[..at];
        let line = memchr::memchr_iter(b'\n', before.as_bytes()).count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        let place = Place { line, column, index: 0 };
        Err(Problem { message: "control characters are not allowed", place })
    }

    // Characters.

    /// The byte at a distance; 0 after the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn is_blank(&self) -> bool {
        matches!(self.byte(0), b' ' | b'\t')
    }

    /// The length of the line break at a distance; 0 if there is none.
    fn break_at(&self, ahead: usize) -> usize {
        match self.byte(ahead) {
            b'\r' if self.byte(ahead + 1) == b'\n' => 2,
            b'\r' | b'\n' => 1,
            0xc2 if self.byte(ahead + 1) == 0x85 => 2,
            0xe2 if self.byte(ahead + 1) == 0x80 && matches!(self.byte(ahead + 2), 0xa8 | 0xa9) => {
                3
            }
            _ => 0,
        }
    }

    fn is_break(&self) -> bool {
        self.break_at(0) != 0
    }

    /// Whether there is a blank, a line break or the end at a distance.
    fn is_gap(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
            || self.at + ahead >= self.text.len()
            || self.break_at(ahead) != 0
    }

    /// Passes one character.
    fn skip(&mut self) {
        let width = match self.byte(0) {
            0..0xc0 => 1,
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        self.at = (self.at + width).min(self.text.len());
        self.place.index += 1;
        self.place.column += 1;
    }

    fn skip_many(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    /// Passes the line break here, if there is one.
    fn skip_break(&mut self) {
        let length = self.break_at(0);
        if length == 0 {
            return;
        }
        self.place.index += if self.byte(1) == b'\n' && length == 2 { 2 } else { 1 };
        self.at += length;
        self.place.line += 1;
        self.place.column = 0;
    }

    /// Passes the line break here, and appends it: as `\n`, unless it is a separator of Unicode.
    fn read_break(&mut self, to: &mut String) {
        match self.break_at(0) {
            0 => return,
            3 => to.push_str(&self.text[self.at..self.at + 3]),
            _ => to.push('\n'),
        }
        self.skip_break();
    }

    fn skip_blanks(&mut self) {
        while self.is_blank() {
            self.skip();
        }
    }

    /// Passes blanks, a comment, and a line break, which must follow.
    fn skip_rest_of_line(&mut self) -> Found {
        self.skip_blanks();
        if self.byte(0) == b'#' {
            self.skip_comment();
        }
        if !self.is_end() && !self.is_break() {
            return self.problem("expected a comment or the end of the line");
        }
        self.skip_break();
        Ok(())
    }

    fn skip_comment(&mut self) {
        while !self.is_end() && !self.is_break() {
            self.skip();
        }
    }

    /// Whether `---` or `...` starts the line here.
    fn is_document_mark(&self) -> bool {
        self.place.column == 0
            && matches!(self.text.as_bytes().get(self.at..self.at + 3), Some(b"---" | b"..."))
            && self.is_gap(3)
    }

    fn problem<T>(&self, message: &'static str) -> Found<T> {
        Err(Problem { message, place: self.place })
    }

    // Keys and indentation.

    /// Forgets starts of keys that are in another line, or too far away.
    fn drop_stale_starts(&mut self) -> Found {
        // Outer starts are earlier, so the first one that is not stale ends the search.
        while let Some(start) = self.starts.get_mut(self.first_start) {
            if start.is_possible {
                let Place { line, index, .. } = start.place;
                if line >= self.place.line && index + LONGEST_KEY >= self.place.index {
                    break;
                }
                start.is_possible = false;
                if start.is_required {
                    return Err(Problem { message: NO_COLON, place: start.place });
                }
            }
            self.first_start += 1;
        }
        Ok(())
    }

    /// Remembers that a key may start here.
    fn save_start(&mut self) -> Found {
        if !self.is_key_allowed {
            return Ok(());
        }
        self.remove_start()?;
        let level = self.starts.len() - 1;
        self.starts[level] = Start {
            is_possible: true,
            is_required: level == 0 && self.indent == self.place.column as isize,
            token: self.taken + self.tokens.len(),
            place: self.place,
        };
        self.first_start = self.first_start.min(level);
        Ok(())
    }

    /// Forgets the start of a key at this level.
    fn remove_start(&mut self) -> Found {
        let Some(start) = self.starts.last_mut() else { return Ok(()) };
        if start.is_possible && start.is_required {
            return Err(Problem { message: NO_COLON, place: start.place });
        }
        start.is_possible = false;
        Ok(())
    }

    fn push(&mut self, kind: Kind<'t>) {
        self.tokens.push_back(Token { kind, place: self.place });
    }

    /// Passes an indicator of some characters.
    fn push_indicator(&mut self, kind: Kind<'t>, length: usize) {
        self.push(kind);
        self.skip_many(length);
    }

    /// Opens a block collection if the column is further in than the open ones. Its token is inserted
    /// before the token with this number, or at the end.
    fn open_block(&mut self, place: Place, token: Option<usize>, kind: Kind<'t>) {
        let column = place.column as isize;
        if self.starts.len() > 1 || self.indent >= column {
            return;
        }
        self.indents.push(self.indent);
        self.indent = column;
        let at = token.map_or(self.tokens.len(), |token| token - self.taken);
        self.tokens.insert(at.min(self.tokens.len()), Token { kind, place });
    }

    /// Closes the block collections that are further in than a column.
    fn close_blocks(&mut self, column: isize) {
        if self.starts.len() > 1 {
            return;
        }
        while self.indent > column {
            self.push(Kind::BlockEnd);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    // Tokens.

    /// Reads at least one more token.
    fn fetch(&mut self) -> Found {
        if self.has_ended {
            self.push(Kind::StreamEnd);
            return Ok(());
        }
        self.skip_to_token();
        self.drop_stale_starts()?;
        self.close_blocks(self.place.column as isize);
        if self.is_end() {
            return self.end();
        }
        let is_flow = self.starts.len() > 1;
        if self.place.column == 0 && self.byte(0) == b'%' {
            return self.directive();
        }
        if self.is_document_mark() {
            let kind = if self.byte(0) == b'-' { Kind::DocumentStart } else { Kind::DocumentEnd };
            self.close_blocks(-1);
            self.remove_start()?;
            self.is_key_allowed = false;
            self.push_indicator(kind, 3);
            return Ok(());
        }
        match self.byte(0) {
            b'[' => self.open_flow(Kind::FlowSequenceStart),
            b'{' => self.open_flow(Kind::FlowMappingStart),
            b']' => self.close_flow(Kind::FlowSequenceEnd),
            b'}' => self.close_flow(Kind::FlowMappingEnd),
            b',' => {
                self.remove_start()?;
                self.is_key_allowed = true;
                self.push_indicator(Kind::FlowEntry, 1);
                Ok(())
            }
            b'-' if self.is_gap(1) => self.block_entry(is_flow),
            b'?' if is_flow || self.is_gap(1) => self.key(is_flow),
            b':' if is_flow || self.is_gap(1) => self.value(is_flow),
            b'*' => self.anchor(Kind::Alias),
            b'&' => self.anchor(Kind::Anchor),
            b'!' => self.tag(),
            b'|' if !is_flow => self.block_scalar(true),
            b'>' if !is_flow => self.block_scalar(false),
            b'\'' => self.quoted(b'\''),
            b'"' => self.quoted(b'"'),
            b'-' => self.plain(),
            b'?' | b':' if !is_flow => self.plain(),
            b' ' | b'\t' | b'?' | b':' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                self.problem("this character cannot start a value")
            }
            _ => self.plain(),
        }
    }

    /// Passes blanks, comments and empty lines.
    fn skip_to_token(&mut self) {
        loop {
            let is_flow = self.starts.len() > 1;
            // A tab is no indentation.
            let may_tab = is_flow || !self.is_key_allowed;
            while self.byte(0) == b' ' || may_tab && self.byte(0) == b'\t' {
                self.skip();
            }
            if self.byte(0) == b'#' {
                self.skip_comment();
            }
            if !self.is_break() {
                return;
            }
            self.skip_break();
            if !is_flow {
                self.is_key_allowed = true;
            }
        }
    }

    fn end(&mut self) -> Found {
        if self.place.column != 0 {
            self.place.column = 0;
            self.place.line += 1;
        }
        self.close_blocks(-1);
        self.remove_start()?;
        self.is_key_allowed = false;
        self.has_ended = true;
        self.push(Kind::StreamEnd);
        Ok(())
    }

    fn open_flow(&mut self, kind: Kind<'t>) -> Found {
        self.save_start()?;
        let start = Start { is_possible: false, is_required: false, token: 0, place: self.place };
        self.starts.push(start);
        self.is_key_allowed = true;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn close_flow(&mut self, kind: Kind<'t>) -> Found {
        self.remove_start()?;
        if self.starts.len() > 1 {
            self.starts.pop();
            self.first_start = self.first_start.min(self.starts.len());
        }
        self.is_key_allowed = false;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn block_entry(&mut self, is_flow: bool) -> Found {
        // The parser reports a `-` between brackets.
        if !is_flow {
            if !self.is_key_allowed {
                return self.problem("a block sequence cannot start here");
            }
            self.open_block(self.place, None, Kind::BlockSequenceStart);
        }
        self.remove_start()?;
        self.is_key_allowed = true;
        self.push_indicator(Kind::BlockEntry, 1);
        Ok(())
    }

    fn key(&mut self, is_flow: bool) -> Found {
        if !is_flow {
            if !self.is_key_allowed {
                return self.problem("a key cannot start here");
            }
            self.open_block(self.place, None, Kind::BlockMappingStart);
        }
        self.remove_start()?;
        self.is_key_allowed = !is_flow;
        self.push_indicator(Kind::Key, 1);
        Ok(())
    }

    fn value(&mut self, is_flow: bool) -> Found {
        let start = self.starts.last().copied().filter(|start| start.is_possible);
        if let Some(start) = start {
            let at = (start.token - self.taken).min(self.tokens.len());
            self.tokens.insert(at, Token { kind: Kind::Key, place: start.place });
            self.open_block(start.place, Some(start.token), Kind::BlockMappingStart);
            if let Some(start) = self.starts.last_mut() {
                start.is_possible = false;
            }
            self.is_key_allowed = false;
        } else {
            if !is_flow {
                if !self.is_key_allowed {
                    return self.problem("a value of a mapping cannot start here");
                }
                self.open_block(self.place, None, Kind::BlockMappingStart);
            }
            self.is_key_allowed = !is_flow;
        }
        self.push_indicator(Kind::Value, 1);
        Ok(())
    }

    /// Reads letters, digits, `_` and `-`.
    fn word(&mut self) -> &'t str {
        let start = self.at;
        while matches!(self.byte(0), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-') {
            self.skip();
        }
        &self.text[start..self.at]
    }

    fn anchor(&mut self, kind: fn(&'t str) -> Kind<'t>) -> Found {
        self.save_start()?;
        self.is_key_allowed = false;
        let place = self.place;
        self.skip();
        let name = self.word();
        let is_end = self.is_gap(0)
            || matches!(self.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !is_end {
            return self.problem("expected a letter or a digit in the name of an anchor");
        }
        self.tokens.push_back(Token { kind: kind(name), place });
        Ok(())
    }

    // Directives and tags.

    fn directive(&mut self) -> Found {
        self.close_blocks(-1);
        self.remove_start()?;
        self.is_key_allowed = false;
        let place = self.place;
        self.skip();
        let name = self.word();
        if !self.is_gap(0) {
            return self.problem("expected the name of a directive");
        }
        let kind = match name {
            "YAML" => {
                self.skip_blanks();
                let major = self.version_number()?;
                if self.byte(0) != b'.' {
                    return self.problem("expected a version number");
                }
                self.skip();
                let minor = self.version_number()?;
                Kind::Version((major, minor) == (1, 1))
            }
            "TAG" => {
                self.skip_blanks();
                let handle = self.handle()?;
                if handle != "!" && !(handle.len() > 1 && handle.ends_with('!')) {
                    return self.problem("expected \"!\" at the end of a tag handle");
                }
                if !self.is_blank() {
                    return self.problem("expected a space after the tag handle");
                }
                self.skip_blanks();
                let prefix = self.uri(false, Cow::Borrowed(""))?;
                if !self.is_gap(0) {
                    return self.problem("expected a space or the end of the line");
                }
                Kind::TagPrefix(handle, prefix)
            }
            _ => return self.problem("the name of the directive is not known"),
        };
        self.skip_rest_of_line()?;
        self.tokens.push_back(Token { kind, place });
        Ok(())
    }

    fn version_number(&mut self) -> Found<u8> {
        let (mut number, mut length) = (0, 0);
        while let digit @ b'0'..=b'9' = self.byte(0) {
            length += 1;
            if length > 2 {
                break;
            }
            number = number * 10 + (digit - b'0');
            self.skip();
        }
        match length {
            1 | 2 => Ok(number),
            _ => self.problem("expected a version number"),
        }
    }

    /// Reads `!`, `!!`, `!name!`, or `!` and a part of a suffix.
    fn handle(&mut self) -> Found<&'t str> {
        let start = self.at;
        if self.byte(0) != b'!' {
            return self.problem("expected \"!\"");
        }
        self.skip();
        self.word();
        if self.byte(0) == b'!' {
            self.skip();
        }
        Ok(&self.text[start..self.at])
    }

    fn tag(&mut self) -> Found {
        self.save_start()?;
        self.is_key_allowed = false;
        let place = self.place;
        let kind = if self.byte(1) == b'<' {
            self.skip_many(2);
            let uri = self.uri(false, Cow::Borrowed(""))?;
            if self.byte(0) != b'>' {
                return self.problem("expected \">\" at the end of a tag");
            }
            self.skip();
            Kind::Tag("", uri)
        } else {
            let handle = self.handle()?;
            if handle.len() > 1 && handle.ends_with('!') {
                Kind::Tag(handle, self.uri(false, Cow::Borrowed(""))?)
            } else {
                match self.uri(true, Cow::Borrowed(&handle[1..]))? {
                    suffix if suffix.is_empty() => Kind::Tag("", Cow::Borrowed("!")),
                    suffix => Kind::Tag("!", suffix),
                }
            }
        };
        if !self.is_gap(0) {
            return self.problem("expected a space or the end of the line after a tag");
        }
        self.tokens.push_back(Token { kind, place });
        Ok(())
    }

    /// Reads the rest of a URI.
    fn uri(&mut self, may_be_empty: bool, head: Cow<'t, str>) -> Found<Cow<'t, str>> {
        const OTHERS: &[u8] = b"_-;/?:@&=+$,.!~*'()[]%";
        let mut escaped: Option<Vec<u8>> = None;
        let start = self.at;
        while self.byte(0).is_ascii_alphanumeric() || OTHERS.contains(&self.byte(0)) {
            let byte = self.byte(0);
            if byte == b'%' {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (Some(high), Some(low)) = (digit(self.byte(1)), digit(self.byte(2))) else {
                    return self.problem("expected two hexadecimal digits");
                };
                let bytes =
                    escaped.get_or_insert_with(|| self.text.as_bytes()[start..self.at].to_vec());
                bytes.push((high * 16 + low) as u8);
                self.skip_many(3);
            } else {
                if let Some(bytes) = &mut escaped {
                    bytes.push(byte);
                }
                self.skip();
            }
        }
        if !may_be_empty && self.at == start {
            return self.problem("expected a tag");
        }
        let rest: Cow<'t, str> = match escaped {
            None => Cow::Borrowed(&self.text[start..self.at]),
            // Tags that are not ASCII are not known.
            Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        };
        Ok(if head.is_empty() { rest } else { head + rest })
    }

    // Scalars.

    fn block_scalar(&mut self, is_literal: bool) -> Found {
        self.remove_start()?;
        self.is_key_allowed = true;
        let place = self.place;
        self.skip();
        let (mut chomp, mut increment) = (None, 0);
        for _ in 0..2 {
            match self.byte(0) {
                sign @ (b'+' | b'-') if chomp.is_none() => {
                    chomp = Some(sign);
                    self.skip();
                }
                b'0' if increment == 0 => {
                    return self.problem("the indentation of a block scalar must not be 0");
                }
                digit @ b'1'..=b'9' if increment == 0 => {
                    increment = isize::from(digit - b'0');
                    self.skip();
                }
                _ => {}
            }
        }
        self.skip_rest_of_line()?;
        let mut indent = if increment > 0 { self.indent.max(0) + increment } else { 0 };
        let mut text = String::new();
        let (mut line_break, mut empty_lines) = (String::new(), String::new());
        self.indentation(&mut indent, &mut empty_lines)?;
        let mut was_indented = false;
        while self.place.column as isize == indent && !self.is_end() {
            let is_indented = self.is_blank();
            if !is_literal && !was_indented && !is_indented && line_break.starts_with('\n') {
                if empty_lines.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(&line_break);
            }
            line_break.clear();
            text.push_str(&empty_lines);
            empty_lines.clear();
            was_indented = is_indented;
            let start = self.at;
            self.skip_comment();
            text.push_str(&self.text[start..self.at]);
            self.read_break(&mut line_break);
            self.indentation(&mut indent, &mut empty_lines)?;
        }
        if chomp != Some(b'-') {
            text.push_str(&line_break);
        }
        if chomp == Some(b'+') {
            text.push_str(&empty_lines);
        }
        let kind = Kind::Scalar(Cow::Owned(text), Style::Block);
        self.tokens.push_back(Token { kind, place });
        Ok(())
    }

    /// Passes the indentation of a block scalar, and reads empty lines. An indentation of 0 is set to
    /// that of the first line.
    fn indentation(&mut self, indent: &mut isize, empty_lines: &mut String) -> Found {
        let mut most = 0;
        loop {
            let is_before = |this: &Self| *indent == 0 || (this.place.column as isize) < *indent;
            while is_before(self) && self.byte(0) == b' ' {
                self.skip();
            }
            most = most.max(self.place.column as isize);
            if is_before(self) && self.byte(0) == b'\t' {
                return self.problem("a tab cannot indent a block scalar");
            }
            if !self.is_break() {
                break;
            }
            self.read_break(empty_lines);
        }
        if *indent == 0 {
            *indent = most.max(self.indent + 1).max(1);
        }
        Ok(())
    }

    fn quoted(&mut self, quote: u8) -> Found {
        self.save_start()?;
        self.is_key_allowed = false;
        let place = self.place;
        self.skip();
        let mut text = String::new();
        loop {
            if self.is_document_mark() {
                return self.problem("a document cannot start or end in quotes");
            }
            if self.is_end() {
                return Err(Problem { message: "the quotes are not closed", place });
            }
            let mut gap = Gap::default();
            while !self.is_gap(0) {
                let byte = self.byte(0);
                if byte == quote {
                    if quote == b'"' || self.byte(1) != b'\'' {
                        break;
                    }
                    text.push('\'');
                    self.skip_many(2);
                } else if quote == b'"' && byte == b'\\' {
                    if self.break_at(1) != 0 {
                        self.skip();
                        self.skip_break();
                        gap.has_break = true;
                        break;
                    }
                    self.escape(&mut text)?;
                } else {
                    let start = self.at;
                    self.skip();
                    text.push_str(&self.text[start..self.at]);
                }
            }
            if self.byte(0) == quote {
                break;
            }
            while self.is_blank() || self.is_break() {
                self.read_gap(&mut gap);
            }
            gap.join(&mut text);
        }
        self.skip();
        let kind = Kind::Scalar(Cow::Owned(text), Style::Quoted);
        self.tokens.push_back(Token { kind, place });
        Ok(())
    }

    /// Reads one blank or line break between words.
    fn read_gap(&mut self, gap: &mut Gap) {
        if self.is_break() {
            if gap.has_break {
                self.read_break(&mut gap.more);
            } else {
                gap.blanks.clear();
                gap.has_break = true;
                self.read_break(&mut gap.first);
            }
        } else {
            if !gap.has_break {
                gap.blanks.push(char::from(self.byte(0)));
            }
            self.skip();
        }
    }

    /// Reads an escape sequence in double quotes.
    fn escape(&mut self, text: &mut String) -> Found {
        let mut length = 0;
        let character = match self.byte(1) {
            b'0' => '\0',
            b'a' => '\x07',
            b'b' => '\x08',
            b't' | b'\t' => '\t',
            b'n' => '\n',
            b'v' => '\x0b',
            b'f' => '\x0c',
            b'r' => '\r',
            b'e' => '\x1b',
            b' ' => ' ',
            b'"' => '"',
            b'\'' => '\'',
            b'\\' => '\\',
            b'N' => '\u{85}',
            b'_' => '\u{a0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            code => {
                length = match code {
                    b'x' => 2,
                    b'u' => 4,
                    b'U' => 8,
                    _ => return self.problem("the escape sequence is not known"),
                };
                let mut number: u32 = 0;
                for place in 2..2 + length {
                    let Some(digit) = char::from(self.byte(place)).to_digit(16) else {
                        return self.problem("expected a hexadecimal digit");
                    };
                    number = number.wrapping_mul(16).wrapping_add(digit);
                }
                match char::from_u32(number) {
                    Some(c) => c,
                    None => return self.problem("the escape sequence is not a character"),
                }
            }
        };
        text.push(character);
        self.skip_many(2 + length);
        Ok(())
    }

    fn plain(&mut self) -> Found {
        self.save_start()?;
        self.is_key_allowed = false;
        let place = self.place;
        let is_flow = self.starts.len() > 1;
        let indent = self.indent + 1;
        let mut gap = Gap::default();
        // The text so far, as long as it is as written, and else a copy of it.
        let (start, mut end) = (self.at, self.at);
        let mut copy: Option<String> = None;
        while !self.is_document_mark() && self.byte(0) != b'#' {
            let word = self.at;
            while !self.is_gap(0) {
                let byte = self.byte(0);
                if byte == b':' && self.is_gap(1)
                    || is_flow && matches!(byte, b',' | b'?' | b'[' | b']' | b'{' | b'}')
                {
                    break;
                }
                self.skip();
            }
            if self.at > word {
                if gap.has_break {
                    let text = copy.get_or_insert_with(|| self.text[start..end].to_owned());
                    gap.join(text);
                    text.push_str(&self.text[word..self.at]);
                } else if let Some(text) = &mut copy {
                    gap.join(text);
                    text.push_str(&self.text[word..self.at]);
                } else {
                    gap.blanks.clear();
                }
                end = self.at;
            }
            if !self.is_blank() && !self.is_break() {
                break;
            }
            while self.is_blank() || self.is_break() {
                let is_indentation = gap.has_break && (self.place.column as isize) < indent;
                if is_indentation && self.byte(0) == b'\t' {
                    return self.problem("a tab cannot indent a plain scalar");
                }
                self.read_gap(&mut gap);
            }
            if !is_flow && (self.place.column as isize) < indent {
                break;
            }
        }
        let text = copy.map_or(Cow::Borrowed(&self.text[start..end]), Cow::Owned);
        self.tokens.push_back(Token { kind: Kind::Scalar(text, Style::Plain), place });
        if gap.has_break {
            self.is_key_allowed = true;
        }
        Ok(())
    }
}

const NO_COLON: &str = "expected \":\" after a key";

/// The gap between two words of a scalar.
#[derive(Default)]
struct Gap {
    blanks: String,
    has_break: bool,
    first: String,
    more: String,
}

impl Gap {
    /// Appends what the gap stands for: one line break is a space, several are one less.
    fn join(&mut self, text: &mut String) {
        if !self.has_break {
            text.push_str(&self.blanks);
        } else if self.first.starts_with('\n') {
            text.push_str(if self.more.is_empty() { " " } else { &self.more });
        } else {
            text.push_str(&self.first);
            text.push_str(&self.more);
        }
        self.blanks.clear();
        self.first.clear();
        self.more.clear();
        self.has_break = false;
    }
}

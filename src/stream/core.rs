//! The grammar over a window of the stream.
//!
//! The window has the bytes that are not read yet, and those of the tokens that were read last.
//! Where it has enough, a *part* of it is parsed at once, by the engines that parse whole files: it
//! starts with a member and ends before a comma after a closing bracket, which is guessed from the
//! end of the window. An engine rejects a part that ends inside a string, so a wrong guess is found
//! out, and the comma is searched for from the start. All other bytes are read by the reader that
//! explains errors, token by token ([`resume`]). So verdicts and diagnostics are those of whole
//! files, and do not depend on where the input was cut.
//!
//! Cost: linear. Each byte is parsed at most three times. A token that is not complete is read
//! again when more bytes have arrived than a sixteenth of it.

use std::collections::VecDeque;

use super::options::Options;
use crate::diagnostic::Code;
use crate::encoding::other_encoding;
use crate::event::part::{parse_part, starts_with_name};
use crate::event::reader::{Bracket, COMMA_GONE, Pause, Progress, extraneous, resume};
use crate::event::{Event, Flags, Kind, ParseOptions, Scratch};
use crate::fault::Fault;
use crate::json::lone_surrogates_in;
use crate::lexical::{closing_quote, is_white};
use crate::position::{Counter, Position};
use crate::report::{OwnedDiagnostic, Range, Related};
use crate::span::{Part, Span};

/// The number of bytes that the window usually has: they stay in the second-level cache.
pub(super) const WINDOW: usize = 512 << 10;
/// Fewer bytes are read token by token.
const SMALLEST_PART: usize = 2 << 10;
/// The number of commas at the end of the window that are guessed to end a part.
const GUESSES: usize = 256;
/// A part starts in at most this many containers: its start costs as much as these.
const DEEPEST_PART: usize = 64;
/// The number of events that are read token by token at once.
const ENOUGH: usize = 4096;
/// The number of warnings that are kept until they are taken.
const WARNINGS: usize = 1000;
/// For each byte that arrives, this many bytes of incomplete tokens may be read again.
const AGAIN: usize = 16;

/// The result of [`Core::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Events.
    Events,
    /// The next token is not complete.
    Nothing,
    /// The end of the stream.
    End,
}

/// Where the current events are.
#[derive(Clone, Copy)]
enum Batch {
    /// In `events`: not linked.
    Read,
    /// In the scratch buffers, from this one on.
    Parsed(usize),
}

/// The window, and the state of the grammar.
pub(super) struct Core {
    pub(super) options: Options,
    /// The bytes that are read, then those that are not, then room.
    window: Vec<u8>,
    len: usize,
    /// The offset of the window in the stream, and its position.
    base: u64,
    counter: Counter,
    /// The offset in the window of the first byte that is not read.
    at: usize,
    pub(super) is_end: bool,
    progress: Progress,
    /// The positions of brackets that have left the window, outermost first.
    places: Vec<Position>,
    /// The position of the last comma, if it has left the window.
    comma: Position,
    /// A position that was asked for.
    known: Position,
    scratch: Scratch,
    events: Vec<Event>,
    batch: Batch,
    /// The depth down to which parts have events.
    pub(super) depth: u32,
    /// Bytes from this offset in the window on stay there.
    pub(super) keep: Option<usize>,
    warnings: VecDeque<OwnedDiagnostic>,
    /// The error that follows the current events.
    failed: Option<Box<OwnedDiagnostic>>,
    /// The number of bytes of incomplete tokens that may be read again.
    credit: usize,
    /// The number of bytes that the last attempt left.
    left: usize,
    /// No part is parsed before the stream has this many bytes.
    part_after: u64,
    /// The number of documents that have started, or that end before the current events.
    documents: u64,
}

impl Core {
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            window: Vec::new(),
            len: 0,
            base: 0,
            counter: Counter::START,
            at: 0,
            is_end: false,
            progress: Progress::default(),
            places: Vec::new(),
            comma: Position::START,
            known: Position::START,
            scratch: Scratch::default(),
            events: Vec::new(),
            batch: Batch::Read,
            depth: u32::MAX,
            keep: None,
            warnings: VecDeque::new(),
            failed: None,
            credit: 0,
            left: 0,
            part_after: 0,
            documents: 0,
        }
    }

    /// The window: all bytes of the current events.
    pub(super) fn text(&self) -> &[u8] {
        &self.window[..self.len]
    }

    /// The offset of the window in the stream.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The offset after the last byte that has arrived.
    pub(super) fn end(&self) -> u64 {
        self.base + self.len as u64
    }

    /// The offset after the last byte that belongs to a token that has started.
    pub(super) fn read(&self) -> u64 {
        self.base + (self.at + self.left) as u64
    }

    /// The number of containers that are open after the current events.
    pub(super) fn open(&self) -> usize {
        self.progress.brackets.len()
    }

    /// The number of documents before the one of the current events.
    pub(super) fn documents(&self) -> u64 {
        self.documents
    }

    /// The current events.
    #[inline]
    pub(super) fn events(&self) -> &[Event] {
        match self.batch {
            Batch::Read => &self.events,
            Batch::Parsed(first) => self.scratch.build.events().get(first..).unwrap_or_default(),
        }
    }

    /// Forgets the current events.
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.batch = Batch::Read;
    }

    /// Whether the extents of starts in the current events lead to their ends.
    pub(super) fn is_linked(&self) -> bool {
        matches!(self.batch, Batch::Parsed(_))
    }

    pub(super) fn take_warning(&mut self) -> Option<OwnedDiagnostic> {
        self.warnings.pop_front()
    }

    /// The number of bytes of memory in use.
    pub(super) fn memory(&self) -> usize {
        self.window.capacity() + 8 * (self.events.capacity() + self.scratch.build.events().len())
    }

    /// Room for bytes that arrive. Not empty.
    pub(super) fn room(&mut self, wanted: usize) -> &mut [u8] {
        self.compact();
        let end = self.len + wanted.max(1);
        if end > self.window.len() {
            // Doubled for a long token, so that copies stay linear.
            self.window.resize(end.max(2 * self.len), 0);
        }
        &mut self.window[self.len..end]
    }

    /// Takes the first bytes of the room.
    pub(super) fn arrived(&mut self, bytes: usize) {
        self.len += bytes;
        self.credit = self.credit.saturating_add(AGAIN * bytes);
    }

    /// The number of bytes that can be taken before events must be.
    pub(super) fn wanted(&self) -> usize {
        let waiting = self.len - self.at;
        if waiting < WINDOW { WINDOW - waiting } else { 64 << 10 }
    }

    /// The position of an offset in the window.
    pub(super) fn position(&self, offset: usize) -> Position {
        let Counter { line, column } = self.counter.at(self.text(), offset);
        Position { line, column, byte: self.base + offset as u64 }
    }

    /// Like [`position`](Self::position), where a token starts. Counts on from the last one.
    pub(super) fn token_position(&mut self, offset: usize) -> Position {
        let (mut counter, from) = self.known_before(offset);
        counter.pass(&self.window[from..offset]);
        let byte = self.base + offset as u64;
        self.known = Position { line: counter.line, column: counter.column, byte };
        self.known
    }

    /// Returns the last known position before an offset in the window, and its offset.
    fn known_before(&self, offset: usize) -> (Counter, usize) {
        let Position { line, column, byte } = self.known;
        match byte.checked_sub(self.base).map(|from| from as usize) {
            Some(from) if from <= offset => (Counter { line, column }, from),
            _ => (self.counter, 0),
        }
    }

    /// Drops the bytes that were read. The last one stays: what follows may belong to its column.
    fn compact(&mut self) {
        // A byte order mark is one column.
        let read = if self.base == 0 && self.at <= 3 { 0 } else { self.at.saturating_sub(1) };
        let drop = self.keep.map_or(read, |keep| read.min(keep.saturating_sub(1)));
        // Copying costs no more than reading did.
        if drop < self.len - drop {
            return;
        }
        let gone = |bracket: &Bracket| bracket.at == Bracket::GONE;
        let brackets = &self.progress.brackets;
        let first = brackets.iter().rposition(gone).map_or(0, |last| last + 1);
        let start = brackets.get(first).map_or(drop, |bracket| drop.min(bracket.at as usize));
        let (mut counter, mut passed) = self.known_before(start);
        let base = self.base;
        let Self { progress, places, .. } = self;
        let text = &self.window[..self.len];
        places.truncate(first);
        let mut pass = |to: usize| {
            counter.pass(&text[passed..to.max(passed)]);
            passed = to.max(passed);
            Position { line: counter.line, column: counter.column, byte: base + passed as u64 }
        };
        let comma = progress.comma() as usize;
        let comma = (progress.is_after_comma() && comma < drop).then_some(comma);
        for bracket in &progress.brackets[first..] {
            if bracket.at as usize >= drop {
                break;
            }
            places.push(pass(bracket.at as usize));
        }
        if let Some(comma) = comma {
            self.comma = pass(comma);
        }
        pass(drop);
        progress.forget(text, drop);
        self.counter = counter;
        self.window.copy_within(drop..self.len, 0);
        self.base += drop as u64;
        (self.at, self.len) = (self.at - drop, self.len - drop);
        self.keep = self.keep.map(|keep| keep - drop);
    }

    /// Reads the next tokens. Call it again after [`Found::Nothing`] when more bytes have arrived,
    /// or `is_end` is set.
    pub(super) fn advance(&mut self) -> Result<Found, Box<OwnedDiagnostic>> {
        self.clear();
        if let Some(problem) = &self.failed {
            return Err(problem.clone());
        }
        self.compact();
        let result = self.try_advance();
        if let Err(problem) = &result {
            self.failed = Some(problem.clone());
            if !self.events.is_empty() {
                return Ok(Found::Events);
            }
        }
        result
    }

    fn try_advance(&mut self) -> Result<Found, Box<OwnedDiagnostic>> {
        if self.base == 0 && self.at == 0 && !self.skip_mark() {
            return Ok(Found::Nothing);
        }
        loop {
            if self.progress.is_after_value() && self.open() == 0 {
                if !self.skip_white() {
                    return Ok(if self.is_end { Found::End } else { Found::Nothing });
                }
                if !self.options.is_sequence {
                    let text = &self.window[..self.len];
                    return match extraneous(text, self.is_end, self.at) {
                        Some(error) => Err(self.problem(&error)),
                        None => Ok(Found::Nothing),
                    };
                }
                self.documents += 1;
                self.progress.start();
            }
            if self.options.is_sequence && self.progress.is_at_start() && !self.skip_white() {
                return Ok(if self.is_end { Found::End } else { Found::Nothing });
            }
            if self.parse_part() {
                return Ok(Found::Events);
            }
            if !self.is_end && self.left > 0 && self.credit < self.left {
                return Ok(Found::Nothing);
            }
            let text = &self.window[..self.len];
            let depth = self.options.max_depth;
            // Where there are enough bytes for a part, it may start after the next token.
            let enough = if self.has_part() { 1 } else { ENOUGH };
            let Self { at, progress, events, .. } = self;
            let paused = resume(text, self.is_end, at, progress, depth, events, enough);
            self.left = 0;
            self.find_surrogates();
            if let Err(error) = paused {
                return Err(self.token_problem(&error));
            }
            if !self.events.is_empty() {
                return Ok(Found::Events);
            }
            if matches!(paused, Ok(Pause::Token)) {
                self.left = self.len - self.at;
                self.credit = self.credit.saturating_sub(self.left);
                if self.left.saturating_sub(1) > self.options.max_token {
                    return Err(self.token_too_long(self.at));
                }
                return Ok(Found::Nothing);
            }
        }
    }

    /// Skips a byte order mark. Returns whether it is known that there is none.
    fn skip_mark(&mut self) -> bool {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        let text = &self.window[..self.len];
        if text.starts_with(MARK) {
            self.at = MARK.len();
            let end = self.position(MARK.len());
            let problem = self.report(Code::ByteOrderMark, &[], (Position::START, end));
            self.warn(*problem);
        } else if !self.is_end && MARK.starts_with(text) {
            return false;
        }
        true
    }

    /// Skips whitespace. Returns whether a byte follows.
    fn skip_white(&mut self) -> bool {
        let rest = &self.window[self.at..self.len];
        let white = rest.iter().position(|&byte| !is_white(byte)).unwrap_or(rest.len());
        self.at += white;
        self.at < self.len
    }

    /// Whether the window has enough bytes for a part, and an attempt to parse it is due.
    fn has_part(&self) -> bool {
        self.len - self.at >= SMALLEST_PART && self.end() >= self.part_after
    }

    /// Parses a part of the window, if there is one. Returns whether there was.
    fn parse_part(&mut self) -> bool {
        if !self.has_part() || (self.options.is_sequence && self.progress.is_at_start()) {
            return false;
        }
        let Some(from) = self.part_start() else { return false };
        let open: Vec<bool> = self.progress.brackets.iter().map(|one| one.is_object).collect();
        let is_parsed = self.is_end && !self.options.is_sequence && {
            let part = Part {
                span: Span::new(from as u32, self.len as u32),
                open: &open,
                is_last: true,
                stop: None,
            };
            self.parse(part)
        };
        let is_parsed = is_parsed || {
            let guess = guess(&self.window[..self.len], from);
            let mut is_right = guess.is_some_and(|end| self.parse_to(from, end, &open));
            if !is_right && guess.is_some() {
                let end = last_comma(&self.window[..self.len], from, open.len());
                is_right = end.is_some_and(|end| self.parse_to(from, end, &open));
            }
            is_right
        };
        if !is_parsed {
            // Read at least as many bytes token by token before the next attempt.
            let rest = (self.len - self.at).max(64 << 10);
            self.part_after = self.end() + rest as u64;
        }
        is_parsed
    }

    /// Returns where the next member starts, if a part can start there.
    fn part_start(&self) -> Option<usize> {
        if self.progress.is_at_start() {
            return Some(self.at);
        }
        let last = self.progress.brackets.last()?;
        if self.open() > DEEPEST_PART {
            return None;
        }
        let text = &self.window[..self.len];
        let mut from = self.at;
        if self.progress.is_after_value() {
            from += text[from..].iter().position(|&byte| !is_white(byte))?;
            if text[from] != b',' {
                return None;
            }
            from += 1;
        } else if !self.progress.is_before_member() {
            return None;
        }
        (starts_with_name(&text[from..])? == last.is_object).then_some(from)
    }

    fn parse_to(&mut self, from: usize, end: usize, open: &[bool]) -> bool {
        if end < from + SMALLEST_PART / 2 {
            return false;
        }
        let span = Span::new(from as u32, end as u32);
        self.parse(Part { span, open, is_last: false, stop: None })
    }

    /// Parses a part, and takes over the result if it is valid.
    fn parse(&mut self, part: Part<'_>) -> bool {
        let depth = self.depth.max(part.open.len() as u32);
        let options = ParseOptions::default()
            .with_kernel(self.options.kernel)
            .with_max_depth(self.options.max_depth)
            .with_skeleton_depth(depth);
        let Self { window, scratch, .. } = self;
        let text = &window[..self.len];
        let Ok(has_surrogates) = parse_part(text, part, &options, scratch) else { return false };
        let build = &scratch.build;
        let brackets = &mut self.progress.brackets;
        let inherited = build.inherited();
        if part.is_last {
            brackets.clear();
        } else {
            let events = build.events();
            let starts: Vec<usize> =
                build.open_starts().take((depth as usize).saturating_add(1)).collect();
            let is_old = |level: &usize| starts.get(*level).is_some_and(|at| *at < inherited);
            let kept = (0..brackets.len().min(scratch.open.len())).take_while(is_old).count();
            brackets.truncate(kept);
            let known = starts.iter().take(scratch.open.len());
            let known = known.skip(kept).filter_map(|&start| events.get(start));
            let mut offsets: Vec<u32> = known.map(|event| event.offset()).collect();
            if kept + offsets.len() < scratch.open.len() {
                // Brackets below the last one that has an event.
                let from = offsets.pop().unwrap_or(part.span.start);
                offsets.extend(open_brackets(&text[..part.span.end as usize], from));
            }
            let kinds = scratch.open.iter().skip(kept);
            brackets.extend(kinds.zip(offsets).map(|(&is_object, at)| Bracket { at, is_object }));
        }
        self.progress.set_after_value();
        self.at = part.span.end as usize;
        self.batch = Batch::Parsed(inherited);
        self.left = 0;
        if has_surrogates {
            self.warn_of_surrogates(part.span);
        }
        true
    }

    fn warn(&mut self, problem: OwnedDiagnostic) {
        if self.warnings.len() < WARNINGS {
            self.warnings.push_back(problem);
        }
    }

    /// Warns of lone surrogates in the strings of `events`.
    fn find_surrogates(&mut self) {
        let escaped = self.events.iter().filter(|event| event.flags().contains(Flags::ESCAPED));
        let spans: Vec<Span> = escaped.map(|event| self.span_of(*event)).collect();
        spans.into_iter().for_each(|span| self.warn_of_surrogates(span));
    }

    fn warn_of_surrogates(&mut self, span: Span) {
        let mut found = Vec::new();
        lone_surrogates_in(&self.window[..self.len], span, &mut |span| found.push(span));
        found.truncate(WARNINGS.saturating_sub(self.warnings.len()));
        for span in found {
            let escape = String::from_utf8_lossy(span.slice(self.text())).into_owned();
            let start = self.position(span.start as usize);
            let place = (start, start.after(span.len().into()));
            let problem = self.report(Code::LoneSurrogate, &[&escape], place);
            self.warn(*problem);
        }
    }

    /// The bytes of an event in the window, with quotes.
    #[inline]
    pub(super) fn span_of(&self, event: Event) -> Span {
        let (start, kind) = (event.offset(), event.kind());
        let is_text = matches!(kind, Kind::String | Kind::Key);
        let is_end = matches!(kind, Kind::EndObject | Kind::EndArray);
        let len = match event.extent() {
            _ if is_end || kind.is_start() => 1,
            Event::UNRECORDED => self.long_token(start as usize, is_text),
            extent => extent + if is_text { 2 } else { 0 },
        };
        Span::new(start, start + len)
    }

    /// The length of a token that an event does not have.
    #[cold]
    fn long_token(&self, start: usize, is_text: bool) -> u32 {
        let text = self.text();
        if is_text {
            let end = closing_quote(text, start + 1).unwrap_or(text.len());
            return (end + 1 - start) as u32;
        }
        let rest = text.get(start..).unwrap_or_default();
        let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        rest.iter().take_while(is_in).count() as u32
    }

    /// The error of a token, unless it is too long before the error.
    fn token_problem(&self, error: &Fault) -> Box<OwnedDiagnostic> {
        let last = match error.code() {
            Code::UnterminatedString => self.len - 1,
            _ => (error.span().end as usize).saturating_sub(1),
        };
        if last > self.at + 1 + self.options.max_token && last < self.len {
            return self.token_too_long(self.at);
        }
        self.problem(error)
    }

    /// The error of the token at an offset in the window.
    pub(super) fn token_too_long(&self, at: usize) -> Box<OwnedDiagnostic> {
        let start = self.position(at);
        let limit = self.options.max_token.to_string();
        self.report(Code::TokenTooLong, &[&limit], (start, start.after(1)))
    }

    /// An error or a warning at a place in the stream.
    fn report(
        &self,
        code: Code,
        arguments: &[&str],
        place: (Position, Position),
    ) -> Box<OwnedDiagnostic> {
        OwnedDiagnostic::of_stream(code, arguments, place, &self.options.name)
    }

    /// An error in the window, as one of the stream.
    fn problem(&self, error: &Fault) -> Box<OwnedDiagnostic> {
        if self.base == 0
            && let Some(encoding) = other_encoding(self.text())
        {
            let place = (Position::START, Position::START);
            return self.report(Code::NotUtf8Encoding, &[encoding], place);
        }
        let place = |span: Span| match span.start {
            Bracket::GONE => {
                let place = self.open().checked_sub(1).and_then(|last| self.places.get(last));
                let place = place.copied().unwrap_or(self.comma);
                (place, place.after(1))
            }
            COMMA_GONE => (self.comma, self.comma.after(1)),
            start => (self.position(start as usize), self.position(span.end as usize)),
        };
        let mut problem = self.report(error.code(), &error.arguments(), place(error.span()));
        problem.related.extend(error.related_place().map(|(span, message)| {
            let (start, end) = place(span);
            let filename = self.options.name.to_string();
            Related::new(message, Range { filename, start, end, code_points: None }, None)
        }));
        problem
    }

    /// An error that is not about the text, at the end of what has arrived.
    pub(super) fn failure(&mut self, code: Code, text: &str) -> Box<OwnedDiagnostic> {
        let start = self.position(self.len);
        let problem = self.report(code, &[text], (start, start));
        self.failed = Some(problem.clone());
        problem
    }

    /// Makes an error that of all further calls.
    pub(super) fn fail(&mut self, problem: Box<OwnedDiagnostic>) -> Box<OwnedDiagnostic> {
        self.failed = Some(problem.clone());
        problem
    }
}

/// Returns the last comma after a closing bracket, which may be inside a string.
fn guess(text: &[u8], from: usize) -> Option<usize> {
    let rest = &text[from..];
    memchr::memrchr_iter(b',', rest)
        .take(GUESSES)
        .find(|&comma| {
            let before = rest[..comma].iter().rev().find(|&&byte| !is_white(byte));
            // JSON inside a string has a backslash before each quote.
            let mut after = rest[comma + 1..].iter().filter(|&&byte| !is_white(byte));
            let is_outside = match after.next() {
                Some(b'{') => matches!(after.next(), Some(b'"' | b'}')),
                first => matches!(first, Some(b'"' | b'[')),
            };
            is_outside && matches!(before, Some(b'}' | b']'))
        })
        .map(|comma| from + comma)
}

/// Returns the last comma after a closing bracket before the value around `from` ends, in which
/// `depth` containers are open.
fn last_comma(text: &[u8], from: usize, depth: usize) -> Option<usize> {
    let (mut at, mut last, mut depth, mut after_bracket) = (from, None, depth, false);
    let is_inside = depth > 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => match closing_quote(text, at + 1) {
                Some(end) => at = end,
                None => break,
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if is_inside && depth == 0 {
                    break;
                }
            }
            b',' if after_bracket => last = Some(at),
            _ => {}
        }
        if !is_white(byte) {
            after_bracket = matches!(byte, b'}' | b']');
        }
        at += 1;
    }
    last
}

/// Returns the offsets of the brackets from `from` on that are not closed in a valid text.
fn open_brackets(text: &[u8], from: u32) -> Vec<u32> {
    let (mut at, mut open) = (from as usize, Vec::new());
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = closing_quote(text, at + 1).unwrap_or(text.len()),
            b'{' | b'[' => open.push(at as u32),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
        at += 1;
    }
    open
}

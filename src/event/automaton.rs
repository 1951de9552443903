//! The scalar engine: checks the grammar over token offsets, and writes events.
//!
//! It reads the windows of token offsets that a [scan](crate::scan) produces. A rejection has no
//! position and no reason: the [`reader`](super::reader) finds both. The scan has validated
//! strings, escapes and UTF-8, so the engine checks the order of tokens, nesting, and the syntax of
//! numbers and literals.
//!
//! Inside a container, one iteration of the loop reads a whole member: comma, name, colon and
//! value. So the processor has to predict two branches: one for the kind of the value, and one for
//! whether the container continues.
//!
//! Most tokens are in sealed containers, whose members get no events. There, a loop of its own reads
//! only the bytes of tokens, which are side by side, and looks at the text for scalars only.

use super::build::{Builder, Writer};
use super::scalar::scalar;
use super::scratch::Scratch;
use crate::scan::{Isa, Rejected, State, Task};
use crate::span::Part;
use crate::word::{Flags, Kind};

/// The maximum number of tokens that one iteration of the loop reads: comma, name, colon, value,
/// and the token after the value, which shows where a string ends.
const LOOK_AHEAD: usize = 5;

/// Parses one part of a text. See [`parse_part`](super::part::parse_part).
pub(crate) struct Parse<'t, 's> {
    pub(crate) text: &'t [u8],
    pub(crate) part: Part<'t>,
    pub(crate) max_depth: u32,
    pub(crate) skeleton_depth: u32,
    pub(crate) scratch: &'s mut Scratch,
}

impl Task for Parse<'_, '_> {
    type Output = Result<bool, Rejected>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { text, part, max_depth, skeleton_depth, scratch } = self;
        let end = part.span.end as usize;
        let mut state = State::new(part.span);
        let mut builder = Builder::new(&mut scratch.build, part.open, max_depth, skeleton_depth);
        let mut expect = if part.open.is_empty() { Expect::Document } else { Expect::FirstMember };
        let tokens = &mut scratch.tokens;
        tokens.clear();
        loop {
            isa.scan_window(text, &mut state, tokens)?;
            let last = state.is_done();
            if last {
                for _ in 0..LOOK_AHEAD {
                    tokens.push(part.span.end);
                }
            }
            let text = &text[..end];
            let (offsets, bytes) = tokens.with_bytes(text);
            let mut automaton =
                Automaton { isa, text, writer: builder.writer(offsets.len()), expect };
            let used = automaton.consume(offsets, bytes)?;
            let progress = automaton.writer.progress();
            expect = automaton.expect;
            builder.advance(progress);
            if last {
                break;
            }
            if part.is_stopped() {
                return Err(Rejected);
            }
            tokens.carry(used);
        }
        if part.is_last && expect != Expect::End {
            return Err(Rejected);
        }
        builder.finish();
        if !part.is_last {
            scratch.open.clear();
            scratch.open.extend(scratch.build.open());
        }
        Ok(state.surrogates())
    }
}

/// The tokens that the grammar allows next.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Expect {
    /// After a member: a comma, or the closing bracket.
    CommaOrEnd,
    /// After an opening bracket: a first member, or the closing bracket.
    FirstMember,
    /// The document's value.
    Document,
    /// The end of the text.
    End,
}

/// The reason why reading members of a sealed container stops.
enum Stop {
    /// An opening bracket, which has been read.
    Start(u8),
    /// The closing bracket.
    End,
    /// The window ends here.
    Window(Expect),
}

/// Reads the tokens of one window.
struct Automaton<'t, 'w, I> {
    isa: I,
    /// The text up to the end of the value.
    text: &'t [u8],
    writer: Writer<'w>,
    expect: Expect,
}

impl<I: Isa> Automaton<'_, '_, I> {
    /// Reads tokens while more than [`LOOK_AHEAD`] are left, and returns the number read.
    #[inline(always)]
    fn consume(&mut self, offsets: &[u32], bytes: &[u8]) -> Result<usize, Rejected> {
        let limit = bytes.len().saturating_sub(LOOK_AHEAD);
        let byte_at = |index: usize| bytes.get(index).copied().unwrap_or(0);
        let mut index = 0;
        let mut expect = self.expect;
        while index < limit {
            if !self.writer.writes() {
                (index, expect) = self.skip_sealed(offsets, bytes, index, expect)?;
                if index >= limit {
                    break;
                }
            }
            let mut byte = byte_at(index);
            let is_object = self.writer.in_object();
            let end = if is_object { b'}' } else { b']' };
            // Move to the value of this iteration, or leave the container.
            if expect == Expect::CommaOrEnd && byte == b',' {
                index += 1;
                if is_object {
                    self.name(offsets, bytes, index)?;
                    index += 2;
                }
                byte = byte_at(index);
            } else if expect <= Expect::FirstMember && byte == end {
                self.writer.end(offsets[index]);
                index += 1;
                expect = if self.writer.depth() == 0 { Expect::End } else { Expect::CommaOrEnd };
                continue;
            } else if expect == Expect::FirstMember {
                if is_object {
                    self.name(offsets, bytes, index)?;
                    index += 2;
                    byte = byte_at(index);
                }
            } else if expect != Expect::Document {
                return Err(Rejected);
            }
            // The value. After a comma it may be past `limit`, but never past the look-ahead.
            let next = if expect == Expect::Document { Expect::End } else { Expect::CommaOrEnd };
            if byte == b'"' {
                self.string(offsets, index, Kind::String);
                expect = next;
            } else if byte == b'{' || byte == b'[' {
                if !self.writer.start(byte == b'{', offsets[index]) {
                    return Err(Rejected);
                }
                expect = Expect::FirstMember;
            } else {
                let (kind, len) = scalar(self.text, offsets[index], byte)?;
                self.writer.push(kind, Flags::NONE, len, offsets[index]);
                expect = next;
            }
            index += 1;
        }
        self.expect = expect;
        Ok(index)
    }

    /// Reads the members of sealed containers from `index` on, which get no events, up to the end of
    /// the outermost one, or while more than [`LOOK_AHEAD`] tokens are left. Returns the index of the
    /// next token, and what the grammar allows there.
    #[inline(always)]
    fn skip_sealed(
        &mut self,
        offsets: &[u32],
        bytes: &[u8],
        index: usize,
        mut expect: Expect,
    ) -> Result<(usize, Expect), Rejected> {
        let mut rest = &bytes[index..];
        loop {
            let is_first = expect == Expect::FirstMember;
            let stop = if self.writer.in_object() {
                self.skip_members::<true>(offsets, &mut rest, is_first)?
            } else {
                self.skip_members::<false>(offsets, &mut rest, is_first)?
            };
            match stop {
                Stop::Start(bracket) => {
                    if !self.writer.start_unseen(bracket == b'{') {
                        return Err(Rejected);
                    }
                    expect = Expect::FirstMember;
                }
                Stop::End => {
                    expect = Expect::CommaOrEnd;
                    if !self.writer.end_unseen() {
                        break;
                    }
                    rest = &rest[1..];
                }
                Stop::Window(next) => {
                    expect = next;
                    break;
                }
            }
        }
        Ok((bytes.len() - rest.len(), expect))
    }

    /// Reads members of an object or array until one is a container, or there are no more.
    #[inline(always)]
    fn skip_members<const IN_OBJECT: bool>(
        &mut self,
        offsets: &[u32],
        rest: &mut &[u8],
        is_first: bool,
    ) -> Result<Stop, Rejected> {
        let end = if IN_OBJECT { b'}' } else { b']' };
        let mut expect = if is_first { Expect::FirstMember } else { Expect::CommaOrEnd };
        loop {
            let Some(&[first, second, third, fourth, _, _]) = rest.first_chunk() else {
                return Ok(Stop::Window(expect));
            };
            let (value, len) = if expect == Expect::CommaOrEnd {
                if IN_OBJECT && [first, second, third] == *b",\":" {
                    (fourth, 4)
                } else if !IN_OBJECT && first == b',' {
                    (second, 2)
                } else if first == end {
                    return Ok(Stop::End);
                } else {
                    return Err(Rejected);
                }
            } else if first == end {
                return Ok(Stop::End);
            } else if !IN_OBJECT {
                (first, 1)
            } else if [first, second] == *b"\":" {
                (third, 3)
            } else {
                return Err(Rejected);
            };
            *rest = &rest[len..];
            expect = Expect::CommaOrEnd;
            if value == b'{' || value == b'[' {
                return Ok(Stop::Start(value));
            }
            if value != b'"' {
                let index = offsets.len() - rest.len() - 1;
                scalar(self.text, offsets[index], value)?;
            }
        }
    }

    /// Reads a property name and its colon.
    #[inline(always)]
    fn name(&mut self, offsets: &[u32], bytes: &[u8], index: usize) -> Result<(), Rejected> {
        if bytes.get(index..index + 2) != Some(b"\":") {
            return Err(Rejected);
        }
        self.string(offsets, index, Kind::Key);
        Ok(())
    }

    /// Writes the event of a string. The string ends with the last quote before the next token.
    #[inline(always)]
    fn string(&mut self, offsets: &[u32], index: usize, kind: Kind) {
        let start = offsets[index];
        let mut end = offsets[index + 1] as usize;
        // There is only whitespace between them; the opening quote ends the search at the latest.
        while self.text[end - 1] != b'"' {
            end -= 1;
        }
        let raw = self.text.get(start as usize + 1..end.wrapping_sub(1)).unwrap_or_default();
        let flags = self.isa.string_flags(raw);
        let flags = Flags::of_string(flags.has_escape(), flags.has_template());
        self.writer.push(kind, flags, raw.len(), start);
    }
}

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

use super::build::{Builder, Writer};
use super::scratch::Scratch;
use super::word::{Flags, Kind};
use crate::lexical::number_len;
use crate::scan::{Isa, Rejected, State, Task};
use crate::span::Part;

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
            let offsets = tokens.as_slice();
            let mut automaton = Automaton {
                isa,
                text: &text[..end],
                writer: builder.writer(offsets.len()),
                expect,
            };
            let used = automaton.consume(offsets)?;
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

/// What the grammar allows next.
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

/// Reads the tokens of one window.
struct Automaton<'t, 'w, I> {
    isa: I,
    /// The text up to the end of the value.
    text: &'t [u8],
    writer: Writer<'w>,
    expect: Expect,
}

impl<I: Isa> Automaton<'_, '_, I> {
    /// Returns the byte at the token `index`; after the last token 0, which starts no token.
    #[inline(always)]
    fn byte(&self, tokens: &[u32], index: usize) -> u8 {
        tokens.get(index).and_then(|&at| self.text.get(at as usize)).copied().unwrap_or(0)
    }

    /// Reads tokens while at least [`LOOK_AHEAD`] follow, and returns the number read.
    #[inline(always)]
    fn consume(&mut self, tokens: &[u32]) -> Result<usize, Rejected> {
        let limit = tokens.len().saturating_sub(LOOK_AHEAD);
        let mut index = 0;
        // The end of the innermost container, and whether its members get events. Both are also in
        // the builder, but are kept here so that they stay in registers.
        let mut end = self.end_byte();
        let mut writes = self.writer.writes();
        let mut expect = self.expect;
        while index < limit {
            let mut byte = self.byte(tokens, index);
            // Move to the value of this iteration, or leave the container.
            if expect == Expect::CommaOrEnd && byte == b',' {
                index += 1;
                if end == b'}' {
                    self.name(tokens, index, writes)?;
                    index += 2;
                }
                byte = self.byte(tokens, index);
            } else if expect <= Expect::FirstMember && byte == end {
                self.writer.end(tokens[index]);
                index += 1;
                end = self.end_byte();
                writes = self.writer.writes();
                expect = if self.writer.depth() == 0 { Expect::End } else { Expect::CommaOrEnd };
                continue;
            } else if expect == Expect::FirstMember {
                if end == b'}' {
                    self.name(tokens, index, writes)?;
                    index += 2;
                    byte = self.byte(tokens, index);
                }
            } else if expect != Expect::Document {
                return Err(Rejected);
            }
            // The value. After a comma it may be past `limit`, but never past the look-ahead.
            let next = if expect == Expect::Document { Expect::End } else { Expect::CommaOrEnd };
            if byte == b'"' {
                if writes {
                    self.string(tokens, index, Kind::String);
                }
                expect = next;
            } else if byte == b'{' || byte == b'[' {
                if !self.writer.start(byte == b'{', tokens[index]) {
                    return Err(Rejected);
                }
                end = byte + 2;
                writes = self.writer.writes();
                expect = Expect::FirstMember;
            } else {
                self.scalar(byte, tokens[index], writes)?;
                expect = next;
            }
            index += 1;
        }
        self.expect = expect;
        Ok(index)
    }

    /// Returns the byte that closes the innermost open container.
    #[inline(always)]
    fn end_byte(&self) -> u8 {
        if self.writer.in_object() { b'}' } else { b']' }
    }

    /// Reads a property name and its colon.
    #[inline(always)]
    fn name(&mut self, tokens: &[u32], index: usize, writes: bool) -> Result<(), Rejected> {
        if self.byte(tokens, index) != b'"' || self.byte(tokens, index + 1) != b':' {
            return Err(Rejected);
        }
        if writes {
            self.string(tokens, index, Kind::Key);
        }
        Ok(())
    }

    /// Writes the event of a string. The string ends with the last quote before the next token.
    #[inline(always)]
    fn string(&mut self, tokens: &[u32], index: usize, kind: Kind) {
        let start = tokens[index];
        let mut end = tokens[index + 1] as usize;
        // There is only whitespace between them; the opening quote ends the search at the latest.
        while self.text[end - 1] != b'"' {
            end -= 1;
        }
        let raw = self.text.get(start as usize + 1..end.wrapping_sub(1)).unwrap_or_default();
        let flags = self.isa.string_flags(raw);
        let flags = Flags::of_string(flags.has_escape(), flags.has_template());
        self.writer.push(kind, flags, raw.len(), start);
    }

    /// Checks a number or literal, and writes its event.
    #[inline(always)]
    fn scalar(&mut self, byte: u8, start: u32, writes: bool) -> Result<(), Rejected> {
        let rest = self.text.get(start as usize..).unwrap_or_default();
        let (kind, len) = match byte {
            b't' if rest.starts_with(b"true") => (Kind::True, 4),
            b'f' if rest.starts_with(b"false") => (Kind::False, 5),
            b'n' if rest.starts_with(b"null") => (Kind::Null, 4),
            _ => (Kind::Number, number_len(rest).map_err(|_| Rejected)?),
        };
        if !ends_scalar(rest, len) {
            return Err(Rejected);
        }
        if writes {
            self.writer.push(kind, Flags::NONE, len, start);
        }
        Ok(())
    }
}

/// Whether the first scalar of `rest` ends after `len` bytes.
#[inline(always)]
fn ends_scalar(rest: &[u8], len: usize) -> bool {
    /// Whitespace, operators and quotes.
    const ENDS: [bool; 256] = {
        let mut table = [false; 256];
        let bytes = b" \t\n\r{}[]:,\"";
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize] = true;
            i += 1;
        }
        table
    };
    rest.get(len).is_none_or(|&byte| ENDS[byte as usize])
}

//! Errors and warnings about a stream: as for whole files, with positions of 64 bits.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use crate::diagnostic::{Code, Severity, joined};
use crate::position::Counter;
use crate::source::Source;

/// The number of bytes that are read at a time to count lines and columns.
const WINDOW: usize = 1 << 16;

/// A position in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in grapheme clusters, from 1.
    pub column: u64,
    /// The offset in bytes, from 0.
    pub byte: u64,
}

impl Position {
    /// The position of an offset in a source: in the stream if the source is a record. Cost: see
    /// [`Source::position`].
    #[must_use]
    pub fn of(source: Source<'_>, offset: u32) -> Self {
        let (line, column, byte) = source.long_position(offset);
        Self { line, column, byte }
    }

    /// The position of a byte of a stream, where a token starts, from its start. Cost: reads the bytes
    /// before it, a window at a time.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn in_stream(input: &mut dyn Read, byte: u64) -> io::Result<Self> {
        let mut counter = Counter::START;
        let mut window = vec![0; WINDOW];
        // What may belong to the column of the bytes that follow.
        let (mut kept, mut left) = (0, byte);
        while left > 0 {
            let room = usize::try_from(left).unwrap_or(WINDOW).min(WINDOW - kept);
            let count = input.read(&mut window[kept..kept + room])?;
            if count == 0 {
                break;
            }
            left -= count as u64;
            let end = kept + count;
            let text = &window[..end];
            // A quote, and a line feed, end a cluster.
            let whole = memchr::memrchr2(b'"', b'\n', text).map_or(0, |last| last + 1);
            let whole = if left == 0 || (whole == 0 && end == WINDOW) { end } else { whole };
            counter.pass(&text[..whole]);
            window.copy_within(whole..end, 0);
            kept = end - whole;
        }
        counter.pass(&window[..kept]);
        Ok(Self { line: counter.line, column: counter.column, byte: byte - left })
    }
}

/// An error or a warning about a stream. It borrows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Problem {
    pub(super) code: Code,
    pub(super) start: Position,
    /// The offset after the last byte.
    pub(super) end: u64,
    pub(super) arguments: Vec<Box<str>>,
    pub(super) related: Option<Related>,
    pub(super) name: Box<str>,
}

/// A related place of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The start of the place.
    pub start: Position,
    /// The offset after its last byte.
    pub end: u64,
    /// The note, a phrase such as "opened here".
    pub message: &'static str,
}

impl Problem {
    pub(super) fn new(code: Code, start: Position, end: u64, name: &str) -> Box<Self> {
        let name = name.into();
        Box::new(Self { code, start, end, arguments: Vec::new(), related: None, name })
    }

    pub(super) fn argument(mut self: Box<Self>, text: impl Into<Box<str>>) -> Box<Self> {
        self.arguments.push(text.into());
        self
    }

    /// The code of the diagnostic.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The bytes of the place.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.start.byte..self.end
    }

    /// The position of the start of the place.
    #[must_use]
    pub fn position(&self) -> Position {
        self.start
    }

    /// A related place, if there is one.
    #[must_use]
    pub fn related(&self) -> Option<&Related> {
        self.related.as_ref()
    }

    /// The name of the stream.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn arguments(&self) -> Vec<&str> {
        self.arguments.iter().map(|text| &**text).collect()
    }

    /// The explanation.
    #[must_use]
    pub fn detail(&self) -> String {
        self.code.detail_with(&self.arguments())
    }

    /// The help, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        self.code.help_with(&self.arguments())
    }
}

impl fmt::Display for Problem {
    /// Writes `NAME:LINE:COLUMN: SEVERITY[CODE]: SUMMARY: MESSAGE` on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.start;
        let (severity, code) = (self.severity().as_str(), self.code);
        let message = joined(self.detail(), self.help());
        let summary = code.summary();
        write!(f, "{}:{line}:{column}: {severity}[{code}]: {summary}: {message}", self.name)
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

    /// Gives a few bytes at a time.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(out.len()).min(7);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn positions_in_a_stream_are_those_in_the_whole_text() {
        let part = "{\"e\u{301}\": \"\u{1f468}\u{200d}\u{1f469}\",\r\n \"b\": [1, \"xyz\"]}\n";
        for text in [part.repeat(9), part.replace('\n', "").repeat(4000)] {
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, "x", text.as_bytes()).expect("it is short");
            let starts = text.match_indices(['"', '{', '[', '}']).map(|(at, _)| at);
            for at in starts.step_by(text.len() / 300 + 1).chain([0, text.len()]) {
                let expected = Position::of(source, at as u32);
                let inputs: [Box<dyn Read>; 2] =
                    [Box::new(text.as_bytes()), Box::new(Slow(text.as_bytes()))];
                for mut input in inputs {
                    let found = Position::in_stream(&mut input, at as u64).expect("it is readable");
                    assert_eq!(found, expected, "{at}");
                }
            }
        }
    }
}

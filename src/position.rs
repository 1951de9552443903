//! Lines and columns of byte offsets.
//!
//! A line ends after a line feed. A column is an extended grapheme cluster (UAX #29), with the
//! reference implementation's rules for JSON: a quote and a backslash each take a column and end a
//! cluster, and a carriage return takes no column. Unlike in the reference, a tab takes one column.
//! Each invalid byte of UTF-8 takes a column.
//!
//! The index does not have an entry for each line. It has *checkpoints*: boundaries of clusters, or
//! starts of lines, with known positions, at most three for each [`STEP`] bytes.
//!
//! Building an index takes one pass over the source, at memory speed for ASCII, and at most a tenth
//! of the source's size in memory. A lookup takes a binary search and, unless every byte around the
//! offset is one column, a walk over less than two steps, for any source.
//!
//! ```
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "a.json", "[\n\"é\", 1]".as_bytes())?;
//! let at = source.position(8);
//! assert_eq!((at.line, at.column, at.byte), (2, 6, 8));
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

use std::io::{self, Read};
use std::str::Utf8Chunks;

use unicode_segmentation::{Graphemes, UnicodeSegmentation};

use crate::arena::Arena;
use crate::steps::step;

/// A position in a source or a stream, as people and editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in grapheme clusters, from 1.
    pub column: u64,
    /// The offset in bytes, from 0.
    pub byte: u64,
}

/// The number of bytes of a stream that are read at a time to count lines and columns.
const WINDOW: usize = 1 << 16;

impl Position {
    /// The first byte.
    pub const START: Self = Self { line: 1, column: 1, byte: 0 };

    /// The position of a byte of a stream, where a token starts, from the stream's start. Cost: reads
    /// the bytes before it, a window at a time.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn in_stream(input: &mut dyn Read, byte: u64) -> io::Result<Self> {
        let mut counter = Counter::START;
        let mut window = vec![0; WINDOW];
        // The bytes that may belong to the column of those that follow.
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

    /// The position after this number of bytes of ASCII text without line breaks.
    pub(crate) fn after(self, bytes: u64) -> Self {
        Self { column: self.column + bytes, byte: self.byte + bytes, ..self }
    }

    /// The position of an offset from a text that starts at this one.
    pub(crate) fn plus(self, offset: Self) -> Self {
        let before = if offset.line == 1 { self.column - 1 } else { 0 };
        Self {
            line: self.line - 1 + offset.line,
            column: before + offset.column,
            byte: self.byte + offset.byte,
        }
    }

    /// Makes a position of numbers of 32 bits.
    fn new(line: u32, column: u32, byte: u32) -> Self {
        Self { line: line.into(), column: column.into(), byte: byte.into() }
    }
}

/// The number of bytes between checkpoints. The distance is less than twice this, unless the bytes
/// are one cluster. Tests use small steps, for more boundaries.
const STEP: usize = if cfg!(test) { 200 } else { 512 };

/// The positions of some offsets in a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineIndex<'a> {
    /// In ascending order, without the start of the source.
    checkpoints: &'a [Checkpoint],
}

/// The position of the start of a line or of a cluster.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    byte: u32,
    /// The line, from 0.
    line: u32,
    column: u32,
    /// The offset of the start of the line.
    line_start: u32,
}

const START: Checkpoint = Checkpoint { byte: 0, line: 0, column: 1, line_start: 0 };

impl Checkpoint {
    /// Whether it is on the line of an earlier one, and every byte between them is a column. No
    /// byte is more than one column.
    fn is_after_columns_of_one_byte(self, earlier: Self) -> bool {
        self.line == earlier.line && self.column - earlier.column == self.byte - earlier.byte
    }
}

impl<'a> LineIndex<'a> {
    /// Indexes a source of at most [`MAX_LEN`](crate::source::MAX_LEN) bytes.
    #[must_use]
    pub(crate) fn new_in(arena: &'a Arena, text: &[u8]) -> Self {
        debug_assert!(u32::try_from(text.len()).is_ok(), "a source has 32-bit offsets");
        let mut checkpoints: Vec<Checkpoint> = Vec::new();
        let mut last = START;
        while text.len() - last.byte as usize > STEP {
            let start = last.byte as usize;
            let window = &text[start..start + STEP];
            if let Some(line_feed) = memchr::memrchr(b'\n', window) {
                let lines = memchr::memchr_iter(b'\n', &window[..=line_feed]).count() as u32;
                let byte = last.byte + line_feed as u32 + 1;
                last = Checkpoint { byte, line: last.line + lines, column: 1, line_start: byte };
                checkpoints.push(last);
            } else {
                let len = memchr::memchr(b'\n', &text[start + STEP..]);
                let end = len.map_or(text.len(), |len| start + STEP + len);
                last = add_checkpoints(&text[start..end], last, &mut checkpoints);
                if end == text.len() {
                    break;
                }
            }
        }
        Self { checkpoints: arena.bump().alloc_slice_copy(&checkpoints) }
    }

    /// Returns the position of an offset in the indexed source: the position of the cluster that
    /// contains the byte. An offset past the end is treated as the end.
    #[must_use]
    pub(crate) fn position(&self, text: &[u8], offset: u32) -> Position {
        let byte = offset.min(text.len() as u32);
        let (known, next) = self.around(byte);
        let (start, at) = (known.byte as usize, byte as usize);
        let end = match next {
            Some(next) if next.is_after_columns_of_one_byte(known) => {
                let column = known.column + (byte - known.byte);
                return Position::new(known.line + 1, column, byte);
            }
            Some(next) => next.byte as usize,
            None => text.len(),
        };
        if end - start >= 2 * STEP {
            // Only a single cluster is that long.
            return Position::new(known.line + 1, known.column, byte);
        }
        // The position is on the last line that starts after the checkpoint.
        let line_feed = memchr::memrchr(b'\n', &text[start..at]);
        let (line, column, start) = match line_feed {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', &text[start..=start + last]).count() as u32;
                (known.line + lines, 1, start + last + 1)
            }
            None => (known.line, known.column, start),
        };
        let before = &text[start..at];
        let columns = if text[start..end.min(at + 1)].is_ascii() {
            // A character after an ASCII byte does not extend a cluster from before that byte.
            Run::Ascii(before).columns()
        } else {
            let end = memchr::memchr(b'\n', &text[at..end]).map_or(end, |len| at + len);
            columns_before(&text[start..end], before.len())
        };
        Position::new(line + 1, column + columns, byte)
    }

    /// Returns the start and the end of the line that contains an offset, without the line feed. An
    /// offset past the end is treated as the end. Cost: two binary searches, and a walk over a few
    /// steps.
    #[must_use]
    pub(crate) fn line(&self, text: &[u8], offset: u32) -> (u32, u32) {
        let byte = offset.min(text.len() as u32);
        let (known, next) = self.around(byte);
        let next = next.map_or(text.len() as u32, |next| next.byte);
        let is_cluster = (next - known.byte) as usize >= 2 * STEP;
        let passed = if is_cluster { &[] } else { &text[known.byte as usize..byte as usize] };
        let line_feed = memchr::memrchr(b'\n', passed);
        let start = line_feed.map_or(known.line_start, |last| known.byte + last as u32 + 1);
        // A checkpoint of this line; the line ends between it and the next one.
        let next = self.checkpoints.partition_point(|checkpoint| checkpoint.line_start <= start);
        let last = next.checked_sub(1).map_or(0, |last| self.checkpoints[last].byte);
        let from = last.max(byte) as usize;
        let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |len| from + len);
        (start, end as u32)
    }

    /// Returns the last checkpoint at or before an offset, and the next one, if there is one.
    fn around(&self, offset: u32) -> (Checkpoint, Option<Checkpoint>) {
        step();
        let passed = self.checkpoints.partition_point(|checkpoint| checkpoint.byte <= offset);
        let known = passed.checked_sub(1).map_or(START, |before| self.checkpoints[before]);
        (known, self.checkpoints.get(passed).copied())
    }
}

/// A position in a text that passes by: lines and columns before an offset, of any number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column, from 1.
    pub(crate) column: u64,
}

impl Counter {
    /// The start of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Passes the next bytes of the text. They must end where a cluster ends.
    pub(crate) fn pass(&mut self, text: &[u8]) {
        let rest = match memchr::memrchr(b'\n', text) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', &text[..=last]).count();
                *self = Self { line: self.line + lines as u64, column: 1 };
                &text[last + 1..]
            }
            None => text,
        };
        self.column += if rest.is_ascii() {
            (rest.len() - memchr::memchr_iter(b'\r', rest).count()) as u64
        } else {
            Runs::new(rest).map(|run| u64::from(run.columns())).sum::<u64>()
        };
    }

    /// Returns the position of an offset in the bytes that follow.
    pub(crate) fn at(mut self, text: &[u8], offset: usize) -> Self {
        let offset = offset.min(text.len());
        let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |last| last + 1);
        self.pass(&text[..start]);
        let line = &text[start..];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        self.column += u64::from(columns_before(line, offset - start));
        self
    }
}

/// Adds the checkpoints of the rest of a long line, after the checkpoint `last`. Returns the last
/// one.
fn add_checkpoints(
    line: &[u8],
    mut last: Checkpoint,
    checkpoints: &mut Vec<Checkpoint>,
) -> Checkpoint {
    let (mut at, mut column) = (last.byte, last.column);
    let mut add = |byte: u32, column: u32| {
        last = Checkpoint { byte, column, ..last };
        checkpoints.push(last);
        byte
    };
    let mut previous = at;
    for run in Runs::new(line) {
        let (before, len) = (at, run.len());
        at += len as u32;
        if ((at - previous) as usize) < STEP {
            column += run.columns();
            continue;
        }
        // A cluster longer than a step gets its own range, which no lookup walks.
        if len > STEP && before > previous {
            add(before, column);
        }
        column += run.columns();
        previous = add(at, column);
    }
    last
}

/// Returns the number of columns before `offset` in a part of one line: between two checkpoints,
/// between a checkpoint and the end of the line, or all of a short line. The cluster that contains
/// the offset is not counted.
fn columns_before(stretch: &[u8], offset: usize) -> u32 {
    let mut at = 0;
    let mut columns = 0;
    for run in Runs::new(stretch) {
        let end = at + run.len();
        if end > offset {
            return match run {
                Run::Ascii(bytes) => columns + Run::Ascii(&bytes[..offset - at]).columns(),
                Run::Cluster(_) => columns,
            };
        }
        columns += run.columns();
        at = end;
    }
    columns
}

/// A part of a line between two boundaries of clusters.
#[derive(Clone, Copy)]
enum Run<'t> {
    /// Up to [`STEP`] ASCII bytes, each a cluster.
    Ascii(&'t [u8]),
    /// One cluster of this many bytes.
    Cluster(usize),
}

impl Run<'_> {
    fn len(self) -> usize {
        match self {
            Self::Ascii(bytes) => bytes.len(),
            Self::Cluster(len) => len,
        }
    }

    fn columns(self) -> u32 {
        match self {
            Self::Ascii(bytes) => (bytes.len() - memchr::memchr_iter(b'\r', bytes).count()) as u32,
            Self::Cluster(_) => 1,
        }
    }
}

/// The runs of a line, or of a part of one that starts and ends at boundaries of clusters.
///
/// Clusters after a boundary do not depend on the text before it (regional indicators pair up from
/// there, too), so a part has the same boundaries as the whole.
struct Runs<'t> {
    /// The remaining text.
    rest: &'t [u8],
    /// The rest of a piece that is not only ASCII: clusters, then invalid bytes, then further
    /// chunks.
    clusters: Graphemes<'t>,
    invalid: usize,
    chunks: Utf8Chunks<'t>,
}

impl<'t> Runs<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { rest: text, clusters: "".graphemes(true), invalid: 0, chunks: b"".utf8_chunks() }
    }
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        loop {
            if let Some(cluster) = self.clusters.next() {
                return Some(Run::Cluster(cluster.len()));
            }
            if self.invalid > 0 {
                self.invalid -= 1;
                return Some(Run::Cluster(1));
            }
            if let Some(chunk) = self.chunks.next() {
                self.clusters = chunk.valid().graphemes(true);
                self.invalid = chunk.invalid().len();
                continue;
            }
            if self.rest.is_empty() {
                return None;
            }
            let (ascii, rest) = self.rest.split_at(single_len(self.rest));
            if !ascii.is_empty() {
                self.rest = rest;
                return Some(Run::Ascii(ascii));
            }
            let (piece, rest) = rest.split_at(piece_len(rest));
            self.rest = rest;
            self.chunks = piece.utf8_chunks();
        }
    }
}

/// Returns the number of leading ASCII bytes that are clusters of their own, up to [`STEP`]. The
/// last one before another character may be a part of its cluster.
fn single_len(text: &[u8]) -> usize {
    const CHUNK: usize = 64;
    let window = &text[..text.len().min(STEP)];
    let whole = window.chunks_exact(CHUNK).take_while(|chunk| chunk.is_ascii()).count() * CHUNK;
    let len = whole + window[whole..].iter().take_while(|byte| byte.is_ascii()).count();
    let is_followed = text.get(len).is_some_and(|byte| !byte.is_ascii());
    match text[..len].last() {
        Some(&last) if is_followed && !restarts(last) => len - 1,
        _ => len,
    }
}

/// Returns the length of the first piece. It ends where clusters start anew: between two ASCII
/// bytes, or before one that restarts them.
fn piece_len(text: &[u8]) -> usize {
    let ends = |pair: &[u8]| pair[1].is_ascii() && (pair[0].is_ascii() || restarts(pair[1]));
    text.windows(2).position(ends).map_or(text.len(), |before| before + 1)
}

/// Whether clusters end before and after this byte: quotes, backslashes and controls.
fn restarts(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line and column of every offset of a text, by walking over all of it.
    fn naive(text: &[u8]) -> Vec<(u32, u32)> {
        let mut positions = Vec::new();
        let mut line_start = 0;
        let mut line = 1;
        while line_start <= text.len() {
            let rest = &text[line_start..];
            let len = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let mut column = 1;
            let mut add = |len: usize, width: u32| {
                positions.extend(std::iter::repeat_n((line, column), len));
                column += width;
            };
            for piece in rest[..len].split_inclusive(|&byte| restarts(byte)) {
                let (piece, mark) = match piece.split_last() {
                    Some((&last, before)) if restarts(last) => (before, Some(last)),
                    _ => (piece, None),
                };
                for chunk in piece.utf8_chunks() {
                    chunk.valid().graphemes(true).for_each(|cluster| add(cluster.len(), 1));
                    chunk.invalid().iter().for_each(|_| add(1, 1));
                }
                if let Some(mark) = mark {
                    add(1, u32::from(mark != b'\r'));
                }
            }
            add(1, 1);
            line += 1;
            line_start += len + 1;
        }
        positions
    }

    /// Checks every offset.
    fn check(text: &[u8]) {
        let arena = Arena::new();
        let index = LineIndex::new_in(&arena, text);
        for (offset, (line, column)) in naive(text).into_iter().enumerate() {
            let byte = offset as u32;
            let expected = Position::new(line, column, byte);
            assert_eq!(index.position(text, byte), expected, "{:?}", String::from_utf8_lossy(text));
        }
    }

    const PIECES: &[&[u8]] = &[
        b"a",
        b"e\xCC\x81",
        b"\"",
        b"\\",
        b"\\n",
        b"\t",
        b"\r\n",
        b"\n",
        b"\r",
        b" ",
        b"abcdefgh",
        "👩‍👩‍👧‍👦".as_bytes(),
        "🇩🇪".as_bytes(),
        "🇩".as_bytes(),
        "각".as_bytes(),
        "\u{600}".as_bytes(),
        "क्षि".as_bytes(),
        "\u{301}".as_bytes(),
        "漢字".as_bytes(),
        b"\xFF",
        b"\xC3",
        b"\xE2\x82",
        "\u{200D}".as_bytes(),
        b"\x7F",
        b"\x00",
    ];

    fn random_text(seed: u64, pieces: usize) -> Vec<u8> {
        let mut state = seed;
        let mut text = Vec::new();
        for _ in 0..pieces {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.extend_from_slice(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        text
    }

    #[test]
    fn short_texts_at_every_offset() {
        check(b"");
        check("{\n\t\"a\": 1,\r\n  \"é\": \"e\u{301}\"\n}".as_bytes());
        for seed in 0..300 {
            check(&random_text(seed, 30));
        }
    }

    #[test]
    fn long_lines_with_checkpoints() {
        for seed in 0..20 {
            let mut text = random_text(seed, 2000);
            text.retain(|&byte| byte != b'\n');
            check(&text);
        }
        for text in ["x", "漢", "🇩🇪", "é\"", "a\u{301}"] {
            check(text.repeat(3 * STEP / text.len()).as_bytes());
        }
    }

    /// Clusters with lengths around the limit where ranges are split, in text of both kinds.
    #[test]
    fn clusters_longer_than_a_step() {
        for marks in [STEP / 2 - 2, STEP / 2, STEP / 2 + 1, STEP - 2, STEP, 3 * STEP] {
            let cluster = format!("a{}", "\u{301}".repeat(marks));
            for (before, after) in
                [("", ""), ("b", "c"), ("\r\r", "\r\r"), ("漢é", "🇩🇪"), ("\n", "\nz")]
            {
                for padding in [0, 1, STEP - 1, STEP, STEP + 100] {
                    let padding = "x".repeat(padding);
                    let text =
                        format!("{before}{padding}{cluster}{cluster}\r{after}{padding}{after}");
                    check(text.as_bytes());
                }
            }
        }
    }

    #[test]
    fn lookups_in_and_after_a_huge_cluster_do_not_walk_it() {
        let text = format!("a{}{}", "\u{301}".repeat(1 << 20), "b".repeat(1 << 20));
        let (arena, text) = (Arena::new(), text.as_bytes());
        let index = LineIndex::new_in(&arena, text);
        // A single walk over the cluster would take milliseconds.
        for byte in (0..text.len() as u32).step_by(50) {
            let column = byte.saturating_sub(1 << 21) + 1;
            assert_eq!(index.position(text, byte), Position::new(1, column, byte));
        }
    }

    #[test]
    fn stretches_are_short_or_one_cluster() {
        for seed in 0..8 {
            let mut text = random_text(seed, 20_000);
            if seed % 2 == 0 {
                text.retain(|&byte| byte != b'\n');
            }
            let arena = Arena::new();
            let index = LineIndex::new_in(&arena, &text);
            let borders = index.checkpoints.iter().map(|checkpoint| checkpoint.byte as usize);
            let mut last = 0;
            for border in borders.chain([text.len()]) {
                assert!(border - last < 2 * STEP);
                last = border;
            }
        }
    }

    #[test]
    fn an_index_takes_a_tenth_of_the_source_at_most() {
        let cluster = format!("x{}", "\u{301}".repeat(STEP / 2));
        let hostile = [
            "\n".to_owned(),
            "\n\n\nab".to_owned(),
            "x".repeat(STEP - 1) + "\n",
            "x".repeat(STEP) + "\n",
            "x".repeat(STEP + 1) + "\n",
            format!("y{cluster}\n"),
            format!("y{cluster}"),
            format!("\n{cluster}"),
            "\r".repeat(STEP + 2) + "\n",
            "🇩🇪".to_owned(),
        ];
        for pattern in hostile {
            let text = pattern.repeat(200_000 / pattern.len());
            let arena = Arena::new();
            let index = LineIndex::new_in(&arena, text.as_bytes());
            let bytes = size_of_val(index.checkpoints);
            // With the steps of tests; the steps of the library are larger.
            let share = text.len() * 512 / STEP / 10;
            assert!(bytes <= share, "{bytes} bytes of {}: {:?}", text.len(), &pattern[..1]);
        }
    }

    #[test]
    fn many_lines() {
        for lines in ["\n", "\r\n", "ab\n", "é\n\n", "\n\"\u{301}\n"] {
            check(lines.repeat(3 * STEP / lines.len()).as_bytes());
            for len in [STEP - 1, STEP, STEP + 1, 2 * STEP, 2 * STEP + 1] {
                let long = "x".repeat(len);
                check(format!("{lines}{long}\n{long}{lines}{lines}{long}").as_bytes());
            }
        }
    }

    /// Prepended characters and regional indicators, with a boundary at any place between them.
    #[test]
    fn steps_end_inside_context() {
        for shift in 0..16 {
            for piece in ["🇩", "\u{600}", "👩\u{200D}", "क्", "ᄀ", "\u{600}\"", "\u{301}\\"]
            {
                let text = "a".repeat(STEP - shift) + &piece.repeat(STEP / 2);
                check(text.as_bytes());
                let text = "\u{600}".to_owned() + &"🇩".repeat(shift) + &text;
                check(text.as_bytes());
            }
        }
    }

    #[test]
    fn offsets_after_the_end() {
        let arena = Arena::new();
        let text = b"ab\nc";
        let index = LineIndex::new_in(&arena, text);
        for offset in [4, 5, u32::MAX] {
            assert_eq!(index.position(text, offset), Position { line: 2, column: 2, byte: 4 });
        }
    }

    #[test]
    fn lines_around_offsets() {
        let text = b"ab\ncd\n";
        let arena = Arena::new();
        let index = LineIndex::new_in(&arena, text);
        let lines: Vec<_> = (0..=6).map(|offset| index.line(text, offset)).collect();
        assert_eq!(lines, [(0, 2), (0, 2), (0, 2), (3, 5), (3, 5), (3, 5), (6, 6)]);
    }

    #[test]
    fn lines_around_all_offsets_of_random_texts() {
        for seed in 0..40 {
            let text = random_text(seed, if seed % 2 == 0 { 40 } else { 2000 });
            let text = match seed % 3 {
                0 => [text.repeat(2), b"x".repeat(3 * STEP), text].concat(),
                1 => text.into_iter().filter(|byte| *byte != b'\n').collect(),
                _ => text,
            };
            let arena = Arena::new();
            let index = LineIndex::new_in(&arena, &text);
            for offset in 0..=text.len() {
                let before = text[..offset].iter().rposition(|&byte| byte == b'\n');
                let after = text[offset..].iter().position(|&byte| byte == b'\n');
                let start = before.map_or(0, |last| last + 1);
                let end = after.map_or(text.len(), |first| offset + first);
                assert_eq!(index.line(&text, offset as u32), (start as u32, end as u32));
            }
        }
    }

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
            let source =
                crate::Source::from_bytes(&arena, "x", text.as_bytes()).expect("it is short");
            let starts = text.match_indices(['"', '{', '[', '}']).map(|(at, _)| at);
            for at in starts.step_by(text.len() / 300 + 1).chain([0, text.len()]) {
                let expected = source.position(at as u32);
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

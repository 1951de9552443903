//! Lines and columns of byte offsets.
//!
//! A line ends behind a line feed. A column is an extended grapheme cluster (UAX #29), with the
//! reference implementation's rules for JSON: a quote and a backslash are columns of their own and
//! clusters start anew behind them, a carriage return takes no column, and, other than there, a tab takes
//! one. A byte that is no UTF-8 is a column.
//!
//! Columns are found by walking a line from its start, so lines longer than [`STEP`] get *checkpoints*:
//! places whose columns are known. An index costs one pass over the source, at the speed of the memory
//! for ASCII, four bytes a line and eight bytes a checkpoint; a lookup costs two binary searches and a
//! walk over at most two steps (or one cluster, if that is longer).

use unicode_segmentation::UnicodeSegmentation;

use crate::arena::Arena;

/// A place in a source, as people and editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in grapheme clusters, from 1.
    pub column: u32,
    /// Offset in bytes, from 0.
    pub byte: u32,
}

/// Bytes between checkpoints of a long line.
const STEP: usize = 4096;

/// Where lines start, and the columns of some places.
#[derive(Clone, Copy, Debug)]
pub struct LineIndex<'a> {
    /// Offsets of the starts of all lines but the first.
    starts: &'a [u32],
    /// Places inside of long lines, in ascending order.
    checkpoints: &'a [Checkpoint],
}

/// A cluster, and its column.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    byte: u32,
    column: u32,
}

impl<'a> LineIndex<'a> {
    /// Indexes a source.
    #[must_use]
    pub fn new_in(arena: &'a Arena, text: &[u8]) -> Self {
        let mut starts = Vec::new();
        let mut checkpoints = Vec::new();
        let mut start = 0;
        for line_feed in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
            if line_feed - start > STEP {
                add_checkpoints(&text[..line_feed], start, &mut checkpoints);
            }
            start = line_feed + 1;
            if line_feed < text.len() {
                starts.push(start as u32);
            }
        }
        let bump = arena.bump();
        Self {
            starts: bump.alloc_slice_copy(&starts),
            checkpoints: bump.alloc_slice_copy(&checkpoints),
        }
    }

    /// The position of an offset in the source that was indexed: of the cluster that contains the byte.
    /// An offset behind the end is taken for the end.
    #[must_use]
    pub fn position(&self, text: &[u8], offset: u32) -> Position {
        let byte = offset.min(text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= byte);
        let start = line.checked_sub(1).map_or(0, |before| self.starts[before]);
        let known = self.checkpoints.partition_point(|checkpoint| checkpoint.byte <= byte);
        let known = known.checked_sub(1).map(|before| self.checkpoints[before]);
        let from = known.filter(|checkpoint| checkpoint.byte >= start);
        let from = from.unwrap_or(Checkpoint { byte: start, column: 1 });
        let end = self.starts.get(line).map_or(text.len(), |&next| next as usize);
        let mut walk = Walk { text: &text[..end], at: from.byte as usize, column: from.column };
        walk.go_to(byte as usize);
        Position { line: line as u32 + 1, column: walk.column, byte }
    }

    /// The bytes of the line that an offset is in, as start and end, without the line feed.
    #[must_use]
    pub fn line(&self, text: &[u8], offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).map_or(0, |before| self.starts[before]);
        let end = self.starts.get(line).map_or(text.len() as u32, |&next| next - 1);
        (start, end)
    }
}

fn add_checkpoints(line: &[u8], start: usize, checkpoints: &mut Vec<Checkpoint>) {
    let mut walk = Walk { text: line, at: start, column: 1 };
    let mut step = STEP;
    while walk.at + step < line.len() {
        let before = walk.at;
        walk.go_to(before + step);
        if walk.at == before {
            // A cluster longer than the step. Looking twice as far each time keeps the work linear.
            step *= 2;
            continue;
        }
        step = STEP;
        checkpoints.push(Checkpoint { byte: walk.at as u32, column: walk.column });
    }
}

/// Walks over the clusters of a line.
struct Walk<'t> {
    /// The source up to the end of the line.
    text: &'t [u8],
    /// The start of a cluster.
    at: usize,
    /// Its column.
    column: u32,
}

impl Walk<'_> {
    /// Goes on to the cluster that contains the byte at `target`, or to the end of the line.
    fn go_to(&mut self, target: usize) {
        let target = target.min(self.text.len());
        while self.at < target {
            let rest = &self.text[self.at..target];
            let ascii = ascii_len(rest);
            // An ASCII byte that another one follows is a cluster. At the target it does not matter.
            let alone =
                if ascii == rest.len() { self.ascii_before(target) } else { ascii.max(1) - 1 };
            if alone > 0 {
                let returns = memchr::memchr_iter(b'\r', &rest[..alone]).count();
                self.at += alone;
                self.column += (alone - returns) as u32;
            } else if !self.pass_clusters(target) {
                return;
            }
        }
    }

    /// How many of the ASCII bytes up to `target` are clusters of their own: all, unless what stands at
    /// the target may join the last one.
    fn ascii_before(&self, target: usize) -> usize {
        let len = target - self.at;
        let joins = self.text.get(target).is_some_and(|byte| !byte.is_ascii())
            && !restarts(self.text[target - 1]);
        len - usize::from(joins)
    }

    /// Goes over the clusters of a piece that is not ASCII only, and tells whether the target is still
    /// ahead.
    fn pass_clusters(&mut self, target: usize) -> bool {
        let piece = &self.text[self.at..self.piece_end(target)];
        for chunk in piece.utf8_chunks() {
            for cluster in chunk.valid().graphemes(true) {
                if self.at + cluster.len() > target {
                    return false;
                }
                self.at += cluster.len();
                self.column += u32::from(cluster != "\r");
            }
            for _ in chunk.invalid() {
                if self.at + 1 > target {
                    return false;
                }
                self.at += 1;
                self.column += 1;
            }
        }
        self.at < target
    }

    /// The end of the piece that starts here: where clusters start anew, between two ASCII bytes, or
    /// behind the character that contains the target.
    fn piece_end(&self, target: usize) -> usize {
        let text = self.text;
        if restarts(text[self.at]) {
            return self.at + 1;
        }
        let mut end = self.at + 1;
        while end < text.len() {
            let (before, byte) = (text[end - 1], text[end]);
            let behind_target = end > target && (byte & 0xC0) != 0x80;
            if restarts(byte) || (before.is_ascii() && byte.is_ascii()) || behind_target {
                break;
            }
            end += 1;
        }
        end
    }
}

/// Whether clusters start anew before and behind this byte: quotes, backslashes and controls.
fn restarts(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// How many ASCII bytes come first.
fn ascii_len(bytes: &[u8]) -> usize {
    const CHUNK: usize = 64;
    let whole = bytes.chunks_exact(CHUNK).take_while(|chunk| chunk.is_ascii()).count() * CHUNK;
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and column of every offset of a text, by walking over all of it.
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

    fn check(text: &[u8]) {
        check_some(text, 1);
    }

    /// Checks every `step`th offset.
    fn check_some(text: &[u8], step: usize) {
        let arena = Arena::new();
        let index = LineIndex::new_in(&arena, text);
        for (offset, (line, column)) in naive(text).into_iter().enumerate().step_by(step) {
            let byte = offset as u32;
            let expected = Position { line, column, byte };
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
        for seed in 0..4 {
            let mut text = random_text(seed, 4000);
            text.retain(|&byte| byte != b'\n');
            check_some(&text, 11);
        }
        for text in ["x", "漢", "🇩🇪", "é\"", "a\u{301}"] {
            check_some(text.repeat(3 * STEP / text.len()).as_bytes(), 11);
        }
    }

    #[test]
    fn one_cluster_longer_than_a_step() {
        let text = format!("a{}b", "\u{301}".repeat(3 * STEP));
        let arena = Arena::new();
        let index = LineIndex::new_in(&arena, text.as_bytes());
        let last = text.len() as u32 - 1;
        assert_eq!(index.position(text.as_bytes(), last).column, 2);
        assert_eq!(index.position(text.as_bytes(), last - 7).column, 1);
    }

    #[test]
    fn lines_around_offsets() {
        let text = b"ab\ncd\n";
        let arena = Arena::new();
        let index = LineIndex::new_in(&arena, text);
        let lines: Vec<_> = (0..=6).map(|offset| index.line(text, offset)).collect();
        assert_eq!(lines, [(0, 2), (0, 2), (0, 2), (3, 5), (3, 5), (3, 5), (6, 6)]);
    }
}

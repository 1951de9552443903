//! The text of an open file, in pieces: a change costs little more than its length, wherever it is.

use std::ops::Range as Bytes;

use super::protocol::{Encoding, Position, Range};

/// The bytes of a piece; pieces that were edited have at most twice as many.
const PIECE: usize = 4096;

/// A text that is edited by positions of lines and columns.
#[derive(Debug)]
pub(super) struct Text {
    encoding: Encoding,
    /// Not empty. `\r\n` is never divided.
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    text: String,
    /// The number of line breaks.
    breaks: usize,
    /// The units of columns.
    units: usize,
}

/// A place: a piece, and the byte in it.
type Place = (usize, usize);

impl Text {
    /// Cost: linear in the text.
    pub(super) fn new(text: &str, encoding: Encoding) -> Self {
        Self { encoding, pieces: pieces(text, encoding) }
    }

    /// Replaces a range, or everything. What is outside of the text is cut off.
    ///
    /// Cost: linear in the new text, in the pieces, and in the length of two of them.
    pub(super) fn replace(&mut self, range: Option<Range>, new: &str) {
        let Some(range) = range else {
            self.pieces = pieces(new, self.encoding);
            return;
        };
        let start = self.place(range.start);
        let end = self.place(range.end).max(start);
        // With those beside, so that small pieces are joined, and a line break is found to be one.
        let first = start.0.saturating_sub(1);
        let last = (end.0 + 1).min(self.pieces.len() - 1);
        let before = self.pieces[first..start.0].iter().map(|piece| &*piece.text);
        let before = before.chain([&self.pieces[start.0].text[..start.1]]);
        let after = self.pieces[end.0 + 1..=last].iter().map(|piece| &*piece.text);
        let after = [&self.pieces[end.0].text[end.1..]].into_iter().chain(after);
        let joined: String = before.chain([new]).chain(after).collect();
        self.pieces.splice(first..=last, pieces(&joined, self.encoding));
    }

    /// All bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.pieces.iter().flat_map(|piece| piece.text.bytes()).collect()
    }

    /// The place of a position. Past the end of a line, it is the end of that line; past the last
    /// line, the end of the text.
    fn place(&self, position: Position) -> Place {
        let mut line = position.line as usize;
        let mut at = 0;
        while line > self.pieces[at].breaks {
            if at + 1 == self.pieces.len() {
                return self.end();
            }
            line -= self.pieces[at].breaks;
            at += 1;
        }
        let text = &self.pieces[at].text;
        let mut start = 0;
        for _ in 0..line {
            let found = line_break(&text[start..]);
            start += found.map_or(text.len() - start, |found| found.end);
        }
        self.column((at, start), position.character as usize)
    }

    /// The place some units behind a place, at most the end of its line.
    fn column(&self, (mut at, mut start): Place, mut units: usize) -> Place {
        loop {
            let text = &self.pieces[at].text[start..];
            let found = line_break(text);
            let rest = &text[..found.as_ref().map_or(text.len(), |found| found.start)];
            for (byte, char) in rest.char_indices() {
                let size = width(char, self.encoding);
                if size > units {
                    return (at, start + byte);
                }
                units -= size;
            }
            if found.is_some() || at + 1 == self.pieces.len() {
                return (at, start + rest.len());
            }
            (at, start) = (at + 1, 0);
            // Whole pieces of a long line are counted already.
            while self.pieces[at].breaks == 0
                && self.pieces[at].units <= units
                && at + 1 < self.pieces.len()
            {
                units -= self.pieces[at].units;
                at += 1;
            }
        }
    }

    fn end(&self) -> Place {
        let last = self.pieces.len() - 1;
        (last, self.pieces[last].text.len())
    }
}

/// Divides a text into pieces, of which the last one may be empty.
fn pieces(text: &str, encoding: Encoding) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let mut end = PIECE.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        if rest[..end].ends_with('\r') && rest[end..].starts_with('\n') {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        let (mut breaks, mut start) = (0, 0);
        while let Some(found) = line_break(&piece[start..]) {
            breaks += 1;
            start += found.end;
        }
        let units = match piece.is_ascii() {
            true => piece.len(),
            false => piece.chars().map(|char| width(char, encoding)).sum(),
        };
        pieces.push(Piece { text: piece.to_owned(), breaks, units });
        rest = after;
        if rest.is_empty() {
            return pieces;
        }
    }
}

/// The first line break of a text.
fn line_break(text: &str) -> Option<Bytes<usize>> {
    let start = text.bytes().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let length = if text[start..].starts_with("\r\n") { 2 } else { 1 };
    Some(start..start + length)
}

fn width(char: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => char.len_utf8(),
        Encoding::Utf16 => char.len_utf16(),
        Encoding::Utf32 => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::Lines;
    use super::*;

    /// Random changes have the effect that they have on a text in one piece.
    #[test]
    fn changes_are_those_of_a_text_in_one_piece() {
        const PARTS: [&str; 8] = ["a", "é", "😀", "\n", "\r\n", "\r", "", "long "];
        let mut seed = 7_u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let mut expected = "x = \"é😀\"\r\n".repeat(1500);
            expected.push_str(&"é".repeat(3 * PIECE));
            let mut text = Text::new(&expected, encoding);
            for _ in 0..400 {
                let mut position = || {
                    let most = if random(9) == 0 { 4 * PIECE } else { 12 };
                    Position { line: random(1600) as u32, character: random(most) as u32 }
                };
                let range = Range { start: position(), end: position() };
                // Mostly small ones, so that the text stays long.
                let end = Position { line: range.start.line + 1, ..range.end };
                let range = if random(50) == 0 { range } else { Range { end, ..range } };
                let count = if random(40) == 0 { 2 * PIECE } else { random(4) };
                let new: String = (0..count).map(|_| PARTS[random(PARTS.len())]).collect();
                let bytes = Lines::new(expected.as_bytes(), encoding).bytes(range);
                expected.replace_range(bytes, &new);
                text.replace(Some(range), &new);
                assert!(text.bytes() == expected.as_bytes(), "{encoding:?} {range:?} {new:?}");
                assert!(text.pieces.iter().all(|piece| piece.text.len() <= 2 * PIECE));
            }
            text.replace(None, "");
            assert_eq!(text.bytes(), b"");
        }
    }
}

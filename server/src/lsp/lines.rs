//! Positions of the protocol: lines, and columns in units of UTF-8, UTF-16 or UTF-32.
//!
//! Columns of ASCII text are bytes. Of other text, the units before every 512th byte are counted once,
//! so that a position in a line of any length costs at most 512 steps.

use super::protocol::{Encoding, Position, Range};

/// The bytes between two counts.
const STEP: usize = 512;

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t [u8],
    encoding: Encoding,
    /// Where each line starts.
    starts: Vec<usize>,
    /// The units before every 512th byte; empty if each byte is one.
    counts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Cost: linear in the text.
    pub(super) fn new(text: &'t [u8], encoding: Encoding) -> Self {
        let mut starts = vec![0];
        for (at, byte) in text.iter().enumerate() {
            let ends = *byte == b'\n' || *byte == b'\r' && text.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at + 1);
            }
        }
        let mut counts = Vec::new();
        if encoding != Encoding::Utf8 && !text.is_ascii() {
            let mut count = 0;
            for chunk in text.chunks(STEP) {
                counts.push(count);
                count += units(chunk, encoding);
            }
            counts.push(count);
        }
        Self { text, encoding, starts, counts }
    }

    /// The position of a byte. Past the end, it is the end.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let character = self.units_before(offset) - self.units_before(self.starts[line]);
        Position { line: line as u32, character: character as u32 }
    }

    /// The byte of a position. Past the end of a line, it is the end of that line; past the last
    /// line, the end of the text.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.line_end(line);
        let character = position.character as usize;
        if self.counts.is_empty() {
            let mut offset = start.saturating_add(character).min(end);
            // Not inside of a character.
            while offset > start && self.text.get(offset).is_some_and(|byte| is_inside(*byte)) {
                offset -= 1;
            }
            return offset;
        }
        let wanted = self.units_before(start) + character;
        let chunk = self.counts.partition_point(|count| *count <= wanted).saturating_sub(1);
        let mut offset = (chunk * STEP).clamp(start, end);
        let mut count = self.units_before(offset);
        while offset < end {
            let next = count + units(&self.text[offset..offset + 1], self.encoding);
            if next > wanted && !is_inside(self.text[offset]) {
                break;
            }
            count = next;
            offset += 1;
        }
        offset.min(end)
    }

    /// The range of some bytes.
    pub(super) fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }

    /// The bytes of a range; empty if its end is before its start.
    pub(super) fn bytes(&self, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Where the text of a line ends, before its line break.
    fn line_end(&self, line: usize) -> usize {
        let Some(&next) = self.starts.get(line + 1) else { return self.text.len() };
        let text = &self.text[..next];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text).len()
    }

    fn units_before(&self, offset: usize) -> usize {
        let chunk = offset / STEP;
        match self.counts.get(chunk) {
            Some(count) => count + units(&self.text[chunk * STEP..offset], self.encoding),
            None => offset,
        }
    }
}

/// Whether a byte is not the first one of a character.
fn is_inside(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The units of some bytes: each first byte counts the units of its character.
fn units(bytes: &[u8], encoding: Encoding) -> usize {
    let first = bytes.iter().filter(|byte| !is_inside(**byte)).count();
    match encoding {
        Encoding::Utf8 => bytes.len(),
        Encoding::Utf16 => first + bytes.iter().filter(|byte| **byte >= 0xF0).count(),
        Encoding::Utf32 => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn every_character_has_a_position() {
        let long = format!("{}x\n{}", "é😀".repeat(500), "a".repeat(2000));
        for text in ["", "a", "a\nb", "a\r\nb\r\n", "a\rb", "é\n😀x\n\u{301}", &long] {
            for encoding in ENCODINGS {
                let lines = Lines::new(text.as_bytes(), encoding);
                let (mut line, mut column) = (0, 0);
                let mut chars = text.char_indices().peekable();
                while let Some((at, char)) = chars.next() {
                    let position = Position { line, character: column };
                    assert_eq!(lines.position(at), position, "{encoding:?} {at}");
                    let is_second = char == '\n' && text[..at].ends_with('\r');
                    if !is_second {
                        assert_eq!(lines.offset(position), at, "{encoding:?} {position:?}");
                    }
                    column += match encoding {
                        Encoding::Utf8 => char.len_utf8(),
                        Encoding::Utf16 => char.len_utf16(),
                        Encoding::Utf32 => 1,
                    } as u32;
                    let ends = char == '\n'
                        || char == '\r' && chars.peek().is_none_or(|(_, next)| *next != '\n');
                    if ends {
                        (line, column) = (line + 1, 0);
                    }
                }
                let last = lines.position(text.len());
                assert_eq!(last, Position { line, character: column });
                assert_eq!(lines.offset(last), text.len());
            }
        }
    }

    #[test]
    fn positions_outside_are_at_the_end() {
        for encoding in ENCODINGS {
            let lines = Lines::new("é\r\nab\n".as_bytes(), encoding);
            assert_eq!(lines.offset(Position { line: 0, character: 99 }), 2);
            assert_eq!(lines.offset(Position { line: 1, character: u32::MAX }), 6);
            assert_eq!(lines.offset(Position { line: 9, character: 0 }), 7);
            assert_eq!(lines.position(99), Position { line: 2, character: 0 });
        }
        // In the middle of a character.
        let lines = Lines::new("😀".as_bytes(), Encoding::Utf16);
        assert_eq!(lines.offset(Position { line: 0, character: 1 }), 0);
        let lines = Lines::new("é".as_bytes(), Encoding::Utf8);
        assert_eq!(lines.offset(Position { line: 0, character: 1 }), 0);
    }
}

//! The lines of a text around an offset, and its line ends and indentation.

use std::cell::OnceCell;

use crate::format::{Token, TokenKind, tokens};
use crate::span::Span;

/// A text whose lines are asked for.
///
/// Cost: a question about an offset reads a few bytes around it, except for the first one about a
/// long line, which reads the text.
pub(super) struct Lines<'t> {
    text: &'t str,
    /// How its lines end.
    newline: &'t str,
    /// One level of indentation.
    unit: &'t str,
    /// The starts of the lines with more than [`NEAR`] bytes.
    long: OnceCell<Vec<usize>>,
}

const MARK: char = '\u{feff}';

/// The rest of an item's line that belongs to it.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    /// The end of the comma after the item, if there is one.
    pub(super) comma: Option<usize>,
    /// The end of the comma and of the comments on the line; without these, the end of the item.
    pub(super) end: usize,
    /// Whether only spaces follow on the line.
    pub(super) ends_line: bool,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let first = memchr::memchr(b'\n', text.as_bytes()).unwrap_or(0);
        let newline = if text[..first].ends_with('\r') { "\r\n" } else { "\n" };
        let indented = text.split('\n').skip(1).map(indentation);
        // The first indented line is one level deep.
        let unit = indented.take(UNIT_LINES).find(|indent| !indent.is_empty());
        let unit = unit.filter(|unit| unit.len() <= MOST_UNIT).unwrap_or("  ");
        Self { text, newline, unit, long: OnceCell::new() }
    }

    /// The same text, whose new lines are those of another one.
    pub(super) fn like(self, other: &Self) -> Self {
        Self { newline: other.newline, unit: other.unit, ..self }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn newline(&self) -> &'t str {
        self.newline
    }

    pub(super) fn unit(&self) -> &'t str {
        self.unit
    }

    pub(super) fn part(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The start of the text, behind a byte order mark.
    pub(super) fn first(&self) -> usize {
        if self.text.starts_with(MARK) { MARK.len_utf8() } else { 0 }
    }

    /// The start of the line of an offset.
    pub(super) fn start(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let near = at.saturating_sub(NEAR);
        if let Some(feed) = memchr::memrchr(b'\n', &self.text.as_bytes()[near..at]) {
            return near + feed + 1;
        }
        let long = match near {
            0 => &[][..],
            _ => self.long.get_or_init(|| self.long_lines()).as_slice(),
        };
        let after = long.partition_point(|start| *start <= at);
        let start = after.checked_sub(1).and_then(|place| long.get(place)).copied();
        start.filter(|start| *start > 0).unwrap_or_else(|| self.first().min(at))
    }

    fn long_lines(&self) -> Vec<usize> {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', self.text.as_bytes()).chain([self.text.len()]);
        let starts = ends.filter_map(|end| {
            let line = std::mem::replace(&mut start, end + 1);
            (end - line >= NEAR).then_some(line)
        });
        starts.collect()
    }

    /// The end of the line of an offset, without its line end.
    pub(super) fn end(&self, at: usize) -> usize {
        let rest = self.part(at, self.text.len());
        match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(feed) if rest[..feed].ends_with('\r') => at + feed - 1,
            Some(feed) => at + feed,
            None => self.text.len(),
        }
    }

    /// The start of the line after that of an offset; the end of the text if there is none.
    pub(super) fn next(&self, at: usize) -> usize {
        let rest = self.part(at, self.text.len()).as_bytes();
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |feed| at + feed + 1)
    }

    /// The spaces at the start of the line of an offset: at most [`MOST_INDENTATION`] of them.
    pub(super) fn indentation(&self, at: usize) -> &'t str {
        let start = self.start(at);
        let bytes = self.part(start, at.max(start)).as_bytes();
        let spaces =
            bytes.iter().take(MOST_INDENTATION).take_while(|it| matches!(it, b' ' | b'\t'));
        self.part(start, start + spaces.count())
    }

    /// Whether only spaces are before an offset on its line.
    pub(super) fn is_first(&self, at: usize) -> bool {
        let before = self.part(self.first(), at).as_bytes();
        let last = before.iter().rposition(|byte| !is_space(*byte));
        last.is_none_or(|last| before[last] == b'\n')
    }

    /// Returns the rest of an item's line that belongs to it. A comma counts if items of the
    /// container may have one.
    pub(super) fn tail(&self, item: usize, may_have_comma: bool) -> Tail {
        let mut tail = Tail { comma: None, end: item, ends_line: false };
        let mut at = item;
        loop {
            let rest = self.part(at, self.text.len());
            let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let rest = &rest[spaces..];
            at += spaces;
            if rest.starts_with(['#']) || rest.starts_with("//") {
                tail.end = self.end(at);
                tail.ends_line = true;
                return tail;
            }
            match rest.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
                Some((comment, _)) if !comment.contains('\n') => {
                    at += "/**/".len() + comment.len();
                }
                _ if may_have_comma && tail.comma.is_none() && rest.starts_with(',') => {
                    at += 1;
                    tail.comma = Some(at);
                }
                _ => {
                    tail.ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
                    return tail;
                }
            }
            tail.end = at;
        }
    }

    /// The start of the line of an item, or of the comment before the item on that line. `None` if something
    /// else is there. Comments start at `floor` or later.
    pub(super) fn head(&self, item: usize, floor: usize) -> Option<usize> {
        let start = self.start(item);
        match self.part(start.max(floor), item).trim() {
            "" => Some(start),
            before if has_only_comments(before) => Some(start),
            before => self.comment_start(start, before, floor),
        }
    }

    /// The start of the comments before an item that belong to it: those on its line, and on the lines
    /// before without a blank line between them. They start at `floor` or later. Without comments, the
    /// start of the item's line.
    pub(super) fn lead(&self, item: usize, floor: usize) -> usize {
        let Some(mut start) = self.head(item, floor) else { return self.start(item) };
        while start > floor.max(self.first()) {
            let before = self.start(start - 1);
            let line = self.part(before, start).trim();
            if before < floor {
                break;
            }
            if has_only_comments(line) {
                start = before;
                continue;
            }
            match self.comment_start(before, line, floor) {
                Some(comment) => start = comment,
                None => break,
            }
        }
        start
    }

    /// The start of a comment of several lines that alone is on them, whose last line starts at an offset
    /// and has this text.
    fn comment_start(&self, last: usize, text: &str, floor: usize) -> Option<usize> {
        if !text.ends_with("*/") || text.find("*/") != Some(text.len() - "*/".len()) {
            return None;
        }
        let mut start = last;
        while start > floor.max(self.first()) {
            let end = start;
            start = self.start(end - 1);
            let line = self.part(start, end).trim();
            if start < floor || line.contains("*/") {
                return None;
            }
            if line.contains("/*") {
                return line.starts_with("/*").then_some(start);
            }
        }
        None
    }

    /// Whether a blank line starts at an offset, which is the start of a line.
    pub(super) fn is_blank(&self, start: usize) -> bool {
        start < self.text.len() && self.part(start, self.end(start)).bytes().all(is_space)
    }
}

/// The comments that belong to an item of a native file: those on the lines before it, and those around it
/// on its line.
///
/// Cost: linear in the text, which is split into tokens.
pub(crate) fn comments_of_item(text: &str, item: Span) -> (&str, &str) {
    let lines = Lines::new(text);
    let (start, end) = (item.start as usize, item.end as usize);
    let tokens = tokens(text);
    let before = tokens.iter().take_while(|token| token.end() <= start);
    let is_item =
        |token: &&Token<'_>| !matches!(token.kind(), TokenKind::Comment | TokenKind::Newline);
    let floor = before.filter(is_item).last().map_or(lines.first(), |token| token.end());
    let tail = lines.tail(floor, false);
    let floor = match floor > lines.first() && tail.ends_line {
        true => tail.end,
        false => floor,
    };
    let before = match lines.head(start, floor) {
        // In a block on one line, the block starts the line.
        Some(_) => lines.part(lines.lead(start, floor).max(floor), start),
        None => "",
    };
    let tail = lines.tail(end, false);
    let ends_block = || lines.part(tail.end, text.len()).trim_start().starts_with('}');
    let behind = if tail.ends_line || ends_block() { lines.part(end, tail.end) } else { "" };
    (before, behind)
}

/// Whether a line has a comment and nothing else. In a comment of several lines, it has the whole of it.
fn has_only_comments(line: &str) -> bool {
    let mut rest = line;
    loop {
        if rest.starts_with('#') || rest.starts_with("//") {
            return true;
        }
        match rest.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
            Some((_, behind)) => rest = behind.trim_start(),
            None => return false,
        }
        if rest.is_empty() {
            return true;
        }
    }
}

/// The number of lines that are searched for indentation, and the most columns of one level.
const UNIT_LINES: usize = 1000;
const MOST_UNIT: usize = 8;

/// The most columns of indentation that lines get.
const MOST_INDENTATION: usize = 512;

/// The bytes before an offset that are searched for the start of its line.
const NEAR: usize = 4096;

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

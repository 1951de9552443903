//! Excerpts of source text around a position, cut to a window, since generated files are often one
//! long line.

use crate::diagnostic::Label;
use crate::position::Position;
use crate::source::Source;
use crate::span::Span;

/// The maximal length of a line in bytes that is shown whole.
const WHOLE_LINE: usize = 160;

/// The number of bytes before and after the place that are shown of a longer line.
const CONTEXT: usize = 60;

/// The maximal offset in a line, in bytes, up to which columns in code points are counted.
const LONGEST_PREFIX: usize = 16 * 1024;

/// A place in a file, with positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Range {
    /// The name of the source.
    pub filename: String,
    /// The start.
    pub start: Position,
    /// The end, exclusive.
    pub end: Position,
    /// The columns of start and end in code points, from 1, if they are known.
    pub code_points: Option<(u32, u32)>,
}

impl Range {
    /// The place `span` in `source`. Columns in code points are not counted.
    #[must_use]
    pub fn of(source: Source<'_>, span: Span) -> Self {
        let (start, end) = source.range(span);
        let filename = source.name().to_owned();
        Self { filename, start, end, code_points: None }
    }

    /// Adds columns in code points, unless the line before the place is long.
    #[must_use]
    pub fn with_code_points(source: Source<'_>, span: Span) -> Self {
        let code_points = column(source, span.start).zip(column(source, span.end));
        Self { code_points, ..Self::of(source, span) }
    }

    pub(super) fn of_label(label: Label<'_>) -> Self {
        Self::with_code_points(label.source, label.span)
    }
}

/// The column in code points, from 1, of an offset that is near the start of its line.
fn column(source: Source<'_>, offset: u32) -> Option<u32> {
    let line = source.line_span(offset);
    let before = source.bytes().get(line.start as usize..offset as usize)?;
    let is_start = |byte: &&u8| **byte & 0xC0 != 0x80;
    (before.len() <= LONGEST_PREFIX).then(|| before.iter().filter(is_start).count() as u32 + 1)
}

/// The text around a place: its first line, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text, with an ellipsis where the line continues.
    pub text: String,
    /// The start of the place in the text, in bytes.
    pub start: usize,
    /// The end of the place in the text, in bytes.
    pub end: usize,
}

impl Excerpt {
    /// The text around `span`. Cost: the size of the window, once the source's lines are indexed.
    #[must_use]
    pub fn of(source: Source<'_>, span: Span) -> Self {
        let bytes = source.bytes();
        let line = source.line_span(span.start);
        let (first, mut last) = (line.start as usize, line.end as usize);
        if last > span.start as usize && bytes[first..last].ends_with(b"\r") {
            last -= 1;
        }
        let start = (span.start as usize).clamp(first, last);
        let end = (span.end as usize).clamp(start, last);
        let (mut from, mut to) = (first, last);
        if last - first > WHOLE_LINE {
            from = border(bytes, start.saturating_sub(CONTEXT).max(first), first);
            to = border(bytes, (end.min(start + CONTEXT) + CONTEXT).min(last), first);
        }
        let end = end.min(to);
        let mut text = String::new();
        text.push_str(if from > first { "…" } else { "" });
        text.push_str(&String::from_utf8_lossy(&bytes[from..start]));
        let shown_start = text.len();
        text.push_str(&String::from_utf8_lossy(&bytes[start..end]));
        let shown_end = text.len();
        text.push_str(&String::from_utf8_lossy(&bytes[end..to]));
        text.push_str(if to < last { "…" } else { "" });
        Self { text, start: shown_start, end: shown_end }
    }
}

/// The start of the character at `at`, but not before `first`.
fn border(bytes: &[u8], at: usize, first: usize) -> usize {
    let mut border = at;
    while border > first && at - border < 4 && bytes.get(border).is_some_and(|b| b & 0xC0 == 0x80) {
        border -= 1;
    }
    border
}

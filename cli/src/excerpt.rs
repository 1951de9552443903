//! Places in files, as commands print them.

use serde::Serialize;
pub(crate) use simd_hcl::Position as Place;
use simd_hcl::diagnostic::Label;
pub(crate) use simd_hcl::report::{Excerpt, Range};
use simd_hcl::stream::Position;
use simd_hcl::{Source, Span};

/// A range in a file of any length.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LongRange<'a> {
    pub(crate) filename: &'a str,
    pub(crate) start: LongPlace,
    pub(crate) end: LongPlace,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LongPlace {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) byte: u64,
}

impl<'a> LongRange<'a> {
    pub(crate) fn of(Label { source, span }: Label<'a>) -> Self {
        let [start, end] = [span.start, span.end].map(|at| LongPlace::of(Position::of(source, at)));
        Self { filename: source.name(), start, end }
    }
}

impl LongPlace {
    pub(crate) fn of(Position { line, column, byte }: Position) -> Self {
        Self { line, column, byte }
    }
}

/// A range without its file name.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Places {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

impl Places {
    pub(crate) fn of(source: Source<'_>, span: Span) -> Self {
        let (start, end) = source.range(span);
        Self { start, end }
    }
}

//! Places in files, as commands print them.

use serde::Serialize;
pub(crate) use simd_hcl::Position as Place;
pub(crate) use simd_hcl::report::{Excerpt, Range};
use simd_hcl::{Source, Span};

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

/// A [`Range`] that lends the name of its file from its source.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LentRange<'a> {
    pub(crate) filename: &'a str,
    pub(crate) start: Place,
    pub(crate) end: Place,
}

impl<'a> LentRange<'a> {
    pub(crate) fn of(source: Source<'a>, span: Span) -> Self {
        let (start, end) = source.range(span);
        Self { filename: source.name(), start, end }
    }
}

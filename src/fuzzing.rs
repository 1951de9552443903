//! Direct access to the engines, for the tests, benches and fuzz targets of this repository
//! (feature `fuzzing`, which they enable).
//!
//! Each engine parses the range of a text that should contain one JSON value, and returns its
//! events, or nothing if it rejects the text. This is not part of the library's interface.

use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::diagnostic::Sink;
pub use crate::dialect::generate::every_construct;
pub use crate::engine::Phase;
pub use crate::event::options::Engine;
use crate::event::skeleton;
use crate::event::split::{self, Cut};
use crate::event::{self, Event, ParseOptions, Scratch, reader};
pub use crate::scan::flags::StringFlags;
pub use crate::scan::rejected::Rejected;
use crate::scan::{self, Kernel};
use crate::source::Source;
use crate::span::Span;
use crate::structure::File;

/// The number of steps of the calling thread: see `steps.rs`. `None` in builds that do not count
/// them.
#[must_use]
pub fn steps() -> Option<u64> {
    crate::steps::count()
}

/// The structure of a native file by a kernel; without one, by the careful reader alone.
pub fn structure_by<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    kernel: Option<Kernel>,
    sink: &mut dyn Sink<'a>,
) -> File<'a> {
    File::parse_by(arena, source, kernel, false, sink)
}

/// Parses without documents, sources and arenas, to compare and measure engines.
#[derive(Default)]
pub struct Bare {
    scratch: Scratch,
}

impl Bare {
    /// Returns empty buffers, which grow on use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the events of the one JSON value in `text[span]`, parsed by the engine that
    /// `options` select.
    ///
    /// # Errors
    /// [`Rejected`] if there is no such value, without a reason.
    pub fn parse(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
    ) -> Result<&[Event], Rejected> {
        event::parse(text, span, options, &mut self.scratch)?;
        Ok(self.scratch.build.events())
    }

    /// Like [`parse`](Self::parse), with the vectorised engine, which calls `finished` for every
    /// phase of every window.
    ///
    /// # Errors
    /// See [`parse`](Self::parse).
    pub fn parse_noting(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
        finished: impl FnMut(Phase),
    ) -> Result<&[Event], Rejected> {
        let part = crate::span::Part::whole(span);
        skeleton::parse_noting(text, part, options, &mut self.scratch, finished)?;
        Ok(self.scratch.build.events())
    }

    /// Like [`parse`](Self::parse), with the byte-by-byte reader, regardless of the engine and the
    /// kernel in `options`: the oracle.
    ///
    /// # Errors
    /// The code of the first error of the text.
    pub fn read(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
    ) -> Result<&[Event], Code> {
        let (max_depth, depth) = (options.max_depth, options.skeleton_depth);
        reader::read(text, span, max_depth, depth, &mut self.scratch.build)
            .map_err(|error| error.code())?;
        Ok(self.scratch.build.events())
    }
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 7] = [
        Self::Masks,
        Self::Compress,
        Self::Scalars,
        Self::Grammar,
        Self::Pick,
        Self::Brackets,
        Self::Sink,
    ];
}

/// Parses with the engine that `options` select.
#[must_use]
pub fn parse(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    event::parse(text, span, options, &mut scratch).ok()?;
    Some(scratch.build.events().to_vec())
}

/// Parses with the reader.
#[must_use]
pub fn read(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let ParseOptions { max_depth, skeleton_depth, .. } = *options;
    reader::read(text, span, max_depth, skeleton_depth, &mut scratch.build).ok()?;
    Some(scratch.build.events().to_vec())
}

/// Parses in parts, split at the offsets of commas, each with the containers that are assumed to be
/// open there. Also returns `None` if the text cannot be split at one of these.
#[must_use]
pub fn parse_parts(
    text: &[u8],
    span: Span,
    commas: &[(u32, Vec<bool>)],
    options: &ParseOptions,
) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let cuts: Vec<Cut> =
        commas.iter().map(|(comma, open)| Cut { comma: *comma, open: open.clone() }).collect();
    split::parse_parts(text, span, &cuts, options, &mut scratch)?;
    Some(scratch.build.events().to_vec())
}

/// Returns the offsets of all tokens of `text`, in bytes from its start.
///
/// # Errors
///
/// [`Rejected`] if the bytes cannot be JSON, see [`scan`], or if `text` is too long for 32-bit
/// offsets.
pub fn token_offsets(kernel: Kernel, text: &[u8]) -> Result<Vec<u32>, Rejected> {
    let mut offsets = Vec::new();
    scan::windows(kernel, text, |window| offsets.extend_from_slice(window))?;
    Ok(offsets)
}

/// Passes the offsets of all tokens of `text` window by window to `read`, which may have been
/// called before an error is returned.
///
/// # Errors
///
/// See [`token_offsets`].
pub fn token_windows(
    kernel: Kernel,
    text: &[u8],
    read: impl FnMut(&[u32]),
) -> Result<(), Rejected> {
    scan::windows(kernel, text, read)
}

/// Returns the flags of a string from its raw bytes between the quotes.
#[must_use]
pub fn string_flags(kernel: Kernel, string: &[u8]) -> StringFlags {
    scan::string_flags(kernel, string)
}

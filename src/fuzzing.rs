//! The engines side by side, for the tests, benches and fuzz targets of this repository (feature
//! `fuzzing`, which they turn on).
//!
//! Each engine parses the range of a text that should hold one JSON value, and returns its events,
//! or nothing if it rejects the text. This is not part of the library's interface.

#[cfg(target_arch = "x86_64")]
pub use crate::engine::Phase;
use crate::error::OpenError;
pub use crate::event::options::Engine;
#[cfg(target_arch = "x86_64")]
use crate::event::skeleton;
use crate::event::split::{self, Cut};
use crate::event::{self, Event, ParseOptions, Scratch, reader};
pub use crate::scan::flags::StringFlags;
pub use crate::scan::rejected::Rejected;
use crate::scan::{self, Kernel};
use crate::span::Span;

/// The steps that the calling thread has made so far: see `steps.rs`. None in builds that do not
/// count them.
#[must_use]
pub fn steps() -> Option<u64> {
    crate::steps::count()
}

/// Parses without documents, sources and arenas: what tests, fuzzing and measurements compare
/// engines by.
#[derive(Default)]
pub struct Bare {
    scratch: Scratch,
}

impl Bare {
    /// With buffers that grow when they are used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The events of the one JSON value in `text[span]`, by the engine that `options` choose.
    ///
    /// # Errors
    /// [`Rejected`] when there is no such value. It has no reason.
    pub fn parse(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
    ) -> Result<&[Event], Rejected> {
        event::parse(text, span, options, &mut self.scratch)?;
        Ok(self.scratch.build.events())
    }

    /// As [`parse`](Self::parse) by the vectorised engine, which calls `finished` for every phase of
    /// every window; none where `options.kernel` lacks that engine.
    ///
    /// # Errors
    /// As there.
    #[cfg(target_arch = "x86_64")]
    pub fn parse_noting(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
        finished: impl FnMut(Phase),
    ) -> Option<Result<&[Event], Rejected>> {
        let isa = options.kernel.avx512()?;
        let parsed = skeleton::parse_noting(
            isa,
            text,
            crate::span::Part::whole(span),
            options,
            &mut self.scratch,
            finished,
        );
        Some(parsed.map(|_| self.scratch.build.events()))
    }

    /// The same by the reader, byte after byte, whatever engine and kernel `options` choose: the
    /// oracle.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn read(
        &mut self,
        text: &[u8],
        span: Span,
        options: &ParseOptions,
    ) -> Result<&[Event], Box<OpenError>> {
        let (max_depth, depth) = (options.max_depth, options.skeleton_depth);
        reader::read(text, span, max_depth, depth, &mut self.scratch.build)?;
        Ok(self.scratch.build.events())
    }
}

#[cfg(target_arch = "x86_64")]
impl Phase {
    /// All of them.
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

/// By the engine that decides.
#[must_use]
pub fn parse(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    event::parse(text, span, options, &mut scratch).ok()?;
    Some(scratch.build.events().to_vec())
}

/// By the engine that explains.
#[must_use]
pub fn read(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let ParseOptions { max_depth, skeleton_depth, .. } = *options;
    reader::read(text, span, max_depth, skeleton_depth, &mut scratch.build).ok()?;
    Some(scratch.build.events().to_vec())
}

/// By the engine that decides, in parts: at the offsets of commas, each with the containers that
/// are thought to be open there. None also when that is no place to split a text.
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

/// The offsets of all tokens of `text`, in bytes from its start.
///
/// # Errors
///
/// [`Rejected`] when the bytes cannot be JSON, see [`scan`], or when `text` is longer than offsets
/// of 32 bits reach.
pub fn token_offsets(kernel: Kernel, text: &[u8]) -> Result<Vec<u32>, Rejected> {
    let mut offsets = Vec::new();
    scan::windows(kernel, text, |window| offsets.extend_from_slice(window))?;
    Ok(offsets)
}

/// Gives the offsets of all tokens of `text` window by window to `read`, which may have seen some
/// when there is an error.
///
/// # Errors
///
/// As [`token_offsets`].
pub fn token_windows(
    kernel: Kernel,
    text: &[u8],
    read: impl FnMut(&[u32]),
) -> Result<(), Rejected> {
    scan::windows(kernel, text, read)
}

/// The flags of a string, given its raw bytes between the quotes.
#[must_use]
pub fn string_flags(kernel: Kernel, string: &[u8]) -> StringFlags {
    scan::string_flags(kernel, string)
}

//! The event stream: the content of a validated file, at eight bytes per event.
//!
//! ```text
//!  bytes ──scan──► token offsets ──automaton──► events          accepted: the stream
//!                                      └──no──► reader          refused: the exact byte, and why
//! ```
//!
//! * [`build`]: the output of both engines: events, nesting, the skeleton depth.
//! * [`room`]: memory for events.
//! * [`options`]: parse options; [`scratch`]: reused buffers; [`part`]: selects the engine for a
//!   text.
//! * [`automaton`]: the grammar over token offsets; fast, but reports no error.
//! * [`scalar`]: numbers and literals of the automaton.
//! * [`skeleton`]: events from the [vectorised engine](crate::engine), if the CPU can run it.
//! * [`reader`]: the grammar over bytes; slow, but finds the exact error. The oracle of every test.
//! * [`split`]: several threads on one large text.
//! * [`stream`]: events in the arena, and sealed containers that are opened on demand.
//! * [`chain`]: append-only lists of opened containers and parsed templates.
//!
//! The whole file is validated at once: RFC 8259 grammar, escapes, numbers, UTF-8, depth. Events
//! are only written down to the skeleton depth. A deeper container is *sealed*: its members get
//! events when it is opened. The format is specified in `docs/events.md`.
//!
//! ```
//! use simd_hcl::event::Kind;
//! use simd_hcl::{Arena, Document, ParseOptions, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "a.json", b"[1, [2]]").unwrap();
//! let options = ParseOptions::default().with_skeleton_depth(1);
//! let document = Document::parse_with(&arena, source, &options)?;
//! let kinds: Vec<_> = document.words().iter().map(|event| event.kind()).collect();
//! assert_eq!(kinds[..2], [Kind::StartArray, Kind::Number]);
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

pub(crate) mod automaton;
pub(crate) mod build;
mod chain;
#[allow(unreachable_pub, reason = "`Engine` is public with the feature `fuzzing`")]
pub(crate) mod options;
pub(crate) mod part;
pub(crate) mod reader;
pub(crate) mod room;
mod scalar;
mod scratch;
pub(crate) mod skeleton;
#[cfg(feature = "parallel")]
pub(crate) mod split;
pub(crate) mod stream;
#[cfg(test)]
mod tests;

pub use self::options::ParseOptions;
pub(crate) use self::scratch::Scratch;
pub use crate::word::{Event, Flags, Kind};

use self::part::parse_part;
use crate::scan::Rejected;
use crate::span::{Part, Span};

/// Parses `text[span]`, which contains one JSON value, and leaves the events in `scratch.build`.
///
/// Returns whether the text has escaped surrogates, which must then be checked for unpaired ones.
pub(crate) fn parse(
    text: &[u8],
    span: Span,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    #[cfg(feature = "parallel")]
    if let Some(surrogates) = split::parse(text, span, options, scratch) {
        return Ok(surrogates);
    }
    parse_part(text, Part::whole(span), options, scratch)
}

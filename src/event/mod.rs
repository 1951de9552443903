//! The event stream: what a validated file consists of, in eight bytes an event.
//!
//! ```text
//!  bytes ──scan──► token offsets ──automaton──► events          accepted: the stream
//!                                      └──no──► reader          refused: the exact byte, and why
//! ```
//!
//! * [`word`]: one event, and its layout.
//! * [`build`]: what both engines write into: events, nesting, the skeleton depth.
//! * [`room`]: memory for events.
//! * [`automaton`]: the grammar over token offsets; fast, and says only yes or no.
//! * [`skeleton`]: the same from the [vectorised engine](crate::engine), where the CPU can run it.
//! * [`reader`]: the grammar over bytes; slow, and finds the exact error. The oracle of every test.
//! * [`split`]: several threads on one large text.
//! * [`stream`]: events in the arena, and sealed containers that are opened when asked.
//!
//! The whole file is validated at once: RFC 8259 grammar, escapes, numbers, UTF-8, depth. Events are
//! written down to the skeleton depth only; a container below is *sealed*: its members get events when
//! somebody opens it. The format is specified in `docs/events.md`.

pub(crate) mod automaton;
pub(crate) mod build;
pub(crate) mod reader;
mod room;
#[cfg(target_arch = "x86_64")]
pub(crate) mod skeleton;
pub(crate) mod split;
pub(crate) mod stream;
#[cfg(test)]
mod tests;
pub(crate) mod word;

pub use self::word::{Event, Flags, Kind};

use crate::scan::{Kernel, Rejected, Tokens};
use crate::span::{Part, Span};

/// How a file is parsed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// How many levels of objects and arrays are accepted. More is an error (`nesting-too-deep`).
    pub max_depth: u32,
    /// Containers inside of this many others are sealed: validated, but without events for their
    /// members until they are opened. `u32::MAX` writes all events at once.
    ///
    /// The default, 3, reaches the bodies of blocks with two labels: `resource` → type → name → body. With
    /// 4 the members of most bodies have events: faster for whoever will ask for most of them, and twice
    /// the time for whoever asks for none.
    pub skeleton_depth: u32,
    /// The instructions to use.
    pub kernel: Kernel,
    /// Who reads the tokens.
    pub engine: Engine,
    /// On how many threads of the current rayon pool a large text may be parsed; 0 for all of them.
    /// Smaller texts are parsed on the calling thread whatever this says, and so are those that give no
    /// hint where to split them. Containers that are opened later are parsed on the thread that asks. The
    /// default is 1.
    pub threads: u32,
}

/// Who reads the tokens of a text. All accept the same texts and give the same events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The one that is faster for the text's size and the skeleton depth.
    #[default]
    Fastest,
    /// The automaton: one token after the other. Every kernel has it.
    Automaton,
    /// The vectorised engine: all tokens of a window together. Kernels that lack it use the automaton.
    Vectorised,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            max_depth: 10_000,
            skeleton_depth: 3,
            kernel: Kernel::detect(),
            engine: Engine::Fastest,
            threads: 1,
        }
    }
}

impl ParseOptions {
    /// With another limit on nesting.
    #[must_use]
    pub fn with_max_depth(mut self, levels: u32) -> Self {
        self.max_depth = levels;
        self
    }

    /// With another skeleton depth.
    #[must_use]
    pub fn with_skeleton_depth(mut self, levels: u32) -> Self {
        self.skeleton_depth = levels;
        self
    }

    /// With another kernel.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// With another engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// With another number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }
}

/// Buffers that one thread's parses reuse. They grow to the largest event stream and nesting seen, and
/// no parse touches more of them than it needs.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) tokens: Tokens,
    pub(crate) build: build::Buffers,
    /// The containers that are open where a part ends, outermost first: whether each is an object.
    open: Vec<bool>,
    /// Of the other threads that parse parts of a text.
    parts: Vec<Scratch>,
    #[cfg(target_arch = "x86_64")]
    engine: Option<Box<crate::engine::Buffers>>,
}

/// Parses `text[span]`, which holds one JSON value, and leaves the events in `scratch.build`.
///
/// Gives whether the text holds an escaped surrogate, so that lone ones are to be looked for.
pub(crate) fn parse(
    text: &[u8],
    span: Span,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    if let Some(surrogates) = split::parse(text, span, options, scratch) {
        return Ok(surrogates);
    }
    parse_part(text, Part::whole(span), options, scratch)
}

/// Parses one part of a text and leaves its events in `scratch.build`, and the containers that are open
/// at its end in `scratch.open` if it is not the last.
fn parse_part(
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    scratch.build.expect(part.span.len() as usize);
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = skeleton::chosen(part.span, options) {
        return skeleton::parse(isa, text, part, options, scratch);
    }
    options.kernel.run(automaton::Parse {
        text,
        part,
        max_depth: options.max_depth,
        skeleton_depth: options.skeleton_depth,
        scratch,
    })
}

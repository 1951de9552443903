//! The vectorised engine: validates a text and finds the tokens of its skeleton, with no branch
//! that depends on a single token.
//!
//! It accepts what RFC 8259 allows in UTF-8, up to a limit of nesting, and passes to a [`Sink`]
//! every token down to the skeleton depth, except colons and commas. A rejection has no position
//! and no reason: the explaining reader finds both in a second pass, byte by byte.
//!
//! A processor that executes four to six instructions at once loses 15 to 20 cycles, and so up to a
//! hundred instructions, whenever it mispredicts a branch, and a parser that reads token by token
//! must predict at each what comes next. This engine avoids the question: it computes, for all
//! tokens at once, every error that any kind of token could have, and then tests whether there is
//! one:
//!
//! ```text
//!            classify, masks              compress
//!  text ───► which bytes are tokens ──┬─► token bytes ──grammar──► is the order of tokens valid?
//!   8 KiB    and which are scalars    │       │                    └─► masks of the class of each token
//!                                     │       └─────────events───► depths, what is picked ──► sink
//!                                     │                    └─────► brackets: do the pairs match?
//!                                     └─► scalar bytes ──scalars─► are numbers and literals valid?
//! ```
//!
//! Each phase is one simple loop over one window of [`WINDOW`](crate::scan::WINDOW) bytes, whose
//! results stay in the first-level cache; no phase allocates for the whole text. The first two
//! phases are those of the [scan](crate::scan::avx512). The others have a file each:
//!
//! - [`compress`]: from masks to dense streams: of token bytes, their positions, and scalar bytes;
//! - [`scalars`]: numbers and literals, 512 bytes at once, in bit planes;
//! - [`grammar`]: the order of tokens, 512 tokens at once, in bit planes;
//! - [`depths`]: how deep 64 tokens are nested;
//! - [`events`]: the limit of nesting, and which tokens are picked, 64 tokens at once;
//! - [`brackets`]: whether brackets pair, on the few symbols for which that is not obvious;
//! - [`driver`]: windows, what they carry, and the end of the text.
//!
//! `docs/engine.md` follows 64 bytes through all of it.

mod brackets;
mod compress;
mod depths;
mod driver;
mod events;
mod grammar;
mod masks;
mod scalars;
mod streams;
mod utf8;

pub(crate) use self::driver::{Buffers, Limits, parse};
pub(crate) use self::streams::{Picked, Token};

use crate::scan::Isa;

/// What an engine gives the tokens of the skeleton to, a window of them at a time.
///
/// The tokens keep the order of the text, and their brackets pair, unless the engine refuses the
/// text later: then nothing that a sink has seen means anything.
pub(crate) trait Sink {
    /// Takes the next tokens. Implementations are `#[inline(always)]`, as for
    /// [`Task::run`](crate::scan::Task::run).
    fn take<I: Isa>(&mut self, isa: I, picked: Picked<'_>);

    /// Hears that a phase has done its part of a window; for measurements.
    #[inline(always)]
    fn finished(&mut self, phase: Phase) {
        let _ = phase;
    }
}

/// What is done to each window, in this order.
#[allow(unreachable_pub, reason = "public with the feature `fuzzing`")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bytes are classified and become masks, and UTF-8 is validated.
    Masks,
    /// Masks become dense streams.
    Compress,
    /// Numbers and literals are validated.
    Scalars,
    /// The order of tokens is validated.
    Grammar,
    /// Depths are summed up, and tokens picked.
    Pick,
    /// Brackets are paired.
    Brackets,
    /// The sink takes the tokens: events are written.
    Sink,
}

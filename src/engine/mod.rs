//! The vectorised engine: validity and the tokens of the skeleton, with no branch that depends on a
//! single token.
//!
//! In goes a text; out come a verdict, and for a [`Sink`] every token but colons and commas that at most
//! so many containers enclose. A refusal has no position and no reason: whoever wants them reads the text
//! again, byte by byte. Accepted is what RFC 8259 allows in UTF-8, down to a limit of nesting.
//!
//! A processor that takes four to six instructions at once loses fifteen to twenty cycles, and so up to
//! a hundred instructions, whenever it guesses a branch wrong, and a parser that looks at tokens one by
//! one must guess at each what comes next. So this engine never asks. It computes for all tokens at once
//! all that could be wrong with any kind of token, and then looks whether anything was:
//!
//! ```text
//!            classify, masks              compress
//!  text ───► which bytes are tokens ──┬─► token bytes ──grammar──► is the order of tokens right?
//!   8 KiB    and which are scalars    │       │                    └─► masks of what each token is
//!                                     │       └─────────events───► depths, what is picked ──► sink
//!                                     │                    └─────► brackets: do the pairs match?
//!                                     └─► scalar bytes ──scalars─► numbers and literals right?
//! ```
//!
//! Each phase is one simple loop over one window of [`WINDOW`](crate::scan::WINDOW) bytes, whose results
//! stay in the first-level cache; nothing is made for the whole text. The first two phases are those of
//! the [scan](crate::scan::avx512). The others have a file each:
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
/// The tokens keep the order of the text, and their brackets pair, unless the engine refuses the text
/// later: then nothing that a sink has seen means anything.
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

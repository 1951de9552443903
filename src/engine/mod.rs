//! The vectorised engine: validates a text and finds the tokens of its skeleton, with no branch
//! that depends on a single token.
//!
//! It accepts UTF-8 text that RFC 8259 allows, up to a limit of nesting, and passes to a [`Sink`]
//! every token down to the skeleton depth, except colons and commas. A rejection has no position
//! and no reason: the explaining reader finds both in a second pass, byte by byte.
//!
//! A processor that executes four to six instructions at once loses 15 to 20 cycles, and so up to a
//! hundred instructions, whenever it mispredicts a branch, and a parser that reads token by token
//! must predict the next token each time. This engine avoids the prediction: it computes, for all
//! tokens at once, every error that any kind of token could have, and then tests whether there is
//! an error:
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
//! - [`compress`]: turns masks into dense streams of token bytes, their positions, and scalar
//!   bytes;
//! - [`scalars`]: numbers and literals, 512 bytes at once, in bit planes;
//! - [`grammar`]: the order of tokens, 512 tokens at once, in bit planes;
//! - [`depths`]: the nesting depths of 64 tokens;
//! - [`events`]: the nesting limit, and the selection of tokens, 64 tokens at once;
//! - [`brackets`]: whether brackets pair, for the few symbols whose neighbours do not decide it;
//! - [`driver`]: windows, the state between them, and the end of the text.
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

/// Receives the tokens of the skeleton, one window at a time.
///
/// The tokens are in source order, and their brackets pair, unless the engine rejects the text
/// later: then the tokens passed so far are meaningless.
pub(crate) trait Sink {
    /// Takes the next tokens. Implementations are `#[inline(always)]`, as for
    /// [`Task::run`](crate::scan::Task::run).
    fn take<I: Isa>(&mut self, isa: I, picked: Picked<'_>);

    /// Called after a phase has processed a window; for measurements.
    #[inline(always)]
    fn finished(&mut self, phase: Phase) {
        let _ = phase;
    }
}

/// The phases of a window, in this order.
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
    /// Depths are summed up, and tokens are selected.
    Pick,
    /// Brackets are paired.
    Brackets,
    /// The sink takes the tokens: events are written.
    Sink,
}

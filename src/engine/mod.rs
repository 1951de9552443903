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
//!  text ───► which bytes are tokens ──┬─► tokens ──────grammar──► is the order of tokens valid?
//!   8 KiB    and which are scalars    │       │                    └─► masks of the class of each token
//!                                     │       └─────────events───► depths, what is picked ──► sink
//!                                     │                    └─────► brackets: do the pairs match?
//!                                     └─► scalar bytes ──scalars─► are numbers and literals valid?
//! ```
//!
//! Each phase is one simple loop over one window of [`WINDOW`](crate::scan::WINDOW) bytes, whose
//! results stay in the first-level cache; no phase allocates for the whole text.
//!
//! There are two forms, which differ in how they compress and so in what a stream is:
//!
//! - [`avx512`]: bytes of tokens in vectors, compressed by an instruction;
//! - [`words`]: bit planes of tokens in words, compressed by PEXT or, with NEON, by shifts.
//!
//! `docs/engine.md` follows 64 bytes through all of it.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions")]
pub(crate) mod avx512;
mod sink;
mod token;
pub(crate) mod words;

#[allow(unreachable_pub, reason = "public with the feature `fuzzing`")]
pub use self::sink::Phase;
pub(crate) use self::sink::{Limits, Sink};
pub(crate) use self::token::{Token, end_before};

//! The engine with AVX-512: dense streams of bytes, in vectors.
//!
//! The first two phases are those of the [scan](crate::scan::avx512). The others have a file each:
//!
//! - [`compress`]: turns masks into dense streams of token bytes, their positions, and scalar
//!   bytes;
//! - [`scalars`]: numbers and literals, 512 bytes at once, in bit planes;
//! - [`grammar`]: the order of tokens, 512 tokens at once, in bit planes;
//! - [`depths`]: the nesting depths of 64 tokens;
//! - [`events`]: the nesting limit, and the selection of tokens, 64 tokens at once;
//! - [`picks`]: the selected tokens as events, sixteen at once;
//! - [`brackets`]: whether brackets pair, for the few symbols whose neighbours do not decide it;
//! - [`driver`]: windows, the state between them, and the end of the text.

mod brackets;
mod compress;
mod depths;
mod driver;
mod events;
mod grammar;
mod masks;
mod picks;
mod scalars;
mod streams;
mod utf8;

pub(crate) use self::driver::{Buffers, parse};
pub(crate) use self::picks::{BATCH, Picked};

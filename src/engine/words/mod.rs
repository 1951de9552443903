//! The engine in words of 64 bits, for processors without byte compression.
//!
//! It has the phases and rules of the [engine with AVX-512](super), but a stream has bits instead
//! of bytes: three *planes* with one bit per token. Compression of a word by a mask of tokens
//! (PEXT) and a shift append those of a block. A rule is arithmetic on words, 64 tokens at a time,
//! which the compiler turns into vectors of the size that the processor has. The parts that depend
//! on the processor are in [`Words`](crate::scan::words::Words): the masks of 64 bytes, and
//! compression.
//!
//! The position of a token is not in the stream. It is found for the few tokens that are picked,
//! from the masks of the blocks and the number of tokens before each block.
//!
//! - [`streams`]: planes of tokens, and their positions;
//! - [`marked`]: the blocks that have scalars or escapes;
//! - [`scalars`]: numbers and literals, 512 bytes at a time;
//! - [`grammar`]: the order of tokens;
//! - [`pick`]: the nesting limit, and the selection of tokens;
//! - [`brackets`]: whether brackets pair, for the few symbols whose neighbours do not decide it;
//! - [`driver`]: windows, the state between them, and the end of the text.

mod brackets;
mod driver;
mod grammar;
mod marked;
mod pick;
mod scalars;
mod streams;

pub(crate) use self::driver::{Buffers, parse};

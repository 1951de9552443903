//! Buffers that parses reuse.

use super::build::Buffers;
use crate::scan::Tokens;

/// Buffers that one thread's parses reuse. They grow to the largest event stream and nesting depth
/// so far, and no parse touches more of them than it needs.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) tokens: Tokens,
    pub(crate) build: Buffers,
    /// The containers that are open at the end of a part, outermost first: true for each object.
    pub(crate) open: Vec<bool>,
    /// Buffers of the other threads that parse parts of a text.
    #[cfg(feature = "parallel")]
    pub(super) parts: Vec<Scratch>,
    #[cfg(target_arch = "x86_64")]
    pub(super) avx512: Option<Box<crate::engine::avx512::Buffers>>,
    pub(super) words: Option<Box<crate::engine::words::Buffers>>,
}

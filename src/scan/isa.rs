//! The operations of a kernel, and work that is compiled once per kernel.

use super::flags::StringFlags;
use super::marks::Marks;
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens};

/// Work that is generic over the instruction set and gets compiled once per kernel.
pub(crate) trait Task {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so are the functions that they
    /// call in hot loops; otherwise they are compiled without the instructions of the kernel.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// The operations of a scan. Holding an implementor proves that this CPU can run it.
pub(crate) trait Isa: Copy {
    /// Scans the next window of the range of `state` and appends the offsets of its tokens, in
    /// bytes from the start of `text`, to `tokens`, which holds at most `CARRY` offsets.
    ///
    /// Bytes outside of the range do not matter. An empty range is one empty window.
    ///
    /// # Errors
    ///
    /// [`Rejected`] if the bytes cannot be JSON, or if the range is not inside `text` or ends after
    /// `u32::MAX`. Neither `state` nor `tokens` can then be used for this text again.
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected>;

    /// Returns the flags of a string from its raw bytes between the quotes.
    fn string_flags(self, string: &[u8]) -> StringFlags;

    /// The marks of native syntax of a block.
    fn marks(self, block: &[u8; BLOCK]) -> Marks;
}

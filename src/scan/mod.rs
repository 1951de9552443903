//! Structural scanning: finds the offsets of tokens, one window at a time.
//!
//! A *token* is one of `{ } [ ] : ,`, the opening quote of a string, or the first byte of a scalar
//! (a maximal run of bytes outside of strings that are neither whitespace, nor operators, nor
//! quotes). A scan also validates the rules that depend on bytes alone:
//!
//! - every string is closed, and contains no byte below 0x20 (RFC 8259, section 7);
//! - every escape is one of `\" \\ \/ \b \f \n \r \t` or `\u` with four hexadecimal digits;
//! - backslashes occur only inside strings;
//! - the text is UTF-8.
//!
//! It leaves the grammar, numbers and literals to the reader of the tokens.
//!
//! # Kernels
//!
//! There is one implementation of the scan per instruction set. A [`Kernel`] names one that this
//! CPU can run; all of them accept the same texts and return the same offsets. Code that reads
//! tokens is written once, as a `Task` over an `Isa`, and `Kernel::run` compiles it once per
//! kernel, so that the calls into the scanner are inlined.
//!
//! ```
//! use simd_hcl::{Kernel, ParseOptions};
//!
//! let portable = Kernel::by_name("portable")?;
//! assert!(Kernel::available().any(|kernel| kernel.name() == portable.name()));
//! let options = ParseOptions::default().with_kernel(portable);
//! # assert_eq!(options.kernel.name(), "portable");
//! # Ok::<(), simd_hcl::scan::KernelError>(())
//! ```
//!
//! # Windows
//!
//! `Isa::scan_window` scans up to 8 KiB and appends their tokens to `Tokens`, which stays in the
//! first-level cache. `State` carries the constructs that continue across windows: an open string,
//! an escape, a scalar, a character. A reader of tokens looks like this:
//!
//! ```text
//! let mut state = State::new(span);
//! loop {
//!     isa.scan_window(text, &mut state, &mut tokens)?;
//!     let used = read(tokens.as_slice(), state.is_done());
//!     if state.is_done() { break }
//!     tokens.carry(used); // the unread tail, at most CARRY offsets
//! }
//! ```

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions")]
pub(crate) mod avx512;
mod block;
mod escape;
#[allow(unreachable_pub, reason = "public with the feature `fuzzing`")]
pub(crate) mod flags;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod halves;
mod isa;
mod kernel;
mod marks;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
#[allow(unsafe_code, reason = "vector instructions")]
mod neon;
mod portable;
#[allow(unreachable_pub, reason = "public with the feature `fuzzing`")]
pub(crate) mod rejected;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod utf8;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code, reason = "vector instructions")]
mod wasm;
pub(crate) mod words;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use flags::StringFlags;
pub(crate) use isa::{Isa, Task};
pub(crate) use kernel::FastEngine;
pub use kernel::{Kernel, KernelError, KernelInfo};
pub(crate) use marks::Marks;
pub(crate) use rejected::Rejected;
pub(crate) use state::{PIECE, State};
#[cfg(feature = "serde")]
pub(crate) use text::prefetch;
pub(crate) use text::str_of;
pub(crate) use tokens::{BLOCK, Tokens, WINDOW};

use crate::span::Span;

/// Passes the offsets of all tokens of `text`, in bytes from its start, window by window to `read`.
///
/// # Errors
///
/// [`Rejected`] if the bytes cannot be JSON, see [the module](self), or if `text` is too long for
/// 32-bit offsets. `read` may have been called for earlier windows.
pub(crate) fn windows(
    kernel: Kernel,
    text: &[u8],
    read: impl FnMut(&[u32]),
) -> Result<(), Rejected> {
    struct Windows<'t, R>(&'t [u8], R);

    impl<R: FnMut(&[u32])> Task for Windows<'_, R> {
        type Output = Result<(), Rejected>;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let Self(text, mut read) = self;
            let end = u32::try_from(text.len()).map_err(|_| Rejected)?;
            let mut state = State::new(Span::new(0, end));
            let mut tokens = Tokens::new();
            loop {
                isa.scan_window(text, &mut state, &mut tokens)?;
                read(tokens.as_slice());
                if state.is_done() {
                    return Ok(());
                }
                tokens.clear();
            }
        }
    }

    kernel.run(Windows(text, read))
}

/// Returns the flags of a string from its raw bytes between the quotes.
#[cfg(any(test, feature = "fuzzing"))]
#[must_use]
pub(crate) fn string_flags(kernel: Kernel, string: &[u8]) -> StringFlags {
    struct Flags<'t>(&'t [u8]);

    impl Task for Flags<'_> {
        type Output = StringFlags;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> StringFlags {
            isa.string_flags(self.0)
        }
    }

    kernel.run(Flags(string))
}

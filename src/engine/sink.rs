//! The parts that both forms of the engine share: limits, phases, and the receiver of tokens.

#[cfg(target_arch = "x86_64")]
use super::avx512::Picked;
use super::token::Token;
use crate::scan::Isa;
#[cfg(target_arch = "x86_64")]
use crate::scan::avx512::Avx512;

/// The limits of nesting, and of the depth of selected tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum number of open containers.
    pub(crate) max_depth: u32,
    /// The maximum number of containers around a selected token.
    pub(crate) skeleton_depth: u32,
}

/// Receives the tokens of the skeleton, one window at a time.
///
/// The tokens are in source order, and their brackets pair, unless the engine rejects the text
/// later: then the tokens passed so far are meaningless.
pub(crate) trait Sink {
    /// Takes the next tokens, at most `count`. Implementations are `#[inline(always)]`, as for
    /// [`Task::run`](crate::scan::Task::run).
    fn take<I: Isa>(&mut self, isa: I, count: usize, tokens: impl Iterator<Item = Token>);

    /// Like [`take`](Self::take), from the engine with AVX-512.
    #[cfg(target_arch = "x86_64")]
    fn take_picked(&mut self, isa: Avx512, picked: Picked<'_>);

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

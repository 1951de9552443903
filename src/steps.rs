//! Counts steps, for tests that compare the cost of an input with that of an input twice as long.
//!
//! A step is an event that is read, a hash, a link of a chain, a line lookup, a token of an
//! expression, a node that is evaluated, a name that may have been meant, or a body that is read by a
//! schema. Loops over bytes are not counted: they are vector code, and bounded by the input or the
//! allocated memory.
//!
//! Steps are only counted with the feature `fuzzing` and debug assertions: in tests and fuzz
//! targets, not in benches.

#[cfg(all(feature = "fuzzing", debug_assertions))]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts one step of the calling thread.
#[inline(always)]
pub(crate) fn step() {
    #[cfg(all(feature = "fuzzing", debug_assertions))]
    STEPS.set(STEPS.get() + 1);
}

/// Returns the number of steps of the calling thread; `None` if they are not counted.
#[cfg(feature = "fuzzing")]
pub(crate) fn count() -> Option<u64> {
    #[cfg(debug_assertions)]
    return Some(STEPS.get());
    #[cfg(not(debug_assertions))]
    return None;
}

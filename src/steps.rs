//! A count of steps, for tests that compare the cost of an input with that of one twice as long.
//!
//! A step is an event read, a hash computed, a link of a chain followed, a line looked up, a
//! token of an expression or a node evaluated. Loops over bytes are not counted: vector code makes
//! them, and they are over the input or over what is allocated.
//!
//! Counted with the feature `fuzzing` and debug assertions only: in tests and fuzz targets, not in
//! benches.

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

/// The steps of the calling thread so far; none where they are not counted.
#[cfg(feature = "fuzzing")]
pub(crate) fn count() -> Option<u64> {
    #[cfg(debug_assertions)]
    return Some(STEPS.get());
    #[cfg(not(debug_assertions))]
    return None;
}

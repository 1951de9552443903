//! A global allocator for the tests that counts the allocations of each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocations of some work on its thread, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allocated {
    /// All allocated bytes, freed or not.
    pub(crate) total: usize,
    /// The maximum number of bytes in use at a time.
    pub(crate) peak: usize,
}

/// Runs `work` on this thread, and returns its allocations.
pub(crate) fn count<R>(work: impl FnOnce() -> R) -> (R, Allocated) {
    let before = (TOTAL.get(), LIVE.get());
    PEAK.set(before.1);
    let result = work();
    let peak = usize::try_from(PEAK.get() - before.1).unwrap();
    (result, Allocated { total: TOTAL.get() - before.0, peak })
}

thread_local! {
    static TOTAL: Cell<usize> = const { Cell::new(0) };
    /// Negative if a thread frees memory that another thread has allocated.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn add(bytes: usize) {
    TOTAL.set(TOTAL.get() + bytes);
    LIVE.set(LIVE.get() + bytes as isize);
    PEAK.set(PEAK.get().max(LIVE.get()));
}

fn remove(bytes: usize) {
    LIVE.set(LIVE.get() - bytes as isize);
}

struct Counting;

// SAFETY: the system allocator does all work. Counting does not allocate: the counters are
// initialized at compile time and have no destructors.
#[allow(unsafe_code, reason = "an allocator")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        remove(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        remove(layout.size());
        add(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

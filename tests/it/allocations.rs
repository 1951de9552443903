//! What a thread allocates: the global allocator of the tests counts for each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What some work has allocated on its thread, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allocated {
    /// All of it, whether or not it was freed.
    pub(crate) total: usize,
    /// The most that was in use at one time.
    pub(crate) peak: usize,
}

/// Does `work` on this thread, and counts.
pub(crate) fn count<R>(work: impl FnOnce() -> R) -> (R, Allocated) {
    let before = (TOTAL.get(), LIVE.get());
    PEAK.set(before.1);
    let result = work();
    let peak = usize::try_from(PEAK.get() - before.1).unwrap();
    (result, Allocated { total: TOTAL.get() - before.0, peak })
}

thread_local! {
    static TOTAL: Cell<usize> = const { Cell::new(0) };
    /// Less than zero where a thread frees what another one has allocated.
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

// SAFETY: all work is left to the system's allocator. Counting allocates nothing: the counters are
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

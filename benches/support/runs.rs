//! Helpers of the benches of whole modules: live memory, the fastest of some runs, other programs.
#![allow(unsafe_code, dead_code, unreachable_pub)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, Discovery, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Source};

pub(crate) type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Counts live bytes, and their peak.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system allocator does all work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        let live = LIVE.fetch_add(size, Ordering::Relaxed) + size;
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Prints the peak memory of `work`, which returns the bytes of its arena outside the heap.
pub(crate) fn memory(what: &str, files: u64, work: impl FnOnce() -> usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let mapped = work();
    let peak = PEAK.load(Ordering::Relaxed).saturating_sub(before) + mapped;
    println!("{what}: files {files} bytes, memory {peak}, {:.2} times", peak as f64 / files as f64);
}

/// Measures `work`, and returns the seconds of its fastest run; NaN if it is not selected.
pub(crate) fn measure(group: &mut Group<'_>, name: &str, mut work: impl FnMut()) -> f64 {
    let mut best = Duration::MAX;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|runs| {
            let mut total = Duration::ZERO;
            for _ in 0..runs {
                let start = Instant::now();
                work();
                let time = start.elapsed();
                best = best.min(time);
                total += time;
            }
            total
        });
    });
    if best == Duration::MAX { f64::NAN } else { best.as_secs_f64() }
}

pub(crate) fn group<'c>(criterion: &'c mut Criterion, name: &str, bytes: u64) -> Group<'c> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(bytes));
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(3));
    group
}

/// The fastest of some runs of a program; none if it is not there.
pub(crate) fn program(command: &mut Command) -> Option<f64> {
    let mut run = || {
        let start = Instant::now();
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        Some(start.elapsed().as_secs_f64())
    };
    (0..10).map(|_| run()).collect::<Option<Vec<_>>>()?.into_iter().reduce(f64::min)
}

/// Maps files: what is measured is memory beside them.
pub(crate) fn mapped() -> TreeOptions {
    let decode = DecodeOptions::default().with_open(|arena, path, access| {
        // SAFETY: nobody else knows the temporary files.
        unsafe { Source::map_as(arena, path, access, 0) }
    });
    TreeOptions::default().with_decode(decode)
}

pub(crate) fn load<T>(
    arena: &mut Arena,
    discovery: &Discovery,
    options: &TreeOptions,
    ask: impl FnOnce(&Tree<'_>) -> T,
) -> T {
    let answer = ask(&Tree::load(arena, discovery.modules.clone(), options));
    arena.reset();
    answer
}

pub(crate) fn found(root: &Path) -> Discovery {
    discover(&[root], &DiscoverOptions::default())
}

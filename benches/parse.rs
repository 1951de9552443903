//! Parsing: validation and skeleton, compared with the peers on the same bytes in the same run.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench parse
//! SIMD_HCL_BENCH_RESOURCES=25000 cargo bench -p simd-hcl-benches --bench parse -- large-minified
//! ```
//!
//! Ours reuses the arena between parses; the peers reuse their buffers where they can.
//! `simd-hcl/KERNEL` is the skeleton of a configuration, `simd-hcl/all-events` an event for every
//! value. `mapped` is a whole `Source::map` and parse of a file in the page cache, unmapping
//! included.
#![allow(clippy::unwrap_used, missing_docs, unsafe_code)]

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;
use simd_hcl::{Arena, Document, Kernel, ParseOptions, Source};

use support::Input;

type Group<'c> = BenchmarkGroup<'c, WallTime>;

fn parse(arena: &mut Arena, text: &[u8], options: &ParseOptions) -> u32 {
    let source = Source::from_bytes(arena, "bench", text).unwrap();
    let length = Document::parse_with(arena, source, options).unwrap().root().span().len();
    arena.reset();
    length
}

fn ours(group: &mut Group<'_>, text: &[u8]) {
    for kernel in Kernel::available() {
        let options = ParseOptions::default().with_kernel(kernel);
        let mut arena = Arena::new();
        group.bench_function(format!("simd-hcl/{}", kernel.name()), |bencher| {
            bencher.iter(|| parse(&mut arena, black_box(text), &options));
        });
    }
    let options = ParseOptions::default().with_skeleton_depth(u32::MAX);
    let mut arena = Arena::new();
    group.bench_function("simd-hcl/all-events", |bencher| {
        bencher.iter(|| parse(&mut arena, black_box(text), &options));
    });
}

fn validating_peers(group: &mut Group<'_>, text: &[u8]) {
    group.bench_function("serde_json/IgnoredAny", |bencher| {
        bencher.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(text)).unwrap());
    });
    group.bench_function("sonic-rs/LazyValue", |bencher| {
        bencher.iter(|| {
            sonic_rs::from_slice::<sonic_rs::LazyValue<'_>>(black_box(text))
                .unwrap()
                .as_raw_str()
                .len()
        });
    });
}

fn building_peers(group: &mut Group<'_>, text: &[u8]) {
    group.bench_function("simd-json/to_tape", |bencher| {
        // The tape parser writes into its input, so each run gets a fresh copy; copying is not
        // timed.
        let mut buffers = simd_json::Buffers::new(text.len());
        bencher.iter_batched_ref(
            || text.to_vec(),
            |copy| simd_json::to_tape_with_buffers(copy, &mut buffers).unwrap().0.len(),
            criterion::BatchSize::PerIteration,
        );
    });
    group.bench_function("sonic-rs/Value", |bencher| {
        bencher.iter(|| sonic_rs::from_slice::<sonic_rs::Value>(black_box(text)).unwrap());
    });
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| serde_json::from_slice::<serde_json::Value>(black_box(text)).unwrap());
    });
}

fn mapped(group: &mut Group<'_>, text: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let mut arena = Arena::new();
    group.bench_function("simd-hcl/mapped", |bencher| {
        bencher.iter(|| {
            // SAFETY: nobody else knows the temporary file.
            let source = unsafe { Source::map(&arena, file.path()) }.unwrap();
            let length = Document::parse(&arena, source).unwrap().root().span().len();
            arena.reset();
            length
        });
    });
}

fn single_files(criterion: &mut Criterion) {
    for (inputs, seconds) in [(support::small as fn() -> Vec<Input>, 2), (support::large, 5)] {
        for Input { name, text } in inputs() {
            let mut group = criterion.benchmark_group(format!("parse/{name}"));
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.sample_size(10).measurement_time(Duration::from_secs(seconds));
            ours(&mut group, &text);
            mapped(&mut group, &text);
            validating_peers(&mut group, &text);
            building_peers(&mut group, &text);
        }
    }
}

/// Files of 1 to 10 KB one after the other with reused buffers, right after a large one: a file's
/// cost must not depend on what was parsed before.
fn tiny_files(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse/tiny");
    group.sample_size(20).measurement_time(Duration::from_secs(1));
    let large = support::configuration(2_500, false);
    for resources in [1, 3, 8, 20] {
        let text = support::configuration(resources, false);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let options = ParseOptions::default();
        let mut arena = Arena::new();
        parse(&mut arena, &large, &options);
        group.bench_function(format!("simd-hcl/{}", text.len()), |bencher| {
            bencher.iter(|| parse(&mut arena, black_box(&text), &options));
        });
        group.bench_function(format!("serde_json-IgnoredAny/{}", text.len()), |bencher| {
            bencher.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(&text)).unwrap());
        });
    }
}

criterion_group!(benches, single_files, tiny_files);
criterion_main!(benches);

//! Streams, compared with whole files on the same bytes in the same run.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench stream
//! SIMD_HCL_BENCH_RESOURCES=25000 SIMD_HCL_BENCH_CHANGES=10000 cargo bench -p simd-hcl-benches --bench stream
//! ```
//!
//! `whole/N` parses bytes in memory to the skeleton depth N, and `whole/events` also visits every
//! event. `records` and `events` read the same bytes as a stream. The names with `pipe` read them
//! from a pipe that another thread fills; `pipe/whole` reads all of it first.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::hint::black_box;
use std::io::{Read, Write};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_hcl::stream::{self, Reader};
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::{PlanOptions, plan_bytes};

/// Calls `read` with a pipe that has these bytes.
fn with_pipe<T>(text: &[u8], read: impl FnOnce(&mut dyn Read) -> T) -> T {
    let (mut from, mut to) = std::io::pipe().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || to.write_all(text).unwrap());
        read(&mut from)
    })
}

fn whole(arena: &mut Arena, text: &[u8], depth: u32) -> usize {
    let source = Source::from_bytes(arena, "bench", text).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(depth);
    let events = Document::parse_with(arena, source, &options).unwrap().words().len();
    arena.reset();
    events
}

fn records(input: impl Read, path: &str) -> usize {
    let mut records = stream::records(input, path).unwrap();
    let mut bytes = 0;
    while let Some(record) = records.next().unwrap() {
        bytes += record.document().source().bytes().len();
    }
    bytes
}

fn events(input: impl Read) -> usize {
    let mut reader = Reader::new(input);
    let mut count = 0;
    while let Some(event) = reader.next().unwrap() {
        count += usize::from(event.depth() > 0);
    }
    count
}

fn streams(criterion: &mut Criterion) {
    let set = std::env::var("SIMD_HCL_BENCH_CHANGES").ok();
    let changes = set.and_then(|text| text.parse().ok()).unwrap_or(40_000);
    let plan = plan_bytes(&PlanOptions { changes, ..PlanOptions::default() });
    let config = support::configuration(support::large_resources(), false);
    for (name, text, path) in
        [("plan", plan, "resource_changes[*]"), ("configuration", config, "resource.*.*")]
    {
        let mut group = criterion.benchmark_group(format!("stream/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        let mut arena = Arena::new();
        group.bench_function("whole/3", |bencher| {
            bencher.iter(|| black_box(whole(&mut arena, &text, 3)));
        });
        group.bench_function("whole/events", |bencher| {
            bencher.iter(|| black_box(whole(&mut arena, &text, u32::MAX)));
        });
        group.bench_function("records", |bencher| {
            bencher.iter(|| black_box(records(&text[..], path)));
        });
        group.bench_function("events", |bencher| {
            bencher.iter(|| black_box(events(&text[..])));
        });
        group.bench_function("pipe/whole", |bencher| {
            bencher.iter(|| {
                let source = with_pipe(&text, |pipe| {
                    let mut bytes = Vec::new();
                    pipe.read_to_end(&mut bytes).unwrap();
                    bytes
                });
                black_box(whole(&mut arena, &source, 3))
            });
        });
        group.bench_function("pipe/records", |bencher| {
            bencher.iter(|| with_pipe(&text, |pipe| black_box(records(pipe, path))));
        });
        group.bench_function("pipe/events", |bencher| {
            bencher.iter(|| with_pipe(&text, |pipe| black_box(events(pipe))));
        });
        group.finish();
    }
}

criterion_group!(benches, streams);
criterion_main!(benches);

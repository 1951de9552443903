//! Scanning alone: from bytes to the offsets of tokens, per kernel.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench scan
//! ```
//!
//! Two lower bounds: `read` only reads all bytes, `simdutf8` only validates UTF-8. `small` is a
//! text that fits the second-level cache, so it measures instructions, not memory.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_hcl::Kernel;
use simd_hcl::fuzzing;

/// Returns the bitwise or of all bytes, eight at a time.
fn read(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let words = words.iter().fold(0, |all, &word| all | u64::from_le_bytes(word));
    rest.iter().fold(words, |all, &byte| all | u64::from(byte))
}

fn count(kernel: Kernel, text: &[u8]) -> usize {
    let mut count = 0;
    fuzzing::token_windows(kernel, text, |offsets| count += black_box(offsets).len()).unwrap();
    count
}

fn scans(criterion: &mut Criterion) {
    let large = support::large_resources();
    for (name, resources, pretty) in [
        ("small-minified", 1000, false),
        ("small-pretty", 1000, true),
        ("large-minified", large, false),
        ("large-pretty", large, true),
    ] {
        let text = support::configuration(resources, pretty);
        let mut group = criterion.benchmark_group(format!("scan/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        for kernel in Kernel::available() {
            group.bench_function(kernel.name(), |bencher| {
                bencher.iter(|| count(kernel, black_box(&text)));
            });
        }
        group.bench_function("read", |bencher| bencher.iter(|| read(black_box(&text))));
        group.bench_function("simdutf8", |bencher| {
            bencher.iter(|| simdutf8::basic::from_utf8(black_box(&text)).is_ok());
        });
        group.finish();
    }
}

criterion_group!(benches, scans);
criterion_main!(benches);

//! Bodies: from bytes to all attributes of all blocks, by schema.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench body
//! ```
//!
//! `skeleton` only parses; `blocks` reads the root body, and so all blocks with their labels;
//! `attributes` opens every block's body and takes all its properties; `events` opens everything.
//! All include the parse. The peer reads the whole file into `serde_json::Value`.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_hcl::body::{AttributeSchema, BlockSchema};
use simd_hcl::{Arena, Document, Schema};

/// The meta-arguments of a resource, which tools without provider schemas read.
static META: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("count"),
        AttributeSchema::optional("for_each"),
        AttributeSchema::optional("provider"),
        AttributeSchema::optional("depends_on"),
    ],
    &[BlockSchema::new("lifecycle", &[]), BlockSchema::new("provisioner", &["type"])],
);

fn bodies(criterion: &mut Criterion) {
    let text = support::configuration(support::large_resources(), false);
    let mut group = criterion.benchmark_group("body/large-minified");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    let mut arena = Arena::new();

    group.bench_function("skeleton", |bencher| {
        bencher.iter(|| {
            let document = Document::parse_bytes(&arena, "bench", black_box(&text)).unwrap();
            black_box(document.root().span());
            arena.reset();
        });
    });
    group.bench_function("blocks", |bencher| {
        bencher.iter(|| {
            let document = Document::parse_bytes(&arena, "bench", black_box(&text)).unwrap();
            black_box(document.body().content(support::root_schema(), &mut ()).all_blocks().len());
            arena.reset();
        });
    });
    group.bench_function("meta-arguments", |bencher| {
        bencher.iter(|| {
            let document = Document::parse_bytes(&arena, "bench", black_box(&text)).unwrap();
            let content = document.body().content(support::root_schema(), &mut ());
            let blocks = content.all_blocks().iter();
            let count: usize = blocks
                .map(|block| block.body().partial_content(&META, &mut ()).0.attributes().len())
                .sum();
            black_box(count);
            arena.reset();
        });
    });
    group.bench_function("attributes", |bencher| {
        bencher.iter(|| {
            let document = Document::parse_bytes(&arena, "bench", black_box(&text)).unwrap();
            let content = document.body().content(support::root_schema(), &mut ());
            let blocks = content.all_blocks().iter();
            let count: usize =
                blocks.map(|block| block.body().just_attributes(&mut ()).len()).sum();
            black_box(count);
            arena.reset();
        });
    });
    group.bench_function("events", |bencher| {
        bencher.iter(|| {
            let document = Document::parse_bytes(&arena, "bench", black_box(&text)).unwrap();
            black_box(document.events().count());
            arena.reset();
        });
    });
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| serde_json::from_slice::<serde_json::Value>(black_box(&text)).unwrap());
    });
}

criterion_group!(benches, bodies);
criterion_main!(benches);

//! The same tasks at each skeleton depth, which is the depth to which the first pass writes events.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench depth
//! SIMD_HCL_BENCH_RESOURCES=25000 cargo bench -p simd-hcl-benches --bench depth -- attributes
//! ```
//!
//! All of it includes the parse. `skeleton` asks for nothing; `blocks` reads the root body;
//! `one-body` opens one block in a hundred; `attributes` takes the attributes of all blocks, one
//! level, and `values` also looks at everything inside of them. The peer reads all of the file into
//! `serde_json::Value`.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use simd_hcl::{Arena, Document, ParseOptions, Source};

/// A task on a document. The result depends on it, so that it is not optimized away.
type Work = fn(Document<'_>) -> usize;

fn skeleton(document: Document<'_>) -> usize {
    document.words().len()
}

fn blocks(document: Document<'_>) -> usize {
    document.body().content(support::root_schema(), &mut ()).all_blocks().len()
}

fn attributes_of_every(document: Document<'_>, step: usize) -> usize {
    let content = document.body().content(support::root_schema(), &mut ());
    let blocks = content.all_blocks().iter().step_by(step);
    blocks.map(|block| block.body().just_attributes(&mut ()).len()).sum()
}

fn values(document: Document<'_>) -> usize {
    document.events().count()
}

fn depths(criterion: &mut Criterion) {
    let text = support::configuration(support::large_resources(), false);
    let works: [(&str, Work); 5] = [
        ("skeleton", skeleton),
        ("blocks", blocks),
        ("one-body", |document| attributes_of_every(document, 100)),
        ("attributes", |document| attributes_of_every(document, 1)),
        ("values", values),
    ];
    for (name, work) in works {
        let mut group = criterion.benchmark_group(format!("depth/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        for depth in [1, 2, 3, 4, 5, 6, 8, u32::MAX] {
            let options = ParseOptions::default().with_skeleton_depth(depth);
            let mut arena = Arena::new();
            group.bench_with_input(
                BenchmarkId::from_parameter(depth),
                &options,
                |bencher, options| {
                    bencher.iter(|| {
                        let source = Source::from_bytes(&arena, "bench", black_box(&text)).unwrap();
                        let document = Document::parse_with(&arena, source, options).unwrap();
                        black_box(work(document));
                        arena.reset();
                    });
                },
            );
        }
    }
    let mut group = criterion.benchmark_group("depth/peer");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| serde_json::from_slice::<serde_json::Value>(black_box(&text)).unwrap());
    });
}

criterion_group!(benches, depths);
criterion_main!(benches);

//! Templates and expressions: all references of a file, and the parser alone.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench expression
//! ```
//!
//! `references` finds every traversal of every template of a configuration, JSON parsing included;
//! `templates` does the same through the templates with their paths, and keeps the programs;
//! `skeleton` is JSON parsing alone. The peer only reads the file into `serde_json::Value`.
//!
//! `expressions` parses the text of each interpolation of a configuration; the throughput is that
//! of this text. The texts are one JSON array of strings, whose parsing is included. The peer,
//! hcl-edit, gets them one by one.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simd_hcl::{Arena, Document, Expression, ParseOptions, Source};

fn parse<'a>(arena: &'a Arena, text: &'a [u8], skeleton_depth: u32) -> Document<'a> {
    let source = Source::from_bytes(arena, "bench", black_box(text)).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(skeleton_depth);
    Document::parse_with(arena, source, &options).unwrap()
}

fn references(criterion: &mut Criterion) {
    let text = support::configuration(support::large_resources(), false);
    let mut group = criterion.benchmark_group("expression/large-minified");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    let mut arena = Arena::new();

    group.bench_function("skeleton", |bencher| {
        bencher.iter(|| {
            black_box(parse(&arena, &text, 3).root().span());
            arena.reset();
        });
    });
    group.bench_function("references", |bencher| {
        bencher.iter(|| {
            let mut steps = 0;
            let document = parse(&arena, &text, 3);
            document.visit_references(&mut (), |traversal| steps += traversal.steps().len());
            black_box(steps);
            arena.reset();
        });
    });
    group.bench_function("templates", |bencher| {
        bencher.iter(|| {
            let templates = parse(&arena, &text, 4).templates();
            let steps: usize = templates
                .flat_map(|template| template.variables())
                .map(|traversal| traversal.steps().len())
                .sum();
            black_box(steps);
            arena.reset();
        });
    });
    group.bench_function("serde_json::Value", |bencher| {
        bencher.iter(|| {
            black_box(serde_json::from_slice::<serde_json::Value>(black_box(&text)).unwrap());
        });
    });
    group.finish();
}

/// The texts of interpolations that fill a template: expressions.
fn interpolations(text: &[u8]) -> Vec<String> {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "bench", text).unwrap();
    let wrapped = document.templates().filter_map(|template| {
        let inner = template.text().strip_prefix("${")?.strip_suffix('}')?;
        (!inner.contains(['{', '}'])).then(|| inner.to_owned())
    });
    wrapped.collect()
}

fn expressions(criterion: &mut Criterion) {
    let texts = interpolations(&support::configuration(2_500, false));
    assert!(texts.len() > 1_000, "{} expressions", texts.len());
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut group = criterion.benchmark_group("expression/expressions");
    group.throughput(Throughput::Bytes(bytes as u64));
    let mut arena = Arena::new();

    let list = serde_json::to_vec(&texts).unwrap();
    group.bench_function("simd-hcl", |bencher| {
        bencher.iter(|| {
            let list = parse(&arena, &list, 3).root().as_array().unwrap();
            for element in list.elements() {
                black_box(Expression::from_json(element).as_native().unwrap().span());
            }
            arena.reset();
        });
    });
    group.bench_function("hcl-edit", |bencher| {
        bencher.iter(|| {
            for text in &texts {
                black_box(text.parse::<hcl_edit::expr::Expression>().unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, references, expressions);
criterion_main!(benches);

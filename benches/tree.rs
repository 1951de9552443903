//! A tree of many files: finding them, and reading and parsing them all.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench tree
//! SIMD_HCL_BENCH_DIRS=200 cargo bench -p simd-hcl-benches --bench tree
//! ```
//!
//! The tree (2,000 directories, 12,000 files, 177 MB unless the environment says otherwise) is
//! generated into a temporary directory, so it is in the page cache. `read` is the floor: the same
//! files read by `std::fs::read` on the same threads. `IgnoredAny` also validates them with
//! serde_json.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use serde::de::IgnoredAny;
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, decode, discover};
use simd_hcl_corpus::{TreeOptions, tree};

fn trees(criterion: &mut Criterion) {
    let set = std::env::var("SIMD_HCL_BENCH_DIRS").ok();
    let dirs = set.and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let directory = tempfile::tempdir().unwrap();
    tree(&TreeOptions { dirs, ..TreeOptions::default() }, directory.path()).unwrap();
    let find = || discover(&[directory.path()], &DiscoverOptions::default());
    let discovery = find();
    let files: Vec<PathBuf> = discovery
        .modules
        .iter()
        .flat_map(|module| module.files.iter().filter(|file| file.is_read()))
        .filter_map(|file| file.path.disk().map(ToOwned::to_owned))
        .collect();
    let bytes: u64 = files.iter().map(|path| path.metadata().unwrap().len()).sum();

    let mut group = criterion.benchmark_group("tree");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.bench_function("discover", |bencher| bencher.iter(|| find().modules.len()));
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("decode", |bencher| {
        bencher.iter(|| {
            let valid = decode(&discovery.modules, &DecodeOptions::default(), |_, _, document| {
                document.is_ok()
            });
            assert!(black_box(valid).into_iter().all(|valid| valid));
        });
    });
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            files.par_iter().map(|path| std::fs::read(path).unwrap().len()).sum::<usize>()
        });
    });
    // The peer reads no native files.
    let json: Vec<_> =
        files.iter().filter(|path| path.extension() == Some("json".as_ref())).collect();
    let bytes = json.iter().map(|path| path.metadata().unwrap().len()).sum();
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("serde_json/IgnoredAny", |bencher| {
        bencher.iter(|| {
            json.par_iter().for_each(|path| {
                let text = std::fs::read(path).unwrap();
                serde_json::from_slice::<IgnoredAny>(&text).unwrap();
            });
        });
    });
}

criterion_group!(benches, trees);
criterion_main!(benches);

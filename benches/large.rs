//! One large file: on one thread and on two, in memory and mapped, compared with the peers on the
//! same bytes.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench large
//! ```
//!
//! `memory/N` parses bytes in memory on N threads; `mapped/N` is `Source::map`, parsing, and
//! unmapping of a file in the page cache. `cat-wc` is `cat FILE | wc -c`, both processes included,
//! `check` the whole process `simd-hcl check --level syntax FILE` if it was built in release mode
//! before.
#![allow(clippy::unwrap_used, missing_docs, unsafe_code)]

mod support;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;
use simd_hcl::{Arena, Document, ParseOptions, Source};

use support::Input;

type Group<'c> = BenchmarkGroup<'c, WallTime>;

fn in_memory(group: &mut Group<'_>, text: &[u8]) {
    for threads in [1, 2] {
        let options = ParseOptions::default().with_threads(threads);
        let mut arena = Arena::new();
        group.bench_function(format!("memory/{threads}"), |bencher| {
            bencher.iter(|| {
                let source = Source::from_bytes(&arena, "bench", black_box(text)).unwrap();
                black_box(Document::parse_with(&arena, source, &options).unwrap().words().len());
                arena.reset();
            });
        });
    }
    group.bench_function("serde_json/IgnoredAny", |bencher| {
        bencher.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(text)).unwrap());
    });
}

fn mapped(group: &mut Group<'_>, path: &Path) {
    for threads in [1, 2] {
        let options = ParseOptions::default().with_threads(threads);
        let mut arena = Arena::new();
        group.bench_function(format!("mapped/{threads}"), |bencher| {
            bencher.iter(|| {
                // SAFETY: nobody else knows the temporary file.
                let source = unsafe { Source::map(&arena, path) }.unwrap();
                black_box(Document::parse_with(&arena, source, &options).unwrap().words().len());
                arena.reset();
            });
        });
    }
}

fn processes(group: &mut Group<'_>, path: &Path) {
    group.bench_function("cat-wc", |bencher| {
        bencher.iter(|| {
            let mut cat = Command::new("cat").arg(path).stdout(Stdio::piped()).spawn().unwrap();
            let mut wc = Command::new("wc");
            wc.arg("-c").stdin(cat.stdout.take().unwrap()).stdout(Stdio::null());
            assert!(wc.status().unwrap().success());
            cat.wait().unwrap();
        });
    });
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/dist/simd-hcl");
    if Path::new(program).exists() {
        group.bench_function("check", |bencher| {
            bencher.iter(|| {
                let mut check = Command::new(program);
                check.args(["check", "--level", "syntax", "--quiet"]).arg(path);
                assert!(check.stdout(Stdio::null()).status().unwrap().success());
            });
        });
    } else {
        eprintln!("skipped: check, for there is no {program}");
    }
}

fn large(criterion: &mut Criterion) {
    let mut inputs = support::small();
    inputs.push(Input { name: "ten-minified", text: support::configuration(22_000, false) });
    inputs.extend(support::large());
    for Input { name, text } in inputs {
        let file = tempfile::Builder::new().suffix(".tf.json").tempfile().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let mut group = criterion.benchmark_group(format!("large/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        in_memory(&mut group, &text);
        mapped(&mut group, file.path());
        processes(&mut group, file.path());
    }
}

criterion_group!(benches, large);
criterion_main!(benches);

//! Native syntax: one configuration of 100 MB on one thread, and a tree of 12,000 files on two.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench native
//! SIMD_HCL_BENCH_RESOURCES=22000 SIMD_HCL_BENCH_DIRS=200 cargo bench -p simd-hcl-benches --bench native -- large
//! ```
//!
//! `large/structure` finds every attribute and block and proves that strings, heredocs and brackets
//! close, by each kernel; `skeleton` does the same and keeps the top level only; `check` also parses
//! every expression and drops it, `everything` keeps them; `model` creates the module with references
//! and the graph, from the mapped file on. hcl-edit and hcl-rs parse the same text, or a part of it,
//! since they take long. `tree/check` and `tree/fmt` read a tree of files as the commands do, with
//! `rg -c` as the peer if it is installed.
//!
//! The figures at the end are those of the fastest runs. Memory is what is live at the most, beside
//! the file.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/runs.rs"]
mod runs;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use simd_hcl::format::{Style, format};
use simd_hcl::structure::File;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Kernel, ParsedFile, Source};
use simd_hcl_corpus::{NativeOptions, native_bytes, native_tree};

use runs::{found, group, load, mapped, measure, memory, program};

/// A number that the environment sets.
fn setting(name: &str, preset: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(preset)
}

fn read<'a>(arena: &'a Arena, text: &'a [u8], kernel: Kernel) -> File<'a> {
    let source = Source::from_bytes(arena, "main.tf", black_box(text)).unwrap();
    let mut sink = |found: Diagnostic<'_>| panic!("{found:?}");
    File::parse_with(arena, source, kernel, &mut sink)
}

fn large(criterion: &mut Criterion) {
    let resources = setting("SIMD_HCL_BENCH_RESOURCES", 222_000);
    let text = native_bytes(&NativeOptions { resources, ..NativeOptions::default() });
    let bytes = text.len() as u64;
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf"), &text).unwrap();
    let discovery = found(directory.path());
    let options = mapped();
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();

    let mut benches = group(criterion, "native/large", bytes);
    let mut arena = Arena::new();
    let mut figures = Vec::new();
    for kernel in Kernel::available() {
        let name = format!("structure/{}", kernel.name());
        let seconds = measure(&mut benches, &name, || {
            black_box(read(&arena, &text, kernel).body().items().count());
            arena.reset();
        });
        figures.push((name, seconds));
    }
    let seconds = measure(&mut benches, "skeleton", || {
        let source = Source::from_bytes(&arena, "main.tf", black_box(&text)).unwrap();
        black_box(File::skeleton(&arena, source, &mut ()).body().items().count());
        arena.reset();
    });
    figures.push(("skeleton".to_owned(), seconds));
    let seconds = measure(&mut benches, "check", || {
        read(&arena, &text, Kernel::detect()).check(&mut ());
        arena.reset();
    });
    figures.push(("check".to_owned(), seconds));
    let seconds = measure(&mut benches, "everything", || {
        let source = Source::from_bytes(&arena, "main.tf", black_box(&text)).unwrap();
        assert!(ParsedFile::native(&arena, source).diagnostics().is_empty());
        arena.reset();
    });
    figures.push(("everything".to_owned(), seconds));
    let seconds = measure(&mut benches, "model", || {
        pool.install(|| {
            load(&mut arena, &discovery, &options, |tree| {
                black_box((tree.diagnostics().count(), tree.graph().len()))
            })
        });
    });
    figures.push(("model".to_owned(), seconds));
    benches.finish();
    drop(arena);

    // The peers' speed does not depend on the size.
    let part = native_bytes(&NativeOptions { resources: resources.min(11_000), seed: 1 });
    let part = String::from_utf8(part).unwrap();
    let mut benches = group(criterion, "native/peers", part.len() as u64);
    let scale = bytes as f64 / part.len() as f64;
    let edit = scale
        * measure(&mut benches, "hcl-edit", || {
            black_box(part.parse::<hcl_edit::structure::Body>().unwrap());
        });
    let hcl = scale
        * measure(&mut benches, "hcl-rs", || {
            black_box(hcl::parse(black_box(&part)).unwrap());
        });
    benches.finish();
    println!(
        "hcl-edit {:.1} MB/s, hcl-rs {:.1}",
        bytes as f64 / edit / 1e6,
        bytes as f64 / hcl / 1e6
    );
    for (name, seconds) in figures {
        println!(
            "{name}: {:.0} MB/s, {:.1} times hcl-edit, {:.1} times hcl-rs",
            bytes as f64 / seconds / 1e6,
            edit / seconds,
            hcl / seconds
        );
    }

    memory("skeleton", bytes, || {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "main.tf", &text).unwrap();
        black_box(File::skeleton(&arena, source, &mut ()));
        arena.anonymous_bytes()
    });
    memory("structure", bytes, || {
        let arena = Arena::new();
        black_box(read(&arena, &text, Kernel::detect()));
        arena.anonymous_bytes()
    });
    memory("everything", bytes, || {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "main.tf", &text).unwrap();
        black_box(ParsedFile::native(&arena, source));
        arena.anonymous_bytes()
    });
    memory("model, references and graph", bytes, || {
        let arena = Arena::new();
        let tree = pool.install(|| Tree::load(&arena, discovery.modules.clone(), &options));
        black_box(tree.graph().len());
        drop(tree);
        arena.anonymous_bytes()
    });
}

fn tree(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    // Written when a bench needs it: others may be the only ones that are asked for.
    let written = OnceLock::new();
    let root = || -> &Path {
        let dirs = setting("SIMD_HCL_BENCH_DIRS", 2_000);
        written.get_or_init(|| native_tree(dirs, 1, directory.path()).unwrap());
        directory.path()
    };
    let options = TreeOptions::default();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();

    let mut benches = criterion.benchmark_group("native/tree");
    benches.sample_size(10).measurement_time(Duration::from_secs(3));
    let mut arena = Arena::new();
    let check = measure(&mut benches, "check", || {
        pool.install(|| {
            load(&mut arena, &found(root()), &options, |tree| black_box(tree.diagnostics().count()))
        });
    });
    let fmt = measure(&mut benches, "fmt", || {
        pool.install(|| {
            let modules = found(root()).modules;
            let files: Vec<_> = modules.iter().flat_map(|module| &module.files).collect();
            files.par_iter().for_each_init(Arena::new, |arena, file| {
                let source = Source::read(arena, file.path.disk().unwrap()).unwrap();
                let file = File::parse(arena, source, &mut ());
                black_box(format(file, Style::Tofu, &mut ()).unwrap());
                arena.reset();
            });
        });
    });
    benches.finish();
    let Some(written) = written.get() else { return };
    println!(
        "{} files, {} bytes: check {:.0} MB/s, fmt {:.0}",
        written.files,
        written.bytes,
        written.bytes as f64 / check / 1e6,
        written.bytes as f64 / fmt / 1e6
    );
    if let Some(search) = program(Command::new("rg").args(["-j2", "-c", "aws"]).arg(root())) {
        println!("rg -c takes {search:.3} s; check takes {:.2} times as long", check / search);
        println!("fmt takes {:.2} times as long", fmt / search);
    }
}

criterion_group!(benches, large, tree);
criterion_main!(benches);

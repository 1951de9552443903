//! Whole modules: one of 250,000 resources, a tree of 12,000 files, and trees of awkward shapes.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench module
//! SIMD_HCL_BENCH_RESOURCES=25000 SIMD_HCL_BENCH_DIRS=200 cargo bench -p simd-hcl-benches --bench module -- large
//! ```
//!
//! `large` is one file on one thread: `decode` parses it, `model` makes the module, `references`
//! adds references and their diagnostics, also on two threads, `graph` the dependencies; each includes
//! the steps before it. `tree` is the same for many files on all threads, discovery included, with `rg -c` as the
//! peer if it is installed. `shapes` are chains and stars of modules that call each other, small
//! and four times as large.
//!
//! Each group ends with the ratios of the fastest runs, and the peak of live memory compared with
//! the bytes of the files. Files in memory count, mapped files do not.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/runs.rs"]
mod runs;
mod support;

use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use serde::de::IgnoredAny;
use simd_hcl::dialect::List;
use simd_hcl::module::Module;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect, Document, ParseOptions, Source};

use runs::{found, group, load, mapped, measure, memory, program};

fn large(criterion: &mut Criterion) {
    let text = support::configuration(support::large_resources(), false);
    let bytes = text.len() as u64;
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf.json"), &text).unwrap();
    let discovery = found(directory.path());
    let options = mapped();
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();

    let mut group = group(criterion, "module/large", bytes);
    let mut arena = Arena::new();
    let decode = measure(&mut group, "decode", || {
        let source = Source::from_bytes(&arena, "main.tf.json", black_box(&text)).unwrap();
        black_box(Document::parse(&arena, source).unwrap().words().len());
        arena.reset();
    });
    let parse = ParseOptions::default().with_skeleton_depth(Module::DEPTH);
    let model = measure(&mut group, "model", || {
        pool.install(|| {
            let source = Source::from_bytes(&arena, "main.tf.json", black_box(&text)).unwrap();
            let document = Document::parse_with(&arena, source, &parse).unwrap();
            let mut diagnostics = Vec::new();
            let files = [(List::Primary, document)];
            let module = Module::read(Dialect::OpenTofu, files, false, &mut diagnostics);
            assert!(diagnostics.is_empty());
            black_box(module.resources.len());
        });
        arena.reset();
    });
    let references = measure(&mut group, "references", || {
        pool.install(|| {
            load(&mut arena, &discovery, &options, |tree| black_box(tree.diagnostics().count()))
        });
    });
    let two = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let on_two = measure(&mut group, "references, two threads", || {
        two.install(|| {
            load(&mut arena, &discovery, &options, |tree| black_box(tree.diagnostics().count()))
        });
    });
    let graph = measure(&mut group, "graph", || {
        pool.install(|| {
            load(&mut arena, &discovery, &options, |tree| black_box(tree.graph().len()))
        });
    });
    let peer = measure(&mut group, "serde_json/IgnoredAny", || {
        serde_json::from_slice::<IgnoredAny>(black_box(&text)).unwrap();
    });
    let value = measure(&mut group, "serde_json/Value", || {
        black_box(serde_json::from_slice::<serde_json::Value>(black_box(&text)).unwrap());
    });
    group.finish();
    println!(
        "model: {:.2} GB/s; IgnoredAny takes {:.2} times as long, Value {:.1}",
        bytes as f64 / model / 1e9,
        peer / model,
        value / model
    );
    println!(
        "decode takes {:.2} of the model; references {:.2}, with the graph {:.2}, times the model more",
        decode / model,
        references / model - 1.0,
        graph / model - 1.0
    );
    println!("on two threads the references take {:.2} of the time on one", on_two / references);
    drop(arena);
    memory("model, references and graph, mapped", bytes, || {
        let arena = Arena::new();
        let tree = pool.install(|| Tree::load(&arena, discovery.modules.clone(), &options));
        let graph = tree.graph();
        black_box(graph.len());
        drop(graph);
        drop(tree);
        arena.anonymous_bytes()
    });
}

fn tree(criterion: &mut Criterion) {
    let set = std::env::var("SIMD_HCL_BENCH_DIRS").ok();
    let dirs = set.and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let options = simd_hcl_corpus::TreeOptions { dirs, ..Default::default() };
    simd_hcl_corpus::tree(&options, root).unwrap();
    let discovery = found(root);
    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let files = files.filter(|file| file.is_read());
    let files: Vec<_> = files.filter_map(|file| file.path.disk()).collect();
    let bytes: u64 = files.iter().map(|path| path.metadata().unwrap().len()).sum();
    let options = TreeOptions::default();

    let mut group = group(criterion, "module/tree", bytes);
    let mut arena = Arena::new();
    let check = measure(&mut group, "check", || {
        load(&mut arena, &found(root), &options, |tree| black_box(tree.diagnostics().count()));
    });
    let graph = measure(&mut group, "graph", || {
        load(&mut arena, &found(root), &options, |tree| {
            black_box((tree.diagnostics().count(), tree.graph().len()))
        });
    });
    // The files of every hundredth module.
    let changed: Vec<_> = discovery
        .modules
        .iter()
        .step_by(100)
        .flat_map(|module| &module.files)
        .filter_map(|file| file.path.disk())
        .collect();
    let affected = measure(&mut group, "affected", || {
        load(&mut arena, &found(root), &options, |tree| {
            black_box(tree.affected(&changed).modules.len())
        });
    });
    let peer = measure(&mut group, "serde_json/IgnoredAny", || {
        for path in &files {
            serde_json::from_slice::<IgnoredAny>(&fs::read(path).unwrap()).unwrap();
        }
    });
    group.finish();
    println!(
        "check: {:.2} GB/s, with the graph {:.2}",
        bytes as f64 / check / 1e9,
        bytes as f64 / graph / 1e9
    );
    println!("IgnoredAny on one thread takes {:.2} times as long as check", peer / check);
    if let Some(search) = program(Command::new("rg").arg("-c").arg("aws").arg(root)) {
        println!("check takes {:.2} times as long as rg -c", check / search);
        println!("affected takes {:.2} times as long as rg -c", affected / search);
    }
    drop(arena);
    memory("all modules and the graph, files included", bytes, || {
        let arena = Arena::new();
        let tree = Tree::load(&arena, discovery.modules.clone(), &options);
        let graph = tree.graph();
        black_box(graph.len());
        drop(graph);
        drop(tree);
        arena.anonymous_bytes()
    });
}

/// Loads a tree of a shape, from one of its modules or all of them, and walks its graph.
fn shapes(criterion: &mut Criterion) {
    type Shape = fn(usize) -> Vec<(String, String)>;
    let shapes: [(&str, Shape); 2] =
        [("chain", simd_hcl_corpus::chain), ("star", simd_hcl_corpus::star)];
    let mut group = criterion.benchmark_group("module/shapes");
    group.sample_size(10).warm_up_time(Duration::from_millis(100));
    group.measurement_time(Duration::from_secs(1));
    for (name, shape) in shapes {
        for given in ["m0", "."] {
            let mut times = [750, 3_000].map(|count| {
                let directory = tempfile::tempdir().unwrap();
                for (name, text) in shape(count) {
                    let path = directory.path().join(name);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, text).unwrap();
                }
                let discovery = found(&directory.path().join(given));
                let mut arena = Arena::new();
                measure(&mut group, &format!("{name} of {given}/{count}"), || {
                    load(&mut arena, &discovery, &TreeOptions::default(), |tree| {
                        black_box(tree.graph().dependents(&[0]).len())
                    });
                })
            });
            times.reverse();
            println!(
                "{name} of {given}: 3,000 modules take {:.1} times as long as 750",
                times[0] / times[1]
            );
        }
    }
}

criterion_group!(benches, large, tree, shapes);
criterion_main!(benches);

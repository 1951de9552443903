//! Static evaluation: 250,000 generated resources, a million instances, one address.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench expand
//! SIMD_HCL_BENCH_RESOURCES=25000 cargo bench -p simd-hcl-benches --bench expand
//! ```
//!
//! One thread. `model` loads the tree, with its checks; the others include it. `expand` evaluates and
//! writes every resource, `address` one of them. `count` visits the instances of a resource with
//! `count = 1000000`, `values` also evaluates them.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/runs.rs"]
mod runs;
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io;

use criterion::{Criterion, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use simd_hcl::Arena;
use simd_hcl::directory::Discovery;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, Writer};

use runs::{found, group, mapped, measure, memory};

/// Loads a tree and writes what is selected of its first module.
fn expanded(arena: &Arena, discovery: &Discovery, options: &TreeOptions, selection: &Selection) {
    let tree = Tree::load(arena, discovery.modules.clone(), options);
    let inputs = Inputs::new(arena);
    let expansion = tree.expand(0, &inputs);
    let mut out = io::sink();
    let mut writer = Writer::new(&mut out, Layout::Compact);
    expansion.write(selection, writer.value());
    writer.finish().unwrap();
    black_box(expansion.diagnostics().len());
}

fn large(criterion: &mut Criterion) {
    let text = support::configuration(support::large_resources(), false);
    let bytes = text.len() as u64;
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf.json"), &text).unwrap();
    drop(text);
    let discovery = found(directory.path());
    let options = mapped();
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut arena = Arena::new();
    let mut address = String::new();
    pool.install(|| {
        let tree = Tree::load(&arena, discovery.modules.clone(), &options);
        let resources = &tree.modules()[0].module.resources;
        address = resources.iter().last().unwrap().address().to_string();
    });
    let all = Selection::default();
    let one = Selection::default().with_address(&address);
    let mut group = group(criterion, "expand/large", bytes);
    let model = measure(&mut group, "model", || {
        pool.install(|| {
            black_box(Tree::load(&arena, discovery.modules.clone(), &options).modules().len());
        });
        arena.reset();
    });
    let expand = measure(&mut group, "expand", || {
        pool.install(|| expanded(&arena, &discovery, &options, &all));
        arena.reset();
    });
    let address = measure(&mut group, "address", || {
        pool.install(|| expanded(&arena, &discovery, &options, &one));
        arena.reset();
    });
    group.finish();
    println!(
        "expand: {:.2} s beyond the model's {model:.2} s, {:.2} times the model; one address {:.2} times",
        expand - model,
        expand / model,
        address / model
    );
    drop(arena);
    memory("expand, mapped", bytes, || {
        let arena = Arena::new();
        pool.install(|| expanded(&arena, &discovery, &options, &all));
        arena.anonymous_bytes()
    });
}

fn count(criterion: &mut Criterion) {
    let text = "resource \"aws_x\" \"y\" {\n  count = 1000000\n  name = \"n-${count.index}\"\n  size = upper(\"small\")\n}\n";
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf"), text).unwrap();
    let discovery = found(directory.path());
    let mut arena = Arena::new();
    let visit = |arena: &Arena, with_values: bool| {
        let tree = Tree::load(arena, discovery.modules.clone(), &TreeOptions::default());
        let inputs = Inputs::new(arena);
        let mut types: BTreeMap<String, usize> = BTreeMap::new();
        tree.expand(0, &inputs).visit(&Selection::default(), |instance| {
            if with_values {
                black_box(instance.values());
            }
            match types.get_mut(instance.resource().resource_type) {
                Some(count) => *count += 1,
                None => drop(types.insert(instance.resource().resource_type.to_owned(), 1)),
            }
        });
        assert_eq!(types["aws_x"], 1_000_000);
    };
    let mut group = group(criterion, "expand/count", text.len() as u64);
    let types = measure(&mut group, "types", || {
        visit(&arena, false);
        arena.reset();
    });
    let values = measure(&mut group, "values", || {
        visit(&arena, true);
        arena.reset();
    });
    group.finish();
    println!("a million instances: {types:.2} s by type, {values:.2} s with their values");
    memory("a million instances with their values", text.len() as u64, || {
        let arena = Arena::new();
        visit(&arena, true);
        arena.anonymous_bytes()
    });
}

criterion_group!(benches, large, count);
criterion_main!(benches);

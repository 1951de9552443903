//! Units of Terragrunt: 814 units with 290 included files, and 5,000.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench units
//! ```
//!
//! One thread. `list` finds units with their dependencies and includes, `files` also the files that
//! decide about them, `values` their inputs and local values. If `terragrunt` is installed, its `find`
//! lists the same units.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/runs.rs"]
mod runs;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use criterion::{Criterion, criterion_group, criterion_main};
use simd_hcl::terragrunt::{Options, find};
use simd_hcl_corpus::{Readers, UnitOptions, units};

use runs::{group, measure, program};

/// The units of each tree, and the files that they include.
const TREES: [(u64, u64); 2] = [(814, 290), (5_000, 290)];

fn bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => bytes(&entry.path()),
            false => entry.metadata().unwrap().len(),
        })
        .sum()
}

fn found(folder: &Path, options: &Options, count: u64) {
    let found = find(folder, options);
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
    assert_eq!(found.units.len() as u64, count);
    black_box(found.units.len());
}

fn trees(criterion: &mut Criterion) {
    let listed = Options::default().with_details(true);
    let files = Options::default().with_files(true);
    let values = Options::default().with_values(true);
    let mut times = Vec::new();
    for (count, kinds) in TREES {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir(root.join(".git")).unwrap();
        let options = UnitOptions { units: count, kinds, seed: 5 };
        units(&options, &Readers::new(), root).unwrap();
        let mut group = group(criterion, &format!("units/{count}"), bytes(root));
        let list = measure(&mut group, "list", || found(root, &listed, count));
        measure(&mut group, "files", || found(root, &files, count));
        measure(&mut group, "values", || found(root, &values, count));
        group.finish();
        times.push((count, list));
        let arguments = ["find", "--json", "--dependencies", "--include", "--no-color"];
        let mut real = Command::new("terragrunt");
        match program(real.args(arguments).current_dir(root)) {
            Some(time) => {
                println!("units/{count}: terragrunt takes {:.0} times as long", time / list)
            }
            None => println!("units/{count}: terragrunt is not installed"),
        }
    }
    if let [(few, small), (many, large)] = times[..] {
        let growth = large / small / (many as f64 / few as f64);
        println!(
            "units: {growth:.2} times the time for each unit in a tree of {many} as in one of {few}"
        );
    }
}

criterion_group!(benches, trees);
criterion_main!(benches);

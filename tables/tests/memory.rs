//! The memory of exports.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;

use simd_hcl_corpus::{TreeOptions, tree};
use simd_hcl_tables::export::{Options, export};

/// The peak of resident memory while something runs, in KB, beyond what was there before. `None`
/// where the system does not say.
fn peak(run: impl FnOnce()) -> Option<u64> {
    let figure = |name: &str| {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    // The peak starts again at what is there.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = figure("VmRSS:")?;
    run();
    figure("VmHWM:")?.checked_sub(before)
}

#[test]
fn a_large_repository_takes_hardly_more_memory_than_a_small_one() {
    let out = tempfile::tempdir().unwrap();
    let mut peaks = Vec::new();
    // The first one also pays for what is allocated once.
    for dirs in [24, 24, 192] {
        let root = out.path().join(format!("tree-{}", peaks.len()));
        fs::create_dir(&root).unwrap();
        tree(&TreeOptions { dirs, ..TreeOptions::default() }, &root).unwrap();
        let options = Options { threads: 1, ..Options::default() };
        let target = out.path().join(format!("tables-{}", peaks.len()));
        let run = || {
            export(&[root], &target, &options).unwrap();
        };
        let Some(peak) = peak(run) else { return println!("skipped: the peak is not known") };
        peaks.push(peak);
    }
    println!("{peaks:?} KB");
    // A module takes 200 KB while all its tables are read, and what stays of it about 80 KB.
    assert!(peaks[2] < peaks[1] + 192 * 140, "{peaks:?} KB");
}

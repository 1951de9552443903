//! A plan or a state that was changed at random: kept, read as a stream, compressed, and through a pipe,
//! it has the same rows, the same findings and the same exit status. [`crate::rows`] does the same with
//! documents of tools.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use simd_hcl_corpus::sized;
use tempfile::TempDir;

use super::mutants::{Random, change};
use super::{first_difference, most_changed};
use crate::rows::{Way, add, commands, copies, read, said};
use crate::tool::{status, stderr, stdout};

const WAYS: [Way; 3] = [Way::Stream, Way::Compressed, Way::Pipe];

/// Returns what differs between the ways to read a document.
fn differences(directory: &TempDir, name: &str, command: &[&str]) -> Vec<String> {
    let whole = read(directory.path(), command, name, Way::Whole);
    let is_sound =
        |output: &Output| (0..=2).contains(&status(output)) && !stderr(output).contains("panicked");
    assert!(is_sound(&whole), "{command:?} {name}: {}", stderr(&whole));
    let mut found = Vec::new();
    for way in WAYS {
        let other = read(directory.path(), command, name, way);
        assert!(is_sound(&other), "{command:?} {name} {way:?}: {}", stderr(&other));
        let (one, two) = (said(&whole, name), said(&other, name));
        if (stdout(&whole), status(&whole), &one) == (stdout(&other), status(&other), &two) {
            continue;
        }
        let what = match stdout(&whole) == stdout(&other) {
            true => first_difference(&one.join("\n"), &two.join("\n")),
            false => first_difference(&stdout(&whole), &stdout(&other)),
        };
        let (one, two) = (status(&whole), status(&other));
        found.push(format!("{command:?} {way:?}: {one} {two}: {what}"));
    }
    found
}

#[test]
fn changed_documents_are_read_alike() {
    let (originals, names) = copies(&["show", "secrets"]);
    let count = most_changed();
    let next = AtomicUsize::new(0);
    let work = || {
        let folder = TempDir::new().unwrap();
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return found;
            }
            // Each document depends on its number alone.
            let mut random = Random(number as u64);
            let name = &names[random.below(names.len())];
            let mut text = fs::read(originals.path().join(name)).unwrap();
            for _ in 0..=random.below(2) {
                change(&mut text, &mut random);
            }
            add(folder.path(), name, &text);
            let all = commands(name);
            let command = &all[random.below(all.len())];
            let differs = || differences(&folder, name, command);
            let differs = catch_unwind(AssertUnwindSafe(differs));
            let differs = differs.unwrap_or_else(|_| vec!["it is not sound".to_owned()]);
            found.extend(
                differs.into_iter().map(|what| format!("document {number}, {name}: {what}")),
            );
        }
    };
    let found: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..sized([2, 8, 8])).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let shown: Vec<_> = found.iter().take(20).collect();
    assert!(found.is_empty(), "{} differences: {shown:#?}", found.len());
}

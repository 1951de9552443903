//! Modules of the command line have no circular imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Returns the modules that each module imports, found by `crate::` in its source.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut texts = BTreeMap::new();
    let mut work: Vec<_> = fs::read_dir(&src).unwrap().collect();
    while let Some(entry) = work.pop() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            work.extend(fs::read_dir(path).unwrap());
            continue;
        }
        // The files in the directory of a module count as the module.
        let below = path.strip_prefix(&src).unwrap();
        let name = Path::new(below.iter().next().unwrap()).file_stem().unwrap();
        let text: &mut String = texts.entry(name.to_str().unwrap().to_owned()).or_default();
        text.push_str(&fs::read_to_string(&path).unwrap());
    }
    let names: BTreeSet<String> = texts.keys().cloned().collect();
    let imported = |text: &str| {
        let mut found = BTreeSet::new();
        for path in text.split("crate::").skip(1) {
            let path = path.trim_start_matches('{').split([';', '}']).next().unwrap();
            for word in path.split(|c: char| !c.is_ascii_lowercase() && c != '_') {
                found.extend(names.get(word).cloned());
            }
        }
        found
    };
    texts.iter().map(|(name, text)| (name.clone(), imported(text))).collect()
}

#[test]
fn imports_have_no_circles() {
    let mut left = imports();
    assert!(left.values().map(BTreeSet::len).sum::<usize>() > 50, "imports were found");
    left.remove("main");
    // Removes modules whose imports are all removed.
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|name, used| used.iter().any(|used| used != name && names.contains(used)));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "these import each other: {left:#?}");
}

/// Whatever is printed passes the module that decides what a terminal may get.
#[test]
fn standard_output_has_one_home() {
    // Protocols, a script for a shell, and the manual page are texts of our own.
    let allowed = ["lsp.rs", "mcp.rs", "main.rs", "output.rs"];
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut work: Vec<_> = fs::read_dir(&src).unwrap().collect();
    let mut read = 0;
    while let Some(entry) = work.pop() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            work.extend(fs::read_dir(path).unwrap());
            continue;
        }
        if allowed.contains(&path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        read += 1;
        for line in fs::read_to_string(&path).unwrap().lines() {
            let asks = line.replace("stdout().is_terminal()", "").replace("eprint", "");
            let prints = ["stdout()", "print!(", "println!("].iter().any(|it| asks.contains(it));
            assert!(!prints, "{}: {line}", path.display());
        }
    }
    assert!(read > 100, "files were read");
}

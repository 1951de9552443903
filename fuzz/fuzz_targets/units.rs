//! Trees of Terragrunt: whatever the files say, there is an answer, the same each time, and nothing is
//! run, written or read from elsewhere.
//!
//! The input is a list of files, each ended by the byte 0xFF: a byte that selects the path, and the text.
#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use simd_hcl::terragrunt::{Options, Runs, check, find};
use simd_hcl::{Arena, Dialect};

const PATHS: &[&str] = &[
    "a/terragrunt.hcl",
    "b/terragrunt.hcl",
    "root.hcl",
    "env.hcl",
    "s/terragrunt.stack.hcl",
    "b/terragrunt.hcl.json",
    "a/terragrunt.values.hcl",
    "a/terragrunt.autoinclude.hcl",
    "m/main.tf",
    "m/x.auto.tfvars",
    "a/common.tfvars",
    "data.yaml",
    "data.json",
    "b/c/terragrunt.hcl",
    "s/inner/terragrunt.stack.hcl",
    "terragrunt.hcl",
];

/// The content of every file below a folder.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let text = fs::read(&path).unwrap_or_default();
                    found.insert(path.to_string_lossy().into_owned(), text);
                }
            }
        }
    }
    found
}

fuzz_target!(|data: &[u8]| {
    let root = tempfile::tempdir().expect("a directory can be made");
    fs::create_dir(root.path().join(".git")).expect("it is empty");
    for file in data.split(|&byte| byte == 0xFF).take(PATHS.len()) {
        let [which, text @ ..] = file else { continue };
        let path = root.path().join(PATHS[usize::from(*which) % PATHS.len()]);
        fs::create_dir_all(path.parent().expect("it is below the root")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let before = content(root.path());
    let options = Options::default()
        .with_files(true)
        .with_inputs(true)
        .with_values(true)
        .with_stacks(true)
        .with_variable("CANARY", "0123456789canary")
        .with_experiment("deep-merge");
    let one = find(root.path(), &options);
    let other = find(root.path(), &options);
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
    for unit in &one.units {
        assert!(unit.level.is_none_or(|level| level < one.units.len()));
    }
    let changed: Vec<String> = before.keys().cloned().collect();
    let affected = one.affected(&changed, &[], &[]);
    assert!(affected.len() <= one.units.len());
    assert!(affected.iter().all(|it| it.way.last() == Some(&it.unit)));
    let arena = Arena::new();
    let checked = check(&arena, root.path(), &options);
    checked.diagnostics.iter().for_each(|found| assert!(!found.detail().is_empty()));
    if let Ok(runs) = Runs::open(&arena, root.path(), &options) {
        let units = runs.units();
        for unit in &units.units {
            let run = runs.run(&unit.folder);
            let _ = runs.files(&run, Dialect::OpenTofu);
        }
        runs.visit_references(|reference| assert!(!reference.to.is_empty()));
    }
    assert!(content(root.path()) == before, "something was written");
});

//! The generated tree has the counts and sizes its documentation promises, and every file is valid.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use simd_hcl_corpus::{TreeOptions, tree};

use crate::common::{Declared, parse};

/// The files below `root`, by directory.
fn files(root: &Path) -> BTreeMap<PathBuf, BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::<_, BTreeMap<_, _>>::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                found.entry(dir.clone()).or_default().insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn counts_and_sizes() {
    let dir = tempfile::tempdir().unwrap();
    let stats = tree(&TreeOptions { dirs: 276, seed: 5 }, dir.path()).unwrap();
    let files = files(dir.path());
    assert_eq!((stats.dirs, files.len()), (276, 276));
    assert!(files.values().all(|files| files.len() == 6));
    assert_eq!(stats.files, 6 * 276);
    assert_eq!(stats.shadowing, 276);
    let all = || files.values().flatten();
    assert_eq!(all().map(|(_, text)| text.len() as u64).sum::<u64>(), stats.bytes);
    let shadowing = files.values().flat_map(|files| {
        let stems = files.keys().filter_map(|name| name.strip_suffix(".tofu.json"));
        stems.map(move |stem| files.contains_key(&format!("{stem}.tf.json")))
    });
    assert_eq!(shadowing.filter(|shadows| *shadows).count(), 276);
    let each = stats.bytes as f64 / stats.dirs as f64;
    assert!((80_000.0..97_000.0).contains(&each), "{each} bytes in a directory");
    for suffix in ["_override.tf.json", ".tf", ".pkr.json", ".tfvars.json", ".tftest.json"] {
        assert!(all().any(|(name, _)| name.ends_with(suffix)), "{suffix}");
    }
}

#[test]
fn every_module_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    tree(&TreeOptions { dirs: 60, seed: 2 }, dir.path()).unwrap();
    let directories = files(dir.path());
    let mut calls = 0;
    for (path, files) in &directories {
        let values: BTreeMap<&str, Value> = files
            .iter()
            .filter(|(name, _)| name.ends_with(".json"))
            .map(|(name, text)| (name.as_str(), parse(text)))
            .collect();
        // The files that OpenTofu reads, then those that Terraform reads.
        for tofu in [true, false] {
            let read = |name: &&str| match name.strip_suffix(".tf.json") {
                Some(stem) => !tofu || !values.contains_key(format!("{stem}.tofu.json").as_str()),
                None => tofu && name.ends_with(".tofu.json"),
            };
            let module: Vec<&Value> =
                values.iter().filter(|(name, _)| read(name)).map(|(_, value)| value).collect();
            let mut declared = Declared::default();
            module.iter().for_each(|file| declared.add(file));
            for file in &module {
                declared.check(file);
            }
            for call in module.iter().filter_map(|file| file.get("module")) {
                for (_, call) in call.as_object().unwrap() {
                    let child = path.join(call["source"].as_str().unwrap());
                    let child = &directories[&child.canonicalize().unwrap()];
                    let variables = parse(&child["variables.tf.json"]);
                    for argument in call.as_object().unwrap().keys() {
                        let meta = ["source", "providers"].contains(&argument.as_str());
                        assert!(meta || variables["variable"].get(argument).is_some());
                    }
                    calls += 1;
                }
            }
            if let Some(values) = values.get("terraform.tfvars.json") {
                for name in values.as_object().unwrap().keys() {
                    assert!(declared.has(&format!("var.{name}")), "{name}");
                }
            }
            if let Some(overrides) = values.get("release_override.tf.json") {
                let mut base = Declared::default();
                let name = "release_override.tf.json";
                let others = values.iter().filter(|(other, _)| **other != name && read(other));
                others.for_each(|(_, file)| base.add(file));
                for name in overrides["resource"]["aws_instance"].as_object().unwrap().keys() {
                    assert!(base.has(&format!("aws_instance.{name}")), "{name}");
                }
            }
        }
    }
    assert!(calls >= 80, "{calls} module calls");
}

#[test]
fn the_seed_decides_every_byte() {
    let trees: Vec<_> = [1, 1, 2]
        .into_iter()
        .map(|seed| {
            let dir = tempfile::tempdir().unwrap();
            tree(&TreeOptions { dirs: 24, seed }, dir.path()).unwrap();
            files(dir.path()).into_values().collect::<Vec<_>>()
        })
        .collect();
    assert!(trees[0] == trees[1]);
    assert!(trees[0] != trees[2]);
}

#[test]
fn an_error_names_the_path() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("teams"), "in the way").unwrap();
    let error = tree(&TreeOptions { dirs: 1, seed: 1 }, dir.path()).unwrap_err();
    assert!(error.to_string().contains("teams"), "{error}");
}

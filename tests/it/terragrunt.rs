//! Trees of Terragrunt that are broken in many ways: whatever they are, there is an answer.

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::terragrunt::{Options, check, find};
use simd_hcl_corpus::{cases, sized};

/// A linear congruential generator (Knuth's MMIX).
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn options() -> Options {
    let options = Options::default().with_files(true).with_values(true).with_stacks(true);
    options.with_experiment("deep-merge").with_experiment("symlinks")
}

#[test]
fn mutated_trees_have_an_answer() {
    let all = cases("terragrunt");
    let texts: Vec<Vec<u8>> = all
        .iter()
        .flat_map(|case| files(&case.join("tree")))
        .map(|it| fs::read(it).unwrap())
        .collect();
    let mut rng = Rng(11);
    for round in 0..sized([2, 20, 400]) {
        for case in &all {
            let directory = tempfile::tempdir().unwrap();
            let from = case.join("tree");
            for file in files(&from) {
                let mut text = fs::read(&file).unwrap();
                // The first round takes trees as they are, with the text of another file in one.
                for _ in 0..rng.below(3) {
                    let other = &texts[rng.below(texts.len())];
                    let at = rng.below(text.len() + 1);
                    let end = (at + rng.below(9)).min(text.len());
                    match rng.below(4) {
                        0 => drop(text.splice(at..end, [])),
                        1 => text.insert(at, b"{}[]\"$%\n=#.*\\\0"[rng.below(14)]),
                        2 => drop(text.splice(at..at, other.iter().copied())),
                        _ => text = other.clone(),
                    }
                }
                let to = directory.path().join(file.strip_prefix(&from).unwrap());
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::write(to, text).unwrap();
            }
            let before = files(directory.path());
            let one = find(directory.path(), &options());
            let options_of_check = options();
            let checked = check(&Arena::new(), directory.path(), &options_of_check).units;
            assert_eq!(checked > 0, !one.units.is_empty());
            let changed: Vec<String> =
                before.iter().map(|it| it.to_str().unwrap().to_owned()).collect();
            assert!(one.affected(&changed, &[]).len() <= one.units.len());
            assert_eq!(files(directory.path()), before, "{round} {}", case.display());
            let other = find(directory.path(), &options());
            assert_eq!(format!("{:?}", one.gaps), format!("{:?}", other.gaps));
        }
    }
}

#[test]
fn local_values_of_any_order_are_evaluated() {
    let directory = tempfile::tempdir().unwrap();
    let count = 2_000;
    let mut text = "locals {\n  l0 = 1\n".to_owned();
    for number in (1..count).rev() {
        text.push_str(&format!("  l{number} = local.l{} + 1\n", number - 1));
    }
    text.push_str(&format!("}}\ninputs = {{\n  last = local.l{}\n}}\n", count - 1));
    fs::write(directory.path().join("terragrunt.hcl"), text).unwrap();
    let found = find(directory.path(), &Options::default().with_values(true));
    let rendered = found.units[0].rendered.clone().unwrap();
    assert_eq!(rendered.inputs, format!("{{\"last\":{count}}}"));
    assert!(found.gaps.is_empty());
}

#[test]
fn configurations_that_read_a_chain_are_evaluated() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: String, text: String| fs::write(directory.path().join(name), text).unwrap();
    let count = 300;
    write("0.hcl".to_owned(), "locals {\n  n = 0\n}\n".to_owned());
    for number in 1..count {
        let text = format!(
            "locals {{\n  below = read_terragrunt_config(\"./{}.hcl\")\n  n = local.below.locals.n + 1\n}}\n",
            number - 1
        );
        write(format!("{number}.hcl"), text);
    }
    let text = format!(
        "inputs = {{\n  n = read_terragrunt_config(\"./{}.hcl\").locals.n\n}}\n",
        count - 1
    );
    write("terragrunt.hcl".to_owned(), text);
    let found = find(directory.path(), &Options::default().with_values(true).with_files(true));
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
    assert_eq!(found.units[0].rendered.clone().unwrap().inputs, format!("{{\"n\":{}}}", count - 1));
    assert_eq!(found.units[0].also_reading.len(), count);
}

//! Trees of Terragrunt that are broken in many ways: whatever they are, there is an answer.

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::impact::ImpactOptions;
use simd_hcl::terragrunt::{Options, check, find};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl_corpus::{ReaderOptions, Readers, UnitOptions, cases, readers, sized, units};

use crate::allocations::count;

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
            let checked = check(&Arena::new(), directory.path(), &options_of_check).units.len();
            assert_eq!(checked > 0, !one.units.is_empty());
            let changed: Vec<String> =
                before.iter().map(|it| it.to_str().unwrap().to_owned()).collect();
            assert!(one.affected(&changed, &[], &[]).len() <= one.units.len());
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

/// Blocks of many names, merged at every level: each is looked up, none is compared with all others.
#[test]
fn many_blocks_are_merged() {
    let directory = tempfile::tempdir().unwrap();
    let count = sized([100, 4_000, 50_000]);
    let blocks = |folder: &str| {
        let one = |number: usize| {
            format!(
                "dependency \"d{number}\" {{\n  config_path = \"../{folder}\"\n}}\n\
                 feature \"f{number}\" {{\n  default = {number}\n}}\n\
                 generate \"g{number}\" {{\n  path = \"{folder}{number}\"\n  contents = \"\"\n  if_exists = \"skip\"\n}}\n"
            )
        };
        (0..count).map(one).collect::<String>()
    };
    let unit = directory.path().join("unit");
    for folder in ["unit", "below", "above"] {
        fs::create_dir(directory.path().join(folder)).unwrap();
    }
    fs::write(directory.path().join("root.hcl"), blocks("below")).unwrap();
    fs::write(directory.path().join("below/terragrunt.hcl"), "").unwrap();
    fs::write(directory.path().join("above/terragrunt.hcl"), "").unwrap();
    let include = "include \"root\" {\n  path = \"../root.hcl\"\n  merge_strategy = \"deep\"\n}\n";
    fs::write(unit.join("terragrunt.hcl"), include.to_owned() + &blocks("above")).unwrap();
    let found = find(directory.path(), &options());
    let unit = found.units.iter().find(|it| it.path == "unit").unwrap();
    assert!(found.gaps.is_empty(), "{:?}", found.gaps.first());
    assert_eq!(unit.dependencies, ["above"]);
    assert_eq!(unit.generated_files.len(), count);
    assert!(unit.generated_files.keys().all(|it| it.starts_with("above")));
    assert_eq!(check(&Arena::new(), directory.path(), &options()).units.len(), 3);
}

/// Blocks without labels, and blocks of which one is allowed.
#[test]
fn many_wrong_blocks_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let count = sized([100, 4_000, 50_000]);
    let text = "include {\n  paht = \"a\"\n}\n".repeat(count) + &"locals {\n}\n".repeat(count);
    fs::write(directory.path().join("terragrunt.hcl"), text).unwrap();
    let found = find(directory.path(), &options());
    assert!(found.gaps.len() >= 2 * count - 1, "{}", found.gaps.len());
}

/// The components of a stack share its variables, and what is passed on has a limit.
#[test]
fn values_of_stacks_are_copied_once() {
    let directory = tempfile::tempdir().unwrap();
    let components = 3_000;
    fs::create_dir(directory.path().join("source")).unwrap();
    fs::write(directory.path().join("source/terragrunt.hcl"), "").unwrap();
    let one = |number: usize| {
        format!(
            "unit \"u{number}\" {{\n  source = \"./source\"\n  path = \"u{number}\"\n  \
             autoinclude {{\n    inputs = {{\n      a = 1\n    }}\n  }}\n}}\n"
        )
    };
    let stack = (0..components).map(one).collect::<String>();
    fs::write(directory.path().join("terragrunt.stack.hcl"), stack).unwrap();
    let options = Options::default().with_stacks(true);
    let (found, allocated) = count(|| find(directory.path(), &options));
    assert_eq!(found.units.len(), components + 2, "{:?}", found.gaps.first());
    assert!(found.gaps.is_empty(), "{:?}", found.gaps.first());
    assert!(allocated.peak < 64 << 20, "{allocated:?}");
}

/// Paths with more names than any folder has.
#[test]
fn long_paths_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("source")).unwrap();
    fs::write(directory.path().join("source/terragrunt.hcl"), "").unwrap();
    let long = "a/".repeat(200_000);
    let stack = format!("unit \"u\" {{\n  source = \"./source\"\n  path = \"{long}\"\n}}\n");
    fs::write(directory.path().join("terragrunt.stack.hcl"), stack).unwrap();
    let paths: Vec<String> =
        (0..100).map(|at| format!("\"/{at}/{}\"", "b/".repeat(2_000))).collect();
    let unit = format!("dependencies {{\n  paths = [\"./{long}\", {}]\n}}\n", paths.join(", "));
    fs::write(directory.path().join("terragrunt.hcl"), unit).unwrap();
    let (found, allocated) = count(|| find(directory.path(), &options()));
    let is_told = |what: &str| found.gaps.iter().any(|gap| gap.why.contains(what));
    assert!(is_told("the path of unit \"u\" is too long"), "{:?}", found.gaps.first());
    assert!(is_told("/99/b/b"));
    assert!(allocated.peak < 64 << 20, "{allocated:?}");
}

/// A value that shares its parts takes little memory, and its text a lot.
#[test]
fn doubled_values_are_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let all: String =
        (1..=23).map(|at| format!("  l{at} = [local.l{0}, local.l{0}]\n", at - 1)).collect();
    let text = |first: &str| {
        format!("locals {{\n  l0 = {first}\n{all}}}\ninputs = {{\n  a = local.l23\n}}\n")
    };
    fs::write(directory.path().join("terragrunt.hcl"), text("toset([\"a\"])")).unwrap();
    let (found, allocated) = count(|| find(directory.path(), &options()));
    assert!(found.gaps.iter().any(|gap| gap.what == "values"), "{:?}", found.gaps);
    assert_eq!(found.units[0].rendered.as_ref().unwrap().inputs, "null");
    assert!(allocated.peak < 64 << 20, "{allocated:?}");
    // Parts that are not known are named one by one.
    let all: String =
        (1..=16).map(|at| format!("  l{at} = [local.l{0}, local.l{0}]\n", at - 1)).collect();
    let text =
        format!("locals {{\n  l0 = get_env(\"A\")\n{all}}}\ninputs = {{\n  a = local.l16\n}}\n");
    fs::write(directory.path().join("terragrunt.hcl"), text).unwrap();
    let found = find(directory.path(), &options());
    let unknown = &found.units[0].rendered.as_ref().unwrap().unknown;
    assert_eq!(unknown, &["inputs", "locals"]);
}

/// Configurations that read the next one twice double its value.
#[test]
fn configurations_that_double_each_other_are_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let file = |at: usize| directory.path().join(format!("c{at}.hcl"));
    for at in 0..24 {
        let read = format!("read_terragrunt_config(\"{}\")", file(at + 1).display());
        fs::write(file(at), format!("locals {{\n  a = {read}\n  b = {read}\n}}\n")).unwrap();
    }
    fs::write(file(24), "locals {\n  x = 1\n}\n").unwrap();
    let unit = format!("locals {{\n  a = read_terragrunt_config(\"{}\")\n}}\n", file(0).display());
    fs::write(directory.path().join("terragrunt.hcl"), unit).unwrap();
    let (found, allocated) = count(|| find(directory.path(), &options()));
    assert!(!found.gaps.is_empty());
    assert!(allocated.peak < 256 << 20, "{allocated:?}");
}

/// The answers about changed files are those that the generator of units and modules knows: no unit is
/// missing, a fiftieth more than the truth, and a hundredth of gaps is allowed.
#[test]
fn units_on_top_of_modules_are_affected_as_the_generator_knows() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    fs::create_dir(root.join(".git")).unwrap();
    let options = ReaderOptions { roots: sized([50, 400, 1600]), seed: 7 };
    let of_modules = readers(&options, &root).unwrap();
    let options = UnitOptions { units: 300, kinds: 100, seed: 3 };
    let truth = units(&options, &of_modules, &root).unwrap();
    let arena = Arena::new();
    let modules = discover(&[&root], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let impact = tree.impact(&ImpactOptions::default());
    let found = find(&root, &Options::default().with_files(true));
    assert!(found.gaps.is_empty(), "{:?}", found.gaps);
    assert_eq!(found.units.len() as u64, options.units);
    let nothing = std::collections::BTreeSet::new();
    let files: std::collections::BTreeSet<&String> =
        of_modules.keys().chain(truth.keys()).collect();
    let (mut known, mut missing, mut extra, mut incomplete) = (0, Vec::new(), Vec::new(), 0);
    for &file in &files {
        let wanted = truth.get(file).unwrap_or(&nothing);
        let path = root.join(file);
        let affected = impact.affected(&[&path]);
        incomplete += usize::from(!affected.gaps.is_empty());
        let modules = affected.modules.iter();
        let modules: Vec<String> =
            modules.map(|it| it.path.disk().unwrap().to_str().unwrap().to_owned()).collect();
        let changed = [path.to_str().unwrap().to_owned()];
        let got: std::collections::BTreeSet<String> = found
            .affected(&changed, &modules, &[])
            .into_iter()
            .map(|it| found.units[it.unit].path.clone())
            .collect();
        known += wanted.len();
        missing.extend(wanted.difference(&got).map(|unit| format!("{file}: {unit}")));
        extra.extend(got.difference(wanted).map(|unit| format!("{file}: {unit}")));
    }
    println!(
        "{} changes, {known} readers: {} missing, {} extra, {incomplete} incomplete",
        files.len(),
        missing.len(),
        extra.len()
    );
    let first = |all: &[String]| all.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(missing.is_empty(), "{:#?}", first(&missing));
    assert!(extra.len() * 50 <= known, "{:#?}", first(&extra));
    assert!(incomplete * 100 <= files.len(), "{incomplete} of {}", files.len());
}

/// Values that are passed on to secret inputs are found in time that is linear in the files, however the
/// inputs are computed.
#[test]
fn hidden_values_of_units_are_linear() {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| -> String {
        (0..count).map(|at| line(at) + "\n").collect()
    };
    let inputs = |count| lines(count, &|at| format!("  v{at} = merge(local.l{at}, {{}})"));
    let merged = |count| {
        let all = (0..count).map(|at| format!("local.l{at}")).collect::<Vec<_>>().join(", ");
        format!("inputs = merge({all})\n")
    };
    type Shape<'s> = (&'s str, &'s dyn Fn(usize) -> String);
    let shapes: [Shape<'_>; 6] = [
        ("all inputs of all local values", &|count| {
            let locals =
                lines(count, &|at| format!("  l{at} = merge({{ v{at} = 1 }}, local.base)"));
            format!("locals {{\n  base = {{}}\n{locals}}}\n{}", merged(count))
        }),
        ("all inputs of computed values", &|count| {
            let locals =
                lines(count, &|at| format!("  l{at} = {{ for k, v in local.base : k => v }}"));
            format!("locals {{\n  base = {{ a = \"s\" }}\n{locals}}}\n{}", merged(count))
        }),
        ("a chain", &|count| {
            let locals =
                lines(count, &|at| format!("  l{} = merge(local.l{at}, local.l{at})", at + 1));
            format!("locals {{\n  l0 = {{ v0 = \"s\" }}\n{locals}}}\ninputs = local.l{count}\n")
        }),
        ("parts of one value", &|count| {
            let inputs = lines(count, &|at| format!("  v{at} = local.all[\"k{at}\"]"));
            let locals = "locals {\n  base = { a = \"s\" }\n  all = { for k, v in local.base : k => v }\n}\n";
            format!("{locals}inputs = {{\n{inputs}}}\n")
        }),
        ("parts of an object", &|count| {
            let locals = lines(count, &|at| format!("  l{at} = {{ v{at} = local.l0, w = 1 }}"));
            format!("locals {{\n{locals}}}\ninputs = {{\n{}}}\n", inputs(count))
        }),
        ("other files", &|count| {
            let locals = lines(count, &|at| {
                format!("  l{at} = read_terragrunt_config(\"../o.hcl\").locals.m{at}")
            });
            format!("locals {{\n{locals}}}\n{}", merged(count))
        }),
    ];
    for (name, shape) in shapes {
        let steps_of = |count: usize, is_secret: bool| {
            let directory = tempfile::tempdir().unwrap();
            for folder in [".git", "u", "m"] {
                fs::create_dir(directory.path().join(folder)).unwrap();
            }
            let source = "terraform {\n  source = \"../m\"\n}\n";
            fs::write(directory.path().join("u/terragrunt.hcl"), shape(count) + source).unwrap();
            let others = lines(count, &|at| format!("  m{at} = {{ v{at} = \"s\" }}"));
            fs::write(directory.path().join("o.hcl"), format!("locals {{\n{others}}}\n")).unwrap();
            let flag = |at| format!("variable \"v{at}\" {{\n  sensitive = {is_secret}\n}}");
            fs::write(directory.path().join("m/main.tf"), lines(count, &flag)).unwrap();
            let before = simd_hcl::fuzzing::steps();
            let found = simd_hcl::terragrunt::hidden(directory.path(), &Options::default());
            assert_ne!(found.is_empty(), is_secret, "{name}");
            let listed = find(directory.path(), &Options::default().with_values(true));
            assert_eq!(listed.units.len(), 1);
            Some(simd_hcl::fuzzing::steps()? - before?)
        };
        // The rest is the evaluation.
        let cost = |count| Some(steps_of(count, true)? - steps_of(count, false)?);
        let (Some(few), Some(many)) = (cost(100), cost(400)) else {
            println!("skipped: this build does not count steps");
            return;
        };
        assert!(many <= few * 6, "{name}: {few} steps for 100 inputs, {many} for 400");
    }
}

/// Each unit costs the same, however many there are.
#[test]
fn lists_of_units_are_linear() {
    let cost = |count: u64| {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(".git")).unwrap();
        let options = UnitOptions { units: count, kinds: 10, seed: 1 };
        units(&options, &Readers::new(), directory.path()).unwrap();
        let before = simd_hcl::fuzzing::steps();
        let found = find(directory.path(), &Options::default().with_files(true));
        assert_eq!(found.units.len() as u64, count);
        Some(simd_hcl::fuzzing::steps()? - before?)
    };
    let (Some(few), Some(many)) = (cost(60), cost(240)) else {
        println!("skipped: this build does not count steps");
        return;
    };
    assert!(many <= few * 5, "{few} steps for 60 units, {many} for 240");
}

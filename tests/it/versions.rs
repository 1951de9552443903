//! `corpus/conformance/versions`: constructs that not all releases of the tools accept.

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::diagnostic::Severity;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::rules::{self, OptionValue, Selection};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect};

/// The verdict of a release on each case: `terraform@1.9`, and whether it accepts the module.
fn verdicts(case: &Path) -> Vec<(String, bool)> {
    let text = fs::read_to_string(case.join("verdicts")).unwrap();
    let verdict = |line: &str| {
        let (release, verdict) = line.split_once(' ').unwrap();
        (release.to_owned(), verdict == "valid")
    };
    text.lines().map(verdict).collect()
}

/// The cases with errors for a release, as `check --dialect` finds them.
fn refused(cases: &[PathBuf], release: &str) -> Vec<bool> {
    let (tool, minor) = release.split_once("@1.").unwrap();
    let dialect: Dialect = tool.parse().unwrap();
    let directories: Vec<PathBuf> = cases.iter().map(|case| case.join("dir")).collect();
    let discovery = discover(&directories, &DiscoverOptions::default().with_dialect(Some(dialect)));
    let arena = Arena::new();
    let options = TreeOptions::default().with_release(minor.parse().ok());
    let mut tree = Tree::load(&arena, discovery.modules, &options);
    tree.check_bodies(&simd_hcl::show::BodySchemas::built_in(&arena));
    let mut selection = Selection::new();
    for rule in rules::of_releases() {
        selection.add(rule);
        selection.set(rule, "release", OptionValue::Text(release.to_owned())).unwrap();
    }
    let of_rules = rules::check(&tree, &selection);
    let errors = tree.diagnostics().chain(&of_rules).filter(|it| it.severity() == Severity::Error);
    let names: Vec<&str> = errors.map(|it| it.source().name()).collect();
    let is_refused = |case: &PathBuf| names.iter().any(|name| Path::new(name).starts_with(case));
    cases.iter().map(is_refused).collect()
}

/// Each release accepts or refuses a construct as the tables say. The file `reason` of a case says why we
/// say something else of a release.
#[test]
fn releases_have_the_constructs_of_the_tables() {
    let cases = simd_hcl_corpus::cases("versions");
    let expected: Vec<Vec<(String, bool)>> = cases.iter().map(|case| verdicts(case)).collect();
    let mut releases: Vec<&str> =
        expected.iter().flatten().map(|(release, _)| release.as_str()).collect();
    releases.sort_unstable();
    releases.dedup();
    let mut differences: Vec<Vec<&str>> = vec![Vec::new(); cases.len()];
    for &release in &releases {
        let refused = refused(&cases, release);
        for ((found, expected), is_refused) in differences.iter_mut().zip(&expected).zip(refused) {
            let verdict = expected.iter().find(|(name, _)| name == release);
            if verdict.is_some_and(|(_, is_valid)| *is_valid == is_refused) {
                found.push(release);
            }
        }
    }
    let wrong = cases.iter().zip(&differences);
    let wrong = wrong.filter(|(case, found)| found.is_empty() == case.join("reason").exists());
    let wrong: Vec<String> = wrong
        .map(|(case, found)| format!("{}: {found:?}", simd_hcl_corpus::name_of(case)))
        .collect();
    assert!(wrong.is_empty(), "{} cases: {wrong:#?}", wrong.len());
    let is_older = |tool: &str| releases.iter().filter(|it| it.starts_with(tool)).count();
    let is_whole = cases.len() > 50 && is_older("terraform") > 5 && is_older("opentofu") > 1;
    assert!(is_whole || !simd_hcl_corpus::are_all(), "cases or releases are missing");
}

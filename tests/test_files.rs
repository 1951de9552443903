//! Test files and files of variables: `corpus/conformance/test-files`, and what their model gives.
//!
//! In each case `dir` is a module and `expected.json` says what is wrong with it (`diagnostics`: code, file, line and
//! column), by the rules of `dialect`. Where `oracle` names a command of Terraform, `terraform` is what that says. Each of its errors
//! is to be met by one of ours, of a code that stands for its summary, in its place; and ours by one of its.
//! `differs` says why if that is not so. `SIMD_HCL_BLESS=1` writes `diagnostics` anew: review the difference.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::test::{Command, PlanMode};
use simd_hcl::reference::Mode;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Dialect, Severity};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance")
}

fn load<'a>(arena: &'a Arena, directory: &Path, dialect: Dialect) -> Tree<'a> {
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let discovery = discover(&[directory], &options);
    Tree::load(arena, discovery.modules, &TreeOptions::default())
}

/// Of Terraform's diagnostics and ours: whether it is an error, the summaries that it stands for, and its place.
struct Told {
    is_error: bool,
    summaries: Vec<String>,
    place: Option<(String, u64, u64)>,
}

impl Told {
    fn ours(told: &Value) -> Self {
        let code = Code::from_name(told["code"].as_str().unwrap()).unwrap();
        Self {
            is_error: told["severity"] == "error",
            summaries: code.reference_summaries().iter().map(|&each| each.to_owned()).collect(),
            place: Some((
                told["file"].as_str().unwrap().to_owned(),
                told["line"].as_u64().unwrap(),
                told["column"].as_u64().unwrap(),
            )),
        }
    }

    fn terraform(told: &Value) -> Self {
        let start = &told["range"]["start"];
        let place = start["line"].as_u64().zip(start["column"].as_u64());
        Self {
            is_error: told["severity"] == "error",
            summaries: vec![told["summary"].as_str().unwrap().to_owned()],
            place: told["filename"]
                .as_str()
                .zip(place)
                .map(|(file, (line, column))| (file.to_owned(), line, column)),
        }
    }

    fn meets(&self, terraform: &Self) -> bool {
        let fits = |pattern: &String| match pattern.split_once('*') {
            Some((start, end)) => {
                terraform.summaries[0].starts_with(start) && terraform.summaries[0].ends_with(end)
            }
            None => *pattern == terraform.summaries[0],
        };
        // Terraform places traversals one column too far left.
        let is_at = |theirs: &(String, u64, u64)| {
            self.place.as_ref().is_some_and(|ours| {
                (&ours.0, ours.1) == (&theirs.0, theirs.1)
                    && (ours.2 == theirs.2 || ours.2 == theirs.2 + 1)
            })
        };
        self.is_error == terraform.is_error
            && self.summaries.iter().any(fits)
            && terraform.place.as_ref().is_none_or(is_at)
    }
}

/// What differs from Terraform's answer; empty if nothing.
fn differences(expected: &Value, ours: &[Value]) -> Vec<String> {
    let Some(terraform) = expected["terraform"].as_array() else { return Vec::new() };
    let ours: Vec<_> = ours.iter().map(|told| (Told::ours(told), told)).collect();
    let theirs: Vec<_> = terraform.iter().map(|told| (Told::terraform(told), told)).collect();
    let missing = theirs
        .iter()
        .filter(|(theirs, _)| theirs.is_error && !ours.iter().any(|(ours, _)| ours.meets(theirs)))
        .map(|(_, told)| format!("missing: {}", told["summary"]));
    let more = ours
        .iter()
        .filter(|(ours, _)| {
            let told = !ours.summaries.is_empty();
            told && !theirs.iter().any(|(theirs, _)| ours.meets(theirs))
        })
        .map(|(_, told)| format!("more: {told}"));
    missing.chain(more).collect()
}

#[test]
fn diagnostics_are_expected() {
    let bless = std::env::var_os("SIMD_HCL_BLESS").is_some();
    let mut cases: Vec<_> = fs::read_dir(corpus().join("test-files"))
        .unwrap()
        .map(|case| case.unwrap().path())
        .filter(|case| case.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() >= 60, "cases are missing");
    let mut failures = Vec::new();
    for case in cases {
        let path = case.join("expected.json");
        let mut expected: Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let dialect: Dialect = expected["dialect"].as_str().unwrap().parse().unwrap();
        let arena = Arena::new();
        let tree = load(&arena, &case.join("dir"), dialect);
        let ours: Vec<Value> = tree
            .diagnostics()
            .filter(|diagnostic| diagnostic.code() != Code::UnusedDeclaration)
            .map(|diagnostic| {
                let name = Path::new(diagnostic.source().name());
                let at = diagnostic.source().position(diagnostic.span().start);
                let mut told = json!({
                    "severity": diagnostic.severity().as_str(),
                    "code": diagnostic.code().as_str(),
                    "file": name.strip_prefix(case.join("dir")).unwrap().to_str().unwrap(),
                    "line": at.line,
                    "column": at.column,
                    "detail": diagnostic.detail(),
                });
                if let Some(related) = diagnostic.related().first() {
                    let at = related.label.source.position(related.label.span.start);
                    told["related"] = json!([at.line, at.column, related.message]);
                }
                told
            })
            .collect();
        let differences = differences(&expected, &ours);
        if differences.is_empty() == expected["differs"].is_string() {
            failures.push(format!("{}: {differences:#?}", case.display()));
        }
        if bless {
            expected["diagnostics"] = ours.into();
            fs::write(&path, format!("{expected:#}\n")).unwrap();
        } else if expected["diagnostics"].as_array() != Some(&ours) {
            failures.push(format!("{}: {:#}", case.display(), json!(ours)));
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

//! Modules of `corpus/conformance/terraform`: what we say is wrong with them beside what Terraform says.
//!
//! `expected.json` is Terraform's answer. Each of its diagnostics is to be met by one of ours, of a code that stands
//! for its summary, at the same place. Where that is not so, `simd-hcl.json` beside it holds the difference, and
//! `docs/compatibility.md` says why. `SIMD_HCL_BLESS=1` writes these files anew: review the difference.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Dialect, Severity};

fn cases() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/terraform");
    let mut cases = Vec::new();
    for group in fs::read_dir(corpus).unwrap() {
        let group = group.unwrap().path();
        if group.is_dir() {
            cases.extend(fs::read_dir(group).unwrap().map(|case| case.unwrap().path()));
        }
    }
    cases.sort();
    assert!(cases.len() > 150, "cases are missing");
    cases
}

/// A diagnostic of either side.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    is_error: bool,
    /// Ours: the summaries that our code stands for, `*` for any text. Terraform's: its summary.
    summaries: Vec<String>,
    /// Ours: the code.
    code: &'static str,
    file: String,
    /// Line and column, from 1; none if Terraform gives no place.
    place: Option<(u64, u64)>,
}

impl Told {
    fn ours(case: &Path, diagnostic: &Diagnostic<'_>) -> Self {
        let source = diagnostic.source();
        let name = Path::new(source.name());
        let file = name.strip_prefix(case.join("dir")).unwrap_or(name);
        let at = source.position(diagnostic.span().start);
        let code = diagnostic.code();
        Self {
            is_error: diagnostic.severity() == Severity::Error,
            summaries: code.reference_summaries().iter().map(|&each| each.to_owned()).collect(),
            code: code.as_str(),
            file: file.to_string_lossy().into_owned(),
            place: Some((u64::from(at.line), u64::from(at.column))),
        }
    }

    fn terraform(diagnostic: &Value) -> Self {
        let start = &diagnostic["range"]["start"];
        Self {
            is_error: diagnostic["severity"] == "error",
            summaries: vec![diagnostic["summary"].as_str().unwrap().to_owned()],
            code: "",
            file: diagnostic["filename"].as_str().unwrap_or_default().to_owned(),
            place: start["line"].as_u64().zip(start["column"].as_u64()),
        }
    }

    /// Whether one of our summaries is Terraform's.
    fn is_kind_of(&self, terraform: &Self) -> bool {
        self.is_error == terraform.is_error
            && self.summaries.iter().any(|pattern| fits(pattern, &terraform.summaries[0]))
    }

    fn is_at(&self, terraform: &Self) -> bool {
        self.file == terraform.file && self.place == terraform.place
    }

    fn show(&self) -> Value {
        let place = self.place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
        let what = if self.code.is_empty() { self.summaries[0].as_str() } else { self.code };
        json!(format!("{}{place}: {what}", self.file))
    }
}

/// Whether a text is a pattern's, in which one `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end)
        }
        None => pattern == text,
    }
}

/// What Terraform says while it loads, initialises and validates; what it says twice, once.
fn terraform(expected: &Value) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for part in ["load", "init", "validate"] {
        for diagnostic in expected[part]["diagnostics"].as_array().into_iter().flatten() {
            let diagnostic = Told::terraform(diagnostic);
            let same = |other: &Told| {
                other.summaries == diagnostic.summaries
                    && (other.place == diagnostic.place && other.file == diagnostic.file
                        || diagnostic.place.is_none()
                        || diagnostic.file.is_empty())
            };
            if !told.iter().any(same) {
                told.push(diagnostic);
            }
        }
    }
    told
}

fn ours(case: &Path) -> Vec<Told> {
    let options = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
    let discovery = discover(&[case.join("dir")], &options);
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    let modules = tree.modules().iter().flat_map(|module| &module.diagnostics);
    modules.map(|diagnostic| Told::ours(case, diagnostic)).collect()
}

/// What one side says and the other does not; null if both agree.
fn difference(ours: &[Told], terraform: &[Told]) -> Value {
    let mut left: Vec<&Told> = ours.iter().collect();
    let mut take = |fits: &dyn Fn(&Told) -> bool| {
        let place = left.iter().position(|each| fits(each))?;
        Some(left.remove(place))
    };
    let (mut missing, mut elsewhere) = (Vec::new(), Vec::new());
    let mut unmet = Vec::new();
    for theirs in terraform {
        if take(&|ours| ours.is_kind_of(theirs) && ours.is_at(theirs)).is_none() {
            unmet.push(theirs);
        }
    }
    for theirs in unmet {
        match take(&|ours| ours.is_kind_of(theirs)) {
            Some(ours) => elsewhere.push(json!([ours.show(), theirs.show()])),
            None => missing.push(theirs.show()),
        }
    }
    // Of what only we report, nothing is compared.
    let more = left.iter().filter(|each| each.is_error && !each.summaries.is_empty());
    let more: Vec<Value> = more.map(|each| each.show()).collect();
    let lists = [("missing", missing), ("elsewhere", elsewhere), ("more", more)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists: serde_json::Map<_, _> =
        lists.map(|(name, list)| (name.to_owned(), json!(list))).collect();
    if lists.is_empty() { Value::Null } else { Value::Object(lists) }
}

#[test]
fn diagnostics_are_those_of_terraform() {
    let bless = std::env::var_os("SIMD_HCL_BLESS").is_some();
    let mut failures = Vec::new();
    for case in cases() {
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let difference = difference(&ours(&case), &terraform(&expected));
        let path = case.join("simd-hcl.json");
        let text = format!("{difference:#}\n");
        let recorded = fs::read_to_string(&path).ok();
        if bless {
            match difference {
                Value::Null => drop(fs::remove_file(&path)),
                _ => fs::write(&path, text).unwrap(),
            }
        } else if recorded != (!difference.is_null()).then_some(text) {
            failures.push(format!("{}: {difference:#}", case.display()));
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

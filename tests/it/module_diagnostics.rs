//! Modules of `corpus/conformance/terraform`: our diagnostics compared with Terraform's.
//!
//! `expected.json` is Terraform's answer. Each of its diagnostics must match one of ours at the
//! same place, whose code corresponds to its summary; one of ours may match several, since we
//! report a fact once. Diagnostics of later phases count only if Terraform gets that far, and only
//! the first of a file with a syntax error counts. Terraform places traversals one column too far
//! left. If the rest differs, `simd-hcl.json` beside it has the difference, and
//! `docs/compatibility.md` says why. `SIMD_HCL_BLESS=1` updates these files: review the diff.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Dialect, Severity};

/// A diagnostic of Terraform or ours.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    is_error: bool,
    /// The summary of Terraform; for ours, the summaries that our code corresponds to, in which `*`
    /// means any text.
    summaries: Vec<String>,
    /// The code of our diagnostic.
    code: &'static str,
    /// Whether our diagnostic is a syntax error.
    is_syntax: bool,
    /// Whether our diagnostic is about a body that a provider reads.
    is_of_body: bool,
    file: String,
    /// Line and column, from 1; `None` if Terraform gives no position.
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
            is_syntax: (Code::NotUtf8Encoding..=Code::InvalidEscape).contains(&code),
            is_of_body: false,
            file: file.to_string_lossy().into_owned(),
            place: Some((at.line, at.column)),
        }
    }

    fn terraform(diagnostic: &Value) -> Self {
        let start = &diagnostic["range"]["start"];
        Self {
            is_error: diagnostic["severity"] == "error",
            summaries: vec![diagnostic["summary"].as_str().unwrap().to_owned()],
            code: "",
            is_syntax: false,
            is_of_body: false,
            file: diagnostic["filename"].as_str().unwrap_or_default().to_owned(),
            place: start["line"].as_u64().zip(start["column"].as_u64()),
        }
    }

    /// Returns whether one of our summaries is Terraform's.
    fn is_kind_of(&self, terraform: &Self) -> bool {
        self.is_error == terraform.is_error
            && self.summaries.iter().any(|pattern| fits(pattern, &terraform.summaries[0]))
    }

    fn is_at(&self, terraform: &Self) -> bool {
        let is_near = |ours: (u64, u64), theirs: (u64, u64)| {
            ours == theirs || ours == (theirs.0, theirs.1 + 1)
        };
        self.file == terraform.file
            && self.place.zip(terraform.place).is_some_and(|(ours, theirs)| is_near(ours, theirs))
    }

    /// Returns whether Terraform reports this only after it loaded the module without errors.
    fn is_late(&self) -> bool {
        const LATE: [&str; 34] = [
            "import-target",
            "undeclared-reference",
            "undeclared-dependency",
            "undeclared-argument",
            "undeclared-output",
            "missing-module",
            "missing-module-argument",
            "circular-reference",
            "invalid-reference",
            "invalid-dependency",
            "out-of-scope",
            "unknown-attribute",
            "missing-instance-key",
            "unexpected-instance-key",
            "missing-module-key",
            "unexpected-module-key",
            "count-attribute",
            "scoped-reference",
            "module-source",
            "version-constraint",
            "unknown-function",
            "expected-failure",
            "missing-test-provider",
            "undeclared-provider",
            "count-value",
            "for-each-value",
            "import-identifier",
            "message-value",
            "unknown-variable",
            "unsupported-attribute",
            "invalid-operand",
            "too-few-arguments",
            "too-many-arguments",
            "reserved-symbol",
        ];
        self.is_of_body || LATE.contains(&self.code)
    }

    fn show(&self) -> Value {
        let place = self.place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
        let what = if self.code.is_empty() { self.summaries[0].as_str() } else { self.code };
        json!(format!("{}{place}: {what}", self.file))
    }
}

/// Returns whether a text matches a pattern, in which one `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end)
        }
        None => pattern == text,
    }
}

/// Returns the diagnostics of Terraform from loading, `init` and `validate`, without duplicates.
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
    let mut tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    // Terraform checked the case as a root module.
    tree.check_roots(|module| Some(module.files.path == case.join("dir")));
    let all = |tree: &Tree<'_>| -> Vec<Vec<Told>> {
        let told = |it: &Diagnostic<'_>| Told::ours(case, it);
        tree.modules().iter().map(|it| it.diagnostics.iter().map(told).collect()).collect()
    };
    let declared = all(&tree);
    tree.check_bodies(&crate::terraform_schemas(case, &arena));
    tree.check_files();
    let mut told: Vec<Told> = Vec::new();
    for (declared, module) in declared.into_iter().zip(all(&tree)) {
        for diagnostic in module {
            let is_of_body = !declared.contains(&diagnostic);
            let diagnostic = Told { is_of_body, ..diagnostic };
            let is_of_plan = crate::OF_PLANS.contains(&diagnostic.code);
            if !is_of_plan && !told.contains(&diagnostic) {
                told.push(diagnostic);
            }
        }
    }
    told
}

/// Returns the diagnostics of only one side; null if both agree.
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
    // Remove diagnostics that only follow from a syntax error of both.
    unmet.retain(|theirs: &&Told| {
        !ours.iter().any(|ours| {
            ours.is_syntax && ours.file == theirs.file
                || ours.is_kind_of(theirs) && ours.is_at(theirs)
        })
    });
    for theirs in unmet {
        match take(&|ours| ours.is_kind_of(theirs)) {
            Some(ours) => elsewhere.push(json!([ours.show(), theirs.show()])),
            None => missing.push(theirs.show()),
        }
        // Diagnostics of Terraform without a position match repeatedly.
        while theirs.place.is_none() && take(&|ours| ours.is_kind_of(theirs)).is_some() {}
    }
    // Additional errors of ours from later phases count only if Terraform did not fail.
    let failed = terraform.iter().any(|each| each.is_error);
    let more = left
        .iter()
        .filter(|each| each.is_error && !each.summaries.is_empty() && !(failed && each.is_late()));
    let more: Vec<Value> = more.map(|each| each.show()).collect();
    let lists = [("missing", missing), ("elsewhere", elsewhere), ("more", more)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists: serde_json::Map<_, _> =
        lists.map(|(name, list)| (name.to_owned(), json!(list))).collect();
    if lists.is_empty() { Value::Null } else { Value::Object(lists) }
}

/// We reject exactly the modules that Terraform rejects.
#[test]
fn accepts_what_terraform_accepts() {
    let mut differences = Vec::new();
    for case in crate::terraform_cases() {
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let terraform = terraform(&serde_json::from_str(&expected).unwrap());
        let refuses = |told: &[Told]| told.iter().any(|each| each.is_error);
        let name = simd_hcl_corpus::name_of(&case);
        let name = name.strip_prefix("terraform/").unwrap().to_owned();
        let agrees = refuses(&ours(&case)) == refuses(&terraform);
        if agrees == EXCEPTIONS.contains(&name.as_str()) {
            differences.push(name);
        }
    }
    assert!(differences.is_empty(), "{} cases: {differences:#?}", differences.len());
}

/// Small modules, each with one construct: we accept what Terraform accepts. The file `reason` of a case
/// says why we do not.
#[test]
fn small_modules_have_the_verdict_of_terraform() {
    let mut differences = Vec::new();
    let cases = simd_hcl_corpus::cases("verdicts");
    assert!(cases.len() > 1000 || !simd_hcl_corpus::are_all(), "cases are missing");
    for case in cases {
        let verdict = fs::read_to_string(case.join("verdict")).unwrap();
        let is_refused = ours(&case).iter().any(|told| told.is_error);
        let agrees = is_refused == (verdict.trim() == "invalid");
        if agrees == case.join("reason").exists() {
            differences.push(format!("{}: {}", simd_hcl_corpus::name_of(&case), verdict.trim()));
        }
    }
    assert!(differences.is_empty(), "{} cases: {differences:#?}", differences.len());
}

/// Cases that only one side accepts.
const EXCEPTIONS: [&str; 15] = [
    // The module calls itself: Terraform already fails when it installs the module.
    "by-block/073-source-05",
    // We reject invalid UTF-8 at its exact byte.
    "blocks-error/008-invalid-utf8",
    // Terraform panics.
    "blocks-error/077-module-source-null",
    "blocks-error/081-module-ignore-nested-deprecations-string",
    // Needs the provider's schema of actions.
    "resources/045-action-trigger-07",
    // Undeclared: Terraform does not get to `validate` without the provider.
    "blocks-ok/062-ephemeral",
    // The called modules are missing or not installed, so Terraform did not validate.
    "by-block/070-source-02",
    "by-block/071-source-03",
    "by-block/084-source-16",
    "by-block/090-source-22",
    "by-block/097-source-29",
    "by-block/117-module-child",
    "by-block/118-module-child-2",
    // `validate` checks the module that a run tests without the providers that the run passes to
    // it.
    "tests/070-run-passes-alias",
    "tests/072-run-of-module-takes-all",
];

#[test]
fn diagnostics_are_those_of_terraform() {
    let bless = std::env::var_os("SIMD_HCL_BLESS").is_some();
    let mut failures = Vec::new();
    for case in crate::terraform_cases() {
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let difference = difference(&ours(&case), &terraform(&expected));
        let text = (!difference.is_null()).then(|| format!("{difference:#}\n"));
        if fs::read_to_string(case.join("simd-hcl.json")).ok() == text {
            continue;
        }
        match bless {
            true => {
                simd_hcl_corpus::bless(&case, "simd-hcl.json", text.as_deref().map(str::as_bytes))
            }
            false => failures.push(format!("{}: {difference:#}", case.display())),
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

//! Test files and variables files: the cases of `corpus/conformance/test-files`, and the model.
//!
//! In each case, `dir` is a module, and `expected.json` has its `diagnostics` (code, file, line and
//! column) by the rules of `dialect`. If `oracle` names a command of Terraform, `terraform` has the
//! diagnostics of that command. Each error of either side must match an error of the other at the
//! same place, with a code that corresponds to the summary; otherwise `differs` has the reason.
//! `SIMD_HCL_BLESS=1` updates `diagnostics`: review the diff.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::ProviderConfigName;
use simd_hcl::module::test::{Command, PlanMode};
use simd_hcl::reference::Mode;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Dialect};

fn load<'a>(arena: &'a Arena, directory: &Path, dialect: Dialect) -> Tree<'a> {
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let discovery = discover(&[directory], &options);
    Tree::load(arena, discovery.modules, &TreeOptions::default())
}

/// A diagnostic of Terraform or ours: whether it is an error, its summaries, and its place.
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

/// Returns the differences from Terraform's diagnostics.
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
    let cases = simd_hcl_corpus::cases("test-files");
    assert!(cases.len() >= 60 || !simd_hcl_corpus::are_all(), "cases are missing");
    let mut failures = Vec::new();
    for case in cases {
        let mut expected: Value =
            serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
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
                    "detail": diagnostic.message(),
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
        if expected["diagnostics"].as_array() == Some(&ours) {
            continue;
        }
        if bless {
            expected["diagnostics"] = ours.into();
            let text = format!("{expected:#}\n");
            simd_hcl_corpus::bless(&case, "expected.json", Some(text.as_bytes()));
        } else {
            failures.push(format!("{}: {:#}", case.display(), json!(ours)));
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

/// Loads the module of a case.
fn read<'a>(arena: &'a Arena, case: &str, dialect: Dialect) -> Tree<'a> {
    let (set, rest) = case.split_once('/').unwrap();
    let directory = simd_hcl_corpus::conformance(set).join(rest).join("dir");
    let tree = load(arena, &directory, dialect);
    assert!(!tree.modules().is_empty(), "{case}");
    tree
}

#[test]
fn everything_of_terraform_has_a_type() {
    let arena = Arena::new();
    let tree = read(&arena, "terraform/tests/001-all-blocks", Dialect::Terraform);
    let module = tree.modules().iter().find(|module| !module.tests.is_empty()).unwrap();
    let [file] = module.tests.as_slice() else { panic!("one file") };
    let types: Vec<_> = file.blocks.iter().map(|block| block.block_type()).collect();
    assert_eq!(types[..3], ["test", "variables", "variable"]);
    assert_eq!(file.settings.unwrap().parallel, Some(true));
    let values: Vec<_> = file.variables.iter().map(|value| value.name()).collect();
    assert_eq!(values, ["v", "w"]);
    assert!(file.declared_variables.get("q").is_some_and(|variable| variable.default.is_some()));
    let providers: Vec<_> = file.providers.iter().map(|each| (each.name, each.alias)).collect();
    assert_eq!(providers, [("terraform", None), ("terraform", Some("east"))]);

    let mock = file.mock_providers.get(ProviderConfigName::new("aws", Some("fake"))).unwrap();
    assert_eq!(mock.override_during, Some(Command::Plan));
    let mocked: Vec<_> = mock
        .resources
        .iter()
        .map(|each| (each.mode, each.resource_type, each.override_during))
        .collect();
    assert_eq!(
        mocked,
        [(Mode::Managed, "aws_instance", None), (Mode::Data, "aws_ami", Some(Command::Apply)),]
    );
    assert!(mock.resources[0].defaults.is_some_and(|defaults| defaults.as_map().is_some()));

    let targets: Vec<_> = file
        .replacements
        .iter()
        .map(|each| (each.block.block_type(), each.target.unwrap().to_string()))
        .collect();
    assert_eq!(
        targets,
        [
            ("override_resource", "terraform_data.a".to_owned()),
            ("override_data", "data.terraform_remote_state.s".to_owned()),
            ("override_module", "module.c".to_owned()),
        ]
    );
    assert_eq!(file.replacements[0].override_during, Some(Command::Plan));
    assert!(file.replacements[2].values.is_some());

    let [first, second] = file.runs.as_slice() else { panic!("two runs") };
    assert_eq!((first.name, first.command), ("first", Command::Plan));
    assert_eq!((first.parallel, first.state_key), (Some(false), Some("main")));
    let options = first.plan_options.unwrap();
    assert_eq!((options.mode, options.refresh), (PlanMode::RefreshOnly, Some(true)));
    let shown = |traversals: &[simd_hcl::native::Traversal<'_>]| {
        traversals.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(shown(options.replace), ["terraform_data.a"]);
    assert_eq!(shown(options.target), ["terraform_data.a", "module.c"]);
    assert_eq!(
        shown(first.expect_failures),
        ["var.v", "output.o", "check.k", "terraform_data.a", "data.terraform_remote_state.s"]
    );
    assert_eq!(first.providers[0].outer.to_string(), "terraform.east");
    assert_eq!(first.assertions.len(), 1);
    let mut references = Vec::new();
    first.visit_references(|traversal| references.push(traversal.to_string()));
    assert_eq!(references, ["output.o", "var.w"]);
    assert_eq!((second.name, second.command), ("second", Command::Apply));
    assert_eq!(second.replacements.len(), 2);
}

#[test]
fn everything_of_opentofu_has_a_type() {
    let arena = Arena::new();
    let tree = read(&arena, "test-files/048-opentofu-all", Dialect::OpenTofu);
    let [file] = tree.modules()[0].tests.as_slice() else { panic!("one file") };
    assert!(file.settings.is_none());
    let each = file.providers.get(ProviderConfigName::new("terraform", Some("each"))).unwrap();
    assert!(each.for_each.is_some());
    let mock = file.mock_providers.get(ProviderConfigName::new("aws", Some("fake"))).unwrap();
    assert!(mock.for_each.is_some());
    assert_eq!(mock.replacements.len(), 2);
    let targets: Vec<_> =
        file.replacements.iter().map(|each| each.target.unwrap().to_string()).collect();
    assert_eq!(targets[1], "module.c[*].terraform_data.x[*]");
    let address = file.replacements[1].target.unwrap().address;
    assert_eq!((address.modules, address.has_module_key, address.has_key), (1, true, true));
    let module = file.runs[2].module.unwrap();
    assert_eq!((module.source, module.version), (Some("hashicorp/consul/aws"), Some("~> 1.0")));
    assert!(file.runs[1].module.unwrap().address.is_some());
}

#[test]
fn later_values_count() {
    let arena = Arena::new();
    let tree = read(&arena, "test-files/009-values-order", Dialect::Terraform);
    let assignments = &tree.modules()[0].assignments;
    let files: Vec<_> = assignments
        .all()
        .iter()
        .map(|value| Path::new(value.source().name()).file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(files, ["terraform.tfvars.json", "a.auto.tfvars.json", "b.auto.tfvars.json"]);
    let effective: Vec<_> = assignments.effective().collect();
    assert_eq!(effective.len(), 1);
    let value = assignments.get("a").unwrap();
    assert_eq!(value.source(), effective[0].source());
    assert!(value.source().name().ends_with("b.auto.tfvars.json"));
    assert!(assignments.get("b").is_none());
}

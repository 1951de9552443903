//! Cases of `corpus/conformance/opentofu`: features that only OpenTofu or only Terraform has, by
//! the rules of each.
//!
//! `expected.json` of a case was written by hand, from the documentation of the rules; `NOTES.md`
//! there describes its members. `SIMD_HCL_BLESS` does not change it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::{IgnoreChanges, Module};
use simd_hcl::tree::{Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Dialect, Expression, Severity};

/// Returns the diagnostics, without warnings that do not correspond to a summary of the reference.
fn told(case: &Path, tree: &Tree<'_>) -> Vec<Value> {
    let mut told = Vec::new();
    for diagnostic in tree.modules().iter().flat_map(|module| &module.diagnostics) {
        if crate::OF_PLANS.contains(&diagnostic.code().as_str()) {
            continue;
        }
        let is_error = diagnostic.severity() == Severity::Error;
        if is_error || !diagnostic.code().reference_summaries().is_empty() {
            told.push(show(case, diagnostic));
        }
    }
    told
}

fn show(case: &Path, diagnostic: &Diagnostic<'_>) -> Value {
    let source = diagnostic.source();
    let name = Path::new(source.name());
    let at = source.position(diagnostic.span().start);
    json!({
        "severity": if diagnostic.severity() == Severity::Error { "error" } else { "warning" },
        "code": diagnostic.code().as_str(),
        "file": name.strip_prefix(case.join("dir")).unwrap_or(name).to_string_lossy(),
        "line": at.line,
        "column": at.column,
    })
}

/// Returns the source text of a value.
fn text(value: Option<Expression<'_>>) -> Value {
    let text = |value: Expression<'_>| {
        let bytes = value.span().slice(value.source().bytes());
        serde_json::from_slice::<Value>(bytes).unwrap()
    };
    value.map_or(Value::Null, text)
}

/// Returns the objects of a module by kind and name, with the properties that are set. If several
/// blocks, such as `moved`, have the same address, the second is `ADDRESS #2`.
fn declared(module: &Module<'_>) -> Value {
    let mut kinds = Map::new();
    let mut add = |kind: &str, name: String, properties: Value| {
        let Value::Object(mut properties) = properties else { unreachable!() };
        properties.retain(|_, value| !value.is_null());
        let objects = kinds.entry(kind).or_insert_with(|| json!({})).as_object_mut().unwrap();
        let further = (2..).map(|place| format!("{name} #{place}"));
        let mut names = std::iter::once(name.clone()).chain(further);
        let name = names.find(|name| !objects.contains_key(name)).unwrap();
        objects.insert(name, Value::Object(properties));
    };
    for each in &module.variables {
        let properties = json!({
            "default": text(each.default),
            "description": each.description,
            "deprecated": each.deprecated,
            "sensitive": each.sensitive,
            "ephemeral": each.ephemeral,
            "nullable": each.nullable,
            "const": each.is_const,
        });
        add("variables", each.name.to_owned(), properties);
    }
    for each in &module.locals {
        add("locals", each.name.to_owned(), json!({"value": text(Some(each.value()))}));
    }
    for each in &module.outputs {
        let properties = json!({
            "value": text(each.value),
            "description": each.description,
            "deprecated": each.deprecated,
            "sensitive": each.sensitive,
            "ephemeral": each.ephemeral,
        });
        add("outputs", each.name.to_owned(), properties);
    }
    for each in &module.providers {
        let alias = each.alias.map_or(String::new(), |alias| format!(".{alias}"));
        let properties = json!({"for_each": text(each.for_each), "version": each.version});
        add("providers", format!("{}{alias}", each.name), properties);
    }
    for each in &module.resources {
        let lifecycle = each.lifecycle();
        let ignored = lifecycle.map(|lifecycle| match lifecycle.ignore_changes {
            IgnoreChanges::All => json!("all"),
            IgnoreChanges::Of([]) => Value::Null,
            IgnoreChanges::Of(attributes) => {
                json!(attributes.iter().map(ToString::to_string).collect::<Vec<_>>())
            }
        });
        let properties = json!({
            "count": text(each.count()),
            "for_each": text(each.for_each()),
            "provider": each.provider().map(|provider| provider.to_string()),
            "enabled": text(lifecycle.and_then(|it| it.enabled()).map(|it| it.expression())),
            "destroy": text(lifecycle.and_then(|lifecycle| lifecycle.destroy())),
            "prevent_destroy": text(lifecycle.and_then(|lifecycle| lifecycle.prevent_destroy())),
            "ignore_changes": ignored,
        });
        add("resources", each.address().to_string(), properties);
    }
    for each in &module.calls {
        let providers = each
            .providers
            .iter()
            .map(|pass| (pass.inner.to_string(), Value::String(pass.outer.to_string())));
        let providers: Map<String, Value> = providers.collect();
        let properties = json!({
            "source": text(each.source.map(|source| source.expression())),
            "version": text(each.version.map(|version| version.expression())),
            "count": text(each.count),
            "for_each": text(each.for_each),
            "enabled": text(each.enabled.map(|enabled| enabled.expression())),
            "providers": (!providers.is_empty()).then_some(providers),
        });
        add("calls", each.name.to_owned(), properties);
    }
    for each in &module.checks {
        add("checks", each.name.to_owned(), json!({}));
    }
    for each in &module.moved {
        let address = |address: Option<_>| {
            address.map_or(String::new(), |it: simd_hcl::native::Traversal<'_>| it.to_string())
        };
        add("moved", address(each.from), json!({"to": address(each.to)}));
    }
    for each in &module.removed {
        let provisioners = each.provisioners.iter().map(|each| each.provisioner_type);
        let provisioners: Vec<&str> = provisioners.collect();
        let properties = json!({
            "destroy": each.destroy,
            "provisioners": (!provisioners.is_empty()).then_some(provisioners),
        });
        add("removed", each.from.map_or(String::new(), |from| from.to_string()), properties);
    }
    for each in &module.imports {
        let properties = json!({
            "id": text(each.id),
            "identity": text(each.identity),
            "for_each": text(each.for_each),
            "provider": each.provider.map(|provider| provider.to_string()),
        });
        let to = text(each.to);
        add("imports", to.as_str().unwrap_or_default().to_owned(), properties);
    }
    for each in module.required_providers() {
        let properties = json!({"source": each.source, "version": each.version});
        add("required_providers", each.name.to_owned(), properties);
    }
    for each in &module.actions {
        add("actions", each.address.to_string(), json!({}));
    }
    Value::Object(kinds)
}

/// Returns the files that the tool reads, with their roles.
fn files(module: &TreeModule<'_>) -> Value {
    let files = module.files.files.iter().filter(|file| file.shadowed_by.is_none());
    let files =
        files.map(|file| (file.name.to_string_lossy().into_owned(), json!(file.kind.role())));
    Value::Object(files.collect())
}

/// Compares one dialect's part of a case with our results, and adds differences to `failures`.
fn compare(case: &Path, dialect: Dialect, expected: &Value, failures: &mut String) {
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let discovery = discover(&[case.join("dir")], &options);
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    let name = case.file_name().unwrap().to_string_lossy();
    let mut differs = |what: &str, expected: &Value, ours: &Value| {
        let _ = writeln!(
            failures,
            "{name}, {}: {what}\n  expected {expected}\n  ours     {ours}",
            dialect.name()
        );
    };
    let known = ["accepts", "diagnostics", "declares", "files"];
    assert!(
        expected.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())),
        "{name}"
    );
    let sorted = |list: &[Value]| {
        let mut list: Vec<&Value> = list.iter().collect();
        list.sort_by_key(|each| {
            (
                each["file"].to_string(),
                each["line"].as_u64(),
                each["column"].as_u64(),
                each["code"].to_string(),
            )
        });
        json!(list)
    };
    let ours = told(case, &tree);
    let theirs = expected["diagnostics"].as_array().unwrap();
    let accepts = !ours.iter().any(|each| each["severity"] == "error");
    if json!(accepts) != expected["accepts"] {
        differs("whether it is accepted", &expected["accepts"], &json!(accepts));
    }
    if sorted(&ours) != sorted(theirs) {
        differs("diagnostics", &sorted(theirs), &sorted(&ours));
    }
    let root = tree.modules().iter().find(|module| module.files.path == case.join("dir"));
    let root = root.unwrap_or_else(|| panic!("{name}: the module is not found"));
    let ours = declared(&root.module);
    for (kind, theirs) in expected["declares"].as_object().into_iter().flatten() {
        let ours = ours.get(kind).cloned().unwrap_or_else(|| json!({}));
        if *theirs != ours {
            differs(kind, theirs, &ours);
        }
    }
    if let Some(theirs) = expected.get("files") {
        let ours = files(root);
        if *theirs != ours {
            differs("files that are read", theirs, &ours);
        }
    }
}

#[test]
fn each_tool_has_its_own_rules() {
    let mut failures = String::new();
    let cases = simd_hcl_corpus::cases("opentofu");
    for case in &cases {
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let mut is_empty = true;
        for dialect in [Dialect::OpenTofu, Dialect::Terraform] {
            if let Some(part) = expected.get(dialect.name()) {
                is_empty = false;
                compare(case, dialect, part, &mut failures);
            }
        }
        assert!(!is_empty, "{} says nothing of any tool", case.display());
    }
    assert!(cases.len() >= 60 || !simd_hcl_corpus::are_all(), "cases are missing");
    assert!(failures.is_empty(), "\n{failures}");
}

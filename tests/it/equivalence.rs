//! OpenTofu's equivalence tests, where `SIMD_HCL_REPOSITORIES` names a folder with a checkout of
//! opentofu/opentofu: what is known without a provider is what OpenTofu plans.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::show::RawState;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, Document, Source};

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The expansion of a case, with its state if it has one.
fn expanded(case: &Path) -> Value {
    let arena = Arena::new();
    let options = DiscoverOptions::default().with_dialect(Some(Dialect::OpenTofu));
    let found = discover(&[case], &options);
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let place = tree.modules().iter().position(|it| it.files.path == *case).unwrap();
    let mut inputs = Inputs::new(&arena).with_sensitive(true);
    let state = fs::read_to_string(case.join("terraform.tfstate"));
    if let Ok(text) = &state {
        let source = Source::from_bytes(&arena, "state", arena.str(text).as_bytes()).unwrap();
        let document = Document::parse(&arena, source).unwrap();
        inputs = inputs.with_state_file(RawState::of(document, &mut ()).unwrap());
    }
    let expansion = tree.expand(place, &inputs);
    let text = to_string(Layout::Compact, |slot| expansion.write(&Selection::default(), slot));
    assert_eq!(expansion.diagnostics().len(), 0, "{}", case.display());
    serde_json::from_str(&text).unwrap()
}

/// Compares what is known with what is planned. Counts the leaves in `seen`. Without a schema, sets
/// have an order, and a single block is a list.
fn agrees(known: &Value, unknown: &Value, planned: &Value, seen: &mut usize) -> bool {
    if *unknown == Value::Bool(true) {
        return true;
    }
    match (known, planned) {
        (Value::Object(all), Value::Object(others)) => all.iter().all(|(name, known)| {
            others.get(name).is_some_and(|planned| agrees(known, &unknown[name], planned, seen))
        }),
        (Value::Array(all), Value::Array(others)) => {
            let fits = |(at, known): (usize, &Value)| {
                let mut fitting =
                    others.iter().filter(|other| agrees(known, &unknown[at], other, &mut 0));
                fitting.next().is_some_and(|other| agrees(known, &unknown[at], other, seen))
            };
            all.len() == others.len() && all.iter().enumerate().all(fits)
        }
        (Value::Array(all), Value::Object(_)) => {
            all.len() == 1 && agrees(&all[0], &unknown[0], planned, seen)
        }
        _ => {
            *seen += 1;
            let text = known.to_string();
            known == planned || planned.as_str() == Some(text.as_str())
        }
    }
}

/// The configured attributes of a resource.
fn configured(plan: &Value, address: &Value) -> serde_json::Map<String, Value> {
    let resources = plan["configuration"]["root_module"]["resources"].as_array();
    let found = resources.into_iter().flatten().find(|it| it["address"] == *address);
    found.and_then(|it| it["expressions"].as_object()).cloned().unwrap_or_default()
}

#[test]
fn opentofu_plans_what_is_known() {
    let folder = std::env::var_os("SIMD_HCL_REPOSITORIES").map(PathBuf::from);
    let tests = folder.map(|folder| folder.join("opentofu/testing/equivalence-tests"));
    let Some(tests) = tests.filter(|tests| tests.is_dir()) else {
        println!(
            "skipped: opentofu_plans_what_is_known (SIMD_HCL_REPOSITORIES names no folder with opentofu)"
        );
        return;
    };
    let (mut cases, mut seen) = (0, 0);
    for case in fs::read_dir(tests.join("tests")).unwrap().map(|it| it.unwrap().path()) {
        let plan = tests.join("outputs").join(case.file_name().unwrap()).join("plan.json");
        // Plans that destroy everything, or only read, say nothing of the configuration.
        let says_nothing = ["_destroy", "_refresh_only"];
        if says_nothing.iter().any(|end| case.to_string_lossy().ends_with(end))
            || !plan.is_file()
            || !case.join("main.tf").is_file()
        {
            continue;
        }
        let (name, plan, found) = (case.display(), json(&plan), expanded(&case));
        let (planned, known) = (&plan["planned_values"], &found["planned_values"]);
        let resources = |values: &Value| -> Vec<Value> {
            values["root_module"]["resources"].as_array().cloned().unwrap_or_default()
        };
        for resource in resources(known) {
            let planned = resources(planned);
            let address = &resource["address"];
            let Some(planned) = planned.iter().find(|it| it["address"] == *address) else {
                // A data source that was read in the plan.
                assert_eq!(resource["mode"], "data", "{name}: {address}");
                continue;
            };
            let (mut values, unknown) = (resource["values"].clone(), &resource["unknown_values"]);
            if let Some(values) = values.as_object_mut() {
                // Without a schema, what the configuration has lost counts as set by the provider.
                let configured = configured(&plan, address);
                values.retain(|name, _| {
                    !planned["values"][name].is_null() || configured.contains_key(name)
                });
            }
            assert!(
                values.is_null() || agrees(&values, unknown, &planned["values"], &mut seen),
                "{name}: {address}: {values} instead of {}",
                planned["values"]
            );
            let change = plan["resource_changes"].as_array().unwrap();
            let change = change.iter().find(|it| it["address"] == *address).unwrap();
            assert_eq!(
                resource.get("previous_address"),
                change.get("previous_address"),
                "{name}: {address}"
            );
        }
        let outputs = known["outputs"].as_object().cloned().unwrap_or_default();
        for (output, known) in outputs {
            if let Some(value) = known.get("value") {
                assert_eq!(value, &planned["outputs"][&output]["value"], "{name}: {output}");
                seen += 1;
            }
        }
        cases += 1;
    }
    println!("{cases} cases, {seen} leaves");
    assert!(cases > 40 && seen > 100, "{cases} cases, {seen} leaves");
}

//! The generated plan is one that the tools could have written.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use serde_json::Value;
use simd_hcl_corpus::{PlanOptions, plan_bytes};

use crate::common::{minify, parse, tally};

fn options(changes: u64) -> PlanOptions {
    PlanOptions { changes, seed: 3, ..PlanOptions::default() }
}

/// The addresses below a module of `planned_values` or of `prior_state`.
fn addresses<'v>(module: &'v Value, found: &mut HashSet<&'v str>) {
    for resource in module["resources"].as_array().unwrap() {
        assert!(resource["values"].is_object());
        assert!(found.insert(resource["address"].as_str().unwrap()));
    }
    for child in module.get("child_modules").and_then(Value::as_array).into_iter().flatten() {
        let prefix = child["address"].as_str().unwrap();
        let mut below = HashSet::new();
        addresses(child, &mut below);
        assert!(below.iter().all(|address| address.starts_with(prefix)));
        found.extend(below);
    }
}

#[test]
fn the_parts_agree() {
    let plan = parse(&plan_bytes(&options(2000)));
    assert_eq!(plan["format_version"], "1.2");
    let (mut planned, mut prior) = (HashSet::new(), HashSet::new());
    addresses(&plan["planned_values"]["root_module"], &mut planned);
    addresses(&plan["prior_state"]["values"]["root_module"], &mut prior);
    let changes = plan["resource_changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2000);
    let mut actions = Vec::new();
    let mut seen = HashSet::new();
    for entry in changes {
        let address = entry["address"].as_str().unwrap();
        assert!(seen.insert(address), "{address}");
        let change = &entry["change"];
        assert_eq!(planned.contains(address), !change["after"].is_null(), "{address}");
        assert_eq!(prior.contains(address), !change["before"].is_null(), "{address}");
        assert!(address.contains(entry["name"].as_str().unwrap()));
        let module = entry.get("module_address").and_then(Value::as_str);
        assert_eq!(module.is_some(), address.starts_with("module."));
        assert_eq!(entry["mode"] == "data", change["actions"][0] == "read");
        let same = change["before"] == change["after"];
        assert_eq!(same, change["actions"][0] == "no-op", "{address}");
        actions.push(change["actions"].to_string());
    }
    let counts = tally(actions.iter().map(String::as_str));
    assert_eq!(counts.len(), 8, "{counts:?}");
    for drift in plan["resource_drift"].as_array().unwrap() {
        assert!(seen.contains(drift["address"].as_str().unwrap()));
    }
    for relevant in plan["relevant_attributes"].as_array().unwrap() {
        assert!(seen.contains(relevant["resource"].as_str().unwrap()));
    }
    let calls = plan["configuration"]["root_module"]["module_calls"].as_object().unwrap();
    assert_eq!(calls.len(), 39);
}

#[test]
fn every_size_is_valid_and_pretty_is_the_same_value() {
    for changes in [0, 1, 49, 50, 51, 200] {
        let minified = plan_bytes(&options(changes));
        let pretty = plan_bytes(&PlanOptions { pretty: true, ..options(changes) });
        parse(&minified);
        assert!(minify(&pretty) == minified);
    }
}

#[test]
fn the_seed_decides_every_byte() {
    assert!(plan_bytes(&options(100)) == plan_bytes(&options(100)));
    assert!(plan_bytes(&options(100)) != plan_bytes(&PlanOptions { seed: 4, ..options(100) }));
}

#[test]
fn modules_nest_as_deep_as_asked() {
    for changes in [50, 51, 400, 2000] {
        let text = plan_bytes(&PlanOptions { depth: 7, ..options(changes) });
        let plan = parse(&text);
        let (mut planned, mut prior) = (HashSet::new(), HashSet::new());
        addresses(&plan["planned_values"]["root_module"], &mut planned);
        addresses(&plan["prior_state"]["values"]["root_module"], &mut prior);
        for entry in plan["resource_changes"].as_array().unwrap() {
            let address = entry["address"].as_str().unwrap();
            assert_eq!(planned.contains(address), !entry["change"]["after"].is_null(), "{address}");
            assert_eq!(prior.contains(address), !entry["change"]["before"].is_null(), "{address}");
        }
        // The configuration has a call for every step of an address.
        let mut module = &plan["configuration"]["root_module"];
        let mut depth = 0;
        while let Some(calls) = module.get("module_calls").and_then(Value::as_object) {
            module = &calls.values().next().unwrap()["module"];
            depth += 1;
        }
        assert_eq!(depth, 7.min((changes.div_ceil(50) - 1) as usize));
    }
}

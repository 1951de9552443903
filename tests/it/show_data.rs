//! Real plans, states and schemas in the directory `SIMD_HCL_DATA`: our results agree with
//! serde_json, and redaction with golden files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use simd_hcl::show::{
    ActionKind, Address, CheckCounts, Content, Difference, DocumentKind, Plan, PlanIndex,
    SchemaKind, Schemas, State, is_same_value, redact,
};
use simd_hcl::{Arena, Diagnostic, Document, Source};

/// Returns the directory of terraform-json's test data, if it exists.
fn folder(test: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("SIMD_HCL_DATA") else {
        println!("skipped: {test} (SIMD_HCL_DATA names no folder)");
        return None;
    };
    let folder = PathBuf::from(folder);
    let inner = folder.join("terraform-json");
    Some(if inner.is_dir() { inner } else { folder })
}

fn files(directory: &Path, accepts: &dyn Fn(&str) -> bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, accepts, found);
        } else if path.file_name().is_some_and(|name| accepts(name.to_str().unwrap())) {
            found.push(path);
        }
    }
}

/// Returns the JSON files with their text and their value from serde_json.
fn documents(folder: &Path, accepts: &dyn Fn(&str) -> bool) -> Vec<(PathBuf, Vec<u8>, Json)> {
    let mut paths = Vec::new();
    files(folder, accepts, &mut paths);
    let read = |path: PathBuf| {
        let text = fs::read(&path).unwrap();
        let json = serde_json::from_slice(&text).ok()?;
        Some((path, text, json))
    };
    let found: Vec<_> = paths.into_iter().filter_map(read).collect();
    assert!(!found.is_empty());
    found
}

fn strings<'j>(list: &'j Json, member: &str) -> Vec<&'j str> {
    list.as_array().into_iter().flatten().filter_map(|entry| entry[member].as_str()).collect()
}

fn bucket(actions: &Json) -> &'static str {
    let actions: Vec<&str> = actions.as_array().unwrap().iter().filter_map(Json::as_str).collect();
    match actions[..] {
        ["no-op"] => "no_op",
        ["create"] => "create",
        ["read"] => "read",
        ["update"] => "update",
        ["delete"] => "delete",
        ["delete", "create"] | ["create", "delete"] => "replace",
        _ => "other",
    }
}

/// Collects the paths of leaves that are unknown or differ.
fn differing(before: &Json, after: &Json, unknown: &Json, path: &str, found: &mut Vec<String>) {
    match (before, after) {
        _ if unknown == &Json::Bool(true) => found.push(path.to_owned()),
        (Json::Object(_) | Json::Null, Json::Object(_) | Json::Null)
            if before.is_object() || after.is_object() || unknown.is_object() =>
        {
            let mut names: Vec<&String> = [before, after, unknown]
                .into_iter()
                .filter_map(Json::as_object)
                .flat_map(|object| object.keys())
                .collect();
            names.sort();
            names.dedup();
            for name in names {
                let path = format!("{path}/{name}");
                differing(&before[name], &after[name], &unknown[name], &path, found);
            }
        }
        (Json::Array(_) | Json::Null, Json::Array(_) | Json::Null)
            if before.is_array() || after.is_array() =>
        {
            let len = |json: &Json| json.as_array().map_or(0, Vec::len);
            for index in 0..len(before).max(len(after)) {
                let path = format!("{path}/{index}");
                differing(&before[index], &after[index], &unknown[index], &path, found);
            }
        }
        _ if before == after => {}
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn every_plan_gives_its_facts() {
    let Some(folder) = folder("every_plan_gives_its_facts") else { return };
    let is_plan = |name: &str| name.starts_with("plan") || name == "basic.json";
    let mut all = BTreeMap::<&str, usize>::new();
    for (path, text, json) in documents(&folder, &is_plan) {
        let name = path.display();
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "plan.json", &text).unwrap();
        let document = Document::parse(&arena, source).unwrap();
        assert_eq!(DocumentKind::of(document.root()), DocumentKind::Plan, "{name}");
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let plan = Plan::of(document, &mut diagnostics).unwrap();
        plan.check(&mut diagnostics);
        let index = PlanIndex::new(plan, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");

        let changes = &json["resource_changes"];
        let addresses: Vec<&str> =
            index.changes().iter().map(|change| change.address().value().unwrap()).collect();
        assert_eq!(addresses, strings(changes, "address"), "{name}");
        let types: Vec<&str> =
            index.changes().iter().map(|change| change.resource_type().value().unwrap()).collect();
        assert_eq!(types, strings(changes, "type"), "{name}");
        for kind in ActionKind::ALL {
            let expected = changes
                .as_array()
                .into_iter()
                .flatten()
                .filter(|entry| bucket(&entry["change"]["actions"]) == kind.name());
            let count = expected.count();
            assert_eq!(index.count(kind), count, "{name}");
            *all.entry(kind.name()).or_default() += count;
        }
        for (change, entry) in index.changes().iter().zip(changes.as_array().into_iter().flatten())
        {
            let address = change.address().value().unwrap();
            assert_eq!(Address::parse(address).unwrap().to_string(), address);
            assert!(index.change(address, None).is_some());
            let has_after = !entry["change"]["after"].is_null();
            assert_eq!(index.planned_value(address).is_some(), has_after, "{name} {address}");
            if has_after {
                assert!(index.configuration(address).is_some(), "{name} {address}");
            }
            let entry = &entry["change"];
            let mut expected = Vec::new();
            differing(
                &entry["before"],
                &entry["after"],
                &entry["after_unknown"],
                "",
                &mut expected,
            );
            let mut found = change.change().value().unwrap().differences();
            // The oracle does not report empty containers that are added or removed, nor values
            // that only become sensitive.
            let is_leaf = |one: &Difference<'_>| match (one.before.content, one.after.content) {
                (Content::Known(before), Content::Known(after)) => !is_same_value(before, after),
                (_, Content::Known(after)) => !matches!(after.text(), b"{}" | b"[]"),
                _ => true,
            };
            let count = found.by_ref().filter(is_leaf).count();
            assert_eq!(count, expected.len(), "{name} {address} {expected:?}");
            assert!(found.misfits().is_empty(), "{name} {address}");
        }
        let checks = plan.checks().value().into_iter().flat_map(|checks| checks.iter());
        let counts = CheckCounts::of(checks);
        let instances: usize = json["checks"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|check| check["instances"].as_array().map_or(1, Vec::len))
            .sum();
        assert_eq!(counts.pass + counts.fail + counts.error + counts.unknown, instances, "{name}");
        let outputs: Vec<&str> = plan
            .output_changes()
            .value()
            .into_iter()
            .flat_map(|outputs| outputs.iter())
            .map(|(name, _)| name)
            .collect();
        let expected: Vec<&str> = json["output_changes"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        assert_eq!(outputs, expected, "{name}");
    }
    assert!(all["create"] > 30 && all["no_op"] > 10 && all["replace"] > 1, "{all:?}");
}

fn state_addresses<'j>(module: &'j Json, found: &mut Vec<&'j str>) {
    found.extend(strings(&module["resources"], "address"));
    for child in module["child_modules"].as_array().into_iter().flatten() {
        state_addresses(child, found);
    }
}

#[test]
fn every_state_gives_its_facts() {
    let Some(folder) = folder("every_state_gives_its_facts") else { return };
    for (path, text, json) in documents(&folder, &|name| name == "state.json") {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "state.json", &text).unwrap();
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let document = Document::parse(&arena, source).unwrap();
        let state = State::of(document, &mut diagnostics).unwrap();
        state.check(&mut diagnostics);
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", path.display());
        let found: Vec<&str> =
            state.resources().map(|resource| resource.address().value().unwrap()).collect();
        let mut expected = Vec::new();
        state_addresses(&json["values"]["root_module"], &mut expected);
        assert_eq!(found, expected, "{}", path.display());
        let outputs = json["values"]["outputs"].as_object().map_or(0, |outputs| outputs.len());
        assert_eq!(state.outputs().count(), outputs, "{}", path.display());
    }
}

#[test]
fn every_schema_gives_its_facts() {
    let Some(folder) = folder("every_schema_gives_its_facts") else { return };
    for (path, text, json) in documents(&folder, &|name| name == "schemas.json") {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "schemas.json", &text).unwrap();
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let document = Document::parse(&arena, source).unwrap();
        let schemas = Schemas::of(document, &mut diagnostics).unwrap();
        schemas.check(&mut diagnostics);
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", path.display());
        let expected = json["provider_schemas"].as_object().unwrap();
        let names: Vec<&str> = schemas.providers().map(|(name, _)| name).collect();
        assert_eq!(names, expected.keys().map(String::as_str).collect::<Vec<_>>());
        for (name, provider) in schemas.providers() {
            for (kind, member) in [
                (SchemaKind::Resource, "resource_schemas"),
                (SchemaKind::DataSource, "data_source_schemas"),
                (SchemaKind::Ephemeral, "ephemeral_resource_schemas"),
                (SchemaKind::List, "list_resource_schemas"),
                (SchemaKind::Action, "action_schemas"),
                (SchemaKind::StateStore, "state_store_schemas"),
            ] {
                let types = provider.types(kind).into_iter().flat_map(|types| types.iter());
                let found: Vec<(&str, usize)> = types
                    .map(|(name, schema)| {
                        let block = schema.block().value();
                        let attributes = block.and_then(|block| block.attributes().value());
                        (name, attributes.map_or(0, |attributes| attributes.iter().count()))
                    })
                    .collect();
                let expected: Vec<(&str, usize)> = json["provider_schemas"][name][member]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, schema)| {
                        let attributes = schema["block"]["attributes"].as_object();
                        (name.as_str(), attributes.map_or(0, |attributes| attributes.len()))
                    })
                    .collect();
                assert_eq!(found, expected, "{} {name} {member}", path.display());
            }
        }
    }
}

#[test]
fn redaction_gives_the_golden_file() {
    let Some(folder) = folder("redaction_gives_the_golden_file") else { return };
    let text = fs::read(folder.join("sanitize/testdata/basic.json")).unwrap();
    let golden = fs::read(folder.join("sanitize/testdata/basic.golden")).unwrap();
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", &text).unwrap();
    let document = Document::parse(&arena, source).unwrap();
    let plan = Plan::of(document, &mut ()).unwrap();
    // That tool redacts by path only, and no defaults.
    let options = redact::Options::default()
        .with_repeated_text(true)
        .with_provider_config(true)
        .with_kept_defaults(true);
    let places = redact::Places::of_plan(plan, options);
    let mut out = Vec::new();
    redact::write(source, &places, &mut out).unwrap();
    let ours = Document::parse_bytes(&arena, "ours.json", &out).unwrap();
    let golden = Document::parse_bytes(&arena, "golden.json", &golden).unwrap();
    assert!(is_same_value(ours.root(), golden.root()));
    // All bytes outside the places are unchanged.
    let pieces = String::from_utf8(out).unwrap();
    let mut rest = std::str::from_utf8(&text).unwrap();
    for piece in pieces.split(redact::REDACTED) {
        let at = rest.find(piece).unwrap();
        rest = &rest[at + piece.len()..];
    }
    assert_eq!(rest, "");
}

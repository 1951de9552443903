//! Generated plans: results agree with serde_json, also in deep modules, and redaction removes all
//! secrets.

use std::collections::HashMap;

use serde_json::Value as Json;
use simd_hcl::show::{ActionKind, Plan, PlanIndex, redact, references};
use simd_hcl::{Arena, Diagnostic, Document, ParseOptions, Source};
use simd_hcl_corpus::{PlanOptions, plan_bytes, sized};

fn changes() -> u64 {
    sized([500, 1_500, 15_000])
}

fn text(depth: u64) -> Vec<u8> {
    plan_bytes(&PlanOptions {
        changes: changes(),
        depth,
        big_numbers: true,
        ..PlanOptions::default()
    })
}

#[test]
fn everything_is_found_at_every_depth() {
    for (modules, skeleton) in [(1, 3), (50, 3), (50, Plan::DIFF_DEPTH), (5, u32::MAX)] {
        let text = text(modules);
        let json: Json = serde_json::from_slice(&text).unwrap();
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "plan.json", &text).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(skeleton);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let plan = Plan::of(document, &mut diagnostics).unwrap();
        let counts = plan.count_by_action();
        let index = PlanIndex::new(plan, &mut diagnostics);
        plan.check(&mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");

        let entries = json["resource_changes"].as_array().unwrap();
        assert_eq!(index.changes().len(), entries.len());
        let mut expected = HashMap::<String, usize>::new();
        for entry in entries {
            *expected.entry(entry["change"]["actions"].to_string()).or_default() += 1;
        }
        assert_eq!(counts[ActionKind::NoOp as usize], expected["[\"no-op\"]"]);
        assert_eq!(counts[ActionKind::Update as usize], expected["[\"update\"]"]);
        let replaced = expected["[\"delete\",\"create\"]"] + expected["[\"create\",\"delete\"]"];
        assert_eq!(counts[ActionKind::Replace as usize], replaced);

        for entry in entries {
            let address = entry["address"].as_str().unwrap();
            let change = index.change(address, None).unwrap();
            let (before, after) = (&entry["change"]["before"], &entry["change"]["after"]);
            assert_eq!(index.planned_value(address).is_some(), !after.is_null());
            assert_eq!(index.prior_value(address, None).is_some(), !before.is_null());
            let mut differences = change.change().value().unwrap().differences();
            let mut forced = 0;
            let mut found = 0;
            for difference in differences.by_ref() {
                found += 1;
                forced += usize::from(difference.forces_replacement);
            }
            assert!(differences.misfits().is_empty());
            assert_eq!(found == 0, entry["change"]["actions"][0] == "no-op", "{address}");
            assert_eq!(forced > 0, entry["change"].get("replace_paths").is_some(), "{address}");
        }
        for entry in entries.iter().step_by(97) {
            let address = entry["address"].as_str().unwrap();
            let has_block = !entry["change"]["after"].is_null();
            assert_eq!(index.configuration(address).is_some(), has_block, "{address}");
        }
    }
}

#[test]
fn references_lead_into_their_modules() {
    let text = text(50);
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", &text).unwrap();
    let plan = Plan::of(Document::parse(&arena, source).unwrap(), &mut ()).unwrap();
    let mut modules = plan.configuration().value().unwrap().modules();
    let mut count = 0;
    let mut deepest = 0;
    while let Some(module) = modules.next() {
        deepest = deepest.max(modules.path().len());
        for resource in module.resources().value().unwrap().iter() {
            references(resource.expressions().value().unwrap().node(), modules.path(), |found| {
                count += 1;
                if let Some(target) = found.target {
                    assert_eq!(target.matches("module.").count(), modules.path().len());
                    assert!(target.ends_with("var.environment"));
                }
            });
        }
    }
    assert!(deepest >= 29.min(changes() as usize / 50 - 1));
    assert!(count as u64 > changes());
}

#[test]
fn passwords_are_redacted() {
    let text = text(3);
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", &text).unwrap();
    let plan = Plan::of(Document::parse(&arena, source).unwrap(), &mut ()).unwrap();
    let places = redact::Places::of_plan(plan, redact::Options::default());
    let mut out = Vec::new();
    redact::write(source, &places, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let all = out.matches("\"password\":").count() - out.matches("\"password\":true").count();
    let redacted = out.matches(&format!("\"password\":{}", redact::REDACTED)).count();
    assert!(redacted > 100);
    assert_eq!(redacted, all);
}

//! Files of policies, `*.policy.hcl` (Terraform): conditions on resources, providers and modules. Files of
//! their tests, `*.policytest.hcl`.
//!
//! Other tools name their policies alike. A file of which no block is one of Terraform's is theirs.

use super::declarations::duplicate;
use crate::body::{BlockSchema, Body, Schema};
use crate::diagnostic::{Label, Sink};
use crate::dialect::arguments::policies::{
    ENFORCE, INPUT, OTHER_POLICY, POLICY, POLICY_TEST, RESOURCE_POLICY, TESTED, TESTED_DATA,
    TESTED_RESOURCE,
};
use crate::dialect::table::Table;
use crate::dialect::{Dialect, List, root_schema};
use crate::hash::HashMap;

/// Reports the errors of a file. Cost: opens the bodies of all blocks.
pub(crate) fn check<'a>(file: impl Into<Body<'a>>, sink: &mut dyn Sink<'a>) {
    let Some(schema) = root_schema(Dialect::Terraform, List::Policy) else { return };
    let file: Body<'a> = file.into();
    let (known, _) = file.partial_content(schema, &mut ());
    if known.all_blocks().is_empty() {
        return;
    }
    let mut names: HashMap<(&'static str, &'a str), Label<'a>> = HashMap::default();
    for &block in file.content(schema, sink).all_blocks() {
        let (table, kind, name) = match block.block_type() {
            "policy" => (&POLICY, "", None),
            "input" => (&INPUT, "input", block.label(0)),
            "resource_policy" => (&RESOURCE_POLICY, "policy", block.label(1)),
            "provider_policy" | "module_policy" => (&OTHER_POLICY, "policy", block.label(1)),
            _ => continue,
        };
        if let Some(name) = name {
            let place = block.definition_label();
            match names.get(&(kind, name)) {
                Some(&earlier) => sink.report(duplicate(kind, place, earlier)),
                None => drop(names.insert((kind, name), place)),
            }
        }
        let content = block.body().content(schema_of(table), sink);
        for inner in content.blocks("enforce") {
            inner.body().content(schema_of(&ENFORCE), sink);
        }
    }
}

/// Reports the errors of a file of tests. Cost: opens the bodies of all blocks.
pub(crate) fn check_test<'a>(file: impl Into<Body<'a>>, sink: &mut dyn Sink<'a>) {
    static ROOT: Schema<'static> = Schema::new(
        &[],
        &[
            BlockSchema::new("policytest", &[]),
            BlockSchema::new("inputs", &[]),
            BlockSchema::new("locals", &[]),
            BlockSchema::new("provider", &["name", "test"]),
            BlockSchema::new("resource", &["type", "test"]),
            BlockSchema::new("data", &["type", "test"]),
            BlockSchema::new("module", &["source", "test"]),
        ],
    );
    for block in file.into().content(&ROOT, sink).all_blocks() {
        let table = match block.block_type() {
            "policytest" => &POLICY_TEST,
            "provider" | "module" => &TESTED,
            "resource" => &TESTED_RESOURCE,
            "data" => &TESTED_DATA,
            _ => {
                block.body().just_attributes(sink);
                continue;
            }
        };
        let content = block.body().content(schema_of(table), sink);
        for inner in content.blocks("inputs") {
            inner.body().just_attributes(sink);
        }
    }
}

fn schema_of(table: &'static Table) -> &'static Schema<'static> {
    table.schema(Dialect::Terraform, false)
}

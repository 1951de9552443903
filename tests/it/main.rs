//! The integration tests of the library, one module per topic, in one binary, so that the library
//! is linked only once.
#![allow(clippy::unwrap_used)]

mod allocations;
mod oracle;

mod affected;
#[cfg(feature = "ask")]
mod ask;
mod book;
#[cfg(feature = "functions")]
mod budget;
mod circles;
mod configuration;
mod conformance;
mod convert;
mod cost;
mod data;
mod deserialize;
mod deserialize_native;
mod diff;
mod differential;
mod directory;
mod documentation;
mod edit;
mod engine;
#[cfg(feature = "functions")]
mod equivalence;
mod evaluation;
mod expand;
mod expand_budget;
#[cfg(feature = "functions")]
mod functions;
mod functions_outside;
mod hclsyntax;
mod impact;
mod interface;
mod large;
mod layers;
mod module;
mod module_diagnostics;
mod notation;
mod opentofu;
#[cfg(feature = "functions")]
mod own_rules;
mod owned;
mod packer;
mod places;
mod plan_file;
mod planned;
mod policy;
mod query;
mod random;
mod refactor;
#[cfg(feature = "functions")]
mod refactor_random;
mod refactorings;
mod report;
mod repositories;
mod repository;
mod resources;
mod review;
mod robustness;
mod rows;
mod secrets;
mod serialize;
mod show;
mod show_data;
mod show_large;
mod show_redact;
mod shown;
mod sources;
#[cfg(feature = "spec")]
mod spec;
mod stacks;
mod stress;
mod suggestions;
mod templates;
#[cfg(feature = "terragrunt")]
mod terragrunt;
mod test_files;
mod threads;
mod tree;
mod tree_files;
mod tree_providers;
mod tree_reach;
mod typed;
mod values;
#[cfg(feature = "rules")]
mod versions;
mod views;
mod visit;
mod workspace;
mod write;

use simd_hcl::show::{BodySchemas, Schemas};
use simd_hcl::{Arena, Document, Source};

/// Returns the schemas of a case of `corpus/conformance/terraform`: the built-in schemas, and those
/// of its stubs.
fn terraform_schemas<'a>(case: &std::path::Path, arena: &'a Arena) -> BodySchemas<'a> {
    let Ok(source) = Source::read(arena, case.join("schemas.json")) else {
        return BodySchemas::built_in(arena);
    };
    let document = Document::parse(arena, source).unwrap();
    let schemas = Schemas::of(document, &mut Vec::new()).unwrap();
    BodySchemas::new(schemas).with_built_in(arena)
}

/// The diagnostics of what the tools do not report before a plan. Their answers about modules come
/// from validation.
const OF_PLANS: [&str; 6] = [
    "still-declared",
    "redundant-move",
    "ambiguous-move",
    "cyclic-move",
    "undeclared-import",
    "resource-of-itself",
];

/// Returns the directories of the cases of `corpus/conformance/terraform`, sorted.
fn terraform_cases() -> Vec<std::path::PathBuf> {
    let cases = simd_hcl_corpus::cases("terraform");
    assert!(cases.len() > 1000 || !simd_hcl_corpus::are_all(), "cases are missing");
    cases
}

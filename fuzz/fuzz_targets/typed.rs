//! Bodies beside the schemas of a provider: never a panic, and diagnostics that point into their
//! files.
//!
//! The input is the schemas of a provider, the byte 0xFF, which no document has, and a file; a
//! missing part is a small schema, or the body of one resource. So both sides are mutated, apart
//! and together.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::dialect::List;
use simd_hcl::module::Module;
use simd_hcl::show::{BodySchemas, Schemas};
use simd_hcl::{Arena, Diagnostic, Dialect, Document, ParseOptions, Source, typed};

/// Every kind of attribute and nesting.
const SCHEMA: &str = r#"{"provider": {"version": 0, "block": {}}, "resource_schemas": {"t_x": {"version": 1, "block": {
    "attributes": {
        "id": {"type": "string", "computed": true},
        "name": {"type": "string", "required": true},
        "size": {"type": "number", "optional": true},
        "old": {"type": "bool", "optional": true, "deprecated": true},
        "tags": {"type": ["map", "string"], "optional": true},
        "ports": {"type": ["list", ["object", {"from": "number", "to": ["tuple", ["bool", "dynamic"]]}]], "optional": true},
        "nested": {"optional": true, "nested_type": {"nesting_mode": "set", "attributes": {
            "key": {"type": "string", "required": true}}}}
    },
    "block_types": {
        "one": {"nesting_mode": "single", "min_items": 1, "block": {"attributes": {"a": {"type": "string", "required": true}}}},
        "few": {"nesting_mode": "list", "max_items": 2, "block": {"block_types": {
            "deep": {"nesting_mode": "set", "block": {"attributes": {"b": {"type": ["set", "bool"], "required": true}}}}}}},
        "by_key": {"nesting_mode": "map", "block": {}}
    }}}}}"#;

/// A document of some bytes, if it is one.
fn parse<'a>(arena: &'a Arena, name: &str, text: &'a [u8]) -> Option<Document<'a>> {
    let source = Source::from_bytes(arena, name, text).ok()?;
    Document::parse_with(arena, source, &ParseOptions::default().with_max_depth(64)).ok()
}

/// The document of all schemas: those of the provider `t` are given.
fn schemas(of_provider: &str) -> String {
    format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{
            "registry.opentofu.org/hashicorp/t": {of_provider},
            "registry.terraform.io/hashicorp/t": {of_provider}}}}}"#
    )
}

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(2, |&byte| byte == 0xFF);
    let first = parts.next().unwrap_or_default();
    let (of_provider, file) = match parts.next() {
        Some(file) => (std::str::from_utf8(first).unwrap_or(SCHEMA), file.to_vec()),
        None => {
            let body = String::from_utf8_lossy(first);
            (SCHEMA, format!(r#"{{"resource": {{"t_x": {{"r": {body}}}}}}}"#).into_bytes())
        }
    };
    let arena = Arena::new();
    let (given, usual) = (schemas(of_provider), schemas(SCHEMA));
    let Some(document) = parse(&arena, "main.tf.json", &file) else { return };
    let known = parse(&arena, "schemas.json", given.as_bytes())
        .and_then(|document| Schemas::of(document, &mut ()))
        .or_else(|| Schemas::of(parse(&arena, "schemas.json", usual.as_bytes())?, &mut ()));
    let Some(known) = known else { return };
    let schemas = BodySchemas::new(known).with_built_in(&arena);
    for dialect in [Dialect::OpenTofu, Dialect::Terraform] {
        let mut told: Vec<Diagnostic<'_>> = Vec::new();
        let module = Module::read(dialect, vec![(List::Primary, document)], false, &mut told);
        typed::check(&module, &schemas, &mut told);
        for diagnostic in &told {
            let (span, source) = (diagnostic.span(), diagnostic.source());
            assert!(span.start <= span.end && span.end as usize <= source.bytes().len());
            assert!(!diagnostic.detail().is_empty());
        }
    }
});

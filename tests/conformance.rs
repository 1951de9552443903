//! The conformance cases of `corpus/conformance/hcl-json`: what we decode beside what the reference does.
//!
//! `expected.json` is the reference's output, verbatim. Where ours differs, `simd-hcl.json` beside it
//! holds ours, and `docs/compatibility.md` says why. `SIMD_HCL_BLESS=1` writes these files anew: review
//! the difference.
//!
//! Compared are attributes, blocks, labels, order, all ranges, and diagnostics by severity, range and
//! summary, where our code stands for one of the reference's summaries. Values and variables of
//! expressions are compared where expressions are evaluated, not here.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use simd_hcl::body::{Attribute, AttributeSchema, BlockSchema};
use simd_hcl::{Arena, Body, Diagnostic, Document, Schema, Source, Span};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/hcl-json")
}

fn cases(group: &str) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(corpus().join(group)).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no cases in {group}");
    cases
}

/// A decoding schema as the cases write it, in the arena of the test: the test process.
struct BodySchema {
    mode: String,
    schema: Schema<'static>,
    bodies: Vec<(String, BodySchema)>,
}

fn read_schema(value: &Value) -> BodySchema {
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let empty = Map::new();
    let attributes: Vec<AttributeSchema<'static>> = value["attributes"]
        .as_object()
        .unwrap_or(&empty)
        .iter()
        .map(|(name, attribute)| match attribute["required"].as_bool() {
            Some(true) => AttributeSchema::required(leak(name)),
            _ => AttributeSchema::optional(leak(name)),
        })
        .collect();
    let block_types = value["blocks"].as_object().unwrap_or(&empty);
    let blocks: Vec<BlockSchema<'static>> = block_types
        .iter()
        .map(|(name, block)| {
            let labels = block["labels"].as_array().into_iter().flatten();
            let labels: Vec<&'static str> =
                labels.map(|label| leak(label.as_str().unwrap())).collect();
            BlockSchema::new(leak(name), Vec::leak(labels))
        })
        .collect();
    BodySchema {
        mode: value["mode"].as_str().unwrap_or("content").to_owned(),
        schema: Schema::new(Vec::leak(attributes), Vec::leak(blocks)),
        bodies: block_types
            .iter()
            .map(|(name, block)| {
                let body = match &block["body"] {
                    Value::Null => read_schema(&json!({"mode": "just_attributes"})),
                    body => read_schema(body),
                };
                (name.clone(), body)
            })
            .collect(),
    }
}

fn range(source: Source<'_>, span: Span) -> Value {
    let (start, end) = source.range(span);
    json!({
        "start": {"line": start.line, "column": start.column, "byte": start.byte},
        "end": {"line": end.line, "column": end.column, "byte": end.byte},
    })
}

/// A diagnostic in the reference's shape, with the summaries that our code stands for.
fn diagnostic(diagnostic: &Diagnostic<'_>) -> Value {
    json!({
        "severity": diagnostic.severity().as_str(),
        "code": diagnostic.code().as_str(),
        "reference_summaries": diagnostic.code().reference_summaries(),
        "range": range(diagnostic.source(), diagnostic.span()),
    })
}

fn attributes<'a>(attributes: &[Attribute<'a>]) -> Value {
    let attributes = attributes.iter().map(|attribute| {
        let source = attribute.source();
        let value = json!({
            "name_range": range(source, attribute.name_span()),
            "range": range(source, attribute.span()),
            "expr_range": range(source, attribute.expression().span()),
        });
        (attribute.name().to_owned(), value)
    });
    Value::Object(attributes.collect())
}

fn decode<'a>(body: Body<'a>, schema: &'a BodySchema) -> Value {
    let mut diagnostics = Vec::new();
    let content = match schema.mode.as_str() {
        "just_attributes" => {
            let attributes = attributes(body.just_attributes(&mut diagnostics));
            let diagnostics: Vec<Value> = diagnostics.iter().map(diagnostic).collect();
            return json!({"attributes": attributes, "diagnostics": diagnostics});
        }
        "partial" => body.partial_content(&schema.schema, &mut diagnostics).0,
        _ => body.content(&schema.schema, &mut diagnostics),
    };
    let blocks: Vec<Value> = content
        .all_blocks()
        .iter()
        .map(|block| {
            let source = block.source();
            let body = &schema.bodies.iter().find(|(name, _)| block.is(name)).unwrap().1;
            json!({
                "type": block.block_type(),
                "labels": block.labels().collect::<Vec<_>>(),
                "type_range": range(source, block.type_span()),
                "label_ranges": block.label_spans().map(|span| range(source, span)).collect::<Vec<_>>(),
                "def_range": range(source, block.definition_span()),
                "body": decode(block.body(), body),
            })
        })
        .collect();
    json!({
        "attributes": attributes(content.attributes()),
        "blocks": blocks,
        "missing_item_range": range(body.source(), content.missing_item_span()),
        "diagnostics": diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// Reads a file of the cases. Types of deep values nest deeper than serde_json reads by default.
fn read_json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    let mut deserializer = serde_json::Deserializer::from_slice(&bytes);
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).unwrap()
}

/// What we make of a case.
fn run(case: &Path) -> Value {
    let input = fs::read(case.join("input.json")).unwrap();
    let schema = read_schema(&read_json(&case.join("schema.json")));
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input.json", &input).unwrap();
    let document = match Document::parse(&arena, source) {
        Ok(document) => document,
        Err(error) => {
            let error = diagnostic(&error.to_diagnostic(source));
            return json!({"parse_diagnostics": [error], "body": null});
        }
    };
    let mut diagnostics: Vec<Value> = document.diagnostics().iter().map(diagnostic).collect();
    let body = document.body();
    if let Some(error) = body.type_error() {
        diagnostics.push(diagnostic(&error));
        return json!({"parse_diagnostics": diagnostics, "body": null});
    }
    let body = decode(body, &schema);
    json!({"parse_diagnostics": diagnostics, "body": body})
}

/// The reference's output without what this test does not compare.
fn without_values(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("expr_range") {
                members
                    .retain(|name, _| !matches!(name.as_str(), "result" | "errors" | "variables"));
            }
            members.values_mut().for_each(without_values);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_values),
        _ => {}
    }
}

/// Whether ours says what the reference says, each diagnostic by one of its code's summaries.
fn agrees(ours: &Value, reference: &Value) -> bool {
    match (ours, reference) {
        (Value::Object(ours), Value::Object(reference)) if ours.contains_key("code") => {
            let summaries = ours["reference_summaries"].as_array().unwrap();
            ours["severity"] == reference["severity"]
                && summaries.contains(&reference["summary"])
                && Some(&ours["range"]) == reference.get("range")
        }
        (Value::Object(ours), Value::Object(reference)) => {
            ours.len() == reference.len()
                && ours.iter().all(|(name, value)| {
                    reference.get(name).is_some_and(|other| agrees(value, other))
                })
        }
        (Value::Array(ours), Value::Array(reference)) => {
            ours.len() == reference.len()
                && ours.iter().zip(reference).all(|(value, other)| agrees(value, other))
        }
        _ => ours == reference,
    }
}

fn check(group: &str) {
    let bless = std::env::var_os("SIMD_HCL_BLESS").is_some();
    let mut failures = Vec::new();
    for case in cases(group) {
        let ours = run(&case);
        let mut reference = read_json(&case.join("expected.json"));
        without_values(&mut reference);
        let difference = case.join("simd-hcl.json");
        let recorded = fs::read(&difference).ok();
        let text = serde_json::to_string_pretty(&ours).unwrap() + "\n";
        let agrees = agrees(&ours, &reference);
        if bless {
            match agrees {
                true => drop(fs::remove_file(&difference)),
                false => fs::write(&difference, &text).unwrap(),
            }
        } else if recorded.as_deref() != (!agrees).then_some(text.as_bytes()) {
            failures.push(format!("{}:\nours {text}", case.display()));
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn syntax_ok() {
    check("syntax-ok");
}

#[test]
fn syntax_error() {
    check("syntax-error");
}

#[test]
fn body() {
    check("body");
}

/// The one syntax diagnostic is of a kind that the reference reports too, and stands at or before its
/// places: the reference points behind its recovery, and behind the byte that an escape breaks at.
#[test]
fn syntax_errors_are_of_the_same_kind() {
    for case in cases("syntax-error") {
        let ours = run(&case);
        let Some(ours) = ours["parse_diagnostics"].get(0) else {
            continue;
        };
        let reference = read_json(&case.join("expected.json"));
        let reference = reference["parse_diagnostics"].as_array().unwrap();
        let summaries = ours["reference_summaries"].as_array().unwrap();
        let known = summaries.is_empty()
            || reference.iter().any(|other| summaries.contains(&other["summary"]));
        assert!(known, "{}: {ours} is none of {reference:?}", case.display());
    }
}

/// Accept or reject never differs, but for the closed list of the compatibility page.
#[test]
fn accepts_what_the_reference_accepts() {
    let exceptions = [
        // Invalid UTF-8 is refused at its exact byte.
        "101-utf8-invalid-accepted-in-name",
        "102-utf8-invalid-lead-before-closing-quote",
        // Numbers of the JSON grammar pass the parser.
        "096-number-exponent-too-large",
        "097-number-exponent-too-large-for-64-bits",
        "098-number-exponent-too-small",
    ];
    for group in ["syntax-ok", "syntax-error", "body"] {
        for case in cases(group) {
            let name = case.file_name().unwrap().to_str().unwrap().to_owned();
            let reference = read_json(&case.join("expected.json"));
            let refused = |value: &Value| {
                value["parse_diagnostics"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|diagnostic| diagnostic["severity"] == "error")
            };
            let agrees = refused(&run(&case)) == refused(&reference);
            assert_eq!(agrees, !exceptions.contains(&name.as_str()), "{name}");
        }
    }
}

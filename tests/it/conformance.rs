//! The conformance cases of `corpus/conformance/hcl-json`: our output compared with that of the
//! reference.
//!
//! `expected.json` is the reference's output, verbatim. If ours differs, it is in `simd-hcl.json`,
//! and `docs/compatibility.md` says why. `SIMD_HCL_BLESS=1` updates these files: review the diff.
//!
//! The tests compare attributes, blocks, labels, order, all ranges, values and their types,
//! variables (which the reference's output sorts), and diagnostics by severity, range and summary,
//! where each of our codes corresponds to some of the reference's summaries. Numbers in values are
//! compared as decimal text.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use simd_hcl::body::{Attribute, AttributeSchema, BlockSchema};
use simd_hcl::evaluate::Scope;
use simd_hcl::native::Traversal;
use simd_hcl::value;
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{
    Arena, Body, Diagnostic, Document, Expression, Node, ParseOptions, Schema, Severity, Source,
    Span,
};

fn cases(group: &str) -> Vec<PathBuf> {
    simd_hcl_corpus::cases(&format!("hcl-json/{group}"))
}

/// A schema in the format of the cases. It lives as long as the test process.
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

/// Returns a diagnostic in the reference's format, with the summaries that our code corresponds to.
fn diagnostic(diagnostic: &Diagnostic<'_>) -> Value {
    json!({
        "severity": diagnostic.severity().as_str(),
        "code": diagnostic.code().as_str(),
        "reference_summaries": diagnostic.code().reference_summaries(),
        "range": range(diagnostic.source(), diagnostic.span()),
    })
}

/// Returns a document as a value, with numbers as text: `{"number": "1.50"}`.
fn exact(node: Node<'_>) -> Value {
    if let Some(object) = node.as_object() {
        let members = object.members();
        let members = members.map(|m| (m.name().to_str().to_owned(), exact(m.value())));
        Value::Object(members.collect())
    } else if let Some(array) = node.as_array() {
        array.elements().map(exact).collect()
    } else if let Some(number) = node.as_number() {
        json!({"number": number.text()})
    } else {
        serde_json::from_slice(node.text()).unwrap()
    }
}

fn exact_text(text: &str) -> Value {
    let arena = Arena::new();
    let bytes = text.as_bytes().to_vec();
    let source = Source::read_from(&arena, "text", bytes.as_slice()).unwrap();
    exact(Document::parse(&arena, source).unwrap().root())
}

/// Returns a value and its type in the reference's format.
fn result(of: value::Value<'_>) -> Value {
    if !of.is_wholly_known() {
        return json!({"unknown": true});
    }
    let mut written = Ok(());
    let text = to_string(Layout::Compact, |slot| written = value::write(of, slot));
    match written {
        Ok(()) => {
            let ty = to_string(Layout::Compact, |slot| value::write_type(of.ty(), slot));
            json!({"value": exact_text(&text), "type": exact_text(&ty)})
        }
        Err(error) => json!({"marshal_error": error.to_string()}),
    }
}

/// The scope of expressions; `None` for literal mode.
type Mode<'s, 'a> = Option<&'s Scope<'s, 'a>>;

/// Returns the value or the errors of an expression, and its variables.
fn evaluated<'a>(expression: Expression<'a>, mode: Mode<'_, 'a>) -> Map<String, Value> {
    let mut diagnostics = Vec::new();
    let value = match mode {
        Some(scope) => expression.value(scope, &mut diagnostics),
        None => expression.literal_value(&mut diagnostics),
    };
    diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
    let mut members = Map::new();
    if diagnostics.is_empty() {
        members.insert("result".to_owned(), result(value));
    } else {
        members.insert("errors".to_owned(), diagnostics.iter().map(diagnostic).collect());
    }
    let variables: Vec<String> =
        expression.variables().map(|t: Traversal<'a>| t.to_string()).collect();
    members.insert("variables".to_owned(), json!(variables));
    members
}

fn attributes<'a>(attributes: &[Attribute<'a>], mode: Mode<'_, 'a>) -> Value {
    let attributes = attributes.iter().map(|attribute| {
        let source = attribute.source();
        let mut value = evaluated(attribute.expression(), mode);
        for (name, span) in [
            ("name_range", attribute.name_span()),
            ("range", attribute.span()),
            ("expr_range", attribute.expression().span()),
        ] {
            value.insert(name.to_owned(), range(source, span));
        }
        (attribute.name().to_owned(), Value::Object(value))
    });
    Value::Object(attributes.collect())
}

fn decode<'a>(body: Body<'a>, schema: &BodySchema, mode: Mode<'_, 'a>) -> Value {
    let mut diagnostics = Vec::new();
    let content = match schema.mode.as_str() {
        "just_attributes" => {
            let attributes = attributes(body.just_attributes(&mut diagnostics), mode);
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
                "body": decode(block.body(), body, mode),
            })
        })
        .collect();
    json!({
        "attributes": attributes(content.attributes(), mode),
        "blocks": blocks,
        "missing_item_range": range(body.source(), content.missing_item_span()),
        "diagnostics": diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// Reads a file of the cases, without the depth limit of serde_json: types of deep values exceed
/// it.
fn read_json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    let mut deserializer = serde_json::Deserializer::from_slice(&bytes);
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).unwrap()
}

/// Returns the variables of a case. With an empty object, every variable is an error, as with the
/// reference's program.
fn variables<'a>(arena: &'a Arena, text: &[u8]) -> Option<Vec<(&'a str, value::Value<'a>)>> {
    let source = Source::read_from(arena, "vars.json", text).unwrap();
    let root = Document::parse(arena, source).unwrap().root();
    let variables = value::from_node(arena, root).unwrap().as_entries().unwrap().to_vec();
    (!variables.is_empty()).then_some(variables)
}

/// Returns our output for a case.
fn run(case: &Path) -> Value {
    let input = fs::read(case.join("input.json")).unwrap();
    let schema = read_schema(&read_json(&case.join("schema.json")));
    let is_literal =
        fs::read_to_string(case.join("args")).is_ok_and(|args| args.contains("-literal"));
    let arena = Arena::new();
    let written = fs::read(case.join("vars.json")).unwrap_or_default();
    let variables = match written.as_slice() {
        // Without the file, the list of variables is empty.
        [] => Some(Vec::new()),
        text => variables(&arena, text),
    };
    let scope = match &variables {
        Some(variables) => Scope::new().with_variables(variables),
        None => Scope::new(),
    };
    let mode = (!is_literal).then_some(&scope);
    let source = Source::read_from(&arena, "input.json", input.as_slice()).unwrap();
    let document = match Document::read(&arena, source, &ParseOptions::default()) {
        Ok(document) => document,
        Err(error) => {
            let error = diagnostic(&error);
            return json!({"parse_diagnostics": [error], "body": null});
        }
    };
    let mut diagnostics: Vec<Value> = document.diagnostics().iter().map(diagnostic).collect();
    let body = document.body();
    if let Some(error) = body.type_error() {
        diagnostics.push(diagnostic(&error));
        return json!({"parse_diagnostics": diagnostics, "body": null});
    }
    let body = decode(body, &schema, mode);
    json!({"parse_diagnostics": diagnostics, "body": body})
}

/// Returns the reference's output, with exact numbers in values.
fn read_reference(case: &Path) -> Value {
    let path = case.join("expected.json");
    let mut reference = read_json(&path);
    let arena = Arena::new();
    let source = Source::read(&arena, &path).unwrap();
    with_exact_results(&mut reference, Document::parse(&arena, source).unwrap().root());
    reference
}

fn with_exact_results(value: &mut Value, node: Node<'_>) {
    if let (Value::Object(members), Some(object)) = (&mut *value, node.as_object()) {
        for (member, (name, value)) in object.members().zip(members) {
            assert!(member.is_named(name), "members keep their order");
            match name.as_str() {
                "result" => *value = exact(member.value()),
                _ => with_exact_results(value, member.value()),
            }
        }
    } else if let (Value::Array(elements), Some(array)) = (value, node.as_array()) {
        for (value, node) in elements.iter_mut().zip(array.elements()) {
            with_exact_results(value, node);
        }
    }
}

/// Returns whether our output agrees with the reference's. The summary of each diagnostic must be
/// one of those of our code.
fn agrees(ours: &Value, reference: &Value) -> bool {
    match (ours, reference) {
        (Value::Object(ours), Value::Object(reference)) if ours.contains_key("code") => {
            let summaries = ours["reference_summaries"].as_array().unwrap();
            ours["severity"] == reference["severity"]
                && summaries.contains(&reference["summary"])
                && ours.get("range") == reference.get("range")
        }
        // The reason why a value cannot be written is not compared.
        (Value::Object(ours), Value::Object(reference)) if ours.contains_key("marshal_error") => {
            reference.contains_key("marshal_error")
        }
        (Value::Object(ours), Value::Object(reference)) => {
            ours.len() == reference.len()
                && ours.iter().all(|(name, value)| {
                    reference.get(name).is_some_and(|other| match name.as_str() {
                        "variables" => sorted(value) == sorted(other),
                        _ => agrees(value, other),
                    })
                })
        }
        (Value::Array(ours), Value::Array(reference)) => {
            ours.len() == reference.len()
                && ours.iter().zip(reference).all(|(value, other)| agrees(value, other))
        }
        _ => ours == reference,
    }
}

/// The reference's output sorts variables; ours has them in walk order.
fn sorted(variables: &Value) -> Vec<&str> {
    let mut variables: Vec<&str> =
        variables.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    variables.sort_unstable();
    variables
}

fn check(group: &str) {
    let bless = std::env::var_os("SIMD_HCL_BLESS").is_some();
    let mut failures = Vec::new();
    for case in cases(group) {
        let ours = run(&case);
        let reference = read_reference(&case);
        let recorded = fs::read(case.join("simd-hcl.json")).ok();
        let text = serde_json::to_string_pretty(&ours).unwrap() + "\n";
        let difference = (!agrees(&ours, &reference)).then_some(text.as_bytes());
        if recorded.as_deref() == difference {
            continue;
        }
        match bless {
            true => simd_hcl_corpus::bless(&case, "simd-hcl.json", difference),
            false => failures.push(format!("{}:\nours {text}", case.display())),
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

#[test]
fn expr() {
    check("expr");
}

#[test]
fn expr_error() {
    check("expr-error");
}

/// Removes positions, which may be better than the reference's. Everything else must be equal.
fn without_places(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("range"));
            members.values_mut().for_each(without_places);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_places),
        _ => {}
    }
}

/// Values, types, variables and the kinds of errors never differ, except for the closed list of the
/// compatibility page.
#[test]
fn values_and_errors_equal_those_of_the_reference() {
    let exceptions = [
        // We report a fact once, not once per reading of a body or per element.
        "049-block-array-three-deep-is-an-error",
        "066-label1-scalar-tells-twice",
        "112-root-array-scalar-element-content-tells-twice",
        "089-for-unknown-inside-error-per-item",
        "206-splat-index-per-item",
        // We read a template up to its first syntax error; further or other errors of the reference
        // follow from it.
        "011-quoted-unclosed",
        "012-quoted-newline-inside",
        "015-quoted-escape-not-encodable",
        "018-op-bitwise",
        "023-char-single-quotes",
        "025-char-semicolon",
        "029-char-nul-and-lone-surrogate",
        "030-char-byte-order-mark-inside",
        "050-directive-else-misplaced",
        "052-directive-unknown-keyword",
        // Functions have namespaces in newer versions of the reference.
        "037-call-malformed",
        // A literal is never infinite.
        "125-num-huge-exponents",
        // A byte order mark at the start of a template stays.
        "033-text-byte-order-mark-at-start-is-dropped",
    ];
    let mut differences = Vec::new();
    for group in ["syntax-ok", "body", "expr", "expr-error"] {
        for case in cases(group) {
            let name = case.file_name().unwrap().to_str().unwrap().to_owned();
            let (mut ours, mut reference) = (run(&case), read_reference(&case));
            without_places(&mut ours);
            without_places(&mut reference);
            if agrees(&ours, &reference) == exceptions.contains(&name.as_str()) {
                differences.push(format!("{name}:\nours {ours}\nreference {reference}"));
            }
        }
    }
    assert!(differences.is_empty(), "{} cases:\n{}", differences.len(), differences.join("\n"));
}

/// The syntax diagnostic is of a kind that the reference also reports, at or before its positions:
/// the reference points after its recovery, and after the invalid byte of an escape.
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

/// Accept or reject never differs, except for the closed list of the compatibility page.
#[test]
fn accepts_what_the_reference_accepts() {
    let exceptions = [
        // We reject invalid UTF-8 at its exact byte.
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

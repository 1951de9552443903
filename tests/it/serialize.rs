//! Serialization of views and values: serde_json reads the same values, with exact numbers.

use serde_json::{Value as Json, json};
use simd_hcl::dialect::{Dialect, List};
use simd_hcl::evaluate::Scope;
use simd_hcl::module::{Inventory, Module};
use simd_hcl::serde::MAX_DEPTH;
use simd_hcl::show::{DocumentKind, Plan, RawState, Schemas, State};
use simd_hcl::value::Marks;
use simd_hcl::{Arena, Diagnostic, Document, Expression, ParsedFile, Source};

use crate::data::json_files;

fn parse<'a>(arena: &'a Arena, text: &'a str) -> Document<'a> {
    Document::parse_bytes(arena, "a.json", text.as_bytes()).unwrap()
}

#[test]
fn documents_are_what_they_say() {
    let text = r#"{"z": null, "a": [1, -2, 2.5, 1e3, -0, true, "\u00e9\n"], "o": {}, "e": []}"#;
    let arena = Arena::new();
    let document = parse(&arena, text);
    let expected: Json = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(document).unwrap(), expected);
    assert_eq!(serde_json::to_value(document.body()).unwrap(), expected);
    let elements = document.root().as_object().unwrap().get("a").unwrap();
    assert_eq!(serde_json::to_string(&elements).unwrap(), r#"[1,-2,2.5,1000.0,-0.0,true,"é\n"]"#);
}

/// A number that is neither a 64-bit integer nor exactly a float is a string of its digits, never a
/// different number.
#[test]
fn numbers_are_exact() {
    for (text, expected) in [
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("18446744073709551616", json!("18446744073709551616")),
        ("18446744073709551617", json!("18446744073709551617")),
        ("0.1", json!(0.1)),
        ("0.1000000000000000055511151231257827", json!("0.1000000000000000055511151231257827")),
        ("1e400", json!("1e400")),
        ("1.50e2", json!(150.0)),
    ] {
        let arena = Arena::new();
        let node = parse(&arena, text).root();
        assert_eq!(serde_json::to_value(node).unwrap(), expected, "{text}");
        let number = node.as_number().unwrap();
        assert_eq!(serde_json::to_value(number).unwrap(), expected, "{text}");
    }
}

#[test]
fn values_are_written_as_json() {
    let arena = Arena::new();
    let evaluate = |text: &'static str| {
        let document = parse(&arena, text);
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let attributes = document.body().just_attributes(&mut found);
        let scope = Scope::new().with_variables(&[]);
        let value = attributes[0].expression().value(&scope, &mut found);
        (value, found)
    };
    let (value, found) = evaluate(r#"{"x": "${{b = [1 + 1, 1 / 3 * 3], a = null, c = 2 == 2}}"}"#);
    assert!(found.is_empty(), "{found:?}");
    let written = serde_json::to_value(value.with_marks(Marks::SENSITIVE)).unwrap();
    assert_eq!(written["a"], Json::Null);
    assert_eq!(written["b"][0], json!(2));
    assert_eq!(written["c"], json!(true));
    let (unknown, _) = evaluate(r#"{"x": "${[missing]}"}"#);
    assert!(serde_json::to_value(unknown).unwrap_err().to_string().contains("not known"));
}

#[test]
fn deep_documents_are_an_error() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let arena = Arena::new();
    let (fits, deep) = (nested(MAX_DEPTH), nested(MAX_DEPTH + 1));
    assert_eq!(serde_json::to_string(&parse(&arena, &fits)).unwrap(), fits);
    let error = serde_json::to_string(&parse(&arena, &deep)).unwrap_err();
    assert!(error.to_string().contains("128 levels"), "{error}");
}

#[test]
fn views_are_their_documents() {
    let text = r#"{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[
        {"address":"a.b","mode":"managed","type":"a","name":"b","own":1.5,
         "change":{"actions":["create"],"before":null,"after":{"n":12345678901234567890}}}]}"#;
    let arena = Arena::new();
    let plan = Plan::of(parse(&arena, text), &mut ()).unwrap();
    let expected: Json = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(plan).unwrap(), expected);
    let change = plan.changes().next().unwrap();
    assert_eq!(serde_json::to_value(change).unwrap(), expected["resource_changes"][0]);

    let text = r#"{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"x","outputs":{},
        "resources":[{"mode":"managed","type":"a","name":"b","provider":"provider[\"x\"]",
        "instances":[{"schema_version":0,"attributes":{"n":12345678901234567890}}]}]}"#;
    let raw = RawState::of(parse(&arena, text), &mut ()).unwrap();
    let expected: Json = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(raw).unwrap(), expected);
}

/// Objects in files that are not requested are left out. The caller chooses how values are written.
#[test]
fn modules_are_written_in_part() {
    let arena = Arena::new();
    let document = |name, text: &'static str| {
        (List::Primary, Document::parse_bytes(&arena, name, text.as_bytes()).unwrap())
    };
    let documents = vec![
        document("a.tf.json", r#"{"variable": {"a": {"default": 1.50}}}"#),
        document("b.tf.json", r#"{"variable": {"b": {}}, "locals": {"c": "${var.a}"}}"#),
    ];
    let module = Module::read(Dialect::OpenTofu, documents, true, &mut ());
    let all = serde_json::to_value(&module).unwrap();
    assert_eq!(all["variables"][0]["default"], json!(1.5));
    assert_eq!(all["variables"][1]["required"], json!(true));
    assert_eq!(all["references"][0]["to"], json!("var.a"));
    assert_eq!(all["locals"][0]["range"]["filename"], json!("b.tf.json"));

    let is_first = |source: Source<'_>| source.name() == "a.tf.json";
    let as_text = |value: Expression<'_>| String::from_utf8_lossy(value.text()).into_owned();
    let first = Inventory::of(&module).in_files(&is_first).with_values(as_text);
    let first = serde_json::to_value(first).unwrap();
    assert_eq!(first["variables"].as_array().unwrap().len(), 1);
    assert_eq!(first["variables"][0]["default"], json!("1.50"));
    assert_eq!((&first["locals"], &first["references"]), (&json!([]), &json!([])));
}

/// Native literals and constant defaults are values, other expressions the equivalent JSON template,
/// and expressions that are not evaluated their text.
#[test]
fn native_modules_are_written_as_json() {
    let arena = Arena::new();
    let text = br#"
variable "a" {
  type    = map(string)
  default = { x = 1 + 1, y = "q\"" }
}
resource "aws_instance" "web" {
  count = length(var.a) + 1
  lifecycle {
    ignore_changes = [tags, ami]
  }
}
"#;
    let source = Source::from_bytes(&arena, "main.tf", text).unwrap();
    let files = vec![(List::Primary, ParsedFile::native(&arena, source))];
    let module = Module::read(Dialect::OpenTofu, files, true, &mut ());
    let written = serde_json::to_value(&module).unwrap();
    let variable = &written["variables"][0];
    assert_eq!(variable["type"], json!("map(string)"));
    assert_eq!(variable["default"], json!({"x": 2, "y": "q\""}));
    let resource = &written["resources"][0];
    assert_eq!(resource["count"], json!("${length(var.a) + 1}"));
    assert_eq!(resource["lifecycle"]["ignore_changes"], json!(["tags", "ami"]));
}

/// Plans, states and schemas that tools wrote, serialized and parsed again.
#[test]
fn real_documents_are_written_as_they_were_read() {
    let Some(folder) = std::env::var_os("SIMD_HCL_DATA") else {
        println!(
            "skipped: real_documents_are_written_as_they_were_read (SIMD_HCL_DATA names no folder)"
        );
        return;
    };
    let mut files = Vec::new();
    json_files(folder.as_ref(), &mut files);
    let mut views = 0;
    for file in files {
        let arena = Arena::new();
        let Ok(document) = Document::parse(&arena, Source::read(&arena, &file).unwrap()) else {
            continue;
        };
        let expected: Json = serde_json::from_slice(document.source().bytes()).unwrap();
        let name = file.display();
        let written = match DocumentKind::of(document.root()) {
            DocumentKind::Plan => Plan::of(document, &mut ()).map(serde_json::to_value),
            DocumentKind::State => State::of(document, &mut ()).map(serde_json::to_value),
            DocumentKind::RawState => RawState::of(document, &mut ()).map(serde_json::to_value),
            DocumentKind::Schemas => Schemas::of(document, &mut ()).map(serde_json::to_value),
            _ => None,
        };
        if let Some(written) = written {
            views += 1;
            assert!(written.unwrap() == expected, "{name}");
        }
        let body = serde_json::to_value(document.body()).unwrap();
        assert!(body == expected, "{name}: as a body");
        let read: Json = simd_hcl::serde::from_document(document).unwrap();
        assert!(read == expected, "{name}: as a type");
    }
    assert!(views > 0, "there are plans, states or schemas in the folder");
}

//! What commands print fits the JSON Schemas in `docs/schemas`, as JSON and as NDJSON.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tool::{run, stdout, tree};

/// Checks a value by the keywords that our schemas use; any other keyword is an error in the schema.
fn validate(value: &Value, schema: &Value, root: &Value, at: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{at}: {what}: {value} by {schema}"));
    let is_of = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    };
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                validate(value, root.pointer(pointer).unwrap(), root, at)?;
            }
            "type" => {
                let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !names.iter().any(|name| is_of(name.as_str().unwrap())) {
                    return wrong("type");
                }
            }
            "const" if value != rule => return wrong("const"),
            "enum" if !rule.as_array().unwrap().contains(value) => return wrong("enum"),
            "const" | "enum" => {}
            "minimum" if value.as_i64() < rule.as_i64() => return wrong("minimum"),
            "minimum" => {}
            "anyOf" => {
                let tried: Vec<_> = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| validate(value, one, root, at))
                    .collect();
                if tried.iter().all(Result::is_err) {
                    return Err(format!("{tried:?}"));
                }
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(item, rule, root, &format!("{at}[{place}]"))?;
                }
            }
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        return wrong("required");
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        validate(member, rule, root, &format!("{at}.{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if schema.get("properties").is_some_and(|known| known.get(name).is_some()) {
                        continue;
                    }
                    match rule {
                        Value::Bool(true) => {}
                        Value::Bool(false) => return wrong(&format!("{name} is not described")),
                        rule => validate(member, rule, root, &format!("{at}.{name}"))?,
                    }
                }
            }
            other => panic!("the test does not know the keyword {other}"),
        }
    }
    Ok(())
}

#[test]
fn answers_fit_their_schemas() {
    let main = r#"{"resource": {"a_b": {"c": {"x": "${var.v} ${var.none}", "y": 1}}},
        "module": {"m": {"source": "corp/x/y"}}, "variable": {"v": {"type": "string"}},
        "locals": {"l": "${a_b.c.x}"}, "terraform": {"required_providers": {"a": {"source": "corp/a"}},
        "required_version": ">= 1", "backend": {"local": {}}}}"#;
    let tree = tree(&[
        ("m/main.tf.json", main),
        ("m/main.tf", ""),
        ("m/broken.tf.json", "{"),
        (
            "plan.json",
            r#"{"format_version": "1.2", "planned_values": {}, "errored": true, "resource_changes":
                [{"address": "a.b", "type": "a", "name": "b", "change": {"actions": ["create"], "after": {}}}]}"#,
        ),
        (
            "rules.json",
            r#"{"rule": {"r": {"warn": true, "help": "h", "url": "u"}, "s": {"deny": "${resource.x}"}}}"#,
        ),
        ("n/main.tf.json", r#"{"resource": {"a_b": {"c": {"y": 2}}}}"#),
        ("p/a.pkr.json", r#"{"source": {"d": {"b": {}}}, "build": {"sources": ["source.d.b"]}}"#),
    ]);
    let commands: [(&str, &[&str]); 13] = [
        ("policy", &["plan", "plan.json", "--rules", "rules.json"]),
        ("check", &["check", "."]),
        ("inspect", &["inspect", "."]),
        ("references", &["references", "."]),
        ("templates", &["templates", "."]),
        ("graph", &["graph", "."]),
        ("graph", &["graph", "--modules", "."]),
        ("dependents", &["dependents", ".", "var.v"]),
        ("affected", &["affected", ".", "n/main.tf.json"]),
        ("query", &["query", ".", "resource.*.*.*"]),
        ("diff", &["diff", "m/main.tf.json", "n/main.tf.json"]),
        ("events", &["events", "n/main.tf.json"]),
        ("kernels", &["kernels"]),
    ];
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
    for (name, command) in commands {
        let schema = fs::read(schemas.join(format!("{name}.json"))).unwrap();
        let schema: Value = serde_json::from_slice(&schema).unwrap();
        let print = |format| stdout(&run(tree.path(), &[command, &["--format", format]].concat()));
        let answer: Value = serde_json::from_str(&print("json")).unwrap();
        validate(&answer, &schema, &schema, name).unwrap();
        let (row, rest) = (schema.pointer("/$defs/row"), schema.pointer("/$defs/rest"));
        let lines = print("ndjson");
        assert!(!lines.is_empty(), "{name}");
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let is_rest = line.get("incomplete").is_some() && rest.is_some();
            let schema_of_line = if is_rest { rest } else { row.or(Some(&schema)) };
            validate(&line, schema_of_line.unwrap(), &schema, name).unwrap();
        }
        // A schema that takes everything proves nothing.
        assert!(validate(&serde_json::json!([{"wrong": 1}]), &schema, &schema, name).is_err());
    }
}

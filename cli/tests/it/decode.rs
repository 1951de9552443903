//! `decode`: one file by a schema.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::tool::{GOOD, PROVIDER_SCHEMAS, json, run, status, stderr, stdout, tree};

#[test]
fn decode_prints_bodies_by_schema() {
    let schema = r#"{"mode": "content", "attributes": {"version": {"required": true}},
        "blocks": {"resource": {"labels": ["type", "name"],
            "body": {"mode": "partial", "attributes": {"ami": {}}}}}}"#;
    let tree = tree(&[
        ("a.tf.json", GOOD),
        ("schema.json", schema),
        ("bad.tf.json", "{"),
        ("bad.json", "{,}"),
    ]);
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "a.tf.json"]);
    assert_eq!(status(&output), 1);
    let decoded = json(&output);
    assert_eq!(decoded["parse_diagnostics"], serde_json::json!([]));
    assert_eq!(decoded["body"]["diagnostics"][0]["code"], "missing-argument");
    let block = &decoded["body"]["blocks"][0];
    assert_eq!(block["labels"][1], "web");
    assert_eq!(block["body"]["attributes"]["ami"]["expr_range"]["start"]["byte"], 46);

    let output = run(tree.path(), &["decode", "--schema", "schema.json", "bad.tf.json"]);
    assert_eq!(status(&output), 1);
    assert_eq!(json(&output)["body"], Value::Null);
    let output = run(tree.path(), &["decode", "--schema", "bad.json", "a.tf.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("bad.json:1:2"), "{}", stderr(&output));
}

#[test]
fn decode_reads_bodies_by_the_schemas_of_providers() {
    let text = r#"{"resource": {"aws_instance": {"a": {"ami": "x", "count": 1, "disk": {"k": {"size": 1}},
        "lifecycle": {"prevent_destroy": true}}}, "other_thing": {"b": {"c": 1}}},
        "variable": {"v": {"default": 1}}}"#;
    let tree = tree(&[("a.tf.json", text), ("schemas.json", PROVIDER_SCHEMAS)]);
    let output = run(tree.path(), &["decode", "a.tf.json", "--provider-schemas", "schemas.json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let decoded = json(&output);
    let blocks = &decoded["body"]["blocks"];
    assert_eq!(blocks[0]["labels"], serde_json::json!(["aws_instance", "a"]));
    let body = &blocks[0]["body"];
    assert_eq!(body["attributes"]["ami"]["result"]["value"], "x");
    assert_eq!(body["attributes"]["count"]["result"]["value"], 1);
    let nested = |place: usize| (&body["blocks"][place]["type"], &body["blocks"][place]["labels"]);
    assert_eq!(nested(0), (&"disk".into(), &serde_json::json!(["k"])));
    assert_eq!(body["blocks"][0]["body"]["attributes"]["size"]["result"]["type"], "number");
    assert_eq!(nested(1).0, "lifecycle");
    // Bodies without a schema are read as attributes.
    assert_eq!(blocks[1]["body"]["attributes"]["c"]["result"]["value"], 1);
    assert_eq!(blocks[2]["body"]["attributes"]["default"]["result"]["value"], 1);
    let neither = run(tree.path(), &["decode", "a.tf.json"]);
    assert_eq!(status(&neither), 2);
}

#[test]
fn decode_follows_the_conformance_cases() {
    // Values of some cases nest deeper than serde_json reads; the library's tests have these.
    let read = |path: &Path| -> Option<Value> {
        fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok())
    };
    let mut count = 0;
    for group in ["hcl-json/body", "hcl-json/syntax-ok", "hcl-json/expr", "hcl-json/expr-error"] {
        for case in simd_hcl_corpus::cases(group) {
            let mut arguments =
                vec!["decode", "--format", "ndjson", "--schema", "schema.json", "input.json"];
            if case.join("vars.json").exists() {
                arguments.extend(["--vars", "vars.json"]);
            }
            if case.join("args").exists() {
                arguments.push("--literal");
            }
            let output = run(&case, &arguments);
            // Both outputs are nested too deeply for serde_json.
            let Ok(mut decoded) = serde_json::from_slice::<Value>(&output.stdout) else {
                assert!(read(&case.join("expected.json")).is_none(), "{}", case.display());
                continue;
            };
            let ours = read(&case.join("simd-hcl.json"));
            let is_ours = ours.is_some();
            let Some(mut reference) = ours.or_else(|| read(&case.join("expected.json"))) else {
                continue;
            };
            comparable(&mut decoded, is_ours);
            comparable(&mut reference, is_ours);
            assert_eq!(decoded, reference, "{}", case.display());
            let text = decoded.to_string();
            let has_errors = text.contains("\"severity\":\"error\"");
            assert_eq!(status(&output), i32::from(has_errors), "{}", case.display());
            count += 1;
        }
    }
    assert!(count > 300 || !simd_hcl_corpus::are_all(), "{count}");
}

/// Removes the texts of diagnostics, which are our own, and sorts variables, as the reference does.
/// Values are not compared with our own files, which write numbers differently.
fn comparable(value: &mut Value, is_ours: bool) {
    match value {
        Value::Object(members) => {
            for name in ["summary", "detail", "code", "reference_summaries"] {
                if members.contains_key("severity") {
                    members.remove(name);
                }
            }
            if is_ours {
                members.remove("result");
            }
            if let Some(Value::Array(variables)) = members.get_mut("variables") {
                variables.sort_by_key(|name| name.as_str().unwrap_or_default().to_owned());
            }
            members.values_mut().for_each(|member| comparable(member, is_ours));
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| comparable(element, is_ours));
        }
        _ => {}
    }
}

#[test]
fn decode_evaluates_attributes() {
    let tree = tree(&[
        ("schema.json", r#"{"mode": "just_attributes"}"#),
        ("vars.json", r#"{"n": 12345678901234567890.5, "who": {"name": "you"}}"#),
        ("none.json", "{}"),
        ("list.json", "[]"),
        ("x.json", r#"{"a": "${n + 1}", "b": ["Hello ${who.name}"], "c": "${who.names[0]}"}"#),
    ]);
    let decode = |flags: &[&str]| {
        let arguments = [&["decode", "--schema", "schema.json", "x.json"], flags].concat();
        run(tree.path(), &arguments)
    };
    let output = decode(&["--vars", "vars.json"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("12345678901234567891.5"), "{}", stdout(&output));
    let attributes = &json(&output)["body"]["attributes"];
    assert_eq!(attributes["a"]["result"]["type"], "number");
    assert_eq!(attributes["b"]["result"]["value"][0], "Hello you");
    assert_eq!(attributes["b"]["variables"][0], "who.name");
    assert_eq!(attributes["c"]["errors"][0]["range"]["start"]["byte"], 57);
    assert_eq!(attributes["c"]["variables"][0], "who.names[0]");

    let output = decode(&["--literal"]);
    assert_eq!(status(&output), 0);
    let attributes = &json(&output)["body"]["attributes"];
    assert_eq!(attributes["a"]["result"]["value"], "${n + 1}");
    assert_eq!(attributes["a"]["variables"][0], "n");

    let error =
        |output: &Output| json(output)["body"]["attributes"]["a"]["errors"][0]["code"].clone();
    assert_eq!(error(&decode(&[])), "unknown-variable");
    assert_eq!(error(&decode(&["--vars", "none.json"])), "variables-not-allowed");
    assert_eq!(status(&decode(&["--vars", "list.json"])), 2);
    assert_eq!(status(&decode(&["--vars", "missing.json"])), 2);
    assert_eq!(status(&decode(&["--vars", "vars.json", "--literal"])), 2);
}

#[test]
fn decode_keeps_the_order_of_schema_and_source() {
    let schema = r#"{"attributes": {"z": {"required": true}, "a": {"required": true}}}"#;
    let tree = tree(&[("schema.json", schema), ("x.json", "{}"), ("y.json", r#"{"z":1,"a":2}"#)]);
    let decode = |file| run(tree.path(), &["decode", "--schema", "schema.json", file]);
    let missing = json(&decode("x.json"));
    let details: Vec<&str> = missing["body"]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["detail"].as_str().unwrap())
        .collect();
    assert!(details[0].contains("\"z\"") && details[1].contains("\"a\""), "{details:?}");
    let text = stdout(&decode("y.json"));
    assert!(text.find("\"z\"").unwrap() < text.find("\"a\"").unwrap());
    let places = ["parse_diagnostics", "attributes", "blocks", "missing_item_range"]
        .map(|name| text.find(name).unwrap());
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn decode_does_not_recurse_on_the_input() {
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(9_000), "]".repeat(9_000));
    let tree = tree(&[("schema.json", r#"{"attributes": {"a": {}}}"#), ("deep.json", &deep)]);
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "deep.json"]);
    assert_eq!(status(&output), 0);
    let deep_schema =
        format!("{}{}", r#"{"blocks":{"b":{"body":"#.repeat(5000), "}}}".repeat(5000));
    fs::write(tree.path().join("schema.json"), deep_schema).unwrap();
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "deep.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("nesting-too-deep"), "{}", stderr(&output));
}

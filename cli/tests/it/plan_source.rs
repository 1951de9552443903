//! `plan --source`: changes joined with the blocks that declare them.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{run, status, stderr, stdout, tree};

/// A change of an object by its address, module, type and actions.
fn change(address: &str, module: &str, action: &str) -> Value {
    serde_json::json!({
        "address": address, "module_address": module, "mode": "managed", "type": "x", "name": "y",
        "provider_name": "p",
        "change": {"actions": [action], "before": {"a": 1}, "after": {"a": 2}, "after_unknown": {}},
    })
}

fn planned() -> TempDir {
    let changes = [
        change("aws_instance.web[1]", "", "update"),
        change("module.net[\"a\"].aws_vpc.main", "module.net[\"a\"]", "update"),
        change("aws_instance.old", "", "forget"),
        change("aws_instance.gone", "", "delete"),
        change("module.far.aws_vpc.x", "module.far", "update"),
    ];
    let plan = serde_json::json!({
        "format_version": "1.2", "planned_values": {"root_module": {}}, "resource_changes": changes,
    });
    let root = r#"{
  "resource": {"aws_instance": {"web": {}}},
  "module": {"net": {"source": "./net"}, "far": {"source": "example/far/aws"}},
  "removed": [
    {"from": "aws_instance.old"}
  ]
}"#;
    tree(&[
        ("plan.json", &plan.to_string()),
        ("root/main.tf.json", root),
        ("root/net/main.tf.json", "{\"resource\": {\"aws_vpc\": {\n\"main\": {}}}}"),
        ("root/net/unused.tf.json", "{}"),
        ("empty/README", ""),
    ])
}

fn plan(directory: &Path, arguments: &[&str]) -> std::process::Output {
    run(directory, &[&["plan", "plan.json", "--source", "root"], arguments].concat())
}

#[test]
fn places_in_every_format() {
    let directory = planned();
    let places = [
        "aws_instance.web[1] update root/main.tf.json:2",
        "main update root/net/main.tf.json:2",
        "aws_instance.old forget root/main.tf.json:5",
        "aws_instance.gone delete (no longer declared)",
    ];
    for format in ["human", "tree", "markdown"] {
        let output = plan(directory.path(), &["--format", format]);
        let text = stdout(&output).replace("&quot;", "\"");
        for place in places {
            assert!(text.contains(place), "{format}: {place} in {text}");
        }
        assert!(
            stderr(&output).contains("incomplete: root: a module that it calls is not installed")
        );
        assert_eq!(status(&output), 0);
    }
    let output = plan(directory.path(), &["--format", "json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let at = |change: &Value| -> String {
        match change.get("source") {
            None => "-".to_owned(),
            Some(Value::Null) => "nowhere".to_owned(),
            Some(range) => format!(
                "{}:{}:{}",
                range["filename"].as_str().unwrap(),
                range["start"]["line"],
                range["start"]["column"]
            ),
        }
    };
    let expected = [
        "root/main.tf.json:2:40",
        "root/net/main.tf.json:2:9",
        "root/main.tf.json:5:5",
        "nowhere",
        "-",
    ];
    let found: Vec<String> = json["changes"].as_array().unwrap().iter().map(at).collect();
    assert_eq!(found, expected);
    assert_eq!(json["incomplete"][0]["what"], "source");
    assert_eq!(json["incomplete"][0]["where"], "root");
    let output = plan(directory.path(), &["--format", "ndjson"]);
    let lines: Vec<String> = stdout(&output)
        .lines()
        .map(|line| at(&serde_json::from_str::<Value>(line).unwrap()))
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn findings_of_rules_point_into_the_configuration() {
    let directory = planned();
    let rule = ["--deny", "change.address == \"aws_instance.web[1]\""];
    let output = plan(directory.path(), &rule);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("declared here") && text.contains("root/main.tf.json:2:40"), "{text}");
    let output = plan(directory.path(), &[&rule[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let related = json["diagnostics"][0]["related"].as_array().unwrap();
    let here = related.iter().find(|it| it["message"] == "declared here").unwrap();
    assert_eq!(here["range"]["filename"], "root/main.tf.json");
}

#[test]
fn directories_without_a_module_are_refused() {
    let directory = planned();
    for place in ["empty", "no-such-directory"] {
        let output = run(directory.path(), &["plan", "plan.json", "--source", place]);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
        assert!(stderr(&output).contains(place), "{}", stderr(&output));
    }
}

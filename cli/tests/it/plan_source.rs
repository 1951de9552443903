//! `plan --source`: changes joined with the blocks that declare them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{run, status, stderr, stdout, tree};

/// Returns a change of an object.
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
    let csv = stdout(&plan(directory.path(), &["--format", "csv"]));
    let cells: Vec<&str> = csv.lines().filter_map(|line| line.split(',').nth_back(2)).collect();
    let lines =
        ["source", "root/main.tf.json:2", "root/net/main.tf.json:2", "root/main.tf.json:5", "", ""];
    assert_eq!(cells, lines);
    let output = plan(directory.path(), &["--format", "ndjson"]);
    let lines: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| if line.get("incomplete").is_some() { "rest".to_owned() } else { at(&line) })
        .collect();
    assert_eq!(lines[..expected.len()], expected);
    assert_eq!(lines[expected.len()..], ["rest"]);
}

#[test]
fn blocks_that_move_and_import_are_named() {
    let directory = planned();
    let root = r#"{"resource": {"aws_instance": {"new": {}, "taken": {}}},
  "moved": {"from": "aws_instance.old", "to": "aws_instance.new"},
  "import": {"to": "aws_instance.taken", "id": "i-1"}}"#;
    fs::write(directory.path().join("root/main.tf.json"), root).unwrap();
    let mut moved = change("aws_instance.new", "", "no-op");
    moved["previous_address"] = "aws_instance.old".into();
    let mut counted = change("aws_instance.new[0]", "", "no-op");
    counted["previous_address"] = "aws_instance.new".into();
    let mut imported = change("aws_instance.taken", "", "update");
    imported["change"]["importing"] = serde_json::json!({"id": "i-1"});
    let plan_of = serde_json::json!({
        "format_version": "1.2", "planned_values": {"root_module": {}},
        "resource_changes": [moved, counted, imported],
    });
    fs::write(directory.path().join("plan.json"), plan_of.to_string()).unwrap();
    for format in ["human", "tree", "markdown"] {
        let text = stdout(&plan(directory.path(), &["--format", format]));
        for note in [
            "(moved from aws_instance.old by root/main.tf.json:2) root/main.tf.json:1",
            "(moved from aws_instance.new) root/main.tf.json:1",
            "(imported by root/main.tf.json:3) root/main.tf.json:1",
        ] {
            assert!(text.contains(note), "{format}: {text}");
        }
    }
    let output = plan(directory.path(), &["--format", "json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let lines = |change: usize, name: &str| {
        let places = json["changes"][change].get(name)?.as_array().unwrap().iter();
        Some(places.map(|range| range["start"]["line"].as_u64().unwrap()).collect::<Vec<_>>())
    };
    assert_eq!((lines(0, "moved_by"), lines(0, "imported_by")), (Some(vec![2]), None));
    assert_eq!((lines(1, "moved_by"), lines(1, "imported_by")), (Some(vec![]), None));
    assert_eq!((lines(2, "moved_by"), lines(2, "imported_by")), (None, Some(vec![3])));
    let rules = ["--deny", "true", "--format", "json"];
    let findings: Value = serde_json::from_str(&stdout(&plan(directory.path(), &rules))).unwrap();
    let text = findings.to_string();
    assert!(text.contains("moved here") && text.contains("imported here"), "{text}");
    // A file that is not read may contain the blocks.
    fs::write(directory.path().join("root/more.tf"), "a = [").unwrap();
    fs::write(directory.path().join("root/main.tf.json"), "{}").unwrap();
    let output = plan(directory.path(), &["--format", "json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(json["changes"].as_array().unwrap().iter().all(|it| it.get("moved_by").is_none()));
    let gaps = json["incomplete"].as_array().unwrap().iter();
    let gaps: Vec<&str> = gaps.map(|gap| gap["what"].as_str().unwrap()).collect();
    assert_eq!(gaps, ["import", "moved", "source"]);
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

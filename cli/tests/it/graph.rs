//! `graph` and `dependents`: dependencies.

use serde_json::Value;

use crate::tool::{json, linked_modules, run, status, stdout, tree};

fn column(rows: &Value, name: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn dependents_and_graphs_go_across_modules() {
    let tree = linked_modules();
    let output = run(tree.path(), &["dependents", ".", "vpc.main", "--format", "json"]);
    let rows = json(&output);
    // The object itself comes first.
    assert_eq!(column(&rows, "address"), ["vpc.main", "var.vpc", "output.id", "host.h"]);
    assert_eq!(rows[0]["distance"], 0);
    let output = run(tree.path(), &["dependents", ".", "vpc.other"]);
    assert_eq!(status(&output), 2);

    let output = run(tree.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"app\" -> \"net\";"), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", "app", "--mermaid"]);
    let begin = "flowchart LR\n  n0[\"app:vpc.main\"]";
    assert!(stdout(&output).starts_with(begin), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", ".", "--format", "json"]);
    assert_eq!(json(&output)["nodes"].as_array().unwrap().len(), 5);
}

#[test]
fn dependents_of_files_and_providers() {
    let files = tree(&[
        (
            "root/main.tf.json",
            r#"{"module": {"m": {"source": "../leaf"}}, "provider": {"x": {}}, "resource": {"x_thing": {"a": {}}}}"#,
        ),
        ("leaf/main.tf.json", r#"{"resource": {"x_thing": {"l": {}}}}"#),
        ("leaf/unused.tf.json", "{}"),
    ]);
    let addresses = |of: &str| {
        let output = run(files.path(), &["dependents", ".", of, "--format", "json"]);
        column(&json(&output), "address")
    };
    for file in ["leaf/main.tf.json", "./leaf/main.tf.json", "root/../leaf/main.tf.json"] {
        assert_eq!(addresses(file), ["x_thing.l", "module.m"], "{file}");
    }
    // A file without declarations, or that no longer exists, is still a part of its module.
    assert_eq!(addresses("leaf/unused.tf.json"), ["module.m"]);
    assert_eq!(addresses("leaf/deleted.tf.json"), ["module.m"]);
    assert_eq!(addresses("leaf:x_thing.l"), ["x_thing.l", "module.m"]);
    assert_eq!(addresses("./root:x_thing.a"), ["x_thing.a"]);
    let mut managed = addresses("root:provider.x");
    managed.sort();
    assert_eq!(managed, ["provider.x", "x_thing.a", "x_thing.l"]);
}

#[test]
fn graphs_of_modules_have_a_node_for_what_is_not_read() {
    let files = tree(&[
        (
            "root/main.tf.json",
            r#"{"module": {"native": {"source": "../native"}, "gone": {"source": "../gone"},
                "far": {"source": "hashicorp/consul/aws", "version": "~> 1.0"},
                "git": {"source": "git::https://example.com/x.git"}, "read": {"source": "../read"},
                "vague": {"source": "${var.x}"}}}"#,
        ),
        ("native/main.tf", ""),
        ("read/main.tf.json", r#"{"locals": {"a": 1}}"#),
    ]);
    let output = run(files.path(), &["graph", ".", "--modules", "--format", "json"]);
    let drawing = json(&output);
    let node = |id: &str| {
        let nodes = drawing["nodes"].as_array().unwrap();
        nodes
            .iter()
            .find(|node| node["id"] == id)
            .cloned()
            .unwrap_or_else(|| panic!("{id}: {drawing}"))
    };
    assert_eq!(node("native")["kind"], "module");
    assert_eq!(node("gone")["kind"], "missing");
    assert_eq!(node("hashicorp/consul/aws")["kind"], "remote");
    assert_eq!(node("hashicorp/consul/aws")["version"], "~> 1.0");
    assert_eq!(node("git::https://example.com/x.git")["kind"], "remote");
    assert_eq!(node("read")["kind"], "module");
    assert_eq!(node("${var.x}")["kind"], "unknown");
    assert_eq!(drawing["edges"].as_array().unwrap().len(), 6);
}

#[test]
fn graphs_of_modules_have_states_that_are_read() {
    let files = tree(&[
        (
            "net/main.tf.json",
            r#"{"terraform": {"backend": {"s3": {"bucket": "b", "key": "net"}}}}"#,
        ),
        (
            "app/main.tf.json",
            r#"{"data": {"terraform_remote_state": {"net": {"backend": "s3", "config": {"bucket": "b", "key": "net"}}}}}"#,
        ),
    ]);
    let output = run(files.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"app\" -> \"net\";"), "{}", stdout(&output));
}

#[test]
fn templates_of_packer_have_the_same_graph() {
    let files = tree(&[(
        "image.pkr.json",
        r#"{"variable": {"region": {"default": "r"}}, "locals": {"name": "${var.region}-x"},
            "source": {"null": {"a": {"communicator": "none", "host": "${local.name}"}}},
            "build": {"sources": ["source.null.a"]}}"#,
    )]);
    let drawing = json(&run(files.path(), &["graph", ".", "--format", "json"]));
    let nodes = column(&drawing["nodes"], "id");
    for expected in ["var.region", "local.name", "source.null.a"] {
        assert!(nodes.contains(&expected.to_owned()), "{nodes:?}");
    }
    assert_eq!(drawing["edges"].as_array().unwrap().len(), 3);
    let output = run(files.path(), &["dependents", ".", "var.region", "--format", "json"]);
    let addresses = column(&json(&output), "address");
    assert_eq!(addresses[..3], ["var.region", "local.name", "source.null.a"]);
    assert_eq!(addresses.len(), 4);
    let of_file = run(files.path(), &["dependents", ".", "image.pkr.json", "--format", "json"]);
    assert_eq!(json(&of_file).as_array().unwrap().len(), 4);
    let modules = run(files.path(), &["graph", ".", "--modules", "--format", "json"]);
    assert_eq!(json(&modules)["nodes"][0]["kind"], "template");
}

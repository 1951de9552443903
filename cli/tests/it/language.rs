//! What the language is: files that are valid are accepted in every command, and others are not.

use crate::tool::{json, run, status, stdout, tree};

/// The findings of `check` with these arguments: a line and a code each.
fn found(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let tree = tree(files);
    let output = run(tree.path(), &[&["check", "--format", "json"], arguments, &["."]].concat());
    let diagnostics = json(&output)["diagnostics"].as_array().unwrap().clone();
    let shown = diagnostics.iter().map(|it| {
        let line = &it["range"]["start"]["line"];
        format!("{line} {}", it["code"].as_str().unwrap())
    });
    shown.collect()
}

/// Spaces may follow the name that ends a heredoc, in files of every kind.
#[test]
fn heredocs_end_with_spaces_after_their_name() {
    let text = "a = <<E\nE x\nE \t\nb = <<-F\r\n  y\r\n  F \r\n";
    let body = format!("locals {{\n{text}}}\n");
    let files = [
        ("main.tf", body.as_str()),
        ("terraform.tfvars", text),
        ("p/x.pkr.hcl", &body),
        ("t/terragrunt.hcl", &body),
    ];
    let tree = tree(&files);
    for (name, _) in files {
        let output = run(tree.path(), &["check", "--level", "syntax", "--quiet", name]);
        assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{name}");
    }
    let output = run(tree.path(), &["convert", "--to", "json", "terraform.tfvars"]);
    assert_eq!(json(&output), serde_json::json!({"a": "E x\n", "b": "y\r\n"}));
    assert_eq!(
        found(&[("v.tf", &body), ("o.tf", "output \"o\" {\n value = [local.a, local.b]\n}")], &[]),
        [""; 0]
    );
}

const BLOCKS: &str = r#"{
  "variable": {"bs": {"type": "list(string)", "default": ["x"]}},
  "resource": {"demo_thing": {"t": {
    "//": "${demo_thing.gone.id}",
    "outer": [{
      "\/\/": "${demo_thing.gone.id}",
      "dynamic": {"inner": {"for_each": "${var.bs}",
        "content": {"v": "${inner.value}", "//": "${demo_thing.gone.id}"}}},
      "deep": {"dynamic": [{"other": [{"for_each": "${inner.unknown}", "content": {}}]}]}
    }],
    "map": {"${var.bs[0]}": {"//": "${local.key}"}},
    "list": [[{"//": "${local.element}"}]]
  }}}
}"#;

/// In JSON, an object that may be a block is read as one: its comments have no meaning, and its
/// `dynamic` blocks have iterators.
#[test]
fn nested_objects_may_be_blocks() {
    let files = [("main.tf.json", BLOCKS)];
    let expected = ["9 undeclared-reference", "11 undeclared-reference", "12 undeclared-reference"];
    assert_eq!(found(&files, &[]), expected);
    let tree = tree(&files);
    let listed = stdout(&run(tree.path(), &["references", "--quiet", "."]));
    assert!(listed.contains("-> var.bs") && !listed.contains("inner.value"), "{listed}");
    assert!(!listed.contains("gone"), "{listed}");
    let expanded = json(&run(tree.path(), &["expand", "--format", "json", "."]));
    let resource = &expanded["planned_values"]["root_module"]["resources"][0];
    let outer = &resource["values"]["outer"];
    assert_eq!(*outer, serde_json::json!([{"inner": [{"v": "x"}], "deep": {}}]), "{resource}");
}

/// In a value, which has no blocks, a key is a key.
#[test]
fn keys_of_values_are_no_comments() {
    let text = r#"{
  "locals": {"a": {"//": "${local.gone}"}},
  "resource": {"terraform_data": {"t": {
    "input": {"//": "${local.gone}"},
    "provisioner": {"local-exec": {"command": "x",
      "environment": {"//": "${local.gone}"}}}
  }}}
}"#;
    let gone = "undeclared-reference";
    let expected = [2, 4, 6].map(|line| format!("{line} {gone}"));
    assert_eq!(found(&[("main.tf.json", text)], &["--allow", "warnings"]), expected);
}

/// Where labels are expected, `//` is a label.
#[test]
fn comments_among_labels_are_labels() {
    for text in [
        r#"{"resource": {"//": "x"}}"#,
        r#"{"variable": {"//": "x"}}"#,
        r#"{"output": {"//": "x"}}"#,
        r#"{"terraform": {"required_providers": {"a": {"//": "x"}}}}"#,
    ] {
        assert_eq!(found(&[("main.tf.json", text)], &["--allow", "warnings"]).len(), 1, "{text}");
    }
}

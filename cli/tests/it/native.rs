//! Native files, alone and beside files in JSON: every command reads both.

use std::fs;

use serde_json::json as value;

use crate::tool::{json, list, run, status, stderr, stdout, tree};

const MAIN: &str = r#"variable "size" {
  type    = number
  default = 1
}

resource "aws_instance" "web" {
  count      = var.size
  ami        = "ami-${local.image}"
  depends_on = [aws_vpc.main]
  disk {
    size = var.size
  }
  dynamic "disk" {
    for_each = [1, 2]
    iterator = each_disk
    content {
      size = each_disk.value
    }
  }
}

module "net" {
  source = "./net"
  cidr   = aws_vpc.main.id
}
"#;

const MORE: &str = r#"{"locals": {"image": "x"}, "resource": {"aws_vpc": {"main": {}}},
    "output": {"web": {"value": "${aws_instance.web[0].id}"}}}"#;

const NET: &str = "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n";

fn mixed() -> tempfile::TempDir {
    tree(&[("main.tf", MAIN), ("more.tf.json", MORE), ("net/main.tf", NET)])
}

/// `--syntax` says how the named files are written, whatever their names are.
#[test]
fn the_syntax_of_named_files_can_be_given() {
    let json = "{\"locals\": {\"a\": \"${local.b}\"}}";
    let tree =
        tree(&[("a.txt", "locals {\n  a = local.b\n}\n"), ("b.tf", json), ("c/c.tf", "d = [")]);
    let listed = |arguments: &[&str]| stdout(&run(tree.path(), arguments));
    assert_eq!(
        listed(&["references", "--quiet", "--alone", "--syntax", "native", "a.txt"]),
        "a.txt:2:7: local.a -> local.b\n"
    );
    let output = run(tree.path(), &["check", "--alone", "--format", "concise", "a.txt"]);
    assert!(stdout(&output).contains("native"), "{}", stdout(&output));
    assert_eq!(
        listed(&["references", "--quiet", "--syntax", "json", "b.tf"]),
        "b.tf:1:21: local.a -> local.b\n"
    );
    // A file that is found in a directory is what its name says.
    let output = run(tree.path(), &["check", "--syntax", "json", "--format", "concise", "c"]);
    assert!(stdout(&output).contains("unterminated-tuple"), "{}", stdout(&output));
    let schema = "{\"mode\": \"just_attributes\"}";
    std::fs::write(tree.path().join("schema.json"), schema).unwrap();
    std::fs::write(tree.path().join("d.txt"), "a = 1\n").unwrap();
    let arguments = ["decode", "--syntax", "native", "--schema", "schema.json", "d.txt"];
    let output = run(tree.path(), &arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    // `fmt` takes files of any name.
    let output = run(tree.path(), &["fmt", "--check", "--quiet", "--syntax", "native", "a.txt"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
}

#[test]
fn a_module_of_both_syntaxes_is_one_module() {
    let tree = mixed();
    let output = run(tree.path(), &["check", "--quiet", "."]);
    assert_eq!((status(&output), stdout(&output).as_str(), stderr(&output).as_str()), (0, "", ""));

    let references = stdout(&run(tree.path(), &["references", "--quiet", "."]));
    for line in [
        "main.tf:7:16: aws_instance.web -> var.size",
        "main.tf:8:23: aws_instance.web -> local.image",
        "main.tf:9:17: aws_instance.web -> aws_vpc.main",
        "main.tf:11:12: aws_instance.web -> var.size",
        "more.tf.json:2:",
        "net/main.tf:3:11: output.id -> var.cidr",
    ] {
        assert!(references.contains(line), "{line}\n{references}");
    }
    assert!(!references.contains("each_disk"), "{references}");

    let graph = json(&run(tree.path(), &["graph", "--format", "json", "."]));
    let has = |from: &str, to: &str| {
        graph["edges"].as_array().unwrap().contains(&value!({"from": from, "to": to}))
    };
    assert!(has(".:output.web", ".:aws_instance.web"), "{graph}");
    assert!(has(".:aws_instance.web", ".:aws_vpc.main"), "{graph}");
    assert!(has("net:output.id", "net:var.cidr"), "{graph}");

    let dependents = stdout(&run(tree.path(), &["dependents", "var.size", ".", "--quiet"]));
    assert!(dependents.contains("aws_instance.web"), "{dependents}");
    assert!(dependents.contains("output.web"), "{dependents}");
}

#[test]
fn an_error_in_one_file_keeps_the_rest() {
    let tree = mixed();
    fs::write(tree.path().join("main.tf"), format!("{MAIN}resource \"a\" {{\n  x = [\n}}\n"))
        .unwrap();
    let report = json(&run(tree.path(), &["check", "--format", "json", "--quiet", "."]));
    let codes: Vec<&str> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["missing-block-label", "unterminated-tuple"]);
    // The declarations of the broken part are not known.
    let gaps = json(&run(tree.path(), &["graph", "--format", "json", "--quiet", "."]));
    assert_eq!(gaps["incomplete"][0]["where"][0], "main.tf", "{gaps}");
}

#[test]
fn values_are_selected_decoded_and_listed() {
    let tree = mixed();
    let rows = |member: &str, arguments: &[&str]| list(&run(tree.path(), arguments), member);
    let found =
        rows("matches", &["query", "resource.aws_instance.web.ami", ".", "--format", "json"]);
    assert_eq!(found[0]["address"], "aws_instance.web");
    assert_eq!(found[0]["expression"], "\"ami-${local.image}\"");
    assert_eq!(
        rows("matches", &["query", "variable.*.default", ".", "--format", "json"])[0]["value"],
        1
    );
    let templates = rows("templates", &["templates", "--format", "json", "."]);
    assert_eq!(templates[0]["path"], "resource.aws_instance.web.ami");
    assert_eq!(templates[0]["text"], "ami-${local.image}");

    let schema = r#"{"mode": "partial", "blocks": {"variable": {"labels": ["name"],
        "body": {"mode": "partial", "attributes": {"default": {}}}}}}"#;
    fs::write(tree.path().join("schema.json"), schema).unwrap();
    let decoded = json(&run(tree.path(), &["decode", "--schema", "schema.json", "main.tf"]));
    let variable = &decoded["body"]["blocks"][0];
    assert_eq!(variable["labels"], value!(["size"]));
    assert_eq!(variable["body"]["attributes"]["default"]["result"]["value"], 1);
}

#[test]
fn the_same_module_in_the_other_syntax_is_no_difference() {
    let tree = tree(&[
        ("native/main.tf", MAIN),
        (
            "json/main.tf.json",
            r#"{"variable": {"size": {"type": "number", "default": 1}},
            "resource": {"aws_instance": {"web": {"count": "${var.size}", "ami": "ami-${local.image}",
                "depends_on": ["aws_vpc.main"], "disk": {"size": "${var.size}"},
                "dynamic": {"disk": {"for_each": [1, 2], "iterator": "each_disk",
                    "content": {"size": "${each_disk.value}"}}}}}},
            "module": {"net": {"source": "./net", "cidr": "${aws_vpc.main.id}"}}}"#,
        ),
    ]);
    let output = run(tree.path(), &["diff", "json", "native"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn files_that_no_tool_lists_are_read_by_name() {
    let lock = "provider \"registry.opentofu.org/hashicorp/aws\" {\n  version=\"5.0.0\"\n}\n";
    let tree = tree(&[
        ("terragrunt.hcl", "include \"root\" {\n  path = find_in_parent_folders()\n}\n"),
        ("broken.hcl", "a = [\n"),
        (".terraform.lock.hcl", lock),
        ("bad/.terraform.lock.hcl", "provider \"aws\" {\n}\nx = 1\n"),
    ]);
    for level in ["syntax", "module"] {
        let check = |file| run(tree.path(), &["check", "--level", level, file]);
        for file in ["terragrunt.hcl", ".terraform.lock.hcl"] {
            assert_eq!(status(&check(file)), 0, "{}", stdout(&check(file)));
        }
        assert!(stdout(&check("broken.hcl")).contains("error[unterminated-tuple]"));
        let bad = stdout(&check("bad/.terraform.lock.hcl"));
        assert!(bad.contains("error[provider-lock]"), "{bad}");
        assert!(bad.contains("error[unsupported-argument]"), "{bad}");
    }
    // Spaces only, as the tools that own these files do.
    assert_eq!(stdout(&run(tree.path(), &["fmt", ".terraform.lock.hcl"])), ".terraform.lock.hcl\n");
    let formatted = fs::read_to_string(tree.path().join(".terraform.lock.hcl")).unwrap();
    assert_eq!(formatted, lock.replace("version=", "version = "));
    assert_eq!(status(&run(tree.path(), &["fmt", "--check", "terragrunt.hcl"])), 0);
}

#[test]
fn files_of_other_tools_declare_nothing_that_is_known() {
    let text = "remote_state {\n  config = {\n    bucket = \"b-${local.env}\"\n  }\n}\n";
    let tree = tree(&[("terragrunt.hcl", text)]);
    let output = run(tree.path(), &["query", "remote_state.config.bucket", "terragrunt.hcl"]);
    let expected = "terragrunt.hcl:3:5: remote_state.config.bucket = \"b-${local.env}\"\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let output = run(tree.path(), &["references", "terragrunt.hcl"]);
    let note = "incomplete: terragrunt.hcl: not part of a module: its block types are unknown\n";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
}

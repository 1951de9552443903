//! `moved` blocks: what Terraform 1.11 refuses in a plan, and how `review` follows them.

use std::fs;
use std::path::Path;

use crate::tool::{commit, git, json, run, stdout, tree};

fn block([from, to]: [&str; 2]) -> String {
    format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n")
}

/// Moves that would each have to come before the other, as the plans of Terraform say.
#[test]
fn cyclic_moves() {
    let data = |name: &str| format!("terraform_data.{name}");
    for (is_cyclic, moves) in [
        (true, ["x[\"a\"]", "y[\"c\"]", "x", "y"]),
        (true, ["o", "x", "o[\"a\"]", "x[\"b\"]"]),
        (true, ["a", "b", "b", "a"]),
        (false, ["a", "b", "b", "c"]),
        (false, ["a", "b[0]", "b[0]", "c"]),
        (false, ["a", "a[0]", "a[1]", "a[2]"]),
        (false, ["a[\"x\"]", "b", "a[\"y\"]", "b[\"y\"]"]),
        (true, ["module.p1", "module.p2", "module.p2.a", "module.p1.a"]),
        (true, ["module.p1[\"a\"]", "module.p2", "module.p2", "module.p1"]),
        (true, ["module.p[\"x\"]", "module.p[\"y\"]", "module.p[\"y\"].a", "module.p[\"x\"].a"]),
        (false, ["module.a", "module.a.module.b", "x", "y"]),
        (false, ["module.a.module.b", "module.a", "module.q", "module.r"]),
        (false, ["module.p1", "module.p2", "module.p2.a", "module.p2.b"]),
        (false, ["module.p1.a", "module.p1.b", "module.p1", "module.p2"]),
        (false, ["module.p", "module.p[\"x\"]", "module.p[\"x\"].a", "module.p[\"x\"].b"]),
    ] {
        let written = moves.map(|end| match end.rsplit_once('.') {
            _ if !end.starts_with("module.") => data(end),
            Some((module, name)) if module.contains('.') && !module.ends_with("module") => {
                format!("{module}.{}", data(name))
            }
            _ => end.to_owned(),
        });
        let [one, two, three, four] = written.each_ref().map(String::as_str);
        let tree = tree(&[("main.tf", &(block([one, two]) + &block([three, four])))]);
        let found = stdout(&run(tree.path(), &["check", "--format", "concise", "."]));
        assert_eq!(found.contains("cyclic-move"), is_cyclic, "{written:?}: {found}");
    }
}

/// Objects that are moved and still exist, also in instances of modules.
#[test]
fn moved_objects_that_still_exist() {
    let main = r#"
terraform {
  backend "local" {}
}
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
module "n" { source = "./m" }
resource "terraform_data" "o" { for_each = toset(["x"]) }
"#;
    for (exists, from, to) in [
        (true, "module.m[\"a\"].terraform_data.y", "terraform_data.q"),
        (true, "module.m[\"a\"].terraform_data.y[0]", "terraform_data.q"),
        (false, "module.m[\"a\"].terraform_data.y", "terraform_data.q[0]"),
        (false, "module.m[\"c\"].terraform_data.y", "terraform_data.q"),
        (false, "module.m.terraform_data.y", "terraform_data.q"),
        (true, "module.m[\"a\"]", "module.q"),
        (false, "module.m[\"c\"]", "module.q"),
        (true, "module.m", "module.q"),
        (true, "module.m[\"a\"].module.in", "module.q"),
        (true, "module.m[\"a\"].module.in[0]", "module.q"),
        (false, "module.m[\"a\"].module.in[1]", "module.q"),
        (false, "module.m[\"c\"].module.in", "module.q"),
        (false, "module.m[\"a\"].module.none", "module.q"),
        (true, "module.m[\"a\"].module.in[0].terraform_data.z", "terraform_data.q"),
        (false, "module.m[\"a\"].module.in.terraform_data.z", "terraform_data.q"),
        (true, "module.n", "module.q[0]"),
        (false, "terraform_data.o", "terraform_data.q[0]"),
        (true, "terraform_data.o", "terraform_data.q"),
        (true, "terraform_data.o[\"x\"]", "terraform_data.q"),
        (false, "terraform_data.o[\"z\"]", "terraform_data.q"),
    ] {
        let tree = tree(&[
            ("main.tf", &(main.to_owned() + &block([from, to]))),
            (
                "m/main.tf",
                "resource \"terraform_data\" \"y\" { count = 2 }\nmodule \"in\" {\n  source = \"./in\"\n  count  = 1\n}\n",
            ),
            ("m/in/main.tf", "resource \"terraform_data\" \"z\" {}\n"),
        ]);
        let arguments = ["check", "--level", "values", "--format", "concise", "."];
        let found = stdout(&run(tree.path(), &arguments));
        assert_eq!(found.contains("still-declared"), exists, "{from} {to}: {found}");
    }
}

fn commit_all(directory: &Path) {
    git(directory, &["init", "-q"]);
    commit(directory);
}

/// The tools do not move an object by themselves between `y` and `y[0]` if a block moves another to `y`.
#[test]
fn blocks_that_move_to_a_resource_keep_its_objects_from_moving() {
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    let resource =
        |rest: &str| format!("{backend}resource \"terraform_data\" \"y\" {{ {rest} }}\n");
    let other = "resource \"terraform_data\" \"x\" {}\n";
    let tree = tree(&[("main.tf", &(resource("") + other))]);
    commit_all(tree.path());
    let moved = block(["terraform_data.x", "terraform_data.y[1]"]);
    fs::write(tree.path().join("main.tf"), resource("count = 2") + &moved).unwrap();
    let answer = json(&run(tree.path(), &["review", "--format", "json"]));
    let mut actions: Vec<(&str, &str)> = Vec::new();
    for change in answer["roots"][0]["changes"].as_array().unwrap() {
        actions.push((change["action"].as_str().unwrap(), change["address"].as_str().unwrap()));
    }
    actions.sort_unstable();
    let expected = [
        ("create", "terraform_data.y[0]"),
        ("delete", "terraform_data.y"),
        ("move", "terraform_data.y[1]"),
    ];
    assert_eq!(actions, expected);
}

/// Stacks of Terramate are root modules, and stacks of Terraform are said.
#[test]
fn stacks_are_reviewed_or_said() {
    let tree = tree(&[
        ("tm/stack.tm.hcl", "stack {\n  name = \"a\"\n}\n"),
        ("tm/main.tf", "resource \"terraform_data\" \"x\" { input = file(\"x.txt\") }\n"),
        ("tm/x.txt", "1"),
        (
            "st/main.tfcomponent.hcl",
            "component \"net\" {\n  source = \"../net\"\n  inputs = {}\n}\n",
        ),
        ("st/d.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
        ("net/main.tf", "resource \"terraform_data\" \"x\" { input = 1 }\n"),
    ]);
    commit_all(tree.path());
    fs::write(tree.path().join("tm/x.txt"), "2").unwrap();
    let review = || json(&run(tree.path(), &["review", "--format", "json"]));
    let answer = review();
    assert_eq!(answer["roots"][0]["path"], "tm");
    assert_eq!(answer["roots"][0]["changes"][0]["action"], "update");
    assert_eq!(answer["incomplete"], serde_json::json!([]));
    let net = "resource \"terraform_data\" \"x\" { input = 2 }\n";
    fs::write(tree.path().join("net/main.tf"), net).unwrap();
    let answer = review();
    assert_eq!(answer["incomplete"][0]["what"], "stack");
    assert_eq!(answer["incomplete"][0]["where"], serde_json::json!(["st"]));
}

/// A condition that fails in the new version stops the plan, so that the answer is not complete.
#[test]
fn failed_conditions_of_the_new_version_are_said() {
    let main = |condition: &str| {
        format!(
            r#"
terraform {{
  backend "local" {{}}
}}
variable "n" {{ default = 1 }}
resource "terraform_data" "x" {{
  input = var.n
  lifecycle {{
    precondition {{
      condition     = var.n > {condition}
      error_message = "no"
    }}
  }}
}}
"#
        )
    };
    let tree = tree(&[("main.tf", &main("0"))]);
    commit_all(tree.path());
    let review = || json(&run(tree.path(), &["review", "--format", "json"]));
    fs::write(tree.path().join("main.tf"), main("2")).unwrap();
    let answer = review();
    assert_eq!(answer["roots"][0]["changes"], serde_json::json!([]));
    assert!(answer["incomplete"].to_string().contains("after: has an error"), "{answer}");
    commit_all(tree.path());
    fs::write(tree.path().join("main.tf"), main("-1")).unwrap();
    assert_eq!(review()["incomplete"], serde_json::json!([]));
}

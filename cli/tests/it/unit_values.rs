//! Units of Terragrunt as root modules that are evaluated (`expand`, `why`, `review`), and in answers
//! about modules: `graph`, `dependents`, `references`, `query`, `inspect`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tool::{git, json, run, status, stderr, stdout, tree};

/// A module that prints what its unit gives it, a unit with everything that gives values, and one that
/// it depends on.
fn live() -> TempDir {
    let directory = tree(&[
        (
            "root.hcl",
            r#"
locals {
  stage = get_env("STAGE", "dev")
}
remote_state {
  backend  = "local"
  generate = {
    path      = "backend.tf"
    if_exists = "overwrite"
  }
  config = { path = "${path_relative_to_include()}/state" }
}
generate "more" {
  path      = "more.tf"
  if_exists = "overwrite"
  contents  = <<-E
    variable "tags" {
      type = map(string)
    }
    locals {
      generated = "from ${path_relative_to_include()}"
    }
  E
}
inputs = {
  stage = local.stage
  tags  = { owner = "us" }
}
"#,
        ),
        (
            "modules/app/main.tf",
            r#"
variable "stage" {}
variable "vpc_id" {
  type = string
}
variable "subnets" {
  type = list(string)
}
variable "untyped" {}
variable "size" {
  type    = number
  default = 1
}
variable "from_file" {
  default = "no file"
}
variable "from_arguments" {
  default = "none"
}
variable "secret" {
  type = string
}
resource "terraform_data" "app" {
  count = length(var.subnets)
  input = {
    all       = [var.stage, var.vpc_id, var.untyped, var.from_file, var.from_arguments, var.size]
    tags      = var.tags
    generated = local.generated
    text      = file("${path.module}/text.txt")
    beside    = local.beside
  }
}
output "secret" {
  value     = var.secret
  sensitive = true
}
"#,
        ),
        ("modules/app/text.txt", "of the module"),
        (
            "modules/net/main.tf",
            "output \"id\" {\n  value = \"vpc\"\n}\noutput \"real\" {\n  value = 1\n}\n",
        ),
        (
            "live/net/terragrunt.hcl",
            "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n\
             terraform {\n  source = \"../../modules/net\"\n}\n",
        ),
        (
            "live/app/terragrunt.hcl",
            r#"
include "root" {
  path = find_in_parent_folders("root.hcl")
}
terraform {
  source = "../../modules//app"
  extra_arguments "v" {
    commands           = get_terraform_commands_that_need_vars()
    arguments          = ["-var", "from_arguments=argument"]
    required_var_files = ["common.tfvars"]
    optional_var_files = ["missing.tfvars"]
    env_vars           = { TF_VAR_size = "7" }
  }
}
dependency "net" {
  config_path  = "../net"
  mock_outputs = { id = "mock-vpc" }
}
inputs = {
  vpc_id  = dependency.net.outputs.id
  subnets = ["a", "b"]
  untyped = { a = [1] }
  size    = 3
  unused  = "x"
  secret  = sensitive("hunter2")
}
"#,
        ),
        ("live/app/common.tfvars", "from_file = \"file\"\n"),
        ("live/app/beside.tf", "locals {\n  beside = \"of the unit\"\n}\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    directory
}

fn expand(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, &[&["expand", "--format", "json"], arguments].concat());
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    json(&output)
}

/// The values of the first instance.
fn first(answer: &Value) -> &Value {
    &answer["planned_values"]["root_module"]["resources"][0]["values"]["input"]
}

#[test]
fn expand_evaluates_the_module_of_a_unit() {
    let directory = live();
    let answer = expand(directory.path(), &["live/app"]);
    assert_eq!(answer["incomplete"], json!([]), "{answer}");
    assert_eq!(answer["planned_values"]["root_module"]["resources"].as_array().unwrap().len(), 2);
    let input = first(&answer);
    let all = json!(["dev", "mock-vpc", "{\"a\":[1]}", "file", "argument", 7]);
    assert_eq!(input["all"], all, "{answer}");
    assert_eq!(input["tags"], json!({"owner": "us"}));
    assert_eq!(input["generated"], "from live/app");
    assert_eq!(input["text"], "of the module");
    assert_eq!(input["beside"], "of the unit");
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    // From another folder, with the environment of the unit, and with a flag.
    let arguments = ["app", "--env", "STAGE=prod", "--var", "vpc_id=other"];
    let answer = expand(&directory.path().join("live"), &arguments);
    assert_eq!(first(&answer)["all"][0], "prod");
    assert_eq!(first(&answer)["all"][1], "other");
    // Why a value is what it is.
    let output =
        run(directory.path(), &["why", "terraform_data.app[0].input.generated", "live/app"]);
    assert!(stdout(&output).contains("from live/app"), "{}{}", stdout(&output), stderr(&output));
    let input = run(directory.path(), &["why", "var.vpc_id", "live/app"]);
    assert!(stdout(&input).ends_with("(set by live/app/terragrunt.hcl)\n"), "{}", stdout(&input));
    let flag = ["why", "var.vpc_id", "live/app", "--var", "vpc_id=x", "--format", "json"];
    let answer: Value = serde_json::from_str(&stdout(&run(directory.path(), &flag))).unwrap();
    assert_eq!(answer["expressions"][0]["given_by"], "--var");
}

#[test]
fn outputs_without_mocks_are_unknown() {
    let directory = live();
    let unit = directory.path().join("live/app/terragrunt.hcl");
    let text = fs::read_to_string(&unit).unwrap();
    let replaced = text.replace("mock_outputs = { id = \"mock-vpc\" }", "");
    fs::write(&unit, replaced.replace("= \"x\"", "= run_cmd(\"x\")")).unwrap();
    let answer = expand(directory.path(), &["live/app"]);
    let of_app = &answer["planned_values"]["root_module"]["resources"][0];
    assert_eq!(of_app["unknown_values"]["input"]["all"][1], true, "{answer}");
    assert_eq!(of_app["values"]["input"]["all"][0], "dev");
    // The number of instances depends on an output.
    fs::write(&unit, text.replace("[\"a\", \"b\"]", "dependency.net.outputs.none")).unwrap();
    let output = run(directory.path(), &["expand", "live/app"]);
    assert!(stdout(&output).contains("its instances are not known"), "{}", stdout(&output));
    // All inputs depend on one.
    fs::write(
        &unit,
        text.replace("inputs = {", "inputs = dependency.net.outputs.none.x\nlocals {"),
    )
    .unwrap();
    let output = run(directory.path(), &["expand", "live/app", "--format", "json"]);
    assert_eq!(json(&output)["incomplete"][0]["where"], json!(["live/app"]), "{}", stdout(&output));
}

#[test]
fn units_that_stacks_would_generate_are_evaluated() {
    let directory = tree(&[
        (
            "live/terragrunt.stack.hcl",
            "unit \"app\" {\n  source = \"../units/app\"\n  path   = \"app\"\n  values = { name = \"n\" }\n}\n",
        ),
        (
            "units/app/terragrunt.hcl",
            "terraform {\n  source = \"${get_repo_root()}/modules/app\"\n}\ninputs = { name = values.name }\n",
        ),
        ("modules/app/main.tf", "variable \"name\" {}\noutput \"name\" {\n  value = var.name\n}\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    let answer = expand(directory.path(), &["live/.terragrunt-stack/app"]);
    assert_eq!(answer["planned_values"]["outputs"]["name"]["value"], "n", "{answer}");
    assert!(!directory.path().join("live/.terragrunt-stack").exists());
}

#[test]
fn modules_that_are_elsewhere_are_said_so() {
    let directory = tree(&[
        ("a/terragrunt.hcl", "terraform {\n  source = \"git::https://example.com/x.git\"\n}\n"),
        ("b/terragrunt.hcl", "terraform {\n  source = \"../none\"\n}\n"),
    ]);
    for (unit, why) in [("a", "git::https://example.com/x.git"), ("b", "none")] {
        let output = run(directory.path(), &["expand", unit]);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

fn commit(directory: &Path) {
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "-m", "x"]);
}

fn review(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, &[&["review", "--format", "json"], arguments].concat());
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    json(&output)
}

#[test]
fn review_compares_units() {
    let directory = live();
    let path = directory.path();
    commit(path);
    assert_eq!(review(path, &[])["roots"], json!([]));
    // An input of all units.
    let root = path.join("root.hcl");
    let text = fs::read_to_string(&root).unwrap();
    fs::write(&root, text.replace("owner = \"us\"", "owner = \"them\"")).unwrap();
    let answer = review(path, &[]);
    let roots = answer["roots"].as_array().unwrap();
    let paths: Vec<&str> = roots.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["live/app", "live/net"], "{answer}");
    let changes = roots[0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2, "{answer}");
    assert_eq!(changes[0]["address"], "terraform_data.app[0]");
    let leaf = &changes[0]["leaves"][0];
    assert_eq!(
        (&leaf["path"], &leaf["before"], &leaf["after"]),
        (&json!("input.tags.owner"), &json!("us"), &json!("them")),
        "{answer}"
    );
    assert_eq!(roots[1]["changes"], json!([]), "{answer}");
    assert_eq!(answer["incomplete"], json!([]), "{answer}");
    // Only one unit is meant.
    assert_eq!(review(path, &["live/net"])["roots"].as_array().unwrap().len(), 1);
    commit(path);
    // A file of variables of the unit, a module, and a unit that is new.
    fs::write(path.join("live/app/common.tfvars"), "from_file = \"new\"\n").unwrap();
    let answer = review(path, &[]);
    assert_eq!(answer["roots"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["roots"][0]["changes"][0]["leaves"][0]["after"], "new", "{answer}");
    fs::create_dir(path.join("live/new")).unwrap();
    fs::copy(path.join("live/net/terragrunt.hcl"), path.join("live/new/terragrunt.hcl")).unwrap();
    let answer = review(path, &["live/new"]);
    assert_eq!(answer["roots"][0]["changes"][0]["action"], "create", "{answer}");
    // Two revisions.
    commit(path);
    let answer = review(path, &["--since", "HEAD~2..HEAD~1", "live/app"]);
    assert_eq!(answer["roots"][0]["changes"][0]["leaves"][0]["after"], "them", "{answer}");
    assert_eq!(answer["incomplete"], json!([]), "{answer}");
}

/// A network, and a unit that is given its output.
fn linked() -> TempDir {
    let directory = tree(&[
        (
            "modules/net/main.tf",
            "resource \"aws_vpc\" \"main\" {}\noutput \"id\" {\n  value = aws_vpc.main.id\n}\n\
             output \"other\" {\n  value = 1\n}\n",
        ),
        (
            "modules/app/main.tf",
            "variable \"vpc_id\" {}\nvariable \"size\" {}\n\
             resource \"aws_instance\" \"web\" {\n  vpc = var.vpc_id\n}\n",
        ),
        ("live/root.hcl", "locals {\n  size = 1\n}\ninputs = {\n  size = local.size\n}\n"),
        ("live/net/terragrunt.hcl", "terraform {\n  source = \"../../modules/net\"\n}\n"),
        (
            "live/app/terragrunt.hcl",
            "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n\
             terraform {\n  source = \"../../modules/app\"\n}\n\
             dependency \"net\" {\n  config_path = \"../net\"\n}\n\
             inputs = {\n  vpc_id = dependency.net.outputs.id\n}\n",
        ),
    ]);
    git(directory.path(), &["init", "-q"]);
    directory
}

#[test]
fn units_are_in_graphs() {
    let directory = linked();
    let edges = |arguments: &[&str]| -> Vec<String> {
        let output = run(directory.path(), &[&["graph", "--format", "json"], arguments].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let answer = json(&output);
        assert_eq!(answer["incomplete"], json!([]), "{answer}");
        let edges = answer["edges"].as_array().unwrap().iter();
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        let mut edges: Vec<String> =
            edges.map(|it| format!("{} -> {}", text(&it["from"]), text(&it["to"]))).collect();
        edges.sort();
        edges
    };
    assert_eq!(
        edges(&["--modules"]),
        ["live/app -> live/net", "live/app -> modules/app", "live/net -> modules/net"]
    );
    assert_eq!(
        edges(&[]),
        [
            "live/app -> live/app:inputs.size",
            "live/app -> live/app:inputs.vpc_id",
            "live/app -> live/net",
            "live/app:inputs.vpc_id -> modules/net:output.id",
            "modules/app:aws_instance.web -> modules/app:var.vpc_id",
            "modules/app:var.size -> live/app:inputs.size",
            "modules/app:var.vpc_id -> live/app:inputs.vpc_id",
            "modules/net:output.id -> modules/net:aws_vpc.main",
        ]
    );
    let page = stdout(&run(directory.path(), &["graph", "--format", "html"]));
    assert!(page.contains("inputs.vpc_id"), "the page has no unit");
}

#[test]
fn dependents_lead_through_units() {
    let directory = linked();
    let dependents = |of: &str| -> Vec<String> {
        let output = run(directory.path(), &["dependents", of, "--format", "csv"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output).lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(
        dependents("aws_vpc.main"),
        [
            "aws_vpc.main,modules/net,0,modules/net:aws_vpc.main",
            "output.id,modules/net,1,modules/net:aws_vpc.main",
            "inputs.vpc_id,live/app,2,modules/net:output.id",
            "var.vpc_id,modules/app,3,live/app:inputs.vpc_id",
            "aws_instance.web,modules/app,4,modules/app:var.vpc_id",
        ]
    );
    assert_eq!(dependents("live/net"), ["unit,live/net,0,live/net", "unit,live/app,1,live/net"]);
    assert_eq!(dependents("live/app:inputs.size").len(), 2);
    assert_eq!(dependents("live/root.hcl"), ["unit,live/app,0,live/app"]);
}

#[test]
fn references_queries_and_inventories_have_units() {
    let directory = linked();
    let path = directory.path();
    let output = run(path, &["references", "--format", "csv", "live"]);
    let lines = stdout(&output);
    for line in [
        "live/app,inputs.vpc_id,dependency.net,dependency,dependency.net.outputs.id,live/app/terragrunt.hcl,11,12",
        "live,inputs.size,local.size,local,local.size,live/root.hcl,5,10",
    ] {
        assert!(lines.lines().any(|it| it == line), "{line}: {lines}{}", stderr(&output));
    }
    let output = run(path, &["query", "dependency.*.config_path", "--format", "json"]);
    let answer = json(&output);
    assert_eq!(answer["matches"][0]["value"], "../net", "{answer}");
    assert_eq!(answer["matches"][0]["path"], "live/app", "{answer}");
    let output = run(path, &["query", "terraform.source", "--format", "json"]);
    assert_eq!(json(&output)["matches"].as_array().unwrap().len(), 2);
    let output = run(path, &["inspect", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    let modules = answer["modules"].as_array().unwrap();
    let app = modules.iter().find(|it| it["path"] == "live/app").unwrap();
    assert_eq!(app["dialect"], "terragrunt", "{app}");
    assert_eq!(
        app["units"],
        json!([{
            "type": "unit",
            "source": "../../modules/app",
            "include": {"root": "live/root.hcl"},
            "dependencies": ["live/net"],
            "inputs": ["size", "vpc_id"],
        }])
    );
    let blocks: Vec<&str> =
        app["blocks"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(blocks, ["include", "terraform", "dependency"], "{app}");
    assert!(!modules.iter().any(|it| it["path"] == "modules/net" && it["units"].is_array()));
}

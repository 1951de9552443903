//! The files that modules read as units of Terragrunt run them: `affected`, `dependents`, `review`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{commit, git, json, run, tree};

/// Units with a module that reads a file that a value names: `read` passes one from its inputs, `set` in
/// an environment variable, `near` has it in its own folder, `made` generates the object that reads it.
fn live() -> TempDir {
    let directory = tree(&[
        (
            "modules/reader/main.tf",
            r#"
variable "name" { default = "none.txt" }
resource "terraform_data" "it" { input = fileexists(var.name) ? file(var.name) : "" }
"#,
        ),
        ("modules/plain/main.tf", "resource \"terraform_data\" \"it\" {}\n"),
        (
            "read/terragrunt.hcl",
            r#"
terraform { source = "../modules/reader" }
inputs = { name = "${get_terragrunt_dir()}/../shared/read.txt" }
"#,
        ),
        (
            "set/terragrunt.hcl",
            r#"
terraform {
  source = "../modules/reader"
  extra_arguments "name" {
    commands = ["plan", "apply"]
    env_vars = { TF_VAR_name = "../../shared/set.txt" }
  }
  before_hook "lint" {
    commands = ["plan"]
    execute  = ["sh", "-c", "cd ../scripts && ./lint.sh --all"]
  }
}
"#,
        ),
        ("near/terragrunt.hcl", "terraform { source = \"../modules/reader\" }\n"),
        ("near/none.txt", "near\n"),
        (
            "made/terragrunt.hcl",
            r#"
terraform { source = "../modules/plain" }
dependency "read" { config_path = "../read" }
generate "more" {
  path      = "more.tf"
  if_exists = "overwrite"
  contents  = "resource \"terraform_data\" \"more\" { input = file(\"$${path.module}/../../shared/made.txt\") }"
}
"#,
        ),
        (
            "remote/terragrunt.hcl",
            r#"
terraform { source = "tfr:///a/b/c?version=1.0.0" }
inputs = {
  code  = "${get_terragrunt_dir()}/code"
  here  = get_terragrunt_dir()
  names = ["./one.json"]
}
"#,
        ),
        ("remote/code/deep/main.py", ""),
        ("remote/one.json", "{}"),
        ("remote/notes.md", ""),
        ("scripts/lint.sh", ""),
        ("shared/read.txt", "read\n"),
        ("shared/set.txt", "set\n"),
        ("shared/made.txt", "made\n"),
        ("shared/none.txt", ""),
    ]);
    git(directory.path(), &["init", "-q"]);
    commit(directory.path());
    directory
}

fn roots(answer: &Value) -> Vec<&str> {
    let modules = answer["modules"].as_array().unwrap().iter();
    let roots = modules.filter(|module| module["root"] == true);
    roots.map(|module| module["path"].as_str().unwrap()).collect()
}

/// The affected units, and the changed files that nothing depends on.
fn affected(directory: &Path, arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    let answer = json(&run(directory, &[&["affected", "--format", "json"], arguments].concat()));
    assert_eq!(answer["incomplete"], serde_json::json!([]), "{arguments:?}");
    let texts = |list: &Value| {
        let all = list.as_array().into_iter().flatten();
        all.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    (roots(&answer).into_iter().map(str::to_owned).collect(), texts(&answer["unrelated"]))
}

#[test]
fn values_of_units_name_files() {
    let directory = live();
    let directory = directory.path();
    for (file, expected) in [
        ("shared/read.txt", &["made", "read"][..]),
        ("shared/set.txt", &["set"]),
        ("shared/made.txt", &["made"]),
        ("near/none.txt", &["near"]),
        ("scripts/lint.sh", &["set"]),
        ("remote/code/deep/main.py", &["remote"]),
        ("remote/one.json", &["remote"]),
        ("modules/plain/main.tf", &["made"]),
    ] {
        let (roots, unrelated) = affected(directory, &[file]);
        assert_eq!(roots, expected, "{file}");
        assert!(unrelated.is_empty(), "{file}");
    }
    for file in ["shared/none.txt", "remote/notes.md"] {
        assert_eq!(affected(directory, &[file]), (vec![], vec![file.to_owned()]), "{file}");
    }
    // A unit that is affected anyway reads a file, too.
    let both = affected(directory, &["read/terragrunt.hcl", "shared/read.txt"]);
    assert_eq!(both, (vec!["made".to_owned(), "read".to_owned()], vec![]));
}

#[test]
fn the_way_leads_through_the_module() {
    let directory = live();
    let answer = json(&run(directory.path(), &["affected", "--format", "json", "near/none.txt"]));
    let near = &answer["modules"][1];
    assert_eq!(near["path"], "near");
    assert_eq!(near["because"][0]["file"], "near/none.txt");
    assert_eq!(near["because"][0]["address"], "terraform_data.it");
    assert_eq!(near["because"][1]["module"], "near");
    assert_eq!(answer["modules"][0]["path"], "modules/reader");
    assert_eq!(answer["modules"][0]["root"], false);
}

#[test]
fn files_of_the_folder_of_a_unit_are_its_module_s() {
    let directory = live();
    let directory = directory.path();
    for name in ["override.tf", ".terraform.lock.hcl", "terraform.tfvars"] {
        fs::write(directory.join("near").join(name), "").unwrap();
        assert_eq!(affected(directory, &["--since", "HEAD"]).0, ["near"], "{name}");
        fs::remove_file(directory.join("near").join(name)).unwrap();
    }
    fs::remove_file(directory.join("near/none.txt")).unwrap();
    assert_eq!(affected(directory, &["--since", "HEAD"]).0, ["near"]);
}

/// Outputs of a unit that another configuration has read decide about a unit.
#[test]
fn outputs_through_read_configurations_are_followed() {
    let directory = tree(&[
        ("m/main.tf", "variable \"x\" {}\n"),
        ("vpc/terragrunt.hcl", "terraform { source = \"../m\" }\ninputs = { x = 1 }\n"),
        (
            "common.hcl",
            "dependency \"vpc\" {\n  config_path = \"${get_terragrunt_dir()}/vpc\"\n  mock_outputs = { id = 1 }\n}\n",
        ),
        (
            "app/terragrunt.hcl",
            r#"
terraform { source = "../m" }
locals { deps = read_terragrunt_config("../common.hcl") }
inputs = { x = local.deps.dependency.vpc.outputs.id }
"#,
        ),
    ]);
    git(directory.path(), &["init", "-q"]);
    assert_eq!(affected(directory.path(), &["vpc/terragrunt.hcl"]).0, ["app", "vpc"]);
}

/// A unit that a stack generates no longer is removed.
#[test]
fn units_that_stacks_generated_are_removed() {
    let unit = |name: &str| {
        format!("unit \"{name}\" {{\n  source = \"../units/net\"\n  path   = \"{name}\"\n}}\n")
    };
    let directory = tree(&[
        ("m/main.tf", ""),
        ("units/net/terragrunt.hcl", "terraform { source = \"${get_repo_root()}/m\" }\n"),
        ("live/terragrunt.stack.hcl", &(unit("a") + &unit("b"))),
    ]);
    let directory = directory.path();
    git(directory, &["init", "-q"]);
    commit(directory);
    fs::write(directory.join("live/terragrunt.stack.hcl"), unit("b")).unwrap();
    let answer = json(&run(directory, &["affected", "--since", "HEAD", "--format", "json"]));
    let removed = serde_json::json!([{"path": "live/.terragrunt-stack/a", "root": true}]);
    assert_eq!(answer["removed"], removed, "{answer}");
}

/// Functions see the files of the folder of a unit, and those that it generates.
#[test]
fn functions_see_the_files_beside_the_module() {
    let directory = tree(&[
        (
            "m/main.tf",
            r#"
output "own" { value = file("${path.module}/own.txt") }
output "made" { value = file("made.txt") }
output "all" { value = fileset(path.module, "*.txt") }
output "both" { value = file("both.txt") }
"#,
        ),
        ("m/both.txt", "module"),
        ("m/sub.txt", ""),
        (
            "u/terragrunt.hcl",
            r#"
terraform { source = "../m" }
generate "made" {
  path              = "made.txt"
  if_exists         = "overwrite"
  disable_signature = true
  contents          = "made"
}
"#,
        ),
        ("u/own.txt", "own"),
        ("u/both.txt", "unit"),
    ]);
    git(directory.path(), &["init", "-q"]);
    commit(directory.path());
    let answer = json(&run(directory.path(), &["expand", "u", "--format", "json"]));
    assert_eq!(answer["incomplete"], serde_json::json!([]), "{answer}");
    let text = answer.to_string();
    for part in ["own", "made", "unit"] {
        assert!(text.contains(&format!("\"value\":\"{part}\"")), "{part}: {text}");
    }
    assert!(text.contains(r#"["both.txt","made.txt","own.txt","sub.txt"]"#), "{text}");
    fs::write(directory.path().join("u/own.txt"), "changed").unwrap();
    let review = json(&run(directory.path(), &["review", "--format", "json"])).to_string();
    assert!(review.contains("changed"), "{review}");
}

/// A command that is not run names files, and a stack that reads another configuration reads files.
#[test]
fn commands_and_stacks_read_files() {
    let directory = tree(&[
        ("m/main.tf", "variable \"r\" {}\n"),
        (
            "a/terragrunt.hcl",
            "terraform { source = \"../m\" }\ninputs = { r = run_cmd(\"bash\", \"./tags.sh\") }\n",
        ),
        ("a/tags.sh", ""),
        ("units/net/terragrunt.hcl", "terraform { source = \"${get_repo_root()}/m\" }\n"),
        (
            "live/terragrunt.stack.hcl",
            r#"
locals {
  c = file("c.txt")
  d = read_terragrunt_config("x.hcl")
}
unit "net" {
  source = "../units/net"
  path   = "net"
  values = { n = local.c }
}
"#,
        ),
        ("live/c.txt", ""),
        ("live/x.hcl", "locals { k = 1 }\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    for (file, expected) in [
        ("a/tags.sh", "a"),
        ("live/c.txt", "live/.terragrunt-stack/net"),
        ("live/x.hcl", "live/.terragrunt-stack/net"),
    ] {
        assert_eq!(affected(directory.path(), &[file]).0, [expected], "{file}");
    }
}

#[test]
fn deleted_units_are_removed() {
    let directory = live();
    let directory = directory.path();
    fs::remove_dir_all(directory.join("near")).unwrap();
    let answer = json(&run(directory, &["affected", "--since", "HEAD", "--format", "json"]));
    assert_eq!(answer["removed"], serde_json::json!([{"path": "near", "root": true}]));
    assert!(roots(&answer).is_empty());
}

#[test]
fn dependents_of_a_file_are_units() {
    let directory = live();
    let answer =
        json(&run(directory.path(), &["dependents", "shared/read.txt", "--format", "json"]));
    let rows = answer["dependents"].as_array().unwrap().iter();
    let modules: Vec<&str> = rows.map(|row| row["module"].as_str().unwrap()).collect();
    assert_eq!(modules, ["read", "made"]);
}

/// Both versions are asked, that of the working tree and those of revisions.
#[test]
fn review_finds_the_units_that_read_a_file() {
    let directory = live();
    let directory = directory.path();
    fs::write(directory.join("shared/read.txt"), "other\n").unwrap();
    let names = |arguments: &[&str]| -> Vec<String> {
        let answer = json(&run(directory, &[&["review", "--format", "json"], arguments].concat()));
        let roots = answer["roots"].as_array().unwrap().iter();
        roots.map(|root| root["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["made", "read"]);
    commit(directory);
    assert_eq!(names(&["--since", "HEAD~1..HEAD"]), ["made", "read"]);
}

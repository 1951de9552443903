//! Secrets in files that are named alone, in revisions and in the working tree: what other files of the
//! module, or modules that it calls, declare as secret is hidden there, too.

use crate::tool::{git, run, status, stderr, stdout, tree};

/// In every secret of the files below.
const SECRET: &str = "Tr0ub4dor";

const NATIVE: &[(&str, &str)] = &[
    (
        "m/main.tf",
        r#"
variable "elsewhere" {
  default = "Tr0ub4dor-variable"
}
variable "passed" {
  default = "Tr0ub4dor-passed"
}
variable "open" {
  default = "public-default"
}
output "elsewhere" {
  value = "Tr0ub4dor-output"
}
module "c" {
  source = "../called"
  inner  = "Tr0ub4dor-inner"
  passed = var.passed
  open   = "public-passed"
}
"#,
    ),
    (
        "m/x_override.tf",
        "variable \"elsewhere\" {\n  sensitive = true\n}\noutput \"elsewhere\" {\n  sensitive = true\n}\n",
    ),
    ("m/terraform.tfvars", "elsewhere = \"Tr0ub4dor-given\"\nopen = \"public-given\"\n"),
    (
        "m/tests/a.tftest.hcl",
        "variables {\n  elsewhere = \"Tr0ub4dor-test\"\n}\nrun \"r\" {\n  module {\n    source = \"../called\"\n  }\n  \
         variables {\n    inner = \"Tr0ub4dor-run\"\n    open = \"public-run\"\n  }\n}\n",
    ),
    (
        "called/main.tf",
        "variable \"inner\" {\n  sensitive = true\n}\nvariable \"passed\" {\n  ephemeral = true\n}\nvariable \"open\" {}\n",
    ),
    (
        "s/main.tfcomponent.hcl",
        "variable \"elsewhere\" {\n  type = string\n  sensitive = true\n}\nvariable \"open\" {\n  type = string\n}\n",
    ),
    (
        "s/c.tfcomponent.hcl",
        "component \"c\" {\n  source = \"../called\"\n  inputs = {\n    inner = \"Tr0ub4dor-component\"\n    open = \"public-component\"\n  }\n}\n",
    ),
    (
        "s/prod.tfdeploy.hcl",
        "deployment \"prod\" {\n  inputs = {\n    elsewhere = \"Tr0ub4dor-deployed\"\n    open = \"public-deployed\"\n  }\n}\n",
    ),
    ("none.tf", ""),
];

const JSON: &[(&str, &str)] = &[
    (
        "m/main.tf.json",
        r#"{"variable": {"elsewhere": {"default": "Tr0ub4dor-variable"}, "passed": {"default": "Tr0ub4dor-passed"},
    "open": {"default": "public-default"}},
  "output": {"elsewhere": {"value": "Tr0ub4dor-output"}},
  "module": {"c": {"source": "../called", "inner": "Tr0ub4dor-inner", "passed": "${var.passed}", "open": "public-passed"}}}"#,
    ),
    (
        "m/x_override.tf.json",
        r#"{"variable": {"elsewhere": {"sensitive": true}}, "output": {"elsewhere": {"sensitive": true}}}"#,
    ),
    ("m/terraform.tfvars.json", r#"{"elsewhere": "Tr0ub4dor-given", "open": "public-given"}"#),
    (
        "m/tests/a.tftest.json",
        r#"{"variables": {"elsewhere": "Tr0ub4dor-test"}, "run": {"r": {"module": {"source": "../called"},
  "variables": {"inner": "Tr0ub4dor-run", "open": "public-run"}}}}"#,
    ),
    (
        "called/main.tf.json",
        r#"{"variable": {"inner": {"sensitive": true}, "passed": {"ephemeral": true}, "open": {}}}"#,
    ),
    (
        "s/main.tfcomponent.json",
        r#"{"variable": {"elsewhere": {"type": "string", "sensitive": true}, "open": {"type": "string"}}}"#,
    ),
    (
        "s/c.tfcomponent.json",
        r#"{"component": {"c": {"source": "../called",
  "inputs": {"inner": "Tr0ub4dor-component", "open": "public-component"}}}}"#,
    ),
    (
        "s/prod.tfdeploy.json",
        r#"{"deployment": {"prod": {"inputs": {"elsewhere": "Tr0ub4dor-deployed", "open": "public-deployed"}}}}"#,
    ),
    ("none.tf.json", "{}"),
];

/// The files that have secrets.
fn secret_files(files: &[(&'static str, &str)]) -> Vec<&'static str> {
    files.iter().filter(|(_, text)| text.contains(SECRET)).map(|(name, _)| *name).collect()
}

/// A repository whose files have changed since its only revision, and below `other` the same again.
fn changed(files: &[(&str, &str)]) -> tempfile::TempDir {
    let replaced = |text: &str| text.replace(SECRET, "Other-Tr0ub4dor").replace("public", "new");
    let others = files.iter().map(|(name, text)| (format!("other/{name}"), replaced(text)));
    let others: Vec<_> = others.collect();
    let all = files.iter().copied();
    let all: Vec<_> = all.chain(others.iter().map(|(name, text)| (&**name, &**text))).collect();
    let tree = tree(&all);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "-f", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    for (name, text) in files {
        std::fs::write(tree.path().join(name), replaced(text)).unwrap();
    }
    tree
}

#[test]
fn files_that_are_named_alone_hide_secrets() {
    for files in [NATIVE, JSON] {
        let tree = changed(files);
        let none = files.last().unwrap().0;
        let mut commands: Vec<Vec<String>> = Vec::new();
        for name in secret_files(files) {
            let (of_revision, other) = (format!("HEAD:{name}"), format!("other/{name}"));
            for [old, new] in [
                [&*of_revision, name],
                [name, &*of_revision],
                [&*of_revision, none],
                [none, &*of_revision],
                [name, &*other],
                [name, none],
                [none, name],
                ["HEAD", name],
            ] {
                commands.push(vec!["diff".into(), old.into(), new.into()]);
            }
            for flag in ["--quiet", "--alone"] {
                commands.push(vec!["query".into(), "**".into(), name.into(), flag.into()]);
                commands.push(vec!["query".into(), "*.*".into(), name.into(), flag.into()]);
                commands.push(vec!["templates".into(), name.into(), flag.into()]);
                commands.push(vec!["inspect".into(), name.into(), flag.into()]);
            }
        }
        let (mut wrong, mut shown) = (Vec::new(), 0);
        for command in &commands {
            for format in ["human", "json", "ndjson", "csv"] {
                let mut all: Vec<&str> = command.iter().map(String::as_str).collect();
                all.extend(["--format", format]);
                let output = run(tree.path(), &all);
                let text = stdout(&output) + &stderr(&output);
                if status(&output) == 2 || text.contains(SECRET) {
                    wrong.push(format!("{all:?}: {text}"));
                }
                all.push("--show-sensitive");
                shown += usize::from(stdout(&run(tree.path(), &all)).contains(SECRET));
            }
        }
        assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
        assert!(shown > commands.len(), "{shown} of {}", 4 * commands.len());
    }
}

/// A path of a revision, whole modules of it, and a review of one of them.
#[test]
fn modules_of_revisions_hide_secrets() {
    for files in [NATIVE, JSON] {
        let tree = changed(files);
        for format in ["human", "json", "ndjson", "csv", "markdown", "html", "github"] {
            for command in [
                &["diff", "HEAD:m", "m"][..],
                &["diff", "HEAD:m/", "m"],
                &["diff", "HEAD:./m", "m"],
                &["diff", "HEAD:called", "called"],
                &["diff", "m", "HEAD:m"],
                &["diff", "HEAD:m", "HEAD:called"],
                &["diff", "HEAD:s", "s"],
                &["diff", "HEAD:other", "."],
                &["diff", "HEAD:", "."],
                &["diff", "m", "other/m"],
                &["diff", "s", "other/s"],
                &["diff", "HEAD", "m", "--values"],
                &["diff", "HEAD:m", "m", "--values"],
                &["diff", "m", "other/m", "--values"],
                &["review", "m"],
                &["review", "--since", "HEAD", "m", "s"],
                &["review", "--since", "HEAD..HEAD", "m"],
            ] {
                let command = [command, &["--format", format]].concat();
                let output = run(tree.path(), &command);
                let text = stdout(&output) + &stderr(&output);
                assert!(!text.contains(SECRET), "{command:?}: {text}");
            }
        }
    }
}

/// Other files, of which nothing changes, decide.
#[test]
fn a_single_change_hides_secrets() {
    for files in [NATIVE, JSON] {
        for name in secret_files(files) {
            let tree = changed(files);
            for (other, text) in files {
                if *other != name {
                    std::fs::write(tree.path().join(other), text).unwrap();
                }
            }
            for command in [&["diff", "HEAD"][..], &["diff", ".", "HEAD"]] {
                let output = run(tree.path(), &[command, &["--format", "json"]].concat());
                let text = stdout(&output) + &stderr(&output);
                assert!(!text.contains(SECRET), "{name}: {command:?}: {text}");
                assert!(text.contains("public-") && text.contains("new-"), "{name}: {text}");
            }
        }
    }
}

/// `diff` compares no units, and says what does.
#[test]
fn units_are_said_not_to_be_compared() {
    let unit = |number: u8| {
        format!("terraform {{\n  source = \"../../m\"\n}}\ninputs = {{\n  a = {number}\n}}\n")
    };
    let files = [("live/u/terragrunt.hcl", &*unit(1)), ("live/stack/terragrunt.stack.hcl", "")];
    let tree = tree(&files);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("live/u/terragrunt.hcl"), unit(2)).unwrap();
    let said = |arguments: &[&str], expected: i32| {
        let output = run(path, arguments);
        assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
        let all = stdout(&output) + &stderr(&output);
        assert!(all.contains("review compares"), "{arguments:?}: {all}");
    };
    let alone = ["HEAD:live/u/terragrunt.hcl", "live/u/terragrunt.hcl"];
    for sides in
        [&["HEAD"][..], &["HEAD:live", "live"], &["HEAD", "HEAD"], &["live", "HEAD"], &alone]
    {
        said(&[&["diff"], sides].concat(), 2);
        said(&[&["diff", "--format", "json"], sides].concat(), 2);
    }
    let output = run(path, &["diff", "HEAD", "--values"]);
    assert!(stderr(&output).contains("review` compares the units"), "{}", stderr(&output));
    // Beside modules, they are a gap.
    std::fs::create_dir(path.join("m")).unwrap();
    let root = "terraform {\n  backend \"local\" {}\n}\noutput \"a\" {\n  value = 1\n}\n";
    std::fs::write(path.join("m/main.tf"), root).unwrap();
    for format in ["human", "json", "ndjson", "csv"] {
        said(&["diff", "HEAD", "--format", format], 0);
    }
    said(&["diff", "HEAD", ".", "--values"], 0);
    // A file of no known kind is not equal to others.
    std::fs::write(path.join("a.hcl"), "a = 1\n").unwrap();
    std::fs::write(path.join("b.hcl"), "a = 2\n").unwrap();
    let output = run(path, &["diff", "a.hcl", "b.hcl"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("a.hcl") && stderr(&output).contains("not compared"));
}

/// Values that are made of a variable are hidden if a call passes the variable on to a secret one.
#[test]
fn what_is_made_of_passed_on_variables_is_hidden() {
    let main = r#"
variable "passed" {
  default = "Tr0ub4dor-default"
}
variable "through" {
  type    = map(string)
  default = { "Tr0ub4dor-key" = "Tr0ub4dor-through" }
}
variable "number" {
  type    = number
  default = 3
}
locals {
  text = "a ${var.passed} b"
  wrong = var.passed + 1
}
module "c" {
  source = "../called"
  inner  = var.passed
}
module "m" {
  source  = "../middle"
  through = var.through
}
resource "x_y" "z" {
  a    = local.text
  b    = upper(var.passed)
  c    = keys(var.through)
  open = "public-${var.number}"
}
output "o" {
  value = [var.passed, module.m.o]
}
output "wrong" {
  value = parseint(var.passed, 10)
}
"#;
    let tree = tree(&[
        ("m/main.tf", main),
        ("m/terraform.tfvars", "passed = \"Tr0ub4dor-given\"\n"),
        ("called/main.tf", "variable \"inner\" {\n  sensitive = true\n}\n"),
        (
            "middle/main.tf",
            "variable \"through\" {}\nmodule \"c\" {\n  source = \"../called\"\n  inner  = var.through\n}\n\
             output \"o\" {\n  value = values(var.through)\n}\n",
        ),
    ]);
    for format in ["human", "json", "ndjson"] {
        for command in [
            &["expand", "m"][..],
            &["why", "local.text", "m"],
            &["why", "x_y.z.c", "m"],
            &["why", "module.m.output.o", "m"],
            &["why", "output.o", "m"],
            &["check", "m", "--level", "values", "--root", "m"],
        ] {
            if command[0] == "check" && format == "ndjson" {
                continue;
            }
            let command = [command, &["--format", format]].concat();
            let output = run(tree.path(), &command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{command:?}: {text}");
        }
    }
    let shown = stdout(&run(tree.path(), &["expand", "m", "--show-sensitive"]));
    assert!(shown.contains("a Tr0ub4dor-given b") && shown.contains("TR0UB4DOR"), "{shown}");
    let hidden = stdout(&run(tree.path(), &["expand", "m"]));
    assert!(hidden.contains("public-3"), "{hidden}");
}

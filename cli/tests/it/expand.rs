//! `expand`: what a module will create.

use crate::tool::{json, run, status, stderr, stdout, tree};

const MAIN: &str = r#"
variable "secret" {
  default   = "s3"
  sensitive = true
}
variable "names" { type = set(string) }
resource "terraform_data" "a" {
  for_each = var.names
  input    = { name = each.key, secret = var.secret }
}
resource "aws_x" "y" {
  size = 1
}
output "names" { value = [for it in terraform_data.a : it.input.name] }
output "secret" {
  value     = var.secret
  sensitive = true
}
"#;

#[test]
fn formats() {
    let tree = tree(&[("main.tf", MAIN), ("more.tfvars", "names = [\"b\", \"a\"]\n")]);
    let output =
        run(tree.path(), &["expand", ".", "--var-file", "more.tfvars", "--format", "json"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let printed = json(&output);
    let values = &printed["planned_values"];
    assert_eq!(values["outputs"]["names"]["value"], serde_json::json!(["a", "b"]));
    assert_eq!(values["outputs"]["secret"]["value"], "(sensitive)");
    let first = &values["root_module"]["resources"][1];
    assert_eq!(first["address"], "terraform_data.a[\"a\"]");
    assert_eq!(first["values"]["input"]["secret"], "(sensitive)");
    assert_eq!(first["sensitive_values"]["input"]["secret"], true);
    assert_eq!(printed["diagnostics"], serde_json::json!([]));

    // The last value counts; sensitive values are shown on request.
    let flags = ["--var-file", "more.tfvars", "--var", "names=[\"c\"]", "--show-sensitive"];
    let lines = run(tree.path(), &[&["expand", ".", "--format", "ndjson"], &flags[..]].concat());
    let lines: Vec<serde_json::Value> =
        stdout(&lines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["index"], "c");
    assert_eq!(lines[1]["values"]["input"]["secret"], "s3");

    let output = run(tree.path(), &["expand", ".", "--var", "names=[\"c\"]"]);
    assert_eq!(
        stdout(&output),
        "aws_x.y\n    size = 1\n\nterraform_data.a[\"c\"]\n    id = (known after apply)\n    \
         input = {\n      \"name\" = \"c\"\n      \"secret\" = (sensitive value)\n    }\n    \
         output = (known after apply)\n    triggers_replace = null\n\noutputs\n    \
         names = [\n      \"c\",\n    ]\n    secret = (sensitive value)\n"
    );
    let unknown = stdout(&run(tree.path(), &["expand", ".", "--type", "terraform_data"]));
    assert!(
        unknown.starts_with("terraform_data.a[*] (its instances are not known)\n"),
        "{unknown}"
    );
}

#[test]
fn what_cannot_be_expanded() {
    let tree = tree(&[
        ("main.tf", MAIN),
        (
            "bad.tf",
            "variable \"v\" {\n  default = \"x\"\n}\nlocals {\n  a = 1 + var.v\n}\noutput \"a\" {\n  value = local.a\n}\n",
        ),
    ]);
    let expand = |arguments: &[&str]| {
        let output = run(tree.path(), &[&["expand", "."], arguments].concat());
        (status(&output), stderr(&output))
    };
    let (status, told) = expand(&[]);
    assert!(status == 1 && told.contains("bad.tf:5:"), "{told}");
    assert_eq!(expand(&["--address", "aws_x.y"]).0, 0);
    for (arguments, message) in [
        (&["--var", "nothing=1"][..], "declares no variable \"nothing\""),
        (&["--var", "nothing"], "expected NAME=VALUE"),
        (&["--var-file", "none.tfvars"], "none.tfvars"),
        (&["--provider-schemas", "none.json"], "none.json"),
        (&["--address", "aws_x.z"], "no resource is selected"),
    ] {
        let (status, told) = expand(arguments);
        assert!(status == 2 && told.contains(message), "{arguments:?}: {told}");
    }
    assert_eq!(crate::tool::status(&run(tree.path(), &["expand", "nothing"])), 2);
}

#[test]
fn why_prints_the_chain() {
    let tree = tree(&[("main.tf", MAIN)]);
    let why = |arguments: &[&str]| {
        run(tree.path(), &[&["why", ".", "--var", "names=[\"c\"]"], arguments].concat())
    };
    let output = why(&["terraform_data.a[\"c\"].input.secret"]);
    assert_eq!(
        (status(&output), stdout(&output).as_str()),
        (
            0,
            "terraform_data.a[\"c\"].input.secret = (sensitive value)\n    main.tf:9:42: (sensitive)\n  \
             var.secret = (sensitive value)\n      main.tf:3:15: (sensitive)\n"
        )
    );
    let rows = json(&why(&["output.names", "--format", "json"]));
    assert_eq!(rows[0]["value"]["value"], serde_json::json!(["c"]));
    assert_eq!(rows[0]["range"]["start"]["line"], 14);
    let lines = why(&["--show-sensitive", "var.secret", "--format", "ndjson"]);
    assert!(stdout(&lines).contains("\"text\":\"\\\"s3\\\"\""), "{}", stdout(&lines));
    let output = why(&["nothing"]);
    assert!(status(&output) == 2 && stderr(&output).contains("no value nothing"));
}

/// `check --level values` evaluates root modules; each fact is reported once.
#[test]
fn values_of_root_modules_are_checked() {
    let tree = tree(&[
        (
            "main.tf",
            "provider \"aws\" {}\nvariable \"at\" {\n  default = 3\n}\nlocals {\n  list = [1, 2]\n}\n\
             output \"one\" {\n  value = local.list[var.at]\n}\noutput \"sum\" {\n  value = 1 + \"x\"\n}\n",
        ),
        ("other/main.tf", "variable \"v\" {}\noutput \"o\" {\n  value = [1][var.v]\n}\n"),
    ]);
    let check = |arguments: &[&str]| {
        let output =
            run(tree.path(), &[&["check", ".", "--format", "concise"], arguments].concat());
        let codes = stdout(&output);
        (
            status(&output),
            codes.matches("invalid-index").count(),
            codes.matches("invalid-operand").count(),
        )
    };
    assert_eq!(check(&[]), (1, 0, 1));
    assert_eq!(check(&["--level", "values"]), (1, 1, 1));
    assert_eq!(check(&["--level", "values", "--var", "at=1"]), (1, 0, 1));
    assert_eq!(check(&["--level", "values", "--no-root"]), (1, 0, 1));
    let with_root = ["--level", "values", "--root", "other", "--var", "v=1"];
    assert_eq!(check(&with_root), (1, 2, 1));
}

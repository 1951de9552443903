//! `expand`: what a module will create.

use crate::tool::{json, list, run, status, stderr, stdout, tree};

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
        (&["--address", "aws_x.z"], "no instance, resource or module `aws_x.z`; it has `"),
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
        run(tree.path(), &[&["why", "--var", "names=[\"c\"]"], arguments].concat())
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
    let rows = list(&why(&["output.names", "--format", "json"]), "expressions");
    assert_eq!(rows[0]["value"]["value"], serde_json::json!(["c"]));
    assert_eq!(rows[0]["range"]["start"]["line"], 14);
    let lines = why(&["--show-sensitive", "var.secret", "--format", "ndjson"]);
    assert!(stdout(&lines).contains("\"text\":\"\\\"s3\\\"\""), "{}", stdout(&lines));
    let output = why(&["nothing"]);
    assert!(status(&output) == 2 && stderr(&output).contains("no value nothing"));
}

/// A file beyond the repository is not the user's error: its content is not known, which is said.
#[test]
fn files_outside_of_the_repository_are_unknown() {
    let tree = tree(&[
        (
            "top/app/main.tf",
            "terraform {\n  backend \"local\" {}\n}\nmodule \"m\" {\n  source = \"../m\"\n}\n\
             output \"a\" {\n  value = file(\"${path.module}/../shared/x.txt\")\n}\n\
             output \"b\" {\n  value = try(file(\"../shared/x.txt\"), \"none\")\n}\n\
             output \"c\" {\n  value = [fileset(\"../shared\", \"*\"), fileexists(\"../shared/x.txt\")]\n}\n",
        ),
        ("top/m/main.tf", "output \"t\" {\n  value = filemd5(\"${path.module}/note.txt\")\n}\n"),
        ("top/m/note.txt", "note"),
        ("top/shared/x.txt", "x"),
    ]);
    let top = tree.path().join("top");
    let places = serde_json::json!(["m/note.txt", "shared", "shared/x.txt"]);
    let report = json(&run(&top, &["check", "--level", "values", "app", "--format", "json"]));
    assert_eq!(report["error_count"], 0, "{report}");
    assert_eq!(report["incomplete"][0]["where"], places, "{report}");
    let arguments = ["expand", "app", "--format", "json"];
    let output = run(&top, &arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["incomplete"][0]["where"], places, "{answer}");
    assert_eq!(answer["diagnostics"], serde_json::json!([]));
    let outputs = &answer["planned_values"]["outputs"];
    for name in ["a", "b"] {
        assert_eq!(outputs[name]["unknown_value"], true, "{answer}");
    }
    assert_eq!(outputs["c"]["unknown_value"], serde_json::json!([true, true]), "{answer}");
    let human = run(&top, &["expand", "app"]);
    assert!(stderr(&human).contains("shared/x.txt"), "{}", stderr(&human));
    assert_eq!(status(&run(&top, &[&arguments[..], &["--fail-if-incomplete"]].concat())), 1);
    // It is below the root of the repository.
    std::fs::create_dir(top.join(".git")).unwrap();
    let answer = json(&run(&top, &arguments));
    assert_eq!(answer["incomplete"], serde_json::json!([]));
    let outputs = &answer["planned_values"]["outputs"];
    assert_eq!((&outputs["a"]["value"], &outputs["b"]["value"]), (&"x".into(), &"x".into()));
}

/// A finding in a called module says which calls lead to it, from all root modules.
#[test]
fn findings_name_the_calls_that_lead_to_them() {
    let root = |key: &str, value: &str| {
        format!(
            "terraform {{\n  backend \"local\" {{}}\n}}\n\nmodule \"vpc\" {{\n  source   = \"../../vpc\"\n  \
             for_each = {{ {key} = {value} }}\n  v        = each.value\n}}\n"
        )
    };
    let tree = tree(&[
        ("live/x/main.tf", &root("a", "\"one\"")),
        ("live/y/main.tf", &root("b", "\"two\"")),
        ("live/z/main.tf", &root("c", "3")),
        (
            "vpc/main.tf",
            "variable \"v\" {}\nmodule \"net\" {\n  source = \"./net\"\n  v      = var.v\n}\n",
        ),
        ("vpc/net/main.tf", "variable \"v\" {}\noutput \"o\" {\n  value = tonumber(var.v)\n}\n"),
    ]);
    let output = run(tree.path(), &["check", "--level", "values", ".", "--format", "json"]);
    let report = json(&output);
    assert_eq!(report["error_count"], 1, "{report}");
    let related = report["diagnostics"][0]["related"].as_array().unwrap();
    let calls: Vec<String> = related
        .iter()
        .map(|it| {
            let (message, range) = (it["message"].as_str().unwrap(), &it["range"]);
            format!("{} {}: {message}", range["filename"].as_str().unwrap(), range["start"]["line"])
        })
        .collect();
    assert_eq!(
        calls,
        [
            "vpc/main.tf 2: module.vpc[\"a\"].module.net is called here",
            "live/x/main.tf 5: module.vpc[\"a\"] is called here",
            "vpc/main.tf 2: module.vpc[\"b\"].module.net is called here",
            "live/y/main.tf 5: module.vpc[\"b\"] is called here",
        ]
    );
    let shown = stdout(&run(tree.path(), &["check", "--level", "values", "."]));
    assert!(shown.contains("module.vpc[\"a\"] is called here"), "{shown}");
    // An error in an argument of the root module's call is in the root module.
    std::fs::write(tree.path().join("vpc/main.tf"), "variable \"v\" {\n  type = number\n}\n")
        .unwrap();
    let report = json(&run(tree.path(), &["check", "--level", "values", ".", "--format", "json"]));
    assert_eq!(report["error_count"], 2, "{report}");
    let found = report["diagnostics"].as_array().unwrap().iter();
    for found in found.filter(|found| found["severity"] == "error") {
        let related = found["related"].as_array().unwrap();
        assert_eq!(
            (related.len(), &related[0]["message"]),
            (1, &"declared here".into()),
            "{found}"
        );
    }
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

/// Values of data sources, and of attributes that only the provider sets.
#[test]
fn a_state_has_what_only_providers_know() {
    let main = r#"
        resource "aws_vpc" "main" {
          cidr = "10.0.0.0/16"
        }
        data "aws_ami" "this" {
          name = "web"
        }
        resource "aws_instance" "web" {
          for_each = toset(["a", "b"])
          ami      = data.aws_ami.this.id
          vpc      = aws_vpc.main.id
          name     = each.key
        }
        resource "aws_instance" "new" {
          ami = aws_instance.web["b"].id
        }
        resource "terraform_data" "d" {
          input = 1
        }
        output "ids" {
          value = [aws_vpc.main.id, aws_instance.web["a"].id, terraform_data.d.id]
        }
        output "secret" {
          value     = aws_vpc.main.token
          sensitive = true
        }
    "#;
    let shown = r#"{"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {"resources": [
        {"address": "aws_vpc.main", "mode": "managed", "type": "aws_vpc", "name": "main", "provider_name": "p", "schema_version": 0,
         "values": {"cidr": "10.0.0.0/16", "id": "vpc-1", "token": "s3cret"}, "sensitive_values": {"token": true}},
        {"address": "data.aws_ami.this", "mode": "data", "type": "aws_ami", "name": "this", "provider_name": "p", "schema_version": 0,
         "values": {"name": "web", "id": "ami-1"}, "sensitive_values": {}},
        {"address": "aws_instance.web[\"a\"]", "mode": "managed", "type": "aws_instance", "name": "web", "index": "a",
         "provider_name": "p", "schema_version": 0,
         "values": {"ami": "ami-1", "vpc": "vpc-1", "name": "a", "id": "i-a"}, "sensitive_values": {}},
        {"address": "aws_instance.web[\"b\"]", "mode": "managed", "type": "aws_instance", "name": "web", "index": "b",
         "provider_name": "p", "schema_version": 0,
         "values": {"ami": "ami-0", "vpc": "vpc-1", "name": "b", "id": "i-b"}, "sensitive_values": {}},
        {"address": "terraform_data.d", "mode": "managed", "type": "terraform_data", "name": "d", "provider_name": "p",
         "schema_version": 0, "values": {"id": "d-1", "input": 1, "output": 1, "triggers_replace": null}, "sensitive_values": {}}]}}}"#;
    let instance = |attributes: &str, more: &str| {
        format!(
            r#"{{"schema_version": 0, "attributes": {attributes}, "sensitive_attributes": [{more}]}}"#
        )
    };
    let resource = |mode: &str, of: &str, name: &str, instances: &str| {
        format!(
            r#"{{"mode": "{mode}", "type": "{of}", "name": "{name}", "provider": "provider[\"p\"]", "instances": [{instances}]}}"#
        )
    };
    let keyed =
        |key: &str, it: String| it.replacen('{', &format!(r#"{{"index_key": "{key}", "#), 1);
    let token = r#"[{"type": "get_attr", "value": "token"}]"#;
    let resources = [
        resource(
            "managed",
            "aws_vpc",
            "main",
            &instance(r#"{"cidr": "10.0.0.0/16", "id": "vpc-1", "token": "s3cret"}"#, token),
        ),
        resource("data", "aws_ami", "this", &instance(r#"{"name": "web", "id": "ami-1"}"#, "")),
        resource(
            "managed",
            "aws_instance",
            "web",
            &[
                keyed(
                    "a",
                    instance(r#"{"ami": "ami-1", "vpc": "vpc-1", "name": "a", "id": "i-a"}"#, ""),
                ),
                keyed(
                    "b",
                    instance(r#"{"ami": "ami-0", "vpc": "vpc-1", "name": "b", "id": "i-b"}"#, ""),
                ),
            ]
            .join(","),
        ),
        resource(
            "managed",
            "terraform_data",
            "d",
            &instance(
                r#"{"id": "d-1", "input": {"value": 1, "type": "number"}, "output": {"value": 1, "type": "number"}, "triggers_replace": null}"#,
                "",
            ),
        ),
    ];
    let file = format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {{}}, "resources": [{}]}}"#,
        resources.join(",")
    );
    let tree = tree(&[("main.tf", main), ("shown.json", shown), ("x.tfstate", &file)]);
    for state in ["shown.json", "x.tfstate"] {
        let output = run(tree.path(), &["expand", ".", "--state", state, "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert!(!stdout(&output).contains("s3cret"), "{state}");
        let found = json(&output);
        let outputs = &found["planned_values"]["outputs"];
        assert_eq!(outputs["ids"]["value"], serde_json::json!(["vpc-1", "i-a", "d-1"]), "{state}");
        let resources = found["planned_values"]["root_module"]["resources"].as_array().unwrap();
        let values = |address: &str| {
            &resources.iter().find(|it| it["address"] == address).unwrap()["values"]
        };
        assert_eq!(values("data.aws_ami.this")["id"], "ami-1");
        assert_eq!(values("aws_vpc.main")["id"], "vpc-1");
        assert_eq!(values("terraform_data.d")["output"], 1);
        // Its image differs from the recorded one, so the provider may change the rest.
        assert_eq!(values("aws_instance.web[\"b\"]")["ami"], "ami-1");
        assert_eq!(values("aws_instance.web[\"b\"]").get("id"), None);
        assert_eq!(values("aws_instance.new").get("ami"), None);
    }
    let output = run(tree.path(), &["expand", ".", "--state", "main.tf"]);
    assert_eq!(status(&output), 2);
    let output = run(tree.path(), &["expand", ".", "--state", "gone.json"]);
    assert!(stderr(&output).contains("gone.json: "), "{}", stderr(&output));
}

/// A file of variables that cannot be decoded may give a value to any variable, unless a later file or a
/// flag does.
#[test]
fn values_of_files_that_are_not_decoded() {
    let main = "variable \"a\" {\n  type    = number\n  default = 1\n}\noutput \"a\" {\n  value = var.a\n}\n";
    let broken = "a = 3\nb = \"\n";
    for (files, flags, expected) in [
        (vec![("terraform.tfvars", "a = ]\n")], vec![], serde_json::json!(null)),
        (vec![("terraform.tfvars", "\0GITCRYPT\0")], vec![], serde_json::json!(null)),
        (vec![("terraform.tfvars", "a = ]\n"), ("x.auto.tfvars", "a = 2\n")], vec![], 2.into()),
        (vec![("a.auto.tfvars", "a = 2\n"), ("b.auto.tfvars", broken)], vec![], 3.into()),
        (vec![("terraform.tfvars", "a = ]\n")], vec!["--var", "a=4"], 4.into()),
        (vec![("prod.tfvars", "a = ]\n")], vec![], 1.into()),
    ] {
        let tree = tree(&[&files[..], &[("main.tf", main)]].concat());
        let output = run(tree.path(), &[&["expand", ".", "--format", "json"][..], &flags].concat());
        let value = &json(&output)["planned_values"]["outputs"]["a"]["value"];
        assert_eq!(*value, expected, "{files:?} {flags:?}");
    }
}

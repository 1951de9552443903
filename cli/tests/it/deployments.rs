//! `expand` of stacks of Terraform: what the components of each deployment create.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tool::{json as parsed, run, status, stderr, stdout, tree};

const STACK: &[(&str, &str)] = &[
    (".git/HEAD", ""),
    (
        "stack/main.tfcomponent.hcl",
        r#"
variable "regions" { type = set(string) }
variable "size" {
  type    = number
  default = 2
}
variable "password" {
  type      = string
  sensitive = true
}
locals { twice = 2 * var.size }
component "net" {
  for_each = var.regions
  source   = "../modules/net"
  inputs   = { region = each.value, size = local.twice }
}
component "app" {
  source = "../modules/app"
  inputs = { ids = [for region, net in component.net : net.id], password = var.password }
}
stack "inner" {
  source = "./inner"
  inputs = { name = component.app.name }
}
component "far" {
  source  = "example/far/aws"
  version = "1.0.0"
  inputs  = { name = stack.inner.name }
}
output "name" {
  type  = string
  value = stack.inner.name
}
"#,
    ),
    (
        "stack/all.tfdeploy.hcl",
        r#"
locals { all = ["eu", "us"] }
identity_token "aws" { audience = ["a"] }
deployment "prod" {
  inputs = { regions = local.all, size = 3, password = "hunter2" }
}
deployment "dev" {
  inputs = { regions = ["eu"], password = identity_token.aws.jwt }
}
deployment "old" {
  inputs  = { regions = [], password = "" }
  destroy = true
}
"#,
    ),
    (
        "stack/inner/main.tfcomponent.hcl",
        r#"
variable "name" { type = string }
component "deep" {
  source = "../../modules/deep"
  inputs = { name = "${var.name}!" }
}
output "name" {
  type  = string
  value = component.deep.name
}
"#,
    ),
    (
        "modules/net/main.tf",
        r#"
variable "region" { type = string }
variable "size" { type = number }
resource "terraform_data" "net" {
  count = var.size
  input = "${var.region}-${count.index}"
}
output "id" { value = terraform_data.net[0].input }
"#,
    ),
    ("modules/net/terraform.tfvars", "size = 99\n"),
    (
        "modules/app/main.tf",
        r#"
variable "ids" { type = list(string) }
variable "password" {
  type      = string
  sensitive = true
}
resource "terraform_data" "app" {
  input = { ids = var.ids, password = var.password }
}
output "name" { value = join(",", var.ids) }
"#,
    ),
    ("modules/deep/main.tf", "variable \"name\" {}\noutput \"name\" {\n  value = var.name\n}\n"),
];

fn expand(directory: &Path, arguments: &[&str]) -> Value {
    parsed(&run(directory, &[&["expand", "stack", "--format", "json"], arguments].concat()))
}

/// The components of a deployment, by address.
fn component<'v>(answer: &'v Value, deployment: &str, address: &str) -> &'v Value {
    let mut deployments = answer["deployments"].as_array().unwrap().iter();
    let deployment = deployments.find(|it| it["name"] == deployment).unwrap();
    let mut components = deployment["components"].as_array().unwrap().iter();
    components.find(|it| it["address"] == address).unwrap()
}

fn addresses(answer: &Value) -> Vec<String> {
    let mut all = Vec::new();
    for deployment in answer["deployments"].as_array().unwrap() {
        let name = deployment["name"].as_str().unwrap();
        for component in deployment["components"].as_array().unwrap() {
            all.push(format!("{name} {}", component["address"].as_str().unwrap()));
        }
    }
    all
}

#[test]
fn components_get_the_inputs_of_each_deployment() {
    let directory = tree(STACK);
    let answer = expand(directory.path(), &[]);
    assert_eq!(
        addresses(&answer),
        [
            "prod component.net[\"eu\"]",
            "prod component.net[\"us\"]",
            "prod component.app",
            "prod component.far",
            "prod stack.inner.component.deep",
            "dev component.net[\"eu\"]",
            "dev component.app",
            "dev component.far",
            "dev stack.inner.component.deep",
        ]
    );
    // Six subnets: files of variables of a called module do not count.
    let net = component(&answer, "prod", "component.net[\"us\"]");
    assert_eq!(net["source"], "../modules/net");
    let resources = net["planned_values"]["root_module"]["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 6);
    assert_eq!(resources[5]["values"]["input"], "us-5");
    assert_eq!(net["variables"]["size"]["value"], 6);
    let dev = component(&answer, "dev", "component.net[\"eu\"]");
    assert_eq!(dev["planned_values"]["root_module"]["resources"].as_array().unwrap().len(), 4);
    // Outputs of components, and of stacks in the stack, lead on.
    let app = component(&answer, "prod", "component.app");
    assert_eq!(app["variables"]["ids"]["value"], json!(["eu-0", "us-0"]));
    assert_eq!(app["variables"]["password"]["value"], "(sensitive)");
    let deep = component(&answer, "prod", "stack.inner.component.deep");
    assert_eq!(deep["variables"]["name"]["value"], "eu-0,us-0!");
    assert_eq!(answer["deployments"][0]["outputs"]["name"]["value"], "eu-0,us-0!");
    // Tokens are known to a run only.
    let app = component(&answer, "dev", "component.app");
    assert_eq!(app["variables"]["password"]["unknown_value"], true);
    assert_eq!(answer["deployments"][2]["destroy"], true);
    assert_eq!(answer["diagnostics"], json!([]));
    let gaps = answer["incomplete"].as_array().unwrap();
    assert_eq!(gaps.len(), 1, "{gaps:#?}");
    assert_eq!(gaps[0]["where"], json!(["component.far"]));
    assert!(gaps[0]["why"].as_str().unwrap().contains("example/far/aws"));
    assert!(!answer.to_string().contains("hunter2"));
    let shown = expand(directory.path(), &["--show-sensitive"]);
    let app = component(&shown, "prod", "component.app");
    assert_eq!(app["variables"]["password"]["value"], "hunter2");
    // Nothing is written.
    assert!(!directory.path().join("stack/.terraform").exists());
}

#[test]
fn parts_of_a_stack_are_selected() {
    let directory = tree(STACK);
    let select = |address: &str| addresses(&expand(directory.path(), &["--address", address]));
    assert_eq!(select("deployment.dev").len(), 4);
    assert_eq!(select("component.net").len(), 3);
    assert_eq!(select("deployment.prod.component.net[\"us\"]"), ["prod component.net[\"us\"]"]);
    assert_eq!(select("stack.inner").len(), 2);
    let answer =
        expand(directory.path(), &["--address", "component.net[\"us\"].terraform_data.net[1]"]);
    let resources = &answer["deployments"][0]["components"][0]["planned_values"]["root_module"];
    assert_eq!(resources["resources"].as_array().unwrap().len(), 1);
    assert_eq!(resources["resources"][0]["address"], "terraform_data.net[1]");
    let output = run(directory.path(), &["expand", "stack", "--address", "component.gone"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("component.gone"));
    let lines = run(
        directory.path(),
        &["expand", "stack", "--type", "terraform_data", "--format", "ndjson"],
    );
    let lines: Vec<Value> =
        stdout(&lines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let resources: Vec<&Value> = lines.iter().filter(|it| it["resource"].is_object()).collect();
    assert_eq!(resources.len(), 6 + 6 + 1 + 4 + 1);
    assert_eq!(resources[0]["deployment"], "prod");
    assert_eq!(resources[0]["component"], "component.net[\"eu\"]");
    let text = stdout(&run(directory.path(), &["expand", "stack"]));
    assert!(text.contains("deployment.prod.component.net[\"us\"] (../modules/net)"), "{text}");
    assert!(text.contains("deployment.old is to be destroyed"), "{text}");
    for flag in [["--var", "size=1"], ["--workspace", "x"]] {
        let output = run(directory.path(), &[&["expand", "stack"], &flag[..]].concat());
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains("is a stack"), "{}", stderr(&output));
    }
}

fn stack(components: &str, deployments: &str) -> TempDir {
    tree(&[
        (".git/HEAD", ""),
        ("stack/a.tfcomponent.hcl", components),
        ("stack/a.tfdeploy.hcl", deployments),
        ("modules/m/main.tf", "variable \"x\" {}\noutput \"y\" {\n  value = var.x\n}\n"),
    ])
}

#[test]
fn errors_and_gaps_are_said() {
    let component = |inputs: &str| {
        format!(
            "variable \"x\" {{ type = number }}\ncomponent \"m\" {{\n  source = \"../modules/m\"\n  inputs = {inputs}\n}}\n"
        )
    };
    let deployment = "deployment \"a\" { inputs = { x = 1 } }\n";
    let codes = |components: &str, deployments: &str| {
        let directory = stack(components, deployments);
        let answer = expand(directory.path(), &[]);
        let found = answer["diagnostics"].as_array().unwrap().iter();
        let codes = found.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (codes, answer["incomplete"].clone(), answer)
    };
    let (found, gaps, _) = codes(&component("{ x = var.x }"), deployment);
    assert_eq!((found, gaps), (vec![], json!([])));
    assert_eq!(codes(&component("{ x = var.x, z = 1 }"), deployment).0, ["undeclared-argument"]);
    assert_eq!(codes(&component("{}"), deployment).0, ["missing-module-argument"]);
    let wrong = "deployment \"a\" { inputs = { x = \"many\" } }\n";
    assert_eq!(codes(&component("{ x = var.x }"), wrong).0, ["variable-value"]);
    // A cycle ends.
    let cycle = component("{ x = component.m.y }");
    let (_, gaps, answer) = codes(&cycle, deployment);
    assert_eq!(gaps[0]["why"], "it depends on itself", "{gaps}");
    let m = &answer["deployments"][0]["components"][0];
    assert_eq!(m["variables"]["x"]["unknown_value"], true);
    // So does a stack that calls itself.
    let (_, gaps, _) =
        codes("stack \"s\" {\n  source = \"./\"\n}\n", "deployment \"a\" { inputs = {} }\n");
    assert!(gaps[0]["why"].as_str().unwrap().contains("20 stacks around it"), "{gaps}");
    // Instances that are not known are one that stands for all.
    let each = "upstream_input \"u\" {\n  type   = \"stack\"\n  source = \"x\"\n}\n\
                deployment \"a\" { inputs = { all = upstream_input.u.all } }\n";
    let components = "variable \"all\" { type = set(string) }\ncomponent \"m\" {\n  for_each = var.all\n  \
                      source   = \"../modules/m\"\n  inputs   = { x = each.key }\n}\n\
                      output \"o\" {\n  type  = string\n  value = component.m[\"k\"].y\n}\n";
    let (found, gaps, answer) = codes(components, each);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(gaps[0]["where"], json!(["component.m"]));
    let m = &answer["deployments"][0]["components"][0];
    assert_eq!((&m["address"], &m["index_unknown"]), (&json!("component.m[*]"), &json!(true)));
    assert_eq!(answer["deployments"][0]["outputs"]["o"]["unknown_value"], true);
    let directory = stack(&cycle, deployment);
    let output = run(directory.path(), &["expand", "stack", "--fail-if-incomplete"]);
    assert_eq!(status(&output), 1);
}

/// A few lines that ask for endless work get an answer.
#[test]
fn work_is_bounded() {
    // Each stack calls the next one ten times: 10 to the power of 20 components.
    let mut files = vec![(".git/HEAD".to_owned(), String::new())];
    let each = "for_each = toset([for i in range(10) : tostring(i)])";
    for level in 0..20 {
        let inner = format!(
            "stack \"s\" {{\n  {each}\n  source = \"../s{}\"\n}}\ncomponent \"m\" {{\n  source = \"../m\"\n}}\n",
            level + 1
        );
        files.push((format!("s{level}/a.tfcomponent.hcl"), inner));
    }
    files.push(("s20/a.tfcomponent.hcl".to_owned(), String::new()));
    files.push(("s0/a.tfdeploy.hcl".to_owned(), "deployment \"a\" { inputs = {} }\n".to_owned()));
    files.push(("m/main.tf".to_owned(), String::new()));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let directory = tree(&files);
    let answer = parsed(&run(directory.path(), &["expand", "s0", "--format", "json"]));
    let whys: Vec<&str> = answer["incomplete"]
        .as_array()
        .unwrap()
        .iter()
        .map(|gap| gap["why"].as_str().unwrap())
        .collect();
    assert!(whys.contains(&"the limit of the evaluation is reached"), "{whys:?}");
}

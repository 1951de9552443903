//! Every kind of place whose value must not be shown: values, names in objects, defaults in types, and literals
//! in calls that fail, in both syntaxes. A marker is planted in each, and every command runs in every format.

use std::path::Path;

use serde_json::Value;

use crate::tool::{git, json, run, status, stderr, stdout, tree};

/// In everything that must not be shown, and in nothing else.
const SECRET: &str = "Tr0ub4dor";

/// Places that no message is about.
const MODULE: &[(&str, &str)] = &[
    (
        "m/main.tf",
        r#"
terraform {
  backend "s3" {
    bucket     = "public-bucket"
    access_key = { "Tr0ub4dor-backend-key" = "${var.open}", x = "Tr0ub4dor-backend" }
    assume_role = {
      "Tr0ub4dor-role-key" = var.open
      id                   = "Tr0ub4dor-role"
    }
  }
}
variable "typed" {
  type = object({
    a = optional(string, "Tr0ub4dor-type")
    b = optional(tuple([object({ c = optional(string, "Tr0ub4dor-inner") })]))
    n = optional(number, 3)
    t = optional(map(string), { "Tr0ub4dor-type-key" = "x" })
  })
  default   = { a = "Tr0ub4dor-default", "Tr0ub4dor-default-key" = 1 }
  sensitive = true
}
variable "required" {
  type      = map(object({ a = optional(string, "Tr0ub4dor-required") }))
  ephemeral = true
  validation {
    condition     = var.required != {}
    error_message = "It is empty."
  }
}
variable "passed" {
  type    = object({ a = optional(string, "Tr0ub4dor-passed-type") })
  default = {}
}
variable "open" {
  type    = object({ a = optional(string, "public-type") })
  default = { a = "public-default" }
}
locals {
  passed  = "Tr0ub4dor-local"
  object  = { a = { pw = "Tr0ub4dor-object", "Tr0ub4dor-object-key" = 1 } }
  chain   = local.passed2
  passed2 = upper("Tr0ub4dor-chain")
  marked  = { "${sensitive("Tr0ub4dor-marked-key")}" = 1 }
  open    = "public-local"
}
module "c" {
  source = "../c"
  first  = local.passed
  second = local.object.a
  third  = local.chain
  fourth = { "Tr0ub4dor-argument-key" = 1, x = "Tr0ub4dor-argument" }
  fifth  = var.passed
  open   = "public-passed"
}
provider "x" {
  region = "public-region"
  token  = { "Tr0ub4dor-token-key" = var.open, plain = "Tr0ub4dor-token" }
  deep   = { a = { "Tr0ub4dor-deep-key" = var.open }, b = ["Tr0ub4dor-deep", var.open] }
  proxy {
    password = { "Tr0ub4dor-proxy-key" = var.open, plain = "Tr0ub4dor-proxy" }
  }
}
output "secret" {
  value     = { "Tr0ub4dor-output-key" = var.open, x = "Tr0ub4dor-output" }
  sensitive = true
}
"#,
    ),
    (
        "m/terraform.tfvars",
        "required = { \"Tr0ub4dor-given-key\" = { a = \"Tr0ub4dor-given\" } }\n",
    ),
    (
        "m/a.tftest.hcl",
        r#"
provider "x" {
  token = { "Tr0ub4dor-test-key" = var.open, plain = "Tr0ub4dor-test" }
}
variables {
  required = { "Tr0ub4dor-variables-key" = { a = "Tr0ub4dor-variables" } }
}
run "r" {
  module {
    source = "../c"
  }
  variables {
    first = { "Tr0ub4dor-run-key" = { a = "Tr0ub4dor-run" } }
  }
}
"#,
    ),
    ("c/main.tf", CALLED),
    ("none/main.tf", ""),
];

/// A module with secret variables.
const CALLED: &str = r#"
variable "first" {
  sensitive = true
  default   = null
}
variable "second" {
  ephemeral = true
  default   = null
}
variable "third" {
  sensitive = true
  default   = null
}
variable "fourth" {
  sensitive = true
  default   = null
}
variable "fifth" {
  sensitive = true
  default   = null
}
variable "open" {
  default = null
}
"#;

const STACK: &[(&str, &str)] = &[
    (
        "m/main.tfcomponent.hcl",
        r#"
variable "typed" {
  type      = object({ a = optional(string, "Tr0ub4dor-type") })
  default   = { "Tr0ub4dor-default-key" = "Tr0ub4dor-default" }
  sensitive = true
}
variable "passed" {
  type    = object({ a = optional(string, "Tr0ub4dor-passed-type") })
  default = { a = "Tr0ub4dor-passed" }
}
locals {
  given  = "Tr0ub4dor-local"
  chain  = local.given2
  given2 = "Tr0ub4dor-chain"
  open   = "public-local"
}
provider "x" "main" {
  config {
    region = "public-region"
    token  = { "Tr0ub4dor-token-key" = var.passed, plain = "Tr0ub4dor-token" }
  }
}
component "c" {
  source = "../c"
  inputs = {
    first  = local.given
    second = var.passed
    third  = { "Tr0ub4dor-input-key" = "Tr0ub4dor-input" }
    fourth = local.chain
    open   = "public-input"
  }
  providers = {}
}
output "o" {
  type      = string
  value     = "Tr0ub4dor-output"
  sensitive = true
}
"#,
    ),
    (
        "m/prod.tfdeploy.hcl",
        r#"
locals {
  pw   = { "Tr0ub4dor-deployed-key" = "Tr0ub4dor-deployed" }
  open = "public-deployed"
}
deployment "prod" {
  inputs = {
    typed  = local.pw
    passed = "Tr0ub4dor-or-not"
  }
}
"#,
    ),
    ("c/main.tf", CALLED),
    ("none/main.tfcomponent.hcl", ""),
];

const PACKER: &[(&str, &str)] = &[
    (
        "m/a.pkr.hcl",
        r#"
variable "typed" {
  type      = object({ a = optional(string, "Tr0ub4dor-type") })
  default   = { a = "Tr0ub4dor-default" }
  sensitive = true
}
variable "open" {
  default = "public-default"
}
local "t" {
  sensitive  = true
  expression = { "Tr0ub4dor-local-key" = upper("Tr0ub4dor-local") }
}
source "null" "e" {
  communicator = "none"
}
build {
  sources = ["source.null.e"]
}
"#,
    ),
    ("none/a.pkr.hcl", ""),
];

/// The files in the other syntax.
fn in_json(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let native = tree(files);
    let converted = files.iter().map(|(name, text)| {
        if text.is_empty() || name.ends_with(".tpl") {
            return ((*name).to_owned(), (*text).to_owned());
        }
        let output = run(native.path(), &["convert", "--to", "json", name]);
        assert_eq!(status(&output), 0, "{name}: {}", stderr(&output));
        let stem = name.strip_suffix(".hcl").unwrap_or(name);
        (format!("{stem}.json"), stdout(&output))
    });
    converted.collect()
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The markers in some files.
fn markers(files: &[(String, String)]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (_, text) in files {
        for (at, _) in text.match_indices(SECRET) {
            let is_part = |it: &char| it.is_alphanumeric() || *it == '-';
            all.push(text[at..].chars().take_while(is_part).collect());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

const FORMATS: [&str; 4] = ["human", "json", "ndjson", "csv"];

/// The commands that print values, in their formats. All of them have `--show-sensitive`.
fn commands(files: &[(String, String)], is_module: bool) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    let patterns = [
        "**",
        "*",
        "*.*",
        "variable.*.*",
        "locals.*",
        "locals.**",
        "provider.*.*.*",
        "**.proxy.**",
        "terraform.**",
        "module.*.*.*",
        "**.variables.*.*",
        "output.*.value.*",
        "**.inputs.*.*",
    ];
    for format in FORMATS {
        all.extend(patterns.map(|pattern| vec!["query", pattern, "m", "--format", format]));
        all.push(vec!["query", "**", ".", "--format", format]);
        for command in ["inspect", "templates"] {
            all.push(vec![command, "m", "--format", format]);
        }
        all.push(vec!["diff", "none", "m", "--format", format]);
        all.push(vec!["diff", "m", "none", "--format", format]);
        all.push(vec!["diff", "other/m", "m", "--format", format]);
        for (name, _) in files.iter().filter(|(name, _)| name.ends_with(".json")) {
            for command in [&["query", "**"][..], &["templates"]] {
                let stream = [name, "--stream-from", "1", "--format", format];
                all.push([command, &stream[..]].concat());
            }
        }
    }
    if is_module {
        for format in ["human", "json", "ndjson"] {
            all.push(vec!["config", "m", "--format", format]);
            all.push(vec!["config", "m", "--compat", "--format", format]);
            all.push(vec!["expand", "m", "--format", format]);
            for address in ["local.passed", "local.object", "local.chain", "output.secret"] {
                all.push(vec!["why", address, "m", "--format", format]);
            }
        }
        for format in
            ["markdown-table", "markdown-document", "asciidoc-table", "asciidoc-document", "json"]
        {
            all.push(vec!["docs", "m", "--format", format]);
        }
        all.push(vec!["inspect", "m", "--compat", "--format", "json"]);
    }
    all.into_iter().map(|command| command.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn hidden_places_are_hidden_as_a_whole() {
    for native in [MODULE, STACK, PACKER] {
        for files in [owned(native), in_json(native)] {
            let other = files.iter().map(|(name, text)| {
                (
                    format!("other/{name}"),
                    text.replace(SECRET, "Other-Tr0ub4dor").replace("public", "new"),
                )
            });
            let all: Vec<_> = files.iter().cloned().chain(other).collect();
            let all: Vec<_> = all.iter().map(|(name, text)| (&**name, &**text)).collect();
            let tree = tree(&all);
            let (mut wrong, mut shown) = (Vec::new(), String::new());
            for command in commands(&files, native == MODULE) {
                let command: Vec<&str> = command.iter().map(String::as_str).collect();
                let output = run(tree.path(), &command);
                let mut text = stdout(&output) + &stderr(&output);
                if command[0] == "expand" {
                    // Names of attributes in the type of an output are shown.
                    text = text.replace("Tr0ub4dor-output-key\":[\"object\"", "");
                }
                if text.contains(SECRET) {
                    let line = text.lines().find(|line| line.contains(SECRET));
                    wrong.push(format!("{command:?}: {}", line.unwrap_or_default()));
                }
                let with_secrets = [&command[..], &["--show-sensitive"]].concat();
                shown += &stdout(&run(tree.path(), &with_secrets));
            }
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
            // Asked for, everything is shown; nothing else is hidden.
            for marker in markers(&files) {
                assert!(shown.contains(&marker), "{marker} is never shown");
            }
            let public = stdout(&run(tree.path(), &["query", "**", "m", "--format", "json"]));
            for (_, text) in files.iter().filter(|(name, _)| name.starts_with("m/")) {
                for (at, _) in text.match_indices("public-") {
                    let marker: String = text[at..].chars().take_while(|it| *it != '"').collect();
                    assert!(public.contains(&marker), "{marker} is hidden: {public}");
                }
            }
        }
    }
}

/// Expressions with literals, most of which fail. `check` and `expand` have a message about nearly each.
const CALLS: &[&str] = &[
    r#"cidrhost("Tr0ub4dor", 1)"#,
    r#"core::cidrhost("Tr0ub4dor", 1)"#,
    r#"cidrsubnet("Tr0ub4dor", 1, 1)"#,
    r#"cidrsubnets("10.0.0.0/8", "Tr0ub4dor")"#,
    r#"parseint("Tr0ub4dor", 10)"#,
    r#"parseint("10", "Tr0ub4dor")"#,
    r#"timeadd("Tr0ub4dor", "1h")"#,
    r#"timecmp("Tr0ub4dor", "x")"#,
    r#"formatdate("Tr0ub4dor", "x")"#,
    r#"jsondecode("Tr0ub4dor")"#,
    r#"yamldecode("a: *Tr0ub4dor")"#,
    r#"csvdecode("a\n\"Tr0ub4dor")"#,
    r#"base64decode("Tr0ub4dor*")"#,
    r#"urldecode("Tr0ub4dor%zz")"#,
    r#"textdecodebase64("Tr0ub4dor!", "Tr0ub4dor")"#,
    r#"tonumber("Tr0ub4dor")"#,
    r#"tobool("Tr0ub4dor")"#,
    r#"toset("Tr0ub4dor")"#,
    r#""Tr0ub4dor" + 1"#,
    r#""Tr0ub4dor" < 1"#,
    r#""Tr0ub4dor" && true"#,
    r#"!"Tr0ub4dor""#,
    r#"-"Tr0ub4dor""#,
    r#""Tr0ub4dor" ? 1 : 2"#,
    r#"{ a = 1 }["Tr0ub4dor"]"#,
    r#"["Tr0ub4dor"]["Tr0ub4dor"]"#,
    r#""Tr0ub4dor".attribute"#,
    r#"lookup({ a = 1 }, "Tr0ub4dor")"#,
    r#"lookup({ Tr0ub4dor = 1 }, "b")"#,
    r#"regex("Tr0ub4dor(", "x")"#,
    r#"regexall("Tr0ub4dor[", "x")"#,
    r#"element([], "Tr0ub4dor")"#,
    r#"[for x in "Tr0ub4dor" : x]"#,
    r#"{ for x in ["Tr0ub4dor", "Tr0ub4dor"] : x => 1 }"#,
    r#"{ Tr0ub4dor = 1, Tr0ub4dor = 2 }"#,
    r#"{ "Tr0ub4dor" = 1, "Tr0ub4dor" = 2 }"#,
    r#"{ ("Tr0ub4dor") = 1, ("Tr0ub4dor") = 2 }"#,
    r#"format("%d", "Tr0ub4dor")"#,
    r#"file("Tr0ub4dor")"#,
    r#"file("${path.module}/Tr0ub4dor")"#,
    r#"templatefile("Tr0ub4dor", {})"#,
    r#"templatefile("${path.module}/t.tpl", { "Tr0ub4dor-" = 1 })"#,
    r#"max("Tr0ub4dor")"#,
    r#"sum(["Tr0ub4dor"])"#,
    r#"merge("Tr0ub4dor")"#,
    r#"join("Tr0ub4dor", "Tr0ub4dor")"#,
    r#"substr("Tr0ub4dor", "Tr0ub4dor", 1)"#,
    r#"one(["Tr0ub4dor-1", "Tr0ub4dor-2"])"#,
    r#"zipmap(["Tr0ub4dor"], "Tr0ub4dor")"#,
    r#"setproduct("Tr0ub4dor")"#,
    r#"chunklist(["Tr0ub4dor"], "Tr0ub4dor")"#,
    r#"index(["Tr0ub4dor-1"], "Tr0ub4dor-2")"#,
    r#"length(1, "Tr0ub4dor")"#,
    r#"list("Tr0ub4dor")"#,
    r#"rsadecrypt("Tr0ub4dor", "x")"#,
    r#""a" == "b" ? 1 : "Tr0ub4dor""#,
    r#""${"Tr0ub4dor"}""#,
    r#""%{ if "Tr0ub4dor" }x%{ endif }""#,
];

/// A module and a stack with each call at places that are hidden. Some are for literal values only, where the
/// other syntax cannot have a call.
fn failing(has_literals: bool) -> Vec<(String, String)> {
    let mut main =
        String::from("variable \"given\" {\n  sensitive = true\n}\nvariable \"unused\" {}\n");
    let (mut test, mut components, mut deployments) = (String::new(), String::new(), String::new());
    components += "variable \"given\" {\n  type      = string\n  sensitive = true\n}\n";
    for (at, call) in CALLS.iter().enumerate() {
        main += &format!("output \"o{at}\" {{\n  sensitive = true\n  value     = {call}\n}}\n");
        if has_literals {
            main +=
                &format!("variable \"v{at}\" {{\n  ephemeral = true\n  default   = {call}\n}}\n");
            main += &format!(
                "variable \"t{at}\" {{\n  type      = object({{ a = optional(number, {call}) }})\n  sensitive = true\n}}\n"
            );
        }
        main += &format!("module \"c{at}\" {{\n  source = \"../c\"\n  first  = {call}\n}}\n");
        main += &format!(
            "locals {{\n  l{at} = {call}\n}}\nmodule \"d{at}\" {{\n  source = \"../c\"\n  second = local.l{at}\n}}\n"
        );
        main += &format!("locals {{\n  s{at} = sensitive({call})\n}}\n");
        main += &format!("provider \"x\" {{\n  alias = \"a{at}\"\n  token = {call}\n}}\n");
        test += &format!("run \"r{at}\" {{\n  variables {{\n    given = {call}\n  }}\n}}\n");
        components += &format!(
            "component \"c{at}\" {{\n  source = \"../c\"\n  inputs = {{\n    first = {call}\n  }}\n  providers = {{}}\n}}\n"
        );
        components += &format!(
            "output \"o{at}\" {{\n  type      = string\n  sensitive = true\n  value     = {call}\n}}\n"
        );
        deployments +=
            &format!("deployment \"d{at}\" {{\n  inputs = {{\n    given = {call}\n  }}\n}}\n");
    }
    let given = "given = { Tr0ub4dor = 1, Tr0ub4dor = { \"Tr0ub4dor\" = 1, \"Tr0ub4dor\" = 2 } }\n";
    let files = [
        ("m/main.tf", main.as_str()),
        ("m/t.tpl", "${x}"),
        ("m/a.tftest.hcl", &test),
        ("m/terraform.tfvars", given),
        ("s/main.tfcomponent.hcl", &components),
        ("s/prod.tfdeploy.hcl", &deployments),
        ("c/main.tf", CALLED),
    ];
    owned(&files)
}

/// The messages in a report: all texts but excerpts of the source, and the texts of edits.
fn messages(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|it| messages(it, found)),
        Value::Object(members) => {
            let is_source =
                |name: &str| ["snippet", "code", "replacement", "fix", "fixes"].contains(&name);
            members
                .iter()
                .filter(|(name, _)| !is_source(name))
                .for_each(|(_, it)| messages(it, found));
        }
        _ => {}
    }
}

/// The texts of a report, without excerpts.
fn said(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let is = |format: &str| arguments.last() == Some(&format);
    let mut found = Vec::new();
    if is("json") || is("sarif") || is("gitlab") {
        messages(&json(&output), &mut found);
    } else if is("ndjson") {
        for line in stdout(&output).lines() {
            messages(&serde_json::from_str(line).unwrap(), &mut found);
        }
    } else {
        found.push(stdout(&output));
    }
    let is_excerpt = |line: &&str| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(|it| it.parse::<u32>().is_ok()) && words.next() == Some("|")
    };
    found.push(stderr(&output));
    let all = found.join("\n");
    all.lines().filter(|line| !is_excerpt(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_quote_nothing_at_hidden_places() {
    let without_literals = failing(false);
    let plain: Vec<_> = without_literals.iter().map(|(name, text)| (&**name, &**text)).collect();
    for files in [failing(true), in_json(&plain)] {
        let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
        let tree = tree(&files);
        let path = tree.path();
        git(path, &["init", "-q"]);
        git(path, &["add", "-f", "."]);
        git(path, &["commit", "-qm", "one"]);
        for (name, text) in &files {
            std::fs::write(path.join(name), text.replace(SECRET, "Tr0ub4dor2")).unwrap();
        }
        let mut wrong = Vec::new();
        let mut look = |arguments: &[&str]| {
            let said = said(path, arguments);
            let lines = said.lines().filter(|line| line.contains(SECRET));
            wrong.extend(lines.take(5).map(|line| format!("{arguments:?}: {line}")));
            said.matches("(sensitive)").count()
        };
        let formats =
            ["human", "json", "ndjson", "concise", "sarif", "junit", "gitlab", "github", "azure"];
        for format in formats {
            let hidden =
                look(&["check", "m", "--level", "values", "--select", "all", "--format", format]);
            assert!(hidden >= CALLS.len(), "{format}: {hidden}");
        }
        for directory in ["m", "s"] {
            look(&["check", directory, "--format", "ndjson"]);
            look(&["check", directory, "--level", "syntax", "--format", "ndjson"]);
        }
        for format in ["human", "ndjson"] {
            look(&["expand", "m", "--format", format]);
            // A stack is evaluated there only.
            assert!(look(&["expand", "s", "--format", format]) > 20, "{format}");
            look(&["config", "m", "--format", format]);
            look(&["query", "**", "m", "--format", format]);
            look(&["diff", "HEAD", "m", "--values", "--format", format]);
        }
        for format in ["human", "ndjson", "markdown", "html", "github"] {
            look(&["review", "--since", "HEAD", "m", "--format", format]);
        }
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

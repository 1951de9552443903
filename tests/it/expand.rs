//! Static evaluation: what Terraform plans for the cases of `corpus/conformance/expand`, and what is
//! known without a provider.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::evaluate::{Budget, Functions};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::functions::{Environment, Folder};
use simd_hcl::show::{BodySchemas, RawState, Schemas, State};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, Document, ParsedFile, Source};

/// Writes files below a new directory.
pub(crate) fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// The place of the module in a directory.
pub(crate) fn place(tree: &Tree<'_>, directory: &Path) -> usize {
    tree.modules().iter().position(|module| module.files.path == *directory).unwrap()
}

/// The expansion of a directory as JSON, with the codes of its diagnostics.
fn expanded(
    directory: &Path,
    dialect: Dialect,
    selection: &Selection,
) -> (Value, Vec<&'static str>) {
    expanded_with(directory, dialect, selection, |inputs| inputs)
}

pub(crate) fn expanded_with(
    directory: &Path,
    dialect: Dialect,
    selection: &Selection,
    change: impl for<'i, 'a> FnOnce(Inputs<'i, 'a>) -> Inputs<'i, 'a>,
) -> (Value, Vec<&'static str>) {
    run(directory, dialect, selection, (None, None), change)
}

pub(crate) fn run(
    directory: &Path,
    dialect: Dialect,
    selection: &Selection,
    (functions, state): (Option<&dyn Functions>, Option<&[u8]>),
    change: impl for<'i, 'a> FnOnce(Inputs<'i, 'a>) -> Inputs<'i, 'a>,
) -> (Value, Vec<&'static str>) {
    let arena = Arena::new();
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let found = discover(&[directory], &options);
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let mut inputs = change(Inputs::new(&arena).with_sensitive(true));
    if let Some(functions) = functions {
        inputs = inputs.with_functions(functions);
    }
    if let Some(text) = state {
        inputs = with_state(&arena, inputs, text);
    }
    let expansion = tree.expand(place(&tree, directory), &inputs);
    let text = to_string(Layout::Compact, |slot| expansion.write(selection, slot));
    let codes = expansion.diagnostics().iter().map(|it| it.code().as_str()).collect();
    (serde_json::from_str(&text).unwrap(), codes)
}

/// The expansion of one file.
fn of_text(name: &str, text: &str) -> (Value, Vec<&'static str>) {
    let root = written(&[(name, text)]);
    expanded(root.path(), Dialect::OpenTofu, &Selection::default())
}

/// The resources of a module and of the modules that it calls, by address.
fn resources(module: &Value, all: &mut serde_json::Map<String, Value>) {
    for resource in module["resources"].as_array().into_iter().flatten() {
        all.insert(resource["address"].as_str().unwrap().to_owned(), resource.clone());
    }
    for child in module["child_modules"].as_array().into_iter().flatten() {
        resources(child, all);
    }
}

pub(crate) fn all_resources(values: &Value) -> serde_json::Map<String, Value> {
    let mut all = serde_json::Map::new();
    resources(&values["planned_values"]["root_module"], &mut all);
    all
}

#[test]
fn what_terraform_plans() {
    let mut seen = 0;
    for case in simd_hcl_corpus::cases("expand") {
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let files = Folder::new(case.join("dir")).unwrap();
        let functions = Environment::new().with_files(&files);
        let all = Selection::default();
        let (found, codes) =
            run(&case.join("dir"), Dialect::Terraform, &all, (Some(&functions), None), |inputs| {
                inputs
            });
        let name = case.display();
        seen += 1;
        if expected.get("error").is_some() {
            assert!(!codes.is_empty(), "{name}: Terraform has no plan");
            continue;
        }
        assert_eq!(codes, [""; 0], "{name}");
        let planned = json!({"planned_values": expected});
        let (wanted, given) = (all_resources(&planned), all_resources(&found));
        let addresses = |all: &serde_json::Map<String, Value>| {
            let mut addresses: Vec<_> = all.keys().cloned().collect();
            // Terraform's order of the instances of modules in modules differs from run to run.
            if case.to_string_lossy().ends_with("-random") {
                addresses.sort();
            }
            addresses
        };
        assert_eq!(addresses(&wanted), addresses(&given), "{name}: the addresses and their order");
        for (address, wanted) in &wanted {
            assert_eq!(wanted, &given[address], "{name}: {address}");
        }
        for (output, wanted) in expected["outputs"].as_object().into_iter().flatten() {
            let given = &found["planned_values"]["outputs"][output];
            for member in ["sensitive", "type", "value"] {
                assert_eq!(wanted.get(member), given.get(member), "{name}: {output}: {member}");
            }
            let known = given.get("value").or(given.get("known_value"));
            assert_eq!(wanted.get("known_value").or(known), known, "{name}: {output}");
            let unknown = given.get("unknown_value").cloned().unwrap_or(json!(false));
            assert_eq!(wanted["unknown_value"], unknown, "{name}: {output}");
        }
    }
    assert!(seen > 1 || !simd_hcl_corpus::are_all(), "{seen} cases");
}

/// Without a schema, the configured attributes are known, and nothing else is.
#[test]
fn resources_without_a_schema() {
    let (found, codes) = of_text(
        "main.tf",
        r#"
        resource "aws_instance" "web" {
          count = 2
          ami   = "a-${count.index}"
          name  = upper("x")
          tags  = { Name = "n", id = aws_vpc.main.id }
          none  = null
          network { port = 1 }
          network { port = aws_vpc.main.port }
        }
        resource "aws_vpc" "main" { cidr = "10.0.0.0/8" }
        output "known" { value = [aws_instance.web[0].ami, aws_instance.web[*].name, aws_vpc.main.cidr] }
        output "unknown" { value = [aws_instance.web[0].id, aws_vpc.main, aws_instance.web[1].none, keys(aws_vpc.main)] }
        output "length" { value = length(aws_instance.web) }
        output "all" { value = { for k, v in aws_instance.web : k => v.ami } }
        "#,
    );
    assert_eq!(codes, [""; 0]);
    let outputs = &found["planned_values"]["outputs"];
    assert_eq!(outputs["known"]["value"], json!(["a-0", ["X", "X"], "10.0.0.0/8"]));
    assert_eq!(outputs["unknown"]["unknown_value"], json!([true, true, true, true]));
    assert_eq!(outputs["length"]["value"], 2);
    assert_eq!(outputs["all"]["value"], json!({"0": "a-0", "1": "a-1"}));
    let all = all_resources(&found);
    let web = &all["aws_instance.web[1]"];
    assert_eq!(
        web["values"],
        json!({"ami": "a-1", "name": "X", "tags": {"Name": "n"}, "network": [{"port": 1}, {}]})
    );
    assert_eq!(
        web["unknown_values"],
        json!({"none": true, "tags": {"id": true}, "network": [{}, {"port": true}]})
    );
    assert_eq!(web.get("schema_version"), None);
}

/// Text that is copied from documents is the text of the values.
#[test]
fn text_of_instances_is_that_of_their_values() {
    let json = r#"{
        "variable": {"v": {"default": "x"}, "s": {"default": "hidden", "sensitive": true}},
        "resource": {"aws_x": {
            "constants": {
                "text": "a \"b\" \\ \/ \u00e9 e\u0301 \u001f\t\n \ud83d\ude00 <&> é é",
                "numbers": [0, -0, 10, -7, 1.50, 1e3, 1e-3, 123456789012345678901234567890, 0.1],
                "nested": {"z": [], "a": {}, "b": [null, [true, {"y": null, "x": false}]]},
                "none": null
            },
            "templates": {
                "whole": "${var.v}",
                "null": "${null}",
                "nested": {"b": "${var.v}-${aws_x.constants.id}", "a": "${var.s}", "n": "${null}",
                    "c": ["${aws_x.constants.id}", "${[1, true]}", "${{}}", "$${x}", "%%{y}"]},
                "key": {"${var.v}": 1, "b": 2},
                "equal": {"a": 1, "b": 2, "a": 3},
                "escaped_key": {"\u0061": 1, "é": "é"}
            },
            "many": {
                "count": 3,
                "own": {"index": "${count.index}", "same": "${var.v}"},
                "same": {"b": "${aws_x.constants.id}", "a": 1},
                "list": ["${var.s}"]
            },
            "dynamic": {
                "dynamic": {"rule": {"for_each": [1, 2], "content": {"port": "${rule.value}"}}},
                "name": "n"
            },
            "nothing": {}
        }}
    }"#;
    let native = r#"
        variable "s" {
          default   = "hidden"
          sensitive = true
        }
        resource "aws_x" "y" {
          for_each = { a = 1, b = 2 }
          name     = "n-${each.key}"
          same     = [var.s, upper("x"), aws_x.y["a"].id]
          tags     = { z = 1, a = null, b = "\u00e9\n" }
          none     = null
          rule {
            port = each.value
            in { x = 1 }
          }
          dynamic "rule" {
            for_each = [1]
            content { port = rule.value }
          }
          other { id = aws_x.z.id }
        }
        resource "aws_x" "z" {
          name = "z"
          name_prefix = "z"
          _ { name = "from the block" }
        }
    "#;
    for (name, text) in [("main.tf.json", json), ("main.tf", native)] {
        for shows in [true, false] {
            let root = written(&[(name, text)]);
            let arena = Arena::new();
            let found = discover(&[root.path()], &DiscoverOptions::default());
            let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
            let inputs = Inputs::new(&arena).with_sensitive(shows);
            let expansion = tree.expand(place(&tree, root.path()), &inputs);
            let all = Selection::default();
            let mut texts = Vec::new();
            expansion.visit(&all, |instance| {
                texts.push(to_string(Layout::Compact, |slot| instance.write(slot)));
            });
            let mut of_values = Vec::new();
            expansion.visit(&all, |instance| {
                instance.values();
                of_values.push(to_string(Layout::Compact, |slot| instance.write(slot)));
            });
            assert!(texts.len() >= 3, "{texts:?}");
            assert_eq!(texts, of_values);
        }
    }
}

/// The same configuration in JSON and in native syntax.
#[test]
fn dynamic_blocks() {
    let native = r#"
        variable "ports" { default = { b = 2, a = 1 } }
        resource "aws_x" "y" {
          rule { port = 0 }
          dynamic "rule" {
            for_each = var.ports
            content {
              name = rule.key
              port = rule.value
              dynamic "inner" {
                for_each = ["p"]
                iterator = each
                content { text = "${each.value}${each.key}${rule.key}" }
              }
            }
          }
          dynamic "unknown" {
            for_each = aws_x.z.ids
            content { a = unknown.value }
          }
        }
        resource "aws_x" "z" {}
    "#;
    let json_twin = r#"{
        "variable": {"ports": {"default": {"b": 2, "a": 1}}},
        "resource": {"aws_x": {"z": {}, "y": {
            "dynamic": [
                {"rule": {"for_each": [null], "content": {"port": 0}}},
                {"rule": {"for_each": "${var.ports}", "content": {
                    "name": "${rule.key}", "port": "${rule.value}",
                    "dynamic": {"inner": {"for_each": ["p"], "iterator": "each",
                        "content": {"text": "${each.value}${each.key}${rule.key}"}}}
                }}},
                {"unknown": {"for_each": "${aws_x.z.ids}", "content": {"a": "${unknown.value}"}}}
            ]
        }}}
    }"#;
    for (name, text) in [("main.tf", native), ("main.tf.json", json_twin)] {
        let (found, codes) = of_text(name, text);
        assert_eq!(codes, [""; 0]);
        let all = all_resources(&found);
        assert_eq!(
            all["aws_x.y"]["values"],
            json!({"rule": [
                {"port": 0},
                {"name": "a", "port": 1, "inner": [{"text": "p0a"}]},
                {"name": "b", "port": 2, "inner": [{"text": "p0b"}]}
            ]}),
            "{name}"
        );
        assert_eq!(all["aws_x.y"]["unknown_values"]["unknown"], true, "{name}");
    }
}

#[test]
fn instances_that_are_not_known() {
    let (found, codes) = of_text(
        "main.tf",
        r#"
        resource "terraform_data" "a" {}
        resource "terraform_data" "b" {
          for_each = toset([terraform_data.a.id])
          input    = "x${each.key}"
        }
        resource "terraform_data" "c" {
          count = terraform_data.a.id == "x" ? 1 : 0
          input = "fixed"
        }
        resource "terraform_data" "off" {
          input = 1
          lifecycle {
            enabled = false
          }
        }
        output "b" { value = terraform_data.b }
        output "off" { value = terraform_data.off }
        "#,
    );
    // `check` warns of them.
    assert_eq!(codes, [""; 0]);
    let all = all_resources(&found);
    assert_eq!(
        all.keys().collect::<Vec<_>>(),
        ["terraform_data.a", "terraform_data.b[*]", "terraform_data.c[*]"]
    );
    let b = &all["terraform_data.b[*]"];
    assert_eq!((&b["index_unknown"], &b["unknown_values"]["input"]), (&json!(true), &json!(true)));
    assert_eq!(all["terraform_data.c[*]"]["values"]["input"], "fixed");
    assert_eq!(found["planned_values"]["outputs"]["b"]["unknown_value"], true);
    assert_eq!(found["planned_values"]["outputs"]["off"]["value"], json!(null));
}

/// Values come from the last of: default, environment, files of the module, flags in their order.
#[test]
fn values_of_variables() {
    let root = written(&[
        (
            "main.tf",
            r#"
            variable "a" { default = "default" }
            variable "b" { default = "default" }
            variable "c" { default = "default" }
            variable "d" { default = "default" }
            variable "e" { type = list(string) }
            variable "f" {
              type     = string
              nullable = false
              default  = "default"
            }
            variable "g" { type = number }
            variable "missing" { type = map(string) }
            "#,
        ),
        ("terraform.tfvars", "c = \"file\"\nd = \"file\"\nf = null\n"),
        ("z.auto.tfvars.json", r#"{"d": "auto", "g": "${not a template}"}"#),
        ("given.tfvars", "d = \"given\"\ne = [1, true]\n"),
    ]);
    let (found, codes) =
        expanded_with(root.path(), Dialect::OpenTofu, &Selection::default(), |inputs| {
            inputs
                .with_environment("b", "environment")
                .with_environment("c", "environment")
                .with_variable("d", "flag")
                .with_variable("e", "[\"x\", upper(\"y\")]")
                .with_variable("d", "last")
        });
    let variable = |name: &str| found["variables"][name].clone();
    assert_eq!(variable("a"), json!({"value": "default"}));
    assert_eq!(variable("b"), json!({"value": "environment"}));
    assert_eq!(variable("c"), json!({"value": "file"}));
    assert_eq!(variable("d"), json!({"value": "last"}));
    // Functions cannot be called, and a string of a JSON file is no template.
    assert_eq!(codes, ["function-calls-not-allowed", "variable-value"]);
    assert_eq!(variable("f"), json!({"value": "default"}));
    assert_eq!(variable("g"), json!({"unknown_value": true}));
    assert_eq!(variable("missing"), json!({"unknown_value": true}));
    let arena = Arena::new();
    let source = Source::read(&arena, root.path().join("given.tfvars")).unwrap();
    let file = ParsedFile::native(&arena, source);
    let mut problems = Vec::new();
    let inputs = Inputs::new(&arena).with_variable("d", "flag").with_file(file, &mut problems);
    assert!(problems.is_empty());
    let found = discover(&[root.path()], &DiscoverOptions::default());
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let expansion = tree.expand(place(&tree, root.path()), &inputs);
    assert_eq!(expansion.variable("d").unwrap().as_str(), Some("given"));
    let elements = expansion.variable("e").unwrap().as_elements().unwrap();
    let texts: Vec<_> = elements.iter().map(|element| element.as_str().unwrap()).collect();
    assert_eq!(texts, ["1", "true"]);
    assert!(expansion.variable("nothing").is_none());
}

/// Only values tell that null is where a value is required, and how many blocks `dynamic` makes, at any
/// depth. Unknown values are not reported.
#[test]
fn values_that_do_not_fit_a_schema() {
    let text = r#"{"format_version": "1.0", "provider_schemas": {
        "registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_y": {"version": 3, "block": {
            "attributes": {
                "name": {"type": "string", "required": true},
                "size": {"type": "number", "optional": true},
                "arn": {"type": "string", "computed": true}
            },
            "block_types": {
                "rule": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {
                    "attributes": {"port": {"type": "number", "required": true}},
                    "block_types": {"only": {"nesting_mode": "single", "block": {}}}
                }},
                "free": {"nesting_mode": "set", "block": {}}
            }
        }}}}
    }}"#;
    let codes = |body: &str| {
        let start =
            "variable \"none\" { default = null }\nvariable \"ports\" { default = [1, 2, 3] }\n";
        let text_of_module =
            format!("{start}variable \"later\" {{}}\nresource \"x_y\" \"z\" {{\n{body}\n}}\n");
        let root = written(&[("main.tf", &text_of_module)]);
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "schemas.json", text.as_bytes()).unwrap();
        let schemas = Document::parse(&arena, source).unwrap();
        let schemas =
            BodySchemas::new(Schemas::of(schemas, &mut ()).unwrap()).with_built_in(&arena);
        let options = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
        let found = discover(&[root.path()], &options);
        let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
        let inputs = Inputs::new(&arena).with_schemas(&schemas);
        let expansion = tree.expand(place(&tree, root.path()), &inputs);
        expansion.check();
        let found = expansion.diagnostics();
        found
            .iter()
            .map(|it| format!("{}: {}", it.code().as_str(), it.detail()))
            .collect::<Vec<_>>()
    };
    let rules = |ports: &str, only: &str| {
        format!(
            "name = \"n\"\ndynamic \"rule\" {{\n for_each = {ports}\n content {{\n  port = rule.value\n {only} }}\n}}"
        )
    };
    assert_eq!(codes(&rules("[1]", "")), [""; 0]);
    assert_eq!(codes(&rules("var.later", "")), [""; 0]);
    assert_eq!(
        codes(&rules("var.ports", "")),
        ["block-count: At most 2 of the blocks \"rule\" are allowed, and there are 3."]
    );
    assert_eq!(
        codes(&rules("[for p in var.ports : p if p > 5]", "")),
        ["block-count: At least 1 of the blocks \"rule\" are required, and there are 0."]
    );
    assert_eq!(
        codes(&rules("[var.none]", "")),
        [
            "argument-type: The value of \"port\" is invalid: it is null, but the argument is required."
        ]
    );
    assert_eq!(
        codes(&rules("[1]", "dynamic \"only\" {\n for_each = var.ports\n content {}\n }\n")),
        ["block-count: At most 1 of the blocks \"only\" are allowed, and there are 3."]
    );
    assert_eq!(
        codes("name = var.none\nrule { port = 1 }"),
        [
            "argument-type: The value of \"name\" is invalid: it is null, but the argument is required."
        ]
    );
    assert_eq!(
        codes("name = \"n\"\nsize = join(\"\", [\"a\"])\nrule { port = 1 }"),
        ["argument-type: The value of \"size\" is invalid: the string is not a number."]
    );
    assert_eq!(codes("name = var.later\nsize = var.none\nrule { port = var.later }"), [""; 0]);
}

/// Objects that are not selected are not evaluated: their errors are not found.
#[test]
fn only_what_is_selected_is_evaluated() {
    let root = written(&[
        (
            "main.tf",
            r#"
            locals { bad = upper(1, 2) }
            resource "terraform_data" "a" { input = local.bad }
            resource "terraform_data" "b" {
              for_each = { x = 1, y = 2 }
              input    = each.value
            }
            resource "aws_x" "y" { a = 1 + "x" }
            module "m" {
              source = "./m"
              count  = 2
              v      = count.index
            }
            "#,
        ),
        (
            "m/main.tf",
            "variable \"v\" {}\nresource \"terraform_data\" \"c\" {\n  input = var.v\n}\n",
        ),
    ]);
    let select = |address: &str| {
        let selection = Selection::default().with_address(address);
        let (found, codes) = expanded(root.path(), Dialect::OpenTofu, &selection);
        let names: Vec<String> = all_resources(&found).keys().cloned().collect();
        (names, codes.len())
    };
    assert_eq!(
        select("terraform_data.b"),
        (vec!["terraform_data.b[\"x\"]".to_owned(), "terraform_data.b[\"y\"]".to_owned()], 0)
    );
    assert_eq!(select("terraform_data.b[\"y\"]"), (vec!["terraform_data.b[\"y\"]".to_owned()], 0));
    assert_eq!(select("module.m[1]"), (vec!["module.m[1].terraform_data.c".to_owned()], 0));
    assert_eq!(select("module.m").0.len(), 2);
    assert_eq!(select("terraform_dat"), (vec![], 0));
    assert_eq!(select("terraform_data.a").1, 1);
    let selection = Selection::default().with_type("aws_x");
    let (found, codes) = expanded(root.path(), Dialect::OpenTofu, &selection);
    assert_eq!(all_resources(&found).keys().collect::<Vec<_>>(), ["aws_x.y"]);
    assert_eq!(codes, ["invalid-operand"]);
}

/// The number of instances and the size of values are bounded, and the expression that exceeds the
/// budget is named.
#[test]
fn a_budget_bounds_everything() {
    let text = r#"
        locals { many = [for a in range(1000) : [for b in range(1000) : a * b]] }
        resource "terraform_data" "a" {
          count = 1000000000000
          input = count.index
        }
        resource "terraform_data" "b" { input = length(local.many) }
    "#;
    let root = written(&[("main.tf", text)]);
    let (found, codes) =
        expanded_with(root.path(), Dialect::OpenTofu, &Selection::default(), |inputs| {
            inputs.with_budget(Budget::new(1_000_000, 10 << 20))
        });
    assert_eq!(codes, ["evaluation-too-long", "evaluation-too-large"]);
    assert_eq!(
        all_resources(&found).keys().collect::<Vec<_>>(),
        ["terraform_data.a[*]", "terraform_data.b"]
    );
}

/// Locals that need one another are unknown, and a long chain of them does not recurse.
#[test]
fn chains_and_cycles() {
    let mut text = String::from("locals {\n  a = local.b\n  b = local.a\n  n0 = 1\n");
    for number in 1..20_000 {
        text.push_str(&format!("  n{number} = local.n{} + 1\n", number - 1));
    }
    text.push_str(
        "}\noutput \"n\" {\n  value = local.n19999\n}\noutput \"a\" {\n  value = local.a\n}\n",
    );
    let (found, codes) = of_text("main.tf", &text);
    assert_eq!(codes, [""; 0]);
    let outputs = &found["planned_values"]["outputs"];
    assert_eq!(outputs["n"]["value"], 20_000);
    assert_eq!(outputs["a"]["unknown_value"], true);
}

/// A module that calls itself, and modules that are not there.
#[test]
fn calls_that_lead_nowhere() {
    let (found, codes) = of_text(
        "main.tf",
        r#"
        module "itself" { source = "./" }
        module "remote" {
          source = "hashicorp/consul/aws"
          count  = 2
        }
        resource "terraform_data" "a" { input = [module.itself.x, module.remote[0].y, length(module.remote)] }
        "#,
    );
    assert_eq!(codes, [""; 0]);
    let all = all_resources(&found);
    assert_eq!(all["terraform_data.a"]["unknown_values"]["input"], json!([true, true, true]));
}

/// Conditions whose value is known, of everything that can have one.
#[test]
fn conditions() {
    let root = written(&[
        (
            "main.tf",
            r#"
            variable "size" {
              default = 0
              validation {
                condition     = var.size > 0
                error_message = "Not ${var.size}."
              }
            }
            module "m" {
              source = "./m"
              count  = 2
              size   = count.index
            }
            resource "terraform_data" "a" {
              for_each = { x = 1, y = 2 }
              input    = each.value
              lifecycle {
                precondition {
                  condition     = each.value == 1
                  error_message = "Pre ${each.key}."
                }
                postcondition {
                  condition     = self.input == 2
                  error_message = sensitive("secret")
                }
                postcondition {
                  condition     = self.id == "x"
                  error_message = "Unknown."
                }
              }
            }
            check "c" {
              assert {
                condition     = var.size == 1
                error_message = "Check."
              }
              assert {
                condition     = var.size + 5
                error_message = "No bool."
              }
            }
            output "o" {
              value = 1
              precondition {
                condition     = module.m[1].size == 0
                error_message = "Output."
              }
            }
            "#,
        ),
        (
            "m/main.tf",
            r#"
            variable "size" {
              type = number
              validation {
                condition     = var.size == 0
                error_message = "Size."
              }
            }
            output "size" { value = var.size }
            "#,
        ),
    ]);
    let arena = Arena::new();
    let found = discover(&[root.path()], &DiscoverOptions::default());
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let inputs = Inputs::new(&arena);
    let expansion = tree.expand(place(&tree, root.path()), &inputs);
    expansion.check();
    let told: Vec<String> = expansion.diagnostics().iter().map(|it| it.detail()).collect();
    assert_eq!(
        told,
        [
            "The value fails a validation of the variable \"size\": Not 0.",
            "The precondition of output.o does not hold: Output.",
            "The postcondition of terraform_data.a[\"x\"] does not hold.",
            "The precondition of terraform_data.a[\"y\"] does not hold: Pre y.",
            "An assertion of the check \"c\" does not hold: Check.",
            "A condition must be true or false, not a number.",
            "The value fails a validation of the variable \"size\": Size.",
        ]
    );
}

/// The chain of expressions leads through outputs, arguments, local values and instances.
#[test]
fn where_a_value_comes_from() {
    let root = written(&[
        (
            "main.tf",
            r#"
            variable "v" { default = "d" }
            locals { conf = { a = { tag = "x-${var.v}" }, b = 2 } }
            module "m" {
              source = "./m"
              for_each = toset(["k"])
              name   = local.conf.a.tag
            }
            resource "aws_x" "y" {
              count = 2
              tags  = { Name = module.m["k"].name, Size = count.index }
            }
            output "o" { value = aws_x.y[1].tags.Name }
            "#,
        ),
        ("m/main.tf", "variable \"name\" {}\noutput \"name\" {\n  value = \"${var.name}!\"\n}\n"),
    ]);
    let arena = Arena::new();
    let found = discover(&[root.path()], &DiscoverOptions::default());
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let inputs = Inputs::new(&arena);
    let expansion = tree.expand(place(&tree, root.path()), &inputs);
    let why = |address: &str| -> Option<Vec<String>> {
        let origins = expansion.why(address)?;
        let line = |it: &simd_hcl::expand::Origin<'_>| {
            let text = it.label.map_or(&b""[..], |label| label.span.slice(label.source.bytes()));
            format!("{} {} {} {}", it.depth, it.address, it.value, String::from_utf8_lossy(text))
        };
        Some(origins.iter().map(line).collect())
    };
    let chain = [
        "1 aws_x.y[1].tags.Name \"x-d!\" module.m[\"k\"].name",
        "2 module.m[\"k\"].output.name \"x-d!\" \"${var.name}!\"",
        "3 module.m[\"k\"].var.name \"x-d\" local.conf.a.tag",
        "4 local.conf.a.tag \"x-d\" \"x-${var.v}\"",
        "5 var.v \"d\" \"d\"",
    ];
    let mut expected = vec!["0 output.o \"x-d!\" aws_x.y[1].tags.Name".to_owned()];
    expected.extend(chain.map(str::to_owned));
    assert_eq!(why("output.o"), Some(expected));
    assert_eq!(why("module.m[\"k\"].name").unwrap().len(), 4);
    assert_eq!(why("aws_x.y[0].id").unwrap(), ["0 aws_x.y[0].id (known after apply) "]);
    for address in
        ["", "aws_x.y", "aws_x.y[7].tags", "aws_x.z.a", "local.nothing", "1 +", "module.m"]
    {
        assert_eq!(why(address), None, "{address}");
    }
}

/// Instances of a state follow `moved` and `import` blocks, and `count` that is added or removed.
#[test]
fn what_terraform_plans_with_a_state() {
    let mut seen = 0;
    for case in simd_hcl_corpus::cases("expand-state") {
        let Ok(expected) = fs::read_to_string(case.join("expected.json")) else { continue };
        let expected: serde_json::Map<String, Value> = serde_json::from_str(&expected).unwrap();
        for file in ["state.json", "state.tfstate"] {
            let name = format!("{}: {file}", case.display());
            let state = fs::read(case.join(file)).unwrap();
            let (all, given) = (Selection::default(), (None, Some(&state[..])));
            let (found, codes) =
                run(&case.join("dir"), Dialect::Terraform, &all, given, |inputs| inputs);
            assert_eq!(codes, [""; 0], "{name}");
            let found = all_resources(&found);
            assert!(found.keys().all(|address| expected.contains_key(address)), "{name}");
            for (address, wanted) in &expected {
                let given = &found[address];
                for member in ["previous_address", "importing"] {
                    assert_eq!(given.get(member), wanted.get(member), "{name}: {address}");
                }
                // The values that a provider reads of an imported object are not known, nor those that it
                // changes of one that has changed.
                let mut leaves = Vec::new();
                flags(&given["unknown_values"], "", &mut leaves);
                known_leaves(&given["values"], "", &mut |path, value| {
                    if !leaves.iter().any(|leaf| path.starts_with(leaf.as_str())) {
                        let planned = wanted["values"].pointer(path);
                        assert_eq!(Some(value), planned, "{name}: {address}: {path}");
                    }
                });
                // Parts that are ignored stay unknown.
                if wanted.get("unchanged").is_some() && !address.ends_with("_part") {
                    assert_eq!(given["values"], wanted["values"], "{name}: {address}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 50 || !simd_hcl_corpus::are_all(), "{seen} instances");
}

/// The paths of flags that are true.
fn flags(tree: &Value, path: &str, found: &mut Vec<String>) {
    match tree {
        Value::Bool(true) => found.push(path.to_owned()),
        Value::Object(all) => {
            all.iter().for_each(|(name, flag)| flags(flag, &format!("{path}/{name}"), found));
        }
        _ => {}
    }
}

/// Passes on the leaves of objects.
fn known_leaves(value: &Value, path: &str, take: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(all) => all
            .iter()
            .for_each(|(name, value)| known_leaves(value, &format!("{path}/{name}"), take)),
        Value::Null if path.is_empty() => {}
        _ => take(path, value),
    }
}

/// Adds a state, as `show -json` prints it or as a file.
fn with_state<'i, 'a>(arena: &'a Arena, inputs: Inputs<'i, 'a>, text: &[u8]) -> Inputs<'i, 'a> {
    let text = arena.str(std::str::from_utf8(text).unwrap());
    let source = Source::from_bytes(arena, "state", text.as_bytes()).unwrap();
    let document = Document::parse(arena, source).unwrap();
    match document.root().as_object().unwrap().get("values").is_some() {
        true => inputs.with_state(State::of(document, &mut ()).unwrap()),
        false => inputs.with_state_file(RawState::of(document, &mut ()).unwrap()),
    }
}

/// An import whose keys or id are not known, and imports in JSON.
#[test]
fn imports_without_a_state() {
    let text = r#"{
        "variable": {"later": {}, "more": {"default": ["a", "b"]}},
        "import": [
            {"for_each": "${var.more}", "to": "aws_x.y[each.key]", "id": "${each.value}-1"},
            {"to": "aws_x.z", "id": "${var.later}"},
            {"to": "aws_x.y[var.later]", "id": "7"},
            {"to": "aws_x.w", "id": "${upper(1, 2)}"}
        ],
        "resource": {"aws_x": {"y": {"count": 3}, "z": {}}}
    }"#;
    let (found, codes) = of_text("main.tf.json", text);
    // The resource of the last import is not declared.
    assert_eq!(codes, [""; 0]);
    let all = all_resources(&found);
    let by = |address: &str| all[address].get("importing").cloned();
    assert_eq!(by("aws_x.y[0]"), Some(json!({"id": "a-1"})));
    assert_eq!(by("aws_x.y[1]"), Some(json!({"id": "b-1"})));
    assert_eq!(by("aws_x.y[2]"), None);
    assert_eq!(by("aws_x.z"), Some(json!({"unknown": true})));
}

/// Chains of `moved` blocks that never end, and two objects with one address: nothing is known.
#[test]
fn moves_that_are_wrong() {
    let text = r#"
        moved {
          from = aws_x.a
          to   = aws_x.b
        }
        moved {
          from = aws_x.b
          to   = aws_x.a
        }
        moved {
          from = aws_x.c[0]
          to   = aws_x.d
        }
        moved {
          from = aws_x.c[1]
          to   = aws_x.d
        }
        moved {
          from = aws_x.e
          to   = aws_y.e
        }
        resource "aws_x" "b" {}
        resource "aws_x" "d" {}
        resource "aws_y" "e" {}
    "#;
    let root = written(&[("main.tf", text)]);
    let instance = |address: &str, key: &str| {
        format!(
            r#"{{"mode": "managed", "type": "aws_x", "name": "{address}", "provider": "p", "instances": [{{{key} "schema_version": 0, "attributes": {{"id": "x"}}}}]}}"#
        )
    };
    let resources =
        [("a", ""), ("c", r#""index_key": 0,"#), ("c", r#""index_key": 1,"#), ("e", "")];
    let resources = resources.map(|(name, key)| instance(name, key)).join(",");
    let state = format!(
        r#"{{"version": 4, "serial": 1, "lineage": "l", "outputs": {{}}, "resources": [{resources}]}}"#
    );
    let (all, given) = (Selection::default(), (None, Some(state.as_bytes())));
    let (found, _) = run(root.path(), Dialect::OpenTofu, &all, given, |inputs| inputs);
    for (address, resource) in all_resources(&found) {
        assert_eq!(resource.get("values"), None, "{address}: {resource}");
        assert_eq!(resource.get("previous_address"), None, "{address}");
    }
}

/// Provider configurations are evaluated, and so are the keys that resources and calls refer to.
#[test]
fn provider_configurations() {
    let files = [
        (
            "main.tf",
            r#"
            locals { regions = { eu = "eu-west-1", us = "us-east-1" } }
            provider "aws" {
              alias    = "by"
              for_each = local.regions
              region   = upper(each.value, each.key)
              assume_role {
                arn = local.regions[each.key].nothing
              }
            }
            provider "x" { token = "a" + 1 }
            variable "later" {}
            resource "aws_vpc" "main" {
              for_each = toset(["eu", "asia"])
              provider = aws.by[each.key]
            }
            resource "aws_vpc" "literal" { provider = aws.by["mars"] }
            resource "aws_vpc" "later" { provider = aws.by[var.later] }
            resource "aws_vpc" "good" { provider = aws.by["us"] }
            module "m" {
              source    = "./m"
              count     = 2
              providers = { aws = aws.by[count.index == 0 ? "eu" : "venus"] }
            }
            "#,
        ),
        ("m/main.tf", "resource \"aws_vpc\" \"in\" {}\n"),
    ];
    let root = written(&files);
    let arena = Arena::new();
    let options = DiscoverOptions::default().with_dialect(Some(Dialect::OpenTofu));
    let found = discover(&[root.path()], &options);
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let inputs = Inputs::new(&arena);
    let expansion = tree.expand(place(&tree, root.path()), &inputs);
    expansion.check_conditions();
    let all = expansion.diagnostics();
    let told: Vec<String> =
        all.iter().map(|it| format!("{}: {}", it.code().as_str(), it.detail())).collect();
    assert_eq!(
        told,
        [
            "too-many-arguments: The function \"upper\" takes only 1 argument.",
            "unsupported-attribute: The value has no attribute \"nothing\": a string has no attributes.",
            "invalid-operand: The left operand is invalid: the string is not a number.",
            "provider-instance: The configuration has no instance [\"venus\"].",
            "provider-instance: The configuration has no instance [\"mars\"].",
            "provider-instance: The configuration has no instance [\"asia\"].",
        ]
    );
}

/// Attributes with attributes: what the provider computes in them is unknown, leaf by leaf, or as the
/// state has recorded it.
#[test]
fn nested_attributes() {
    let inner = r#""attributes": {
        "name": {"type": "string", "required": true},
        "id": {"type": "string", "computed": true},
        "size": {"type": "number", "optional": true, "computed": true},
        "note": {"type": "string", "optional": true},
        "token": {"type": "string", "optional": true, "sensitive": true},
        "deep": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
            "port": {"type": "number", "computed": true}, "host": {"type": "string", "optional": true}}}}
    }"#;
    let nested = |name: &str, mode: &str, more: &str| {
        format!(r#""{name}": {{"nested_type": {{"nesting_mode": "{mode}", {inner}}}, {more}}}"#)
    };
    let optional = r#""optional": true"#;
    let schemas = format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{"registry.terraform.io/hashicorp/x": {{"resource_schemas": {{"x_y":
        {{"version": 0, "block": {{"attributes": {{{}, {}, {}, {}, {}, {}}}}}}}}}}}}}}}"#,
        nested("one", "single", optional),
        nested("list", "list", optional),
        nested("set", "set", optional),
        nested("map", "map", optional),
        nested("whole", "list", r#""optional": true, "computed": true"#),
        nested("none", "list", optional),
    );
    let main = r#"
        resource "x_y" "z" {
          one  = { name = "o", token = "t" }
          list = [{ name = "a", size = 1 }, { name = "b", deep = { host = "h" } }]
          set  = [{ name = "s" }, { name = "t", note = "n" }]
          map  = { k = { name = "m" } }
        }
        output "port" { value = x_y.z.list[1].deep.port }
        output "id" { value = x_y.z.map["k"].id }
        output "name" { value = x_y.z.list[0].name }
    "#;
    let root = written(&[("main.tf", main)]);
    let run = |state: Option<&str>| -> Value {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "schemas.json", schemas.as_bytes()).unwrap();
        let document = Document::parse(&arena, source).unwrap();
        let schemas = BodySchemas::new(Schemas::of(document, &mut ()).unwrap());
        let options = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
        let found = discover(&[root.path()], &options);
        let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
        let mut inputs = Inputs::new(&arena).with_schemas(&schemas).with_sensitive(true);
        if let Some(text) = state {
            inputs = with_state(&arena, inputs, text.as_bytes());
        }
        let expansion = tree.expand(place(&tree, root.path()), &inputs);
        let text = to_string(Layout::Compact, |slot| expansion.write(&Selection::default(), slot));
        assert_eq!(expansion.diagnostics().len(), 0);
        serde_json::from_str(&text).unwrap()
    };
    let found = run(None);
    let resource = &all_resources(&found)["x_y.z"];
    let values = &resource["values"];
    assert_eq!(values["one"], json!({"name": "o", "note": null, "token": "t", "deep": null}));
    assert_eq!(values["list"][0]["size"], 1);
    assert_eq!(values["list"][1]["deep"], json!({"host": "h"}));
    assert_eq!(values["none"], Value::Null);
    assert_eq!(values.get("whole"), None);
    let some = json!({"id": true, "size": true});
    assert_eq!(
        resource["unknown_values"],
        json!({
            "one": some, "set": [some, some], "map": {"k": some}, "whole": true,
            "list": [{"id": true}, {"id": true, "size": true, "deep": {"port": true}}]
        })
    );
    assert_eq!(resource["sensitive_values"]["one"], json!({"token": true}));
    let outputs = &found["planned_values"]["outputs"];
    assert_eq!(outputs["port"]["unknown_value"], true);
    assert_eq!(outputs["id"]["unknown_value"], true);
    assert_eq!(outputs["name"]["value"], "a");

    let each = |name: &str, number: u32, more: &str| {
        format!(
            r#"{{"name": "{name}", "id": "i-{number}", "size": {number}, "note": null, "token": null, "deep": null{more}}}"#
        )
    };
    let state = |set: &str| {
        format!(
            r#"{{"version": 4, "serial": 1, "lineage": "l", "outputs": {{}}, "resources": [{{"mode": "managed", "type": "x_y", "name": "z",
            "provider": "p", "instances": [{{"schema_version": 0, "attributes": {{"one": {}, "list": [{}, {}], "set": [{}, {set}],
            "map": {{"k": {}}}, "whole": [{}], "none": null}}}}]}}]}}"#,
            each("o", 2, "").replace(r#""token": null"#, r#""token": "t""#),
            each("a", 1, ""),
            each("b", 3, "").replace(r#""deep": null"#, r#""deep": {"host": "h", "port": 80}"#),
            each("t", 5, "").replace(r#""note": null"#, r#""note": "n""#),
            each("m", 6, ""),
            each("w", 7, ""),
        )
    };
    let found = run(Some(&state(&each("s", 4, ""))));
    let resource = &all_resources(&found)["x_y.z"];
    assert_eq!(resource["unknown_values"], json!({}));
    let values = &resource["values"];
    assert_eq!(values["list"][1]["deep"]["port"], 80);
    assert_eq!(values["whole"][0]["id"], "i-7");
    let mut set: Vec<_> = values["set"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    set.sort_by_key(|id| id.to_string());
    assert_eq!(set, ["i-4", "i-5"]);
    assert_eq!(found["planned_values"]["outputs"]["port"]["value"], 80);
    // An element that the state does not have: the instance has changed.
    let found = run(Some(&state(&each("changed", 4, ""))));
    assert_eq!(all_resources(&found)["x_y.z"]["values"]["list"][0].get("id"), None);
}

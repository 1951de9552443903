//! Interfaces of modules: what callers see, and what concerns no caller.

use std::fs;
use std::sync::Arc;

use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::facts::{Input, Interface};
use simd_hcl::module::Module;
use simd_hcl::show::BodySchemas;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect, ParsedFile, Source};

fn interface(dialect: Dialect, text: &str) -> Interface {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "main.tf", text.as_bytes()).unwrap();
    let file = ParsedFile::native(&arena, source);
    assert!(file.diagnostics().is_empty(), "{text}: {:?}", file.diagnostics());
    let module = Module::read(dialect, [(List::Primary, file)], false, &mut ());
    Interface::of(&module, &module.analyse(&arena, false, &mut ()), false)
}

const MODULE: &str = r#"
terraform {
  required_providers {
    x = {
      source                = "corp/x"
      configuration_aliases = [x.given]
    }
  }
}
variable "size" {
  type = object({ a = optional(number, 1), b = list(string) })
  validation {
    condition     = contains(local.allowed, var.size.a)
    error_message = "Not allowed."
  }
}
variable "name" {
  default = "n"
}
locals {
  allowed = [1, 2]
  unused  = 3
}
resource "x_thing" "t" {
  size = var.size
}
output "id" {
  value = x_thing.t.id
}
"#;

#[test]
fn what_callers_see_changes_the_interface() {
    let before = interface(Dialect::OpenTofu, MODULE);
    for (from, to) in [
        ("corp/x", "corp/y"),
        ("[x.given]", "[x.given, x.other]"),
        ("variable \"size\"", "variable \"length\""),
        ("optional(number, 1)", "optional(number, 2)"),
        ("b = list(string)", "b = set(string)"),
        ("Not allowed.", "No."),
        ("var.size.a)", "var.size.b)"),
        // A validation uses it.
        ("allowed = [1, 2]", "allowed = [1, 3]"),
        ("default = \"n\"", "description = \"d\""),
        ("default = \"n\"", "default = \"n\"\n  sensitive = true"),
        ("default = \"n\"", "default = \"n\"\n  nullable = false"),
        ("default = \"n\"", "default = \"n\"\n  deprecated = \"Old.\""),
        ("\"x_thing\" \"t\"", "\"x_thing\" \"u\""),
        ("output \"id\"", "output \"name\""),
        ("value = x_thing.t.id", "value = x_thing.t.id\n  ephemeral = true"),
        ("locals {", "provider \"x\" {\n  a = 1\n}\nlocals {"),
        ("locals {", "variable \"more\" {}\nlocals {"),
    ] {
        assert!(MODULE.contains(from), "{from}");
        let after = interface(Dialect::OpenTofu, &MODULE.replacen(from, to, 1));
        assert!(before != after, "{from} -> {to}");
    }
    let is_typed = |ty| {
        let text = format!("output \"o\" {{\n  value = 1\n  type = {ty}\n}}\n");
        interface(Dialect::Terraform, &text)
    };
    assert!(is_typed("number") != is_typed("string"));
}

#[test]
fn other_changes_do_not() {
    let before = interface(Dialect::OpenTofu, MODULE);
    for (from, to) in [
        ("locals {", "# A comment.\n\nlocals {"),
        ("unused  = 3", "unused  = 4"),
        ("size = var.size", "size = 2\n  name = var.name"),
        ("value = x_thing.t.id", "value = x_thing.t.other"),
        ("default = \"n\"", "default = \"m\""),
        ("object({ a = optional(number, 1), b", "object({\n    a = optional(number, 1)\n    b"),
    ] {
        assert!(MODULE.contains(from), "{from}");
        let after = interface(Dialect::OpenTofu, &MODULE.replacen(from, to, 1));
        if from.starts_with("object") {
            // The layout of a type counts only where its defaults are.
            assert_eq!(after.variables().len(), before.variables().len());
        } else {
            assert!(before == after, "{from} -> {to}");
        }
    }
}

fn with_tree(files: &[(&str, &str)], test: impl FnOnce(&mut Tree<'_>)) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let arena = Arena::new();
    test(&mut Tree::load(&arena, discovery.modules, &TreeOptions::default()));
}

#[test]
fn outputs_need_inputs_through_calls() {
    let files = [
        ("app/main.tf", "module \"m\" {\n  source = \"../outer\"\n  a = 1\n  b = 2\n}\n"),
        (
            "outer/main.tf",
            r#"
variable "a" {}
variable "b" {}
module "inner" {
  source = "../inner"
  given  = var.a
  other  = var.b
}
output "one" {
  value = module.inner.o
}
output "none" {
  value = 1
}
"#,
        ),
        (
            "inner/main.tf",
            r#"
variable "given" {}
variable "other" {}
resource "x_thing" "t" {
  size = var.given
}
output "o" {
  value = x_thing.t.id
}
"#,
        ),
    ];
    with_tree(&files, |tree| {
        let module = |name: &str| {
            let is_it = |it: &&simd_hcl::tree::TreeModule<'_>| {
                it.files.path.file_name() == Some(name.as_ref())
            };
            tree.modules().iter().find(is_it).unwrap()
        };
        assert!(module("app").interface().is_none());
        let outer: &Arc<Interface> = module("outer").interface().unwrap();
        let needed = |output| -> Vec<String> {
            let inputs = outer.needed_by(output);
            inputs
                .map(|input| match input {
                    Input::Variable(place) => outer.variables()[*place as usize].name().to_owned(),
                    Input::Provider(name) => name.name().to_string(),
                    _ => unreachable!(),
                })
                .collect()
        };
        assert_eq!(needed("one"), ["a", "x"]);
        assert!(needed("none").is_empty() && needed("missing").is_empty());
        let inner = module("inner").interface().unwrap();
        assert!(inner.needs().is_some() && inner.output("o").is_some());
    });
}

/// The messages of failed validations and values that do not fit, of all modules.
fn messages(tree: &mut Tree<'_>) -> Vec<String> {
    tree.check_bodies(&BodySchemas::default());
    let all = tree.modules().iter().flat_map(|module| &module.diagnostics);
    let wanted =
        all.filter(|it| matches!(it.code().as_str(), "failed-validation" | "variable-value"));
    let mut messages: Vec<String> = wanted
        .map(|it| {
            let related =
                it.related().iter().map(|it| it.label.source.name().ends_with("variables.tf"));
            assert!(related.clone().count() == 1 && related.clone().all(|is_there| is_there));
            it.detail().to_string()
        })
        .collect();
    messages.sort();
    messages
}

#[test]
fn validations_see_what_their_module_declares() {
    let variables = r#"
variable "list" {
  validation {
    condition     = contains(local.allowed, var.list)
    error_message = "Not ${local.word}: ${var.list}"
  }
}
variable "heredoc" {
  default = 1
  validation {
    condition     = var.heredoc > 2
    error_message = <<-EOT
      At least ${local.least}.
    EOT
  }
}
variable "unknown" {
  validation {
    condition     = var.unknown == path.module || var.other == 1 || x_thing.t.id == 1
    error_message = "m"
  }
}
variable "other" {
  default   = "s"
  sensitive = true
  validation {
    condition     = var.other == "t"
    error_message = "Secret ${local.secret}"
  }
}
variable "typed" {
  type = object({ a = optional(number, 5) })
  validation {
    condition     = var.typed.a != 5
    error_message = "Five."
  }
}
locals {
  allowed = ["a", "b"]
  word    = "allowed"
  least   = 3
  secret  = sensitive("x")
}
resource "x_thing" "t" {}
"#;
    let app = r#"
module "m" {
  source  = "../m"
  list    = "c"
  unknown = 1
  typed   = {}
}
module "fits" {
  source  = "../m"
  list    = "a"
  heredoc = 3
  other   = "t"
  unknown = 1
  typed   = { a = 1 }
}
module "wrong" {
  source  = "../m"
  list    = "b"
  heredoc = 4
  other   = "t"
  unknown = 1
  typed   = "text"
}
"#;
    let files = [("app/main.tf", app), ("m/variables.tf", variables)];
    with_tree(&files, |tree| {
        assert_eq!(
            messages(tree),
            [
                "The value fails a validation of the variable \"heredoc\": At least 3.",
                "The value fails a validation of the variable \"list\": Not allowed: c",
                "The value fails a validation of the variable \"other\".",
                "The value fails a validation of the variable \"typed\": Five.",
                "The value for the variable \"typed\" is invalid: an object is required, not a string.",
            ]
        );
    });
}

#[test]
fn an_override_keeps_the_defaults_of_the_base() {
    let base = "variable \"v\" {\n  type = object({ a = optional(number, 5) })\n}\n";
    let overriding = "variable \"v\" {\n  type = object({ a = number })\n}\n";
    let app = "module \"m\" {\n  source = \"../m\"\n  v = {}\n}\nmodule \"n\" {\n  source = \"../m\"\n  v = []\n}\n";
    let files =
        [("app/main.tf", app), ("m/variables.tf", base), ("m/variables_override.tf", overriding)];
    with_tree(&files, |tree| {
        let found = messages(tree);
        assert!(found.len() == 1 && found[0].contains("variable \"v\""), "{found:?}");
    });
}

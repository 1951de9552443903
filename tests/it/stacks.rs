//! Stacks of Terraform: what is declared, and what is wrong with references and inputs.

use simd_hcl::dialect::List;
use simd_hcl::stacks::{Kind, Stack};
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, Source};

const COMPONENTS: &str = r#"
variable "regions" { type = set(string) }
variable "size" {
  type    = number
  default = 1
}
locals { twice = 2 * var.size }
provider "aws" "this" {
  for_each = var.regions
  config { region = each.value }
}
component "web" {
  for_each  = var.regions
  source    = "./web"
  inputs    = { size = local.twice, other = component.gone.id, key = each.key }
  providers = { aws = provider.aws.this[each.value] }
}
component "db" {
  source     = "./db"
  inputs     = { key = each.key, wrong = loca.twice }
  providers  = { aws = provider.aws.that }
  depends_on = [component.web]
  unknown    = 1
}
"#;

const DEPLOYMENTS: &str = r#"
identity_token "aws" { audience = ["a"] }
deployment "prod" {
  inputs = { regions = ["a"], extra = identity_token.aws.jwt }
}
deployment "dev" { inputs = {} }
"#;

fn parse<'a>(arena: &'a Arena, name: &str, text: &str) -> ParsedFile<'a> {
    let source = Source::copy_from(arena, name, text.as_bytes()).unwrap();
    match name.ends_with(".json") {
        true => ParsedFile::json(Document::parse(arena, source).unwrap()),
        false => ParsedFile::native(arena, source),
    }
}

/// The stack of some files, and its diagnostics: their codes, and the text that they point at.
fn check<'a>(
    arena: &'a Arena,
    files: &[(List, ParsedFile<'a>)],
) -> (Stack<'a>, Vec<(&'static str, String)>) {
    let mut found: Vec<Diagnostic<'a>> = Vec::new();
    let stack = Stack::read(files.iter().copied(), &mut found);
    stack.check(arena, false, &mut found);
    let text = |it: &Diagnostic<'_>| {
        String::from_utf8_lossy(it.span().slice(it.source().bytes())).into_owned()
    };
    let told = found.iter().map(|it| (it.code().as_str(), text(it))).collect();
    (stack, told)
}

fn told<'t>(found: &'t [(&'static str, String)]) -> Vec<(&'static str, &'t str)> {
    found.iter().map(|(code, text)| (*code, text.as_str())).collect()
}

#[test]
fn references_and_inputs_are_checked() {
    let arena = Arena::new();
    let files = [
        (List::Component, parse(&arena, "a.tfcomponent.hcl", COMPONENTS)),
        (List::Deployment, parse(&arena, "b.tfdeploy.hcl", DEPLOYMENTS)),
    ];
    let (stack, found) = check(&arena, &files);
    let names: Vec<String> = stack.of_kind(Kind::Component).map(ToString::to_string).collect();
    assert_eq!(names, ["component.web", "component.db"]);
    assert_eq!(
        told(&found),
        [
            ("unsupported-argument", "unknown"),
            ("undeclared-reference", "component.gone.id"),
            ("out-of-scope", "each.key"),
            ("unknown-variable", "loca"),
            ("undeclared-reference", "provider.aws.that"),
            ("undeclared-variable-value", "extra"),
            ("missing-deployment-input", "deployment \"dev\""),
        ],
    );
}

#[test]
fn deployments_alone_do_not_show_variables() {
    let arena = Arena::new();
    let files = [(List::Deployment, parse(&arena, "b.tfdeploy.hcl", DEPLOYMENTS))];
    assert_eq!(told(&check(&arena, &files).1), []);
}

#[test]
fn json_is_read_alike() {
    let arena = Arena::new();
    let json = r#"{
        "variable": {"x": {"type": "string"}},
        "component": {"a": {
            "source": "./a",
            "inputs": {"x": "${var.y}"},
            "providers": {"aws": "provider.aws.this"},
            "depends_on": ["component.b"]
        }},
        "provider": {"aws": {"this": {"config": {"region": "${var.x}"}}}}
    }"#;
    let files = [(List::Component, parse(&arena, "a.tfcomponent.json", json))];
    let found = check(&arena, &files).1;
    assert_eq!(
        told(&found),
        [("undeclared-reference", "var.y"), ("undeclared-reference", "component.b")]
    );
}

#[test]
fn deployments_have_local_values_of_their_own() {
    let arena = Arena::new();
    let components =
        "locals { size = 1 }\noutput \"o\" {\n  type  = number\n  value = local.size\n}\n";
    let deployments = "locals {\n  size = 2\n  only = 3\n}\n\
                       deployment \"a\" { inputs = { x = local.size + local.only } }\n";
    let files = [
        (List::Component, parse(&arena, "a.tfcomponent.hcl", components)),
        (List::Deployment, parse(&arena, "b.tfdeploy.hcl", deployments)),
    ];
    assert_eq!(told(&check(&arena, &files).1), [("undeclared-variable-value", "x")]);
    let other = "output \"p\" {\n  type  = number\n  value = local.only\n}\n";
    let files = [files[0], files[1], (List::Component, parse(&arena, "c.tfcomponent.hcl", other))];
    let found = check(&arena, &files).1;
    assert!(told(&found).contains(&("undeclared-reference", "local.only")), "{found:?}");
}

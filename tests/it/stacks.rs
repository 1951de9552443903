//! Stacks of Terraform: what is declared, and what is wrong with references and inputs.

use simd_hcl::deployments::{Deployments, WithInputs};
use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::stacks::{Kind, Stack};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, Source};
use simd_hcl_corpus::sized;

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

/// Texts that parts of mutated stacks are replaced with.
const PARTS: [&str; 16] = [
    "component.web",
    "component.web[\"a\"].id",
    "var.regions",
    "local.twice",
    "stack.inner.x",
    "each.value",
    "each.key",
    "toset([\"a\", \"b\"])",
    "{ a = 1 }",
    "null",
    "[for x in var.regions : x]",
    "\"${local.twice}-${var.size}\"",
    "for_each = var.regions",
    "source = \"./\"",
    "}",
    "{",
];

/// Whatever a stack is, its evaluation ends, and has the same answer each time.
#[test]
fn mutated_stacks_have_an_answer() {
    let components = "variable \"regions\" { type = set(string) }\nvariable \"size\" {\n  type    = number\n  default = 1\n}\n\
                      locals { twice = 2 * var.size }\n\
                      component \"web\" {\n  for_each = var.regions\n  source = \"./m\"\n  inputs = { x = each.value, y = local.twice }\n}\n\
                      component \"db\" {\n  source = \"./m\"\n  inputs = { x = component.web, y = component.web[\"a\"].id }\n}\n\
                      stack \"inner\" {\n  source = \"./inner\"\n  inputs = { x = component.db.id }\n}\n\
                      output \"o\" {\n  type  = any\n  value = stack.inner.x\n}\n";
    let deployments = "locals { all = [\"a\", \"b\"] }\nidentity_token \"t\" { audience = [\"a\"] }\n\
                       deployment \"p\" { inputs = { regions = local.all, size = 2 } }\n\
                       deployment \"q\" {\n  inputs = { regions = identity_token.t.jwt }\n  destroy = false\n}\n";
    let inner = "variable \"x\" { type = any }\ncomponent \"m\" {\n  source = \"../m\"\n  inputs = { x = var.x }\n}\n\
                 output \"x\" {\n  type  = any\n  value = component.m.id\n}\n";
    let module = "variable \"x\" {}\nvariable \"y\" { default = 1 }\noutput \"id\" { value = { x = var.x, y = var.y } }\n";
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("m/main.tf", module);
    let mut state = 5_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut visited = 0;
    for round in 0..sized([150, 2000, 40_000]) {
        for (name, text) in [
            ("a.tfcomponent.hcl", components),
            ("a.tfdeploy.hcl", deployments),
            ("inner/a.tfcomponent.hcl", inner),
        ] {
            let mut text = text.to_owned();
            // The first round takes them as they are.
            for _ in 0..if round == 0 { 0 } else { below(3) } {
                let at = below(text.len());
                let end = (at + below(24)).min(text.len());
                text.replace_range(at..end, PARTS[below(PARTS.len())]);
            }
            write(name, &text);
        }
        let (one, count) = expanded(root);
        visited += count;
        if round == 0 {
            assert_eq!(count, 7, "{one}");
        }
        assert_eq!(expanded(root).0, one, "{round}");
    }
    assert!(visited > 100, "{visited}");
}

/// The deployments of a directory as JSON, with gaps and diagnostics, and the number of components.
fn expanded(root: &std::path::Path) -> (String, usize) {
    let arena = Arena::new();
    let modules = discover(&[root], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let Some(stack) = tree.modules().iter().position(|it| it.files.path == *root) else {
        return (String::new(), 0);
    };
    let with_inputs: WithInputs<'_, '_> = &|_, work| work(Inputs::new(&arena));
    let Some(deployments) = Deployments::of(&tree, stack, &arena, with_inputs) else {
        return (String::new(), 0);
    };
    let (mut text, mut count) = (String::new(), 0);
    deployments.visit(&mut |deployment| {
        text += deployment.name;
        deployment.visit(&mut |component| {
            count += 1;
            text += component.address;
            if let Some(expansion) = component.expansion {
                text += &to_string(Layout::Compact, |slot| {
                    expansion.write(&Selection::default(), slot);
                });
            }
        });
        text += &to_string(Layout::Compact, |slot| {
            deployment.write_outputs(false, &mut slot.object());
        });
    });
    deployments.gaps().iter().for_each(|gap| text += &format!("{gap:?}"));
    deployments.diagnostics().iter().for_each(|it| text += &it.to_string());
    (text, count)
}

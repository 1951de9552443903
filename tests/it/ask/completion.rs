//! Completions at a place of a file that is not finished.

use super::{Syntax, World};

/// The labels of the completions at `|` in a file, whose text is `before`.
fn labels(syntax: Syntax, stem: &'static str, text: &str) -> Vec<String> {
    completions(syntax, stem, text).into_iter().map(|(label, _)| label).collect()
}

/// The labels and texts of the completions.
fn completions(syntax: Syntax, stem: &'static str, text: &str) -> Vec<(String, String)> {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let world = World::with(syntax, &[(stem, &text)]);
    world.ask(|answers| {
        let found = answers.completions(&world.file(stem), offset as u32);
        found.items.into_iter().map(|it| (it.label.into(), it.text.into())).collect()
    })
}

/// The file, its text, what the completions have, and what they do not have.
type Case = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const NATIVE: &[Case] = &[
    ("main", "res|", &["resource"], &["var", "depends_on"]),
    (
        "main",
        "variable \"a\" {\n  |\n}\n",
        &["type", "default", "sensitive", "validation"],
        &["value"],
    ),
    ("main", "variable \"a\" {\n  type = |\n}\n", &["string", "object"], &["var"]),
    ("main", "resource \"|", &["terraform_data"], &["resource"]),
    (
        "main",
        "resource \"terraform_data\" \"a\" {\n  |\n}\n",
        &["input", "triggers_replace", "count", "lifecycle"],
        &["output"],
    ),
    (
        "main",
        "resource \"terraform_data\" \"a\" {\n  lifecycle {\n    |",
        &["create_before_destroy", "precondition"],
        &["input"],
    ),
    (
        "main",
        "module \"net\" {\n  source = \"./modules/net\"\n  |\n}\n",
        &["size", "token", "for_each"],
        &["hosts"],
    ),
    (
        "main",
        "module \"net\" {\n  source = \"./modules/|\"\n}\n",
        &["./modules/net", "./modules/leaf"],
        &["var"],
    ),
    (
        "main",
        "variable \"a\" {}\nlocals {\n  b = |\n",
        &["var", "local", "cidrsubnet", "path"],
        &["each", "count"],
    ),
    (
        "main",
        "variable \"a\" {}\nvariable \"abc\" {}\nlocals {\n  b = var.|\n}\n",
        &["a", "abc"],
        &["b", "var"],
    ),
    (
        "main",
        "variable \"a\" {}\nlocals {\n  b = [for x in [1] : upper(\"${var.|}\")]\n}\n",
        &["a"],
        &["b"],
    ),
    ("main", "locals {\n  a = { b = { c = 1 } }\n  d = local.a.|\n}\n", &["b"], &["c", "d"]),
    ("main", "locals {\n  a = { b = { c = 1 } }\n  d = { e = [local.a.b.|] }\n}\n", &["c"], &["b"]),
    (
        "main",
        "module \"net\" {\n  source = \"./modules/net\"\n}\nlocals {\n  a = module.|\n}\n",
        &["net"],
        &["a"],
    ),
    (
        "main",
        "module \"net\" {\n  source = \"./modules/net\"\n}\nlocals {\n  a = module.net.|\n}\n",
        &["id"],
        &["size"],
    ),
    (
        "main",
        "variable \"p\" {\n  type = map(object({ email = string }))\n}\nresource \"terraform_data\" \"a\" {\n  for_each = var.p\n  input = each.value.|\n}\n",
        &["email"],
        &["p"],
    ),
    (
        "main",
        "resource \"terraform_data\" \"a\" {\n  for_each = { x = { size = 1 } }\n  input = each.value.|\n}\n",
        &["size"],
        &["x"],
    ),
    (
        "main",
        "resource \"terraform_data\" \"a\" {\n  for_each = {}\n  input = each.|\n}\n",
        &["key", "value"],
        &[],
    ),
    (
        "main",
        "resource \"terraform_data\" \"a\" {}\nlocals {\n  b = terraform_data.|\n}\n",
        &["a"],
        &["b"],
    ),
    (
        "main",
        "resource \"terraform_data\" \"a\" {}\nlocals {\n  b = terraform_data.a.|\n}\n",
        &["output", "id"],
        &["lifecycle"],
    ),
    ("main", "locals {\n  b = [for item in [1] : it|]\n}\n", &["item"], &[]),
    ("terraform.tfvars", "|", &["size", "token", "people"], &["variable"]),
    ("terraform.tfvars", "people = {\n  ann = {\n    |", &["email", "age"], &["size"]),
    ("tests/all.tftest", "variables {\n  |\n}\n", &["size"], &["assert"]),
    ("tests/all.tftest", "run \"a\" {\n  |\n}\n", &["assert", "command"], &["size"]),
    ("image.pkr", "variable \"region\" {}\nlocals {\n  a = var.|\n}\n", &["region"], &["a"]),
    ("image.pkr", "|", &["source", "build"], &["resource"]),
];

const JSON: &[Case] = &[
    ("main", "{\"res|\"}", &["resource"], &["depends_on"]),
    ("main", "{\"variable\": {\"a\": {\"|", &["type", "default"], &["value"]),
    ("main", "{\"variable\": {\"a\": {\"type\": \"|\"}}}", &["string"], &["var"]),
    ("main", "{\"resource\": {\"|", &["terraform_data"], &["resource"]),
    ("main", "{\"resource\": {\"terraform_data\": {\"a\": {\"|", &["input", "count"], &["output"]),
    (
        "main",
        "{\"module\": {\"net\": {\"source\": \"./modules/net\", \"|\": 1}}}",
        &["size", "token"],
        &["hosts"],
    ),
    (
        "main",
        "{\"module\": {\"net\": {\"source\": \"./modules/|\"}}}",
        &["./modules/net"],
        &["var"],
    ),
    ("main", "{\"variable\": {\"a\": {}}, \"locals\": {\"b\": \"${var.|}\"}}", &["a"], &["b"]),
    (
        "main",
        "{\"locals\": {\"a\": {\"b\": {\"c\": 1}}, \"d\": [\"${local.a.|}\"]}}",
        &["b"],
        &["c"],
    ),
    ("terraform.tfvars", "{\"|\": 1}", &["size"], &["variable"]),
    (
        "image.pkr",
        "{\"variable\": {\"region\": {}}, \"locals\": {\"a\": \"${var.|}\"}}",
        &["region"],
        &[],
    ),
];

fn check(syntax: Syntax, cases: &[Case]) {
    for (stem, text, has, lacks) in cases {
        let found = labels(syntax, stem, text);
        for label in *has {
            assert!(found.iter().any(|it| it == label), "{label} at {text}: {found:?}");
        }
        for label in *lacks {
            assert!(!found.iter().any(|it| it == label), "no {label} at {text}: {found:?}");
        }
    }
}

#[test]
fn native_files_are_completed() {
    check(Syntax::Native, NATIVE);
}

#[test]
fn documents_are_completed() {
    check(Syntax::Json, JSON);
}

#[test]
fn texts_have_the_syntax_of_their_place() {
    let text = |syntax, before: &str, label: &str| {
        let found = completions(syntax, "main", before);
        found.into_iter().find(|it| it.0 == label).map(|it| it.1).unwrap()
    };
    let json = Syntax::Json;
    assert_eq!(text(json, "{\"variable\": {\"a\": {|}}}", "type"), "\"type\": ");
    assert_eq!(text(json, "{\"variable\": {\"a\": {\"|\"}}}", "type"), "type");
    assert_eq!(text(json, "{\"locals\": {\"a\": \"|\"}}", "path"), "${path}");
    assert_eq!(text(json, "{\"locals\": {\"a\": \"${|}\"}}", "path"), "path");
    assert_eq!(text(Syntax::Native, "resource |", "terraform_data"), "\"terraform_data\"");
    assert_eq!(text(Syntax::Native, "resource \"|\"", "terraform_data"), "terraform_data");
}

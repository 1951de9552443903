//! Differences between two configurations.

use simd_hcl::dialect::{Dialect, List};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::{Arena, Expression, ParsedFile, Source};

type File<'t> = (List, &'t str, &'t str);

/// `ACTION ADDRESS (was OLD): PATH: BEFORE -> AFTER, …`
fn diff(dialect: Dialect, old: &[File<'_>], new: &[File<'_>]) -> Vec<String> {
    let arena = Arena::new();
    let text = |value: Option<Expression<'_>>| match value {
        Some(value) => String::from_utf8(value.text().to_vec()).unwrap(),
        None => "()".to_owned(),
    };
    changes(&read(&arena, dialect, old), &read(&arena, dialect, new))
        .iter()
        .map(|change| {
            let leaves = change.leaves.iter().map(|leaf| {
                format!("{}: {} -> {}", leaf.path, text(leaf.before), text(leaf.after))
            });
            let leaves = leaves.collect::<Vec<_>>().join(", ");
            let was =
                change.previous_address.map(|was| format!(" (was {was})")).unwrap_or_default();
            format!("{} {}{was}: {leaves}", change.action.as_str(), change.address)
        })
        .collect()
}

fn read<'a>(arena: &'a Arena, dialect: Dialect, files: &[File<'a>]) -> Objects<'a> {
    let documents = files.iter().map(|&(list, name, text)| {
        let source = Source::from_bytes(arena, name, text.as_bytes()).unwrap();
        (list, name, ParsedFile::parse(arena, source).unwrap())
    });
    Objects::read(arena, dialect, documents)
}

fn main_files(old: &str, new: &str) -> Vec<String> {
    let file = |text| [(List::Primary, "main.tf.json", text)];
    diff(Dialect::OpenTofu, &file(old), &file(new))
}

#[test]
fn layout_does_not_count() {
    let old = r#"{"resource": {"a": {"x": {"n": 1, "s": "é", "t": "${ var.a }", "l": [1, 2], "//": "old"}}},
        "provider": {"aws": [{"region": "r"}, {"alias": "b", "region": "q"}]},
        "terraform": [{"required_providers": {"aws": "1"}}, {"required_providers": {"b": {"source": "x/b"}}}]}"#;
    let new = [
        (
            List::Primary,
            "a.tf.json",
            r#"{"provider": [{"aws": {"region": "q", "alias": "b"}}, {"aws": {"region": "r"}}]}"#,
        ),
        (
            List::Primary,
            "b.tf.json",
            r#"{"resource": [{"a": [{"x": [{"t": "${var.a}", "s": "\u00e9", "n": 1.0, "l": [1, 2]}]}]}],
            "terraform": {"required_providers": [{"b": {"source": "x/b"}}, {"aws": "1"}]}}"#,
        ),
    ];
    let old = [(List::Primary, "main.tf.json", old)];
    assert_eq!(diff(Dialect::OpenTofu, &old, &new), [""; 0]);
    assert_eq!(diff(Dialect::OpenTofu, &new, &old), [""; 0]);
}

#[test]
fn leaves() {
    let old = r#"{"locals": {"a": {"x": [1, 2, {"y": true}], "gone": {"p": 1}, "same": null, "kind": "1"}}}"#;
    let new = r#"{"locals": {"a": {"new": {"q": []}, "x": [1, 3, {"y": false}, {}], "same": null, "kind": 1}}}"#;
    assert_eq!(
        main_files(old, new),
        ["changed local.a: new.q: () -> [], x[1]: 2 -> 3, x[2].y: true -> false, x[3]: () -> {}, \
          kind: \"1\" -> 1, gone.p: 1 -> ()"]
    );
    assert_eq!(
        main_files(r#"{"locals": {"a": 1}}"#, r#"{"locals": {"a": [1]}}"#),
        ["changed local.a: : 1 -> [1]"]
    );
    assert_eq!(
        main_files(r#"{"locals": {"a": []}}"#, r#"{"locals": {"a": {}}}"#),
        ["changed local.a: : [] -> {}"]
    );
}

#[test]
fn expressions() {
    let text = |text: &str| format!(r#"{{"output": {{"o": {{"value": "{text}"}}}}}}"#);
    let same = |one: &str, two: &str| main_files(&text(one), &text(two)).is_empty();
    assert!(same("${f( a , [for x in y : x.z] )}", "${f(a,[for x in y:x.z])}"));
    assert!(same("a${b.c[ 0 ]}", "a${b.c[0]}"));
    assert!(!same("a${b.c[0]}", "a${b.c[1]}"));
    assert!(!same("a ${b}", "a${b}"), "text counts");
    assert!(!same("${f(a...)}", "${f(a)}"));
    assert!(!same("${f(a)}", "${g(a)}"));
    assert!(!same("${[for x in y : x]}", "${[for z in y : x]}"));
    assert!(!same("${a+b}", "${a-b}"));
    assert!(!same("${", "${ "), "broken templates are texts");
}

#[test]
fn objects_come_and_go() {
    let old = r#"{"variable": {"a": {}, "b": {"default": 1}}, "module": {"m": {"source": "./m"}}, "check": {"c": {}}}"#;
    let new = r#"{"variable": {"b": {"default": 2}, "c": {"default": {}}}, "data": {"t": {"n": {}}}, "output": {"o.p": {}}}"#;
    assert_eq!(
        main_files(old, new),
        [
            "removed check.c: ",
            "added data.t.n: ",
            "removed module.m: source: \"./m\" -> ()",
            "added output[\"o.p\"]: ",
            "removed var.a: ",
            "changed var.b: default: 1 -> 2",
            "added var.c: default: () -> {}",
        ]
    );
}

#[test]
fn moves() {
    let old = r#"{"resource": {"a": {"x": {"n": 1}, "y": {"n": 2}}}}"#;
    let new = r#"{"resource": {"a": {"z": {"n": 1}, "y": {"n": 2}, "w": {}}},
        "moved": [{"from": "a.x", "to": "a.z"}, {"from": "a.y", "to": "a.w"}]}"#;
    assert_eq!(
        main_files(old, new),
        [
            "added a.w: ",
            "moved a.z (was a.x): ",
            "added moved[a.x]: from: () -> \"a.x\", to: () -> \"a.z\"",
            "added moved[a.y]: from: () -> \"a.y\", to: () -> \"a.w\"",
        ]
    );
}

#[test]
fn overrides_are_merged() {
    let base = r#"{"resource": {"a": {"x": {"n": 1, "m": {"p": 1}, "lifecycle": {"prevent_destroy": true}}}}, "locals": {"l": {"a": 1}}}"#;
    let more = r#"{"resource": {"a": {"x": {"n": 2, "m": {"q": 1}, "lifecycle": {"create_before_destroy": true}}}}, "locals": {"l": {"b": 1}}}"#;
    let merged = r#"{"resource": {"a": {"x": {"n": 2, "m": {"q": 1},
        "lifecycle": {"prevent_destroy": true, "create_before_destroy": true}}}}, "locals": {"l": {"b": 1}}}"#;
    let layers =
        [(List::Primary, "main.tf.json", base), (List::Override, "override.tf.json", more)];
    let merged = [(List::Primary, "main.tf.json", merged)];
    assert_eq!(diff(Dialect::OpenTofu, &layers, &merged), [""; 0]);
    assert_eq!(
        diff(Dialect::OpenTofu, &layers[..1], &layers),
        [
            "changed a.x: n: 1 -> 2, m.q: () -> 1, m.p: 1 -> (), lifecycle.create_before_destroy: () -> true",
            "changed local.l: b: () -> 1, a: 1 -> ()",
        ]
    );
}

#[test]
fn files_of_their_own() {
    let old = [
        (List::Variables, "prod.tfvars.json", r#"{"a": 1}"#),
        (List::Test, "t.tftest.json", r#"{"run": {"r": {"command": "plan"}}}"#),
    ];
    let new = [
        (List::Variables, "prod.tfvars.json", r#"{"a": 2}"#),
        (List::Test, "t.tftest.json", r#"{"run": {"r": {"command": "apply"}}}"#),
    ];
    assert_eq!(
        diff(Dialect::OpenTofu, &old, &new),
        [
            "changed prod.tfvars:var.a: : 1 -> 2",
            "changed t.tftest:run.r: command: \"plan\" -> \"apply\""
        ]
    );
}

/// Space around a whole expression says nothing, and comments of JSON are comments in blocks, too.
#[test]
fn spellings_of_one_expression_are_equal() {
    let native = |value: &str| format!("locals {{\n  x = {value}\n}}\n");
    let is_same = |one: &str, two: &str| {
        let [one, two] = [one, two].map(native);
        let [one, two] = [&*one, &*two].map(|text| [(List::Primary, "main.tf", text)]);
        diff(Dialect::OpenTofu, &one, &two).is_empty()
    };
    for (one, two) in [
        ("\"${f(\"N\")}\"", "f(\"N\")"),
        ("f(\"A\")", "(f(\"A\"))"),
        ("\"${(a.b)}\"", "a.b"),
        ("{ (a.r) = 1 }", "{ \"${a.r}\" = 1 }"),
        ("[\"${a.b}\"]", "[(a.b)]"),
    ] {
        assert!(is_same(one, two) && is_same(two, one), "{one} {two}");
    }
    for (one, two) in
        [("\"${a.b} \"", "a.b"), ("{ r = 1 }", "{ (r.s) = 1 }"), ("\"${1}\"", "\"1\"")]
    {
        assert!(!is_same(one, two) && !is_same(two, one), "{one} {two}");
    }
    let blocks =
        "resource \"t_a\" \"b\" {\n  blk {\n    k = 1\n  }\n  two {\n  }\n  two {\n  }\n}\n";
    let json = r#"{"resource": {"t_a": {"b": {"//": "x", "blk": {"//": "x", "k": 1}, "two": [{"//": "x"}, {}]}}}}"#;
    let (native, json) =
        ([(List::Primary, "main.tf", blocks)], [(List::Primary, "main.tf.json", json)]);
    assert_eq!(diff(Dialect::OpenTofu, &native, &json), [""; 0]);
    assert_eq!(diff(Dialect::OpenTofu, &json, &native), [""; 0]);
}

/// Files of both syntaxes are compared by meaning.
#[test]
fn syntaxes() {
    let json = r#"{
        "resource": {"a_b": {"c": {
            "provisioner": [{"x": [{"command": "1"}, {"command": "2"}]}, {"y": {}}],
            "lifecycle": {"precondition": {"//": "note", "condition": "${var.v}", "error_message": "m"}},
            "connection": [],
            "for_each": "${{a = var.v, \"b\" = [1]}}",
            "tags": {"${var.v}": 1, "x$${y}": 2}}}},
        "variable": {"v": {"type": "object({a=string})", "default": "${x}", "validation": null}},
        "moved": [{"from": "a_b.d[\"k\"]", "to": "a_b.c[\"$${k}\"]"}]}"#;
    let native = r#"
resource "a_b" "c" {
  provisioner "x" {
    command = "1"
  }
  provisioner "x" {
    command = "2"
  }
  provisioner "y" {}
  lifecycle {
    precondition {
      condition     = var.v
      error_message = "m"
    }
  }
  for_each = {
    a   = var.v
    "b" = [1]
  }
  tags = { (var.v) = 1, "x$${y}" = 2 }
}
variable "v" {
  type    = object({ a = string })
  default = "$${x}"
}
moved {
  from = a_b.d["k"]
  to   = a_b.c["$${k}"]
}
"#;
    let files = |text, name| [(List::Primary, name, text)];
    let (json, native) = (files(json, "main.tf.json"), files(native, "main.tf"));
    assert_eq!(diff(Dialect::OpenTofu, &json, &native), [""; 0]);
    assert_eq!(diff(Dialect::OpenTofu, &native, &json), [""; 0]);
    // A nested block without arguments is one more value.
    let more =
        native[0].2.replace("provisioner \"y\" {}", "provisioner \"y\" {}\n  provisioner \"z\" {}");
    let more = files(more.as_str(), "main.tf");
    assert_eq!(
        diff(Dialect::OpenTofu, &json, &more),
        ["changed a_b.c: provisioner[3].z: () -> {}"]
    );
    let old = [
        (List::Variables, "prod.tfvars.json", r#"{"a": "x"}"#),
        (List::Test, "t.tftest.json", r#"{"run": {"r": {"command": "plan", "variables": null}}}"#),
    ];
    let new = [
        (List::Variables, "prod.tfvars", "a = \"x\"\n"),
        (List::Test, "t.tftest.hcl", "run \"r\" {\n  command = plan\n}\n"),
    ];
    assert_eq!(diff(Dialect::OpenTofu, &old, &new), [""; 0]);
}

#[test]
fn packer() {
    let file = |text| [(List::Primary, "a.pkr.json", text)];
    let old = r#"{"source": {"null": {"a": {"communicator": "none"}}}, "build": {"name": "x", "sources": ["source.null.a"]}, "variables": {"v": 1}}"#;
    let new = r#"{"source": {"null": {"a": {"communicator": "ssh"}}}, "build": {"name": "x", "sources": []}, "variables": {"v": 2}}"#;
    assert_eq!(
        diff(Dialect::Packer, &file(old), &file(new)),
        [
            "changed build[x]: sources[0]: \"source.null.a\" -> ()",
            "changed source.null.a: communicator: \"none\" -> \"ssh\"",
            "changed var.v: : 1 -> 2",
        ]
    );
}

/// A computed name of a build is written differently in the two syntaxes.
#[test]
fn builds_with_computed_names() {
    let native = "build {\n  name = path.root\n}\nbuild {\n  name = <<-E\n    a\n    E\n}\n";
    let json = r#"{"build": [{"name": "${path.root}"}, {"name": "a\n"}]}"#;
    let old = [(List::Primary, "a.pkr.hcl", native)];
    let new = [(List::Primary, "a.pkr.json", json)];
    assert_eq!(diff(Dialect::Packer, &old, &new), [""; 0]);
}

#[test]
fn duplicates_are_compared_in_their_places() {
    let old = r#"{"variable": [{"a": {"default": 1}}, {"a": {"default": 2}}]}"#;
    let new = r#"{"variable": [{"a": {"default": 1}}, {"a": {"default": 3}}, {"a": {}}]}"#;
    assert_eq!(main_files(old, new), ["changed var.a: default: 2 -> 3", "added var.a: "]);
}

#[test]
fn deep_values_need_no_stack() {
    let nested = |inner: &str| {
        format!(r#"{{"locals": {{"a": {}{inner}{}}}}}"#, "[".repeat(9_000), "]".repeat(9_000))
    };
    let found = main_files(&nested("1"), &nested("2"));
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("[0]: 1 -> 2"));
}

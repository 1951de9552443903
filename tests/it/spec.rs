//! Bodies by specifications. `cli/tests/it/spec.rs` compares with hcldec.

use simd_hcl::evaluate::{Budget, Scope};
use simd_hcl::spec::{Output, Spec, SpecFile, decode, to_json, variables};
use simd_hcl::value::Type;
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, Source};
use simd_hcl_corpus::sized;

const SPEC: &str = r#"
variables {
  v = ["a", { b = 1 }]
}
function "f" {
  params         = [a, b]
  variadic_param = c
  result         = [a, b, length(c)]
}
object {
  attr "name" { type = string }
  default "size" {
    attr { name = "size" }
    literal { value = 3 }
  }
  block_list "one" {
    object {
      attr "x" { required = true }
      transform "y" {
        attr {
          name = "y"
          type = number
        }
        result = nested == null ? 0 : nested + 1
      }
    }
  }
  block_map "two" {
    labels = ["kind", "name"]
    block_set {
      block_type = "three"
      attr {
        name = "z"
        type = list(string)
      }
    }
  }
  block_attrs "four" {
    element_type = any
  }
  block_tuple "five" {
    refine {
      not_null = true
      attr { name = "w" }
    }
  }
}
"#;

const BODY: &str = r#"
name = "n${v[1].b}"
one {
  x = f(1, 2, 3)
  y = 1
}
two "a" "b" {
  three { z = [1, v[0]] }
  three { z = [] }
}
four {
  k = true
}
five { w = 1 }
"#;

fn parse<'a>(arena: &'a Arena, name: &str, text: &str) -> ParsedFile<'a> {
    let source = Source::read_from(arena, name, text.as_bytes()).unwrap();
    match name.ends_with("json") {
        true => Document::parse(arena, source).unwrap().into(),
        false => ParsedFile::native(arena, source),
    }
}

/// Returns the value as JSON, and the codes of diagnostics.
fn decoded(spec: &str, name: &str, body: &str) -> (Option<String>, Vec<String>) {
    let arena = Arena::new();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = parse(&arena, "spec.hcldec", spec);
    let Some(spec) = SpecFile::read(file.as_native().unwrap(), &mut found) else {
        assert!(!found.is_empty() || !file.diagnostics().is_empty(), "{spec}");
        return (None, found.iter().map(|it| it.code().to_string()).collect());
    };
    let mut scope = Scope::new().with_variables(spec.variables());
    if let Some(functions) = spec.functions() {
        scope = scope.with_functions(functions);
    }
    let body = parse(&arena, name, body).body();
    variables(spec.root(), &[body]);
    let value = decode(spec.root(), &[body], Some(&scope), &mut found);
    let text = to_json(value, Output::default()).ok();
    (text, found.iter().map(|it| it.code().to_string()).collect())
}

#[test]
fn both_syntaxes_have_one_value() {
    let expected = r#"{"five":[1],"four":{"k":true},"name":"n1","one":[{"x":[1,2,1],"y":2}],"size":3,"two":{"a":{"b":[[],["1","a"]]}}}"#;
    let json = r#"{"name": "n${v[1].b}", "one": {"x": "${f(1, 2, 3)}", "y": 1},
        "two": {"a": {"b": {"three": [{"z": [1, "${v[0]}"]}, {"z": []}]}}},
        "four": {"k": true}, "five": {"w": 1}}"#;
    assert_eq!(decoded(SPEC, "a.hcl", BODY), (Some(expected.to_owned()), Vec::new()));
    assert_eq!(decoded(SPEC, "a.json", json), (Some(expected.to_owned()), Vec::new()));
}

/// Each expression is cheap, but all of them together are not.
#[test]
fn one_budget_is_for_all_expressions() {
    let arena = Arena::new();
    let nested = Spec::attribute("a", Type::Dynamic);
    let spec = Spec::block_tuple(&arena, "b", nested);
    let body = "b {\n  a = [for i in [1, 2, 3, 4] : i * 2]\n}\n".repeat(1000);
    let body = parse(&arena, "a.hcl", &body).body();
    let scope = Scope::new().with_budget(Budget::new(5_000, 1 << 20));
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let value = decode(spec, &[body], Some(&scope), &mut found);
    let codes: Vec<_> = found.iter().map(|it| it.code().as_str()).collect();
    assert_eq!(codes, ["evaluation-too-long"]);
    let elements = value.as_elements().unwrap();
    assert!(elements[0].is_wholly_known() && !elements[999].is_known());
}

#[test]
fn values_that_double_in_functions_end() {
    let spec =
        "function \"twice\" {\n  params = [a]\n  result = [a, a]\n}\nattr {\n  name = \"a\"\n}\n";
    let calls = format!("a = {}1{}\n", "twice(".repeat(60), ")".repeat(60));
    let (_, codes) = decoded(spec, "a.hcl", &calls);
    assert_eq!(codes.len(), 1, "{codes:?}");
}

/// Enough attributes, blocks and labels to show quadratic cost.
#[test]
fn cost_is_linear() {
    let count = sized([20_000, 200_000, 200_000]);
    let arena = Arena::new();
    let names: Vec<&str> = (0..count).map(|it| arena_text(&arena, it)).collect();
    let entries: Vec<_> =
        names.iter().map(|name| (*name, Spec::attribute(name, Type::Number))).collect();
    let map = Spec::block_map(
        &arena,
        "block",
        &["kind", "name"],
        Spec::literal(simd_hcl::value::Value::bool(true)),
    );
    let spec = Spec::tuple(&arena, &[Spec::object(&arena, &entries), map]);
    let mut text = String::new();
    for name in &names {
        text.push_str(&format!("{name} = 1\nblock \"a\" {name} {{\n}}\n"));
    }
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let value = decode(spec, &[parse(&arena, "a.hcl", &text).body()], None, &mut found);
    assert!(found.is_empty(), "{found:?}");
    let [object, map] = value.as_elements().unwrap() else { panic!("two elements") };
    assert_eq!(object.as_entries().unwrap().len(), count);
    assert_eq!(map.get("a").unwrap().as_entries().unwrap().len(), count);
}

fn arena_text(arena: &Arena, number: usize) -> &str {
    let name = format!("n{number}");
    Source::from_bytes(arena, &name, b"").unwrap().name()
}

/// Every prefix, and every byte replaced by a significant one.
#[test]
fn damaged_files_never_panic() {
    let pieces = ["\"", "{", "}", "=", "$", "\n", "0", "["];
    for at in 0..SPEC.len() {
        let piece = pieces[at % pieces.len()];
        decoded(&SPEC[..at], "a.hcl", BODY);
        decoded(&format!("{}{piece}{}", &SPEC[..at], &SPEC[at + 1..]), "a.hcl", BODY);
    }
    for at in 0..BODY.len() {
        let piece = pieces[at % pieces.len()];
        decoded(SPEC, "a.hcl", &BODY[..at]);
        decoded(SPEC, "a.hcl", &format!("{}{piece}{}", &BODY[..at], &BODY[at + 1..]));
    }
}

#[test]
fn nothing_to_read_is_null() {
    let arena = Arena::new();
    let spec = Spec::attribute("a", Type::String).required();
    let value = decode(spec, &[], None, &mut ());
    assert!(value.is_null() && value.ty() == Type::String);
    assert_eq!(to_json(value, Output::default().with_type(true)).unwrap(), "{\"type\":\"string\"}");
    let none = Spec::first_of(&arena, &[]);
    assert!(decode(none, &[], None, &mut ()).is_null());
}

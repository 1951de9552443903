use super::{Version, syntax_tree, to_json};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::json::JsonValue;
use crate::source::Source;
use crate::{Document, diagnostic::Severity};

/// The JSON of a file, or the codes of its errors.
fn json(text: &str, version: Version) -> Result<String, Vec<&'static str>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).expect("it is short");
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let json = to_json(source, version, &mut found);
    assert_eq!(json.is_none(), found.iter().any(|it| it.severity() == Severity::Error), "{text}");
    json.ok_or_else(|| found.iter().map(|it| it.code().as_str()).collect())
}

fn value(expression: &str) -> String {
    let json = json(&format!("a = {expression}\n"), Version::V0_6).expect("it is valid");
    json[r#"{"a":"#.len()..json.len() - 1].to_owned()
}

fn tree(expression: &str) -> Result<String, Vec<&'static str>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", expression.as_bytes()).expect("it is short");
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    syntax_tree(source, &mut found)
        .ok_or_else(|| found.iter().map(|it| it.code().as_str()).collect())
}

#[test]
fn values() {
    for (expression, expected) in [
        ("null", "null"),
        ("-5", "-5"),
        ("- 1.50", "-1.5"),
        ("!true", "false"),
        ("!var.a", r#""${!var.a}""#),
        ("-(1)", r#""${-(1)}""#),
        ("1 + 2", r#""${1 + 2}""#),
        ("(1)", r#""${(1)}""#),
        ("[1, [], {}]", "[1,[],{}]"),
        (r#""""#, r#""""#),
        (r#""a\n\"${var.b}\"""#, r#""a\n\"${var.b}\"""#),
        (r#""${var.b}""#, r#""${var.b}""#),
        (r#""${5}""#, "5"),
        (r#""${"a"} b""#, r#""a b""#),
        (r#""${1.50}${true}${null}x""#, r#""1.5truenullx""#),
        (r#""$${a} %%{b} $x""#, r#""$${a} %%{b} $x""#),
        (r#""a${b ? c : d}""#, r#""a%{if b}${c}%{else}${d}%{endif}""#),
        (r#""%{ if a ~} x %{ endif }""#, r#""%{if a}x %{endif}""#),
        (r#""%{ for k, v in m }${k}%{ endfor }""#, r#""%{for k, v in m}${k}%{endfor}""#),
        (r#""x%{ if a }${null}%{ endif }""#, r#""x""#),
        (r#""x%{ if a }b%{ else }${null}%{ endif }""#, r#""x%{if a}b%{endif}""#),
        ("<<-E\n    a\n      b\n  E", r#""a\n  b\n""#),
        (
            r#"{ b = 1, "a" = 2, (c) = 3, d.e = 4, b = 5, 1 = 6, null = 7 }"#,
            r#"{"${(c)}":3,"1":6,"a":2,"b":5,"d.e":4,"null":7}"#,
        ),
        ("\"e\u{301}\"", "\"\u{e9}\""),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn blocks() {
    let text = "b \"x\" \"y\" {\n  a = 1\n}\nb x z {}\nb \"x\" \"y\" {}\nc {}\nc {\n  d {}\n}\nc2 = 1\nc2 {}\n";
    let expected = r#"{"b":{"x":{"y":[{"a":1},{}],"z":[{}]}},"c":[{},{"d":[{}]}],"c2":1}"#;
    assert_eq!(json(text, Version::V0_6).as_deref(), Ok(expected));
}

#[test]
fn versions_differ_in_literal_text() {
    let text = "a = \"$${b} %%{c}\"\n";
    assert_eq!(json(text, Version::V0_6).as_deref(), Ok(r#"{"a":"$${b} %%{c}"}"#));
    assert_eq!(json(text, Version::V0_3).as_deref(), Ok(r#"{"a":"${b} %{c}"}"#));
    assert_eq!(json("a = \"x${null}\"\n", Version::V0_3), Err(vec!["operation-failed"]));
}

#[test]
fn errors() {
    for (text, code) in [
        ("a = [\n", "unterminated-tuple"),
        ("a = 1 +\n", "missing-expression"),
        ("b x {}\nb {}\n", "mixed-labels"),
        ("b {}\nb x {}\n", "mixed-labels"),
        ("b x {}\nb x y {}\n", "mixed-labels"),
        ("a = -true\n", "invalid-operand"),
        ("a = !1\n", "invalid-operand"),
        ("a = -null\n", "operation-failed"),
        ("a = \"%{ for b in c }${null}%{ endfor }\"\n", "operation-failed"),
        ("a = \"x${1e1000001}\"\n", "json-too-large"),
    ] {
        let found = json(text, Version::V0_6).expect_err(text);
        assert!(found.contains(&code), "{text}: {found:?}");
    }
}

#[test]
fn trees() {
    let text = r#"f(a[0].b, "x ${-c} y") + [for v in l : v if v > 1][0]"#;
    let json = tree(text).expect("it is valid");
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "tree", json.as_bytes()).expect("it is JSON");
    let mut nodes = vec![document.root()];
    let mut types = Vec::new();
    while let Some(node) = nodes.pop() {
        let Some(object) = node.as_object() else { panic!("a node is an object") };
        types.extend(object.get("type").and_then(|it| it.to_str()));
        if let Some(JsonValue::Array(children)) = object.get("children").map(|it| it.value()) {
            nodes.extend(children.elements());
        }
    }
    types.sort();
    types.dedup();
    let expected = [
        "binaryOp",
        "for",
        "function",
        "literalValue",
        "relativeTraversal",
        "scopeTraversal",
        "template",
        "unaryOp",
    ];
    assert_eq!(types, expected);
    assert_eq!(tree("1 +"), Err(vec!["missing-expression"]));
}

#[test]
fn trees_have_places() {
    let node = |kind: &str, meta: &str, end: u32| {
        let at = |byte| format!(r#"{{"line":0,"column":{byte},"byte":{byte}}}"#);
        let range = format!(r#"{{"start":{},"end":{}}}"#, at(0), at(end));
        format!(r#"{{"children":[],"type":"{kind}","meta":{{{meta}}},"range":{range}}}"#)
    };
    assert_eq!(tree("12").unwrap(), node("literalValue", r#""type":"number","value":"12""#, 2));
    assert_eq!(tree("[]").unwrap(), node("tuple", r#""value":"[]""#, 1));
}

#[test]
fn deep_files_are_read_without_recursion() {
    let depth = 1_000;
    let constructs = [("[", "", "]"), ("\"${", "a", "}\""), ("-", "a", ""), ("(", "a", ")")];
    for (open, inner, close) in constructs {
        let text = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        assert!(json(&format!("a = {text}\n"), Version::V0_6).is_ok(), "{open}");
        assert!(tree(&text).is_ok(), "{open}");
    }
    // Each node repeats the text of all below it.
    let text = "[".repeat(5_000) + &"]".repeat(5_000);
    assert_eq!(tree(&text), Err(vec!["json-too-large"]));
    let blocks = format!("{}{}", "a {\n".repeat(depth), "}\n".repeat(depth));
    assert!(json(&blocks, Version::V0_6).is_ok());
}

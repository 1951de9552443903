//! Views over small documents: values, spans, sealed containers, bodies.

use simd_hcl::json::JsonEvent;
use simd_hcl::{Arena, Document, ParseOptions, Source};

fn options(depth: u32) -> ParseOptions {
    ParseOptions::default().with_skeleton_depth(depth)
}

const TEXT: &str = r#"
{ "a" : [1, "two", {"three": [null, true, -4.5e1]}, []],
  "esc\u0061ped": "x\ty ${z}", "a": {"deep": {"deeper": {"deepest": "ü"}}} }
"#;

#[test]
fn every_skeleton_depth_gives_the_same_events() {
    let expected = [
        "StartObject {",
        "Key \"a\"",
        "StartArray [",
        "Number 1",
        "String \"two\"",
        "StartObject {",
        "Key \"three\"",
        "StartArray [",
        "Null null",
        "True true",
        "Number -4.5e1",
        "EndArray ]",
        "EndObject }",
        "StartArray [",
        "EndArray ]",
        "EndArray ]",
        "Key \"esc\\u0061ped\"",
        "String \"x\\ty ${z}\"",
        "Key \"a\"",
        "StartObject {",
        "Key \"deep\"",
        "StartObject {",
        "Key \"deeper\"",
        "StartObject {",
        "Key \"deepest\"",
        "String \"ü\"",
        "EndObject }",
        "EndObject }",
        "EndObject }",
        "EndObject }",
    ];
    for depth in 0..8 {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", TEXT.as_bytes()).unwrap();
        let document = Document::parse_with(&arena, source, &options(depth)).unwrap();
        for _ in 0..2 {
            let events: Vec<String> = document
                .events()
                .map(|event: JsonEvent<'_>| {
                    let span = event.span();
                    let text = &TEXT[span.start as usize..span.end as usize];
                    format!("{:?} {text}", event.kind())
                })
                .collect();
            assert_eq!(events, expected, "depth {depth}");
        }
    }
}

#[test]
fn values_and_spans() {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", TEXT.as_bytes()).unwrap();
    let root = document.root();
    assert_eq!(root.text(), TEXT.trim().as_bytes());
    let object = root.as_object().unwrap();
    assert_eq!(object.get_all("a").count(), 2);
    assert_eq!(object.get("escaped").unwrap().to_str(), Some("x\ty ${z}"));
    assert!(object.get("escaped").unwrap().as_string().unwrap().may_be_template());
    assert_eq!(root.pointer("/a/2/three/2").unwrap().as_number().unwrap().as_i64(), Some(-45));
    assert!(root.pointer("/a/2/three/0").unwrap().is_null());
    assert_eq!(root.pointer("/a/4"), None);
    assert_eq!(root.pointer("/nothing"), None);
}

#[test]
fn views_print_and_iterate() {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "x", TEXT.as_bytes()).unwrap();
    let root = Document::parse(&arena, source).unwrap().root().as_object().unwrap();
    let names: Vec<String> = root.into_iter().map(|member| member.name().to_string()).collect();
    assert_eq!(names, ["a", "escaped", "a"]);
    assert_eq!(root.len(), 3);
    let list = root.get("a").unwrap().as_array().unwrap();
    let texts: Vec<String> = list.into_iter().map(|element| element.to_string()).collect();
    assert_eq!(texts, ["1", "\"two\"", r#"{"three": [null, true, -4.5e1]}"#, "[]"]);
    assert_eq!((list.len(), list.get(3).unwrap().as_array().unwrap().len()), (4, 0));
    assert_eq!(root.get("escaped").unwrap().as_string().unwrap().to_string(), "x\ty ${z}");
    assert_eq!(format!("{:>3}", list.get(0).unwrap().as_number().unwrap()), "  1");
}

/// The examples of RFC 6901, section 5, invalid pointers, and pointers to nothing.
#[test]
fn pointers() {
    let text = r#"{
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7,
        "m~n": 8, "~1": 9, "foo": "another", "1": ["0", {"01": 10}]
    }"#;
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    let found = |pointer| document.root().pointer(pointer).map(|node| node.text());
    assert_eq!(document.root().pointer(""), Some(document.root()));
    for (pointer, value) in [
        ("/foo", r#"["bar", "baz"]"#),
        ("/foo/0", r#""bar""#),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
        ("/~01", "9"),
        ("/1/1/01", "10"),
    ] {
        assert_eq!(found(pointer), Some(value.as_bytes()), "{pointer}");
    }
    for pointer in ["foo", "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/", "/foo/+1", "/foo/x"] {
        assert_eq!(found(pointer), None, "{pointer}");
    }
    let too_large = "/foo/99999999999999999999999";
    for pointer in ["/m~n", "/m~", "/m~2n", "/foo/0/0", "//", "/no", "/a~1b~", too_large] {
        assert_eq!(found(pointer), None, "{pointer}");
    }
}

#[test]
fn a_node_is_equal_to_itself_in_its_document_only() {
    let arena = Arena::new();
    let [first, second] =
        ["x", "x"].map(|name| Document::parse_bytes(&arena, name, TEXT.as_bytes()).unwrap().root());
    let object = first.as_object().unwrap();
    let values: Vec<_> = object.members().map(|member| member.value()).collect();
    for (index, value) in values.iter().enumerate() {
        assert_eq!(object.members().position(|member| member.value() == *value), Some(index));
    }
    assert_ne!(first, values[0]);
    assert_ne!(first, second, "equal text");
}

#[test]
fn a_template_may_be_written_with_escapes() {
    for (text, may_be) in [
        (r#""${a}""#, true),
        (r#""%{if a}""#, true),
        (r#""\u0024{a}""#, true),
        (r#""\u0025{if a}""#, true),
        (r#""$\u007ba}""#, true),
        (r#""$\u007Ba}""#, true),
        (r#""$a {a} \n""#, false),
        (r#""\u0023{a}""#, false),
        (r#""\u0124{a}""#, false),
        (r#""$\u007ca}""#, false),
    ] {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
        assert_eq!(document.root().as_string().unwrap().may_be_template(), may_be, "{text}");
    }
}

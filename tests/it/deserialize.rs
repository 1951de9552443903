//! User types from documents, bodies, expressions and values.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use simd_hcl::evaluate::Scope;
use simd_hcl::serde::{
    Error, MAX_DEPTH, NumberText, Spanned, Unevaluated, from_body, from_body_literally,
    from_document, from_expression, from_node, from_value,
};
use simd_hcl::value::{Number, Value};
use simd_hcl::{Arena, Code, Document};

fn document<'a>(arena: &'a Arena, json: &'a str) -> Document<'a> {
    Document::parse_bytes(arena, "main.tf.json", json.as_bytes()).expect("valid JSON")
}

fn body<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    let arena = Arena::new();
    from_body(document(&arena, json).body(), &Scope::new())
}

fn node<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    let arena = Arena::new();
    from_document(document(&arena, json))
}

/// Returns line, column and message of the error.
fn error<T>(result: Result<T, Error>) -> (u64, u64, String) {
    let Err(error) = result else { panic!("no error") };
    let position = error.position().expect("a place");
    (position.line, position.column, error.message().to_owned())
}

// JSON

#[test]
fn json_reads_as_serde_json_reads_it() {
    for text in [
        "null",
        "true",
        r#""a\u00e9\n\"b\"""#,
        "0",
        "-0",
        "-1",
        "18446744073709551615",
        "-9223372036854775808",
        "1.5",
        "1e3",
        "123456789012345678901234567890",
        "[]",
        "{}",
        r#"{"a":[1,{"b":[[],{}]}],"c":null,"a":2}"#,
    ] {
        let ours: serde_json::Value = node(&format!(" {text} ")).expect(text);
        let theirs: serde_json::Value = serde_json::from_str(text).expect(text);
        assert_eq!(ours, theirs, "{text}");
    }
}

#[derive(Debug, Deserialize, PartialEq)]
enum Shape {
    Unit,
    One(u8),
    Two(u8, String),
    Fields { a: bool },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Unit;

#[derive(Debug, Deserialize, PartialEq)]
struct Wrapper(u16);

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Either {
    Number(f64),
    Text(String),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: u8 },
}

#[test]
fn every_kind_of_type_reads_from_json() {
    let shapes: Vec<Shape> =
        node(r#"["Unit",{"One":1},{"Two":[2,"b"]},{"Fields":{"a":true}}]"#).unwrap();
    let two = Shape::Two(2, "b".to_owned());
    assert_eq!(shapes, [Shape::Unit, Shape::One(1), two, Shape::Fields { a: true }]);
    assert_eq!(node::<(i8, char, Option<u8>, (), Unit)>(r#"[-1,"é",null,null,null]"#).unwrap(), {
        (-1, 'é', None, (), Unit)
    });
    assert_eq!(node::<Wrapper>("7").unwrap(), Wrapper(7));
    assert_eq!(
        node::<Vec<Either>>(r#"[1,"a"]"#).unwrap(),
        [Either::Number(1.0), Either::Text("a".into())]
    );
    assert_eq!(node::<Tagged>(r#"{"x":1,"kind":"A"}"#).unwrap(), Tagged::A { x: 1 });
    assert_eq!(
        node::<BTreeMap<i32, bool>>(r#"{"-1":true,"2":false}"#).unwrap(),
        [(-1, true), (2, false)].into()
    );
    assert_eq!(node::<BTreeMap<bool, u8>>(r#"{"true":1}"#).unwrap(), [(true, 1)].into());
    assert_eq!(node::<(u64, i64, u8)>("[1.0,-1e2,2.50e1]").unwrap(), (1, -100, 25));
    assert_eq!(
        node::<(u128, i128)>(
            "[340282366920938463463374607431768211455,-170141183460469231731687303715884105728]"
        )
        .unwrap(),
        (u128::MAX, i128::MIN)
    );
}

#[test]
fn strings_are_borrowed() {
    let arena = Arena::new();
    let document = document(&arena, r#"["plain","esc\u0061ped"]"#);
    let texts: Vec<&str> = from_document(document).unwrap();
    assert_eq!(texts, ["plain", "escaped"]);
    let source = document.source().bytes().as_ptr_range();
    assert!(source.contains(&texts[0].as_ptr()));
    assert!(!source.contains(&texts[1].as_ptr()));
}

/// Short and long texts together: containers that are read next are asked for by lines or by texts.
#[test]
fn long_texts_in_every_container() {
    let texts: Vec<Vec<String>> =
        (0..20).map(|at| (0..12).map(|len| "x".repeat(len * at * 10)).collect()).collect();
    let json = serde_json::to_string(&texts).unwrap();
    assert_eq!(node::<Vec<Vec<String>>>(&json).unwrap(), texts);
}

#[test]
fn numbers_keep_every_digit() {
    let text = "-1.50e+300000";
    assert_eq!(node::<NumberText>(text).unwrap().0, text);
    assert_eq!(error(node::<f64>(text)), (1, 1, "number out of range".into()));
    assert_eq!(
        error(node::<NumberText>("\"1\"")).2,
        r#"invalid type: string "1", expected a number"#
    );
    assert_eq!(body::<BTreeMap<String, NumberText>>(r#"{"a": 1.50, "b": "${1/4}"}"#).unwrap(), {
        [("a".to_owned(), NumberText("1.50".into())), ("b".to_owned(), NumberText("0.25".into()))]
            .into()
    });
}

#[test]
fn errors_name_the_place() {
    type Numbers = BTreeMap<String, Vec<u8>>;
    let json = "{\n  \"a\": [1, 2],\n  \"b\": [3, \"é\", 300]\n}";
    let found = node::<Numbers>(json).unwrap_err();
    assert_eq!(found.to_string(), r#"main.tf.json:3:12: invalid type: string "é", expected u8"#);
    assert_eq!(found.span().map(|span| span.slice(json.as_bytes())), Some("\"é\"".as_bytes()));
    assert_eq!(found.name(), Some("main.tf.json"));
    assert_eq!(error(node::<Vec<u8>>("[1,300]")).1, 4);
    assert_eq!(error(node::<BTreeMap<u8, u8>>(r#"{"1": 1, "x": 2}"#)).1, 10);
    assert_eq!(error(node::<(u8, u8)>("[1,2,3]")), (1, 1, "1 elements too many".into()));
    assert_eq!(error(node::<Shape>(r#"[{}]"#)).1, 1);
    assert_eq!(error(node::<Shape>(r#"{"One":1,"Unit":2}"#)).1, 1);
    assert_eq!(error(node::<Vec<Shape>>(r#"["Three"]"#)).1, 2);
}

#[test]
fn depth_is_limited() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(node::<serde_json::Value>(&nested(MAX_DEPTH)).is_ok());
    assert!(error(node::<serde_json::Value>(&nested(MAX_DEPTH + 1))).2.contains("128 levels"));
    // Values that the type ignores may be deeper.
    #[derive(Deserialize)]
    struct Nothing {}
    let json = format!(r#"{{"a": {}}}"#, nested(5_000));
    assert!(node::<Nothing>(&json).is_ok());
    assert!(body::<Nothing>(&json).is_ok());
    assert!(body::<BTreeMap<String, serde_json::Value>>(&json).is_err());

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read by nobody")]
    struct Recursive {
        a: Option<Box<Recursive>>,
    }
    let json = format!("{}{}{}", r#"{"a":"#.repeat(5_000), "{}", "}".repeat(5_000));
    assert!(error(body::<Recursive>(&json)).2.contains("128 levels"));
    assert!(error(node::<Recursive>(&json)).2.contains("128 levels"));
}

// Bodies

#[derive(Debug, Deserialize, PartialEq)]
struct Variable {
    #[serde(rename = "$name")]
    name: String,
    default: Option<serde_json::Value>,
    #[serde(default)]
    nullable: Option<bool>,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Root {
    variable: Vec<Variable>,
    resource: BTreeMap<String, BTreeMap<String, Resource>>,
    terraform: Option<Settings>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Resource {
    count: Option<u32>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    provisioner: Vec<Provisioner>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Provisioner {
    LocalExec { command: String },
    Other,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Settings {
    backend: Option<Backend>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Backend {
    #[serde(rename = "$type")]
    kind: Spanned<String>,
    path: String,
}

#[test]
fn blocks_by_labels_in_fields_and_in_maps() {
    let root: Root = body(
        r#"{
        "//": "a comment",
        "variable": {"a": {"default": 1}, "b": [{}, {"nullable": "true"}]},
        "resource": [
            {"x": {"one": {"count": "${1 + 1}", "tags": {"${\"k\"}": 5, "n": true}}}},
            {"x": [{"two": {"provisioner": [{"local-exec": {"command": "ls"}}, {"other": {}}]}}]}
        ],
        "terraform": {"backend": {"local": {"path": "p"}}},
        "unknown": {"deep": [[[]]]},
        "variable": {"c": {}}
    }"#,
    )
    .unwrap();
    let names: Vec<_> = root.variable.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["a", "b", "b", "c"]);
    assert_eq!(root.variable[0].default, Some(1.into()));
    assert_eq!(root.variable[2].nullable, Some(true));
    assert_eq!(root.resource["x"]["one"].count, Some(2));
    assert_eq!(
        root.resource["x"]["one"].tags,
        [("k".into(), "5".into()), ("n".into(), "true".into())].into()
    );
    let command = "ls".to_owned();
    assert_eq!(
        root.resource["x"]["two"].provisioner,
        [Provisioner::LocalExec { command }, Provisioner::Other]
    );
    let backend = root.terraform.unwrap().backend.unwrap();
    assert_eq!((&*backend.kind.value, &*backend.path), ("local", "p"));
}

#[test]
fn labels_of_several_levels_in_source_order() {
    #[derive(Deserialize)]
    struct Object {
        #[serde(rename = "$type")]
        kind: String,
        #[serde(rename = "$name")]
        name: String,
    }
    #[derive(Deserialize)]
    struct Root {
        resource: Vec<Spanned<Object>>,
    }
    let json = r#"{"resource": {"b": {"x": {}, "y": []}, "a": [{"x": [{"n": 1}, {}]}]}}"#;
    let root: Root = body(json).unwrap();
    let found: Vec<String> = root
        .resource
        .iter()
        .map(|object| {
            let bytes = object.span.slice(json.as_bytes());
            format!(
                "{}.{} {}",
                object.value.kind,
                object.value.name,
                String::from_utf8_lossy(bytes)
            )
        })
        .collect();
    assert_eq!(found, ["b.x {}", r#"a.x {"n": 1}"#, "a.x {}"]);
}

#[test]
fn empty_lists_of_blocks() {
    for json in [
        r#"{"variable": {}}"#,
        r#"{"variable": []}"#,
        r#"{"variable": null}"#,
        "{}",
        "[]",
        "[{}, {}]",
    ] {
        match body::<Root>(json) {
            Ok(root) => assert_eq!(root, Root::default(), "{json}"),
            // A label level without a label.
            Err(error) => assert_eq!(error.code(), Some(Code::MissingLabel), "{json}"),
        }
    }
    assert_eq!(body::<Root>(r#"{"variable": {}}"#).unwrap_err().code(), Some(Code::MissingLabel));
}

#[test]
fn lists_of_an_attribute() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Rule {
        port: u16,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Lists {
        texts: Vec<String>,
        computed: Vec<u8>,
        rules: Vec<Rule>,
        mixed: Vec<Rule>,
        maps: Vec<BTreeMap<String, u8>>,
        nested: Vec<Vec<u8>>,
        pair: (u8, String),
        kinds: Vec<Provisioner>,
        anything: Vec<serde_json::Value>,
        kept: Vec<Unevaluated>,
        maybe: Vec<Option<u8>>,
        #[serde(default)]
        none: Option<Vec<u8>>,
    }
    let lists: Lists = body(
        r#"{
        "texts": ["a", 1, "${\"b\"}"],
        "computed": "${[for x in [1, 2] : x * 2]}",
        "rules": [{"port": 1}, {"port": "2"}],
        "mixed": ["${{port = 3}}", {"port": 4}],
        "maps": [{"a": 1}, {"b": 2}],
        "nested": [[1], [], [2, 3]],
        "pair": [1, "x"],
        "kinds": ["other", "${\"other\"}"],
        "anything": [1, {"a": null}],
        "kept": ["${var.x}", [1, 2]],
        "maybe": [1, null],
        "none": null
    }"#,
    )
    .unwrap();
    assert_eq!(lists.texts, ["a", "1", "b"]);
    assert_eq!(lists.computed, [2, 4]);
    assert_eq!(lists.rules, [Rule { port: 1 }, Rule { port: 2 }]);
    assert_eq!(lists.mixed, [Rule { port: 3 }, Rule { port: 4 }]);
    assert_eq!(lists.maps, [[("a".to_owned(), 1)].into(), [("b".to_owned(), 2)].into()]);
    assert_eq!(lists.nested, [vec![1], vec![], vec![2, 3]]);
    assert_eq!(lists.pair, (1, "x".into()));
    assert_eq!(lists.kinds, [Provisioner::Other, Provisioner::Other]);
    assert_eq!(lists.anything, [serde_json::json!(1), serde_json::json!({"a": null})]);
    assert_eq!(lists.kept, [Unevaluated("${var.x}".into()), Unevaluated("[1, 2]".into())]);
    assert_eq!(lists.maybe, [Some(1), None]);
    assert_eq!(lists.none, None);
}

#[test]
fn errors_in_bodies_point_at_what_is_wrong() {
    let at = |json| error(body::<Root>(json));
    let (_, column, message) = at(r#"{"variable": {"a": {"nullable": "maybe"}}}"#);
    assert_eq!((column, &*message), (33, r#"invalid type: string "maybe", expected a boolean"#));
    let (_, column, message) = at(r#"{"resource": {"x": {"y": {"count": "${var.n}"}}}}"#);
    assert_eq!(column, 39, "{message}");
    // A second value of an attribute.
    let (_, column, message) = at(r#"{"resource": {"x": {"y": {"count": 1, "count": 2}}}}"#);
    assert_eq!(column, 39, "{message}");
    // A second block where one is expected.
    let (_, column, message) =
        at(r#"{"terraform": [{"backend": {"a": {"path": "p"}}}, {"backend": {"b": {}}}]}"#);
    assert_eq!((column, &*message), (51, "expected one block, found 2"));
    // A missing field, at the end of its block.
    let (_, column, message) = at(r#"{"terraform": {"backend": {"a": {}}}}"#);
    assert_eq!((column, &*message), (34, "missing field `path`"));
    // A block that is not an object.
    let (_, column, _) = at(r#"{"variable": {"a": 5}}"#);
    assert_eq!(column, 20);
    let (_, column, _) = at(r#"{"variable": [{"a": {}}, 7]}"#);
    assert_eq!(column, 26);
    // A variant that the enum lacks.
    let (_, column, message) = at(r#"{"resource": {"x": {"y": {"provisioner": {"remote": {}}}}}}"#);
    assert_eq!(column, 43, "{message}");
    assert!(message.contains("unknown variant `remote`"), "{message}");

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read by nobody")]
    struct Strict {
        a: Option<u8>,
    }
    assert!(body::<Strict>(r#"{"//": 1, "a": 1}"#).is_ok());
    let (_, column, message) = error(body::<Strict>(r#"{"a": 1, "b": 2}"#));
    assert_eq!((column, &*message), (10, "unknown field `b`, expected `a`"));
}

#[test]
fn templates_are_text_when_read_literally() {
    let arena = Arena::new();
    let body = document(&arena, r#"{"a": "${var.x}", "${b}": ["%{if}"]}"#).body();
    let read: BTreeMap<String, serde_json::Value> = from_body_literally(body).unwrap();
    assert_eq!(read["a"], "${var.x}");
    assert_eq!(read["${b}"], serde_json::json!(["%{if}"]));
}

#[test]
fn scopes_give_variables() {
    let arena = Arena::new();
    let object = Value::object(&arena, &[("n", Value::number(Number::from_i64(&arena, 4)))]);
    let variables = [("var", object)];
    let scope = Scope::new().with_variables(&variables);
    let body = document(&arena, r#"{"a": "${var.n * 2}"}"#).body();
    let read: BTreeMap<String, u8> = from_body(body, &scope).unwrap();
    assert_eq!(read["a"], 8);
    let attributes = body.just_attributes(&mut ());
    assert_eq!(from_expression::<f32>(attributes[0].expression(), &scope).unwrap(), 8.0);
}

// Values

#[test]
fn values_convert_as_in_hcl() {
    let arena = Arena::new();
    let text = |text| Value::string(&arena, text);
    assert_eq!(from_value::<u8>(&arena, text("12")).unwrap(), 12);
    assert!(from_value::<bool>(&arena, text("true")).unwrap());
    assert_eq!(from_value::<String>(&arena, Value::bool(true)).unwrap(), "true");
    assert_eq!(
        from_value::<Option<u8>>(&arena, Value::dynamic()).unwrap_err().message(),
        "the value is not known"
    );
    let list = Value::tuple(&arena, &[text("a"), Value::bool(false)]);
    assert_eq!(from_value::<(String, bool)>(&arena, list).unwrap(), ("a".into(), false));
    assert!(from_value::<(String,)>(&arena, list).unwrap_err().message().contains("too many"));
    let found = from_value::<Spanned<u8>>(&arena, text("1")).unwrap_err();
    assert_eq!((found.position(), found.span()), (None, None));
}

#[test]
fn spans_and_texts_need_our_deserializers() {
    assert!(serde_json::from_str::<Spanned<u8>>(r#"{"value":1,"start":0,"end":1}"#).is_ok());
    assert!(serde_json::from_str::<Spanned<u8>>("1").is_err());
    assert!(serde_json::from_str::<NumberText>("1").is_err());
}

#[test]
fn many_properties_take_linear_time() {
    let names: Vec<String> = (0..20_000).map(|n| format!(r#""k{n}":{n}"#)).collect();
    let read: BTreeMap<String, u32> = body(&format!("{{{}}}", names.join(","))).unwrap();
    assert_eq!(read.len(), 20_000);
    let blocks: Vec<String> = (0..20_000).map(|n| format!(r#""k{n}":{{}}"#)).collect();
    let root: Root = body(&format!(r#"{{"variable":{{{}}}}}"#, blocks.join(","))).unwrap();
    assert_eq!(root.variable.len(), 20_000);
}

/// Collections allocate exactly as much as they need.
#[test]
fn the_number_of_elements_is_known() {
    let arena = Arena::new();
    let document = document(&arena, r#"{"a": [1, 2, 3, 4, 5], "b": {"x": 1, "y": [[], {}]}}"#);
    let read: Vec<u8> = from_node(document.root().pointer("/a").unwrap()).unwrap();
    assert_eq!((read.len(), read.capacity()), (5, 5));

    struct Members(Vec<usize>);
    impl<'de> Deserialize<'de> for Members {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visit;
            impl<'de> Visitor<'de> for Visit {
                type Value = Members;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                    let mut left = vec![map.size_hint().unwrap()];
                    while map.next_entry::<&str, IgnoredAny>()?.is_some() {
                        left.push(map.size_hint().unwrap());
                    }
                    Ok(Members(left))
                }
            }
            deserializer.deserialize_map(Visit)
        }
    }
    let read: Members = from_document(document).unwrap();
    assert_eq!(read.0, [2, 1, 0]);
}

#[test]
fn nodes_inside_of_documents() {
    let arena = Arena::new();
    let root = document(&arena, r#"{"a": {"b": [1, 2]}}"#).root();
    let inner = root.pointer("/a/b").unwrap();
    assert_eq!(from_node::<Vec<u8>>(inner).unwrap(), [1, 2]);
}

//! Values and types by themselves: conversion, unification, equality, JSON, copies.

use simd_hcl::value::{
    Number, Type, Value, can_convert, convert, equals, from_node_as, raw_equals, type_from_node,
    unify, write, write_type,
};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Document};

use crate::notation::{show, show_type, ty, value};

/// Returns a value converted to a type, or the error.
fn converted(from: &str, to: &str) -> String {
    let arena = Arena::new();
    let (from, to) = (value(&arena, from), ty(&arena, to));
    let converted = convert(&arena, from, to);
    // The types show whether conversion is possible, unless the content is invalid.
    assert!(converted.is_err() || can_convert(&arena, from.ty(), to));
    converted.map_or_else(|error| error.to_string(), |value| show(&arena, value))
}

fn check_conversions(cases: &[(&str, &str, &str)]) {
    for (from, to, expected) in cases {
        assert_eq!(converted(from, to), *expected, "{from} to {to}");
    }
}

#[test]
fn scalars_convert() {
    check_conversions(&[
        ("1.50", "string", "\"1.5\""),
        ("true", "string", "\"true\""),
        ("\"1e2\"", "number", "100"),
        ("\"true\"", "bool", "true"),
        ("\"1\"", "bool", "true"),
        ("\"0\"", "bool", "false"),
        ("\"False\"", "bool", "a bool is \"true\" or \"false\", in lower case"),
        ("\"yes\"", "bool", "the string is neither \"true\" nor \"false\""),
        ("\"x\"", "number", "the string is not a number"),
        ("\"1e9999999999\"", "number", "the exponent is out of bounds"),
        ("1e1100000", "string", "the number has more than 1000000 digits"),
        ("true", "number", "a number is required, not a bool"),
        ("[]", "string", "a string is required, not a tuple"),
        ("1#", "string", "\"1\"#"),
        ("null(number)", "string", "null(string)"),
        ("?number!", "string", "?string!"),
    ]);
}

#[test]
fn objects_and_maps_convert_by_name() {
    check_conversions(&[
        ("{a = 1, c = 2}", "object(a=string)", "{a = \"1\"}"),
        ("{}", "object(a=string)", "the attribute \"a\" is missing"),
        ("{a = []}", "object(a=string)", "attribute \"a\": a string is required, not a tuple"),
        ("{a = \"x\"}", "object(a=number)", ".a: the string is not a number"),
        ("{}", "object(a?=object(b?=string))", "{a = null(object(b=string))}"),
        ("map(string){a = \"1\"}", "object(a=number)", "{a = 1}"),
        ("map(string){a = \"x\"}", "object(a=number)", ".a: the string is not a number"),
        (
            "map(string){}",
            "object(a=number)",
            "the map has no element for the required attribute \"a\"",
        ),
        (
            "map(string){}",
            "object(a=list(string))",
            "attribute \"a\": a list of string is required, not a string",
        ),
        // A missing optional attribute may have any type.
        (
            "map(string){a = \"x\"}",
            "object(a=string,b?=list(string))",
            "{a = \"x\", b = null(list(string))}",
        ),
        (
            "map(string){a = \"x\", b = \"y\"}",
            "object(a=string,b?=list(string))",
            ".b: a list of string is required, not a string",
        ),
        ("{a = 1, b = \"x\"}", "map(string)", "map{a = \"1\", b = \"x\"}"),
        ("{a = 1, b = []}", "map(number)", "element \"b\": a number is required, not a tuple"),
        ("{a = 1, b = true}", "map(dynamic)", "all elements of a map must have the same type"),
        ("{a = ?, b = [1]}", "map(dynamic)", "map{a = ?, b = [1]}"),
        ("{}", "map(dynamic)", "map{}"),
    ]);
}

#[test]
fn elements_convert_to_one_type() {
    check_conversions(&[
        ("[1, \"a\"]", "list(dynamic)", "list[\"1\", \"a\"]"),
        ("[1, \"a\"]", "set(string)", "set[\"1\", \"a\"]"),
        ("[1, [2]]", "list(number)", "element 1: a number is required, not a tuple"),
        ("[1, [2]]", "set(number)", "element 1: a number is required, not a tuple"),
        ("[1, true]", "list(dynamic)", "all elements of a list must have the same type"),
        ("[1, true]", "set(dynamic)", "all elements of a set must have the same type"),
        ("list(list(number))[]", "set(bool)", "elements: a bool is required, not a list of number"),
        ("[1, \"a\"]", "tuple(string,number)", "[1]: the string is not a number"),
        ("[1, []]", "tuple(string,number)", "element 1: a number is required, not a tuple"),
        ("[1]", "tuple(string,number)", "2 elements are required, not 1"),
        // Dynamic parts of elements get one type when all of them are known.
        ("[[1], [\"a\"]]", "list(list(dynamic))", "list[list[\"1\"], list[\"a\"]]"),
        ("{a = [1], b = [\"a\"]}", "map(set(dynamic))", "map{a = set[\"1\"], b = set[\"a\"]}"),
        ("[[1], [[]]]", "list(list(dynamic))", "all elements must have the same type"),
        ("[?, 1]", "list(dynamic)", "list[?number, 1]"),
        ("[?, ?]", "list(dynamic)", "list[?, ?]"),
        ("[?, [1]]", "list(dynamic)", "all elements of a list must have the same type"),
        // The number of elements is not known.
        ("set(string)[\"a\", ?string]", "list(string)", "?list(string)"),
        ("set(string)[\"a\"]", "list(dynamic)", "list[\"a\"]"),
        ("list(number)[]", "set(dynamic)", "set[]"),
    ]);
}

/// Dynamic parts of the target type are taken from the type of an unknown value or null.
#[test]
fn unknown_values_take_what_their_type_tells() {
    check_conversions(&[
        ("?list(number)", "set(dynamic)", "?set(number)"),
        ("null(list(number))", "set(dynamic)", "null(set(number))"),
        ("?tuple(number,string)", "list(dynamic)", "?list(string)"),
        ("?tuple(number,bool)", "list(dynamic)", "all elements of a list must have the same type"),
        ("?object(a=number,b=string)", "map(dynamic)", "?map(string)"),
        ("?tuple(list(number),bool)", "tuple(set(dynamic),dynamic)", "?tuple(set(number),bool)"),
        ("?map(number)", "object(a=dynamic,b?=string)", "?object(a=number,b=string)"),
        (
            "?map(list(number))",
            "object(a=list(number),b?=bool,c=string)",
            "attribute \"c\": a string is required, not a list of number",
        ),
        (
            "?map(list(number))",
            "object(a?=bool,b=string)",
            "attribute \"b\": a string is required, not a list of number",
        ),
        (
            "?object(a=list(number))",
            "object(a=list(dynamic),b?=dynamic)",
            "?object(a=list(number),b=dynamic)",
        ),
        ("?", "list(dynamic)", "?list(dynamic)"),
        ("?list(dynamic)", "list(number)", "?list(number)"),
    ]);
}

/// Returns the unified type of several types, which must be the same in reverse order.
fn unified(types: &[&str]) -> Option<String> {
    let arena = Arena::new();
    let mut types: Vec<Type<'_>> = types.iter().map(|text| ty(&arena, text)).collect();
    let unified = unify(&arena, &types);
    types.reverse();
    assert_eq!(unify(&arena, &types), unified);
    unified.map(show_type)
}

#[test]
fn types_of_one_structure_are_unified_part_by_part() {
    for (types, expected) in [
        (&["number", "string"][..], Some("string")),
        (&["number", "bool"], None),
        (&["set(number)", "set(string)"], Some("set(string)")),
        (&["set(number)", "dynamic"], Some("dynamic")),
        (&["set(number)", "set(bool)"], None),
        (&["object(a=number)", "dynamic"], Some("dynamic")),
        (&["tuple(number)", "dynamic"], Some("dynamic")),
        (&["map(number)", "map(string)"], Some("map(string)")),
        (&["list(number)", "map(number)"], None),
        (&["object(a=number,b=bool)", "object(a=string,b=bool)"], Some("object(a=string,b=bool)")),
        (&["object(a=number)", "object(b=string)"], Some("map(string)")),
        (&["object(a=number)", "object(b=bool)"], None),
        (&["tuple(number,bool)", "tuple(string,bool)"], Some("tuple(string,bool)")),
        (&["tuple(number)", "tuple(string,bool)"], Some("list(string)")),
        (&["object(a=number)", "tuple(number)"], None),
        (&["map(number)", "object(a=string)"], Some("map(string)")),
        (&["map(number)", "object(a=bool)"], None),
        (&["map(string)", "object(a=bool)", "string"], None),
        (&["list(number)", "tuple(string,bool)"], Some("list(string)")),
        (&["list(number)", "tuple(bool)"], None),
        (&["list(number)", "set(string)"], Some("list(number)")),
        (&["tuple(number)", "set(string)"], Some("set(string)")),
    ] {
        assert_eq!(unified(types).as_deref(), expected, "{types:?}");
    }
}

/// An object of lists of numbers and of booleans is no map, though together with lists of strings
/// it would be, and a map of anything has room for those.
#[test]
fn what_each_part_has_in_common_must_hold_for_the_whole() {
    let parts = ["object(a=list(number),b=list(bool))", "object(c=list(string))", "map(dynamic)"];
    assert_eq!(unified(&parts).as_deref(), Some("map(dynamic)"));
    for around in ["object(x=TYPE)", "tuple(TYPE)"] {
        let whole = parts.map(|part| around.replace("TYPE", part));
        assert_eq!(unified(&whole.each_ref().map(String::as_str)), None);
    }
}

/// If several types are possible, the more general one is chosen in any order, otherwise the first.
#[test]
fn the_more_general_type_is_preferred() {
    for (types, expected) in [
        (
            ["list(tuple(number,bool))", "list(tuple(string,bool))", "set(tuple(number,bool))"],
            Some("list(tuple(string,bool))"),
        ),
        (
            ["list(object(a=bool))", "list(object(a=string))", "set(object(a=bool))"],
            Some("list(object(a=string))"),
        ),
        (["list(tuple(number))", "list(tuple(number,number))", "set(tuple(number))"], None),
        (["list(object(a=number))", "list(object(b=number))", "set(object(a=number))"], None),
    ] {
        assert_eq!(unified(&types).as_deref(), expected, "{types:?}");
    }
    let arena = Arena::new();
    let [one, other, set] =
        ["list(object(a?=number))", "list(object(b?=number))", "set(object(a?=number))"]
            .map(|text| ty(&arena, text));
    assert_eq!(unify(&arena, &[set, one, other]), Some(one));
    assert_eq!(unify(&arena, &[set, other, one]), Some(other));
}

#[test]
fn many_different_types_have_nothing_in_common() {
    let arena = Arena::new();
    for (count, expected) in [(255, Some(Type::Dynamic)), (256, None)] {
        let types: Vec<String> =
            (100..100 + count).map(|number| format!("object(a{number}=list(bool))")).collect();
        let mut types: Vec<Type<'_>> = types.iter().map(|text| ty(&arena, text)).collect();
        types.extend([types[0], types[1]]);
        types[2] = Type::Bool;
        types.push(Type::Dynamic);
        assert_eq!(unify(&arena, &types), expected, "{count}");
    }
}

#[test]
fn equality_of_values() {
    for (one, other, expected) in [
        ("1", "1", "true"),
        ("1", "1.5", "false"),
        ("1", "\"1\"", "false"),
        ("true", "true", "true"),
        ("null(number)", "null(string)", "true"),
        ("null(number)", "1", "false"),
        ("[1, {a = \"x\"}]", "[1, {a = \"x\"}]", "true"),
        ("[1, {a = \"x\"}]", "[1, {a = \"y\"}]", "false"),
        ("list(number)[1]", "list(number)[1, 2]", "false"),
        ("list(number)[1]", "[1]", "false"),
        ("map(number){a = 1}", "map(number){b = 1}", "false"),
        ("map(number){a = 1}", "map(number){a = 1}", "true"),
        ("set(number)[2, 1]", "set(number)[1, 2, 1]", "true"),
        ("1#", "1", "true#"),
        ("[1#]", "[2]", "false#"),
        // An unknown value may become any value of its type, and null unless that is excluded.
        ("?number", "?number", "?bool"),
        ("?number", "1", "?bool"),
        ("?number", "\"a\"", "false"),
        ("?number", "null(string)", "?bool"),
        ("?number!", "null(number)", "false"),
        ("?", "1", "?bool"),
        ("?list(dynamic)", "1", "?bool"),
        // The first unequal or unknown part decides.
        ("[?number]", "[1]", "?bool"),
        ("[1, ?number]", "[2, 1]", "false"),
        ("[?number, 1]", "[1, 2]", "?bool"),
        ("{a = 1, b = ?number}", "{a = 2, b = 1}", "false"),
        ("set(number)[1, ?number]", "set(number)[1, 2]", "?bool"),
        ("set(number)[1]", "set(number)[1, ?number]", "?bool"),
        // For parts of unknown type, it matters whether the types may become equal.
        ("[?]", "[1]", "?bool"),
        ("[1]", "[?]", "?bool"),
        ("[?, 1]", "[2, 2]", "?bool"),
        ("[?, ?]", "[1, 1]", "?bool"),
        ("[?, 1]", "[2, \"a\"]", "false"),
        ("[?]", "[1, 2]", "false"),
        ("[?]", "{a = 1}", "false"),
        ("{a = ?}", "{a = 1}", "?bool"),
        ("{a = ?}", "{b = 1}", "false"),
        ("[?, ?, true]", "[1, 1, \"a\"]", "false"),
        ("[?tuple(dynamic)]", "[[1]]", "?bool"),
        ("[?tuple(dynamic)]", "[[1, 2]]", "false"),
        ("[?, list(number)[]]", "[1, list(string)[]]", "false"),
        ("[?, map(dynamic){}]", "[1, map(string){}]", "?bool"),
        ("[?, set(bool)[]]", "[1, set(bool)[]]", "?bool"),
        ("[null(dynamic)]", "[null(number)]", "false"),
    ] {
        let arena = Arena::new();
        let (a, b) = (value(&arena, one), value(&arena, other));
        assert_eq!(show(&arena, equals(a, b)), expected, "{one} == {other}");
        assert_eq!(show(&arena, equals(b, a)), expected, "{other} == {one}");
    }
}

/// Each of these is equal only to itself.
#[test]
fn values_are_the_same_with_all_that_is_known_of_them() {
    let texts = [
        "1",
        "1#",
        "2",
        "\"1\"",
        "true",
        "null(number)",
        "null(string)",
        "?number",
        "?number!",
        "?",
        "[]",
        "[1]",
        "[1#]",
        "[2]",
        "[1, 1]",
        "{}",
        "{a = 1}",
        "{b = 1}",
        "{a = 1, b = 1}",
        "list(number)[]",
        "list(number)[1]",
        "list(number)[1, 1]",
        "set(number)[1]",
        "map(number){}",
        "map(number){a = 1}",
        "map(number){b = 1}",
        "map(number){a = 1, b = 1}",
        "map(number){a = ?number}",
    ];
    for one in texts {
        for other in texts {
            let arena = Arena::new();
            let same = raw_equals(value(&arena, one), value(&arena, other));
            assert_eq!(same, one == other, "{one} and {other}");
        }
    }
}

/// Unknown elements of sets may become any value.
#[test]
fn sets_keep_unknown_elements_apart() {
    for (set, elements) in [
        ("set(number)[1, 1.0, 2]", 2),
        ("set(number)[?number, ?number, 1, 1]", 3),
        ("set(tuple(number))[[?number], [?number], [1], [1]]", 3),
        ("set(tuple(number))[[null(number)], [null(number)]]", 1),
    ] {
        let arena = Arena::new();
        assert_eq!(value(&arena, set).as_elements().unwrap().len(), elements, "{set}");
    }
}

/// Returns JSON as a value of a type, or the error.
fn read(json: &str, to: &str) -> String {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "json", json.as_bytes()).unwrap();
    let value = from_node_as(&arena, document.root(), ty(&arena, to));
    value.map_or_else(|error| error.to_string(), |value| show(&arena, value))
}

#[test]
fn json_is_read_by_type() {
    for (json, to, expected) in [
        ("true", "bool", "true"),
        ("\"true\"", "bool", "true"),
        ("\"1\"", "bool", "true"),
        ("\"false\"", "bool", "false"),
        ("\"0\"", "bool", "false"),
        ("\"yes\"", "bool", "a bool is required, not a string"),
        ("1", "bool", "a bool is required, not a number"),
        ("\"1e2\"", "number", "100"),
        ("\"x\"", "number", "the string is not a number"),
        ("1e9999999999", "number", "1e9999999999: the exponent is out of bounds"),
        ("1.50", "string", "\"1.5\""),
        ("true", "string", "\"true\""),
        ("false", "string", "\"false\""),
        ("1e1100000", "string", "the number has more than 1000000 digits"),
        ("null", "list(number)", "null(list(number))"),
        ("[\"1\", 2]", "list(number)", "list[1, 2]"),
        ("[2, 1, 1]", "set(number)", "set[1, 2]"),
        ("{}", "list(number)", "a list of number is required, not an object"),
        ("[]", "map(number)", "a map of number is required, not an array"),
        ("{\"b\": 1, \"a\": 2, \"b\": 3}", "map(number)", "map{a = 2, b = 3}"),
        ("[1, \"a\"]", "tuple(number,string)", "[1, \"a\"]"),
        ("[]", "tuple()", "[]"),
        ("[1]", "tuple(number,string)", "2 elements are required"),
        ("[1, 2, 3]", "tuple(number,string)", "2 elements are required"),
        ("{\"a\": 1, \"b\": \"x\"}", "object(a=number,b?=string)", "{a = 1, b = \"x\"}"),
        ("{\"a\": 1}", "object(a=number,b?=string)", "{a = 1, b = null(string)}"),
        ("{\"b\": \"x\"}", "object(a=number,b?=string)", "the attribute \"a\" is missing"),
        ("{\"c\": 1}", "object(a=number)", "unsupported attribute \"c\""),
        ("{\"type\": [\"list\", \"number\"], \"value\": [1]}", "dynamic", "list[1]"),
        ("null", "dynamic", "null(dynamic)"),
        ("1", "dynamic", "an object with \"type\" and \"value\" is required"),
        ("{\"type\": \"number\"}", "dynamic", "an object with \"type\" and \"value\" is required"),
    ] {
        assert_eq!(read(json, to), expected, "{json} as {to}");
    }
}

#[test]
fn types_are_written_and_read_as_json() {
    let arena = Arena::new();
    for (text, json) in [
        ("dynamic", r#""dynamic""#),
        ("list(number)", r#"["list","number"]"#),
        ("set(map(bool))", r#"["set",["map","bool"]]"#),
        ("tuple()", r#"["tuple",[]]"#),
        ("tuple(number,string)", r#"["tuple",["number","string"]]"#),
        ("object()", r#"["object",{}]"#),
        ("object(a=number,b=bool)", r#"["object",{"a":"number","b":"bool"}]"#),
        (
            "object(a?=number,b=bool,c?=string)",
            r#"["object",{"a":"number","b":"bool","c":"string"},["a","c"]]"#,
        ),
    ] {
        let ty = ty(&arena, text);
        assert_eq!(to_string(Layout::Compact, |slot| write_type(ty, slot)), json);
        let document = Document::parse_bytes(&arena, "json", json.as_bytes()).unwrap();
        assert!(type_from_node(&arena, document.root()).unwrap() == ty, "{text}");
    }
    for (json, expected) in [
        ("\"text\"", "invalid type: bool, number, string and dynamic are known"),
        ("7", "invalid type: a string or an array is required"),
        ("[]", "invalid type: its second element is missing"),
        ("[\"list\"]", "invalid type: its second element is missing"),
        ("[\"vector\", \"bool\"]", "invalid type: list, set, map, tuple and object are known"),
        ("[\"tuple\", {}]", "invalid type: a tuple has an array of types"),
        ("[\"object\", []]", "invalid type: an object has types by name"),
        ("[\"list\", [\"set\"]]", "invalid type: its second element is missing"),
    ] {
        let document = Document::parse_bytes(&arena, "json", json.as_bytes()).unwrap();
        let error = type_from_node(&arena, document.root()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{json}");
    }
}

#[test]
fn values_are_written_as_json_if_they_have_any() {
    let arena = Arena::new();
    let infinite = Number::parse(&arena, "-Inf").unwrap();
    let long = Number::parse(&arena, "1e400000000").unwrap();
    for (value, expected) in [
        (value(&arena, "[1, ?number]"), "the value is not known yet"),
        (Value::number(infinite), "an infinite number has no JSON"),
        (Value::number(long), "the number has more than 1000000 digits"),
    ] {
        let mut error = None;
        let text = to_string(Layout::Compact, |slot| error = write(value, slot).err());
        // A slot that is not written to becomes null.
        assert_eq!((error.unwrap().to_string().as_str(), text.as_str()), (expected, "null"));
    }
    // Elements and entries in order, without marks.
    let text =
        "[true, false, null(number), {b = \"x\", a = 1.50}#, set(number)[2, 1], map(bool){}]";
    let json = to_string(Layout::Compact, |slot| write(value(&arena, text), slot).unwrap());
    assert_eq!(json, r#"[true,false,null,{"a":1.5,"b":"x"},[1,2],{}]"#);
    // However many digits they have, numbers are short.
    let many = "[1e999999, -1e-400000000, 1e1100000]";
    let json = to_string(Layout::Compact, |slot| write(value(&arena, many), slot).unwrap());
    assert_eq!(json, "[1e+999999,-1e-400000000,1e+1100000]");
}

#[test]
fn copies_are_the_same_values() {
    let copies = Arena::new();
    for text in [
        "1.50",
        "\"é\"#",
        "?number!",
        "null(object(a?=list(number),b=set(bool)))",
        "[]",
        "{}",
        "[1, [\"a\", {}], [\"a\", {}]]",
        "{a = list(number)[1, 2], b = {c = [true#]}, d = map(tuple(number)){x = [1]}}",
        "set(tuple(number))[[1], [2]]",
        "?tuple(dynamic,number)",
    ] {
        let copy = {
            let arena = Arena::new();
            let value = value(&arena, text);
            let shared = Value::tuple(&arena, &[value, value]);
            shared.copy_to(&copies)
        };
        let value = value(&copies, text);
        let expected = Value::tuple(&copies, &[value, value]);
        assert!(raw_equals(copy, expected), "{text}");
        assert_eq!(copy.size(), expected.size(), "{text}");
    }
}

#[test]
fn values_are_printed_as_a_console_shows_them() {
    for (text, printed) in [
        ("1#", "(sensitive value)"),
        ("?number", "(known after apply)"),
        ("null(dynamic)", "null"),
        ("null(bool)", "tobool(null)"),
        ("null(number)", "tonumber(null)"),
        ("null(string)", "tostring(null)"),
        ("null(list(number))", "null /* list of number */"),
        ("1.50", "1.5"),
        ("1e1100000", "1e+1100000"),
        ("[]", "[]"),
        ("list(number)[]", "tolist([])"),
        ("map(number){}", "tomap({})"),
        ("set(number)[2, 1]", "toset([\n  1,\n  2,\n])"),
        (
            "{b = [true, {}], a = \"x\"}",
            "{\n  \"a\" = \"x\"\n  \"b\" = [\n    true,\n    {},\n  ]\n}",
        ),
    ] {
        let arena = Arena::new();
        assert_eq!(value(&arena, text).to_string(), printed, "{text}");
    }
    let arena = Arena::new();
    for (text, printed) in [
        ("a\"b\\c\n\r\t", r#""a\"b\\c\n\r\t""#),
        ("${x} %{y} $z 5% $", r#""$${x} %%{y} $z 5% $""#),
        ("\u{1b}[0m\u{202e}é", r#""\u001B[0m\u202Eé""#),
        // Several whole lines are printed as a heredoc, unless they would end it or have control
        // characters.
        ("one\n two ${x}\n", "<<EOT\none\n two $${x}\nEOT"),
        ("one\n", r#""one\n""#),
        ("one\ntwo", r#""one\ntwo""#),
        ("one\n EOT\n", r#""one\n EOT\n""#),
        ("one\n\u{1b}\n", r#""one\n\u001B\n""#),
    ] {
        assert_eq!(Value::string(&arena, text).to_string(), printed);
    }
    let inside = Value::tuple(&arena, &[Value::string(&arena, "one\ntwo\n")]);
    assert_eq!(inside.to_string(), "[\n  \"one\\ntwo\\n\",\n]");
}

//! Expressions in a scope of variables of every kind: what they are worth, and what is told.
//!
//! Values are written as [`notation`](crate::notation) writes them, diagnostics as their code and the text that they
//! point at.

#![allow(missing_docs)]

use simd_hcl::evaluate::{Budget, Function, FunctionError, Functions, Parameter, Scope, Signature};
use simd_hcl::native::Native;
use simd_hcl::value::{AttributeType, ElementType, Marks, Number, PartTypes, Type, Value};
use simd_hcl::{Arena, Diagnostic, Document, Sink, Source};

use crate::notation::show;

/// What a value is, and what was told of it: codes and the texts that they point at.
type Outcome = (String, Vec<(String, String)>);

const PAIR: Type<'static> = Type::Tuple(&PartTypes::of_tuple(&[Type::Number, Type::String]));
const OBJECT: Type<'static> = Type::Object(&PartTypes::of_object(&[AttributeType {
    name: "a",
    ty: Type::Number,
    optional: false,
}]));
const OBJECTS: Type<'static> = Type::List(&ElementType::new(OBJECT));

/// The value of an expression among the variables and functions of this file.
fn evaluate(expression: &str) -> Outcome {
    evaluate_template(&interpolated(expression))
}

fn interpolated(expression: &str) -> String {
    format!("${{{expression}}}")
}

fn evaluate_template(template: &str) -> Outcome {
    let json = json(template);
    let arena = Arena::new();
    let variables = variables(&arena);
    let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
    outcome(&arena, &json, &scope)
}

/// A document with one attribute, the template.
fn json(template: &str) -> String {
    serde_json::json!({ "x": template }).to_string()
}

fn outcome<'a>(arena: &'a Arena, json: &'a str, scope: &Scope<'_, 'a>) -> Outcome {
    let mut diagnostics = Vec::new();
    let value = value(arena, json, scope, &mut diagnostics);
    let told = |diagnostic: &Diagnostic<'_>| {
        let place = diagnostic.span().slice(json.as_bytes());
        assert!(!diagnostic.detail().contains("{0}"), "{}", diagnostic.detail());
        let place = String::from_utf8_lossy(place).replace("\\\"", "\"");
        (diagnostic.code().to_string(), place)
    };
    (show(arena, value), diagnostics.iter().map(told).collect())
}

fn value<'a>(
    arena: &'a Arena,
    json: &'a str,
    scope: &Scope<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let document = Document::parse_bytes(arena, "test.json", json.as_bytes()).unwrap();
    document.body().just_attributes(&mut ())[0].expression().value(scope, sink)
}

fn variables<'a>(arena: &'a Arena) -> Vec<(&'a str, Value<'a>)> {
    let number = |text: &'static str| Value::number(Number::from_literal(text).unwrap());
    let text = |text: &'static str| Value::string(arena, text);
    let (one, two, three) = (number("1"), number("2"), number("3"));
    let a_one = Value::object(arena, &[("a", one)]);
    let a_two = Value::object(arena, &[("a", two)]);
    let mut variables = vec![
        ("bools", Value::list(arena, Type::Bool, &[Value::bool(true), Value::bool(false)])),
        ("dynamic", Value::dynamic()),
        ("empty_list", Value::list(arena, Type::Number, &[])),
        ("empty_map", Value::map(arena, Type::Number, &[])),
        ("empty_set", Value::set(arena, Type::String, &[])),
        ("list", Value::list(arena, Type::Number, &[one, two, three])),
        ("map", Value::map(arena, Type::Number, &[("b", two), ("a", one)])),
        ("mixed_list", Value::list(arena, Type::Dynamic, &[])),
        ("null_list", Value::null(Type::List(ElementType::NUMBER))),
        ("null_number", Value::null(Type::Number)),
        ("null_bool", Value::null(Type::Bool)),
        ("number", number("5")),
        ("object", Value::object(arena, &[("name", text("n")), ("size", three)])),
        ("objects", Value::list(arena, OBJECT, &[a_one, a_two])),
        ("object_set", Value::set(arena, OBJECT, &[a_one, a_two])),
        ("secret", text("s").with_marks(Marks::SENSITIVE)),
        ("secret_bool", Value::bool(true).with_marks(Marks::SENSITIVE)),
        ("secret_index", one.with_marks(Marks::SENSITIVE)),
        ("secret_list", Value::list(arena, Type::Number, &[one, two]).with_marks(Marks::SENSITIVE)),
        ("secret_null", Value::null(Type::Dynamic).with_marks(Marks::SENSITIVE)),
        ("secret_object", Value::object(arena, &[("a", one)]).with_marks(Marks::SENSITIVE)),
        ("secret_unknown", Value::unknown(Type::Number).with_marks(Marks::SENSITIVE)),
        ("one_set", Value::set(arena, Type::String, &[text("a")])),
        ("partly", Value::tuple(arena, &[one, two.with_marks(Marks::SENSITIVE)])),
        ("set", Value::set(arena, Type::String, &[text("b"), text("a")])),
        ("text", text("t")),
        ("u_bool", Value::unknown(Type::Bool)),
        ("u_list", Value::unknown(Type::List(ElementType::NUMBER))),
        ("u_map", Value::unknown(Type::Map(ElementType::STRING))),
        ("u_number", Value::unknown(Type::Number)),
        ("u_object", Value::unknown(OBJECT)),
        ("u_objects", Value::unknown(OBJECTS)),
        ("u_set", Value::unknown(Type::Set(ElementType::BOOL))),
        ("u_some", Value::unknown(Type::Number).not_null()),
        ("u_text", Value::unknown(Type::String)),
        ("u_tuple", Value::unknown(PAIR)),
        ("strings", Value::list(arena, Type::String, &[text("x"), text("y")])),
        (
            "lists",
            Value::list(
                arena,
                Type::List(ElementType::NUMBER),
                &[Value::list(arena, Type::Number, &[one])],
            ),
        ),
        ("numbers_or_null", Value::list(arena, Type::Number, &[one, Value::null(Type::Number)])),
    ];
    variables.sort_by_key(|&(name, _)| name);
    variables
}

/// Checks `(expression, value, [(code, place)])`.
/// An expression, its value, and the codes and places of what is told.
type Case<'c> = (&'c str, &'c str, &'c [(&'c str, &'c str)]);

fn check(cases: &[Case<'_>]) {
    check_by(evaluate, cases);
}

fn check_by(evaluate: impl Fn(&str) -> (String, Vec<(String, String)>), cases: &[Case<'_>]) {
    let mut wrong = String::new();
    for &(text, value, told) in cases {
        let (found, diagnostics) = evaluate(text);
        let diagnostics: Vec<_> =
            diagnostics.iter().map(|(code, place)| (code.as_str(), place.as_str())).collect();
        if found != value || diagnostics != told {
            wrong += &format!("{text}\n  is   {found} {diagnostics:?}\n  want {value} {told:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Functions that show what the evaluator makes of arguments.
struct TestFunctions;

struct TestFunction {
    name: &'static str,
    signature: Signature<'static>,
}

static FUNCTIONS: &[TestFunction] = &[
    TestFunction {
        name: "count",
        signature: Signature {
            parameters: &[],
            variadic: Some(Parameter::new("values", Type::Dynamic).with_null().with_dynamic()),
        },
    },
    TestFunction {
        name: "fail",
        signature: Signature {
            parameters: &[Parameter::new("text", Type::String)],
            variadic: None,
        },
    },
    TestFunction {
        name: "first",
        signature: Signature {
            parameters: &[
                Parameter::new("one", Type::Number),
                Parameter::new("other", Type::String).with_null(),
            ],
            variadic: None,
        },
    },
    TestFunction {
        name: "pair",
        signature: Signature {
            parameters: &[
                Parameter::new("one", Type::Dynamic),
                Parameter::new("other", Type::Dynamic),
            ],
            variadic: None,
        },
    },
    TestFunction {
        name: "provider::here::known",
        signature: Signature {
            parameters: &[Parameter::new("any", Type::Dynamic)
                .with_null()
                .with_unknown()
                .with_dynamic()
                .with_marked()],
            variadic: None,
        },
    },
    TestFunction {
        name: "refuse",
        signature: Signature {
            parameters: &[Parameter::new("text", Type::String)],
            variadic: Some(Parameter::new("more", Type::Number)),
        },
    },
    TestFunction {
        name: "try",
        signature: Signature {
            parameters: &[],
            variadic: Some(
                Parameter::new("values", Type::Dynamic)
                    .with_null()
                    .with_unknown()
                    .with_dynamic()
                    .with_marked(),
            ),
        },
    },
];

impl Functions for TestFunctions {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        let found = FUNCTIONS.iter().find(|function| function.name == name)?;
        Some(found)
    }

    fn names(&self) -> Vec<&str> {
        FUNCTIONS.iter().map(|function| function.name).collect()
    }
}

impl Function for TestFunction {
    fn signature(&self) -> Signature<'_> {
        self.signature
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(match self.name {
            "count" | "first" => Type::Number,
            "pair" => arguments[0].ty(),
            "provider::here::known" => Type::Bool,
            "try" => arguments.first().map_or(Type::Dynamic, |value| value.ty()),
            _ => Type::String,
        })
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        assert!(
            self.name == "try"
                || self.name.contains("known")
                || arguments
                    .iter()
                    .all(|argument| argument.marks().is_empty() && argument.is_known())
        );
        Ok(match self.name {
            "count" => Value::number(Number::from_u64(arena, arguments.len() as u64)),
            "first" | "pair" => arguments[0],
            "provider::here::known" => Value::bool(arguments[0].is_known()),
            "try" => arguments[0],
            "fail" => return Err(FunctionError { argument: None, message: "it fails" }),
            _ => {
                let argument = Some(arguments.len() - 1);
                return Err(FunctionError { argument, message: "it is refused" });
            }
        })
    }

    fn recover<'a>(
        &self,
        _: &'a Arena,
        arguments: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        if self.name != "try" {
            return None;
        }
        let error = FunctionError { argument: None, message: "nothing succeeded" };
        Some(arguments.iter().flatten().next().copied().ok_or(error))
    }
}

#[test]
fn literals_and_variables() {
    check(&[
        ("null", "null(dynamic)", &[]),
        ("true", "true", &[]),
        ("1.50", "1.5", &[]),
        ("\"a\"", "\"a\"", &[]),
        ("(number)", "5", &[]),
        ("text", "\"t\"", &[]),
        ("nope", "?", &[("unknown-variable", "nope")]),
        ("nope.a[0].b", "?", &[("unknown-variable", "nope")]),
        ("[nope, nope.a]", "[?, ?]", &[("unknown-variable", "nope"), ("unknown-variable", "nope")]),
    ]);
}

#[test]
fn scopes_around_scopes() {
    let truth = [("a", Value::bool(true)), ("b", Value::bool(true))];
    let falsehood = [("a", Value::bool(false))];
    let nothing = Scope::new();
    let empty = Scope::new().with_variables(&[]);
    let outer = Scope::new().with_variables(&truth);
    let between = Scope::new().with_parent(&outer);
    let inner = Scope::new().with_variables(&falsehood).with_parent(&between);
    for (expression, scope, value, told) in [
        ("a", inner, "false", None),
        ("b", inner, "true", None),
        ("c", inner, "?", Some(("unknown-variable", "c"))),
        ("c", empty, "?", Some(("unknown-variable", "c"))),
        ("c", nothing, "?", Some(("variables-not-allowed", "c"))),
        ("f(c)", inner, "?", Some(("function-calls-not-allowed", "f(c)"))),
        // A `for` brings variables of its own.
        ("[for x in [1] : y]", nothing, "[?]", Some(("unknown-variable", "y"))),
        ("[for x in [1] : x]", nothing, "[1]", None),
    ] {
        let json = json(&interpolated(expression));
        let arena = Arena::new();
        let told = told.map(|(code, place): (&str, &str)| (code.to_owned(), place.to_owned()));
        let expected = (value.to_owned(), told.into_iter().collect());
        assert_eq!(outcome(&arena, &json, &scope), expected, "{expression}");
    }
}

#[test]
fn a_near_name_is_suggested() {
    for (expression, detail) in [
        ("objecs", "There is no variable named \"objecs\". Did you mean \"object\"?"),
        ("zzzzzz", "There is no variable named \"zzzzzz\"."),
        (
            "[for eleven in [1] : elevn][0]",
            "There is no variable named \"elevn\". Did you mean \"eleven\"?",
        ),
        ("frst()", "There is no function named \"frst\". Did you mean \"first\"?"),
        (
            "provider::here::knwn()",
            "There is no function named \"provider::here::knwn\". Did you mean \"provider::here::known\"?",
        ),
        ("a::b()", "There is no function named \"a::b\". There are no functions in \"a\"."),
    ] {
        check_detail(expression, detail);
    }
}

/// Checks the one diagnostic of an expression.
fn check_detail(expression: &str, detail: &str) {
    let json = json(&interpolated(expression));
    let arena = Arena::new();
    let variables = variables(&arena);
    let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
    let mut diagnostics = Vec::new();
    value(&arena, &json, &scope, &mut diagnostics);
    let details: Vec<_> = diagnostics.iter().map(Diagnostic::detail).collect();
    assert_eq!(details, [detail], "{expression}");
}

#[test]
fn how_many_arguments_a_function_takes() {
    for (expression, detail) in [
        ("fail()", "The function \"fail\" takes 1 argument; \"text\" is missing."),
        ("first(1)", "The function \"first\" takes 2 arguments; \"other\" is missing."),
        ("first(1, 2, 3)", "The function \"first\" takes only 2 arguments."),
        ("refuse()", "The function \"refuse\" takes at least 1 argument; \"text\" is missing."),
    ] {
        check_detail(expression, detail);
    }
}

/// The way to the first difference, and what is there.
#[test]
fn where_the_results_of_a_conditional_differ() {
    for (results, difference) in [
        ("1 : [2]", "the true value is a number, the false value a tuple"),
        ("{a = 1, b = []} : {b = 2}", "the false value has no attribute \"a\""),
        ("{b = []} : {a = 1, b = 2}", "the true value has no attribute \"a\""),
        (
            "{a = 1, b = {c = []}} : {a = 2, b = {c = 3}}",
            "in attribute \"b\": in attribute \"c\": the true value is a tuple, the false value a number",
        ),
        ("[1, []] : [2]", "the true value has 2 elements, the false value 1"),
        ("[1, {}] : [2, 3]", "in element 1: the true value is a object, the false value a number"),
        (
            "lists : bools",
            "in the elements: the true value is a list of number, the false value a bool",
        ),
        (
            "[[[[[[[[[1]]]]]]]]] : [[[[[[[[[[]]]]]]]]]]",
            "in element 0: in element 0: in element 0: in element 0: in element 0: in element 0: \
             in element 0: in element 0: an attribute or element deep inside differs",
        ),
    ] {
        let detail = "Both results of a conditional must be of one type, or of types that can be converted to one";
        check_detail(&format!("true ? {results}"), &format!("{detail}: {difference}."));
    }
}

#[test]
fn attributes() {
    check(&[
        ("object.name", "\"n\"", &[]),
        ("map.a", "1", &[]),
        ("object.nope", "?", &[("unsupported-attribute", ".nope")]),
        ("object.nope.more", "?", &[("unsupported-attribute", ".nope")]),
        ("map.nope", "?", &[("missing-map-element", ".nope")]),
        ("null_number.a", "?", &[("attribute-of-null", ".a")]),
        ("text.a", "?", &[("unsupported-attribute", ".a")]),
        ("list.a", "?", &[("unsupported-attribute", ".a")]),
        ("objects.a", "?", &[("unsupported-attribute", ".a")]),
        ("object_set.a", "?", &[("unsupported-attribute", ".a")]),
        ("[1].a", "?", &[("unsupported-attribute", ".a")]),
        ("{a = 1}.a", "1", &[]),
        ("dynamic.a.b[0]", "?", &[]),
        ("u_object.a", "?number", &[]),
        ("u_object.b", "?", &[("unsupported-attribute", ".b")]),
        ("u_map.anything", "?string", &[]),
        ("secret_object.a", "1#", &[]),
    ]);
}

#[test]
fn indexes() {
    check(&[
        ("list[0]", "1", &[]),
        ("list[number - 3]", "3", &[]),
        ("{\"é\" = 1}[\"e\u{301}\"]", "1", &[]),
        ("{\"e\u{301}\" = 1}.é", "1", &[]),
        ("{\"é\" = 1}.e\u{301}", "1", &[]),
        ("list[\"1\"]", "2", &[]),
        ("list[1.0]", "2", &[]),
        ("list[3]", "?", &[("invalid-index", "[3]")]),
        ("list[99999999999999999999]", "?", &[("invalid-index", "[99999999999999999999]")]),
        ("list[-1]", "?", &[("invalid-index", "[-1]")]),
        ("list[0.5]", "?", &[("invalid-index", "[0.5]")]),
        ("list[\"a\"]", "?", &[("invalid-index", "[\"a\"]")]),
        ("list[null]", "?", &[("invalid-index", "[null]")]),
        ("list[[]]", "?", &[("invalid-index", "[[]]")]),
        ("list[u_number]", "?number", &[]),
        ("list[dynamic]", "?", &[]),
        ("empty_list[0]", "?", &[("invalid-index", "[0]")]),
        ("u_list[0]", "?number", &[]),
        ("[1, \"a\"][1]", "\"a\"", &[]),
        ("[1, \"a\"][u_number]", "?", &[]),
        ("u_tuple[1]", "?string", &[]),
        ("u_tuple[2]", "?", &[("invalid-index", "[2]")]),
        ("map[\"b\"]", "2", &[]),
        ("map[\"c\"]", "?", &[("invalid-index", "[\"c\"]")]),
        ("map[u_text]", "?number", &[]),
        ("u_map[\"a\"]", "?string", &[]),
        ("object[\"size\"]", "3", &[]),
        ("object[\"${text}\"]", "?", &[("invalid-index", "[\"${text}\"]")]),
        ("object[0]", "?", &[("invalid-index", "[0]")]),
        ("{\"1\" = \"a\"}[1]", "\"a\"", &[]),
        ("{true = \"a\"}[true]", "\"a\"", &[]),
        ("object[u_text]", "?", &[]),
        ("u_object[\"a\"]", "?number", &[]),
        ("set[0]", "?", &[("invalid-index", "[0]")]),
        ("text[0]", "?", &[("invalid-index", "[0]")]),
        ("null_list[0]", "?", &[("index-of-null", "[0]")]),
        ("dynamic[0]", "?", &[]),
        ("list [ number ]", "?", &[("invalid-index", "[ number ]")]),
        ("secret_list[0]", "1#", &[]),
        ("list[secret_index]", "2#", &[]),
        ("partly[0]", "1", &[]),
        ("partly[1]", "2#", &[]),
        ("nope[nil]", "?", &[("unknown-variable", "nope"), ("unknown-variable", "nil")]),
        ("object.0", "?", &[("invalid-index", ".0")]),
        ("list.1", "2", &[]),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        ("1 + 2 * 3", "7", &[]),
        ("7 / 2", "3.5", &[]),
        ("-7 % 3", "-1", &[]),
        ("-number", "-5", &[]),
        ("\"1\" + \"2\"", "3", &[]),
        ("1 / 0 > 5", "true", &[]),
        ("5 % 0", "5", &[]),
        ("0 / 0", "?number", &[("operation-failed", "0 / 0")]),
        ("null + 1", "?number", &[("operation-failed", "null + 1")]),
        ("-null", "?number", &[("operation-failed", "-null")]),
        ("u_number + null", "?number", &[("operation-failed", "u_number + null")]),
        ("u_number + 1", "?number!", &[]),
        ("-u_number", "?number!", &[]),
        ("dynamic * 2", "?number!", &[]),
        ("\"a\" + 1", "?number", &[("invalid-operand", "\"a\"")]),
        ("1 + [nope]", "?number", &[("unknown-variable", "nope"), ("invalid-operand", "[nope]")]),
        ("true + {}", "?number", &[("invalid-operand", "true"), ("invalid-operand", "{}")]),
        ("-[]", "?number", &[("invalid-operand", "[]")]),
        ("-nope", "?number", &[("unknown-variable", "nope")]),
        ("nope + nil", "?number", &[("unknown-variable", "nope"), ("unknown-variable", "nil")]),
        ("secret_index + 1", "2#", &[]),
        ("secret_unknown + 1", "?number!#", &[]),
        ("-secret_index", "-1#", &[]),
        ("secret + 1", "?number#", &[("invalid-operand", "secret")]),
    ]);
}

#[test]
fn comparison() {
    check(&[
        ("1 < 2", "true", &[]),
        ("2 <= 1", "false", &[]),
        ("\"10\" > \"9\"", "true", &[]),
        ("2 >= 2", "true", &[]),
        ("1 < null", "?bool", &[("operation-failed", "1 < null")]),
        ("1 < u_number", "?bool!", &[]),
        ("1 < {}", "?bool", &[("invalid-operand", "{}")]),
        ("1 == 1.0", "true", &[]),
        ("1 == \"1\"", "false", &[]),
        ("1 != \"1\"", "true", &[]),
        ("[1] == [1]", "true", &[]),
        ("null == null", "true", &[]),
        ("null_number == null", "true", &[]),
        ("1 != null", "true", &[]),
        ("number == secret_index", "false#", &[]),
        ("nope == 1", "?bool", &[("unknown-variable", "nope")]),
        ("u_number == 1", "?bool!", &[]),
        ("dynamic != 1", "?bool!", &[]),
        ("null_number == u_list", "?bool!", &[]),
    ]);
}

/// As [`evaluate`], with operators that one operand decides.
fn evaluate_short(expression: &str) -> Outcome {
    let json = json(&interpolated(expression));
    let arena = Arena::new();
    let variables = variables(&arena);
    let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
    outcome(&arena, &json, &scope.with_short_circuits())
}

#[test]
fn both_operands_count() {
    check(&[
        ("false && nope", "?bool", &[("unknown-variable", "nope")]),
        ("true || nope", "?bool", &[("unknown-variable", "nope")]),
        ("null && false", "?bool", &[("operation-failed", "null && false")]),
        ("true || null", "?bool", &[("operation-failed", "true || null")]),
        ("true || u_bool", "?bool!", &[]),
        ("false && u_bool", "?bool!", &[]),
        ("true && false", "false", &[]),
        ("false || true", "true", &[]),
    ]);
}

/// Every pair of true, false, null, unknown, an error that leaves unknown, and a value that is no boolean.
#[test]
fn truth_table() {
    let operands = ["true", "false", "null", "u_bool", "nope", "[]"];
    let meaning = |letter| match letter {
        't' => "true",
        'f' => "false",
        'u' => "?bool!",
        '-' => "?bool operation-failed",
        'e' => "?bool! unknown-variable",
        'E' => "?bool unknown-variable",
        '2' => "?bool unknown-variable unknown-variable",
        'i' => "?bool invalid-operand",
        'j' => "?bool unknown-variable invalid-operand",
        _ => "?bool invalid-operand invalid-operand",
    };
    let or = ["ttttti", "tf-uei", "t--uei", "tuuuui", "teeE2j", "iiiijk"];
    let and = ["tffuei", "fffffi", "fffffi", "uffuui", "effE2j", "iiiijk"];
    for (operator, table) in [("||", or), ("&&", and)] {
        for (left, row) in operands.iter().zip(table) {
            for (right, letter) in operands.iter().zip(row.chars()) {
                let (value, told) = evaluate_short(&format!("{left} {operator} {right}"));
                let codes: String = told.iter().map(|(code, _)| format!(" {code}")).collect();
                assert_eq!(value + &codes, meaning(letter), "{left} {operator} {right}");
            }
        }
    }
    check_by(
        evaluate_short,
        &[
            ("!true", "false", &[]),
            ("!\"false\"", "true", &[]),
            ("!null", "?bool", &[("operation-failed", "!null")]),
            ("!u_bool", "?bool!", &[]),
            ("!nope", "?bool", &[("unknown-variable", "nope")]),
            ("![]", "?bool", &[("invalid-operand", "[]")]),
            ("!secret_bool", "false#", &[]),
            ("secret_bool || nope", "true#", &[]),
            ("false && secret_bool", "false#", &[]),
            ("true && \"true\"", "true", &[]),
        ],
    );
}

#[test]
fn conditionals() {
    check(&[
        ("true ? 1 : 2", "1", &[]),
        ("\"false\" ? 1 : 2", "2", &[]),
        ("true ? 1 : \"a\"", "\"1\"", &[]),
        ("true ? [1] : [\"a\", true]", "list[\"1\"]", &[]),
        ("true ? null : 1", "null(number)", &[]),
        ("false ? null : 1", "1", &[]),
        ("true ? null : null", "null(dynamic)", &[]),
        ("true ? 1 : dynamic", "1", &[]),
        ("false ? 1 : dynamic", "?", &[]),
        ("true ? 1 : nope", "1", &[]),
        ("false ? 1 : nope", "?", &[("unknown-variable", "nope")]),
        ("true ? nope : nil", "?", &[("unknown-variable", "nope")]),
        ("u_bool ? nope : nil", "?", &[]),
        ("true ? 1 : [nope]", "?", &[("inconsistent-conditional", "1 : [nope]")]),
        ("true ? 1 : false", "?", &[("inconsistent-conditional", "1 : false")]),
        ("nope ? 1 : [2]", "?", &[("inconsistent-conditional", "1 : [2]")]),
        ("true ? {a = 1} : {a = []}", "?", &[("inconsistent-conditional", "{a = 1} : {a = []}")]),
        ("null ? 1 : 2", "?number", &[("null-condition", "null")]),
        ("null ? nope : 2", "?", &[("null-condition", "null")]),
        ("5 ? 1 : 2", "?number", &[("incorrect-condition-type", "5")]),
        ("nope ? 1 : \"a\"", "?string!", &[("unknown-variable", "nope")]),
        ("u_bool ? 1 : 2", "?number!", &[]),
        ("u_bool ? 1 : 1", "1", &[]),
        ("u_bool ? 1 : null", "?number", &[]),
        ("u_bool ? null_number : 1", "?number", &[]),
        ("u_bool ? 1 : u_number", "?number", &[]),
        ("u_bool ? 1 : u_some", "?number!", &[]),
        ("u_bool ? null : null_number", "null(number)", &[]),
        ("u_bool ? empty_list : empty_list", "list(number)[]", &[]),
        ("u_bool ? list : empty_list", "?list(number)!", &[]),
        ("u_bool ? strings : bools", "?list(string)!", &[]),
        ("u_bool ? strings : strings", "list[?string, ?string]", &[]),
        ("u_bool ? set : set", "?set(string)!", &[]),
        ("u_bool ? one_set : one_set", "set[?string]", &[]),
        ("u_bool ? one_set : set", "?set(string)!", &[]),
        ("u_bool ? empty_set : empty_set", "set[]", &[]),
        ("u_bool ? map : map", "?map(number)!", &[]),
        ("u_bool ? empty_map : empty_map", "map{}", &[]),
        ("u_bool ? empty_map : map", "?map(number)!", &[]),
        ("u_bool ? [1] : [2]", "?tuple(number)!", &[]),
        ("u_bool ? u_some : 1", "?number!", &[]),
        ("u_bool ? 1 : 1.5", "?number!", &[]),
        ("dynamic ? 1 : \"a\"", "?string!", &[]),
        ("secret_bool ? 1 : 2", "1#", &[]),
        ("true ? 1 : secret_index", "1#", &[]),
        ("u_bool ? 1 : secret_index", "1#", &[]),
        ("true ? secret_null : 1", "null(dynamic)#", &[]),
        ("true ? \"a\" : list[0]", "\"a\"", &[]),
        ("true ? false ? 1 : 2 : 3", "2", &[]),
    ]);
}

#[test]
fn tuples_and_objects() {
    check(&[
        ("[]", "[]", &[]),
        ("[1, \"a\", [true], null]", "[1, \"a\", [true], null(dynamic)]", &[]),
        ("[secret, 1]", "[\"s\"#, 1]", &[]),
        ("{}", "{}", &[]),
        ("{b = 1, a = 2}", "{a = 2, b = 1}", &[]),
        ("{a = 1, a = 2}", "{a = 2}", &[]),
        (
            "{text = 1, (text) = 2, \"x${text}\" = 3, 4 = 4}",
            "{4 = 4, t = 2, text = 1, xt = 3}",
            &[],
        ),
        ("{true = 1, null = 2}", "{null = 2, true = 1}", &[]),
        ("{(null) = 1}", "?", &[("null-key", "(null)")]),
        ("{([]) = 1}", "?", &[("incorrect-key-type", "([])")]),
        ("{object.name = 1}", "?", &[("ambiguous-key", "object.name")]),
        ("{nope.name = 1}", "?", &[("ambiguous-key", "nope.name")]),
        ("{(object.name) = 1}", "{n = 1}", &[]),
        ("{(u_text) = 1, b = nope}", "?", &[("unknown-variable", "nope")]),
        ("{(nope) = 1}", "?", &[("unknown-variable", "nope")]),
        (
            "{(nope) = nil, ([]) = nah}",
            "?",
            &[
                ("unknown-variable", "nope"),
                ("unknown-variable", "nil"),
                ("unknown-variable", "nah"),
                ("incorrect-key-type", "([])"),
            ],
        ),
        (
            "{([]) = 1, b = nope}",
            "?",
            &[("incorrect-key-type", "([])"), ("unknown-variable", "nope")],
        ),
        ("{(secret) = 1, b = 2}", "{b = 2, s = 1}#", &[]),
        ("{a = secret}", "{a = \"s\"#}", &[]),
    ]);
}

#[test]
fn for_tuples() {
    check(&[
        ("[for x in list : x * 2]", "[2, 4, 6]", &[]),
        ("[for i, x in [\"a\", \"b\"] : \"${i}${x}\"]", "[\"0a\", \"1b\"]", &[]),
        ("[for k, v in {b = 1, a = 2} : [k, v]]", "[[\"a\", 2], [\"b\", 1]]", &[]),
        ("[for k, v in map : k]", "[\"a\", \"b\"]", &[]),
        ("[for k, v in set : [k, v]]", "[[\"a\", \"a\"], [\"b\", \"b\"]]", &[]),
        ("[for x in [] : nope]", "[]", &[]),
        ("[for x in list : x if x != 2]", "[1, 3]", &[]),
        ("[for x in list : x if \"true\"]", "[1, 2, 3]", &[]),
        ("[for x, x in [7] : x]", "[7]", &[]),
        (
            "[for x in [1, 2] : [for y in [x, 3] : [x, y]]]",
            "[[[1, 1], [1, 3]], [[2, 2], [2, 3]]]",
            &[],
        ),
        ("[for x in [1, 2] : [for x in [x] : x][0] + x]", "[2, 4]", &[]),
        ("[for x in null : x]", "?", &[("iteration-over-null", "null")]),
        ("[for x in text : x]", "?", &[("iteration-over-scalar", "text")]),
        ("[for x in u_number : x]", "?", &[("iteration-over-scalar", "u_number")]),
        ("[for x in nope : x]", "?", &[("unknown-variable", "nope")]),
        ("[for x in dynamic : nope]", "?", &[]),
        ("[for x in u_list : nope]", "?", &[]),
        ("[for x in u_list : x if nope]", "?", &[("unknown-variable", "nope")]),
        ("[for x in u_list : x if null]", "?", &[("null-for-condition", "null")]),
        ("[for x in list : x if null]", "?", &[("null-for-condition", "null")]),
        ("[for x in list : x if []]", "?", &[("invalid-for-condition", "[]")]),
        ("[for x in list : x if nope]", "?", &[("unknown-variable", "nope")]),
        ("[for x in list : x if u_bool]", "?", &[]),
        ("[for x in list : nope if u_bool]", "?", &[]),
        ("[for x in [true, null, true] : 1 if x]", "?", &[("null-for-condition", "x")]),
        ("[for x in [true, \"a\", [], null] : 1 if x]", "?", &[("invalid-for-condition", "x")]),
        ("[for x in [1, 2] : x + nope]", "[?number, ?number]", &[("unknown-variable", "nope")]),
        (
            "[for x in [1, \"a\", \"b\"] : x + nope + x]",
            "[?number, ?number, ?number]",
            &[("unknown-variable", "nope"), ("invalid-operand", "x"), ("invalid-operand", "x")],
        ),
        ("[for x in secret_list : x]", "[1, 2]#", &[]),
        ("[for x in list : x if secret_bool]", "[1, 2, 3]#", &[]),
        ("[for x in [1, 2] : x == 1 ? true : nope]", "[true, ?]", &[("unknown-variable", "nope")]),
    ]);
}

#[test]
fn for_objects() {
    check(&[
        ("{for x in [\"a\", \"b\"] : x => 1}", "{a = 1, b = 1}", &[]),
        ("{for i, x in [\"a\", \"b\"] : x => i}", "{a = 0, b = 1}", &[]),
        ("{for x in list : x => x}", "{1 = 1, 2 = 2, 3 = 3}", &[]),
        ("{for x in list : x => x if x > 1}", "{2 = 2, 3 = 3}", &[]),
        ("{for x in [1, 2, 3] : x % 2 => x...}", "{0 = [2], 1 = [1, 3]}", &[]),
        ("{for x in [] : x => x...}", "{}", &[]),
        ("{for x in [1, 1, 2] : x => x}", "{1 = 1, 2 = 2}", &[("duplicate-object-key", "x")]),
        ("{for x in [null] : x => nope}", "?", &[("invalid-object-key", "x")]),
        ("{for x in [[], {}] : x => nope}", "?", &[("invalid-object-key", "x")]),
        ("{for x in [1, u_number] : x => nope}", "?", &[("unknown-variable", "nope")]),
        ("{for x in [u_number] : x => nope}", "?", &[]),
        ("{for x in [1, 2] : nope => x}", "?", &[("unknown-variable", "nope")]),
        ("{for x in list : x => 1 if u_bool}", "?", &[]),
        ("{for x in [secret] : x => 1}", "{s = 1}#", &[]),
        ("{for x in [1] : x => secret}", "{1 = \"s\"#}", &[]),
        ("{for x in secret_list : x => x}", "{1 = 1, 2 = 2}#", &[]),
        ("{for x in [1, 2] : x => {for y in [3] : y => x + y}}", "{1 = {3 = 4}, 2 = {3 = 5}}", &[]),
    ]);
}

#[test]
fn splats() {
    check(&[
        ("list[*]", "list[1, 2, 3]", &[]),
        ("objects[*].a", "list[1, 2]", &[]),
        ("objects.*.a", "list[1, 2]", &[]),
        ("set[*]", "list[\"a\", \"b\"]", &[]),
        ("[{a = 1}, {a = \"b\"}][*].a", "[1, \"b\"]", &[]),
        ("object[*].name", "[\"n\"]", &[]),
        ("text[*]", "[\"t\"]", &[]),
        ("null[*]", "[]", &[]),
        ("null_number[*].a", "[]", &[]),
        ("null_list[*]", "?", &[("splat-of-null", "null_list")]),
        ("dynamic[*].a", "?", &[]),
        ("nope[*].a", "?", &[("unknown-variable", "nope")]),
        ("u_number[*]", "?", &[]),
        ("u_some[*]", "[?number!]", &[]),
        ("u_object[*].b", "?", &[("unsupported-attribute", ".b")]),
        ("u_object[*].a", "?", &[]),
        ("u_list[*]", "?list(number)!", &[]),
        ("u_objects[*].a", "?list(number)!", &[]),
        ("u_objects[*].b", "?list(dynamic)!", &[("unsupported-attribute", ".b")]),
        ("u_tuple[*]", "?tuple(number,string)!", &[]),
        ("u_set[*]", "?list(bool)!", &[]),
        ("empty_list[*]", "list(number)[]", &[]),
        ("empty_list[*].a", "list(dynamic)[]", &[("unsupported-attribute", ".a")]),
        ("objects[*].b", "?list(dynamic)", &[("unsupported-attribute", ".b")]),
        ("[{a = 1}, {}][*].a", "?tuple(number,dynamic)", &[("unsupported-attribute", ".a")]),
        ("lists[*][0]", "list[1]", &[]),
        ("lists.*[0]", "list[1]", &[]),
        ("lists[*][*]", "list[list[1]]", &[]),
        ("[[1, 2], [3]][*][0]", "[1, 3]", &[]),
        ("[{a = [1, 2]}, {a = [3]}][*].a[*]", "[[1, 2], [3]]", &[]),
        ("[{a = [1, 2]}, {a = [3]}].*.a[0]", "[1, 2]", &[]),
        ("objects[*][\"${\"a\"}\"]", "list[1, 2]", &[]),
        ("[[1, 2], [3, 4]][*][[for x in [1] : x][0]]", "[2, 4]", &[]),
        ("numbers_or_null[*][*]", "?", &[("inconsistent-splat", "[*][*]")]),
        ("secret_list[*]", "list[1, 2]#", &[]),
        ("secret_object[*].a", "[1#]#", &[]),
        ("secret_null[*]", "[]#", &[]),
        ("lists[*][dynamic]", "list[?]", &[]),
        ("lists[*][secret_unknown]", "list[?number]", &[]),
        ("secret_unknown[*]", "?#", &[]),
    ]);
}

#[test]
fn templates() {
    check_by(
        evaluate_template,
        &[
            ("a${1}b${true}", "\"a1btrue\"", &[]),
            ("a${false}", "\"afalse\"", &[]),
            ("${list}", "list[1, 2, 3]", &[]),
            (" ${null}", "\" \"", &[("invalid-interpolation", "null")]),
            (" ${list}", "\" \"", &[("invalid-interpolation", "list")]),
            ("a${null}b${1}", "\"a\"", &[("invalid-interpolation", "null")]),
            (
                "${[]}${nope}${null}",
                "?string!",
                &[
                    ("invalid-interpolation", "[]"),
                    ("unknown-variable", "nope"),
                    ("invalid-interpolation", "null"),
                ],
            ),
            ("a${u_text}", "?string!", &[]),
            ("${u_text}${1}b", "?string!", &[]),
            (
                "${u_text}${null}${[]}",
                "?string!",
                &[("invalid-interpolation", "null"), ("invalid-interpolation", "[]")],
            ),
            ("a${dynamic}", "?string!", &[]),
            ("a${u_list}", "?string!", &[]),
            ("a${secret}", "\"as\"#", &[]),
            ("a${secret_unknown}", "?string!#", &[]),
            ("%{if true}a%{endif}", "\"a\"", &[]),
            ("%{if false}a%{endif}", "\"\"", &[]),
            ("%{if number > 4}a%{else}b${nope}%{endif}c", "\"ac\"", &[]),
            ("%{if nope}a%{endif}", "?string!", &[("unknown-variable", "nope")]),
            ("%{if null}a%{endif}", "?string!", &[("null-condition", "null")]),
            ("%{if u_bool}a%{endif}", "?string!", &[]),
            ("%{for x in list}${x},%{endfor}", "\"1,2,3,\"", &[]),
            ("%{for i, x in strings}${i}${x}%{endfor}", "\"0x1y\"", &[]),
            ("%{for x in []}a%{endfor}", "\"\"", &[]),
            ("%{for x in u_list}a%{endfor}", "?string!", &[]),
            ("%{for x in list}${u_text}%{endfor}", "?string!", &[]),
            ("%{for x in null}a%{endfor}", "?string!", &[("iteration-over-null", "null")]),
            ("${\"%{for x in list}<${[]}>%{endfor}\"}", "\"\"", &[("invalid-interpolation", "[]")]),
            ("%{for x in list}${nope}%{endfor}", "?string!", &[("unknown-variable", "nope")]),
            ("%{for x in secret_list}${x}%{endfor}", "\"12\"#", &[]),
            ("%{for x in [secret]}${x}%{endfor}", "\"s\"#", &[]),
            ("e\u{301}${\"\"}", "\"é\"", &[]),
            ("e${\"\u{301}\"}", "\"é\"", &[]),
        ],
    );
}

#[test]
fn calls() {
    check(&[
        ("count()", "0", &[]),
        ("count(1, null, [])", "3", &[]),
        ("count(list...)", "3", &[]),
        ("count(0, [1, 2]...)", "3", &[]),
        ("count(set...)", "2", &[]),
        ("count(null...)", "?", &[("invalid-expansion", "null")]),
        ("count(null_list...)", "?", &[("invalid-expansion", "null_list")]),
        ("count(text...)", "?", &[("invalid-expansion", "text")]),
        ("count(nope, text...)", "?", &[("invalid-expansion", "text")]),
        ("count(nope, nil...)", "?", &[("unknown-variable", "nil")]),
        ("count(nope, list...)", "?", &[("unknown-variable", "nope")]),
        ("count(u_list...)", "?", &[]),
        ("count(dynamic...)", "?", &[]),
        ("count(secret_list...)", "2#", &[]),
        ("pair(1, [])", "1", &[]),
        ("pair(u_list, 1)", "?list(number)", &[]),
        // What a function takes as it is may have any type, and then nothing can be told of the result, nor of the rest.
        ("pair(dynamic, 1)", "?", &[]),
        ("pair(dynamic, null)", "?", &[]),
        ("pair(secret, dynamic)", "?#", &[]),
        ("pair(null, dynamic)", "?", &[("invalid-argument", "null")]),
        ("first(1, \"a\")", "1", &[]),
        ("first(\"7\", null)", "7", &[]),
        ("first()", "?", &[("too-few-arguments", ")")]),
        ("first(nope)", "?", &[("too-few-arguments", ")")]),
        ("first(1, 2, 3, 4)", "?", &[("too-many-arguments", "3")]),
        ("first([1, 2, 3]...)", "?", &[("too-many-arguments", "[1, 2, 3]")]),
        ("first(null, 1)", "?", &[("invalid-argument", "null")]),
        ("first([], {})", "?", &[("invalid-argument", "[]"), ("invalid-argument", "{}")]),
        (
            "first([nope], {})",
            "?",
            &[
                ("unknown-variable", "nope"),
                ("invalid-argument", "[nope]"),
                ("invalid-argument", "{}"),
            ],
        ),
        ("first([[], {}]...)", "?", &[("invalid-argument", "[[], {}]")]),
        ("first(u_number, \"a\")", "?number", &[]),
        ("first(1, u_text)", "?number", &[]),
        ("first(secret_index, \"a\")", "1#", &[]),
        ("first(secret_unknown, \"a\")", "?number#", &[]),
        ("count(partly)", "1#", &[]),
        ("count(u_number, dynamic)", "?number", &[]),
        ("provider::here::known(u_text)", "false", &[]),
        ("provider::here::known(null)", "true", &[]),
        ("fail(\"a\")", "?", &[("function-failed", "fail(")]),
        ("fail(u_text)", "?string", &[]),
        ("refuse(\"a\")", "?", &[("invalid-argument", "\"a\"")]),
        ("refuse(\"a\", 1, 2)", "?", &[("invalid-argument", "2")]),
        ("nothing(nope)", "?", &[("unknown-function", "nothing")]),
        ("try(nope, 2, 3)", "2", &[]),
        ("try(object.nope.more[0], [nil])", "?", &[("function-failed", "try(")]),
        ("try(1, nope)", "1", &[]),
        ("[try(nope), nil]", "[?, ?]", &[("function-failed", "try("), ("unknown-variable", "nil")]),
    ]);
}

/// Positions stay exact through escapes and newlines.
#[test]
fn exact_places() {
    check_by(
        evaluate_template,
        &[
            (
                "é\n\"${\"a\" + nope}",
                "?string!",
                &[("unknown-variable", "nope"), ("invalid-operand", "\"a\"")],
            ),
            ("${\n\n list[ \"x\"\n]}", "?", &[("invalid-index", "[ \"x\"\\n]")]),
        ],
    );
}

#[test]
fn deep_programs() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("-", "1", ""),
        ("!", "true", ""),
        ("{a=", "1", "}"),
        ("true?", "1", ":1"),
        ("[for x in [1]:", "x", "]"),
        ("\"${", "1", "}\""),
        ("count(", "1", ")"),
    ] {
        // A template in quotes and its interpolation are two levels.
        let depth = if open.starts_with('"') { 4_900 } else { 9_900 };
        let expression = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        let json = json(&interpolated(&expression));
        let arena = Arena::new();
        let scope = Scope::new().with_functions(&TestFunctions);
        let mut diagnostics = Vec::new();
        let value = value(&arena, &json, &scope, &mut diagnostics);
        assert!(value.is_known() && diagnostics.is_empty(), "{open}: {diagnostics:?}");
    }
}

#[test]
fn many_operands_and_many_diagnostics() {
    let (value, told) = evaluate(&format!("1{}", " + 1".repeat(100_000)));
    assert_eq!((value.as_str(), told.len()), ("100001", 0));
    let (value, told) = evaluate(&format!("{{{}}}", "([])=1,".repeat(10_000)));
    assert_eq!((value.as_str(), told.len()), ("?", 10_000));
    let (value, told) = evaluate(&format!("nope{}", " + [nope]".repeat(10_000)));
    assert_eq!((value.as_str(), told.len()), ("?number", 20_001));
    let nested = format!("{}[]{}", "{([])=1, a=".repeat(5_000), "}".repeat(5_000));
    assert_eq!(evaluate(&nested).1.len(), 5_000);
}

#[test]
fn work_is_limited() {
    const LONG: &str = "evaluation-too-long";
    const LARGE: &str = "evaluation-too-large";
    let many = |what: &str, count: usize| what.repeat(count);
    for (expression, code) in [
        ("[for x in l : [for y in l : x]][9][9]".to_owned(), ""),
        (format!("{}1{}", many("[for x in l : ", 60), many("]", 60)), LONG),
        (format!("{}1{}", many("[for x in [1] : 1 if ", 40), many(" == 1]", 40)), LONG),
        (format!("[for a in l : \"{}\"]", many("${long}", 1000)), LONG),
        (
            format!(
                "{}a{}",
                many("[for a in [\"${long}${long}\"] : [for long in [\"${a}${a}\"] : ", 30),
                many("]]", 30)
            ),
            LONG,
        ),
        (
            format!(
                "{}a{}",
                many("[for a in [[l, l]] : [for l in [{a = a, b = a}] : ", 30),
                many("]]", 30)
            ),
            LARGE,
        ),
        (format!("[{}1]", many("\"x${1e9999}\", ", 1000)), LONG),
    ] {
        let json = json(&interpolated(&expression));
        let long = many("x", 100_000);
        let arena = Arena::new();
        let list = Value::tuple(&arena, &[Value::bool(true); 10]);
        let variables = [("l", list), ("long", Value::string(&arena, &long))];
        let scope = Scope::new()
            .with_variables(&variables)
            .with_budget(Budget::DEFAULT.with_steps(100_000));
        let (value, told) = outcome(&arena, &json, &scope);
        let codes: Vec<_> = told.iter().map(|(code, _)| code.as_str()).collect();
        let expected: (_, &[_]) = match code {
            "" => ("true", &[]),
            code => ("?", &[code]),
        };
        assert_eq!((value.as_str(), codes.as_slice()), expected, "{expression:.40}");
    }
}

/// Whatever the budget is, an evaluation ends with what it gives without one, or with one diagnostic.
#[test]
fn every_budget_ends_an_evaluation_cleanly() {
    for expression in [
        "count(1, [number, text]...)",
        "first(\"1\", \"${text}b\")",
        "[for i, x in list : \"${i}${x}\" if x > 1]",
        "{for x in strings : x => [x, objects[*].a]...}",
        "u_bool ? [list, partly] : [list, list]",
        "\"%{for x in list}${x} of the elements, %{endfor}${number + 1.5 == 6 ? text : \"\"}\"",
        "try(nope, count(fail(text), set...), \"a${1}\")",
        "[secret_list[*], -number * 2, !u_bool, {(text) = 1}]",
    ] {
        let json = json(&interpolated(expression));
        let result = |budget: Budget| {
            let arena = Arena::new();
            let variables = variables(&arena);
            let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
            outcome(&arena, &json, &scope.with_budget(budget))
        };
        let whole = result(Budget::DEFAULT);
        assert_ne!(whole.0, "?", "{expression}");
        let check = |code: &str, results: &mut dyn Iterator<Item = Outcome>| {
            let ended = ("?".to_owned(), vec![(code.to_owned(), interpolated(expression))]);
            let results: Vec<Outcome> = results.collect();
            let enough = results.iter().position(|result| *result != ended).unwrap();
            assert!(enough > 0, "{expression}: {:?}", results[0]);
            let differs = results[enough..].iter().find(|result| **result != whole);
            assert_eq!(differs, None, "{expression}");
        };
        let steps = &mut (0..200).map(|steps| result(Budget::DEFAULT.with_steps(steps)));
        check("evaluation-too-long", steps);
        let bytes = &mut (0..400).map(|bytes| result(Budget::DEFAULT.with_bytes(16 * bytes)));
        check("evaluation-too-large", bytes);
    }
}

#[test]
fn variables_need_no_order() {
    let arena = Arena::new();
    let value = |text| Value::string(&arena, text);
    let sorted = [("a", value("1")), ("b", value("2")), ("c", value("3"))];
    let unsorted = [("c", value("3")), ("a", value("1")), ("b", value("2")), ("a", value("4"))];
    for variables in [&sorted[..], &unsorted[..]] {
        let scope = Scope::new().with_variables(variables);
        let source = Source::from_bytes(&arena, "x", b"\"${a}${b}${c}\"").unwrap();
        let mut diagnostics = Vec::new();
        let found =
            Native::expression(&arena, source, &mut diagnostics).value(&scope, &mut diagnostics);
        assert_eq!((found.as_str(), diagnostics.len()), (Some("123"), 0));
    }
}

#[test]
fn only_what_has_parts_has_parts() {
    let arena = Arena::new();
    let list = Value::tuple(&arena, &[Value::bool(true)]);
    assert_eq!(list.as_elements().map(<[_]>::len), Some(1));
    assert!(list.as_entries().is_none());
    for value in [Value::bool(true), Value::string(&arena, "a"), Value::dynamic()] {
        assert!(value.as_elements().is_none() && value.as_entries().is_none());
    }
    assert_eq!(Value::object(&arena, &[]).as_entries().map(<[_]>::len), Some(0));
}

/// A function whose name, parameters and message come from data that was read when the program ran.
struct Defined<'s> {
    name: String,
    parameters: Vec<Parameter<'s>>,
    prefix: String,
}

struct DefinedFunctions<'s>(Vec<Defined<'s>>);

impl Functions for DefinedFunctions<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        self.0.iter().find(|function| function.name == name).map(|function| function as _)
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|function| function.name.as_str()).collect()
    }
}

impl Function for Defined<'_> {
    fn signature(&self) -> Signature<'_> {
        Signature::new(&self.parameters)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::String)
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let parts: Vec<_> = arguments.iter().map(|argument| argument.ty().to_string()).collect();
        Ok(Value::string(arena, arena.str(&format!("{}{}", self.prefix, parts.join(", ")))))
    }
}

/// Functions may borrow all that they consist of from data that lives no longer than they do, their types too.
#[test]
fn functions_defined_at_run_time() {
    let evaluate = |arena: &Arena, expression: &str| {
        let types = Arena::new();
        let pair = Type::tuple_of(&types, &[Type::Number, Type::String]);
        let names = ["items".to_owned(), "count".to_owned()];
        let functions = DefinedFunctions(vec![Defined {
            name: "describe".to_owned(),
            parameters: vec![
                Parameter::new(&names[0], pair),
                Parameter::new(&names[1], Type::list_of(&types, Type::Number)),
            ],
            prefix: "got ".to_owned(),
        }]);
        outcome(
            arena,
            arena.str(&json(&interpolated(expression))),
            &Scope::new().with_functions(&functions),
        )
    };
    let arena = Arena::new();
    let (value, told) = evaluate(&arena, r#"describe(["1", 2], ["3"])"#);
    assert_eq!((value.as_str(), told.len()), (r#""got tuple, list of number""#, 0));
    let (_, told) = evaluate(&arena, r#"describe(["1", 2], ["x"])"#);
    assert_eq!(told, [("invalid-argument".to_owned(), r#"["x"]"#.to_owned())]);
    let (_, told) = evaluate(&arena, r#"describe(["1", 2])"#);
    assert_eq!(told, [("too-few-arguments".to_owned(), ")".to_owned())]);
}

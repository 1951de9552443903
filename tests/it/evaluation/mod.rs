//! Expressions in a scope with variables of every kind: values and diagnostics.
//!
//! Values are written as [`notation`](crate::notation) writes them, diagnostics as their code and
//! the text that they point at.

#![allow(missing_docs)]

mod collections;
mod limits;
mod operators;

use simd_hcl::evaluate::{Budget, Function, FunctionError, Functions, Parameter, Scope, Signature};
use simd_hcl::native::Native;
use simd_hcl::value::{AttributeType, ElementType, Marks, Number, PartTypes, Type, Value};
use simd_hcl::{Arena, Diagnostic, Document, Sink, Source};

use crate::notation::show;

/// A value, and diagnostics: codes, and the texts at their positions.
type Outcome = (String, Vec<(String, String)>);

const PAIR: Type<'static> = Type::Tuple(&PartTypes::of_tuple(&[Type::Number, Type::String]));
const OBJECT: Type<'static> = Type::Object(&PartTypes::of_object(&[AttributeType {
    name: "a",
    ty: Type::Number,
    optional: false,
}]));
const OBJECTS: Type<'static> = Type::List(&ElementType::new(OBJECT));

/// Evaluates an expression with the variables and functions of this file.
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
/// An expression, its value, and the codes and places of its diagnostics.
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

/// Functions that show how the evaluator treats arguments.
struct TestFunctions;

struct TestFunction {
    name: &'static str,
    signature: Signature<'static>,
}

static FUNCTIONS: &[TestFunction] = &[
    TestFunction {
        name: "count",
        signature: Signature::new(&[])
            .with_variadic(Parameter::new("values", Type::Dynamic).with_null().with_dynamic()),
    },
    TestFunction {
        name: "fail",
        signature: Signature::new(&[Parameter::new("text", Type::String)]),
    },
    TestFunction {
        name: "first",
        signature: Signature::new(&[
            Parameter::new("one", Type::Number),
            Parameter::new("other", Type::String).with_null(),
        ]),
    },
    TestFunction {
        name: "pair",
        signature: Signature::new(&[
            Parameter::new("one", Type::Dynamic),
            Parameter::new("other", Type::Dynamic),
        ]),
    },
    TestFunction {
        name: "provider::here::known",
        signature: Signature::new(&[Parameter::new("any", Type::Dynamic)
            .with_null()
            .with_unknown()
            .with_dynamic()
            .with_marked()]),
    },
    TestFunction {
        name: "refuse",
        signature: Signature::new(&[Parameter::new("text", Type::String)])
            .with_variadic(Parameter::new("more", Type::Number)),
    },
    TestFunction {
        name: "try",
        signature: Signature::new(&[]).with_variadic(
            Parameter::new("values", Type::Dynamic)
                .with_null()
                .with_unknown()
                .with_dynamic()
                .with_marked(),
        ),
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
            "fail" => return Err(FunctionError::new("it fails")),
            _ => {
                let last = arguments.len() - 1;
                return Err(FunctionError::of_argument(last, "it is refused"));
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
        let error = FunctionError::new("nothing succeeded");
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
        // A `for` expression defines its own variables.
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
        ("objecs", "No variable is named \"objecs\". Did you mean \"object\"?"),
        ("zzzzzz", "No variable is named \"zzzzzz\"."),
        (
            "[for eleven in [1] : elevn][0]",
            "No variable is named \"elevn\". Did you mean \"eleven\"?",
        ),
        ("frst()", "No function is named \"frst\". Did you mean \"first\"?"),
        (
            "provider::here::knwn()",
            "No function is named \"provider::here::knwn\". Did you mean \"provider::here::known\"?",
        ),
        ("a::b()", "No function is named \"a::b\". The namespace \"a\" has no functions."),
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
    let details: Vec<_> = diagnostics.iter().map(Diagnostic::message).collect();
    assert_eq!(details, [detail], "{expression}");
}

#[test]
fn how_many_arguments_a_function_takes() {
    for (expression, detail) in [
        ("fail()", "The function \"fail\" takes 1 argument, but \"text\" is missing."),
        ("first(1)", "The function \"first\" takes 2 arguments, but \"other\" is missing."),
        ("first(1, 2, 3)", "The function \"first\" takes only 2 arguments."),
        ("refuse()", "The function \"refuse\" takes at least 1 argument, but \"text\" is missing."),
    ] {
        check_detail(expression, detail);
    }
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
        // If an argument without conversion has an unknown type, nothing is known about the result
        // and the other arguments.
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

/// A function whose name, parameters and message are defined at run time.
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

/// Functions may borrow all their parts, including types, from data that lives only as long as they
/// do.
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

//! No diagnostic has a byte of a value that is sensitive or ephemeral: every function is called by
//! its signature, and every operator and construct that can fail is evaluated, with such values.

use std::fs;

use simd_hcl::evaluate::{Function, Functions, Scope};
use simd_hcl::functions::{Environment, Folder, standard};
use simd_hcl::native::Native;
use simd_hcl::value::{Marks, Type, Value, convert};
use simd_hcl::{Arena, Diagnostic, Expression, Source};

/// The secret, as a text and as a number. Nothing else in a test has them.
const SECRET: &str = "Tr0ub4dor";
const NUMBER: &str = "73313";

/// The mark of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marking {
    Nothing,
    Sensitive,
    Ephemeral,
    /// Only the parts of a container.
    Partly,
}

const SECRETLY: [Marking; 3] = [Marking::Sensitive, Marking::Ephemeral, Marking::Partly];

impl Marking {
    /// The value of an expression that has the secret in it.
    fn of<'a>(self, arena: &'a Arena, text: &str) -> Value<'a> {
        let value = value(arena, text);
        match self {
            Self::Nothing => value,
            Self::Sensitive => value.with_marks(Marks::SENSITIVE),
            Self::Ephemeral => value.with_marks(Marks::EPHEMERAL),
            Self::Partly => partly(arena, value),
        }
    }
}

/// Marks the parts that have the secret: scalars, and objects with the secret in their names, as
/// `{ (secret) = 1 }` is marked.
fn partly<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    if let Some(elements) = value.as_elements() {
        let elements: Vec<_> = elements.iter().map(|&element| partly(arena, element)).collect();
        return match value.ty() {
            Type::Tuple(_) => Value::tuple(arena, &elements),
            ty => convert(arena, Value::tuple(arena, &elements), ty).unwrap(),
        };
    }
    if let Some(entries) = value.as_entries() {
        let is_named = entries.iter().any(|(name, _)| name.contains(SECRET));
        let entries: Vec<_> =
            entries.iter().map(|&(name, value)| (name, partly(arena, value))).collect();
        let made = Value::object(arena, &entries);
        let made = convert(arena, made, value.ty()).unwrap();
        return if is_named { made.with_marks(Marks::SENSITIVE) } else { made };
    }
    value.with_marks(Marks::SENSITIVE)
}

fn scope_value<'a>(
    arena: &'a Arena,
    text: &str,
    variables: &[(&'a str, Value<'a>)],
    functions: &dyn Functions,
) -> (Value<'a>, Vec<Diagnostic<'a>>) {
    let source = Source::from_bytes(arena, "expression", arena.str(text).as_bytes()).unwrap();
    let mut found = Vec::new();
    let native = Native::expression(arena, source, &mut found);
    assert!(found.is_empty(), "{text}: {found:?}");
    let scope = Scope::new().with_variables(variables).with_functions(functions);
    let value = Expression::from_native(native).value(&scope, &mut found);
    (value, found)
}

fn value<'a>(arena: &'a Arena, text: &str) -> Value<'a> {
    scope_value(arena, text, &[], &standard()).0
}

/// Everything that a diagnostic says.
fn said(found: &[Diagnostic<'_>]) -> String {
    let mut all = String::new();
    for diagnostic in found {
        all.push_str(diagnostic.summary());
        all.push_str(&diagnostic.message());
        diagnostic.related().iter().for_each(|related| all.push_str(related.message));
    }
    all
}

fn is_told(said: &str) -> bool {
    said.contains(SECRET) || said.contains(NUMBER)
}

/// Values of a type that have the secret in them, and make functions fail.
fn secret_values(ty: Type<'_>) -> Vec<String> {
    let texts = [
        "Tr0ub4dor",
        "%Tr0ub4dor",
        "%d Tr0ub4dor %d %d",
        "Tr0ub4dor,Tr0ub4dor\\n1,2",
        "a\\nTr0ub4dor\\\"b",
        "a: *Tr0ub4dor",
        "a: !Tr0ub4dor x",
        "a: !!int Tr0ub4dor",
        "a: &Tr0ub4dor [*Tr0ub4dor]",
        "a: {Tr0ub4dor: [}",
        "{\\\"Tr0ub4dor\\\": 1, x}",
        "10.0.0.0/Tr0ub4dor",
        "2020-01-01T00:00:00Tr0ub4dor",
        "(?<Tr0ub4dor",
        "/(?P<Tr0ub4dor>/",
        "[[:Tr0ub4dor:]]",
        "$${Tr0ub4dor.x}",
        "$${upper(Tr0ub4dor}",
        "$${lookup({}, \\\"Tr0ub4dor\\\")}",
        "$${cidrhost(a, 1)}Tr0ub4dor",
        "~Tr0ub4dor",
        "Tr0ub4dor/*",
        "[Tr0ub4dor",
        "t.tpl/Tr0ub4dor",
    ];
    let texts = texts.iter().map(|text| format!("\"{text}\""));
    let numbers = ["73313", "-73313", "73313.5", "1e73313"].iter().map(|it| (*it).to_owned());
    let lists = ["[\"Tr0ub4dor\", \"Tr0ub4dor\"]", "[73313, {}]", "[[\"Tr0ub4dor\"], 1]"];
    let maps = [
        "{ Tr0ub4dor = 1 }",
        "{ Tr0ub4dor = [1], b = {} }",
        "{ a = \"Tr0ub4dor\" }",
        "{ a = { Tr0ub4dor = {} }, b = 1 }",
    ];
    let collections = || lists.iter().chain(&maps).map(|text| (*text).to_owned());
    match ty {
        Type::String => texts.chain(numbers).collect(),
        Type::Number => numbers.chain(texts.take(1)).collect(),
        Type::Bool => texts.take(1).collect(),
        Type::Dynamic => texts.chain(numbers).chain(collections()).collect(),
        _ => collections().collect(),
    }
}

/// Values of a type for the other arguments.
fn plain_values(ty: Type<'_>) -> &'static [&'static str] {
    match ty {
        Type::String => &["\"10.0.0.0/8\"", "\"%d\"", "\"2020-01-01T00:00:00Z\"", "\"t.tpl\""],
        Type::Number => &["1", "33"],
        Type::Bool => &["true"],
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => &["[\"a\"]"],
        Type::Map(_) | Type::Object(_) => &["{ a = \"b\" }"],
        Type::Dynamic => &["[\"a\"]", "{ a = 1 }", "\"a\"", "1"],
    }
}

/// A folder with templates that fail in different ways.
fn folder() -> (tempfile::TempDir, Folder) {
    let directory = tempfile::tempdir().unwrap();
    let template = "${lookup({ a = 1 }, n)} ${cidrhost(n, 1)} ${n.foo} %{ for x in n }%{ endfor }";
    fs::write(directory.path().join("t.tpl"), template).unwrap();
    fs::write(directory.path().join("Tr0ub4dor.tpl"), "x ${n").unwrap();
    let folder = Folder::new(directory.path()).unwrap();
    (directory, folder)
}

/// The arguments of calls of a function: one of them is the variable `it`, the others are plain.
fn calls(name: &str, function: &dyn Function) -> Vec<(String, String)> {
    let signature = function.signature();
    let least = signature.parameters.len();
    let most = least + if signature.variadic.is_some() { 2 } else { 0 };
    let mut all = Vec::new();
    for count in least..=most {
        for place in 0..count {
            let ty = |at| signature.parameter(at).map_or(Type::Dynamic, |it| it.ty);
            let kinds = (0..4).map(|kind| {
                let argument = |at| match at == place {
                    true => "it",
                    false => plain_values(ty(at)).get(kind).copied().unwrap_or("\"a\""),
                };
                let arguments: Vec<_> = (0..count).map(argument).collect();
                format!("{name}({})", arguments.join(", "))
            });
            let kinds: std::collections::BTreeSet<_> = kinds.collect();
            for text in secret_values(ty(place)) {
                all.extend(kinds.iter().map(|call| (call.clone(), text.clone())));
            }
        }
    }
    all
}

#[test]
fn no_function_tells_a_secret() {
    let (_directory, folder) = folder();
    let environment = Environment::new().with_files(&folder);
    let mut telling = std::collections::BTreeSet::new();
    let mut arena = Arena::new();
    let names: Vec<String> = environment.names().into_iter().map(str::to_owned).collect();
    for name in &names {
        let calls = calls(name, environment.get(name).unwrap());
        for (call, text) in calls {
            arena.reset();
            let said = |marking: Marking, call: &str| {
                let it = marking.of(&arena, &text);
                said(&scope_value(&arena, call, &[("it", it)], &environment).1)
            };
            let is_telling = is_told(&said(Marking::Nothing, &call));
            if is_telling {
                telling.insert(name.clone());
            }
            for marking in SECRETLY.into_iter().take(if is_telling { 3 } else { 1 }) {
                let said = said(marking, &call);
                assert!(!is_told(&said), "{marking:?} {call} with {text}: {said}");
            }
            // The elements of a marked collection do not have its marks.
            if !is_telling {
                continue;
            }
            let inside = format!("[for it in [it] : {call}]");
            let said = said(Marking::Sensitive, &inside);
            assert!(!is_told(&said), "{inside} with {text}: {said}");
        }
    }
    // Otherwise the test shows nothing.
    for name in
        ["cidrhost", "lookup", "parseint", "templatefile", "timeadd", "transpose", "yamldecode"]
    {
        assert!(telling.contains(name), "{name} quotes its arguments: {telling:?}");
    }
    assert!(telling.len() > 20, "{telling:?}");
}

/// Expressions that fail or may fail; `s` is a string, `n` a number, `l` a tuple, `o` an object and
/// `m` a map.
const CONSTRUCTS: &[&str] = &[
    "-s",
    "!s",
    "-o",
    "s + 1",
    "1 - s",
    "n / 0",
    "s * o",
    "n % o",
    "s < 1",
    "o >= n",
    "s && true",
    "o || s",
    "s ? 1 : 2",
    "o ? 1 : 2",
    "n > 1 ? o : l",
    "true ? o : m",
    "true ? o : { a = 1 }",
    "false ? { a = 1 } : o",
    "true ? { a = o } : { a = [1] }",
    "true ? m : { a = true }",
    "null ? s : o",
    "s.foo",
    "n.foo",
    "o.foo",
    "o.foo.bar",
    "m.foo",
    "l.foo",
    "l[s]",
    "l[n]",
    "l[o]",
    "m[s].x",
    "{ a = 1 }[s]",
    "[1][n]",
    "o[s].x",
    "o[n]",
    "s[0]",
    "s[o]",
    "toset(l)[s]",
    "l[*].foo",
    "o[*].foo",
    "m[*].foo",
    "l.*.foo",
    "[for x in s : x]",
    "[for x in n : x]",
    "[for x in l : x.foo]",
    "[for k, v in m : k.foo]",
    "[for k, v in m : cidrhost(k, 1)]",
    "[for k, v in o : lookup({}, k)]",
    "[for x in l : x if s]",
    "[for x in l : x if x]",
    "{ for x in l : s => x }",
    "{ for x in l : x => 1 }",
    "{ for x in [1, 2] : s => x }",
    "{ for x in [s, s] : x => 1 }",
    "{ for k, v in m : \"a\" => k }",
    "{ for k, v in m : substr(k, 0, 0) => v }",
    "{ for x in l : o => x }",
    "[for x in [m] : { for y in [1, 2] : keys(x)[0] => y }]",
    "[for x in [o] : [for y in keys(x) : timeadd(y, \"1h\")]]",
    "{ (o) = 1 }",
    "{ (l) = 1 }",
    "{ (s) = s.foo }",
    "\"${o}\"",
    "\"a${l}b\"",
    "\"${m}${s}\"",
    "\"%{ if s }a%{ endif }\"",
    "\"%{ for x in s }a%{ endfor }\"",
    "\"%{ for x in l }${cidrhost(x, 1)}%{ endfor }\"",
    "\"%{ for x in [l] }${x}%{ endfor }\"",
    "max(l...)",
    "max(s...)",
    "max(o...)",
    "merge(l...)",
    "tomap(o).x",
    "tolist(l)",
    "tonumber(s)",
    "tobool(s)",
    "tobool(upper(\"${substr(s, 0, 0)}True\"))",
    "tomap({ (s) = 1, b = [] })",
    "toset([o, 1])",
    "convert({ (s) = 1 }, map(bool))",
    "convert(o, object({ z = string }))",
    "convert({ (s) = [1] }, map(number))",
    "coalesce(o, s)",
    "cidrhost(\"${s}/8\", 1)",
    "formatdate(\"a ${s}\", \"2020-01-01T00:00:00Z\")",
    "templatestring(s, o)",
    "templatestring(\"$${a.b}\", { a = s })",
    "templatestring(\"$${cidrhost(a, 1)}\", { a = s })",
    "templatestring(\"$${a}\", { (s) = 1 })",
    "templatestring(\"$${x}\", { (s) = 1, y = 2 })",
    "nosuch(s)",
    "upper(s, s)",
    "try(s.foo, o.foo)",
    "can(s.foo) ? s.foo : o.foo",
];

#[test]
fn no_construct_tells_a_secret() {
    let arena = Arena::new();
    let environment = Environment::new();
    let mut telling = 0;
    for construct in CONSTRUCTS {
        for marking in [Marking::Nothing].into_iter().chain(SECRETLY) {
            let of = |text: &str| marking.of(&arena, text);
            let variables = [
                ("l", of("[\"Tr0ub4dor\", \"Tr0ub4dor\", 73313]")),
                ("m", of("tomap({ Tr0ub4dor = \"Tr0ub4dor\", Tr0ub4dor2 = \"73313\" })")),
                ("n", of("73313")),
                ("o", of("{ Tr0ub4dor = \"Tr0ub4dor\", b = { Tr0ub4dor = [73313] } }")),
                ("s", of("\"Tr0ub4dor\"")),
            ];
            let said = said(&scope_value(&arena, construct, &variables, &environment).1);
            match marking {
                Marking::Nothing => telling += usize::from(is_told(&said)),
                _ => assert!(!is_told(&said), "{marking:?} {construct}: {said}"),
            }
        }
    }
    assert!(telling > 10, "only {telling} of the expressions quote a value");
}

/// JSON has templates in names of members.
#[test]
fn no_name_in_json_tells_a_secret() {
    let arena = Arena::new();
    let json = br#"{"${s}": 1, "${s}": 2, "${o}": 3}"#;
    let document = simd_hcl::Document::parse_bytes(&arena, "a.json", json).unwrap();
    for marking in [Marking::Nothing].into_iter().chain(SECRETLY) {
        let s = marking.of(&arena, "\"Tr0ub4dor\"");
        let o = marking.of(&arena, "{ Tr0ub4dor = 1 }");
        let variables = [("o", o), ("s", s)];
        let scope = Scope::new().with_variables(&variables);
        let mut found = Vec::new();
        let _ = Expression::from_json(document.root()).value(&scope, &mut found);
        assert!(!found.is_empty());
        assert_eq!(is_told(&said(&found)), marking == Marking::Nothing, "{marking:?}");
    }
}

#[test]
fn display_hides_secrets() {
    let arena = Arena::new();
    let secret = Value::string(&arena, SECRET);
    for (marks, text) in [
        (Marks::SENSITIVE, "(sensitive value)"),
        (Marks::EPHEMERAL, "(ephemeral value)"),
        (Marks::SENSITIVE.with(Marks::EPHEMERAL), "(sensitive value)"),
    ] {
        assert_eq!(secret.with_marks(marks).to_string(), text);
        assert!(marks.hides());
    }
    assert!(!Marks::NONE.hides() && !Marks::custom(0).unwrap().hides());
}

//! The functions of OpenTofu: results compared with those of Terraform, and limits.
//!
//! `corpus/conformance/functions/*.jsonl` has one case per line. `make.py` there gets the results
//! from Terraform. The cases in `opentofu.jsonl`, whose functions Terraform lacks, follow
//! OpenTofu's documentation.

use std::fs;
use std::path::Path;

use simd_hcl::body::Attribute;
use simd_hcl::evaluate::{Functions, Scope};
use simd_hcl::value::{self, Marks, Value};
use simd_hcl::{Arena, Diagnostic, Document, Severity, functions};

/// Intended differences: the expression, our result as JSON (`None`: an error), and the reason.
const DIFFERENT: &[(&str, Option<&str>, &str)] = &[
    (r#"cidrhost("::ffff:10.0.0.0/104", 1)"#, Some(r#""10.0.0.1""#), MAPPED),
    (r#"cidrhost("::ffff:0:0/96", 5)"#, Some(r#""0.0.0.5""#), MAPPED),
    (r#"cidrnetmask("::ffff:1.2.3.4/120")"#, None, MAPPED),
    (r#"cidrhost("2001:db8::/32", 79228162514264337593543950336)"#, None, OUTSIDE),
    (r#"cidrsubnet("10.1.2.0/24", 4, -1)"#, None, OUTSIDE),
    (r#"cidrsubnet("fd00::/8", 64, 18446744073709551616)"#, None, OUTSIDE),
    (r#"cidrsubnet("10.0.0.0/8", -1, 0)"#, None, OUTSIDE),
    (
        r#"jsondecode("{\"e\\u0301\": 1}")"#,
        Some(r#"{"é":1}"#),
        "names of attributes are normalized",
    ),
    (r#"textencodebase64("é", "cp437")"#, None, CODE_PAGE),
    (r#"textencodebase64("é", "IBM437")"#, None, CODE_PAGE),
    (r#"textencodebase64("é", "IBM850")"#, None, CODE_PAGE),
    (r#"cidrsubnets("fd00::/8", 33)"#, Some(r#"["fd00::/41"]"#), RECENT),
    ("contains([null], null)", Some("unknown"), RECENT),
    ("pow(1.5, 2.5)", Some("2.7556759606310752"), "logarithms differ in the last digit"),
];

const RECENT: &str = "OpenTofu 1.13 accepts it";
const MAPPED: &str = "Terraform calculates with half of an IPv4 address mapped into IPv6";
const OUTSIDE: &str = "Terraform gives an address outside of the prefix";
const CODE_PAGE: &str = "code pages of DOS are not supported";

/// Returns the value of an expression, or its error.
fn evaluate<'a>(arena: &'a Arena, expression: &str) -> Result<Value<'a>, Diagnostic<'a>> {
    let text = serde_json::json!({ "result": format!("${{{expression}}}") }).to_string();
    let source = simd_hcl::Source::read_from(arena, "case.tf.json", text.as_bytes()).unwrap();
    let document = Document::parse(arena, source).unwrap();
    let mut diagnostics = Vec::new();
    let attributes: &[Attribute<'a>] = document.body().just_attributes(&mut diagnostics);
    let standard = functions::standard();
    let scope = Scope::new().with_variables(&[]).with_functions(&standard);
    let value = attributes[0].expression().value(&scope, &mut diagnostics);
    match diagnostics.into_iter().find(|diagnostic| diagnostic.severity() == Severity::Error) {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(value),
    }
}

/// Returns the JSON of a value, written by `jsonencode`.
fn json<'a>(arena: &'a Arena, value: Value<'a>) -> String {
    let encode = functions::standard();
    let encode = encode.get("jsonencode").unwrap();
    encode.call(arena, &[value]).map_or_else(
        |error| format!("{error:?}"),
        |text| text.as_str().unwrap_or("unknown").to_owned(),
    )
}

#[test]
fn results_are_those_of_terraform() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/functions");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let mut cases = 0;
    let mut wrong = Vec::new();
    let mut different = 0;
    for file in files {
        for line in fs::read_to_string(file).unwrap().lines() {
            cases += 1;
            let arena = Arena::new();
            let source = simd_hcl::Source::read_from(&arena, "case.json", line.as_bytes()).unwrap();
            let case = Document::parse(&arena, source).unwrap().root().as_object().unwrap();
            let expression = case.get("expression").unwrap().to_str().unwrap();
            let result = evaluate(&arena, expression);
            let deviation = DIFFERENT.iter().find(|(known, ..)| *known == expression);
            let right = if let Some((_, ours, _)) = deviation {
                different += 1;
                match (ours, &result) {
                    (None, Err(_)) => true,
                    (Some(ours), Ok(value)) => json(&arena, *value) == *ours,
                    _ => false,
                }
            } else if case.get("error").is_some() {
                result.is_err()
            } else if case.get("infinite").is_some() {
                // Calls with such a result are errors; conversions are not.
                result.as_ref().map_or(true, |value| {
                    value.as_number().is_some_and(|n| n.to_f64_lossy().is_infinite())
                })
            } else {
                let ty = value::type_from_node(&arena, case.get("type").unwrap()).unwrap();
                let wanted = value::from_node_as(&arena, case.get("value").unwrap(), ty).unwrap();
                // A plan loses the type of null and the sign of zero.
                result.as_ref().is_ok_and(|&value| {
                    let value = value.unmark_deep(&arena).0;
                    // Numbers are compared by their text: a float has fewer bits than the literal.
                    (value.is_null() && wanted.is_null())
                        || value::raw_equals(value, wanted)
                        || (value.ty() == wanted.ty()
                            && json(&arena, value) == json(&arena, wanted))
                })
            };
            if !right {
                let ours = match result {
                    Ok(value) => format!("{} : {}", json(&arena, value), value.ty()),
                    Err(diagnostic) => format!("{diagnostic:?}"),
                };
                wrong.push(format!("{line}\n    ours: {ours}"));
            }
        }
    }
    assert!(cases > 1500, "{cases} cases");
    assert_eq!(different, DIFFERENT.len(), "every difference is a case");
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Calls that need too much memory or time are errors, and so are invalid arguments.
#[test]
fn limits_hold() {
    for expression in [
        "range(1e30)",
        "range(0, 1, 1e-30)",
        r#"format("%9999999999d", 1)"#,
        r#"format("%.9999999999f", 1)"#,
        r#"format("%1000001s", "")"#,
        r#"format("%[99999999999999999999]s", "")"#,
        "setproduct(range(1000), range(1000), range(1000))",
        r#"indent(1e9, "a\nb\nc")"#,
        r#"indent(9223372036854775807, "a\nb\nc")"#,
        r#"parseint(join("", formatlist("%s", [for i in range(1000) : "1234567890"])), 10)"#,
        r#"regex("(((a{10}){10}){10}){10}", "a")"#,
        r#"regex("\\pL{1000}\\pL{1000}\\pL{1000}\\pL{1000}\\pL{1000}\\pL{1000}", "a")"#,
        r#"replace(format("%1000000s", ""), "", format("%1000000s", ""))"#,
        r#"cidrsubnet("10.0.0.0/8", 1e30, 0)"#,
        r#"cidrhost("10.0.0.0/8", 1e300)"#,
        r#"substr("abc", 1e30, 1)"#,
        r#"element(["a"], 1e30)"#,
        r#"format("%x", 1e100000)"#,
        r#"jsondecode("1e1000000000")"#,
        "chunklist([1], 1e30)",
        r#"yamldecode(join("", [for i in range(1000) : "[[[[[[[[[[[["]))"#,
        r#"yamldecode(join("", [for i in range(1000) : "- - - - - - - - - - - - "]))"#,
        r#"yamlencode(yamldecode(join("", concat(["0: &a0 x\n"], [for i in range(60) : "${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n"]))))"#,
        r#"yamldecode("a: &a [*a]")"#,
        r#"yamldecode("a: 1\n--- b")"#,
    ] {
        let arena = Arena::new();
        let result = evaluate(&arena, expression);
        assert!(result.is_err(), "{expression}: {}", json(&arena, result.unwrap()));
    }
}

/// Functions return a result or an error for any arguments, even those that an evaluator would not
/// pass.
#[test]
fn nothing_panics() {
    let arena = Arena::new();
    let texts =
        ["null", "\"\"", "\"%\"", "\"a\"", "\"1\"", "-1", "0", "1.5", "1e300", "true", "[]", "{}"];
    let more =
        ["[1,\"a\"]", "{\"a\":1}", "\"10.0.0.0/8\"", "\"(\"", "\"2020-01-01T00:00:00Z\"", "\"'\""];
    let mut values: Vec<Value<'_>> = Vec::new();
    for text in texts.iter().chain(&more) {
        let source = simd_hcl::Source::read_from(&arena, "value", text.as_bytes()).unwrap();
        let node = Document::parse(&arena, source).unwrap().root();
        values.push(value::from_node(&arena, node).unwrap());
    }
    values.push(Value::dynamic());
    values.push(Value::unknown(value::Type::String));
    let standard = functions::standard();
    let mut calls = 0;
    for name in standard.names() {
        let function = standard.get(name).unwrap();
        let mut call = |arguments: &[Value<'_>]| {
            calls += 1;
            let _ = function.result_type(&arena, arguments);
            let _ = function.call(&arena, arguments);
        };
        call(&[]);
        for &first in &values {
            call(&[first]);
            for &second in &values {
                call(&[first, second]);
                call(&[first, second, first]);
                call(&[first, second, second]);
            }
        }
    }
    assert!(calls > 100_000, "{calls} calls");
}

/// The page lists exactly the included functions as included.
#[test]
fn documentation_is_complete() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/functions.md"))
        .unwrap();
    let arena = Arena::new();
    let standard = functions::standard();
    let environment = functions::Environment::new();
    let mut documented = Vec::new();
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let Some((name, rest)) = row.split_once("` | ") else { continue };
        // Functions of the console and of providers.
        if ["type", "provider::…"].contains(&name) {
            continue;
        }
        let is_in = rest.starts_with("in |");
        let is_outside = rest.starts_with("outside |");
        assert!(is_in || is_outside || rest.starts_with("out |"), "{name}");
        documented.push(name);
        let outside = environment.get(name).unwrap();
        let least = outside.signature().parameters.len();
        let found = outside.call(&arena, &vec![Value::string(&arena, "a"); least]);
        if is_outside && name != "templatestring" {
            // Nothing can be read.
            let is_unknown = found.is_ok_and(|value| !value.is_known() || name == "pathexpand");
            assert!(is_unknown, "{name}");
        }
        // An excluded function has parameters, but never a result.
        let function = standard.get(name).unwrap_or_else(|| panic!("{name} is not known"));
        if !is_in {
            let least = function.signature().parameters.len();
            let arguments = vec![Value::string(&arena, "a"); least];
            let error = function.call(&arena, &arguments).unwrap_err();
            let message = error.message.shown(Marks::NONE);
            let is_told = message.ends_with(", so it has no value here")
                || message.contains("been removed from the language");
            assert!(is_told, "{name}: {message}");
        }
    }
    documented.sort_unstable();
    assert_eq!(documented, standard.names());
}

/// Differences from Packer 1.6.6: the start of the call, and the reason.
const OF_PACKER: [(&str, &str); 19] = [
    ("cidrsubnets(", "its library knows no more than 32 new bits"),
    ("contains(", "its library takes no null"),
    ("replace(", "Packer replaces texts only, no regular expressions"),
    ("formatdate(", "its library ends a date at the first quote, and takes invalid dates"),
    ("ceil(", "it rounds within 64 bits"),
    ("floor(", "it rounds within 64 bits"),
    ("format(", "its library fills numbers with spaces"),
    ("cidrhost(", "its library knows no leading zeros and no numbers beyond 64 bits"),
    ("cidrnetmask(", "its library knows no leading zeros, and masks of IPv6"),
    ("cidrsubnet(", "its library knows no leading zeros and no more than 32 new bits"),
    ("element(", "its library counts from the start only, and takes no null"),
    ("index(", "Packer's function looks up a key: collection[key]"),
    ("lookup(", "Packer's function needs a default, and takes no null"),
    ("merge(", "Packer's function needs a map"),
    ("setintersection(", "its library makes no sets of tuples"),
    ("setunion(", "its library makes no sets of tuples"),
    ("pow(", "logarithms differ in the last digit"),
    ("try(", "the value was asked for as JSON, and its library has none for null"),
    (
        "json",
        "its library has no JSON for null, and other escapes; of two attributes the last counts",
    ),
];

/// Functions that Packer also has return the same values
/// (`corpus/conformance/packer/functions.jsonl`).
#[test]
fn functions_of_packer_give_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("corpus/conformance/packer/functions.jsonl")).unwrap();
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (mut same, mut unexplained) = (0, Vec::new());
    let mut seen = [false; OF_PACKER.len()];
    for row in table.lines().map(parsed) {
        let expression = row["expression"].as_str().unwrap();
        let arena = Arena::new();
        let ours = evaluate(&arena, expression).ok().map(|value| json(&arena, value));
        // Values without JSON have no value in the table.
        let ours = ours.filter(|text| !text.starts_with("FunctionError"));
        let theirs = row["json"].as_str();
        // Numbers may be too long for the parser, and strings may have other escapes.
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        let is_same = match (ours.as_deref(), theirs) {
            (Some(ours), Some(theirs)) => {
                ours == theirs || value(ours).is_some_and(|ours| value(theirs) == Some(ours))
            }
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        if is_same {
            same += 1;
        } else if let Some(class) =
            OF_PACKER.iter().position(|(call, _)| expression.starts_with(call))
        {
            seen[class] = true;
        } else {
            unexplained.push(format!("{expression}: ours {ours:?}, theirs {theirs:?}"));
        }
    }
    println!("{same} are the same");
    assert!(same > 900, "only {same} are the same");
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    assert!(seen.iter().all(|&seen| seen), "{seen:?}");
}

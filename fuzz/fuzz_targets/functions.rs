//! Random calls of all functions with hostile arguments, within a small budget: never a panic,
//! never more memory than the budget allows, the same answer twice, and a value exactly if nothing
//! is wrong.
//!
//! Each byte of the input is a decision: which function, how many arguments, and which argument out
//! of those that have broken something before, calls inside calls, lists, loops and templates
//! among them.
#![no_main]

use std::fmt::Write as _;

use libfuzzer_sys::fuzz_target;
use simd_hcl::evaluate::{Budget, Functions, Scope};
use simd_hcl::value::{Marks, Type, Value};
use simd_hcl::{Arena, Diagnostic, Document, functions};

/// Arguments, as expressions.
const ARGUMENTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "16",
    "62",
    "1000",
    "1000000",
    "1000001",
    "0.1",
    "-0",
    "1e-999999",
    "1e999999",
    "9223372036854775808",
    "1e400000000",
    "\"\"",
    "\"a\"",
    "\"é\"",
    "\"🏳️‍🌈\"",
    "\"1\"",
    "\"true\"",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[null]",
    "[1, \"a\", true]",
    "[[], [[]]]",
    "{a = 1, b = \"x\"}",
    "{a = {a = {a = 1}}}",
    "toset([1, 2])",
    "tolist([])",
    "tomap({})",
    "\"%d\"",
    "\"%1000000d\"",
    "\"%.1000000f\"",
    "\"%[9]v%\"",
    "\"%#v\"",
    "\"/(a*)*/\"",
    "\"/(?P<x>.)/\"",
    "\"(((((a{10}){10}){10})\"",
    "\"$1$1$1\"",
    "\"[a-\"",
    "\"\\\\pL{100}\"",
    "\"10.0.0.0/8\"",
    "\"::/0\"",
    "\"255.255.255.255/32\"",
    "\"H4sIAAAAAAAA/wMAAAAAAAAAAAA=\"",
    "\"UTF-16LE\"",
    "\"2020-02-30T00:00:00Z\"",
    "\"0000-01-01T00:00:00+23:59\"",
    "\"87600000h\"",
    "\"YYYY-MM-DD'T'hh:mm:ssZ\"",
    "\"a,b\\n1,2\\n\"",
    "\"{\\\"a\\\": [1e999999]}\"",
    "\"%zz%41\"",
    "long",
    "list",
    "map",
    "marked",
    "unknown",
    "open",
    "range(1000)",
    "[for x in range(100) : long]",
    "{for x in range(50) : x => long}",
    "\"${long}${long}\"",
    "list[*].a",
    "[for x in [[list, list]] : [x, x]]",
    "unknown ? list : list",
    "1 / 3",
    "1e300 * 1e300",
    "list...",
    "range(100)...",
];

fuzz_target!(|data: &[u8]| {
    let standard = functions::standard();
    let names = standard.names();
    let mut bytes = data.iter().map(|&byte| usize::from(byte));
    let mut text = String::from("${");
    let mut open = 0;
    // Opens calls and writes arguments, as the bytes say; what is open is closed at the end.
    while let Some(byte) = bytes.next() {
        match byte % 4 {
            0 if open < 8 => {
                let name = bytes.next().unwrap_or(0) * 256 + bytes.next().unwrap_or(0);
                let _ = write!(text, "{}(", names[name % names.len()]);
                open += 1;
                continue;
            }
            1 if open > 0 => {
                text.truncate(text.trim_end_matches(", ").len());
                text.push(')');
                open -= 1;
            }
            _ if open > 0 => text.push_str(ARGUMENTS[bytes.next().unwrap_or(0) % ARGUMENTS.len()]),
            _ => continue,
        }
        text.push_str(if open == 0 { " == " } else { ", " });
    }
    text.truncate(text.trim_end_matches([',', ' ', '=']).len());
    text.push_str(&")".repeat(open));
    text.push('}');
    let json = serde_json::json!({ "x": text }).to_string();

    let evaluate = || {
        let long = "x".repeat(10_000);
        let open = [Type::Dynamic];
        let mut arena = Arena::new();
        let answer = {
            let document = Document::parse_bytes(&arena, "fuzz", json.as_bytes()).unwrap();
            let mut told: Vec<Diagnostic<'_>> = Vec::new();
            let list = Value::tuple(&arena, &[Value::bool(true); 100]);
            let map = Value::map(
                &arena,
                Type::Bool,
                &[("a", Value::bool(true)), ("é", Value::null(Type::Bool))],
            );
            let marked =
                Value::tuple(&arena, &[Value::string(&arena, "a").with_marks(Marks::SENSITIVE); 3]);
            let variables = [
                ("list", list),
                ("long", Value::string(&arena, &long)),
                ("map", map),
                ("marked", marked),
                ("open", Value::unknown(Type::tuple_of(&arena, &open))),
                ("unknown", Value::dynamic()),
            ];
            let scope = Scope::new()
                .with_variables(&variables)
                .with_functions(&standard)
                .with_budget(Budget::new(200_000, 8 << 20));
            let attributes = document.body().just_attributes(&mut told);
            let value = attributes[0].expression().value(&scope, &mut told);
            for diagnostic in &told {
                assert!(diagnostic.span().end as usize <= json.len());
            }
            let codes: Vec<_> = told.iter().map(|it| (it.code(), it.span())).collect();
            assert!(codes.is_empty() || !value.is_wholly_known(), "{value:?} and {told:?}");
            format!("{value:?} {codes:?}")
        };
        assert!(arena.allocated_bytes() < 128 << 20, "{} bytes", arena.allocated_bytes());
        answer
    };
    assert_eq!(evaluate(), evaluate());
});

//! Variables of every type, few enough that expressions often name the right one.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::case::Variable;
use crate::entropy::Entropy;

/// Names of variables. `missing` is not one of them.
pub(crate) const NAMES: &[&str] =
    &["a", "b", "c", "n", "s", "t", "l", "m", "o", "x-y", "é", "missing"];

/// Types by their text, from small to large.
const TYPES: &[&str] = &[
    r#""number""#,
    r#""string""#,
    r#""bool""#,
    r#"["list","string"]"#,
    r#"["list","number"]"#,
    r#"["map","string"]"#,
    r#"["map","number"]"#,
    r#"["set","string"]"#,
    r#"["set","number"]"#,
    r#"["tuple",["number","string"]]"#,
    r#"["tuple",[]]"#,
    r#"["object",{"a":"number","b":"string"}]"#,
    r#"["object",{"a":["list",["object",{"a":"string","b":"bool"}]],"0":"number"}]"#,
    r#"["list",["object",{"a":"number","b":"string"}]]"#,
    r#"["map",["list","number"]]"#,
    r#"["tuple",[["object",{"a":"number"}],["object",{"a":"string"}]]]"#,
    r#"["list",["list","string"]]"#,
    r#""dynamic""#,
];

pub(crate) const STRINGS: &[&str] = &[
    "a",
    "",
    "b",
    "1",
    "0",
    "true",
    "false",
    "2.50",
    "+5",
    ".5",
    "5.",
    "1p3",
    "Inf",
    "-0",
    " 5",
    "0x10",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{feff}",
    "${a}",
    "%{",
    "x y",
    "\n",
    "null",
    "\u{1F468}\u{200D}\u{1F469}",
];

pub(crate) const NUMBERS: &[&str] = &[
    "1",
    "0",
    "2",
    "-1",
    "3",
    "10",
    "1.5",
    "0.1",
    "-0",
    "-0.0",
    "1e2",
    "1E-2",
    "100",
    "12345678901234567890",
    "0.30000000000000004",
    "1e25",
    "9007199254740993",
    "123.4560",
    "5.1",
    "11",
];

pub(crate) fn generate(entropy: &mut impl Entropy) -> BTreeMap<String, Variable> {
    let mut scope = BTreeMap::new();
    for name in &NAMES[..NAMES.len() - 1] {
        if entropy.chance(1, 15) {
            continue;
        }
        // Some names have one type always, so that expressions fit by more than chance.
        let text = match *name {
            "n" => TYPES[0],
            "s" => TYPES[1],
            "t" => TYPES[2],
            "l" => TYPES[3 + entropy.below(2)],
            "m" => TYPES[5],
            "o" => TYPES[11 + entropy.below(2)],
            _ => entropy.pick(TYPES),
        };
        let mut value = String::new();
        write_value(&mut value, &serde_json::from_str(text).unwrap_or_default(), entropy);
        let (Ok(ty), Ok(value)) =
            (RawValue::from_string(text.to_owned()), RawValue::from_string(value))
        else {
            continue;
        };
        let (unknown, sensitive) = (entropy.chance(1, 20), entropy.chance(1, 40));
        scope.insert((*name).to_owned(), Variable { ty, value, unknown, sensitive });
    }
    scope
}

/// A value of a type as JSON.
fn write_value(out: &mut String, ty: &Value, entropy: &mut impl Entropy) {
    if entropy.chance(1, 16) {
        return out.push_str("null");
    }
    let Value::Array(parts) = ty else {
        return match ty.as_str() {
            Some("number") => out.push_str(entropy.pick(NUMBERS)),
            Some("bool") => out.push_str(entropy.pick(&["true", "false"])),
            Some("string") => out.push_str(&json!(entropy.pick(STRINGS)).to_string()),
            // A value of any type has its type with it; this one has none.
            _ => out.push_str("null"),
        };
    };
    let inner = &parts[1];
    match parts[0].as_str() {
        Some("list" | "set") => {
            let elements = std::iter::repeat_n((None, inner), entropy.below(4));
            write_all(out, "[]", elements, entropy);
        }
        Some("tuple") => {
            let elements = inner.as_array().into_iter().flatten();
            write_all(out, "[]", elements.map(|ty| (None, ty)), entropy);
        }
        Some("map") => {
            let names = ["0", "a", "b", "é"];
            let names = &names[..entropy.below(5)];
            write_all(out, "{}", names.iter().map(|&name| (Some(name), inner)), entropy);
        }
        _ => {
            let attributes = inner.as_object().into_iter().flatten();
            let attributes = attributes.map(|(name, ty)| (Some(name.as_str()), ty));
            write_all(out, "{}", attributes, entropy);
        }
    }
}

fn write_all<'t>(
    out: &mut String,
    brackets: &str,
    entries: impl Iterator<Item = (Option<&'t str>, &'t Value)>,
    entropy: &mut impl Entropy,
) {
    out.push_str(&brackets[..1]);
    for (index, (name, ty)) in entries.enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        if let Some(name) = name {
            out.push_str(&format!("{}:", json!(name)));
        }
        write_value(out, ty, entropy);
    }
    out.push_str(&brackets[1..]);
}

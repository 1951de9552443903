//! JSON as Go writes it: two spaces for each level, and its choice of escapes.

use crate::arena::Arena;
use crate::value::{Content, TooLong, Value};
use crate::write;

/// No deeper level is indented further, so that the length is linear in the value at any depth.
const INDENTED_LEVELS: usize = 64;

/// Writes a string in quotes. `<`, `>` and `&` stay: see [`with_html_escapes`].
pub(super) fn push_string(out: &mut String, text: &str) {
    let start = out.len();
    write::push_string(out, text);
    // Go also escapes the line separators of JavaScript.
    if out[start..].contains(['\u{2028}', '\u{2029}']) {
        let escaped = out[start..].replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
        out.truncate(start);
        out.push_str(&escaped);
    }
}

/// Escapes `<`, `>` and `&` in JSON, which can only be in strings.
pub(super) fn with_html_escapes(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for char in json.chars() {
        match char {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            char => out.push(char),
        }
    }
    out
}

/// Returns a literal of a number as Go writes a float of 64 bits. A number that such a float cannot hold keeps
/// its digits, which terraform-docs rounds.
fn number(digits: &str) -> String {
    if digits.contains('e') {
        return digits.to_owned();
    }
    let float: f64 = digits.parse().unwrap_or(f64::NAN);
    // A fraction with so many digits was computed, not written.
    let is_computed = digits.len() > 64 && digits.contains('.');
    if !is_computed && float.to_string() != digits {
        return digits.to_owned();
    }
    if is_computed || !is_short(float) { of_float(float) } else { digits.to_owned() }
}

/// Whether Go writes a float without an exponent.
fn is_short(float: f64) -> bool {
    float == 0.0 || (1e-6..1e21).contains(&float.abs())
}

/// Returns a finite float as Go writes it.
pub(super) fn of_float(float: f64) -> String {
    if is_short(float) {
        return float.to_string();
    }
    let text = format!("{float:e}");
    match text.contains("e-") {
        true => text,
        false => text.replace('e', "e+"),
    }
}

/// Breaks the line, and indents the next one.
pub(super) fn break_line(out: &mut String, level: usize) {
    out.push('\n');
    for _ in 0..level.min(INDENTED_LEVELS) {
        out.push_str("  ");
    }
}

/// Returns a known value in JSON. Cost: linear.
///
/// # Errors
/// It has a number with too many digits.
pub(super) fn of_value(value: Value<'_>) -> Result<String, TooLong> {
    enum Rest<'a> {
        Value(Value<'a>),
        Elements(std::slice::Iter<'a, Value<'a>>, bool),
        Entries(std::slice::Iter<'a, (&'a str, Value<'a>)>, bool),
    }
    let arena = Arena::new();
    let mut out = String::new();
    // One for each open collection, and the next value.
    let mut rest = vec![Rest::Value(value)];
    while let Some(next) = rest.pop() {
        let level = rest.len();
        let value = match next {
            Rest::Value(value) => value,
            Rest::Elements(mut elements, is_first) => {
                let Some(element) = elements.next() else {
                    break_line(&mut out, level);
                    out.push(']');
                    continue;
                };
                out.push_str(if is_first { "" } else { "," });
                break_line(&mut out, level + 1);
                rest.push(Rest::Elements(elements, false));
                *element
            }
            Rest::Entries(mut entries, is_first) => {
                let Some((name, value)) = entries.next() else {
                    break_line(&mut out, level);
                    out.push('}');
                    continue;
                };
                out.push_str(if is_first { "" } else { "," });
                break_line(&mut out, level + 1);
                push_string(&mut out, name);
                out.push_str(": ");
                rest.push(Rest::Entries(entries, false));
                *value
            }
        };
        match value.content() {
            Content::Null | Content::Unknown { .. } => out.push_str("null"),
            Content::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Content::Number(value) => out.push_str(&number(value.to_literal(&arena)?)),
            Content::String(text) => push_string(&mut out, text),
            Content::Elements([]) => out.push_str("[]"),
            Content::Entries([]) => out.push_str("{}"),
            Content::Elements(elements) => {
                out.push('[');
                rest.push(Rest::Elements(elements.iter(), true));
            }
            Content::Entries(entries) => {
                out.push('{');
                rest.push(Rest::Entries(entries.iter(), true));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_go() {
        for (digits, written) in [
            ("0", "0"),
            ("1.5", "1.5"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("100000000000000000000", "100000000000000000000"),
            ("1000000000000000000000", "1e+21"),
            ("-1230000000000000000000000", "-1.23e+24"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("3.14159265358979323846", "3.14159265358979323846"),
            (&format!("0.{}5", "3".repeat(100)), "0.3333333333333333"),
            ("1.5e+999999", "1.5e+999999"),
        ] {
            assert_eq!(number(digits), written);
        }
    }

    #[test]
    fn strings_are_those_of_go() {
        let mut out = String::new();
        push_string(&mut out, "a\"\\\n\t\u{8}\u{c}\u{1}\u{7f}\u{2028}<é");
        assert_eq!(out, "\"a\\\"\\\\\\n\\t\\b\\f\\u0001\u{7f}\\u2028<é\"");
        assert_eq!(with_html_escapes("\"<&>\""), "\"\\u003c\\u0026\\u003e\"");
    }
}

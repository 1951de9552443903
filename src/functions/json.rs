//! `jsonencode` and `jsondecode`.
//!
//! The output equals OpenTofu's byte for byte: no whitespace, sorted names, exact numbers without
//! exponents, and the escapes of Go's encoder, which keep the text safe inside HTML.

use std::fmt::Write as _;

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, wrong};
use super::in_part;
use crate::document::Document;
use crate::position::Position;
use crate::report::OwnedDiagnostic;
use crate::value::{self, Content, HOLE, Quotation, Type, Value};

pub(super) const FUNCTIONS: &[Builtin] =
    &[function("jsondecode", decode), function("jsonencode", encode).in_part(encode_in_part)];

fn encode<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut out = String::new();
    write_json(call, &mut out, call.value(0)?)?;
    call.string(&out)
}

/// The known parts of the text of a value with unknown parts. The tools know its first character.
fn encode_in_part<'a>(call: Call<'_, 'a>) -> Option<Value<'a>> {
    let value = call.value(0).ok()?;
    let mut out = String::new();
    write_json(call, &mut out, value).ok()?;
    let start = if out.starts_with(['"', '[', '{']) { &out[..1] } else { "" };
    in_part::result(call, &out, start)
}

fn decode<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let text = call.str(0)?;
    if text.starts_with('\u{feff}') {
        return Err(wrong(0, "JSON does not begin with a byte order mark"));
    }
    // Spend events and a value for each comma.
    call.meter.parts(memchr::memchr_iter(b',', text.as_bytes()).count())?;
    call.meter.text(text.len())?;
    let document = Document::parse_bytes(call.arena, "jsondecode", text.as_bytes())
        .map_err(|error| call.wrong(0, "{}", &[Quotation::Plain(&brief(&error))]))?;
    value::from_node(call.arena, document.root())
        .map_err(|error| call.wrong(0, "{}", &[Quotation::Value(&error)]))
}

/// Returns an error as a part of a sentence: `invalid JSON at line 1, column 5: trailing comma`.
fn brief(error: &OwnedDiagnostic) -> String {
    let mut summary = error.summary.clone().into_owned();
    if let Some(first) = summary.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    if !error.has_lines {
        return summary;
    }
    let Position { line, column, .. } = error.range.start;
    format!("invalid JSON at line {line}, column {column}: {summary}")
}

/// The remaining parts of an array or an object.
enum Rest<'a> {
    Elements(std::slice::Iter<'a, Value<'a>>),
    Entries(std::slice::Iter<'a, (&'a str, Value<'a>)>),
}

/// Writes a value as JSON. Unknown parts are holes.
pub(super) fn write_json<'a>(
    call: Call<'_, 'a>,
    out: &mut String,
    root: Value<'a>,
) -> Outcome<'a, ()> {
    let mut open = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(value) = next.take() {
            match value.content() {
                Content::Null => out.push_str("null"),
                Content::Bool(bool) => out.push_str(if bool { "true" } else { "false" }),
                Content::String(text) => write_string(out, text),
                Content::Number(number) => match call.digits(number) {
                    Ok(text) if !text.ends_with("Inf") => out.push_str(text),
                    _ => {
                        return Err(wrong(
                            0,
                            "infinity, and numbers of a million digits, cannot be written as JSON",
                        ));
                    }
                },
                // The order of the elements is not known.
                Content::Elements(_)
                    if matches!(value.ty(), Type::Set(_)) && !value.is_wholly_known() =>
                {
                    out.extend(['[', HOLE, ']']);
                }
                Content::Elements(elements) => {
                    out.push('[');
                    open.push((Rest::Elements(elements.iter()), true));
                }
                Content::Entries(entries) => {
                    out.push('{');
                    open.push((Rest::Entries(entries.iter()), true));
                }
                Content::Unknown { not_null, .. } => write_unknown(out, value, not_null),
            }
            call.room(out.len())?;
        }
        let Some((rest, is_first)) = open.last_mut() else { return Ok(()) };
        let comma = if *is_first { "" } else { "," };
        *is_first = false;
        let bracket = match rest {
            Rest::Elements(elements) => match elements.next() {
                Some(&element) => {
                    out.push_str(comma);
                    next = Some(element);
                    continue;
                }
                None => ']',
            },
            Rest::Entries(entries) => match entries.next() {
                Some(&(name, value)) => {
                    out.push_str(comma);
                    write_string(out, name);
                    out.push(':');
                    next = Some(value);
                    continue;
                }
                None => '}',
            },
        };
        out.push(bracket);
        open.pop();
    }
}

/// Writes an unknown value. Its known parts have the escapes that they have in a string.
fn write_unknown(out: &mut String, value: Value<'_>, not_null: bool) {
    let [open, close] = match value.ty() {
        _ if !not_null => ["", ""],
        Type::String => ["\"", "\""],
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => ["[", "]"],
        Type::Map(_) | Type::Object(_) => ["{", "}"],
        _ => ["", ""],
    };
    out.push_str(open);
    for (at, part) in value.known_text().unwrap_or("\0").split(HOLE).enumerate() {
        if at > 0 {
            out.push(HOLE);
        }
        let mut quoted = String::new();
        write_string(&mut quoted, part);
        out.push_str(&quoted[1..quoted.len() - 1]);
    }
    out.push_str(close);
}

/// Writes a string with the escapes of Go's encoder.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' | '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

//! Values of expressions: variables from a file, results as JSON, and as a console prints them.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::value::{self, Content, Marks, Type, Value};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Document, ParseOptions, Source};

use crate::status::Failure;
use crate::visible::{is_steering, visible};

/// The variables of a file: the members of a JSON object, sorted by name. Numbers stay exact.
pub(crate) fn variables<'a>(
    arena: &'a Arena,
    path: &Path,
    options: &ParseOptions,
) -> Result<Vec<(&'a str, Value<'a>)>, Failure> {
    let name = path.display();
    let source =
        Source::read(arena, path).map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    let document = Document::parse_with(arena, source, options)
        .map_err(|error| Failure::Message(error.to_string()))?;
    if !document.root().is_object() {
        return Err(Failure::Message(format!("{name}: variables are the members of one object")));
    }
    let value = value::from_node(arena, document.root())
        .map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    Ok(value.entries().to_vec())
}

/// What an expression gives, in the shape of the conformance cases.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Value {
        value: Box<RawValue>,
        #[serde(rename = "type")]
        ty: Box<RawValue>,
    },
    Unknown {
        unknown: bool,
    },
    /// It, or a part of it, must not be shown.
    Sensitive {
        sensitive: bool,
    },
    /// It cannot be written: an infinite number, or one that would be too long.
    Unwritable {
        marshal_error: String,
    },
}

impl Outcome {
    pub(crate) fn of(of: Value<'_>) -> Self {
        if of.deep_marks().contains(Marks::SENSITIVE) {
            return Self::Sensitive { sensitive: true };
        }
        if !of.is_wholly_known() {
            return Self::Unknown { unknown: true };
        }
        let mut written = Ok(());
        let text = to_string(Layout::Compact, |slot| written = value::write(of, slot));
        if let Err(error) = written {
            return Self::Unwritable { marshal_error: error.to_string() };
        }
        let ty = to_string(Layout::Compact, |slot| value::write_type(of.ty(), slot));
        match (RawValue::from_string(text), RawValue::from_string(ty)) {
            (Ok(value), Ok(ty)) => Self::Value { value, ty },
            (Err(error), _) | (_, Err(error)) => {
                Self::Unwritable { marshal_error: error.to_string() }
            }
        }
    }
}

/// A value as a console shows it: an expression that gives the value again, where there is one.
///
/// Sensitive and unknown values are named, not shown. Lists, sets and maps are shown by the functions that make them of
/// tuples and objects.
pub(crate) fn to_console(arena: &Arena, of: Value<'_>) -> String {
    let mut out = String::new();
    let mut open = vec![Part::Value(of)];
    let mut depth = 0;
    // What is still to write, the next part last: no recursion on the depth of values.
    while let Some(part) = open.pop() {
        match part {
            Part::Value(value) => depth += write_start(arena, value, depth, &mut out, &mut open),
            Part::Element(value) => {
                line(&mut out, depth);
                open.extend([Part::Text(","), Part::Value(value)]);
            }
            Part::Entry(name, value) => {
                line(&mut out, depth);
                quote(name, &mut out);
                out.push_str(" = ");
                open.push(Part::Value(value));
            }
            Part::Text(text) => out.push_str(text),
            Part::End(text) => {
                depth -= 1;
                line(&mut out, depth);
                out.push_str(text);
            }
        }
    }
    out
}

/// What is still to write.
enum Part<'a> {
    Value(Value<'a>),
    Element(Value<'a>),
    Entry(&'a str, Value<'a>),
    Text(&'static str),
    /// Closing brackets, on a line of their own.
    End(&'static str),
}

/// Levels that are indented.
const INDENTED_LEVELS: usize = 64;

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(INDENTED_LEVELS)));
}

/// Writes a value up to its elements, which go to `open`. Gives how many levels are entered.
fn write_start<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    depth: usize,
    out: &mut String,
    open: &mut Vec<Part<'a>>,
) -> usize {
    if value.marks().contains(Marks::SENSITIVE) {
        out.push_str("(sensitive value)");
        return 0;
    }
    let (start, end, empty) = match value.ty() {
        Type::List(_) => ("tolist([", "])", "tolist([])"),
        Type::Set(_) => ("toset([", "])", "toset([])"),
        Type::Map(_) => ("tomap({", "})", "tomap({})"),
        Type::Object(_) => ("{", "}", "{}"),
        _ => ("[", "]", "[]"),
    };
    let count = match value.content() {
        Content::Elements(elements) => {
            open.push(Part::End(end));
            open.extend(elements.iter().rev().map(|&element| Part::Element(element)));
            elements.len()
        }
        Content::Entries(entries) => {
            open.push(Part::End(end));
            open.extend(entries.iter().rev().map(|&(name, entry)| Part::Entry(name, entry)));
            entries.len()
        }
        scalar => {
            write_scalar(arena, value.ty(), scalar, depth, out);
            return 0;
        }
    };
    if count == 0 {
        open.pop();
        out.push_str(empty);
        return 0;
    }
    out.push_str(start);
    1
}

fn write_scalar(arena: &Arena, ty: Type<'_>, of: Content<'_>, depth: usize, out: &mut String) {
    match of {
        Content::Unknown { .. } => out.push_str("(known after apply)"),
        Content::Null => match ty {
            Type::Bool => out.push_str("tobool(null)"),
            Type::Number => out.push_str("tonumber(null)"),
            Type::String => out.push_str("tostring(null)"),
            Type::Dynamic => out.push_str("null"),
            _ => {
                let _ = write!(out, "null /* {} */", visible(&ty.to_string()));
            }
        },
        Content::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
        Content::Number(number) => match number.to_text(arena) {
            Ok(text) => out.push_str(text),
            Err(_) => out.push_str("(number of more than a million digits)"),
        },
        Content::String(text) if depth == 0 && is_heredoc(text) => {
            let _ = write!(out, "<<EOT\n{}EOT", text.replace("${", "$${").replace("%{", "%%{"));
        }
        Content::String(text) => quote(text, out),
        Content::Elements(_) | Content::Entries(_) => {}
    }
}

/// Whether a text is several whole lines, which read best as they are.
fn is_heredoc(text: &str) -> bool {
    text.ends_with('\n')
        && text.lines().count() > 1
        && text.lines().all(|line| line.trim() != "EOT")
        && text.chars().all(|character| character == '\n' || !needs_escape(character))
}

/// What steers the terminal, and the byte order mark, which nobody sees.
fn needs_escape(character: char) -> bool {
    is_steering(character) || character == '\u{FEFF}'
}

/// A string as a quoted template without parts.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => {
                out.push(character);
                out.push(character);
            }
            _ if needs_escape(character) => {
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

//! Values and types as text that both sides write alike; `reference/main.go` has the same.

use std::fmt::Write as _;

use simd_hcl::Arena;
use simd_hcl::native::{Key, StepKind, Traversal};
use simd_hcl::value::{Content, Marks, Number, Type, Value};

/// A value, from whose text its type can be read, too.
pub(crate) fn value<'a>(arena: &'a Arena, of: Value<'a>) -> String {
    let (of, marks) = of.unmark();
    if marks.contains(Marks::SENSITIVE) {
        return format!("sensitive({})", value(arena, of));
    }
    let join = |parts: Vec<String>| parts.join(",");
    let values = |elements: &[Value<'a>]| -> String {
        join(elements.iter().map(|&element| value(arena, element)).collect())
    };
    match of.content() {
        Content::Unknown { .. } => format!("unknown:{}", ty(of.ty())),
        Content::Null => format!("null:{}", ty(of.ty())),
        Content::Bool(truth) => truth.to_string(),
        Content::Number(number) => self::number(arena, number),
        Content::String(text) => quoted(text),
        Content::Elements(elements) => match of.ty() {
            Type::Tuple(_) => format!("[{}]", values(elements)),
            collection => format!("{}[{}]", ty(collection), values(elements)),
        },
        Content::Entries(entries) => {
            let entries = entries
                .iter()
                .map(|&(name, entry)| format!("{}={}", quoted(name), value(arena, entry)));
            let entries = join(entries.collect());
            match of.ty() {
                Type::Object(_) => format!("{{{entries}}}"),
                collection => format!("{}{{{entries}}}", ty(collection)),
            }
        }
    }
}

fn number<'a>(arena: &'a Arena, number: Number<'a>) -> String {
    match number.to_text(arena) {
        Ok(text) => text.to_owned(),
        Err(_) => "too long".to_owned(),
    }
}

fn ty(of: Type<'_>) -> String {
    let join = |parts: Vec<String>| parts.join(",");
    match of {
        Type::Dynamic => "dynamic".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::List(element) => format!("list({})", ty(element.ty())),
        Type::Set(element) => format!("set({})", ty(element.ty())),
        Type::Map(element) => format!("map({})", ty(element.ty())),
        Type::Tuple(elements) => {
            format!("[{}]", join(elements.iter().map(|&element| ty(element)).collect()))
        }
        Type::Object(attributes) => {
            let attributes = attributes
                .iter()
                .map(|attribute| format!("{}={}", quoted(attribute.name), ty(attribute.ty)));
            format!("{{{}}}", join(attributes.collect()))
        }
    }
}

/// A traversal, with its keys as values.
pub(crate) fn traversal<'a>(arena: &'a Arena, of: Traversal<'a>) -> String {
    let mut text = String::new();
    for step in of.steps() {
        match step.kind {
            StepKind::Root(name) => text.push_str(name),
            StepKind::Attribute(name) => {
                text.push('.');
                text.push_str(name);
            }
            StepKind::Splat => text.push_str("[*]"),
            StepKind::Index(key) => {
                let key = match key {
                    Key::Number(digits) => match Number::from_literal(digits) {
                        Ok(index) => number(arena, index),
                        Err(_) => "no number".to_owned(),
                    },
                    Key::String(name) => quoted(name),
                    Key::Bool(truth) => truth.to_string(),
                    Key::Null => "null:dynamic".to_owned(),
                };
                let _ = write!(text, "[{key}]");
            }
        }
    }
    text
}

/// Text in quotes: everything but printable ASCII as UTF-16 escapes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        if matches!(character, ' '..='~') && !matches!(character, '"' | '\\') {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
    out
}

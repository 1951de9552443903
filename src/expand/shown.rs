//! Values as the values representation has them: what is known, what is unknown, what is sensitive.
//!
//! The three trees follow the tools: unknown attributes are left out of objects and maps, and are
//! null in lists; a tree of flags leaves `false` out of objects and keeps it in lists.

use crate::arena::Arena;
use crate::value::{Content, Marks, Type, Value};
use crate::write::push_string;

/// The text that stands for sensitive values.
pub(super) const HIDDEN: &str = "(sensitive)";

/// What a tree of flags is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    Unknown,
    Sensitive,
}

/// What remains to be written.
enum Rest<'v> {
    Value(Value<'v>),
    Text(&'static str),
    Name(&'v str),
}

/// Appends the known parts of a value as JSON; `null` if nothing is known.
pub(super) fn push_known(out: &mut String, value: Value<'_>, shows_sensitive: bool) {
    let mut arena = Arena::new();
    let mut rest = vec![Rest::Value(value)];
    while let Some(next) = rest.pop() {
        let value = match next {
            Rest::Text(text) => {
                out.push_str(text);
                continue;
            }
            Rest::Name(name) => {
                push_string(out, name);
                out.push(':');
                continue;
            }
            Rest::Value(value) => value,
        };
        if value.marks().contains(Marks::SENSITIVE) && !shows_sensitive && !value.is_null() {
            if value.is_known() {
                push_string(out, HIDDEN)
            } else {
                out.push_str("null")
            }
            continue;
        }
        let from = rest.len();
        match value.content() {
            Content::Unknown { .. } | Content::Null => out.push_str("null"),
            Content::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
            Content::String(text) => push_string(out, text),
            Content::Number(number) => {
                match number.to_text(&arena) {
                    // A plan has no negative zero.
                    Ok("-0") => out.push('0'),
                    Ok(digits) if !number.is_infinite() => out.push_str(digits),
                    _ => out.push_str("null"),
                }
                if arena.local_bytes() > 1 << 16 {
                    arena.reset();
                }
            }
            Content::Elements(elements) => {
                out.push('[');
                for (place, element) in elements.iter().enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Value(*element));
                }
                rest.push(Rest::Text("]"));
            }
            Content::Entries(entries) => {
                out.push('{');
                let known = entries.iter().filter(|(_, value)| value.is_known());
                for (place, (name, value)) in known.enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Name(name));
                    rest.push(Rest::Value(*value));
                }
                rest.push(Rest::Text("}"));
            }
        }
        rest[from..].reverse();
    }
}

/// The flag of a value, if it is one for the whole value.
fn leaf(value: Value<'_>, flag: Flag) -> Option<&'static str> {
    if flag == Flag::Sensitive && value.marks().contains(Marks::SENSITIVE) {
        return Some("true");
    }
    if value.is_null() {
        return Some("false");
    }
    if !value.is_known() {
        return Some(match (flag, value.ty()) {
            (Flag::Unknown, _) => "true",
            (_, Type::List(_) | Type::Set(_) | Type::Tuple(_)) => "[]",
            (_, Type::Map(_) | Type::Object(_)) => "{}",
            _ => "false",
        });
    }
    match value.content() {
        Content::Elements([]) => Some("[]"),
        Content::Entries([]) => Some("{}"),
        Content::Elements(_) | Content::Entries(_) => None,
        _ => Some("false"),
    }
}

/// Appends the tree of flags of a value as JSON.
pub(super) fn push_flags(out: &mut String, value: Value<'_>, flag: Flag) {
    let mut rest = vec![Rest::Value(value)];
    while let Some(next) = rest.pop() {
        let value = match next {
            Rest::Text(text) => {
                out.push_str(text);
                continue;
            }
            Rest::Name(name) => {
                push_string(out, name);
                out.push(':');
                continue;
            }
            Rest::Value(value) => value,
        };
        if let Some(text) = leaf(value, flag) {
            out.push_str(text);
            continue;
        }
        let from = rest.len();
        if let Content::Entries(entries) = value.content() {
            out.push('{');
            let mut is_first = true;
            for (name, value) in entries {
                if leaf(*value, flag) != Some("false") {
                    rest.extend((!is_first).then_some(Rest::Text(",")));
                    is_first = false;
                    rest.push(Rest::Name(name));
                    rest.push(Rest::Value(*value));
                }
            }
            rest.push(Rest::Text("}"));
        } else {
            out.push('[');
            for (place, element) in value.elements().iter().enumerate() {
                rest.extend((place > 0).then_some(Rest::Text(",")));
                rest.push(Rest::Value(*element));
            }
            rest.push(Rest::Text("]"));
        }
        rest[from..].reverse();
    }
}

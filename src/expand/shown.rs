//! Values in the form of the values representation: their known, unknown and sensitive parts.
//!
//! The three trees follow the tools: unknown attributes are left out of objects and maps, and are
//! null in lists; a tree of flags leaves `false` out of objects and keeps it in lists.

use crate::value::{Content, HIDDEN, Number, Type, Value};
use crate::write::push_string;

/// The subject of a tree of flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    /// The value is not known yet.
    Unknown,
    /// The value must not be shown: it is sensitive or ephemeral.
    Sensitive,
}

/// The parts of a container that remain to be written.
enum Open<'v> {
    Elements(std::slice::Iter<'v, Value<'v>>),
    Entries(std::slice::Iter<'v, (&'v str, Value<'v>)>),
}

/// A part of a value to write.
enum Part<'v> {
    /// It has been written.
    Done,
    /// A container whose parts follow.
    Open(Open<'v>),
}

/// Walks a value without recursion. `start` writes a value, or only says that it is a container;
/// entries that `keeps` refuses are left out.
fn walk<'v>(
    out: &mut String,
    value: Value<'v>,
    keeps: impl Fn(Value<'v>) -> bool,
    mut start: impl FnMut(&mut String, Value<'v>) -> Part<'v>,
) {
    let mut open: Vec<(Open<'v>, bool)> = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(value) = next.take()
            && let Part::Open(parts) = start(out, value)
        {
            out.push(if matches!(parts, Open::Elements(_)) { '[' } else { '{' });
            open.push((parts, true));
        }
        let Some((parts, is_first)) = open.last_mut() else { return };
        let name = match parts {
            Open::Elements(rest) => {
                next = rest.next().copied();
                None
            }
            Open::Entries(rest) => {
                let entry = rest.find(|(_, value)| keeps(*value));
                next = entry.map(|(_, value)| *value);
                entry.map(|(name, _)| *name)
            }
        };
        if next.is_none() {
            out.push(if matches!(parts, Open::Elements(_)) { ']' } else { '}' });
            open.pop();
            continue;
        }
        if !std::mem::replace(is_first, false) {
            out.push(',');
        }
        if let Some(name) = name {
            push_string(out, name);
            out.push(':');
        }
    }
}

/// Appends the known parts of a value as JSON; `null` if nothing is known.
pub(crate) fn push_known(out: &mut String, value: Value<'_>, shows_sensitive: bool) {
    walk(out, value, Value::is_known, |out, value| {
        if value.marks().hides() && !shows_sensitive && !value.is_null() {
            if value.is_known() {
                push_string(out, HIDDEN)
            } else {
                out.push_str("null")
            }
            return Part::Done;
        }
        match value.content() {
            Content::Unknown { .. } | Content::Null => out.push_str("null"),
            Content::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
            Content::String(text) => push_string(out, text),
            Content::Number(number) => push_number(out, number),
            Content::Elements(elements) => return Part::Open(Open::Elements(elements.iter())),
            Content::Entries(entries) => return Part::Open(Open::Entries(entries.iter())),
        }
        Part::Done
    });
}

/// Appends a number.
pub(super) fn push_number(out: &mut String, number: Number<'_>) {
    // A plan has no negative zero.
    if number.is_zero() {
        out.push('0');
    } else if number.is_infinite() || number.push_literal(out).is_err() {
        out.push_str("null");
    }
}

/// The flag of a value, if it is one for the whole value.
pub(super) fn leaf(value: Value<'_>, flag: Flag, shows_sensitive: bool) -> Option<&'static str> {
    if flag == Flag::Sensitive && value.marks().hides() {
        return Some("true");
    }
    // The keys of a hidden value are not shown either.
    if flag == Flag::Unknown && value.marks().hides() && !shows_sensitive {
        return Some(if value.is_wholly_known() { "false" } else { "true" });
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
pub(super) fn push_flags(out: &mut String, value: Value<'_>, flag: Flag, shows_sensitive: bool) {
    let keeps = |value: Value<'_>| leaf(value, flag, shows_sensitive) != Some("false");
    walk(out, value, keeps, |out, value| {
        if let Some(text) = leaf(value, flag, shows_sensitive) {
            out.push_str(text);
            return Part::Done;
        }
        Part::Open(match value.content() {
            Content::Entries(entries) => Open::Entries(entries.iter()),
            _ => Open::Elements(value.elements().iter()),
        })
    });
}

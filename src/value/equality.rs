//! Equality of values.

use crate::hash::HashSet;

use super::types::{Id, SameTypes};
use super::{Content, Type, Value};

/// Returns whether two values are equal, as `==` compares them: a boolean with the marks of both,
/// unknown if the answer depends on an unknown value. Nulls of all types are equal; values of
/// different types are not.
#[must_use]
pub fn equals<'a>(one: Value<'a>, other: Value<'a>) -> Value<'a> {
    let marks = one.deep_marks().with(other.deep_marks());
    let result = match compare(one, other) {
        Some(equal) => Value::bool(equal),
        None => Value::unknown(Type::Bool),
    };
    result.with_marks(marks)
}

/// Whether two values are identical, with their marks: unknown values of one type are, and so are
/// nulls of one type.
#[must_use]
pub fn raw_equals<'a>(one: Value<'a>, other: Value<'a>) -> bool {
    let mut types = SameTypes::default();
    let mut rest = vec![(one, other)];
    while let Some((one, other)) = rest.pop() {
        if one.marks() != other.marks() || !types.are_same(one.ty(), other.ty()) {
            return false;
        }
        // The known parts of an unknown text make it no other value.
        let is_text = matches!(one.ty(), Type::String);
        let same = match (one.content(), other.content()) {
            (
                Content::Unknown { not_null: one, known: ours },
                Content::Unknown { not_null: other, known: theirs },
            ) => one == other && (is_text || std::ptr::eq(ours, theirs)),
            (Content::Null, Content::Null) => true,
            (Content::Elements(one), Content::Elements(other)) => {
                rest.extend(one.iter().copied().zip(other.iter().copied()));
                one.len() == other.len()
            }
            (Content::Entries(one), Content::Entries(other)) => {
                rest.extend(one.iter().zip(other).map(|((_, one), (_, other))| (*one, *other)));
                one.len() == other.len()
                    && one.iter().zip(other).all(|((one, _), (other, _))| one == other)
            }
            (one, other) => scalars(one, other),
        };
        if !same {
            return false;
        }
    }
    true
}

/// Whether two known scalars are equal.
fn scalars(one: Content<'_>, other: Content<'_>) -> bool {
    match (one, other) {
        (Content::Bool(one), Content::Bool(other)) => one == other,
        (Content::Number(one), Content::Number(other)) => one.equals(other),
        (Content::String(one), Content::String(other)) => one == other,
        _ => false,
    }
}

/// Whether two values are equal; `None` if that is unknown. Parts are compared in order: the first
/// difference decides.
fn compare<'a>(one: Value<'a>, other: Value<'a>) -> Option<bool> {
    let is_open = |value: Value<'a>| {
        if value.is_wholly_known() {
            return false;
        }
        let mut open = false;
        value.visit(|part| open |= !part.is_known() && part.ty().has_dynamic());
        open
    };
    let mut types = SameTypes::default();
    if one.is_known() && other.is_known() && !one.is_null() && !other.is_null() {
        // A part of unknown type may turn out to be equal.
        if is_open(one) || is_open(other) {
            return if may_conform(one.ty(), other.ty()) { None } else { Some(false) };
        }
    }
    let mut rest = vec![(one, other)];
    while let Some((one, other)) = rest.pop() {
        match (one.content(), other.content()) {
            (Content::Unknown { .. }, Content::Unknown { .. }) => return None,
            (Content::Unknown { not_null, .. }, known)
            | (known, Content::Unknown { not_null, .. }) => {
                let unknown = if one.is_known() { other } else { one };
                if matches!(known, Content::Null) {
                    return if not_null { Some(false) } else { None };
                }
                if let Content::String(text) = known
                    && !text.starts_with(unknown.known_start())
                {
                    return Some(false);
                }
                let decided = !unknown.ty().has_dynamic() && !types.are_same(one.ty(), other.ty());
                return if decided { Some(false) } else { None };
            }
            (Content::Null, Content::Null) => {}
            (Content::Null, _) | (_, Content::Null) => return Some(false),
            _ if !types.are_same(one.ty(), other.ty()) => return Some(false),
            (Content::Elements(ones), Content::Elements(others)) => {
                let is_set = matches!(one.ty(), Type::Set(_));
                if is_set && !(one.is_wholly_known() && other.is_wholly_known()) {
                    return None;
                }
                if ones.len() != others.len() {
                    return Some(false);
                }
                rest.extend(ones.iter().copied().zip(others.iter().copied()).rev());
            }
            (Content::Entries(ones), Content::Entries(others)) => {
                let names = |entries: &'a [(&'a str, Value<'a>)]| entries.iter().map(|each| each.0);
                if !names(ones).eq(names(others)) {
                    return Some(false);
                }
                let pairs = ones.iter().zip(others).rev();
                rest.extend(pairs.map(|((_, one), (_, other))| (*one, *other)));
            }
            (one, other) => {
                if !scalars(one, other) {
                    return Some(false);
                }
            }
        }
    }
    Some(true)
}

/// Whether two types are equal, ignoring dynamic parts. Cost: linear in the distinct pairs of
/// parts.
fn may_conform<'a>(one: Type<'a>, other: Type<'a>) -> bool {
    let mut seen: HashSet<(Id, Id)> = HashSet::default();
    let mut rest = vec![(one, other)];
    while let Some((one, other)) = rest.pop() {
        if !seen.insert((one.id(), other.id())) {
            continue;
        }
        match (one, other) {
            (Type::Dynamic, _) | (_, Type::Dynamic) => {}
            (Type::List(one), Type::List(other))
            | (Type::Set(one), Type::Set(other))
            | (Type::Map(one), Type::Map(other)) => rest.push((one.ty(), other.ty())),
            (Type::Object(one), Type::Object(other)) => {
                if !one.iter().map(|each| each.name).eq(other.iter().map(|each| each.name)) {
                    return false;
                }
                rest.extend(one.iter().zip(other.iter()).map(|(one, other)| (one.ty, other.ty)));
            }
            (Type::Tuple(one), Type::Tuple(other)) if one.len() == other.len() => {
                rest.extend(one.iter().copied().zip(other.iter().copied()));
            }
            (one, other) => {
                if one.id() != other.id() {
                    return false;
                }
            }
        }
    }
    true
}

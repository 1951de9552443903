//! Access to parts of values: attributes, indexes and the steps of traversals.
//!
//! Each function returns the part with the marks of its container, or a [`Fault`] without a place.
//! The rules are those of sections "Index Operator" and "Attribute Access Operator" of the native
//! syntax specification, and those of the reference for null, unknown and marked values, where the
//! specification is silent.

use super::fault::{Fault, Shown};
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::native::{Key, Step, StepKind};
use crate::value::{Clause, Content, Marks, Number, Quotation, Type, Value, convert};

/// Returns the part of `value` that `step` selects.
pub(super) fn step<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    step: &Step<'a>,
) -> Result<Value<'a>, Fault<'a>> {
    match step.kind {
        StepKind::Attribute(name) => attribute(arena, value, name),
        StepKind::Index(key) => index(arena, value, literal_key(arena, key)?),
        // A root is always the first step, and evaluated traversals have no splats.
        StepKind::Root(_) | StepKind::Splat => Ok(value),
    }
}

fn literal_key<'a>(arena: &'a Arena, key: Key<'a>) -> Result<Value<'a>, Fault<'a>> {
    Ok(match key {
        Key::Number(text) => match Number::from_literal(text) {
            Ok(number) => Value::number(number),
            Err(_) => return Err(invalid_index("the number is too large".into())),
        },
        Key::String(text) => Value::string(arena, text),
        Key::Bool(truth) => Value::bool(truth),
        Key::Null => Value::null(Type::Dynamic),
    })
}

/// Evaluates `value.name`.
pub(super) fn attribute<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    name: &'a str,
) -> Result<Value<'a>, Fault<'a>> {
    if value.is_null() {
        return Err(Fault::new(Code::AttributeOfNull, &[Shown::written(name)]));
    }
    let reason = match value.ty() {
        Type::Object(_) => match member(arena, value, name) {
            Some(found) => return Ok(found.with_marks(value.marks())),
            None => "the object does not have it".into(),
        },
        Type::Map(element) => match member(arena, value, name) {
            Some(found) => return Ok(found.with_marks(value.marks())),
            None if !value.is_known() => {
                return Ok(Value::unknown(element.ty()).with_marks(value.marks()));
            }
            None => return Err(Fault::new(Code::MissingMapElement, &[Shown::written(name)])),
        },
        Type::Dynamic => return Ok(value.attribute_of_unknown(name).with_marks(value.marks())),
        Type::List(element) if matches!(element.ty(), Type::Object(_)) => {
            "the value is a list of objects; write [0] for one of them, or [*] for all, before the name".into()
        }
        Type::Set(element) if matches!(element.ty(), Type::Object(_)) => {
            "the value is a set of objects; write [*] before the name, or use a for expression".into()
        }
        ty => none(arena, ty, "attributes"),
    };
    Err(Fault::new(Code::UnsupportedAttribute, &[Shown::written(name), reason]))
}

/// Returns the member of an object or a known map; for an unknown object, an unknown value of the
/// attribute's type.
fn member<'a>(arena: &'a Arena, value: Value<'a>, name: &'a str) -> Option<Value<'a>> {
    // The names of attributes and keys are in normal form C.
    let name = if name.is_ascii() { name } else { Value::string(arena, name).as_str()? };
    match value.content() {
        Content::Unknown { .. } => match value.ty() {
            Type::Object(attributes) => attributes
                .binary_search_by(|attribute| attribute.name.cmp(name))
                .ok()
                .map(|at| Value::unknown(attributes[at].ty)),
            _ => None,
        },
        _ => value.get(name),
    }
}

/// Evaluates `collection[key]`.
pub(super) fn index<'a>(
    arena: &'a Arena,
    collection: Value<'a>,
    key: Value<'a>,
) -> Result<Value<'a>, Fault<'a>> {
    if collection.is_null() {
        return Err(Fault::new(Code::IndexOfNull, &[]));
    }
    if key.is_null() {
        return Err(invalid_index("the index is null".into()));
    }
    let ty = collection.ty();
    if ty.is_dynamic() || key.ty().is_dynamic() {
        let part =
            key.as_str().map_or(Value::dynamic(), |name| collection.attribute_of_unknown(name));
        return Ok(part.with_marks(collection.marks()));
    }
    let unconverted = |error| invalid_index(Shown::unconverted(arena, error, key.marks()));
    let text_of = |key: Value<'a>| match key.as_number() {
        // No key is as long as the digits of such a number, which are not made to look for it.
        Some(number) if !number.is_short() => {
            Err(invalid_index("the number has too many digits".into()))
        }
        _ => convert(arena, key, Type::String).map_err(unconverted),
    };
    match ty {
        Type::List(_) | Type::Tuple(_) => {
            sequence_element(collection, convert(arena, key, Type::Number).map_err(unconverted)?)
        }
        Type::Map(element) => {
            let key = text_of(key)?;
            let (Some(name), true) = (key.as_str(), collection.is_known()) else {
                return Ok(Value::unknown(element.ty()).with_marks(collection.marks()));
            };
            match collection.get(name) {
                Some(found) => Ok(found.with_marks(collection.marks()).with_marks(key.marks())),
                None => Err(invalid_index("the map has no element with this key".into())),
            }
        }
        Type::Object(_) => {
            let numeric = matches!(key.ty(), Type::Number);
            let key = text_of(key)?;
            let Some(name) = key.as_str() else {
                return Ok(Value::dynamic().with_marks(collection.marks()));
            };
            match member(arena, collection, name) {
                Some(found) => Ok(found.with_marks(collection.marks())),
                None if numeric => Err(invalid_index(
                    "the attributes of the object have names, not numbers".into(),
                )),
                None => Err(invalid_index("the object has no such attribute".into())),
            }
        }
        Type::Set(_) => Err(invalid_index(
            "the elements of a set have neither order nor keys; use a for expression".into(),
        )),
        _ => Err(invalid_index(none(arena, ty, "elements"))),
    }
}

/// Returns the element of a list or tuple. The key must be a number.
fn sequence_element<'a>(collection: Value<'a>, key: Value<'a>) -> Result<Value<'a>, Fault<'a>> {
    let marks = collection.marks();
    let (len, number) = match (collection.ty(), key.as_number()) {
        (Type::Tuple(types), Some(number)) => (types.len(), number),
        (Type::List(_), Some(number)) if collection.is_known() => {
            (collection.elements().len(), number)
        }
        (Type::List(element), _) => return Ok(Value::unknown(element.ty()).with_marks(marks)),
        _ => return Ok(Value::dynamic().with_marks(marks)),
    };
    let position = number.as_usize().filter(|&position| position < len);
    if let Some(position) = position {
        let element = match (collection.content(), collection.ty()) {
            (Content::Elements(elements), _) => elements.get(position).copied(),
            (_, Type::Tuple(types)) => types.get(position).map(|&ty| Value::unknown(ty)),
            _ => None,
        };
        let element = element.unwrap_or_else(Value::dynamic);
        return Ok(element.with_marks(marks).with_marks(key.marks()));
    }
    let reason = if !number.is_integer() {
        "the index must be a whole number"
    } else if number.is_negative() {
        "the index is negative; the first element has the index 0"
    } else if len == 0 {
        "the value has no elements"
    } else {
        "the index must be less than the number of elements"
    };
    Err(invalid_index(reason.into()))
}

/// Says that values of a type have no attributes, or no elements.
fn none<'a>(arena: &'a Arena, ty: Type<'_>, parts: &'static str) -> Shown<'a> {
    let [ty, parts] = [Quotation::Plain(&ty.with_article()), Quotation::Plain(&parts)];
    Shown::clause(Clause::quoting(arena, "{} has no {}", &[ty, parts]), Marks::NONE)
}

fn invalid_index(reason: Shown<'_>) -> Fault<'_> {
    Fault::new(Code::InvalidIndex, &[reason])
}

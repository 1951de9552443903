//! JSON of values and types, in the format of the reference's library (cty/json).
//!
//! A value's JSON does not keep its type: lists, sets and tuples become arrays, maps and objects
//! become objects. If the requested type is dynamic, `{"value": …, "type": …}` keeps it. Types are
//! written as `"string"`, `["list","number"]`, `["object",{"a":"bool"}]`, with the names of
//! optional attributes as a third element.

use std::fmt;

use super::{AttributeType, Content, Number, Type, Value, normalized, sort_attributes};
use crate::arena::Arena;
use crate::hash::HashSet;
use crate::json::{self, JsonValue, Node};
use crate::write::{self, Slot};

/// The error of JSON that is not a value of a type, or of a value that JSON cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    message: String,
}

impl JsonError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

/// Reads a JSON value with the type that it implies: objects, tuples, strings, numbers, booleans,
/// and null of the dynamic type. Of members with the same name, the last one counts.
///
/// # Errors
/// A number's exponent is out of bounds.
///
/// ```
/// use simd_hcl::value::from_node;
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [1, true]}"#)?;
/// let value = from_node(&arena, document.root()).unwrap();
/// assert_eq!(value.get("a").unwrap().as_elements().unwrap().len(), 2);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub fn from_node<'a>(arena: &'a Arena, node: Node<'a>) -> Result<Value<'a>, JsonError> {
    /// A container that is being read.
    enum Open<'a> {
        Array(json::Elements<'a>, Vec<Value<'a>>),
        Object(json::Members<'a>, Vec<(&'a str, Value<'a>)>, &'a str),
    }
    let mut open: Vec<Open<'a>> = Vec::new();
    let mut node = node;
    loop {
        let mut value = match node.value() {
            JsonValue::Null => Value::null(Type::Dynamic),
            JsonValue::Bool(value) => Value::bool(value),
            JsonValue::Number(number) => Value::number(literal(number.text())?),
            JsonValue::String(text) => Value::string(arena, text.to_str()),
            JsonValue::Array(array) => {
                let mut elements = array.elements();
                match elements.next() {
                    Some(first) => {
                        open.push(Open::Array(elements, Vec::new()));
                        node = first;
                        continue;
                    }
                    None => Value::tuple(arena, &[]),
                }
            }
            JsonValue::Object(object) => {
                let mut members = object.members();
                match members.next() {
                    Some(first) => {
                        open.push(Open::Object(members, Vec::new(), first.name().to_str()));
                        node = first.value();
                        continue;
                    }
                    None => Value::object(arena, &[]),
                }
            }
        };
        // Adds the value to its container, and each completed container to the next one.
        loop {
            match open.last_mut() {
                None => return Ok(value),
                Some(Open::Array(elements, done)) => {
                    done.push(value);
                    if let Some(next) = elements.next() {
                        node = next;
                        break;
                    }
                    value = Value::tuple(arena, done);
                }
                Some(Open::Object(members, done, name)) => {
                    done.push((name, value));
                    if let Some(next) = members.next() {
                        *name = next.name().to_str();
                        node = next.value();
                        break;
                    }
                    value = Value::object(arena, done);
                    if value.entries().len() < done.len() {
                        // Of members with the same name the last one counts, but all must agree on
                        // the type of the object.
                        let agree = done.iter().all(|(name, part)| {
                            let kept = value.get(normalized(arena, name));
                            kept.is_some_and(|kept| kept.ty() == part.ty())
                        });
                        if !agree {
                            let message = "members of one name have values of different types";
                            return Err(JsonError::new(message));
                        }
                    }
                }
            }
            open.pop();
        }
    }
}

fn literal(text: &str) -> Result<Number<'_>, JsonError> {
    Number::from_literal(text).map_err(|error| JsonError::new(format!("{text}: {error}")))
}

/// Reads a JSON value as a value of a type. Strings are converted to numbers and booleans if the
/// type requires it.
///
/// Cost: linear in the JSON and the result.
///
/// # Errors
/// It is not a value of the type.
pub fn from_node_as<'a>(
    arena: &'a Arena,
    node: Node<'a>,
    ty: Type<'a>,
) -> Result<Value<'a>, JsonError> {
    /// A container that is being read.
    enum Open<'a> {
        Elements {
            ty: Type<'a>,
            rest: json::Elements<'a>,
            done: Vec<Value<'a>>,
        },
        Entries {
            ty: Type<'a>,
            rest: json::Members<'a>,
            name: &'a str,
            done: Vec<(&'a str, Value<'a>)>,
        },
    }
    let mut open: Vec<Open<'a>> = Vec::new();
    let (mut node, mut ty) = (node, ty);
    loop {
        let wrong = || {
            JsonError::new(format!("{} is required, not {}", ty.with_article(), node.type_name()))
        };
        // A scalar, or a container without parts.
        let started = match ty {
            Type::Dynamic if node.is_null() => Ok(Value::null(Type::Dynamic)),
            Type::Dynamic => {
                (node, ty) = unwrapped(arena, node)?;
                continue;
            }
            _ if node.is_null() => Ok(Value::null(ty)),
            Type::Bool | Type::Number | Type::String => {
                Ok(scalar(arena, node, ty)?.ok_or_else(wrong)?)
            }
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                let array = node.as_array().ok_or_else(wrong)?;
                if let Type::Tuple(types) = ty
                    && array.elements().count() != types.len()
                {
                    return Err(JsonError::new(format!("{} elements are required", types.len())));
                }
                Err(Open::Elements { ty, rest: array.elements(), done: Vec::new() })
            }
            Type::Map(_) | Type::Object(_) => {
                let object = node.as_object().ok_or_else(wrong)?;
                Err(Open::Entries { ty, rest: object.members(), name: "", done: Vec::new() })
            }
        };
        let mut value = match started {
            Ok(value) => Some(value),
            Err(container) => {
                open.push(container);
                None
            }
        };
        // Adds the value to its container, and each completed container to the next one.
        (node, ty) = loop {
            let Some(container) = open.last_mut() else {
                return value.ok_or_else(|| JsonError::new("there is no value"));
            };
            match container {
                Open::Elements { ty, rest, done } => {
                    done.extend(value.take());
                    if let Some(next) = rest.next().zip(part_type(*ty, done.len())) {
                        break next;
                    }
                    value = Some(match ty {
                        Type::List(element) => Value::list(arena, element.ty(), done),
                        Type::Set(element) => Value::set(arena, element.ty(), done),
                        _ => Value::tuple(arena, done),
                    });
                }
                Open::Entries { ty, rest, name, done } => {
                    done.extend(value.take().map(|value| (*name, value)));
                    if let Some(next) = rest.next() {
                        *name = normalized(arena, next.name().to_str());
                        let part = match ty {
                            Type::Map(element) => element.ty(),
                            _ => match ty.attribute(name) {
                                Some(attribute) => attribute.ty,
                                None => {
                                    let message = format!("unsupported attribute \"{name}\"");
                                    return Err(JsonError::new(message));
                                }
                            },
                        };
                        break (next.value(), part);
                    }
                    value = Some(match ty {
                        Type::Map(element) => Value::map(arena, element.ty(), done),
                        _ => object_of(arena, *ty, done)?,
                    });
                }
            }
            open.pop();
        };
    }
}

/// Returns the value and the type of `{"value": …, "type": …}`.
fn unwrapped<'a>(arena: &'a Arena, node: Node<'a>) -> Result<(Node<'a>, Type<'a>), JsonError> {
    let wrapped =
        node.as_object().and_then(|object| Some((object.get("type")?, object.get("value")?)));
    let Some((ty, value)) = wrapped else {
        return Err(JsonError::new("an object with \"type\" and \"value\" is required"));
    };
    Ok((value, type_from_node(arena, ty)?))
}

/// Returns the type of the element at `place`.
fn part_type(ty: Type<'_>, place: usize) -> Option<Type<'_>> {
    match ty {
        Type::List(element) | Type::Set(element) => Some(element.ty()),
        Type::Tuple(types) => types.get(place).copied(),
        _ => None,
    }
}

/// Returns a boolean, number or string; `None` if the node is something else.
fn scalar<'a>(
    arena: &'a Arena,
    node: Node<'a>,
    ty: Type<'a>,
) -> Result<Option<Value<'a>>, JsonError> {
    let error = |error: &dyn fmt::Display| JsonError::new(error.to_string());
    Ok(Some(match (ty, node.value()) {
        (Type::Bool, JsonValue::Bool(value)) => Value::bool(value),
        (Type::Bool, JsonValue::String(text)) if text.is("true") || text.is("1") => {
            Value::bool(true)
        }
        (Type::Bool, JsonValue::String(text)) if text.is("false") || text.is("0") => {
            Value::bool(false)
        }
        (Type::Number, JsonValue::Number(number)) => Value::number(literal(number.text())?),
        (Type::Number, JsonValue::String(text)) => {
            Value::number(Number::parse(arena, text.to_str()).map_err(|reason| error(&reason))?)
        }
        (Type::String, JsonValue::String(text)) => Value::string(arena, text.to_str()),
        (Type::String, JsonValue::Number(number)) => {
            let text = literal(number.text())?.to_text(arena);
            Value::string(arena, text.map_err(|reason| error(&reason))?)
        }
        (Type::String, JsonValue::Bool(value)) => {
            Value::string(arena, if value { "true" } else { "false" })
        }
        _ => return Ok(None),
    }))
}

/// Returns an object from entries that already have its attributes' types. Optional attributes may
/// be missing.
fn object_of<'a>(
    arena: &'a Arena,
    ty: Type<'a>,
    entries: &mut Vec<(&'a str, Value<'a>)>,
) -> Result<Value<'a>, JsonError> {
    let attributes = match ty {
        Type::Object(attributes) => attributes.as_slice(),
        _ => &[],
    };
    let object = Value::object(arena, entries);
    if object.entries().len() == attributes.len() {
        return Ok(object);
    }
    for attribute in attributes {
        if object.get(attribute.name).is_some() {
            continue;
        }
        if !attribute.optional {
            let name = attribute.name;
            return Err(JsonError::new(format!("the attribute \"{name}\" is missing")));
        }
        entries.push((attribute.name, Value::null(attribute.ty)));
    }
    Ok(Value::object(arena, entries))
}

/// Reads a type from its JSON.
///
/// Cost: linear in the JSON.
///
/// # Errors
/// It is not a type.
pub fn type_from_node<'a>(arena: &'a Arena, node: Node<'a>) -> Result<Type<'a>, JsonError> {
    /// A type whose parts are being read.
    enum Open<'a> {
        Collection(fn(&'a Arena, Type<'a>) -> Type<'a>),
        Tuple(json::Elements<'a>, Vec<Type<'a>>),
        Object {
            rest: json::Members<'a>,
            name: &'a str,
            done: Vec<AttributeType<'a>>,
            optional: HashSet<&'a str>,
        },
    }
    let wrong = |what: &str| JsonError::new(format!("invalid type: {what}"));
    let mut open: Vec<Open<'a>> = Vec::new();
    let mut node = node;
    loop {
        let mut found = match node.to_str() {
            Some("dynamic") => Some(Type::Dynamic),
            Some("bool") => Some(Type::Bool),
            Some("number") => Some(Type::Number),
            Some("string") => Some(Type::String),
            Some(_) => return Err(wrong("bool, number, string and dynamic are known")),
            None => {
                let array =
                    node.as_array().ok_or_else(|| wrong("a string or an array is required"))?;
                let mut elements = array.elements();
                let kind = elements.next().and_then(Node::to_str).unwrap_or_default();
                let Some(of) = elements.next() else {
                    return Err(wrong("its second element is missing"));
                };
                let started = match kind {
                    "list" => Open::Collection(Type::list_of),
                    "set" => Open::Collection(Type::set_of),
                    "map" => Open::Collection(Type::map_of),
                    "tuple" => {
                        let types = of.as_array();
                        let types = types.ok_or_else(|| wrong("a tuple has an array of types"))?;
                        Open::Tuple(types.elements(), Vec::new())
                    }
                    "object" => {
                        let object = of.as_object();
                        let object = object.ok_or_else(|| wrong("an object has types by name"))?;
                        let optional = elements.next().and_then(Node::as_array);
                        let optional = optional.into_iter().flat_map(json::Array::elements);
                        Open::Object {
                            rest: object.members(),
                            name: "",
                            done: Vec::new(),
                            optional: optional.filter_map(Node::to_str).collect(),
                        }
                    }
                    _ => return Err(wrong("list, set, map, tuple and object are known")),
                };
                let is_collection = matches!(started, Open::Collection(_));
                open.push(started);
                if is_collection {
                    node = of;
                    continue;
                }
                None
            }
        };
        // Adds the type to its container, and each completed container to the next one.
        node = loop {
            let Some(container) = open.last_mut() else {
                return found.ok_or_else(|| wrong("it is empty"));
            };
            match container {
                Open::Collection(kind) => {
                    let element = found.take().unwrap_or(Type::Dynamic);
                    found = Some(kind(arena, element));
                }
                Open::Tuple(rest, done) => {
                    done.extend(found.take());
                    if let Some(next) = rest.next() {
                        break next;
                    }
                    found = Some(Type::tuple_of(arena, done));
                }
                Open::Object { rest, name, done, optional } => {
                    if let Some(ty) = found.take() {
                        done.push(AttributeType { name, ty, optional: optional.contains(name) });
                    }
                    if let Some(next) = rest.next() {
                        *name = normalized(arena, next.name().to_str());
                        break next.value();
                    }
                    done.reverse();
                    sort_attributes(done);
                    done.dedup_by_key(|attribute| attribute.name);
                    found = Some(Type::object_of(arena, done));
                }
            }
            open.pop();
        };
    }
}

/// Writes a value. Marks are ignored.
///
/// # Errors
/// A part of it is unknown or infinite, or a number that was computed has more than a million digits. Nothing
/// is written then.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::{Value, write};
/// use simd_hcl::write::{Layout, to_string};
///
/// let arena = Arena::new();
/// let value = Value::object(&arena, &[("a", Value::bool(true))]);
/// let json = to_string(Layout::Compact, |slot| write(value, slot).unwrap());
/// assert_eq!(json, r#"{"a":true}"#);
/// ```
pub fn write(value: Value<'_>, slot: Slot<'_, '_>) -> Result<(), JsonError> {
    /// A part that remains to be written.
    enum Rest<'a> {
        Value(Value<'a>),
        Member(&'a str, Value<'a>),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut rest = vec![Rest::Value(value)];
    while let Some(next) = rest.pop() {
        let value = match next {
            Rest::Text(separator) => {
                text.push_str(separator);
                continue;
            }
            Rest::Member(name, value) => {
                write::push_string(&mut text, name);
                text.push(':');
                value
            }
            Rest::Value(value) => value,
        };
        let from = rest.len();
        match value.content() {
            Content::Unknown { .. } => return Err(JsonError::new("the value is not known yet")),
            Content::Null => text.push_str("null"),
            Content::Bool(value) => text.push_str(if value { "true" } else { "false" }),
            Content::String(content) => write::push_string(&mut text, content),
            Content::Number(number) if number.is_infinite() => {
                return Err(JsonError::new("an infinite number has no JSON"));
            }
            Content::Number(number) => {
                let pushed = number.push_literal(&mut text);
                pushed.map_err(|error| JsonError::new(error.to_string()))?;
            }
            Content::Elements(elements) => {
                text.push('[');
                for (place, element) in elements.iter().enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Value(*element));
                }
                rest.push(Rest::Text("]"));
            }
            Content::Entries(entries) => {
                text.push('{');
                for (place, (name, value)) in entries.iter().enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Member(name, *value));
                }
                rest.push(Rest::Text("}"));
            }
        }
        rest[from..].reverse();
    }
    slot.json(&text);
    Ok(())
}

/// Writes a type.
pub fn write_type(ty: Type<'_>, slot: Slot<'_, '_>) {
    /// A part that remains to be written.
    enum Rest<'a> {
        Type(Type<'a>),
        Attribute(AttributeType<'a>),
        Optional(&'a [AttributeType<'a>]),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut rest = vec![Rest::Type(ty)];
    while let Some(next) = rest.pop() {
        let ty = match next {
            Rest::Text(separator) => {
                text.push_str(separator);
                continue;
            }
            Rest::Optional(attributes) => {
                let mut names = attributes.iter().filter(|each| each.optional).peekable();
                if names.peek().is_some() {
                    text.push_str(",[");
                    for (place, attribute) in names.enumerate() {
                        text.push_str(if place > 0 { "," } else { "" });
                        write::push_string(&mut text, attribute.name);
                    }
                    text.push(']');
                }
                continue;
            }
            Rest::Attribute(attribute) => {
                write::push_string(&mut text, attribute.name);
                text.push(':');
                attribute.ty
            }
            Rest::Type(ty) => ty,
        };
        let from = rest.len();
        match ty {
            Type::Dynamic | Type::Bool | Type::Number | Type::String => {
                write::push_string(&mut text, &ty.to_string());
            }
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                text.push_str(match ty {
                    Type::List(_) => "[\"list\",",
                    Type::Set(_) => "[\"set\",",
                    _ => "[\"map\",",
                });
                rest.push(Rest::Type(element.ty()));
                rest.push(Rest::Text("]"));
            }
            Type::Tuple(elements) => {
                text.push_str("[\"tuple\",[");
                for (place, element) in elements.iter().enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Type(*element));
                }
                rest.push(Rest::Text("]]"));
            }
            Type::Object(attributes) => {
                text.push_str("[\"object\",{");
                for (place, attribute) in attributes.iter().enumerate() {
                    rest.extend((place > 0).then_some(Rest::Text(",")));
                    rest.push(Rest::Attribute(*attribute));
                }
                rest.push(Rest::Text("}"));
                rest.push(Rest::Optional(attributes));
                rest.push(Rest::Text("]"));
            }
        }
        rest[from..].reverse();
    }
    slot.json(&text);
}

//! Values and types as JSON, as the reference's library (cty/json) writes them.
//!
//! A value loses its type on the way: lists, sets and tuples become arrays, maps and objects become objects. Where
//! the type that is asked for is dynamic, `{"value": …, "type": …}` keeps it. Types are written as `"string"`,
//! `["list","number"]`, `["object",{"a":"bool"}]`, with the names of optional attributes as a third element.

use std::fmt;

use super::{AttributeType, Content, Number, Type, Value, normalized};
use crate::arena::Arena;
use crate::json::{self, Node};
use crate::write::{self, Slot};

/// Types in JSON may nest so deep.
const MAX_TYPE_DEPTH: usize = 1000;

/// Why JSON is no value of a type, or a value has no JSON.
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

/// A JSON value with the type that it shows: objects, tuples, strings, numbers, booleans, and null of the dynamic
/// type. Of members of one name the last counts.
///
/// # Errors
/// A number's exponent is out of bounds.
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
            json::Value::Null => Value::null(Type::Dynamic),
            json::Value::Bool(value) => Value::bool(value),
            json::Value::Number(number) => Value::number(literal(number.text())?),
            json::Value::String(text) => Value::string(arena, text.to_str()),
            json::Value::Array(array) => {
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
            json::Value::Object(object) => {
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
        // Hands the value to the containers around it, as far as they are complete.
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
                        // Of one name the last counts, but the type of the object must be beyond doubt.
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

/// A JSON value as one of a type. Strings are converted to numbers and booleans where these are asked for.
///
/// # Errors
/// It is no value of the type.
pub fn from_node_as<'a>(
    arena: &'a Arena,
    node: Node<'a>,
    ty: Type<'a>,
) -> Result<Value<'a>, JsonError> {
    if ty.depth() > MAX_TYPE_DEPTH {
        return Err(JsonError::new("the type nests too deep"));
    }
    read(arena, node, ty)
}

/// Recurses as deep as the type, which is bounded.
fn read<'a>(arena: &'a Arena, node: Node<'a>, ty: Type<'a>) -> Result<Value<'a>, JsonError> {
    if ty.is_dynamic() {
        if node.is_null() {
            return Ok(Value::null(Type::Dynamic));
        }
        let wrapped =
            node.as_object().and_then(|object| Some((object.get("type")?, object.get("value")?)));
        let Some((ty, value)) = wrapped else {
            return Err(JsonError::new("an object with \"type\" and \"value\" is required"));
        };
        return from_node_as(arena, value, type_from_node(arena, ty)?);
    }
    if node.is_null() {
        return Ok(Value::null(ty));
    }
    let wrong = || JsonError::new(format!("{ty} required, not {}", node.type_name()));
    let elements = |element: Type<'a>| {
        let array = node.as_array().ok_or_else(wrong)?;
        array.elements().map(|each| read(arena, each, element)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match ty {
        Type::Bool => match node.value() {
            json::Value::Bool(value) => Value::bool(value),
            json::Value::String(text) if text.is("true") || text.is("1") => Value::bool(true),
            json::Value::String(text) if text.is("false") || text.is("0") => Value::bool(false),
            _ => return Err(wrong()),
        },
        Type::Number => match node.value() {
            json::Value::Number(number) => Value::number(literal(number.text())?),
            json::Value::String(text) => {
                let number = Number::parse(arena, text.to_str());
                Value::number(number.map_err(|error| JsonError::new(error.to_string()))?)
            }
            _ => return Err(wrong()),
        },
        Type::String => match node.value() {
            json::Value::String(text) => Value::string(arena, text.to_str()),
            json::Value::Number(number) => {
                let text = literal(number.text())?.to_text(arena);
                Value::string(arena, text.map_err(|error| JsonError::new(error.to_string()))?)
            }
            json::Value::Bool(value) => Value::string(arena, if value { "true" } else { "false" }),
            _ => return Err(wrong()),
        },
        Type::List(element) => Value::list(arena, *element, &elements(*element)?),
        Type::Set(element) => Value::set(arena, *element, &elements(*element)?),
        Type::Map(element) => {
            let object = node.as_object().ok_or_else(wrong)?;
            let entries: Result<Vec<_>, JsonError> = object
                .members()
                .map(|member| Ok((member.name().to_str(), read(arena, member.value(), *element)?)))
                .collect();
            Value::map(arena, *element, &entries?)
        }
        Type::Tuple(types) => {
            let array = node.as_array().ok_or_else(wrong)?;
            let nodes: Vec<_> = array.elements().collect();
            if nodes.len() != types.len() {
                return Err(JsonError::new(format!("{} elements are required", types.len())));
            }
            let pairs = nodes.into_iter().zip(types);
            let elements: Result<Vec<_>, _> =
                pairs.map(|(each, ty)| read(arena, each, *ty)).collect();
            Value::tuple(arena, &elements?)
        }
        Type::Object(attributes) => {
            let object = node.as_object().ok_or_else(wrong)?;
            let mut entries = Vec::with_capacity(attributes.len());
            for member in object.members() {
                let name = normalized(arena, member.name().to_str());
                let Some(attribute) = ty.attribute(name) else {
                    return Err(JsonError::new(format!("unsupported attribute \"{name}\"")));
                };
                entries.push((name, read(arena, member.value(), attribute.ty)?));
            }
            let object = Value::object(arena, &entries);
            let missing: Vec<_> =
                attributes.iter().filter(|each| object.get(each.name).is_none()).collect();
            for attribute in missing {
                if !attribute.optional {
                    let name = attribute.name;
                    return Err(JsonError::new(format!("attribute \"{name}\" is required")));
                }
                entries.push((attribute.name, Value::null(attribute.ty)));
            }
            Value::object(arena, &entries)
        }
        Type::Dynamic => return Err(wrong()),
    })
}

/// A type from its JSON.
///
/// # Errors
/// It is none.
pub fn type_from_node<'a>(arena: &'a Arena, node: Node<'a>) -> Result<Type<'a>, JsonError> {
    read_type(arena, node, MAX_TYPE_DEPTH)
}

/// Recurses as deep as the type, which is bounded.
fn read_type<'a>(arena: &'a Arena, node: Node<'a>, depth: usize) -> Result<Type<'a>, JsonError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(JsonError::new("the type nests too deep"));
    };
    let bump = arena.bump();
    let wrong = |what: &str| JsonError::new(format!("this is no type: {what}"));
    if let Some(name) = node.to_str() {
        return match name {
            "dynamic" => Ok(Type::Dynamic),
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            _ => Err(wrong("bool, number, string and dynamic are known")),
        };
    }
    let mut elements =
        node.as_array().ok_or_else(|| wrong("a string or an array is required"))?.elements();
    let kind = elements.next().and_then(Node::to_str).unwrap_or_default();
    let Some(of) = elements.next() else { return Err(wrong("its second element is missing")) };
    match kind {
        "list" => Ok(Type::List(bump.alloc(read_type(arena, of, depth)?))),
        "set" => Ok(Type::Set(bump.alloc(read_type(arena, of, depth)?))),
        "map" => Ok(Type::Map(bump.alloc(read_type(arena, of, depth)?))),
        "tuple" => {
            let types = of.as_array().ok_or_else(|| wrong("a tuple has an array of types"))?;
            let types: Result<Vec<_>, _> =
                types.elements().map(|each| read_type(arena, each, depth)).collect();
            Ok(Type::Tuple(bump.alloc_slice_copy(&types?)))
        }
        "object" => {
            let object = of.as_object().ok_or_else(|| wrong("an object has types by name"))?;
            let optional = elements.next().and_then(Node::as_array);
            let optional: crate::hash::HashSet<&str> = optional
                .into_iter()
                .flat_map(json::Array::elements)
                .filter_map(Node::to_str)
                .collect();
            let mut attributes = Vec::new();
            for member in object.members() {
                let name = normalized(arena, member.name().to_str());
                let ty = read_type(arena, member.value(), depth)?;
                attributes.push(AttributeType { name, ty, optional: optional.contains(name) });
            }
            attributes.reverse();
            attributes.sort_by_key(|attribute| attribute.name);
            attributes.dedup_by_key(|attribute| attribute.name);
            Ok(Type::Object(bump.alloc_slice_copy(&attributes)))
        }
        _ => Err(wrong("list, set, map, tuple and object are known")),
    }
}

/// Writes a value. Marks are not looked at.
///
/// # Errors
/// Something in it is unknown or infinite, or a number is too long to be written; then nothing is.
pub fn write(value: Value<'_>, slot: Slot<'_, '_>) -> Result<(), JsonError> {
    /// What remains to be written.
    enum Rest<'a> {
        Value(Value<'a>),
        Member(&'a str, Value<'a>),
        Text(&'static str),
    }
    let arena = Arena::new();
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
                let digits = number.to_text(&arena);
                text.push_str(digits.map_err(|error| JsonError::new(error.to_string()))?);
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
    /// What remains to be written.
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
                rest.push(Rest::Type(*element));
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

//! Functions of maps and objects. If a part of a value is marked, the rest of the result is not.

use std::collections::BTreeMap;

use super::builtin::{Builtin, Rule, function};
use super::call::{Call, Outcome, failed, wrong};
use super::collection::{sequence, tuple_of};
use crate::value::{ElementType, Marks, Quotation, Type, Value, convert};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("keys", keys).typed(keys_type).partial().shallow(),
    function("lookup", lookup).typed(LOOKUP).partial().shallow(),
    function("merge", merge).typed(merge_type).partial().shallow(),
    function("transpose", transpose),
    function("values", values).typed(values_type).partial().shallow(),
    function("zipmap", zipmap).typed(ZIPMAP).partial().shallow(),
];

const LOOKUP: Rule = lookup_type;
const ZIPMAP: Rule = zipmap_type;

fn keys_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::Map(_) => Ok(Type::List(ElementType::STRING)),
        Type::Object(attributes) => Ok(tuple_of(call, &vec![Type::String; attributes.len()])),
        _ => Err(wrong(0, "a map or an object is required")),
    }
}

fn keys<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = keys_type(call)?;
    let (map, marks) = call.value(0)?.unmark();
    let name = |name| Value::string(call.arena, name);
    let names: Vec<_> = match map.ty() {
        // The keys of an object are a part of its type.
        Type::Object(attributes) => {
            attributes.iter().map(|attribute| name(attribute.name)).collect()
        }
        _ if !map.is_known() => return Ok(Value::unknown(ty).with_marks(marks)),
        _ => map.entries().iter().map(|&(key, _)| name(key)).collect(),
    };
    Ok(sequence(call, ty, &names).with_marks(marks))
}

fn lookup_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    if call.arguments.len() > 3 {
        return Err(failed("there are more than three arguments"));
    }
    let default = call.arguments.get(2);
    match call.value(0)?.ty() {
        Type::Map(element) => match default {
            Some(&default) if convert(call.arena, default, element.ty()).is_err() => {
                Err(wrong(2, "the default must have the type of the elements"))
            }
            _ => Ok(element.ty()),
        },
        Type::Object(attributes) => {
            let (key, _) = call.value(1)?.unmark();
            let Some(key) = key.as_str() else { return Ok(Type::Dynamic) };
            let attribute = attributes.iter().find(|attribute| attribute.name == key);
            let found = attribute.map(|attribute| attribute.ty).or(default.map(|value| value.ty()));
            found.ok_or_else(|| {
                call.wrong(0, "the object has no attribute {}", &[Quotation::Text(key)])
            })
        }
        _ => Err(wrong(0, "a map or an object is required")),
    }
}

fn lookup<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = lookup_type(call)?;
    let (map, map_marks) = call.value(0)?.unmark();
    let (key, key_marks) = call.value(1)?.unmark();
    let marks = map_marks.with(key_marks);
    let Some(name) = key.as_str().filter(|_| map.is_known()) else {
        return Ok(Value::unknown(ty).with_marks(marks));
    };
    let found = match (map.get(name), call.arguments.get(2)) {
        (Some(found), _) => found,
        (None, Some(&default)) => {
            convert(call.arena, default, ty).map_err(|error| call.unconverted(2, &error))?
        }
        (None, None) => {
            return Err(call.failed("the map has no element {}", &[Quotation::Text(name)]));
        }
    };
    Ok(found.with_marks(found.marks().with(marks)))
}

fn merge_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let Some(first) = call.arguments.first() else { return Ok(Type::object_of(call.arena, &[])) };
    let (mut is_complete, mut has_dynamic) = (true, false);
    let mut attributes = BTreeMap::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        match argument.ty() {
            Type::Dynamic => has_dynamic = true,
            Type::Object(types) if !argument.is_null() => {
                attributes.extend(types.iter().map(|attribute| (attribute.name, attribute.ty)));
            }
            Type::Map(element) if !argument.is_null() => {
                is_complete &= argument.is_known();
                attributes.extend(argument.entries().iter().map(|&(name, _)| (name, element.ty())));
            }
            Type::Object(_) | Type::Map(_) => {}
            _ => return Err(wrong(index, "a map or an object is required")),
        }
    }
    if has_dynamic {
        return Ok(Type::Dynamic);
    }
    if call.arguments.iter().all(|argument| argument.ty() == first.ty()) {
        return Ok(first.ty());
    }
    if !is_complete {
        return Ok(Type::Dynamic);
    }
    let entries: Vec<_> =
        attributes.iter().map(|(&name, &ty)| (name, Value::unknown(ty))).collect();
    Ok(call.object(&entries).ty())
}

fn merge<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = merge_type(call)?;
    let mut merged = BTreeMap::new();
    let mut marks = Marks::NONE;
    for &argument in call.arguments {
        let (argument, own) = argument.unmark();
        marks = marks.with(own);
        if !argument.is_known() {
            return Ok(Value::unknown(ty).with_marks(marks));
        }
        merged.extend(argument.entries().iter().copied());
    }
    let entries: Vec<_> = merged.into_iter().collect();
    Ok(match ty {
        Type::Map(element) => call.map(element.ty(), &entries),
        _ => call.object(&entries),
    }
    .with_marks(marks))
}

fn transpose<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut lists: BTreeMap<&str, Vec<Value<'a>>> = BTreeMap::new();
    for &(name, list) in call.value(0)?.entries() {
        if list.is_null() {
            return Err(wrong(0, "a list is null"));
        }
        for element in list.elements() {
            let Some(key) = element.as_str() else { return Err(wrong(0, "an element is null")) };
            lists.entry(key).or_default().push(Value::string(call.arena, name));
        }
    }
    let entries: Vec<_> =
        lists.iter().map(|(&key, names)| (key, call.list(Type::String, names))).collect();
    Ok(call.map(Type::List(ElementType::STRING), &entries))
}

fn values_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::Map(element) => Ok(Type::List(element)),
        Type::Object(attributes) => {
            let types: Vec<_> = attributes.iter().map(|attribute| attribute.ty).collect();
            Ok(tuple_of(call, &types))
        }
        _ => Err(wrong(0, "a map or an object is required")),
    }
}

fn values<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = values_type(call)?;
    let (map, marks) = call.value(0)?.unmark();
    let values: Vec<_> = map.entries().iter().map(|&(_, value)| value).collect();
    Ok(sequence(call, ty, &values).with_marks(marks))
}

fn zipmap_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let values = call.value(1)?;
    let types = match values.ty() {
        Type::List(element) => return Ok(Type::Map(element)),
        Type::Tuple(types) => types,
        _ => return Err(wrong(1, "a list or a tuple is required")),
    };
    let Some(keys) = zipped_keys(call, types.len())? else { return Ok(Type::Dynamic) };
    let entries: Vec<_> =
        keys.into_iter().zip(types).map(|(key, &ty)| (key, Value::unknown(ty))).collect();
    Ok(call.object(&entries).ty())
}

/// Returns the keys if they are known. There must be as many keys as values.
fn zipped_keys<'a>(call: Call<'_, 'a>, length: usize) -> Outcome<'a, Option<Vec<&'a str>>> {
    let keys = call.value(0)?;
    if !keys.is_wholly_known() {
        return Ok(None);
    }
    if keys.elements().len() != length {
        return Err(failed("there must be as many keys as values"));
    }
    let keys: Option<_> = keys.elements().iter().map(|key| key.unmark().0.as_str()).collect();
    keys.map(Some).ok_or(wrong(0, "a key is null"))
}

fn zipmap<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = zipmap_type(call)?;
    let (values, marks) = call.value(1)?.unmark();
    let marks = marks.with(call.value(0)?.deep_marks());
    let elements = values.elements();
    let Some(keys) = zipped_keys(call, elements.len())? else {
        return Ok(Value::unknown(ty).with_marks(marks));
    };
    let entries: Vec<_> = keys.into_iter().zip(elements.iter().copied()).collect();
    Ok(match ty {
        Type::Map(element) => call.map(element.ty(), &entries),
        _ => call.object(&entries),
    }
    .with_marks(marks))
}

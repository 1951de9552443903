//! Functions of lists and tuples.
//!
//! If a part of a value is marked, functions that only move it do not mark the rest of the result.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation as _;

use super::builtin::{Builtin, Rule, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, failed, wrong};
use crate::value::{Key, Marks, Quotation, Type, Value, convert, equals, unify};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("alltrue", all_true).partial(),
    function("anytrue", any_true).partial(),
    function("chunklist", chunk_list).typed(CHUNKS).partial().shallow(),
    function("coalesce", coalesce).typed(coalesce_type).partial().shallow(),
    function("coalescelist", coalesce_list).typed(coalesce_list_type).partial().shallow(),
    function("compact", compact),
    function("concat", concat).typed(concat_type).partial().shallow(),
    function("contains", contains).partial(),
    function("distinct", distinct).typed(|call| Ok(call.value(0)?.ty())),
    function("element", element).typed(ELEMENT).partial().shallow(),
    function("flatten", flatten).typed(flatten_type).partial(),
    function("index", index),
    function("length", length).typed(length_type).partial().shallow(),
    function("matchkeys", match_keys).typed(SAME).partial(),
    function("one", one).typed(one_type).partial().shallow(),
    function("range", range),
    function("reverse", reverse).typed(reverse_type).partial().shallow(),
    function("slice", slice).typed(SLICE).partial().shallow(),
    function("sum", sum),
];

const CHUNKS: Rule = |call| Ok(list_of(call, call.value(0)?.ty()));
const ELEMENT: Rule = element_type;
const SAME: Rule = |call| Ok(call.value(0)?.ty());
const SLICE: Rule = slice_type;

/// Returns the type of a list of `element`.
fn list_of<'a>(call: Call<'_, 'a>, element: Type<'a>) -> Type<'a> {
    Type::list_of(call.arena, element)
}

/// Returns the type of a tuple of `elements`.
pub(super) fn tuple_of<'a>(call: Call<'_, 'a>, elements: &[Type<'a>]) -> Type<'a> {
    Type::tuple_of(call.arena, elements)
}

/// Returns a list or a tuple, depending on `ty`.
pub(super) fn sequence<'a>(call: Call<'_, 'a>, ty: Type<'a>, elements: &[Value<'a>]) -> Value<'a> {
    match ty {
        Type::List(element) => call.list(element.ty(), elements),
        _ => call.tuple(elements),
    }
}

/// Whether the length is known. The length of a collection with unknown elements is known, unless
/// they might be equal elements of a set.
fn has_length(value: Value<'_>) -> bool {
    match value.ty() {
        Type::Set(_) if value.elements().len() > 1 => value.is_wholly_known(),
        _ => value.is_known(),
    }
}

fn all_true<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    for element in call.value(0)?.elements() {
        if !element.is_known() {
            return Ok(Value::unknown(Type::Bool));
        }
        if element.as_bool() != Some(true) {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn any_true<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let elements = call.value(0)?.elements();
    if elements.iter().any(|element| element.as_bool() == Some(true)) {
        return Ok(Value::bool(true));
    }
    if elements.iter().all(|element| element.is_known()) {
        return Ok(Value::bool(false));
    }
    Ok(Value::unknown(Type::Bool))
}

fn chunk_list<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (list, marks) = call.value(0)?.unmark();
    let (size, size_marks) = call.value(1)?.unmark();
    let size =
        size.as_number().and_then(|size| size.as_i64()).and_then(|size| usize::try_from(size).ok());
    let Some(size) = size else { return Err(wrong(1, "a whole number of at least 0 is required")) };
    let Type::List(element) = list.ty() else { return Err(wrong(0, "a list is required")) };
    let elements = list.elements();
    // Size 0 stands for the length of the list.
    let size = if size == 0 { elements.len().max(1) } else { size };
    let chunks: Vec<_> =
        elements.chunks(size).map(|chunk| call.list(element.ty(), chunk)).collect();
    Ok(call.list(list.ty(), &chunks).with_marks(marks.with(size_marks)))
}

fn coalesce_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let types: Vec<_> = call.arguments.iter().map(|argument| argument.ty()).collect();
    let common = if types.is_empty() { None } else { unify(call.arena, &types) };
    common.ok_or_else(|| failed("the arguments must have a common type"))
}

fn coalesce<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = coalesce_type(call)?;
    for (index, &argument) in call.arguments.iter().enumerate() {
        if !argument.is_known() {
            return Ok(Value::unknown(ty));
        }
        if argument.is_null() || argument.as_str() == Some("") {
            continue;
        }
        return convert(call.arena, argument, ty).map_err(|error| call.unconverted(index, &error));
    }
    Err(failed("all arguments are null or empty strings"))
}

fn coalesce_list_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    for (index, argument) in call.arguments.iter().enumerate() {
        if !argument.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(argument.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(wrong(index, "a list or a tuple is required"));
        }
    }
    match call.arguments {
        [] => Err(failed("at least one argument is required")),
        [first, rest @ ..] if rest.iter().all(|next| next.ty() == first.ty()) => Ok(first.ty()),
        _ => Ok(Type::Dynamic),
    }
}

fn coalesce_list<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = coalesce_list_type(call)?;
    for &argument in call.arguments {
        if !argument.is_known() {
            return Ok(Value::unknown(ty));
        }
        if !argument.elements().is_empty() {
            return Ok(argument);
        }
    }
    Err(failed("all arguments are null or empty"))
}

fn compact<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let elements = call.value(0)?.elements().iter();
    let kept: Vec<_> = elements
        .copied()
        .filter(|element| element.as_str().is_some_and(|text| !text.is_empty()))
        .collect();
    Ok(call.list(Type::String, &kept))
}

fn concat_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    if call.arguments.is_empty() {
        return Err(failed("at least one argument is required"));
    }
    let types: Vec<_> = call.arguments.iter().map(|argument| argument.ty()).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_)))
        && let Some(common) = unify(call.arena, &types)
    {
        return Ok(common);
    }
    let mut elements = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        match argument.ty() {
            Type::Tuple(types) => elements.extend_from_slice(types),
            Type::List(_) if !argument.is_known() => return Ok(Type::Dynamic),
            Type::List(element) => {
                elements.extend(std::iter::repeat_n(element.ty(), argument.elements().len()));
            }
            _ => return Err(wrong(index, "a list or a tuple is required")),
        }
        if elements.len() > MAX_ELEMENTS {
            return Err(call.too_many());
        }
    }
    Ok(tuple_of(call, &elements))
}

fn concat<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = concat_type(call)?;
    let mut elements = Vec::new();
    let mut marks = Marks::NONE;
    for (index, &argument) in call.arguments.iter().enumerate() {
        let mut argument = argument;
        if matches!(ty, Type::List(_)) {
            argument = convert(call.arena, argument, ty)
                .map_err(|error| call.unconverted(index, &error))?;
        }
        let (argument, own) = argument.unmark();
        marks = marks.with(own);
        elements.extend_from_slice(argument.elements());
        if elements.len() > MAX_ELEMENTS {
            return Err(call.too_many());
        }
    }
    Ok(sequence(call, ty, &elements).with_marks(marks))
}

fn contains<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (list, wanted) = (call.value(0)?, call.value(1)?);
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(wrong(0, "a list, a set or a tuple is required"));
    }
    let mut found = Some(false);
    for &element in list.elements() {
        match equals(wanted, element).as_bool() {
            Some(true) => return Ok(Value::bool(true)),
            Some(false) => {}
            None => found = None,
        }
    }
    Ok(found.map_or(Value::unknown(Type::Bool), Value::bool))
}

fn distinct<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let list = call.value(0)?;
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for &element in list.elements() {
        if seen.insert(Key::of(element)) {
            kept.push(element);
        }
    }
    Ok(sequence(call, list.ty(), &kept))
}

/// Returns the index of an element; it wraps around at the end of the list.
fn place<'a>(call: Call<'_, 'a>, length: usize) -> Outcome<'a, usize> {
    let index = call.integer(1)?;
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let place = index.checked_rem_euclid(length).and_then(|place| usize::try_from(place).ok());
    place.ok_or(wrong(0, "an empty list has no elements"))
}

fn element_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::List(element) => Ok(element.ty()),
        Type::Tuple(_) if !call.value(1)?.is_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => Ok(types[place(call, types.len())?]),
        _ => Err(wrong(0, "a list or a tuple is required")),
    }
}

fn element<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    element_type(call)?;
    let (list, marks) = call.value(0)?.unmark();
    let elements = list.elements();
    let element = elements[place(call, elements.len())?];
    Ok(element.with_marks(element.marks().with(marks)))
}

/// Returns the elements without the lists that contain them, and the marks of those lists. `None`
/// if the number of elements is unknown.
fn flattened<'a>(call: Call<'_, 'a>) -> Outcome<'a, Option<(Vec<Value<'a>>, Marks)>> {
    let (list, mut marks) = call.value(0)?.unmark();
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(wrong(0, "a list, a set or a tuple is required"));
    }
    if !has_length(list) {
        return Ok(None);
    }
    let mut flat = Vec::new();
    let mut open = vec![list.elements().iter()];
    let mut visited = 0;
    while let Some(elements) = open.last_mut() {
        let Some(&element) = elements.next() else {
            open.pop();
            continue;
        };
        visited += 1;
        if visited > MAX_ELEMENTS {
            return Err(call.too_many());
        }
        let is_list = matches!(element.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if is_list && !element.is_null() {
            let (inner, own) = element.unmark();
            if !has_length(inner) {
                return Ok(None);
            }
            marks = marks.with(own);
            open.push(inner.elements().iter());
        } else if element.is_dynamic() && !element.is_known() {
            return Ok(None);
        } else {
            flat.push(element);
        }
    }
    Ok(Some((flat, marks)))
}

fn flatten_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let Some((elements, _)) = flattened(call)? else { return Ok(Type::Dynamic) };
    let types: Vec<_> = elements.iter().map(|element| element.ty()).collect();
    Ok(tuple_of(call, &types))
}

fn flatten<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    Ok(match flattened(call)? {
        Some((elements, marks)) => call.tuple(&elements).with_marks(marks),
        None => Value::dynamic().with_marks(call.value(0)?.deep_marks()),
    })
}

fn index<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (list, wanted) = (call.value(0)?, call.value(1)?);
    if !matches!(list.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(wrong(0, "a list or a tuple is required"));
    }
    let mut elements = list.elements().iter();
    match elements.position(|&element| equals(wanted, element).as_bool() == Some(true)) {
        Some(index) => Ok(call.integer_value(i64::try_from(index).unwrap_or(i64::MAX))),
        None => Err(wrong(1, "the list does not contain the element")),
    }
}

fn length_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::Bool | Type::Number => {
            Err(wrong(0, "a string, a collection, an object or a tuple is required"))
        }
        _ => Ok(Type::Number),
    }
}

fn length<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    length_type(call)?;
    let (value, marks) = call.value(0)?.unmark();
    let length = match value.ty() {
        Type::Tuple(types) => Some(types.len()),
        Type::Object(attributes) => Some(attributes.len()),
        _ if !has_length(value) => None,
        Type::String => Some(clusters(value.as_str().unwrap_or_default())),
        Type::Map(_) => Some(value.entries().len()),
        Type::List(_) | Type::Set(_) => Some(value.elements().len()),
        _ => None,
    };
    let length = length.map(|length| call.integer_value(i64::try_from(length).unwrap_or(i64::MAX)));
    Ok(length.unwrap_or(Value::unknown(Type::Number)).with_marks(marks))
}

/// Returns the number of grapheme clusters of a text. In ASCII, only a carriage return and a line
/// feed form one cluster.
fn clusters(text: &str) -> usize {
    if text.is_ascii() {
        return text.len() - text.matches("\r\n").count();
    }
    text.graphemes(true).count()
}

fn match_keys<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (list, keys, wanted) = (call.value(0)?, call.value(1)?, call.value(2)?);
    if list.elements().len() != keys.elements().len() {
        return Err(failed("there must be as many keys as values"));
    }
    let Some(common) = unify(call.arena, &[keys.ty(), wanted.ty()]) else {
        return Err(failed("keys and searchset must have a common type"));
    };
    if !call.arguments.iter().all(|argument| argument.is_wholly_known()) {
        return Ok(Value::unknown(list.ty()));
    }
    let converted = |index, value| {
        convert(call.arena, value, common).map_err(|error| call.unconverted(index, &error))
    };
    let wanted: BTreeSet<_> =
        converted(2, wanted)?.elements().iter().map(|&key| Key::of(key)).collect();
    let mut kept = Vec::new();
    for (&value, &key) in list.elements().iter().zip(converted(1, keys)?.elements()) {
        if wanted.contains(&Key::of(key)) {
            kept.push(value);
        }
    }
    Ok(sequence(call, list.ty(), &kept))
}

fn one_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::List(element) | Type::Set(element) => Ok(element.ty()),
        Type::Tuple(elements) if elements.len() <= 1 => {
            Ok(elements.first().copied().unwrap_or(Type::Dynamic))
        }
        _ => Err(wrong(0, "a list, a set or a tuple of at most one element is required")),
    }
}

fn one<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = one_type(call)?;
    let list = call.value(0)?;
    match list.elements() {
        _ if !has_length(list) => Ok(Value::unknown(ty)),
        [] => Ok(Value::null(ty)),
        [element] => Ok(*element),
        _ => Err(wrong(0, "a list, a set or a tuple of at most one element is required")),
    }
}

/// The maximum number of elements in the result of `range`.
const MAX_RANGE: usize = 1024;

fn range<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    use std::cmp::Ordering::{Equal, Greater, Less};

    let integer = |number| call.integer_value(number).as_number();
    let zero = integer(0).ok_or_else(|| call.too_many())?;
    let (start, end) = match call.arguments.len() {
        1 => (zero, call.number(0)?),
        2 | 3 => (call.number(0)?, call.number(1)?),
        _ => return Err(failed("one, two or three arguments are required")),
    };
    let step = match call.arguments.len() {
        3 => call.number(2)?,
        _ if end.compare(start) == Less => integer(-1).unwrap_or(zero),
        _ => integer(1).unwrap_or(zero),
    };
    let direction = step.compare(zero);
    let wrong_way = match direction {
        Equal => return Err(wrong(2, "the step must not be zero")),
        Less => Greater,
        Greater => Less,
    };
    if end.compare(start) == wrong_way {
        return Err(wrong(1, "the step leads away from the end"));
    }
    let mut numbers = Vec::new();
    let mut number = start;
    // While the end is ahead.
    while end.compare(number) == direction {
        if numbers.len() == MAX_RANGE {
            return Err(
                call.failed("there would be more than {} numbers", &[Quotation::Plain(&MAX_RANGE)])
            );
        }
        numbers.push(Value::number(number));
        number = number.add(call.arena, step).map_err(|error| call.uncomputed(error))?;
    }
    Ok(call.list(Type::Number, &numbers))
}

fn reverse_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    match call.value(0)?.ty() {
        Type::Tuple(types) => {
            let types: Vec<_> = types.iter().rev().copied().collect();
            Ok(tuple_of(call, &types))
        }
        Type::List(element) | Type::Set(element) => Ok(Type::List(element)),
        _ => Err(wrong(0, "a list, a set or a tuple is required")),
    }
}

fn reverse<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = reverse_type(call)?;
    let (list, marks) = call.value(0)?.unmark();
    if !has_length(list) {
        return Ok(Value::unknown(ty).with_marks(marks));
    }
    let elements: Vec<_> = list.elements().iter().rev().copied().collect();
    Ok(sequence(call, ty, &elements).with_marks(marks))
}

/// Returns the known start and end of a slice, checked against each other and the length.
fn bounds<'a>(call: Call<'_, 'a>, length: Option<usize>) -> Outcome<'a, Option<(usize, usize)>> {
    let bound = |index| {
        if !call.value(index)?.is_known() {
            return Ok(None);
        }
        let bound = usize::try_from(call.integer(index)?).ok();
        match bound.filter(|&bound| length.is_none_or(|length| bound <= length)) {
            Some(bound) => Ok(Some(bound)),
            None => Err(wrong(index, "the index is outside of the list")),
        }
    };
    match (bound(1)?, bound(2)?) {
        (Some(start), Some(end)) if start > end => Err(wrong(1, "the start is after the end")),
        (Some(start), Some(end)) => Ok(Some((start, end))),
        _ => Ok(None),
    }
}

fn slice_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let list = call.value(0)?;
    match list.ty() {
        Type::List(_) => {
            bounds(call, list.is_known().then(|| list.elements().len()))?;
            Ok(list.ty())
        }
        Type::Tuple(types) => match bounds(call, Some(types.len()))? {
            Some((start, end)) => Ok(tuple_of(call, &types[start..end])),
            None => Ok(Type::Dynamic),
        },
        Type::Set(_) => Err(wrong(0, "a set has no indices")),
        _ => Err(wrong(0, "a list or a tuple is required")),
    }
}

fn slice<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = slice_type(call)?;
    let (list, marks) = call.value(0)?.unmark();
    let elements = list.elements();
    let part = bounds(call, Some(elements.len()))?.map(|(start, end)| &elements[start..end]);
    let value = part.map_or(Value::unknown(ty), |part| sequence(call, ty, part));
    Ok(value.with_marks(marks))
}

fn sum<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let list = call.value(0)?;
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(wrong(0, "a list, a set or a tuple is required"));
    }
    let mut total = None;
    for &element in list.elements() {
        let number = convert(call.arena, element, Type::Number).ok();
        let Some(number) = number.and_then(|number| number.as_number()) else {
            return Err(wrong(0, "the elements must be numbers"));
        };
        total = Some(match total {
            None => number,
            Some(total) => number.add(call.arena, total).map_err(|error| call.uncomputed(error))?,
        });
    }
    total.map(Value::number).ok_or(wrong(0, "the list is empty"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_of_ascii_are_counted_without_looking_them_up() {
        let characters = ["a", "\r", "\n", "\0", " ", "\u{7f}", "é", "\u{301}"];
        for one in characters {
            for two in characters {
                for three in characters {
                    let text = [one, two, three].concat();
                    assert_eq!(clusters(&text), text.graphemes(true).count(), "{text:?}");
                }
            }
        }
    }
}

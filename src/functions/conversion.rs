//! Functions for conversions, marks and failures: `convert`, `tobool` and similar ones, `sensitive`,
//! `nonsensitive`, `issensitive`, `ephemeralasnull`, `can`, `try`.

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, failed, wrong};
use super::in_part;
use crate::diagnostic::Diagnostic;
use crate::expression::Expression;
use crate::native::Native;
use crate::source::Source;
use crate::value::{ElementType, Marks, Quotation, Type, Value, convert};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("can", |call| can(&[Some(call.value(0)?)]))
        .recovering(|_, attempts| can(attempts))
        .partial()
        .shallow(),
    function("convert", |_| Ok(Value::dynamic())).partial().reading_syntax(convert_to),
    function("ephemeralasnull", |call| Ok(without_ephemeral(call, call.value(0)?)))
        .typed(same_type)
        .partial(),
    function("issensitive", is_sensitive).partial().shallow(),
    function("nonsensitive", |call| {
        let (value, marks) = call.value(0)?.unmark();
        Ok(value.with_marks(marks.without(Marks::SENSITIVE)))
    })
    .typed(same_type)
    .partial()
    .shallow(),
    function("sensitive", |call| Ok(call.value(0)?.with_marks(Marks::SENSITIVE)))
        .typed(same_type)
        .partial()
        .shallow(),
    function("tobool", |call| to(call, Type::Bool)).partial(),
    function("tolist", |call| to(call, LIST)).typed(|call| to_type(call, LIST)).partial(),
    function("tomap", |call| to(call, MAP)).typed(|call| to_type(call, MAP)).partial(),
    function("tonumber", |call| to(call, Type::Number)).partial(),
    function("toset", |call| to(call, SET)).typed(|call| to_type(call, SET)).partial(),
    function("tostring", |call| to(call, Type::String)).partial().in_part(in_part::same),
    function("try", |call| {
        let attempts: Vec<_> = call.arguments.iter().copied().map(Some).collect();
        first_success(call, &attempts)
    })
    .recovering(first_success)
    .partial()
    .shallow(),
];

const LIST: Type<'static> = Type::List(ElementType::DYNAMIC);
const MAP: Type<'static> = Type::Map(ElementType::DYNAMIC);
const SET: Type<'static> = Type::Set(ElementType::DYNAMIC);

fn to<'a>(call: Call<'_, 'a>, ty: Type<'a>) -> Outcome<'a> {
    convert(call.arena, call.value(0)?, ty).map_err(|error| call.unconverted(0, &error))
}

/// Returns the type that an argument, which may be unknown, is converted to.
fn to_type<'a>(call: Call<'_, 'a>, ty: Type<'a>) -> Outcome<'a, Type<'a>> {
    to(call, ty).map(Value::ty)
}

/// Converts a value to the type in a text, with the defaults of optional attributes.
fn convert_to<'a>(call: Call<'_, 'a>, text: &'a str) -> Outcome<'a> {
    let value = call.value(0)?;
    let read = |text: &'a str| {
        let source = Source::from_bytes(call.arena, "type", text.as_bytes()).ok()?;
        let mut errors: Option<Diagnostic<'a>> = None;
        let parsed = Native::expression(call.arena, source, &mut errors);
        let constraint = Expression::from_native(parsed).type_constraint(&mut errors);
        Some((constraint, errors))
    };
    let mut found = read(text);
    // Inside a JSON string, quotes are escaped.
    if let Some((None, _)) = found
        && text.contains("\\\"")
    {
        found = read(call.arena.str(&text.replace("\\\"", "\"")));
    }
    match found {
        Some((Some(constraint), None)) => {
            let mut errors: Option<Diagnostic<'a>> = None;
            let converted = constraint.apply(call.arena, value, &mut errors);
            converted.map_err(|error| call.unconverted(0, &error))
        }
        Some((_, Some(error))) => {
            let detail = error.detail();
            Err(call.wrong(1, "{}", &[Quotation::Plain(&detail.trim_end_matches('.'))]))
        }
        _ => Err(wrong(1, "a type is required")),
    }
}

fn same_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    Ok(call.value(0)?.ty())
}

/// Whether an evaluation succeeded. If its value is unknown, it may still fail.
fn can<'a>(attempts: &[Option<Value<'a>>]) -> Outcome<'a> {
    Ok(match attempts {
        [Some(value)] if !value.is_wholly_known() => Value::unknown(Type::Bool),
        attempts => Value::bool(attempts.iter().all(Option::is_some)),
    })
}

/// Returns the first value whose evaluation succeeded.
fn first_success<'a>(_: Call<'_, 'a>, attempts: &[Option<Value<'a>>]) -> Outcome<'a> {
    match attempts.iter().flatten().next() {
        Some(value) if !value.is_wholly_known() => Ok(Value::dynamic()),
        Some(&value) => Ok(value),
        None => Err(failed("no argument could be evaluated")),
    }
}

fn is_sensitive<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let value = call.value(0)?;
    let marked = value.marks().contains(Marks::SENSITIVE);
    // An unknown value may turn out to be sensitive.
    Ok(if marked || value.is_known() { Value::bool(marked) } else { Value::unknown(Type::Bool) })
}

/// A container that is being copied with some parts replaced.
struct Rebuilt<'a> {
    source: Value<'a>,
    parts: Vec<Value<'a>>,
}

/// Returns the value with null for each part that must not be stored.
fn without_ephemeral<'a>(call: Call<'_, 'a>, value: Value<'a>) -> Value<'a> {
    if !value.deep_marks().contains(Marks::EPHEMERAL) {
        return value;
    }
    let mut open: Vec<Rebuilt<'a>> = Vec::new();
    let mut next = value;
    loop {
        let mut done = if next.marks().contains(Marks::EPHEMERAL) {
            Value::null(next.ty()).with_marks(next.marks().without(Marks::EPHEMERAL))
        } else if let Some(first) = part(next, 0) {
            open.push(Rebuilt { source: next, parts: Vec::new() });
            next = first;
            continue;
        } else {
            next
        };
        // A finished part may complete its container, and so on.
        loop {
            let Some(outer) = open.last_mut() else { return done };
            outer.parts.push(done);
            if let Some(part) = part(outer.source, outer.parts.len()) {
                next = part;
                break;
            }
            let Rebuilt { source, parts } =
                open.pop().unwrap_or(Rebuilt { source: done, parts: Vec::new() });
            let names = source.entries().iter().map(|&(name, _)| name);
            let entries = || names.clone().zip(parts.iter().copied()).collect::<Vec<_>>();
            done = match source.ty() {
                Type::List(element) => call.list(element.ty(), &parts),
                Type::Set(element) => call.set(element.ty(), &parts),
                Type::Map(element) => call.map(element.ty(), &entries()),
                Type::Object(_) => call.object(&entries()),
                _ => call.tuple(&parts),
            }
            .with_marks(source.marks());
        }
    }
}

/// Returns the element, or the value of the entry, at `index`.
fn part(value: Value<'_>, index: usize) -> Option<Value<'_>> {
    let entry = value.entries().get(index).map(|&(_, value)| value);
    value.elements().get(index).copied().or(entry)
}

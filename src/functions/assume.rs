//! Functions that state what is known of a value before it is: the family `assume…` (OpenTofu 1.13).
//!
//! A known value is returned if it is as stated, and is an error otherwise. Of an unknown value only
//! "not null" is kept, since unknown values have no prefixes and lengths here.

use super::builtin::{Builtin, Returns, any, function, number, text};
use super::call::{Call, Outcome, wrong};
use crate::evaluate::Parameter;
use crate::value::{ElementType, Marks, Type, convert, equals};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("assumeequal", &[marked("actual_value"), marked("expected_value")], EXPECTED, equal)
        .partial(),
    function("assumelistlength", &[LIST, MIN, MAX], FIRST, between).partial().shallow(),
    function("assumelistlengthmax", &[LIST, MAX], FIRST, at_most).partial().shallow(),
    function("assumelistlengthmin", &[LIST, MIN], FIRST, at_least).partial().shallow(),
    function("assumemaplength", &[MAP, MIN, MAX], FIRST, between).partial().shallow(),
    function("assumemaplengthmax", &[MAP, MAX], FIRST, at_most).partial().shallow(),
    function("assumemaplengthmin", &[MAP, MIN], FIRST, at_least).partial().shallow(),
    function("assumenotnull", &[assumed(any("value"))], FIRST, not_null).partial().shallow(),
    function("assumesetlength", &[SET, MIN, MAX], FIRST, between).partial().shallow(),
    function("assumesetlengthmax", &[SET, MAX], FIRST, at_most).partial().shallow(),
    function("assumesetlengthmin", &[SET, MIN], FIRST, at_least).partial().shallow(),
    function("assumestringprefix", &[assumed(text("value")), text("prefix")], FIRST, prefix)
        .partial(),
];

/// The type of the assumed value.
const FIRST: Returns = Returns::Rule(|call| Ok(call.value(0)?.ty()));
const EXPECTED: Returns = Returns::Rule(|call| Ok(call.value(1)?.ty()));

const LIST: Parameter<'static> = assumed(Parameter::new("value", Type::List(ElementType::DYNAMIC)));
const MAP: Parameter<'static> = assumed(Parameter::new("value", Type::Map(ElementType::DYNAMIC)));
const SET: Parameter<'static> = assumed(Parameter::new("value", Type::Set(ElementType::DYNAMIC)));
const MIN: Parameter<'static> = number("min_length");
const MAX: Parameter<'static> = number("max_length");

/// A value of which something is assumed: it may be null or unknown.
const fn assumed(parameter: Parameter<'static>) -> Parameter<'static> {
    parameter.with_null().with_unknown().with_dynamic()
}

const fn marked(name: &'static str) -> Parameter<'static> {
    assumed(any(name)).with_marked()
}

/// Returns the error of a value that is not as stated.
fn refuted<'a, T>() -> Outcome<'a, T> {
    Err(wrong(0, "the assumption does not hold"))
}

/// Returns the expected value, whose marks replace those of the actual one.
fn equal<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (actual, expected) = (call.value(0)?, call.value(1)?);
    let plain = actual.unmark_deep(call.arena).0;
    let converted =
        convert(call.arena, plain, expected.ty()).map_err(|error| call.unconverted(0, &error))?;
    match equals(converted, expected.unmark_deep(call.arena).0).as_bool() {
        Some(false) => refuted(),
        _ => Ok(expected.with_marks(actual.deep_marks().without(HIDING))),
    }
}

/// The marks of values, which say nothing of where a value is from.
const HIDING: Marks = Marks::SENSITIVE.with(Marks::EPHEMERAL);

fn not_null<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let value = call.value(0)?;
    if value.is_null() { refuted() } else { Ok(value.not_null()) }
}

fn prefix<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (value, prefix) = (call.value(0)?, call.str(1)?);
    match value.as_str() {
        _ if !value.is_known() => Ok(value),
        Some(text) if text.starts_with(prefix) => Ok(value),
        _ => refuted(),
    }
}

fn between<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    has_length(call, call.integer(1)?, call.integer(2)?)
}

fn at_least<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    has_length(call, call.integer(1)?, i64::MAX)
}

fn at_most<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    has_length(call, 0, call.integer(1)?)
}

fn has_length<'a>(call: Call<'_, 'a>, least: i64, most: i64) -> Outcome<'a> {
    let value = call.value(0)?;
    let is_possible = match value.is_known() {
        true if value.is_null() => false,
        true => {
            let parts = value.elements().len().max(value.entries().len());
            // Unknown elements of a set may turn out to be equal.
            let fewest = match value.ty() {
                Type::Set(_) if !value.is_wholly_known() => parts.min(1),
                _ => parts,
            };
            let [parts, fewest] = [parts, fewest].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
            least <= parts && fewest <= most
        }
        false => least.max(0) <= most,
    };
    if is_possible { Ok(value) } else { refuted() }
}

//! Functions that state a property of a value before the value is known: the family `assume…`
//! (OpenTofu 1.13).
//!
//! A known value is returned if it is as stated, and is an error otherwise. Of an unknown value only
//! "not null" is kept, since unknown values have no prefixes and lengths here.

use super::builtin::{Builtin, Rule, function};
use super::call::{Call, Outcome, wrong};
use crate::value::{Marks, Type, convert, equals};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("assumeequal", equal).typed(EXPECTED).partial(),
    function("assumelistlength", between).typed(FIRST).partial().shallow(),
    function("assumelistlengthmax", at_most).typed(FIRST).partial().shallow(),
    function("assumelistlengthmin", at_least).typed(FIRST).partial().shallow(),
    function("assumemaplength", between).typed(FIRST).partial().shallow(),
    function("assumemaplengthmax", at_most).typed(FIRST).partial().shallow(),
    function("assumemaplengthmin", at_least).typed(FIRST).partial().shallow(),
    function("assumenotnull", not_null).typed(FIRST).partial().shallow(),
    function("assumesetlength", between).typed(FIRST).partial().shallow(),
    function("assumesetlengthmax", at_most).typed(FIRST).partial().shallow(),
    function("assumesetlengthmin", at_least).typed(FIRST).partial().shallow(),
    function("assumestringprefix", prefix).typed(FIRST).partial(),
];

/// The type of the assumed value.
const FIRST: Rule = |call| Ok(call.value(0)?.ty());
const EXPECTED: Rule = |call| Ok(call.value(1)?.ty());

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
const HIDING: Marks = Marks::SENSITIVE.with(Marks::EPHEMERAL).with(Marks::HIDDEN);

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

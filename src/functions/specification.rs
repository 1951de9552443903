//! The functions in specifications of bodies: those of hashicorp's `hcldec`.
//!
//! Some have the names of OpenTofu's functions, but other rules: `coalesce` accepts empty strings,
//! `length` neither strings nor objects, and `reverse` is for text.

use unicode_segmentation::UnicodeSegmentation as _;

use super::builtin::{Builtin, own};
use super::call::{Call, Outcome, failed, wrong};
use super::find;
use crate::evaluate::signatures::{any, number, text};
use crate::evaluate::{Function, Functions, Parameter, Signature};
use crate::value::{Number, Type, Value, convert, unify};

/// The functions of specifications, by their names in `hcldec`.
pub(crate) static SPECIFICATION: &dyn Functions = &Specification;

struct Specification;

/// The functions that are the same in OpenTofu. Sorted, like all lists here.
const SHARED: &[&str] =
    &["abs", "concat", "jsondecode", "jsonencode", "lower", "max", "min", "substr", "upper"];

const OWN: &[Builtin] = &[
    own("coalesce", Signature::new(&[]).with_variadic(OPTIONAL), Type::Dynamic, coalesce)
        .typed(coalesce_type)
        .partial()
        .shallow(),
    own("hasindex", parameters(&[COLLECTION, any("key").with_dynamic()]), Type::Bool, has_index)
        .partial()
        .shallow(),
    own("int", parameters(&[number("num")]), Type::Number, integer),
    own("length", parameters(&[COLLECTION]), Type::Dynamic, length)
        .typed(length_type)
        .partial()
        .shallow(),
    own("reverse", parameters(&[text("str")]), Type::String, |call| {
        call.string(&call.str(0)?.graphemes(true).rev().collect::<String>())
    }),
    own("strlen", parameters(&[text("str")]), Type::Number, |call| {
        let length = call.str(0)?.graphemes(true).count();
        Ok(call.integer_value(i64::try_from(length).unwrap_or(i64::MAX)))
    }),
];

const OPTIONAL: Parameter<'static> = any("vals").with_null().with_unknown().with_dynamic();

const fn parameters(parameters: &'static [Parameter<'static>]) -> Signature<'static> {
    Signature::new(parameters)
}

const COLLECTION: Parameter<'static> = any("collection").with_dynamic();

impl Functions for Specification {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        if SHARED.binary_search(&name).is_ok() {
            return find(name);
        }
        let found = OWN.binary_search_by_key(&name, |function| function.name).ok()?;
        OWN.get(found).map(|function| function as &dyn Function)
    }

    fn names(&self) -> Vec<&str> {
        let own = OWN.iter().map(|function| function.name);
        let mut names: Vec<_> = SHARED.iter().copied().chain(own).collect();
        names.sort_unstable();
        names
    }
}

fn coalesce_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let types: Vec<_> = call.arguments.iter().map(|argument| argument.ty()).collect();
    let common = if types.is_empty() { None } else { unify(call.arena, &types) };
    common.ok_or_else(|| failed("all arguments must have the same type"))
}

fn coalesce<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = coalesce_type(call)?;
    for (index, &argument) in call.arguments.iter().enumerate() {
        if !argument.is_known() {
            return Ok(Value::unknown(ty));
        }
        if !argument.is_null() {
            return convert(call.arena, argument, ty)
                .map_err(|error| call.unconverted(index, &error));
        }
    }
    Err(failed("no argument has a value that is not null"))
}

/// Whether values of the type have elements with an index or a key.
fn is_indexed(ty: Type<'_>) -> bool {
    matches!(ty, Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic)
}

fn has_index<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (collection, key) = (call.value(0)?, call.value(1)?);
    if !is_indexed(collection.ty()) {
        return Err(wrong(0, "a list, a map or a tuple is required"));
    }
    let wanted = if let Type::Map(_) = collection.ty() { Type::String } else { Type::Number };
    if collection.is_dynamic() || key.is_dynamic() {
        return Ok(Value::unknown(Type::Bool));
    }
    if key.ty() != wanted {
        return Ok(Value::bool(false));
    }
    if !collection.is_known() || !key.is_known() {
        return Ok(Value::unknown(Type::Bool));
    }
    let has = match (key.as_str(), key.as_number()) {
        (Some(key), _) => collection.get(key).is_some(),
        (None, Some(index)) => {
            let index = index.as_i64().and_then(|index| usize::try_from(index).ok());
            index.is_some_and(|index| index < collection.elements().len())
        }
        (None, None) => false,
    };
    Ok(Value::bool(has))
}

/// Returns the integer part of a number.
fn integer<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let number = call.number(0)?;
    if number.is_integer() {
        return Ok(Value::number(number));
    }
    let text = call.digits(number).map_err(|_| wrong(0, "the number is too long"))?;
    let Some((integer, _)) = text.split_once('.') else { return Ok(Value::number(number)) };
    let integer = if integer == "-0" { "0" } else { integer };
    Number::parse(call.arena, call.arena.str(integer))
        .map(Value::number)
        .map_err(|error| call.uncomputed(error))
}

fn length_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let ty = call.value(0)?.ty();
    match is_indexed(ty) || matches!(ty, Type::Set(_)) {
        true => Ok(Type::Number),
        false => Err(wrong(0, "a list, a set, a map or a tuple is required")),
    }
}

fn length<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    length_type(call)?;
    let value = call.value(0)?;
    let is_certain = match value.ty() {
        // Unknown elements may turn out to be equal.
        Type::Set(_) if value.elements().len() > 1 => value.is_wholly_known(),
        _ => value.is_known(),
    };
    if !is_certain {
        return Ok(Value::unknown(Type::Number));
    }
    let length = value.elements().len() + value.entries().len();
    Ok(call.integer_value(i64::try_from(length).unwrap_or(i64::MAX)))
}

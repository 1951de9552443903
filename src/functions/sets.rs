//! Operations on sets: `setintersection`, `setproduct`, `setsubtract`, `setunion`.

use std::collections::BTreeSet;

use super::builtin::{Builtin, Rule, function};
use super::call::{Call, Outcome, failed, wrong};
use crate::value::{Key, Marks, Type, Value, convert, unify};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("setintersection", |call| {
        filter(call, |kept, other| kept.retain(|(key, _)| other.contains(key)))
    })
    .typed(SET),
    function("setproduct", product).typed(product_type).partial(),
    function("setsubtract", |call| {
        filter(call, |kept, other| kept.retain(|(key, _)| !other.contains(key)))
    })
    .typed(SET),
    function("setunion", union).typed(SET).partial(),
];

const SET: Rule = |call| Ok(Type::set_of(call.arena, common(call)?));

/// Returns the common type of the elements. Empty sets of any type are ignored.
fn common<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    let mut types = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        match argument.ty() {
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Set(element)
                if element.ty().is_dynamic()
                    && argument.is_known()
                    && argument.elements().is_empty() => {}
            Type::Set(element) => types.push(element.ty()),
            _ => return Err(wrong(index, "a set is required")),
        }
    }
    if types.is_empty() {
        return Ok(Type::Dynamic);
    }
    unify(call.arena, &types).ok_or_else(|| failed("the elements must have a common type"))
}

/// Returns all elements of the argument at `index`, converted to `element`.
fn converted<'a>(
    call: Call<'_, 'a>,
    index: usize,
    element: Type<'a>,
) -> Outcome<'a, &'a [Value<'a>]> {
    let ty = Type::set_of(call.arena, element);
    let set = convert(call.arena, call.value(index)?, ty)
        .map_err(|error| call.unconverted(index, &error))?;
    Ok(set.elements())
}

type Kept<'a> = Vec<(Key<'a>, Value<'a>)>;

/// Filters the elements of the first set by each other set.
fn filter<'a>(call: Call<'_, 'a>, keep: fn(&mut Kept<'a>, &BTreeSet<Key<'a>>)) -> Outcome<'a> {
    let element = common(call)?;
    let identified = |index| -> Outcome<'a, Kept<'a>> {
        let elements = converted(call, index, element)?.iter();
        Ok(elements.map(|&element| (Key::of(element), element)).collect())
    };
    let mut kept = identified(0)?;
    for index in 1..call.arguments.len() {
        let other = identified(index)?.into_iter().map(|(key, _)| key).collect();
        keep(&mut kept, &other);
    }
    let kept: Vec<_> = kept.into_iter().map(|(_, element)| element).collect();
    Ok(call.set(element, &kept))
}

fn union<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let element = common(call)?;
    let mut all = Vec::new();
    for index in 0..call.arguments.len() {
        all.extend_from_slice(converted(call, index, element)?);
        call.room_for(all.len())?;
    }
    Ok(call.set(element, &all))
}

fn product_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    if call.arguments.len() < 2 {
        return Err(failed("at least two arguments are required"));
    }
    let mut types = Vec::with_capacity(call.arguments.len());
    let mut has_order = true;
    for (index, argument) in call.arguments.iter().enumerate() {
        types.push(match argument.ty() {
            Type::List(element) => element.ty(),
            Type::Set(element) => {
                has_order = false;
                element.ty()
            }
            Type::Tuple(types) if types.is_empty() => Type::Dynamic,
            Type::Tuple(types) => {
                let common = unify(call.arena, types);
                common.ok_or(wrong(index, "the elements must have a common type"))?
            }
            _ => return Err(wrong(index, "a set, a list or a tuple is required")),
        });
    }
    let tuple = Type::tuple_of(call.arena, &types);
    Ok(match has_order {
        true => Type::list_of(call.arena, tuple),
        false => Type::set_of(call.arena, tuple),
    })
}

fn product<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let ty = product_type(call)?;
    let (Type::List(tuple) | Type::Set(tuple)) = ty else { return Err(call.too_many()) };
    let Type::Tuple(types) = tuple.ty() else { return Err(call.too_many()) };
    let mut marks = Marks::NONE;
    let mut total: usize = 1;
    let mut factors = Vec::with_capacity(types.len());
    let mut is_known = true;
    for (&argument, &ty) in call.arguments.iter().zip(types) {
        let (argument, own) = argument.unmark();
        marks = marks.with(own);
        // Elements of a set that are not known may be equal.
        let may_shrink = matches!(argument.ty(), Type::Set(_)) && argument.elements().len() > 1;
        is_known &= argument.is_known() && (!may_shrink || argument.is_wholly_known());
        total = total.saturating_mul(argument.elements().len());
        let elements = argument.elements().iter();
        let elements: Result<Vec<_>, _> =
            elements.map(|&element| convert(call.arena, element, ty)).collect();
        factors.push(elements.map_err(|error| call.incompatible(&error))?);
    }
    if !is_known {
        return Ok(Value::unknown(ty).with_marks(marks));
    }
    call.room_for(total.saturating_mul(types.len() + 1))?;
    let mut rows = Vec::with_capacity(total);
    let mut row = Vec::with_capacity(types.len());
    for number in 0..total {
        // Computes the digits of `number`; the last factor varies fastest.
        let mut rest = number;
        row.clear();
        for factor in factors.iter().rev() {
            row.push(factor[rest % factor.len()]);
            rest /= factor.len();
        }
        row.reverse();
        rows.push(call.tuple(&row));
    }
    Ok(match ty {
        Type::Set(_) => call.set(tuple.ty(), &rows),
        _ => call.list(tuple.ty(), &rows),
    }
    .with_marks(marks))
}

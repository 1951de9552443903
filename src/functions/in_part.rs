//! Texts of which parts are unknown, as arguments and results of functions.

use super::call::Call;
use crate::value::{HOLE, Type, Value};

/// The text of a string, with a [`HOLE`] for each unknown part; `None` if it is not a string, or may be null.
pub(super) fn text<'a>(value: Value<'a>) -> Option<&'a str> {
    match value.is_known() {
        true => value.as_str(),
        false => value.known_text(),
    }
}

/// Like [`text`], for something in a text, where a value of any type may stand.
pub(super) fn hole_or_text<'a>(value: Value<'a>) -> Option<&'a str> {
    text(value).or((!value.is_known()).then_some("\0"))
}

/// A result with a [`HOLE`] for each unknown part, and its start as the tools know it; `None` if nothing of it is
/// known.
pub(super) fn result<'a>(call: Call<'_, 'a>, text: &str, start: &str) -> Option<Value<'a>> {
    let text = call.string(text).ok()?.as_str()?;
    text.contains(HOLE).then(|| Value::with_known_text(call.arena, text, call.arena.str(start)))
}

/// The characters of the first argument, each mapped by itself.
pub(super) fn mapped<'a>(call: Call<'_, 'a>, map: fn(char) -> char) -> Option<Value<'a>> {
    let text: String = text(call.value(0).ok()?)?.chars().map(map).collect();
    result(call, &text, "")
}

/// The first argument as a text.
pub(super) fn same<'a>(call: Call<'_, 'a>) -> Option<Value<'a>> {
    let value = call.value(0).ok().filter(|value| matches!(value.ty(), Type::String))?;
    result(call, text(value)?, "")
}

//! Reads arguments that Packer evaluates, without evaluating them.
//!
//! A string that is a template is valid in any argument: its value is known only when Packer runs.

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::{Expression, Literal};
use crate::module::read::unsuitable;

/// Whether a value has to be evaluated: a string that is a template, or a native expression.
pub(super) fn is_template(value: Expression<'_>) -> bool {
    value.is_template() || matches!(value.literal(), Literal::Expression)
}

/// A text; `None` if it has to be evaluated, or is not a text.
pub(super) fn text<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    if is_template(value) { None } else { crate::module::read::string(value, sink) }
}

/// A boolean; `None` if it has to be evaluated, or is not a boolean.
pub(super) fn boolean<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<bool> {
    if is_template(value) { None } else { crate::module::read::boolean(value, sink) }
}

/// An integer; `None` if it has to be evaluated, or is not an integer.
pub(super) fn integer<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<i64> {
    if is_template(value) {
        return None;
    }
    let text = match value.literal() {
        Literal::Number(digits) => Some(digits),
        Literal::Text(text) | Literal::Template(text) => Some(text),
        _ => None,
    };
    let number = text.and_then(|text| crate::value::Number::from_literal(text).ok());
    number.and_then(|number| number.as_i64()).or_else(|| unsuitable(value, "an integer", sink))
}

/// A duration in Go's notation; `None` if it has to be evaluated, or is not a duration.
pub(super) fn duration<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let text = text(value, sink)?;
    if text.is_empty() || is_duration(text) {
        return Some(text);
    }
    sink.report(
        Diagnostic::new(Code::InvalidDuration, value.start_label()).with_arguments(&[text]),
    );
    None
}

/// A list of texts. Elements that have to be evaluated are left out; null is an empty list.
pub(super) fn texts<'a>(
    value: Expression<'a>,
    sink: &mut dyn Sink<'a>,
) -> Vec<(&'a str, Expression<'a>)> {
    if is_template(value) || value.is_null() {
        return Vec::new();
    }
    match value.as_list() {
        Some(elements) => {
            elements.filter_map(|element| Some((text(element, sink)?, element))).collect()
        }
        None => {
            unsuitable::<()>(value, "a list of strings", sink);
            Vec::new()
        }
    }
}

/// Checks a map of texts. Null is an empty map, but not a text. Keys are templates, so they are not
/// checked.
pub(super) fn map_of_texts<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) {
    if is_template(value) || value.is_null() {
        return;
    }
    match value.as_map() {
        Some(members) => members.for_each(|(_, member)| {
            text(member, sink);
        }),
        None => drop(unsuitable::<()>(value, "a map of strings", sink)),
    }
}

/// Whether a text is a duration of Go: an optional sign, then numbers with units, `1h30m` or
/// `1.5s`; or a lone zero.
fn is_duration(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned == "0" {
        return true;
    }
    let mut rest = unsigned;
    while !rest.is_empty() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(rest);
        let tail = &rest[whole..];
        let fraction = tail.strip_prefix('.').map_or(0, digits);
        if whole + fraction == 0 {
            return false;
        }
        let tail = tail.strip_prefix('.').map_or(tail, |tail| &tail[fraction..]);
        let unit = tail.find(|next: char| next == '.' || next.is_ascii_digit());
        let (unit, next) = tail.split_at(unit.unwrap_or(tail.len()));
        if !matches!(unit, "ns" | "us" | "µs" | "μs" | "ms" | "s" | "m" | "h") {
            return false;
        }
        rest = next;
    }
    !unsigned.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for right in ["0", "-0", "5s", "1h30m", "1.5h", ".5s", "1.s", "-1m", "+3ms", "4µs"] {
            assert!(is_duration(right), "{right}");
        }
        for wrong in ["", "-", "5", "s", "1x", "1 h", ".s", "1h30", "5 s", "1.2.3s", "1d"] {
            assert!(!is_duration(wrong), "{wrong}");
        }
    }
}

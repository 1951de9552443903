//! Reads arguments as the tools do, which depends on the argument.
//!
//! The documentation says of each argument how it is read: literally, as a template, as a
//! traversal, a keyword, or an expression in native syntax. This module reads literally; the static
//! readings are methods of [`Expression`].

use super::rules::Rules;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::{Expression, Literal, is_identifier};
use crate::native::Traversal;
use crate::value::{Type, Value, convert, convert_briefly, has_short_text};

/// Reads a text literally: a string as it is, a boolean as it is written, a number with all its
/// digits.
pub(crate) fn string<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    match value.literal() {
        Literal::Text(text) | Literal::Template(text) => Some(text),
        Literal::Number(digits) => {
            let number = value.literal_value(sink);
            // A text of a million digits is longer than what the file contains, and no more use.
            if number.is_known() && !has_short_text(number) {
                return Some(digits);
            }
            match convert(value.source().arena(), number, Type::String) {
                Ok(text) => text.as_str(),
                Err(_) => unsuitable(value, "a string", sink),
            }
        }
        Literal::Bool(true) => Some("true"),
        Literal::Bool(false) => Some("false"),
        Literal::Expression => {
            let text = evaluated(value, Type::String, "a string", sink)?;
            text.as_str()
        }
        _ => unsuitable(value, "a string", sink),
    }
}

/// Evaluates a native expression that is not a literal, without variables and functions. Reports an
/// expression without a value.
fn evaluated<'a>(
    value: Expression<'a>,
    ty: Type<'a>,
    required: &'static str,
    sink: &mut dyn Sink<'a>,
) -> Option<Value<'a>> {
    let known = value.literal_value(sink);
    if !known.is_known() {
        return None;
    }
    match convert_briefly(value.source().arena(), known, ty) {
        Ok(converted) if !converted.is_null() => Some(converted),
        _ => unsuitable(value, required, sink),
    }
}

/// Reads a boolean literally, or a string that stands for one.
pub(crate) fn boolean<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<bool> {
    let read = match value.literal() {
        Literal::Bool(read) => Some(read),
        Literal::Text("true" | "1") => Some(true),
        Literal::Text("false" | "0") => Some(false),
        Literal::Expression => {
            return evaluated(value, Type::Bool, "true or false", sink)?.as_bool();
        }
        _ => None,
    };
    read.or_else(|| unsuitable(value, "true or false", sink))
}

/// Reads the reason of a deprecation literally. OpenTofu requires a text that is not empty.
pub(super) fn deprecation<'a>(
    value: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    let text = string(value, sink)?;
    if !rules.is_terraform() && text.trim().is_empty() {
        sink.report(Diagnostic::new(Code::BlankDeprecation, value.start_label()));
    }
    Some(text)
}

/// The traversals of a static list, such as `depends_on`. Other elements are reported and left out.
pub(crate) fn traversals<'a>(
    value: Expression<'a>,
    sink: &mut dyn Sink<'a>,
) -> &'a [Traversal<'a>] {
    let Some(elements) = value.list(sink) else { return &[] };
    let read: Vec<_> =
        elements.filter_map(|element| element.unquoted(sink).traversal(sink)).collect();
    value.source().arena().bump().alloc_slice_copy(&read)
}

/// Checks a name that must be an identifier: a label, or the name of a local value.
pub(crate) fn name<'a>(
    name: &'a str,
    label: Label<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    if is_identifier(name) {
        return Some(name);
    }
    sink.report(Diagnostic::new(Code::InvalidName, label).with_arguments(&[name]));
    None
}

/// Reports a value that the argument does not accept.
#[cold]
pub(crate) fn unsuitable<'a, T>(
    value: Expression<'a>,
    required: &'static str,
    sink: &mut dyn Sink<'a>,
) -> Option<T> {
    if !value.is_invalid() {
        sink.report(
            Diagnostic::new(Code::UnsuitableValue, value.start_label())
                .with_arguments(&[required, value.type_name()]),
        );
    }
    None
}

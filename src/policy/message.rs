//! Messages of rules: templates, whose sensitive parts are hidden.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::evaluate::{Meter, Scope, evaluate_within};
use crate::native::{Kind, Native};
use crate::program::Program;
use crate::show::leaves::is_secret;
use crate::value::{Type, Value, convert};

/// Longer messages are cut to this many bytes.
const LONGEST: usize = 4096;

/// The text of a template in a scope, with placeholders for sensitive and unknown parts. `None` if
/// a part has no text; `sink` has the reason.
pub(super) fn text<'v, 'a: 'v>(
    arena: &'v Arena,
    program: &'a Program<'a>,
    (scope, meter): (&Scope<'_, 'v>, &Meter),
    shows_sensitive: bool,
    sink: &mut dyn Sink<'a>,
) -> Option<String> {
    let whole = Native::of(program)?;
    let parts = if whole.is(Kind::Template) { whole.operands() } else { vec![whole] };
    let mut text = String::new();
    for part in parts {
        let mut error = None;
        let value = evaluate_within(arena, &part.program(), scope, meter, &mut error);
        if let Some(error) = error {
            sink.report(error);
            return None;
        }
        match shown(arena, value, shows_sensitive) {
            Ok(shown) => text.push_str(shown),
            Err(reason) => {
                let reason = program.source.arena().str(&reason);
                sink.report(
                    Diagnostic::new(Code::InvalidInterpolation, part.label())
                        .with_arguments(&[reason]),
                );
                return None;
            }
        }
        if text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end));
            text.truncate(end.unwrap_or_default());
            text.push('…');
            break;
        }
    }
    Some(text)
}

/// A part as text, or the reason why it has no text.
fn shown<'v>(arena: &'v Arena, value: Value<'v>, shows_sensitive: bool) -> Result<&'v str, String> {
    if is_secret(value) && !shows_sensitive {
        return Ok("(sensitive)");
    }
    if !value.is_wholly_known() {
        return Ok("(known after apply)");
    }
    if value.is_null() {
        return Err("it is null".to_owned());
    }
    let text = convert(arena, value, Type::String).map_err(|error| error.to_string())?;
    Ok(text.as_str().unwrap_or_default())
}

/// The text of a finding about the object of an address: the message of the rule, or its condition,
/// which is true.
pub(crate) fn about(address: &str, message: Option<&str>, condition: &str) -> String {
    match (message, condition) {
        (Some(text), _) if text.contains(address) => text.to_owned(),
        (Some(text), _) => format!("{address}: {text}"),
        (None, "true") => address.to_owned(),
        (None, condition) => format!("{address}: `{condition}` is true."),
    }
}

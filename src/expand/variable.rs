//! The values of variables: given texts, defaults, conversion to the type.

use super::engine::Expansion;
use super::inputs::Given;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::module::Variable;
use crate::native::Native;
use crate::source::Source;
use crate::value::{self, Content, Type, Value, convert, is_of};
use crate::write::{Layout, to_string};

/// The value of a variable of the root module, and where it comes from.
pub(super) fn of_root<'a>(
    engine: &Expansion<'_, 'a>,
    variable: &Variable<'a>,
    given: Option<Given<'a>>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let given = match given {
        None => None,
        Some(Given::Attribute(attribute)) => {
            let expression = attribute.expression();
            Some((expression.literal_value(sink), expression.start_label()))
        }
        Some(Given::Argument(value, label)) => Some((value, label)),
        Some(Given::Unknown(file)) => {
            Some((Value::dynamic(), Label::new(file, crate::span::Span::new(0, 0))))
        }
        Some(Given::Text(text, origin)) => {
            text_value(engine.inputs.arena, variable, text, origin, sink)
        }
        Some(Given::Value(value, origin)) => {
            value_as_text(engine.inputs.arena, variable, value, origin, sink)
        }
    };
    let marks = engine.inputs.marks_of_variable(variable.name);
    of_given(engine, (engine.module(0).place, variable), given, sink).with_marks(marks)
}

/// The value of a text that a flag or the environment gives to a variable.
fn text_value<'a>(
    arena: &'a Arena,
    variable: &Variable<'a>,
    text: &'a str,
    origin: &str,
    sink: &mut dyn Sink<'a>,
) -> Option<(Value<'a>, Label<'a>)> {
    let name = format!("{origin} {}", variable.name);
    let source = Source::from_bytes(arena, &name, text.as_bytes()).ok()?;
    if is_literal(variable) {
        let whole = crate::span::Span::new(0, text.len() as u32);
        return Some((Value::string(arena, text), Label::new(source, whole)));
    }
    let native = Native::expression(arena, source, sink);
    let value = native.value(&crate::evaluate::Scope::new(), sink);
    Some((value, native.label()))
}

/// Whether a text is the value itself, not an expression.
fn is_literal(variable: &Variable<'_>) -> bool {
    variable
        .constraint
        .is_none_or(|constraint| matches!(constraint.ty, Type::Bool | Type::Number | Type::String))
}

/// The value of a variable to which a value is passed as text: a string as it is, all else in JSON.
fn value_as_text<'a>(
    arena: &'a Arena,
    variable: &Variable<'a>,
    value: Value<'a>,
    origin: &str,
    sink: &mut dyn Sink<'a>,
) -> Option<(Value<'a>, Label<'a>)> {
    let marks = value.deep_marks();
    let (plain, _) = value.unmark_deep(arena);
    let marked = |(value, label): (Value<'a>, Label<'a>)| (value.with_marks(marks), label);
    let placed = |value: Value<'a>| {
        let name = format!("{origin}: {}", variable.name);
        let source = Source::from_bytes(arena, &name, b"").ok()?;
        Some((value, Label::new(source, crate::span::Span::new(0, 0))))
    };
    if let Some(text) = plain.as_str() {
        // Templates in a text are escaped where it is an expression.
        let text = match is_literal(variable) {
            true => text,
            false => arena.str(&text.replace("$${", "${").replace("${", "$${")),
        };
        return text_value(arena, variable, text, &format!("{origin}:"), sink).map(marked);
    }
    if !is_literal(variable) || plain.is_null() {
        // As an expression, JSON is the value that it was made of.
        return placed(value);
    }
    let text = match plain.content() {
        Content::Bool(_) | Content::Number(_) => convert(arena, plain, Type::String).ok(),
        _ if plain.is_wholly_known() => {
            let mut written = Ok(());
            let text = to_string(Layout::Compact, |slot| written = value::write(plain, slot));
            written.ok().map(|()| Value::string(arena, arena.str(&text)))
        }
        _ => None,
    };
    placed(text.unwrap_or(Value::unknown(Type::String)).with_marks(marks))
}

/// The value of a variable for which a value may be given: converted to its type, or the default,
/// with the marks of the variable, which is declared in this module of the tree. Unknown if there is
/// neither.
pub(super) fn of_given<'a>(
    engine: &Expansion<'_, 'a>,
    (module, variable): (usize, &Variable<'a>),
    given: Option<(Value<'a>, Label<'a>)>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let arena = engine.inputs.arena;
    let marks = engine.marks_of_variable(module, variable);
    let strict = || {
        let constraint = variable.constraint;
        constraint.map_or(Type::Dynamic, |it| it.ty.without_optional_attributes(arena))
    };
    // A null stands for the default if the variable is not nullable.
    let is_default = |value: &Value<'a>| value.is_null() && variable.nullable == Some(false);
    let mut refuse = |label: Label<'a>, reason: &'a str| {
        sink.report(
            Diagnostic::new(Code::VariableValue, label)
                .with_arguments(&[variable.name, reason])
                .with_related(variable.block.definition_label(), "declared here"),
        );
    };
    let value = match given {
        Some((value, label)) if !is_default(&value) => match variable.constraint {
            None => value,
            Some(constraint)
                if !engine.affords_conversion(
                    value,
                    |value| is_of(arena, value, constraint.ty),
                    || label,
                ) =>
            {
                Value::unknown(strict()).with_marks(value.deep_marks())
            }
            Some(constraint) => constraint.apply(arena, value, &mut ()).unwrap_or_else(|error| {
                let error = error.for_marks(marks);
                refuse(label, arena.format(format_args!("{error}")));
                Value::unknown(strict())
            }),
        },
        given => match (variable.default_value(&mut ()), given) {
            // An invalid default has been reported.
            (Some(value), _) => value.unwrap_or_else(|_| Value::unknown(strict())),
            (None, Some((_, label))) => {
                refuse(label, "it is null, but the variable is not nullable");
                Value::unknown(strict())
            }
            (None, None) => Value::unknown(strict()),
        },
    };
    value.with_marks(marks)
}

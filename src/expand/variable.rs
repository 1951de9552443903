//! The values of variables: given texts, defaults, conversion to the type.

use super::engine::Expansion;
use super::inputs::Given;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::module::Variable;
use crate::native::Native;
use crate::source::Source;
use crate::value::{Type, Value, is_of};

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
        Some(Given::Text(text, origin)) => {
            text_value(engine.inputs.arena, variable, text, origin, sink)
        }
    };
    of_given(engine, variable, given, sink)
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
    let is_literal = variable
        .constraint
        .is_none_or(|constraint| matches!(constraint.ty, Type::Bool | Type::Number | Type::String));
    if is_literal {
        let whole = crate::span::Span::new(0, text.len() as u32);
        return Some((Value::string(arena, text), Label::new(source, whole)));
    }
    let native = Native::expression(arena, source, sink);
    let value = native.value(&crate::evaluate::Scope::new(), sink);
    Some((value, native.label()))
}

/// The value of a variable for which a value may be given: converted to its type, or the default,
/// with the marks of the variable. Unknown if there is neither.
pub(super) fn of_given<'a>(
    engine: &Expansion<'_, 'a>,
    variable: &Variable<'a>,
    given: Option<(Value<'a>, Label<'a>)>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let arena = engine.inputs.arena;
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
                let error = error.for_marks(variable.marks());
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
    value.with_marks(variable.marks())
}

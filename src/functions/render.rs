//! Templates that functions evaluate: `templatefile` and `templatestring`.

use super::call::{Call, Outcome, wrong};
use crate::diagnostic::{Code, Diagnostic};
use crate::evaluate::{FunctionError, Functions, Scope, evaluate_nested};
use crate::expression::is_identifier;
use crate::native::{MAX_DEPTH, Program, Text, parse_template, variables};
use crate::source::Source;
use crate::value::{Clause, Quotation, Type, Value};

/// How deep templates that call templates are nested.
#[derive(Clone, Copy, Default)]
pub(super) struct Recursion(u8);

impl Recursion {
    /// The maximum depth. Each level is a call in the stack of the thread.
    pub(super) const MOST: u8 = 32;

    /// The next level, if there is one.
    pub(super) fn deeper(self) -> Option<Self> {
        (self.0 < Self::MOST).then(|| Self(self.0 + 1))
    }
}

/// The steps of a call beside the evaluation of its template: finding the file, parsing, a scope.
const STEPS: u64 = 1_000;

/// Receives a template that was evaluated, its variables, and whether its value is known as a whole.
pub(super) type Rendered<'r, 'a> = dyn FnMut(&Program<'a>, &[(&'a str, Value<'a>)], bool) + 'r;

/// Evaluates a text as a template, and passes it to `rendered`. Its variables are the entries of the second argument, a map or
/// an object. The cost of the text has been spent.
///
/// Cost: that of the evaluation, which takes from the budget of the call.
pub(super) fn render<'a>(
    call: Call<'_, 'a>,
    name: &str,
    text: &'a str,
    functions: &dyn Functions,
    rendered: &mut Rendered<'_, 'a>,
) -> Outcome<'a> {
    call.meter.spend(STEPS)?;
    let given = call.value(1)?;
    let is_unknown = given.ty().is_dynamic() && !given.is_known();
    if !is_unknown && !matches!(given.ty(), Type::Map(_) | Type::Object(_)) {
        return Err(wrong(1, "a map or an object is required"));
    }
    let entries = given.as_entries().unwrap_or_default();
    if let Some((name, _)) = entries.iter().find(|(name, _)| !is_identifier(name)) {
        let name = Quotation::Text(name);
        return Err(call.wrong(1, "{} is not a name that a template can write", &[name]));
    }
    let source = Source::from_bytes(call.arena, name, text.as_bytes())
        .map_err(|error| call.wrong(0, "{}", &[Quotation::Value(&error)]))?;
    let mut found: Option<Diagnostic<'a>> = None;
    // A template has more nodes than bytes only if it is very short.
    call.meter.parts(text.len() / 16 + 1)?;
    let parsed = parse_template(call.arena, &Text::of_source(source, text), MAX_DEPTH, &mut found);
    let Some(program) = parsed else {
        return Err(match found {
            Some(error) => called(call, &error),
            None => wrong(0, "the template is invalid"),
        });
    };
    if !given.is_known() {
        rendered(program, &[], false);
        return Ok(Value::dynamic());
    }
    let mut missing = None;
    variables(program, |traversal| {
        if missing.is_none() && given.get(traversal.root_name()).is_none() {
            missing = Some((traversal.root_name().to_owned(), traversal.span().start));
        }
    });
    if let Some((variable, offset)) = missing {
        let at = source.position(offset);
        let place = format_args!("{name}:{}:{}", at.line, at.column).to_string();
        return Err(call.wrong(
            1,
            "it lacks {}, which the template uses at {}",
            &[Quotation::Text(&variable), Quotation::Plain(&place)],
        ));
    }
    let scope =
        Scope::new().with_variables(entries).with_functions(functions).with_short_circuits();
    let mut errors: Option<Diagnostic<'a>> = None;
    let value = evaluate_nested(call.arena, program, &scope, call.meter, &mut errors);
    rendered(program, entries, errors.is_none() && value.is_wholly_known());
    match (call.meter.exhausted(), errors) {
        (Some(exhausted), _) => Err(exhausted.into()),
        (None, Some(error)) => Err(called(call, &error)),
        (None, None) => Ok(value),
    }
}

/// Returns the error of a template as an error of the call. Its place is that in the innermost
/// template.
fn called<'a>(call: Call<'_, 'a>, error: &Diagnostic<'a>) -> FunctionError<'a> {
    let [name, inner, _] = error.arguments();
    let name = name.strip_prefix("core::").unwrap_or(name);
    if error.code() == Code::FunctionFailed && matches!(name, "templatefile" | "templatestring") {
        let instead = "a template that it evaluates is invalid";
        return FunctionError::new(Clause::or(call.arena, inner, instead));
    }
    let at = error.source().position(error.span().start);
    let name = error.source().name();
    let detail = error.detail();
    let detail = detail.trim_end_matches('.');
    let place = format!("{name}:{}:{}", at.line, at.column);
    let detail = Clause::or(call.arena, detail, error.summary());
    call.failed("{}: {}", &[Quotation::Plain(&place), Quotation::Clause(detail)])
}

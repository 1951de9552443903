//! Evaluates a condition, and the message of a rule.

use super::message;
use super::reads::LOCAL;
use super::rule::{Message, Rule, Test};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Meter, Scope, evaluate_within};
use crate::show::leaves::UNREADABLE;
use crate::value::{Type, Value, convert};

/// The result of a condition for a subject.
pub(crate) enum Verdict<'a> {
    /// It is true: the subject is denied, or warned of.
    Holds,
    /// It is false.
    Fails,
    /// It depends on a value that is not known.
    Undecided,
    /// It is neither true nor false.
    Nothing(&'static str),
    /// It has no value.
    Invalid(Diagnostic<'a>),
}

impl<'a> Rule<'a> {
    /// The verdict of the condition in a scope with the variables of a subject.
    pub(crate) fn verdict<'v>(
        &self,
        arena: &'v Arena,
        outer: &Scope<'_, 'v>,
        meter: &Meter,
    ) -> Verdict<'a>
    where
        'a: 'v,
    {
        let program = match self.condition.test {
            Test::Always(true) => return Verdict::Holds,
            Test::Always(false) => return Verdict::Fails,
            Test::Program(program) => program,
        };
        let locals = [(LOCAL, self.locals)];
        let scope = Scope::new().with_variables(&locals).with_parent(outer);
        let mut error = None;
        let value: Value<'v> = evaluate_within(arena, program, &scope, meter, &mut error);
        if let Some(error) = error {
            return Verdict::Invalid(error);
        }
        let (value, marks) = value.unmark();
        let truth = match value.as_bool() {
            Some(truth) => Some(truth),
            None if value.is_null() => {
                return Verdict::Nothing("the condition is null, and must be true or false.");
            }
            None => match convert(arena, value, Type::Bool) {
                Ok(truth) => truth.as_bool(),
                Err(_) => return Verdict::Nothing("the condition must be true or false."),
            },
        };
        match truth {
            Some(true) => Verdict::Holds,
            Some(false) => Verdict::Fails,
            None if marks.contains(UNREADABLE) => {
                Verdict::Nothing("a number in the plan has an exponent that is out of bounds.")
            }
            None => Verdict::Undecided,
        }
    }

    /// The message in a scope with the variables of a subject; `None` without one, or with the error
    /// that it has.
    pub(crate) fn message<'v>(
        &self,
        arena: &'v Arena,
        outer: &Scope<'_, 'v>,
        meter: &Meter,
        shows_sensitive: bool,
        error: &mut Option<Diagnostic<'a>>,
    ) -> Option<String>
    where
        'a: 'v,
    {
        match self.message.as_ref()? {
            Message::Text(text) => Some((*text).to_owned()),
            Message::Template { program, .. } => {
                let locals = [(LOCAL, self.locals)];
                let scope = Scope::new().with_variables(&locals).with_parent(outer);
                message::text(arena, program, (&scope, meter), shows_sensitive, error)
            }
        }
    }
}

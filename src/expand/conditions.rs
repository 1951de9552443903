//! Conditions: validations of variables, preconditions, postconditions and checks.
//!
//! A condition that is not known is not reported.

use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::keys::Key;
use super::node::Node;
use super::refactored::Ends;
use super::resource::{self, Visit};
use super::select::Selection;
use super::trigger::Trigger;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::expression::Expression;
use crate::module::{Condition, Output, Resource};
use crate::value::{Marks, Type, Value, convert};

/// A condition that does not hold: its code, and its subject.
struct Failed<'a> {
    code: Code,
    what: Vec<&'a str>,
    /// Where it is reported, if not at the condition.
    at: Option<Label<'a>>,
}

/// The bytes of an error message that are reported.
const MOST_MESSAGE: usize = 4096;

/// The start of a message that is too long.
fn start_of(message: &str) -> &str {
    let end = (0..=MOST_MESSAGE).rev().find(|&end| message.is_char_boundary(end));
    &message[..end.unwrap_or_default()]
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// Evaluates everything: variables, local values, outputs, all instances of all resources, and
    /// all conditions. The problems are in [`Expansion::diagnostics`].
    pub fn check(&self) {
        self.check_modules(true);
    }

    /// Like [`Expansion::check`], without the values of resources that have no conditions: for callers
    /// that visit these anyway.
    pub fn check_conditions(&self) {
        self.check_modules(false);
    }

    fn check_modules(&self, with_values: bool) {
        let all = Selection::default();
        let mut modules = vec![0];
        let mut ends = Ends::default();
        while let Some(number) = modules.pop() {
            if self.meter.exhausted().is_some() {
                return;
            }
            self.check_module(number, &all, with_values, &mut ends);
            modules.extend(self.called(number, &all).into_iter().rev());
        }
        self.check_imports();
    }

    pub(super) fn check_module(
        &self,
        number: u32,
        all: &Selection,
        with_values: bool,
        ends: &mut Ends<'a>,
    ) {
        let module = self.module(number);
        let declared = &module.declared.module;
        let arena = self.inputs.arena;
        for (place, variable) in (0..).zip(&declared.variables) {
            self.force(Node::Variable(number, place));
            for condition in variable.validations {
                let call = module.call.as_ref();
                let argument = call.and_then(|call| call.arguments.get(variable.name));
                let at = argument.map(|argument| argument.start_label());
                let failed =
                    || Failed { code: Code::FailedValidation, what: vec![variable.name], at };
                self.condition((number, Key::None), arena, condition, &|_| {}, &failed);
            }
        }
        for (place, _) in (0..).zip(&declared.locals) {
            self.force(Node::Local(number, place));
        }
        for (place, output) in (0..).zip(&declared.outputs) {
            let value = self.force(Node::Output(number, place));
            if number == 0 {
                self.check_exposed(output, value);
            }
            for condition in output.preconditions {
                let failed = || Failed {
                    code: Code::FailedCondition,
                    what: vec![
                        "precondition",
                        arena.format(format_args!("output.{}", output.name)),
                    ],
                    at: None,
                };
                self.condition((number, Key::None), arena, condition, &|_| {}, &failed);
            }
        }
        self.check_refactored(number, ends);
        self.check_until_apply(number);
        self.check_providers(number);
        let has_checks = |resource: &Resource<'_>| {
            resource.lifecycle().is_some_and(|lifecycle| {
                !lifecycle.preconditions().is_empty()
                    || !lifecycle.postconditions().is_empty()
                    || !lifecycle.replace_triggered_by().is_empty()
            })
        };
        let has_key = |resource: &Resource<'_>| {
            resource.provider().is_some_and(|provider| provider.has_key())
        };
        let is_visited =
            |resource: &Resource<'_>| with_values || has_checks(resource) || has_key(resource);
        let visit = Visit { wanted: &is_visited, ..Visit::of(all) };
        self.visit_resources(number, &visit, &mut |instance| {
            if with_values {
                instance.values();
            }
            self.check_instance(
                number,
                instance.declared(),
                instance.raw_key(),
                instance.address(),
            );
        });
        for check in &declared.checks {
            for condition in check.assertions {
                let failed =
                    || Failed { code: Code::FailedCheck, what: vec![check.name], at: None };
                self.condition((number, Key::None), arena, condition, &|_| {}, &failed);
            }
        }
    }

    /// Reports an output of the root module whose value is sensitive, but that is not declared so: an
    /// output of a called module may be what it shows.
    fn check_exposed(&self, output: &Output<'a>, value: Value<'a>) {
        let is_secret = value.deep_marks().contains(Marks::SENSITIVE);
        if is_secret && output.sensitive != Some(true) {
            let label = output.block.definition_label();
            self.report(0, Diagnostic::new(Code::SensitiveOutput, label));
        }
    }

    /// Reports triggers of an instance that name no instance.
    fn check_triggers(&self, number: u32, resource: &Resource<'a>, key: Key<'a>) {
        let module = self.module(number);
        let expressions = resource.lifecycle().map_or(&[][..], |it| it.replace_triggered_by());
        for &expression in expressions {
            if let Some(trigger) = Trigger::of(expression, &module.address, key.of_instance())
                && self.has_any(&trigger.address()) == Some(false)
            {
                let name = self.inputs.arena.str(&trigger.address());
                let found = Diagnostic::new(Code::MissingTrigger, expression.start_label());
                self.report(number, found.with_arguments(&[name]));
            }
        }
    }

    fn check_instance(&self, number: u32, resource: &Resource<'a>, key: Key<'a>, address: &str) {
        if let Some(provider) = resource.provider() {
            self.check_key(number, provider, key);
        }
        let Some(lifecycle) = resource.lifecycle() else { return };
        self.check_triggers(number, resource, key);
        let blocks = [
            ("precondition", lifecycle.preconditions()),
            ("postcondition", lifecycle.postconditions()),
        ];
        for (block, conditions) in blocks {
            for condition in conditions {
                let transient = Arena::new();
                let failed = || Failed {
                    code: Code::FailedCondition,
                    what: vec![block, self.inputs.arena.str(address)],
                    at: None,
                };
                self.condition(
                    (number, key),
                    &transient,
                    condition,
                    &|evaluation| {
                        evaluation.for_each.set(resource.for_each());
                        if block == "postcondition" {
                            let itself = resource::referred(evaluation, resource, key);
                            evaluation.own.borrow_mut().push(("self", itself));
                        }
                    },
                    &failed,
                );
            }
        }
    }

    /// Evaluates a condition, and reports it if it does not hold.
    fn condition<'v>(
        &self,
        (number, key): (u32, Key<'v>),
        arena: &'v Arena,
        condition: &Condition<'a>,
        own: &dyn Fn(&Evaluation<'_, 't, 'v, 'a>),
        failed: &dyn Fn() -> Failed<'a>,
    ) where
        'a: 'v,
    {
        let Some(expression) = condition.condition else { return };
        self.settled((number, key, (arena, false)), |evaluation| {
            own(evaluation);
            let value = evaluation.value(expression);
            let fault = fault(evaluation, condition, expression, value, failed);
            evaluation.found.borrow_mut().extend(fault);
        });
    }
}

/// Returns the diagnostic about the value of a condition, if it is invalid.
fn fault<'v, 'a: 'v>(
    evaluation: &Evaluation<'_, '_, 'v, 'a>,
    condition: &Condition<'a>,
    expression: Expression<'a>,
    value: Value<'v>,
    failed: &dyn Fn() -> Failed<'a>,
) -> Option<Diagnostic<'a>> {
    let own = evaluation.engine.inputs.arena;
    let wrong = |what: &'a str| {
        Diagnostic::new(Code::ConditionValue, expression.start_label()).with_arguments(&[what])
    };
    if value.is_null() {
        return Some(wrong("null"));
    }
    match convert(evaluation.arena, value, Type::Bool) {
        Err(_) => {
            let given = own.format(format_args!("{}", value.ty().with_article()));
            Some(wrong(given))
        }
        Ok(value) if value.as_bool() == Some(false) => {
            let Failed { code, mut what, at } = failed();
            let message = condition.error_message.map(|message| evaluation.value(message));
            let message = message.filter(|message| message.deep_marks().is_empty());
            let message = message
                .and_then(|message| convert(evaluation.arena, message, Type::String).ok()?.as_str())
                .map_or("", str::trim);
            what.push(match message {
                "" => ".",
                message if message.len() <= MOST_MESSAGE => own.format(format_args!(": {message}")),
                message => {
                    let start = start_of(message);
                    own.format(format_args!(": {start}…"))
                }
            });
            let found = Diagnostic::new(code, at.unwrap_or_else(|| expression.start_label()));
            let found = found.with_arguments(&what);
            Some(match at {
                Some(_) => found.with_related(expression.label(), "by this condition"),
                None => found,
            })
        }
        Ok(_) => None,
    }
}

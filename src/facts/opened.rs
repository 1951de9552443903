//! Parts of an interface that checks need in an arena: types and validations. Each is opened once.

use std::sync::OnceLock;

use super::interface::{Interface, ValidationFacts};
use crate::arena::Arena;
use crate::expression::{Expression, TypeConstraint};
use crate::module::computed::value_apart;
use crate::native::StepKind;
use crate::value::{Type, Value, convert};

/// The parts of an interface that have been opened.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    arena: &'a Arena,
    types: Box<[OnceLock<Option<TypeConstraint<'a>>>]>,
    outputs: OnceLock<Box<[(&'a str, Type<'a>)]>>,
    validations: Box<[OnceLock<Validated<'a>>]>,
}

/// The validations of a variable.
#[derive(Debug)]
struct Validated<'a> {
    default: Option<Value<'a>>,
    conditions: Box<[Validation<'a>]>,
}

/// A validation of a variable, in an arena.
#[derive(Debug)]
struct Validation<'a> {
    place: u32,
    condition: Option<(Expression<'a>, u32)>,
    message: Option<(Expression<'a>, u32)>,
    known: Box<[(&'a str, Value<'a>)]>,
}

/// A validation that a value does not pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal<'a> {
    /// The index of the validation among those of the variable.
    pub(crate) validation: usize,
    /// Its message; empty if it is not known, or a secret.
    pub(crate) message: &'a str,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(interface: &Interface, arena: &'a Arena) -> Self {
        let variables = interface.variables();
        Self {
            arena,
            types: variables.iter().map(|_| OnceLock::new()).collect(),
            outputs: OnceLock::new(),
            validations: variables.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The type of the variable at a place.
    pub(crate) fn constraint(
        &self,
        interface: &Interface,
        place: usize,
    ) -> Option<TypeConstraint<'a>> {
        let variable = interface.variables().get(place)?;
        *self.types.get(place)?.get_or_init(|| variable.open_type(self.arena))
    }

    /// The outputs with their types, without optional attributes; of any type if they have none.
    pub(crate) fn outputs(&self, interface: &Interface) -> &[(&'a str, Type<'a>)] {
        self.outputs.get_or_init(|| {
            let outputs = interface.outputs().iter();
            let typed = outputs.map(|output| {
                let ty = output.open_type(self.arena).unwrap_or(Type::Dynamic);
                (self.arena.str(output.name()), ty)
            });
            typed.collect()
        })
    }

    /// The default of the variable at a place; known only if it has validations.
    pub(crate) fn default(&self, interface: &Interface, place: usize) -> Option<Value<'a>> {
        self.validated(interface, place)?.default
    }

    /// The validations that a value of the variable at a place does not pass. The other variables of
    /// the module are unknown.
    ///
    /// Cost: that of the conditions.
    pub(crate) fn refusals(
        &self,
        interface: &Interface,
        place: usize,
        value: Value<'a>,
    ) -> Vec<Refusal<'a>> {
        let variable = interface.variables().get(place);
        let Some((validated, variable)) = self.validated(interface, place).zip(variable) else {
            return Vec::new();
        };
        let validations = validated.conditions.iter();
        let refusals = validations
            .filter_map(|validation| validation.refusal(interface, variable.name(), value));
        refusals.collect()
    }

    fn validated(&self, interface: &Interface, place: usize) -> Option<&Validated<'a>> {
        let variable = interface.variables().get(place)?;
        let arena = self.arena;
        Some(self.validations.get(place)?.get_or_init(|| Validated {
            default: variable.open_default(arena),
            conditions: variable.validations().iter().map(|it| Validation::of(it, arena)).collect(),
        }))
    }
}

impl<'a> Validation<'a> {
    fn of(facts: &ValidationFacts, arena: &'a Arena) -> Self {
        let open = |wording: &super::wording::Wording| Some((wording.open(arena)?, wording.len()));
        let known = facts.known.iter();
        Self {
            place: facts.place,
            condition: open(&facts.condition),
            message: facts.message.as_ref().and_then(open),
            known: known
                .filter_map(|(name, value)| Some((arena.str(name), value.open(arena)?)))
                .collect(),
        }
    }

    /// The refusal, if the condition is false for a value.
    fn refusal(
        &self,
        interface: &Interface,
        variable: &str,
        value: Value<'a>,
    ) -> Option<Refusal<'a>> {
        let condition = self.condition?;
        let arena = condition.0.source().arena();
        let mut variables: Vec<(&str, Value<'a>)> = Vec::new();
        for traversal in condition.0.variables().filter(|it| it.root_name() == "var") {
            if let Some(StepKind::Attribute(name)) = traversal.steps().get(1).map(|step| step.kind)
            {
                let is_own = name == variable;
                variables.push((name, if is_own { value } else { Value::dynamic() }));
            }
        }
        variables.sort_by_key(|(name, _)| *name);
        variables.dedup_by_key(|(name, _)| *name);
        let mut roots = self.known.to_vec();
        roots.push(("var", Value::object(arena, &variables)));
        roots.sort_by_key(|(name, _)| *name);
        let has_provider = |name: &str| interface.providers().requires(name);
        let evaluate = |expression| {
            let mut has_failed = false;
            let sink = &mut |_| has_failed = true;
            let value = value_apart(expression, &roots, interface.dialect(), &has_provider, sink);
            (!has_failed).then_some(value)
        };
        let holds = convert(arena, evaluate(condition)?, Type::Bool);
        if holds.ok().and_then(Value::as_bool) != Some(false) {
            return None;
        }
        let message = self.message.and_then(evaluate);
        let message = message.filter(|it| it.deep_marks().is_empty()).and_then(Value::as_str);
        Some(Refusal { validation: self.place as usize, message: message.map_or("", str::trim) })
    }
}

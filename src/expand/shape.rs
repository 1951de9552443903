//! The known parts of texts of a configuration, by the definitions that they refer to.
//!
//! Cost: bounded for each question, whatever the configuration is.

use super::evaluation::Evaluation;
use super::instance::Child;
use super::node::Node as Known;
use super::observer::Observed;
use crate::arena::Arena;
use crate::evaluate::shape::Shape;
use crate::evaluate::shape_of_program::{DEEPEST, Parts, Question, TakeCall, calls, of_nodes};
use crate::evaluate::{Budget, InScope, Meter, Objects, Scope, evaluate_for};
use crate::expression::{Expression, Seen, Syntax};
use crate::json::JsonValue;
use crate::module::Functions;
use crate::native::{Key, Step, StepKind};
use crate::program::LentProgram;
use crate::program::node::{Kind, Node};
use crate::value::Value;

/// The steps of evaluating a part of an expression.
const STEPS: u64 = 20_000;

impl<'v, 'a: 'v> Observed<'a> for Evaluation<'_, '_, 'v, 'a> {
    fn instance(&self) -> u32 {
        self.module
    }

    fn passes_on(&self) -> bool {
        self.passes_on.get()
    }

    fn is_supposed(&self) -> bool {
        self.is_supposed.get() || self.engine.supposed.borrow().contains(&self.module)
    }

    fn module_path(&self) -> Option<&'a str> {
        self.engine.module(self.module).path.get("module")?.as_str()
    }

    fn texts(&self, expression: Expression<'a>) -> Vec<String> {
        self.shape_of(expression, DEEPEST, &Question::new()).into_texts()
    }

    fn calls(
        &self,
        expression: Expression<'a>,
        is_meant: &dyn Fn(&str) -> bool,
        take: &mut TakeCall<'_>,
    ) {
        let question = Question::new();
        expression.visit_variables(|seen| {
            if let Seen::Template(program) = seen {
                calls(self, program, &question, is_meant, take);
            }
        });
    }
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    fn shape_of(&self, expression: Expression<'a>, depth: u32, question: &Question) -> Shape {
        if depth == 0 || !question.spend() {
            return Shape::hole();
        }
        match expression.syntax() {
            Syntax::Native(native) => {
                let program = native.program();
                of_nodes(self, &program, program.nodes, depth - 1, question)
            }
            Syntax::Json(node) => match node.value() {
                JsonValue::String(string) if !string.may_be_template() => {
                    Shape::text(string.to_str())
                }
                JsonValue::String(_) => match expression.template() {
                    Some(Ok(program)) => {
                        of_nodes(self, program, program.nodes, depth - 1, question)
                    }
                    _ => Shape::hole(),
                },
                JsonValue::Array(array) => {
                    let parts = array.elements().map(Expression::from_json);
                    Shape::Sequence(
                        parts.map(|part| self.shape_of(part, depth - 1, question)).collect(),
                    )
                }
                JsonValue::Object(object) => {
                    let parts = object.members().map(|it| Expression::from_json(it.value()));
                    Shape::Bag(parts.map(|it| self.shape_of(it, depth - 1, question)).collect())
                }
                JsonValue::Number(number) => Shape::text(number.text()),
                JsonValue::Null | JsonValue::Bool(_) => Shape::Bag(Vec::new()),
            },
            Syntax::Block(_) => Shape::hole(),
        }
    }

    /// The output of a call without keys that a traversal names.
    fn output(&self, call: Option<&str>, steps: &[Step<'a>]) -> Option<(Known<'a>, usize)> {
        let module = self.engine.module(self.module);
        let place = module.declared.module.calls.place(call?)?;
        let keys = self.engine.kept_keys(Known::CallKeys(self.module, place), &self.missing)?;
        let Child::Modules(first) = self.engine.children(self.module, place, keys) else {
            return None;
        };
        if keys.len() == 0 {
            return None;
        }
        let at =
            steps.iter().skip(2).position(|step| matches!(step.kind, StepKind::Attribute(_)))?;
        let StepKind::Attribute(name) = steps.get(at + 2)?.kind else { return None };
        let outputs = &self.engine.module(first).declared.module.outputs;
        Some((Known::Output(first, outputs.place(name)?), at + 3))
    }

    /// The shape of the definition of a node.
    fn of_known(&self, known: Known<'a>, depth: u32, question: &Question) -> Shape {
        let engine = self.engine;
        let (at, key, expression) = match known {
            Known::Local(number, place) => {
                let module = engine.module(number);
                (number, None, module.declared.module.locals.at(place).map(|it| it.value()))
            }
            Known::Output(number, place) => {
                let module = engine.module(number);
                (number, None, module.declared.module.outputs.at(place).and_then(|it| it.value))
            }
            Known::Variable(number, place) => {
                let module = engine.module(number);
                let name = module.declared.module.variables.at(place).map(|it| it.name);
                match (&module.call, name) {
                    (Some(call), Some(name)) => {
                        let key = Some((call.key, call.for_each));
                        (call.module, key, call.arguments.get(name).copied())
                    }
                    _ => return Shape::hole(),
                }
            }
            Known::ResourceKeys(..)
            | Known::CallKeys(..)
            | Known::ProviderKeys(..)
            | Known::Resource(..)
            | Known::Attribute(..)
            | Known::Call(..) => return Shape::hole(),
        };
        let Some(expression) = expression else { return Shape::hole() };
        let mut other = Evaluation::new(engine, at, (self.arena, self.is_transient));
        if let Some((key, for_each)) = key {
            other = other.with_key(key);
            other.for_each.set(for_each);
        }
        self.of_other(&other, expression, depth, question)
    }

    /// The shape of an expression in another evaluation, whose missing nodes become those of this one.
    fn of_other(
        &self,
        other: &Self,
        expression: Expression<'a>,
        depth: u32,
        question: &Question,
    ) -> Shape {
        let shape = other.shape_of(expression, depth, question);
        self.missing.borrow_mut().append(&mut other.missing.borrow_mut());
        shape
    }

    /// The shape of `each.value` or `each.key`: the elements of `for_each`. Those of a set are its keys, too.
    fn of_each(&self, steps: &[Step<'a>], depth: u32, question: &Question) -> Shape {
        let (Some(for_each), Some(StepKind::Attribute(name))) =
            (self.for_each.get(), steps.get(1).map(|step| step.kind))
        else {
            return Shape::hole();
        };
        let other = Evaluation::new(self.engine, self.module, (self.arena, self.is_transient));
        let element = self.of_other(&other, for_each, depth, question).element();
        match name {
            "value" => steps.iter().skip(2).fold(element, |shape, _| shape.element()),
            _ => Shape::either(vec![Shape::hole(), element]),
        }
    }
}

impl<'v, 'a: 'v> Parts<'v, 'a> for Evaluation<'_, '_, 'v, 'a> {
    fn arena(&self) -> &'v Arena {
        self.arena
    }

    fn part(&self, program: &LentProgram<'_, 'a>, nodes: &[Node]) -> Value<'v> {
        if self.engine.meter.exhausted().is_some() || nodes.is_empty() {
            return Value::dynamic();
        }
        // A name of a loop around the part is nothing that the module declares.
        if let [Node { kind: Kind::Traversal, payload, .. }] = nodes
            && self.find(program.traversal(*payload)).is_none()
        {
            return Value::dynamic();
        }
        let half = self.engine.half();
        let budget = Budget::new(half.steps().min(STEPS), half.bytes().min(STEPS * 8));
        let meter = Meter::new(budget);
        let known =
            Functions { dialect: self.engine.dialect(), has_provider: &|_| true, described: None };
        let functions = self.engine.inputs.functions.unwrap_or(&known);
        let scope = Scope::new().with_functions(functions).with_short_circuits();
        let program = LentProgram { nodes, ..*program };
        let names = InScope { scope: &scope, objects: Some(self) };
        let value = evaluate_for(self.arena, &program, names, &meter, &mut ());
        let spent = budget.steps() - meter.rest().steps();
        let kept = if self.is_transient { 0 } else { meter.allocated() };
        let _ = self.engine.meter.spend(spent).and_then(|()| self.engine.meter.allocate(kept));
        value
    }

    fn defined(&self, steps: &[Step<'a>], depth: u32, question: &Question) -> Shape {
        if depth == 0 {
            return Shape::hole();
        }
        let attribute = |at: usize| match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Attribute(name) | StepKind::Index(Key::String(name))) => Some(name),
            _ => None,
        };
        let Some(StepKind::Root(root)) = steps.first().map(|step| step.kind) else {
            return Shape::hole();
        };
        if root == "each" {
            return self.of_each(steps, depth, question);
        }
        if self.own.borrow().iter().any(|(name, _)| *name == root) {
            return Shape::hole();
        }
        let module = self.engine.module(self.module);
        let declared = &module.declared.module;
        let known = match root {
            "var" => attribute(1)
                .and_then(|name| declared.variables.place(name))
                .map(|place| (Known::Variable(self.module, place), 2)),
            "local" => attribute(1)
                .and_then(|name| declared.locals.place(name))
                .map(|place| (Known::Local(self.module, place), 2)),
            "module" => self.output(attribute(1), steps),
            _ => None,
        };
        let Some((known, taken)) = known else { return Shape::hole() };
        let shape = self.of_known(known, depth, question);
        steps.iter().skip(taken).fold(shape, |shape, _| shape.element())
    }
}

//! `variable` and `variables`: inputs of the template.
//!
//! All arguments of a variable are literal, except the conditions of its validations and its
//! default. Packer's documentation calls the default literal, too, but Packer evaluates it, with
//! `env` as the only function.

use super::{Defaults, Options};
use crate::arena::Arena;
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::packer::{PACKER_VALIDATION, PACKER_VARIABLE};
use crate::evaluate::{
    Budget, Function, FunctionError, Functions, Parameter, Scope, Signature, without_limits,
};
use crate::expression::{Expression, TypeConstraint};
use crate::module::{block, read};
use crate::native::Traversal;
use crate::source::Source;
use crate::span::Span;
use crate::value::{Marks, Type, Value, convert_briefly};

/// A declared variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// The block, or `None` for an entry of `variables`.
    pub block: Option<Block<'a>>,
    /// The position of the declaration: its label, or the name of the entry.
    pub name_span: Span,
    /// The type as written.
    pub written_type: Option<Expression<'a>>,
    /// The type that values are converted to, if it is written.
    pub constraint: Option<TypeConstraint<'a>>,
    /// The type of the default, to which values are converted if the type is not written or is
    /// `any`. A JSON array is a tuple of its length, and an object has only its own attributes.
    /// `None` if any value is accepted.
    pub inferred_type: Option<Type<'a>>,
    /// The default; null counts as one. Without a default, a value is required.
    pub default: Option<Expression<'a>>,
    /// The purpose of the variable.
    pub description: Option<&'a str>,
    /// Whether values are hidden.
    pub sensitive: Option<bool>,
    /// Conditions on its value.
    pub validations: &'a [Validation<'a>],
    source: Source<'a>,
}

/// A condition that the value of a variable must meet.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Validation<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The condition, a template that refers to the variable.
    pub condition: Option<Expression<'a>>,
    /// The message to show if the condition is not met, read literally.
    pub error_message: Option<&'a str>,
}

impl<'a> Variable<'a> {
    /// The file that declares it.
    #[must_use]
    pub fn source(&self) -> Source<'a> {
        self.source
    }

    /// The position of its name. See [`name_span`](Self::name_span).
    #[must_use]
    pub fn name_label(&self) -> Label<'a> {
        Label::new(self.source, self.name_span)
    }

    /// Whether a value is required.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default.is_none()
    }

    /// The marks of its values: [`Marks::hides`] says whether these, and its default, must not be
    /// shown.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        Marks::declared(self.sensitive, None)
    }

    /// Reports a default or a given value that cannot be converted to the variable's type.
    pub(super) fn check(&self, value: Value<'a>, at: Expression<'a>, sink: &mut dyn Sink<'a>) {
        let arena = at.source().arena();
        let converted = match (self.inferred_type, self.constraint) {
            (Some(inferred), _) => convert_briefly(arena, value, inferred),
            (None, Some(constraint)) => constraint.apply_briefly(arena, value, sink),
            (None, None) => return,
        };
        if let Err(error) = converted {
            let why = arena.format(format_args!("{}", error.for_marks(self.marks())));
            sink.report(
                Diagnostic::new(Code::VariableValue, at.start_label())
                    .with_arguments(&[self.name, why]),
            );
        }
    }

    pub(super) fn read(block: Block<'a>, options: &Options, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(PACKER_VARIABLE.common(), sink);
        let name = block.label(0).unwrap_or_default();
        let name_span = block.label_spans().next().unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        let get = |name| block::argument(&content, name);
        let written_type = get("type");
        let constraint = written_type.and_then(|written| constraint(written, sink));
        let validations: Vec<_> =
            content.blocks("validation").map(|block| Validation::read(block, name, sink)).collect();
        let mut variable = Self {
            name,
            block: Some(block),
            name_span,
            written_type,
            constraint,
            inferred_type: None,
            default: get("default"),
            description: get("description").and_then(|value| read::string(value, sink)),
            sensitive: get("sensitive").and_then(|value| read::boolean(value, sink)),
            validations: block.source().arena().bump().alloc_slice_copy(&validations),
            source: block.source(),
        };
        let is_any = |ty: Type<'a>| {
            // A default without elements does not determine the type of their values.
            match ty {
                Type::Dynamic => true,
                Type::Tuple(elements) => elements.is_empty(),
                Type::Object(attributes) => attributes.is_empty(),
                _ => false,
            }
        };
        let default = variable.check_default(options, sink).filter(|ty| !is_any(*ty));
        let is_written = constraint.is_some_and(|constraint| constraint.ty != Type::Dynamic);
        variable.inferred_type = default.filter(|_| !is_written);
        variable
    }

    /// Reads an entry of `variables`: its value is the default. Its name need not be an identifier.
    pub(super) fn of_entry(
        entry: Attribute<'a>,
        options: &Options,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut variable = Self {
            name: entry.name(),
            block: None,
            name_span: entry.name_span(),
            written_type: None,
            constraint: None,
            inferred_type: None,
            default: Some(entry.expression()),
            description: None,
            sensitive: None,
            validations: &[],
            source: entry.source(),
        };
        let default = variable.check_default(options, sink);
        variable.inferred_type = default.filter(|ty| *ty != Type::Dynamic);
        variable
    }

    /// Checks the default, and returns its type.
    fn check_default(&self, options: &Options, sink: &mut dyn Sink<'a>) -> Option<Type<'a>> {
        let default = self.default?;
        let value = match options.defaults {
            Defaults::Actual => {
                let budget = Budget::of_length(default.span().len());
                let scope = Scope::new().with_functions(&OnlyEnv).with_budget(budget);
                default.value(&scope, &mut without_limits(sink))
            }
            Defaults::Documented => default.literal_value(sink),
        };
        self.check(value, default, sink);
        Some(value.ty())
    }
}

/// Reads a type. Unlike in modules, `list` and `map` need an element type.
fn constraint<'a>(written: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<TypeConstraint<'a>> {
    if let Some(word @ ("list" | "map")) = written.as_keyword() {
        sink.report(
            Diagnostic::new(Code::InvalidType, written.start_label())
                .with_arguments(&[word, "its argument is missing"]),
        );
        return None;
    }
    written.type_constraint(sink)
}

impl<'a> Validation<'a> {
    fn read(block: Block<'a>, variable: &'a str, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(PACKER_VALIDATION.common(), sink);
        let condition = block::argument(&content, "condition");
        let message = block::argument(&content, "error_message");
        if let Some(condition) = condition {
            check_condition(condition, variable, sink);
        }
        let error_message = message.and_then(|value| {
            let text = read::string(value, sink)?;
            if !is_sentence(text) {
                sink.report(Diagnostic::new(Code::ValidationMessage, value.start_label()));
            }
            Some(text)
        });
        Self { block, condition, error_message }
    }
}

/// Reports a condition that does not refer to its variable, or refers to anything else.
fn check_condition<'a>(condition: Expression<'a>, variable: &'a str, sink: &mut dyn Sink<'a>) {
    let mut references = condition.variables();
    let mut refers = false;
    for reference in &mut references {
        if is_variable(reference, variable) {
            refers = true;
        } else {
            report_condition(reference.label(), variable, sink);
        }
    }
    let broken = references.broken();
    broken.iter().for_each(|&error| sink.report(error.clone()));
    if !refers && broken.is_empty() {
        report_condition(condition.start_label(), variable, sink);
    }
}

#[cold]
fn report_condition<'a>(label: Label<'a>, variable: &'a str, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::ValidationCondition, label).with_arguments(&[variable]));
}

fn is_variable(traversal: Traversal<'_>, name: &str) -> bool {
    use crate::native::StepKind;
    traversal.root_name() == "var"
        && traversal.steps().get(1).is_some_and(|step| step.kind == StepKind::Attribute(name))
}

/// Whether a text looks like a sentence: it does not start with a small letter, and ends with a
/// punctuation mark. Whitespace around it is ignored.
fn is_sentence(text: &str) -> bool {
    let text = text.trim();
    let starts = text.chars().next().is_some_and(|c| !c.is_alphabetic() || c.is_uppercase());
    starts && text.ends_with(['.', '?', '!'])
}

/// The functions that a default may call: `env`, whose value is not known here.
struct OnlyEnv;

impl Functions for OnlyEnv {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        (name == "env").then_some(&Env as &dyn Function)
    }

    fn names(&self) -> Vec<&str> {
        vec!["env"]
    }
}

struct Env;

impl Function for Env {
    fn signature(&self) -> Signature<'_> {
        const KEY: &[Parameter<'static>] = &[Parameter::new("key", Type::String)];
        Signature::new(KEY)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::String)
    }

    fn call<'a>(&self, _: &'a Arena, _: &[Value<'a>]) -> Result<Value<'a>, FunctionError<'a>> {
        Ok(Value::unknown(Type::String))
    }
}

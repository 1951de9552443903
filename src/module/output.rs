//! `output`: a result of the module.

use std::cell::Cell;

use super::block::argument;
use super::condition::Condition;
use super::rules::Rules;
use super::site::{Site, Visitor, Wanted};
use super::{Module, Object, read};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::dialect::arguments::modules::OUTPUT;
use crate::expression::{Expression, TypeConstraint};
use crate::native::Traversal;
use crate::value::{Marks, Value};

/// A declared output.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: Option<Expression<'a>>,
    /// The type that its value is converted to (Terraform).
    pub constraint: Option<TypeConstraint<'a>>,
    /// The purpose of the output.
    pub description: Option<&'a str>,
    /// Whether the value is hidden.
    pub sensitive: Option<bool>,
    /// Whether the value is not stored.
    pub ephemeral: Option<bool>,
    /// Why the output should no longer be used (OpenTofu).
    pub deprecated: Option<&'a str>,
    /// The position of `deprecated`.
    pub(crate) deprecation: Option<Label<'a>>,
    /// The objects that must exist before the output can be used.
    pub depends_on: &'a [Traversal<'a>],
    /// Conditions on it.
    pub preconditions: &'a [Condition<'a>],
}

impl<'a> Output<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.template(self.value);
        visitor.order(self.depends_on);
        visitor.conditions(self.preconditions, Wanted::Message);
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let failed = Cell::new(false);
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            failed.set(failed.get() || diagnostic.severity() == Severity::Error);
            sink.report(diagnostic);
        };
        let content = block.body().content(rules.schema(&OUTPUT), sink);
        let mut constraint = None;
        if let Some(written) = content.attribute("type") {
            if rules.is_terraform() {
                constraint = output_type(written.expression(), sink);
            } else {
                sink.report(
                    Diagnostic::new(Code::ExtraneousProperty, written.name_label())
                        .with_arguments(&["type"]),
                );
            }
        }
        for postcondition in content.blocks("postcondition") {
            sink.report(Diagnostic::new(Code::MisplacedPostcondition, postcondition.type_label()));
        }
        let name = block.label(0).unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        let description =
            argument(&content, "description").and_then(|value| read::string(value, sink));
        let sensitive =
            argument(&content, "sensitive").and_then(|value| read::boolean(value, sink));
        // If the block has an error already, OpenTofu does not report an empty text.
        let deprecated = argument(&content, "deprecated").and_then(|value| match failed.get() {
            true => read::string(value, sink),
            false => read::deprecation(value, rules, sink),
        });
        let ephemeral =
            argument(&content, "ephemeral").and_then(|value| read::boolean(value, sink));
        let preconditions: Vec<_> = content
            .blocks("precondition")
            .map(|block| match rules.is_override {
                // The block is rejected as a whole.
                true => Condition::read(block, &mut ()),
                false => Condition::read(block, sink),
            })
            .collect();
        let depends_on = argument(&content, "depends_on");
        Self {
            block,
            name,
            value: argument(&content, "value"),
            constraint,
            description,
            sensitive,
            ephemeral,
            deprecated,
            deprecation: content.attribute("deprecated").map(Attribute::name_label),
            depends_on: depends_on.map_or(&[], |list| read::traversals(list, sink)),
            preconditions: block.source().arena().bump().alloc_slice_copy(&preconditions),
        }
    }
}

impl<'a> Output<'a> {
    /// The marks of its value: [`Marks::hides`] says whether it must not be shown.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        Marks::declared(self.sensitive, self.ephemeral)
    }

    /// Reports a value that cannot be converted to the output's type.
    pub(super) fn check_value(
        &self,
        expression: Expression<'a>,
        value: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let arena = expression.source().arena();
        let Some(Err(error)) = self.constraint.map(|it| it.apply(arena, value, &mut ())) else {
            return;
        };
        let reason = arena.format(format_args!("{}", error.for_marks(self.marks())));
        sink.report(
            Diagnostic::new(Code::OutputValue, expression.start_label())
                .with_arguments(&[self.name, reason]),
        );
    }
}

impl<'a> Module<'a> {
    /// The output whose value is `expression`.
    pub(super) fn output_of(
        &self,
        site: &Site<'_, 'a>,
        value: Expression<'a>,
    ) -> Option<&Output<'a>> {
        let Object::Output(name) = site.object else { return None };
        let is_value = |it: Expression<'a>| {
            it.span() == value.span() && it.source().id() == value.source().id()
        };
        self.outputs.get(name).filter(|output| output.value.is_some_and(is_value))
    }
}

/// Reads the type of an output. Unlike in a variable, `list` and `map` need an element type.
fn output_type<'a>(written: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<TypeConstraint<'a>> {
    if let Some(word @ ("list" | "map")) = written.as_keyword() {
        sink.report(
            Diagnostic::new(Code::InvalidType, written.start_label())
                .with_arguments(&[word, "it needs the type of its elements"]),
        );
        return None;
    }
    written.type_constraint(sink)
}

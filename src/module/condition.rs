//! Conditions: `validation`, `precondition`, `postcondition` and `assert`.

use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::CONDITION;
use crate::expression::Expression;
use crate::native::{StepKind, Traversal};

/// A condition that must hold, and the message to show if it does not.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Condition<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The condition, a template.
    pub condition: Option<Expression<'a>>,
    /// The message, a template.
    pub error_message: Option<Expression<'a>>,
}

impl<'a> Condition<'a> {
    /// Reads a block. Reports a condition that refers to nothing.
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        Self::read_with(block, sink, |_| true).0
    }

    /// Reads a validation of a variable. Reports a condition that does not refer to the variable.
    pub(super) fn read_validation(
        block: Block<'a>,
        variable: &'a str,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let is_it = |traversal: Traversal<'a>| {
            let mut steps = traversal.steps().iter().map(|step| step.kind);
            steps.next() == Some(StepKind::Root("var"))
                && steps.next() == Some(StepKind::Attribute(variable))
        };
        let (read, is_related) = Self::read_with(block, sink, is_it);
        if let Some(condition) = read.condition
            && is_related == Some(false)
        {
            sink.report(
                Diagnostic::new(Code::UnrelatedValidation, condition.start_label())
                    .with_arguments(&[variable]),
            );
        }
        read
    }

    /// Returns the block, and whether one of the condition's references passes `is_wanted`; `None`
    /// if the condition is missing or has been reported.
    fn read_with(
        block: Block<'a>,
        sink: &mut dyn Sink<'a>,
        is_wanted: impl Fn(Traversal<'a>) -> bool,
    ) -> (Self, Option<bool>) {
        let content = block.body().content(CONDITION.common(), sink);
        let get = |name| content.attribute(name).map(|attribute| attribute.expression());
        let read = Self { block, condition: get("condition"), error_message: get("error_message") };
        let Some(condition) = read.condition else { return (read, None) };
        let (mut is_constant, mut is_related) = (true, false);
        let mut variables = condition.variables();
        for traversal in &mut variables {
            is_constant = false;
            is_related |= is_wanted(traversal);
        }
        // Syntax errors of templates are reported with the references.
        if is_constant && variables.broken().is_empty() && !condition.is_invalid() {
            sink.report(
                Diagnostic::new(Code::ConstantCondition, condition.start_label())
                    .with_arguments(&[block.block_type()]),
            );
        }
        (read, (!is_constant).then_some(is_related))
    }
}

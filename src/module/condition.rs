//! Conditions: `validation`, `precondition`, `postcondition` and `assert`.

use super::block::attributes;
use crate::body::{Block, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;

static CONDITION: Schema<'static> =
    Schema::new(&attributes::<2>(["condition", "error_message"], true), &[]);

/// A condition that must hold, and what to say when it does not.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The condition, a template.
    pub condition: Option<Expression<'a>>,
    /// The message, a template.
    pub error_message: Option<Expression<'a>>,
}

impl<'a> Condition<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&CONDITION, sink);
        let get = |name| content.attribute(name).map(|attribute| attribute.expression());
        let condition = get("condition");
        if let Some(condition) = condition {
            let mut variables = condition.variables();
            // Why a template does not parse is told with the references.
            if variables.next().is_none() && variables.broken().is_empty() {
                let span = condition.start_span();
                let there = Diagnostic::new(Code::ConstantCondition, condition.source(), span);
                sink.report(there.with_arguments(&[block.block_type()]));
            }
        }
        Self { block, condition, error_message: get("error_message") }
    }
}

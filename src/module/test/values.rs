//! Values in test files: values of variables, and syntax errors of templates.

use crate::body::{Attribute, Content};
use crate::diagnostic::Sink;
use crate::expression::Expression;
use crate::module::block::single;

/// The values of the block `variables`.
pub(super) fn values<'a>(content: &Content<'a>, sink: &mut dyn Sink<'a>) -> &'a [Attribute<'a>] {
    let Some(block) = single(content, "variables", sink) else { return &[] };
    let values = block.body().just_attributes(sink);
    for value in values {
        report_broken(value.expression(), sink);
    }
    values
}

/// Reports syntax errors in the templates of a value.
pub(super) fn report_broken<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) {
    let mut variables = value.variables();
    (&mut variables).for_each(drop);
    for error in variables.broken() {
        sink.report((*error).clone());
    }
}

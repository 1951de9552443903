//! Helpers for block types: arguments, and blocks that must be unique.

use crate::body::{Block, Parts};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;

/// The value of an argument.
pub(crate) fn argument<'a>(content: &impl Parts<'a>, name: &str) -> Option<Expression<'a>> {
    content.attribute(name).map(|attribute| attribute.expression())
}

/// The block of a type that may occur once. Reports further ones.
pub(crate) fn single<'a>(
    content: &impl Parts<'a>,
    block_type: &'static str,
    sink: &mut dyn Sink<'a>,
) -> Option<Block<'a>> {
    let mut blocks = content.blocks(block_type);
    let first = blocks.next()?;
    for further in blocks {
        sink.report(duplicate_block(further, first));
    }
    Some(first)
}

/// The diagnostic for a second block of a type that may occur once.
#[cold]
pub(crate) fn duplicate_block<'a>(later: Block<'a>, earlier: Block<'a>) -> Diagnostic<'a> {
    Diagnostic::new(Code::DuplicateBlock, later.definition_label())
        .with_arguments(&[later.block_type()])
        .with_related(earlier.definition_label(), "first here")
}

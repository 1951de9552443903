//! `dynamic`: a block for each element of a value.

use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::DYNAMIC;
use crate::expression::Expression;
use crate::module::block;
use crate::suggest;

/// A `dynamic` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Dynamic<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The type of the blocks.
    pub block_type: &'a str,
    /// The value with one element per block.
    pub for_each: Option<Expression<'a>>,
    /// The name of the element in the content.
    pub iterator: &'a str,
    /// The labels of the blocks.
    pub labels: Option<Expression<'a>>,
    /// The body of the blocks.
    pub content: Option<Block<'a>>,
}

impl<'a> Dynamic<'a> {
    /// Reads a block. Returns `None` if no block of its type is allowed there.
    pub(super) fn read(
        block: Block<'a>,
        known: &[&'static str],
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        let content = block.body().content(DYNAMIC.common(), sink);
        let block_type = block.label(0).unwrap_or_default();
        if !known.contains(&block_type) {
            sink.report(
                Diagnostic::new(Code::DynamicType, block.label_place(0))
                    .with_arguments(&[block_type])
                    .with_suggestion(suggest::nearest(block_type, known.iter().copied())),
            );
            return None;
        }
        let iterator = block::argument(&content, "iterator");
        let iterator = iterator.and_then(|value| Some(value.traversal(sink)?.root_name()));
        let labels = block::argument(&content, "labels");
        let body = block::single(&content, "content", sink);
        if body.is_none() {
            sink.report(
                Diagnostic::new(Code::MissingArgument, block.body().missing_item_label())
                    .with_arguments(&["content"]),
            );
        }
        Some(Self {
            block,
            block_type,
            for_each: block::argument(&content, "for_each"),
            iterator: iterator.unwrap_or(block_type),
            labels: labels.and_then(|value| value.list(sink).map(|_| value)),
            content: body,
        })
    }
}

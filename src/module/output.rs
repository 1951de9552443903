//! `output`: a result of the module.

use super::block::{argument, plain};
use super::condition::Condition;
use super::read;
use crate::body::{AttributeSchema, Block, Schema};
use crate::diagnostic::Sink;
use crate::expression::Expression;
use crate::native::Traversal;

const fn schema(value: AttributeSchema<'static>) -> [AttributeSchema<'static>; 6] {
    [
        value,
        AttributeSchema::optional("description"),
        AttributeSchema::optional("sensitive"),
        AttributeSchema::optional("ephemeral"),
        AttributeSchema::optional("deprecated"),
        AttributeSchema::optional("depends_on"),
    ]
}

static OUTPUT: Schema<'static> = Schema::new(
    &schema(AttributeSchema::required("value")),
    &[plain("precondition"), plain("postcondition")],
);

/// In an override file the value may be left to the base.
static OVERRIDE: Schema<'static> = Schema::new(
    &schema(AttributeSchema::optional("value")),
    &[plain("precondition"), plain("postcondition")],
);

/// A declared output.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: Option<Expression<'a>>,
    /// What it is for.
    pub description: Option<&'a str>,
    /// It is not shown.
    pub sensitive: Option<bool>,
    /// It is not stored.
    pub ephemeral: Option<bool>,
    /// Why it should no longer be used (OpenTofu).
    pub deprecated: Option<&'a str>,
    /// What must exist before it can be used.
    pub depends_on: &'a [Traversal<'a>],
    /// Conditions on it.
    pub preconditions: &'a [Condition<'a>],
}

impl<'a> Output<'a> {
    pub(super) fn read(block: Block<'a>, is_override: bool, sink: &mut impl Sink<'a>) -> Self {
        let schema = if is_override { &OVERRIDE } else { &OUTPUT };
        let content = block.body().content(schema, sink);
        let name = block.label(0).unwrap_or_default();
        let label = block.label_spans().next().unwrap_or_default();
        read::name(name, block.source(), label, sink);
        let preconditions: Vec<_> =
            content.blocks("precondition").map(|block| Condition::read(block, sink)).collect();
        let depends_on = argument(&content, "depends_on");
        Self {
            block,
            name,
            value: argument(&content, "value"),
            description: argument(&content, "description")
                .and_then(|value| read::string(value, sink)),
            sensitive: argument(&content, "sensitive").and_then(|value| read::boolean(value, sink)),
            ephemeral: argument(&content, "ephemeral").and_then(|value| read::boolean(value, sink)),
            deprecated: argument(&content, "deprecated")
                .and_then(|value| read::string(value, sink)),
            depends_on: depends_on.map_or(&[], |list| read::traversals(list, sink)),
            preconditions: block.source().arena().bump().alloc_slice_copy(&preconditions),
        }
    }
}

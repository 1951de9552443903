//! `lifecycle`: how a resource is replaced and destroyed, and its conditions.

use super::block::{argument, plain};
use super::condition::Condition;
use super::read;
use crate::body::{AttributeSchema, Block, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::Traversal;
use crate::reference::Mode;

static LIFECYCLE: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("create_before_destroy"),
        AttributeSchema::optional("prevent_destroy"),
        AttributeSchema::optional("destroy"),
        AttributeSchema::optional("enabled"),
        AttributeSchema::optional("ignore_changes"),
        AttributeSchema::optional("replace_triggered_by"),
    ],
    &[plain("precondition"), plain("postcondition")],
);

/// The arguments that only managed resources have.
const MANAGED_ONLY: [&str; 5] = [
    "create_before_destroy",
    "prevent_destroy",
    "destroy",
    "ignore_changes",
    "replace_triggered_by",
];

/// A `lifecycle` block.
#[derive(Clone, Copy, Debug)]
pub struct Lifecycle<'a> {
    /// The block.
    pub block: Block<'a>,
    /// A replacement is created first.
    pub create_before_destroy: Option<bool>,
    /// A plan that destroys it is refused.
    pub prevent_destroy: Option<Expression<'a>>,
    /// Whether it is destroyed, or only forgotten (OpenTofu).
    pub destroy: Option<Expression<'a>>,
    /// Whether it exists at all (OpenTofu).
    pub enabled: Option<Expression<'a>>,
    /// Changes that are not acted on.
    pub ignore_changes: IgnoreChanges<'a>,
    /// What makes it be replaced when it changes: native expressions.
    pub replace_triggered_by: &'a [Expression<'a>],
    /// Conditions before.
    pub preconditions: &'a [Condition<'a>],
    /// Conditions after.
    pub postconditions: &'a [Condition<'a>],
}

/// The changes that are not acted on.
#[derive(Clone, Copy, Debug)]
pub enum IgnoreChanges<'a> {
    /// Those of these attributes, which start at the resource.
    Of(&'a [Traversal<'a>]),
    /// All of them.
    All,
}

impl<'a> Lifecycle<'a> {
    pub(super) fn read(block: Block<'a>, mode: Mode, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&LIFECYCLE, sink);
        if mode != Mode::Managed {
            for name in MANAGED_ONLY {
                if let Some(attribute) = content.attribute(name) {
                    let there = Diagnostic::new(
                        Code::LifecycleArgument,
                        attribute.source(),
                        attribute.name_span(),
                    );
                    sink.report(there.with_arguments(&[name, mode.as_str()]));
                }
            }
        }
        let bump = block.source().arena().bump();
        let ignore_changes = argument(&content, "ignore_changes");
        let triggers = argument(&content, "replace_triggered_by");
        let triggers: Vec<_> =
            triggers.and_then(|list| list.list(sink)).into_iter().flatten().collect();
        let mut conditions = |block_type| {
            let read: Vec<_> =
                content.blocks(block_type).map(|block| Condition::read(block, sink)).collect();
            &*bump.alloc_slice_copy(&read)
        };
        let (preconditions, postconditions) =
            (conditions("precondition"), conditions("postcondition"));
        Self {
            block,
            create_before_destroy: argument(&content, "create_before_destroy")
                .and_then(|value| read::boolean(value, sink)),
            prevent_destroy: argument(&content, "prevent_destroy"),
            destroy: argument(&content, "destroy"),
            enabled: argument(&content, "enabled"),
            ignore_changes: ignore_changes
                .map_or(IgnoreChanges::Of(&[]), |value| IgnoreChanges::read(value, sink)),
            replace_triggered_by: bump.alloc_slice_copy(&triggers),
            preconditions,
            postconditions,
        }
    }
}

impl<'a> IgnoreChanges<'a> {
    /// The keyword `all`, or a list of relative traversals.
    fn read(value: Expression<'a>, sink: &mut impl Sink<'a>) -> Self {
        if value.as_keyword() == Some("all") {
            return Self::All;
        }
        let Some(elements) = value.list(sink) else { return Self::Of(&[]) };
        let mut attributes = Vec::new();
        let mut is_all = false;
        for element in elements {
            if element.node().as_string().is_some_and(|text| text.is("*")) {
                is_all = true;
                sink.report(Diagnostic::new(
                    Code::IgnoreWildcard,
                    element.source(),
                    element.span(),
                ));
            } else if let Some(attribute) = element.relative_traversal(sink) {
                attributes.push(attribute);
            }
        }
        match is_all {
            true => Self::All,
            false => Self::Of(value.source().arena().bump().alloc_slice_copy(&attributes)),
        }
    }
}

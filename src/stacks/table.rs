//! The block types of stacks: one row each.

use std::sync::OnceLock;

use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::dialect::BlockKind;

/// How an argument is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// A value, whose references count.
    Value,
    /// A constant.
    Literal,
    /// A type.
    Type,
    /// References to providers, by name.
    Providers,
    /// A list of references.
    References,
    /// One reference.
    Reference,
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `variable`: an input of the stack.
    Variable,
    /// An entry of `locals`.
    Local,
    /// `output`: a result of the stack.
    Output,
    /// An entry of `required_providers`.
    RequiredProvider,
    /// `provider`: a provider configuration, with a type and a name.
    Provider,
    /// `component`: a call of a module.
    Component,
    /// `stack`: a call of another stack.
    Stack,
    /// `removed`: a component or stack that is no longer declared.
    Removed,
    /// `deployment`: an instance of the stack.
    Deployment,
    /// `deployment_group`: deployments with the same rules.
    DeploymentGroup,
    /// `deployment_auto_approve`: the conditions of an approval.
    DeploymentAutoApprove,
    /// `orchestrate`: the former name of such conditions.
    Orchestrate,
    /// `identity_token`: a token for a provider.
    IdentityToken,
    /// `store`: values that are kept elsewhere.
    Store,
    /// `publish_output`: a value for other stacks.
    PublishOutput,
    /// `upstream_input`: the values of another stack.
    UpstreamInput,
}

/// A row of the table.
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) block: BlockKind,
    /// The first name of references to it.
    root: Option<&'static str>,
    /// The arguments: their names, whether they are required, and how they are read. A block with
    /// none has any.
    pub(super) arguments: &'static [(&'static str, bool, Reading)],
    /// The nested blocks, which have any arguments and blocks.
    blocks: &'static [&'static str],
    schema: OnceLock<Schema<'static>>,
}

const fn row(
    kind: Kind,
    block: BlockKind,
    root: Option<&'static str>,
    arguments: &'static [(&'static str, bool, Reading)],
    blocks: &'static [&'static str],
) -> Row {
    Row { kind, block, root, arguments, blocks, schema: OnceLock::new() }
}

use Reading::{Literal, Providers, Reference, References, Type, Value};

static ROWS: [Row; 16] = [
    row(
        Kind::Variable,
        BlockKind::Variable,
        Some("var"),
        &[
            ("type", true, Type),
            ("description", false, Literal),
            ("default", false, Literal),
            ("sensitive", false, Literal),
            ("nullable", false, Literal),
            ("ephemeral", false, Literal),
        ],
        &["validation"],
    ),
    row(Kind::Local, BlockKind::Locals, Some("local"), &[], &[]),
    row(
        Kind::Output,
        BlockKind::Output,
        None,
        &[
            ("type", true, Type),
            ("value", true, Value),
            ("description", false, Literal),
            ("sensitive", false, Literal),
            ("ephemeral", false, Literal),
        ],
        &[],
    ),
    row(Kind::RequiredProvider, BlockKind::RequiredProviders, None, &[], &[]),
    row(
        Kind::Provider,
        BlockKind::Provider,
        Some("provider"),
        &[("for_each", false, Value)],
        &["config"],
    ),
    row(
        Kind::Component,
        BlockKind::Component,
        Some("component"),
        &[
            ("source", true, Literal),
            ("version", false, Literal),
            ("for_each", false, Value),
            ("inputs", false, Value),
            ("providers", false, Providers),
            ("depends_on", false, References),
        ],
        &[],
    ),
    row(
        Kind::Stack,
        BlockKind::Stack,
        Some("stack"),
        &[
            ("source", true, Literal),
            ("version", false, Literal),
            ("for_each", false, Value),
            ("inputs", false, Value),
            ("depends_on", false, References),
        ],
        &[],
    ),
    row(
        Kind::Removed,
        BlockKind::Removed,
        None,
        &[
            ("from", true, Reference),
            ("source", true, Literal),
            ("version", false, Literal),
            ("for_each", false, Value),
            ("inputs", false, Value),
            ("providers", false, Providers),
            ("depends_on", false, References),
        ],
        &["lifecycle"],
    ),
    row(
        Kind::Deployment,
        BlockKind::Deployment,
        Some("deployment"),
        &[
            ("inputs", true, Value),
            ("deployment_group", false, Value),
            ("destroy", false, Value),
            ("import", false, Value),
        ],
        &[],
    ),
    row(
        Kind::DeploymentGroup,
        BlockKind::DeploymentGroup,
        Some("deployment_group"),
        &[("auto_approve_checks", false, Value)],
        &[],
    ),
    row(
        Kind::DeploymentAutoApprove,
        BlockKind::DeploymentAutoApprove,
        Some("deployment_auto_approve"),
        &[("deployment_group", false, Value)],
        &["check"],
    ),
    row(Kind::Orchestrate, BlockKind::Orchestrate, None, &[], &["check"]),
    row(
        Kind::IdentityToken,
        BlockKind::IdentityToken,
        Some("identity_token"),
        &[("audience", true, Value)],
        &[],
    ),
    row(
        Kind::Store,
        BlockKind::Store,
        Some("store"),
        &[("id", false, Value), ("name", false, Value), ("category", false, Value)],
        &[],
    ),
    row(
        Kind::PublishOutput,
        BlockKind::PublishOutput,
        Some("publish_output"),
        &[("description", false, Literal), ("value", true, Value)],
        &[],
    ),
    row(
        Kind::UpstreamInput,
        BlockKind::UpstreamInput,
        Some("upstream_input"),
        &[("type", true, Literal), ("source", true, Literal)],
        &[],
    ),
];

impl Kind {
    pub(super) fn row(self) -> &'static Row {
        // A test compares the order of the rows with that of the variants.
        &ROWS[self as usize]
    }

    /// The type of the block that declares it.
    #[must_use]
    pub fn block_type(self) -> &'static str {
        self.row().block.name()
    }

    /// The first name of references to it: `var`; `None` if nothing refers to it.
    #[must_use]
    pub fn root(self) -> Option<&'static str> {
        self.row().root
    }

    /// The number of names after the first one in references to it.
    pub(super) fn names(self) -> usize {
        match self {
            Self::Provider | Self::Store => 2,
            _ => 1,
        }
    }

    /// The kind of objects that references with this first name are to.
    pub(super) fn of_root(root: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.root == Some(root)).map(|row| row.kind)
    }

    /// The kind of the objects that a block declares.
    pub(super) fn of_block(block: BlockKind) -> Option<Self> {
        ROWS.iter().find(|row| row.block == block).map(|row| row.kind)
    }

    /// Whether only deployments have it.
    pub(super) fn is_of_deployments(self) -> bool {
        self >= Self::Deployment
    }
}

impl Row {
    /// The schema of its body; `None` if it has any attributes.
    pub(super) fn schema(&'static self) -> Option<&'static Schema<'static>> {
        if self.arguments.is_empty() && self.blocks.is_empty() {
            return None;
        }
        Some(self.schema.get_or_init(|| {
            let arguments = self.arguments.iter();
            let attributes: Vec<_> =
                arguments.map(|&(name, required, _)| AttributeSchema { name, required }).collect();
            let blocks: Vec<_> =
                self.blocks.iter().map(|name| BlockSchema::new(name, &[])).collect();
            // Made once for each row.
            Schema::new(Vec::leak(attributes), Vec::leak(blocks))
        }))
    }

    /// How an argument is read.
    pub(super) fn reading(&self, argument: &str) -> Reading {
        let known = self.arguments.iter().find(|(name, ..)| *name == argument);
        known.map_or(Reading::Value, |(_, _, reading)| *reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_kinds() {
        for row in &ROWS {
            assert_eq!(row.kind.row().kind, row.kind);
            assert_eq!(Kind::of_block(row.block), Some(row.kind));
            assert_eq!(row.root.and_then(Kind::of_root), row.root.map(|_| row.kind));
        }
    }
}

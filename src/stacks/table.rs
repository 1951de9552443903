//! The block types of stacks: one row each.

use crate::body::Schema;
use crate::dialect::arguments::stacks::{
    COMPONENT, DEPLOYMENT, DEPLOYMENT_AUTO_APPROVE, DEPLOYMENT_GROUP, IDENTITY_TOKEN, ORCHESTRATE,
    PUBLISH_OUTPUT, STACK, STACK_OUTPUT, STACK_PROVIDER, STACK_REMOVED, STACK_VARIABLE, STORE,
    UPSTREAM_INPUT,
};
use crate::dialect::{self, BlockKind, Table};

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
    /// Its arguments; `None` if it has any.
    table: Option<&'static Table>,
}

const fn row(
    kind: Kind,
    block: BlockKind,
    root: Option<&'static str>,
    table: Option<&'static Table>,
) -> Row {
    Row { kind, block, root, table }
}

static ROWS: [Row; 16] = [
    row(Kind::Variable, BlockKind::Variable, Some("var"), Some(&STACK_VARIABLE)),
    row(Kind::Local, BlockKind::Locals, Some("local"), None),
    row(Kind::Output, BlockKind::Output, None, Some(&STACK_OUTPUT)),
    row(Kind::RequiredProvider, BlockKind::RequiredProviders, None, None),
    row(Kind::Provider, BlockKind::Provider, Some("provider"), Some(&STACK_PROVIDER)),
    row(Kind::Component, BlockKind::Component, Some("component"), Some(&COMPONENT)),
    row(Kind::Stack, BlockKind::Stack, Some("stack"), Some(&STACK)),
    row(Kind::Removed, BlockKind::Removed, None, Some(&STACK_REMOVED)),
    row(Kind::Deployment, BlockKind::Deployment, Some("deployment"), Some(&DEPLOYMENT)),
    row(
        Kind::DeploymentGroup,
        BlockKind::DeploymentGroup,
        Some("deployment_group"),
        Some(&DEPLOYMENT_GROUP),
    ),
    row(
        Kind::DeploymentAutoApprove,
        BlockKind::DeploymentAutoApprove,
        Some("deployment_auto_approve"),
        Some(&DEPLOYMENT_AUTO_APPROVE),
    ),
    row(Kind::Orchestrate, BlockKind::Orchestrate, None, Some(&ORCHESTRATE)),
    row(
        Kind::IdentityToken,
        BlockKind::IdentityToken,
        Some("identity_token"),
        Some(&IDENTITY_TOKEN),
    ),
    row(Kind::Store, BlockKind::Store, Some("store"), Some(&STORE)),
    row(
        Kind::PublishOutput,
        BlockKind::PublishOutput,
        Some("publish_output"),
        Some(&PUBLISH_OUTPUT),
    ),
    row(
        Kind::UpstreamInput,
        BlockKind::UpstreamInput,
        Some("upstream_input"),
        Some(&UPSTREAM_INPUT),
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

    /// The first names of references to objects.
    pub(crate) fn roots() -> impl Iterator<Item = &'static str> {
        ROWS.iter().filter_map(|row| row.root)
    }

    /// The number of names after the first one in references to it.
    pub(crate) fn names(self) -> usize {
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
        self.table.map(Table::common)
    }

    /// The arguments, and how they are read.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (&'static str, Reading)> {
        let names = self.table.into_iter().flat_map(Table::arguments);
        names.map(|(name, reading)| (name, Reading::of(name, reading)))
    }

    /// How an argument is read.
    pub(super) fn reading(&self, argument: &str) -> Reading {
        let mut arguments = self.arguments().filter(|(name, _)| *name == argument);
        arguments.next().map_or(Reading::Value, |(_, reading)| reading)
    }
}

impl Reading {
    /// How the argument of a name is read.
    fn of(name: &str, reading: dialect::Reading) -> Self {
        match (reading, name) {
            (dialect::Reading::Template, _) => Self::Value,
            (dialect::Reading::Literal | dialect::Reading::Requirement, _) => Self::Literal,
            (dialect::Reading::Bare, "type") => Self::Type,
            (dialect::Reading::Bare, "providers") => Self::Providers,
            (dialect::Reading::Bare, "from") => Self::Reference,
            (dialect::Reading::Bare, _) => Self::References,
        }
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

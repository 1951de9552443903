//! Records as rows, for the commands that print them.

use std::fmt;

use super::origin::{Kind, Origin, What};
use crate::diagnostic::Sink;
use crate::json::Node;
use crate::show::Read as _;
use crate::show::plan::ResourceChange;
use crate::show::state::{RawResource, Resource};
use crate::stream::Record;

/// The kind of a [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowKind {
    /// An entry of `resource_changes`.
    Change,
    /// An entry of `resource_drift`.
    Drift,
    /// A resource of a printed state.
    Resource,
    /// A resource of a state file.
    RawResource,
}

/// A record of a document that is read as a stream.
#[derive(Clone, Copy)]
pub struct Row<'b, 'r> {
    kind: RowKind,
    index: u64,
    record: &'b Record<'r>,
}

impl fmt::Debug for Row<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, index) = (self.kind, self.index);
        f.debug_struct("Row").field("kind", &kind).field("index", &index).finish_non_exhaustive()
    }
}

impl<'b, 'r> Row<'b, 'r> {
    /// The record of a document of this kind; `None` if it is not printed as a row.
    pub(super) fn of(
        kind: Kind,
        origin: Origin,
        index: u64,
        record: &'b Record<'r>,
    ) -> Option<Self> {
        let kind = match origin.what(kind) {
            What::Change { is_planned: true } => RowKind::Change,
            What::Change { is_planned: false } => RowKind::Drift,
            What::State => RowKind::Resource,
            What::Raw => RowKind::RawResource,
            What::Value(_) | What::Configuration | What::Relevant | What::Other => return None,
        };
        Some(Self { kind, index, record })
    }

    /// The kind of the row.
    #[must_use]
    pub fn kind(&self) -> RowKind {
        self.kind
    }

    /// The value.
    #[must_use]
    pub fn node(&self) -> Node<'r> {
        self.record.document().root()
    }

    /// The offset in the stream at which it ends.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.record.span().end
    }

    /// Reports every member whose type differs from the format, like [`Plan::check`](crate::show::Plan::check).
    pub fn check(&self, sink: &mut dyn Sink<'r>) {
        let (shape, list) = match self.kind {
            RowKind::Change => (ResourceChange::shape(), "resource_changes"),
            RowKind::Drift => (ResourceChange::shape(), "resource_drift"),
            // The list of a resource is that of any module.
            RowKind::Resource => return Resource::shape().check(self.node(), sink),
            RowKind::RawResource => (RawResource::shape(), "resources"),
        };
        shape.check_at(&format!("{list}[{}]", self.index), self.node(), sink);
    }
}

//! Values inside of changes and instances.

use super::cell::{Value, rows};
use crate::json::Node;
use crate::show::leaves::{Content, Difference, Differences, Leaf as OneSide, Leaves};
use crate::show::path::Path;
use crate::show::shown::Shown;

/// A value that a change creates, changes, removes, or keeps.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'p, 'a> {
    entry: Node<'a>,
    path: Path<'p, 'a>,
    difference: Difference<'a>,
}

rows! { Leaf<'p> {
    /// Path in the instance: `tags["a.b"]`, `ingress[0].from_port`
    path "path" Text always = |it, shown| Some(shown.path(it.path).into());
    /// Value before; absent if it did not exist
    before "before" Value optional = |it, shown| {
        Value::of_leaf(&it.difference.before, shown.hides(&it.difference))
    };
    /// Value after; absent if it will not exist, or is not known
    after "after" Value optional = |it, shown| {
        Value::of_leaf(&it.difference.after, shown.hides(&it.difference))
    };
    /// Whether the value after, or a part of it, is not known yet
    is_unknown "unknown" Flag optional = |it, _| {
        let after = it.difference.after;
        matches!(after.content, Content::Unknown) || after.is_partly_unknown
    };
    /// Whether one of the values is sensitive, or hidden
    is_sensitive "sensitive" Flag optional = |it, shown| {
        it.difference.is_sensitive() || shown.hides(&it.difference)
    };
    /// Whether the instance is replaced because of it
    forces_replacement "forces_replacement" Flag optional = |it, _| it.difference.forces_replacement;
}}

impl<'p, 'a> Leaf<'p, 'a> {
    /// A difference of the change of an entry, or of an output, and its path.
    #[must_use]
    pub fn new(entry: Node<'a>, path: Path<'p, 'a>, difference: Difference<'a>) -> Self {
        Self { entry, path, difference }
    }

    fn of(self) -> Node<'a> {
        self.entry
    }

    /// Whether both values are hidden.
    #[must_use]
    pub fn is_hidden(self, shown: &Shown) -> bool {
        shown.hides(&self.difference)
    }
}

impl<'a> Differences<'a> {
    /// Returns the next difference as a row, of the entry of a change or of an output.
    pub fn next_row(&mut self, entry: Node<'a>) -> Option<Leaf<'_, 'a>> {
        let difference = self.next()?;
        Some(Leaf::new(entry, self.path(), difference))
    }
}

/// A value of an instance.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'p, 'a> {
    instance: Node<'a>,
    path: Path<'p, 'a>,
    leaf: OneSide<'a>,
}

rows! { Attribute<'p> {
    /// Path in the instance
    path "path" Text always = |it, shown| Some(shown.path(it.path).into());
    /// Value
    value "value" Value optional = |it, shown| Value::of_leaf(&it.leaf, shown.hides_leaf(&it.leaf));
    /// Whether the value is sensitive, or hidden
    is_sensitive "sensitive" Flag optional = |it, shown| {
        it.leaf.is_sensitive || shown.hides_leaf(&it.leaf)
    };
}}

impl<'a> Attribute<'_, 'a> {
    /// The value itself if it is known, otherwise the instance.
    fn of(self) -> Node<'a> {
        match self.leaf.content {
            Content::Known(node) => node,
            Content::Absent | Content::Null | Content::Unknown => self.instance,
        }
    }
}

/// The values of an instance, in the order of their paths.
#[derive(Debug)]
pub struct Attributes<'a> {
    instance: Node<'a>,
    leaves: Leaves<'a>,
}

impl<'a> Attributes<'a> {
    /// The next value. The instance itself is not one of its values: one without attributes has none.
    #[allow(clippy::should_implement_trait, reason = "a row borrows its path from the walk")]
    pub fn next(&mut self) -> Option<Attribute<'_, 'a>> {
        let leaf = loop {
            let leaf = self.leaves.next()?;
            if !self.leaves.path().steps().is_empty() {
                break leaf;
            }
        };
        Some(Attribute { instance: self.instance, path: self.leaves.path(), leaf })
    }
}

impl<'a> super::Instance<'a> {
    /// The values, one by one.
    #[must_use]
    pub fn attributes(self) -> Attributes<'a> {
        Attributes { instance: self.of(), leaves: self.leaves() }
    }
}

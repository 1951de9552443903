//! Paths of sensitive parts, joined to a tree, so that a value and its marks are gone through
//! together.

use std::collections::HashMap;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Name(Box<str>),
    Place(u64),
    /// An element of a set, by its value.
    Other,
}

/// A place in [`Marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MarkNode(u32);

/// Sensitive places of a value.
#[derive(Debug)]
pub(super) struct Marks {
    /// Whether each place is marked, and whether something below it is.
    nodes: Vec<(bool, bool)>,
    children: HashMap<(MarkNode, Key), MarkNode>,
}

impl Marks {
    /// None.
    pub(super) fn new() -> Self {
        Self { nodes: vec![(false, false)], children: HashMap::new() }
    }

    /// The place that a step leads to from another place.
    pub(super) fn child(&mut self, node: MarkNode, key: Key) -> MarkNode {
        if let Some(above) = self.nodes.get_mut(node.0 as usize) {
            above.1 = true;
        }
        let next = MarkNode(self.nodes.len() as u32);
        let child = *self.children.entry((node, key)).or_insert(next);
        if child == next {
            self.nodes.push((false, false));
        }
        child
    }

    /// Marks a place.
    pub(super) fn mark(&mut self, node: MarkNode) {
        if let Some(place) = self.nodes.get_mut(node.0 as usize) {
            place.0 = true;
        }
    }

    pub(super) fn root(&self) -> MarkNode {
        MarkNode(0)
    }

    pub(super) fn member(&self, node: MarkNode, name: &str) -> Option<MarkNode> {
        if !self.has_more(node) {
            return None;
        }
        self.children.get(&(node, Key::Name(name.into()))).copied()
    }

    pub(super) fn element(&self, node: MarkNode, place: usize) -> Option<MarkNode> {
        if !self.has_more(node) {
            return None;
        }
        self.children.get(&(node, Key::Place(place as u64))).copied()
    }

    /// Whether the place itself is sensitive.
    pub(super) fn is_marked(&self, node: MarkNode) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.0)
    }

    /// Whether something below the place is sensitive.
    pub(super) fn has_more(&self, node: MarkNode) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.1)
    }
}

//! Sensitive paths as a tree, which can be walked together with the value.

use std::collections::HashMap;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Name(Box<str>),
    Place(u64),
    /// An element of a set, by its value.
    Other,
}

/// A node of [`Marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MarkNode(u32);

/// The sensitive places of a value.
#[derive(Debug)]
pub(super) struct Marks {
    /// For each place, whether it is marked, and whether something below it is.
    nodes: Vec<(bool, bool)>,
    children: HashMap<(MarkNode, Key), MarkNode>,
}

impl Marks {
    /// No marks.
    pub(super) fn new() -> Self {
        Self { nodes: vec![(false, false)], children: HashMap::new() }
    }

    /// The place after a step from another place.
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

    /// Whether the place itself is marked.
    pub(super) fn is_marked(&self, node: MarkNode) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.0)
    }

    /// Whether something below the place is marked.
    pub(super) fn has_more(&self, node: MarkNode) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.1)
    }
}

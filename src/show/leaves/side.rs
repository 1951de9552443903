//! A value with its marks, at one place of the walk.
//!
//! Trees of marks that mark nothing are told from their text, so that they are neither opened nor walked.

use super::{Content, Leaf};
use crate::event::Kind;
use crate::json::{Node, Value};
use crate::show::field::ChildNodes;
use crate::show::plan::MarkTree;

/// A [`MarkTree`] with the common case of no marks apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Marks<'a> {
    None,
    All,
    Inside(Node<'a>),
}

pub(super) fn marks(tree: MarkTree<'_>) -> Marks<'_> {
    match tree {
        MarkTree::Whole(false) => Marks::None,
        MarkTree::Whole(true) => Marks::All,
        MarkTree::Object(object) => Marks::of(object.node()),
        MarkTree::Array(array) => Marks::of(array.node()),
    }
}

impl<'a> Marks<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        match node.as_bool() {
            Some(true) => Self::All,
            // What a tree cannot be is diagnosed with the types of the document.
            _ if !node.is_object() && !node.is_array() => Self::None,
            _ if matches!(node.text(), b"{}" | b"[]") => Self::None,
            _ => Self::Inside(node),
        }
    }

    pub(super) fn of_child(node: Option<Node<'a>>) -> Self {
        node.map_or(Self::None, Self::of)
    }

    pub(super) fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether the trees are written alike, or there are none.
    pub(super) fn is_same_text(self, other: Self) -> bool {
        match (self, other) {
            (Self::Inside(left), Self::Inside(right)) => left.text() == right.text(),
            (Self::None, Self::None) | (Self::All, Self::All) => true,
            _ => false,
        }
    }

    /// Whether anything is marked.
    pub(super) fn any(self) -> bool {
        let Self::Inside(root) = self else { return matches!(self, Self::All) };
        // In the text of a tree, `true` stands for a mark unless it is in a name.
        if !has_true(root.text()) {
            return false;
        }
        let mut stack = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next {
                match node.value() {
                    Value::Bool(true) => return true,
                    Value::Object(object) => {
                        stack.push(ChildNodes::Members(object.members()));
                    }
                    Value::Array(array) => {
                        stack.push(ChildNodes::Elements(array.elements()));
                    }
                    _ => {}
                }
            }
            let Some(nodes) = stack.last_mut() else { return false };
            next = nodes.next();
            if next.is_none() {
                stack.pop();
            }
        }
    }
}

/// Whether `true` occurs in a text.
pub(super) fn has_true(text: &[u8]) -> bool {
    // Most trees are so short that preparing a search costs more than they do.
    match text.len() {
        0..=64 => text.windows(4).any(|window| window == b"true"),
        _ => memchr::memmem::find(text, b"true").is_some(),
    }
}

/// A value with its marks, at one place of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) value: Option<Node<'a>>,
    pub(super) unknown: Marks<'a>,
    pub(super) sensitive: Marks<'a>,
}

/// What kind of value a side has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing, or null.
    Nothing,
    Scalar,
    Object,
    Array,
}

impl<'a> Side<'a> {
    pub(super) const ABSENT: Self =
        Self { value: None, unknown: Marks::None, sensitive: Marks::None };

    #[inline]
    pub(super) fn form(self) -> Form {
        match self.value.map(Node::event_kind) {
            None | Some(Kind::Null) => Form::Nothing,
            Some(Kind::StartObject) => Form::Object,
            Some(Kind::StartArray) => Form::Array,
            Some(_) => Form::Scalar,
        }
    }

    #[inline]
    pub(super) fn has_marks(self) -> bool {
        !(self.unknown.is_none() && self.sensitive.is_none())
    }

    /// Trees that mark nothing are not walked.
    pub(super) fn forget_empty_marks(&mut self) {
        for marks in [&mut self.unknown, &mut self.sensitive] {
            if matches!(marks, Marks::Inside(_)) && !marks.any() {
                *marks = Marks::None;
            }
        }
    }

    /// Whether there is nothing to tell apart below.
    pub(super) fn is_whole(self) -> bool {
        matches!(self.unknown, Marks::All) || matches!(self.sensitive, Marks::All)
    }

    pub(super) fn leaf(self) -> Leaf<'a> {
        let content = match self.value {
            _ if matches!(self.unknown, Marks::All) => Content::Unknown,
            None => Content::Absent,
            Some(node) if node.is_null() => Content::Null,
            Some(node) => Content::Known(node),
        };
        Leaf {
            content,
            is_sensitive: self.sensitive.any(),
            is_partly_unknown: matches!(self.unknown, Marks::Inside(_)) && self.unknown.any(),
        }
    }
}

/// Whether both sides are scalars without marks that are written alike.
#[inline]
pub(super) fn is_same_scalar([before, after]: [Side<'_>; 2]) -> bool {
    let (Some(left), Some(right)) = (before.value, after.value) else { return false };
    !left.event_kind().is_start()
        && !before.has_marks()
        && !after.has_marks()
        && left.text() == right.text()
}

/// Whether neither side has marks of its own that could make equal texts differ.
pub(super) fn same_marks(before: Side<'_>, after: Side<'_>) -> bool {
    let same_sensitive = matches!(
        (before.sensitive, after.sensitive),
        (Marks::None, Marks::None) | (Marks::All, Marks::All)
    );
    same_sensitive && before.unknown.is_none() && after.unknown.is_none()
}

//! Trees of the unknown or sensitive parts of a value.

use super::field::{Field, Read};
use super::mark_text::is_of_marks;
use super::shape::{Inside, Shape};
use crate::json::{Array, Node, Object};

/// The unknown or sensitive parts of a value: `true` for all of it, `false` for none, otherwise an
/// object or array in the form of the value.
#[derive(Clone, Copy, Debug)]
pub enum MarkTree<'a> {
    /// All or nothing.
    Whole(bool),
    /// Members of an object.
    Object(Object<'a>),
    /// Elements of an array.
    Array(Array<'a>),
}

impl<'a> MarkTree<'a> {
    /// Whether nothing can be marked: `false`, or an empty container.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Self::Whole(marked) => !marked,
            Self::Object(object) => object.is_empty(),
            Self::Array(array) => array.is_empty(),
        }
    }
}

impl<'a> Read<'a> for MarkTree<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        if let Some(object) = node.as_object() {
            return Some(Self::Object(object));
        }
        match node.as_array() {
            Some(array) => Some(Self::Array(array)),
            None => node.as_bool().map(Self::Whole),
        }
    }

    fn shape() -> Shape {
        Shape::new("true, false, an object or an array", |node| {
            node.is_object() || node.is_array() || node.as_bool().is_some()
        })
        .with(Inside::Each(Self::shape))
        .with_text_check(is_of_marks)
    }
}

/// The field's tree; without one, nothing is marked.
pub(crate) fn tree_or_none<'a>(field: Field<'a, MarkTree<'a>>) -> MarkTree<'a> {
    field.value().unwrap_or(MarkTree::Whole(false))
}

/// Like [`tree_or_none`], for a tree of sensitive marks: an invalid tree marks everything, since
/// the secret part is not known.
pub(crate) fn sensitive_or_none<'a>(field: Field<'a, MarkTree<'a>>) -> MarkTree<'a> {
    match field {
        Field::Value(tree) => tree,
        Field::Absent | Field::Null => MarkTree::Whole(false),
        Field::Other(_) => MarkTree::Whole(true),
    }
}

//! Values of a dynamic type in state files: `{"value": VALUE, "type": TYPE}`.

use crate::json::{JsonValue, Node};
use crate::value::{Type, type_from_node};

/// How a document stores values of a dynamic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dynamic {
    /// Like any other value.
    AsValue,
    /// Together with their type.
    StoredWithType,
    /// Together with their type, and the walk is inside such a value, with this number of open
    /// containers. All types below are known, so nothing there is stored with its type.
    Inside(usize),
}

impl Dynamic {
    /// Whether a value in this number of containers may be stored with its type. The attributes of
    /// an instance as a whole are not.
    pub(super) fn is_stored_with_type(self, depth: usize) -> bool {
        match self {
            Self::AsValue => false,
            Self::StoredWithType => depth > 0,
            Self::Inside(outer) => depth > 0 && depth <= outer,
        }
    }
}

/// The value of an object that has only a value and its type.
pub(super) fn unwrapped(node: Node<'_>) -> Option<Node<'_>> {
    let object = node.as_object()?;
    if object.members().take(3).count() != 2 {
        return None;
    }
    let (kind, value) = (object.get("type")?, object.get("value")?);
    let kind = type_from_node(node.source().arena(), kind).ok()?;
    fits(value, kind).then_some(value)
}

/// Whether a value has the form of a type. Its content is not checked.
fn fits(value: Node<'_>, kind: Type<'_>) -> bool {
    match value.value() {
        JsonValue::Null => true,
        JsonValue::Bool(_) => matches!(kind, Type::Bool),
        JsonValue::Number(_) => matches!(kind, Type::Number),
        JsonValue::String(_) => matches!(kind, Type::String),
        JsonValue::Array(_) => matches!(kind, Type::List(_) | Type::Set(_) | Type::Tuple(_)),
        JsonValue::Object(_) => matches!(kind, Type::Map(_) | Type::Object(_)),
    }
}

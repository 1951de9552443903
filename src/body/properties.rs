//! The properties of an object, or of an array of objects read as one.

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::json::{Elements, Member, Members, Node, Value};

/// What a body, a label level, or what stands for blocks must be, for messages.
pub(super) const BODY: &str = "An object, or an array of objects,";

/// Walks the properties of a body or of a label level, in source order.
pub(super) struct Properties<'a> {
    members: Option<Members<'a>>,
    elements: Option<Elements<'a>>,
}

impl<'a> Properties<'a> {
    /// The properties of an object or an array of objects; `null` has none. For anything else reports
    /// that `required` is required, and gives none.
    pub(super) fn of(node: Node<'a>, required: &'a str, sink: &mut dyn Sink<'a>) -> Option<Self> {
        match node.value() {
            Value::Object(object) => Some(Self { members: Some(object.members()), elements: None }),
            Value::Array(array) => Some(Self { members: None, elements: Some(array.elements()) }),
            Value::Null => Some(Self { members: None, elements: None }),
            _ => {
                sink.report(wrong_type(node, required));
                None
            }
        }
    }

    /// The next property. Elements of an array that are no objects are reported and passed over.
    pub(super) fn next(&mut self, sink: &mut dyn Sink<'a>) -> Option<Member<'a>> {
        loop {
            if let Some(member) = self.members.as_mut().and_then(Iterator::next) {
                return Some(member);
            }
            let element = self.elements.as_mut()?.next()?;
            self.members = element.as_object().map(|object| object.members());
            if self.members.is_none() {
                sink.report(wrong_type(element, "An object"));
            }
        }
    }
}

/// The diagnostic that a value has the wrong type.
#[cold]
pub(super) fn wrong_type<'a>(node: Node<'a>, required: &'a str) -> Diagnostic<'a> {
    Diagnostic::new(Code::IncorrectType, node.start_label())
        .with_arguments(&[required, node.type_name()])
}

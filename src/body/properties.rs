//! The properties of an object, or of an array of objects read as one.

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::json::{Elements, JsonValue, Member, Members, Node};

/// The required type of a body, a label level or a value of blocks, for messages.
pub(super) const BODY: &str = "an object or an array of objects";

/// The name of a comment in every body whose schema does not have this name.
pub(super) const COMMENT: &[u8] = b"//";

/// Walks the properties of a body or of a label level, in source order.
pub(super) struct Properties<'a> {
    members: Option<Members<'a>>,
    elements: Option<Elements<'a>>,
    /// Whether the names are labels called [`TYPE`].
    are_types: bool,
}

/// The label that is most often written as an argument.
const TYPE: &str = "type";

impl<'a> Properties<'a> {
    /// Returns the properties of an object or an array of objects; `null` has none. For any other
    /// value, reports that `required` is required, and returns `None`.
    pub(super) fn of(node: Node<'a>, required: &'a str, sink: &mut dyn Sink<'a>) -> Option<Self> {
        match node.value() {
            JsonValue::Object(object) => Some(Self::new(Some(object.members()), None)),
            JsonValue::Array(array) => Some(Self::new(None, Some(array.elements()))),
            JsonValue::Null => Some(Self::new(None, None)),
            _ => {
                sink.report(wrong_type(node, required));
                None
            }
        }
    }

    fn new(members: Option<Members<'a>>, elements: Option<Elements<'a>>) -> Self {
        Self { members, elements, are_types: false }
    }

    /// Like [`Properties::of`], for properties whose names are labels. An object that has its label
    /// as an argument, as in `{"type": "shell"}`, is reported and skipped.
    pub(super) fn of_labels(node: Node<'a>, label: &str, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let are_types = label == TYPE;
        if are_types && let Some(found) = label_as_argument(node) {
            sink.report(found);
            return None;
        }
        Some(Self { are_types, ..Self::of(node, BODY, sink)? })
    }

    /// Returns the next property. Elements of an array that are not objects are reported and
    /// skipped.
    pub(super) fn next(&mut self, sink: &mut dyn Sink<'a>) -> Option<Member<'a>> {
        loop {
            if let Some(member) = self.members.as_mut().and_then(Iterator::next) {
                return Some(member);
            }
            let element = self.elements.as_mut()?.next()?;
            if self.are_types
                && let Some(found) = label_as_argument(element)
            {
                sink.report(found);
                continue;
            }
            self.members = element.as_object().map(|object| object.members());
            if self.members.is_none() {
                sink.report(wrong_type(element, "an object"));
            }
        }
    }
}

/// Returns a diagnostic if an object has its label as an argument.
fn label_as_argument<'a>(node: Node<'a>) -> Option<Diagnostic<'a>> {
    let object = node.as_object()?;
    let value = object.get(TYPE).filter(|value| value.is_string())?;
    let text = String::from_utf8_lossy(value.text());
    let meant = value.source().arena().format(format_args!("{{{text}: {{...}}}}"));
    Some(Diagnostic::new(Code::LabelAsArgument, value.label()).with_arguments(&[TYPE, meant]))
}

/// Returns the diagnostic of a value with the wrong type.
#[cold]
pub(super) fn wrong_type<'a>(node: Node<'a>, required: &'a str) -> Diagnostic<'a> {
    Diagnostic::new(Code::IncorrectType, node.start_label())
        .with_arguments(&[required, node.type_name()])
}

//! Checks whether a document can be redacted.

use crate::diagnostic::Sink;
use crate::json::{JsonValue, Node};
use crate::show::Read;
use crate::show::field::ChildNodes;
use crate::show::kind::DocumentKind;
use crate::show::plan::Plan;
use crate::show::shape::check_names;
use crate::show::state::{RawState, State};

/// Reports parts of a document that [`Places`](super::Places) may misread, so that it may miss
/// secrets there: values of other types than in the format, and duplicate members of the format, of
/// which only the first is read; no tool writes them. Duplicate names within values are allowed:
/// marks cover all members of their name.
///
/// Opens everything but values and expressions. Cost: linear, without recursion.
pub fn check<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) {
    let shape = match DocumentKind::of(root) {
        DocumentKind::RawState => RawState::shape(),
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            State::shape()
        }
        DocumentKind::OldState => return all_names(root, sink),
        _ => Plan::shape(),
    };
    shape.check_with_names(root, sink);
}

/// Like [`check`], without the contents of changes of resources and of resources among values,
/// which are checked during the search for marks.
pub(super) fn check_outside_of_entries<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) {
    let shape = match DocumentKind::of(root) {
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            State::shape()
        }
        DocumentKind::RawState | DocumentKind::OldState => return check(root, sink),
        _ => Plan::shape(),
    };
    shape.check_outside_of(&["resource_changes", "resource_drift", "resources"], root, sink);
}

/// Reports every duplicate member at any depth. Opens everything.
fn all_names<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) {
    let mut stack = Vec::new();
    let mut next = Some(root);
    loop {
        match next.map(Node::value) {
            Some(JsonValue::Object(object)) => {
                check_names(object, sink);
                stack.push(ChildNodes::Members(object.members()));
            }
            Some(JsonValue::Array(array)) => stack.push(ChildNodes::Elements(array.elements())),
            _ => {}
        }
        let Some(nodes) = stack.last_mut() else { return };
        next = nodes.next();
        if next.is_none() {
            stack.pop();
        }
    }
}

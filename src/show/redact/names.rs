//! Members that have the name of another member of their object.

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::hash::HashSet;
use crate::json::{Node, Object, Value};
use crate::show::field::ChildNodes;
use crate::show::leaves::is_sorted;

/// Reports every member whose name its object has already. Of such members the first counts, so the secrets
/// of the others would stay; no tool writes them. Opens everything; linear, without recursion.
pub fn check_names<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) {
    let mut stack = Vec::new();
    let mut next = Some(root);
    loop {
        match next.map(Node::value) {
            Some(Value::Object(object)) => {
                check_members(object, sink);
                stack.push(ChildNodes::Members(object.members()));
            }
            Some(Value::Array(array)) => stack.push(ChildNodes::Elements(array.elements())),
            _ => {}
        }
        let Some(nodes) = stack.last_mut() else { return };
        next = nodes.next();
        if next.is_none() {
            stack.pop();
        }
    }
}

fn check_members<'a>(object: Object<'a>, sink: &mut dyn Sink<'a>) {
    if is_sorted(object.members()) {
        return;
    }
    let mut names = HashSet::default();
    for member in object.members() {
        if !names.insert(member.name().to_bytes()) {
            sink.report(
                Diagnostic::new(Code::DuplicateAttribute, member.name_label())
                    .with_arguments(&[member.name().to_str()]),
            );
        }
    }
}

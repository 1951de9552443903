//! The parts of a value that a tree of marks covers.
//!
//! ```text
//! value  {"name": "a", "password": "b", "tags": {"x": "c"}}
//! marks  {"password": true, "tags": {"x": true}}
//! covered               "b"                    "c"
//! ```
//!
//! A tree that does not fit its value covers all of it: a tree of another form, an array of another
//! length, or a mark that is not `true` or `false`. Members of the same name are all covered if one
//! of them is. Null is never covered.

use smallvec::SmallVec;

use crate::json::{JsonValue, Node, Object};
use crate::show::mark_text::hides;
use crate::span::Span;

/// Adds the parts of `value` that `tree` covers to `found`. Cost: linear in the tree and in the
/// containers of the value that it enters, except for trees with unordered members; no recursion.
pub(super) fn cover<'a, 't>(value: Node<'a>, tree: Node<'t>, found: &mut Vec<Span>) {
    let mut stack: SmallVec<[(Node<'a>, Node<'t>); 8]> = SmallVec::new();
    stack.push((value, tree));
    while let Some((value, tree)) = stack.pop() {
        if value.is_null() {
            continue;
        }
        match (value.value(), tree.value()) {
            (_, JsonValue::Null | JsonValue::Bool(false)) => {}
            (JsonValue::Object(value), JsonValue::Object(tree)) => pair(value, tree, &mut stack),
            (JsonValue::Array(values), JsonValue::Array(trees))
                if values.elements().count() == trees.elements().count() =>
            {
                let pairs = values.elements().zip(trees.elements());
                stack.extend(pairs.filter(|(_, tree)| may_mark(*tree)));
            }
            (_, JsonValue::Object(_) | JsonValue::Array(_)) if !hides(tree) => {}
            _ => found.push(value.span()),
        }
    }
}

/// Whether a tree can contain a mark. Reads only its first event.
fn may_mark(tree: Node<'_>) -> bool {
    match tree.as_bool() {
        Some(mark) => mark,
        None => !tree.is_null() && !matches!(tree.text(), b"{}" | b"[]"),
    }
}

/// Pairs the members of a value with the trees of the same name.
fn pair<'a, 't>(
    value: Object<'a>,
    tree: Object<'t>,
    stack: &mut SmallVec<[(Node<'a>, Node<'t>); 8]>,
) {
    let mut wanted: SmallVec<[(&[u8], Node<'t>); 8]> = SmallVec::new();
    // Most names differ in length, so that their text is not compared.
    let mut lengths = 0_u64;
    let mut is_sorted = true;
    for member in tree.members().filter(|member| may_mark(member.value())) {
        let name = member.name().to_bytes();
        is_sorted &= wanted.last().is_none_or(|(last, _)| *last < name);
        lengths |= bit_of_length(name);
        wanted.push((name, member.value()));
    }
    if !is_sorted {
        wanted.sort_by_key(|(name, _)| *name);
    }
    for member in value.members().filter(|_| lengths != 0) {
        let name = member.name().to_bytes();
        if lengths & bit_of_length(name) != 0 {
            let first = wanted.partition_point(|(wanted, _)| *wanted < name);
            let same = wanted[first..].iter().take_while(|(wanted, _)| *wanted == name);
            stack.extend(same.map(|(_, tree)| (member.value(), *tree)));
        }
    }
}

fn bit_of_length(name: &[u8]) -> u64 {
    1 << (name.len() % 64)
}

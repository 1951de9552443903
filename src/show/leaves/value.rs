//! Converts values of plans to HCL values: objects and tuples, unknown if they are not known yet,
//! and marked if they are sensitive.
//!
//! Only the selected parts of a value are read; others are missing in the result. Nothing recurses.

use super::children::Children;
use super::side::{Form, Marks, Side};
use super::wanted::Part;
use crate::arena::Arena;
use crate::json::{self, JsonString, JsonValue, Node};
use crate::show::path::Step;
use crate::show::redact::REDACTED_TEXT;
use crate::value::{self, Number, Type, Value};

/// The mark of values that cannot be read: numbers with an exponent out of range.
pub(crate) const UNREADABLE: value::Marks = match value::Marks::custom(0) {
    Some(marks) => marks,
    None => value::Marks::NONE,
};

/// The marks of sensitive values. The second one remains even if a function removes the first.
pub(crate) const SECRET: value::Marks = match value::Marks::custom(1) {
    Some(marks) => value::Marks::SENSITIVE.with(marks),
    None => value::Marks::SENSITIVE,
};

/// Whether a value, or a part of it, is or was marked as sensitive.
pub(crate) fn is_secret(value: Value<'_>) -> bool {
    let marks = value.deep_marks();
    marks.without(SECRET) != marks
}

/// The selected parts of a value; all of it if `part` is `None`.
///
/// Values that a redacted document hides are unknown, and so is a number that cannot be read
/// ([`UNREADABLE`]). The first of several members with one name counts. Strings borrow from the
/// document.
///
/// Cost: linear in the members of the objects on the paths to selected parts, and in these parts.
pub(crate) fn to_value<'a, 'n: 'a>(
    arena: &'a Arena,
    side: Side<'n>,
    part: Option<Part<'_>>,
) -> Value<'a> {
    let mut open: Vec<Container<'_, 'n, 'a>> = Vec::new();
    let mut next = (side, part.filter(|part| !part.is_whole()));
    loop {
        let mut value = match start(arena, next.0, next.1) {
            Started::Value(value) => value,
            Started::Container(container) => {
                open.push(container);
                match open.last_mut().and_then(|container| container.next(arena)) {
                    Some(first) => {
                        next = first;
                        continue;
                    }
                    None => match open.pop() {
                        Some(container) => container.finish(arena),
                        None => Value::dynamic(),
                    },
                }
            }
        };
        // Adds the value to the containers around it, as long as they are complete.
        loop {
            let Some(container) = open.last_mut() else { return value };
            container.done.push((container.name, value));
            if let Some(part) = container.next(arena) {
                next = part;
                break;
            }
            let Some(container) = open.pop() else { return value };
            value = container.finish(arena);
        }
    }
}

/// A scalar, or a container whose parts follow.
enum Started<'w, 'n, 'a> {
    Value(Value<'a>),
    Container(Container<'w, 'n, 'a>),
}

/// A container whose parts are being read.
struct Container<'w, 'n, 'a> {
    rest: Rest<'w, 'n, 'a>,
    is_object: bool,
    marks: value::Marks,
    /// The name of the current part.
    name: &'a str,
    done: Vec<(&'a str, Value<'a>)>,
}

/// The parts that are still to be read.
enum Rest<'w, 'n, 'a> {
    All(Box<Children<'n>>),
    /// Selected members; a stack, so the last one comes first.
    Named(Vec<Member<'w, 'n, 'a>>),
}

/// A selected member.
#[derive(Clone, Copy)]
struct Member<'w, 'n, 'a> {
    name: &'a str,
    side: Side<'n>,
    part: Part<'w>,
}

impl<'w, 'n: 'a, 'a> Container<'w, 'n, 'a> {
    /// The next part that exists or will exist.
    fn next(&mut self, arena: &'a Arena) -> Option<(Side<'n>, Option<Part<'w>>)> {
        match &mut self.rest {
            Rest::Named(members) => {
                let member = members.pop()?;
                self.name = member.name;
                Some((member.side, Some(member.part).filter(|part| !part.is_whole())))
            }
            Rest::All(children) => loop {
                let (step, [_, side]) = children.next()?;
                match step {
                    Step::Name(_) if side.value.is_none() && !side.unknown.any() => {}
                    Step::Name(name) => {
                        self.name = text(arena, name);
                        return Some((side, None));
                    }
                    Step::Index(_) => return Some((side, None)),
                }
            },
        }
    }

    fn finish(self, arena: &'a Arena) -> Value<'a> {
        let value = if self.is_object {
            Value::object(arena, &self.done)
        } else {
            let elements: Vec<Value<'a>> = self.done.iter().map(|(_, value)| *value).collect();
            Value::tuple(arena, &elements)
        };
        value.with_marks(self.marks)
    }
}

fn start<'w, 'n: 'a, 'a>(
    arena: &'a Arena,
    mut side: Side<'n>,
    part: Option<Part<'w>>,
) -> Started<'w, 'n, 'a> {
    if side.has_marks() {
        side.fit(|_, _| {});
    }
    let mut marks = value::Marks::NONE;
    if let Marks::All = side.sensitive {
        marks = SECRET;
        // Everything in it has its mark.
        side.sensitive = Marks::None;
    }
    let unknown = Started::Value(Value::dynamic().with_marks(marks));
    if let Marks::All = side.unknown {
        return unknown;
    }
    let rest = match (side.form(), side.value) {
        // A missing value is unknown if any part of it is.
        (Form::Nothing, _) if side.unknown.any() => return unknown,
        (Form::Object, _) => match part {
            Some(part) => Rest::Named(members(arena, side, part)),
            None => Rest::All(Box::new(Children::object([Side::ABSENT, side], None).0)),
        },
        (Form::Array, _) => Rest::All(Box::new(Children::array([Side::ABSENT, side]))),
        (_, Some(node)) => return Started::Value(scalar(arena, node).with_marks(marks)),
        (_, None) => return Started::Value(Value::null(Type::Dynamic).with_marks(marks)),
    };
    let is_object = side.form() == Form::Object;
    Started::Container(Container { rest, is_object, marks, name: "", done: Vec::new() })
}

/// The selected members of an object that exist; a stack, so the last one comes first.
fn members<'w, 'n: 'a, 'a>(
    arena: &'a Arena,
    side: Side<'n>,
    part: Part<'w>,
) -> Vec<Member<'w, 'n, 'a>> {
    let tree = |marks| match marks {
        Marks::Inside(tree) => Some(tree),
        Marks::None | Marks::All => None,
    };
    // For each name the first value, and the first marks.
    let trees = [side.value, tree(side.unknown), tree(side.sensitive)];
    let mut found: Vec<([Option<Node<'n>>; 3], &'a str)> = vec![([None; 3], ""); part.len()];
    for (of, tree) in trees.into_iter().enumerate() {
        let object = tree.and_then(Node::as_object);
        for member in object.into_iter().flat_map(json::Object::members) {
            let Some(place) = part.place(member.name().to_bytes()) else { continue };
            let (nodes, name) = &mut found[place];
            nodes[of].get_or_insert(member.value());
            if name.is_empty() {
                *name = text(arena, member.name());
            }
        }
    }
    let members = part.members().zip(found).map(|((_, part), (nodes, name))| {
        let [value, unknown, sensitive] = nodes;
        let unknown = Marks::of_child(unknown);
        let sensitive = Marks::of_sensitive_child(sensitive);
        Member { name, side: Side { value, unknown, sensitive }, part }
    });
    let is_there =
        |member: &Member<'_, '_, '_>| member.side.value.is_some() || member.side.unknown.any();
    let mut members: Vec<_> = members.filter(is_there).collect();
    members.reverse();
    members
}

fn scalar<'a, 'n: 'a>(arena: &'a Arena, node: Node<'n>) -> Value<'a> {
    match node.value() {
        JsonValue::Bool(truth) => Value::bool(truth),
        JsonValue::Number(number) => match Number::from_literal(number.text()) {
            Ok(number) => Value::number(number),
            Err(_) => Value::dynamic().with_marks(UNREADABLE),
        },
        JsonValue::String(string) => match text(arena, string) {
            text if is_redacted(text) => Value::dynamic(),
            text => Value::string(arena, text),
        },
        _ => Value::null(Type::Dynamic),
    }
}

/// The decoded text. Unlike [`JsonString::to_str`], it does not use the document's memory.
fn text<'a, 'n: 'a>(arena: &'a Arena, string: JsonString<'n>) -> &'a str {
    if string.is_escaped() { json::decode(string.raw(), arena) } else { string.raw() }
}

/// Whether a string, or a part of it, has been redacted.
pub(crate) fn is_redacted(text: &str) -> bool {
    text.len() >= REDACTED_TEXT.len() && text.contains(REDACTED_TEXT)
}

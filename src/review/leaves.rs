//! The leaves in which two values differ.

use std::fmt::Write;
use std::ops::ControlFlow;

use super::model::{ReviewLeaf, ReviewValue};
use crate::expand::push_known;
use crate::reference::write_name;
use crate::value::{Content, HOLE, Value, raw_equals};
use crate::write::push_string;

/// A pair of values that remains to be compared, and the path to it.
struct Pair<'v> {
    /// The bytes of the path around it.
    base: usize,
    step: Step<'v>,
    sides: [Option<Value<'v>>; 2],
}

#[derive(Clone, Copy)]
enum Step<'v> {
    Root,
    Name(&'v str),
    Index(usize),
}

/// The value that one side has at a path.
#[derive(Clone, Copy)]
enum Part<'v> {
    Absent,
    /// With the parts of a text that are known.
    Unknown(Option<&'v str>),
    /// A scalar, or a container without parts.
    Leaf(Value<'v>),
    Object(&'v [(&'v str, Value<'v>)]),
    List(&'v [Value<'v>]),
}

impl<'v> Part<'v> {
    fn of(value: Option<Value<'v>>) -> Self {
        let Some(value) = value else { return Self::Absent };
        match value.content() {
            Content::Unknown { .. } => Self::Unknown(value.known_text()),
            Content::Elements([]) | Content::Entries([]) => Self::Leaf(value),
            Content::Elements(elements) => Self::List(elements),
            Content::Entries(entries) => Self::Object(entries),
            Content::Null | Content::Bool(_) | Content::String(_) | Content::Number(_) => {
                Self::Leaf(value)
            }
        }
    }

    fn is_container(self) -> bool {
        matches!(self, Self::Object(_) | Self::List(_))
    }

    /// The side of a leaf.
    fn to_value(self) -> ReviewValue {
        match self {
            Self::Leaf(value) => {
                let mut text = String::new();
                push_known(&mut text, value, true);
                ReviewValue::Known(text)
            }
            Self::Unknown(Some(text)) => {
                ReviewValue::Partial(text.split(HOLE).map(quoted).collect())
            }
            Self::Unknown(None) => ReviewValue::Unknown,
            Self::Absent | Self::Object(_) | Self::List(_) => ReviewValue::Absent,
        }
    }
}

/// Returns the leaves in which two objects, the attributes of a resource, differ.
pub(super) fn of_attributes(
    sides: [Option<Value<'_>>; 2],
    shows_sensitive: bool,
) -> Vec<ReviewLeaf> {
    let entries = sides.map(|side| side.and_then(|value| value.as_entries()).unwrap_or_default());
    let mut pairs = Vec::new();
    push_entries(&mut pairs, 0, entries);
    for pair in &mut pairs {
        pair.sides = pair.sides.map(not_null);
    }
    collect(pairs, shows_sensitive)
}

/// Returns the leaves in which two outputs differ. Their paths start with `value`.
pub(super) fn of_outputs(sides: [Option<Value<'_>>; 2], shows_sensitive: bool) -> Vec<ReviewLeaf> {
    let pair = Pair { base: 0, step: Step::Name("value"), sides: sides.map(not_null) };
    collect(vec![pair], shows_sensitive)
}

/// A null attribute is the same as none.
fn not_null(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| !value.is_null())
}

fn collect(pairs: Vec<Pair<'_>>, shows_sensitive: bool) -> Vec<ReviewLeaf> {
    let mut leaves = Vec::new();
    let _ = walk(pairs, shows_sensitive, &mut |leaf| {
        leaves.push(leaf);
        ControlFlow::Continue(())
    });
    leaves
}

/// Whether only one of two values must not be shown, which the tools take for a change.
fn is_other_mark(sides: [Option<Value<'_>>; 2]) -> bool {
    let [Some(before), Some(after)] = sides else { return false };
    before.marks().hides() != after.marks().hides() && (before.is_known() || after.is_known())
}

/// Whether two values differ, whatever their marks are.
pub(super) fn differ(sides: [Option<Value<'_>>; 2]) -> bool {
    let pair = Pair { base: 0, step: Step::Root, sides };
    walk(vec![pair], true, &mut |_| ControlFlow::Break(())).is_break()
}

/// Compares pairs, the last one first, and passes on the differences. A stack replaces recursion on
/// the depth of values; only a sensitive value is compared as a whole, by another walk.
///
/// Cost: linear in both values and in the paths of the leaves.
fn walk<'v>(
    mut open: Vec<Pair<'v>>,
    shows_sensitive: bool,
    take: &mut dyn FnMut(ReviewLeaf) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut path = String::new();
    while let Some(Pair { base, step, sides }) = open.pop() {
        path.truncate(base);
        // Writing into memory does not fail.
        let _ = match step {
            Step::Root => Ok(()),
            Step::Name(name) => write_name(&mut path, name, base == 0),
            Step::Index(index) => write!(path, "[{index}]"),
        };
        let is_sensitive =
            !shows_sensitive && sides.iter().flatten().any(|value| value.marks().hides());
        if is_sensitive {
            if differ(sides) || is_other_mark(sides) {
                let sides = [ReviewValue::Absent, ReviewValue::Absent];
                take(leaf(&path, sides, true))?;
            }
            continue;
        }
        let parts = sides.map(Part::of);
        let [before, after] = parts;
        match (before, after) {
            (Part::Object(before), Part::Object(after)) => {
                push_entries(&mut open, path.len(), [before, after]);
                continue;
            }
            (Part::List(before), Part::List(after)) => {
                push_elements(&mut open, path.len(), [before, after]);
                continue;
            }
            _ => {}
        }
        if !before.is_container() && !after.is_container() {
            if !is_same(before, after) {
                take(leaf(&path, [before.to_value(), after.to_value()], false))?;
            }
            continue;
        }
        // At least one side is a container, and the other one is not, or is of another kind.
        if matches!(
            (before, after),
            (Part::Leaf(_) | Part::Unknown(_), _) | (_, Part::Leaf(_) | Part::Unknown(_))
        ) {
            take(leaf(&path, [before.to_value(), after.to_value()], false))?;
        }
        for (at, part) in parts.into_iter().enumerate() {
            let only = |entries: &'v [(&'v str, Value<'v>)]| {
                if at == 0 { [entries, &[]] } else { [&[], entries] }
            };
            match part {
                Part::Object(entries) => push_entries(&mut open, path.len(), only(entries)),
                Part::List(elements) => {
                    let lists: [&'v [Value<'v>]; 2] =
                        if at == 0 { [elements, &[]] } else { [&[], elements] };
                    push_elements(&mut open, path.len(), lists);
                }
                Part::Absent | Part::Unknown(_) | Part::Leaf(_) => {}
            }
        }
    }
    ControlFlow::Continue(())
}

fn leaf(path: &str, [before, after]: [ReviewValue; 2], is_sensitive: bool) -> ReviewLeaf {
    ReviewLeaf { path: path.to_owned(), before, after, is_sensitive }
}

/// Whether two sides without parts are the same. Types do not count: documents do not have them.
fn is_same(before: Part<'_>, after: Part<'_>) -> bool {
    let (before, after) = match (before, after) {
        (Part::Absent, Part::Absent) => return true,
        (Part::Unknown(Some(before)), Part::Unknown(Some(after))) => {
            return !known_parts_differ(before, after);
        }
        (Part::Unknown(_), Part::Unknown(_)) => return true,
        (Part::Leaf(before), Part::Leaf(after)) => (before, after),
        _ => return false,
    };
    match (before.content(), after.content()) {
        (Content::Null, Content::Null) => true,
        (Content::Bool(one), Content::Bool(other)) => one == other,
        (Content::String(one), Content::String(other)) => one == other,
        (Content::Number(_), Content::Number(_)) => raw_equals(before.unmark().0, after.unmark().0),
        (Content::Elements(_), Content::Elements(_))
        | (Content::Entries(_), Content::Entries(_)) => true,
        _ => false,
    }
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut json = String::new();
    push_string(&mut json, text);
    json
}

/// Whether two texts with unknown parts differ, whatever these are: in what stands between as many of them, at
/// the start, or at the end.
fn known_parts_differ(before: &str, after: &str) -> bool {
    let holes = |text: &str| text.matches(HOLE).count();
    if holes(before) == holes(after) {
        return before != after;
    }
    let start = |text: &'_ str| text.find(HOLE).unwrap_or(text.len());
    let (one, other) = (&before[..start(before)], &after[..start(after)]);
    let is_other_start = !one.starts_with(other) && !other.starts_with(one);
    let end = |text: &'_ str| text.rfind(HOLE).map_or(0, |at| at + HOLE.len_utf8());
    let (one, other) = (&before[end(before)..], &after[end(after)..]);
    is_other_start || !one.ends_with(other) && !other.ends_with(one)
}

/// Adds the pairs of equal names; both sides are sorted by name. The first name is on top.
fn push_entries<'v>(
    open: &mut Vec<Pair<'v>>,
    base: usize,
    [before, after]: [&'v [(&'v str, Value<'v>)]; 2],
) {
    let start = open.len();
    let (mut left, mut right) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let (name, sides) = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some((one, value)), Some((other, with))) if one == other => {
                (*one, [Some(*value), Some(*with)])
            }
            (Some((one, value)), Some((other, _))) if one < other => (*one, [Some(*value), None]),
            (Some((one, value)), None) => (*one, [Some(*value), None]),
            (_, Some((other, with))) => (*other, [None, Some(*with)]),
        };
        if sides[0].is_some() {
            left.next();
        }
        if sides[1].is_some() {
            right.next();
        }
        open.push(Pair { base, step: Step::Name(name), sides });
    }
    open[start..].reverse();
}

/// Adds the pairs of equal places. The first one is on top.
fn push_elements<'v>(open: &mut Vec<Pair<'v>>, base: usize, [before, after]: [&'v [Value<'v>]; 2]) {
    for at in (0..before.len().max(after.len())).rev() {
        let sides = [before.get(at).copied(), after.get(at).copied()];
        open.push(Pair { base, step: Step::Index(at), sides });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::value::{Marks, Number, Type};

    fn texts(sides: [Option<Value<'_>>; 2], shows: bool) -> Vec<String> {
        let side = |value: &ReviewValue| match value {
            ReviewValue::Absent => "-".to_owned(),
            ReviewValue::Known(text) => text.clone(),
            ReviewValue::Unknown => "?".to_owned(),
            ReviewValue::Partial(parts) => parts.join("?"),
        };
        let text = |leaf: &ReviewLeaf| match leaf.is_sensitive {
            true => format!("{} secret", leaf.path),
            false => format!("{} {} {}", leaf.path, side(&leaf.before), side(&leaf.after)),
        };
        of_attributes(sides, shows).iter().map(text).collect()
    }

    fn tuple<'v>(arena: &'v Arena, elements: &[Value<'v>]) -> Value<'v> {
        Value::tuple(arena, elements)
    }

    #[test]
    fn leaves_of_two_objects() {
        let arena = Arena::new();
        let text = |text| Value::string(&arena, text);
        let number = |number| Value::number(Number::from_u64(&arena, number));
        let before = Value::object(
            &arena,
            &[
                ("a", tuple(&arena, &[number(1), Value::object(&arena, &[("x.y", text("b"))])])),
                ("gone", text("g")),
                ("null", Value::null(Type::Dynamic)),
                ("shape", Value::object(&arena, &[("k", tuple(&arena, &[number(1)]))])),
                ("token", text("t").with_marks(Marks::SENSITIVE)),
                ("same", text("s").with_marks(Marks::SENSITIVE)),
                ("unknown", Value::unknown(Type::String)),
            ],
        );
        let after = Value::object(
            &arena,
            &[
                ("a", tuple(&arena, &[text("1"), Value::object(&arena, &[])])),
                ("new", tuple(&arena, &[])),
                ("shape", Value::unknown(Type::Dynamic)),
                ("token", tuple(&arena, &[text("x")])),
                ("same", text("s")),
                ("unknown", Value::unknown(Type::Number)),
            ],
        );
        assert_eq!(
            texts([Some(before), Some(after)], false),
            [
                "a[0] 1 \"1\"",
                "a[1] - {}",
                "a[1][\"x.y\"] \"b\" -",
                "gone \"g\" -",
                "new - []",
                "same secret",
                "shape - ?",
                "shape.k[0] 1 -",
                "token secret",
            ]
        );
        assert_eq!(texts([Some(before), Some(before)], false), [""; 0]);
        assert!(texts([None, Some(after)], true).contains(&"token[0] - \"x\"".to_owned()));
    }
}

//! The values that differ between two states of an object.

use smallvec::SmallVec;

use super::objects::Object;
use crate::arena::Arena;
use crate::expression::{Expression, JsonPath, MapKey, PathStep};
use crate::hash::HashMap;

/// Nested blocks that are merged argument by argument. An array of objects is read as one block.
const MERGED: [&str; 2] = ["lifecycle", "required_providers"];

/// A value that differs: a scalar, an empty container, or values of different kinds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Leaf<'a> {
    /// The path in the object; empty for a local value that is a scalar.
    pub path: JsonPath<'a>,
    /// The old value, if there was one.
    pub before: Option<Expression<'a>>,
    /// The new value, if there is one.
    pub after: Option<Expression<'a>>,
    /// If the values must not be shown, of the old or of the new configuration: the path of the
    /// outermost value that is hidden as a whole. Names below it must not be shown either. See
    /// [`hidden`](crate::hidden).
    pub hidden: Option<JsonPath<'a>>,
}

/// A value on each side, if it exists.
struct Pair<'a> {
    path: JsonPath<'a>,
    before: Option<Layers<'a>>,
    after: Option<Layers<'a>>,
}

/// A value, and the override values that are merged into it.
#[derive(Clone)]
struct Layers<'a> {
    values: SmallVec<[Expression<'a>; 1]>,
    is_body: bool,
    /// The values are not merged: each is a block of its own, all of one type.
    are_blocks: bool,
}

/// The parts of a value.
enum Parts<'a> {
    Members(Members<'a>),
    Elements(Vec<Expression<'a>>),
    /// Blocks of one type of a native file.
    Blocks(Vec<Expression<'a>>),
    Scalar,
}

type Members<'a> = Vec<(MapKey<'a>, Layers<'a>)>;

/// The values that differ. Uses a stack instead of recursion, so the depth is not limited.
pub(super) fn compare<'a>(
    arena: &'a Arena,
    before: Option<&Object<'a>>,
    after: Option<&Object<'a>>,
) -> Vec<Leaf<'a>> {
    let layers = |object: &Object<'a>| Layers {
        values: object.layers.clone(),
        is_body: object.is_body,
        are_blocks: false,
    };
    let mut leaves = Vec::new();
    let mut stack = vec![Pair {
        path: JsonPath::default(),
        before: before.map(layers),
        after: after.map(layers),
    }];
    while let Some(pair) = stack.pop() {
        let first = stack.len();
        match (&pair.before, &pair.after) {
            (Some(before), Some(after)) if before.has_text_of(after) => continue,
            (Some(before), Some(after)) => match (before.parts(), after.parts()) {
                (Parts::Members(before), Parts::Members(after)) => {
                    members(arena, pair.path, before, after, &mut stack);
                }
                (Parts::Elements(before), Parts::Elements(after))
                | (Parts::Blocks(before), Parts::Blocks(after) | Parts::Elements(after))
                | (Parts::Elements(before), Parts::Blocks(after)) => {
                    elements(arena, pair.path, &before, &after, &mut stack);
                }
                // A single block.
                (Parts::Blocks(before), Parts::Members(_)) => {
                    elements(arena, pair.path, &before, &after.values, &mut stack);
                }
                (Parts::Members(_), Parts::Blocks(after)) => {
                    elements(arena, pair.path, &before.values, &after, &mut stack);
                }
                (Parts::Scalar, Parts::Scalar)
                    if before.expression().is_same_scalar(after.expression())
                        || is_bare(pair.path)
                            && before.expression().is_same_bare(after.expression()) => {}
                // One body in an array, compared with a block.
                (Parts::Elements(list), Parts::Members(_)) if after.is_block() => {
                    elements(arena, pair.path, &list, &after.values, &mut stack);
                }
                (Parts::Members(_), Parts::Elements(list)) if before.is_block() => {
                    elements(arena, pair.path, &before.values, &list, &mut stack);
                }
                _ => leaves.push(pair.leaf()),
            },
            (before, after) => {
                let Some(only) = before.as_ref().or(after.as_ref()) else { continue };
                let is_before = before.is_some();
                let one = |step, layers| {
                    let (before, after) =
                        if is_before { (Some(layers), None) } else { (None, Some(layers)) };
                    Pair { path: pair.path.with(arena, step), before, after }
                };
                match only.parts() {
                    Parts::Members(members) if !members.is_empty() => {
                        let pairs = members.into_iter();
                        stack.extend(
                            pairs.map(|(name, layers)| one(PathStep::Member(name), layers)),
                        );
                    }
                    Parts::Elements(elements) | Parts::Blocks(elements) if !elements.is_empty() => {
                        let pairs = elements.into_iter().enumerate();
                        stack.extend(pairs.map(|(index, value)| {
                            one(PathStep::Element(index), Layers::of(value))
                        }));
                    }
                    // A body without arguments has no values.
                    _ if only.is_body => {}
                    _ => leaves.push(pair.leaf()),
                }
            }
        }
        // Reversed, so that the first one is processed first.
        let found = first.min(stack.len());
        stack[found..].reverse();
    }
    leaves
}

/// Arguments that are strings in JSON, and expressions without quotes in native syntax.
const BARE: [&str; 18] = [
    "depends_on",
    "iterator",
    "provider",
    "providers",
    "type",
    "from",
    "to",
    "ignore_changes",
    "replace_triggered_by",
    "configuration_aliases",
    "when",
    "on_failure",
    "events",
    "actions",
    "command",
    "mode",
    "target",
    "expect_failures",
];

/// Whether a value is one of [`BARE`], or an element of one.
fn is_bare(path: JsonPath<'_>) -> bool {
    let names = path.steps().into_iter().rev().take(2);
    names
        .into_iter()
        .any(|step| matches!(step, PathStep::Member(name) if BARE.iter().any(|bare| name.is(bare))))
}

/// Pairs members by name.
fn members<'a>(
    arena: &'a Arena,
    path: JsonPath<'a>,
    before: Members<'a>,
    after: Members<'a>,
    stack: &mut Vec<Pair<'a>>,
) {
    let names: HashMap<&str, usize> =
        before.iter().enumerate().map(|(place, (name, _))| (name.to_str(), place)).collect();
    let mut before: Vec<_> = before.into_iter().map(Some).collect();
    for (name, layers) in after {
        let earlier = names.get(name.to_str()).and_then(|place| before[*place].take());
        stack.push(Pair {
            path: path.with(arena, PathStep::Member(name)),
            before: earlier.map(|(_, layers)| layers),
            after: Some(layers),
        });
    }
    for (name, layers) in before.into_iter().flatten() {
        let path = path.with(arena, PathStep::Member(name));
        stack.push(Pair { path, before: Some(layers), after: None });
    }
}

/// Pairs elements by position.
fn elements<'a>(
    arena: &'a Arena,
    path: JsonPath<'a>,
    before: &[Expression<'a>],
    after: &[Expression<'a>],
    stack: &mut Vec<Pair<'a>>,
) {
    for index in 0..before.len().max(after.len()) {
        stack.push(Pair {
            path: path.with(arena, PathStep::Element(index)),
            before: before.get(index).copied().map(Layers::of),
            after: after.get(index).copied().map(Layers::of),
        });
    }
}

impl<'a> Pair<'a> {
    fn leaf(&self) -> Leaf<'a> {
        let expression = |layers: &Option<Layers<'a>>| layers.as_ref().map(Layers::expression);
        Leaf {
            path: self.path,
            before: expression(&self.before),
            after: expression(&self.after),
            hidden: None,
        }
    }
}

impl<'a> Layers<'a> {
    /// The value of an attribute.
    fn of(value: Expression<'a>) -> Self {
        Self { values: SmallVec::from_elem(value, 1), is_body: false, are_blocks: false }
    }

    /// The value of the last layer.
    fn expression(&self) -> Expression<'a> {
        self.values[self.values.len() - 1]
    }

    /// Whether it is a block of a native file.
    fn is_block(&self) -> bool {
        matches!(self.values.as_slice(), [value] if value.as_block().is_some())
    }

    /// Whether the bytes of both are equal.
    fn has_text_of(&self, other: &Self) -> bool {
        let is_json = |values: &[Expression<'a>]| values.iter().map(|it| it.is_json()).next();
        self.values.len() == other.values.len()
            && is_json(&self.values) == is_json(&other.values)
            && self.values.iter().zip(&other.values).all(|(one, two)| one.text() == two.text())
    }

    fn parts(&self) -> Parts<'a> {
        if self.is_body {
            return Parts::Members(self.members());
        }
        if self.are_blocks {
            return Parts::Blocks(self.values.to_vec());
        }
        let value = self.expression();
        match value.as_list() {
            Some(elements) => Parts::Elements(elements.collect()),
            None if value.is_map() => Parts::Members(self.members()),
            None => Parts::Scalar,
        }
    }

    /// The members of all layers. A member of a later layer replaces one of an earlier, unless they
    /// are merged. Of duplicates in one layer the first counts, as in a body.
    fn members(&self) -> Members<'a> {
        let mut members: Members<'a> = Vec::new();
        // The place of each name, and the layer that set it.
        let mut places: HashMap<&str, (usize, usize)> = HashMap::default();
        for (layer, value) in self.values.iter().enumerate() {
            let mut add = |name: MapKey<'a>, value: Expression<'a>| {
                let text = name.to_str();
                if self.is_body && text == "//" && value.is_json() {
                    return;
                }
                let is_merged = self.is_body && MERGED.contains(&text);
                let is_body = is_merged && value.is_container();
                match places.get_mut(text) {
                    None => {
                        places.insert(text, (members.len(), layer));
                        members.push((name, Self { is_body, ..Self::of(value) }));
                    }
                    Some((place, by)) if *by == layer => {
                        // In a native file, blocks of one type are separate members.
                        let known = &mut members[*place].1;
                        if value.as_block().is_some() && !is_body {
                            known.are_blocks = true;
                            known.values.push(value);
                        }
                    }
                    Some((place, by)) => {
                        *by = layer;
                        let known = &mut members[*place].1;
                        if is_body && known.is_body {
                            known.values.push(value);
                        } else {
                            *known = Self { is_body, ..Self::of(value) };
                        }
                    }
                }
            };
            match value.as_list() {
                Some(elements) => {
                    let pairs = elements.filter_map(Expression::as_map).flatten();
                    pairs.for_each(|(key, value)| add(key, value));
                }
                None => {
                    let pairs = value.as_map().into_iter().flatten();
                    pairs.for_each(|(key, value)| add(key, value));
                }
            }
        }
        members
    }
}

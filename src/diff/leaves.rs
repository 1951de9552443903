//! The values that differ between two states of an object.

use smallvec::SmallVec;

use super::objects::Object;
use crate::arena::Arena;
use crate::expression::{Expression, JsonPath, PathStep};
use crate::hash::HashMap;
use crate::json::{JsonString, JsonValue, Node};

/// Nested blocks that are merged argument by argument, and of which an array of objects is read as
/// one.
const MERGED: [&str; 2] = ["lifecycle", "required_providers"];

/// A value that differs: a scalar, an empty container, or values of different kinds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Leaf<'a> {
    /// Where it is in the object; empty for a local value that is a scalar itself.
    pub path: JsonPath<'a>,
    /// The old value, if there was one.
    pub before: Option<Expression<'a>>,
    /// The new value, if there is one.
    pub after: Option<Expression<'a>>,
}

/// One value on each side, where it is there.
struct Pair<'a> {
    path: JsonPath<'a>,
    before: Option<Layers<'a>>,
    after: Option<Layers<'a>>,
}

/// A value, and those that are merged into it.
#[derive(Clone)]
struct Layers<'a> {
    nodes: SmallVec<[Node<'a>; 1]>,
    is_body: bool,
}

/// What a value is made of.
enum Parts<'a> {
    Members(Members<'a>),
    Elements(Vec<Node<'a>>),
    Scalar,
}

type Members<'a> = Vec<(JsonString<'a>, Layers<'a>)>;

/// The values that differ. The values themselves are walked with a stack, so any depth is fine.
pub(super) fn compare<'a>(
    arena: &'a Arena,
    before: Option<&Object<'a>>,
    after: Option<&Object<'a>>,
) -> Vec<Leaf<'a>> {
    let layers =
        |object: &Object<'a>| Layers { nodes: object.layers.clone(), is_body: object.is_body };
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
                (Parts::Elements(before), Parts::Elements(after)) => {
                    elements(arena, pair.path, &before, &after, &mut stack);
                }
                (Parts::Scalar, Parts::Scalar)
                    if before.expression().is_same_scalar(after.expression()) => {}
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
                    Parts::Elements(elements) if !elements.is_empty() => {
                        let pairs = elements.into_iter().enumerate();
                        stack.extend(
                            pairs.map(|(index, node)| {
                                one(PathStep::Element(index), Layers::of(node))
                            }),
                        );
                    }
                    // A body without arguments has no values.
                    _ if only.is_body => {}
                    _ => leaves.push(pair.leaf()),
                }
            }
        }
        // What was found last is looked at first.
        let found = first.min(stack.len());
        stack[found..].reverse();
    }
    leaves
}

/// Pairs members by their names.
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

/// Pairs elements by their places.
fn elements<'a>(
    arena: &'a Arena,
    path: JsonPath<'a>,
    before: &[Node<'a>],
    after: &[Node<'a>],
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
        Leaf { path: self.path, before: expression(&self.before), after: expression(&self.after) }
    }
}

impl<'a> Layers<'a> {
    /// The value of an attribute.
    fn of(node: Node<'a>) -> Self {
        Self { nodes: SmallVec::from_elem(node, 1), is_body: false }
    }

    /// The value that counts.
    fn expression(&self) -> Expression<'a> {
        Expression::from_json(self.nodes[self.nodes.len() - 1])
    }

    /// Whether the bytes of both are equal.
    fn has_text_of(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().zip(&other.nodes).all(|(one, two)| one.text() == two.text())
    }

    fn parts(&self) -> Parts<'a> {
        if self.is_body {
            return Parts::Members(self.members());
        }
        match self.expression().node().value() {
            JsonValue::Object(_) => Parts::Members(self.members()),
            JsonValue::Array(array) => Parts::Elements(array.elements().collect()),
            _ => Parts::Scalar,
        }
    }

    /// The members of all layers: one of a later layer takes the place of one of an earlier, unless
    /// it is merged with it. Of duplicates in one layer the first counts, as in a body.
    fn members(&self) -> Members<'a> {
        let mut members: Members<'a> = Vec::new();
        // The place of each name, and the layer that set it.
        let mut places: HashMap<&str, (usize, usize)> = HashMap::default();
        for (layer, node) in self.nodes.iter().enumerate() {
            let mut add = |name: JsonString<'a>, node: Node<'a>| {
                let text = name.to_str();
                if self.is_body && text == "//" {
                    return;
                }
                let is_merged = self.is_body && MERGED.contains(&text);
                let is_body = is_merged && (node.is_object() || node.is_array());
                match places.get_mut(text) {
                    None => {
                        places.insert(text, (members.len(), layer));
                        members.push((name, Self { is_body, ..Self::of(node) }));
                    }
                    Some((_, by)) if *by == layer => {}
                    Some((place, by)) => {
                        *by = layer;
                        let known = &mut members[*place].1;
                        if is_body && known.is_body {
                            known.nodes.push(node);
                        } else {
                            *known = Self { is_body, ..Self::of(node) };
                        }
                    }
                }
            };
            match node.value() {
                JsonValue::Object(object) => {
                    object.members().for_each(|member| add(member.name(), member.value()));
                }
                JsonValue::Array(array) => {
                    let objects = array.elements().filter_map(Node::as_object);
                    objects
                        .flat_map(|object| object.members())
                        .for_each(|member| add(member.name(), member.value()));
                }
                _ => {}
            }
        }
        members
    }
}

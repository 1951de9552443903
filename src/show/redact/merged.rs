//! Merges trees of marks of many values into one.
//!
//! All elements of an array are merged: elements of sets have another order in the configuration,
//! and dynamic blocks are absent there. So if one element hides a part, all do.

use crate::hash::HashMap;
use crate::json::{JsonValue, Node};

/// Several trees of marks of the same value, merged. Built in linear time, without recursion.
pub(super) struct MergedMarks<'a> {
    places: Vec<Place>,
    members: HashMap<(u32, &'a str), u32>,
}

#[derive(Default)]
struct Place {
    outer: Option<u32>,
    element: Option<u32>,
    is_whole: bool,
    /// Whether anything is marked at this place or below.
    hides: bool,
}

impl<'a> MergedMarks<'a> {
    /// The place of the whole value.
    pub(super) const ROOT: u32 = 0;

    pub(super) fn of(trees: &[Node<'a>]) -> Self {
        let mut merged = Self { places: vec![Place::default()], members: HashMap::default() };
        let mut stack: Vec<_> = trees.iter().map(|tree| (*tree, Self::ROOT)).collect();
        while let Some((node, place)) = stack.pop() {
            match node.value() {
                JsonValue::Object(object) => {
                    for member in object.members() {
                        let inner = merged.enter(place, Some(member.name().to_str()));
                        stack.push((member.value(), inner));
                    }
                }
                JsonValue::Array(array) => {
                    let inner = merged.enter(place, None);
                    stack.extend(array.elements().map(|element| (element, inner)));
                }
                JsonValue::Null | JsonValue::Bool(false) => {}
                // An invalid mark hides the value, since the secret part is not known.
                _ => merged.mark(place),
            }
        }
        merged
    }

    pub(super) fn is_whole(&self, place: u32) -> bool {
        self.places.get(place as usize).is_some_and(|place| place.is_whole)
    }

    /// Whether anything is marked at the place or below it.
    pub(super) fn hides(&self, place: u32) -> bool {
        self.places.get(place as usize).is_some_and(|place| place.hides)
    }

    /// The place of a member, or of this member of all elements of an array.
    pub(super) fn member(&self, place: u32, name: &str) -> Option<u32> {
        let of = |place| self.members.get(&(place, name)).copied();
        of(place).or_else(|| of(self.places.get(place as usize)?.element?))
    }

    /// The place of the elements of an array; the place itself if the marks are those of a single
    /// element.
    pub(super) fn element(&self, place: u32) -> u32 {
        self.places.get(place as usize).and_then(|place| place.element).unwrap_or(place)
    }

    fn enter(&mut self, outer: u32, name: Option<&'a str>) -> u32 {
        let next = self.places.len() as u32;
        let inner = match name {
            Some(name) => *self.members.entry((outer, name)).or_insert(next),
            None => *self.places[outer as usize].element.get_or_insert(next),
        };
        if inner == next {
            self.places.push(Place { outer: Some(outer), ..Place::default() });
        }
        inner
    }

    fn mark(&mut self, place: u32) {
        self.places[place as usize].is_whole = true;
        let mut at = Some(place);
        while let Some(place) = at.and_then(|at| self.places.get_mut(at as usize)) {
            // The places around a place that hides something are already set.
            if std::mem::replace(&mut place.hides, true) {
                break;
            }
            at = place.outer;
        }
    }
}

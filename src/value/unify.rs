//! Unification: finds the common type of several values, for the arms of a conditional or the
//! elements of a list.
//!
//! The rules are those of the reference, which differ from the specification's: types of one
//! structure are unified part by part; otherwise, the first type in the order of preference wins
//! that all others convert to.

use std::cmp::Ordering;

use super::limits::MAX_DEPTH;
use super::relations::{Relations, count_step};
use super::types::Id;
use super::{AttributeType, Type};
use crate::arena::Arena;

/// The maximum number of different types that are compared with one another. More types have
/// nothing in common.
const MAX_DIFFERENT: usize = 256;

/// Returns the type that all of these convert to, or `None`. Without any types it is the dynamic
/// type. Different types of more than 256 levels have nothing in common.
///
/// Cost: linear in the distinct parts of the types, times their depth, if they have one structure.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::{Type, unify};
///
/// let arena = Arena::new();
/// assert_eq!(unify(&arena, &[Type::Bool, Type::String]), Some(Type::String));
/// ```
#[must_use]
pub fn unify<'a>(arena: &'a Arena, types: &[Type<'a>]) -> Option<Type<'a>> {
    Relations::new(arena).unify(types)
}

/// The number of types of each structure.
#[derive(Default)]
struct Counts {
    maps: usize,
    lists: usize,
    sets: usize,
    objects: usize,
    tuples: usize,
    dynamic: usize,
}

impl<'a> Relations<'a> {
    pub(super) fn unify(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let first = *types.first().unwrap_or(&Type::Dynamic);
        if types.iter().all(|ty| self.are_same(*ty, first)) {
            return Some(first);
        }
        if types.iter().any(|ty| ty.depth() > MAX_DEPTH) {
            return None;
        }
        self.unify_bounded(types)
    }

    /// Recurses as deep as the types, which is bounded.
    fn unify_bounded(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let ids: Vec<Id> = types.iter().map(|ty| ty.id()).collect();
        if let Some(known) = self.unified.get(&ids) {
            return *known;
        }
        let unified = self.unify_by_structure(types);
        self.unified.insert(ids, unified);
        unified
    }

    fn unify_by_structure(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        count_step();
        let mut counts = Counts::default();
        for ty in types {
            match ty {
                Type::Map(_) => counts.maps += 1,
                Type::List(_) => counts.lists += 1,
                Type::Set(_) => counts.sets += 1,
                Type::Object(_) => counts.objects += 1,
                Type::Tuple(_) => counts.tuples += 1,
                Type::Dynamic => counts.dynamic += 1,
                _ => {}
            }
        }
        let Counts { maps, lists, sets, objects, tuples, dynamic } = counts;
        let all = types.len();
        // The actual types of dynamic types will decide which rule applies.
        let arena = self.arena;
        if maps > 0 && maps + dynamic == all {
            return self.elements(types, dynamic, |element| Type::map_of(arena, element));
        }
        if lists > 0 && lists + dynamic == all {
            return self.elements(types, dynamic, |element| Type::list_of(arena, element));
        }
        if sets > 0 && sets + dynamic == all {
            return self.elements(types, dynamic, |element| Type::set_of(arena, element));
        }
        if objects > 0 && objects + dynamic == all {
            return if dynamic > 0 { Some(Type::Dynamic) } else { self.unify_objects(types) };
        }
        if tuples > 0 && tuples + dynamic == all {
            return if dynamic > 0 { Some(Type::Dynamic) } else { self.unify_tuples(types) };
        }
        if maps > 0 && maps + objects + dynamic == all {
            let unified =
                self.objects_as_map(types).and_then(|map| self.replaced(types, map, is_object));
            if let Some(Type::Map(_)) = unified {
                return unified;
            }
        } else if lists > 0 && lists + tuples + dynamic == all {
            let unified =
                self.tuples_as_list(types).and_then(|list| self.replaced(types, list, is_tuple));
            if let Some(Type::List(_)) = unified {
                return unified;
            }
        } else if objects > 0 && tuples > 0 {
            return None;
        }
        self.preferred(types)
    }

    /// Unifies again, with some of the types replaced by `ty`.
    fn replaced(
        &mut self,
        types: &[Type<'a>],
        ty: Type<'a>,
        is_replaced: impl Fn(Type<'a>) -> bool,
    ) -> Option<Type<'a>> {
        let replaced: Vec<_> =
            types.iter().map(|&each| if is_replaced(each) { ty } else { each }).collect();
        self.unify_bounded(&replaced)
    }

    /// Unifies the elements of collections of one kind.
    fn elements(
        &mut self,
        types: &[Type<'a>],
        dynamic: usize,
        collection: impl Fn(Type<'a>) -> Type<'a>,
    ) -> Option<Type<'a>> {
        if dynamic > 0 {
            return Some(Type::Dynamic);
        }
        let elements: Vec<_> = types.iter().filter_map(|ty| ty.element()).collect();
        self.unify_parts(&elements).map(collection)
    }

    /// Unifies parts of types. Without any parts, there is nothing to unify.
    fn unify_parts(&mut self, parts: &[Type<'a>]) -> Option<Type<'a>> {
        let first = *parts.first()?;
        if parts.iter().all(|ty| self.are_same(*ty, first)) {
            Some(first)
        } else {
            self.unify_bounded(parts)
        }
    }

    /// Unifies objects with the same names name by name; others become maps.
    fn unify_objects(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let objects: Vec<&'a [AttributeType<'a>]> = types
            .iter()
            .filter_map(|ty| match ty {
                Type::Object(attributes) => Some(attributes.as_slice()),
                _ => None,
            })
            .collect();
        let (first, others) = objects.split_first()?;
        let names = |attributes: &'a [AttributeType<'a>]| attributes.iter().map(|each| each.name);
        if !others.iter().all(|other| names(first).eq(names(other))) {
            return self.objects_as_map(types);
        }
        let mut attributes = Vec::with_capacity(first.len());
        for (place, attribute) in first.iter().enumerate() {
            let across: Vec<_> = objects.iter().filter_map(|each| each.get(place)).collect();
            let across: Vec<_> = across.iter().map(|each| each.ty).collect();
            let ty = self.unify_parts(&across)?;
            attributes.push(AttributeType { name: attribute.name, ty, optional: false });
        }
        let ty = Type::object_of(self.arena, &attributes);
        if self.all_convert(types, is_object, ty) { Some(ty) } else { self.objects_as_map(types) }
    }

    /// Returns the map that the objects among the types convert to.
    fn objects_as_map(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let mut parts = Vec::new();
        for ty in types {
            if let Type::Object(attributes) = ty {
                parts.extend(attributes.iter().map(|each| each.ty));
            }
        }
        let map = Type::map_of(self.arena, self.unify_parts(&parts)?);
        self.all_convert(types, is_object, map).then_some(map)
    }

    /// Unifies tuples of one length element by element; others become lists.
    fn unify_tuples(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let tuples: Vec<&'a [Type<'a>]> = types
            .iter()
            .filter_map(|ty| match ty {
                Type::Tuple(elements) => Some(elements.as_slice()),
                _ => None,
            })
            .collect();
        let (first, others) = tuples.split_first()?;
        if !others.iter().all(|other| other.len() == first.len()) {
            return self.tuples_as_list(types);
        }
        let mut elements = Vec::with_capacity(first.len());
        for place in 0..first.len() {
            let across: Vec<_> =
                tuples.iter().filter_map(|each| each.get(place).copied()).collect();
            elements.push(self.unify_parts(&across)?);
        }
        let ty = Type::tuple_of(self.arena, &elements);
        if self.all_convert(types, is_tuple, ty) { Some(ty) } else { self.tuples_as_list(types) }
    }

    /// Returns the list that the tuples among the types convert to.
    fn tuples_as_list(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let tuples = types.iter().filter_map(|ty| match ty {
            Type::Tuple(elements) => Some(elements.as_slice()),
            _ => None,
        });
        let parts: Vec<_> = tuples.flatten().copied().collect();
        let list = Type::list_of(self.arena, self.unify_parts(&parts)?);
        self.all_convert(types, is_tuple, list).then_some(list)
    }

    /// Whether the chosen ones of the types all convert to another.
    fn all_convert(
        &mut self,
        types: &[Type<'a>],
        is_chosen: impl Fn(Type<'a>) -> bool,
        wanted: Type<'a>,
    ) -> bool {
        let mut chosen = types.iter().filter(|ty| is_chosen(**ty));
        chosen.all(|&ty| self.is_possible(ty, wanted))
    }

    /// Returns the first type, in the order of preference, that all others convert to.
    fn preferred(&mut self, types: &[Type<'a>]) -> Option<Type<'a>> {
        let mut different: Vec<Type<'a>> = Vec::new();
        for &ty in types {
            if !different.iter().any(|known| self.are_same(*known, ty)) {
                different.push(ty);
            }
            if different.len() > MAX_DIFFERENT {
                return None;
            }
        }
        let order = self.sorted_by_preference(&different);
        order
            .into_iter()
            .map(|place| different[place])
            .find(|&wanted| different.iter().all(|&ty| self.is_possible(ty, wanted)))
    }

    /// Returns the indexes of the types: more general types before those that they contain,
    /// otherwise in the given order.
    fn sorted_by_preference(&mut self, types: &[Type<'a>]) -> Vec<usize> {
        let count = types.len();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut before = vec![0_usize; count];
        for one in 0..count {
            for other in one + 1..count {
                match self.compare(types[one], types[other]) {
                    Ordering::Less => {
                        after[one].push(other);
                        before[other] += 1;
                    }
                    Ordering::Greater => {
                        after[other].push(one);
                        before[one] += 1;
                    }
                    Ordering::Equal => {}
                }
            }
        }
        let mut sorted: Vec<usize> = (0..count).filter(|&place| before[place] == 0).collect();
        let mut at = 0;
        while let Some(&place) = sorted.get(at) {
            at += 1;
            for &next in &after[place] {
                before[next] -= 1;
                if before[next] == 0 {
                    sorted.push(next);
                }
            }
        }
        sorted
    }

    /// Compares the preference of two types: `Less` if the first is preferred. Recurses as deep as
    /// the types, which is bounded.
    fn compare(&mut self, one: Type<'a>, other: Type<'a>) -> Ordering {
        if one.parts().is_empty() || other.parts().is_empty() {
            return self.compare_parts(one, other);
        }
        let pair = (one.id(), other.id());
        if let Some(known) = self.compared.get(&pair) {
            return *known;
        }
        let ordering = self.compare_parts(one, other);
        self.compared.insert(pair, ordering);
        ordering
    }

    fn compare_parts(&mut self, one: Type<'a>, other: Type<'a>) -> Ordering {
        use Ordering::{Equal, Greater, Less};
        count_step();
        match (one, other) {
            (Type::Dynamic, Type::Dynamic) => Equal,
            (Type::Dynamic, _) => Greater,
            (_, Type::Dynamic) => Less,
            (Type::String, Type::Bool | Type::Number) => Less,
            (Type::Bool | Type::Number, Type::String) => Greater,
            (Type::List(one), Type::List(other))
            | (Type::Set(one), Type::Set(other))
            | (Type::Map(one), Type::Map(other)) => self.compare(one.ty(), other.ty()),
            (Type::List(_) | Type::Tuple(_), Type::Set(_))
            | (Type::List(_), Type::Tuple(_))
            | (Type::Map(_), Type::Object(_)) => Less,
            (Type::Set(_), Type::List(_) | Type::Tuple(_))
            | (Type::Tuple(_), Type::List(_))
            | (Type::Object(_), Type::Map(_)) => Greater,
            (Type::Object(one), Type::Object(other)) => {
                if !one.iter().map(|each| each.name).eq(other.iter().map(|each| each.name)) {
                    return Equal;
                }
                parts(
                    one.iter().zip(other.iter()).map(|(one, other)| self.compare(one.ty, other.ty)),
                )
            }
            (Type::Tuple(one), Type::Tuple(other)) if one.len() == other.len() => {
                parts(one.iter().zip(other.iter()).map(|(one, other)| self.compare(*one, *other)))
            }
            _ => Equal,
        }
    }
}

fn is_object(ty: Type<'_>) -> bool {
    matches!(ty, Type::Object(_))
}

fn is_tuple(ty: Type<'_>) -> bool {
    matches!(ty, Type::Tuple(_))
}

/// Combines the comparisons of all parts.
fn parts(comparisons: impl Iterator<Item = Ordering>) -> Ordering {
    let (mut less, mut greater) = (false, false);
    for comparison in comparisons {
        less |= comparison == Ordering::Less;
        greater |= comparison == Ordering::Greater;
    }
    match (less, greater) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

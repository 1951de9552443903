//! Types.
//!
//! A type is a `Copy` handle; the types that it is made of are shared. Every walk here visits each distinct part
//! once, without recursion.

use std::fmt;

use smallvec::SmallVec;

use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};

/// A type of the HCL type system.
#[derive(Clone, Copy)]
pub enum Type<'a> {
    /// Any type: of `null` without a type, and of values whose type is not known yet.
    Dynamic,
    /// `bool`.
    Bool,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(…)`: elements of one type, in order.
    List(&'a Type<'a>),
    /// `set(…)`: distinct elements of one type.
    Set(&'a Type<'a>),
    /// `map(…)`: values of one type, by name.
    Map(&'a Type<'a>),
    /// `object({…})`: a type for each name, sorted by name.
    Object(&'a [AttributeType<'a>]),
    /// `tuple([…])`: a type for each element.
    Tuple(&'a [Type<'a>]),
}

/// An attribute of an object type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttributeType<'a> {
    /// Its name, in normal form C.
    pub name: &'a str,
    /// Its type.
    pub ty: Type<'a>,
    /// Whether a value may lack it when it is converted to the type. Only in type constraints.
    pub optional: bool,
}

impl<'a> Type<'a> {
    /// `bool`, `number` or `string`.
    #[must_use]
    pub const fn is_primitive(self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }

    /// A list, set or map.
    #[must_use]
    pub const fn is_collection(self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(_))
    }

    /// Whether it is the dynamic type.
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        matches!(self, Self::Dynamic)
    }

    /// The element type of a collection.
    #[must_use]
    pub const fn element(self) -> Option<Self> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(*element),
            _ => None,
        }
    }

    /// The type of an attribute of an object.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<AttributeType<'a>> {
        let Self::Object(attributes) = self else { return None };
        let found = attributes.binary_search_by(|known| known.name.cmp(name)).ok()?;
        attributes.get(found).copied()
    }

    /// Whether the dynamic type is anywhere in it. Cost: linear in its distinct parts.
    #[must_use]
    pub fn has_dynamic(self) -> bool {
        Seen::default().any(self, Self::is_dynamic)
    }

    /// How many types are nested at most, itself included. Cost: linear in its distinct parts.
    pub(super) fn depth(self) -> usize {
        if self.parts().is_empty() {
            return 1;
        }
        fold(self, &mut HashMap::default(), |_, parts: &[usize]| {
            1 + parts.iter().copied().max().unwrap_or(0)
        })
    }

    /// How many types it has, itself included, where one that occurs twice counts twice. Cost: linear
    /// in its distinct parts.
    pub(crate) fn size(self) -> u64 {
        if self.parts().is_empty() {
            return 1;
        }
        fold(self, &mut HashMap::default(), |_, parts: &[u64]| {
            parts.iter().fold(1, |sum, part| part.saturating_add(sum))
        })
    }

    /// The type with no attribute optional, at any depth. Cost: linear in its distinct parts.
    #[must_use]
    pub fn without_optional_attributes(self, arena: &'a Arena) -> Self {
        self.strict(arena, &mut HashMap::default())
    }

    /// The same, with the results for types that were asked for before.
    pub(super) fn strict(self, arena: &'a Arena, done: &mut HashMap<Id, Self>) -> Self {
        let is_optional = |ty: Self| match ty {
            Self::Object(attributes) => attributes.iter().any(|each| each.optional),
            _ => false,
        };
        if self.parts().is_empty() {
            return self;
        }
        if let Some(strict) = done.get(&self.id()) {
            return *strict;
        }
        if !Seen::default().any(self, is_optional) {
            done.insert(self.id(), self);
            return self;
        }
        fold(self, done, |ty, parts| ty.with_parts(arena, parts))
    }

    /// The same type with other parts, none of them optional.
    fn with_parts(self, arena: &'a Arena, parts: &[Self]) -> Self {
        let bump = arena.bump();
        let first = || parts.first().copied().unwrap_or(Self::Dynamic);
        match self {
            Self::List(_) => Self::List(bump.alloc(first())),
            Self::Set(_) => Self::Set(bump.alloc(first())),
            Self::Map(_) => Self::Map(bump.alloc(first())),
            Self::Tuple(_) => Self::Tuple(bump.alloc_slice_copy(parts)),
            Self::Object(attributes) => {
                let named = attributes.iter().zip(parts);
                let named =
                    named.map(|(each, &ty)| AttributeType { name: each.name, ty, optional: false });
                Self::Object(bump.alloc_slice_fill_iter(named))
            }
            _ => self,
        }
    }

    /// The types that it is made of.
    pub(super) fn parts(self) -> Parts<'a> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Parts::One(element),
            Self::Object(attributes) => Parts::Attributes(attributes),
            Self::Tuple(elements) => Parts::Elements(elements),
            _ => Parts::Elements(&[]),
        }
    }

    /// What tells it from other types without looking into it: types of one identity are the same,
    /// though the same types may have several identities.
    pub(super) fn id(self) -> Id {
        let of = |kind, parts: *const u8, len| Id(kind, parts as usize, len);
        match self {
            Self::Dynamic => Id(0, 0, 0),
            Self::Bool => Id(1, 0, 0),
            Self::Number => Id(2, 0, 0),
            Self::String => Id(3, 0, 0),
            Self::List(element) => of(4, std::ptr::from_ref(element).cast(), 1),
            Self::Set(element) => of(5, std::ptr::from_ref(element).cast(), 1),
            Self::Map(element) => of(6, std::ptr::from_ref(element).cast(), 1),
            Self::Object(attributes) => of(7, attributes.as_ptr().cast(), attributes.len()),
            Self::Tuple(elements) => of(8, elements.as_ptr().cast(), elements.len()),
        }
    }

    /// What messages call it: `list of string`.
    #[must_use]
    pub fn friendly_name(self) -> std::borrow::Cow<'static, str> {
        self.to_string().into()
    }
}

/// The types that a type is made of.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    One(&'a Type<'a>),
    Elements(&'a [Type<'a>]),
    Attributes(&'a [AttributeType<'a>]),
}

impl<'a> Parts<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Elements(elements) => elements.len(),
            Self::Attributes(attributes) => attributes.len(),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub(super) fn get(self, place: usize) -> Option<Type<'a>> {
        match self {
            Self::One(element) => (place == 0).then_some(*element),
            Self::Elements(elements) => elements.get(place).copied(),
            Self::Attributes(attributes) => attributes.get(place).map(|each| each.ty),
        }
    }

    fn iter(self) -> impl Iterator<Item = Type<'a>> {
        (0..self.len()).filter_map(move |place| self.get(place))
    }
}

/// See [`Type::id`]: what kind of type, where its parts are, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(u8, usize, usize);

/// Walks that visit each distinct part of types once. Types share their parts, so a type of a few
/// dozen parts can be a tree of billions.
#[derive(Default)]
pub(super) struct Seen {
    visited: usize,
    types: HashSet<Id>,
}

impl Seen {
    /// Small types are walked as trees, without a table.
    const SMALL: usize = 32;

    /// Whether a type, or a type in it, is as `wanted` says. What earlier calls have visited in vain is
    /// not visited again.
    pub(super) fn any<'a>(
        &mut self,
        ty: Type<'a>,
        mut wanted: impl FnMut(Type<'a>) -> bool,
    ) -> bool {
        let mut rest: SmallVec<[Type<'a>; 8]> = SmallVec::from_slice(&[ty]);
        while let Some(ty) = rest.pop() {
            self.visited += 1;
            #[cfg(test)]
            tests::VISITED.set(tests::VISITED.get() + 1);
            if wanted(ty) {
                return true;
            }
            let parts = ty.parts();
            if !parts.is_empty() && (self.visited <= Self::SMALL || self.types.insert(ty.id())) {
                rest.extend(parts.iter());
            }
        }
        false
    }
}

/// The result of `combine` for a type and the results for its parts, each distinct part once. `done` has
/// results from before, and takes those of this call.
pub(super) fn fold<'a, T: Clone>(
    ty: Type<'a>,
    done: &mut HashMap<Id, T>,
    mut combine: impl FnMut(Type<'a>, &[T]) -> T,
) -> T {
    let mut open: Vec<(Type<'a>, Vec<T>)> = Vec::new();
    let (mut ty, mut parts) = (ty, Vec::new());
    loop {
        if let Some(part) = ty.parts().get(parts.len()) {
            if part.parts().is_empty() {
                parts.push(combine(part, &[]));
            } else if let Some(known) = done.get(&part.id()) {
                parts.push(known.clone());
            } else {
                open.push((ty, std::mem::take(&mut parts)));
                ty = part;
            }
            continue;
        }
        #[cfg(test)]
        tests::VISITED.set(tests::VISITED.get() + 1);
        let result = combine(ty, &parts);
        done.insert(ty.id(), result.clone());
        match open.pop() {
            Some(outer) => (ty, parts) = outer,
            None => return result,
        }
        parts.push(result);
    }
}

/// Comparisons of types that look at each distinct pair of parts once, over any number of comparisons.
#[derive(Default)]
pub(super) struct SameTypes {
    compared: usize,
    /// Pairs that are the same, as long as every comparison so far has found the same.
    pairs: HashSet<(Id, Id)>,
}

impl SameTypes {
    const SMALL: usize = 32;

    /// Whether two types are the same.
    pub(super) fn are_same(&mut self, one: Type<'_>, other: Type<'_>) -> bool {
        let mut rest: SmallVec<[(Type<'_>, Type<'_>); 8]> = SmallVec::from_slice(&[(one, other)]);
        while let Some((one, other)) = rest.pop() {
            let (one_id, other_id) = (one.id(), other.id());
            if one_id == other_id {
                continue;
            }
            if one_id.0 != other_id.0 || one_id.2 != other_id.2 {
                self.pairs.clear();
                return false;
            }
            self.compared += 1;
            #[cfg(test)]
            tests::VISITED.set(tests::VISITED.get() + 1);
            if self.compared > Self::SMALL && !self.pairs.insert((one_id, other_id)) {
                continue;
            }
            if let (Type::Object(one), Type::Object(other)) = (one, other) {
                let is_same = |(one, other): (&AttributeType<'_>, &AttributeType<'_>)| {
                    one.name == other.name && one.optional == other.optional
                };
                if !one.iter().zip(other).all(is_same) {
                    self.pairs.clear();
                    return false;
                }
            }
            rest.extend(one.parts().iter().zip(other.parts().iter()));
        }
        true
    }
}

impl PartialEq for Type<'_> {
    /// Cost: linear in the distinct pairs of parts.
    fn eq(&self, other: &Self) -> bool {
        SameTypes::default().are_same(*self, *other)
    }
}

impl Eq for Type<'_> {}

impl fmt::Display for Type<'_> {
    /// The reference's friendly names: `list of string`, `object`. A name of more than 16 levels is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ty = *self;
        for _ in 0..16 {
            let (name, element) = match ty {
                Self::Dynamic => return f.write_str("dynamic"),
                Self::Bool => return f.write_str("bool"),
                Self::Number => return f.write_str("number"),
                Self::String => return f.write_str("string"),
                Self::Object(_) => return f.write_str("object"),
                Self::Tuple(_) => return f.write_str("tuple"),
                Self::List(element) => ("list of ", element),
                Self::Set(element) => ("set of ", element),
                Self::Map(element) => ("map of ", element),
            };
            f.write_str(name)?;
            ty = *element;
        }
        f.write_str("…")
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Parts that walks of this thread have visited.
        pub(in crate::value) static VISITED: Cell<usize> = const { Cell::new(0) };
    }

    /// A type that is a tree of 2^levels parts.
    pub(in crate::value) fn doubled<'a>(
        arena: &'a Arena,
        levels: usize,
        last: Type<'a>,
    ) -> Type<'a> {
        (0..levels).fold(last, |ty, level| {
            if level % 2 == 0 {
                return Type::Tuple(arena.bump().alloc_slice_copy(&[ty, ty]));
            }
            let attribute = |name, optional| AttributeType { name, ty, optional };
            Type::Object(
                arena.bump().alloc_slice_copy(&[attribute("a", false), attribute("b", true)]),
            )
        })
    }

    /// The parts that `walk` visits.
    pub(in crate::value) fn visits(walk: impl FnOnce()) -> usize {
        let before = VISITED.get();
        walk();
        VISITED.get() - before
    }

    #[test]
    fn walks_are_linear_in_distinct_parts() {
        let cost = |levels| {
            let arena = Arena::new();
            let (one, same) =
                (doubled(&arena, levels, Type::Bool), doubled(&arena, levels, Type::Bool));
            visits(|| {
                assert!(!one.has_dynamic());
                assert_eq!(one.depth(), levels + 1);
                assert!(one.size() > 1 << levels.min(40));
                let strict = one.without_optional_attributes(&arena);
                assert!(one == same && strict != one);
                assert!(strict == strict.without_optional_attributes(&arena));
                assert!(one != doubled(&arena, levels, Type::Number));
            })
        };
        let (few, many) = (cost(100), cost(200));
        assert!(many <= few * 5 / 2, "{few}, then {many}");
    }

    #[test]
    fn a_million_levels() {
        const LEVELS: usize = if cfg!(miri) { 1_000 } else { 1_000_000 };
        let work = || {
            let arena = Arena::new();
            let deep = |last| (0..LEVELS).fold(last, |ty, _| Type::List(arena.bump().alloc(ty)));
            let ty = deep(Type::Bool);
            assert_eq!((ty.depth(), ty.size()), (LEVELS + 1, LEVELS as u64 + 1));
            assert!(ty == deep(Type::Bool) && ty != deep(Type::String) && !ty.has_dynamic());
            assert!(ty.without_optional_attributes(&arena) == ty);
            assert_eq!(ty.to_string(), format!("{}…", "list of ".repeat(16)));
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(work);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}

//! Types of values.
//!
//! A type is a `Copy` handle; its parts are shared. Properties of a whole type (its depth, its
//! size, whether any part is dynamic or optional) are kept with its parts. Every walk here visits
//! each distinct part once, without recursion.

use std::fmt;

use smallvec::SmallVec;

use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};

/// A type of the HCL type system.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::Type;
///
/// let arena = Arena::new();
/// let ty = Type::map_of(&arena, Type::String);
/// assert_eq!((ty.to_string(), ty.element()), ("map of string".to_owned(), Some(Type::String)));
/// ```
#[derive(Clone, Copy)]
pub enum Type<'a> {
    /// Any type: the type of a `null` without a type, and of values whose type is not known yet.
    Dynamic,
    /// `bool`.
    Bool,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(…)`: elements of one type, in order.
    List(&'a ElementType<'a>),
    /// `set(…)`: distinct elements of one type.
    Set(&'a ElementType<'a>),
    /// `map(…)`: values of one type, by name.
    Map(&'a ElementType<'a>),
    /// `object({…})`: a type for each name, sorted by name.
    Object(&'a PartTypes<'a, AttributeType<'a>>),
    /// `tuple([…])`: a type for each element.
    Tuple(&'a PartTypes<'a, Type<'a>>),
}

/// The type of the elements of a list, a set or a map.
///
/// ```
/// use simd_hcl::value::{ElementType, Type};
///
/// let numbers = Type::List(ElementType::NUMBER);
/// assert_eq!(numbers.to_string(), "list of number");
/// const MATRIX: Type<'static> = Type::List(&ElementType::new(Type::List(ElementType::NUMBER)));
/// assert_eq!(MATRIX.element(), Some(numbers));
/// ```
#[derive(Clone, Copy)]
pub struct ElementType<'a> {
    ty: Type<'a>,
    facts: Facts,
}

impl ElementType<'static> {
    /// Elements of any type.
    pub const DYNAMIC: &'static Self = &Self::new(Type::Dynamic);
    /// Booleans.
    pub const BOOL: &'static Self = &Self::new(Type::Bool);
    /// Numbers.
    pub const NUMBER: &'static Self = &Self::new(Type::Number);
    /// Strings.
    pub const STRING: &'static Self = &Self::new(Type::String);
}

impl<'a> ElementType<'a> {
    /// Elements of a type.
    #[must_use]
    pub const fn new(ty: Type<'a>) -> Self {
        Self { ty, facts: Facts::PRIMITIVE.with(ty.facts()) }
    }

    /// The type.
    #[must_use]
    pub const fn ty(&self) -> Type<'a> {
        self.ty
    }
}

/// The types of an object's attributes or a tuple's elements, in order. Dereferences to a slice.
///
/// ```
/// use simd_hcl::value::{AttributeType, PartTypes, Type};
///
/// const SIZE: AttributeType<'static> = AttributeType { name: "size", ty: Type::Number, optional: false };
/// const DISK: Type<'static> = Type::Object(&PartTypes::of_object(&[SIZE]));
/// assert_eq!(DISK.attribute("size").map(|size| size.ty), Some(Type::Number));
/// ```
#[derive(Clone, Copy)]
pub struct PartTypes<'a, T> {
    parts: &'a [T],
    facts: Facts,
}

impl<'a> PartTypes<'a, Type<'a>> {
    /// Returns the parts of a tuple.
    #[must_use]
    pub const fn of_tuple(elements: &'a [Type<'a>]) -> Self {
        let mut facts = Facts::PRIMITIVE;
        let mut at = 0;
        while at < elements.len() {
            facts = facts.with(elements[at].facts());
            at += 1;
        }
        Self { parts: elements, facts }
    }
}

impl<'a> PartTypes<'a, AttributeType<'a>> {
    /// Returns the parts of an object. The attributes must be sorted by name, without duplicates.
    #[must_use]
    pub const fn of_object(attributes: &'a [AttributeType<'a>]) -> Self {
        let mut facts = Facts::PRIMITIVE;
        let mut at = 0;
        while at < attributes.len() {
            debug_assert!(
                at == 0 || is_before(attributes[at - 1].name, attributes[at].name),
                "attributes are sorted by name"
            );
            facts = facts.with(attributes[at].ty.facts());
            facts.has_optional |= attributes[at].optional;
            at += 1;
        }
        Self { parts: attributes, facts }
    }
}

/// Whether a name is before another one in the order of their bytes.
const fn is_before(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

impl<T> std::ops::Deref for PartTypes<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.parts
    }
}

impl<'a, T> IntoIterator for &PartTypes<'a, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.iter()
    }
}

impl<'a, T> PartTypes<'a, T> {
    /// The parts, with the lifetime of the arena.
    #[must_use]
    pub const fn as_slice(&self) -> &'a [T] {
        self.parts
    }
}

/// Properties of a whole type.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Facts {
    /// The number of types in it, itself included. Shared parts count each time.
    size: u64,
    /// The maximum nesting depth, itself included.
    depth: u32,
    has_dynamic: bool,
    /// Whether it has optional attributes.
    has_optional: bool,
}

impl Facts {
    /// The facts of a type without parts.
    const PRIMITIVE: Self = Self { size: 1, depth: 1, has_dynamic: false, has_optional: false };

    /// Returns the facts of the type with one more part.
    const fn with(self, part: Self) -> Self {
        let depth = part.depth.saturating_add(1);
        Self {
            size: self.size.saturating_add(part.size),
            depth: if depth > self.depth { depth } else { self.depth },
            has_dynamic: self.has_dynamic || part.has_dynamic,
            has_optional: self.has_optional || part.has_optional,
        }
    }
}

/// Sorts attributes by name, and keeps the order of those with the same name. A function, because
/// every closure that compares would compile a sort of its own.
pub(crate) fn sort_attributes(attributes: &mut [AttributeType<'_>]) {
    attributes.sort_by_key(|attribute| attribute.name);
}

/// An attribute of an object type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttributeType<'a> {
    /// Its name, in normal form C.
    pub name: &'a str,
    /// Its type.
    pub ty: Type<'a>,
    /// Whether a value may lack it when it is converted to the type. Only set in type constraints.
    pub optional: bool,
}

impl<'a> Type<'a> {
    /// Whether it is `bool`, `number` or `string`.
    #[must_use]
    pub const fn is_primitive(self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }

    /// Whether it is a list, set or map.
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
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(element.ty()),
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

    const fn facts(self) -> Facts {
        match self {
            Self::Dynamic => Facts { has_dynamic: true, ..Facts::PRIMITIVE },
            Self::Bool | Self::Number | Self::String => Facts::PRIMITIVE,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.facts,
            Self::Object(attributes) => attributes.facts,
            Self::Tuple(elements) => elements.facts,
        }
    }

    /// Whether the dynamic type occurs in it.
    #[must_use]
    pub const fn has_dynamic(self) -> bool {
        self.facts().has_dynamic
    }

    /// The maximum nesting depth, itself included.
    pub(super) const fn depth(self) -> usize {
        self.facts().depth as usize
    }

    /// The number of types in it, itself included. Shared parts count each time.
    pub(crate) const fn size(self) -> u64 {
        self.facts().size
    }

    /// Returns a list of elements of a type.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Type;
    ///
    /// let arena = Arena::new();
    /// assert_eq!(Type::list_of(&arena, Type::Number).to_string(), "list of number");
    /// ```
    #[must_use]
    pub fn list_of(arena: &'a Arena, element: Self) -> Self {
        Self::List(arena.bump().alloc(ElementType::new(element)))
    }

    /// Returns a set of elements of a type.
    #[must_use]
    pub fn set_of(arena: &'a Arena, element: Self) -> Self {
        Self::Set(arena.bump().alloc(ElementType::new(element)))
    }

    /// Returns a map of values of a type.
    #[must_use]
    pub fn map_of(arena: &'a Arena, element: Self) -> Self {
        Self::Map(arena.bump().alloc(ElementType::new(element)))
    }

    /// Returns a tuple of elements of these types.
    #[must_use]
    pub fn tuple_of(arena: &'a Arena, elements: &[Self]) -> Self {
        let bump = arena.bump();
        Self::Tuple(bump.alloc(PartTypes::of_tuple(bump.alloc_slice_copy(elements))))
    }

    /// Returns an object with these attributes, which must be sorted by name, without duplicates.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::{AttributeType, Type};
    ///
    /// let arena = Arena::new();
    /// let name = AttributeType { name: "name", ty: Type::String, optional: true };
    /// let ty = Type::object_of(&arena, &[name]);
    /// assert_eq!(ty.attribute("name").unwrap().ty, Type::String);
    /// ```
    #[must_use]
    pub fn object_of(arena: &'a Arena, attributes: &[AttributeType<'a>]) -> Self {
        let bump = arena.bump();
        Self::Object(bump.alloc(PartTypes::of_object(bump.alloc_slice_copy(attributes))))
    }

    /// Returns the type without optional attributes at any depth. Cost: linear in its distinct
    /// parts.
    #[must_use]
    pub fn without_optional_attributes(self, arena: &'a Arena) -> Self {
        self.strict(arena, &mut HashMap::default())
    }

    /// Like [`Type::without_optional_attributes`], with the results of previous calls in `done`.
    pub(super) fn strict(self, arena: &'a Arena, done: &mut HashMap<Id, Self>) -> Self {
        if !self.facts().has_optional {
            return self;
        }
        if let Some(strict) = done.get(&self.id()) {
            return *strict;
        }
        fold(self, done, |ty, parts| match ty.facts().has_optional {
            true => ty.with_parts(arena, parts),
            false => ty,
        })
    }

    /// Returns the type with other parts, none of them optional.
    fn with_parts(self, arena: &'a Arena, parts: &[Self]) -> Self {
        let first = || parts.first().copied().unwrap_or(Self::Dynamic);
        match self {
            Self::List(_) => Self::list_of(arena, first()),
            Self::Set(_) => Self::set_of(arena, first()),
            Self::Map(_) => Self::map_of(arena, first()),
            Self::Tuple(_) => Self::tuple_of(arena, parts),
            Self::Object(attributes) => {
                let named = attributes.iter().zip(parts);
                let named =
                    named.map(|(each, &ty)| AttributeType { name: each.name, ty, optional: false });
                Self::object_of(arena, &named.collect::<Vec<_>>())
            }
            _ => self,
        }
    }

    /// The types of its parts.
    pub(super) fn parts(self) -> Parts<'a> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => {
                Parts::Elements(std::slice::from_ref(&element.ty))
            }
            Self::Object(attributes) => Parts::Attributes(attributes.parts),
            Self::Tuple(elements) => Parts::Elements(elements.parts),
            _ => Parts::Elements(&[]),
        }
    }

    /// Returns an identity without visiting the parts: types with the same identity are equal, but
    /// equal types may have different identities.
    pub(super) fn id(self) -> Id {
        match self {
            Self::Dynamic => Id(0, 0),
            Self::Bool => Id(1, 0),
            Self::Number => Id(2, 0),
            Self::String => Id(3, 0),
            Self::List(element) => Id(4, std::ptr::from_ref(element) as usize),
            Self::Set(element) => Id(5, std::ptr::from_ref(element) as usize),
            Self::Map(element) => Id(6, std::ptr::from_ref(element) as usize),
            Self::Object(attributes) => Id(7, std::ptr::from_ref(attributes) as usize),
            Self::Tuple(elements) => Id(8, std::ptr::from_ref(elements) as usize),
        }
    }

    /// Its name in messages: `list of string`.
    #[must_use]
    pub fn friendly_name(self) -> std::borrow::Cow<'static, str> {
        self.to_string().into()
    }

    /// The name with its article: `a list of string`, `an object`.
    pub(crate) fn with_article(self) -> String {
        match self {
            Self::Dynamic => "a value of any type".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            _ => format!("a {self}"),
        }
    }
}

/// The types of a type's parts.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    Elements(&'a [Type<'a>]),
    Attributes(&'a [AttributeType<'a>]),
}

impl<'a> Parts<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Attributes(attributes) => attributes.len(),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub(super) fn get(self, place: usize) -> Option<Type<'a>> {
        match self {
            Self::Elements(elements) => elements.get(place).copied(),
            Self::Attributes(attributes) => attributes.get(place).map(|each| each.ty),
        }
    }

    fn iter(self) -> impl Iterator<Item = Type<'a>> {
        (0..self.len()).filter_map(move |place| self.get(place))
    }
}

/// See [`Type::id`]: the kind of type, and the address of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(u8, usize);

/// Combines a type with the results for its parts, bottom up, each distinct part once. `done` has
/// the results of previous calls, and gets those of this call.
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

/// Compares types. Visits each distinct pair of parts once over all comparisons.
#[derive(Default)]
pub(super) struct SameTypes {
    compared: usize,
    /// Equal pairs, as long as every comparison so far was equal.
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
            if one_id.0 != other_id.0
                || one.parts().len() != other.parts().len()
                || one.facts() != other.facts()
            {
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
    /// Writes the reference's friendly name: `list of string`, `object`. A name of more than 16
    /// levels is truncated.
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
            ty = element.ty();
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

    use simd_hcl_corpus::sized;

    use super::*;

    thread_local! {
        /// The number of parts that walks of this thread have visited.
        pub(in crate::value) static VISITED: Cell<usize> = const { Cell::new(0) };
    }

    /// Returns a type that is a tree of 2^levels parts.
    pub(in crate::value) fn doubled<'a>(
        arena: &'a Arena,
        levels: usize,
        last: Type<'a>,
    ) -> Type<'a> {
        (0..levels).fold(last, |ty, level| {
            if level % 2 == 0 {
                return Type::tuple_of(arena, &[ty, ty]);
            }
            let attribute = |name, optional| AttributeType { name, ty, optional };
            Type::object_of(arena, &[attribute("a", false), attribute("b", true)])
        })
    }

    /// Returns the number of parts that `walk` visits.
    pub(in crate::value) fn visits(walk: impl FnOnce()) -> usize {
        let before = VISITED.get();
        walk();
        VISITED.get() - before
    }

    /// Properties of a whole type are kept with its parts, so reading them visits no part.
    #[test]
    fn facts_are_kept() {
        let arena = Arena::new();
        for levels in [0, 1, 2, 5, 100] {
            let (closed, open) =
                (doubled(&arena, levels, Type::Bool), doubled(&arena, levels, Type::Dynamic));
            let visited = visits(|| {
                assert!(!closed.has_dynamic() && open.has_dynamic());
                assert_eq!((closed.depth(), open.depth()), (levels + 1, levels + 1));
                let size = 1_u64.checked_shl(levels as u32 + 1).map_or(u64::MAX, |size| size - 1);
                assert_eq!((closed.size(), open.size()), (size, size));
                // Every second level is an object with an optional attribute.
                assert_eq!(closed.facts().has_optional, levels >= 2);
            });
            assert_eq!(visited, 0);
            let strict = closed.without_optional_attributes(&arena);
            assert!(!strict.facts().has_optional && strict.depth() == closed.depth());
        }
        let text = Type::map_of(&arena, Type::String);
        assert_eq!((text.depth(), text.size()), (2, 2));
        assert_eq!(Type::tuple_of(&arena, &[]).depth(), 1);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "attributes are sorted by name")]
    fn attributes_are_sorted() {
        let attribute = |name| AttributeType { name, ty: Type::Bool, optional: false };
        let _ = Type::object_of(&Arena::new(), &[attribute("b"), attribute("a")]);
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
    fn names_come_in_the_order_of_their_bytes() {
        let names = ["", "a", "aa", "ab", "b", "Z", "z", "é", "e\u{301}", "漢"];
        for one in names {
            for other in names {
                assert_eq!(is_before(one, other), one < other, "{one} {other}");
            }
        }
    }

    #[test]
    fn a_million_levels() {
        let levels = if cfg!(miri) { 1_000 } else { sized([100_000, 1_000_000, 10_000_000]) };
        let work = move || {
            let arena = Arena::new();
            let deep = |last| (0..levels).fold(last, |ty, _| Type::list_of(&arena, ty));
            let ty = deep(Type::Bool);
            assert_eq!((ty.depth(), ty.size()), (levels + 1, levels as u64 + 1));
            assert!(ty == deep(Type::Bool) && ty != deep(Type::String) && !ty.has_dynamic());
            assert!(ty.without_optional_attributes(&arena) == ty);
            assert_eq!(ty.to_string(), format!("{}…", "list of ".repeat(16)));
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(work);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}

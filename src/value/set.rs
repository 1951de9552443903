//! Sets: their elements sorted, each once.

use super::key::{self, Key};
use super::{Marks, Type, Value};
use crate::arena::Arena;

impl<'a> Value<'a> {
    /// A set of elements that are of the type already: sorted, each once. What marks elements have,
    /// the set has.
    #[must_use]
    pub fn set(arena: &'a Arena, element: Type<'a>, elements: &[Self]) -> Self {
        let mut marks = Marks::NONE;
        let mut distinct: Vec<Self> = Vec::with_capacity(elements.len());
        for element in elements {
            let (element, inner) = element.unmark_deep(arena);
            marks = marks.with(inner);
            distinct.push(element);
        }
        if element.is_primitive() {
            distinct.sort_by_cached_key(|element| Key::of(*element));
        } else {
            // A key is as large as the element, however soon two of them differ.
            distinct.sort_by(|one, other| key::order(*one, *other));
        }
        // Unknown elements may turn out to be any: they stay apart.
        distinct.dedup_by(|one, other| one.is_wholly_known() && key::order(*one, *other).is_eq());
        let ty = Type::set_of(arena, element);
        Self::of_elements(ty, arena.bump().alloc_slice_copy(&distinct)).with_marks(marks)
    }
}

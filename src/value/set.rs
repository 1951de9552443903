//! Sets: sorted elements without duplicates.

use super::key::{self, Key};
use super::{Marks, Type, Value};
use crate::arena::Arena;

impl<'a> Value<'a> {
    /// Returns a set of elements that already have the type. Sorts them and drops duplicates. The
    /// set gets the marks of its elements.
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
            // A key takes as much memory as its element, although a comparison may end early.
            distinct.sort_by(|one, other| key::order(*one, *other));
        }
        // Unknown elements may become any value, so they are not duplicates.
        distinct.dedup_by(|one, other| one.is_wholly_known() && key::order(*one, *other).is_eq());
        let ty = Type::set_of(arena, element);
        Self::of_elements(ty, arena.bump().alloc_slice_copy(&distinct)).with_marks(marks)
    }
}

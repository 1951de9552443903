//! What is known of pairs of types while they are converted, unified and compared.
//!
//! Types share their parts, so a type of a few dozen distinct parts can be a tree of billions. The
//! relations between types ask the same of the same parts again and again; each answer is kept, so
//! that the cost is that of the distinct pairs of parts.

use std::cmp::Ordering;

use super::limits::Room;
use super::types::{Id, SameTypes, Type};
use crate::arena::Arena;
use crate::hash::HashMap;

/// Answers about types that were given before, by the identities of the types.
pub(super) struct Relations<'a> {
    pub(super) arena: &'a Arena,
    same: SameTypes,
    /// Whether values of the first convert to the second.
    pub(super) possible: HashMap<(Id, Id), bool>,
    /// What several types have in common.
    pub(super) unified: HashMap<Vec<Id>, Option<Type<'a>>>,
    /// Which of two is preferred.
    pub(super) compared: HashMap<(Id, Id), Ordering>,
    /// The second, with what is dynamic in it taken from the first.
    pub(super) settled: HashMap<(Id, Id), Type<'a>>,
    strict: HashMap<Id, Type<'a>>,
    /// Whether long texts of numbers are left out.
    pub(super) is_brief: bool,
    /// The attributes that may still be filled in.
    pub(super) room: Room,
}

impl<'a> Relations<'a> {
    /// Nothing is known yet.
    pub(super) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            same: SameTypes::default(),
            possible: HashMap::default(),
            unified: HashMap::default(),
            compared: HashMap::default(),
            settled: HashMap::default(),
            strict: HashMap::default(),
            is_brief: false,
            room: Room::of(1),
        }
    }

    /// Whether two types are the same.
    pub(super) fn are_same(&mut self, one: Type<'a>, other: Type<'a>) -> bool {
        self.same.are_same(one, other)
    }

    /// A type with no attribute optional.
    pub(super) fn strict(&mut self, ty: Type<'a>) -> Type<'a> {
        ty.strict(self.arena, &mut self.strict)
    }
}

/// Counts a pair of types that is looked into, for tests.
#[cfg(test)]
pub(super) fn count_step() {
    tests::STEPS.set(tests::STEPS.get() + 1);
}

#[cfg(not(test))]
pub(super) fn count_step() {}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// Pairs of types that this thread has looked into.
        pub(in crate::value) static STEPS: Cell<usize> = const { Cell::new(0) };
    }
}

//! Known relations between pairs of types, for conversion, unification and comparison.
//!
//! Types share their parts, so a type of a few dozen distinct parts can be a tree of billions. The
//! same questions arise about the same parts again and again. Each answer is kept, so the cost
//! depends only on the number of distinct pairs of parts.

use std::cmp::Ordering;

use super::limits::Room;
use super::types::{Id, SameTypes, Type};
use crate::arena::Arena;
use crate::hash::HashMap;

/// Answers about types, by the identities of the types.
pub(super) struct Relations<'a> {
    pub(super) arena: &'a Arena,
    same: SameTypes,
    /// Whether values of the first type convert to the second.
    pub(super) possible: HashMap<(Id, Id), bool>,
    /// The type that several types have in common.
    pub(super) unified: HashMap<Vec<Id>, Option<Type<'a>>>,
    /// The order of preference of two types.
    pub(super) compared: HashMap<(Id, Id), Ordering>,
    /// The second type, with its dynamic parts replaced by those of the first.
    pub(super) settled: HashMap<(Id, Id), Type<'a>>,
    strict: HashMap<Id, Type<'a>>,
    /// Whether long texts of numbers become unknown.
    pub(super) is_brief: bool,
    /// The number of attributes that may still be filled in.
    pub(super) room: Room,
}

impl<'a> Relations<'a> {
    /// Returns relations without any known answers.
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

    /// Returns the type without optional attributes.
    pub(super) fn strict(&mut self, ty: Type<'a>) -> Type<'a> {
        ty.strict(self.arena, &mut self.strict)
    }
}

/// Counts a visited pair of types, for tests.
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
        /// The number of pairs of types that this thread has visited.
        pub(in crate::value) static STEPS: Cell<usize> = const { Cell::new(0) };
    }
}

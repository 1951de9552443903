//! Which entries of its schema a body has.

use smallvec::SmallVec;

use super::schema::Schema;
use crate::hash::HashMap;
use crate::steps::step;

/// With at most this many entries, there is a number for each.
const MOST: usize = 256;

/// A number for each entry of a schema, 0 at first.
///
/// Cost: constant, however large the schema is.
pub(super) enum Found {
    All(SmallVec<[u32; 32]>),
    /// Those that are not 0.
    Some(HashMap<usize, u32>),
}

impl Found {
    pub(super) fn of(schema: &Schema<'_>) -> Self {
        step();
        match schema.len() {
            len @ ..=MOST => Self::All(SmallVec::from_elem(0, len)),
            _ => Self::Some(HashMap::default()),
        }
    }

    /// The number of an entry, by [`Entry::index`](super::schema::Entry::index).
    #[inline]
    pub(super) fn at(&mut self, index: usize) -> &mut u32 {
        match self {
            Self::All(places) => &mut places[index],
            Self::Some(places) => places.entry(index).or_default(),
        }
    }

    /// Whether the number of an entry is 0.
    #[inline]
    pub(super) fn is_empty_at(&self, index: usize) -> bool {
        match self {
            Self::All(places) => places[index] == 0,
            Self::Some(places) => places.get(&index).is_none_or(|place| *place == 0),
        }
    }
}

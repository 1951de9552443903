//! Look-ups in owned lists that keep their own order.

use std::cmp::Ordering;

/// The places of the items of a list, in the order of their keys.
///
/// Facts are compared and hashed, which a hash table with a key of its own cannot be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sorted(Box<[u32]>);

impl Sorted {
    /// Sorts the places of items by `compare`; items that are equal keep their order.
    pub(super) fn of<T>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Self {
        let mut places: Box<[u32]> = (0..items.len() as u32).collect();
        places.sort_by(|one, other| compare(&items[*one as usize], &items[*other as usize]));
        Self(places)
    }

    /// The place of the first item that is equal to what `compare` looks for. Cost: logarithmic.
    pub(super) fn find<T>(&self, items: &[T], compare: impl Fn(&T) -> Ordering) -> Option<usize> {
        let item = |place: &u32| items.get(*place as usize);
        let first = self.0.partition_point(|it| item(it).is_some_and(|it| compare(it).is_lt()));
        let place = self.0.get(first)?;
        item(place).filter(|it| compare(it).is_eq()).map(|_| *place as usize)
    }
}

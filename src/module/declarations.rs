//! Declared objects of one kind: in order, and by name.
//!
//! Names are not copied: the table that finds an object by its key uses a few bytes per object, and
//! asks the object itself for its key.

use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::Keyed;

/// An object that has a key among those of its kind.
pub trait Declared<K> {
    /// Its name, or another value that identifies it. It does not change once the object is
    /// declared.
    fn key(&self) -> K;
}

/// Implements [`Declared`] for objects whose key is in their fields. `'k` is a lifetime within that
/// of the object, so that a look-up does not need a key that lives as long.
macro_rules! declared {
    ($($object:ident: $key:ty = |$each:ident| $value:expr;)*) => {$(
        impl<'k, 'a: 'k> $crate::module::Declared<$key> for $object<'a> {
            fn key(&self) -> $key {
                let $each = self;
                $value
            }
        }
    )*};
}
pub(crate) use declared;

/// Declared objects in the order of the files, found by their keys in constant time.
#[derive(Clone, Debug)]
pub struct Declarations<K, T> {
    items: Vec<T>,
    /// The hash of each key, and the place of its object.
    places: HashTable<(u32, u32)>,
    key: PhantomData<K>,
}

impl<K, T> Default for Declarations<K, T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: HashTable::new(), key: PhantomData }
    }
}

impl<K, T> Declarations<K, T> {
    /// The objects, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The objects, in order.
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Frees the room for further objects.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to_fit();
    }

    /// The object at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&T> {
        self.items.get(place as usize)
    }

    /// The object at a place. Its key must not be changed.
    pub(crate) fn at_mut(&mut self, place: u32) -> Option<&mut T> {
        self.items.get_mut(place as usize)
    }
}

impl<K: Copy + Eq + Hash, T: Declared<K>> Declarations<K, T> {
    /// The object with that key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.items.get(self.place(key)? as usize)
    }

    /// The index of the object with this key among all, from 0.
    pub(crate) fn place(&self, key: K) -> Option<u32> {
        let hash = hash(key);
        let is_it =
            |&(known, place): &(u32, u32)| known == hash && self.items[place as usize].key() == key;
        self.places.find(spread(hash), is_it).map(|&(_, place)| place)
    }

    /// Adds an object. If another one has its key, returns the other's place and the new object.
    #[inline]
    pub(crate) fn declare(&mut self, key: K, item: T) -> Result<(), (&mut T, T)> {
        let hash = hash(key);
        let items = &mut self.items;
        let is_it =
            |&(known, place): &(u32, u32)| known == hash && items[place as usize].key() == key;
        match self.places.entry(spread(hash), is_it, |&(hash, _)| spread(hash)) {
            Entry::Occupied(entry) => Err((&mut items[entry.get().1 as usize], item)),
            Entry::Vacant(entry) => {
                entry.insert((hash, items.len() as u32));
                items.push(item);
                Ok(())
            }
        }
    }
}

impl<K: Copy + Eq + Hash, T: Declared<K>> Declarations<K, T> {
    /// Declares an object of a kind whose first declaration counts. Reports a later one at its
    /// `place`, and returns it.
    pub(crate) fn declare_first<'a>(
        &mut self,
        item: T,
        kind: &'static str,
        place: impl Fn(&T) -> Label<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<T> {
        let (earlier, item) = self.declare(item.key(), item).err()?;
        sink.report(duplicate(kind, place(&item), place(earlier)));
        Some(item)
    }

    /// Declares an object of a kind whose last declaration counts. Reports all but the first at
    /// their `place`.
    pub(crate) fn declare_last<'a>(
        &mut self,
        item: T,
        kind: &'static str,
        place: impl Fn(&T) -> Label<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        if let Err((earlier, item)) = self.declare(item.key(), item) {
            sink.report(duplicate(kind, place(&item), place(earlier)));
            *earlier = item;
        }
    }
}

/// The diagnostic for a second declaration.
#[cold]
pub(crate) fn duplicate<'a>(
    kind: &'static str,
    later: Label<'a>,
    earlier: Label<'a>,
) -> Diagnostic<'a> {
    Diagnostic::new(Code::DuplicateDeclaration, later)
        .with_arguments(&[kind])
        .with_related(earlier, "declared first here")
}

fn hash<K: Hash>(key: K) -> u32 {
    let hash = Keyed::default().hash_one(key);
    (hash ^ hash >> 32) as u32
}

/// Spreads a hash to the highest and the lowest bits, which the table uses.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl<'d, K, T> IntoIterator for &'d Declarations<K, T> {
    type Item = &'d T;
    type IntoIter = std::slice::Iter<'d, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Declarations, Declared};

    #[derive(Clone, Debug, PartialEq)]
    struct Item(u32, &'static str);

    impl Declared<u32> for Item {
        fn key(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn objects_are_found_by_their_keys() {
        let mut all = Declarations::default();
        assert!(all.get(0).is_none());
        for number in 0..10_000 {
            let key = number * 64 % 9973 + number / 9973 * 9973;
            assert!(all.declare(key, Item(key, "first")).is_ok(), "{key}");
            let (earlier, later) = all.declare(key, Item(key, "second")).unwrap_err();
            assert_eq!((&*earlier, later), (&Item(key, "first"), Item(key, "second")));
            assert_eq!(all.place(key), Some(number));
        }
        assert_eq!(all.len(), 10_000);
        for (place, item) in all.iter().enumerate() {
            assert_eq!(all.place(item.0), Some(place as u32));
        }
        assert!(all.get(10_000).is_none());
        assert!(all.get(u32::MAX).is_none());
    }
}

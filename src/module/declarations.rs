//! Declared objects of one kind: in order, and by name.
//!
//! Names are not copied: the table that finds an object by its key has a few bytes for each, and asks the object itself
//! for its key.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rustc_hash::FxHasher;

/// An object that has a key among those of its kind.
pub trait Declared<K> {
    /// Its name, or what else it is told apart by. It does not change once the object is declared.
    fn key(&self) -> K;
}

/// Implements [`Declared`] for objects whose key is in their fields. `'k` is a lifetime within that of the object, so
/// that whoever asks needs no key that lives as long.
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
    /// By slot: a byte of the hash of the key that is there, never 0; 0 if the slot is free. There is a power of two
    /// of slots, at least twice as many as items, or none at all. A key is in the slot that its hash gives, or in the
    /// next free one behind it.
    tags: Vec<u8>,
    /// By slot: the hash of the key, and the place of its object.
    places: Vec<(u32, u32)>,
    key: PhantomData<K>,
}

impl<K, T> Default for Declarations<K, T> {
    fn default() -> Self {
        Self { items: Vec::new(), tags: Vec::new(), places: Vec::new(), key: PhantomData }
    }
}

impl<K, T> Declarations<K, T> {
    /// The objects, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The object at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&T> {
        self.items.get(place as usize)
    }

    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.tags.len()).max(8);
        let tags = std::mem::replace(&mut self.tags, vec![0; len]);
        let places = std::mem::replace(&mut self.places, vec![(0, 0); len]);
        for (tag, entry) in tags.into_iter().zip(places).filter(|(tag, _)| *tag > 0) {
            let mut slot = self.home(entry.0);
            while self.tags[slot] > 0 {
                slot = self.behind(slot);
            }
            self.tags[slot] = tag;
            self.places[slot] = entry;
        }
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    fn behind(&self, slot: usize) -> usize {
        (slot + 1) & (self.tags.len() - 1)
    }
}

impl<K: Copy + Eq + Hash, T: Declared<K>> Declarations<K, T> {
    /// The object with that key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.items.get(self.place(key)? as usize)
    }

    /// The place of that object among all, from 0.
    pub(crate) fn place(&self, key: K) -> Option<u32> {
        if self.items.is_empty() {
            return None;
        }
        let slot = self.slot(hash(key), key);
        (self.tags[slot] > 0).then(|| self.places[slot].1)
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let place = self.place(key)?;
        self.items.get_mut(place as usize)
    }

    /// Adds an object, unless one has its key: then that one and the new one are given back.
    #[inline]
    pub(crate) fn declare(&mut self, key: K, item: T) -> Result<(), (&mut T, T)> {
        if 2 * (self.items.len() + 1) > self.tags.len() {
            self.grow();
        }
        let hash = hash(key);
        let slot = self.slot(hash, key);
        if self.tags[slot] > 0 {
            return Err((&mut self.items[self.places[slot].1 as usize], item));
        }
        self.tags[slot] = tag(hash);
        self.places[slot] = (hash, self.items.len() as u32);
        self.items.push(item);
        Ok(())
    }

    /// The slot of a key, or the free one that it would get. There are slots.
    fn slot(&self, hash: u32, key: K) -> usize {
        let mut slot = self.home(hash);
        loop {
            match self.tags[slot] {
                0 => return slot,
                there if there == tag(hash) => {
                    let (known, place) = self.places[slot];
                    if known == hash && self.items[place as usize].key() == key {
                        return slot;
                    }
                }
                _ => {}
            }
            slot = self.behind(slot);
        }
    }
}

fn hash<K: Hash>(key: K) -> u32 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

/// The highest byte of a hash, on which its slot depends last.
fn tag(hash: u32) -> u8 {
    (hash >> 24) as u8 | 1
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

//! Declared objects of one kind: in order, and by name.
//!
//! Names are not copied: the table that finds an object by its key has eight bytes for each, and asks the object itself
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
    /// A power of two of slots, at least twice as many as items; or none at all.
    slots: Vec<Slot>,
    key: PhantomData<K>,
}

/// The hash of a key, and 1 + the place of its object; empty if that is 0. A key stands at the place that its hash
/// gives, or in the next free slot behind it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    number: u32,
}

impl<K, T> Default for Declarations<K, T> {
    fn default() -> Self {
        Self { items: Vec::new(), slots: Vec::new(), key: PhantomData }
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

    /// Makes room for one more object.
    fn grow(&mut self) {
        if 2 * (self.items.len() + 1) <= self.slots.len() {
            return;
        }
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![Slot::default(); (2 * old.len()).max(8)];
        for slot in old.into_iter().filter(|slot| slot.number > 0) {
            let mut at = self.home(slot.hash);
            while self.slots[at].number > 0 {
                at = self.behind(at);
            }
            self.slots[at] = slot;
        }
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn behind(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
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
        self.slots[self.slot(hash(key), key)].number.checked_sub(1)
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let place = self.place(key)?;
        self.items.get_mut(place as usize)
    }

    /// Adds an object, unless one has its key: then that one and the new one are given back.
    pub(crate) fn declare(&mut self, key: K, item: T) -> Result<(), (&mut T, T)> {
        self.grow();
        let hash = hash(key);
        let slot = self.slot(hash, key);
        match self.slots[slot].number.checked_sub(1) {
            Some(place) => Err((&mut self.items[place as usize], item)),
            None => {
                self.items.push(item);
                self.slots[slot] = Slot { hash, number: self.items.len() as u32 };
                Ok(())
            }
        }
    }

    /// The slot of a key, or the empty one that it would get. There are slots.
    fn slot(&self, hash: u32, key: K) -> usize {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            let Some(place) = slot.number.checked_sub(1) else { return at };
            if slot.hash == hash && self.items[place as usize].key() == key {
                return at;
            }
            at = self.behind(at);
        }
    }
}

fn hash<K: Hash>(key: K) -> u32 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
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

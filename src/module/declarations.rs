//! Declared objects of one kind: in order, and by name.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Declared objects in the order of the files, found by their keys in constant time.
#[derive(Clone, Debug)]
pub struct Declarations<K, T> {
    items: Vec<T>,
    places: FxHashMap<K, u32>,
}

impl<K, T> Default for Declarations<K, T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, T> Declarations<K, T> {
    /// The objects, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The object with that key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.items.get(self.place(key)? as usize)
    }

    /// The place of that object among all, from 0.
    pub(crate) fn place(&self, key: K) -> Option<u32> {
        self.places.get(&key).copied()
    }

    /// The object at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&T> {
        self.items.get(place as usize)
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

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let place = self.place(key)?;
        self.items.get_mut(place as usize)
    }

    /// Adds an object, unless one has its key: then that one and the new one are given back.
    pub(crate) fn declare(&mut self, key: K, item: T) -> Result<(), (&mut T, T)> {
        match self.places.entry(key) {
            std::collections::hash_map::Entry::Occupied(place) => {
                let earlier = &mut self.items[*place.get() as usize];
                Err((earlier, item))
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(self.items.len() as u32);
                self.items.push(item);
                Ok(())
            }
        }
    }
}

impl<'d, K: Copy + Eq + Hash, T> IntoIterator for &'d Declarations<K, T> {
    type Item = &'d T;
    type IntoIter = std::slice::Iter<'d, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

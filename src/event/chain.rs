//! Append-only lists in the arena that threads extend concurrently, without locks.

use std::iter::successors;
use std::sync::OnceLock;

use bumpalo::Bump;

use crate::steps::step;

/// Values by key, in insertion order. For few keys: a lookup is linear.
pub(super) struct Chain<'a, T>(OnceLock<&'a Entry<'a, T>>);

struct Entry<'a, T> {
    key: u32,
    value: T,
    next: Chain<'a, T>,
}

impl<'a, T> Chain<'a, T> {
    pub(super) fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns the value of `key`; if there is none, adds the result of `make`. No lock is held
    /// while `make` runs. If another thread adds the key meanwhile, its value is kept.
    pub(super) fn get_or_add(&self, key: u32, bump: &'a Bump, make: impl FnOnce() -> T) -> &'a T {
        let mut chain = self;
        while let Some(entry) = chain.0.get() {
            step();
            if entry.key == key {
                return &entry.value;
            }
            chain = &entry.next;
        }
        let value = make();
        let new: &'a Entry<'a, T> = bump.alloc(Entry { key, value, next: Self::new() });
        loop {
            let entry = chain.0.get_or_init(|| new);
            if entry.key == key {
                return &entry.value;
            }
            chain = &entry.next;
        }
    }

    /// The keys, in insertion order.
    pub(super) fn keys(&self) -> impl Iterator<Item = u32> {
        successors(self.0.get(), |entry| entry.next.0.get()).map(|entry| entry.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(chain: &Chain<'_, &str>) -> Vec<u32> {
        chain.keys().collect()
    }

    #[test]
    fn a_key_keeps_its_first_value() {
        let (bump, chain) = (Bump::new(), Chain::new());
        for key in [7, 3, 7, 3] {
            let name = if key == 7 { "seven" } else { "three" };
            assert_eq!(*chain.get_or_add(key, &bump, || name), name);
        }
        assert_eq!(*chain.get_or_add(7, &bump, || unreachable!("it is there")), "seven");
        assert_eq!(keys(&chain), [7, 3]);
    }

    /// Simulates in one thread how other threads add values while `make` runs.
    #[test]
    fn values_added_while_a_value_is_made_come_first() {
        let (bump, chain) = (Bump::new(), Chain::new());
        let slow = chain.get_or_add(1, &bump, || {
            chain.get_or_add(2, &bump, || "another key");
            chain.get_or_add(3, &bump, || "a third");
            "slow"
        });
        assert_eq!((*slow, keys(&chain)), ("slow", vec![2, 3, 1]));

        let second = chain.get_or_add(4, &bump, || {
            chain.get_or_add(5, &bump, || "another key");
            chain.get_or_add(4, &bump, || "first");
            "second"
        });
        assert_eq!((*second, keys(&chain)), ("first", vec![2, 3, 1, 5, 4]));
    }
}

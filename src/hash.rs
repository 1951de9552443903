//! Hash tables for keys that come from the input.
//!
//! The author of a file chooses its names. With a hash function that anyone can compute, they can
//! choose names with the same hash, so that every lookup compares all of them. So the library has
//! one hasher, [`Keyed`]: foldhash with a random seed, drawn once per process. Clippy forbids
//! hashers without a key (`clippy.toml`).
//!
//! The seed differs from run to run, and with it the iteration order of a table. Output must not
//! depend on that order: sort, or keep a list in addition to the table.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::steps::step;

/// The standard library's map with [`Keyed`] hashes.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Keyed>;

/// The standard library's set with [`Keyed`] hashes.
pub(crate) type HashSet<K> = std::collections::HashSet<K, Keyed>;

/// Builds hashers that start from the seed of this process.
#[derive(Clone, Copy)]
pub(crate) struct Keyed(&'static Seed);

struct Seed {
    hasher: u64,
    shared: SharedSeed,
}

/// Drawn from the standard library's `RandomState`, which asks the operating system: foldhash
/// itself would use addresses and the time.
static SEED: LazyLock<Seed> = LazyLock::new(|| {
    let random = RandomState::new();
    Seed { hasher: random.hash_one(0), shared: SharedSeed::from_u64(random.hash_one(1)) }
});

impl Default for Keyed {
    #[inline]
    fn default() -> Self {
        Self(&SEED)
    }
}

impl BuildHasher for Keyed {
    type Hasher = FoldHasher<'static>;

    #[inline]
    fn build_hasher(&self) -> FoldHasher<'static> {
        step();
        FoldHasher::with_seed(self.0.hasher, &self.0.shared)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "to show that the names collide without a key")]
mod tests {
    use std::cell::Cell;
    use std::hash::{BuildHasherDefault, Hash, Hasher};

    use super::*;

    thread_local! {
        static COMPARISONS: Cell<usize> = const { Cell::new(0) };
    }

    /// A name that counts how often it is compared.
    struct Counted<'n>(&'n [u8]);

    impl Hash for Counted<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            COMPARISONS.set(COMPARISONS.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    /// Returns the number of comparisons that it takes to insert all names into a set and to find
    /// each again.
    fn comparisons<S: BuildHasher + Default>(names: &[Vec<u8>]) -> usize {
        COMPARISONS.set(0);
        let mut set = std::collections::HashSet::<_, S>::default();
        for name in names.iter().chain(names) {
            set.insert(Counted(name));
        }
        assert_eq!(set.len(), names.len());
        COMPARISONS.get()
    }

    /// Names that have the same hash under [`Polynomial`]: all sequences of two pairs of characters
    /// that have the same hash.
    fn colliding(pairs: usize) -> Vec<Vec<u8>> {
        let name = |number: usize| -> Vec<u8> {
            (0..pairs)
                .flat_map(|pair| if number >> pair & 1 == 0 { *b"b_" } else { *b"a\x7E" })
                .collect()
        };
        (0..1 << pairs).map(name).collect()
    }

    /// `h * 31 + byte`, which `b_` and `a~` leave equal: 98 * 31 + 95 = 97 * 31 + 126.
    #[derive(Default)]
    struct Polynomial(u64);

    impl Hasher for Polynomial {
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(byte));
            }
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }

    /// Names whose first or last eight bytes cancel a publicly known seed, so that a hash by
    /// multiplication is zero: `seed`, followed by anything.
    fn cancelling(seed: u64, count: u64) -> Vec<Vec<u8>> {
        let seed = seed.to_le_bytes();
        (1..=count)
            .flat_map(|number| {
                let number = number.to_be_bytes();
                [[seed, number].concat(), [number, seed].concat()]
            })
            .collect()
    }

    #[test]
    fn colliding_names_cost_as_much_as_others() {
        let names = colliding(11);
        let unkeyed = comparisons::<BuildHasherDefault<Polynomial>>(&names);
        assert!(unkeyed > names.len() * names.len() / 4, "{unkeyed}: the names do not collide");

        // Half of all insertions find their name. Other names are only compared if seven bits of
        // both hashes are equal, and both are in the same group of slots.
        let other: Vec<Vec<u8>> = (0..names.len()).map(|n| n.to_string().into_bytes()).collect();
        let hexadecimal_pi = 0x243f_6a88_85a3_08d3;
        for names in [names, other, cancelling(hexadecimal_pi, 1024), cancelling(0, 1024)] {
            let keyed = comparisons::<Keyed>(&names);
            assert!(keyed < 2 * names.len(), "{keyed} comparisons of {} names", names.len());
        }
    }

    #[test]
    fn one_seed_for_the_whole_process() {
        let elsewhere = std::thread::spawn(|| Keyed::default().hash_one("name")).join().unwrap();
        assert_eq!(Keyed::default().hash_one("name"), elsewhere);
        assert_ne!(Keyed::default().hash_one("name"), Keyed::default().hash_one("other"));
    }
}

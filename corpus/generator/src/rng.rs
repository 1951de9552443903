//! The generator's source of numbers: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Integer arithmetic only, so a seed gives the same numbers on every platform. Every generated
//! item has its own generator, made from the seed, a name space and the item's index. So an item
//! does not depend on the items before it, and a reference can compute the name of its target
//! without building the target.

/// A SplitMix64 generator.
pub(crate) struct Rng(u64);

/// The finaliser of SplitMix64: a bijection on 64 bits.
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A bijection on 20 bits (those above are left alone), for short identifiers that never collide.
pub(crate) const fn mix20(index: u64) -> u64 {
    let mut z = index & 0xf_ffff;
    z = ((z ^ (z >> 11)) * 0x8_ca6b) & 0xf_ffff;
    z = ((z ^ (z >> 9)) * 0x2_ae35) & 0xf_ffff;
    (index & !0xf_ffff) | z ^ (z >> 10)
}

impl Rng {
    /// The generator of item `index` in `space` under `seed`.
    pub(crate) const fn of(seed: u64, space: u64, index: u64) -> Self {
        Self(mix(mix(mix(seed) ^ space) ^ index))
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, or 0 when `bound` is 0. The bias of multiply-shift is below
    /// `bound / 2^64`.
    pub(crate) const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// True once in `n` on average.
    pub(crate) const fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of `items`, which must not be empty.
    pub(crate) const fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{Rng, mix20};

    /// The published sequence for the initial state 1234567.
    #[test]
    fn matches_the_published_sequence() {
        let mut rng = Rng(1_234_567);
        let got: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        assert_eq!(
            got,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn mix20_is_a_bijection() {
        let mut seen = vec![false; 1 << 20];
        for index in 0..1 << 20 {
            assert!(!std::mem::replace(&mut seen[mix20(index) as usize], true));
        }
        assert_eq!(mix20(5 << 20), 5 << 20 | mix20(0));
    }

    #[test]
    fn below_stays_below_and_reaches_every_value() {
        let mut rng = Rng::of(1, 2, 3);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[rng.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(rng.below(0), 0);
    }
}

//! Sources of random decisions.

/// A source of decisions.
pub trait Entropy {
    /// A number below `bound`, which is not 0. An exhausted source gives 0.
    fn below(&mut self, bound: usize) -> usize;

    /// True `numerator` times in `denominator`. An exhausted source gives false.
    fn chance(&mut self, numerator: usize, denominator: usize) -> bool {
        self.below(denominator) >= denominator - numerator
    }

    /// One of `items`, which are not empty. An exhausted source gives the first.
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The decisions of the case `index` under `seed`.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        Self(mix(mix(seed) ^ index))
    }
}

impl Entropy for Seed {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mix(self.0)) * bound as u128) >> 64) as usize
    }
}

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A fuzzer's bytes, one for each decision.
#[derive(Clone, Debug)]
pub struct Bytes<'b>(pub &'b [u8]);

impl Entropy for Bytes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        match self.0 {
            [] => 0,
            [first, rest @ ..] => {
                self.0 = rest;
                usize::from(*first) % bound
            }
        }
    }
}

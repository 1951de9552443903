//! Stable sorting whose code exists once.
//!
//! The sorts of the standard library are compiled for each type and each comparison, 7 KB every time.
//! Here only the comparison and the exchange of elements are, and the places of the elements are
//! sorted. Public for the command line, and not part of the API. Lists that are sorted already, which most are, cost one pass and no memory. For lists that are
//! long and rarely sorted, use the standard library.

use std::cmp::Ordering;

use smallvec::SmallVec;

/// The elements whose places are sorted without memory of their own.
const FEW: usize = 16;

/// Sorts by keys; elements with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(elements: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(elements, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; equal elements keep their order.
pub fn sort_by<T>(elements: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if elements.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let shared = &*elements;
    let order = places(shared.len(), &|one, other| compare(&shared[one], &shared[other]));
    arrange(elements, order);
}

/// Sorts by keys that are made once for each element; elements with equal keys keep their order.
pub fn sort_by_cached_key<T, K: Ord>(elements: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = elements.iter().map(key).collect();
    if keys.is_sorted() {
        return;
    }
    arrange(elements, places(keys.len(), &|one, other| keys[one].cmp(&keys[other])));
}

/// Moves to each place the element that belongs there, by exchanges along the cycles of the permutation.
fn arrange<T>(elements: &mut [T], mut order: SmallVec<[usize; FEW]>) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            elements.swap(at, from);
            at = from;
        }
    }
}

/// Returns for each place the element that belongs there.
#[inline(never)]
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> SmallVec<[usize; FEW]> {
    let mut places: SmallVec<[usize; FEW]> = (0..count).collect();
    places.sort_by(|&one, &other| compare(one, other));
    places
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_cached_key, sort_by_key};

    /// As the standard library, for lists with equal keys, of every length up to 40.
    #[test]
    fn sorts_as_the_standard_library() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        };
        for length in 0..40 {
            for modulus in [2, 7, 256] {
                let list: Vec<(u32, usize)> = (0..length).map(|i| (next() % modulus, i)).collect();
                let mut expected = list.clone();
                expected.sort_by_key(|&(key, _)| key);
                let mut sorted = list.clone();
                sort_by_key(&mut sorted, |&(key, _)| key);
                assert_eq!(sorted, expected, "{list:?}");
                let mut sorted = list.clone();
                sort_by(&mut sorted, |one, other| one.0.cmp(&other.0));
                assert_eq!(sorted, expected, "{list:?}");
                let mut sorted = list.clone();
                sort_by_cached_key(&mut sorted, |one| one.0);
                assert_eq!(sorted, expected, "{list:?}");
            }
        }
    }
}

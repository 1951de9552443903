//! Stable sorting whose code exists once: the sorts of the standard library are compiled for each type,
//! 7 KB every time. Here only the comparison and the exchange of elements are.

use std::cmp::Ordering;

/// Sorts by keys; elements with equal keys keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(elements: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(elements, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; equal elements keep their order.
pub(crate) fn sort_by<T>(elements: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let shared = &*elements;
    let mut order = places(shared.len(), &|one, other| compare(&shared[one], &shared[other]));
    // Exchanges along the cycles of the permutation.
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
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&one, &other| compare(one, other));
    places
}

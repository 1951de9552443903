//! Numbers for objects of several kinds, kind by kind.

use std::ops::Range;

/// Where the numbers of each of some kinds start. They count from 0, kind by kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering<const KINDS: usize> {
    /// Where the numbers of each kind end, and those of the next one start.
    ends: [u32; KINDS],
}

impl<const KINDS: usize> Numbering<KINDS> {
    /// The numbering of these numbers of objects of each kind.
    pub(crate) fn of(counts: [usize; KINDS]) -> Self {
        let mut end = 0;
        Self {
            ends: counts.map(|count| {
                end += count as u32;
                end
            }),
        }
    }

    /// The numbers of a kind.
    pub(crate) const fn kind(&self, kind: usize) -> Range<u32> {
        let start = if kind == 0 { 0 } else { self.ends[kind - 1] };
        start..self.ends[kind]
    }

    /// How many objects there are.
    pub(crate) const fn len(&self) -> u32 {
        self.ends[KINDS - 1]
    }
}

/// The number of the object at `place` of the kind that has those numbers; `None` if there is no
/// such object.
pub(crate) fn number_at(numbers: Range<u32>, place: u32) -> Option<u32> {
    let number = numbers.start.checked_add(place)?;
    numbers.contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_each_other() {
        let numbers = Numbering::of([2, 0, 3]);
        assert_eq!([numbers.kind(0), numbers.kind(1), numbers.kind(2)], [0..2, 2..2, 2..5]);
        assert_eq!(numbers.len(), 5);
        assert_eq!([number_at(2..5, 0), number_at(2..5, 2)], [Some(2), Some(4)]);
        for (kind, place) in [(0, 2), (1, 0), (2, 3), (2, u32::MAX)] {
            assert_eq!(number_at(numbers.kind(kind), place), None, "{kind} {place}");
        }
    }
}

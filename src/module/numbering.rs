//! Numbers for objects of several kinds, kind by kind.

use std::ops::Range;

/// The number ranges of several kinds. Numbers count from 0, kind by kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering<const KINDS: usize> {
    /// The ends of the ranges. The end of one kind is the start of the next.
    ends: [u32; KINDS],
}

impl<const KINDS: usize> Numbering<KINDS> {
    /// The numbering for these counts of objects per kind.
    pub(crate) fn of(counts: [usize; KINDS]) -> Self {
        let mut end = 0;
        Self {
            ends: counts.map(|count| {
                end += count as u32;
                end
            }),
        }
    }

    /// The numbers of one kind.
    pub(crate) const fn kind(&self, kind: usize) -> Range<u32> {
        let start = if kind == 0 { 0 } else { self.ends[kind - 1] };
        start..self.ends[kind]
    }

    /// The number of objects of all kinds.
    pub(crate) const fn len(&self) -> u32 {
        self.ends[KINDS - 1]
    }
}

/// The number of the object at `place` of the kind with the range `numbers`; `None` if there is no
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

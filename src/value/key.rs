//! Sort keys for the elements of sets: computed once per element, compared often.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::number::Ordered;
use super::{Content, Value};

/// A sort key of a value: known values are ordered by their contents, then come null and unknown
/// ones. Two wholly known values of one type are equal exactly if their keys are. Marks are
/// ignored.
///
/// Cost: linear in the value.
#[derive(Debug)]
pub(crate) struct Key<'a>(SmallVec<[Part<'a>; 1]>);

/// A part of a key, outer values first.
#[derive(Debug)]
enum Part<'a> {
    Bool(bool),
    Number(Ordered),
    String(&'a str),
    /// The number of elements that follow.
    Elements(usize),
    Entries(&'a [(&'a str, Value<'a>)]),
    Null,
    Unknown,
}

impl<'a> Key<'a> {
    /// The key of a value.
    pub(crate) fn of(value: Value<'a>) -> Self {
        let mut parts = SmallVec::new();
        value.visit(|value| parts.push(Part::of(value)));
        Self(parts)
    }
}

/// Compares the keys of two values. Cost: linear in their common prefix.
pub(super) fn order<'a>(one: Value<'a>, other: Value<'a>) -> Ordering {
    let mut rest = vec![(one, other)];
    while let Some((one, other)) = rest.pop() {
        let ordering = Part::of(one).compare(&Part::of(other));
        if ordering.is_ne() {
            return ordering;
        }
        rest.extend(one.elements().iter().copied().zip(other.elements().iter().copied()).rev());
        let entries = one.entries().iter().zip(other.entries()).rev();
        rest.extend(entries.map(|((_, one), (_, other))| (*one, *other)));
    }
    Ordering::Equal
}

impl<'a> Part<'a> {
    fn of(value: Value<'a>) -> Self {
        match value.content() {
            Content::Bool(value) => Self::Bool(value),
            Content::Number(number) => Self::Number(number.ordered()),
            Content::String(text) => Self::String(text),
            Content::Elements(elements) => Self::Elements(elements.len()),
            Content::Entries(entries) => Self::Entries(entries),
            Content::Null => Self::Null,
            Content::Unknown { .. } => Self::Unknown,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Bool(_) => 0,
            Self::Number(_) => 1,
            Self::String(_) => 2,
            Self::Elements(_) => 3,
            Self::Entries(_) => 4,
            Self::Null => 5,
            Self::Unknown => 6,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(one), Self::Bool(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => one.compare(other),
            (Self::String(one), Self::String(other)) => one.cmp(other),
            (Self::Elements(one), Self::Elements(other)) => one.cmp(other),
            (Self::Entries(one), Self::Entries(other)) => {
                one.iter().map(|entry| entry.0).cmp(other.iter().map(|entry| entry.0))
            }
            (one, other) => one.rank().cmp(&other.rank()),
        }
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let pairs = self.0.iter().zip(&other.0);
        let mut different = pairs.map(|(one, other)| one.compare(other));
        different
            .find(|ordering| ordering.is_ne())
            .unwrap_or_else(|| self.0.len().cmp(&other.0.len()))
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}

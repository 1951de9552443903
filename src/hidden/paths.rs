//! Paths of values that must not be shown: names, without places in lists.

use std::collections::BTreeMap;

use super::extent::Extent;
use crate::expression::Expression;

/// A set of paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// Whether the value here is hidden as a whole.
    is_whole: bool,
    below: BTreeMap<Box<str>, Self>,
}

impl Paths {
    /// Whether it has no path.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_whole && self.below.is_empty()
    }

    /// Adds a path. Cost: linear in the path.
    pub(crate) fn add<S: AsRef<str>>(&mut self, path: &[S]) {
        let mut at = self;
        for name in path {
            at = at.below.entry(name.as_ref().into()).or_default();
        }
        at.is_whole = true;
    }

    /// Adds all paths of another set. Cost: linear in these paths.
    pub(crate) fn extend(&mut self, other: &Self) {
        let mut open: Vec<(&Self, Vec<&str>)> = vec![(other, Vec::new())];
        while let Some((at, path)) = open.pop() {
            if at.is_whole {
                self.add(&path);
            }
            for (name, below) in &at.below {
                open.push((below, path.iter().copied().chain([&**name]).collect()));
            }
        }
    }

    /// How much of the value at a path must not be shown.
    pub(super) fn extent(&self, names: &[&str], value: Option<Expression<'_>>) -> Option<Extent> {
        let mut at = self;
        for (depth, name) in names.iter().enumerate() {
            if at.is_whole {
                return Some(Extent::Whole(depth));
            }
            at = at.below.get(*name)?;
        }
        match at.is_whole {
            true => Some(Extent::Whole(names.len())),
            false => at.is_in(value?).then_some(Extent::Part),
        }
    }

    /// Whether a value has one of these paths. Cost: linear in the parts of the value on the way.
    fn is_in(&self, value: Expression<'_>) -> bool {
        let mut open = vec![(self, value)];
        while let Some((at, value)) = open.pop() {
            if at.is_whole {
                return true;
            }
            let entries = value.as_map().into_iter().flatten();
            open.extend(
                entries.filter_map(|(name, value)| Some((at.below.get(name.to_str())?, value))),
            );
            // A list is no object of its own.
            open.extend(value.as_list().into_iter().flatten().map(|element| (at, element)));
        }
        false
    }
}

//! Paths of values that must not be shown: names, without places in lists.

use std::collections::BTreeMap;

use crate::expression::Expression;

/// A set of paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// Whether the value here is hidden as a whole.
    is_whole: bool,
    below: BTreeMap<Box<str>, Self>,
}

impl Paths {
    /// Adds a path. Cost: linear in the path.
    pub(crate) fn add(&mut self, path: &[&str]) {
        let mut at = self;
        for name in path {
            at = at.below.entry((*name).into()).or_default();
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

    /// If the value at a path must not be shown, or has a part that must not: the length of the path of
    /// the outermost value that is hidden as a whole; for a value with such a part, that of its own path.
    pub(super) fn depth(&self, names: &[&str], value: Option<Expression<'_>>) -> Option<usize> {
        let mut at = self;
        for (depth, name) in names.iter().enumerate() {
            if at.is_whole {
                return Some(depth);
            }
            at = at.below.get(*name)?;
        }
        (at.is_whole || at.is_in(value?)).then_some(names.len())
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

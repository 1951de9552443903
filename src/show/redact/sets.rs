//! Sets of trees of marks, each once: most instances of a type have the same trees.

use std::sync::OnceLock;

use super::merged::MergedMarks;
use crate::hash::{HashMap, HashSet};
use crate::json::Node;

/// Sets with more trees have one owner, and are not shared.
const SHARED: usize = 4;

/// The number of a set.
pub(super) type Set = u32;

/// Trees without duplicates, and sets of them.
#[derive(Default)]
pub(super) struct Sets<'a> {
    trees: HashMap<&'a [u8], u32>,
    sets: Vec<Trees<'a>>,
    /// The set of the trees of a set (its number and one, or 0 for no tree) and another tree.
    with: HashMap<(u32, u32), Set>,
}

#[derive(Default)]
struct Trees<'a> {
    all: Vec<Node<'a>>,
    numbers: Vec<u32>,
    /// The numbers, if the set is not shared.
    own: Option<Box<HashSet<u32>>>,
    merged: OnceLock<Box<MergedMarks<'a>>>,
}

impl<'a> Sets<'a> {
    /// The number of a tree.
    pub(super) fn tree(&mut self, tree: Node<'a>) -> u32 {
        let next = self.trees.len() as u32;
        *self.trees.entry(tree.text()).or_insert(next)
    }

    /// The set of the trees of a set and one more, whose number is given. A set that is not shared
    /// is changed.
    pub(super) fn with(&mut self, set: Option<Set>, number: u32, tree: Node<'a>) -> Set {
        let known = set.and_then(|set| self.sets.get_mut(set as usize));
        if let (Some(set), Some(trees)) = (set, known) {
            if trees.numbers.first() == Some(&number) {
                return set;
            }
            if let Some(own) = &mut trees.own {
                if own.insert(number) {
                    trees.all.push(tree);
                    trees.merged = OnceLock::new();
                }
                return set;
            }
            if trees.numbers.contains(&number) {
                return set;
            }
        }
        let key = (set.map_or(0, |set| set + 1), number);
        if let Some(next) = self.with.get(&key) {
            return *next;
        }
        let known = set.and_then(|set| self.sets.get(set as usize));
        let mut all = known.map_or_else(Vec::new, |trees| trees.all.clone());
        let mut numbers = known.map_or_else(Vec::new, |trees| trees.numbers.clone());
        all.push(tree);
        numbers.push(number);
        let next = self.sets.len() as Set;
        let own = (all.len() > SHARED).then(|| Box::new(numbers.iter().copied().collect()));
        if own.is_none() {
            self.with.insert(key, next);
        }
        self.sets.push(Trees { all, numbers, own, merged: OnceLock::new() });
        next
    }

    pub(super) fn trees(&self, set: Set) -> &[Node<'a>] {
        self.sets.get(set as usize).map_or(&[], |trees| &trees.all)
    }

    pub(super) fn merged(&self, set: Set) -> Option<&MergedMarks<'a>> {
        let trees = self.sets.get(set as usize)?;
        Some(trees.merged.get_or_init(|| Box::new(MergedMarks::of(&trees.all))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Document};

    #[test]
    fn sets_are_shared_and_then_owned() {
        let arena = Arena::new();
        let texts: Vec<String> = (0..10).map(|n| format!(r#"{{"a{n}":true}}"#)).collect();
        let tree =
            |n: usize| Document::parse_bytes(&arena, "", texts[n].as_bytes()).expect("JSON").root();
        let mut sets = Sets::default();
        let mut add = |set: Option<Set>, n: usize| {
            let number = sets.tree(tree(n));
            let set = sets.with(set, number, tree(n));
            (set, sets.trees(set).len())
        };
        let ((one, _), (other, _)) = (add(None, 0), add(None, 0));
        assert_eq!(one, other);
        assert_eq!(add(Some(one), 0), (one, 1));
        let (two, _) = add(Some(one), 1);
        assert_eq!(add(Some(one), 1), (two, 2));
        assert_eq!(add(Some(two), 0), (two, 2));
        assert_eq!(add(Some(two), 1), (two, 2));
        // Two that have the same five trees.
        let [one, other] = [(), ()].map(|()| (2..5).fold(two, |set, n| add(Some(set), n).0));
        assert_ne!(one, other);
        assert_eq!(add(Some(one), 9), (one, 6));
        assert_eq!(add(Some(one), 9), (one, 6));
        assert_eq!(add(Some(other), 4), (other, 5));
    }
}

//! Deleted instances that seem to have another address: very similar ones are created.

use std::collections::BTreeMap;

use super::model::{Rename, ReviewAction, ReviewChange, ReviewValue};
use crate::hash::HashSet;

/// The instances of a type that are compared with one another. Of more, none is.
const MOST: usize = 200;

/// The share of equal values from which instances are similar, in percent.
const LIKE: usize = 75;

/// A deleted or created instance of a type.
struct Candidate<'c> {
    change: &'c ReviewChange,
    /// The known values, by path.
    known: HashSet<(&'c str, &'c str)>,
}

/// Finds instances that have the same type and values, each the most similar one of the other.
///
/// Cost: quadratic in the instances of a type, of which there are at most [`MOST`] on each side.
pub(super) fn renames(
    changes: &[ReviewChange],
    type_of: impl Fn(&str) -> Option<String>,
) -> Vec<Rename> {
    let mut by_type: BTreeMap<String, [Vec<Candidate<'_>>; 2]> = BTreeMap::new();
    for change in changes {
        let side = match change.action {
            ReviewAction::Delete => 0,
            ReviewAction::Create => 1,
            _ => continue,
        };
        if let Some(kind) = type_of(&change.address) {
            by_type.entry(kind).or_default()[side].push(Candidate::of(change, side == 0));
        }
    }
    let mut renames = Vec::new();
    for [deleted, created] in by_type.values() {
        if deleted.len() > MOST || created.len() > MOST {
            continue;
        }
        for from in deleted {
            let Some(to) = from.best(created) else { continue };
            let is_mutual = to.best(deleted).is_some_and(|it| std::ptr::eq(it, from));
            if is_mutual {
                let likeness = u8::try_from(from.likeness(to)).unwrap_or(100);
                let [from, to] = [from, to].map(|it| it.change.address.clone());
                renames.push(Rename { from, to, likeness });
            }
        }
    }
    renames.sort_by(|one, other| one.from.cmp(&other.from));
    renames
}

impl<'c> Candidate<'c> {
    fn of(change: &'c ReviewChange, is_before: bool) -> Self {
        let mut known = HashSet::default();
        for leaf in &change.leaves {
            let side = if is_before { &leaf.before } else { &leaf.after };
            if let ReviewValue::Known(text) = side {
                known.insert((leaf.path.as_str(), text.as_str()));
            }
        }
        Self { change, known }
    }

    /// The share of values that are equal, in percent.
    fn likeness(&self, other: &Self) -> usize {
        let common = self.known.intersection(&other.known).count();
        100 * common / self.known.len().max(other.known.len()).max(1)
    }

    /// The most similar one, if there is exactly one: of those that are equally similar, one with the
    /// same key, or with the same name in another module.
    fn best<'o>(&self, others: &'o [Self]) -> Option<&'o Self> {
        let rank = |other: &Self| {
            let likeness = self.likeness(other);
            let ends = |address: &str, at: char| {
                address.rfind(at).map(|at| address[at..].to_owned()).unwrap_or_default()
            };
            let (own, its) = (&self.change.address, &other.change.address);
            let has_key = ends(own, '[') == ends(its, '[');
            let has_name = ends(own, '.') == ends(its, '.');
            (likeness, has_key, has_name)
        };
        let mut best: Option<(&Self, (usize, bool, bool), bool)> = None;
        for other in others {
            let its = rank(other);
            if its.0 < LIKE {
                continue;
            }
            match &mut best {
                Some((_, known, is_unique)) if *known == its => *is_unique = false,
                Some((_, known, _)) if *known > its => {}
                _ => best = Some((other, its, true)),
            }
        }
        best.filter(|(_, _, is_unique)| *is_unique).map(|(other, _, _)| other)
    }
}

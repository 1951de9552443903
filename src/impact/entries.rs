//! The modules that nothing calls, and those that they reach.

use crate::hash::HashSet;
use crate::tree::{Link, Tree};

/// The modules from which all others are reached by calls: those that nothing calls, of modules
/// that call one another the first, and all root modules.
pub(super) fn entries(tree: &Tree<'_>) -> Vec<usize> {
    let modules = tree.modules();
    let targets = |place: usize| {
        modules[place].links.iter().filter_map(|link| match link {
            Link::Module(called) => Some(*called),
            _ => None,
        })
    };
    let mut is_called = vec![false; modules.len()];
    (0..modules.len()).flat_map(targets).for_each(|called| is_called[called] = true);
    let first = (0..modules.len()).filter(|&place| !is_called[place]);
    let (roots, mut is_entry) = (tree.roots(), vec![false; modules.len()]);
    let mut is_reached = vec![false; modules.len()];
    let mut entries = Vec::new();
    for place in first.chain(0..modules.len()) {
        if is_entry[place] || is_reached[place] && !roots[place] {
            continue;
        }
        is_entry[place] = true;
        entries.push(place);
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut is_reached[next], true) {
                open.extend(targets(next));
            }
        }
    }
    entries
}

/// The modules that a module reaches by calls, itself first.
pub(super) fn reached(tree: &Tree<'_>, root: usize) -> Vec<usize> {
    let mut seen = HashSet::default();
    seen.insert(root);
    let mut all = vec![root];
    let mut at = 0;
    while let Some(&place) = all.get(at) {
        at += 1;
        for link in &tree.modules()[place].links {
            if let Link::Module(called) = *link
                && seen.insert(called)
            {
                all.push(called);
            }
        }
    }
    all
}

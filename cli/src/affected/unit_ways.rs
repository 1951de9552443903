//! The ways from changed files through units of Terragrunt.

use std::collections::{HashMap, HashSet};

use simd_hcl::Position;

use super::answer::{Module, Place, Step, Via};

/// The most steps of a way.
const MOST_STEPS: usize = 100;

/// Returns a way that goes on through units, from what is before them, or from a changed file.
pub(super) fn through(
    mut way: Vec<Step>,
    mut file: Option<String>,
    units: impl Iterator<Item = String>,
) -> Vec<Step> {
    for module in units {
        // A way to the module as the unit runs it may end at the unit.
        if way.last().is_some_and(|last| last.address.is_none() && last.module == module) {
            continue;
        }
        let filename = file.clone().unwrap_or_else(|| module.clone());
        let start = Position { line: 1, column: 1, byte: 0 };
        let range = Place::Start { filename, start, end: start };
        let (address, via) = (None, Vec::new());
        way.push(Step { file: file.take(), address, module: module.clone(), via });
        way[0].via.push(Via { address: None, module, range });
    }
    way
}

/// Completes the way to a module that starts at a unit: with the way to that unit.
pub(super) fn complete(module: &mut Module, ways: &HashMap<String, Vec<Step>>) {
    let mut known = HashSet::from([module.path.clone()]);
    while module.because.len() < MOST_STEPS
        && let Some(first) = module.because.first().filter(|first| first.address.is_none())
        && let Some(before) = ways.get(&first.module).filter(|before| before.len() > 1)
        && known.insert(first.module.clone())
    {
        let (mut way, rest) = (before.clone(), module.because.split_off(1));
        let places = module.because.remove(0).via;
        way[0].via.extend(places.into_iter().skip(1));
        way.extend(rest);
        module.because = way;
    }
}

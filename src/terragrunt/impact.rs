//! The units that changed files affect, and why.
//!
//! A changed file affects a unit if it is or would be its configuration, if the unit reads it, if
//! it is in the folder of the unit's module, or if one of the unit's patterns matches it. An
//! affected module affects the units that run it, and an affected unit those that depend on it.
//! Which files a module reads with the values of a unit is not known here: who evaluates that
//! ([`Runs::run`](super::Runs::run)) passes the units that it affects.

use std::collections::VecDeque;

use super::unit::Units;
use crate::hash::HashMap;

/// A unit that is affected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AffectedUnit {
    /// Its index in [`Units::units`].
    pub unit: usize,
    /// The first cause: a shortest way leads from it to the unit.
    pub cause: UnitCause,
    /// The units on the way, by their indexes, this one last.
    pub way: Vec<usize>,
}

/// Why a unit is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitCause {
    /// A changed file, by its index in the list.
    File(usize),
    /// An affected module, by its index in the list.
    Module(usize),
    /// The module as the unit runs it, by the index in the list of such units.
    Run(usize),
}

/// The most units of a way: of a longer one, the last ones.
const MOST_STEPS: usize = 100;

impl Units {
    /// Returns the units that changed files and affected modules affect, in the order of the units.
    /// Files and folders of modules are absolute paths without links; both may be gone. A changed path
    /// that ends with `/` stands for all files in a folder and below. `runs` are the indexes of units whose
    /// modules are affected as these run them.
    ///
    /// The units must have been found with their files ([`super::Options::with_files`]).
    /// Cost: linear in the units, their files and dependencies, and in the product of changed files and
    /// patterns.
    #[must_use]
    pub fn affected(
        &self,
        changed: &[String],
        modules: &[String],
        runs: &[usize],
    ) -> Vec<AffectedUnit> {
        let mut causes: Vec<Option<(UnitCause, Option<usize>)>> = vec![None; self.units.len()];
        let mut queue: VecDeque<usize> = VecDeque::new();
        let mut start = |unit: usize, cause: UnitCause| {
            if causes.get(unit).is_some_and(Option::is_none) {
                causes[unit] = Some((cause, None));
                queue.push_back(unit);
            }
        };
        for (number, file) in changed.iter().enumerate() {
            let readers = self.readers.of(file);
            readers.into_iter().for_each(|unit| start(unit, UnitCause::File(number)));
        }
        let mut of_modules: HashMap<&str, Vec<usize>> = HashMap::default();
        for (number, unit) in self.units.iter().enumerate() {
            if let Some(module) = &unit.module {
                of_modules.entry(module).or_default().push(number);
            }
        }
        for (number, module) in modules.iter().enumerate() {
            let units = of_modules.get(module.as_str()).into_iter().flatten();
            units.for_each(|&unit| start(unit, UnitCause::Module(number)));
        }
        runs.iter().enumerate().for_each(|(number, &unit)| start(unit, UnitCause::Run(number)));
        let places: HashMap<&str, usize> =
            (0..).zip(&self.units).map(|(at, unit)| (unit.path.as_str(), at)).collect();
        let folders: HashMap<&str, usize> =
            (0..).zip(&self.units).map(|(at, unit)| (unit.folder.as_str(), at)).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.units.len()];
        for (number, unit) in self.units.iter().enumerate() {
            let listed = unit.dependencies.iter().filter_map(|it| places.get(it.as_str()));
            let needed = unit.needed.iter().filter_map(|it| folders.get(it.as_str()));
            listed.chain(needed).for_each(|&to| users[to].push(number));
        }
        while let Some(unit) = queue.pop_front() {
            let Some((cause, _)) = causes[unit] else { continue };
            for &user in &users[unit] {
                if causes[user].is_none() {
                    causes[user] = Some((cause, Some(unit)));
                    queue.push_back(user);
                }
            }
        }
        let way = |unit: usize| {
            let mut way = vec![unit];
            let mut next = causes[unit].and_then(|(_, from)| from);
            while let Some(from) = next
                && way.len() < MOST_STEPS
            {
                way.push(from);
                next = causes[from].and_then(|(_, from)| from);
            }
            way.reverse();
            way
        };
        let affected = causes.iter().enumerate().filter_map(|(unit, cause)| {
            Some(AffectedUnit { unit, cause: (*cause)?.0, way: way(unit) })
        });
        affected.collect()
    }

    /// Whether a file is the configuration of a unit, or one that a unit reads.
    #[must_use]
    pub fn reads(&self, file: &str) -> bool {
        !self.readers.of(file).is_empty()
    }
}

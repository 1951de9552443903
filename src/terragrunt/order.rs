//! The order of units by their dependencies, and cycles.

use crate::module::edges::Edges;
use crate::module::groups::Groups;

/// Returns the level of each unit: 0 without dependencies, otherwise one more than the highest level of
/// its dependencies; `None` for a unit in a cycle, or that depends on one.
///
/// Cost: linear in the units and dependencies.
pub(super) fn levels(dependencies: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    let mut waiting: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    for (unit, all) in dependencies.iter().enumerate() {
        for &dependency in all {
            users[dependency].push(unit);
        }
    }
    let mut levels: Vec<Option<usize>> = vec![None; dependencies.len()];
    let mut open: Vec<usize> = (0..dependencies.len()).filter(|unit| waiting[*unit] == 0).collect();
    for &unit in &open {
        levels[unit] = Some(0);
    }
    let mut next = 0;
    let mut highest = vec![0; dependencies.len()];
    while let Some(&unit) = open.get(next) {
        next += 1;
        let level = levels[unit].unwrap_or_default();
        for &user in &users[unit] {
            highest[user] = highest[user].max(level + 1);
            waiting[user] -= 1;
            if waiting[user] == 0 {
                levels[user] = Some(highest[user]);
                open.push(user);
            }
        }
    }
    levels
}

/// Returns the cycles: groups of units that depend on one another, and units that depend on themselves.
///
/// Cost: linear in the units and dependencies.
pub(super) fn cycles(dependencies: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let edges = dependencies.iter().zip(0u32..);
    let edges = edges.flat_map(|(all, unit)| all.iter().map(move |&it| (unit, it as u32)));
    let edges = Edges::of(dependencies.len() as u32, edges);
    let groups = Groups::of(dependencies.len() as u32, &edges);
    let is_cycle = |members: &&[u32]| match **members {
        [only] => edges.from(only).contains(&only),
        _ => true,
    };
    let sorted = |members: &[u32]| {
        let mut members: Vec<usize> = members.iter().map(|&unit| unit as usize).collect();
        members.sort_unstable();
        members
    };
    let mut cycles: Vec<Vec<usize>> = groups.iter().filter(is_cycle).map(sorted).collect();
    cycles.sort();
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_come_after_their_dependencies() {
        let of = |edges: &[&[usize]]| edges.iter().map(|it| it.to_vec()).collect::<Vec<_>>();
        let diamond = of(&[&[1, 2], &[3], &[3], &[], &[]]);
        assert_eq!(levels(&diamond), [Some(2), Some(1), Some(1), Some(0), Some(0)]);
        assert!(cycles(&diamond).is_empty());
        let cyclic = of(&[&[1], &[0], &[1], &[3], &[], &[4]]);
        assert_eq!(levels(&cyclic), [None, None, None, None, Some(0), Some(1)]);
        assert_eq!(cycles(&cyclic), [vec![0, 1], vec![3]]);
        let long: Vec<Vec<usize>> = (0..100_000).map(|at| vec![(at + 1) % 100_000]).collect();
        assert_eq!(cycles(&long)[0].len(), 100_000);
    }
}

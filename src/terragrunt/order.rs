//! The order of units by their dependencies, and cycles.

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

/// The state of a unit in the search for cycles.
#[derive(Clone, Copy)]
struct Seen {
    number: usize,
    /// The lowest number that it leads to on the way.
    lowest: usize,
    is_open: bool,
}

/// Returns the cycles: groups of units that depend on one another, and units that depend on themselves.
///
/// Cost: linear in the units and dependencies (Tarjan's algorithm, without recursion).
pub(super) fn cycles(dependencies: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen: Vec<Option<Seen>> = vec![None; dependencies.len()];
    let (mut group, mut cycles, mut count) = (Vec::new(), Vec::new(), 0);
    for start in 0..dependencies.len() {
        if seen[start].is_some() {
            continue;
        }
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut entered = Some(start);
        loop {
            if let Some(unit) = entered.take() {
                seen[unit] = Some(Seen { number: count, lowest: count, is_open: true });
                count += 1;
                group.push(unit);
                way.push((unit, 0));
            }
            let Some(&mut (unit, ref mut next)) = way.last_mut() else { break };
            let lowest =
                |seen: &[Option<Seen>], unit: usize| seen[unit].map_or(usize::MAX, |it| it.lowest);
            if let Some(&dependency) = dependencies[unit].get(*next) {
                *next += 1;
                match seen[dependency] {
                    None => entered = Some(dependency),
                    Some(found) if found.is_open => {
                        if let Some(own) = &mut seen[unit] {
                            own.lowest = own.lowest.min(found.number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            way.pop();
            let low = lowest(&seen, unit);
            if let Some(&(above, _)) = way.last()
                && let Some(above) = &mut seen[above]
            {
                above.lowest = above.lowest.min(low);
            }
            if seen[unit].is_some_and(|it| it.number == low) {
                let at = group.iter().rposition(|it| *it == unit).unwrap_or(0);
                let mut members = group.split_off(at);
                for &member in &members {
                    if let Some(member) = &mut seen[member] {
                        member.is_open = false;
                    }
                }
                if members.len() > 1 || dependencies[unit].contains(&unit) {
                    members.sort_unstable();
                    cycles.push(members);
                }
            }
        }
    }
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

//! Cycles among the values of a module or template.

use std::fmt::{Display, Write};
use std::ops::Range;

/// Calls `report` once for each cycle that a depth-first search meets, with its members in order,
/// from the one at which the search entered the cycle. `edges` are sorted by their start; edges
/// that leave `members` are not followed.
///
/// Cost: linear in the members and their edges.
pub(crate) fn cycles(members: Range<u32>, edges: &[(u32, u32)], mut report: impl FnMut(&[u32])) {
    debug_assert!(edges.is_sorted_by_key(|edge| edge.0), "edges are sorted by where they start");
    /// The state of a member in the search.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        /// On the current path, at this place.
        Open(usize),
        Done,
    }
    let place = |number: u32| (number - members.start) as usize;
    let first_edge = |number: u32| edges.partition_point(|&(from, _)| from < number);
    let mut marks = vec![Mark::New; members.len()];
    // The path from a start, and for each member of it the next edge to follow.
    let (mut path, mut following): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
    for start in members.clone() {
        if marks[place(start)] == Mark::New {
            marks[place(start)] = Mark::Open(0);
            path.push(start);
            following.push(first_edge(start));
        }
        while let (Some(&number), Some(edge)) = (path.last(), following.last_mut()) {
            let Some(&(_, next)) = edges.get(*edge).filter(|&&(from, _)| from == number) else {
                marks[place(number)] = Mark::Done;
                path.pop();
                following.pop();
                continue;
            };
            *edge += 1;
            if !members.contains(&next) {
                continue;
            }
            match marks[place(next)] {
                Mark::Done => {}
                Mark::Open(from) => report(&path[from..]),
                Mark::New => {
                    marks[place(next)] = Mark::Open(path.len());
                    path.push(next);
                    following.push(first_edge(next));
                }
            }
        }
    }
}

/// A cycle as it is printed: `local.a -> local.b -> local.a`. Only the first members of a long
/// cycle are printed.
pub(crate) fn text<D: Display>(cycle: &[u32], name: impl Fn(u32) -> D) -> String {
    /// The number of members that are printed.
    const SHOWN: usize = 8;
    let mut text = String::new();
    for &number in cycle.iter().take(SHOWN) {
        let _ = write!(text, "{} -> ", name(number));
    }
    if cycle.len() > SHOWN {
        text.push_str("… -> ");
    }
    if let Some(&first) = cycle.first() {
        let _ = write!(text, "{}", name(first));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(members: Range<u32>, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        cycles(members, edges, |cycle| found.push(cycle.to_vec()));
        found
    }

    #[test]
    fn each_cycle_is_found_once() {
        assert_eq!(found(2..5, &[(2, 3), (3, 4), (4, 2), (4, 4)]), [vec![2, 3, 4], vec![4]]);
        assert!(found(0..3, &[(0, 1), (0, 2), (1, 2)]).is_empty());
        // The cycle leads through an object that is not a member.
        assert!(found(0..2, &[(0, 5), (1, 0), (5, 1)]).is_empty());
        assert!(found(3..3, &[]).is_empty());
    }

    #[test]
    fn cycles_are_shown() {
        assert_eq!(text(&[1, 2], |number| number), "1 -> 2 -> 1");
        let long: Vec<u32> = (0..9).collect();
        assert!(text(&long, |number| number).ends_with("7 -> … -> 0"));
    }
}

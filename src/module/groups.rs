//! Strongly connected groups of a graph whose nodes are numbers.

use super::edges::Edges;

/// The strongly connected groups of a graph; those of several nodes are cycles. Each group comes
/// after those that it leads to.
///
/// Tarjan's algorithm with an explicit stack.
pub(crate) struct Groups {
    members: Vec<u32>,
    /// Where the members of each group start; has one more entry for the end.
    starts: Vec<usize>,
    /// The group of each node.
    group: Vec<u32>,
}

impl Groups {
    /// Finds the groups. Cost: linear in the nodes and edges.
    pub(crate) fn of(nodes: u32, edges: &Edges) -> Self {
        const NEW: u32 = u32::MAX;
        let count = nodes as usize;
        let mut groups =
            Self { members: Vec::with_capacity(count), starts: vec![0], group: vec![NEW; count] };
        // The order in which nodes were entered, and the earliest node on the stack that each one
        // reaches.
        let (mut entered, mut low) = (vec![NEW; count], vec![NEW; count]);
        // The path from the start, and for each node on it the edges that are still to be followed.
        let mut way: Vec<(u32, &[u32])> = Vec::new();
        let mut stack: Vec<u32> = Vec::new();
        let mut time = 0;
        for start in 0..nodes {
            if entered[start as usize] != NEW {
                continue;
            }
            let mut enter = Some(start);
            loop {
                if let Some(node) = enter.take() {
                    entered[node as usize] = time;
                    low[node as usize] = time;
                    time += 1;
                    stack.push(node);
                    way.push((node, edges.from(node)));
                }
                let Some((node, left)) = way.last_mut() else { break };
                let at = *node as usize;
                if let Some((&to, rest)) = left.split_first() {
                    *left = rest;
                    let to_at = to as usize;
                    if entered[to_at] == NEW {
                        enter = Some(to);
                    } else if groups.group[to_at] == NEW {
                        low[at] = low[at].min(entered[to_at]);
                    }
                    continue;
                }
                if low[at] == entered[at] {
                    let number = groups.starts.len() as u32 - 1;
                    while let Some(member) = stack.pop() {
                        groups.group[member as usize] = number;
                        groups.members.push(member);
                        if member as usize == at {
                            break;
                        }
                    }
                    groups.starts.push(groups.members.len());
                }
                way.pop();
                if let Some(&(caller, _)) = way.last() {
                    low[caller as usize] = low[caller as usize].min(low[at]);
                }
            }
        }
        groups
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of the group of a node.
    pub(crate) fn group_of(&self, node: u32) -> usize {
        self.group[node as usize] as usize
    }

    /// The members of each group.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|bounds| &self.members[bounds[0]..bounds[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::{Edges, Groups};

    fn groups(nodes: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let groups = Groups::of(nodes, &Edges::set(nodes, edges.iter().copied()));
        let sorted = |group: &[u32]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group
        };
        groups.iter().map(sorted).collect()
    }

    #[test]
    fn groups_come_behind_what_they_lead_to() {
        assert_eq!(groups(3, &[(0, 1), (1, 2)]), [[2], [1], [0]]);
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3)];
        assert_eq!(groups(5, &edges), [vec![3, 4], vec![1, 2], vec![0]]);
        assert_eq!(groups(2, &[(0, 1), (1, 0)]), [[0, 1]]);
        assert!(groups(0, &[]).is_empty());
    }

    #[test]
    fn long_ways_need_no_stack() {
        let len = 200_000;
        let mut edges: Vec<(u32, u32)> = (1..len).map(|node| (node - 1, node)).collect();
        assert_eq!(groups(len, &edges).len(), len as usize);
        edges.push((len - 1, 0));
        assert_eq!(groups(len, &edges).len(), 1);
    }
}

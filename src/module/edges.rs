//! Edges of a graph whose nodes are numbers.

/// Edges in the order of the nodes that they start from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    /// The nodes that they lead to.
    targets: Vec<u32>,
    /// Where the edges of each node start; has one more entry for the end.
    starts: Vec<u32>,
}

impl Edges {
    /// Sorts the edges of a graph of `nodes` nodes. The edges of a node keep their order.
    ///
    /// Cost: linear; the edges are passed twice, to count and to store them.
    pub(crate) fn of(nodes: u32, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; nodes as usize + 1];
        edges.clone().for_each(|(from, _)| starts[from as usize] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        let mut targets = vec![0; sum as usize];
        for (from, to) in edges {
            let start = &mut starts[from as usize];
            targets[*start as usize] = to;
            *start += 1;
        }
        // Each start has moved to that of the next node.
        starts.rotate_right(1);
        starts[0] = 0;
        Self { targets, starts }
    }

    /// Like [`Self::of`], without duplicates, and with the edges of a node sorted by their target.
    pub(crate) fn set(nodes: u32, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let Self { mut targets, mut starts } = Self::of(nodes, edges);
        let (mut start, mut kept) = (0, 0);
        for node in 0..nodes as usize {
            let end = starts[node + 1] as usize;
            targets[start..end].sort_unstable();
            starts[node] = kept as u32;
            for place in start..end {
                if place == start || targets[place] != targets[place - 1] {
                    targets[kept] = targets[place];
                    kept += 1;
                }
            }
            start = end;
        }
        starts[nodes as usize] = kept as u32;
        targets.truncate(kept);
        Self { targets, starts }
    }

    /// The nodes that the edges from a node lead to.
    pub(crate) fn from(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// All edges.
    pub(crate) fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::with_capacity(self.targets.len());
        for node in 0..self.starts.len().saturating_sub(1) as u32 {
            pairs.extend(self.from(node).iter().map(|&to| (node, to)));
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::Edges;

    #[test]
    fn edges_are_sorted_by_their_starts() {
        let given = [(3, 1), (0, 2), (3, 0), (0, 2), (2, 2)];
        let edges = Edges::of(5, given.into_iter());
        assert_eq!((edges.from(0), edges.from(3)), (&[2, 2][..], &[1, 0][..]));
        assert_eq!([edges.from(1).len(), edges.from(2).len(), edges.from(4).len()], [0, 1, 0]);
        assert_eq!(edges.pairs(), [(0, 2), (0, 2), (2, 2), (3, 1), (3, 0)]);
        assert!(Edges::of(0, std::iter::empty()).pairs().is_empty());
    }

    #[test]
    fn a_set_has_each_edge_once() {
        let given = [(3, 1), (0, 2), (3, 0), (0, 2), (3, 1), (2, 2)];
        let edges = Edges::set(4, given.into_iter());
        assert_eq!([edges.from(0), edges.from(1), edges.from(2)], [&[2][..], &[], &[2]]);
        assert_eq!(edges.from(3), [0, 1]);
        assert!(Edges::set(0, std::iter::empty()).pairs().is_empty());
    }
}

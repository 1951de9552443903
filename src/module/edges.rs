//! Edges of a graph whose nodes are numbers.

/// Edges in the order of the nodes that they start from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    sorted: Vec<(u32, u32)>,
    /// Where the edges of each node start; has one more entry for the end.
    starts: Vec<u32>,
}

impl Edges {
    /// Sorts the edges of a graph of `nodes` nodes. The edges of a node keep their order.
    ///
    /// Cost: linear.
    pub(crate) fn of(nodes: u32, edges: &[(u32, u32)]) -> Self {
        // Each count is one place further, so that the running sums are the places of the next
        // edges.
        let mut starts = vec![0; nodes as usize + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut sorted = vec![(0, 0); edges.len()];
        for &edge in edges {
            let next = &mut next[edge.0 as usize];
            sorted[*next as usize] = edge;
            *next += 1;
        }
        Self { sorted, starts }
    }

    /// Like [`Self::of`], without duplicates, and with the edges of a node sorted by their target.
    pub(crate) fn set(nodes: u32, edges: &[(u32, u32)]) -> Self {
        let Self { mut sorted, mut starts } = Self::of(nodes, edges);
        let (mut start, mut kept) = (0, 0);
        for node in 0..nodes as usize {
            let end = starts[node + 1] as usize;
            sorted[start..end].sort_unstable();
            starts[node] = kept as u32;
            for place in start..end {
                if place == start || sorted[place] != sorted[place - 1] {
                    sorted[kept] = sorted[place];
                    kept += 1;
                }
            }
            start = end;
        }
        starts[nodes as usize] = kept as u32;
        sorted.truncate(kept);
        Self { sorted, starts }
    }

    /// The edges that start from a node.
    pub(crate) fn from(&self, node: u32) -> &[(u32, u32)] {
        let node = node as usize;
        &self.sorted[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// All edges.
    pub(crate) fn into_sorted(self) -> Vec<(u32, u32)> {
        self.sorted
    }
}

#[cfg(test)]
mod tests {
    use super::Edges;

    #[test]
    fn edges_are_sorted_by_their_starts() {
        let given = [(3, 1), (0, 2), (3, 0), (0, 2), (2, 2)];
        let edges = Edges::of(5, &given);
        assert_eq!(edges.from(0), [(0, 2), (0, 2)]);
        assert_eq!(edges.from(3), [(3, 1), (3, 0)]);
        assert_eq!([edges.from(1).len(), edges.from(2).len(), edges.from(4).len()], [0, 1, 0]);
        assert_eq!(edges.into_sorted(), [(0, 2), (0, 2), (2, 2), (3, 1), (3, 0)]);
        assert!(Edges::of(0, &[]).into_sorted().is_empty());
    }

    #[test]
    fn a_set_has_each_edge_once() {
        let edges = Edges::set(4, &[(3, 1), (0, 2), (3, 0), (0, 2), (3, 1), (2, 2)]);
        assert_eq!([edges.from(0), edges.from(1), edges.from(2)], [&[(0, 2)][..], &[], &[(2, 2)]]);
        assert_eq!(edges.from(3), [(3, 0), (3, 1)]);
        assert!(Edges::set(0, &[]).into_sorted().is_empty());
    }
}

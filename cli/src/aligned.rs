//! Differences of lists for people: an element that is inserted or removed is one line, though all
//! elements after it have another index.

use simd_hcl::hidden::HIDDEN;

/// A leaf that differs: its path, and the texts of both sides.
pub(crate) type Leaf<'l> = (&'l str, Option<&'l str>, Option<&'l str>);

/// A line about a difference.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'l> {
    /// The leaf at this place.
    Leaf(usize),
    /// An element that only the new list has: the path of the list, the index, the value.
    Inserted(&'l str, usize, &'l str),
    /// An element that only the old list has.
    Removed(&'l str, usize, &'l str),
}

/// The most pairs of elements that are compared for one list.
const MOST_PAIRS: usize = 40_000;

/// Returns the lines for leaves, which are in the order of their paths.
///
/// Cost: linear in the leaves, and for each list at most [`MOST_PAIRS`].
pub(crate) fn lines<'l>(leaves: &[Leaf<'l>]) -> Vec<Line<'l>> {
    let mut lines = Vec::with_capacity(leaves.len());
    let mut at = 0;
    while at < leaves.len() {
        let end = run(leaves, at);
        match aligned(&leaves[at..end]) {
            Some(found) => lines.extend(found),
            None => lines.extend((at..end).map(Line::Leaf)),
        }
        at = end;
    }
    lines
}

/// The path of a list, and the index of the element at a path.
fn element(path: &str) -> Option<(&str, usize)> {
    let (list, index) = path.strip_suffix(']')?.rsplit_once('[')?;
    Some((list, index.parse().ok()?))
}

/// The end of the leaves that are elements of one list, one after the other.
fn run(leaves: &[Leaf<'_>], start: usize) -> usize {
    let Some((list, first)) = element(leaves[start].0) else { return start + 1 };
    let is_next =
        |(place, leaf): (usize, &Leaf<'_>)| element(leaf.0) == Some((list, first + place));
    let rest = leaves[start..].iter().enumerate();
    start + rest.take_while(|(place, leaf)| is_next((*place, leaf))).count()
}

/// The lines for the last elements of a list, if there are fewer than leaves. The leaves reach to the
/// end of the longer list, since one of them has one side only.
fn aligned<'l>(leaves: &[Leaf<'l>]) -> Option<Vec<Line<'l>>> {
    let (list, start) = element(leaves.first()?.0)?;
    let before: Vec<&str> = leaves.iter().filter_map(|leaf| leaf.1).collect();
    let after: Vec<&str> = leaves.iter().filter_map(|leaf| leaf.2).collect();
    let width = after.len() + 1;
    let pairs = (before.len() + 1).checked_mul(width)?;
    // Two values that are hidden may differ.
    let is_hidden = before.iter().chain(&after).any(|text| text.contains(HIDDEN));
    if before.len() == after.len() || pairs > MOST_PAIRS || is_hidden {
        return None;
    }
    // The elements that both have in the same order, from each pair of places to the ends.
    let mut common = vec![0_usize; pairs];
    for one in (0..before.len()).rev() {
        for other in (0..after.len()).rev() {
            common[one * width + other] = match before[one] == after[other] {
                true => common[(one + 1) * width + other + 1] + 1,
                false => common[(one + 1) * width + other].max(common[one * width + other + 1]),
            };
        }
    }
    if before.len() + after.len() - 2 * common[0] >= leaves.len() {
        return None;
    }
    let mut lines = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < before.len() || other < after.len() {
        if one < before.len() && other < after.len() && before[one] == after[other] {
            (one, other) = (one + 1, other + 1);
        } else if other == after.len()
            || one < before.len()
                && common[(one + 1) * width + other] >= common[one * width + other + 1]
        {
            lines.push(Line::Removed(list, start + one, before[one]));
            one += 1;
        } else {
            lines.push(Line::Inserted(list, start + other, after[other]));
            other += 1;
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inserted_element_is_one_line() {
        let leaves = [
            ("l[0]", Some("b"), Some("a")),
            ("l[1]", Some("c"), Some("b")),
            ("l[2]", None, Some("c")),
        ];
        assert_eq!(lines(&leaves), [Line::Inserted("l", 0, "a")]);
        let leaves = [
            ("k", Some("1"), Some("2")),
            ("l[3]", Some("x"), Some("y")),
            ("l[4]", Some("y"), None),
        ];
        assert_eq!(lines(&leaves), [Line::Leaf(0), Line::Removed("l", 3, "x")]);
    }

    #[test]
    fn other_differences_are_leaves() {
        let leaves = [("l[0]", Some("a"), Some("b")), ("l[1]", Some("b"), Some("a"))];
        assert_eq!(lines(&leaves), [Line::Leaf(0), Line::Leaf(1)]);
        let leaves = [("l[0]", Some("a"), Some("b")), ("l[1]", Some("c"), None)];
        assert_eq!(lines(&leaves), [Line::Leaf(0), Line::Leaf(1)]);
        assert_eq!(lines(&[("[\"a\"]", Some("a"), None)]), [Line::Leaf(0)]);
        assert_eq!(lines(&[]), []);
    }
}

//! How much of a value must not be shown.

/// How much of a value must not be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A part of it.
    Part,
    /// All of it: the number of names that lead to the outermost value that is hidden as a whole.
    Whole(usize),
}

/// Returns the number of names that lead to the outermost value which is hidden as a whole, of a value at a path
/// of some names; for one with a hidden part, of its own. The names of an object are hidden if one of them is
/// marked, whose place in the path is given.
pub(super) fn outermost(
    extent: Option<Extent>,
    marked: Option<usize>,
    names: usize,
) -> Option<usize> {
    let of_value = extent.map(|extent| match extent {
        Extent::Whole(depth) => depth.min(names),
        Extent::Part => names,
    });
    match (of_value, marked) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

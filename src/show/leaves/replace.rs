//! The paths that force replacement.

use crate::json::Node;
use crate::show::path::{Path, Step};

/// The paths that force replacement, sorted.
#[derive(Default)]
pub(super) struct Replace<'a> {
    paths: Vec<ReplacePath<'a>>,
}

struct ReplacePath<'a> {
    /// Names and indices; an index as text.
    steps: Vec<&'a str>,
    /// Whether a difference was reported on the path or below it.
    is_seen: bool,
    node: Node<'a>,
}

/// The paths that start with the current steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    start: usize,
    end: usize,
    depth: usize,
    /// Whether one of them has ended, so that everything below is forced.
    has_ended: bool,
}

impl Range {
    pub(super) fn forces(self) -> bool {
        self.has_ended || self.start < self.end
    }
}

impl<'a> Replace<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        let mut paths = Vec::new();
        for path in node.as_array().into_iter().flat_map(|array| array.elements()) {
            let steps = path.as_array().into_iter().flat_map(|array| array.elements());
            // Steps of other types, into sets, do not identify a place in the document: the path
            // ends there.
            let steps = steps.map_while(|step| match step.as_number() {
                Some(number) => Some(number.text()),
                None => step.to_str(),
            });
            paths.push(ReplacePath { steps: steps.collect(), is_seen: false, node: path });
        }
        paths.sort_by(|one, other| one.steps.cmp(&other.steps));
        Self { paths }
    }

    pub(super) fn all(&self) -> Range {
        self.ended(Range { start: 0, end: self.paths.len(), depth: 0, has_ended: false })
    }

    pub(super) fn narrow(&self, range: Range, step: Step<'a>) -> Range {
        if !range.forces() || range.has_ended {
            return range;
        }
        let mut digits = String::new();
        let step = match step {
            Step::Name(name) => name.to_str(),
            Step::Index(index) => {
                digits.push_str(&index.to_string());
                digits.as_str()
            }
        };
        let paths = &self.paths[range.start..range.end];
        let at = |path: &ReplacePath<'a>| path.steps.get(range.depth).copied();
        let start = range.start + paths.partition_point(|path| at(path) < Some(step));
        let end = range.start + paths.partition_point(|path| at(path) <= Some(step));
        self.ended(Range { start, end, depth: range.depth + 1, has_ended: false })
    }

    /// Checks whether the first path, which is the shortest, ends here.
    pub(super) fn ended(&self, mut range: Range) -> Range {
        let first = self.paths[range.start..range.end].first();
        range.has_ended = first.is_some_and(|path| path.steps.len() == range.depth);
        range
    }

    /// Records that a difference was reported at the paths of the range.
    pub(super) fn note(&mut self, range: Range) {
        // Paths below one that has ended cannot be distinguished.
        let end = if range.has_ended { range.start + 1 } else { range.end };
        for path in self.paths.get_mut(range.start..end).unwrap_or_default() {
            path.is_seen = true;
        }
    }

    /// The paths without a difference, as references, in the order of the document.
    pub(super) fn unseen(&self) -> Vec<String> {
        let mut unseen: Vec<&ReplacePath<'a>> =
            self.paths.iter().filter(|path| !path.is_seen).collect();
        unseen.sort_by_key(|path| path.node.offset());
        let steps = |path: &ReplacePath<'a>| path.node.as_array().map(|steps| steps.elements());
        unseen.into_iter().map(|path| Path::text_of(steps(path).into_iter().flatten())).collect()
    }
}

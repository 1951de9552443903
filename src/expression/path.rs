//! Paths of values in a file.

use std::fmt;

use smallvec::SmallVec;

use super::MapKey;
use crate::arena::Arena;
use crate::reference::write_template_name;

/// The path of a value in a file: names of members and indexes of elements, outermost first. A
/// `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct JsonPath<'a> {
    last: Option<&'a PathNode<'a>>,
}

/// The last step of a path, and the path before it.
struct PathNode<'a> {
    step: PathStep<'a>,
    before: JsonPath<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum PathStep<'a> {
    Member(MapKey<'a>),
    Element(usize),
}

impl<'a> PathStep<'a> {
    /// The name of a member; `None` for an element.
    pub(crate) fn name(&self) -> Option<&'a str> {
        match self {
            Self::Member(name) => Some(name.to_str()),
            Self::Element(_) => None,
        }
    }
}

impl<'a> JsonPath<'a> {
    /// Returns the path extended by one step.
    pub(crate) fn with(self, arena: &'a Arena, step: PathStep<'a>) -> Self {
        Self { last: Some(arena.bump().alloc(PathNode { step, before: self })) }
    }

    /// The steps, outermost first.
    pub(crate) fn steps(self) -> SmallVec<[PathStep<'a>; 8]> {
        let inwards = std::iter::successors(self.last, |node| node.before.last);
        let mut steps: SmallVec<[PathStep<'_>; 8]> = inwards.map(|node| node.step).collect();
        steps.reverse();
        steps
    }
}

/// The steps to the current container of a walk. Paths are only created for values that are found.
#[derive(Clone, Default)]
pub(crate) struct PathStack<'a> {
    /// For each container, the step from the container around it, `None` if there is no step; and
    /// its path, once it was needed.
    levels: Vec<(Option<PathStep<'a>>, Option<JsonPath<'a>>)>,
}

impl<'a> PathStack<'a> {
    /// Enters a container. `path` is its path, if it is already known.
    pub(crate) fn push(&mut self, step: Option<PathStep<'a>>, path: Option<JsonPath<'a>>) {
        self.levels.push((step, path));
    }

    /// Leaves the innermost container.
    pub(crate) fn pop(&mut self) {
        self.levels.pop();
    }

    /// Returns the path of the value that is one step inside the innermost container. The paths of
    /// containers are created once.
    pub(crate) fn path(&mut self, arena: &'a Arena, step: Option<PathStep<'a>>) -> JsonPath<'a> {
        let known = self.levels.iter().rposition(|(_, path)| path.is_some());
        let mut path = known.and_then(|at| self.levels[at].1).unwrap_or_default();
        let after = |path: JsonPath<'a>, step: Option<PathStep<'a>>| match step {
            Some(step) => path.with(arena, step),
            None => path,
        };
        for (step, made) in &mut self.levels[known.map_or(0, |at| at + 1)..] {
            path = after(path, *step);
            *made = Some(path);
        }
        after(path, step)
    }
}

/// Writes steps in the syntax of addresses: `tags["a.b"][0]`.
pub(crate) fn write_steps(steps: &[PathStep<'_>], f: &mut impl fmt::Write) -> fmt::Result {
    for (place, step) in steps.iter().enumerate() {
        match step {
            PathStep::Element(element) => write!(f, "[{element}]")?,
            PathStep::Member(name) => write_template_name(f, name.to_str(), place == 0)?,
        }
    }
    Ok(())
}

impl fmt::Display for JsonPath<'_> {
    /// Writes the path in the syntax of addresses: `resource.aws_instance.web.tags["a.b"][0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_steps(&self.steps(), f)
    }
}

impl fmt::Debug for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

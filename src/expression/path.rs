//! Paths of values in a file.

use std::fmt;

use smallvec::SmallVec;

use super::is_identifier;
use crate::arena::Arena;
use crate::json::JsonString;

/// Where a value is in a file: names of members and numbers of elements, outermost first. A `Copy`
/// handle.
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
    Member(JsonString<'a>),
    Element(usize),
}

impl<'a> JsonPath<'a> {
    /// One step further.
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

/// Writes steps as the tools write addresses: `tags["a.b"][0]`.
pub(crate) fn write_steps(steps: &[PathStep<'_>], f: &mut impl fmt::Write) -> fmt::Result {
    for (place, step) in steps.iter().enumerate() {
        match step {
            PathStep::Element(element) => write!(f, "[{element}]")?,
            PathStep::Member(name) => {
                let name = name.to_str();
                match (is_identifier(name), place) {
                    (true, 0) => f.write_str(name)?,
                    (true, _) => write!(f, ".{name}")?,
                    (false, _) => write!(f, "[{name:?}]")?,
                }
            }
        }
    }
    Ok(())
}

impl fmt::Display for JsonPath<'_> {
    /// As the tools write addresses: `resource.aws_instance.web.tags["a.b"][0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_steps(&self.steps(), f)
    }
}

impl fmt::Debug for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

//! State of the parts that are evaluated once per element.
//!
//! [`repeat`](super::repeat) and [`splat`](super::splat) have the code that runs them.

use super::fault::Report;
use super::stack::Chain;
use crate::hash::HashSet;
use crate::native::For;
use crate::value::{Marks, Type, Value};

/// A part that is being evaluated once per element.
pub(super) enum Frame<'a> {
    For(Loop<'a>),
    Splat(Splat<'a>),
}

/// The reports made so far, by code, place and arguments.
pub(super) type Reported<'a> = HashSet<Report<'a>>;

/// The state of one `for`.
pub(super) struct Loop<'a> {
    pub(super) head: For<'a>,
    /// The node where the parts start, and the node of the `for` itself.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) outer_stop: usize,
    /// `None` if the collection is unknown.
    pub(super) elements: Option<Elements<'a>>,
    pub(super) next: usize,
    pub(super) part: Part,
    /// The indexes of the variables.
    pub(super) key_variable: Option<usize>,
    pub(super) value_variable: usize,
    pub(super) marks: Marks,
    /// Whether all conditions and keys are known and valid.
    pub(super) known: bool,
    /// The index on the stack of its first value, and the index of its first key.
    pub(super) base: usize,
    pub(super) names: usize,
    /// The diagnostics so far, and those of the current element.
    pub(super) chain: Chain,
    pub(super) of_element: Chain,
    pub(super) key: &'a str,
    pub(super) keys: HashSet<&'a str>,
    pub(super) reported: Reported<'a>,
}

/// The part that is being evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The condition, evaluated once with unknown variables.
    Trial,
    Condition,
    Key,
    Value,
}

impl Loop<'_> {
    /// The range of the nodes of a part.
    pub(super) fn range(&self, part: Part) -> (usize, usize) {
        let value = self.start + self.head.key_size as usize;
        let condition = value + self.head.value_size as usize;
        match part {
            Part::Trial | Part::Condition => (condition, self.end),
            Part::Key => (self.start, value),
            Part::Value => (value, condition),
        }
    }
}

/// The elements of a collection, with their keys.
#[derive(Clone, Copy)]
pub(super) enum Elements<'a> {
    Sequence(&'a [Value<'a>]),
    /// Each element is its own key.
    Set(&'a [Value<'a>]),
    Named(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Elements<'a> {
    /// Returns the elements of a known value that can be iterated over.
    pub(super) fn of(value: Value<'a>) -> Option<Self> {
        match value.ty() {
            Type::List(_) | Type::Tuple(_) => Some(Self::Sequence(value.elements())),
            Type::Set(_) => Some(Self::Set(value.elements())),
            Type::Map(_) | Type::Object(_) => Some(Self::Named(value.entries())),
            _ => None,
        }
    }

    pub(super) fn value(self, index: usize) -> Option<Value<'a>> {
        match self {
            Self::Sequence(elements) | Self::Set(elements) => elements.get(index).copied(),
            Self::Named(entries) => entries.get(index).map(|&(_, value)| value),
        }
    }
}

/// The state of one splat.
pub(super) struct Splat<'a> {
    /// The node where the part per element starts, and the node of the splat itself.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) outer_stop: usize,
    pub(super) source: Source<'a>,
    /// The elements, if they are known.
    pub(super) elements: Option<&'a [Value<'a>]>,
    pub(super) next: usize,
    pub(super) item: Value<'a>,
    pub(super) pass: Pass,
    /// Whether an element failed.
    pub(super) failed: bool,
    pub(super) marks: Marks,
    /// The index of its first value on the stack.
    pub(super) base: usize,
    pub(super) chain: Chain,
    pub(super) reported: Reported<'a>,
}

/// The source of the elements.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// A list or set with elements of this type.
    Collection(Type<'a>),
    /// A tuple with elements of these types.
    Tuple(&'a [Type<'a>]),
    /// A value that is treated as a tuple with one element, or an empty one if it turns out to be
    /// null.
    Uncertain,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// A pass over the elements.
    Values,
    /// A pass over the types of the elements, with unknown values.
    Types,
}

impl<'a> Splat<'a> {
    /// The current element.
    pub(super) fn item(&self) -> Value<'a> {
        self.item
    }

    /// The next element of this pass.
    pub(super) fn element(&self) -> Option<Value<'a>> {
        let at = self.next;
        match (self.pass, self.source) {
            (Pass::Values, _) => self.elements?.get(at).copied(),
            (Pass::Types, Source::Collection(ty)) => (at == 0).then(|| Value::unknown(ty)),
            (Pass::Types, Source::Tuple(types)) => types.get(at).map(|&ty| Value::unknown(ty)),
            (Pass::Types, Source::Uncertain) => None,
        }
    }
}

//! Parts that are evaluated once per element: what is known of each while it is.
//!
//! [`repeat`](super::repeat) and [`splat`](super::splat) say how they go on.

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

/// What was already reported: code, place and names.
pub(super) type Told<'a> = HashSet<Report<'a>>;

/// The state of one `for`.
pub(super) struct Loop<'a> {
    pub(super) head: For<'a>,
    /// Where the parts begin, and the node of the `for` itself.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) outer_stop: usize,
    /// `None` if the collection is not known.
    pub(super) elements: Option<Elements<'a>>,
    pub(super) next: usize,
    pub(super) part: Part,
    /// The indexes of the variables.
    pub(super) key_variable: Option<usize>,
    pub(super) value_variable: usize,
    pub(super) marks: Marks,
    /// Whether all conditions and keys are known and right.
    pub(super) known: bool,
    /// The first of its values on the stack, and of its keys.
    pub(super) base: usize,
    pub(super) names: usize,
    /// The diagnostics so far, and those of the current element.
    pub(super) chain: Chain,
    pub(super) of_element: Chain,
    pub(super) key: &'a str,
    pub(super) keys: HashSet<&'a str>,
    pub(super) told: Told<'a>,
}

/// What is being evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The condition, with unknown variables.
    Trial,
    Condition,
    Key,
    Value,
}

impl Loop<'_> {
    /// Where a part begins and ends.
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

/// The elements of a collection, one after the other, with their keys.
#[derive(Clone, Copy)]
pub(super) enum Elements<'a> {
    Sequence(&'a [Value<'a>]),
    /// Each element is its own key.
    Set(&'a [Value<'a>]),
    Named(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Elements<'a> {
    /// The elements of a known value that can be iterated over.
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
    /// Where the part per element begins, and the node of the splat itself.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) outer_stop: usize,
    pub(super) source: Source<'a>,
    /// The elements, if they are known.
    pub(super) elements: Option<&'a [Value<'a>]>,
    pub(super) next: usize,
    pub(super) item: Value<'a>,
    pub(super) pass: Pass,
    /// An element failed.
    pub(super) failed: bool,
    pub(super) marks: Marks,
    /// The first of its values on the stack.
    pub(super) base: usize,
    pub(super) chain: Chain,
    pub(super) told: Told<'a>,
}

/// What the elements come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// A list or set, of elements of a type.
    Collection(Type<'a>),
    /// A tuple, of elements of these types.
    Tuple(&'a [Type<'a>]),
    /// A value that counts as a tuple of itself. If it turns out to be null, the tuple is empty.
    Uncertain,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// Over the elements.
    Values,
    /// Over the types of the elements, with unknown values.
    Types,
}

impl<'a> Splat<'a> {
    /// The element at hand.
    pub(super) fn item(&self) -> Value<'a> {
        self.item
    }

    /// The element to go on with in this pass.
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

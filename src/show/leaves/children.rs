//! The children of up to five containers at one place, side by side.
//!
//! Members are merged by name. The common start of the texts of both values is measured once
//! ([`Agreement`]); members within it are skipped without a comparison.

use super::side::{Marks, Side, same_marks};
use crate::json::{Elements, Member, Members, Node};
use crate::show::order::is_sorted;
use crate::show::path::Step;

/// The length of the common start of the texts of two values, so that no byte is compared on every
/// level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agreement {
    before: u32,
    after: u32,
    pub(super) len: u32,
}

#[allow(clippy::large_enum_variant, reason = "most containers are objects")]
pub(super) enum Children<'a> {
    /// Values before and after, unknown, and sensitive before and after.
    Object([Cursor<'a>; 5]),
    Array([Option<Elements<'a>>; 5], u32),
}

impl Agreement {
    /// The agreement of two values, given that of their containers.
    pub(super) fn below(outer: Option<Self>, left: Node<'_>, right: Node<'_>) -> Self {
        let (before, after) = (left.offset(), right.offset());
        if let Some(outer) = outer {
            let (left_at, right_at) = (before - outer.before, after - outer.after);
            if left_at == right_at && left_at < outer.len {
                let len = (outer.len - left_at).min(left.span().len());
                return Self { before, after, len };
            }
        }
        let len = common_prefix(left.text(), right.text()) as u32;
        Self { before, after, len }
    }
}

impl Agreement {
    /// Skips the members whose values end within the agreement. Returns whether there are any.
    pub(super) fn skip<'a>(self, left: &mut Members<'a>, right: &mut Members<'a>) -> bool {
        let mut has_skipped = false;
        loop {
            let (mut left_ahead, mut right_ahead) = (left.clone(), right.clone());
            let (Some(member), Some(_)) = (left_ahead.next(), right_ahead.next()) else { break };
            // The next byte must agree, too: a number could continue there.
            if member.value().span().end - self.before >= self.len {
                break;
            }
            (*left, *right) = (left_ahead, right_ahead);
            has_skipped = true;
        }
        has_skipped
    }
}

/// The number of equal bytes at the start of two texts.
pub(super) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let chunks = left.as_chunks::<64>().0.iter().zip(right.as_chunks::<64>().0);
    let len = 64 * chunks.take_while(|(left, right)| left == right).count();
    len + left[len..].iter().zip(&right[len..]).take_while(|(left, right)| left == right).count()
}

impl<'a> Children<'a> {
    /// The children of objects, without the equal members at their start, and whether there are any
    /// of these.
    pub(super) fn object(
        [before, after]: [Side<'a>; 2],
        agreement: Option<Agreement>,
    ) -> (Self, bool) {
        let members =
            |node: Option<Node<'a>>| node.and_then(Node::as_object).map(|object| object.members());
        let marks = |marks| match marks {
            Marks::Inside(node) => Cursor::new(members(Some(node))),
            _ => Cursor::new(None),
        };
        let (mut left, mut right) = (members(before.value), members(after.value));
        let mut has_agreed = false;
        if let (Some(left), Some(right), Some(agreement)) = (&mut left, &mut right, agreement)
            && same_marks(before, after)
        {
            has_agreed = agreement.skip(left, right);
        }
        let children = Self::Object([
            Cursor::new(left),
            Cursor::new(right),
            marks(after.unknown),
            marks(before.sensitive),
            marks(after.sensitive),
        ]);
        (children, has_agreed)
    }

    pub(super) fn array([before, after]: [Side<'a>; 2]) -> Self {
        let elements =
            |node: Option<Node<'a>>| node.and_then(Node::as_array).map(|array| array.elements());
        let marks = |marks| match marks {
            Marks::Inside(node) => elements(Some(node)),
            _ => None,
        };
        let all = [
            elements(before.value),
            elements(after.value),
            marks(after.unknown),
            marks(before.sensitive),
            marks(after.sensitive),
        ];
        Self::Array(all, 0)
    }

    pub(super) fn next(&mut self) -> Option<(Step<'a>, [Side<'a>; 2])> {
        match self {
            Self::Object(cursors) => {
                let [left, right, unknown, sensitive_left, sensitive_right] = cursors;
                let least = least(least(left.current, right.current), unknown.current)?;
                let bytes = least.name;
                let before = Side {
                    value: left.take_up_to(bytes),
                    unknown: Marks::None,
                    sensitive: Marks::of_sensitive_child(sensitive_left.take_up_to(bytes)),
                };
                let after = Side {
                    value: right.take_up_to(bytes),
                    unknown: Marks::of_child(unknown.take_up_to(bytes)),
                    sensitive: Marks::of_sensitive_child(sensitive_right.take_up_to(bytes)),
                };
                Some((Step::Name(least.member.name()), [before, after]))
            }
            Self::Array(all, index) => {
                let [before, after, unknown, sensitive_before, sensitive_after] =
                    all.each_mut().map(|elements| elements.as_mut().and_then(Iterator::next));
                if before.is_none() && after.is_none() && unknown.is_none() {
                    return None;
                }
                let step = Step::Index(*index);
                *index += 1;
                let before = Side {
                    value: before,
                    unknown: Marks::None,
                    sensitive: Marks::of_sensitive_child(sensitive_before),
                };
                let after = Side {
                    value: after,
                    unknown: Marks::of_child(unknown),
                    sensitive: Marks::of_sensitive_child(sensitive_after),
                };
                Some((step, [before, after]))
            }
        }
    }
}

/// A member with its decoded name.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    name: &'a [u8],
    member: Member<'a>,
}

impl<'a> Named<'a> {
    pub(super) fn of(member: Member<'a>) -> Self {
        Self { name: member.name().to_bytes(), member }
    }
}

/// The member whose name comes first.
#[inline]
pub(super) fn least<'a>(left: Option<Named<'a>>, right: Option<Named<'a>>) -> Option<Named<'a>> {
    match (left, right) {
        (Some(one), Some(other)) => Some(if other.name < one.name { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The members of an object in the order of their names; the first of those with the same name.
pub(super) struct Cursor<'a> {
    current: Option<Named<'a>>,
    rest: Rest<'a>,
}

pub(super) enum Rest<'a> {
    /// The members are in order.
    InOrder(Members<'a>),
    /// The members were sorted; a stack, so the last one comes first.
    Sorted(Vec<Named<'a>>),
    Nothing,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(members: Option<Members<'a>>) -> Self {
        let Some(mut members) = members else { return Self { current: None, rest: Rest::Nothing } };
        if is_sorted(members.clone()) {
            let current = members.next().map(Named::of);
            Self { current, rest: Rest::InOrder(members) }
        } else {
            Self::sorted(members)
        }
    }

    #[cold]
    pub(super) fn sorted(members: Members<'a>) -> Self {
        let mut members: Vec<Named<'a>> = members.map(Named::of).collect();
        members.sort_by_key(|named| named.name);
        members.dedup_by_key(|named| named.name);
        members.reverse();
        Self { current: members.pop(), rest: Rest::Sorted(members) }
    }

    /// The value of this name. Skips the members before it.
    #[inline(always)]
    pub(super) fn take_up_to(&mut self, name: &[u8]) -> Option<Node<'a>> {
        // Most cursors are empty, or their next member has this name.
        let current = self.current?;
        if current.name == name {
            self.advance();
            return Some(current.member.value());
        }
        self.pass_up_to(name)
    }

    pub(super) fn pass_up_to(&mut self, name: &[u8]) -> Option<Node<'a>> {
        loop {
            let current = self.current?;
            if current.name > name {
                return None;
            }
            self.advance();
            if current.name == name {
                return Some(current.member.value());
            }
        }
    }

    pub(super) fn advance(&mut self) {
        self.current = match &mut self.rest {
            Rest::InOrder(members) => members.next().map(Named::of),
            Rest::Sorted(members) => members.pop(),
            Rest::Nothing => None,
        };
    }
}

//! The keys of the instances of a resource or module: `count`, `for_each`, `enabled`.

use crate::arena::Arena;
use crate::reference::InstanceKey;
use crate::value::{Number, Type, Value};

/// The instances of a resource or module call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keys<'a> {
    /// One, without a key.
    One,
    /// None: `enabled` is false.
    Disabled,
    /// `count`.
    Count(u64),
    /// `for_each`: the key and value of each, sorted by key.
    Each(&'a [(&'a str, Value<'a>)]),
    /// It is not known which.
    Unknown(Repetition),
}

/// The argument that decides on the instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    Count,
    Each,
    Enabled,
}

/// An instance of a resource or module call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key<'a> {
    None,
    Index(u64),
    Name(&'a str, Value<'a>),
    /// Stands for all instances, which are not known.
    Unknown(Repetition),
}

impl<'a> Keys<'a> {
    /// The number of instances. Unknown ones count as one.
    pub(super) fn len(self) -> u64 {
        match self {
            Self::One | Self::Unknown(_) => 1,
            Self::Disabled => 0,
            Self::Count(count) => count,
            Self::Each(entries) => entries.len() as u64,
        }
    }

    /// Keys that stand for these, which are too many.
    pub(super) fn to_unknown(self) -> Self {
        Self::Unknown(match self {
            Self::Each(_) => Repetition::Each,
            Self::One | Self::Disabled => Repetition::Enabled,
            Self::Count(_) => Repetition::Count,
            Self::Unknown(repetition) => repetition,
        })
    }

    /// The instance at a place, in the order of keys.
    pub(super) fn get(self, place: u64) -> Key<'a> {
        match self {
            Self::One | Self::Disabled => Key::None,
            Self::Count(_) => Key::Index(place),
            Self::Each(entries) => {
                let at = usize::try_from(place).ok().and_then(|place| entries.get(place));
                at.map_or(Key::None, |&(name, value)| Key::Name(name, value))
            }
            Self::Unknown(repetition) => Key::Unknown(repetition),
        }
    }

    /// The place of the instance with a key.
    pub(super) fn place(self, key: InstanceKey<'_>) -> Option<u64> {
        match (self, key) {
            (Self::Count(count), InstanceKey::Number(number)) => {
                u64::try_from(number).ok().filter(|&number| number < count)
            }
            (Self::Each(entries), InstanceKey::String(name)) => {
                entries.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|at| at as u64)
            }
            _ => None,
        }
    }

    /// The places of the instances in the order of their addresses as texts: `[10]` is before `[2]`.
    pub(super) fn in_order_of_text(self) -> impl Iterator<Item = u64> {
        let (count, rest) = match self {
            Self::Count(count) => (count, 0),
            keys => (0, keys.len()),
        };
        let mut sorted = Vec::new();
        if let Self::Each(entries) = self
            && entries.iter().any(|(name, _)| name.bytes().any(may_change_order))
        {
            sorted.extend(0..rest);
            sorted.sort_by_cached_key(|&place| {
                let mut text = String::new();
                self.get(place).write(&mut text);
                text
            });
        }
        let rest = if sorted.is_empty() { rest } else { 0 };
        let mut next = Some(0).filter(|&first| first < count);
        let of_count = std::iter::from_fn(move || {
            let this = next?;
            next = after(this, count);
            Some(this)
        });
        of_count.chain(sorted).chain(0..rest)
    }
}

/// Whether keys with a byte may have another order than their texts in addresses: it is escaped
/// there, or not above the quote that ends a text.
fn may_change_order(byte: u8) -> bool {
    byte <= b'"' || matches!(byte, b'\\' | b'$' | b'%')
}

/// The number below `count` that comes next in the order of texts. The digits are followed by `]`,
/// which is after all digits: `10]` is before `1]`.
fn after(this: u64, count: u64) -> Option<u64> {
    if this == 0 {
        return first_with(1, count);
    }
    // After a number and all longer ones with its digits comes the next of its length, then the
    // shorter number.
    match this + 1 {
        next if this % 10 < 9 && next < count => first_with(next, count),
        _ => Some(this / 10).filter(|&shorter| shorter > 0),
    }
}

/// The first number in the order of texts that starts with the digits of `start`.
fn first_with(start: u64, count: u64) -> Option<u64> {
    if start >= count {
        return None;
    }
    let mut this = start;
    while let Some(longer) = this.checked_mul(10).filter(|&longer| longer < count) {
        this = longer;
    }
    Some(this)
}

impl<'a> Key<'a> {
    /// The key, if there is one and it is known.
    pub(super) fn of_instance(self) -> Option<InstanceKey<'a>> {
        match self {
            Key::Index(index) => i64::try_from(index).ok().map(InstanceKey::Number),
            Key::Name(name, _) => Some(InstanceKey::String(name)),
            Key::None | Key::Unknown(_) => None,
        }
    }

    /// The variables `count` and `each` of the instance.
    pub(super) fn variables(self, arena: &'a Arena) -> Option<(&'a str, Value<'a>)> {
        let each = |key, value| ("each", Value::object(arena, &[("key", key), ("value", value)]));
        let count = |index| ("count", Value::object(arena, &[("index", index)]));
        Some(match self {
            Self::None | Self::Unknown(Repetition::Enabled) => return None,
            Self::Index(index) => count(Value::number(Number::from_u64(arena, index))),
            Self::Name(name, value) => each(Value::string(arena, name), value),
            Self::Unknown(Repetition::Count) => count(Value::unknown(Type::Number).not_null()),
            Self::Unknown(Repetition::Each) => {
                each(Value::unknown(Type::String).not_null(), Value::dynamic())
            }
        })
    }

    /// The key as it is written in an address: `[0]`, `["a"]`, `[*]` if it is unknown.
    pub(super) fn write(self, out: &mut String) {
        use std::fmt::Write;
        let _ = match self {
            Self::None => Ok(()),
            Self::Index(index) => write!(out, "[{index}]"),
            Self::Name(name, _) => write!(out, "{}", InstanceKey::String(name)),
            Self::Unknown(_) => out.write_str("[*]"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_order_of_texts() {
        for count in
            [0, 1, 2, 9, 10, 11, 12, 19, 20, 21, 99, 100, 101, 109, 110, 111, 999, 1000, 1234]
        {
            let mut texts: Vec<String> = (0..count).map(|at| format!("[{at}]")).collect();
            texts.sort();
            let keys = Keys::Count(count);
            let found: Vec<String> = keys.in_order_of_text().map(|at| format!("[{at}]")).collect();
            assert_eq!(found, texts, "{count}");
        }
    }
}

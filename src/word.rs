//! One event in one 64-bit word.
//!
//! ```text
//!   63    60 59    56 55                    32 31                               0
//!  ┌────────┬────────┬────────────────────────┬──────────────────────────────────┐
//!  │ flags  │ kind   │ extent                 │ offset                           │
//!  └────────┴────────┴────────────────────────┴──────────────────────────────────┘
//! ```
//!
//! * *offset*: of the event's first byte in the source.
//! * *extent*: of a string or key, the bytes between its quotes; of a number, `true`, `false` or
//!   `null`, its bytes; of a start, the number of events to its end. [`Event::UNRECORDED`] if it
//!   did not fit or was not computed: it is then found in the source, or in the stream's table of
//!   long containers.
//! * *flags*: see [`Flags`].

use std::fmt;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// `null`
    Null = 0,
    /// `false`
    False = 1,
    /// `true`
    True = 2,
    /// A number.
    Number = 3,
    /// A string that is a value.
    String = 4,
    /// A string that names a property.
    Key = 5,
    /// `{`
    StartObject = 6,
    /// `[`
    StartArray = 7,
    /// `}`
    EndObject = 8,
    /// `]`
    EndArray = 9,
}

impl Kind {
    const fn from_bits(bits: u64) -> Self {
        match bits & 0xF {
            0 => Self::Null,
            1 => Self::False,
            2 => Self::True,
            3 => Self::Number,
            4 => Self::String,
            5 => Self::Key,
            6 => Self::StartObject,
            7 => Self::StartArray,
            8 => Self::EndObject,
            _ => Self::EndArray,
        }
    }

    /// Its name: `"StartObject"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "Null",
            Self::False => "False",
            Self::True => "True",
            Self::Number => "Number",
            Self::String => "String",
            Self::Key => "Key",
            Self::StartObject => "StartObject",
            Self::StartArray => "StartArray",
            Self::EndObject => "EndObject",
            Self::EndArray => "EndArray",
        }
    }

    /// Whether it starts an object or an array.
    #[must_use]
    pub const fn is_start(self) -> bool {
        matches!(self, Self::StartObject | Self::StartArray)
    }
}

/// Properties of an event in addition to its kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// The string has a backslash: its text differs from its bytes.
    pub const ESCAPED: Self = Self(1);
    /// The string's bytes contain `${` or `%{`: it may be a template.
    pub const TEMPLATE: Self = Self(2);
    /// The container is sealed: its members have no events here.
    pub const SEALED: Self = Self(4);

    /// Returns the flags of a string's raw bytes.
    pub(crate) const fn of_string(escaped: bool, template: bool) -> Self {
        Self(escaped as u8 | (template as u8) << 1)
    }

    /// Whether it has all flags of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the flags of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            [(Self::ESCAPED, "escaped"), (Self::TEMPLATE, "template"), (Self::SEALED, "sealed")];
        f.debug_set()
            .entries(names.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, name)| name))
            .finish()
    }
}

/// One event of the stream. See the module for the layout.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Event(u64);

impl Event {
    /// The extent of an event whose extent is recorded elsewhere.
    pub const UNRECORDED: u32 = (1 << 24) - 1;

    /// Returns an event. An extent that does not fit becomes [`Event::UNRECORDED`].
    #[inline(always)]
    #[must_use]
    pub(crate) const fn new(kind: Kind, flags: Flags, extent: u32, offset: u32) -> Self {
        let extent = if extent < Self::UNRECORDED { extent } else { Self::UNRECORDED };
        Self(offset as u64 | (extent as u64) << 32 | (kind as u64) << 56 | (flags.0 as u64) << 60)
    }

    /// Returns an event that has an extent of any length.
    #[inline(always)]
    pub(crate) fn of_length(kind: Kind, flags: Flags, extent: usize, offset: u32) -> Self {
        Self::new(kind, flags, extent.min(Self::UNRECORDED as usize) as u32, offset)
    }

    /// The word with these bits, for [rooms](crate::event::room) of other words.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The event as a word.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The kind of the event.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind::from_bits(self.0 >> 56)
    }

    /// The flags of the event.
    #[inline]
    #[must_use]
    pub const fn flags(self) -> Flags {
        Flags((self.0 >> 60) as u8)
    }

    /// The offset of its first byte.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> u32 {
        self.0 as u32
    }

    /// Its extent: see the module.
    #[inline]
    #[must_use]
    pub const fn extent(self) -> u32 {
        (self.0 >> 32) as u32 & Self::UNRECORDED
    }

    /// Returns the event at another offset.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) const fn with_offset(self, offset: u32) -> Self {
        Self(self.0 >> 32 << 32 | offset as u64)
    }

    /// Returns the event with another extent.
    #[inline(always)]
    pub(crate) const fn with_extent(self, extent: u32) -> Self {
        let field = (Self::UNRECORDED as u64) << 32;
        Self(self.0 & !field | (extent as u64) << 32 & field)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{}+{}{:?}", self.kind(), self.offset(), self.extent(), self.flags())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive_packing() {
        for kind in [Kind::Null, Kind::Key, Kind::StartObject, Kind::EndArray] {
            for extent in [0, 1, Event::UNRECORDED - 1] {
                for offset in [0, 1, u32::MAX] {
                    let flags = Flags::ESCAPED.union(Flags::SEALED);
                    let event = Event::new(kind, flags, extent, offset);
                    assert_eq!(
                        (event.kind(), event.flags(), event.extent(), event.offset()),
                        (kind, flags, extent, offset)
                    );
                }
            }
        }
    }

    #[test]
    fn kinds_have_names() {
        for bits in 0..=9 {
            let kind = Kind::from_bits(bits);
            assert_eq!(kind.name(), format!("{kind:?}"));
        }
    }

    #[test]
    fn an_extent_that_does_not_fit_is_unrecorded() {
        let event = Event::new(Kind::String, Flags::NONE, u32::MAX, 7);
        assert_eq!((event.extent(), event.offset()), (Event::UNRECORDED, 7));
    }
}

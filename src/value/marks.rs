//! Marks: what sticks to a value, and to everything computed from it.

/// A set of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u32);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// Must not be shown.
    pub const SENSITIVE: Self = Self(1);
    /// Must not be stored.
    pub const EPHEMERAL: Self = Self(2);

    /// A mark of the caller's own: `bit` from 0 to 15.
    #[must_use]
    pub const fn custom(bit: u8) -> Self {
        Self(1 << (16 + (bit & 15)))
    }

    /// The marks of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all marks of `other` are there.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

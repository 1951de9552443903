//! Flags of a string, found in one pass over its raw bytes.

use std::fmt;

/// Flags of a string's raw bytes, between the quotes. Exact for the raw bytes; an escape may still
/// decode to a part of a template sequence.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct StringFlags(u8);

impl StringFlags {
    /// The bit of a string that contains a backslash.
    pub const ESCAPE: u8 = 1;
    /// The bit of a string that contains `${` or `%{`.
    pub const TEMPLATE: u8 = 2;

    #[inline(always)]
    pub(super) const fn new(escape: bool, template: bool) -> Self {
        Self(escape as u8 | (template as u8) << 1)
    }

    #[inline(always)]
    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the string contains a backslash, so that its value differs from its bytes.
    #[must_use]
    #[inline(always)]
    pub const fn has_escape(self) -> bool {
        self.0 & Self::ESCAPE != 0
    }

    /// Whether the raw bytes of the string contain `${` or `%{`.
    #[must_use]
    #[inline(always)]
    pub const fn has_template(self) -> bool {
        self.0 & Self::TEMPLATE != 0
    }

    /// Both flags as the bits [`ESCAPE`](Self::ESCAPE) and [`TEMPLATE`](Self::TEMPLATE).
    #[cfg(any(test, feature = "fuzzing"))]
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl fmt::Debug for StringFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StringFlags")
            .field("escape", &self.has_escape())
            .field("template", &self.has_template())
            .finish()
    }
}

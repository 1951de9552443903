//! Marks, which a value passes on to everything computed from it.

/// The text that stands for a value that must not be shown.
pub const HIDDEN: &str = "(sensitive)";

/// Whether an argument of a provider says by its name where things are, or what they are called:
/// such a text is no secret, and in many values.
pub(crate) fn says_where(argument: &str) -> bool {
    /// The last words of such names.
    const WORDS: [&str; 28] = [
        "address",
        "alias",
        "context",
        "domain",
        "endpoint",
        "endpoints",
        "environment",
        "features",
        "host",
        "hostname",
        "ids",
        "labels",
        "location",
        "name",
        "namespace",
        "org",
        "organization",
        "path",
        "profile",
        "project",
        "region",
        "regions",
        "tags",
        "uri",
        "url",
        "version",
        "zone",
        "zones",
    ];
    const NAMES: [&str; 5] = ["account_id", "owner", "subscription_id", "tenant_id", "workspace"];
    let last = argument.rsplit('_').next().unwrap_or(argument);
    WORDS.binary_search(&last).is_ok() || NAMES.contains(&argument)
}

/// A set of marks.
///
/// ```
/// use simd_hcl::value::Marks;
///
/// let marks = Marks::SENSITIVE.with(Marks::EPHEMERAL);
/// assert_ne!(marks, Marks::SENSITIVE);
/// assert!(Marks::custom(0).is_some() && Marks::custom(16).is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u32);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// The value must not be shown.
    pub const SENSITIVE: Self = Self(1);
    /// The value must not be stored.
    pub const EPHEMERAL: Self = Self(2);

    /// The value must not be shown, and may be used like any other: nothing in the configuration marks
    /// it, but it is made of what is hidden elsewhere, such as in the files of a unit.
    pub(crate) const HIDDEN: Self = Self(4);

    /// The number of marks that callers can define.
    pub const CUSTOM: u8 = 16;

    /// The caller's own mark number `bit`, from 0 to 15; `None` for any other number.
    #[must_use]
    pub const fn custom(bit: u8) -> Option<Self> {
        if bit < Self::CUSTOM { Some(Self(1 << (16 + bit))) } else { None }
    }

    /// The marks of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it has all marks of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The marks that `other` does not have.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The marks as bits.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// The marks with these bits.
    pub(super) const fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The marks that a declaration gives to a value.
    pub(crate) const fn declared(sensitive: Option<bool>, ephemeral: Option<bool>) -> Self {
        let sensitive = if let Some(true) = sensitive { Self::SENSITIVE } else { Self::NONE };
        match ephemeral {
            Some(true) => sensitive.with(Self::EPHEMERAL),
            _ => sensitive,
        }
    }

    /// Whether a value with these marks must not be shown: it is sensitive, must not be stored, or is
    /// made of what is hidden elsewhere.
    #[must_use]
    pub const fn hides(self) -> bool {
        self.0 & Self::SENSITIVE.with(Self::EPHEMERAL).with(Self::HIDDEN).0 != 0
    }

    /// Whether it has no mark.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_callers_are_distinct() {
        let marks: Vec<_> = (0..=u8::MAX).filter_map(Marks::custom).collect();
        assert_eq!(marks.len(), usize::from(Marks::CUSTOM));
        for (place, mark) in marks.iter().enumerate() {
            assert!(!marks[..place].contains(mark));
            assert!(*mark != Marks::SENSITIVE && *mark != Marks::EPHEMERAL);
            assert!(Marks::SENSITIVE.with(*mark).without(*mark) == Marks::SENSITIVE);
        }
        assert_eq!(Marks::custom(16), None);
    }
}

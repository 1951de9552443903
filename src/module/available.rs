//! Which objects exist at a place that only some places have.

/// Which of the objects exist at a place that only some places have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Available {
    /// `count.index`
    pub count: bool,
    /// `each.key` and `each.value`
    pub each: bool,
    /// `self`
    pub itself: bool,
}

impl Available {
    /// Where nothing is said about these objects, or has been said before.
    pub(super) const ALL: Self = Self { count: true, each: true, itself: true };

    /// None of them.
    pub(super) const NONE: Self = Self { count: false, each: false, itself: false };

    /// In a block that is repeated by `count` or `for_each`, of which the first counts.
    pub(super) fn repeated(by_count: bool, by_each: bool) -> Self {
        Self { count: by_count, each: by_each && !by_count, itself: false }
    }

    pub(super) fn with_self(self) -> Self {
        Self { itself: true, ..self }
    }
}

//! The objects that exist only at some places: `count`, `each` and `self`.

/// Which of the objects `count`, `each` and `self` exist at a place.
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
    /// For places where these objects are not checked, or have been checked before.
    pub(super) const ALL: Self = Self { count: true, each: true, itself: true };

    /// None of them.
    pub(super) const NONE: Self = Self { count: false, each: false, itself: false };

    /// For a block that `count` or `for_each` repeats. If it has both, `count` wins.
    pub(super) fn repeated(by_count: bool, by_each: bool) -> Self {
        Self { count: by_count, each: by_each && !by_count, itself: false }
    }

    pub(super) fn with_self(self) -> Self {
        Self { itself: true, ..self }
    }
}

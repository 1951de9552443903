//! Numbers of changes.

use crate::show::names::ActionKind;
use crate::show::plan::{Change as ChangeView, Plan, ResourceChange};

/// The numbers of changes: by the kind of their actions together, each change in one of these, and
/// beside them those that import or move an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    kinds: [u64; ActionKind::ALL.len()],
    import: u64,
    moved: u64,
}

impl Summary {
    /// Counts a change.
    pub fn add(&mut self, change: ResourceChange<'_>) {
        self.kinds[change.actions().kind() as usize] += 1;
        self.moved += u64::from(change.previous_address().value().is_some());
        self.import += u64::from(change.change().value().is_some_and(ChangeView::is_import));
    }

    /// The number of changes of a kind.
    #[must_use]
    pub fn of_kind(&self, kind: ActionKind) -> u64 {
        self.kinds[kind as usize]
    }

    /// The number of changes that import an object.
    #[must_use]
    pub fn imports(&self) -> u64 {
        self.import
    }

    /// The number of changes that move an object to another address.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moved
    }

    /// All numbers with their names: the kinds, then `import` and `move`.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let kinds = ActionKind::ALL.into_iter().map(|kind| (kind.name(), self.of_kind(kind)));
        kinds.chain([("import", self.import), ("move", self.moved)])
    }
}

impl<'a> FromIterator<ResourceChange<'a>> for Summary {
    fn from_iter<I: IntoIterator<Item = ResourceChange<'a>>>(changes: I) -> Self {
        let mut summary = Self::default();
        changes.into_iter().for_each(|change| summary.add(change));
        summary
    }
}

impl Plan<'_> {
    /// The numbers of planned changes, no-ops included.
    #[must_use]
    pub fn summary(self) -> Summary {
        self.changes().collect()
    }
}

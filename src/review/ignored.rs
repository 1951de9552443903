//! `ignore_changes`: an object that a plan does not replace keeps the old values of what it lists, and others
//! that refer to it see them.

use std::cell::RefCell;

use super::instances::{Instance, Instances};
use super::model::{ReviewAction, ReviewChange};
use super::{ReviewOptions, leaves};
use crate::arena::Arena;
use crate::expand::{Planned, ignored_by, with_ignored};
use crate::hash::{HashMap, HashSet};
use crate::module::Resource;
use crate::reference::Mode;
use crate::value::Value;

/// The addresses of the old version, by those of the new one; `None` for an address whose object has moved
/// away.
pub(super) type Moved<'o> = HashMap<String, Option<&'o str>>;

/// The old version, as far as the new one keeps it.
pub(super) struct Prior<'c, 'k, 'a> {
    old: &'c Instances<'k, 'a>,
    moved: &'c Moved<'c>,
    options: &'c ReviewOptions,
    /// The addresses of objects that are replaced because others change. They have the new values.
    replaced: HashSet<String>,
    /// The addresses of objects that keep a value that differs from the new one.
    kept: RefCell<HashSet<String>>,
}

impl<'c, 'k, 'a: 'k> Prior<'c, 'k, 'a> {
    pub(super) fn of(
        old: &'c Instances<'k, 'a>,
        moved: &'c Moved<'c>,
        options: &'c ReviewOptions,
    ) -> Self {
        let (replaced, kept) = Default::default();
        Self { old, moved, options, replaced, kept }
    }

    /// The instance of the old version that has become the one at an address.
    pub(super) fn previous(&self, address: &str) -> Option<&'c Instance<'k, 'a>> {
        match self.moved.get(address) {
            Some(from) => self.old.get((*from)?),
            None => self.old.get(address),
        }
    }

    /// Notes the objects that have kept values and are replaced. Returns the address of one: the new version
    /// has to be evaluated again.
    pub(super) fn replace(&mut self, changes: &[ReviewChange]) -> Option<String> {
        let kept = self.kept.take();
        let is_replaced = |change: &&ReviewChange| {
            change.action == ReviewAction::Replace && kept.contains(&change.address)
        };
        let found: Vec<String> =
            changes.iter().filter(is_replaced).map(|it| it.address.clone()).collect();
        let one = found.first().cloned();
        self.replaced.extend(found);
        one
    }
}

impl<'a> Planned<'a> for Prior<'_, '_, 'a> {
    fn planned<'v>(
        &self,
        arena: &'v Arena,
        (address, resource): (&str, &Resource<'a>),
        value: Value<'v>,
        has_schema: bool,
    ) -> Option<Value<'v>>
    where
        'a: 'v,
    {
        if resource.address().mode != Mode::Managed || self.replaced.contains(address) {
            return None;
        }
        let before = self.previous(address)?.values;
        let planned = with_ignored(arena, ignored_by(resource), (before, value), has_schema);
        let resource_type = resource.address().resource_type;
        if self.options.replaces_by(resource_type, [before, planned]) {
            return None;
        }
        if leaves::differ([Some(value), Some(planned)]) {
            self.kept.borrow_mut().insert(address.to_owned());
        }
        Some(planned)
    }
}

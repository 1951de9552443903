//! Changes of resource instances.

use std::borrow::Cow;

use super::cell::{Value, rows};
use super::instance::key_of;
use crate::json::Node;
use crate::show::names::{ActionKind, Actions};
use crate::show::plan::{Change as ChangeView, Plan, ResourceChange};
use crate::show::shown::Shown;

/// Where a plan has a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Among the planned changes.
    Change,
    /// Among the changes outside of the tool.
    Drift,
    /// Among the changes that are deferred to a later plan.
    Deferred,
}

impl ChangeKind {
    /// `change`, `drift` or `deferred`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Drift => "drift",
            Self::Deferred => "deferred",
        }
    }
}

/// A change of a resource instance, or of one of its deposed objects.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    kind: ChangeKind,
    entry: ResourceChange<'a>,
}

rows! { Change {
    /// `change`, or `drift` for a change outside of the tool
    kind "kind" Text always = |it, _| Some(it.kind.name().into());
    /// Address of the instance
    address "address" Text always = |it, shown| {
        shown.name_of(it.of(), it.entry.head().address_or_none()?.into())
    };
    /// Address before it was moved
    previous_address "previous_address" Text optional = |it, shown| {
        shown.name_of(it.of(), it.entry.previous_address().value()?.into())
    };
    /// Address of the module instance
    module_address "module_address" Text optional = |it, shown| {
        shown.name_of(it.of(), it.entry.module_address().value()?.into())
    };
    /// `managed`, `data` or `ephemeral`
    mode "mode" Text always = |it, shown| {
        shown.name_of(it.of(), it.entry.head().mode_or_none()?.name().into())
    };
    /// Type
    resource_type "type" Text always = |it, shown| {
        shown.name_of(it.of(), it.entry.head().type_or_none()?.into())
    };
    /// Name
    name "name" Text always = |it, shown| {
        shown.name_of(it.of(), it.entry.head().name_or_none()?.into())
    };
    /// Key of the instance
    index "index" Key optional = |it, shown| key_of(it.entry.index(), it.of(), shown);
    /// Key of the deposed object
    deposed "deposed" Text optional = |it, shown| {
        shown.name_of(it.of(), it.entry.deposed().value()?.into())
    };
    /// Provider
    provider_name "provider_name" Text always = |it, shown| {
        shown.name_of(it.of(), it.entry.provider_name().value()?.into())
    };
    /// The kind of its actions together: `create`, `update`, `delete`, `replace`, `read`, `no_op`, …
    action "action" Text always = |it, _| Some(it.entry.actions().kind().name().into());
    /// Actions, in order
    actions "actions" Texts always = |it, shown| texts_of(it.entry.actions(), it.of(), shown);
    /// Why the action was chosen
    action_reason "action_reason" Text optional = |it, shown| {
        shown.name_of(it.of(), it.entry.action_reason().value()?.name().into())
    };
    /// Whether an existing object is imported
    is_import "is_import" Flag optional = |it, _| it.change().is_some_and(ChangeView::is_import);
    /// The object that is imported: an ID, an identity, or that it is not known yet
    importing "importing" Value optional = |it, shown| {
        let importing = it.change().and_then(|it| it.importing().value());
        Value::of(importing.map(|it| it.object().node()), shown)
    };
    /// Configuration that was generated for an import, in native syntax
    generated_config "generated_config" Text optional = |it, shown| {
        shown.text_of(it.of(), it.change()?.generated_config().value()?)
    };
    /// Whether the key of the instance is not known yet
    index_unknown "index_unknown" Flag optional = |it, _| {
        it.entry.index_unknown().value() == Some(true)
    };
}}

/// The names of actions, in order.
pub(super) fn texts_of<'a>(actions: Actions<'a>, of: Node<'_>, shown: &Shown) -> Vec<Cow<'a, str>> {
    actions.iter().filter_map(|action| shown.name_of(of, action.name().into())).collect()
}

impl<'a> Change<'a> {
    /// An entry of a plan.
    #[must_use]
    pub fn new(kind: ChangeKind, entry: ResourceChange<'a>) -> Self {
        Self { kind, entry }
    }

    /// The entry of the plan.
    #[must_use]
    pub fn entry(self) -> ResourceChange<'a> {
        self.entry
    }

    pub(super) fn of(self) -> Node<'a> {
        self.entry.object().node()
    }

    fn change(self) -> Option<ChangeView<'a>> {
        self.entry.change().value()
    }

    /// The ID of the object that is imported; `None` if nothing is, or if it has another identity.
    #[must_use]
    pub fn import_id(self, shown: &Shown) -> Option<Cow<'a, str>> {
        shown.text_of(self.of(), self.change()?.importing().value()?.id().value()?)
    }

    /// The value before; absent if the member is.
    #[must_use]
    pub fn before(self, shown: &Shown) -> Value<'a> {
        self.member("before", shown)
    }

    /// The value after, where known; absent if the member is.
    #[must_use]
    pub fn after(self, shown: &Shown) -> Value<'a> {
        self.member("after", shown)
    }

    /// The parts of the value after that are not known yet, as the document marks them.
    #[must_use]
    pub fn after_unknown(self, shown: &Shown) -> Value<'a> {
        self.member("after_unknown", shown)
    }

    fn member(self, name: &str, shown: &Shown) -> Value<'a> {
        Value::of(self.change().and_then(|it| it.object().get(name)), shown)
    }

    /// Whether the entry leaves its object as it is, and where it is.
    #[must_use]
    pub fn is_quiet(self) -> bool {
        self.entry.actions().kind() == ActionKind::NoOp
            && self.entry.previous_address().value().is_none()
            && !self.change().is_some_and(ChangeView::is_import)
    }
}

impl<'a> Plan<'a> {
    /// All entries of `resource_changes` as rows, in order, including no-ops.
    pub fn change_rows(self) -> impl Iterator<Item = Change<'a>> {
        self.changes().map(|entry| Change::new(ChangeKind::Change, entry))
    }

    /// All entries of `resource_drift` as rows, in order.
    pub fn drift_rows(self) -> impl Iterator<Item = Change<'a>> {
        self.drift().map(|entry| Change::new(ChangeKind::Drift, entry))
    }

    /// Whether applying the plan would change anything but resources: an output, or something that is
    /// deferred or invoked.
    #[must_use]
    pub fn has_other_changes(self) -> bool {
        let changes_output = |change: ChangeView<'_>| {
            change.actions().value().is_some_and(|actions| actions.kind() != ActionKind::NoOp)
        };
        self.outputs().any(|(_, change)| changes_output(change))
            || self.action_rows().next().is_some()
            || self.deferred_rows().next().is_some()
    }

    /// Whether applying the plan would change anything, as the tools see it.
    #[must_use]
    pub fn has_changes(self) -> bool {
        self.change_rows().any(|change| !change.is_quiet()) || self.has_other_changes()
    }
}

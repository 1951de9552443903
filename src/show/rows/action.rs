//! Actions to be invoked, and changes and actions that are deferred to a later plan.

use super::cell::{Value, rows};
use super::change::{Change, ChangeKind};
use crate::json::Node;
use crate::show::field::List;
use crate::show::plan::{ActionInvocation, DeferredAction, DeferredChange, Plan};

/// An action to be invoked.
#[derive(Clone, Copy, Debug)]
pub struct Action<'a> {
    view: ActionInvocation<'a>,
}

rows! { Action {
    /// Address
    address "address" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.address().value()?.into())
    };
    /// Type
    action_type "type" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.action_type().value()?.into())
    };
    /// Name
    name "name" Text always = |it, shown| shown.name_of(it.of(), it.view.name().value()?.into());
    /// Provider
    provider_name "provider_name" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.provider_name().value()?.into())
    };
    /// The change of a resource that invokes it
    lifecycle_action_trigger "lifecycle_action_trigger" Value optional = |it, shown| {
        Value::of(it.view.object().get("lifecycle_action_trigger"), shown)
    };
    /// Present if it is invoked directly
    invoke_action_trigger "invoke_action_trigger" Value optional = |it, shown| {
        Value::of(it.view.object().get("invoke_action_trigger"), shown)
    };
}}

impl<'a> Action<'a> {
    /// An action.
    #[must_use]
    pub fn new(view: ActionInvocation<'a>) -> Self {
        Self { view }
    }

    /// The view of the document.
    #[must_use]
    pub fn view(self) -> ActionInvocation<'a> {
        self.view
    }

    fn of(self) -> Node<'a> {
        self.view.object().node()
    }
}

/// A change or an action that is deferred to a later plan.
#[derive(Clone, Copy, Debug)]
pub struct Deferred<'a> {
    view: View<'a>,
}

#[derive(Clone, Copy, Debug)]
enum View<'a> {
    Change(DeferredChange<'a>),
    Action(DeferredAction<'a>),
}

rows! { Deferred {
    /// Why it is deferred
    reason "reason" Text always = |it, shown| {
        let reason = match it.view {
            View::Change(it) => it.reason(),
            View::Action(it) => it.reason(),
        };
        shown.name_of(it.of(), reason.value()?.name().into())
    };
}}

impl<'a> Deferred<'a> {
    fn of(self) -> Node<'a> {
        match self.view {
            View::Change(it) => it.object().node(),
            View::Action(it) => it.object().node(),
        }
    }

    /// Whether it is an action, not a change.
    #[must_use]
    pub fn is_action(self) -> bool {
        matches!(self.view, View::Action(_))
    }

    /// The change; `None` for an action.
    #[must_use]
    pub fn change(self) -> Option<Change<'a>> {
        match self.view {
            View::Change(it) => {
                Some(Change::new(ChangeKind::Deferred, it.resource_change().value()?))
            }
            View::Action(_) => None,
        }
    }

    /// The action; `None` for a change.
    #[must_use]
    pub fn action(self) -> Option<Action<'a>> {
        match self.view {
            View::Change(_) => None,
            View::Action(it) => Some(Action::new(it.action_invocation().value()?)),
        }
    }
}

impl<'a> Plan<'a> {
    /// The actions to be invoked as rows, in the order of the document.
    pub fn action_rows(self) -> impl Iterator<Item = Action<'a>> {
        self.action_invocations().value().into_iter().flat_map(List::iter).map(Action::new)
    }

    /// Returns the rows of all that is deferred to a later plan: changes, then actions.
    pub fn deferred_rows(self) -> impl Iterator<Item = Deferred<'a>> {
        let changes = self.deferred_changes().value().into_iter().flat_map(List::iter);
        let actions = self.deferred_action_invocations().value().into_iter().flat_map(List::iter);
        let changes = changes.map(|it| Deferred { view: View::Change(it) });
        changes.chain(actions.map(|it| Deferred { view: View::Action(it) }))
    }
}

//! The names, as in `show -json`, for the numbers of actions and reasons in plan files.

use super::error::Malformed;
use super::message::DynamicValue;
use super::text::{List, push_string};
use super::tree::Place;
use crate::show::{ActionKind, ResourceMode};

/// The action on a resource instance or an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Nothing changes.
    NoOp,
    /// Creates it.
    Create,
    /// Reads it.
    Read,
    /// Changes it.
    Update,
    /// Deletes it.
    Delete,
    /// Deletes it, then creates another.
    DeleteThenCreate,
    /// Creates another, then deletes it.
    CreateThenDelete,
    /// Forgets it: it is no longer managed.
    Forget,
    /// Creates another, then forgets it (Terraform).
    CreateThenForget,
    /// Forgets it, then creates another (OpenTofu).
    ForgetThenCreate,
}

/// The values before and after a change in MessagePack, if it has them.
type Values<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

impl Action {
    pub(super) fn of(number: u64) -> Result<Self, Malformed> {
        Ok(match number {
            0 => Self::NoOp,
            1 => Self::Create,
            2 => Self::Read,
            3 => Self::Update,
            5 => Self::Delete,
            6 => Self::DeleteThenCreate,
            7 => Self::CreateThenDelete,
            8 => Self::Forget,
            9 => Self::CreateThenForget,
            10 => Self::ForgetThenCreate,
            _ => return Err(Malformed("the action of a change is not known")),
        })
    }

    /// The names of the actions, in order.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::NoOp => &["no-op"],
            Self::Create => &["create"],
            Self::Read => &["read"],
            Self::Update => &["update"],
            Self::Delete => &["delete"],
            Self::DeleteThenCreate => &["delete", "create"],
            Self::CreateThenDelete => &["create", "delete"],
            Self::Forget => &["forget"],
            Self::CreateThenForget => &["create", "forget"],
            Self::ForgetThenCreate => &["forget", "create"],
        }
    }

    /// The kind that counts use.
    #[must_use]
    pub const fn kind(self) -> ActionKind {
        match self {
            Self::NoOp => ActionKind::NoOp,
            Self::Create => ActionKind::Create,
            Self::Read => ActionKind::Read,
            Self::Update => ActionKind::Update,
            Self::Delete => ActionKind::Delete,
            Self::DeleteThenCreate | Self::CreateThenDelete => ActionKind::Replace,
            Self::Forget => ActionKind::Forget,
            Self::CreateThenForget | Self::ForgetThenCreate => ActionKind::ReplaceForget,
        }
    }

    /// Whether the plan expects the resource to be gone. The tools differ for forgotten resources.
    pub(super) fn removes(self, expects_forgotten: bool) -> bool {
        self == Self::Delete || (self == Self::Forget && !expects_forgotten)
    }

    /// The values before and after, in MessagePack, if the change has them.
    pub(super) fn values<'a>(self, values: &[&'a [u8]]) -> Result<Values<'a>, Malformed> {
        let (before, after) = match self {
            Self::NoOp => (Some(0), Some(0)),
            Self::Create => (None, Some(0)),
            Self::Delete | Self::Forget => (Some(0), None),
            _ => (Some(0), Some(1)),
        };
        let value = |place: Option<usize>| {
            let Some(place) = place else { return Ok(None) };
            let value = values.get(place).ok_or(Malformed("a change lacks a value"))?;
            DynamicValue::content(value).map(Some)
        };
        Ok((value(before)?, value(after)?))
    }

    pub(super) fn write(self, out: &mut Vec<u8>) {
        let mut list = List::array(out);
        self.names().iter().for_each(|name| push_string(list.element(), name));
        list.end();
    }
}

/// The reason for the action; empty for no reason, and for an unknown one.
pub(super) fn reason(number: u64) -> &'static str {
    let names = [
        "",
        "replace_because_tainted",
        "replace_by_request",
        "replace_because_cannot_update",
        "delete_because_no_resource_config",
        "delete_because_wrong_repetition",
        "delete_because_count_index",
        "delete_because_each_key",
        "delete_because_no_module",
        "replace_by_triggers",
        "read_because_config_unknown",
        "read_because_dependency_pending",
        "delete_because_no_move_target",
        "read_because_check_nested",
        "delete_because_enabled_false",
        "forgot_because_lifecycle_destroy_in_state",
        "forgot_because_lifecycle_destroy_in_config",
    ];
    name(&names, number)
}

/// The reason why a change is deferred.
pub(super) fn deferred_reason(number: u64) -> &'static str {
    let names = [
        "unknown",
        "instance_count_unknown",
        "resource_config_unknown",
        "provider_config_unknown",
        "absent_prereq",
        "deferred_prereq",
    ];
    name(&names, number)
}

/// The event that invokes an action.
pub(super) fn trigger_event(number: u64) -> &'static str {
    let names = [
        "EventUnknown",
        "BeforeCreate",
        "AfterCreate",
        "BeforeUpdate",
        "AfterUpdate",
        "BeforeDestroy",
        "AfterDestroy",
        "Invoke",
    ];
    name(&names, number)
}

/// The reaction to a failure of an action.
pub(super) fn on_failure(number: u64) -> &'static str {
    name(&["ActionOnFailureHalt", "ActionOnFailureTaint", "ActionOnFailureContinue"], number)
}

fn name(names: &[&'static str], number: u64) -> &'static str {
    let place = usize::try_from(number).unwrap_or(usize::MAX);
    names.get(place).or(names.first()).copied().unwrap_or_default()
}

/// Whether it is a deleted data source, which the tools do not show.
pub(super) fn is_deleted_data(place: &Place<'_>, action: u64) -> bool {
    place.mode() == ResourceMode::Data && Action::of(action) == Ok(Action::Delete)
}

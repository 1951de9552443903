//! Descriptions of a change for people.

use simd_hcl::show::{Action, ActionKind, Change, ResourceChange, Shown};

use crate::printed::{CYAN, DIM, GREEN, RED, YELLOW};
use crate::values::{Instance, key_of};

/// Returns the names of the instance that changes.
pub(super) fn instance<'a>(change: ResourceChange<'a>, shown: &Shown) -> Instance<'a> {
    let of = change.object().node();
    Instance {
        mode: change.mode().value().map_or("managed", |mode| mode.name()),
        resource_type: change.resource_type().value().unwrap_or_default(),
        name: shown.name(of, change.name().value().unwrap_or_default()),
        index: key_of(change.index().value(), of, shown),
        deposed: change.deposed().value(),
    }
}

/// Returns whether a leaf of an output is sensitive, before or after the change, or hidden.
pub(super) fn is_sensitive_output(change: Change<'_>, shown: &Shown) -> bool {
    let mut leaves = change.before_leaves().chain(change.after_leaves());
    leaves.any(|leaf| leaf.is_sensitive || shown.hides_leaf(&leaf))
}

/// Returns whether an entry leaves its object unchanged. Such entries would hide real changes.
pub(super) fn is_quiet(change: ResourceChange<'_>) -> bool {
    change.actions().kind() == ActionKind::NoOp
        && change.previous_address().value().is_none()
        && !change.change().value().is_some_and(Change::is_import)
}

/// Returns the kind of a change from the name of its action in an event stream.
pub(super) fn kind_of_action(action: &str) -> ActionKind {
    match action {
        "noop" | "move" | "import" => ActionKind::NoOp,
        "create" => ActionKind::Create,
        "read" | "open" | "renew" | "close" => ActionKind::Read,
        "update" => ActionKind::Update,
        "delete" => ActionKind::Delete,
        "replace" => ActionKind::Replace,
        "remove" | "forget" => ActionKind::Forget,
        _ => ActionKind::Other,
    }
}

/// Returns whether a replacement creates before it deletes.
pub(super) fn creates_first(change: ResourceChange<'_>) -> bool {
    change.actions().iter().next() == Some(Action::Create)
}

/// Returns the name of a kind for people.
pub(super) fn shown_name(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::NoOp => "no-op",
        ActionKind::ReplaceForget => "forget and replace",
        kind => kind.name(),
    }
}

/// Returns the sign of a kind, and its colour.
pub(super) fn sign(kind: ActionKind, creates_first: bool) -> (&'static str, &'static str) {
    match kind {
        ActionKind::Create => ("+", GREEN),
        ActionKind::Read => ("<=", CYAN),
        ActionKind::Update => ("~", YELLOW),
        ActionKind::Delete => ("-", RED),
        ActionKind::Replace if creates_first => ("+/-", RED),
        ActionKind::Replace => ("-/+", RED),
        ActionKind::Forget => (".", RED),
        ActionKind::ReplaceForget => ("./+", RED),
        ActionKind::NoOp => ("", DIM),
        ActionKind::Other => ("?", RED),
    }
}

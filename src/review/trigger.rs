//! `replace_triggered_by`: the changes that replace an instance.

use super::model::{ReviewAction, ReviewChange, ReviewLeaf};
use crate::expand::Trigger;

/// Whether a change of an instance of the resource that a trigger names replaces what has the trigger. The
/// tools only look at instances that are updated or replaced.
pub(super) fn is_pulled_by(
    trigger: &Trigger<'_>,
    change: &ReviewChange,
    is_computed: &dyn Fn(&str) -> bool,
) -> bool {
    let key = change.address.strip_prefix(&trigger.resource).unwrap_or_default();
    let is_meant = trigger.key.as_ref().is_none_or(|wanted| wanted == key);
    let differs = || change.leaves.iter().any(|leaf| is_in(&trigger.path, leaf));
    is_meant
        && match (change.action, trigger.attribute) {
            (ReviewAction::Update | ReviewAction::Replace, None) => true,
            (ReviewAction::Update | ReviewAction::Replace, Some(name)) => {
                differs() || is_computed(name)
            }
            _ => false,
        }
}

/// Whether a leaf is the attribute with a path, in it, or around it.
fn is_in(path: &str, leaf: &ReviewLeaf) -> bool {
    let is_within = |path: &str, other: &str| {
        let rest = path.strip_prefix(other);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    is_within(&leaf.path, path) || is_within(path, &leaf.path)
}

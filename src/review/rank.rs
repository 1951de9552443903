//! The order of changes, the same for all formats: the most destructive first, resources before
//! outputs, then by address.

use super::model::ReviewChange;

/// How the addresses of outputs start. No type of resources has this name with one label.
pub(super) const OUTPUT: &str = "output.";

pub(super) fn sort(changes: &mut [ReviewChange]) {
    changes.sort_by(|one, other| key(one).cmp(&key(other)));
}

fn key(change: &ReviewChange) -> (super::ReviewAction, bool, &str) {
    (change.action, change.address.starts_with(OUTPUT), &change.address)
}

//! The order of names in an object.

use crate::json::Members;

/// Whether names ascend and none has an escape, so that none has to be decoded to be compared.
pub(crate) fn is_sorted(members: Members<'_>) -> bool {
    let mut last: Option<&[u8]> = None;
    for member in members {
        let name = member.name();
        if name.is_escaped() || last.is_some_and(|last| last >= name.to_bytes()) {
            return false;
        }
        last = Some(name.to_bytes());
    }
    true
}

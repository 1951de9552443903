//! The values of changes as they are printed: without those that must not be shown.

use super::{Change, Leaf};
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::hidden::HIDDEN;
use crate::report::Range;
use crate::write::{Layout, Slot, to_string};

/// A value that differs, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownLeaf {
    /// The path in the object; empty for a local value that is a scalar.
    pub path: String,
    /// The old value in JSON, if there was one.
    pub before: Option<String>,
    /// The new value in JSON, if there is one.
    pub after: Option<String>,
}

impl Change<'_> {
    /// Returns the values that differ. Unless `shows_sensitive`, all that differs in a value that must not be
    /// shown is one leaf, whose values are `"(sensitive)"`.
    ///
    /// Cost: linear in the values.
    #[must_use]
    pub fn shown(&self, shows_sensitive: bool) -> Vec<ShownLeaf> {
        let mut shown: Vec<ShownLeaf> = Vec::with_capacity(self.leaves.len());
        let hidden = || to_string(Layout::Compact, |slot| slot.string(HIDDEN));
        // The last leaf that is hidden.
        let mut last = None;
        for leaf in &self.leaves {
            let Some(path) = leaf.hidden.filter(|_| !shows_sensitive) else {
                shown.push(ShownLeaf::of(leaf));
                continue;
            };
            let path = path.to_string();
            let (before, after) = (leaf.before.map(|_| hidden()), leaf.after.map(|_| hidden()));
            match last.and_then(|last: usize| shown.get_mut(last)).filter(|last| last.path == path)
            {
                Some(last) => {
                    last.before = last.before.take().or(before);
                    last.after = last.after.take().or(after);
                }
                None => {
                    last = Some(shown.len());
                    shown.push(ShownLeaf { path, before, after });
                }
            }
        }
        shown
    }

    /// Writes the change as an object. `module` is the path of the module.
    ///
    /// Cost: linear in the values.
    pub fn write(&self, module: &str, shows_sensitive: bool, slot: Slot<'_, '_>) {
        let mut out = slot.object();
        out.key("address").string(self.address);
        out.key("module").string(module);
        out.key("action").string(self.action.as_str());
        if let Some(previous) = self.previous_address {
            out.key("previous_address").string(previous);
        }
        let mut leaves = out.key("leaves").array();
        for leaf in self.shown(shows_sensitive) {
            let mut out = leaves.element().object();
            out.key("path").string(&leaf.path);
            for (name, value) in [("before", &leaf.before), ("after", &leaf.after)] {
                if let Some(value) = value {
                    out.key(name).json(value);
                }
            }
        }
        leaves.end();
        for (name, label) in [("before_range", self.before), ("after_range", self.after)] {
            if let Some(Label { source, span, .. }) = label {
                out.key(name).range(&Range::of(source, span));
            }
        }
    }
}

impl ShownLeaf {
    fn of(leaf: &Leaf<'_>) -> Self {
        let json = |value: Expression<'_>| value.to_json();
        Self {
            path: leaf.path.to_string(),
            before: leaf.before.map(json),
            after: leaf.after.map(json),
        }
    }
}

//! `--against`: what a plan does that another one does not.

use std::path::Path;

use simd_hcl::show::{self, Plan, PlanIndex, ResourceChange, is_same_value};
use simd_hcl::{Document, Sink};

use super::change::is_quiet;
use crate::args::Common;
use crate::input;
use crate::status::Failure;
use crate::visible;

/// The other plan.
pub(super) struct Old<'a> {
    index: PlanIndex<'a>,
}

impl<'a> Old<'a> {
    /// Reads the other plan into the arena of `document`.
    pub(super) fn read(
        document: Document<'a>,
        path: &Path,
        common: &Common,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Self, Failure> {
        let arena = document.source().arena();
        let name = visible::path(path);
        let fail = |error: &dyn std::fmt::Display| Failure::Message(format!("{name}: {error}"));
        let options = input::parse_options(common)?.with_skeleton_depth(Plan::DIFF_DEPTH);
        let source = input::source(arena, path, "", common).map_err(|error| fail(&error))?;
        let old = show::document(arena, source, &options, sink)
            .map_err(|error| fail(&error.to_diagnostic(source)))?;
        let plan = Plan::of(old, sink).ok_or_else(|| fail(&"this is no plan"))?;
        Ok(Self { index: PlanIndex::new(plan, sink) })
    }

    /// Keeps what the other plan does not do.
    pub(super) fn retain_new(&self, changes: &mut Vec<ResourceChange<'a>>) {
        changes.retain(|change| self.lacks(*change));
    }

    /// Whether the other plan does not do what a change does. What does nothing is never lacking.
    fn lacks(&self, change: ResourceChange<'a>) -> bool {
        if is_quiet(change) {
            return false;
        }
        let address = change.address().value().unwrap_or_default();
        let Some(old) = self.index.change(address, change.deposed().value()) else { return true };
        if old.actions() != change.actions()
            || old.previous_address().value() != change.previous_address().value()
        {
            return true;
        }
        let side = |change: ResourceChange<'a>, name| change.change().value()?.object().get(name);
        ["before", "after", "after_unknown"].into_iter().any(|name| {
            match (side(old, name), side(change, name)) {
                (Some(old), Some(new)) => old.text() != new.text() && !is_same_value(old, new),
                (old, new) => old.is_some() != new.is_some(),
            }
        })
    }
}

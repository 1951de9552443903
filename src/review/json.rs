//! The JSON of a review: the members of one root module.

use super::model::{ArgumentChange, Review, ReviewAction, ReviewChange, ReviewLeaf, ReviewValue};
use crate::write::{ArrayWriter, ObjectWriter, Slot};

impl Review {
    /// Writes the members `modules`, `providers`, `backend`, `changes`, `renames` and `summary`.
    pub fn write_into(&self, object: &mut ObjectWriter<'_, '_>) {
        let mut modules = object.key("modules").array();
        for call in &self.calls {
            let mut out = modules.element().object();
            out.key("call").string(&call.call);
            write_argument(&mut out, "source", call.source.as_ref());
            write_argument(&mut out, "version", call.version.as_ref());
        }
        modules.end();
        let mut providers = object.key("providers").array();
        for provider in &self.providers {
            let mut out = providers.element().object();
            out.key("name").string(&provider.name);
            if !provider.module.is_empty() {
                out.key("module").string(&provider.module);
            }
            write_argument(&mut out, "source", provider.source.as_ref());
            write_argument(&mut out, "version", provider.version.as_ref());
            if !provider.arguments.is_empty() {
                write_names(&mut out, &provider.arguments);
            }
        }
        providers.end();
        if let Some(backend) = &self.backend {
            let mut out = object.key("backend").object();
            write_argument(&mut out, "type", Some(&backend.kind));
            write_names(&mut out, &backend.arguments);
        }
        let mut changes = object.key("changes").array();
        for change in &self.changes {
            change.write(changes.element());
        }
        changes.end();
        let mut renames = object.key("renames").array();
        for rename in &self.renames {
            let mut out = renames.element().object();
            out.key("from").string(&rename.from);
            out.key("to").string(&rename.to);
            out.key("likeness").unsigned(rename.likeness.into());
        }
        renames.end();
        let counts = self.summary();
        let mut summary = object.key("summary").object();
        for action in ReviewAction::ALL {
            summary.key(action.as_str()).unsigned(counts.count(action) as u64);
        }
    }
}

fn write_names(out: &mut ObjectWriter<'_, '_>, names: &[String]) {
    let mut arguments = out.key("arguments").array();
    for name in names {
        arguments.element().string(name);
    }
}

fn write_argument(out: &mut ObjectWriter<'_, '_>, name: &str, change: Option<&ArgumentChange>) {
    let Some(change) = change else { return };
    let mut object = out.key(name).object();
    if let Some(before) = &change.before {
        object.key("before").string(before);
    }
    if let Some(after) = &change.after {
        object.key("after").string(after);
    }
}

impl ReviewChange {
    /// Writes the change as an object.
    pub fn write(&self, slot: Slot<'_, '_>) {
        let mut out = slot.object();
        out.key("address").string(&self.address);
        if let Some(previous) = &self.previous_address {
            out.key("previous_address").string(previous);
        }
        out.key("action").string(self.action.as_str());
        if self.is_imported {
            out.key("importing").bool(true);
        }
        if self.is_forgotten {
            out.key("forget").bool(true);
        }
        let mut leaves: ArrayWriter<'_, '_> = out.key("leaves").array();
        for leaf in &self.leaves {
            leaf.write(leaves.element());
        }
        leaves.end();
        if let Some(range) = &self.range {
            out.key("range").range(range);
        }
    }
}

impl ReviewLeaf {
    fn write(&self, slot: Slot<'_, '_>) {
        let mut out = slot.object();
        out.key("path").string(&self.path);
        for (side, known, unknown, partial) in [
            (&self.before, "before", "before_unknown", "before_parts"),
            (&self.after, "after", "unknown", "parts"),
        ] {
            match side {
                ReviewValue::Absent => {}
                ReviewValue::Known(text) => out.key(known).json(text),
                ReviewValue::Unknown => out.key(unknown).bool(true),
                ReviewValue::Partial(texts) => {
                    out.key(unknown).bool(true);
                    let mut parts = out.key(partial).array();
                    texts.iter().for_each(|text| parts.element().json(text));
                    parts.end();
                }
            }
        }
        if self.is_sensitive {
            out.key("sensitive").bool(true);
        }
    }
}

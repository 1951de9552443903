//! A plan as JSON: one value, or one change per line.

use std::io;

use rayon::prelude::*;
use simd_hcl::show::{
    ActionInvocation, Actions, Change, Check, Content, Difference, Differences, Leaf, List, Map,
    Path, Relevant, ResourceChange,
};
use simd_hcl::write::{ArrayWriter, Layout, ObjectWriter, Slot, Writer};
use simd_hcl::{Diagnostic, Node};

use super::change::{instance, is_sensitive_output};
use super::report::{Changed, Report};
use super::source::{Cause, Source};
use crate::excerpt::{Place, Range};
use crate::incomplete::Incomplete;
use crate::output;

/// The number of changes that a thread writes at a time.
const AT_ONCE: usize = 256;

impl<'a> Report<'_, 'a> {
    pub(super) fn write_json(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::document(Layout::Pretty, |slot| self.write_report(slot.object(), diagnostics))
    }

    pub(super) fn write_lines(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::data(|out| {
            self.write_batch(AT_ONCE, out, diagnostics)?;
            self.write_gaps_line(out, diagnostics)
        })
    }

    /// Writes one line for each change. A thread writes `at_once` of them at a time.
    pub(super) fn write_batch(
        &self,
        at_once: usize,
        out: &mut dyn io::Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        for batch in self.changes.chunks(at_once * rayon::current_num_threads()) {
            let written: Vec<_> =
                batch.par_chunks(at_once).map(|changes| self.lines(changes)).collect();
            for (lines, mut found) in written {
                out.write_all(&lines?)?;
                diagnostics.append(&mut found);
            }
        }
        Ok(())
    }

    /// Writes the line of the gaps, if there are any.
    pub(super) fn write_gaps_line(
        &self,
        out: &mut dyn io::Write,
        diagnostics: &[Diagnostic<'_>],
    ) -> io::Result<()> {
        let gaps = self.all_gaps(diagnostics);
        if gaps.is_empty() {
            return Ok(());
        }
        let mut writer = Writer::new(&mut *out, Layout::Compact);
        let mut rest = writer.value().object();
        write_gaps(&mut rest.key("incomplete").array(), &gaps);
        rest.end();
        writer.finish()?;
        writeln!(out)
    }

    /// Returns one line for each change, and diagnostics about them.
    fn lines(&self, changes: &[ResourceChange<'a>]) -> (io::Result<Vec<u8>>, Vec<Diagnostic<'a>>) {
        let (mut lines, mut diagnostics) = (Vec::new(), Vec::new());
        let mut writer = Writer::new(&mut lines, Layout::Compact);
        for change in changes {
            self.write_change(writer.value().object(), *change, None, &mut diagnostics);
        }
        let written = writer.finish();
        lines.push(b'\n');
        (written.map(|()| lines), diagnostics)
    }

    fn write_report(
        &self,
        mut object: ObjectWriter<'_, '_>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let plan = self.plan;
        let text = |name| plan.object().get(name).filter(|node| node.to_str().is_some());
        // A redacted plan has another name for its version.
        let version = text("format_version").or_else(|| text("plan_format_version"));
        write_node(&mut object, "format_version", version);
        write_node(&mut object, "terraform_version", text("terraform_version"));
        let summary = self.summary();
        let mut counts = object.key("summary").object();
        for kind in simd_hcl::show::ActionKind::ALL {
            counts.key(kind.name()).unsigned(summary.kinds[kind as usize] as u64);
        }
        counts.key("import").unsigned(summary.import as u64);
        counts.key("move").unsigned(summary.moved as u64);
        counts.end();
        let mut changes = object.key("changes").array();
        for change in &self.changes {
            self.write_change(changes.element().object(), *change, None, diagnostics);
        }
        changes.end();
        let relevant = Relevant::of(plan);
        let mut drift = object.key("drift").array();
        for change in &self.drift {
            let is_relevant = Some(relevant.has(*change));
            self.write_change(drift.element().object(), *change, is_relevant, diagnostics);
        }
        drift.end();
        let mut outputs = object.key("outputs").array();
        for (name, change) in plan.outputs() {
            self.write_output(name, change, outputs.element().object(), diagnostics);
        }
        outputs.end();
        self.write_checks(object.key("checks").object());
        for (name, flag) in [
            ("errored", plan.errored()),
            ("complete", plan.complete()),
            ("applyable", plan.applyable()),
        ] {
            let slot = object.key(name);
            if let Some(flag) = flag.value() {
                slot.bool(flag);
            }
        }
        write_node(&mut object, "timestamp", text("timestamp"));
        let secret = self.sensitive_variables();
        let mut variables = object.key("variables").array();
        for (name, variable) in plan.variables().value().into_iter().flat_map(Map::iter) {
            let mut out = variables.element().object();
            let value = variable.value();
            let is_hidden = value.is_some_and(|value| self.shown.hides_node(value));
            out.key("name").string(&self.name(name));
            out.key("sensitive").bool(is_hidden || secret.contains(name));
            if let Some(value) = value.filter(|_| !is_hidden) {
                out.key("value").node(value);
            }
        }
        variables.end();
        let mut attributes = object.key("relevant_attributes").array();
        for one in plan.relevant_attributes().value().into_iter().flat_map(List::iter) {
            let mut out = attributes.element().object();
            out.key("resource").string(&self.name(one.resource().value().unwrap_or_default()));
            out.key("attribute").string(&self.name(&Path::text_of(one.steps())));
        }
        attributes.end();
        self.write_deferred(object.key("deferred").array(), diagnostics);
        let mut actions = object.key("action_invocations").array();
        for action in self.actions() {
            self.write_action(actions.element().object(), action);
        }
        actions.end();
        let mut incomplete = object.key("incomplete").array();
        write_gaps(&mut incomplete, &self.all_gaps(diagnostics));
    }

    fn write_output(
        &self,
        name: &str,
        change: Change<'a>,
        mut out: ObjectWriter<'_, '_>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let is_sensitive = is_sensitive_output(change, self.shown);
        let is_shown = !is_sensitive || self.arguments.selection.show_sensitive;
        out.key("name").string(&self.name(name));
        write_actions(&mut out, change.actions().value().unwrap_or(Actions::NONE));
        out.key("sensitive").bool(is_sensitive);
        for side in ["before", "after"] {
            let value = change.object().get(side).filter(|_| is_shown);
            if let Some(value) = value {
                out.key(side).node(value);
            }
        }
        if self.arguments.diff || self.arguments.values {
            self.write_leaves(&mut out, self.leaves(change, ""), diagnostics);
        }
    }

    fn write_checks(&self, mut out: ObjectWriter<'_, '_>) {
        let checks = self.checks();
        out.key("pass").unsigned(checks.pass as u64);
        out.key("fail").unsigned(checks.fail as u64);
        out.key("error").unsigned(checks.error as u64);
        out.key("unknown").unsigned(checks.unknown as u64);
        let mut objects = out.key("objects").array();
        for check in self.plan.checks().value().into_iter().flat_map(List::iter) {
            self.write_check(objects.element().object(), check);
        }
    }

    fn write_deferred(&self, mut list: ArrayWriter<'_, '_>, diagnostics: &mut Vec<Diagnostic<'a>>) {
        for one in self.deferred_changes() {
            let mut out = list.element().object();
            out.key("reason").string(one.reason().value().map_or("", |reason| reason.name()));
            if let Some(change) = one.resource_change().value() {
                self.write_change(out.key("change").object(), change, None, diagnostics);
            }
        }
        for one in self.deferred_actions() {
            let mut out = list.element().object();
            out.key("reason").string(one.reason().value().map_or("", |reason| reason.name()));
            if let Some(action) = one.action_invocation().value() {
                self.write_action(out.key("action_invocation").object(), action);
            }
        }
    }

    /// Writes one change.
    fn write_change(
        &self,
        mut object: ObjectWriter<'_, '_>,
        entry: ResourceChange<'a>,
        is_relevant: Option<bool>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let address = entry.address().value().unwrap_or_default();
        let of = entry.object().node();
        object.key("address").string(&self.shown.name(of, address));
        let optional = [
            ("previous_address", entry.previous_address().value()),
            ("module_address", entry.module_address().value()),
        ];
        for (name, text) in optional {
            if let Some(text) = text {
                object.key(name).string(&self.shown.name(of, text));
            }
        }
        instance(entry, self.shown).write(&mut object);
        let provider = entry.provider_name().value().unwrap_or_default();
        object.key("provider_name").string(&self.shown.name(of, provider));
        match self.sources.map(|sources| sources.of(entry)) {
            Some(Source::Declared((range, _))) => {
                write_range(object.key("source").object(), &range);
            }
            Some(Source::Nowhere) => object.key("source").null(),
            Some(Source::Unknown(..)) | None => {}
        }
        let moves = self.sources.and_then(|sources| sources.moves(entry));
        let imports = self.sources.and_then(|sources| sources.imports(entry));
        for (name, cause) in [("moved_by", moves), ("imported_by", imports)] {
            if let Some(blocks) = cause.as_ref().and_then(Cause::blocks) {
                let mut list = object.key(name).array();
                for (range, _) in blocks {
                    write_range(list.element().object(), range);
                }
            }
        }
        write_actions(&mut object, entry.actions());
        if let Some(reason) = entry.action_reason().value() {
            object.key("action_reason").string(reason.name());
        }
        let change = entry.change().value();
        if let Some(importing) = change.and_then(|change| change.importing().value()) {
            self.write_node(object.key("importing"), importing.object().node());
        }
        if let Some(text) = change.and_then(|change| change.generated_config().value()) {
            object.key("generated_config").string(&self.shown.text(of, text));
        }
        let changes =
            change.map(|it| Changed::of(it, address, usize::MAX, self.shown, diagnostics));
        let mut changed = object.key("changed").array();
        for (path, _) in changes.iter().flat_map(Changed::iter) {
            changed.element().string(path);
        }
        changed.end();
        let mut forces = object.key("forces_replacement").array();
        for path in changes.iter().flat_map(Changed::forced) {
            forces.element().string(path);
        }
        forces.end();
        if let Some(changes) = changes.filter(|_| self.arguments.diff) {
            let mut list = object.key("leaves").array();
            for (path, leaf) in changes.iter() {
                let mut out = list.element().object();
                out.key("path").string(path);
                self.write_leaf(out, leaf);
            }
        } else if let Some(change) = change.filter(|_| self.arguments.values) {
            self.write_leaves(&mut object, self.leaves(change, address), &mut Vec::new());
        }
        if let Some(is_relevant) = is_relevant {
            object.key("relevant").bool(is_relevant);
        }
    }

    fn write_leaves(
        &self,
        object: &mut ObjectWriter<'_, '_>,
        mut leaves: Differences<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let mut list = object.key("leaves").array();
        while let Some(leaf) = leaves.next() {
            let mut out = list.element().object();
            out.key("path").string(&self.shown.path(leaves.path()));
            self.write_leaf(out, &leaf);
        }
        diagnostics.extend_from_slice(leaves.misfits());
    }

    /// Writes the members of a leaf after its path.
    fn write_leaf(&self, mut out: ObjectWriter<'_, '_>, leaf: &Difference<'a>) {
        let is_hidden = self.shown.hides(leaf);
        if !is_hidden {
            write_side(&mut out, "before", leaf.before);
            write_side(&mut out, "after", leaf.after);
        }
        let is_unknown = matches!(leaf.after.content, Content::Unknown);
        if is_unknown || leaf.after.is_partly_unknown {
            out.key("unknown").bool(true);
        }
        if leaf.is_sensitive() || is_hidden {
            out.key("sensitive").bool(true);
        }
    }

    /// Writes a value without its hidden parts.
    fn write_node(&self, slot: Slot<'_, '_>, node: Node<'_>) {
        if let Some(node) = self.shown.node(node) {
            slot.node(node);
        }
    }

    fn write_check(&self, mut out: ObjectWriter<'_, '_>, check: Check<'a>) {
        let address = check.address().value();
        let text = address.and_then(|address| address.to_display().value());
        out.key("address").string(&self.name(text.unwrap_or_default()));
        let kind = address.and_then(|address| address.kind().value());
        out.key("kind").string(kind.map_or("", |kind| kind.name()));
        out.key("status").string(check.status().value().map_or("", |status| status.name()));
        let mut instances = out.key("instances").array();
        for instance in check.instances().value().into_iter().flat_map(List::iter) {
            let mut out = instances.element().object();
            let address = instance.address().value().and_then(|it| it.to_display().value());
            out.key("address").string(&self.name(address.or(text).unwrap_or_default()));
            out.key("status").string(instance.status().value().map_or("", |status| status.name()));
            let mut messages = out.key("messages").array();
            self.problems(instance).for_each(|message| messages.element().string(&message));
        }
    }

    fn write_action(&self, mut out: ObjectWriter<'_, '_>, action: ActionInvocation<'a>) {
        for (name, text) in [
            ("address", action.address().value()),
            ("type", action.action_type().value()),
            ("name", action.name().value()),
            ("provider_name", action.provider_name().value()),
        ] {
            out.key(name).string(&self.name(text.unwrap_or_default()));
        }
        for name in ["lifecycle_action_trigger", "invoke_action_trigger"] {
            if let Some(node) = action.object().get(name) {
                self.write_node(out.key(name), node);
            }
        }
    }
}

/// Writes gaps, one element for each place.
pub(super) fn write_gaps(list: &mut ArrayWriter<'_, '_>, gaps: &Incomplete) {
    for gap in gaps.iter() {
        for place in gap.places {
            let mut out = list.element().object();
            out.key("what").string(gap.what);
            out.key("where").string(place);
            out.key("why").string(gap.why);
        }
    }
}

fn write_side(out: &mut ObjectWriter<'_, '_>, name: &str, leaf: Leaf<'_>) {
    match leaf.content {
        Content::Known(node) => out.key(name).node(node),
        Content::Null => out.key(name).null(),
        Content::Absent | Content::Unknown => {}
    }
}

/// Writes a range.
fn write_range(mut out: ObjectWriter<'_, '_>, range: &Range) {
    out.key("filename").string(&range.filename);
    for (name, Place { line, column, byte }) in [("start", range.start), ("end", range.end)] {
        let mut place = out.key(name).object();
        place.key("line").unsigned(u64::from(line));
        place.key("column").unsigned(u64::from(column));
        place.key("byte").unsigned(u64::from(byte));
    }
}

/// Writes a member as it is, or null.
fn write_node(object: &mut ObjectWriter<'_, '_>, name: &str, node: Option<Node<'_>>) {
    let slot = object.key(name);
    if let Some(node) = node {
        slot.node(node);
    }
}

fn write_actions(object: &mut ObjectWriter<'_, '_>, actions: Actions<'_>) {
    let mut list = object.key("actions").array();
    actions.iter().for_each(|action| list.element().string(action.name()));
}

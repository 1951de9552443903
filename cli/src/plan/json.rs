//! A plan as JSON: one value, or one change per line.

use std::io;

use rayon::prelude::*;
use simd_hcl::show::rows::{Change, Check, OutputChange};
use simd_hcl::show::{Differences, List, Relevant};
use simd_hcl::write::{ArrayWriter, Layout, ObjectWriter, Writer};
use simd_hcl::{Diagnostic, Node};

use super::change::{Changed, View};
use super::report::Report;
use super::source::{Cause, Source};
use crate::excerpt::{Place, Range};
use crate::incomplete::write_gaps;
use crate::output;
use crate::rows;

/// The columns of a change before the place of its declaration.
const BEFORE_SOURCE: [&str; 9] = [
    "address",
    "previous_address",
    "module_address",
    "mode",
    "type",
    "name",
    "index",
    "deposed",
    "provider_name",
];
/// The columns of a change after it.
const AFTER_SOURCE: [&str; 5] =
    ["index_unknown", "actions", "action_reason", "importing", "generated_config"];
const LEAF: [&str; 5] = ["path", "before", "after", "unknown", "sensitive"];
const ACTION: [&str; 6] = [
    "address",
    "type",
    "name",
    "provider_name",
    "lifecycle_action_trigger",
    "invoke_action_trigger",
];

/// The number of changes that a thread writes at a time.
const AT_ONCE: usize = 256;

impl<'a> Report<'_, 'a> {
    pub(super) fn write_json(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::document(Layout::Pretty, self.view.style, |slot| {
            self.write_report(slot.object(), diagnostics)
        })
    }

    pub(super) fn write_lines(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::lines(self.view.style, |out| {
            self.view.write_batch(&self.changes, AT_ONCE, out, diagnostics)?;
            self.write_gaps_line(out, diagnostics)
        })
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
        let mut counts = object.key("summary").object();
        for (name, count) in self.summary().iter() {
            counts.key(name).unsigned(count);
        }
        counts.end();
        let (view, shown) = (self.view, self.view.shown);
        let mut changes = object.key("changes").array();
        for change in &self.changes {
            view.write_change(changes.element().object(), *change, None, diagnostics);
        }
        changes.end();
        let relevant = Relevant::of(plan);
        let mut drift = object.key("drift").array();
        for change in &self.drift {
            let is_relevant = Some(relevant.has(change.entry()));
            view.write_change(drift.element().object(), *change, is_relevant, diagnostics);
        }
        drift.end();
        let mut outputs = object.key("outputs").array();
        for output in plan.output_rows() {
            view.write_output(output, outputs.element().object(), diagnostics);
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
        let mut variables = object.key("variables").array();
        for variable in plan.variable_rows() {
            let mut out = variables.element().object();
            rows::write(&mut out, variable, &["name", "sensitive"], shown);
            if view.arguments.selection.show_sensitive || !variable.is_sensitive(shown) {
                rows::write(&mut out, variable, &["value"], shown);
            }
        }
        variables.end();
        let mut attributes = object.key("relevant_attributes").array();
        for one in plan.relevant_attributes().value().into_iter().flat_map(List::iter) {
            let mut out = attributes.element().object();
            let name = |text| shown.name(plan.object().node(), text);
            out.key("resource").string(&name(one.resource().value().unwrap_or_default()));
            out.key("attribute").string(&name(&one.path()));
        }
        attributes.end();
        self.write_deferred(object.key("deferred").array(), diagnostics);
        let mut actions = object.key("action_invocations").array();
        for action in plan.action_rows() {
            rows::write(&mut actions.element().object(), action, &ACTION, shown);
        }
        actions.end();
        let mut incomplete = object.key("incomplete").array();
        write_gaps(&mut incomplete, &self.all_gaps(diagnostics));
    }

    fn write_checks(&self, mut out: ObjectWriter<'_, '_>) {
        let checks = self.checks();
        out.key("pass").unsigned(checks.pass as u64);
        out.key("fail").unsigned(checks.fail as u64);
        out.key("error").unsigned(checks.error as u64);
        out.key("unknown").unsigned(checks.unknown as u64);
        let mut objects = out.key("objects").array();
        for check in self.plan.check_rows() {
            self.write_check(objects.element().object(), check);
        }
    }

    fn write_check(&self, mut out: ObjectWriter<'_, '_>, check: Check<'a>) {
        let shown = self.view.shown;
        rows::write(&mut out, check, &["address", "kind", "status"], shown);
        let mut instances = out.key("instances").array();
        for instance in check.instances() {
            let mut out = instances.element().object();
            rows::write(&mut out, instance, &["address", "status", "messages"], shown);
        }
    }

    fn write_deferred(&self, mut list: ArrayWriter<'_, '_>, diagnostics: &mut Vec<Diagnostic<'a>>) {
        let shown = self.view.shown;
        for one in self.plan.deferred_rows() {
            let mut out = list.element().object();
            rows::write(&mut out, one, &["reason"], shown);
            if let Some(change) = one.change() {
                self.view.write_change(out.key("change").object(), change, None, diagnostics);
            }
            if let Some(action) = one.action() {
                let mut out = out.key("action_invocation").object();
                rows::write(&mut out, action, &ACTION, shown);
            }
        }
    }
}

impl View<'_> {
    /// Writes one line for each change. A thread writes `at_once` of them at a time.
    pub(super) fn write_batch<'a>(
        &self,
        changes: &[Change<'a>],
        at_once: usize,
        out: &mut dyn io::Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        for batch in changes.chunks(at_once * rayon::current_num_threads()) {
            let written: Vec<_> =
                batch.par_chunks(at_once).map(|changes| self.lines(changes)).collect();
            for (lines, mut found) in written {
                out.write_all(&lines?)?;
                diagnostics.append(&mut found);
            }
        }
        Ok(())
    }

    /// Returns one line for each change, and diagnostics about them.
    fn lines<'a>(&self, changes: &[Change<'a>]) -> (io::Result<Vec<u8>>, Vec<Diagnostic<'a>>) {
        let (mut lines, mut diagnostics) = (Vec::new(), Vec::new());
        let mut writer = Writer::new(&mut lines, Layout::Compact);
        for change in changes {
            self.write_change(writer.value().object(), *change, None, &mut diagnostics);
        }
        let written = writer.finish();
        lines.push(b'\n');
        (written.map(|()| lines), diagnostics)
    }

    /// Writes one change.
    fn write_change<'a>(
        &self,
        mut object: ObjectWriter<'_, '_>,
        row: Change<'a>,
        is_relevant: Option<bool>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let entry = row.entry();
        rows::write(&mut object, row, &BEFORE_SOURCE, self.shown);
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
        rows::write(&mut object, row, &AFTER_SOURCE, self.shown);
        let changes = Changed::of(row, usize::MAX, self.shown, diagnostics);
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
        if self.has_leaves() {
            // The misfits of differences have been reported.
            let mut said = Vec::new();
            let leaves = (entry.object().node(), self.leaves(row));
            self.write_leaves(&mut object, leaves, &mut said);
        }
        if let Some(is_relevant) = is_relevant {
            object.key("relevant").bool(is_relevant);
        }
    }

    fn write_leaves<'a>(
        &self,
        object: &mut ObjectWriter<'_, '_>,
        (entry, leaves): (Node<'a>, Option<Differences<'a>>),
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let Some(mut leaves) = leaves else { return };
        let mut list = object.key("leaves").array();
        while let Some(leaf) = leaves.next_row(entry) {
            rows::write(&mut list.element().object(), leaf, &LEAF, self.shown);
        }
        diagnostics.extend_from_slice(leaves.misfits());
    }

    fn write_output<'a>(
        &self,
        output: OutputChange<'a>,
        mut out: ObjectWriter<'_, '_>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        rows::write(&mut out, output, &["name", "actions", "sensitive"], self.shown);
        if self.arguments.selection.show_sensitive || !output.is_sensitive(self.shown) {
            rows::write(&mut out, output, &["before", "after"], self.shown);
        }
        if self.has_leaves() {
            let change = output.change();
            let leaves = if self.arguments.values { change.leaves() } else { change.differences() };
            self.write_leaves(&mut out, (change.object().node(), Some(leaves)), diagnostics);
        }
    }
}

/// Writes a range.
fn write_range(mut out: ObjectWriter<'_, '_>, range: &Range) {
    out.key("filename").string(&range.filename);
    for (name, Place { line, column, byte }) in [("start", range.start), ("end", range.end)] {
        let mut place = out.key(name).object();
        place.key("line").unsigned(line);
        place.key("column").unsigned(column);
        place.key("byte").unsigned(byte);
    }
}

/// Writes a member as it is, or null.
fn write_node(object: &mut ObjectWriter<'_, '_>, name: &str, node: Option<Node<'_>>) {
    let slot = object.key(name);
    if let Some(node) = node {
        slot.node(node);
    }
}

//! `plan`: what a plan does: counts, changes, differences.

use std::io::{self, Write};

use simd_hcl::show::{
    Action, ActionKind, Change, CheckCounts, CheckStatus, Differences, Index, List, Plan,
    PlanIndex, ResourceChange,
};
use simd_hcl::write::{Layout, ObjectWriter, Writer};
use simd_hcl::{Code, Diagnostic, Document};

use crate::args::{self, Common, PlanFormat};
use crate::log;
use crate::plan_file::Part;
use crate::printed::{
    BOLD, CYAN, DIM, Filter, GREEN, Input, RED, RESET, Shown, YELLOW, with_document,
};
use crate::status::{Failure, Status};
use crate::visible::visible;

pub(crate) fn run(plan: &args::Plan, common: &Common) -> Result<Status, Failure> {
    if plan.follow {
        return log::follow(plan, common);
    }
    let filter = Filter::of(&plan.selection)?;
    let on_log = |bytes: &[u8]| log::print(bytes, plan);
    let input = Input {
        file: &plan.file,
        stdin_name: &plan.selection.stdin_name,
        depth: Plan::DIFF_DEPTH,
        part: Part::Plan,
        schemas: plan.provider_schemas.as_deref(),
        on_log: Some(&on_log),
    };
    with_document(input, common, |document, diagnostics| {
        if plan.format == PlanFormat::ShowJson {
            return Ok(write_document(document)?);
        }
        let Some(view) = Plan::of(document, diagnostics) else { return Ok(()) };
        let index = PlanIndex::new(view, diagnostics);
        let wanted = |change: &ResourceChange<'_>| {
            let resource_type = change.resource_type().value().unwrap_or_default();
            let address = change.address().value().unwrap_or_default();
            (plan.action.is_empty() || plan.action.contains(&change.actions().kind()))
                && filter.wants(resource_type, address)
        };
        let report = Report {
            plan: view,
            arguments: plan,
            changes: index.changes().iter().copied().filter(wanted).collect(),
            drift: view.drift().filter(wanted).collect(),
        };
        let mut types = Vec::new();
        let print = || match plan.format {
            PlanFormat::Json => report.write_json(diagnostics),
            PlanFormat::Ndjson => report.write_lines(diagnostics),
            _ => report.print(diagnostics),
        };
        let (printed, ()) = rayon::join(print, || view.check(&mut types));
        diagnostics.append(&mut types);
        Ok(printed?)
    })
}

/// Prints the document itself, as `show -json` prints a plan.
fn write_document(document: Document<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(document.root().text())?;
    writeln!(out)
}

/// What is wanted of a plan.
struct Report<'p, 'a> {
    plan: Plan<'a>,
    arguments: &'p args::Plan,
    changes: Vec<ResourceChange<'a>>,
    drift: Vec<ResourceChange<'a>>,
}

/// Counts in exclusive kinds, and what goes beside them.
#[derive(Default)]
struct Summary {
    kinds: [usize; ActionKind::ALL.len()],
    import: usize,
    moved: usize,
}

impl<'a> Report<'_, 'a> {
    fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for change in &self.changes {
            summary.kinds[change.actions().kind() as usize] += 1;
            summary.moved += usize::from(change.previous_address().value().is_some());
            summary.import += usize::from(change.change().value().is_some_and(Change::is_import));
        }
        summary
    }

    fn checks(&self) -> CheckCounts {
        CheckCounts::of(self.plan.checks().value().into_iter().flat_map(List::iter))
    }

    fn write_json(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let mut writer = Writer::new(&mut out, Layout::Pretty);
        let mut object = writer.value().object();
        for name in ["format_version", "terraform_version"] {
            let slot = object.key(name);
            let node = self.plan.object().get(name);
            // A redacted plan has its version under another name.
            let is_version = name == "format_version";
            let other = || self.plan.object().get("plan_format_version").filter(|_| is_version);
            if let Some(node) = node.or_else(other) {
                slot.node(node);
            }
        }
        let summary = self.summary();
        let mut counts = object.key("summary").object();
        for kind in ActionKind::ALL {
            counts.key(kind.name()).unsigned(summary.kinds[kind as usize] as u64);
        }
        counts.key("import").unsigned(summary.import as u64);
        counts.key("move").unsigned(summary.moved as u64);
        counts.end();
        let mut changes = object.key("changes").array();
        for change in &self.changes {
            write_change(changes.element().object(), *change, None, diagnostics);
        }
        changes.end();
        let relevant = self.relevant();
        let mut drift = object.key("drift").array();
        for change in &self.drift {
            let address = change.address().value().unwrap_or_default();
            let is_relevant = relevant.contains(address);
            write_change(drift.element().object(), *change, Some(is_relevant), diagnostics);
        }
        drift.end();
        let mut outputs = object.key("outputs").array();
        for (name, change) in self.plan.outputs() {
            let mut output = outputs.element().object();
            output.key("name").string(name);
            let mut actions = output.key("actions").array();
            for action in change.actions().value().into_iter().flat_map(|actions| actions.iter()) {
                actions.element().string(action.name());
            }
            actions.end();
            output.key("sensitive").bool(is_sensitive_output(change));
        }
        outputs.end();
        let checks = self.checks();
        let mut counts = object.key("checks").object();
        counts.key("pass").unsigned(checks.pass as u64);
        counts.key("fail").unsigned(checks.fail as u64);
        counts.key("error").unsigned(checks.error as u64);
        counts.key("unknown").unsigned(checks.unknown as u64);
        counts.end();
        let mut incomplete = object.key("incomplete").array();
        let codes = [Code::MissingPlanSchema, Code::IncompletePlanFile];
        for diagnostic in diagnostics.iter().filter(|it| codes.contains(&it.code())) {
            let mut entry = incomplete.element().object();
            entry.key("what").string(diagnostic.code().as_str());
            entry.key("where").string(diagnostic.source().name());
            entry.key("why").string(&diagnostic.detail());
        }
        incomplete.end();
        object.end();
        writer.finish()?;
        writeln!(out)
    }

    fn write_lines(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let mut writer = Writer::new(&mut out, Layout::Compact);
        for change in &self.changes {
            write_change(writer.value().object(), *change, None, diagnostics);
        }
        writer.finish()?;
        writeln!(out)
    }

    /// The addresses of the resources outside of the plan that influenced it.
    fn relevant(&self) -> std::collections::HashSet<&'a str> {
        let attributes = self.plan.relevant_attributes().value().into_iter().flat_map(List::iter);
        attributes.filter_map(|attribute| attribute.resource().value()).collect()
    }

    fn print(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        let out = &mut io::BufWriter::new(&mut out);
        let summary = self.summary();
        let mut counts: Vec<String> = ActionKind::ALL
            .into_iter()
            .filter(|kind| summary.kinds[*kind as usize] > 0)
            .map(|kind| format!("{} {}", summary.kinds[kind as usize], shown_name(kind)))
            .collect();
        for (count, name) in [(summary.import, "import"), (summary.moved, "move")] {
            if count > 0 {
                counts.push(format!("{count} {name}"));
            }
        }
        let counts = if counts.is_empty() { "no changes".to_owned() } else { counts.join(", ") };
        writeln!(out, "{BOLD}{counts}{RESET}")?;
        if self.plan.errored().value() == Some(true) {
            writeln!(out, "{RED}planning failed: the plan is incomplete{RESET}")?;
        }
        let asked_for = !self.arguments.action.is_empty();
        for change in &self.changes {
            // What stays as it is would hide what does not.
            let is_quiet = change.actions().kind() == ActionKind::NoOp
                && change.previous_address().value().is_none()
                && !change.change().value().is_some_and(Change::is_import);
            if asked_for || !is_quiet {
                self.print_change(out, *change, diagnostics)?;
            }
        }
        if !self.drift.is_empty() {
            writeln!(out, "{BOLD}changed outside of the plan{RESET}")?;
            for change in &self.drift {
                self.print_change(out, *change, diagnostics)?;
            }
        }
        let mut is_first = true;
        for (name, change) in self.plan.outputs() {
            let kind = change.actions().value().map_or(ActionKind::Other, |actions| actions.kind());
            if kind == ActionKind::NoOp {
                continue;
            }
            if std::mem::take(&mut is_first) {
                writeln!(out, "{BOLD}outputs{RESET}")?;
            }
            let (sign, colour) = sign(kind, false);
            let note = if is_sensitive_output(change) { " (sensitive)" } else { "" };
            writeln!(out, "{colour}{sign:>3}{RESET} {}{DIM}{note}{RESET}", visible(name))?;
            if self.arguments.diff {
                self.print_differences(out, change.differences(), diagnostics)?;
            }
        }
        let checks = self.checks();
        if checks != CheckCounts::default() {
            writeln!(
                out,
                "{BOLD}checks{RESET} {} pass, {} fail, {} error, {} unknown",
                checks.pass, checks.fail, checks.error, checks.unknown
            )?;
            self.print_failures(out)?;
        }
        out.flush()
    }

    /// The conditions that do not hold or could not be evaluated, with what they say.
    fn print_failures(&self, out: &mut impl Write) -> io::Result<()> {
        for check in self.plan.checks().value().into_iter().flat_map(List::iter) {
            for instance in check.instances().value().into_iter().flat_map(List::iter) {
                let Some(status @ (CheckStatus::Fail | CheckStatus::Error)) =
                    instance.status().value()
                else {
                    continue;
                };
                let address = instance.address().value().and_then(|it| it.to_display().value());
                let block = || check.address().value()?.to_display().value();
                let address = visible(address.or_else(block).unwrap_or("(no address)"));
                write!(out, "  {RED}{status}{RESET} {address}")?;
                let problems = instance.problems().value().into_iter().flat_map(List::iter);
                for message in problems.filter_map(|problem| problem.message().value()) {
                    write!(out, "\n      {}", visible(message))?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }

    fn print_change(
        &self,
        out: &mut impl Write,
        entry: ResourceChange<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        let actions = entry.actions();
        let kind = actions.kind();
        let creates_first = actions.iter().next() == Some(Action::Create);
        let (sign, colour) = sign(kind, creates_first);
        let address = entry.address().value().unwrap_or("(no address)");
        write!(out, "{colour}{sign:>3}{RESET} {BOLD}{}{RESET}", visible(address))?;
        write!(out, " {}", shown_name(kind))?;
        if let Some(key) = entry.deposed().value() {
            write!(out, " {DIM}(deposed object {}){RESET}", visible(key))?;
        }
        if let Some(reason) = entry.action_reason().value() {
            write!(out, " {DIM}({}){RESET}", visible(&reason.name().replace('_', " ")))?;
        }
        if let Some(previous) = entry.previous_address().value() {
            write!(out, " {DIM}(moved from {}){RESET}", visible(previous))?;
        }
        let Some(change) = entry.change().value() else { return writeln!(out) };
        if change.is_import() {
            write!(out, " {DIM}(imported){RESET}")?;
        }
        if self.arguments.diff {
            writeln!(out)?;
            let differences = change.differences().of_instance(address);
            return self.print_differences(out, differences, diagnostics);
        }
        // Attributes at the top are enough to say what is changed.
        let mut differences = change.differences().of_instance(address);
        let mut names: Vec<(String, bool)> = Vec::new();
        while let Some(difference) = differences.next() {
            let steps = differences.path();
            let name = simd_hcl::show::Path::new(&steps.steps()[..steps.steps().len().min(1)]);
            let name = name.to_string();
            match names.last_mut() {
                Some((last, forces)) if *last == name => *forces |= difference.forces_replacement,
                _ => names.push((name, difference.forces_replacement)),
            }
        }
        diagnostics.extend_from_slice(differences.misfits());
        if matches!(kind, ActionKind::Update | ActionKind::Replace | ActionKind::Other) {
            for (place, (name, forces)) in
                names.iter().filter(|(name, _)| !name.is_empty()).enumerate()
            {
                let comma = if place == 0 { ": " } else { ", " };
                let colour = if *forces { RED } else { colour };
                let mark = if *forces { " # forces replacement" } else { "" };
                write!(out, "{comma}{colour}{}{mark}{RESET}", visible(name))?;
            }
        }
        writeln!(out)
    }

    fn print_differences(
        &self,
        out: &mut impl Write,
        mut differences: Differences<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        while let Some(difference) = differences.next() {
            let is_hidden = difference.is_sensitive() && !self.arguments.selection.show_sensitive;
            let before = Shown { leaf: &difference.before, is_hidden };
            let after = Shown { leaf: &difference.after, is_hidden };
            let path = differences.path().to_string();
            let path = if path.is_empty() { "(value)".into() } else { visible(&path) };
            write!(out, "      {path}: {RED}{before}{RESET} → {GREEN}{after}{RESET}")?;
            if difference.forces_replacement {
                write!(out, " {RED}# forces replacement{RESET}")?;
            }
            writeln!(out)?;
        }
        diagnostics.extend_from_slice(differences.misfits());
        Ok(())
    }
}

fn is_sensitive_output(change: Change<'_>) -> bool {
    let is_marked =
        |tree: Option<simd_hcl::show::MarkTree<'_>>| tree.is_some_and(|tree| !tree.is_empty());
    is_marked(change.before_sensitive().value()) || is_marked(change.after_sensitive().value())
}

fn shown_name(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::NoOp => "no-op",
        ActionKind::ReplaceForget => "forget and replace",
        kind => kind.name(),
    }
}

fn sign(kind: ActionKind, creates_first: bool) -> (&'static str, &'static str) {
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

/// One change in the shape of the contract.
fn write_change<'a>(
    mut object: ObjectWriter<'_, '_>,
    entry: ResourceChange<'a>,
    is_relevant: Option<bool>,
    diagnostics: &mut Vec<Diagnostic<'a>>,
) {
    object.key("address").string(entry.address().value().unwrap_or_default());
    let optional = [
        ("previous_address", entry.previous_address().value()),
        ("module_address", entry.module_address().value()),
    ];
    for (name, text) in optional {
        if let Some(text) = text {
            object.key(name).string(text);
        }
    }
    object.key("mode").string(entry.mode().value().map_or("managed", |mode| mode.name()));
    object.key("type").string(entry.resource_type().value().unwrap_or_default());
    object.key("name").string(entry.name().value().unwrap_or_default());
    write_index(&mut object, entry.index().value());
    if let Some(deposed) = entry.deposed().value() {
        object.key("deposed").string(deposed);
    }
    object.key("provider_name").string(entry.provider_name().value().unwrap_or_default());
    let mut actions = object.key("actions").array();
    entry.actions().iter().for_each(|action| actions.element().string(action.name()));
    actions.end();
    if let Some(reason) = entry.action_reason().value() {
        object.key("action_reason").string(reason.name());
    }
    let change = entry.change().value();
    let importing = change.and_then(|change| change.importing().value());
    if let Some(importing) = importing {
        object.key("importing").node(importing.object().node());
    }
    let mut forced = Vec::new();
    let mut changed = object.key("changed").array();
    if let Some(change) = change {
        let mut differences =
            change.differences().of_instance(entry.address().value().unwrap_or_default());
        while let Some(difference) = differences.next() {
            let path = differences.path();
            changed.element().display(path);
            if difference.forces_replacement {
                forced.push(path.to_string());
            }
        }
        diagnostics.extend_from_slice(differences.misfits());
    }
    changed.end();
    let mut forces = object.key("forces_replacement").array();
    forced.iter().for_each(|path| forces.element().string(path));
    forces.end();
    if let Some(is_relevant) = is_relevant {
        object.key("relevant").bool(is_relevant);
    }
}

pub(crate) fn write_index(object: &mut ObjectWriter<'_, '_>, index: Option<Index<'_>>) {
    match index {
        Some(Index::Number(number)) => object.key("index").number(number.text()),
        Some(Index::Text(text)) => object.key("index").string(text),
        None => {}
    }
}

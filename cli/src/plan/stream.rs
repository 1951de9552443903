//! `plan` of input that is too large to keep: changes are printed as they are read.
//!
//! A file is read twice for people, since the counts come first; of a pipe they come last. Kept are
//! the window of the stream, the changes of one window, and the small members of the plan.

use std::io::{self, Write};

use simd_hcl::show::{Plan, Read, ResourceChange};
use simd_hcl::stream::{self, Problem, Record, Records};
use simd_hcl::{Arena, Document};

use super::report::{Report, Summary, has_changes, headline, is_change};
use super::source::Sources;
use crate::args::{self, Common, ListFormat, PlanFormat};
use crate::input::{self, Large};
use crate::output;
use crate::printed::{BOLD, RESET, filter_changes};
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::streamed::{Candidates, tell, tell_problem, tell_without_places};

/// A member of a plan that is kept, or whose text in the plan without its content is given.
const MEMBERS: [(&str, Option<&str>); 22] = [
    ("resource_changes", Some("[]")),
    ("resource_drift", Some("[]")),
    ("planned_values", Some("{}")),
    ("prior_state", Some("{}")),
    ("configuration", Some("{}")),
    ("relevant_attributes", Some("[]")),
    ("provider_schemas", Some("{}")),
    ("variables", Some("{}")),
    ("values", Some("{}")),
    ("format_version", None),
    ("plan_format_version", None),
    ("provider_format_version", None),
    ("terraform_version", None),
    ("deferred_changes", None),
    ("deferred_action_invocations", None),
    ("output_changes", None),
    ("action_invocations", None),
    ("checks", None),
    ("timestamp", None),
    ("errored", None),
    ("applyable", None),
    ("complete", None),
];

/// A file of at least this many bytes is read as a stream to print it for people. A smaller one is
/// read faster, by all threads, and all of it is checked.
const LARGE_PLAN: u64 = 1 << 30;

/// The changes that a pass prints for people.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// As they are in the plan, under headings.
    All,
    Planned,
    Drift,
}

/// What one pass over the plan found.
#[derive(Default)]
struct Totals {
    all: usize,
    selected: usize,
    /// The number of selected changes outside of the plan.
    drift: usize,
    has_changes: bool,
    of_selected: Summary,
    of_all: Summary,
    /// The small members of the plan, and those without content.
    rest: String,
    candidates: Candidates,
    status: Option<Status>,
}

/// Whether the requested output can be written in one pass.
fn is_possible(plan: &args::Plan) -> bool {
    let format = matches!(plan.format, PlanFormat::Human | PlanFormat::Ndjson | PlanFormat::Csv);
    format
        && !plan.has_rules()
        && plan.against.is_none()
        && plan.member().is_none()
        && plan.provider_schemas.is_none()
}

/// Prints a plan that is too large to keep. Returns `None` if it is not, or must be kept.
pub(super) fn print(
    plan: &args::Plan,
    sources: Option<&Sources<'_>>,
    common: &Common,
) -> Result<Option<Status>, Failure> {
    if !is_possible(plan) {
        return Ok(None);
    }
    let is_human = plan.format == PlanFormat::Human;
    let from = if is_human { LARGE_PLAN } else { input::LARGE_FILE };
    let Some(input) = input::large(&plan.file, b"{", from, common)? else { return Ok(None) };
    let name = match input {
        Large::Pipe(_) => plan.selection.stdin_name.clone(),
        Large::File(_) => plan.file.to_string_lossy().into_owned(),
    };
    let mut stats = Stats::new(input::kernel(common)?);
    let shown = Shown::All;
    let mut printer = Printer { plan, sources, common, name, shown, out: None, peak: 0, read: 0 };
    let mut totals = match input {
        Large::File(_) if is_human => {
            let counted = printer.pass(input::reopen(&plan.file)?)?;
            if counted.status.is_some() {
                counted
            } else {
                printer.start();
                printer.head(&counted)?;
                printer.shown = Shown::Planned;
                let mut totals = printer.pass(input::reopen(&plan.file)?)?;
                if counted.drift > 0 && totals.status.is_none() {
                    printer.shown = Shown::Drift;
                    totals = printer.pass(input::reopen(&plan.file)?)?;
                }
                totals
            }
        }
        Large::File(file) => {
            printer.start();
            printer.pass(Box::new(file))?
        }
        Large::Pipe(pipe) => {
            printer.start();
            let totals = printer.pass(pipe)?;
            if is_human && totals.status.is_none() {
                printer.head(&totals)?;
            }
            totals
        }
    };
    let mut status = match totals.status {
        Some(status) => status,
        None => printer.finish(&mut totals)?,
    };
    let filter = filter_changes(plan)?;
    if totals.status.is_none() && !totals.candidates.explain(&filter, "plan")? {
        status = status.max(Status::Found);
    }
    if status == Status::Clean && plan.detailed_exitcode && totals.has_changes {
        status = Status::CouldNotRun;
    }
    (stats.files, stats.bytes, stats.arena_bytes) = (1, printer.read, printer.peak);
    stats.print(common);
    Ok(Some(status))
}

/// Prints one plan.
struct Printer<'p> {
    plan: &'p args::Plan,
    sources: Option<&'p Sources<'p>>,
    common: &'p Common,
    name: String,
    shown: Shown,
    /// Standard output, once something is printed.
    out: Option<Box<dyn Write>>,
    /// The largest number of bytes that the records used.
    peak: usize,
    read: u64,
}

impl Printer<'_> {
    fn start(&mut self) {
        self.out = Some(output::stream(self.plan.format == PlanFormat::Human));
    }

    /// Reads the plan once, and prints its changes if the output has started.
    fn pass(&mut self, input: Box<dyn io::Read>) -> Result<Totals, Failure> {
        let filter = filter_changes(self.plan)?;
        let options = stream::Options::default()
            .with_name(self.name.as_str())
            .with_kernel(input::kernel(self.common)?)
            .with_max_depth(self.common.max_depth)
            .with_max_record(self.plan.max_record)
            .with_skeleton_depth(Plan::DIFF_DEPTH - 2);
        let names = MEMBERS.iter().filter(|(_, text)| text.is_none()).map(|(name, _)| *name);
        let paths = ["resource_changes[*]", "resource_drift[*]"].into_iter().chain(names);
        let paths = paths.filter_map(|path| stream::Path::parse(path).ok()).collect();
        let mut records = Records::new(input, options, paths);
        let mut totals = Totals {
            rest: "{".to_owned(),
            candidates: Candidates::of(&self.plan.selection),
            ..Totals::default()
        };
        if self.plan.format == PlanFormat::Csv
            && let Some(out) = &mut self.out
        {
            super::csv::write_header(self.plan, self.sources.is_some(), out)?;
        }
        loop {
            self.peak = self.peak.max(records.memory());
            let batch = match records.batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(problem) => {
                    totals.status = Some(self.refuse(&problem)?);
                    return Ok(totals);
                }
            };
            self.read = batch.last().map_or(self.read, |record| record.span().end);
            let mut diagnostics = Vec::new();
            let (mut changes, mut drift) = (Vec::new(), Vec::new());
            for record in &batch {
                let is_drift = record.path() == 1;
                let change = match record.path() {
                    0 | 1 => ResourceChange::read(record.document().root()),
                    _ => {
                        totals.keep(record);
                        continue;
                    }
                };
                let Some(change) = change else { continue };
                if self.out.is_some() && self.shown != Shown::Drift {
                    change.check(&mut diagnostics);
                }
                let is_wanted = filter.wants_change(change);
                let kind = change.resource_type().value().unwrap_or_default();
                let address = change.address().value().unwrap_or_default();
                totals.candidates.add(kind, address, is_wanted);
                if is_drift {
                    if is_wanted {
                        totals.drift += 1;
                        drift.push(change);
                    }
                    continue;
                }
                totals.all += 1;
                totals.has_changes |= is_change(change);
                totals.of_all.add(change);
                if is_wanted {
                    totals.selected += 1;
                    totals.of_selected.add(change);
                    changes.push(change);
                }
            }
            // No change reads the plan, so that any object stands for it.
            let plan = changes.first().or(drift.first()).map(|change| change.object().node());
            if let (Some(out), Some(plan)) = (&mut self.out, plan.and_then(Plan::read)) {
                let report = Report {
                    plan,
                    arguments: self.plan,
                    sources: self.sources,
                    old: None,
                    changes,
                    drift,
                    all: &[],
                    has_changes: false,
                };
                match self.plan.format {
                    PlanFormat::Ndjson => report.write_batch(32, out, &mut diagnostics)?,
                    PlanFormat::Csv => report.write_rows(out, &mut diagnostics)?,
                    _ => {
                        let (planned, drift) = (report.changes.len(), report.drift.len());
                        if self.shown != Shown::Planned {
                            if drift > 0 && drift == totals.drift {
                                writeln!(out, "{BOLD}changed outside of the plan{RESET}")?;
                            }
                            for change in &report.drift {
                                report.print_change(out, *change, &mut diagnostics)?;
                            }
                        }
                        if self.shown != Shown::Drift {
                            let is_first = planned > 0 && planned == totals.selected;
                            if self.shown == Shown::All && totals.drift > 0 && is_first {
                                writeln!(out, "{BOLD}changes of the plan{RESET}")?;
                            }
                            for change in report.shown_changes() {
                                report.print_change(out, change, &mut diagnostics)?;
                            }
                        }
                    }
                }
            }
            tell(&diagnostics, self.common);
        }
        for name in records.members() {
            if let Some((_, Some(text))) = MEMBERS.iter().find(|(known, _)| known == name) {
                totals.member(name, text);
            }
        }
        totals.rest.push('}');
        while let Some(warning) = records.take_warning() {
            tell_problem(&warning, self.common);
        }
        Ok(totals)
    }

    /// Prints the counts.
    fn head(&mut self, totals: &Totals) -> Result<(), Failure> {
        let arena = Arena::new();
        let Some(plan) = rest(&arena, totals) else { return Ok(()) };
        let others = totals.all - totals.selected;
        let has_changes = totals.has_changes || has_changes(plan);
        let of_all = || totals.of_all.text();
        let line = headline(&totals.of_selected, others, of_all, has_changes, self.plan, plan);
        if let Some(out) = &mut self.out {
            super::human::print_head(&line, plan, out)?;
        }
        Ok(())
    }

    /// Prints everything after the changes, and the diagnostics about it.
    fn finish(&mut self, totals: &mut Totals) -> Result<Status, Failure> {
        let arena = Arena::new();
        let mut diagnostics = Vec::new();
        let text = arena.str(&totals.rest);
        let document = Document::parse_bytes(&arena, arena.str(&self.name), text.as_bytes())
            .map_err(|error| Failure::Message(error.to_string()))?;
        let plan = Plan::of(document, &mut diagnostics);
        if let Some((plan, out)) = plan.zip(self.out.as_mut()) {
            plan.check(&mut diagnostics);
            totals.has_changes |= has_changes(plan);
            let report = Report {
                plan,
                arguments: self.plan,
                sources: self.sources,
                old: None,
                changes: Vec::new(),
                drift: Vec::new(),
                all: &[],
                has_changes: totals.has_changes,
            };
            match self.plan.format {
                PlanFormat::Ndjson => {
                    report.write_gaps_line(out, &diagnostics)?;
                    report.gaps().print(ListFormat::Json, self.common);
                }
                PlanFormat::Csv => {
                    report.all_gaps(&diagnostics).print(ListFormat::Csv, self.common);
                }
                _ => {
                    report.print_rest(out, &mut diagnostics)?;
                    report.gaps().print(ListFormat::Human, self.common);
                }
            }
        }
        if let Some(out) = &mut self.out {
            out.flush()?;
        }
        Ok(tell_without_places(&diagnostics, &self.name, self.common))
    }

    /// Reports the error of the stream, after what has been printed.
    fn refuse(&mut self, problem: &Problem) -> Result<Status, Failure> {
        if let Some(out) = &mut self.out {
            out.flush()?;
        }
        tell_problem(problem, self.common);
        Ok(Status::Found)
    }
}

impl Totals {
    /// Keeps a small member.
    fn keep(&mut self, record: &Record<'_>) {
        let text = String::from_utf8_lossy(record.document().root().text()).into_owned();
        let name = record.name().to_owned();
        self.member(&name, &text);
    }

    fn member(&mut self, name: &str, text: &str) {
        if self.rest.len() > 1 {
            self.rest.push(',');
        }
        self.rest.push_str(&format!("\"{name}\":{text}"));
    }
}

/// The plan of the small members.
fn rest<'a>(arena: &'a Arena, totals: &Totals) -> Option<Plan<'a>> {
    let text = arena.str(&totals.rest);
    let document = Document::parse_bytes(arena, "", text.as_bytes()).ok()?;
    Plan::read(document.root())
}

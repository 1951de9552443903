//! `plan` of input that is too large to keep: changes are printed as they are read again.
//!
//! The plan is read several times: first to find sensitive values, which may be anywhere in it. A
//! pipe is copied into a temporary file first. Memory holds the window of the stream, the changes
//! of one window, and the plan without its changes and resources.

use std::io::{self, Write};

use simd_hcl::show::redact::{Large, Options, Row, RowKind};
use simd_hcl::show::rows::{Change, ChangeKind, Summary};
use simd_hcl::show::{Filter, Plan, Read, ResourceChange, SeenObjects, Shown};
use simd_hcl::{Diagnostic, stream};

use super::change::View;
use super::report::{Report, headline};
use super::source::Sources;
use crate::args::{self, Common, ListFormat, PlanFormat};
use crate::input;
use crate::output;
use crate::printed::{BOLD, RESET, filter_changes, scrub};
use crate::status::{Failure, Status};
use crate::streamed::{Candidates, Stop, shown, tell, tell_of_skeleton, with_large};

/// A file of at least this many bytes is read as a stream to print it for people. A smaller one is
/// read faster, by all threads, and all of it is checked.
const LARGE_PLAN: u64 = 1 << 30;

/// The output of one pass over the changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Nothing: the counts come first.
    Nothing,
    /// All changes, which are counted, too.
    All,
    /// Changes that have been counted.
    Changes,
    Drift,
}

/// The result of the first pass.
#[derive(Default)]
struct Totals {
    all: usize,
    selected: usize,
    /// The number of selected changes outside of the plan.
    drift: usize,
    has_changes: bool,
    of_selected: Summary,
    of_all: Summary,
    candidates: Candidates,
    objects: SeenObjects,
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
    let filter = filter_changes(plan)?;
    let settings = stream::Options::default().with_max_record(plan.max_record);
    let source = (plan.file.as_path(), plan.selection.stdin_name.as_str());
    with_large(input, source, Options::default(), settings, common, |mut large, found| {
        let skeleton = large.skeleton();
        let Some(view) = Plan::of(skeleton, &mut ()) else { return Ok(None) };
        let shown = shown(&large, &plan.selection);
        let arena = skeleton.source().arena();
        let mut diagnostics: Vec<Diagnostic<'_>> = found;
        view.check(&mut diagnostics);
        let totals = Totals { candidates: Candidates::of(&plan.selection), ..Totals::default() };
        let out = output::stream(is_human);
        let status = Status::Clean;
        let mut printer =
            Printer { plan, view, sources, common, filter, shown: &shown, out, totals, status };
        printer.print(&mut large, &mut diagnostics)?;
        scrub(&mut diagnostics, &shown, arena);
        let status = printer.status.max(tell_of_skeleton(&mut large, &diagnostics, common)?);
        let Printer { totals, filter, .. } = printer;
        let selected = totals.candidates.explain(&filter, "plan", &shown, common)?;
        Ok(Some(match status {
            Status::Clean if selected != Status::Clean => selected,
            Status::Clean if plan.detailed_exitcode && totals.has_changes => Status::CouldNotRun,
            status => status,
        }))
    })
}

/// Prints one plan.
struct Printer<'p, 't> {
    plan: &'p args::Plan,
    /// The plan without its changes and resources.
    view: Plan<'t>,
    sources: Option<&'p Sources<'p>>,
    common: &'p Common,
    filter: Filter<'p>,
    /// Decides which values of `view` are shown.
    shown: &'p Shown,
    out: Box<dyn Write>,
    totals: Totals,
    status: Status,
}

impl<'p, 't> Printer<'p, 't> {
    /// Prints all of the plan, and flushes the output.
    fn print(
        &mut self,
        large: &mut Large<'t, '_>,
        diagnostics: &mut Vec<Diagnostic<'t>>,
    ) -> Result<(), Stop> {
        self.totals.has_changes = self.view.has_other_changes();
        let report = Report {
            plan: self.view,
            view: self.view_of(self.shown),
            old: None,
            changes: Vec::new(),
            drift: Vec::new(),
            all: &[],
            has_changes: false,
        };
        match self.plan.format {
            PlanFormat::Ndjson => {
                self.pass(large, Pass::All)?;
                report.write_gaps_line(&mut self.out, diagnostics)?;
                report.gaps().print(ListFormat::Json, self.common);
            }
            PlanFormat::Csv => {
                super::csv::write_header(report.view, &mut self.out)?;
                self.pass(large, Pass::All)?;
                report.all_gaps(diagnostics).print(ListFormat::Csv, self.common);
            }
            _ => {
                self.pass(large, Pass::Nothing)?;
                self.print_head()?;
                self.pass(large, Pass::Changes)?;
                if self.totals.drift > 0 {
                    writeln!(self.out, "{BOLD}changed outside of the plan{RESET}")?;
                    self.pass(large, Pass::Drift)?;
                }
                report.print_rest(&mut self.out, diagnostics)?;
                report.gaps().print(ListFormat::Human, self.common);
            }
        }
        Ok(self.out.flush()?)
    }

    fn view_of<'s>(&self, shown: &'s Shown) -> View<'s>
    where
        'p: 's,
    {
        let (arguments, sources) = (self.plan, self.sources);
        View { arguments, sources, shown, style: self.common.style() }
    }

    /// Prints the counts.
    fn print_head(&mut self) -> io::Result<()> {
        let totals = &self.totals;
        let others = totals.all - totals.selected;
        let of_all = || totals.of_all;
        let (selected, has_changes) = (&totals.of_selected, totals.has_changes);
        let line = headline(selected, others, of_all, has_changes, self.plan, self.view);
        super::human::print_head(&line, self.view, &mut self.out)
    }

    /// Reads the changes once.
    fn pass(&mut self, large: &mut Large<'t, '_>, pass: Pass) -> Result<(), Stop> {
        let shows_secrets = self.plan.selection.show_sensitive;
        Ok(large.rows(shows_secrets, &mut |rows, shown| self.rows(rows, shown, pass))?)
    }

    fn rows(&mut self, rows: &[Row<'_, '_>], shown: &Shown, pass: Pass) -> io::Result<()> {
        let mut diagnostics = Vec::new();
        let (mut changes, mut drift) = (Vec::new(), Vec::new());
        for row in rows {
            let is_first = matches!(pass, Pass::Nothing | Pass::All);
            if is_first {
                row.check(&mut diagnostics);
            }
            let Some(change) = ResourceChange::read(row.node()) else { continue };
            let is_wanted = self.filter.wants_change(change);
            let is_drift = row.kind() == RowKind::Drift;
            let kind = if is_drift { ChangeKind::Drift } else { ChangeKind::Change };
            let change = Change::new(kind, change);
            if is_first {
                self.totals.add(change, is_drift, is_wanted);
                if !is_drift {
                    self.totals.objects.add(change.entry(), &mut diagnostics);
                }
            }
            if is_wanted {
                if is_drift { drift.push(change) } else { changes.push(change) }
            }
        }
        let view = self.view_of(shown);
        let (out, asked_for) = (&mut self.out, !self.plan.action.is_empty());
        match (self.plan.format, pass) {
            (_, Pass::Nothing) => {}
            (PlanFormat::Ndjson, _) => view.write_batch(&changes, 32, out, &mut diagnostics)?,
            (PlanFormat::Csv, _) => view.write_rows(&changes, out, &mut diagnostics)?,
            (_, Pass::Drift) => {
                for change in drift {
                    view.print_change(out, change, &mut diagnostics)?;
                }
            }
            (_, Pass::All | Pass::Changes) => {
                for change in changes.into_iter().filter(|it| asked_for || !it.is_quiet()) {
                    view.print_change(out, change, &mut diagnostics)?;
                }
            }
        }
        if let Some(row) = rows.first() {
            let arena = row.node().source().arena();
            scrub(&mut diagnostics, shown, arena);
            self.status = self.status.max(tell(&diagnostics, self.common));
        }
        Ok(())
    }
}

impl Totals {
    /// Counts a change.
    fn add(&mut self, row: Change<'_>, is_drift: bool, is_wanted: bool) {
        let change = row.entry();
        let kind = change.resource_type().value().unwrap_or_default();
        let address = change.address().value().unwrap_or_default();
        self.candidates.add(kind, address, is_wanted);
        if is_drift {
            self.drift += usize::from(is_wanted);
            return;
        }
        self.all += 1;
        self.has_changes |= !row.is_quiet();
        self.of_all.add(change);
        if is_wanted {
            self.selected += 1;
            self.of_selected.add(change);
        }
    }
}

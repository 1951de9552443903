//! `plan`: counts, changes and differences of a plan.
//!
//! A file for each format prints the [`Report`]: [`human`], [`tree`], [`markdown`], [`html`],
//! [`json`], [`csv`].

mod against;
mod change;
mod csv;
mod html;
mod human;
mod json;
mod log;
mod markdown;
mod policy;
mod report;
mod source;
mod stream;
mod tree;

use std::io;

use simd_hcl::show::redact::Options;
use simd_hcl::show::rows::{Change, ChangeKind};
use simd_hcl::show::{Plan, PlanIndex, Shown};
use simd_hcl::write::Layout;
use simd_hcl::{Diagnostic, Document};

use self::against::Old;
use self::change::View;
use self::report::Report;
use self::source::{Sources, with_sources};
use crate::args::{self, Common, ListFormat, PlanFormat};
use crate::output::{self, Style};
use crate::plan_file::Part;
use crate::printed::{Input, explain, filter_changes, scrub, with_document};
use crate::status::{Failure, Status};

pub(crate) fn run(plan: &args::Plan, common: &Common) -> Result<Status, Failure> {
    if plan.follow {
        return log::follow(plan, common);
    }
    with_sources(plan.source.as_ref(), common, |sources| {
        match stream::print(plan, sources, common)? {
            Some(status) => Ok(status),
            None => print(plan, sources, common),
        }
    })
}

/// Prints a document or an event stream.
fn print(
    plan: &args::Plan,
    sources: Option<&Sources<'_>>,
    common: &Common,
) -> Result<Status, Failure> {
    let filter = filter_changes(plan)?;
    if plan.has_rules() {
        policy::format(plan)?;
    } else if !plan.format.is_of_plans() {
        let message = "this format prints findings of rules: add --deny, --warn or --rules";
        return Err(Failure::Message(message.to_owned()));
    }
    let on_log = |bytes: &[u8]| {
        let refuse = |why: &str| Err(Failure::Message(format!("an event stream {why}")));
        match plan {
            plan if plan.has_rules() => refuse("has no values for rules"),
            plan if plan.source.is_some() => refuse("cannot be combined with --source"),
            plan if plan.diff || plan.values || plan.member().is_some() => refuse("has no values"),
            plan => log::print(bytes, plan, common),
        }
    };
    let input = Input {
        file: &plan.file,
        stdin_name: &plan.selection.stdin_name,
        depth: Plan::DIFF_DEPTH,
        part: Part::Plan,
        schemas: plan.provider_schemas.as_deref(),
        on_log: Some(&on_log),
    };
    let mut has_changes = false;
    let (mut selected, mut checked) = (Status::Clean, Status::Clean);
    let status = with_document(input, common, |document, diagnostics| {
        if plan.format == PlanFormat::ShowJson {
            return Ok(write_document(document)?);
        }
        let Some(view) = Plan::of(document, diagnostics) else { return Ok(()) };
        has_changes = view.has_changes();
        let shown = match plan.selection.show_sensitive {
            true => Shown::everything(),
            false => Shown::of_plan(view, Options::default().with_threads(0)),
        };
        if let Some(name) = plan.member() {
            scrub(diagnostics, &shown, document.source().arena());
            selected = print_member(view, name, plan, &shown)?;
            return Ok(());
        }
        let rules = match plan.has_rules() {
            true => Some(policy::rules(document.source().arena(), plan, common)?),
            false => None,
        };
        let index = PlanIndex::new(view, diagnostics);
        let old = Old::read(document.source().arena(), plan, common, diagnostics)?;
        let wanted = |change: &Change<'_>| filter.wants_change(change.entry());
        let all = || {
            let rows = index.changes().iter().copied().chain(view.drift());
            rows.map(|change| {
                let address = change.address().value().unwrap_or_default();
                (change.resource_type().value().unwrap_or_default(), address)
            })
        };
        selected = explain(&filter, all(), "plan", &shown, common)?;
        let planned = index.changes().iter();
        let planned = planned.map(|change| Change::new(ChangeKind::Change, *change));
        let mut changes: Vec<Change<'_>> = planned.filter(wanted).collect();
        if let Some(old) = &old {
            old.retain_new(&mut changes);
        }
        let report = Report {
            plan: view,
            view: View { arguments: plan, sources, shown: &shown, style: common.style() },
            old: old.as_ref(),
            changes,
            drift: view.drift_rows().filter(wanted).collect(),
            all: index.changes(),
            has_changes,
        };
        if let Some(rules) = rules {
            let mut said = std::mem::take(diagnostics);
            scrub(&mut said, &shown, document.source().arena());
            let gaps = report.incomplete();
            checked = policy::check(&rules, &report, common, &said, &gaps)?;
            return Ok(());
        }
        print_report(&report, diagnostics, common)?;
        Ok(())
    })?;
    Ok(match status {
        Status::Clean if selected != Status::Clean => selected,
        // The exit status of the tools: 2 means that there are changes.
        Status::Clean if plan.detailed_exitcode && has_changes => Status::CouldNotRun,
        status => status.max(checked),
    })
}

/// Prints a report in the format that is asked for, and checks the types of the whole plan.
fn print_report<'a>(
    report: &Report<'_, 'a>,
    diagnostics: &mut Vec<Diagnostic<'a>>,
    common: &Common,
) -> io::Result<()> {
    let format = report.view.arguments.format;
    let mut types = Vec::new();
    let print = || match format {
        PlanFormat::Json => report.write_json(diagnostics),
        PlanFormat::Ndjson => report.write_lines(diagnostics),
        PlanFormat::Csv => report.write_csv(diagnostics),
        PlanFormat::Markdown => report.write_markdown(diagnostics),
        PlanFormat::Html => report.write_page(diagnostics),
        PlanFormat::Tree => output::text(|out| report.print_tree(out, diagnostics)),
        _ => output::text(|out| report.print(out, diagnostics)),
    };
    let (printed, ()) = rayon::join(print, || report.plan.check(&mut types));
    diagnostics.append(&mut types);
    scrub(diagnostics, report.view.shown, report.plan.object().node().source().arena());
    printed?;
    match format {
        PlanFormat::Json | PlanFormat::Ndjson => report.gaps().print(ListFormat::Json, common),
        PlanFormat::Csv => report.all_gaps(diagnostics).print(ListFormat::Csv, common),
        _ => report.gaps().print(ListFormat::Human, common),
    }
    Ok(())
}

/// Prints the document itself, as `show -json` prints a plan.
fn write_document(document: Document<'_>) -> io::Result<()> {
    output::data(|out| {
        out.write_all(document.root().text())?;
        writeln!(out)
    })
}

/// Prints one member of the plan as JSON, without sensitive values. It is an error if the plan does
/// not have it.
fn print_member(
    plan: Plan<'_>,
    name: &str,
    arguments: &args::Plan,
    shown: &Shown,
) -> Result<Status, Failure> {
    let Some(node) = plan.object().get(name) else {
        anstream::eprintln!("simd-hcl: the plan has no `{name}`");
        return Ok(Status::Found);
    };
    let layout = match arguments.format {
        PlanFormat::Ndjson => Layout::Compact,
        _ => Layout::Pretty,
    };
    if let Some(node) = shown.node(node) {
        output::document(layout, Style::default(), |slot| slot.node(node))?;
    }
    Ok(Status::Clean)
}

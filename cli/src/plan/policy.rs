//! `--deny`, `--warn` and `--rules`: findings of rules in a plan, in the formats of `check`.

use std::path::Path;

use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::ResourceChange;
use simd_hcl::{Arena, Code, Diagnostic, Document, ParsedFile, Severity, functions};

use super::report::Report;
use super::source::{Cause, Place, Source, Sources};
use crate::args::{self, Common, ReportFormat};
use crate::finding::{Finding, Findings, Related, of_rule, without_excerpts};
use crate::human;
use crate::incomplete::Incomplete;
use crate::input;
use crate::outcome::Outcome;
use crate::report;
use crate::stats::count;
use crate::status::{Failure, Status};
use crate::visible;

/// Returns the format of findings.
pub(super) fn format(plan: &args::Plan) -> Result<ReportFormat, Failure> {
    plan.format.of_findings().ok_or_else(|| {
        let message = "findings of rules are printed as human, json, ndjson, github, sarif, concise, junit, gitlab or azure";
        Failure::Message(message.to_owned())
    })
}

/// Reads all rules into the arena of the plan.
pub(super) fn rules<'a>(
    arena: &'a Arena,
    plan: &args::Plan,
    common: &Common,
) -> Result<Rules<'a>, Failure> {
    let mut rules = Rules::new(Some(functions::STANDARD));
    let mut diagnostics = Vec::new();
    let mut is_right = true;
    for path in &plan.rules {
        let is_native = is_native(path)?;
        let fail = |error: &dyn std::fmt::Display| {
            Failure::Message(format!("{}: {error}", visible::path(path)))
        };
        let source = input::text(arena, path, "", common).map_err(|error| fail(&error))?;
        let options = input::parse_options(common)?;
        let file = match is_native {
            true => Ok(ParsedFile::native(arena, source)),
            false => Document::read(arena, source, &options).map(ParsedFile::json),
        };
        match file {
            Ok(file) => {
                diagnostics.extend_from_slice(file.diagnostics());
                is_right &= rules.parse(file, &mut diagnostics);
            }
            Err(error) => {
                is_right = false;
                diagnostics.push(error);
            }
        }
    }
    let given = [("deny", Severity::Error, &plan.deny), ("warn", Severity::Warning, &plan.warn)];
    for (flag, severity, texts) in given {
        for (number, text) in (1..).zip(texts) {
            let name = if texts.len() == 1 { flag.to_owned() } else { format!("{flag}-{number}") };
            is_right &= rules
                .add_condition(arena, &name, severity, text, &mut diagnostics)
                .map_err(|error| Failure::Message(format!("--{flag}: {error}")))?;
        }
    }
    let mut out = anstream::stderr().lock();
    for diagnostic in &diagnostics {
        human::write(&Finding::of(diagnostic), &mut out)?;
    }
    match is_right {
        true => Ok(rules),
        false => Err(Failure::Message("the rules have errors, so nothing was checked".to_owned())),
    }
}

/// Whether a file of rules is in native syntax, by its name.
fn is_native(path: &Path) -> Result<bool, Failure> {
    let lower = path.to_string_lossy().to_lowercase();
    match (lower.ends_with(".hcl"), lower.ends_with(".json")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => {
            let name = visible::path(path);
            let why = "the name of a rule file must end with .hcl, or with .json for JSON";
            Err(Failure::Message(format!("{name}: {why}")))
        }
    }
}

/// Returns the blocks that cause a change.
fn related(sources: &Sources<'_>, change: ResourceChange<'_>) -> Vec<Related> {
    let to_related = |message: &'static str, (range, excerpt): Place| {
        Related::new(message, range, Some(excerpt))
    };
    let mut related = Vec::new();
    if let Source::Declared(place) = sources.of(change) {
        related.push(to_related("declared here", place));
    }
    for (message, cause) in
        [("moved here", sources.moves(change)), ("imported here", sources.imports(change))]
    {
        if let Some(Cause::Blocks(places)) = cause {
            related.extend(places.into_iter().map(|place| to_related(message, place)));
        }
    }
    related
}

/// Checks the changes of a plan, and prints the findings and the diagnostics of the plan itself.
pub(super) fn check<'a>(
    rules: &Rules<'a>,
    report: &Report<'_, 'a>,
    common: &Common,
    diagnostics: &[Diagnostic<'a>],
    gaps: &[(&'static str, &'static str)],
) -> Result<Status, Failure> {
    let view = report.plan;
    let plan = report.view.arguments;
    let changes: Vec<ResourceChange<'a>> =
        report.changes.iter().map(|change| change.entry()).collect();
    let options = CheckOptions::default().with_sensitive(plan.selection.show_sensitive);
    let checked = rules.check_changes(view, &changes, &options);
    let arena = view.object().node().source().arena();
    let shown = |one: &Diagnostic<'a>| report.view.shown.message(arena, one.clone());
    let said: Vec<_> = checked.findings.iter().map(|it| shown(it.diagnostic())).collect();
    let mut types = Vec::new();
    view.check(&mut types);
    let types: Vec<_> = types.iter().map(shown).collect();
    let mut findings = Findings::of(Vec::new());
    let mut undecided = 0;
    for (finding, diagnostic) in checked.findings.iter().zip(&said) {
        let Some(rule) = rules.get(finding.rule()) else { continue };
        let is_undecided = diagnostic.code() == Code::UndecidedRule;
        undecided += usize::from(is_undecided);
        let severity = match is_undecided && plan.deny_undecided {
            true => Severity::Error,
            false => diagnostic.severity(),
        };
        let related =
            report.view.sources.map_or_else(Vec::new, |all| related(all, finding.change()));
        if related.is_empty() {
            findings.add_rule(diagnostic, rule, severity);
            continue;
        }
        let diagnostic = diagnostic.clone().with_severity(severity);
        let mut made = of_rule(&diagnostic, rule);
        made.related.extend(related);
        findings.extend(vec![made]);
    }
    let of_plan: Vec<Finding> = diagnostics.iter().chain(&types).map(without_excerpts).collect();
    findings.extend(of_plan);
    findings.sort();
    let mut incomplete = Incomplete::default();
    for (place, why) in gaps {
        incomplete.add("plan", *place, *why);
    }
    incomplete.append(report.gaps());
    let errors = findings.errors();
    let format = format(plan)?;
    let status = if errors > 0 { Status::Found } else { Status::Clean };
    let warnings = findings.len() - errors;
    let incomplete = &incomplete;
    let outcome = Outcome { findings: &findings, errors, warnings, incomplete, status };
    report::print(&outcome, format, common.style())?;
    incomplete.print(format.carrier(), common);
    if !common.quiet {
        anstream::eprintln!(
            "checked {} by {}: {}, {}, of these {undecided} undecided",
            count(changes.len(), "change"),
            count(rules.len(), "rule"),
            count(errors, "error"),
            count(warnings, "warning"),
        );
    }
    Ok(status)
}

//! `--deny`, `--warn` and `--rules`: findings of rules in a plan, in the formats of `check`.

use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::ResourceChange;
use simd_hcl::{Arena, Code, Diagnostic, Severity, functions};

use super::report::Report;
use super::source::{Cause, Place, Source, Sources};
use crate::args::{self, Common, ReportFormat};
use crate::finding::{Finding, Findings, Related, of_rule, without_excerpts};
use crate::incomplete::Incomplete;
use crate::outcome::Outcome;
use crate::report;
use crate::rule_files;
use crate::stats::count;
use crate::status::{Failure, Status};

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
    let mut is_right = rule_files::add(&mut rules, arena, &plan.rules, common, &mut diagnostics)?;
    let given = [("deny", Severity::Error, &plan.deny), ("warn", Severity::Warning, &plan.warn)];
    for (flag, severity, texts) in given {
        for (number, text) in (1..).zip(texts) {
            let name = if texts.len() == 1 { flag.to_owned() } else { format!("{flag}-{number}") };
            is_right &= rules
                .add_condition(arena, &name, severity, text, &mut diagnostics)
                .map_err(|error| Failure::Message(format!("--{flag}: {error}")))?;
        }
    }
    rule_files::tell(&diagnostics, is_right)?;
    Ok(rules)
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

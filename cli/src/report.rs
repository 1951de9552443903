//! Findings in every format of `check`.

use std::io::{self, Write};

use rayon::iter::ParallelIterator;
use serde::{Serialize, Serializer};

use crate::args::{Format, ReportFormat};
use crate::finding::{Finding, Findings};
use crate::incomplete::Incomplete;
use crate::outcome::Outcome;
use crate::status::Status;
use crate::style::Style;
use crate::{azure, concise, github, gitlab, human, junit, output, sarif};

/// All findings, in the shape of `validate -json`.
#[derive(Serialize)]
struct Report<'f, 't, 'a> {
    format_version: &'static str,
    valid: bool,
    error_count: usize,
    warning_count: usize,
    incomplete: &'f Incomplete,
    #[serde(serialize_with = "one_by_one")]
    diagnostics: &'f Findings<'t, 'a>,
}

fn one_by_one<S: Serializer>(
    findings: &&Findings<'_, '_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter())
}

/// Prints all findings.
pub(crate) fn print(
    outcome: &Outcome<'_, '_, '_>,
    format: ReportFormat,
    style: Style,
) -> io::Result<()> {
    let Outcome { findings, errors, warnings, incomplete, status } = *outcome;
    match format {
        ReportFormat::Human => output::text(|out| write_all(findings, out, human::write))?,
        ReportFormat::Json => {
            let report = Report {
                format_version: output::FORMAT_VERSION,
                // Input that could not be read is not known to be valid.
                valid: errors == 0 && status != Status::CouldNotRun,
                error_count: errors,
                warning_count: warnings,
                incomplete,
                diagnostics: findings,
            };
            output::value(Format::Json, style, &report)?;
        }
        ReportFormat::Ndjson => output::data(|out| {
            write_all(findings, out, |finding, out| output::line(out, style, finding))?;
            output::rest(incomplete, out)
        })?,
        ReportFormat::Github => output::data(|out| {
            write_all(findings, out, github::write)?;
            incomplete.iter().try_for_each(|gap| github::write_gap(&gap, out))
        })?,
        ReportFormat::Azure => output::data(|out| {
            write_all(findings, out, azure::write)?;
            incomplete.iter().try_for_each(|gap| azure::write_gap(&gap, out))
        })?,
        ReportFormat::Concise => output::data(|out| write_all(findings, out, concise::write))?,
        ReportFormat::Gitlab => gitlab::print(findings, incomplete)?,
        ReportFormat::Junit => output::data(|out| junit::write(outcome, out))?,
        ReportFormat::Sarif => output::value(
            Format::Json,
            Style::default(),
            &sarif::Log::of(findings, incomplete, status),
        )?,
    }
    Ok(())
}

/// Writes findings in order. All threads render their texts, some thousands at a time.
fn write_all(
    findings: &Findings<'_, '_>,
    out: &mut dyn Write,
    write: impl Fn(&Finding, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    const AT_ONCE: usize = 1 << 12;
    for start in (0..findings.len()).step_by(AT_ONCE) {
        let texts = findings.range(start, AT_ONCE).map(|finding| {
            let mut text = Vec::new();
            write(&finding, &mut text).map(|()| text)
        });
        for text in texts.collect::<io::Result<Vec<_>>>()? {
            out.write_all(&text)?;
        }
    }
    Ok(())
}

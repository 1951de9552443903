//! Findings in every format of `check`.

use std::io::{self, Write};

use rayon::iter::ParallelIterator;
use serde::{Serialize, Serializer};

use crate::args::{Format, ReportFormat};
use crate::finding::{Finding, Findings};
use crate::{github, human, output, sarif};

/// All findings, in the shape of `tofu validate -json`.
#[derive(Serialize)]
struct Report<'f, 't, 'a> {
    format_version: &'static str,
    valid: bool,
    error_count: usize,
    warning_count: usize,
    #[serde(serialize_with = "one_by_one")]
    diagnostics: &'f Findings<'t, 'a>,
}

fn one_by_one<S: Serializer>(
    findings: &&Findings<'_, '_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter())
}

/// Prints all findings, so many of which are errors.
pub(crate) fn print(
    findings: &Findings<'_, '_>,
    errors: usize,
    format: ReportFormat,
) -> io::Result<()> {
    match format {
        ReportFormat::Human => {
            output::text(|out| write_all(findings, out, |it, out| human::write(it, out)))?
        }
        ReportFormat::Json => {
            let report = Report {
                format_version: "1.0",
                valid: errors == 0,
                error_count: errors,
                warning_count: findings.len() - errors,
                diagnostics: findings,
            };
            output::value(Format::Json, &report)?;
        }
        ReportFormat::Ndjson => output::data(|out| {
            write_all(findings, out, |finding, out| {
                serde_json::to_writer(&mut *out, finding)?;
                writeln!(out)
            })
        })?,
        ReportFormat::Github => output::data(|out| write_all(findings, out, github::write))?,
        ReportFormat::Sarif => output::value(Format::Json, &sarif::Log::of(findings))?,
    }
    Ok(())
}

/// Writes findings one after the other. Their texts are made on all threads, some thousands at a time.
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

//! Findings in every format of `check`.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::args::ReportFormat;
use crate::finding::Findings;
use crate::{Failure, github, human, sarif};

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
) -> Result<(), Failure> {
    if format == ReportFormat::Human {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        findings.iter().try_for_each(|finding| human::write(&finding, &mut out))?;
        out.flush()?;
        return Ok(());
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    match format {
        ReportFormat::Human => {}
        ReportFormat::Json => {
            let report = Report {
                format_version: "1.0",
                valid: errors == 0,
                error_count: errors,
                warning_count: findings.len() - errors,
                diagnostics: findings,
            };
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        }
        ReportFormat::Ndjson => {
            for finding in findings.iter() {
                serde_json::to_writer(&mut out, &finding)?;
                writeln!(out)?;
            }
        }
        ReportFormat::Github => {
            findings.iter().try_for_each(|finding| github::write(&finding, &mut out))?;
        }
        ReportFormat::Sarif => {
            serde_json::to_writer_pretty(&mut out, &sarif::Log::of(findings))?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// The name of a file as machines compare it with those of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

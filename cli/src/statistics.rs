//! Counts how often each diagnostic occurs: `check --statistics`.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::args::{Format, ReportFormat};
use crate::finding::Findings;
use crate::incomplete::Incomplete;
use crate::output::{self, FORMAT_VERSION, Style};

/// How often each occurs.
#[derive(Serialize)]
struct Statistics<'i> {
    format_version: &'static str,
    statistics: Vec<Row>,
    incomplete: &'i Incomplete,
}

/// One diagnostic.
#[derive(Serialize)]
struct Row {
    code: String,
    severity: String,
    summary: String,
    count: usize,
}

/// Whether statistics can be printed in this format.
pub(crate) fn has(format: ReportFormat) -> bool {
    matches!(format, ReportFormat::Human | ReportFormat::Json | ReportFormat::Ndjson)
}

/// Prints a line for each diagnostic, the most frequent one first.
pub(crate) fn print(
    findings: &Findings<'_, '_>,
    incomplete: &Incomplete,
    format: ReportFormat,
) -> io::Result<()> {
    let mut counts: BTreeMap<(String, String), (String, usize)> = BTreeMap::new();
    for finding in findings.iter() {
        let key = (finding.id().to_owned(), finding.severity.to_string());
        counts.entry(key).or_insert_with(|| (finding.summary.to_string(), 0)).1 += 1;
    }
    let row = |((code, severity), (summary, count))| Row { code, severity, summary, count };
    let mut rows: Vec<Row> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    match format {
        ReportFormat::Json => {
            let format_version = FORMAT_VERSION;
            let statistics = Statistics { format_version, statistics: rows, incomplete };
            output::value(Format::Json, Style::default(), &statistics)
        }
        ReportFormat::Ndjson => output::data(|out| {
            rows.iter().try_for_each(|row| output::line(out, Style::default(), row))?;
            output::rest(incomplete, out)
        }),
        _ => output::text(|out| {
            rows.iter().try_for_each(|Row { code, severity, summary, count }| {
                writeln!(out, "{count:>7}  {severity}[{code}]: {summary}")
            })
        }),
    }
}

//! Findings, one per line, for editors and `grep`: `PATH:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`.

use std::io::{self, Write};

use crate::finding::Finding;
use crate::visible::{line, visible};

/// Writes one line. A finding without a line has the path only.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let Finding { severity, range, .. } = finding;
    write!(out, "{}", line(&range.filename))?;
    if finding.has_lines {
        write!(out, ":{}:{}", range.start.line, range.start.column)?;
    }
    writeln!(out, ": {severity}[{}]: {}", visible(finding.id()), visible(&finding.message()))
}

//! Findings as GitHub workflow commands, which annotate the lines of a pull request.

use std::fmt;
use std::io::{self, Write};

use crate::finding::Finding;
use crate::incomplete::Gap;
use crate::visible::{plain_path, visible};

/// Writes one command, on one line. Related places are in the message, since a command has one
/// place.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let range = &finding.range;
    let file = plain_path(&range.filename);
    write!(out, "::{} file={}", finding.severity, Property(file))?;
    if finding.has_lines {
        let (start, end) = (range.start, range.end);
        write!(out, ",line={},endLine={}", start.line, end.line)?;
        // GitHub allows no columns if there are several lines. Its end column is inclusive.
        if start.line == end.line {
            let last = end.column.saturating_sub(1).max(start.column);
            write!(out, ",col={},endColumn={last}", start.column)?;
        }
    }
    write!(out, ",title={}::", Property(&finding.summary))?;
    write!(out, "{} [{}]", Message(&finding.message()), Message(finding.id()))?;
    for related in &finding.related {
        let (file, at) = (plain_path(&related.range.filename), related.range.start);
        let message = Message(&related.message);
        write!(out, "%0A{message}: {}:{}:{}", Message(file), at.line, at.column)?;
    }
    writeln!(out)
}

/// Writes a gap of the answer.
pub(crate) fn write_gap(gap: &Gap<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "::notice title=Incomplete::{}", Message(&gap.to_string()))
}

/// Escaped text of a command.
pub(crate) struct Message<'t>(pub(crate) &'t str);

/// Escaped text of a property.
pub(crate) struct Property<'t>(pub(crate) &'t str);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.0, "%\r\n", f)
    }
}

impl fmt::Display for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.0, "%\r\n:,", f)
    }
}

fn escaped(text: &str, special: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for part in text.split_inclusive(|c| special.contains(c)) {
        let end = part.chars().next_back().filter(|&c| special.contains(c));
        let kept = part.len() - end.map_or(0, char::len_utf8);
        f.write_str(&visible(&part[..kept]))?;
        if let Some(end) = end {
            write!(f, "%{:02X}", u32::from(end))?;
        }
    }
    Ok(())
}

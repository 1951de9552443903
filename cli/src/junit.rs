//! Findings as a JUnit XML report, with a test case for each finding. Errors are failures; warnings
//! are passed cases with output; gaps are skipped cases.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::finding::Finding;
use crate::outcome::Outcome;
use crate::visible::visible;

/// Writes the report.
pub(crate) fn write(outcome: &Outcome<'_, '_, '_>, out: &mut dyn Write) -> io::Result<()> {
    let Outcome { findings, errors, incomplete, .. } = *outcome;
    let gaps = incomplete.iter().count();
    // Consumers reject a report without test cases.
    let is_empty = findings.len() + gaps == 0;
    let tests = findings.len() + gaps + usize::from(is_empty);
    let counts = format!("tests=\"{tests}\" failures=\"{errors}\" errors=\"0\" skipped=\"{gaps}\"");
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    // `testsuites` has no count of skipped cases.
    writeln!(
        out,
        "<testsuites name=\"simd-hcl\" tests=\"{tests}\" failures=\"{errors}\" errors=\"0\">"
    )?;
    writeln!(out, "  <testsuite name=\"simd-hcl check\" {counts}>")?;
    if is_empty {
        writeln!(out, "    <testcase classname=\"simd-hcl\" name=\"nothing is wrong\"/>")?;
    }
    for finding in findings.iter() {
        write_finding(&finding, out)?;
    }
    for gap in incomplete.iter() {
        let name = escaped(gap.what);
        writeln!(out, "    <testcase classname=\"incomplete\" name=\"{name}\">")?;
        writeln!(out, "      <skipped message=\"{}\"/>", escaped(&gap.to_string()))?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn write_finding(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let Finding { severity, summary, range, .. } = finding;
    let code = escaped(finding.id());
    let (path, start) = (escaped(&range.filename), range.start);
    let (line, column) = (start.line, start.column);
    writeln!(out, "    <testcase classname=\"{path}\" name=\"{code} at {line}:{column}\">")?;
    let text = format!("{path}:{line}:{column}: {}", escaped(&finding.message()));
    match finding.is_error() {
        true => {
            let message = escaped(summary);
            writeln!(
                out,
                "      <failure type=\"{severity}\" message=\"{message}\">{text}</failure>"
            )?;
        }
        false => writeln!(out, "      <system-out>{text}</system-out>")?,
    }
    writeln!(out, "    </testcase>")
}

/// Returns text escaped for XML, including attributes. Characters that XML does not allow are
/// replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        escaped.push_str(&match character {
            '&' => Cow::Borrowed("&amp;"),
            '<' => "&lt;".into(),
            '>' => "&gt;".into(),
            '"' => "&quot;".into(),
            '\u{FFFE}' | '\u{FFFF}' => "\u{FFFD}".into(),
            other => Cow::Owned(other.to_string()),
        });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<a & \"b\">\u{0}\u{FFFF}é"),
            "&lt;a &amp; &quot;b&quot;&gt;\\u{0}\u{FFFD}é"
        );
    }
}

//! Findings as logging commands of Azure Pipelines.

use std::fmt;
use std::io::{self, Write};

use crate::finding::Finding;
use crate::incomplete::Gap;
use crate::visible::{plain_path, visible};

/// Writes one command, on one line.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let Finding { severity, range, .. } = finding;
    let path = Escaped(plain_path(&range.filename), true);
    write!(out, "##vso[task.logissue type={severity};sourcepath={path};")?;
    if finding.has_lines {
        let start = range.start;
        write!(out, "linenumber={};columnnumber={};", start.line, start.column)?;
    }
    writeln!(out, "code={};]{}", Escaped(finding.id(), true), Escaped(&finding.message(), false))
}

/// Writes a gap of the answer.
pub(crate) fn write_gap(gap: &Gap<'_>, out: &mut dyn Write) -> io::Result<()> {
    let message = format!("incomplete: {gap}");
    writeln!(out, "##vso[task.logissue type=warning;code=incomplete;]{}", Escaped(&message, false))
}

/// Text of a command, escaped; as a property if the flag is set.
struct Escaped<'t>(&'t str, bool);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, is_property) = *self;
        for character in text.chars() {
            match character {
                '%' => f.write_str("%AZP25")?,
                '\r' => f.write_str("%0D")?,
                '\n' => f.write_str("%0A")?,
                ';' if is_property => f.write_str("%3B")?,
                ']' if is_property => f.write_str("%5D")?,
                other => f.write_str(&visible(other.encode_utf8(&mut [0; 4])))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(Escaped("a;b]c%\n", true).to_string(), "a%3Bb%5Dc%AZP25%0A");
        assert_eq!(Escaped("a;b]c\r\u{1b}", false).to_string(), "a;b]c%0D\\u{1b}");
    }
}

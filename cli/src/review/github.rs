//! A review as GitHub workflow commands, which annotate the lines of a pull request: warnings for what
//! is deleted or replaced, notices for the rest.

use std::io::{self, Write};

use simd_hcl::review::ReviewAction;

use super::answer::Answer;
use super::human::{lines, renamed, setup, title};
use crate::github::{Message, Property, write_gap};
use crate::visible::plain_path;

/// The leaves of a change in its annotation.
const MOST_LEAVES: usize = 20;

pub(super) fn print(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    for root in &answer.roots {
        let path = plain_path(&root.path);
        for change in &root.review.changes {
            let is_destructive =
                matches!(change.action, ReviewAction::Delete | ReviewAction::Replace);
            write!(out, "::{} ", if is_destructive { "warning" } else { "notice" })?;
            // The lines of something deleted are not those of the new files.
            let range = change.range.as_ref().filter(|_| change.action != ReviewAction::Delete);
            if let Some(range) = range {
                let (file, line) = (plain_path(&range.filename), range.start.line);
                write!(out, "file={},line={line},", Property(file))?;
            }
            let title = format!("{path}: {}", title(change));
            write!(out, "title={}::{}", Property(&title), Message(&title))?;
            let lines = lines(change);
            for line in lines.iter().take(MOST_LEAVES) {
                write!(out, "%0A{}", Message(line))?;
            }
            if lines.len() > MOST_LEAVES {
                write!(out, "%0A… and {} more", lines.len() - MOST_LEAVES)?;
            }
            writeln!(out)?;
        }
        for note in setup(&root.review) {
            writeln!(out, "::notice title={}::{}", Property(path), Message(&note))?;
        }
        for rename in &root.review.renames {
            let title = Property(path);
            writeln!(out, "::warning title={title}::{}", Message(&renamed(rename)))?;
        }
        writeln!(out, "::notice title={}::{}", Property(path), Message(&root.summary()))?;
    }
    if answer.roots.is_empty() {
        writeln!(out, "::notice::{}", Message(&answer.summary()))?;
    }
    answer.incomplete.iter().try_for_each(|gap| write_gap(&gap, out))
}

//! Changes of a text as a patch in unified format.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::Range;

use crate::visible::visible;

/// The number of context lines around a change.
const CONTEXT: usize = 3;

/// Old lines, and the new lines that replace them.
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns a patch of the file `name` from `old` to `new`. The patch of equal texts is empty.
///
/// The formatter keeps most lines, so lines are compared one by one. If the number of lines
/// differs, everything between the equal lines at the start and at the end is one change. Cost:
/// linear in both texts.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let [old, new]: [Vec<&str>; 2] = [old, new].map(|text| text.split_inclusive('\n').collect());
    let mut patch = String::new();
    let changes = changes(&old, &new);
    // Changes whose context overlaps share a hunk.
    for group in changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if patch.is_empty() {
            patch = format!("--- a/{name}\n+++ b/{name}\n");
        }
        let before = first.old.start.min(CONTEXT);
        let after = (old.len() - last.old.end).min(CONTEXT);
        let whole = |first: usize, last: usize| (first - before, last + after - (first - before));
        let of_old = whole(first.old.start, last.old.end);
        let of_new = whole(first.new.start, last.new.end);
        // Writing into a string does not fail.
        let _ = writeln!(patch, "@@ -{} +{} @@", range(of_old), range(of_new));
        let mut at = of_old.0;
        for change in group {
            lines(&mut patch, ' ', &old[at..change.old.start]);
            lines(&mut patch, '-', &old[change.old.clone()]);
            lines(&mut patch, '+', &new[change.new.clone()]);
            at = change.old.end;
        }
        lines(&mut patch, ' ', &old[at..at + after]);
    }
    patch
}

/// Returns a patch as it is printed: on a terminal with control characters made visible.
pub(crate) fn shown(patch: &str) -> Cow<'_, str> {
    if !io::stdout().is_terminal() {
        return patch.into();
    }
    patch.lines().map(|line| format!("{}\n", visible(line))).collect()
}

/// Returns the lines that differ, in order.
fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    if old.len() == new.len() {
        let differs: Vec<usize> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
        let runs = differs.chunk_by(|one, next| one + 1 == *next);
        return runs
            .filter_map(|run| {
                let lines = *run.first()?..run.last()? + 1;
                Some(Change { old: lines.clone(), new: lines })
            })
            .collect();
    }
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = rest.take_while(|(old, new)| old == new).count();
    vec![Change { old: start..old.len() - end, new: start..new.len() - end }]
}

/// Returns start and length of lines as in the header of a hunk: counted from 1; for no lines, the
/// line before them.
fn range((start, len): (usize, usize)) -> String {
    format!("{},{len}", start + usize::from(len > 0))
}

fn lines(patch: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        patch.push(sign);
        patch.push_str(line);
        if !line.ends_with('\n') {
            patch.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks() {
        assert_eq!(unified("x", "a\n", "a\n"), "");
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n3\n", "\nthree\n").replace("\n9\n", "\nnine\n");
        let new = new.replace("\n20\n", "\ntwenty");
        let expected = "--- a/x\n+++ b/x\n@@ -1,12 +1,12 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n 7\n 8\n-9\n\
                        +nine\n 10\n 11\n 12\n@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+twenty\n\
                        \\ No newline at end of file\n";
        assert_eq!(unified("x", &old, &new), expected);
        assert_eq!(unified("x", "", "a\n"), "--- a/x\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(
            unified("x", "a\nb\nc\n", "a\nc\n"),
            "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n-b\n c\n"
        );
    }
}

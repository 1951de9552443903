//! Changes of a text as a patch in unified format.

use std::fmt::Write;
use std::ops::Range;

use simd_hcl::edit::TextEdits;

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
    let [old, new] = [old, new].map(lines_of);
    let changes = changes(&old, &new);
    hunks(name, &old, &new, &changes)
}

fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns a patch of the file `name` from `old` to the text after the edits.
///
/// Cost: linear in both texts.
pub(crate) fn of_edits(name: &str, old: &str, new: &str, edits: &TextEdits) -> String {
    let [old_lines, new_lines] = [old, new].map(lines_of);
    let [old_starts, new_starts] = [&old_lines, &new_lines].map(|lines| starts_of(lines));
    // Behind the last line feed there is no line.
    let line_at = |text: &str, starts: &[usize], at: usize| match text.ends_with('\n') {
        true if at >= text.len() => starts.len(),
        _ => starts.partition_point(|start| *start <= at).saturating_sub(1),
    };
    let mut changes: Vec<Change> = Vec::new();
    let mut added = 0_i64;
    for edit in edits.iter() {
        let (start, end) = (edit.span().start as usize, edit.span().end as usize);
        let new_start = (start as i64 + added) as usize;
        let new_end = new_start + edit.text().len();
        added += edit.text().len() as i64 - (end - start) as i64;
        let lines = |text: &str, starts: &[usize], start: usize, end: usize| {
            let after = line_at(text, starts, end) + 1;
            line_at(text, starts, start)..after.min(starts.len())
        };
        let old = lines(old, &old_starts, start, end);
        let new = lines(new, &new_starts, new_start, new_end);
        match changes.last_mut() {
            Some(last) if last.old.end >= old.start || last.new.end >= new.start => {
                last.old.end = last.old.end.max(old.end);
                last.new.end = last.new.end.max(new.end);
            }
            _ => changes.push(Change { old, new }),
        }
    }
    changes.iter_mut().for_each(|change| change.trim(&old_lines, &new_lines));
    changes.retain(|change| !change.old.is_empty() || !change.new.is_empty());
    hunks(name, &old_lines, &new_lines, &changes)
}

/// Returns a patch that creates the file `name`.
pub(crate) fn of_new(name: &str, text: &str) -> String {
    let new = lines_of(text);
    let all = Change { old: 0..0, new: 0..new.len() };
    hunks(name, &[], &new, &[all]).replacen(&format!("--- a/{name}"), "--- /dev/null", 1)
}

fn starts_of(lines: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let start = |line: &&str| {
        let start = at;
        at += line.len();
        start
    };
    lines.iter().map(start).collect()
}

impl Change {
    /// Leaves out equal lines at both ends.
    fn trim(&mut self, old: &[&str], new: &[&str]) {
        while !self.old.is_empty()
            && !self.new.is_empty()
            && old[self.old.start] == new[self.new.start]
        {
            self.old.start += 1;
            self.new.start += 1;
        }
        while !self.old.is_empty()
            && !self.new.is_empty()
            && old[self.old.end - 1] == new[self.new.end - 1]
        {
            self.old.end -= 1;
            self.new.end -= 1;
        }
    }
}

/// Returns a patch with these changes.
fn hunks(name: &str, old: &[&str], new: &[&str], changes: &[Change]) -> String {
    let mut patch = String::new();
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
    fn edits_of_distant_lines_are_hunks_of_their_own() {
        use simd_hcl::Span;
        use simd_hcl::edit::Edit;
        let old: String = (1..=30).map(|n| format!("{n}\n")).collect();
        let at = |line: &str| old.find(&format!("\n{line}\n")).unwrap() as u32 + 1;
        let edits = TextEdits::new(vec![
            Edit::new(Span::new(at("3"), at("3")), "more\n"),
            Edit::new(Span::new(at("20"), at("21")), ""),
            Edit::new(Span::new(old.len() as u32, old.len() as u32), "end"),
        ]);
        let edits = edits.unwrap();
        let expected = "--- a/x\n+++ b/x\n@@ -1,5 +1,6 @@\n 1\n 2\n+more\n 3\n 4\n 5\n\
                        @@ -17,7 +18,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n\
                        @@ -28,3 +28,4 @@\n 28\n 29\n 30\n+end\n\\ No newline at end of file\n";
        assert_eq!(of_edits("x", &old, &edits.apply(&old), &edits), expected);
    }

    #[test]
    fn hunks_of_lines() {
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

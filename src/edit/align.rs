//! Aligns the lines that edits touch, where the lines around them were aligned before.

use super::bytes::{Edit, TextEdits};
use crate::format::{Aligned, Gap, gaps};
use crate::hash::HashSet;
use crate::span::Span;

/// Adds the edits that align equals signs and comments at the ends of lines again. A group of lines
/// that was not aligned before is left as it is.
///
/// Cost: linear in the bytes of the text, which is valid before and after the edits.
pub(super) fn align(old: &str, mut edits: TextEdits) -> TextEdits {
    for aligned in [Aligned::Values, Aligned::Comments] {
        let new = edits.apply(old);
        let later = of_kind(old, &new, &edits, aligned);
        if !later.is_empty() {
            edits = edits.then(later);
        }
    }
    edits
}

fn of_kind(old: &str, new: &str, edits: &TextEdits, aligned: Aligned) -> Vec<Edit> {
    let is_aligned = |text: &str, gaps: &[Gap]| gaps.iter().all(|gap| is_wanted(text, gap));
    let ends = |group: &[Gap]| group.iter().map(|gap| gap.spaces.end).collect::<Vec<_>>();
    let groups = gaps(old, aligned);
    let known: HashSet<usize> = groups.iter().flat_map(|group| ends(group)).collect();
    // The ends of the gaps of groups that are not aligned.
    let unaligned: HashSet<usize> = groups
        .iter()
        .filter(|group| !is_aligned(old, group))
        .flat_map(|group| ends(group))
        .collect();
    let offsets = edits.offsets();
    let mut later = Vec::new();
    for group in gaps(new, aligned) {
        let is_touched = |gap: &Gap| offsets.touches(gap.line.start as u32, gap.line.end as u32);
        let was_unaligned = |gap: &Gap| {
            let old = offsets.old(gap.spaces.end as u32);
            // An item in the middle of a line was not aligned if it has no single space.
            let has_space = new.get(gap.spaces.clone()) == Some(" ");
            old.is_some_and(|old| match known.contains(&(old as usize)) {
                true => unaligned.contains(&(old as usize)),
                false => !has_space,
            })
        };
        if !group.iter().any(is_touched) || group.iter().any(was_unaligned) {
            continue;
        }
        for gap in group.iter().filter(|gap| !is_wanted(new, gap)) {
            let span = Span::new(gap.spaces.start as u32, gap.spaces.end as u32);
            later.push(Edit::new(span, " ".repeat(gap.wanted)));
        }
    }
    later
}

/// Whether a gap has the width of the layout.
fn is_wanted(text: &str, gap: &Gap) -> bool {
    let spaces = text.get(gap.spaces.clone()).unwrap_or_default();
    spaces.len() == gap.wanted && spaces.bytes().all(|byte| byte == b' ')
}

//! Edits of one text: bytes to replace, sorted and disjoint.

use std::fmt;

use crate::span::Span;

/// Bytes to replace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    start: u32,
    end: u32,
    text: Box<str>,
}

impl Edit {
    /// Returns the replacement of these bytes; an insertion if the span is empty.
    #[must_use]
    pub fn new(span: Span, text: impl Into<Box<str>>) -> Self {
        Self { start: span.start, end: span.end, text: text.into() }
    }

    /// The bytes to replace, in the text before all edits.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The text that replaces them.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Two edits that cannot both be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The bytes of the first one.
    pub first: Span,
    /// The bytes of the second one.
    pub second: Span,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second } = self;
        write!(
            f,
            "two edits overlap: bytes {} to {}, and {} to {}",
            first.start, first.end, second.start, second.end
        )
    }
}

impl std::error::Error for Conflict {}

/// The edits of one text, in the order of their bytes. No two overlap; one may end where the next
/// starts.
///
/// ```
/// use simd_hcl::Span;
/// use simd_hcl::edit::{Edit, TextEdits};
///
/// let edits = [Edit::new(Span::new(4, 5), "2"), Edit::new(Span::new(0, 1), "size")];
/// let edits = TextEdits::new(edits.to_vec())?;
/// assert_eq!(edits.apply("a = 1\n"), "size = 2\n");
/// # Ok::<(), simd_hcl::edit::Conflict>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEdits(Vec<Edit>);

impl TextEdits {
    /// Sorts edits. Equal ones are one.
    ///
    /// # Errors
    /// The first two edits that overlap, or insert different texts at the same place.
    pub fn new(mut edits: Vec<Edit>) -> Result<Self, Conflict> {
        edits.sort();
        edits.dedup();
        for pair in edits.windows(2) {
            let [first, second] = pair else { continue };
            let is_same_place = first.span() == second.span();
            if second.start < first.end || is_same_place {
                return Err(Conflict { first: first.span(), second: second.span() });
            }
        }
        Ok(Self(edits))
    }

    /// Takes as many edits as possible, in the order of their bytes: one that overlaps an earlier one
    /// is left out. Equal ones are one.
    #[must_use]
    pub fn choose(mut edits: Vec<Edit>) -> Self {
        edits.sort();
        edits.dedup();
        let mut end = 0;
        edits.retain(|edit| {
            let fits = edit.start >= end && edit.end >= edit.start;
            end = if fits { edit.end } else { end };
            fits
        });
        Self(edits)
    }

    /// The edits.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Edit> {
        self.0.iter()
    }

    /// The number of edits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is edited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with all edits. An edit that does not start and end at characters of the text is left
    /// out. Cost: linear in both texts.
    ///
    /// ```
    /// use simd_hcl::Span;
    /// use simd_hcl::edit::{Edit, TextEdits};
    ///
    /// let edits = TextEdits::new(vec![Edit::new(Span::new(4, 5), "2")]).unwrap();
    /// assert_eq!(edits.apply("a = 1"), "a = 2");
    /// ```
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        spliced(text, Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)), &self.0)
    }

    /// A part of the text with the edits inside of it.
    pub(super) fn apply_in(&self, text: &str, part: Span) -> String {
        spliced(text, part, self.inside(part))
    }

    /// The edits inside of a part of the text, without insertions at its ends.
    pub(super) fn inside(&self, part: Span) -> &[Edit] {
        let is_before = |edit: &Edit| {
            edit.start < part.start || (edit.start == part.start && edit.end == part.start)
        };
        let first = self.0.partition_point(is_before);
        let rest = self.0.get(first..).unwrap_or_default();
        let len = rest.partition_point(|edit| edit.end <= part.end && edit.start < part.end);
        rest.get(..len).unwrap_or_default()
    }

    /// Edits of the new text as edits of the old one, together with these. Those that are neither in
    /// kept bytes nor in one inserted text are left out. `later` is sorted and disjoint.
    pub(super) fn then(self, later: Vec<Edit>) -> Self {
        let mut all: Vec<Edit> = Vec::with_capacity(self.0.len() + later.len());
        let mut later = later.into_iter().peekable();
        // The offset in the old text that the next kept bytes start at, and that in the new text.
        let (mut old, mut new) = (0_u32, 0_u32);
        for edit in self.0 {
            let kept = edit.start - old;
            let inserted = new + kept;
            while let Some(next) = later.next_if(|next| next.end <= inserted) {
                if next.start >= new {
                    all.push(Edit::new(
                        Span::new(next.start - new + old, next.end - new + old),
                        next.text,
                    ));
                }
            }
            let end = inserted + edit.text.len() as u32;
            let (mut text, mut at) = (String::new(), inserted);
            while let Some(next) = later.next_if(|next| next.start < end) {
                if next.start < at || next.end > end {
                    continue;
                }
                let part = (at - inserted) as usize..(next.start - inserted) as usize;
                text.push_str(edit.text.get(part).unwrap_or_default());
                text.push_str(&next.text);
                at = next.end;
            }
            text.push_str(edit.text.get((at - inserted) as usize..).unwrap_or_default());
            all.push(Edit::new(edit.span(), text));
            (old, new) = (edit.end, end);
        }
        for next in later.filter(|next| next.start >= new) {
            let span = Span::new(next.start - new + old, next.end - new + old);
            all.push(Edit::new(span, next.text));
        }
        Self(joined(all))
    }

    /// Returns a map from offsets of the new text to those of the old one. Cost: linear in the
    /// edits.
    pub(super) fn offsets(&self) -> Offsets {
        let (mut old, mut new) = (0, 0);
        let of_edits = self.0.iter().map(|edit| {
            let start = new + (edit.start - old);
            (old, new) = (edit.end, start + edit.text.len() as u32);
            Inserted { start, end: new, old }
        });
        Offsets(of_edits.collect())
    }
}

/// Finds the offsets in the old text of those in the new text.
pub(super) struct Offsets(Vec<Inserted>);

/// The bytes that an edit inserts, in the new text, and the offset after it in the old one.
struct Inserted {
    start: u32,
    end: u32,
    old: u32,
}

impl Offsets {
    /// The offset in the old text; `None` in an inserted text. Cost: logarithmic.
    pub(super) fn old(&self, offset: u32) -> Option<u32> {
        let after = self.0.partition_point(|edit| edit.start <= offset);
        match after.checked_sub(1).and_then(|at| self.0.get(at)) {
            Some(edit) if offset < edit.end => None,
            Some(edit) => Some(offset - edit.end + edit.old),
            None => Some(offset),
        }
    }

    /// Whether an edit touches bytes of the new text: it is in them, or at one of their ends.
    pub(super) fn touches(&self, start: u32, end: u32) -> bool {
        let first = self.0.partition_point(|edit| edit.end < start);
        self.0.get(first).is_some_and(|edit| edit.start <= end)
    }
}

/// A part of a text with edits.
fn spliced(text: &str, part: Span, edits: &[Edit]) -> String {
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut new = String::with_capacity(part.len() as usize + added);
    let mut at = part.start as usize;
    for edit in edits {
        let kept = text.get(at..edit.start as usize);
        let Some(kept) = kept.filter(|_| text.is_char_boundary(edit.end as usize)) else {
            continue;
        };
        new.push_str(kept);
        new.push_str(&edit.text);
        at = edit.end as usize;
    }
    new.push_str(text.get(at..part.end as usize).unwrap_or_default());
    new
}

/// Joins insertions at the same place, in their order.
pub(super) fn joined(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut all: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match all.last_mut() {
            Some(last) if last.span() == edit.span() && edit.start == edit.end => {
                last.text = format!("{}{}", last.text, edit.text).into();
            }
            _ => all.push(edit),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit::new(Span::new(start, end), text)
    }

    #[test]
    fn overlaps_are_conflicts() {
        let conflict = TextEdits::new(vec![edit(2, 5, "x"), edit(0, 3, "y")]).unwrap_err();
        assert_eq!((conflict.first, conflict.second), (Span::new(0, 3), Span::new(2, 5)));
        assert!(TextEdits::new(vec![edit(2, 2, "x"), edit(2, 2, "y")]).is_err());
        assert!(TextEdits::new(vec![edit(2, 3, "x"), edit(2, 3, "y")]).is_err());
        let same = TextEdits::new(vec![edit(2, 3, "x"), edit(2, 3, "x")]).unwrap();
        assert_eq!(same.len(), 1);
        let touching = TextEdits::new(vec![edit(3, 3, "+"), edit(0, 3, "y")]).unwrap();
        assert_eq!(touching.apply("abcd"), "y+d");
        let chosen = TextEdits::choose(vec![edit(2, 5, "x"), edit(0, 3, "y"), edit(3, 4, "z")]);
        assert_eq!(chosen.apply("abcdef"), "yzef");
    }

    #[test]
    fn later_edits_become_edits_of_the_old_text() {
        let old = "abcdefgh";
        let first = TextEdits::new(vec![edit(2, 4, "CCDD"), edit(6, 6, "+")]).unwrap();
        let new = first.apply(old);
        assert_eq!(new, "abCCDDef+gh");
        let later = vec![edit(0, 1, "A"), edit(3, 4, "-"), edit(7, 8, "F"), edit(10, 11, "H")];
        let expected = TextEdits::new(later.clone()).unwrap().apply(&new);
        assert_eq!(first.clone().then(later).apply(old), expected);
        // An edit that is only partly in an inserted text has no place in the old one.
        assert_eq!(first.clone().then(vec![edit(5, 7, "?")]), first);
        let offsets = first.offsets();
        let found: Vec<_> = (0..10).map(|at| offsets.old(at)).collect();
        let kept = [Some(0), Some(1), None, None, None, None, Some(4), Some(5), None, Some(6)];
        assert_eq!(found, kept);
        assert!(offsets.touches(0, 2) && offsets.touches(6, 7) && offsets.touches(9, 11));
        assert!(!offsets.touches(0, 1) && !offsets.touches(7, 7) && !offsets.touches(10, 11));
    }
}

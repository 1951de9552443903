//! Finds the places where a document may have marks, from its bytes alone.
//!
//! Most changes and resources have no marks, and there are many of them. A scan of the bytes is
//! faster than a walk over the members, so it comes first: parts without a hint are not searched.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::packed::{Config, MatchKind, Searcher};

use crate::json::Node;
use crate::parallel;
use crate::show::mark_text::value_hides;
use crate::span::Span;

/// The number of bytes that a thread takes at once.
const STRETCH: usize = 1 << 20;

/// The common part of the names of trees of sensitive values, and the start of escapes of letters.
const NEEDLES: [&str; 2] = ["sensitive", "\\u00"];
const LONGEST: usize = NEEDLES[0].len();

/// Finds both at once. `None` on machines without the required vector instructions.
static SEARCHER: LazyLock<Option<Searcher>> = LazyLock::new(|| {
    Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(NEEDLES).build()
});

/// Offsets near every tree that marks anything.
#[derive(Debug)]
pub(super) struct Hints {
    /// In order; `None` if a mark may be anywhere.
    offsets: Option<Vec<u32>>,
}

impl Hints {
    /// Finds the hints. Cost: linear in the bytes, on all threads of the current pool if
    /// `is_parallel`.
    pub(super) fn of(root: Node<'_>, is_parallel: bool) -> Self {
        let bytes = root.source().bytes();
        let stretches = 0..bytes.len().div_ceil(STRETCH);
        let search = |stretch: usize| search(bytes, stretch * STRETCH..(stretch + 1) * STRETCH);
        let found: Option<Vec<Vec<u32>>> = match is_parallel {
            true => parallel::map(stretches, 1, search).into_iter().collect(),
            false => stretches.map(search).collect(),
        };
        Self { offsets: found.map(|found| found.concat()) }
    }

    /// A query for parts of the document, in order.
    pub(super) fn near(&self) -> Near<'_> {
        Near { offsets: self.offsets.as_deref(), next: 0 }
    }
}

/// Finds whether parts of a document may have marks. Cost: constant on average for parts in their
/// order, logarithmic in the number of hints for others.
pub(super) struct Near<'h> {
    offsets: Option<&'h [u32]>,
    /// The index of the first hint at or after the start of the last part.
    next: usize,
}

impl Near<'_> {
    /// Whether a part of the document may have marks.
    pub(super) fn touch(&mut self, span: Span) -> bool {
        let Some(offsets) = self.offsets else { return true };
        let is_before = |offset: &u32| *offset < span.start;
        if self.next.checked_sub(1).is_some_and(|last| !offsets.get(last).is_some_and(is_before)) {
            self.next = offsets.partition_point(is_before);
        }
        while offsets.get(self.next).is_some_and(is_before) {
            self.next += 1;
        }
        offsets.get(self.next).is_some_and(|offset| *offset < span.end)
    }
}

/// Whether a part of a document may have marks, from its bytes.
pub(super) fn may_mark(bytes: &[u8]) -> bool {
    search(bytes, 0..bytes.len()).is_none_or(|found| !found.is_empty())
}

/// The hints that start in a stretch; `None` if names may have escapes there.
fn search(bytes: &[u8], stretch: Range<usize>) -> Option<Vec<u32>> {
    let searcher = SEARCHER.as_ref()?;
    let mut found = Vec::new();
    // A needle at the end of this stretch may extend into the next one.
    let text = &bytes[stretch.start..(stretch.end + LONGEST - 1).min(bytes.len())];
    for needle in searcher.find_iter(text) {
        let (start, end) = (stretch.start + needle.start(), stretch.start + needle.end());
        if start >= stretch.end {
            break;
        }
        let rest = &bytes[end..];
        if needle.pattern().as_usize() == 1 {
            if matches!(rest.first(), Some(b'5'..=b'7')) {
                return None;
            }
            continue;
        }
        let rest = rest.strip_prefix(b"_values").unwrap_or(rest);
        let value = rest.strip_prefix(b"\"").map(<[u8]>::trim_ascii_start);
        let value = value.and_then(|rest| rest.strip_prefix(b":"));
        if value.is_some_and(|value| value_hides(value.trim_ascii_start())) {
            found.push(start as u32);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Document};

    fn hints(text: &str) -> Option<Vec<u32>> {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "x", text.as_bytes()).expect("JSON");
        let [one, other] =
            [false, true].map(|is_parallel| Hints::of(document.root(), is_parallel).offsets);
        assert_eq!(one, other);
        one
    }

    #[test]
    fn trees_with_marks_are_found() {
        for (text, expected) in [
            (r#"{"after_sensitive":{"a":true}}"#, vec![8]),
            (r#"{"sensitive" : true}"#, vec![2]),
            (r#"{"sensitive_values":[{},"x"]}"#, vec![2]),
            (r#"{"sensitive_values":"x"}"#, vec![2]),
            (r#"{"before_sensitive":{"a":{},"b":[false,null]},"b":true}"#, vec![]),
            (r#"{"sensitive_values":false,"x":"sensitive","y":["sensitive"]}"#, vec![]),
            (r#"{"x":"{\"sensitive\":true}","sensitive_x":true}"#, vec![]),
        ] {
            assert_eq!(hints(text), Some(expected), "{text}");
        }
        // Go does not escape letters.
        assert_eq!(hints(r#"{"a":"\u003c\u0026\u2028"}"#), Some(vec![]));
        assert_eq!(hints(r#"{"\u0073ensitive":true}"#), None);
    }

    #[test]
    fn parts_in_any_order_are_near_their_hints() {
        let hints = Hints { offsets: Some(vec![5, 6, 20]) };
        let mut near = hints.near();
        for (start, end, expected) in [
            (0, 5, false),
            (0, 6, true),
            (6, 7, true),
            (7, 20, false),
            (21, 99, false),
            (5, 6, true),
            (20, 21, true),
            (0, 4, false),
        ] {
            assert_eq!(near.touch(Span::new(start, end)), expected, "{start} {end}");
        }
        assert!(Hints { offsets: None }.near().touch(Span::new(0, 1)));
    }

    #[test]
    fn stretches_do_not_cut_names() {
        for shift in 0..24 {
            let text =
                format!("{{\"{}\":1,\"after_sensitive\":true}}", "x".repeat(STRETCH - shift));
            let at = text.find("sensitive").expect("it is there");
            assert_eq!(hints(&text), Some(vec![at as u32]), "{shift}");
        }
    }
}

//! Collects the values to hide.

use std::collections::BTreeSet;

use crate::json::Node;
use crate::show::mark_tree::{MarkTree, sensitive_or_none};
use crate::show::plan::Change;
use crate::span::Span;

/// Sensitive values on the way to [`Places`](super::Places).
#[derive(Default)]
pub(super) struct Marked {
    pub(super) spans: Vec<Span>,
    /// Parts that are hidden although they are not secret, so that their text may stay elsewhere.
    pub(super) unmarked: Vec<Span>,
    /// Whether a part differs from the format.
    pub(super) is_malformed: bool,
    /// The types of a state file whose values are neither marked there nor by a known schema.
    pub(super) unmarked_types: BTreeSet<String>,
}

impl Marked {
    pub(super) fn whole(&mut self, value: Option<Node<'_>>) {
        self.spans.extend(value.filter(|node| !node.is_null()).map(Node::span));
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.spans.append(&mut other.spans);
        self.unmarked.append(&mut other.unmarked);
        self.is_malformed |= other.is_malformed;
        self.unmarked_types.append(&mut other.unmarked_types);
    }
}

/// Sorts spans, and drops those inside of others.
pub(super) fn settled(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        let is_new = span.start >= end;
        end = end.max(span.end);
        is_new
    });
    spans
}

/// Whether either side of an output's change is sensitive.
pub(super) fn is_sensitive(change: Change<'_>) -> bool {
    let trees = [change.before_sensitive(), change.after_sensitive()];
    trees.into_iter().any(|tree| matches!(sensitive_or_none(tree), MarkTree::Whole(true)))
}

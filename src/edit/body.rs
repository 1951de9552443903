//! Edits of the items of one body of a native file.

use std::collections::BTreeMap;

use super::bytes::{Edit, TextEdits};
use super::layout::indented;
use super::lines::Lines;
use super::node::ItemNode;
use super::value::Comments;
use crate::span::Span;

/// An attribute or a block to add.
#[derive(Clone, Debug)]
pub(super) struct NewItem {
    /// Its text, with the line ends of the file, without indentation and without a line end.
    pub(super) text: String,
    pub(super) is_block: bool,
    /// Whether its lines after the first one are indented with it.
    pub(super) is_indented: bool,
    pub(super) comments: Comments,
    /// The item that it follows; the last one without it.
    pub(super) after: Option<Span>,
}

/// A body to edit.
pub(super) struct BodyEdit<'i, 't, 'a> {
    pub(super) lines: &'i Lines<'t>,
    /// The bytes between the braces, or of the file behind a byte order mark.
    pub(super) inside: Span,
    pub(super) is_file: bool,
    /// The items, and whether each is removed.
    pub(super) items: &'i [(ItemNode<'a>, bool)],
    pub(super) added: &'i [NewItem],
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

impl BodyEdit<'_, '_, '_> {
    /// Removes and adds items. Returns the edits, and the text of each added item as it is in the new
    /// file.
    pub(super) fn edit(&self) -> (Vec<Edit>, Vec<String>) {
        let lines = self.lines;
        let (open, close) = (self.inside.start as usize, self.inside.end as usize);
        if !self.is_file && !lines.part(open, close).contains('\n') {
            return self.edit_line();
        }
        let mut edits = self.removals();
        let left = self.left_without_items(&edits);
        let (indent, outer) = self.indentation();
        let texts: Vec<String> = self.added.iter().map(|it| self.laid_out(it, &indent)).collect();
        // Those that follow the same item are inserted together.
        let mut insertions: BTreeMap<usize, (String, usize)> = BTreeMap::new();
        let mut end_of_insertions: Option<usize> = None;
        for (item, text) in self.added.iter().zip(&texts) {
            let (at, before, after) = self.place(item, (&indent, &outer), &left, end_of_insertions);
            let more = format!("{before}{}", self.with_comments(item, text, &indent));
            match insertions.get_mut(&at) {
                Some((all, kept)) => {
                    // Items after the last one follow this one.
                    all.truncate(*kept);
                    all.push_str(&more);
                    *kept = all.len();
                    all.push_str(&after);
                }
                None => {
                    let kept = more.len();
                    insertions.insert(at, (more + &after, kept));
                }
            }
            end_of_insertions = Some(at);
        }
        edits.extend(insertions.into_iter().map(|(at, (text, _))| Edit::new(span(at, at), text)));
        (edits, texts)
    }

    /// Returns the rest of a file of which no item is kept: comments and spaces. Empty for other
    /// bodies.
    fn left_without_items(&self, removals: &[Edit]) -> String {
        let keeps = self.items.iter().any(|(_, is_removed)| !is_removed);
        if !self.is_file || keeps || self.added.is_empty() {
            return String::new();
        }
        let edits = TextEdits::new(removals.to_vec()).ok();
        edits.map_or(String::new(), |edits| edits.apply_in(self.lines.text(), self.inside))
    }

    /// The indentation of items, and that of the closing brace.
    fn indentation(&self) -> (String, String) {
        let lines = self.lines;
        let first = self.items.iter().rev().map(|(item, _)| item.span.start as usize);
        let known = first.into_iter().find(|start| lines.is_first(*start));
        let outer = match self.is_file {
            true => "",
            false => lines.indentation(self.inside.start as usize),
        };
        let indent = match known {
            Some(start) => lines.indentation(start).to_owned(),
            None if self.is_file => String::new(),
            None => format!("{outer}{}", lines.unit()),
        };
        (indent, outer.to_owned())
    }

    /// The text of an added item.
    fn laid_out(&self, item: &NewItem, indent: &str) -> String {
        match item.is_indented {
            true => indented(&item.text, indent),
            false => item.text.clone(),
        }
    }

    /// The text of an added item, with the comments that it brings.
    fn with_comments(&self, item: &NewItem, text: &str, indent: &str) -> String {
        let Comments { behind, .. } = &item.comments;
        let before = item.comments.lines_before(indent, self.lines.newline());
        // The first line stands behind an indentation.
        let (before, indent) = match before.strip_prefix(indent) {
            Some(before) if !before.is_empty() => (before, indent),
            _ => ("", ""),
        };
        let space = if behind.is_empty() { "" } else { " " };
        format!("{before}{indent}{text}{space}{behind}")
    }

    /// The place where an item is inserted, and its neighbours. `left` is the rest of a file without
    /// items, and `last` where the item before it is inserted.
    fn place(
        &self,
        item: &NewItem,
        (indent, outer): (&str, &str),
        left: &str,
        last: Option<usize>,
    ) -> (usize, String, String) {
        let lines = self.lines;
        let newline = lines.newline();
        let (open, close) = (self.inside.start as usize, self.inside.end as usize);
        let mut kept = self.items.iter().filter(|(_, is_removed)| !is_removed);
        let after = match item.after {
            Some(after) => Some(after),
            None if self.is_file => kept.next_back().map(|(item, _)| item.span),
            None => None,
        };
        if let Some(after) = after {
            let at = lines.tail(after.end as usize, false).end;
            let next = lines.next(at);
            let is_followed = next < close && !lines.is_blank(next) && lines.end(at) < close;
            let blank = if item.is_block && !is_followed { newline } else { "" };
            return (at, format!("{newline}{blank}{indent}"), String::new());
        }
        if self.is_file {
            let blank = if item.is_block || last.is_none() { newline } else { "" };
            let before = match last {
                // The line end of the one before it is this one's.
                Some(_) => format!("{newline}{blank}"),
                None => {
                    let line_end = match left.is_empty() || left.ends_with('\n') {
                        true => "",
                        false => newline,
                    };
                    let blank = if left.trim().is_empty() { "" } else { blank };
                    format!("{line_end}{blank}")
                }
            };
            return (close, before, newline.to_owned());
        }
        let before_blank = match item.is_block && !self.items.is_empty() {
            true => newline,
            false => "",
        };
        if lines.is_first(close) {
            let at = lines.start(close);
            // The line end of the one before it is this one's.
            let again = if last == Some(at) { newline } else { "" };
            return (at, format!("{again}{before_blank}{indent}"), newline.to_owned());
        }
        // The brace is behind the last item.
        let content = open + lines.part(open, close).trim_end().len();
        (content, format!("{newline}{before_blank}{indent}"), format!("{newline}{outer}"))
    }

    /// Edits a body on one line: with more than one item it gets several.
    fn edit_line(&self) -> (Vec<Edit>, Vec<String>) {
        let lines = self.lines;
        let (open, close) = (self.inside.start as usize, self.inside.end as usize);
        let (indent, outer) = (self.indentation().1 + lines.unit(), self.indentation().1);
        let texts: Vec<String> = self.added.iter().map(|it| self.laid_out(it, &indent)).collect();
        let newline = lines.newline();
        let more: String = self
            .added
            .iter()
            .zip(&texts)
            .map(|(item, text)| {
                format!("{newline}{indent}{}", self.with_comments(item, text, &indent))
            })
            .collect();
        let text = lines.part(open, close);
        let (start, end) =
            (open + text.len() - text.trim_start().len(), open + text.trim_end().len());
        let is_emptied = !self.items.is_empty() && self.items.iter().all(|(_, removed)| *removed);
        let mut edits = Vec::new();
        // The comments on the line belong to its only item.
        if is_emptied || (text.trim().is_empty() && !more.is_empty()) {
            let end = if more.is_empty() { String::new() } else { format!("{newline}{outer}") };
            return (vec![Edit::new(span(open, close), more + &end)], texts);
        }
        if !more.is_empty() {
            edits.push(Edit::new(span(open, start), format!("{newline}{indent}")));
            edits.push(Edit::new(span(end, close), format!("{more}{newline}{outer}")));
        }
        (edits, texts)
    }

    /// Removes items: each with the comments that belong to it. Items with only spaces between them go
    /// together, with one of the runs of blank lines around them.
    fn removals(&self) -> Vec<Edit> {
        let lines = self.lines;
        let (open, close) = (self.inside.start as usize, self.inside.end as usize);
        let mut edits = Vec::new();
        // The end of the item before, with its comments; and of the last kept text.
        let (mut floor, mut kept_end) = (open, None);
        let mut rest = self.items.iter().peekable();
        while let Some(&(item, is_removed)) = rest.next() {
            let (start, end) = (item.span.start as usize, item.span.end as usize);
            let mut tail = lines.tail(end, false);
            if !is_removed {
                (floor, kept_end) = (tail.end, Some(tail.end));
                continue;
            }
            if !self.is_alone(item, floor) {
                edits.push(Edit::new(item.span, ""));
                (floor, kept_end) = (end, Some(end));
                continue;
            }
            let lead = lines.lead(start, floor);
            let gap = lines.part(floor, lead);
            if !gap.trim().is_empty() {
                kept_end = Some(floor + gap.trim_end().len());
            }
            while let Some((next, _)) = rest.next_if(|(next, is_removed)| {
                let lead = lines.lead(next.span.start as usize, tail.end);
                *is_removed
                    && self.is_alone(*next, tail.end)
                    && lines.part(tail.end, lead).trim().is_empty()
            }) {
                tail = lines.tail(next.span.end as usize, false);
            }
            let next = lines.next(tail.end);
            let has_line_end = lines.end(tail.end) < lines.text().len();
            let is_last = rest.peek().is_none() && lines.part(tail.end, close).trim().is_empty();
            let has_blank_after = (has_line_end && lines.is_blank(next)) || is_last;
            let has_blank_before = lead > lines.first() && lines.is_blank(lines.start(lead - 1));
            let (from, to) = match kept_end {
                Some(kept) if has_blank_before && has_blank_after => (kept, tail.end),
                None if has_blank_after && !is_last => {
                    let rest = lines.part(next, close);
                    let blank = rest.len() - rest.trim_start().len();
                    (lead, lines.start(next + blank))
                }
                Some(kept) if !has_line_end => (kept, tail.end),
                _ => (lead, next),
            };
            edits.push(Edit::new(span(from, to), ""));
            floor = tail.end.max(to);
        }
        edits
    }

    /// Whether nothing else is on the lines of an item, except for comments around it. `floor` is the end
    /// of the item before it.
    fn is_alone(&self, item: ItemNode<'_>, floor: usize) -> bool {
        let (start, end) = (item.span.start as usize, item.span.end as usize);
        let head = self.lines.head(start, floor);
        let is_inside = head.is_some_and(|head| head >= self.inside.start as usize);
        is_inside && self.lines.tail(end, false).ends_line
    }
}

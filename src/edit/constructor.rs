//! Edits of the items of one object or list in native syntax.

use super::bytes::Edit;
use super::lines::Lines;
use super::node::ItemNode;
use crate::expression::is_identifier;
use crate::reference::Escaped;
use crate::span::Span;

/// An item or an element to add.
#[derive(Clone, Debug)]
pub(super) struct NewItem<'e> {
    /// The key; `None` in a list.
    pub(super) key: Option<&'e str>,
    pub(super) value: &'e str,
}

/// A constructor to edit.
pub(super) struct ConstructorEdit<'i, 't, 'a> {
    pub(super) lines: &'i Lines<'t>,
    /// Its bytes, brackets included.
    pub(super) span: Span,
    pub(super) is_object: bool,
    /// The items, and whether each is removed.
    pub(super) items: &'i [(ItemNode<'a>, bool)],
    pub(super) added: &'i [NewItem<'i>],
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

impl ConstructorEdit<'_, '_, '_> {
    /// Removes and adds items. Returns the edits, and the text of each added item.
    pub(super) fn edit(&self) -> (Vec<Edit>, Vec<String>) {
        let lines = self.lines;
        let (open, close) = (self.span.start as usize + 1, self.span.end as usize - 1);
        let inside = lines.part(open, close);
        let texts: Vec<String> = self.added.iter().map(|item| self.text(item)).collect();
        let is_emptied = self.items.iter().all(|(_, is_removed)| *is_removed);
        if is_emptied && !inside.contains('\n') && !self.has_comments(open, close) {
            let more = texts.join(", ");
            let text = match (more.is_empty(), self.is_object) {
                (true, _) => String::new(),
                (false, true) => format!(" {more} "),
                (false, false) => more,
            };
            return (vec![Edit::new(span(open, close), text)], texts);
        }
        let mut edits = self.removals(open, close);
        if !texts.is_empty() {
            edits.extend(self.insertion(open, close, &texts));
        }
        (edits, texts)
    }

    /// Whether comments are inside of the brackets, outside of items.
    fn has_comments(&self, open: usize, close: usize) -> bool {
        let ends = self.items.iter().map(|(item, _)| item.span.end as usize);
        let starts = self.items.iter().map(|(item, _)| item.span.start as usize);
        let mut gaps = std::iter::once(open).chain(ends).zip(starts.chain([close]));
        gaps.any(|(start, end)| !self.lines.part(start, end).chars().all(is_filler))
    }

    /// The text of an added item: with a colon where other items have one, and with its key in quotes
    /// where others are.
    fn text(&self, item: &NewItem<'_>) -> String {
        let Some(key) = item.key else { return item.value.to_owned() };
        let key_of = |item: &ItemNode<'_>| {
            item.names()
                .first()
                .map_or("", |key| self.lines.part(key.start as usize, key.end as usize))
        };
        let has_quotes = |key: &str| key.starts_with('"');
        let is_quoted =
            !self.items.is_empty() && self.items.iter().all(|(item, _)| has_quotes(key_of(item)));
        let between = self.items.last().and_then(|(item, _)| {
            let key = item.names().first().copied()?;
            Some(self.lines.part(key.end as usize, item.value.start as usize))
        });
        let sign = match between {
            Some(between) if between.trim() == ":" => ": ",
            _ => " = ",
        };
        match is_identifier(key) && !is_quoted {
            true => format!("{key}{sign}{}", item.value),
            false => format!("\"{}\"{sign}{}", Escaped(key), item.value),
        }
    }

    fn removals(&self, open: usize, close: usize) -> Vec<Edit> {
        let lines = self.lines;
        let mut edits = Vec::new();
        let mut floor = open;
        let mut kept_end: Option<usize> = None;
        let last_kept = self.items.iter().rposition(|(_, is_removed)| !is_removed);
        for (place, &(item, is_removed)) in self.items.iter().enumerate() {
            let (start, end) = (item.span.start as usize, item.span.end as usize);
            let tail = lines.tail(end, true);
            if !is_removed {
                floor = tail.end;
                kept_end = Some(end);
                continue;
            }
            let is_alone = lines.is_first(start) && tail.ends_line && lines.start(start) > open;
            if is_alone {
                let lead = lines.lead(start, floor);
                edits.push(Edit::new(span(lead, lines.next(tail.end)), ""));
            } else {
                let rest = lines.part(tail.comma.unwrap_or(end), close);
                let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                let others_follow = last_kept.is_some_and(|last| place < last);
                match (tail.comma, kept_end) {
                    // The comma before it goes with it.
                    (_, Some(kept)) if !others_follow => {
                        let from = floor_of(&edits, kept);
                        edits.push(Edit::new(span(from, end), ""));
                    }
                    (Some(comma), _) => {
                        edits.push(Edit::new(span(start, comma + spaces), ""));
                    }
                    (None, _) => edits.push(Edit::new(span(start, end), "")),
                }
            }
            floor = tail.end;
        }
        edits
    }

    fn insertion(&self, open: usize, close: usize, texts: &[String]) -> Vec<Edit> {
        let lines = self.lines;
        let newline = lines.newline();
        let kept: Vec<&ItemNode<'_>> =
            self.items.iter().filter(|(_, removed)| !removed).map(|(item, _)| item).collect();
        let outer = lines.indentation(self.span.start as usize);
        let Some(last) = kept.last() else {
            // Only lines, and maybe comments, are inside.
            let indent = format!("{outer}{}", lines.unit());
            let text: String = texts
                .iter()
                .map(|text| {
                    let comma = if self.is_object { "" } else { "," };
                    format!("{indent}{text}{comma}{newline}")
                })
                .collect();
            return match lines.is_first(close) {
                true => {
                    let at = lines.start(close);
                    vec![Edit::new(span(at, at), text)]
                }
                false => {
                    let text = format!("{newline}{text}{outer}");
                    vec![Edit::new(span(close, close), text)]
                }
            };
        };
        let end = last.span.end as usize;
        let tail = lines.tail(end, true);
        let is_own_line = lines.is_first(last.span.start as usize)
            && lines.start(last.span.start as usize) > open;
        // Nothing may follow the end of a heredoc on its line, not even a comma.
        let has_heredoc =
            self.is_object && lines.part(last.span.start as usize, end).contains("<<");
        let is_on_lines = tail.ends_line && (is_own_line || has_heredoc);
        let has_comma = tail.comma.is_some();
        if !is_on_lines {
            let at = tail.comma.unwrap_or(end);
            let more: String = texts
                .iter()
                .enumerate()
                .map(|(place, text)| match (place, has_comma) {
                    (0, true) => format!(" {text}"),
                    _ => format!(", {text}"),
                })
                .collect();
            let more = if has_comma { more + "," } else { more };
            return vec![Edit::new(span(at, at), more)];
        }
        let indent = match is_own_line {
            true => lines.indentation(last.span.start as usize).to_owned(),
            false => format!("{outer}{}", lines.unit()),
        };
        // A comma between items on one line says nothing about the ends of lines.
        let others_have_comma = kept.iter().rev().skip(1).any(|item| {
            let tail = lines.tail(item.span.end as usize, true);
            tail.comma.is_some() && tail.ends_line
        });
        let needs_comma = !self.is_object || others_have_comma && !has_heredoc;
        let mut edits = Vec::new();
        if needs_comma && !has_comma {
            edits.push(Edit::new(span(end, end), ","));
        }
        let count = texts.len();
        let more: String = texts
            .iter()
            .enumerate()
            .map(|(place, text)| {
                let is_last = place + 1 == count;
                let comma = if has_comma || (needs_comma && !is_last) { "," } else { "" };
                format!("{newline}{indent}{text}{comma}")
            })
            .collect();
        edits.push(Edit::new(span(tail.end, tail.end), more));
        edits
    }
}

/// The end of the kept item, or of the last edit behind it.
fn floor_of(edits: &[Edit], kept: usize) -> usize {
    edits.last().map_or(kept, |edit| (edit.span().end as usize).max(kept))
}

fn is_filler(character: char) -> bool {
    character.is_whitespace() || character == ','
}

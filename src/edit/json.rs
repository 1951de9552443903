//! Edits of the items of one object or array of JSON.

use super::bytes::Edit;
use super::lines::Lines;
use super::node::ItemNode;
use super::value::JsonStyle;
use crate::json::Node;
use crate::span::Span;
use crate::write::push_string;

/// A member or an element to add.
#[derive(Clone, Debug)]
pub(super) struct NewItem<'e> {
    /// The name; `None` in an array.
    pub(super) name: Option<&'e str>,
    pub(super) json: String,
}

impl<'t> JsonStyle<'t> {
    /// The style of a document.
    pub(super) fn of(lines: &Lines<'t>, root: Node<'_>) -> Self {
        let text = lines.text();
        let start = root.span().start as usize + 1;
        let rest = lines.part(start, text.len());
        let lead = &rest[..rest.len() - rest.trim_start().len()];
        let indent = lead.rsplit('\n').next().filter(|_| lead.contains('\n'));
        let unit = indent.filter(|indent| !indent.is_empty() && indent.len() <= 8);
        let name = root.as_object().and_then(|object| object.members().next());
        let colon = name.map(|name| {
            let between = Span::new(name.name_span().end, name.value().span().start);
            lines.part(between.start as usize, between.end as usize)
        });
        Self {
            // An empty object says nothing.
            is_pretty: indent.is_some() || rest.trim_start().starts_with('}'),
            newline: lines.newline(),
            unit: unit.unwrap_or("  "),
            colon: colon.filter(|colon| colon.len() <= 3).unwrap_or(": "),
        }
    }
}

/// Removes and adds items. Returns the edits, and the text of each added item.
pub(super) fn edit(
    lines: &Lines<'_>,
    style: &JsonStyle<'_>,
    container: Span,
    items: &[(ItemNode<'_>, bool)],
    added: &[NewItem<'_>],
) -> (Vec<Edit>, Vec<String>) {
    let (open, close) = (container.start + 1, container.end - 1);
    let mut edits = Vec::new();
    let first = items.first().map(|(item, _)| item.span.start);
    // The spaces before each item.
    let lead = match (first, items) {
        (Some(_), [.., (before, _), (last, _)]) => {
            let between = lines.part(before.span.end as usize, last.span.start as usize);
            between.split_once(',').map_or("", |(_, lead)| lead)
        }
        (Some(first), _) => lines.part(open as usize, first as usize),
        (None, _) => "",
    };
    let is_on_lines = match first {
        Some(_) => lead.contains('\n'),
        None => style.is_pretty,
    };
    let outer = lines.indentation(container.start as usize);
    let indent = match first {
        Some(first) if lines.is_first(first as usize) => {
            lines.indentation(first as usize).to_owned()
        }
        Some(_) => outer.to_owned(),
        None => format!("{outer}{}", style.unit),
    };
    let own = JsonStyle { is_pretty: style.is_pretty && is_on_lines, ..*style };
    let texts: Vec<String> = added
        .iter()
        .map(|item| {
            let mut text = String::new();
            if let Some(name) = item.name {
                push_string(&mut text, name);
                text.push_str(style.colon);
            }
            text.push_str(&own.layout(&item.json, &indent));
            text
        })
        .collect();
    let separator = match (lead.is_empty(), is_on_lines) {
        (false, _) => format!(",{lead}"),
        (true, true) => format!(",{}{indent}", lines.newline()),
        (true, false) if style.colon.ends_with(' ') && first.is_none_or(|_| items.len() < 2) => {
            ", ".to_owned()
        }
        (true, false) => ",".to_owned(),
    };
    let kept_last = items.iter().rev().find(|(_, is_removed)| !is_removed).map(|(item, _)| item);
    let Some(last) = kept_last else {
        // All are removed.
        let inner = texts.join(&separator);
        let text = match (inner.is_empty(), is_on_lines) {
            (true, _) if items.is_empty() => return (edits, texts),
            (true, _) => String::new(),
            (false, true) => {
                format!("{}{indent}{inner}{}{outer}", lines.newline(), lines.newline())
            }
            (false, false) => inner,
        };
        edits.push(Edit::new(Span::new(open, close), text));
        return (edits, texts);
    };
    // Each run of removed items goes with the separator after it; the last one with that before it.
    let mut run: Option<u32> = None;
    for &(item, is_removed) in items {
        match (is_removed, run) {
            (true, None) => run = Some(item.span.start),
            (false, Some(start)) => {
                edits.push(Edit::new(Span::new(start, item.span.start), ""));
                run = None;
            }
            _ => {}
        }
    }
    let end = match (run, items.last()) {
        (Some(_), Some((removed, _))) => removed.span.end,
        _ => last.span.end,
    };
    let more: String = texts.iter().flat_map(|text| [&*separator, text]).collect();
    if end > last.span.end || !more.is_empty() {
        edits.push(Edit::new(Span::new(last.span.end, end), more));
    }
    (edits, texts)
}

//! The parts of a file around a place, from the smallest to the whole, which an editor selects step
//! by step.

use super::answers::Answers;
use super::context;
use super::expressions::{self, contains};
use super::outline::{self, ItemKind};
use crate::dialect::Syntax;
use crate::json::Node;
use crate::span::Span;

/// The number of parts of an answer.
const MOST: usize = 1000;

impl<'t, 'a> Answers<'t, 'a> {
    /// The parts of a file around an offset, the smallest first: words, expressions, arguments,
    /// blocks, the file; at most a thousand.
    ///
    /// Cost: linear in the file.
    #[must_use]
    pub fn selection(&self, file: &str, offset: u32) -> Vec<Span> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let bytes = entry.source.bytes();
        let whole = Span::new(0, bytes.len() as u32);
        let mut found = vec![whole, context::around(entry, offset).word];
        if let Some(parsed) = self.parsed(entry) {
            for item in outline::items(parsed, context::grammar(entry)) {
                if !contains(item.span(), offset) {
                    continue;
                }
                found.push(item.span());
                match item.kind {
                    ItemKind::Block(block) if entry.kind.syntax == Syntax::Native => {
                        let head = block.definition_span();
                        let body = Span::new(head.end, item.span().end);
                        found.extend([head, body].into_iter().filter(|it| contains(*it, offset)));
                    }
                    ItemKind::Block(_) => {}
                    ItemKind::Argument(attribute) => {
                        found.push(attribute.name_span());
                        found.push(attribute.expression().span());
                    }
                }
            }
            if let Some(json) = parsed.as_json() {
                values_around(json.root(), offset, &mut found);
            }
            let mut open = expressions::at(parsed, offset);
            while let Some(native) = open {
                // Without the braces and parentheses around it, too.
                found.extend([native.span(), native.inner().span()]);
                let parts = expressions::parts(native);
                open = parts.into_iter().find(|part| contains(part.span(), offset));
                if found.len() > MOST {
                    break;
                }
            }
        }
        found.retain(|span| contains(*span, offset));
        found.sort_by_key(|span| (span.len(), span.start));
        found.dedup();
        // Each part contains the one before it.
        let mut nested: Vec<Span> = Vec::new();
        for span in found {
            let holds = |inner: &Span| span.start <= inner.start && inner.end <= span.end;
            if nested.last().is_none_or(holds) {
                nested.push(span);
            }
        }
        nested.truncate(MOST);
        nested
    }
}

/// The values of a JSON document around an offset.
fn values_around(root: Node<'_>, offset: u32, found: &mut Vec<Span>) {
    let mut next = Some(root);
    while let Some(node) = next.filter(|_| found.len() <= MOST) {
        found.push(node.span());
        next = None;
        if let Some(object) = node.as_object() {
            let member = object.members().find(|it| contains(it.span(), offset));
            if let Some(member) = member {
                found.extend([member.span(), member.name_span()]);
                next = Some(member.value()).filter(|value| contains(value.span(), offset));
            }
        } else if let Some(array) = node.as_array() {
            next = array.elements().find(|it| contains(it.span(), offset));
        }
    }
}

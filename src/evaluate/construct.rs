//! Creates tuples, objects and templates from their operands.

use bumpalo::collections::String as ArenaString;

use super::machine::Machine;
use super::stack::Chain;
use crate::diagnostic::Code;
use crate::native::Node;
use crate::span::Span;
use crate::value::{HOLE, MOST_KNOWN_TEXT, Marks, Type, Value, safe_start};

/// A part of a text of which nothing is known.
const ANY: &str = "\0";

impl<'s: 'a, 'a> Machine<'_, 's, 'a> {
    pub(super) fn tuple(&mut self, node: Node) {
        let base = self.stack.len().saturating_sub(node.payload as usize);
        self.meter.parts(node.payload as usize).ok();
        let value = self.made(Value::tuple(self.arena, self.stack.above(base)));
        let chain = self.stack.join_above(base);
        self.stack.replace(base, value, chain);
    }

    /// Creates an object from alternating keys and values. Of equal keys, the last one counts.
    pub(super) fn object(&mut self, index: usize, node: Node) {
        let count = node.payload as usize;
        let base = self.stack.len().saturating_sub(2 * count);
        self.meter.parts(count).ok();
        let mut entries = Vec::with_capacity(count);
        let mut spans = Spans::new(index, 2 * count);
        let (mut marks, mut known) = (Marks::NONE, true);
        let mut chain = Chain::EMPTY;
        for item in (base..base + 2 * count).step_by(2) {
            let (key, value) = (self.stack.value(item), self.stack.value(item + 1));
            let (of_key, of_value) = (self.stack.take(item), self.stack.take(item + 1));
            let is_wrong = !of_key.is_empty();
            self.stack.append(&mut chain, of_key);
            self.stack.append(&mut chain, of_value);
            if is_wrong {
                known = false;
                continue;
            }
            marks = marks.with(key.marks());
            match self.text_of(key) {
                Ok(Some(name)) => entries.push((name, value)),
                Ok(None) => known = false,
                Err(reason) => {
                    known = false;
                    let code = if key.is_null() { Code::NullKey } else { Code::IncorrectKeyType };
                    let span = spans.get(self, item - base);
                    self.report(&mut chain, code, span, &[reason]);
                }
            }
        }
        let value =
            if known { self.made(Value::object(self.arena, &entries)) } else { Value::dynamic() };
        self.stack.replace(base, value.with_marks(marks), chain);
    }

    /// Joins parts to one text. Nothing is added after an invalid part; an unknown part makes the
    /// text unknown but for its other parts.
    pub(super) fn template(&mut self, index: usize, node: Node) {
        let count = node.payload as usize;
        let base = self.stack.len().saturating_sub(count);
        if let [only] = self.stack.above(base)
            && only.as_str().is_some()
            && !self.stack.failed(base)
        {
            return;
        }
        let mut spans = Spans::new(index, count);
        let mut marks = Marks::NONE;
        let known = self.stack.above(base).iter().all(|part| part.is_known());
        // A text with the character that stands for unknown parts is not understood.
        let mut is_understood = true;
        // The text before the first unknown part.
        let mut start: Option<String> = None;
        let mut chain = Chain::EMPTY;
        let len = text_len(self.stack.above(base));
        let Some(mut text) = self.text_for(len) else { return };
        for at in base..base + count {
            let part = self.stack.value(at);
            let of_part = self.stack.take(at);
            self.stack.append(&mut chain, of_part);
            if !part.is_null() {
                marks = marks.with(part.marks());
            }
            if !part.is_known() {
                let more = part.known_text().unwrap_or(ANY);
                if start.is_none() && text.len() <= MOST_KNOWN_TEXT {
                    start = Some(text.as_str().to_owned());
                }
                let more = if text.ends_with(HOLE) { more.trim_start_matches(HOLE) } else { more };
                if text.len() <= MOST_KNOWN_TEXT {
                    text.push_str(more);
                }
                continue;
            }
            match self.text_of(part) {
                Ok(more) if chain.is_empty() && (known || text.len() <= MOST_KNOWN_TEXT) => {
                    let more = more.unwrap_or_default();
                    is_understood &= known || !more.contains(HOLE);
                    text.push_str(more);
                }
                Ok(_) => {}
                Err(reason) => {
                    let span = spans.get(self, at - base);
                    self.report(&mut chain, Code::InvalidInterpolation, span, &[reason]);
                }
            }
        }
        let value = if known {
            Value::string(self.arena, text.into_bump_str())
        } else if is_understood && chain.is_empty() {
            let start = self.arena.str(safe_start(&start.unwrap_or_default()));
            Value::with_known_text(self.arena, text.into_bump_str(), start)
        } else {
            Value::unknown(Type::String).not_null()
        };
        self.stack.replace(base, value.with_marks(marks), chain);
    }

    /// Joins the elements of a `for` to one text.
    pub(super) fn join(&mut self, node: Node) {
        let (tuple, mut chain) = self.stack.pop();
        let mut marks = tuple.marks();
        let Some(mut text) = self.text_for(text_len(tuple.elements())) else { return };
        let mut known = tuple.is_known();
        for &element in tuple.elements() {
            if !element.is_known() {
                known = false;
                break;
            }
            match self.text_of(element) {
                Ok(more) => {
                    text.push_str(more.unwrap_or_default());
                    marks = marks.with(element.marks());
                }
                Err(reason) => {
                    self.report(&mut chain, Code::InvalidInterpolation, node.span, &[reason]);
                }
            }
        }
        let value = if known {
            Value::string(self.arena, text.into_bump_str())
        } else {
            Value::unknown(Type::String)
        };
        self.stack.push_with(value.with_marks(marks), chain);
    }

    /// Reserves memory for a text of `len` bytes; `None` if that exceeds the budget.
    fn text_for(&mut self, len: usize) -> Option<ArenaString<'a>> {
        self.meter.text(len).ok()?;
        Some(ArenaString::with_capacity_in(len, self.arena.bump()))
    }
}

/// Returns an estimate of the text's length: the bytes of parts that are text, and a few for each
/// other part.
fn text_len(parts: &[Value<'_>]) -> usize {
    let lens = parts.iter().map(|part| part.as_str().map_or(8, str::len));
    lens.fold(0, usize::saturating_add)
}

/// The spans of a node's operands, computed together on first use.
struct Spans {
    index: usize,
    count: usize,
    found: Vec<Span>,
}

impl Spans {
    fn new(index: usize, count: usize) -> Self {
        Self { index, count, found: Vec::new() }
    }

    #[cold]
    fn get<'s: 'a, 'a>(&mut self, machine: &Machine<'_, 's, 'a>, operand: usize) -> Span {
        if self.found.is_empty() {
            self.found = machine.operand_spans(self.index, self.count);
        }
        self.found.get(operand).copied().unwrap_or_default()
    }
}

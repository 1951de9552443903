//! Steps behind an operand: attributes, indexes and splats.

use super::frame::{Frame, State};
use super::lexer::Token;
use super::output::Parsed;
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::Kind;
use crate::program::traversal::{Key, StepKind};

impl<'a> Parser<'a, '_> {
    /// Takes the steps behind an operand. True if an index expression, or what a splat does, comes next.
    pub(super) fn steps(&mut self) -> Parsed<'a, bool> {
        loop {
            let token = self.peek();
            match token.0 {
                Token::Dot => {
                    self.at = token.2;
                    let next = self.peek();
                    match next.0 {
                        Token::Identifier => {
                            self.at = next.2;
                            let name = self.slice(next.1, next.2);
                            self.step(StepKind::Attribute(name), token.1, next.2);
                        }
                        Token::Number => self.legacy_index(token.1, next)?,
                        Token::Star => {
                            self.at = next.2;
                            self.attribute_splat()?;
                        }
                        _ => return Err(self.fault(Code::InvalidAttributeName, next)),
                    }
                }
                Token::BracketOpen => {
                    self.at = token.2;
                    let (first, _) = self.last_operand();
                    let outer = self.enter(false);
                    if self.take(Token::Star) {
                        let close = self.peek();
                        if close.0 != Token::BracketClose {
                            return Err(self.fault(Code::MissingSplatBracket, close));
                        }
                        self.at = close.2;
                        self.new_lines = outer;
                        let marker = self.start_splat(token.1, close.2);
                        self.push(Frame::Splat { first, marker })?;
                        continue;
                    }
                    self.push(Frame::Index { first, start: token.1, outer })?;
                    self.state = State::Operand;
                    return Ok(true);
                }
                _ => return Ok(false),
            }
        }
    }

    /// Adds a step to the operand that has just ended.
    pub(super) fn step(&mut self, kind: StepKind<'a>, start: usize, end: usize) {
        if let Some(node) = self.out.nodes.last_mut()
            && matches!(node.kind, Kind::Traversal | Kind::Relative)
        {
            // It is the last traversal: what was parsed behind it, a literal key, had none.
            node.span.end = end as u32;
            return self.push_step(kind, start, end);
        }
        let (first, from) = self.last_operand();
        let place = self.start_traversal(kind, start, end);
        self.emit(Kind::Relative, place, first, from, end);
    }

    /// `.0`
    pub(super) fn legacy_index(
        &mut self,
        dot: usize,
        number: (Token, usize, usize),
    ) -> Parsed<'a, ()> {
        let digits = self.slice(number.1, number.2);
        if digits.contains(['.', 'e', 'E']) {
            return Err(self.fault(Code::InvalidLegacyIndex, number));
        }
        self.at = number.2;
        self.step(StepKind::Index(Key::Number(digits)), dot, number.2);
        Ok(())
    }

    /// `.*`, and the steps that it takes: names and older indexes.
    pub(super) fn attribute_splat(&mut self) -> Parsed<'a, ()> {
        let (first, _) = self.last_operand();
        let marker = self.start_splat(self.at, self.at);
        loop {
            let (token, start, end) = self.peek();
            if token != Token::Dot {
                break;
            }
            let at = self.at;
            self.at = end;
            let next = self.peek();
            match next.0 {
                Token::Identifier => {
                    self.at = next.2;
                    let name = self.slice(next.1, next.2);
                    self.step(StepKind::Attribute(name), start, next.2);
                }
                Token::Number => self.legacy_index(start, next)?,
                Token::Star => return Err(self.fault(Code::NestedSplat, next)),
                _ => {
                    self.at = at;
                    return Err(self.fault(Code::InvalidAttributeName, next));
                }
            }
        }
        self.end_splat(Kind::AttributeSplat, first, marker);
        Ok(())
    }

    /// Writes the leaves before what is evaluated per element, and gives the place of the marker.
    pub(super) fn start_splat(&mut self, start: usize, end: usize) -> usize {
        let marker = self.out.nodes.len();
        self.leaf(Kind::SplatStart, 0, start, end);
        self.leaf(Kind::Item, 0, start, end);
        marker
    }

    pub(super) fn end_splat(&mut self, kind: Kind, first: usize, marker: usize) {
        let distance = (self.out.nodes.len() - marker) as u32;
        if let Some(node) = self.out.nodes.get_mut(marker) {
            node.payload = distance;
        }
        let node_at = |place: Option<usize>| place.and_then(|place| self.out.nodes.get(place));
        let start = node_at(marker.checked_sub(1)).map_or(self.at, |node| node.span.start as usize);
        let end = node_at(Some(marker)).map_or(0, |node| node.span.end as usize);
        self.emit(kind, 0, first, start, self.last_end().max(end));
    }

    /// `[key]` has ended: a step if the key is a literal.
    pub(super) fn end_index(&mut self, first: usize, start: usize, end: usize) {
        let key = self.out.nodes.last().and_then(|node| {
            let text = || self.out.texts.get(node.payload as usize).copied();
            match node.kind {
                Kind::Number => text().map(Key::Number),
                Kind::True => Some(Key::Bool(true)),
                Kind::False => Some(Key::Bool(false)),
                Kind::Null => Some(Key::Null),
                // A template of one literal part, or none.
                Kind::Template if node.size == 1 => Some(Key::String("")),
                Kind::Template if node.size == 2 && node.payload == 1 => {
                    let part = self.out.nodes.get(self.out.nodes.len().checked_sub(2)?)?;
                    let is_text = part.kind == Kind::Text;
                    let text = self.out.texts.get(part.payload as usize).copied();
                    text.filter(|_| is_text)
                        .map(|text| Key::String(crate::value::normalized(self.arena, text)))
                }
                _ => None,
            }
        });
        match key {
            Some(key) => {
                let size = self.out.nodes.last().map_or(0, |node| node.size as usize);
                self.out.nodes.truncate(self.out.nodes.len() - size);
                self.step(StepKind::Index(key), start, end);
            }
            None => {
                let from = self.start_of(first);
                self.emit(Kind::Index, 0, first, from, end);
            }
        }
    }
}

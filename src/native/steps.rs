//! Steps after an operand: attributes, indexes and splats.

use super::frame::{Frame, State};
use super::lexer::Token;
use super::output::Parsed;
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::{Kind, Node};
use crate::program::traversal::{Key, StepKind};

impl<'a> Parser<'a, '_> {
    /// Takes the steps after an operand. Returns the token after them, which is not taken; `None` if
    /// an index expression or the body of a splat follows.
    pub(super) fn steps(&mut self) -> Parsed<'a, Option<(Token, usize, usize)>> {
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
                    // Unlike an index, a star has no line breaks around it.
                    if self.take(Token::Star) {
                        let close = self.peek();
                        if close.0 != Token::BracketClose {
                            return Err(self.fault(Code::MissingSplatBracket, close));
                        }
                        self.at = close.2;
                        let marker = self.start_splat(token.1, close.2);
                        self.push(Frame::Splat { first, marker })?;
                        continue;
                    }
                    let outer = self.enter(false);
                    self.push(Frame::Index { first, start: token.1, outer })?;
                    self.state = State::Operand;
                    return Ok(None);
                }
                _ => return Ok(Some(token)),
            }
        }
    }

    /// Adds a step to the operand that has just ended.
    pub(super) fn step(&mut self, kind: StepKind<'a>, start: usize, end: usize) {
        match self.out.nodes.last_mut() {
            Some(Node { kind: Kind::Traversal | Kind::Relative, span, .. }) => {
                // The last traversal is that one: the literal key parsed after it has no traversal.
                span.end = end as u32;
                self.push_step(kind, start, end);
            }
            _ => {
                let (first, from) = self.last_operand();
                let place = self.start_traversal(kind, start, end);
                self.emit(Kind::Relative, place, first, from, end);
            }
        }
    }

    /// Reads `.0`.
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

    /// Reads `.*`, and the steps that it takes: names and legacy indexes.
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

    /// Writes the leaves before the part that is evaluated per element, and returns the marker's
    /// index.
    pub(super) fn start_splat(&mut self, start: usize, end: usize) -> usize {
        let marker = self.out.nodes.len();
        self.leaf(Kind::SplatStart, 0, start, end);
        self.leaf(Kind::Item, 0, start, end);
        marker
    }

    pub(super) fn end_splat(&mut self, kind: Kind, first: usize, marker: usize) {
        let distance = (self.out.nodes.len() - marker) as u32;
        self.out.nodes[marker].payload = distance;
        // The operand precedes the marker.
        let start = self.out.nodes[marker - 1].span.start as usize;
        let end = self.out.nodes[marker].span.end as usize;
        self.emit(kind, 0, first, start, self.last_end().max(end));
    }

    /// Ends `[key]`: it becomes a step if the key is a literal.
    pub(super) fn end_index(&mut self, first: usize, start: usize, end: usize) {
        let text = |place: u32| self.out.texts[place as usize];
        let (key, size) = match *self.out.nodes.as_slice() {
            [.., Node { kind: Kind::Number, payload, .. }] => (Key::Number(text(payload)), 1),
            [.., Node { kind: Kind::True, .. }] => (Key::Bool(true), 1),
            [.., Node { kind: Kind::False, .. }] => (Key::Bool(false), 1),
            [.., Node { kind: Kind::Null, .. }] => (Key::Null, 1),
            // A template without parts, or with one literal part.
            [.., Node { kind: Kind::Template, size: 1, .. }] => (Key::String(""), 1),
            [
                ..,
                Node { kind: Kind::Text, payload, .. },
                Node { kind: Kind::Template, size: 2, .. },
            ] => (Key::String(crate::value::normalized(self.arena, text(payload))), 2),
            _ => {
                let from = self.start_of(first);
                return self.emit(Kind::Index, 0, first, from, end);
            }
        };
        self.out.nodes.truncate(self.out.nodes.len() - size);
        self.step(StepKind::Index(key), start, end);
    }
}
